"""What a client raises where there is no exception of the workflow's own."""

from __future__ import annotations

from waymark.errors import BridgeError, InstanceFinished, WaymarkError

__all__ = ["InstanceFinished", "ResultTimeout", "StartRefused", "WorkflowCancelled", "WorkflowFailed"]


class WorkflowFailed(WaymarkError):
    """It ended by something that must not be raised here, as `SystemExit` would be; that is the cause of this
    exception."""


class WorkflowCancelled(WaymarkError):
    """Somebody cancelled the instance. Not `asyncio.CancelledError`: the task that waits was not cancelled."""


class ResultTimeout(WaymarkError, TimeoutError):
    """There is no result yet. The instance goes on."""


class StartRefused(BridgeError):
    """The bridge did not take a start."""
