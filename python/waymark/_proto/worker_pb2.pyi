from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WorkerFrame(_message.Message):
    __slots__ = ("hello", "settled", "progress", "draining")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    settled: _containers.RepeatedCompositeFieldContainer[Settled]
    progress: _containers.RepeatedCompositeFieldContainer[Progress]
    draining: bool
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., settled: _Optional[_Iterable[_Union[Settled, _Mapping]]] = ..., progress: _Optional[_Iterable[_Union[Progress, _Mapping]]] = ..., draining: bool = ...) -> None: ...

class EngineFrame(_message.Message):
    __slots__ = ("welcome", "calls", "cancels", "drain")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    CANCELS_FIELD_NUMBER: _ClassVar[int]
    DRAIN_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    calls: _containers.RepeatedCompositeFieldContainer[Call]
    cancels: _containers.RepeatedCompositeFieldContainer[Cancel]
    drain: bool
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., calls: _Optional[_Iterable[_Union[Call, _Mapping]]] = ..., cancels: _Optional[_Iterable[_Union[Cancel, _Mapping]]] = ..., drain: bool = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol_version", "worker_id", "language", "description", "queues", "actions", "fragments", "slots", "process_id", "imports_on_demand")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    QUEUES_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    FRAGMENTS_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    PROCESS_ID_FIELD_NUMBER: _ClassVar[int]
    IMPORTS_ON_DEMAND_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    worker_id: str
    language: str
    description: str
    queues: _containers.RepeatedScalarFieldContainer[str]
    actions: _containers.RepeatedScalarFieldContainer[str]
    fragments: bool
    slots: int
    process_id: int
    imports_on_demand: bool
    def __init__(self, protocol_version: _Optional[int] = ..., worker_id: _Optional[str] = ..., language: _Optional[str] = ..., description: _Optional[str] = ..., queues: _Optional[_Iterable[str]] = ..., actions: _Optional[_Iterable[str]] = ..., fragments: bool = ..., slots: _Optional[int] = ..., process_id: _Optional[int] = ..., imports_on_demand: bool = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("worker_id", "heartbeat_ms", "payload_bytes_max")
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_MS_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_BYTES_MAX_FIELD_NUMBER: _ClassVar[int]
    worker_id: str
    heartbeat_ms: int
    payload_bytes_max: int
    def __init__(self, worker_id: _Optional[str] = ..., heartbeat_ms: _Optional[int] = ..., payload_bytes_max: _Optional[int] = ...) -> None: ...

class Call(_message.Message):
    __slots__ = ("call_id", "execution_id", "attempt", "instance_id", "workflow_name", "timeout_ms", "action", "fragment")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    FRAGMENT_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    execution_id: str
    attempt: int
    instance_id: bytes
    workflow_name: str
    timeout_ms: int
    action: ActionCall
    fragment: FragmentCall
    def __init__(self, call_id: _Optional[int] = ..., execution_id: _Optional[str] = ..., attempt: _Optional[int] = ..., instance_id: _Optional[bytes] = ..., workflow_name: _Optional[str] = ..., timeout_ms: _Optional[int] = ..., action: _Optional[_Union[ActionCall, _Mapping]] = ..., fragment: _Optional[_Union[FragmentCall, _Mapping]] = ...) -> None: ...

class ActionCall(_message.Message):
    __slots__ = ("name", "positional", "keyword", "transaction")
    NAME_FIELD_NUMBER: _ClassVar[int]
    POSITIONAL_FIELD_NUMBER: _ClassVar[int]
    KEYWORD_FIELD_NUMBER: _ClassVar[int]
    TRANSACTION_FIELD_NUMBER: _ClassVar[int]
    name: str
    positional: bytes
    keyword: bytes
    transaction: bool
    def __init__(self, name: _Optional[str] = ..., positional: _Optional[bytes] = ..., keyword: _Optional[bytes] = ..., transaction: bool = ...) -> None: ...

class FragmentCall(_message.Message):
    __slots__ = ("source", "captures", "objects", "writes")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    CAPTURES_FIELD_NUMBER: _ClassVar[int]
    OBJECTS_FIELD_NUMBER: _ClassVar[int]
    WRITES_FIELD_NUMBER: _ClassVar[int]
    source: str
    captures: bytes
    objects: bytes
    writes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, source: _Optional[str] = ..., captures: _Optional[bytes] = ..., objects: _Optional[bytes] = ..., writes: _Optional[_Iterable[str]] = ...) -> None: ...

class Cancel(_message.Message):
    __slots__ = ("call_id",)
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    def __init__(self, call_id: _Optional[int] = ...) -> None: ...

class Settled(_message.Message):
    __slots__ = ("call_id", "completed", "failed", "cancelled", "fragment", "unknown_action", "stored")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    FRAGMENT_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_ACTION_FIELD_NUMBER: _ClassVar[int]
    STORED_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    completed: bytes
    failed: bytes
    cancelled: Stopped
    fragment: FragmentResult
    unknown_action: UnknownAction
    stored: Stored
    def __init__(self, call_id: _Optional[int] = ..., completed: _Optional[bytes] = ..., failed: _Optional[bytes] = ..., cancelled: _Optional[_Union[Stopped, _Mapping]] = ..., fragment: _Optional[_Union[FragmentResult, _Mapping]] = ..., unknown_action: _Optional[_Union[UnknownAction, _Mapping]] = ..., stored: _Optional[_Union[Stored, _Mapping]] = ...) -> None: ...

class Stored(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Stopped(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class UnknownAction(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class FragmentResult(_message.Message):
    __slots__ = ("value", "objects", "failed", "raised")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    OBJECTS_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    RAISED_FIELD_NUMBER: _ClassVar[int]
    value: bytes
    objects: bytes
    failed: bytes
    raised: int
    def __init__(self, value: _Optional[bytes] = ..., objects: _Optional[bytes] = ..., failed: _Optional[bytes] = ..., raised: _Optional[int] = ...) -> None: ...

class Progress(_message.Message):
    __slots__ = ("call_id", "detail")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    detail: bytes
    def __init__(self, call_id: _Optional[int] = ..., detail: _Optional[bytes] = ...) -> None: ...
