"""Groups of exceptions, and what task groups leave behind."""

from __future__ import annotations

import asyncio
from typing import Any

from corpus import Case, record
from waymark import Workflow, action, workflow


class Rejected(Exception):
    def __init__(self, name: str, retryable: bool = False) -> None:
        super().__init__(name)
        self.name = name
        self.retryable = retryable


@action
async def work(name: str, size: int = 1) -> str:
    record("work", name, size)
    if name.startswith("bad"):
        raise Rejected(name, retryable=size > 1)
    if name.startswith("odd"):
        raise ValueError(name)
    return name.upper() * size


@action
async def note_down(*what: object) -> int:
    record("note", *map(str, what))
    return len(what)


@workflow
class GroupedChecks(Workflow):
    """All fail at once; what was wrong is sorted by kind."""

    async def run(self, names: list[str]) -> dict[str, object]:
        tasks: dict[str, asyncio.Task[str]] = {}
        try:
            async with asyncio.TaskGroup() as group:
                for name in names:
                    tasks[name] = group.create_task(work(name, len(name)), name=name)
        except ExceptionGroup as error:
            kinds: dict[str, list[str]] = {}
            for inner in error.exceptions:
                kinds.setdefault(type(inner).__name__, []).append(str(inner))
            rejected, rest = error.split(Rejected)
            return {
                "kinds": kinds,
                "message": error.message,
                "rejected": [each.name for each in rejected.exceptions] if rejected else [],
                "rest": len(rest.exceptions) if rest else 0,
            }
        return {name: task.result() for name, task in tasks.items()}


@workflow
class GroupedFailures(Workflow):
    """Checks that wait for each other before they tell: all of them fail in one turn of the loop."""

    async def run(self, names: list[str]) -> dict[str, object]:
        waiting = len(names)
        all_checked = asyncio.Event()

        async def check(name: str) -> str:
            nonlocal waiting
            try:
                return await work(name, len(name))
            finally:
                waiting -= 1
                if waiting == 0:
                    all_checked.set()
                await all_checked.wait()

        try:
            async with asyncio.TaskGroup() as group:
                for name in names:
                    group.create_task(check(name))
        except ExceptionGroup as error:
            rejected, rest = error.split(Rejected)
            # They wait in the order in which their workers were done.
            return {
                "all": sorted(f"{type(inner).__name__} {inner}" for inner in error.exceptions),
                "rejected": sorted((each.name, each.retryable) for each in rejected.exceptions) if rejected else [],
                "rest": len(rest.exceptions) if rest else 0,
            }
        return {}


@workflow
class Deadline(Workflow):
    """Nested timeouts: the inner one is caught, the outer one ends the work."""

    async def run(self, inner: float, outer: float) -> list[str]:
        log: list[str] = []
        try:
            async with asyncio.timeout(outer):
                try:
                    async with asyncio.timeout(inner) as limit:
                        await asyncio.sleep(0.03)
                        log.append("slept")
                except TimeoutError:
                    log.append(f"inner {limit.expired()}")
                finally:
                    log.append("tidied")
                    await note_down(*log)
                await asyncio.sleep(0.03)
                log.append("slept again")
        except TimeoutError:
            log.append("outer")
        else:
            log.append("in time")
        return log


@workflow
class CollectedErrors(Workflow):
    """A group that is raised by hand, with notes, a cause, and groups inside."""

    async def run(self, names: list[str]) -> str:
        errors: list[Exception] = []
        for name in names:
            try:
                await work(name)
            except (Rejected, ValueError) as error:
                errors.append(error)
        if len(errors) > 1:
            inner = ExceptionGroup("inner", errors[1:])
            raise ExceptionGroup(f"{len(errors)} failed", [errors[0], inner]) from errors[0]
        if errors:
            raise errors.pop()
        return "fine"


@workflow
class Supervisor(Workflow):
    """A group whose tasks start more tasks, with results gathered on the way."""

    async def run(self, tree: dict[str, Any]) -> dict[str, object]:
        results: dict[str, str] = {}
        depth = 0

        async def walk(group: asyncio.TaskGroup, node: dict[str, Any], level: int = 1) -> None:
            nonlocal depth
            depth = max(depth, level)
            for name, children in node.items():
                results[name] = await work(name, level)
                if children:
                    group.create_task(walk(group, children, level + 1))

        async with asyncio.TaskGroup() as group:
            group.create_task(walk(group, tree))
        return {"results": dict(sorted(results.items())), "depth": depth}


@workflow
class CancelledSiblings(Workflow):
    """The first failure cancels the others, whose finally blocks still run."""

    async def run(self, names: list[str]) -> dict[str, object]:
        tidied: list[str] = []

        async def one(name: str, delay: float) -> str:
            try:
                await asyncio.sleep(delay)
                return await work(name)
            finally:
                tidied.append(name)

        outcome = "all done"
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(name, 0.01 * at)) for at, name in enumerate(names, 1)]
        except ExceptionGroup as errors:
            outcome = ", ".join(error.name for error in errors.exceptions if isinstance(error, Rejected))
        await note_down(*tidied)
        return {"outcome": outcome, "tidied": tidied, "cancelled": [task.cancelled() for task in tasks]}


@workflow
class SetNotes(Workflow):
    async def run(self, number: int) -> list[Any]:
        noted = ValueError("x")
        noted.add_note("a")
        noted.__notes__ = [*noted.__notes__, "b"]
        try:
            noted.add_note(number)  # type: ignore[arg-type]
        except TypeError as error:
            return [str(error), noted.__notes__]
        return []


CASES = [
    Case(SetNotes, (3,)),
    Case(GroupedChecks, (["a", "b"],), concurrent=True),
    Case(GroupedFailures, (["a", "bad1", "odd", "bad2"],), concurrent=True),
    Case(Deadline, (0.02, 0.04)),
    Case(Deadline, (1.0, 1.0), name="in_time"),
    Case(Deadline, (0.02, 1.0), name="inner"),
    Case(CollectedErrors, (["a", "bad", "odd", "bad2"],)),
    Case(CollectedErrors, (["a", "odd"],), name="one"),
    Case(CollectedErrors, (["a"],), name="none"),
    Case(Supervisor, ({"a": {"b": {}, "c": {"d": {}}}, "e": {}},), concurrent=True),
    Case(CancelledSiblings, (["a", "bad", "c"],)),
    Case(CancelledSiblings, (["a", "b"],), name="fine"),
]
