"""The client's own event loop, in a thread: it finds the bridge and keeps the connection, which everybody shares, whichever loop, thread or
plain code they call from. Calls are made where somebody wants them.

A fork takes neither threads nor connections along, and grpc must not be in use while it happens: connections are closed before it, and each
process makes its own when it needs one.
"""

from __future__ import annotations

import asyncio
import functools
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
_after_in_parents: list[Callable[[], Awaitable[None]]] = []
_after_in_children: list[Callable[[], None]] = []
#: Not so in a fork that had begun when these functions were registered.
_is_prepared = False


def background() -> Background:
    global _background
    with _lock:
        if _background is None:
            _background = Background()
        return _background


async def call(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs it on the client's loop, and waits on this one."""
    client = _background
    # On its own loop nothing is locked: a fork holds the lock while it waits for that loop.
    if client is not None and asyncio.get_running_loop() is client.loop:
        return await work
    return await asyncio.wrap_future(background().submit(work))


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


def at_fork(before: Callable[[], Awaitable[None]], in_parent: Callable[[], Awaitable[None]], in_child: Callable[[], None]) -> None:
    """`before` and `in_parent` run on the client's loop, in this order, also when the fork did not wait for the first."""
    _before_fork.append(before)
    _after_in_parents.append(in_parent)
    _after_in_children.append(in_child)


@functools.cache
def heed_forks() -> None:
    """To be called when grpc has made a channel: by then it has registered itself. Whoever registers last comes first before a fork, and
    grpc waits for its threads then, which end when connections are closed."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_before, after_in_parent=_after_in_parent)


def _before() -> None:
    global _is_prepared
    _lock.acquire()
    _is_prepared = True
    if _background is not None and threading.current_thread() is not _background._thread:
        for close in _before_fork:
            try:
                _background.submit(_call(close)).result(CLOSE_SECONDS_MAX)
            except Exception:  # noqa: BLE001 - a fork can't fail because of us
                continue


async def _call(close: Callable[[], Awaitable[None]]) -> None:
    await close()


def _after_in_parent() -> None:
    global _is_prepared
    if not _is_prepared:
        return
    _is_prepared = False
    if _background is not None:
        for after in _after_in_parents:
            _background.submit(_call(after))
    _lock.release()


def _after_in_child() -> None:
    global _background, _is_prepared, _lock
    _lock, _is_prepared = threading.Lock(), False
    _background = None
    for after in _after_in_children:
        after()


if hasattr(os, "register_at_fork"):
    # A child has no loop of its own, whether or not there was ever a channel.
    os.register_at_fork(after_in_child=_after_in_child)
