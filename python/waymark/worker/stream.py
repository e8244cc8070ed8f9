"""The stream to the engine: who we are, calls that come, results that go."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import time

from waymark._proto.worker_pb2 import EngineFrame, Hello, Welcome, WorkerFrame
from waymark.actions import registry
from waymark.connect import Server, Unusable
from waymark.worker import http2
from waymark.worker.calls import Calls
from waymark.worker.outbox import Outbox
from waymark.worker.settings import FRAME_BYTES_MAX, Settings
from waymark.worker.watch import Watch

log = logging.getLogger("waymark.worker")

PROTOCOL_VERSION = 1
_METHOD = "/waymark.worker.v1.Workers/Work"
_CONNECT_SECONDS = 30.0
_AGAIN_SECONDS = 0.2
#: For what is still running when the stream has ended. The pool kills a worker that stays for longer than two seconds.
_STOP_SECONDS = 1.0


class StreamError(Exception):
    """The engine can't be reached, or does not want us."""


class Worker:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._work: _Work | None = None
        #: Whether everything has ended, so that the process can end in the ordinary way.
        self.is_idle = True

    async def run(self) -> None:
        """Until the stream ends."""
        server, token = self._settings.server, self._settings.token
        if server.is_exposed and token:
            log.warning(server.warning())
        stream = await self._connect(server)
        try:
            stream.begin(_METHOD, [("authorization", f"Bearer {token}")] if token else [])
            stream.send(WorkerFrame(hello=self._hello()).SerializeToString())
            await asyncio.wait([stream.ended])
        finally:
            stream.close()
            if self._work is not None:
                self.is_idle = await self._work.stop()
        status = stream.ended.result()
        if status.code != http2.OK:
            reason = status.message or "it did not say why"
            raise StreamError(f"the engine has ended the stream: {reason} ({status.name})")

    def leave(self) -> bool:
        """Asks for no more calls, finishes those that are here and ends. False: it's not connected yet."""
        if self._work is None:
            return False
        self._work.outbox.ask_to_drain()
        return True

    async def _connect(self, server: Server) -> http2.Call:
        """Waits for an engine that is not there yet, but not for one that can't be talked to."""
        end = time.monotonic() + _CONNECT_SECONDS
        while True:
            stream = self._stream = http2.Call(FRAME_BYTES_MAX, self._receive, self._on_room)
            try:
                await asyncio.wait_for(stream.connect(server), _CONNECT_SECONDS)
                return stream
            except BaseException as error:
                stream.close()
                if isinstance(error, Unusable):
                    raise StreamError(str(error)) from error
                if not isinstance(error, (OSError, asyncio.TimeoutError)):
                    raise
            problem = await asyncio.to_thread(server.problem)
            if problem is not None:
                raise StreamError(problem)
            if time.monotonic() > end:
                raise StreamError(f"nothing answers at {server.address}")
            await asyncio.sleep(_AGAIN_SECONDS)

    def _receive(self, message: bytes) -> None:
        frame = EngineFrame.FromString(message)
        if self._work is None:
            self._work = _Work(self._settings, self._stream, frame.welcome)
        self._work.take(frame)

    def _on_room(self) -> None:
        if self._work is not None:
            self._work.outbox.send()

    def _hello(self) -> Hello:
        return Hello(
            protocol_version=PROTOCOL_VERSION,
            worker_id=self._settings.worker_id,
            language="python",
            description=f"waymark {_version()} ({platform.python_implementation()} {platform.python_version()})",
            queues=self._settings.queues,
            actions=sorted(registry),
            fragments=True,
            slots=self._settings.slots,
            process_id=os.getpid(),
            imports_on_demand=True,
        )


class _Work:
    """What a worker that was welcomed has."""

    def __init__(self, settings: Settings, stream: http2.Call, welcome: Welcome) -> None:
        log.debug("worker %s is connected, with %d actions", welcome.worker_id, len(registry))
        loop = asyncio.get_running_loop()
        self.outbox = Outbox(loop, stream)
        self._calls = Calls(settings.slots, settings.connections, welcome.payload_bytes_max, self.outbox)
        self._watch = Watch(loop)
        self._beating = loop.create_task(_beat(self.outbox, max(welcome.heartbeat_ms, 1) / 1000))

    def take(self, frame: EngineFrame) -> None:
        for call in frame.calls:
            self._calls.start(call)
        for cancel in frame.cancels:
            self._calls.cancel(cancel.call_id)
        if frame.drain:
            self._calls.on_idle = self.outbox.close
            if not self._calls.held:
                self.outbox.close()

    async def stop(self) -> bool:
        """False: some of it can't be stopped."""
        self._watch.end()
        self._beating.cancel()
        return await self._calls.stop(_STOP_SECONDS)


async def _beat(outbox: Outbox, seconds: float) -> None:
    while True:
        sent = outbox.sent
        await asyncio.sleep(seconds)
        if outbox.sent == sent:
            outbox.beat()


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("waymark")
    except metadata.PackageNotFoundError:
        return "0"
