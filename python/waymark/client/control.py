"""What people do to instances: look for them, and cancel, terminate, pause, resume or retry one or many."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from waymark.client import background
from waymark.client.instance import Instance, Status

if TYPE_CHECKING:
    from waymark._proto import bridge_pb2 as wire
    from waymark.client.bridge import Bridge


@dataclass(frozen=True)
class Filter:
    """Which instances are meant. What is left out does not filter."""

    workflow: str | type | None = None
    version: str | None = None
    #: Any of these.
    status: Status | str | Sequence[Status | str] = ()
    id: str | None = None
    parent: uuid.UUID | str | None = None
    queue: str | None = None
    key: str | None = None
    #: All of these.
    tags: str | Sequence[str] = ()
    error_type: str | type | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    finished_after: datetime | None = None
    finished_before: datetime | None = None
    #: Stands somewhere in the inputs, the result or the error.
    text: str | None = None


@dataclass(frozen=True)
class Cancel:
    reason: str | None = None
    terminate_after: float | timedelta | None = None


@dataclass(frozen=True)
class Terminate:
    reason: str | None = None


@dataclass(frozen=True)
class Pause:
    pass


@dataclass(frozen=True)
class Resume:
    pass


@dataclass(frozen=True)
class Retry:
    from_step: int | None = None
    from_start: bool = False
    inputs: Mapping[str, Any] | None = None

    @property
    def rewinds(self) -> bool:
        """Whatever it is doing now."""
        return self.from_start or self.from_step is not None or self.inputs is not None


Command = Cancel | Terminate | Pause | Resume | Retry


@dataclass(frozen=True)
class Done:
    """What became of a command for many."""

    #: How many it was carried out for; in a dry run: would be.
    count: int
    #: Those it was not carried out for, and why.
    problems: Mapping[uuid.UUID, str] = field(default_factory=dict)


def wire_filter(filter: Filter) -> wire.InstanceFilter:
    from waymark._proto import bridge_pb2 as wire
    from waymark.workflow import definition_of

    def several(given: Any) -> list[Any]:
        return [given] if isinstance(given, (str, Status)) else list(given)

    def time(given: datetime | None) -> int | None:
        return None if given is None else int(given.timestamp() * 1_000_000)

    workflow, error = filter.workflow, filter.error_type
    return wire.InstanceFilter(
        workflow_name=definition_of(workflow).name if isinstance(workflow, type) else workflow or "",
        workflow_version=filter.version or "",
        statuses=[Status(status).name for status in several(filter.status)],
        id=filter.id or "",
        parent_instance_id=uuid.UUID(str(filter.parent)).bytes if filter.parent else b"",
        queue=filter.queue or "",
        key=filter.key or "",
        tags=several(filter.tags),
        error_type=_wire_name(error) if isinstance(error, type) else error or "",
        created_from_us=time(filter.created_after),
        created_before_us=time(filter.created_before),
        finished_from_us=time(filter.finished_after),
        finished_before_us=time(filter.finished_before),
        text=filter.text or "",
    )


def _wire_name(error: type) -> str:
    from waymark.values import type_name

    return type_name(error)


def wire_request(command: Command) -> wire.ControlInstancesRequest:
    from waymark import values
    from waymark._proto import bridge_pb2 as wire
    from waymark.policies import seconds

    request = wire.ControlInstancesRequest()
    if isinstance(command, Cancel):
        request.cancel.reason = command.reason or ""
        if command.terminate_after is not None:
            request.cancel.terminate_after_ms = int(seconds(command.terminate_after, "terminate_after") * 1000)
    elif isinstance(command, Terminate):
        request.terminate.SetInParent()
        request.terminate.reason = command.reason or ""
    elif isinstance(command, Pause):
        request.pause.SetInParent()
    elif isinstance(command, Resume):
        request.resume.SetInParent()
    else:
        request.retry.from_start = command.from_start
        if command.from_step is not None:
            request.retry.from_seq = command.from_step
        if command.inputs is not None:
            request.retry.inputs = values.encode(dict(command.inputs))
    if isinstance(command, Cancel):
        request.cancel.SetInParent()
    return request


async def list_instances(filter: Filter | None = None, *, limit: int | None = None, **fields: Any) -> list[Instance]:
    """The newest first; all of them, or so many. `list_instances(workflow=Welcome, status="failed", tags="eu")`."""
    if limit is not None and limit < 1:
        raise ValueError(f"limit is a number from 1, not {limit!r}")
    found: list[Instance] = []
    async for instance in iterate_instances(filter, **fields):
        if limit is not None and len(found) >= limit:
            break
        found.append(instance)
    return found


async def iterate_instances(filter: Filter | None = None, **fields: Any) -> AsyncIterator[Instance]:
    """As `list_instances`, a page at a time: however many there are."""
    cursor = b""
    while True:
        page, cursor = await _bridge().list_instances(_meant(filter, fields), cursor)
        for instance in page:
            yield instance
        if not cursor:
            return


async def count_instances(filter: Filter | None = None, **fields: Any) -> int:
    """How many there are; counting stops at 100,000."""
    meant = _meant(filter, fields)
    if meant.text:
        # No index knows what stands in contents: all have to be looked at.
        return sum([1 async for _ in iterate_instances(meant)])
    return await _bridge().count_instances(meant)


async def cancel_instances(
    filter: Filter | None = None,
    *,
    reason: str | None = None,
    terminate_after: float | timedelta | None = None,
    dry_run: bool = False,
    **fields: Any,
) -> Done:
    """Cancels all that have not finished: their `finally` clauses run. `dry_run` counts, and changes nothing."""
    return await _control(Cancel(reason, terminate_after), filter, fields, dry_run)


async def terminate_instances(filter: Filter | None = None, *, reason: str | None = None, dry_run: bool = False, **fields: Any) -> Done:
    """Ends all that have not finished, at once: nothing of them runs any more."""
    return await _control(Terminate(reason), filter, fields, dry_run)


async def pause_instances(filter: Filter | None = None, *, dry_run: bool = False, **fields: Any) -> Done:
    return await _control(Pause(), filter, fields, dry_run)


async def resume_instances(filter: Filter | None = None, *, dry_run: bool = False, **fields: Any) -> Done:
    return await _control(Resume(), filter, fields, dry_run)


async def retry_instances(filter: Filter | None = None, *, dry_run: bool = False, **fields: Any) -> Done:
    """Those that have failed go on from the step that failed; stuck ones are tried again."""
    return await _control(Retry(), filter, fields, dry_run)


async def _control(command: Command, filter: Filter | None, fields: dict[str, Any], dry_run: bool) -> Done:
    meant = _meant(filter, fields)
    if meant == Filter():
        raise TypeError("no filter is given, so every instance would be meant\nhint: say which, as in workflow=Welcome")
    return await _bridge().control(command, meant, dry_run)


def _meant(filter: Filter | None, fields: dict[str, Any]) -> Filter:
    if filter is not None and fields:
        raise TypeError("give a Filter, or its fields, not both")
    return filter if filter is not None else Filter(**fields)


def _bridge() -> Bridge:
    from waymark.client import backend

    return backend.server()


def list_instances_sync(filter: Filter | None = None, *, limit: int | None = None, **fields: Any) -> list[Instance]:
    return background.run(list_instances(filter, limit=limit, **fields), "list_instances")


def count_instances_sync(filter: Filter | None = None, **fields: Any) -> int:
    return background.run(count_instances(filter, **fields), "count_instances")
