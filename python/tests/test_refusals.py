"""What is refused is refused when the class is defined, and says what to write instead."""

from __future__ import annotations

import asyncio
import io
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from waymark import Workflow, workflow
from waymark.errors import CompileError


def test_what_belongs_to_an_event_loop_is_not_left_to_a_worker():
    with pytest.raises(CompileError) as refused:

        @workflow
        class Waits(Workflow):
            async def run(self, items: list[int]) -> list[int]:
                queue = asyncio.PriorityQueue()
                for item in items:
                    queue.put_nowait(item)
                limit = asyncio.BoundedSemaphore(2)
                async with limit:
                    return [await queue.get() for _ in items]

    text = str(refused.value)
    assert text.count("P0303") == 2
    assert "keep a list with `heapq`" in text
    assert "use `asyncio.Semaphore`" in text


def test_a_call_that_is_refused_does_not_hide_among_those_for_a_worker():
    with pytest.raises(CompileError, match="await asyncio.sleep"):

        @workflow
        class Sleeps(Workflow):
            async def run(self, text: str) -> str:
                first = re.sub("a", "b", text)
                time.sleep(1)
                return re.sub("b", "c", first)


class Client:
    async def fetch(self, url: str) -> str:
        return await asyncio.to_thread(len, url)


class Base:
    async def step(self, number: int) -> int:
        return number


class Other:
    async def step(self, number: int) -> int:
        return -number


class Counting:
    async def step(self, number: int) -> int:
        return await super().step(number + 1)  # type: ignore[misc]


class Derived(Counting, Base):
    pass


class Otherwise(Counting, Other):
    pass


def test_async_methods_of_ones_own_classes_are_looked_into():
    with pytest.raises(CompileError) as refused:

        @workflow
        class Calls(Workflow):
            async def run(self, url: str) -> list[object]:
                return [await Client().fetch(url), await Derived().step(1)]

    text = str(refused.value)
    assert "a workflow has no threads" in text and "await asyncio.to_thread(len, url)" in text
    assert "P0313" in text and "call the method of the base by another name" in text


def test_what_is_not_called_is_not_looked_into():
    @workflow
    class Holds(Workflow):
        async def run(self, client: Client) -> Client:
            return client


def says(text: str) -> None:
    print(text)


def told_lines(text: str) -> Iterator[str]:
    with io.StringIO(text) as lines:
        for line in lines:
            says(line)
            yield line


def endless_lines(text: str) -> Iterator[str]:
    with io.StringIO(text) as lines:
        while True:
            line = lines.readline()
            if not line:
                return
            yield line


def test_attributes_are_not_lost_in_a_copy():
    """A worker that runs all of it at once does not lose them."""
    with pytest.raises(CompileError) as refused:

        @workflow
        class Sets(Workflow):
            async def run(self, names: list[str]) -> list[Any]:
                base = Base()
                vars(base)[names.pop()] = await asyncio.sleep(0, 1)
                vars(base)["a"], base.b = await asyncio.sleep(0, (1, 2))  # type: ignore[attr-defined]
                vars(base)["c"] = base.__dict__["d"] = await asyncio.sleep(0, 3)
                vars(base)["f"] = await asyncio.sleep(0, 4)
                return [vars(base), names]

    text = str(refused.value)
    assert text.count("P0104") == 3 and "setattr" in text


def test_a_generator_that_shows_its_steps_is_not_read_to_its_end_by_a_worker():
    with pytest.raises(CompileError, match="P0107"):

        @workflow
        class Tells(Workflow):
            async def run(self, text: str) -> list[str]:
                return [line for line in told_lines(text)]

    @workflow
    class Reads(Workflow):
        async def run(self, text: str) -> list[str]:
            return [line for line in endless_lines(text)]
