"""Workflows whose every step is a line in the ledger. What they return depends on all steps, and not on the run."""

from __future__ import annotations

import asyncio
import time
import zlib

from torture import ledger
from torture.ledger import Place
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, wait_for_signal, workflow


class Declined(Exception):
    pass


class Busy(Exception):
    pass


def mixed(value: int, place: Place) -> int:
    return zlib.crc32(f"{value}/{place}".encode())


@action
async def step(run: str, phase: int, lane: str, number: int, value: int, takes: float = 0.0) -> int:
    place = Place(phase, lane, number)
    with ledger.step(run, place):
        await asyncio.sleep(takes)
        return mixed(value, place)


@action
def step_in_thread(run: str, phase: int, lane: str, number: int, value: int, takes: float = 0.0) -> int:
    place = Place(phase, lane, number)
    with ledger.step(run, place):
        time.sleep(takes)
        return mixed(value, place)


@action(retry=RetryPolicy(attempts=6, retry_on=[Busy], backoff=BackoffPolicy(base_delay=0.05, factor=2, max_delay=0.4)))
async def flaky(run: str, phase: int, number: int, value: int, fails: int) -> int:
    place = Place(phase, "", number)
    with ledger.step(run, place) as attempt:
        if attempt <= fails:
            raise Busy(f"attempt {attempt}")
        return mixed(value, place)


@action(retry=RetryPolicy(attempts=1))
async def decline(run: str, phase: int) -> None:
    with ledger.step(run, Place(phase, "", 0)):
        pass
    raise Declined("no funds", phase)


@workflow
class TortureChain(Workflow):
    async def run(self, run: str, length: int, takes: float = 0.0) -> int:
        value = 1
        for number in range(length):
            if number % 3 == 2:
                value = await step_in_thread(run, 0, "", number, value, takes)
            else:
                value = await step(run, 0, "", number, value, takes)
        return value


@workflow
class TortureFan(Workflow):
    """Lanes of two steps side by side, twice, and a step after each."""

    async def run(self, run: str, width: int) -> int:
        async def lane(phase: int, name: int, value: int) -> int:
            first = await step(run, phase, str(name), 0, value, 0.02 * (name % 4))
            return await step(run, phase, str(name), 1, first)

        value = 0
        for round in range(2):
            parts = await asyncio.gather(*[lane(2 * round, name, value) for name in range(width)])
            value = await step(run, 2 * round + 1, "", 0, sum(parts))
        return value


@workflow
class TortureSleeps(Workflow):
    async def run(self, run: str, naps: list[float]) -> int:
        value = 2
        for number, nap in enumerate(naps):
            await asyncio.sleep(nap)
            value = await step(run, 0, "", number, value)
        return value


@workflow
class TortureRetries(Workflow):
    """Attempts that fail and are made again, one that is not, and what is done about that."""

    async def run(self, run: str, fails: int) -> tuple[int, str]:
        value = await flaky(run, 0, 0, 3, fails)
        try:
            await decline(run, 1)
        except Declined as error:
            said = f"{error.args}"
        finally:
            value = await step(run, 2, "", 0, value)
        return await flaky(run, 3, 0, value, 1), said


@workflow
class TortureFails(Workflow):
    async def run(self, run: str) -> None:
        await step(run, 0, "", 0, 4)
        await decline(run, 1)


@workflow
class TortureGrows(Workflow):
    """Its state grows, so that it is saved whole now and then."""

    async def run(self, run: str, length: int) -> tuple[int, int]:
        pages: list[str] = []
        value = 5
        for number in range(length):
            value = await step(run, 0, "", number, value)
            pages.append(f"{value} " * 700)
        return value, sum(len(page) for page in pages)


@workflow
class TortureChild(Workflow):
    async def run(self, run: str, lane: str, length: int) -> int:
        value = len(lane)
        for number in range(length):
            value = await step(run, 0, lane, number, value, 0.02)
        return value


@workflow
class TortureParent(Workflow):
    """Children, awaited and started, and a step after them. A child that was started twice has steps under two keys."""

    async def run(self, run: str, width: int) -> int:
        started = await TortureChild().start(run, "apart", 3)
        values = await asyncio.gather(*[TortureChild().run(run, f"child {name}", 2) for name in range(width)])
        return await step(run, 1, "", 0, sum(values) + await started.result())


@workflow
class TortureSignals(Workflow):
    """Takes what it is sent, each once, in whatever order it comes; each is a step."""

    async def run(self, run: str, count: int) -> list[int]:
        taken: list[int] = []
        for number in range(count):
            payload = await wait_for_signal("number")
            taken.append(payload)
            await step(run, 0, "", number, payload)
        await asyncio.sleep(0.3)
        return sorted(taken)
