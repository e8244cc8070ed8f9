"""An engine's side of the workers' protocol, in this process: tests say what comes and look at what goes."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import uuid
from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio
import msgpack

from waymark._proto.worker_pb2 import (
    ActionCall,
    Call,
    Cancel,
    EngineFrame,
    FragmentCall,
    Hello,
    Settled,
    Welcome,
    WorkerFrame,
)
from waymark.values import decode, encode

TOKEN = "secret"
TIME_LIMIT = 20.0


class Session:
    """A worker that has connected."""

    def __init__(self, hello: Hello) -> None:
        self.hello = hello
        self.frames: list[WorkerFrame] = []
        self.ended = asyncio.Event()
        self._numbers = itertools.count(1)
        self._outgoing: asyncio.Queue[EngineFrame | None] = asyncio.Queue()
        self._settled: dict[int, asyncio.Future[Settled]] = {}
        self._arrived = asyncio.Event()

    def send(self, **parts: Any) -> None:
        self._outgoing.put_nowait(EngineFrame(**parts))

    def end(self) -> None:
        self._outgoing.put_nowait(None)

    def cancel(self, call: Call) -> None:
        self.send(cancels=[Cancel(call_id=call.call_id)])

    def action(self, name: str, *args: Any, timeout_ms: int = 0, attempt: int = 1, **kwargs: Any) -> Call:
        call = ActionCall(name=name, positional=encode(list(args)), keyword=encode(kwargs))
        return self._call(action=call, timeout_ms=timeout_ms, attempt=attempt)

    def fragment(self, source: str, captures: Any = (), objects: Any = (), writes: Any = ()) -> Call:
        packed = FragmentCall(source=source, captures=msgpack.packb(captures), objects=msgpack.packb(objects), writes=writes)
        return self._call(fragment=packed)

    def _call(self, **parts: Any) -> Call:
        number = next(self._numbers)
        call = Call(
            call_id=number,
            execution_id=f"exec-{number}",
            instance_id=uuid.UUID(int=7).bytes,
            workflow_name="Welcome",
            **{"attempt": 1, **parts},
        )
        self._settled[number] = asyncio.get_running_loop().create_future()
        return call

    def start(self, *calls: Call) -> None:
        self.send(calls=calls)

    async def settled(self, call: Call) -> Settled:
        return await asyncio.wait_for(asyncio.shield(self._settled[call.call_id]), TIME_LIMIT)

    def is_settled(self, call: Call) -> bool:
        return self._settled[call.call_id].done()

    async def run(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """The result of an action; its exception is raised."""
        call = self.action(name, *args, **kwargs)
        self.start(call)
        return outcome(await self.settled(call))

    async def until(self, holds: Any) -> None:
        """Waits until what the worker has sent fulfils this."""

        async def wait() -> None:
            while not holds(self):
                self._arrived.clear()
                await self._arrived.wait()

        await asyncio.wait_for(wait(), TIME_LIMIT)

    def receive(self, frame: WorkerFrame) -> None:
        self.frames.append(frame)
        for settled in frame.settled:
            future = self._settled.get(settled.call_id)
            if future is not None and not future.done():
                future.set_result(settled)
        if frame.draining:
            self.send(drain=True)
        self._arrived.set()


def outcome(settled: Settled) -> Any:
    kind = settled.WhichOneof("outcome")
    if kind == "completed":
        return decode(settled.completed)
    if kind == "failed":
        raise decode(settled.failed)
    raise AssertionError(f"settled as {kind}")


class FakeHub:
    def __init__(self, heartbeat_ms: int = 5000, payload_bytes_max: int = 4 << 20) -> None:
        self.heartbeat_ms, self.payload_bytes_max = heartbeat_ms, payload_bytes_max
        self.address = ""
        self.sessions: asyncio.Queue[Session] = asyncio.Queue()
        self.refusal: tuple[grpc.StatusCode, str] | None = None

    async def session(self) -> Session:
        return await asyncio.wait_for(self.sessions.get(), TIME_LIMIT)

    async def _work(self, requests: AsyncIterator[WorkerFrame], context: Any) -> AsyncIterator[EngineFrame]:
        metadata = dict(context.invocation_metadata())
        if metadata.get("authorization") != f"Bearer {TOKEN}":
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "a token is needed")
        if self.refusal is not None:
            await context.abort(*self.refusal)
        first = await requests.__anext__()
        session = Session(first.hello)
        yield EngineFrame(
            welcome=Welcome(
                worker_id=first.hello.worker_id or "made-up",
                heartbeat_ms=self.heartbeat_ms,
                payload_bytes_max=self.payload_bytes_max,
            )
        )
        await self.sessions.put(session)

        async def listen() -> None:
            with contextlib.suppress(grpc.aio.AioRpcError, grpc.aio.UsageError):
                async for frame in requests:
                    session.receive(frame)
            # As the engine does: the stream of a worker that has ended its side is over.
            session.ended.set()
            session.end()

        listening = asyncio.create_task(listen())
        try:
            while (frame := await session._outgoing.get()) is not None:
                yield frame
        finally:
            listening.cancel()


@contextlib.asynccontextmanager
async def fake_hub(**options: Any) -> AsyncIterator[FakeHub]:
    hub = FakeHub(**options)
    server = grpc.aio.server(options=[("grpc.max_receive_message_length", 72 << 20), ("grpc.so_reuseport", 0)])
    handler = grpc.stream_stream_rpc_method_handler(hub._work, WorkerFrame.FromString, EngineFrame.SerializeToString)
    service = grpc.method_handlers_generic_handler("waymark.worker.v1.Workers", {"Work": handler})
    server.add_generic_rpc_handlers((service,))
    hub.address = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield hub
    finally:
        await server.stop(0)
