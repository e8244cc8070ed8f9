"""The client's own event loop, in a thread: whoever calls, from whichever loop, thread or plain code, shares one connection.

A fork takes neither threads nor connections along, and grpc must not be in use while it happens: connections are closed before it, and each
process makes its own when it needs one.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
import weakref
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

#: How long a fork waits for connections to be closed.
CLOSE_SECONDS_MAX = 5.0


class Mail:
    """Calls that one loop wants to have made on another, in another thread. Waking a loop costs more than most of them, and makes threads
    take turns; so those of one turn of a loop share that."""

    def __init__(self, to: asyncio.AbstractEventLoop) -> None:
        self._to = weakref.ref(to)
        self._calls: deque[Callable[[], None]] = deque()
        self._is_waking = False

    def post(self, call: Callable[[], None], here: asyncio.AbstractEventLoop) -> None:
        """From the loop `here`. It must not raise."""
        self._calls.append(call)
        # Whoever finds it waking has put its call where it will be found: calls are taken after this is taken back.
        if not self._is_waking:
            self._is_waking = True
            here.call_soon(self._wake)

    def _wake(self) -> None:
        to = self._to()
        try:
            if to is not None:
                to.call_soon_threadsafe(self._make_calls)
        except RuntimeError:
            # It is closed: whoever waited there does not any more.
            self._calls.clear()

    def _make_calls(self) -> None:
        self._is_waking = False
        for _ in range(len(self._calls)):
            self._calls.popleft()()


#: Of the loops that have called.
_mail: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Mail] = weakref.WeakKeyDictionary()


def _mail_of(loop: asyncio.AbstractEventLoop) -> Mail:
    mail = _mail.get(loop)
    if mail is None:
        mail = _mail[loop] = Mail(loop)
    return mail


class Background:
    """A loop in a daemon thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.mail = Mail(self.loop)
        self._thread = threading.Thread(target=self._run, name="waymark-client", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def submit(self, work: Coroutine[Any, Any, Result]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop)


_lock = threading.Lock()
_background: Background | None = None
#: Closes what grpc has open, and lets nobody open anything; then lets them again.
_before_fork: list[Callable[[], Awaitable[None]]] = []
_after_fork: list[Callable[[bool], None]] = []


def background() -> Background:
    global _background
    with _lock:
        if _background is None:
            _background = Background()
        return _background


class _Call(Generic[Result]):
    """Work on the client's loop for which somebody waits on another."""

    def __init__(self, work: Coroutine[Any, Any, Result], client: Background, here: asyncio.AbstractEventLoop) -> None:
        self.answer: asyncio.Future[Result] = here.create_future()
        self._work = work
        self._client = client
        self._back = _mail_of(here)
        self._context = contextvars.copy_context()
        self._task: asyncio.Task[Result] | None = None

    def begin(self) -> None:
        self._task = self._context.run(self._client.loop.create_task, self._work)
        self._task.add_done_callback(lambda _: self._back.post(self._end, self._client.loop))

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _end(self) -> None:
        assert self._task is not None
        error = None if self._task.cancelled() else self._task.exception()
        if self.answer.done():
            return  # Nobody waits any more.
        if self._task.cancelled():
            self.answer.cancel()
        elif error is not None:
            self.answer.set_exception(error)
        else:
            self.answer.set_result(self._task.result())


async def call(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs it on the client's loop, and waits on this one."""
    client, here = background(), asyncio.get_running_loop()
    if here is client.loop:
        return await work
    call = _Call(work, client, here)
    client.mail.post(call.begin, here)
    try:
        return await call.answer
    except asyncio.CancelledError:
        client.mail.post(call.cancel, here)
        raise


def run(work: Coroutine[Any, Any, Result], name: str) -> Result:
    """Runs it on the client's loop, and blocks this thread."""
    if asyncio._get_running_loop() is not None:
        work.close()
        raise RuntimeError(f"{name}_sync would block the event loop that runs here\nhint: await {name}(…) instead")
    pending = background().submit(work)
    try:
        return pending.result()
    except BaseException:
        pending.cancel()
        raise


def at_fork(before: Callable[[], Awaitable[None]], after: Callable[[bool], None]) -> None:
    """`before` runs on the client's loop; `after` is told whether it is in the child."""
    _before_fork.append(before)
    _after_fork.append(after)


def _before() -> None:
    _lock.acquire()
    if _background is not None and threading.current_thread() is not _background._thread:
        for close in _before_fork:
            try:
                _background.submit(_call(close)).result(CLOSE_SECONDS_MAX)
            except Exception:  # noqa: BLE001 - a fork can't fail because of us
                continue


async def _call(close: Callable[[], Awaitable[None]]) -> None:
    await close()


def _after_in_parent() -> None:
    _lock.release()
    for after in _after_fork:
        after(False)


def _after_in_child() -> None:
    global _background, _lock
    _lock = threading.Lock()
    _background = None
    for after in _after_fork:
        after(True)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
