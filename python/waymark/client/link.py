"""One connection to a bridge that has said who it is, and what its answers mean.

grpc's threads do the work, not its asyncio: that one can't be used on either side of a fork.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import threading
import time
import weakref
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any

# Read when grpc is loaded. Closing connections before a fork is not enough: threads of its own end a moment later.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "1")

import grpc  # noqa: E402

from waymark._proto import bridge_pb2 as wire  # noqa: E402
from waymark.client import background  # noqa: E402
from waymark.client.discovery import Found  # noqa: E402
from waymark.connect import Server, Unusable  # noqa: E402
from waymark.errors import BridgeError, BridgeUnavailable, InstanceNotFound  # noqa: E402

PROTOCOL_VERSION = 1
SERVICE = "/waymark.bridge.v1.Bridge/"
HEALTH_WATCH = "/grpc.health.v1.Health/Watch"
#: Programs and results may be as large as the bridge allows; it says no itself.
MESSAGE_BYTES_MAX = 1 << 30
CONNECT_SECONDS_MAX = 5.0
#: A call that nobody answered by then is made anew: the bridge gives up on its database long before.
CALL_SECONDS_MAX = 60.0
#: How long a fork waits for threads that read to notice that there is nothing more to read.
READERS_SECONDS_MAX = 2.0

OPTIONS: list[tuple[str, Any]] = [
    ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
    ("grpc.max_receive_message_length", MESSAGE_BYTES_MAX),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    # An address is the bridge's own: nothing is to be asked to lead there.
    ("grpc.enable_http_proxy", 0),
]

#: A connection whose other end was killed breaks in one of these ways.
AWAY = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.DEADLINE_EXCEEDED,
}


class Away(Exception):
    """The bridge is gone, or could not answer: whatever was asked can be asked again."""


class NotAsked(Away):
    """And nobody was asked."""


def _channel(server: Server) -> grpc.Channel:
    try:
        credentials = server.credentials()
    except Unusable as error:
        raise BridgeError(str(error)) from error
    options = [*OPTIONS, *server.options()]
    if credentials is None:
        return grpc.insecure_channel(server.target, options=options)
    return grpc.secure_channel(server.target, credentials, options=options)


#: What is open when the interpreter ends is closed while grpc is still whole.
_open: weakref.WeakSet[Link] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for link in list(_open):
        link.close()


#: Connects to nothing, and is never closed: whoever closes the last channel has grpc taken down, by a thread that nobody can wait for,
#: and a process that forks meanwhile has children for which that never ends.
_keeper: grpc.Channel | None = None


def _keep_grpc() -> None:
    global _keeper
    if _keeper is None:
        _keeper = grpc.insecure_channel("localhost:1")


def _forget_in_child() -> None:
    global _keeper
    # Those are the parent's.
    _keeper = None
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)


class Link:
    def __init__(self, found: Found) -> None:
        self.found = found
        self.info = wire.Info()
        _keep_grpc()
        self._channel: grpc.Channel | None = _channel(found.server)
        background.heed_forks()
        self._readers: list[threading.Thread] = []
        #: Held while a call begins and while it is closed: any thread may do either.
        self._lock = threading.Lock()
        self._metadata = (("authorization", f"Bearer {found.token}"),)
        # grpc has a thread for calls that are on their way, and starts one with the first of them; this one only ends with the bridge. Then
        # another's may have its port, and grpc would connect to that by itself.
        self._is_over = False
        watch = self._channel.unary_stream(HEALTH_WATCH, bytes, bytes)
        self._lasting = watch(b"", metadata=self._metadata)
        self._lasting.add_done_callback(self._ended)  # type: ignore[attr-defined]
        _open.add(self)

    async def greet(self) -> None:
        """Makes sure that it is a bridge, and the one that is meant."""
        try:
            self.info = await self.call("GetInfo", wire.GetInfoRequest(), wire.Info, CONNECT_SECONDS_MAX)
        except Away:
            # One that time does not mend.
            problem = await asyncio.to_thread(self.found.server.problem)
            if problem is not None:
                raise BridgeError(problem) from None
            raise
        at = f"the bridge at {self.found.server.target}"
        if self.info.protocol_version != PROTOCOL_VERSION:
            raise BridgeError(
                f"{at} is waymark {self.info.waymark_version} and speaks protocol {self.info.protocol_version}, "
                f"this client speaks {PROTOCOL_VERSION}\nhint: use the same version of waymark on both sides"
            )
        if self.found.fingerprint not in (None, self.info.database_fingerprint):
            raise BridgeUnavailable(f"{at} serves another database than the one that was asked for")

    async def call(self, name: str, request: Any, response: Any, seconds: float = CALL_SECONDS_MAX) -> Any:
        """Raises `Away`, or what people should read."""
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        with self._while_open() as channel:
            method = channel.unary_unary(SERVICE + name, type(request).SerializeToString, response.FromString)
            call = method.future(request, timeout=seconds, metadata=self._metadata)

        call.add_done_callback(lambda _: _tell(loop, done.set))
        try:
            await done.wait()
        except asyncio.CancelledError:
            call.cancel()
            raise
        try:
            return call.result()
        except grpc.FutureCancelledError:
            problem: Exception = Away("the connection was closed")
        except grpc.RpcError as error:
            problem = self.meaning(error)
        raise problem

    async def stream(self, name: str, request: Any, response: Any) -> AsyncGenerator[Any, None]:
        """A thread reads it: that is what grpc offers."""
        loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        read: asyncio.Queue[Any] = asyncio.Queue()

        def follow(stream: Any) -> None:
            last: Any = None
            try:
                for message in stream:
                    _tell(loop, read.put_nowait, message)
            except grpc.RpcError as error:
                last = error
            _tell(loop, read.put_nowait, last)

        with self._while_open() as channel:
            method = channel.unary_stream(SERVICE + name, type(request).SerializeToString, response.FromString)
            stream = method(request, metadata=self._metadata)
            reader = threading.Thread(target=follow, args=(stream,), name="waymark-client-stream", daemon=True)
            reader.start()
            self._readers.append(reader)
        try:
            while isinstance(message := await read.get(), response):
                yield message
        finally:
            stream.cancel()
            self._readers.remove(reader)
        if message is not None:
            raise self.meaning(message)

    def meaning(self, error: Any) -> Exception:
        code, said = error.code(), error.details() or ""
        at = self.found.server.target
        if code in AWAY:
            return Away(said or code.name)
        if code is grpc.StatusCode.UNAUTHENTICATED:
            return BridgeError(
                f"the bridge at {at} does not accept the token\n"
                "hint: set WAYMARK_TOKEN to the one it was started with; "
                "a bridge of your own on this host uses the token file"
            )
        if code is grpc.StatusCode.UNIMPLEMENTED:
            return BridgeError(f"the bridge at {at} does not know what it was asked\nhint: use the same version of waymark on both sides")
        if code is grpc.StatusCode.NOT_FOUND:
            return InstanceNotFound(said)
        return BridgeError(said or code.name)

    def _ended(self, lasting: Any) -> None:
        """In a thread of grpc's, where it can't be closed."""
        self._is_over = self._is_over or lasting.code() in AWAY

    def close(self) -> None:
        """Calls that are on their way end as `Away`."""
        # Whoever comes second, and may be about to fork, waits until it is closed.
        with self._lock:
            channel, self._channel = self._channel, None
            if channel is not None:
                self._lasting.cancel()
                channel.close()

    def close_for_fork(self) -> None:
        """Nothing of it may be in the middle of anything."""
        self.close()
        end = time.monotonic() + READERS_SECONDS_MAX
        for reader in list(self._readers):
            reader.join(max(0.0, end - time.monotonic()))

    @contextlib.contextmanager
    def _while_open(self) -> Iterator[grpc.Channel]:
        """For the begin of a call."""
        with self._lock:
            if self._channel is None or self._is_over:
                raise NotAsked("the connection was closed")
            yield self._channel


def _tell(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *arguments: Any) -> None:
    """From a thread of grpc's."""
    with contextlib.suppress(RuntimeError):  # The loop is closed: whoever waited there does not any more.
        loop.call_soon_threadsafe(call, *arguments)
