"""The worker's own HTTP/2: with grpc's server at the other end, and with some that misbehave."""

from __future__ import annotations

import asyncio
import contextlib
import random
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import grpc.aio
import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import DataReceived, PingReceived, RequestReceived

from waymark.connect import Server
from waymark.worker import http2
from waymark.worker.http2 import Call, Status
from waymark.worker.outbox import Outbox

SECONDS = 20.0
PATH = "/a.Service/Method"
MESSAGE_BYTES_MAX = 32 << 20


class Peer:
    """Somebody to talk to, and what came of it."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.rooms = 0
        self.call = Call(MESSAGE_BYTES_MAX, self.messages.put_nowait, self._on_room)

    def _on_room(self) -> None:
        self.rooms += 1

    async def connect(self, address: str) -> None:
        await asyncio.wait_for(self.call.connect(Server(address)), SECONDS)

    async def next(self) -> bytes:
        return await asyncio.wait_for(self.messages.get(), SECONDS)

    async def status(self) -> Status:
        return await asyncio.wait_for(asyncio.shield(self.call.ended), SECONDS)


async def until(holds: Callable[[], bool]) -> None:
    async def wait() -> None:
        while not holds():
            await asyncio.sleep(0.005)

    await asyncio.wait_for(wait(), SECONDS)


# ------------------------------------------------------------------------------------------------------ grpc's server


@contextlib.asynccontextmanager
async def echoing() -> AsyncIterator[str]:
    async def echo(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        if ("refuse", "yes") in context.invocation_metadata():
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "zu groß, 100 %\nund mehr")
        async for request in requests:
            yield request

    sizes = [("grpc.max_receive_message_length", MESSAGE_BYTES_MAX), ("grpc.so_reuseport", 0)]
    server = grpc.aio.server(options=sizes)
    handlers = {"Method": grpc.stream_stream_rpc_method_handler(echo)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("a.Service", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)


async def test_messages_of_any_size_come_and_go_in_order() -> None:
    sent = [random.Random(size).randbytes(size) for size in (0, 1, 16_384, 65_535, 65_536, 3_000_000, 0, 20_000_000, 7)]
    async with echoing() as address:
        peer = Peer()
        await peer.connect(address)
        peer.call.begin(PATH)
        for message in sent:
            peer.call.send(message)
        peer.call.done()
        assert [await peer.next() for _ in sent] == sent
        assert await peer.status() == Status(http2.OK, "")
        assert peer.messages.empty()


async def test_a_refusal_is_told_in_full() -> None:
    async with echoing() as address:
        peer = Peer()
        await peer.connect(address)
        peer.call.begin(PATH, [("refuse", "yes")])
        status = await peer.status()
        assert (status.name, status.message) == ("RESOURCE_EXHAUSTED", "zu groß, 100 %\nund mehr")


async def test_a_method_that_there_is_not() -> None:
    async with echoing() as address:
        peer = Peer()
        await peer.connect(address)
        peer.call.begin("/a.Service/Other")
        assert (await peer.status()).name == "UNIMPLEMENTED"


# --------------------------------------------------------------------------------------------------- others misbehave


class Misbehaving(asyncio.Protocol):
    """A server with HTTP/2 of its own; `answer` is what it does when it is called."""

    def __init__(self, answer: Callable[[H2Connection], None]) -> None:
        self.answer = answer
        self.http2 = H2Connection(H2Configuration(client_side=False, validate_outbound_headers=False))
        self.received = bytearray()
        self.pings = 0
        self.is_silent = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.http2.initiate_connection()
        self.flush()

    def data_received(self, data: bytes) -> None:
        for event in self.http2.receive_data(data):
            if isinstance(event, RequestReceived):
                self.answer(self.http2)
            elif isinstance(event, DataReceived):
                self.received += event.data
            elif isinstance(event, PingReceived):
                self.pings += 1
        self.flush()

    def flush(self) -> None:
        data = self.http2.data_to_send()
        if data and not self.is_silent:
            self.transport.write(data)


@contextlib.asynccontextmanager
async def misbehaving(answer: Callable[[H2Connection], None] = lambda _: None) -> AsyncIterator[tuple[Peer, Misbehaving]]:
    made: list[Misbehaving] = []

    def protocol() -> Misbehaving:
        made.append(Misbehaving(answer))
        return made[-1]

    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    peer = Peer()
    try:
        await peer.connect(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        peer.call.begin(PATH)
        yield peer, made[0]
    finally:
        peer.call.close()
        server.close()


def headers(http2: H2Connection, *more: tuple[str, str], ends: bool = False) -> None:
    http2.send_headers(1, [(":status", "200"), ("content-type", "application/grpc"), *more], end_stream=ends)


def says(data: bytes) -> Callable[[H2Connection], None]:
    def answer(http2: H2Connection) -> None:
        headers(http2)
        http2.send_data(1, data)

    return answer


ENDS = {
    "compressed": (says(struct.pack(">BI", 1, 1) + b"x"), "INTERNAL", "compressed"),
    "too long": (says(struct.pack(">BI", 0, MESSAGE_BYTES_MAX + 1)), "INTERNAL", "takes"),
    "reset": (lambda http2: http2.reset_stream(1, ErrorCodes.ENHANCE_YOUR_CALM), "UNAVAILABLE", "ENHANCE_YOUR_CALM"),
    "closed": (lambda http2: http2.close_connection(), "UNAVAILABLE", "being closed"),
    "refused at once": (
        lambda http2: headers(http2, ("grpc-status", "16"), ("grpc-message", "who%3F"), ends=True),
        "UNAUTHENTICATED",
        "who?",
    ),
    "an unknown code": (lambda http2: headers(http2, ("grpc-status", "99"), ends=True), "code 99", ""),
    "no code": (lambda http2: headers(http2, ("grpc-status", "x"), ends=True), "INTERNAL", ""),
    "no status": (lambda http2: headers(http2, ends=True), "INTERNAL", "without a status"),
    "not grpc": (lambda http2: http2.send_headers(1, [(":status", "404")], end_stream=True), "UNAVAILABLE", "HTTP status 404"),
}


@pytest.mark.parametrize("how", ENDS)
async def test_however_a_call_ends_its_status_tells(how: str) -> None:
    answer, name, message = ENDS[how]
    async with misbehaving(answer) as (peer, _):
        status = await peer.status()
        assert status.name == name and message in status.message
        assert not peer.call.has_room
        # Whoever does not know yet may go on.
        peer.call.send(b"late")
        peer.call.done()


async def test_a_peer_that_does_not_read_is_waited_for() -> None:
    async with misbehaving() as (peer, server):
        message = random.Random(1).randbytes(500_000)
        peer.call.send(message)
        await until(lambda: len(server.received) == 65_535)
        assert not peer.call.has_room
        rooms = peer.rooms
        while len(server.received) < len(message) + 5:
            server.http2.increment_flow_control_window(50_000)
            server.http2.increment_flow_control_window(50_000, 1)
            server.flush()
            size = len(server.received)
            await until(lambda size=size: len(server.received) > size)
        assert bytes(server.received[5:]) == message
        await until(lambda: peer.call.has_room and peer.rooms > rooms)


async def test_a_peer_that_is_silent_is_asked_and_then_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2, "_SILENCE_SECONDS", 0.2)
    async with misbehaving() as (peer, server):
        await until(lambda: server.pings >= 3)
        assert not peer.call.ended.done(), "it answers"
        server.is_silent = True
        status = await peer.status()
        assert status.name == "UNAVAILABLE" and "nothing was heard" in status.message


async def test_what_is_no_http2_is_no_connection() -> None:
    chance = random.Random(7)
    said = [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x15\x03\x03\x00\x02\x02\x46", *(chance.randbytes(200) for _ in range(20))]
    for data in said:

        def protocol(data: bytes = data) -> asyncio.Protocol:
            class Says(asyncio.Protocol):
                def connection_made(self, transport: Any) -> None:
                    transport.write(data)
                    transport.close()

            return Says()

        server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
        peer = Peer()
        with pytest.raises(OSError):
            await peer.connect(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        assert (await peer.status()).name == "UNAVAILABLE"
        server.close()


async def test_random_bytes_in_the_middle_end_the_call() -> None:
    chance = random.Random(11)
    for _ in range(30):
        async with misbehaving(says(struct.pack(">BI", 0, 2) + b"hi")) as (peer, server):
            assert await peer.next() == b"hi"
            server.transport.write(chance.randbytes(chance.randrange(9, 400)))
            server.transport.close()
            assert (await peer.status()).code != http2.OK


@pytest.mark.parametrize("late", ["closed twice", "a beat", "a message"])
async def test_what_comes_after_the_end_is_not_sent(late: str) -> None:
    async with misbehaving() as (peer, server):
        outbox = Outbox(asyncio.get_running_loop(), peer.call)
        outbox.close()
        await until(lambda: not peer.call.has_room)
        {"closed twice": outbox.close, "a beat": outbox.beat, "a message": lambda: peer.call.send(b"late")}[late]()
        await asyncio.sleep(0.01)
        headers(server.http2, ("grpc-status", "0"), ends=True)
        server.flush()
        assert await peer.status() == Status(http2.OK, "")
        assert not server.received


async def test_a_server_that_goes_away_with_its_greeting() -> None:
    class Leaving(Misbehaving):
        def connection_made(self, transport: Any) -> None:
            self.transport = transport
            self.http2.initiate_connection()
            self.http2.close_connection()
            self.flush()

        def data_received(self, data: bytes) -> None:
            pass

    server = await asyncio.get_running_loop().create_server(lambda: Leaving(lambda _: None), "127.0.0.1", 0)
    peer = Peer()
    await peer.connect(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
    peer.call.begin(PATH)
    assert (await peer.status()).name == "UNAVAILABLE"
    server.close()


async def test_a_server_that_does_not_greet_is_left() -> None:
    server = await asyncio.get_running_loop().create_server(asyncio.Protocol, "127.0.0.1", 0)
    peer = Peer()
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(peer.call.connect(Server(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")), 0.1)
    peer.call.close()
    assert peer.call._transport is not None and peer.call._transport.is_closing()
    server.close()


async def test_transports_of_other_loops() -> None:
    """uvloop's are not asyncio's."""

    class Transport:
        def __init__(self) -> None:
            self.written = b""

        def write(self, data: bytes) -> None:
            self.written += data

        def is_closing(self) -> bool:
            return False

    transport: Any = Transport()
    Peer().call.connection_made(transport)
    assert transport.written.startswith(b"PRI * HTTP/2.0")


def test_a_worker_needs_no_grpc() -> None:
    """Its threads are in the way of actions that fork, and take longer to load than all the rest."""
    code = "import sys, waymark.worker.__main__; sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
