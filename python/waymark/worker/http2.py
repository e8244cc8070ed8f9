"""One gRPC call, both ways, over HTTP/2 on the event loop's own socket.

grpc's client would hand each message through three threads before the loop hears of it, which takes several times as long as most actions
do ([0016](../../../docs/decisions/0016-workers-without-grpc.md)).
"""

from __future__ import annotations

import asyncio
import struct
from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple, cast
from urllib.parse import unquote

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings

from waymark.connect import Server

OK, INTERNAL, UNAVAILABLE = 0, 13, 14

_CODES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED "
    "FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
).split()

#: What may be on its way to us without our having taken it.
_WINDOW_BYTES = 16 << 20
_FRAME_BYTES_MAX = 1 << 20
#: Larger ones are sent in pieces: memory for them would be asked of the system anew each time.
_PIECE_BYTES_MAX = 64 << 10
#: Whether it is compressed, and how long it is.
_PREFIX = struct.Struct(">BI")
#: A peer on another host that is silent for this long is asked for a sign of life, and gone when it gives none for as long again.
_SILENCE_SECONDS = 20.0


class Status(NamedTuple):
    """How a call has ended."""

    code: int
    message: str

    @property
    def name(self) -> str:
        return _CODES[self.code] if self.code < len(_CODES) else f"code {self.code}"


class Call(asyncio.Protocol):
    """Messages that come are given to `on_message`, in their order. `on_room` is called when more may be sent again."""

    def __init__(self, bytes_max: int, on_message: Callable[[bytes], None], on_room: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._bytes_max = bytes_max
        self._on_message, self._on_room = on_message, on_room
        self._connection = H2Connection(H2Configuration(client_side=True, header_encoding="utf-8"))
        self._stream = 1
        self._transport: asyncio.Transport | None = None
        self._incoming = bytearray()
        self._outgoing: deque[bytes | memoryview] = deque()
        self._is_paused = False
        self._is_done = False
        #: The peer knows that nothing more comes.
        self._has_said_so = False
        self._told: Status | None = None
        self._heard_at = 0.0
        self._asked_at: float | None = None
        self._greeted: asyncio.Future[None] = self._loop.create_future()
        self.ended: asyncio.Future[Status] = self._loop.create_future()

    # ---------------------------------------------------------------------------------------------------- for callers

    async def connect(self, server: Server) -> None:
        """Until the server has greeted us. Raises `OSError` if nobody does, and `Unusable`."""
        self._server = server
        if server.is_socket:
            await self._loop.create_unix_connection(lambda: self, server.target.removeprefix("unix:"))
        else:
            context = server.context()
            if context is not None:
                context.set_alpn_protocols(["h2"])
            name = server.name or server.host if context is not None else None
            await self._loop.create_connection(lambda: self, server.host, server.port, ssl=context, server_hostname=name)
        await self._greeted
        if not server.is_socket:
            self._listen()

    def begin(self, path: str, metadata: Iterable[tuple[str, str]] = ()) -> None:
        authority = "localhost" if self._server.is_socket else self._server.target
        scheme = "https" if self._server.is_secure else "http"
        headers = [(":method", "POST"), (":scheme", scheme), (":path", path), (":authority", authority)]
        headers += [("te", "trailers"), ("content-type", "application/grpc"), ("user-agent", "waymark-worker"), *metadata]
        if self.ended.done():
            return
        self._connection.send_headers(self._stream, headers)
        self._flush()

    @property
    def has_room(self) -> bool:
        """Whether a message that is sent now is on its way at once."""
        return not (self._outgoing or self._is_paused or self._is_done or self.ended.done())

    def send(self, message: bytes) -> None:
        if self._is_done:
            return
        prefix = _PREFIX.pack(0, len(message))
        if len(message) <= _PIECE_BYTES_MAX:
            self._outgoing.append(prefix + message)
        else:
            self._outgoing += [prefix, message]
        self._push()

    def done(self) -> None:
        """Nothing more is sent."""
        self._is_done = True
        self._push()

    def close(self) -> None:
        self._fail(UNAVAILABLE, "it was closed")

    # ------------------------------------------------------------------------------------------------ for the socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not `isinstance`: other loops have transports of their own.
        self._transport = cast(asyncio.Transport, transport)
        ours = {
            SettingCodes.ENABLE_PUSH: 0,
            SettingCodes.INITIAL_WINDOW_SIZE: _WINDOW_BYTES,
            SettingCodes.MAX_FRAME_SIZE: _FRAME_BYTES_MAX,
        }
        self._connection.local_settings = Settings(client=True, initial_values=ours)
        self._connection.max_inbound_frame_size = _FRAME_BYTES_MAX
        self._connection.initiate_connection()
        self._connection.increment_flow_control_window(_WINDOW_BYTES - self._connection.inbound_flow_control_window)
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._heard_at = self._loop.time()
        try:
            for event in self._connection.receive_data(data):
                self._handle(event)
        except ProtocolError as error:
            return self._fail(UNAVAILABLE, f"what was said could not be understood: {error}")
        self._push()
        if self.has_room:
            self._on_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(UNAVAILABLE, f"the connection is gone: {exc}" if exc else "the connection is gone")

    def pause_writing(self) -> None:
        self._is_paused = True

    def resume_writing(self) -> None:
        self._is_paused = False
        self._push()
        if self.has_room:
            self._on_room()

    # ----------------------------------------------------------------------------------------------------- what comes

    def _handle(self, event: Event) -> None:
        match event:
            case DataReceived(data=data, flow_controlled_length=length):
                self._connection.acknowledge_received_data(length, self._stream)
                self._incoming += data
                self._take_messages()
            case RemoteSettingsChanged():
                if not self._greeted.done():
                    self._greeted.set_result(None)
            case ResponseReceived(headers=headers) | TrailersReceived(headers=headers):
                self._read_status({str(name): str(value) for name, value in headers})
            case StreamEnded():
                self._end(self._told or Status(INTERNAL, "the call has ended without a status"))
            case StreamReset(error_code=code):
                self._fail(UNAVAILABLE, f"the call was cut off ({_named(code)})")
            case ConnectionTerminated(error_code=code):
                self._fail(UNAVAILABLE, f"the connection is being closed ({_named(code)})")

    def _take_messages(self) -> None:
        messages, end, wrong = [], 0, ""
        with memoryview(self._incoming) as incoming:
            while len(incoming) - end >= _PREFIX.size:
                compressed, length = _PREFIX.unpack_from(incoming, end)
                if compressed or length > self._bytes_max:
                    wrong = "is compressed" if compressed else f"takes {length} bytes"
                    break
                start = end + _PREFIX.size
                if len(incoming) < start + length:
                    break
                end = start + length
                messages.append(bytes(incoming[start:end]))
        del self._incoming[:end]
        for message in messages:
            self._on_message(message)
        if wrong:
            self._fail(INTERNAL, f"a message {wrong}, which was not agreed on")

    def _read_status(self, headers: dict[str, str]) -> None:
        code = headers.get("grpc-status")
        if code is not None:
            self._told = Status(int(code) if code.isdecimal() else INTERNAL, unquote(headers.get("grpc-message", "")))
        elif headers.get(":status", "200") != "200":
            self._told = Status(UNAVAILABLE, f"it answers with HTTP status {headers[':status']}")

    def _listen(self) -> None:
        """Notices a host that has gone without a word."""
        now = self._loop.time()
        silent = now - self._heard_at
        if self.ended.done():
            return
        if silent < _SILENCE_SECONDS:
            self._asked_at = None
        elif self._asked_at is None:
            self._asked_at = now
            self._connection.ping(b"waymark.")
            self._flush()
        elif now - self._asked_at >= _SILENCE_SECONDS:
            return self._fail(UNAVAILABLE, f"nothing was heard for {silent:.0f} seconds")
        self._loop.call_later(_SILENCE_SECONDS / 2, self._listen)

    # ----------------------------------------------------------------------------------------------------- what goes

    def _push(self) -> None:
        """As much as we may."""
        if self.ended.done():
            return
        while self._outgoing and not self._is_paused:
            window = self._connection.local_flow_control_window(self._stream)
            size = min(window, self._connection.max_outbound_frame_size, _PIECE_BYTES_MAX)
            if size <= 0:
                break
            piece = self._outgoing.popleft()
            if len(piece) > size:
                piece = memoryview(piece)
                self._outgoing.appendleft(piece[size:])
            self._connection.send_data(self._stream, piece[:size])
            self._flush()  # Which may have us paused.
        if self._is_done and not self._outgoing and not self._has_said_so:
            self._has_said_so = True
            self._connection.end_stream(self._stream)
        self._flush()

    def _flush(self) -> None:
        data = self._connection.data_to_send()
        if data and self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def _fail(self, code: int, message: str) -> None:
        self._end(self._told or Status(code, message))
        if self._transport is not None:
            self._transport.abort()

    def _end(self, status: Status) -> None:
        if not self._greeted.done():
            self._greeted.set_exception(ConnectionResetError(status.message))
            self._greeted.exception()  # Retrieved, whether or not anybody waits.
        if not self.ended.done():
            self.ended.set_result(status)


def _named(code: ErrorCodes | int | None) -> str:
    return code.name if isinstance(code, ErrorCodes) else f"error {code}"
