"""Work at the same time: gather, tasks that are cancelled, limits, queues, locks and events, timeouts that fire.

What is asserted on does not depend on how quick an action is: order comes from the workflow's own sleeps, or from what waits for what.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
import re
from asyncio import FIRST_COMPLETED, create_task
from asyncio import gather as together
from collections.abc import Awaitable, Callable
from typing import Any

from corpus import Case, record
from waymark import Workflow, action, workflow


class Down(ConnectionError):
    def __init__(self, host: str, code: int = 503) -> None:
        super().__init__(f"{host} is down")
        self.host = host
        self.code = code


@dataclasses.dataclass
class Probe:
    host: str
    delay: float = 0.01
    fails: bool = False


@action
async def ping(host: str) -> int:
    record("ping", host)
    if host.startswith("bad"):
        raise Down(host, 500 + len(host))
    return len(host)


@action
def note(text: str) -> str:
    record("note", text)
    return text.upper()


@workflow
class FanOutExceptions(Workflow):
    """gather that keeps what failed, in the order of what was asked."""

    async def run(self, hosts: list[str]) -> dict[str, Any]:
        results = await together(*map(ping, hosts), return_exceptions=True)
        up = {host: result for host, result in zip(hosts, results) if not isinstance(result, BaseException)}
        down = [(error.host, error.code) for error in results if isinstance(error, Down)]
        total = sum(up.values()) or None
        return {"up": up, "down": sorted(down, key=lambda pair: -pair[1]), "total": total}


@workflow
class FanOutFails(Workflow):
    """gather that raises the first failure; the others go on, and their effects are seen."""

    async def run(self, probes: list[Probe]) -> list[str]:
        seen: list[str] = []

        async def one(probe: Probe) -> str:
            await asyncio.sleep(probe.delay)
            if probe.fails:
                seen.append(f"{probe.host} fails")
                raise Down(probe.host)
            seen.append(probe.host)
            return probe.host

        try:
            done = await asyncio.gather(*(one(probe) for probe in probes))
            seen.append(f"all {len(done)}")
        except Down as error:
            seen.append(f"caught {error.host}")
            await asyncio.sleep(0.03)
        finally:
            await note(",".join(seen))
        return seen


@workflow
class CancelWithFinally(Workflow):
    """A task that is cancelled cleans up, with awaits, before the one who cancelled it goes on."""

    async def run(self, patience: float) -> list[str]:
        events: list[str] = []

        async def work(name: str, seconds: float) -> str:
            events.append(f"{name} starts")
            try:
                await asyncio.sleep(seconds)
                events.append(f"{name} ends")
                return name
            except asyncio.CancelledError:
                events.append(f"{name} cancelled")
                raise
            finally:
                await note(name)
                events.append(f"{name} cleaned")

        quick, slow = create_task(work("quick", 0.01)), create_task(work("slow", 10))
        await asyncio.sleep(patience)
        events.append("enough")
        for task in (quick, slow):
            events.append(f"{task.cancel()}")
        results = await asyncio.gather(quick, slow, return_exceptions=True)
        for task, result in zip((quick, slow), results):
            events.append(f"{task.cancelled()} {type(result).__name__}")
        return events


@workflow
class CancelSwallowed(Workflow):
    """A task may refuse to be cancelled, and give a result nonetheless."""

    async def run(self) -> list[Any]:
        log: list[Any] = []

        async def stubborn() -> str:
            for attempt in range(3):
                try:
                    await asyncio.sleep(5)
                except asyncio.CancelledError as error:
                    log.append((attempt, error.args))
                    await asyncio.sleep(0)
            return "still here"

        task = asyncio.create_task(stubborn(), name="stubborn")
        for reason in ("please", "now", "really"):
            await asyncio.sleep(0.01)
            task.cancel(reason)
        log.append(await task)
        log.append((task.get_name(), task.done(), task.cancelled(), task.cancel()))
        await note("end")
        return log


@workflow
class CancelBeforeStart(Workflow):
    """A task that was cancelled before its first step never runs; what was passed to it is closed."""

    async def run(self, hosts: list[str]) -> dict[str, str]:
        tasks = {host: asyncio.create_task(self.guarded(host)) for host in hosts}
        for host in hosts[1:]:
            tasks[host].cancel()
        states: dict[str, str] = {}
        for host, task in tasks.items():
            try:
                states[host] = await task
            except asyncio.CancelledError:
                states[host] = "cancelled"
        return states

    async def guarded(self, host: str) -> str:
        try:
            return f"{host} {await ping(host)}"
        finally:
            await note(f"after {host}")


@workflow
class WaitFirst(Workflow):
    """The first answer wins, and the others are called off."""

    async def run(self, delays: dict[str, float]) -> dict[str, Any]:
        async def mirror(name: str, seconds: float) -> str:
            await asyncio.sleep(seconds)
            if name.startswith("bad"):
                raise Down(name)
            return name

        pending = {asyncio.create_task(mirror(name, seconds), name=name) for name, seconds in delays.items()}
        failed: list[str] = []
        winner = None
        while pending and winner is None:
            done, pending = await asyncio.wait(pending, return_when=FIRST_COMPLETED)
            for task in sorted(done, key=lambda each: each.get_name()):
                error = task.exception()
                if error is not None:
                    failed.append(str(error))
                elif winner is None:
                    winner = task.result()
        for task in pending:
            task.cancel()
        if pending:
            await asyncio.wait(pending)
        await note(winner or "nobody")
        return {"winner": winner, "failed": failed, "cancelled": sorted(task.get_name() for task in pending if task.cancelled())}


@workflow
class WaitWithTimeout(Workflow):
    """What is not done in time is left alone, asked again, and given up at last."""

    async def run(self, delays: list[float]) -> list[Any]:
        tasks = [asyncio.ensure_future(asyncio.sleep(delay, result=delay)) for delay in delays]
        rounds: list[Any] = []
        pending: set[asyncio.Future[float]] = set(tasks)
        for _ in range(3):
            if not pending:
                break
            done, pending = await asyncio.wait(pending, timeout=0.02)
            rounds.append((len(done), sorted(task.result() for task in done)))
        left = [delay for delay, task in zip(delays, tasks) if not task.done()]
        for task in pending:
            task.cancel()
        await note(f"{left}")
        return [*rounds, left]


@workflow
class AsCompletedOrder(Workflow):
    """Results in the order they come, up to the first failures that are too many."""

    async def run(self, probes: list[Probe], tolerated: int) -> list[str]:
        async def probe_one(probe: Probe) -> str:
            await asyncio.sleep(probe.delay)
            if probe.fails:
                raise Down(probe.host)
            return probe.host

        order: list[str] = []
        failures = 0
        for next_done in asyncio.as_completed([probe_one(probe) for probe in probes]):
            try:
                order.append(await next_done)
            except Down as error:
                failures += 1
                order.append(f"-{error.host}")
                if failures > tolerated:
                    raise RuntimeError("too many failures", order) from error
        await note("+".join(order))
        return order


@workflow
class SemaphoreLimit(Workflow):
    """Never more than so many at once: counted by the tasks themselves."""

    async def run(self, hosts: list[str], limit: int) -> dict[str, Any]:
        semaphore = asyncio.Semaphore(limit)
        running = most = 0

        async def one(host: str) -> int | str:
            nonlocal running, most
            async with semaphore:
                running += 1
                most = max(most, running)
                try:
                    await asyncio.sleep(0.005)
                    return await ping(host)
                except Down as error:
                    return f"{error.code}"
                finally:
                    running -= 1

        results = await asyncio.gather(*[one(host) for host in hosts])
        return {"most": most, "running": running, "results": dict(zip(hosts, results)), "locked": semaphore.locked()}


@workflow
class QueueWorkers(Workflow):
    """Producers, consumers and a join. The consumers are cancelled when there is nothing left."""

    async def run(self, items: list[int], workers: int) -> dict[str, Any]:
        queue: asyncio.Queue[int] = asyncio.Queue(maxsize=2)
        done: dict[str, list[int]] = {f"w{number}": [] for number in range(workers)}

        async def produce(part: list[int]) -> int:
            for item in part:
                await queue.put(item)
            return len(part)

        async def consume(name: str) -> None:
            try:
                while True:
                    item = await queue.get()
                    try:
                        await asyncio.sleep(0.001 * (item % 3))
                        done[name].append(item * item)
                    finally:
                        queue.task_done()
            except asyncio.CancelledError:
                await note(name)
                raise

        consumers = [asyncio.create_task(consume(name)) for name in done]
        half = len(items) // 2
        produced = await asyncio.gather(produce(items[:half]), produce(items[half:]))
        await queue.join()
        for consumer in consumers:
            consumer.cancel()
        await asyncio.gather(*consumers, return_exceptions=True)
        return {"produced": produced, "all": sorted(sum(done.values(), [])), "left": queue.qsize(), "empty": queue.empty()}


@workflow
class QueueSentinels(Workflow):
    """A pipeline of stages: None ends each of them. One consumer a stage, so the order is kept."""

    async def run(self, words: list[str]) -> list[str]:
        raw: asyncio.Queue[str | None] = asyncio.Queue()
        clean: asyncio.Queue[str | None] = asyncio.Queue()
        out: list[str] = []

        async def stage(source: asyncio.Queue[str | None], sink: asyncio.Queue[str | None], change: Callable[[str], str]) -> int:
            count = 0
            while (item := await source.get()) is not None:
                await sink.put(change(item))
                count += 1
            await sink.put(None)
            return count

        async def store() -> None:
            while True:
                item = await clean.get()
                if item is None:
                    return
                out.append(await note(item))

        first = asyncio.create_task(stage(raw, clean, lambda text: re.sub(r"\W+", "-", text.strip())))
        second = asyncio.create_task(store())
        for word in words:
            raw.put_nowait(word)
        raw.put_nowait(None)
        count, _ = await asyncio.gather(first, second)
        return [*out, str(count)]


@workflow
class LockedAccount(Workflow):
    """Read, wait, write: right only under the lock."""

    async def run(self, deposits: list[int]) -> dict[str, Any]:
        lock = asyncio.Lock()
        self.balance = 0
        self.unlocked = 0
        trail: list[int] = []

        async def deposit(amount: int) -> None:
            before = self.unlocked
            async with lock:
                seen = self.balance
                await asyncio.sleep(0.001)
                if amount < 0 and seen + amount < 0:
                    raise ValueError(f"{seen} is too little for {amount}")
                self.balance = seen + amount
                trail.append(self.balance)
            self.unlocked = before + amount

        results = await asyncio.gather(*map(deposit, deposits), return_exceptions=True)
        await note(f"balance {self.balance}")
        return {
            "balance": self.balance, "lost": self.unlocked, "trail": trail, "locked": lock.locked(),
            "errors": [str(each) for each in results if each],
        }  # fmt: skip


@workflow
class EventGate(Workflow):
    """Many wait for one event; it is cleared, and set once more."""

    async def run(self, names: list[str]) -> list[str]:
        gate = asyncio.Event()
        log: list[str] = []

        async def visitor(name: str) -> None:
            log.append(f"{name} waits")
            await gate.wait()
            log.append(f"{name} enters")
            if name == names[0]:
                gate.clear()
            await asyncio.sleep(0)
            await gate.wait()
            log.append(f"{name} leaves")

        tasks = [asyncio.create_task(visitor(name)) for name in names]
        await asyncio.sleep(0.01)
        log.append(f"open {gate.is_set()}")
        gate.set()
        await asyncio.sleep(0.01)
        log.append(f"again {gate.is_set()}")
        gate.set()
        await asyncio.gather(*tasks)
        await note(log[-1])
        return log


@workflow
class TimeoutFires(Workflow):
    """wait_for that is too short: the inner work is cancelled, and cleans up."""

    async def run(self, limits: list[float]) -> list[str]:
        trail: list[str] = []

        async def slow(name: str) -> str:
            try:
                await asyncio.sleep(0.03)
                return name
            finally:
                trail.append(f"left {name}")

        for at, limit in enumerate(limits):
            try:
                trail.append(await asyncio.wait_for(slow(f"s{at}"), timeout=limit))
            except asyncio.TimeoutError as error:
                trail.append(f"late {error!s:-<5}")
            else:
                trail.append("in time")
        await note("/".join(trail))
        return trail


@workflow
class ShieldedCommit(Workflow):
    """The caller gives up, the commit goes on, and is waited for at the end."""

    async def run(self, limit: float) -> list[str]:
        log: list[str] = []

        async def commit() -> str:
            log.append("begin")
            await asyncio.sleep(0.03)
            log.append("committed")
            return await note("done")

        task = asyncio.create_task(commit())
        try:
            log.append(await asyncio.wait_for(asyncio.shield(task), limit))
        except asyncio.TimeoutError:
            log.append("gave up waiting")
            log.append(await task)
        return log


@workflow
class NestedTasks(Workflow):
    """Tasks that start tasks: cancelling the outer one does not cancel what it only started."""

    async def run(self, cancel_outer: bool) -> dict[str, Any]:
        log: list[str] = []
        started: list[asyncio.Task[str]] = []

        async def leaf(name: str, seconds: float) -> str:
            try:
                await asyncio.sleep(seconds)
            except asyncio.CancelledError:
                log.append(f"{name} cancelled")
                raise
            log.append(f"{name} done")
            return name

        async def branch(name: str) -> list[str]:
            free = asyncio.create_task(leaf(f"{name}.free", 0.02))
            started.append(free)
            return [*await asyncio.gather(leaf(f"{name}.a", 0.01), leaf(f"{name}.b", 0.015)), await free]

        outer = asyncio.create_task(branch("x"))
        await asyncio.sleep(0.012)
        if cancel_outer:
            outer.cancel()
        result: Any
        try:
            result = await outer
        except asyncio.CancelledError:
            result = "cancelled"
            result += " " + await started[0]
        await note(str(result))
        return {"result": result, "log": log}


@workflow
class RetryWithJitter(Workflow):
    """A decorator-like closure around an action: backoff with chance, whose amount nobody sees."""

    async def run(self, hosts: list[str], attempts: int) -> dict[str, str]:
        tried: dict[str, int] = {}

        def retrying(call: Callable[[str], Awaitable[int]], times: int) -> Callable[[str], Awaitable[str]]:
            async def wrapped(host: str) -> str:
                delay = 0.001
                for attempt in range(1, times + 1):
                    tried[host] = tried.get(host, 0) + 1
                    try:
                        return f"ok {await call(host)}"
                    except Down as error:
                        last = error
                        await asyncio.sleep(delay + random.random() * delay)
                        delay *= 2
                return f"{last.code} after {tried[host]}"

            return wrapped

        reach = retrying(ping, attempts)
        answers = await asyncio.gather(*(reach(host) for host in hosts))
        return dict(zip(hosts, answers))


CASES = [
    Case(FanOutExceptions, (["a", "bad", "ccc", "bad-two"],), concurrent=True),
    Case(FanOutExceptions, (["bad"],), name="all-down"),
    Case(FanOutFails, ([Probe("a", 0.02), Probe("b", 0.01, True), Probe("c", 0.03), Probe("d", 0.005)],)),
    Case(FanOutFails, ([Probe("a", 0.02), Probe("b", 0.01)],), name="fine"),
    Case(CancelWithFinally, (0.02,)),
    Case(CancelSwallowed),
    Case(CancelBeforeStart, (["a", "b", "c"],)),
    Case(WaitFirst, ({"slow": 0.05, "bad": 0.005, "quick": 0.02},)),
    Case(WaitFirst, ({"bad": 0.005, "bad2": 0.01},), name="none"),
    Case(WaitWithTimeout, ([0.01, 0.03, 0.5],)),
    Case(WaitWithTimeout, ([0.01],), name="quick"),
    Case(AsCompletedOrder, ([Probe("a", 0.03), Probe("b", 0.01), Probe("c", 0.02, True)], 1)),
    Case(AsCompletedOrder, ([Probe("a", 0.03), Probe("b", 0.01, True), Probe("c", 0.02, True)], 1), name="fails"),
    Case(SemaphoreLimit, (["a", "bb", "bad", "dd", "e"], 2), concurrent=True),
    Case(QueueWorkers, (list(range(9)), 3), concurrent=True),
    Case(QueueSentinels, ([" a b ", "c, d", "e"],)),
    Case(LockedAccount, ([10, -5, -20, 7],)),
    Case(EventGate, (["ann", "ben", "cat"],)),
    Case(TimeoutFires, ([0.01, 0.05, 0.02],)),
    Case(ShieldedCommit, (0.01,)),
    Case(ShieldedCommit, (1.0,), name="in-time"),
    Case(NestedTasks, (False,)),
    Case(NestedTasks, (True,), name="cancelled"),
    Case(RetryWithJitter, (["a", "bad"], 3), concurrent=True),
]
