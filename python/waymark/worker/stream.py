"""The stream to the engine: who we are, calls that come, results that go."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import platform
from typing import Any

import grpc
import grpc.aio
from grpc.aio import EOF  # type: ignore[attr-defined]

from waymark._proto.worker_pb2 import EngineFrame, Hello, Welcome, WorkerFrame
from waymark.actions import registry
from waymark.connect import Server, Unusable
from waymark.worker.calls import Calls
from waymark.worker.outbox import Outbox
from waymark.worker.settings import FRAME_BYTES_MAX, Settings
from waymark.worker.watch import Watch

log = logging.getLogger("waymark.worker")

PROTOCOL_VERSION = 1
_METHOD = "/waymark.worker.v1.Workers/Work"
_CONNECT_SECONDS = 30.0
_TRIES = 5
#: For what is still running when the stream has ended. The pool kills a worker that stays for longer than two seconds.
_STOP_SECONDS = 1.0


class StreamError(Exception):
    """The engine can't be reached, or does not want us."""

    def __init__(self, message: str, code: grpc.StatusCode | None = None) -> None:
        super().__init__(message)
        self.code = code


class Worker:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._outbox: Outbox | None = None
        #: Whether everything has ended, so that the process can end in the ordinary way.
        self.is_idle = True

    async def run(self) -> None:
        """Until the stream ends."""
        server = self._settings.server
        if server.is_exposed and self._settings.token:
            log.warning(server.warning())
        async with _channel(server) as channel:
            try:
                await asyncio.wait_for(_ready(channel, server), _CONNECT_SECONDS)
            except asyncio.TimeoutError:
                raise StreamError(f"nothing answers at {server.address}") from None
            method = channel.stream_stream(_METHOD, WorkerFrame.SerializeToString, EngineFrame.FromString)
            token = self._settings.token
            metadata = (("authorization", f"Bearer {token}"),) if token else None
            for tries_left in reversed(range(_TRIES)):
                try:
                    return await self._work(method(metadata=metadata))
                except StreamError as error:
                    # A refusal that comes while we say hello is lost in gRPC, now and then: ask again for the reason.
                    if self._outbox is not None or not tries_left or error.code is not grpc.StatusCode.INTERNAL:
                        raise

    def leave(self) -> bool:
        """Asks for no more calls, finishes those that are here and ends. False: it's not connected yet."""
        if self._outbox is None:
            return False
        self._outbox.ask_to_drain()
        return True

    async def _work(self, stream: Any) -> None:
        try:
            await stream.write(WorkerFrame(hello=self._hello()))
            first = await stream.read()
        except grpc.aio.AioRpcError:
            first = EOF
        if first is EOF:
            return await _raise_status(stream)
        welcome: Welcome = first.welcome
        log.debug("worker %s is connected, with %d actions", welcome.worker_id, len(registry))
        outbox = self._outbox = Outbox(asyncio.get_running_loop())
        calls = Calls(self._settings.slots, self._settings.connections, welcome.payload_bytes_max, outbox)
        watch = Watch(asyncio.get_running_loop())
        background = [
            asyncio.create_task(_send(stream, outbox)),
            asyncio.create_task(_beat(outbox, max(welcome.heartbeat_ms, 1) / 1000)),
        ]
        try:
            with contextlib.suppress(grpc.aio.AioRpcError):
                await self._read(stream, calls, outbox)
            await _raise_status(stream)
        finally:
            watch.end()
            self.is_idle = await calls.stop(_STOP_SECONDS)
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)

    async def _read(self, stream: Any, calls: Calls, outbox: Outbox) -> None:
        while True:
            frame = await stream.read()
            if frame is EOF:
                return
            for call in frame.calls:
                calls.start(call)
            for cancel in frame.cancels:
                calls.cancel(cancel.call_id)
            if frame.drain:
                calls.on_idle = outbox.close
                if not calls.held:
                    outbox.close()

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


def _channel(server: Server) -> grpc.aio.Channel:
    options: list[tuple[str, Any]] = [
        ("grpc.max_send_message_length", FRAME_BYTES_MAX),
        ("grpc.max_receive_message_length", FRAME_BYTES_MAX),
        ("grpc.enable_http_proxy", 0),
        ("grpc.enable_retries", 0),
        *server.options(),
    ]
    if server.is_socket:
        # gRPC would make the authority of the path, and the engine's side finds that malformed.
        return grpc.aio.insecure_channel(server.target, [*options, ("grpc.default_authority", "localhost")])
    # A host that has gone without a word is noticed.
    options += [("grpc.keepalive_time_ms", 30_000), ("grpc.keepalive_timeout_ms", 10_000)]
    try:
        credentials = server.credentials()
    except Unusable as error:
        raise StreamError(str(error)) from error
    if credentials is None:
        return grpc.aio.insecure_channel(server.target, options)
    return grpc.aio.secure_channel(server.target, credentials, options)


async def _ready(channel: grpc.aio.Channel, server: Server) -> None:
    """Waits for an engine that is not there yet, but not for one that can't be talked to."""
    while (state := channel.get_state(try_to_connect=True)) is not grpc.ChannelConnectivity.READY:
        if state is grpc.ChannelConnectivity.TRANSIENT_FAILURE:
            problem = await asyncio.to_thread(server.problem)
            if problem is not None:
                raise StreamError(problem)
        await channel.wait_for_state_change(state)


async def _send(stream: Any, outbox: Outbox) -> None:
    try:
        async for frame in outbox.frames():
            await stream.write(frame)
        await stream.done_writing()
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        return  # The stream is over; whoever reads it knows why.


async def _beat(outbox: Outbox, seconds: float) -> None:
    while True:
        sent = outbox.sent
        await asyncio.sleep(seconds)
        if outbox.sent == sent:
            outbox.beat()


async def _raise_status(stream: Any) -> None:
    code = await stream.code()
    if code is not grpc.StatusCode.OK:
        reason = await stream.details() or "it did not say why"
        raise StreamError(f"the engine has ended the stream: {reason} ({code.name})", code)


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("waymark")
    except metadata.PackageNotFoundError:
        return "0"
