"""CPython's own answer: the workflow's `run()` in an event loop whose time is virtual and whose actions answer one after another."""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import selectors
import signal
import sys
import warnings
from collections.abc import Iterator
from typing import Any
from unittest import mock

from fuzz import journal, world
from fuzz.journal import CannotCross, Journal, TooLong, copied, describe, describe_error
from waymark import actions

#: Of the processor's time, for one run: some programs append to what they walk through, and would never end.
SECONDS_MAX = 5.0


class Blocked(BaseException):
    """Nothing will ever happen any more."""


class _Answer(asyncio.Future):
    """An action that is out. Asked to stop, it has stopped only when the loop has nothing else to do."""

    at: float

    def cancel(self, msg: Any = None) -> bool:
        loop: Any = self.get_loop()
        if self.done() or self in loop.stopping:
            return not self.done()
        loop.stopping.append(self)
        return True

    def stopped(self) -> None:
        super().cancel()


class _Task(asyncio.Task):
    """Sets of tasks are in the order of creation, not of addresses."""

    numbers = itertools.count()

    def __init__(self, *args: Any, **options: Any) -> None:
        self.number = next(_Task.numbers)
        super().__init__(*args, **options)

    def __hash__(self) -> int:
        return self.number


class _Selector(selectors.DefaultSelector):
    loop: Any = None

    def select(self, timeout: float | None = None) -> Any:
        if timeout != 0:
            self.loop.nothing_is_ready(timeout)
        return []


class _Loop(asyncio.SelectorEventLoop):
    """One event after another, as an instance has them: those that were stopped, then what has been answered, then timers."""

    def __init__(self) -> None:
        selector = _Selector()
        super().__init__(selector)
        selector.loop = self
        self._clock_resolution = 1e-8
        self.now = 0.0
        self.timers = itertools.count()
        self.out: list[_Answer] = []
        self.stopping: list[_Answer] = []
        self.set_task_factory(lambda loop, work, **options: _Task(work, loop=loop, **options))
        self.set_exception_handler(lambda loop, context: None)

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Any:
        # Equal times stay in the order of the calls.
        return super().call_at(round(when, 6) + next(self.timers) * 1e-12, callback, *args, context=context)

    def nothing_is_ready(self, timeout: float | None) -> None:
        if self.stopping:
            answer = self.stopping.pop(0)
            if answer in self.out:
                self.out.remove(answer)
            answer.stopped()
            return
        deadline = None if timeout is None else round(self.now + timeout, 6)
        first = min(self.out, key=lambda answer: answer.at, default=None)
        if first is not None and (deadline is None or first.at <= deadline):
            self.out.remove(first)
            # An event of its own: timers of the same time come after what it leads to.
            self.now = max(self.now, first.at - 1e-7)
            first.set_result(None)
        elif deadline is not None:
            self.now = deadline
        else:
            raise Blocked


async def _wait(seconds: float) -> None:
    loop: Any = asyncio.get_running_loop()
    answer = _Answer()
    answer.at = round(loop.now + journal.current.duration(seconds), 6)
    loop.out.append(answer)
    await answer


async def _run_action(self: Any, args: Any, kwargs: Any, run_sync: Any) -> Any:
    """What crosses to a worker and back is a copy."""
    args, kwargs = copied(list(args)), copied(kwargs)
    journal.current.called(self.function.__name__, args, kwargs)
    if not self.is_async:
        await _wait(0)
        return copied(self.function(*args, **kwargs))
    return copied(await self.function(*args, **kwargs))


async def _wait_for(awaitable: Any, timeout: float | None) -> Any:
    """That of Python 3.12: no task of its own."""
    if timeout is not None and timeout <= 0:
        awaitable = asyncio.ensure_future(awaitable)
        if awaitable.done():
            return awaitable.result()
        awaitable.cancel()
        try:
            await awaitable
        except asyncio.CancelledError as error:
            raise TimeoutError from error
        return awaitable.result()
    async with asyncio.timeout(timeout):
        return await awaitable


_real_as_completed = asyncio.as_completed


def _as_completed(awaitables: Any, *, timeout: float | None = None) -> Any:
    """CPython makes tasks of them in the order of a set of addresses; here it is the order in which they are given."""
    return _real_as_completed([asyncio.ensure_future(each) for each in awaitables], timeout=timeout)


@contextlib.contextmanager
def _patched(noted: Journal) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(noted))  # type: ignore[type-var]
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(mock.patch.object(world.Turn, "wait", staticmethod(_wait)))
        stack.enter_context(mock.patch.object(actions.Action, "run", _run_action))
        stack.enter_context(mock.patch.object(asyncio, "as_completed", _as_completed))
        if sys.version_info[:2] == (3, 11):
            stack.enter_context(mock.patch.object(asyncio, "wait_for", _wait_for))
        yield


def run(workflow: Any, inputs: tuple[Any, ...]) -> Journal:
    noted = journal.start()
    _Task.numbers = itertools.count()
    with _patched(noted), _limited():
        loop = _Loop()
        asyncio.set_event_loop(loop)
        try:
            noted.note(_ending(loop, workflow, copied(list(inputs))))
        except Blocked:
            noted.note("waits for ever")
        finally:
            asyncio.set_event_loop(None)
            _drop(loop)
            loop.close()
    return noted


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def too_long(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, too_long)
    # Again and again: programs catch what they can.
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_MAX, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _drop(loop: _Loop) -> None:
    """Ends what waits for ever, or was too long, so that it does not end while something else runs."""
    with contextlib.redirect_stdout(io.StringIO()), mock.patch.object(journal, "current", Journal()):
        for task in asyncio.all_tasks(loop):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            with contextlib.suppress(BaseException):
                task.get_coro().close()  # type: ignore[union-attr]


def _ending(loop: _Loop, workflow: Any, inputs: list[Any]) -> str:
    """What whoever calls `asyncio.run` gets: as it is when the tasks that were left have ended."""
    try:
        result = loop.run_until_complete(workflow().run_inline(*inputs))
    except (TooLong, Blocked, CannotCross):
        raise
    except BaseException as error:
        _close(loop)
        return f"raised {describe_error(error)}"
    _close(loop)
    return f"returned {describe(copied(result))}"


def _close(loop: _Loop) -> None:
    """Tasks that are left are cancelled when `run` has returned; then the instance ends."""
    left = sorted(asyncio.all_tasks(loop), key=hash)
    try:
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    except RecursionError:  # Tasks that wait for each other in a circle: docs/deviations.md.
        raise TooLong from None
