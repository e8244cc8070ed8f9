"""What goes to the engine: everything that is ready goes in one frame, and nothing waits for more."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from waymark._proto.worker_pb2 import Progress, Settled, WorkerFrame

#: A frame that has gathered this much is sent.
_FRAME_BYTES_WANTED = 1 << 20


class Outbox:
    """`post` is for all threads, everything else for the loop's."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._items: deque[Settled | Progress] = deque()
        self._beat = False
        self._draining = False
        self._closed = False
        self._woken = asyncio.Event()
        self._signalled = False
        #: Frames that were sent.
        self.sent = 0

    def add(self, item: Settled | Progress) -> None:
        self._items.append(item)
        self._woken.set()

    def post(self, item: Settled | Progress) -> None:
        self._items.append(item)
        # One call wakes the loop for all that come until it has looked.
        if not self._signalled:
            self._signalled = True
            try:
                self._loop.call_soon_threadsafe(self._wake)
            except RuntimeError:  # The loop is closed: nobody wants it any more.
                return

    def _wake(self) -> None:
        self._signalled = False
        self._woken.set()

    def beat(self) -> None:
        """Says that the worker is alive."""
        self._beat = True
        self._woken.set()

    def ask_to_drain(self) -> None:
        self._draining = True
        self._woken.set()

    def close(self) -> None:
        """Ends the frames after what is there."""
        self._closed = True
        self._woken.set()

    async def frames(self) -> AsyncIterator[WorkerFrame]:
        while True:
            await self._woken.wait()
            self._woken.clear()
            while self._items or self._beat or self._draining:
                yield self._take()
                self.sent += 1
            if self._closed:
                return

    def _take(self) -> WorkerFrame:
        settled, progress, size = [], [], 0
        while self._items and size < _FRAME_BYTES_WANTED:
            item = self._items.popleft()
            size += item.ByteSize()
            (settled if isinstance(item, Settled) else progress).append(item)
        frame = WorkerFrame(settled=settled, progress=progress, draining=self._draining)
        self._beat = self._draining = False
        return frame
