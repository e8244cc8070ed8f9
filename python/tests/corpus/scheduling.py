"""The finer points of asyncio: who runs when, what a cancellation reaches, what library calls do between two awaits."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import hashlib
import itertools
import random
import re
import textwrap
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, TypeVar

from corpus import Case, record
from waymark import Workflow, action, workflow

T = TypeVar("T")


class Interrupted(Exception):
    def __init__(self, at: str) -> None:
        super().__init__(at)
        self.at = at


@action
async def step(name: str) -> str:
    record("step", name)
    if name.endswith("!"):
        raise Interrupted(name)
    return name[::-1]


@workflow
class AtomicBetweenAwaits(Workflow):
    """Nothing comes between two awaits, library calls included: other tasks see whole changes only."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        state = {"busy": False, "sum": ""}
        overlaps = 0
        order: list[str] = []

        async def change(name: str) -> None:
            nonlocal overlaps
            for turn in range(2):
                overlaps += state["busy"]
                state["busy"] = True
                order.append(f"{name}{turn} in")
                state["sum"] = hashlib.sha1((state["sum"] + name).encode()).hexdigest()[:6]
                order.append(f"{name}{turn} out")
                state["busy"] = False
                await asyncio.sleep(0)

        await asyncio.gather(*(change(name) for name in names))
        await step(state["sum"])
        return {"overlaps": overlaps, "order": order, "sum": state["sum"]}


@workflow
class TurnsInOrder(Workflow):
    """`sleep(0)` gives each task its turn, in the order they were made; new tasks go to the end."""

    async def run(self, count: int) -> list[str]:
        log: list[str] = []

        async def child(name: str) -> None:
            log.append(f"{name} born")
            await asyncio.sleep(0)
            log.append(f"{name} dies")

        async def worker(name: str) -> str:
            for turn in range(2):
                log.append(f"{name} {turn}")
                if turn == 0:
                    asyncio.create_task(child(f"{name}'"))
                await asyncio.sleep(0)
            return name

        tasks = [asyncio.create_task(worker(chr(ord("a") + number))) for number in range(count)]
        log.append("made")
        await tasks[-1]
        log.append("last is done")
        log += await asyncio.gather(*tasks)
        await step("end")
        return log


@workflow
class LateBinding(Workflow):
    """Closures over a loop's variable see its last value; defaults and partials keep theirs."""

    async def run(self, count: int) -> dict[str, list[int]]:
        late: list[Callable[[], int]] = []
        early: list[Callable[[], int]] = []
        for number in range(count):
            late.append(lambda: number * 10)
            early.append(lambda number=number: number * 10)

        def maker(number: int) -> Callable[[], int]:
            def inner() -> int:
                nonlocal number
                number += 1
                return number

            return inner

        counters = [maker(number) for number in range(count)]
        made = [counter() + counters[0]() for counter in counters]
        by_comprehension = [function() for function in [lambda: number for number in range(count)]]
        await step(str(made))
        number = 7
        return {
            "late": [function() for function in late], "early": [function() for function in early], "made": made,
            "comprehension": by_comprehension,
        }  # fmt: skip


@workflow
class GatherCancelled(Workflow):
    """Cancelling a gather cancels what it gathers; each cleans up, one refuses to hurry."""

    async def run(self, keep: bool) -> list[str]:
        log: list[str] = []

        async def part(name: str, cleanup: float) -> str:
            try:
                await asyncio.sleep(1)
            finally:
                await asyncio.sleep(cleanup)
                log.append(f"{name} clean")
            return name

        async def whole() -> list[str]:
            try:
                return await asyncio.gather(part("a", 0.02), part("b", 0.01), return_exceptions=keep)
            finally:
                log.append("whole left")

        task = asyncio.create_task(whole())
        await asyncio.sleep(0.01)
        task.cancel()
        try:
            log.append(repr(await task))
        except asyncio.CancelledError:
            log.append(f"cancelled {task.cancelled()}")
        await asyncio.sleep(0.05)
        await step(log[-1])
        return log


@workflow
class CancelOneself(Workflow):
    """A task that cancels itself goes on until its next await."""

    async def run(self) -> list[str]:
        log: list[str] = []

        async def quitter() -> None:
            me = asyncio.current_task()
            assert me is not None
            me.cancel("had enough")
            log.append("still running")
            try:
                await asyncio.sleep(0)
                log.append("never")
            except asyncio.CancelledError as error:
                log.append(f"cancelled {error}")
                raise Interrupted("instead") from error

        try:
            await asyncio.create_task(quitter())
        except Interrupted as error:
            log.append(f"{error.at} {type(error.__cause__).__name__}")
        await step("after")
        return log


@workflow
class DoneCallbacks(Workflow):
    """Callbacks of tasks, in the order they were added, when the task is done and not before."""

    async def run(self, fails: bool) -> list[str]:
        log: list[str] = []

        async def work() -> str:
            await asyncio.sleep(0.01)
            if fails:
                raise Interrupted("work")
            return "result"

        def report(name: str, task: asyncio.Task[str]) -> None:
            error = task.exception()
            log.append(f"{name} {error!r}" if error else f"{name} {task.result()}")

        def forget(task: asyncio.Task[str]) -> None:
            log.append(f"forget {task.done()}")

        task = asyncio.create_task(work())
        task.add_done_callback(lambda done: report("first", done))
        task.add_done_callback(forget)
        task.add_done_callback(lambda done: report("second", done))
        log.append(f"removed {task.remove_done_callback(forget)}")
        with contextlib.suppress(Interrupted):
            log.append(await task)
        await asyncio.sleep(0)
        task.add_done_callback(forget)
        log.append("late")
        await asyncio.sleep(0)
        await step("end")
        return log


@workflow
class FutureHandOver(Workflow):
    """Futures as mailboxes between tasks: results, exceptions, and one that nobody fills."""

    async def run(self, words: list[str]) -> dict[str, Any]:
        boxes: dict[str, asyncio.Future[str]] = {word: asyncio.Future() for word in words}

        async def reader(word: str) -> str:
            try:
                return await asyncio.wait_for(boxes[word], 0.03)
            except Interrupted as error:
                return f"failed {error.at}"
            except asyncio.TimeoutError:
                return "nothing came"

        async def writer() -> int:
            filled = 0
            for word, box in boxes.items():
                await asyncio.sleep(0.001)
                if word.startswith("-"):
                    continue
                if word.endswith("?"):
                    box.set_exception(Interrupted(word))
                else:
                    box.set_result(word.upper())
                filled += 1
            return filled

        filled, *read = await asyncio.gather(writer(), *map(reader, words))
        states = {word: (box.done(), box.cancelled()) for word, box in boxes.items()}
        try:
            boxes[words[0]].set_result("again")
            twice = "twice"
        except asyncio.InvalidStateError:
            twice = "once"
        await step(twice)
        return {"filled": filled, "read": read, "states": states, "twice": twice}


@workflow
class TieBreak(Workflow):
    """A timeout and what it waits for, due at the same time; and an answer that is there already."""

    async def run(self, pairs: list[tuple[float, float]]) -> list[str]:
        log: list[str] = []
        for limit, needed in pairs:
            try:
                log.append(await asyncio.wait_for(asyncio.sleep(needed, f"{needed} done"), limit))
            except asyncio.TimeoutError:
                log.append(f"{limit} over")
        ready = asyncio.ensure_future(asyncio.sleep(0, "ready"))
        await ready
        log.append(await asyncio.wait_for(ready, 0))
        await step(str(len(log)))
        return log


@workflow
class AsyncGenerators(Workflow):
    """Pages as an asynchronous generator, used by `async for`, comprehensions, and left early."""

    async def run(self, total: int) -> dict[str, Any]:
        closed: list[int] = []

        async def pages(size: int) -> AsyncIterator[list[int]]:
            try:
                for start in range(0, total, size):
                    await step(f"page {start}")
                    yield list(range(start, min(start + size, total)))
            finally:
                closed.append(size)

        flat: list[int] = []
        async for page in pages(3):
            flat.extend(page)
        else:
            flat.append(-1)
        sizes = [len(page) async for page in pages(2) if page[0] != 2]
        return {"flat": flat, "sizes": sizes, "closed": closed}


@workflow
class DrainWithTimeout(Workflow):
    """A queue that is drained until nothing comes for a while; what is late is left in it."""

    async def run(self, items: list[tuple[float, str]]) -> dict[str, Any]:
        queue: asyncio.Queue[str] = asyncio.Queue()

        async def feed() -> None:
            for wait, item in items:
                await asyncio.sleep(wait)
                queue.put_nowait(item)

        feeder = asyncio.create_task(feed())
        got: list[str] = []
        quiet = 0
        while quiet < 2:
            try:
                item = await asyncio.wait_for(queue.get(), timeout=0.01)
            except asyncio.TimeoutError:
                quiet += 1
                continue
            quiet = 0
            got.append(re.sub(r"(\w)\1", r"\1", item))
        await feeder
        left: list[str] = []
        with contextlib.suppress(asyncio.QueueEmpty):
            while True:
                left.append(queue.get_nowait())
        await step("|".join(got + left))
        return {"got": got, "left": left, "empty": queue.empty()}


@workflow
class CoroutineValues(Workflow):
    """Coroutines kept as values: in dicts, passed to functions, awaited later and in another order."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        started: list[str] = []

        async def work(name: str, *more: int, scale: int = 1) -> int:
            started.append(name)
            return scale * sum((len(await step(name)), *more))

        async def timed(label: str, inner: Awaitable[T]) -> tuple[str, T]:
            return label, await inner

        plans = {name: work(name, *range(at), scale=at + 1) for at, name in enumerate(names)}
        assert not started
        results = dict([await timed(name, plans[name]) for name in reversed(plans)])
        bound = functools.partial(work, scale=3)
        results["bound"] = await bound("bound", 4)
        for name, call in {"act": functools.partial(step, "tca"), "own": functools.partial(self.twice, suffix="?")}.items():
            results[name] = await call()
        longest = max(names, key=functools.partial(weight, each=2))
        return {"results": results, "started": started, "longest": longest}

    async def twice(self, text: str = "t", *, suffix: str) -> str:
        return text * 2 + suffix


def weight(text: str, each: int) -> int:
    return len(text) * each


def countdown(start: int) -> Iterator[int]:
    while start > 0:
        reset = yield start
        start = reset if reset is not None else start - 1


@workflow
class GeneratorState(Workflow):
    """Generators that live across awaits: lazily, in step with actions, with `next` and defaults."""

    async def run(self, words: list[str]) -> dict[str, Any]:
        log: list[str] = []

        def lazy() -> Iterator[str]:
            for word in words:
                log.append(f"give {word}")
                yield word
            log.append("end")

        source = lazy()
        taken: list[str] = []
        for word in source:
            taken.append(await step(word))
            if len(taken) == 2:
                break
        log.append("pause")
        await asyncio.sleep(0.01)
        rest = [f"{word}." for word in source]
        numbers = countdown(3)
        counted = [next(numbers), await step("x"), next(numbers), next(numbers), next(numbers, None)]
        pairs = list(zip(lazy(), countdown(2)))
        return {"taken": taken, "rest": rest, "log": log, "counted": counted, "pairs": pairs}


@workflow
class SharedThroughTasks(Workflow):
    """One list, many names: changed by helpers, tasks, methods and library calls alike."""

    async def run(self, items: list[int]) -> dict[str, Any]:
        self.items = items
        views = {"first": items, "again": [items, items[:]]}
        window: deque[int] = deque(items, maxlen=2)

        async def push(value: int) -> None:
            await asyncio.sleep(0.001 * value)
            self.add(value)
            items.sort(reverse=value % 2 == 0)

        await asyncio.gather(*map(push, (3, 1, 2)))
        views["again"][0].append(100)
        window.extend(self.items)
        table = textwrap.fill(" ".join(map(str, items)), 6).split("\n")
        await step(table[0])
        return {"items": items, "first": views["first"] is self.items, "copy": views["again"][1], "window": list(window), "table": table}

    def add(self, value: int) -> None:
        self.items += [value]


@workflow
class FinallyReturns(Workflow):
    """What `finally`, `else`, `break` and `continue` do with exceptions and results on their way."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        log: list[str] = []

        async def attempt(name: str) -> str:
            try:
                return await step(name)
            except Interrupted:
                log.append(f"caught {name}")
                return "handled"
            finally:
                log.append(f"left {name}")
                if name.startswith("over"):
                    return "overridden"  # noqa: B012

        results = [await attempt(name) for name in names]
        kept: list[str] = []
        for name in names:
            try:
                if name == "skip":
                    continue
                kept.append(await step(name))
            except Interrupted as error:
                log.append(f"loop {error.at}")
                break
            else:
                log.append("fine")
            finally:
                log.append(f"end {name}")
        else:
            log.append("all")
        return {"results": results, "kept": kept, "log": log}


@dataclasses.dataclass
class Resource:
    """A context manager of the user's own, with awaits."""

    name: str
    log: list[str]
    swallows: bool = False

    async def __aenter__(self) -> Resource:
        self.log.append(f"open {self.name}")
        await asyncio.sleep(0.001)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> bool:
        self.log.append(f"close {self.name} {kind.__name__ if kind else None}")
        await asyncio.sleep(0.001)
        return self.swallows


@workflow
class OwnContexts(Workflow):
    """Contexts of a class of one's own, around awaits."""

    async def run(self, names: list[str]) -> list[str]:
        log: list[str] = []
        async with Resource("outer", log) as outer, Resource("quiet", log, swallows=True):
            log.append(f"in {outer.name}")
            for name in names:
                log.append(await step(name))
        return log


class Session:
    """A client that is made of actions."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.calls: list[str] = []

    async def call(self, name: str) -> str:
        self.calls.append(name)
        return await step(f"{self.prefix}{name}")


@workflow
class OwnClient(Workflow):
    """Asynchronous methods of a class of one's own, which call actions and keep state."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        session = Session("/")
        results = [await session.call(name) for name in names]
        return {"results": results, "calls": session.calls}


class Pager:
    """Pages that come one by one, and a count that is nobody else's business."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.__count = 0

    def __aiter__(self) -> Pager:
        return self

    async def __anext__(self) -> str:
        if self.__count == len(self.names):
            raise StopAsyncIteration
        self.__count += 1
        return await self.load(self.names[self.__count - 1])

    async def load(self, name: str) -> str:
        return await step(name)

    async def all_twice(self) -> AsyncIterator[str]:
        for name in self.names:
            yield name
            yield await self.load(name)

    @property
    def count(self) -> int:
        return self.__count

    @staticmethod
    async def first(pagers: list[Pager]) -> str:
        return await pagers[0].load(pagers[0].names[0])


class LoudPager(Pager):
    async def load(self, name: str) -> str:
        return (await step(name)).upper()


@workflow
class OwnPager(Workflow):
    """An asynchronous iterator of one's own; methods that are inherited, overridden, private, static, or values."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        pagers = [Pager(names), LoudPager(names[:2])]
        pages: list[list[str]] = []
        for pager in pagers:
            pages.append([page async for page in pager])
        loud = pagers[1].load
        together = await asyncio.gather(*[pager.load("x") for pager in pagers], loud("y"))
        self.last = pagers[-1]
        twice = [page async for page in self.last.all_twice()]
        text = textwrap.fill(" ".join(together), 4)
        return {
            "pages": pages,
            "counts": [pager.count for pager in pagers],
            "together": together,
            "twice": twice,
            "text": text,
            "first": [await Pager.first(pagers), await Pager.load(pagers[1], "z")],
        }


@workflow
class Numbered(Workflow):
    """A counter and a generator of chance of one's own, kept across awaits."""

    async def run(self, names: list[str]) -> list[tuple[int, str, int]]:
        ids = itertools.count(100, 10)
        dice = random.Random(42)
        return [(next(ids), await step(name), dice.randint(1, 6)) for name in names]


CASES = [
    Case(AtomicBetweenAwaits, (["a", "b", "c"],)),
    Case(TurnsInOrder, (3,)),
    Case(LateBinding, (3,)),
    Case(GatherCancelled, (False,)),
    Case(GatherCancelled, (True,), name="keeping"),
    Case(CancelOneself),
    Case(DoneCallbacks, (False,)),
    Case(DoneCallbacks, (True,), name="failed"),
    Case(FutureHandOver, (["a", "b?", "-c", "d"],)),
    Case(TieBreak, ([(0.01, 0.02), (0.02, 0.01), (0.5, 0.0)],)),
    Case(AsyncGenerators, (7,)),
    Case(DrainWithTimeout, ([(0.0, "aab"), (0.005, "cc"), (0.015, "dd"), (0.03, "late")],)),
    Case(CoroutineValues, (["one", "two", "six"],)),
    Case(GeneratorState, (["ab", "cd", "ef", "gh"],)),
    Case(SharedThroughTasks, ([5, 4],)),
    Case(FinallyReturns, (["ok", "skip", "over!", "bad!", "never"],)),
    Case(FinallyReturns, (["ok"],), name="fine"),
    Case(Numbered, (["a", "b", "c"],)),
    Case(OwnContexts, (["a", "b"],)),
    Case(OwnContexts, (["a", "b!"],), name="failing"),
    Case(OwnClient, (["a", "b"],)),
    Case(OwnPager, (["a", "b", "c"],), concurrent=True),
]
