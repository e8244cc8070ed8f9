"""A network that fails: what servers take for their database is a port of ours, and what goes through it can be cut, held up or refused."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any

CHUNK = 1 << 16


class Network:
    """A loop of its own, in a thread: what it carries does not wait for whoever injects faults."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="network", daemon=True)
        self._thread.start()

    def link(self, target_port: int) -> Link:
        link = Link(self, target_port)
        link.port = self.run(link.listen())
        return link

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)


class Link:
    """From a port of its own to another."""

    port: int

    def __init__(self, network: Network, target_port: int) -> None:
        self._network, self._target_port = network, target_port
        self._ends: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._refuses = False

    async def listen(self) -> int:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """All connections that there are; new ones are fine."""

        async def cut() -> None:
            for end in list(self._ends):
                # A reset, as when a router forgets: nothing more is delivered.
                end.transport.abort()

        self._network.run(cut())

    def refuse(self, refuses: bool) -> None:
        """Those that there are, and those that come."""
        self._refuses = refuses
        if refuses:
            self.cut()

    def stall(self, stalls: bool) -> None:
        """Nothing is lost, and nothing arrives."""

        async def stall() -> None:
            self._flows.clear() if stalls else self._flows.set()

        self._network.run(stall())

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._ends.add(writer)
        target: asyncio.StreamWriter | None = None
        try:
            if self._refuses:
                return
            await self._flows.wait()
            back, target = await asyncio.open_connection("127.0.0.1", self._target_port)
            self._ends.add(target)
            ways = [asyncio.create_task(self._carry(reader, target)), asyncio.create_task(self._carry(back, writer))]
            _, left = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in left:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        except OSError:
            pass
        finally:
            for end in filter(None, [writer, target]):
                self._ends.discard(end)
                end.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(CHUNK):
                await self._flows.wait()
                writer.write(chunk)
                await writer.drain()
