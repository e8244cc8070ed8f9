"""What goes to the engine: everything that is ready goes in one frame, and nothing waits for more."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from waymark._proto.worker_pb2 import Progress, Settled, WorkerFrame

#: A frame that has gathered this much is sent.
_FRAME_BYTES_WANTED = 1 << 20


class Stream(Protocol):
    @property
    def has_room(self) -> bool: ...
    def send(self, message: bytes) -> None: ...
    def done(self) -> None:
        """Nothing more is sent."""


class Outbox:
    """`post` is for all threads, everything else for the loop's. What a turn of the loop has made ready goes at its end."""

    def __init__(self, loop: asyncio.AbstractEventLoop, stream: Stream) -> None:
        self._loop = loop
        self._stream = stream
        self._items: deque[Settled | Progress] = deque()
        self._beat = False
        self._draining = False
        self._closed = False
        self._is_due = False
        self._signalled = False
        #: Frames that were sent.
        self.sent = 0

    def add(self, item: Settled | Progress) -> None:
        self._items.append(item)
        self._send_soon()

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
        self._send_soon()

    def beat(self) -> None:
        """Says that the worker is alive."""
        self._beat = True
        self._send_soon()

    def ask_to_drain(self) -> None:
        self._draining = True
        self._send_soon()

    def close(self) -> None:
        """Nothing more comes after what is there."""
        self._closed = True
        self._send_soon()

    def _send_soon(self) -> None:
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self.send)

    def send(self) -> None:
        """As far as the stream has room; it calls this when it has some again."""
        self._is_due = False
        while self._stream.has_room and (self._items or self._beat or self._draining):
            self._stream.send(self._take().SerializeToString())
            self.sent += 1
        if self._closed and not self._items:
            self._stream.done()

    def _take(self) -> WorkerFrame:
        settled, progress, size = [], [], 0
        while self._items and size < _FRAME_BYTES_WANTED:
            item = self._items.popleft()
            size += item.ByteSize()
            (settled if isinstance(item, Settled) else progress).append(item)
        frame = WorkerFrame(settled=settled, progress=progress, draining=self._draining)
        self._beat = self._draining = False
        return frame
