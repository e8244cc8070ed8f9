"""Runs a case of the corpus in one of the four ways, and says what came of it in a form that can be compared."""

from __future__ import annotations

import asyncio
import importlib
import json
import pathlib
import pkgutil
import selectors
from collections.abc import Coroutine
from typing import Any

import corpus
from corpus import Case
from waymark import actions, values
from waymark.testing import run_program

Outcome = tuple[str, Any]


def all_cases() -> list[Case]:
    found = []
    for module in sorted(pkgutil.iter_modules([str(pathlib.Path(__file__).parent)]), key=lambda each: each.name):
        found.extend(getattr(importlib.import_module(f"corpus.{module.name}"), "CASES", []))
    return found


class _Selector(selectors.DefaultSelector):
    """Nothing is waited for: the clock of the loop jumps."""

    loop: SkippingLoop

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if timeout and not ready:
            self.loop.skipped += timeout
        return ready


class SkippingLoop(asyncio.SelectorEventLoop):
    """asyncio whose sleeps take no time. Threads would be missed, so there must be none: sync actions run inline."""

    def __init__(self) -> None:
        selector = _Selector()
        selector.loop = self
        self.skipped = 0.0
        self._timers = 0
        super().__init__(selector)

    def time(self) -> float:
        """Stands still while code runs, so that what is due at the same time happens in the same turn."""
        return self.skipped

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        """The first comes first, as with a clock that never gives the same time twice: the loop's heap does not see to that."""
        self._timers += 1
        return super().call_at(round(when, 6) + self._timers * 1e-13, callback, *args, context=context)


def in_skipping_loop(work: Coroutine[Any, Any, Any]) -> Any:
    loop = SkippingLoop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.run_until_complete(_end_the_rest())
        loop.close()


async def _end_the_rest() -> None:
    """As `asyncio.run` does, and as an instance does when its `run` has returned."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


def copy(value: Any) -> Any:
    return values.decode(values.encode(value))


def describe(value: Any) -> str:
    """Comparable: sets have no order, and everything else is what it is."""
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}{sorted(describe(item) for item in value)}"
    if isinstance(value, dict) and type(value) is dict:
        return "{" + ", ".join(f"{describe(key)}: {describe(item)}" for key, item in value.items()) + "}"
    if type(value) in (list, tuple):
        return f"{type(value).__name__}[{', '.join(describe(item) for item in value)}]"
    if isinstance(value, BaseException):
        return describe_error(value)
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return f"{type(value).__name__}{describe(dict(vars(value)))}"
    return f"{type(value).__name__}:{value!r}"


def describe_error(error: BaseException) -> str:
    fields = {name: field for name, field in vars(error).items() if not name.startswith("_")}
    cause = f" from {describe_error(error.__cause__)}" if _is_real(error.__cause__) else ""
    return f"{type(error).__name__}{error.args!r} {describe(fields)}{cause}"


def _is_real(cause: BaseException | None) -> bool:
    return cause is not None and type(cause).__name__ != "RemoteTraceback"


def outcome_of(work: Any) -> Outcome:
    try:
        return "completed", describe(work())
    except (Exception, asyncio.CancelledError) as error:
        return "failed", describe_error(error)


def run_inline(case: Case) -> tuple[Outcome, list[Any]]:
    noted: list[Any] = []
    token = corpus._run.set(noted)
    try:
        args, kwargs = copy(list(case.args)), copy(case.kwargs)
        outcome = outcome_of(lambda: copy(in_skipping_loop(_inline(case, args, kwargs))))
    finally:
        corpus._run.reset(token)
    return outcome, json.loads(json.dumps(noted, default=repr))


async def _inline(case: Case, args: list[Any], kwargs: dict[str, Any]) -> Any:
    in_thread = actions._in_thread
    actions._in_thread = actions.run_at_once  # type: ignore[attr-defined]
    try:
        return await case.workflow().run_inline(*args, **kwargs)
    finally:
        actions._in_thread = in_thread


def run_in_memory(case: Case) -> tuple[Outcome, list[Any]]:
    noted: list[Any] = []
    token = corpus._run.set(noted)
    try:
        outcome = outcome_of(lambda: _in_memory(case))
    finally:
        corpus._run.reset(token)
    return outcome, json.loads(json.dumps(noted, default=repr))


def _in_memory(case: Case) -> Any:
    definition = case.workflow.__waymark__  # type: ignore[attr-defined]
    programs = {each.name: each.compiled().program for each in definition.family()}
    known = {name: _blocking(action) for name, action in actions.registry.items()}
    run = run_program(
        programs[definition.name], definition.bind(case.args, case.kwargs), known, workflows=programs, resume_between_events=True
    )
    if run.status == "completed":
        return run.value
    if run.error is not None:
        raise run.error
    raise AssertionError(f"{run.status}: {run.awaits}")


def _blocking(action: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        if not action.needs_loop:
            return action.run_blocking(args, kwargs)
        return in_skipping_loop(action(*args, **kwargs))

    return call
