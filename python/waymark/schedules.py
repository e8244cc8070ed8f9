"""Schedules: workflows that start by themselves, by a cron pattern or at an interval.

await schedule_workflow(Report, schedule_name="nightly", schedule="30 2 * * *", time_zone="Europe/Berlin")
await schedule_workflow(Sync, schedule_name="often", schedule=timedelta(minutes=5), inputs={"full": False})

A schedule has the name of its workflow and one of its own. Scheduling again under the same names changes it, and makes
it active if it was paused; a program may do so whenever it starts. Each run is of the version that was last registered
by then. Every function has a form for code without an event loop: `schedule_workflow_sync`, …
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any, Literal

from waymark.client import backend, background
from waymark.client.handle import Handle
from waymark.client.instance import new_instance_id
from waymark.errors import InstanceNotFound, ScheduleNotFound
from waymark.policies import Seconds, seconds
from waymark.workflow import Tags, Workflow, definition_of

#: What a due time does while a run before it is still going: nothing; it starts beside it; it waits for its end, one at
#: most; it cancels it.
Overlap = Literal["skip", "allow", "buffer_one", "cancel_running"]

OVERLAPS: tuple[Overlap, ...] = ("skip", "allow", "buffer_one", "cancel_running")


@dataclass(frozen=True)
class Schedule:
    """A schedule, as it was when somebody looked."""

    schedule_id: uuid.UUID
    workflow_name: str
    schedule_name: str
    #: A cron pattern, or the interval.
    schedule: str | timedelta
    #: In whose local time the pattern is read.
    time_zone: str
    is_paused: bool
    overlap: Overlap
    jitter: timedelta
    #: A due time that nobody was there for is made up for within this time.
    catch_up: timedelta
    start: datetime | None
    end: datetime | None
    inputs: dict[str, Any]
    queue: str
    priority: int
    tags: tuple[str, ...]
    key: str | None
    timeout: timedelta | None
    #: The next one; none: it is paused, or over. `describe_schedule` tells a few.
    next_due: tuple[datetime, ...]
    #: The due time that it last fired for, and what that started.
    last_run: datetime | None
    last_instance_id: uuid.UUID | None
    #: Instances that it has started, and due times that were left out because one was still running, or because nobody
    #: was there in time.
    runs: int
    overlapped: int
    missed: int
    #: Those that run now, where one schedule was asked for.
    live_instance_ids: tuple[uuid.UUID, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Backfill:
    """What making up for the past came to."""

    due_times: int
    #: Those of them that had no instance yet.
    started: int


async def schedule_workflow(
    workflow: type[Workflow] | Workflow,
    *,
    schedule_name: str,
    schedule: str | timedelta,
    inputs: Mapping[str, Any] | None = None,
    time_zone: str | tzinfo = "UTC",
    start: datetime | None = None,
    end: datetime | None = None,
    jitter: Seconds | None = None,
    overlap: Overlap | None = None,
    allow_duplicate: bool | None = None,
    catch_up: Seconds | None = None,
    queue: str | None = None,
    priority: int | None = None,
    tags: Tags | None = None,
    key: str | None = None,
    timeout: Seconds | None = None,
) -> Schedule:
    """Starts the workflow by itself, from now on.

    `schedule` is a cron pattern of five fields (six: seconds first) in the local time of `time_zone`, or an interval
    (from `start`, or from now). `jitter` starts each run up to so many seconds later than it is due. `overlap` says what
    to do while a run is still going: "skip" (the default), "allow" (as `allow_duplicate=True`), "buffer_one",
    "cancel_running". `catch_up`: due times that nobody was there for are made up for within so many seconds (a day). The
    rest is as for `start`; each run has `timeout` seconds.
    """
    from waymark import values
    from waymark._proto import bridge_pb2 as wire

    definition = definition_of(workflow)
    if allow_duplicate is not None and overlap is not None:
        raise TypeError("allow_duplicate and overlap say the same: give one of them")
    policy = overlap or ("allow" if allow_duplicate else "skip")
    if policy not in OVERLAPS:
        raise ValueError(f"overlap is one of {', '.join(map(repr, OVERLAPS))}, not {policy!r}")
    spec = wire.ScheduleSpec(
        time_zone=_zone(time_zone),
        start_us=_microseconds(start, "start"),
        end_us=_microseconds(end, "end"),
        jitter_us=_length(jitter, "jitter") or 0,
        overlap=policy.upper(),
        catch_up_us=_length(catch_up, "catch_up"),
        inputs=values.encode(definition.bind((), dict(inputs or {}))),
        queue=queue or "",
        priority=priority,
        tags=() if tags is None else (tags,) if isinstance(tags, str) else tuple(tags),
        key=key or "",
        timeout_us=_length(timeout, "timeout", positive=True),
    )
    if isinstance(schedule, str):
        spec.cron = schedule
    elif isinstance(schedule, timedelta):
        spec.interval_us = schedule // timedelta(microseconds=1)
    else:
        raise TypeError(f'schedule is a cron pattern, as "30 2 * * *", or a timedelta, not {schedule!r}')
    request = wire.PutScheduleRequest(schedule=wire.ScheduleKey(workflow_name=definition.name, schedule_name=schedule_name), spec=spec)
    return _schedule(await _call("PutSchedule", request, wire.Schedule, definition))


async def pause_schedule(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> Schedule:
    """Due times pass until it is resumed. What runs goes on."""
    return await _change("PauseSchedule", workflow, schedule_name)


async def resume_schedule(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> Schedule:
    """From now on. What was due meanwhile is made up for by `backfill_schedule` only."""
    return await _change("ResumeSchedule", workflow, schedule_name)


async def describe_schedule(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> Schedule:
    """With the next due times, and what runs."""
    return await _change("GetSchedule", workflow, schedule_name)


async def delete_schedule(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> None:
    """What it started goes on."""
    from waymark._proto import bridge_pb2 as wire

    await _call("DeleteSchedule", _key(workflow, schedule_name), wire.DeleteScheduleResponse)


async def list_schedules(workflow: type[Workflow] | Workflow | str | None = None) -> list[Schedule]:
    """Of one workflow, or all there are."""
    from waymark._proto import bridge_pb2 as wire

    request = wire.ListSchedulesRequest(workflow_name="" if workflow is None else _name(workflow))
    return [_schedule(found) for found in (await _call("ListSchedules", request, wire.ListSchedulesResponse)).schedules]


async def trigger_schedule(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> Handle[Any]:
    """Starts a run now, whatever the calendar says and whatever runs, also of a schedule that is paused."""
    from waymark._proto import bridge_pb2 as wire

    # Made here: a call that is repeated starts one run.
    request = wire.TriggerScheduleRequest(schedule=_key(workflow, schedule_name), instance_id=new_instance_id().bytes)
    answer = await _call("TriggerSchedule", request, wire.TriggerScheduleResponse)
    return Handle(uuid.UUID(bytes=answer.instance_id), workflow_name=_name(workflow))


async def backfill_schedule(workflow: type[Workflow] | Workflow | str, *, schedule_name: str, start: datetime, end: datetime) -> Backfill:
    """Starts a run for each due time from `start` to `end` that has none: those of the past that were missed, or that
    were before the schedule. All of them at once, whatever its overlap policy."""
    from waymark._proto import bridge_pb2 as wire

    request = wire.BackfillScheduleRequest(
        schedule=_key(workflow, schedule_name),
        from_us=_microseconds(start, "start") or 0,
        to_us=_microseconds(end, "end") or 0,
    )
    answer = await _call("BackfillSchedule", request, wire.BackfillScheduleResponse)
    return Backfill(answer.due_times, answer.started)


def schedule_workflow_sync(
    workflow: type[Workflow] | Workflow,
    *,
    schedule_name: str,
    schedule: str | timedelta,
    inputs: Mapping[str, Any] | None = None,
    time_zone: str | tzinfo = "UTC",
    start: datetime | None = None,
    end: datetime | None = None,
    jitter: Seconds | None = None,
    overlap: Overlap | None = None,
    allow_duplicate: bool | None = None,
    catch_up: Seconds | None = None,
    queue: str | None = None,
    priority: int | None = None,
    tags: Tags | None = None,
    key: str | None = None,
    timeout: Seconds | None = None,
) -> Schedule:
    scheduled = schedule_workflow(
        workflow,
        schedule_name=schedule_name,
        schedule=schedule,
        inputs=inputs,
        time_zone=time_zone,
        start=start,
        end=end,
        jitter=jitter,
        overlap=overlap,
        allow_duplicate=allow_duplicate,
        catch_up=catch_up,
        queue=queue,
        priority=priority,
        tags=tags,
        key=key,
        timeout=timeout,
    )
    return background.run(scheduled, "schedule_workflow")


def pause_schedule_sync(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> Schedule:
    return background.run(pause_schedule(workflow, schedule_name=schedule_name), "pause_schedule")


def resume_schedule_sync(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> Schedule:
    return background.run(resume_schedule(workflow, schedule_name=schedule_name), "resume_schedule")


def describe_schedule_sync(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> Schedule:
    return background.run(describe_schedule(workflow, schedule_name=schedule_name), "describe_schedule")


def delete_schedule_sync(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> None:
    background.run(delete_schedule(workflow, schedule_name=schedule_name), "delete_schedule")


def list_schedules_sync(workflow: type[Workflow] | Workflow | str | None = None) -> list[Schedule]:
    return background.run(list_schedules(workflow), "list_schedules")


def trigger_schedule_sync(workflow: type[Workflow] | Workflow | str, *, schedule_name: str) -> Handle[Any]:
    return background.run(trigger_schedule(workflow, schedule_name=schedule_name), "trigger_schedule")


def backfill_schedule_sync(workflow: type[Workflow] | Workflow | str, *, schedule_name: str, start: datetime, end: datetime) -> Backfill:
    return background.run(backfill_schedule(workflow, schedule_name=schedule_name, start=start, end=end), "backfill_schedule")


async def _call(name: str, request: Any, response: Any, definition: Any = None) -> Any:
    try:
        return await backend.current().schedule(name, request, response, definition)
    except InstanceNotFound as error:
        raise ScheduleNotFound(str(error)) from None


async def _change(name: str, workflow: type[Workflow] | Workflow | str, schedule_name: str) -> Schedule:
    from waymark._proto import bridge_pb2 as wire

    return _schedule(await _call(name, _key(workflow, schedule_name), wire.Schedule))


def _name(workflow: type[Workflow] | Workflow | str) -> str:
    return workflow if isinstance(workflow, str) else definition_of(workflow).name


def _key(workflow: type[Workflow] | Workflow | str, schedule_name: str) -> Any:
    from waymark._proto import bridge_pb2 as wire

    return wire.ScheduleKey(workflow_name=_name(workflow), schedule_name=schedule_name)


def _zone(zone: str | tzinfo) -> str:
    name = zone if isinstance(zone, str) else "UTC" if zone is timezone.utc else getattr(zone, "key", None)
    if not isinstance(name, str):
        raise TypeError(f'time_zone is a name, as "Europe/Berlin", or a zoneinfo.ZoneInfo, not {zone!r}')
    return name


def _microseconds(at: datetime | None, name: str) -> int | None:
    if at is None:
        return None
    if at.tzinfo is None:
        raise ValueError(f"{name} has no time zone\nhint: datetime(2026, 1, 1, tzinfo=timezone.utc)")
    return (at - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)


def _length(length: Seconds | None, name: str, *, positive: bool = False) -> int | None:
    return None if length is None else round(seconds(length, name, positive=positive) * 1_000_000)


def _schedule(found: Any) -> Schedule:
    from waymark import values

    def time(microseconds: int) -> datetime:
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=microseconds)

    def given(message: Any, name: str, read: Any) -> Any:
        return read(getattr(message, name)) if message.HasField(name) else None

    def length(microseconds: int) -> timedelta:
        return timedelta(microseconds=microseconds)

    from waymark._proto import bridge_pb2 as wire

    spec = found.spec
    return Schedule(
        schedule_id=uuid.UUID(bytes=found.schedule_id),
        workflow_name=found.workflow_name,
        schedule_name=found.schedule_name,
        schedule=spec.cron if spec.WhichOneof("when") == "cron" else length(spec.interval_us),
        time_zone=spec.time_zone or "UTC",
        is_paused=found.paused,
        overlap=wire.ScheduleOverlap.Name(spec.overlap).lower(),  # type: ignore[arg-type]
        jitter=length(spec.jitter_us),
        catch_up=length(spec.catch_up_us),
        start=given(spec, "start_us", time),
        end=given(spec, "end_us", time),
        inputs=values.decode(spec.inputs) if spec.inputs else {},
        queue=spec.queue,
        priority=spec.priority,
        tags=tuple(spec.tags),
        key=spec.key or None,
        timeout=given(spec, "timeout_us", length),
        next_due=tuple(time(due) for due in found.next_due_us),
        last_run=given(found, "last_run_us", time),
        last_instance_id=uuid.UUID(bytes=found.last_instance_id) if found.last_instance_id else None,
        runs=found.runs,
        overlapped=found.overlapped,
        missed=found.missed,
        live_instance_ids=tuple(uuid.UUID(bytes=id) for id in found.live_instance_ids),
    )
