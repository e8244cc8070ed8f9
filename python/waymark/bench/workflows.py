"""The workflows that are measured. Their actions do nothing, so that what is left is what Waymark costs."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

from waymark import Workflow, action, workflow

#: What no database can make smaller.
NOISE = random.Random(1).randbytes(1_000_000)


@action
async def nothing(number: int) -> int:
    return number


@action
async def made(size: int) -> bytes:
    return NOISE[:size]


@action
async def held(file: str) -> None:
    """Makes a file and goes on only when it is run again, after whoever ran it first was killed."""
    if not Path(file).exists():
        Path(file).touch()
        await asyncio.sleep(60 * 60)


@workflow(name="waymark.bench.One")
class One(Workflow):
    async def run(self, number: int) -> int:
        return await nothing(number)


@workflow(name="waymark.bench.Chain")
class Chain(Workflow):
    async def run(self, number: int) -> int:
        first = await nothing(number)
        second = await nothing(first)
        return await nothing(second)


@workflow(name="waymark.bench.Fanout")
class Fanout(Workflow):
    async def run(self, size: int) -> int:
        results = await asyncio.gather(*[nothing(number) for number in range(size)])
        return sum(results)


@workflow(name="waymark.bench.Loop")
class Loop(Workflow):
    async def run(self, size: int) -> list[float]:
        """When each tenth began, and when the last one ended: the clock of a workflow is its event's."""
        times: list[float] = []
        for tenth in range(10):
            times.append(time.time())
            for number in range(size * tenth // 10, size * (tenth + 1) // 10):
                await nothing(number)
        times.append(time.time())
        return times


@workflow(name="waymark.bench.Interrupted")
class Interrupted(Workflow):
    async def run(self, size: int, file: str) -> tuple[int, float]:
        """A loop that is held at 95 %: what its steps add up to, and when it went on."""
        total, went_on = 0, 0.0
        for number in range(size):
            if number == size * 95 // 100:
                await held(file)
                went_on = time.time()
            total += await nothing(number)
        return total, went_on


@workflow(name="waymark.bench.Sleeper")
class Sleeper(Workflow):
    async def run(self, due: float) -> float:
        """How late it woke up, in seconds."""
        await asyncio.sleep(due - time.time())
        return time.time() - due


@workflow(name="waymark.bench.Payload")
class Payload(Workflow):
    async def run(self, size: int) -> int:
        result = await made(size)
        return len(result)
