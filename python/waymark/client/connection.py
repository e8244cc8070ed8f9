"""The link to the bridge, found, lost and found again. One for the whole process: it is found on the client's loop, and used on any."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from waymark._proto import bridge_pb2 as wire
from waymark.client import background, crew, discovery
from waymark.client.link import Away, Link, NotAsked
from waymark.errors import BridgeError, BridgeUnavailable, WaymarkError

log = logging.getLogger("waymark")

#: How long a bridge may be away before whoever wants something of it is told.
PATIENCE_SECONDS = 60.0
PAUSES = (0.05, 2.0)


class Connection:
    def __init__(self) -> None:
        self._link: Link | None = None
        #: That one, and those that have not been greeted yet.
        self._links: set[Link] = set()
        self._connecting: asyncio.Future[Link] | None = None
        self._modules: set[str] = set()
        self._kept: set[str] | None = None
        #: For changes of the two: whoever finds a link dead says so, in any thread.
        self._lock = threading.Lock()
        # Held while the process forks.
        self._open = asyncio.Event()
        self._open.set()

    async def link(self) -> Link:
        """The one that there is, or one that all who ask now wait for together."""
        # Nearly always there is one, and nobody has to be asked.
        return self._link or await background.call(self._found())

    async def _found(self) -> Link:
        await self._open.wait()
        if self._link is not None:
            return self._link
        if self._connecting is None:
            self._connecting = asyncio.ensure_future(self._connect())
            self._connecting.add_done_callback(self._connected)
        # Who gives up does not take the others' connection along.
        return await asyncio.shield(self._connecting)

    async def reached(self) -> Link:
        """The same, looked for again if the bridge that was found is gone when it is greeted."""
        trial = Trial()
        while True:
            try:
                return await self.link()
            except Away as error:
                await trial.pause(error)

    async def _connect(self) -> Link:
        found = await asyncio.to_thread(discovery.find)
        await self._open.wait()
        link = Link(found)
        with self._lock:
            self._links.add(link)
        try:
            await link.greet()
        except BaseException:
            self.lost(link)
            raise
        self._link = link
        self._kept = None
        if self._modules:
            # The bridge before had workers for us; this one may be new, and instances wait for them.
            keeping = asyncio.ensure_future(self._keep_workers(()))
            keeping.add_done_callback(lambda done: None if done.cancelled() else done.exception())
        return link

    def _connected(self, connecting: asyncio.Future[Link]) -> None:
        self._connecting = None
        # Retrieved, whether or not anybody still waits.
        if not connecting.cancelled():
            connecting.exception()

    def lost(self, link: Link) -> None:
        with self._lock:
            if self._link is link:
                self._link = None
        link.close()
        # Not before: a fork waits for those that are being closed.
        with self._lock:
            self._links.discard(link)

    async def call(self, name: str, request: Any, response: Any, before_repeating: Callable[[], None] | None = None) -> Any:
        """Made again after a bridge went away, when nobody knows whether it did it: for what does nothing twice. Whoever has to know
        is told, and may raise."""
        trial = Trial()
        while True:
            link = None
            try:
                link = await self.link()
                return await link.call(name, request, response)
            except (Away, BridgeUnavailable) as error:
                if link is not None:
                    self.lost(link)
                    if before_repeating is not None and not isinstance(error, NotAsked):
                        before_repeating()
                await trial.pause(error)

    async def keep_workers(self, modules: Iterable[str]) -> None:
        """Has the bridge keep workers that know these modules too, if it is one that does."""
        await background.call(self._keep_workers(modules))

    async def _keep_workers(self, modules: Iterable[str]) -> None:
        self._modules.update(modules)
        link = await self.reached()
        if crew.is_worker() or not (link.info.auto_booted and link.info.worker_address):
            return
        if self._kept is not None and self._modules <= self._kept:
            return
        kept = set(self._modules)
        crew.check_script(kept)
        try:
            await link.call("KeepWorkers", await asyncio.to_thread(crew.request, kept), wire.KeepWorkersResponse)
        except Away:
            # Whoever calls next finds out, and comes here again.
            self.lost(link)
            return
        except BridgeError as error:
            log.debug("no workers are kept: %s", error)
        if self._link is link:
            self._kept = kept

    async def close_for_fork(self) -> None:
        """Nothing of grpc may be alive while the process forks."""
        self._open.clear()
        for link in self._taken():
            link.close_for_fork()

    async def close(self) -> None:
        for link in self._taken():
            link.close()

    def _taken(self) -> set[Link]:
        """All that there are, which nobody gets any more."""
        with self._lock:
            self._link = None
            links, self._links = self._links, set()
            return links

    def open_after_fork(self) -> None:
        self._open.set()


class Trial:
    """How long something has been tried for in vain."""

    def __init__(self) -> None:
        #: The first failure. What goes well may take as long as it likes.
        self._since: float | None = None
        self._pause = PAUSES[0]

    async def pause(self, error: Exception) -> None:
        """Before the next try; raises when there is none."""
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        if now - self._since + self._pause > PATIENCE_SECONDS:
            if isinstance(error, WaymarkError):
                raise error
            raise BridgeUnavailable(f"the bridge has been away for {PATIENCE_SECONDS:.0f} seconds: {error}") from error
        await asyncio.sleep(self._pause)
        self._pause = min(2 * self._pause, PAUSES[1])
