from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OnConflict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ON_CONFLICT_SAME_INPUTS: _ClassVar[OnConflict]
    ON_CONFLICT_REJECT: _ClassVar[OnConflict]
    ON_CONFLICT_EXISTING: _ClassVar[OnConflict]
    ON_CONFLICT_REPLACE: _ClassVar[OnConflict]

class InstanceStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INSTANCE_STATUS_UNSPECIFIED: _ClassVar[InstanceStatus]
    RUNNING: _ClassVar[InstanceStatus]
    STUCK: _ClassVar[InstanceStatus]
    COMPLETED: _ClassVar[InstanceStatus]
    FAILED: _ClassVar[InstanceStatus]
    CANCELLED: _ClassVar[InstanceStatus]
    PAUSED: _ClassVar[InstanceStatus]
    TERMINATED: _ClassVar[InstanceStatus]

class ScheduleOverlap(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SKIP: _ClassVar[ScheduleOverlap]
    ALLOW: _ClassVar[ScheduleOverlap]
    BUFFER_ONE: _ClassVar[ScheduleOverlap]
    CANCEL_RUNNING: _ClassVar[ScheduleOverlap]

class MigrationLabel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MIGRATION_LABEL_UNSPECIFIED: _ClassVar[MigrationLabel]
    SAME: _ClassVar[MigrationLabel]
    SAFE_TO_MIGRATE: _ClassVar[MigrationLabel]
    NEEDS_A_MAPPING: _ClassVar[MigrationLabel]
    STAYS_ON_ITS_VERSION: _ClassVar[MigrationLabel]
ON_CONFLICT_SAME_INPUTS: OnConflict
ON_CONFLICT_REJECT: OnConflict
ON_CONFLICT_EXISTING: OnConflict
ON_CONFLICT_REPLACE: OnConflict
INSTANCE_STATUS_UNSPECIFIED: InstanceStatus
RUNNING: InstanceStatus
STUCK: InstanceStatus
COMPLETED: InstanceStatus
FAILED: InstanceStatus
CANCELLED: InstanceStatus
PAUSED: InstanceStatus
TERMINATED: InstanceStatus
SKIP: ScheduleOverlap
ALLOW: ScheduleOverlap
BUFFER_ONE: ScheduleOverlap
CANCEL_RUNNING: ScheduleOverlap
MIGRATION_LABEL_UNSPECIFIED: MigrationLabel
SAME: MigrationLabel
SAFE_TO_MIGRATE: MigrationLabel
NEEDS_A_MAPPING: MigrationLabel
STAYS_ON_ITS_VERSION: MigrationLabel

class GetInfoRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Info(_message.Message):
    __slots__ = ("protocol_version", "waymark_version", "database_fingerprint", "database_kind", "process_id", "worker_address", "auto_booted", "payload_bytes_max")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    WAYMARK_VERSION_FIELD_NUMBER: _ClassVar[int]
    DATABASE_FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    DATABASE_KIND_FIELD_NUMBER: _ClassVar[int]
    PROCESS_ID_FIELD_NUMBER: _ClassVar[int]
    WORKER_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    AUTO_BOOTED_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_BYTES_MAX_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    waymark_version: str
    database_fingerprint: str
    database_kind: str
    process_id: int
    worker_address: str
    auto_booted: bool
    payload_bytes_max: int
    def __init__(self, protocol_version: _Optional[int] = ..., waymark_version: _Optional[str] = ..., database_fingerprint: _Optional[str] = ..., database_kind: _Optional[str] = ..., process_id: _Optional[int] = ..., worker_address: _Optional[str] = ..., auto_booted: bool = ..., payload_bytes_max: _Optional[int] = ...) -> None: ...

class RegisterWorkflowRequest(_message.Message):
    __slots__ = ("workflow_name", "workflow_version", "program_proto", "source")
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROGRAM_PROTO_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    workflow_version: str
    program_proto: bytes
    source: str
    def __init__(self, workflow_name: _Optional[str] = ..., workflow_version: _Optional[str] = ..., program_proto: _Optional[bytes] = ..., source: _Optional[str] = ...) -> None: ...

class RegisterWorkflowResponse(_message.Message):
    __slots__ = ("workflow_version_id", "workflow_version", "ir_hash", "created")
    WORKFLOW_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    IR_HASH_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    workflow_version_id: bytes
    workflow_version: str
    ir_hash: str
    created: bool
    def __init__(self, workflow_version_id: _Optional[bytes] = ..., workflow_version: _Optional[str] = ..., ir_hash: _Optional[str] = ..., created: bool = ...) -> None: ...

class StartInstancesRequest(_message.Message):
    __slots__ = ("starts", "wait_ms")
    STARTS_FIELD_NUMBER: _ClassVar[int]
    WAIT_MS_FIELD_NUMBER: _ClassVar[int]
    starts: _containers.RepeatedCompositeFieldContainer[Start]
    wait_ms: int
    def __init__(self, starts: _Optional[_Iterable[_Union[Start, _Mapping]]] = ..., wait_ms: _Optional[int] = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("workflow_name", "workflow_version", "inputs", "id", "instance_id", "queue", "priority", "start_at_us", "tags", "key", "deadline_us", "on_conflict", "unique_for_us")
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    START_AT_US_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_US_FIELD_NUMBER: _ClassVar[int]
    ON_CONFLICT_FIELD_NUMBER: _ClassVar[int]
    UNIQUE_FOR_US_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    workflow_version: str
    inputs: bytes
    id: str
    instance_id: bytes
    queue: str
    priority: int
    start_at_us: int
    tags: _containers.RepeatedScalarFieldContainer[str]
    key: str
    deadline_us: int
    on_conflict: OnConflict
    unique_for_us: int
    def __init__(self, workflow_name: _Optional[str] = ..., workflow_version: _Optional[str] = ..., inputs: _Optional[bytes] = ..., id: _Optional[str] = ..., instance_id: _Optional[bytes] = ..., queue: _Optional[str] = ..., priority: _Optional[int] = ..., start_at_us: _Optional[int] = ..., tags: _Optional[_Iterable[str]] = ..., key: _Optional[str] = ..., deadline_us: _Optional[int] = ..., on_conflict: _Optional[_Union[OnConflict, str]] = ..., unique_for_us: _Optional[int] = ...) -> None: ...

class StartInstancesResponse(_message.Message):
    __slots__ = ("results", "ended")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[StartResult]
    ended: Instance
    def __init__(self, results: _Optional[_Iterable[_Union[StartResult, _Mapping]]] = ..., ended: _Optional[_Union[Instance, _Mapping]] = ...) -> None: ...

class StartResult(_message.Message):
    __slots__ = ("started", "refused")
    STARTED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    started: Started
    refused: Refusal
    def __init__(self, started: _Optional[_Union[Started, _Mapping]] = ..., refused: _Optional[_Union[Refusal, _Mapping]] = ...) -> None: ...

class Started(_message.Message):
    __slots__ = ("instance_id", "created")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    created: bool
    def __init__(self, instance_id: _Optional[bytes] = ..., created: bool = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("reason", "message")
    class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        REASON_UNSPECIFIED: _ClassVar[Refusal.Reason]
        UNKNOWN_WORKFLOW: _ClassVar[Refusal.Reason]
        UNKNOWN_VERSION: _ClassVar[Refusal.Reason]
        BAD_INPUTS: _ClassVar[Refusal.Reason]
        ID_TAKEN: _ClassVar[Refusal.Reason]
        TOO_LARGE: _ClassVar[Refusal.Reason]
        BAD_REQUEST: _ClassVar[Refusal.Reason]
    REASON_UNSPECIFIED: Refusal.Reason
    UNKNOWN_WORKFLOW: Refusal.Reason
    UNKNOWN_VERSION: Refusal.Reason
    BAD_INPUTS: Refusal.Reason
    ID_TAKEN: Refusal.Reason
    TOO_LARGE: Refusal.Reason
    BAD_REQUEST: Refusal.Reason
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    reason: Refusal.Reason
    message: str
    def __init__(self, reason: _Optional[_Union[Refusal.Reason, str]] = ..., message: _Optional[str] = ...) -> None: ...

class WaitForInstancesRequest(_message.Message):
    __slots__ = ("instance_ids", "timeout_ms")
    INSTANCE_IDS_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    instance_ids: _containers.RepeatedScalarFieldContainer[bytes]
    timeout_ms: int
    def __init__(self, instance_ids: _Optional[_Iterable[bytes]] = ..., timeout_ms: _Optional[int] = ...) -> None: ...

class EndedInstances(_message.Message):
    __slots__ = ("instances",)
    INSTANCES_FIELD_NUMBER: _ClassVar[int]
    instances: _containers.RepeatedCompositeFieldContainer[Instance]
    def __init__(self, instances: _Optional[_Iterable[_Union[Instance, _Mapping]]] = ...) -> None: ...

class GetInstanceRequest(_message.Message):
    __slots__ = ("instance_id", "workflow_name", "id")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    workflow_name: str
    id: str
    def __init__(self, instance_id: _Optional[bytes] = ..., workflow_name: _Optional[str] = ..., id: _Optional[str] = ...) -> None: ...

class Instance(_message.Message):
    __slots__ = ("instance_id", "workflow_name", "workflow_version", "id", "status", "inputs", "result", "error", "waits_for", "stuck_reason", "created_at_us", "finished_at_us", "scheduled_at_us", "parent_instance_id", "tags", "queue", "key", "deadline_us", "schedule_id", "error_type")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    WAITS_FOR_FIELD_NUMBER: _ClassVar[int]
    STUCK_REASON_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_US_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_US_FIELD_NUMBER: _ClassVar[int]
    SCHEDULED_AT_US_FIELD_NUMBER: _ClassVar[int]
    PARENT_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_US_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_ID_FIELD_NUMBER: _ClassVar[int]
    ERROR_TYPE_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    workflow_name: str
    workflow_version: str
    id: str
    status: InstanceStatus
    inputs: bytes
    result: bytes
    error: bytes
    waits_for: str
    stuck_reason: str
    created_at_us: int
    finished_at_us: int
    scheduled_at_us: int
    parent_instance_id: bytes
    tags: _containers.RepeatedScalarFieldContainer[str]
    queue: str
    key: str
    deadline_us: int
    schedule_id: bytes
    error_type: str
    def __init__(self, instance_id: _Optional[bytes] = ..., workflow_name: _Optional[str] = ..., workflow_version: _Optional[str] = ..., id: _Optional[str] = ..., status: _Optional[_Union[InstanceStatus, str]] = ..., inputs: _Optional[bytes] = ..., result: _Optional[bytes] = ..., error: _Optional[bytes] = ..., waits_for: _Optional[str] = ..., stuck_reason: _Optional[str] = ..., created_at_us: _Optional[int] = ..., finished_at_us: _Optional[int] = ..., scheduled_at_us: _Optional[int] = ..., parent_instance_id: _Optional[bytes] = ..., tags: _Optional[_Iterable[str]] = ..., queue: _Optional[str] = ..., key: _Optional[str] = ..., deadline_us: _Optional[int] = ..., schedule_id: _Optional[bytes] = ..., error_type: _Optional[str] = ...) -> None: ...

class InstanceFilter(_message.Message):
    __slots__ = ("workflow_name", "workflow_version", "statuses", "id", "parent_instance_id", "schedule_id", "queue", "key", "tags", "error_type", "created_from_us", "created_before_us", "finished_from_us", "finished_before_us", "text")
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    STATUSES_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_ID_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    ERROR_TYPE_FIELD_NUMBER: _ClassVar[int]
    CREATED_FROM_US_FIELD_NUMBER: _ClassVar[int]
    CREATED_BEFORE_US_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FROM_US_FIELD_NUMBER: _ClassVar[int]
    FINISHED_BEFORE_US_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    workflow_version: str
    statuses: _containers.RepeatedScalarFieldContainer[InstanceStatus]
    id: str
    parent_instance_id: bytes
    schedule_id: bytes
    queue: str
    key: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    error_type: str
    created_from_us: int
    created_before_us: int
    finished_from_us: int
    finished_before_us: int
    text: str
    def __init__(self, workflow_name: _Optional[str] = ..., workflow_version: _Optional[str] = ..., statuses: _Optional[_Iterable[_Union[InstanceStatus, str]]] = ..., id: _Optional[str] = ..., parent_instance_id: _Optional[bytes] = ..., schedule_id: _Optional[bytes] = ..., queue: _Optional[str] = ..., key: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., error_type: _Optional[str] = ..., created_from_us: _Optional[int] = ..., created_before_us: _Optional[int] = ..., finished_from_us: _Optional[int] = ..., finished_before_us: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class ListInstancesRequest(_message.Message):
    __slots__ = ("filter", "cursor", "limit")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    filter: InstanceFilter
    cursor: bytes
    limit: int
    def __init__(self, filter: _Optional[_Union[InstanceFilter, _Mapping]] = ..., cursor: _Optional[bytes] = ..., limit: _Optional[int] = ...) -> None: ...

class ListInstancesResponse(_message.Message):
    __slots__ = ("instances", "next_cursor")
    INSTANCES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    instances: _containers.RepeatedCompositeFieldContainer[Instance]
    next_cursor: bytes
    def __init__(self, instances: _Optional[_Iterable[_Union[Instance, _Mapping]]] = ..., next_cursor: _Optional[bytes] = ...) -> None: ...

class CountInstancesRequest(_message.Message):
    __slots__ = ("filter", "limit")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    filter: InstanceFilter
    limit: int
    def __init__(self, filter: _Optional[_Union[InstanceFilter, _Mapping]] = ..., limit: _Optional[int] = ...) -> None: ...

class CountInstancesResponse(_message.Message):
    __slots__ = ("count", "is_more")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    IS_MORE_FIELD_NUMBER: _ClassVar[int]
    count: int
    is_more: bool
    def __init__(self, count: _Optional[int] = ..., is_more: bool = ...) -> None: ...

class ListEventsRequest(_message.Message):
    __slots__ = ("instance_id", "after_seq", "limit")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQ_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    after_seq: int
    limit: int
    def __init__(self, instance_id: _Optional[bytes] = ..., after_seq: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ("events", "is_more")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    IS_MORE_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[LoggedEvent]
    is_more: bool
    def __init__(self, events: _Optional[_Iterable[_Union[LoggedEvent, _Mapping]]] = ..., is_more: bool = ...) -> None: ...

class LoggedEvent(_message.Message):
    __slots__ = ("seq", "kind", "execution_id", "attempt", "happened_at_us", "started_at_us", "worker", "name", "outcome", "value")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    HAPPENED_AT_US_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_US_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    seq: int
    kind: str
    execution_id: str
    attempt: int
    happened_at_us: int
    started_at_us: int
    worker: str
    name: str
    outcome: str
    value: bytes
    def __init__(self, seq: _Optional[int] = ..., kind: _Optional[str] = ..., execution_id: _Optional[str] = ..., attempt: _Optional[int] = ..., happened_at_us: _Optional[int] = ..., started_at_us: _Optional[int] = ..., worker: _Optional[str] = ..., name: _Optional[str] = ..., outcome: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class ControlInstancesRequest(_message.Message):
    __slots__ = ("instance_ids", "filter", "cancel", "terminate", "pause", "resume", "retry", "dry_run", "cursor")
    INSTANCE_IDS_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    TERMINATE_FIELD_NUMBER: _ClassVar[int]
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    RETRY_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    instance_ids: _containers.RepeatedScalarFieldContainer[bytes]
    filter: InstanceFilter
    cancel: Cancel
    terminate: Terminate
    pause: Pause
    resume: Resume
    retry: Retry
    dry_run: bool
    cursor: bytes
    def __init__(self, instance_ids: _Optional[_Iterable[bytes]] = ..., filter: _Optional[_Union[InstanceFilter, _Mapping]] = ..., cancel: _Optional[_Union[Cancel, _Mapping]] = ..., terminate: _Optional[_Union[Terminate, _Mapping]] = ..., pause: _Optional[_Union[Pause, _Mapping]] = ..., resume: _Optional[_Union[Resume, _Mapping]] = ..., retry: _Optional[_Union[Retry, _Mapping]] = ..., dry_run: bool = ..., cursor: _Optional[bytes] = ...) -> None: ...

class Cancel(_message.Message):
    __slots__ = ("reason", "terminate_after_ms")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TERMINATE_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    reason: str
    terminate_after_ms: int
    def __init__(self, reason: _Optional[str] = ..., terminate_after_ms: _Optional[int] = ...) -> None: ...

class Terminate(_message.Message):
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

class Retry(_message.Message):
    __slots__ = ("from_seq", "from_start", "inputs")
    FROM_SEQ_FIELD_NUMBER: _ClassVar[int]
    FROM_START_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    from_seq: int
    from_start: bool
    inputs: bytes
    def __init__(self, from_seq: _Optional[int] = ..., from_start: bool = ..., inputs: _Optional[bytes] = ...) -> None: ...

class ControlInstancesResponse(_message.Message):
    __slots__ = ("done", "problems", "next_cursor")
    DONE_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    done: int
    problems: _containers.RepeatedCompositeFieldContainer[ControlProblem]
    next_cursor: bytes
    def __init__(self, done: _Optional[int] = ..., problems: _Optional[_Iterable[_Union[ControlProblem, _Mapping]]] = ..., next_cursor: _Optional[bytes] = ...) -> None: ...

class ControlProblem(_message.Message):
    __slots__ = ("instance_id", "reason", "message")
    class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        REASON_UNSPECIFIED: _ClassVar[ControlProblem.Reason]
        UNKNOWN_INSTANCE: _ClassVar[ControlProblem.Reason]
        WRONG_STATUS: _ClassVar[ControlProblem.Reason]
        CANNOT_REWIND: _ClassVar[ControlProblem.Reason]
        MOVED: _ClassVar[ControlProblem.Reason]
        ID_TAKEN: _ClassVar[ControlProblem.Reason]
        REFUSED: _ClassVar[ControlProblem.Reason]
    REASON_UNSPECIFIED: ControlProblem.Reason
    UNKNOWN_INSTANCE: ControlProblem.Reason
    WRONG_STATUS: ControlProblem.Reason
    CANNOT_REWIND: ControlProblem.Reason
    MOVED: ControlProblem.Reason
    ID_TAKEN: ControlProblem.Reason
    REFUSED: ControlProblem.Reason
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    reason: ControlProblem.Reason
    message: str
    def __init__(self, instance_id: _Optional[bytes] = ..., reason: _Optional[_Union[ControlProblem.Reason, str]] = ..., message: _Optional[str] = ...) -> None: ...

class SignalInstanceRequest(_message.Message):
    __slots__ = ("instance_id", "message_id", "name", "payload", "id")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    message_id: bytes
    name: str
    payload: bytes
    id: str
    def __init__(self, instance_id: _Optional[bytes] = ..., message_id: _Optional[bytes] = ..., name: _Optional[str] = ..., payload: _Optional[bytes] = ..., id: _Optional[str] = ...) -> None: ...

class MailResponse(_message.Message):
    __slots__ = ("delivered",)
    DELIVERED_FIELD_NUMBER: _ClassVar[int]
    delivered: bool
    def __init__(self, delivered: bool = ...) -> None: ...

class KeepWorkersRequest(_message.Message):
    __slots__ = ("group", "command", "directory", "environment", "modules", "changed_at_us")
    class EnvironmentEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    GROUP_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    MODULES_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_US_FIELD_NUMBER: _ClassVar[int]
    group: str
    command: _containers.RepeatedScalarFieldContainer[str]
    directory: str
    environment: _containers.ScalarMap[str, str]
    modules: _containers.RepeatedScalarFieldContainer[str]
    changed_at_us: int
    def __init__(self, group: _Optional[str] = ..., command: _Optional[_Iterable[str]] = ..., directory: _Optional[str] = ..., environment: _Optional[_Mapping[str, str]] = ..., modules: _Optional[_Iterable[str]] = ..., changed_at_us: _Optional[int] = ...) -> None: ...

class KeepWorkersResponse(_message.Message):
    __slots__ = ("started",)
    STARTED_FIELD_NUMBER: _ClassVar[int]
    started: bool
    def __init__(self, started: bool = ...) -> None: ...

class ShutdownRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ShutdownResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ScheduleKey(_message.Message):
    __slots__ = ("workflow_name", "schedule_name")
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_NAME_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    schedule_name: str
    def __init__(self, workflow_name: _Optional[str] = ..., schedule_name: _Optional[str] = ...) -> None: ...

class ScheduleSpec(_message.Message):
    __slots__ = ("cron", "interval_us", "time_zone", "start_us", "end_us", "jitter_us", "overlap", "catch_up_us", "inputs", "queue", "priority", "tags", "key", "timeout_us")
    CRON_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_US_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    START_US_FIELD_NUMBER: _ClassVar[int]
    END_US_FIELD_NUMBER: _ClassVar[int]
    JITTER_US_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_FIELD_NUMBER: _ClassVar[int]
    CATCH_UP_US_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_US_FIELD_NUMBER: _ClassVar[int]
    cron: str
    interval_us: int
    time_zone: str
    start_us: int
    end_us: int
    jitter_us: int
    overlap: ScheduleOverlap
    catch_up_us: int
    inputs: bytes
    queue: str
    priority: int
    tags: _containers.RepeatedScalarFieldContainer[str]
    key: str
    timeout_us: int
    def __init__(self, cron: _Optional[str] = ..., interval_us: _Optional[int] = ..., time_zone: _Optional[str] = ..., start_us: _Optional[int] = ..., end_us: _Optional[int] = ..., jitter_us: _Optional[int] = ..., overlap: _Optional[_Union[ScheduleOverlap, str]] = ..., catch_up_us: _Optional[int] = ..., inputs: _Optional[bytes] = ..., queue: _Optional[str] = ..., priority: _Optional[int] = ..., tags: _Optional[_Iterable[str]] = ..., key: _Optional[str] = ..., timeout_us: _Optional[int] = ...) -> None: ...

class PutScheduleRequest(_message.Message):
    __slots__ = ("schedule", "spec")
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    schedule: ScheduleKey
    spec: ScheduleSpec
    def __init__(self, schedule: _Optional[_Union[ScheduleKey, _Mapping]] = ..., spec: _Optional[_Union[ScheduleSpec, _Mapping]] = ...) -> None: ...

class Schedule(_message.Message):
    __slots__ = ("schedule_id", "workflow_name", "schedule_name", "spec", "paused", "next_due_us", "last_run_us", "last_instance_id", "runs", "overlapped", "missed", "buffered_us", "live_instance_ids", "created_at_us", "updated_at_us")
    SCHEDULE_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_NAME_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    NEXT_DUE_US_FIELD_NUMBER: _ClassVar[int]
    LAST_RUN_US_FIELD_NUMBER: _ClassVar[int]
    LAST_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    OVERLAPPED_FIELD_NUMBER: _ClassVar[int]
    MISSED_FIELD_NUMBER: _ClassVar[int]
    BUFFERED_US_FIELD_NUMBER: _ClassVar[int]
    LIVE_INSTANCE_IDS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_US_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_US_FIELD_NUMBER: _ClassVar[int]
    schedule_id: bytes
    workflow_name: str
    schedule_name: str
    spec: ScheduleSpec
    paused: bool
    next_due_us: _containers.RepeatedScalarFieldContainer[int]
    last_run_us: int
    last_instance_id: bytes
    runs: int
    overlapped: int
    missed: int
    buffered_us: int
    live_instance_ids: _containers.RepeatedScalarFieldContainer[bytes]
    created_at_us: int
    updated_at_us: int
    def __init__(self, schedule_id: _Optional[bytes] = ..., workflow_name: _Optional[str] = ..., schedule_name: _Optional[str] = ..., spec: _Optional[_Union[ScheduleSpec, _Mapping]] = ..., paused: bool = ..., next_due_us: _Optional[_Iterable[int]] = ..., last_run_us: _Optional[int] = ..., last_instance_id: _Optional[bytes] = ..., runs: _Optional[int] = ..., overlapped: _Optional[int] = ..., missed: _Optional[int] = ..., buffered_us: _Optional[int] = ..., live_instance_ids: _Optional[_Iterable[bytes]] = ..., created_at_us: _Optional[int] = ..., updated_at_us: _Optional[int] = ...) -> None: ...

class ListSchedulesRequest(_message.Message):
    __slots__ = ("workflow_name",)
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    def __init__(self, workflow_name: _Optional[str] = ...) -> None: ...

class ListSchedulesResponse(_message.Message):
    __slots__ = ("schedules",)
    SCHEDULES_FIELD_NUMBER: _ClassVar[int]
    schedules: _containers.RepeatedCompositeFieldContainer[Schedule]
    def __init__(self, schedules: _Optional[_Iterable[_Union[Schedule, _Mapping]]] = ...) -> None: ...

class DeleteScheduleResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TriggerScheduleRequest(_message.Message):
    __slots__ = ("schedule", "instance_id")
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    schedule: ScheduleKey
    instance_id: bytes
    def __init__(self, schedule: _Optional[_Union[ScheduleKey, _Mapping]] = ..., instance_id: _Optional[bytes] = ...) -> None: ...

class TriggerScheduleResponse(_message.Message):
    __slots__ = ("instance_id",)
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    def __init__(self, instance_id: _Optional[bytes] = ...) -> None: ...

class BackfillScheduleRequest(_message.Message):
    __slots__ = ("schedule", "from_us", "to_us")
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    FROM_US_FIELD_NUMBER: _ClassVar[int]
    TO_US_FIELD_NUMBER: _ClassVar[int]
    schedule: ScheduleKey
    from_us: int
    to_us: int
    def __init__(self, schedule: _Optional[_Union[ScheduleKey, _Mapping]] = ..., from_us: _Optional[int] = ..., to_us: _Optional[int] = ...) -> None: ...

class BackfillScheduleResponse(_message.Message):
    __slots__ = ("due_times", "started")
    DUE_TIMES_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    due_times: int
    started: int
    def __init__(self, due_times: _Optional[int] = ..., started: _Optional[int] = ...) -> None: ...

class QueueSettings(_message.Message):
    __slots__ = ("name", "concurrency", "key_concurrency", "rate", "key_rate", "fair")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONCURRENCY_FIELD_NUMBER: _ClassVar[int]
    KEY_CONCURRENCY_FIELD_NUMBER: _ClassVar[int]
    RATE_FIELD_NUMBER: _ClassVar[int]
    KEY_RATE_FIELD_NUMBER: _ClassVar[int]
    FAIR_FIELD_NUMBER: _ClassVar[int]
    name: str
    concurrency: int
    key_concurrency: int
    rate: Rate
    key_rate: Rate
    fair: bool
    def __init__(self, name: _Optional[str] = ..., concurrency: _Optional[int] = ..., key_concurrency: _Optional[int] = ..., rate: _Optional[_Union[Rate, _Mapping]] = ..., key_rate: _Optional[_Union[Rate, _Mapping]] = ..., fair: bool = ...) -> None: ...

class Rate(_message.Message):
    __slots__ = ("count", "period_us")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    PERIOD_US_FIELD_NUMBER: _ClassVar[int]
    count: int
    period_us: int
    def __init__(self, count: _Optional[int] = ..., period_us: _Optional[int] = ...) -> None: ...

class PutQueueRequest(_message.Message):
    __slots__ = ("settings",)
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: QueueSettings
    def __init__(self, settings: _Optional[_Union[QueueSettings, _Mapping]] = ...) -> None: ...

class PutQueueResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListQueuesRequest(_message.Message):
    __slots__ = ("keys",)
    KEYS_FIELD_NUMBER: _ClassVar[int]
    keys: int
    def __init__(self, keys: _Optional[int] = ...) -> None: ...

class ListQueuesResponse(_message.Message):
    __slots__ = ("queues", "paused_workflows")
    QUEUES_FIELD_NUMBER: _ClassVar[int]
    PAUSED_WORKFLOWS_FIELD_NUMBER: _ClassVar[int]
    queues: _containers.RepeatedCompositeFieldContainer[Queue]
    paused_workflows: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, queues: _Optional[_Iterable[_Union[Queue, _Mapping]]] = ..., paused_workflows: _Optional[_Iterable[str]] = ...) -> None: ...

class Queue(_message.Message):
    __slots__ = ("settings", "paused", "depth", "keys")
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    settings: QueueSettings
    paused: bool
    depth: QueueDepth
    keys: _containers.RepeatedCompositeFieldContainer[QueueKey]
    def __init__(self, settings: _Optional[_Union[QueueSettings, _Mapping]] = ..., paused: bool = ..., depth: _Optional[_Union[QueueDepth, _Mapping]] = ..., keys: _Optional[_Iterable[_Union[QueueKey, _Mapping]]] = ...) -> None: ...

class QueueDepth(_message.Message):
    __slots__ = ("due", "running", "sleeping")
    DUE_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    SLEEPING_FIELD_NUMBER: _ClassVar[int]
    due: int
    running: int
    sleeping: int
    def __init__(self, due: _Optional[int] = ..., running: _Optional[int] = ..., sleeping: _Optional[int] = ...) -> None: ...

class QueueKey(_message.Message):
    __slots__ = ("key", "depth")
    KEY_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    key: str
    depth: QueueDepth
    def __init__(self, key: _Optional[str] = ..., depth: _Optional[_Union[QueueDepth, _Mapping]] = ...) -> None: ...

class PauseQueueRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ResumeQueueRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class PauseWorkflowRequest(_message.Message):
    __slots__ = ("workflow_name",)
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    def __init__(self, workflow_name: _Optional[str] = ...) -> None: ...

class ResumeWorkflowRequest(_message.Message):
    __slots__ = ("workflow_name",)
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    def __init__(self, workflow_name: _Optional[str] = ...) -> None: ...

class PauseResponse(_message.Message):
    __slots__ = ("changed",)
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    changed: bool
    def __init__(self, changed: bool = ...) -> None: ...

class ListVersionsRequest(_message.Message):
    __slots__ = ("workflow_name",)
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    def __init__(self, workflow_name: _Optional[str] = ...) -> None: ...

class ListVersionsResponse(_message.Message):
    __slots__ = ("versions",)
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[Version]
    def __init__(self, versions: _Optional[_Iterable[_Union[Version, _Mapping]]] = ...) -> None: ...

class Version(_message.Message):
    __slots__ = ("workflow_version_id", "workflow_name", "workflow_version", "ir_hash", "created_at_us", "activated_at_us", "is_active", "live_instances")
    WORKFLOW_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    IR_HASH_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_US_FIELD_NUMBER: _ClassVar[int]
    ACTIVATED_AT_US_FIELD_NUMBER: _ClassVar[int]
    IS_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    LIVE_INSTANCES_FIELD_NUMBER: _ClassVar[int]
    workflow_version_id: bytes
    workflow_name: str
    workflow_version: str
    ir_hash: str
    created_at_us: int
    activated_at_us: int
    is_active: bool
    live_instances: int
    def __init__(self, workflow_version_id: _Optional[bytes] = ..., workflow_name: _Optional[str] = ..., workflow_version: _Optional[str] = ..., ir_hash: _Optional[str] = ..., created_at_us: _Optional[int] = ..., activated_at_us: _Optional[int] = ..., is_active: bool = ..., live_instances: _Optional[int] = ...) -> None: ...

class ActivateVersionRequest(_message.Message):
    __slots__ = ("workflow_name", "workflow_version")
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    workflow_version: str
    def __init__(self, workflow_name: _Optional[str] = ..., workflow_version: _Optional[str] = ...) -> None: ...

class ActivateVersionResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class MigrationProblem(_message.Message):
    __slots__ = ("function", "file", "line", "reason", "hint", "variable")
    FUNCTION_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    VARIABLE_FIELD_NUMBER: _ClassVar[int]
    function: str
    file: str
    line: int
    reason: str
    hint: str
    variable: str
    def __init__(self, function: _Optional[str] = ..., file: _Optional[str] = ..., line: _Optional[int] = ..., reason: _Optional[str] = ..., hint: _Optional[str] = ..., variable: _Optional[str] = ...) -> None: ...

class MigrationAnswer(_message.Message):
    __slots__ = ("instance_id", "id", "workflow_version", "label", "problems", "done")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    id: str
    workflow_version: str
    label: MigrationLabel
    problems: _containers.RepeatedCompositeFieldContainer[MigrationProblem]
    done: bool
    def __init__(self, instance_id: _Optional[bytes] = ..., id: _Optional[str] = ..., workflow_version: _Optional[str] = ..., label: _Optional[_Union[MigrationLabel, str]] = ..., problems: _Optional[_Iterable[_Union[MigrationProblem, _Mapping]]] = ..., done: bool = ...) -> None: ...

class CheckInstancesRequest(_message.Message):
    __slots__ = ("workflow_name", "program_proto", "cursor")
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    PROGRAM_PROTO_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    program_proto: bytes
    cursor: bytes
    def __init__(self, workflow_name: _Optional[str] = ..., program_proto: _Optional[bytes] = ..., cursor: _Optional[bytes] = ...) -> None: ...

class CheckInstancesResponse(_message.Message):
    __slots__ = ("answers", "next_cursor", "workflow_version")
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[MigrationAnswer]
    next_cursor: bytes
    workflow_version: str
    def __init__(self, answers: _Optional[_Iterable[_Union[MigrationAnswer, _Mapping]]] = ..., next_cursor: _Optional[bytes] = ..., workflow_version: _Optional[str] = ...) -> None: ...

class GetFramesRequest(_message.Message):
    __slots__ = ("instance_id",)
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    def __init__(self, instance_id: _Optional[bytes] = ...) -> None: ...

class GetFramesResponse(_message.Message):
    __slots__ = ("seq", "workflow_version", "frames")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    seq: int
    workflow_version: str
    frames: _containers.RepeatedCompositeFieldContainer[LiveFrame]
    def __init__(self, seq: _Optional[int] = ..., workflow_version: _Optional[str] = ..., frames: _Optional[_Iterable[_Union[LiveFrame, _Mapping]]] = ...) -> None: ...

class LiveFrame(_message.Message):
    __slots__ = ("function", "line", "variables")
    FUNCTION_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    VARIABLES_FIELD_NUMBER: _ClassVar[int]
    function: str
    line: int
    variables: bytes
    def __init__(self, function: _Optional[str] = ..., line: _Optional[int] = ..., variables: _Optional[bytes] = ...) -> None: ...

class MigrateInstancesRequest(_message.Message):
    __slots__ = ("instance_ids", "filter", "workflow_version", "variables", "frames", "expected_seq", "dry_run", "cursor")
    INSTANCE_IDS_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    VARIABLES_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SEQ_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    instance_ids: _containers.RepeatedScalarFieldContainer[bytes]
    filter: InstanceFilter
    workflow_version: str
    variables: bytes
    frames: _containers.RepeatedCompositeFieldContainer[FrameVariables]
    expected_seq: int
    dry_run: bool
    cursor: bytes
    def __init__(self, instance_ids: _Optional[_Iterable[bytes]] = ..., filter: _Optional[_Union[InstanceFilter, _Mapping]] = ..., workflow_version: _Optional[str] = ..., variables: _Optional[bytes] = ..., frames: _Optional[_Iterable[_Union[FrameVariables, _Mapping]]] = ..., expected_seq: _Optional[int] = ..., dry_run: bool = ..., cursor: _Optional[bytes] = ...) -> None: ...

class FrameVariables(_message.Message):
    __slots__ = ("frame", "variables")
    FRAME_FIELD_NUMBER: _ClassVar[int]
    VARIABLES_FIELD_NUMBER: _ClassVar[int]
    frame: int
    variables: bytes
    def __init__(self, frame: _Optional[int] = ..., variables: _Optional[bytes] = ...) -> None: ...

class MigrateInstancesResponse(_message.Message):
    __slots__ = ("answers", "next_cursor", "workflow_version")
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_VERSION_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[MigrationAnswer]
    next_cursor: bytes
    workflow_version: str
    def __init__(self, answers: _Optional[_Iterable[_Union[MigrationAnswer, _Mapping]]] = ..., next_cursor: _Optional[bytes] = ..., workflow_version: _Optional[str] = ...) -> None: ...

class QueryInstanceRequest(_message.Message):
    __slots__ = ("instance_id", "name", "frames")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    name: str
    frames: bool
    def __init__(self, instance_id: _Optional[bytes] = ..., name: _Optional[str] = ..., frames: bool = ...) -> None: ...

class QueryInstanceResponse(_message.Message):
    __slots__ = ("status", "published", "frames")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    status: InstanceStatus
    published: _containers.RepeatedCompositeFieldContainer[NamedValue]
    frames: _containers.RepeatedCompositeFieldContainer[Frame]
    def __init__(self, status: _Optional[_Union[InstanceStatus, str]] = ..., published: _Optional[_Iterable[_Union[NamedValue, _Mapping]]] = ..., frames: _Optional[_Iterable[_Union[Frame, _Mapping]]] = ...) -> None: ...

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

class NamedValue(_message.Message):
    __slots__ = ("name", "value", "shown")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: bytes
    shown: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[bytes] = ..., shown: _Optional[str] = ...) -> None: ...

class UpdateInstanceRequest(_message.Message):
    __slots__ = ("instance_id", "id", "name", "payload", "timeout_ms")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    id: str
    name: str
    payload: bytes
    timeout_ms: int
    def __init__(self, instance_id: _Optional[bytes] = ..., id: _Optional[str] = ..., name: _Optional[str] = ..., payload: _Optional[bytes] = ..., timeout_ms: _Optional[int] = ...) -> None: ...

class UpdateInstanceResponse(_message.Message):
    __slots__ = ("reply", "error", "finished")
    REPLY_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    reply: bytes
    error: bytes
    finished: str
    def __init__(self, reply: _Optional[bytes] = ..., error: _Optional[bytes] = ..., finished: _Optional[str] = ...) -> None: ...

class ExportInstanceRequest(_message.Message):
    __slots__ = ("instance_id",)
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    def __init__(self, instance_id: _Optional[bytes] = ...) -> None: ...

class ExportedInstance(_message.Message):
    __slots__ = ("instance", "program_proto", "source", "ir_hash", "log", "state_seq", "state")
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    PROGRAM_PROTO_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    IR_HASH_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    STATE_SEQ_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    instance: Instance
    program_proto: bytes
    source: str
    ir_hash: str
    log: _containers.RepeatedCompositeFieldContainer[ExportedEvent]
    state_seq: int
    state: bytes
    def __init__(self, instance: _Optional[_Union[Instance, _Mapping]] = ..., program_proto: _Optional[bytes] = ..., source: _Optional[str] = ..., ir_hash: _Optional[str] = ..., log: _Optional[_Iterable[_Union[ExportedEvent, _Mapping]]] = ..., state_seq: _Optional[int] = ..., state: _Optional[bytes] = ...) -> None: ...

class ExportedEvent(_message.Message):
    __slots__ = ("shown", "event", "digest")
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    shown: LoggedEvent
    event: bytes
    digest: int
    def __init__(self, shown: _Optional[_Union[LoggedEvent, _Mapping]] = ..., event: _Optional[bytes] = ..., digest: _Optional[int] = ...) -> None: ...

class ImportInstanceResponse(_message.Message):
    __slots__ = ("instance_id",)
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    instance_id: bytes
    def __init__(self, instance_id: _Optional[bytes] = ...) -> None: ...

class Retention(_message.Message):
    __slots__ = ("workflow_name", "for_us", "forever")
    WORKFLOW_NAME_FIELD_NUMBER: _ClassVar[int]
    FOR_US_FIELD_NUMBER: _ClassVar[int]
    FOREVER_FIELD_NUMBER: _ClassVar[int]
    workflow_name: str
    for_us: int
    forever: bool
    def __init__(self, workflow_name: _Optional[str] = ..., for_us: _Optional[int] = ..., forever: bool = ...) -> None: ...

class PutRetentionResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListRetentionRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListRetentionResponse(_message.Message):
    __slots__ = ("workflows",)
    WORKFLOWS_FIELD_NUMBER: _ClassVar[int]
    workflows: _containers.RepeatedCompositeFieldContainer[Retention]
    def __init__(self, workflows: _Optional[_Iterable[_Union[Retention, _Mapping]]] = ...) -> None: ...
