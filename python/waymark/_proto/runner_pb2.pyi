from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Request(_message.Message):
    __slots__ = ("load", "start", "event", "look", "restore", "forget")
    LOAD_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    LOOK_FIELD_NUMBER: _ClassVar[int]
    RESTORE_FIELD_NUMBER: _ClassVar[int]
    FORGET_FIELD_NUMBER: _ClassVar[int]
    load: Load
    start: Start
    event: Event
    look: Look
    restore: Restore
    forget: Forget
    def __init__(self, load: _Optional[_Union[Load, _Mapping]] = ..., start: _Optional[_Union[Start, _Mapping]] = ..., event: _Optional[_Union[Event, _Mapping]] = ..., look: _Optional[_Union[Look, _Mapping]] = ..., restore: _Optional[_Union[Restore, _Mapping]] = ..., forget: _Optional[_Union[Forget, _Mapping]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("loaded", "moved", "seen", "done", "refused")
    LOADED_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    SEEN_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    loaded: Loaded
    moved: Moved
    seen: Seen
    done: Done
    refused: Refused
    def __init__(self, loaded: _Optional[_Union[Loaded, _Mapping]] = ..., moved: _Optional[_Union[Moved, _Mapping]] = ..., seen: _Optional[_Union[Seen, _Mapping]] = ..., done: _Optional[_Union[Done, _Mapping]] = ..., refused: _Optional[_Union[Refused, _Mapping]] = ...) -> None: ...

class Load(_message.Message):
    __slots__ = ("program",)
    PROGRAM_FIELD_NUMBER: _ClassVar[int]
    program: bytes
    def __init__(self, program: _Optional[bytes] = ...) -> None: ...

class Loaded(_message.Message):
    __slots__ = ("program_id", "workflow_name", "diagnostics")
    PROGRAM_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    DIAGNOSTICS_FIELD_NUMBER: _ClassVar[int]
    program_id: int
    workflow_name: str
    diagnostics: _containers.RepeatedCompositeFieldContainer[Diagnostic]
    def __init__(self, program_id: _Optional[int] = ..., workflow_name: _Optional[str] = ..., diagnostics: _Optional[_Iterable[_Union[Diagnostic, _Mapping]]] = ...) -> None: ...

class Diagnostic(_message.Message):
    __slots__ = ("is_error", "code", "message", "help", "file", "line", "column")
    IS_ERROR_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    HELP_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    is_error: bool
    code: str
    message: str
    help: str
    file: str
    line: int
    column: int
    def __init__(self, is_error: bool = ..., code: _Optional[str] = ..., message: _Optional[str] = ..., help: _Optional[str] = ..., file: _Optional[str] = ..., line: _Optional[int] = ..., column: _Optional[int] = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("program_id", "instance_id", "now_us", "inputs", "resume_between_events")
    PROGRAM_ID_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    NOW_US_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    RESUME_BETWEEN_EVENTS_FIELD_NUMBER: _ClassVar[int]
    program_id: int
    instance_id: bytes
    now_us: int
    inputs: bytes
    resume_between_events: bool
    def __init__(self, program_id: _Optional[int] = ..., instance_id: _Optional[bytes] = ..., now_us: _Optional[int] = ..., inputs: _Optional[bytes] = ..., resume_between_events: bool = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("instance_id", "now_us", "settled", "deadline", "signal", "cancel", "pause", "resume", "update")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    NOW_US_FIELD_NUMBER: _ClassVar[int]
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    now_us: int
    settled: bytes
    deadline: Deadline
    signal: Signal
    cancel: Cancel
    pause: Pause
    resume: Resume
    update: Update
    def __init__(self, instance_id: _Optional[bytes] = ..., now_us: _Optional[int] = ..., settled: _Optional[bytes] = ..., deadline: _Optional[_Union[Deadline, _Mapping]] = ..., signal: _Optional[_Union[Signal, _Mapping]] = ..., cancel: _Optional[_Union[Cancel, _Mapping]] = ..., pause: _Optional[_Union[Pause, _Mapping]] = ..., resume: _Optional[_Union[Resume, _Mapping]] = ..., update: _Optional[_Union[Update, _Mapping]] = ...) -> None: ...

class Deadline(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Signal(_message.Message):
    __slots__ = ("name", "payload", "id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    payload: bytes
    id: str
    def __init__(self, name: _Optional[str] = ..., payload: _Optional[bytes] = ..., id: _Optional[str] = ...) -> None: ...

class Update(_message.Message):
    __slots__ = ("name", "payload", "id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    payload: bytes
    id: str
    def __init__(self, name: _Optional[str] = ..., payload: _Optional[bytes] = ..., id: _Optional[str] = ...) -> None: ...

class Cancel(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class Pause(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Resume(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Moved(_message.Message):
    __slots__ = ("effects", "deadline_us")
    EFFECTS_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_US_FIELD_NUMBER: _ClassVar[int]
    effects: _containers.RepeatedCompositeFieldContainer[Effect]
    deadline_us: int
    def __init__(self, effects: _Optional[_Iterable[_Union[Effect, _Mapping]]] = ..., deadline_us: _Optional[int] = ...) -> None: ...

class Effect(_message.Message):
    __slots__ = ("call", "child", "cancel", "log", "finished", "signal_child", "reply")
    CALL_FIELD_NUMBER: _ClassVar[int]
    CHILD_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_CHILD_FIELD_NUMBER: _ClassVar[int]
    REPLY_FIELD_NUMBER: _ClassVar[int]
    call: bytes
    child: Child
    cancel: int
    log: Log
    finished: Finished
    signal_child: SignalChild
    reply: Reply
    def __init__(self, call: _Optional[bytes] = ..., child: _Optional[_Union[Child, _Mapping]] = ..., cancel: _Optional[int] = ..., log: _Optional[_Union[Log, _Mapping]] = ..., finished: _Optional[_Union[Finished, _Mapping]] = ..., signal_child: _Optional[_Union[SignalChild, _Mapping]] = ..., reply: _Optional[_Union[Reply, _Mapping]] = ...) -> None: ...

class SignalChild(_message.Message):
    __slots__ = ("call_id", "signal")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    signal: Signal
    def __init__(self, call_id: _Optional[int] = ..., signal: _Optional[_Union[Signal, _Mapping]] = ...) -> None: ...

class Reply(_message.Message):
    __slots__ = ("update_id", "value", "error")
    UPDATE_ID_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    update_id: str
    value: bytes
    error: bytes
    def __init__(self, update_id: _Optional[str] = ..., value: _Optional[bytes] = ..., error: _Optional[bytes] = ...) -> None: ...

class Child(_message.Message):
    __slots__ = ("call_id", "workflow_name", "instance_id", "inputs", "execution_id", "attempt", "id", "start_at_us")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    START_AT_US_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    workflow_name: str
    instance_id: bytes
    inputs: bytes
    execution_id: str
    attempt: int
    id: str
    start_at_us: int
    def __init__(self, call_id: _Optional[int] = ..., workflow_name: _Optional[str] = ..., instance_id: _Optional[bytes] = ..., inputs: _Optional[bytes] = ..., execution_id: _Optional[str] = ..., attempt: _Optional[int] = ..., id: _Optional[str] = ..., start_at_us: _Optional[int] = ...) -> None: ...

class NamedValue(_message.Message):
    __slots__ = ("name", "value", "shown")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: bytes
    shown: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[bytes] = ..., shown: _Optional[str] = ...) -> None: ...

class Frame(_message.Message):
    __slots__ = ("task", "function", "line", "variables")
    TASK_FIELD_NUMBER: _ClassVar[int]
    FUNCTION_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    VARIABLES_FIELD_NUMBER: _ClassVar[int]
    task: str
    function: str
    line: int
    variables: _containers.RepeatedCompositeFieldContainer[NamedValue]
    def __init__(self, task: _Optional[str] = ..., function: _Optional[str] = ..., line: _Optional[int] = ..., variables: _Optional[_Iterable[_Union[NamedValue, _Mapping]]] = ...) -> None: ...

class Log(_message.Message):
    __slots__ = ("level", "text")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    level: str
    text: str
    def __init__(self, level: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class Finished(_message.Message):
    __slots__ = ("completed", "failed", "cancelled", "published")
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_FIELD_NUMBER: _ClassVar[int]
    completed: bytes
    failed: bytes
    cancelled: bytes
    published: _containers.RepeatedCompositeFieldContainer[NamedValue]
    def __init__(self, completed: _Optional[bytes] = ..., failed: _Optional[bytes] = ..., cancelled: _Optional[bytes] = ..., published: _Optional[_Iterable[_Union[NamedValue, _Mapping]]] = ...) -> None: ...

class Look(_message.Message):
    __slots__ = ("instance_id", "frames")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    frames: bool
    def __init__(self, instance_id: _Optional[bytes] = ..., frames: bool = ...) -> None: ...

class Seen(_message.Message):
    __slots__ = ("awaits", "positions", "published", "frames")
    AWAITS_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    awaits: _containers.RepeatedScalarFieldContainer[str]
    positions: _containers.RepeatedCompositeFieldContainer[Position]
    published: _containers.RepeatedCompositeFieldContainer[NamedValue]
    frames: _containers.RepeatedCompositeFieldContainer[Frame]
    def __init__(self, awaits: _Optional[_Iterable[str]] = ..., positions: _Optional[_Iterable[_Union[Position, _Mapping]]] = ..., published: _Optional[_Iterable[_Union[NamedValue, _Mapping]]] = ..., frames: _Optional[_Iterable[_Union[Frame, _Mapping]]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("task", "function", "line", "waits")
    TASK_FIELD_NUMBER: _ClassVar[int]
    FUNCTION_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    WAITS_FIELD_NUMBER: _ClassVar[int]
    task: str
    function: str
    line: int
    waits: str
    def __init__(self, task: _Optional[str] = ..., function: _Optional[str] = ..., line: _Optional[int] = ..., waits: _Optional[str] = ...) -> None: ...

class Restore(_message.Message):
    __slots__ = ("instance_id",)
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    def __init__(self, instance_id: _Optional[bytes] = ...) -> None: ...

class Forget(_message.Message):
    __slots__ = ("instance_id", "program_id")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    PROGRAM_ID_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    program_id: int
    def __init__(self, instance_id: _Optional[bytes] = ..., program_id: _Optional[int] = ...) -> None: ...

class Done(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Refused(_message.Message):
    __slots__ = ("message", "is_bug")
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    IS_BUG_FIELD_NUMBER: _ClassVar[int]
    message: str
    is_bug: bool
    def __init__(self, message: _Optional[str] = ..., is_bug: bool = ...) -> None: ...
