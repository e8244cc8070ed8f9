"""The client's own event loop, in a thread: it finds the bridge and keeps the connection, which everybody shares, whichever loop, thread or
plain code they call from. Calls are made where somebody wants them.

A fork takes neither threads nor connections along, and grpc must not be in use while it happens: connections are closed before it, and each
process makes its own when it needs one.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

#: How long a fork waits for connections to be closed.
CLOSE_SECONDS_MAX = 5.0


class Background:
    """A loop in a daemon thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
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


def is_running() -> bool:
    return _background is not None


async def call(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs it on the client's loop, and waits on this one."""
    client = background()
    if asyncio.get_running_loop() is client.loop:
        return await work
    return await asyncio.wrap_future(client.submit(work))


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
