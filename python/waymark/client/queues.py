"""Queues: limits, rates and pauses.

await set_queue("emails", key_concurrency=5, key_rate=(100, 60))    # 5 of a tenant at once, 100 of it begun a minute
await Welcome().start(user, queue="emails", key=user.tenant)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from waymark.client import background

if TYPE_CHECKING:
    from waymark._proto import bridge_pb2 as wire
    from waymark.client.bridge import Bridge


@dataclass(frozen=True)
class Rate:
    """So many are begun in so many seconds. After a quiet time so many may begin at once."""

    count: int
    seconds: float


@dataclass(frozen=True)
class Depth:
    """How many live instances there are."""

    #: They could run, but nobody has them.
    due: int = 0
    running: int = 0
    #: They wait for a time, a signal, a child, or for somebody to help.
    sleeping: int = 0


@dataclass(frozen=True)
class Queue:
    """A queue, as it was when somebody looked."""

    name: str
    paused: bool = False
    concurrency: int | None = None
    key_concurrency: int | None = None
    rate: Rate | None = None
    key_rate: Rate | None = None
    fair: bool = False
    depth: Depth = Depth()
    #: Those with most to do.
    keys: Mapping[str, Depth] = field(default_factory=dict)


#: A count and its period, as `Rate(100, 60)` or `(100, 60)`; the period in seconds.
AnyRate = Rate | tuple[int, float | timedelta]


async def set_queue(
    name: str,
    *,
    concurrency: int | None = None,
    key_concurrency: int | None = None,
    rate: AnyRate | None = None,
    key_rate: AnyRate | None = None,
    fair: bool = False,
) -> None:
    """Sets the limits of a queue; those that are left out are taken away. They hold on all hosts together.

    `concurrency` and `key_concurrency` limit how many instances run at the same time: those that only sleep or wait
    don't count. `rate` and `key_rate` limit how many are begun. `fair`: keys take turns though nothing limits them.
    """
    from waymark._proto import bridge_pb2 as wire

    for count in (concurrency, key_concurrency):
        if count is not None and not (isinstance(count, int) and 1 <= count <= 1_000_000_000):
            raise ValueError(f"a limit is a number from 1, not {count!r}\nhint: to stop a queue, pause it")
    settings = wire.QueueSettings(name=name, concurrency=concurrency, key_concurrency=key_concurrency, fair=fair)
    if rate is not None:
        settings.rate.CopyFrom(_wire_rate(rate))
    if key_rate is not None:
        settings.key_rate.CopyFrom(_wire_rate(key_rate))
    await _bridge().call("PutQueue", wire.PutQueueRequest(settings=settings), wire.PutQueueResponse)


async def list_queues(*, keys: int = 10) -> list[Queue]:
    """Every queue that has settings or live instances, by name, with so many of its keys."""
    return [_queue(queue) for queue in (await _listed(keys)).queues]


async def list_paused_workflows() -> list[str]:
    return list((await _listed(1)).paused_workflows)


async def pause_queue(name: str) -> bool:
    """Nothing of it is begun or goes on, on any host; what runs does so until it next sleeps or waits. False: it was
    paused already."""
    from waymark._proto import bridge_pb2 as wire

    return (await _bridge().call("PauseQueue", wire.PauseQueueRequest(name=name), wire.PauseResponse)).changed


async def resume_queue(name: str) -> bool:
    from waymark._proto import bridge_pb2 as wire

    return (await _bridge().call("ResumeQueue", wire.ResumeQueueRequest(name=name), wire.PauseResponse)).changed


async def pause_workflow(workflow: str | type) -> bool:
    """As `pause_queue`, for the instances of a workflow, in whichever queue."""
    from waymark._proto import bridge_pb2 as wire

    return (
        await _bridge().call("PauseWorkflow", wire.PauseWorkflowRequest(workflow_name=workflow_name(workflow)), wire.PauseResponse)
    ).changed


async def resume_workflow(workflow: str | type) -> bool:
    from waymark._proto import bridge_pb2 as wire

    return (
        await _bridge().call("ResumeWorkflow", wire.ResumeWorkflowRequest(workflow_name=workflow_name(workflow)), wire.PauseResponse)
    ).changed


def set_queue_sync(
    name: str,
    *,
    concurrency: int | None = None,
    key_concurrency: int | None = None,
    rate: AnyRate | None = None,
    key_rate: AnyRate | None = None,
    fair: bool = False,
) -> None:
    work = set_queue(name, concurrency=concurrency, key_concurrency=key_concurrency, rate=rate, key_rate=key_rate, fair=fair)
    background.run(work, "set_queue")


def list_queues_sync(*, keys: int = 10) -> list[Queue]:
    return background.run(list_queues(keys=keys), "list_queues")


def pause_queue_sync(name: str) -> bool:
    return background.run(pause_queue(name), "pause_queue")


def resume_queue_sync(name: str) -> bool:
    return background.run(resume_queue(name), "resume_queue")


def pause_workflow_sync(workflow: str | type) -> bool:
    return background.run(pause_workflow(workflow), "pause_workflow")


def resume_workflow_sync(workflow: str | type) -> bool:
    return background.run(resume_workflow(workflow), "resume_workflow")


async def _listed(keys: int) -> wire.ListQueuesResponse:
    from waymark._proto import bridge_pb2 as wire

    return await _bridge().call("ListQueues", wire.ListQueuesRequest(keys=keys), wire.ListQueuesResponse)


def workflow_name(workflow: str | type) -> str:
    from waymark.workflow import definition_of

    return definition_of(workflow).name if isinstance(workflow, type) else workflow


def _wire_rate(rate: AnyRate) -> wire.Rate:
    from waymark._proto import bridge_pb2 as wire
    from waymark.policies import seconds

    rule = f"a rate is a count from 1 on and its seconds, as (100, 60), not {rate!r}"
    if isinstance(rate, str) or not isinstance(rate, Rate) and len(rate) != 2:
        raise TypeError(rule)
    count, period = (rate.count, rate.seconds) if isinstance(rate, Rate) else rate
    period_us = round(seconds(period, "the time of a rate", positive=True) * 1_000_000)
    if not isinstance(count, int) or count < 1 or period_us < 1:
        raise ValueError(rule)
    return wire.Rate(count=count, period_us=period_us)


def _queue(queue: wire.Queue) -> Queue:
    settings = queue.settings

    def count(name: str) -> int | None:
        return getattr(settings, name) if settings.HasField(name) else None  # type: ignore[arg-type]

    def rate(name: str) -> Rate | None:
        found: wire.Rate = getattr(settings, name)
        return Rate(found.count, found.period_us / 1e6) if settings.HasField(name) else None  # type: ignore[arg-type]

    return Queue(
        name=settings.name,
        paused=queue.paused,
        concurrency=count("concurrency"),
        key_concurrency=count("key_concurrency"),
        rate=rate("rate"),
        key_rate=rate("key_rate"),
        fair=settings.fair,
        depth=_depth(queue.depth),
        keys={key.key: _depth(key.depth) for key in queue.keys},
    )


def _depth(depth: wire.QueueDepth) -> Depth:
    return Depth(depth.due, depth.running, depth.sleeping)


def _bridge() -> Bridge:
    from waymark.client import backend

    return backend.server()
