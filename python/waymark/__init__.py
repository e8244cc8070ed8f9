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
    Terminated,
    Unsupported,
    WaymarkError,
    WorkerCrashed,
)
from waymark.policies import BackoffPolicy, RetryPolicy
from waymark.signals import Update, run_workflow, wait_for_signal, wait_for_update
from waymark.values import register_codec
from waymark.workflow import Workflow, workflow

__all__ = [
    "Action",
    "BackoffPolicy",
    "BridgeError",
    "BridgeUnavailable",
    "CannotTravel",
    "CompileError",
    "ControlRefused",
    "Depends",
    "Done",
    "Filter",
    "Handle",
    "Instance",
    "InstanceExists",
    "InstanceFinished",
    "InstanceNotFound",
    "InstanceStuck",
    "LimitExceeded",
    "NonRetryable",
    "PayloadError",
    "PayloadTooLarge",
    "ResultTimeout",
    "RetryPolicy",
    "StartRefused",
    "Status",
    "Terminated",
    "Unsupported",
    "Update",
    "WaymarkError",
    "WorkerCrashed",
    "Workflow",
    "WorkflowCancelled",
    "WorkflowFailed",
    "action",
    "cancel_instances",
    "count_instances",
    "count_instances_sync",
    "current",
    "get_handle",
    "iterate_instances",
    "list_instances",
    "list_instances_sync",
    "pause_instances",
    "register_codec",
    "resume_instances",
    "retry_instances",
    "run_workflow",
    "terminate_instances",
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
