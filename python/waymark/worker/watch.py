"""Notices when an async action blocks the event loop, and says where: nothing else can run meanwhile."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback

log = logging.getLogger("waymark.worker")


class Watch:
    """A thread that asks the loop for a sign of life, once in a while."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float = 2.0) -> None:
        self._loop, self._seconds = loop, seconds
        self._loop_thread = threading.get_ident()
        self._answered = threading.Event()
        self._ended = threading.Event()
        threading.Thread(target=self._run, name="waymark-watch", daemon=True).start()

    def end(self) -> None:
        self._ended.set()

    def _run(self) -> None:
        while not self._ended.wait(self._seconds):
            self._answered.clear()
            try:
                self._loop.call_soon_threadsafe(self._answered.set)
            except RuntimeError:  # It's closed.
                return
            if not self._answered.wait(self._seconds):
                self._warn()
                self._answered.wait()

    def _warn(self) -> None:
        frame = sys._current_frames().get(self._loop_thread)
        place = "".join(traceback.format_stack(frame, 8)) if frame else ""
        log.warning(
            "an async action has blocked the event loop for %g seconds: nothing else runs meanwhile, and the engine "
            "takes a worker that is silent for dead. Make it a plain `def`, which runs in a thread, or await. It is at:\n%s",
            self._seconds,
            place,
        )
