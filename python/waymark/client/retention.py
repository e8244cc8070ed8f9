"""How long what has finished is kept."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from waymark.client import background
from waymark.client.queues import workflow_name

if TYPE_CHECKING:
    from waymark.client.bridge import Bridge

Retention = timedelta | Literal["forever"]


async def set_retention(workflow: str | type, keep: Retention | None) -> None:
    """Finished instances of the workflow are deleted after this time, with their history; or never. None: they are kept
    as long as the `retention_days` of the engines says."""
    from waymark._proto import bridge_pb2 as wire

    request = wire.Retention(workflow_name=workflow_name(workflow))
    if isinstance(keep, timedelta) and keep >= timedelta(0):
        request.for_us = keep // timedelta(microseconds=1)
    elif keep == "forever":
        request.forever = True
    elif keep is not None:
        raise TypeError(f'what has finished is kept for a timedelta, "forever", or as the engines say (None), not {keep!r}')
    await _bridge().call("PutRetention", request, wire.PutRetentionResponse)


async def list_retention() -> dict[str, Retention]:
    """What is set, by the name of the workflow."""
    from waymark._proto import bridge_pb2 as wire

    listed = await _bridge().call("ListRetention", wire.ListRetentionRequest(), wire.ListRetentionResponse)
    return {each.workflow_name: "forever" if each.forever else timedelta(microseconds=each.for_us) for each in listed.workflows}


def set_retention_sync(workflow: str | type, keep: Retention | None) -> None:
    background.run(set_retention(workflow, keep), "set_retention")


def list_retention_sync() -> dict[str, Retention]:
    return background.run(list_retention(), "list_retention")


def _bridge() -> Bridge:
    from waymark.client import backend

    return backend.server()
