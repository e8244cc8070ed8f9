"""The first few: a bit of everything."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from datetime import timedelta

from corpus import Case, record
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, workflow


@dataclasses.dataclass
class Order:
    id: str
    lines: list[tuple[str, int]]
    total: int = 0

    def label(self) -> str:
        return f"order {self.id} of {len(self.lines)} lines"


class OutOfStock(Exception):
    def __init__(self, item: str) -> None:
        super().__init__(f"no {item} left")
        self.item = item


@action
async def reserve(item: str, count: int) -> int:
    record("reserve", item, count)
    if item == "unicorn":
        raise OutOfStock(item)
    return count * len(item)


@action
def release(item: str) -> None:
    record("release", item)


@workflow
class FirstOrder(Workflow):
    """A saga: what was reserved is released when something fails."""

    async def run(self, order: Order) -> dict[str, object]:
        done: list[str] = []
        try:
            for item, count in order.lines:
                order.total += await reserve(item, count)
                done.append(item)
        except OutOfStock as error:
            for item in reversed(done):
                await release(item)
            return {"failed": error.item, "why": str(error), "label": order.label()}
        return {"total": order.total, "label": order.label(), "done": done}


@workflow
class ParseReport(Workflow):
    """Implicit actions: compiled patterns never leave the worker."""

    async def run(self, text: str) -> list[tuple[str, int]]:
        pattern = re.compile(r"(\w+)=(\d+)")
        found = []
        for line in text.splitlines():
            match = pattern.match(line)
            if match:
                found.append((match.group(1), int(match.group(2))))
        if not found:
            raise ValueError("nothing found in " + repr(text))
        first = pattern.search(text)
        await reserve(first.group(1), len(found))
        return sorted(found, key=lambda pair: -pair[1])


@action
async def flaky(key: str) -> str:
    record("flaky", key)
    raise ConnectionError(key)


@workflow
class TryHard(Workflow):
    async def run(self, key: str) -> str:
        policy = None
        try:
            return await self.run_action(
                flaky(key),
                retry=RetryPolicy(attempts=3, backoff=BackoffPolicy(base_delay=0.01)),
                timeout=timedelta(seconds=5),
            )
        except ConnectionError as error:
            policy = error.args
        finally:
            await release(key)
        return f"{policy!r:>20}"


@workflow
class Wide(Workflow):
    async def run(self, items: list[str]) -> list[int | str]:
        async def one(item: str) -> int:
            await asyncio.sleep(0.01)
            return await reserve(item, 1) + 1

        results = await asyncio.gather(*(one(item) for item in items), return_exceptions=True)
        return [str(result) if isinstance(result, Exception) else result for result in results]


CASES = [
    Case(FirstOrder, (Order("a", [("pen", 2), ("ink", 1)]),)),
    Case(FirstOrder, (Order("b", [("pen", 2), ("unicorn", 1)]),), name="fails"),
    Case(ParseReport, ("a=1\nb=22\nzzz\nc=3",)),
    Case(ParseReport, ("zzz",), name="nothing"),
    Case(TryHard, ("k",)),
    Case(Wide, (["pen", "unicorn", "ink"],), concurrent=True),
]
