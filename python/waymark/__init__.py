"""Durable workflows in ordinary code.

@action
async def send_email(to: str) -> Receipt: ...

@workflow
class Welcome(Workflow):
    async def run(self, addresses: list[str]) -> list[Receipt]:
        return await asyncio.gather(*[send_email(to) for to in addresses])

receipts = await Welcome().run(["ann@example.org"])
"""

from __future__ import annotations

from waymark.actions import Action, action
from waymark.client import Handle, Instance, Status, get_handle
from waymark.client.control import (
    Done,
    Filter,
    cancel_instances,
    count_instances,
    count_instances_sync,
    iterate_instances,
    list_instances,
    list_instances_sync,
    pause_instances,
    resume_instances,
    retry_instances,
    terminate_instances,
)
from waymark.client.errors import InstanceFinished, ResultTimeout, StartRefused, WorkflowCancelled, WorkflowFailed
from waymark.client.queues import (
    Queue,
    Rate,
    list_paused_workflows,
    list_queues,
    list_queues_sync,
    pause_queue,
    pause_queue_sync,
    pause_workflow,
    pause_workflow_sync,
    resume_queue,
    resume_queue_sync,
    resume_workflow,
    resume_workflow_sync,
    set_queue,
    set_queue_sync,
)
from waymark.client.retention import list_retention, list_retention_sync, set_retention, set_retention_sync
from waymark.client.versions import (
    Frame,
    Label,
    Migration,
    MigrationRefused,
    Version,
    activate_version,
    activate_version_sync,
    check_instances,
    migrate_instances,
    versions,
    versions_sync,
)
from waymark.context import current
from waymark.depends import Depends
from waymark.errors import (
    BridgeError,
    BridgeUnavailable,
    CannotTravel,
    CompileError,
    ControlRefused,
    InstanceExists,
    InstanceNotFound,
    InstanceStuck,
    LimitExceeded,
    NonRetryable,
    PayloadError,
    PayloadTooLarge,
    ScheduleNotFound,
    Terminated,
    Unsupported,
    VersionNotFound,
    WaymarkError,
    WorkerCrashed,
)
from waymark.policies import BackoffPolicy, RetryPolicy
from waymark.schedules import (
    Backfill,
    Schedule,
    backfill_schedule,
    backfill_schedule_sync,
    delete_schedule,
    delete_schedule_sync,
    describe_schedule,
    describe_schedule_sync,
    list_schedules,
    list_schedules_sync,
    pause_schedule,
    pause_schedule_sync,
    resume_schedule,
    resume_schedule_sync,
    schedule_workflow,
    schedule_workflow_sync,
    trigger_schedule,
    trigger_schedule_sync,
)
from waymark.signals import Update, run_workflow, wait_for_signal, wait_for_update
from waymark.transactions import signal_in, signal_in_sync, start_in, start_in_sync, transaction
from waymark.values import register_codec
from waymark.workflow import Workflow, workflow

__all__ = [
    "Action",
    "Backfill",
    "BackoffPolicy",
    "BridgeError",
    "BridgeUnavailable",
    "CannotTravel",
    "CompileError",
    "ControlRefused",
    "Depends",
    "Done",
    "Filter",
    "Frame",
    "Handle",
    "Instance",
    "InstanceExists",
    "InstanceFinished",
    "InstanceNotFound",
    "InstanceStuck",
    "Label",
    "LimitExceeded",
    "Migration",
    "MigrationRefused",
    "NonRetryable",
    "PayloadError",
    "PayloadTooLarge",
    "Queue",
    "Rate",
    "ResultTimeout",
    "RetryPolicy",
    "Schedule",
    "ScheduleNotFound",
    "StartRefused",
    "Status",
    "Terminated",
    "Unsupported",
    "VersionNotFound",
    "Update",
    "Version",
    "WaymarkError",
    "WorkerCrashed",
    "Workflow",
    "WorkflowCancelled",
    "WorkflowFailed",
    "action",
    "activate_version",
    "activate_version_sync",
    "backfill_schedule",
    "backfill_schedule_sync",
    "cancel_instances",
    "check_instances",
    "count_instances",
    "count_instances_sync",
    "current",
    "delete_schedule",
    "delete_schedule_sync",
    "describe_schedule",
    "describe_schedule_sync",
    "get_handle",
    "iterate_instances",
    "list_instances",
    "list_instances_sync",
    "list_paused_workflows",
    "list_queues",
    "list_queues_sync",
    "list_retention",
    "list_retention_sync",
    "list_schedules",
    "list_schedules_sync",
    "migrate_instances",
    "pause_instances",
    "pause_queue",
    "pause_queue_sync",
    "pause_schedule",
    "pause_schedule_sync",
    "pause_workflow",
    "pause_workflow_sync",
    "register_codec",
    "resume_instances",
    "resume_queue",
    "resume_queue_sync",
    "resume_schedule",
    "resume_schedule_sync",
    "resume_workflow",
    "resume_workflow_sync",
    "retry_instances",
    "run_workflow",
    "schedule_workflow",
    "schedule_workflow_sync",
    "set_queue",
    "set_queue_sync",
    "set_retention",
    "set_retention_sync",
    "signal_in",
    "signal_in_sync",
    "start_in",
    "start_in_sync",
    "terminate_instances",
    "transaction",
    "trigger_schedule",
    "trigger_schedule_sync",
    "versions",
    "versions_sync",
    "wait_for_signal",
    "wait_for_update",
    "workflow",
]


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'waymark' has no attribute {name!r}")
    # Looked up for those who ask: it takes longer than all the rest.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("waymark")
    except PackageNotFoundError:  # Not installed: a checkout on the path.
        return "0"
