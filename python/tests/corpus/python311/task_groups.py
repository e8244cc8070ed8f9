"""Task groups and `asyncio.timeout`."""

from __future__ import annotations

import asyncio
import bisect
import dataclasses
import json
import re
from typing import Any

from corpus import Case, record
from waymark import Workflow, action, workflow


class StepFailed(Exception):
    def __init__(self, step: str, detail: dict[str, int] | None = None) -> None:
        super().__init__(step)
        self.step = step
        self.detail = detail or {}


class Fatal(StepFailed):
    pass


@dataclasses.dataclass(order=True)
class Step:
    seconds: float
    name: str
    outcome: str = "ok"


@action
async def perform(name: str) -> str:
    record("perform", name)
    return f"<{name}>"


@action
async def undo(name: str) -> None:
    record("undo", name)


async def step_through(step: Step, log: list[str]) -> str:
    """A helper of the module that waits."""
    try:
        await asyncio.sleep(step.seconds)
    except asyncio.CancelledError:
        log.append(f"{step.name} cancelled")
        raise
    if step.outcome == "fail":
        log.append(f"{step.name} fails")
        raise StepFailed(step.name, {"length": len(step.name)})
    if step.outcome == "fatal":
        raise Fatal(step.name)
    log.append(f"{step.name} ok")
    return step.name


@workflow
class GroupResults(Workflow):
    """All at once; the results are read when the group is over."""

    async def run(self, names: list[str]) -> dict[str, str]:
        async with asyncio.TaskGroup() as group:
            tasks = {name: group.create_task(perform(name), name=f"t-{name}") for name in names}
        assert all(task.done() for task in tasks.values())
        return {task.get_name(): task.result() for task in tasks.values()}


@workflow
class GroupFailure(Workflow):
    """One fails, the rest is cancelled, and the group says which."""

    async def run(self, steps: list[Step]) -> dict[str, Any]:
        log: list[str] = []
        failed: list[tuple[str, Any]] = []
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(step_through(step, log)) for step in sorted(steps)]
            log.append("group is over")
        except ExceptionGroup as errors:
            log.append(errors.message)
            failed = [(type(error).__name__, error.step, error.detail) for error in errors.exceptions if isinstance(error, StepFailed)]
        finally:
            for name in reversed([line.split()[0] for line in log if line.endswith(" ok")]):
                await undo(name)
        # A group cancels its tasks in any order.
        log.sort(key=lambda line: line if line.endswith("cancelled") else "")
        return {"log": log, "failed": failed, "cancelled": [task.cancelled() for task in tasks]}


@workflow
class GroupSplit(Workflow):
    """What is fatal is raised again, without the group."""

    async def run(self, steps: list[Step]) -> str:
        log: list[str] = []
        try:
            async with asyncio.TaskGroup() as group:
                for step in steps:
                    group.create_task(step_through(step, log))
        except BaseExceptionGroup as errors:
            fatal = [error for error in errors.exceptions if isinstance(error, Fatal)]
            if fatal:
                await undo(fatal[0].step)
                raise RuntimeError(f"{len(errors.exceptions)} failed") from fatal[0]
            return f"{errors}: {sorted(error.args[0] for error in errors.exceptions)}"
        return ",".join(log)


@workflow
class GroupBodyFails(Workflow):
    """The body of the group itself raises: its tasks are cancelled, and clean up."""

    async def run(self, limit: int) -> list[str]:
        log: list[str] = []

        async def keep_alive() -> None:
            beats = 0
            try:
                while True:
                    await asyncio.sleep(0.01)
                    beats += 1
            finally:
                # How many is the clock's business.
                log.append("alive" if beats else "never alive")

        try:
            async with asyncio.TaskGroup() as group:
                alive = group.create_task(keep_alive())
                for number in range(3):
                    await asyncio.sleep(0.03)
                    if number >= limit:
                        raise StepFailed(f"step {number}")
                    log.append(f"step {number}")
                alive.cancel()
        except ExceptionGroup as errors:
            (error,) = errors.exceptions
            log.append(f"{type(error).__name__} {error}")
        await perform(log[-1])
        return log


@workflow
class GroupNested(Workflow):
    """Groups in groups, with results collected by closures."""

    async def run(self, regions: dict[str, list[str]]) -> dict[str, Any]:
        found: dict[str, list[str]] = {}
        order: list[str] = []

        async def region(name: str, hosts: list[str]) -> None:
            async with asyncio.TaskGroup() as inner:
                tasks = [inner.create_task(perform(f"{name}/{host}")) for host in hosts]
            found[name] = [task.result() for task in tasks]

        async with asyncio.TaskGroup() as outer:
            for name, hosts in regions.items():
                outer.create_task(region(name, hosts))
            order.append("all started")
        order.append("all ended")
        return {"found": {name: found[name] for name in regions}, "order": order, "count": sum(map(len, found.values()))}


@workflow
class DeadlineBlock(Workflow):
    """`asyncio.timeout` around several awaits; what was done before it fired is kept."""

    async def run(self, delays: list[float], limit: float) -> dict[str, Any]:
        done: list[float] = []
        expired = False
        try:
            async with asyncio.timeout(limit) as deadline:
                for delay in delays:
                    await asyncio.sleep(delay)
                    done.append(delay)
        except TimeoutError:
            expired = deadline.expired()
            await undo(f"{len(delays) - len(done)} left")
        else:
            await perform("all")
        return {"done": done, "expired": expired, "after": deadline.expired()}


@workflow
class DeadlineExtended(Workflow):
    """A deadline that moves with every sign of life, and nested ones of which the inner fires."""

    async def run(self, waits: list[float]) -> list[str]:
        log: list[str] = []
        try:
            async with asyncio.timeout(1):
                for wait in waits:
                    try:
                        async with asyncio.timeout(0.02):
                            await asyncio.sleep(wait)
                            log.append(f"{wait} in time")
                    except TimeoutError:
                        log.append(f"{wait} late")
                        if wait > 0.5:
                            raise
        except TimeoutError as error:
            log.append(f"out {error.__cause__ is None}")
        finally:
            await perform(str(len(log)))
        return log


@workflow
class GroupInTimeout(Workflow):
    """A whole group under a deadline: its tasks are cancelled, and the timeout is what is seen."""

    async def run(self, steps: list[Step], limit: float) -> list[str]:
        log: list[str] = []
        try:
            async with asyncio.timeout(limit), asyncio.TaskGroup() as group:
                for step in steps:
                    group.create_task(step_through(step, log), name=step.name)
            log.append("in time")
        except TimeoutError:
            log.append("late")
        except ExceptionGroup as errors:
            log.append(f"{len(errors.exceptions)} failed: {errors.exceptions[0]}")
        await perform(log[-1])
        return log


@workflow
class GroupCreatesLater(Workflow):
    """Tasks that add tasks to their own group: a crawl of a tree."""

    async def run(self, tree: dict[str, list[str]], root: str) -> dict[str, Any]:
        depth: dict[str, int] = {}

        async def visit(group: asyncio.TaskGroup, node: str, level: int) -> None:
            if node in depth:
                return
            depth[node] = level
            await asyncio.sleep(0.001 * (level + 1))
            for child in tree.get(node, []):
                group.create_task(visit(group, child, level + 1))

        async with asyncio.TaskGroup() as group:
            group.create_task(visit(group, root, 0))
        await perform(str(len(depth)))
        return {"depth": depth, "deepest": max(depth.values())}


@workflow
class GroupTriage(Workflow):
    """What failed is split by kind: the one is counted, the rest is raised."""

    async def run(self, steps: list[Step]) -> dict[str, Any]:
        log: list[str] = []
        try:
            async with asyncio.TaskGroup() as group:
                for step in steps:
                    group.create_task(step_through(step, log))
        except ExceptionGroup as errors:
            fatal, others = errors.split(Fatal)
            count = len(others.exceptions) if others else 0
            await undo(f"{count} others")
            if fatal is not None:
                raise ValueError(str(fatal)) from None
            return {"others": count, "log": log}
        return {"log": log}


@workflow
class FuzzClosedTaskGroups(Workflow):
    """What a group says that takes no more tasks."""

    async def run(self) -> list[str]:
        said = []

        async def fail() -> None:
            raise ValueError("first")

        async def late(group: Any) -> None:
            try:
                await asyncio.sleep(600)
            finally:
                try:
                    group.create_task(asyncio.sleep(0))
                except RuntimeError as error:
                    said.append(str(error))

        group = asyncio.TaskGroup()
        try:
            group.create_task(asyncio.sleep(0))
        except RuntimeError as error:
            said.append(str(error))
        try:
            async with group:
                group.create_task(late(group))
                group.create_task(fail())
        except ExceptionGroup as errors:
            said.append(str(errors.exceptions))
        try:
            group.create_task(asyncio.sleep(0))
        except RuntimeError as error:
            said.append(str(error))
        return said


@workflow
class FuzzTasksStayHere(Workflow):
    """What a worker does before and after a line that looks at a task is no reason to take the task there."""

    async def run(self, places: list[int]) -> list[Any]:
        async def work(number: int) -> str:
            await asyncio.sleep(number / 100)
            return await perform(str(number))

        said: list[Any] = []
        tasks = [asyncio.create_task(work(number)) for number in range(3)]
        more: list[asyncio.Task[str]] = []
        for number in range(2):
            more.append(asyncio.create_task(work(number)))
        done, pending = await asyncio.wait(tasks)
        async with asyncio.TaskGroup() as group:
            last = group.create_task(work(7))
        bisect.insort(places, 1)
        said.append(last.result())
        said.append(json.dumps([task.result() for task in tasks], indent=1))
        bisect.insort(places, 5)
        said.append(len(done) + len(pending))
        bisect.insort(places, 6)
        said.append(sorted(task.result() for task in done))
        first = tasks[0]
        bisect.insort(places, 9)
        said.append(first.done())
        pattern = re.compile("<7+>", re.DOTALL)
        said.append(last.exception() is None)
        said.append(bool(pattern.fullmatch("<77>")))
        for task in more:
            said.append(json.dumps(await task, indent=1))
            bisect.insort(places, 3)
            said.append(task.done())
            bisect.insort(places, 4)
        return [said, places]


CASES = [
    Case(GroupResults, (["a", "b", "c"],), concurrent=True),
    Case(GroupFailure, ([Step(0.03, "c"), Step(0.01, "a"), Step(0.02, "b", "fail"), Step(0.04, "d")],)),
    Case(GroupFailure, ([Step(0.01, "a"), Step(0.02, "b")],), name="fine"),
    Case(GroupSplit, ([Step(0.01, "a"), Step(0.02, "b", "fail"), Step(0.02, "c", "fail")],)),
    Case(GroupSplit, ([Step(0.01, "a", "fatal"), Step(0.01, "b", "fail")],), name="fatal"),
    Case(GroupSplit, ([Step(0.01, "a")],), name="fine"),
    Case(GroupBodyFails, (1,)),
    Case(GroupBodyFails, (9,), name="ends"),
    Case(GroupNested, ({"eu": ["a", "b"], "us": ["c"], "none": []},), concurrent=True),
    Case(DeadlineBlock, ([0.01, 0.01, 0.05], 0.03)),
    Case(DeadlineBlock, ([0.01], 0.03), name="in-time"),
    Case(DeadlineExtended, ([0.01, 0.03, 0.015, 0.6, 0.01],)),
    Case(GroupInTimeout, ([Step(0.01, "a"), Step(0.5, "b")], 0.03)),
    Case(GroupInTimeout, ([Step(0.01, "a"), Step(0.02, "b", "fail")], 0.03), name="fails"),
    Case(GroupInTimeout, ([Step(0.01, "a")], 0.03), name="in-time"),
    Case(GroupCreatesLater, ({"r": ["a", "b"], "a": ["c", "b"], "c": ["r", "d"]}, "r")),
    Case(GroupTriage, ([Step(0.01, "a", "fail"), Step(0.01, "b", "fail")],)),
    Case(GroupTriage, ([Step(0.01, "a", "fatal"), Step(0.01, "b", "fail")],), name="fatal"),
    Case(FuzzClosedTaskGroups),
    Case(FuzzTasksStayHere, ([3, 8],), concurrent=True),
]
