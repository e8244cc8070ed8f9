"""One function for each thing that `waymark bench` has a client do. Each checks what came back, and says what only a client can see."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from waymark.bench.workflows import Chain, Fanout, Interrupted, Loop, One, Payload, Sleeper

#: Starts in one call of `start_many`.
BATCH = 1_000
#: While the server stores some, the client writes the next.
BATCHES_IN_FLIGHT = 3
#: Seconds until what is started to be counted, or to sleep, would begin: longer than any benchmark.
LONG = 24 * 60 * 60


class Wrong(Exception):
    """A workflow came to something else than it should have."""


def expect(what: str, got: object, wanted: object) -> None:
    if got != wanted:
        raise Wrong(f"{what} came to {got!r:.200}, not to {wanted!r:.200}")


async def chain(count: int) -> dict[str, Any]:
    handles = await Chain().start_many([(number,) for number in range(count)])
    results = await asyncio.gather(*(handle.result() for handle in handles))
    expect("the chains", results, list(range(count)))
    return {"completed": len(results)}


async def fanout(size: int) -> dict[str, Any]:
    expect("the fan-out", await Fanout().run(size), size * (size - 1) // 2)
    return {"completed": 1}


async def latency(count: int) -> dict[str, Any]:
    seconds = []
    for number in range(count):
        begun = time.perf_counter()
        result = await One().run(number)
        seconds.append(time.perf_counter() - begun)
        expect("an action", result, number)
    return {"completed": count, "seconds": seconds}


async def loop(size: int) -> dict[str, Any]:
    return {"completed": 1, "times": await Loop().run(size)}


async def interrupted(size: int, file: str) -> dict[str, Any]:
    """Started, and not waited for: its server is about to be killed."""
    handle = await Interrupted().start(size, file)
    return {"instance_id": str(handle.instance_id)}


async def went_on(size: int, instance_id: str) -> dict[str, Any]:
    total, went_on = await Interrupted.get_handle(instance_id=uuid.UUID(instance_id)).result()
    expect("the interrupted loop", total, size * (size - 1) // 2)
    return {"completed": 1, "went_on": went_on}


async def start_single(count: int, in_flight: int) -> dict[str, Any]:
    numbers = iter(range(count))

    async def caller() -> int:
        started = 0
        for number in numbers:
            await One().start(number, delay=LONG)
            started += 1
        return started

    return {"started": sum(await asyncio.gather(*(caller() for _ in range(in_flight))))}


async def start_batches(count: int) -> dict[str, Any]:
    firsts = iter(range(0, count, BATCH))

    async def caller() -> int:
        started = 0
        for first in firsts:
            calls = [(number,) for number in range(first, min(first + BATCH, count))]
            started += len(await One().start_many(calls, delay=LONG))
        return started

    return {"started": sum(await asyncio.gather(*(caller() for _ in range(BATCHES_IN_FLIGHT))))}


async def sleep(count: int) -> dict[str, Any]:
    started = 0
    for first in range(0, count, BATCH):
        calls = [(time.time() + LONG,)] * (min(first + BATCH, count) - first)
        started += len(await Sleeper().start_many(calls))
    return {"started": started}


async def wake(count: int, after: float, within: float) -> dict[str, Any]:
    """So many more, which wake up one after the other within some seconds, `after` seconds from now."""
    first = time.time() + after
    handles = await Sleeper().start_many([(first + within * number / count,) for number in range(count)])
    seconds = await asyncio.gather(*(handle.result() for handle in handles))
    return {"completed": len(seconds), "seconds": seconds}


async def payload(count: int, size: int) -> dict[str, Any]:
    handles = await Payload().start_many([(size,)] * count)
    results = await asyncio.gather(*(handle.result() for handle in handles))
    expect("the payloads", results, [size] * count)
    return {"completed": len(results)}


COMMANDS: dict[str, Callable[..., Awaitable[dict[str, Any]]]] = {
    command.__name__: command
    for command in (chain, fanout, latency, loop, interrupted, went_on, start_single, start_batches, sleep, wake, payload)
}
