"""What goes wrong, drawn from a seed. Each fault is injected, lasts, and is lifted. Where there are several servers two are there at the same
time, never on one target."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

from torture.site import LEASE_SECONDS, Server, Site

#: Clocks are wrong by so much at the most. Leases are shorter; what sleeps by one clock wakes by another's, so it can't be for ever.
OFFSET_SECONDS_MAX = 8.0
#: Between faults.
PAUSE_SECONDS = (0.3, 2.5)
#: What has not come by then never does: there was nobody to do it to.
LONGER_SECONDS_MAX = 60.0
#: Servers are waited for that are about to begin, for so long.
READY_SECONDS_MAX = 20.0


@dataclasses.dataclass
class Fault:
    kind: str
    target: str
    began_at: float
    lifted_at: float = 0.0
    #: Processes of workers that stood still, or whose server did.
    workers: list[int] = dataclasses.field(default_factory=list)


class Faults:
    def __init__(self, site: Site, seed: int) -> None:
        self._site, self._random = site, random.Random(seed)
        self.injected: list[Fault] = []
        self._taken: set[str] = set()
        self._deck: list[str] = []
        kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "server killed": self._kill_server,
            "server stopped": self._stop_server,
            "worker killed": self._kill_worker,
            "worker stopped": self._stop_worker,
            "clock wrong": self._skew_clock,
        }
        if site.disk.is_filesystem or site.postgres is None:
            kinds["disk full"] = self._fill_disk
        if site.postgres is not None:
            kinds |= {
                "bridge killed": self._kill_bridge,
                "database killed": self._kill_database,
                "connections cut": self._cut,
                "connections held up": self._stall,
                "connections refused": self._refuse,
            }
        self.kinds = kinds

    async def inject(self, until: float) -> None:
        """All kinds, one after the other in an order that the seed has, again and again, each at least once. All are lifted at the end."""
        await asyncio.gather(*(self._one_after_the_other(until) for _ in range(min(2, len(self._site.servers)))))

    async def _one_after_the_other(self, until: float) -> None:
        while (now := time.monotonic()) < until or (now < until + LONGER_SECONDS_MAX and self.missing()):
            await asyncio.sleep(self._random.uniform(*PAUSE_SECONDS))
            if now >= until:
                self._deck = self.missing()
            if not self._deck:
                self._deck = list(self.kinds)
                self._random.shuffle(self._deck)
            await self.kinds[self._deck.pop()]()

    def missing(self) -> list[str]:
        """Kinds that have not come yet."""
        return sorted(set(self.kinds) - {fault.kind for fault in self.injected})

    @contextlib.contextmanager
    def _fault(self, kind: str, target: str, workers: Sequence[int] = ()) -> Iterator[None]:
        fault = Fault(kind, target, time.time(), workers=list(workers))
        self.injected.append(fault)
        print(f"{time.strftime('%H:%M:%S')} {self._site.kind}: {kind}: {target}", flush=True)
        try:
            yield
        finally:
            fault.lifted_at = time.time()

    @contextlib.asynccontextmanager
    async def _taking(self, targets: list[str]):
        """One that nobody else is at."""
        while not (free := [target for target in targets if target not in self._taken]):
            await asyncio.sleep(0.1)
        chosen = self._random.choice(free)
        self._taken.add(chosen)
        try:
            yield chosen
        finally:
            self._taken.discard(chosen)

    @contextlib.asynccontextmanager
    async def _taking_server(self):
        """One that works, or has had the time to begin: what never runs is not disturbed."""
        async with self._taking([server.name for server in self._site.servers]) as name:
            server = next(server for server in self._site.servers if server.name == name)
            end = time.monotonic() + READY_SECONDS_MAX
            while not server.has_workers() and time.monotonic() < end:
                await asyncio.sleep(0.1)
            await asyncio.sleep(self._random.uniform(*PAUSE_SECONDS))
            yield server

    async def _longer_than_a_lease(self) -> None:
        await asyncio.sleep(LEASE_SECONDS * self._random.uniform(1.3, 2.2))

    async def _kill_server(self) -> None:
        """It comes again at once, under its name, or when others have taken over."""
        async with self._taking_server() as server:
            with self._fault("server killed", server.name), self._held(server):
                await asyncio.to_thread(server.kill)
                if self._random.random() < 0.4:
                    await self._longer_than_a_lease()

    async def _skew_clock(self) -> None:
        """It is asked to stop, and comes again with another clock."""
        async with self._taking_server() as server:
            offset = self._random.uniform(-OFFSET_SECONDS_MAX, OFFSET_SECONDS_MAX)
            with self._fault("clock wrong", f"{server.name} by {offset:+.1f} s"), self._held(server):
                await asyncio.to_thread(server.terminate)
                server.offset_ms = int(1000 * offset)

    @contextlib.contextmanager
    def _held(self, server: Server) -> Iterator[None]:
        server.is_held = True
        try:
            yield
        finally:
            server.start()
            server.is_held = False

    async def _stop_server(self) -> None:
        async with self._taking_server() as server:
            with self._fault("server stopped", server.name, server.workers()):
                await self._stop(server.pid)

    async def _stop(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            try:
                await self._longer_than_a_lease()
            finally:
                os.kill(pid, signal.SIGCONT)

    async def _kill_worker(self) -> None:
        async with self._taking_server() as server:
            for worker in server.workers()[:1]:
                with self._fault("worker killed", f"of {server.name}"), contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)

    async def _stop_worker(self) -> None:
        async with self._taking_server() as server:
            for worker in server.workers()[:1]:
                with self._fault("worker stopped", f"of {server.name}", [worker]):
                    await self._stop(worker)

    async def _kill_bridge(self) -> None:
        """The one that the client started: it starts another."""
        async with self._taking(["bridge"]):
            for bridge in self._site.bridges()[:1]:
                with self._fault("bridge killed", str(bridge)), contextlib.suppress(ProcessLookupError):
                    os.kill(bridge, signal.SIGKILL)

    async def _kill_database(self) -> None:
        database = self._site.postgres
        assert database is not None
        async with self._taking(["database"]):
            with self._fault("database killed", "postgres"):
                await asyncio.to_thread(self._random.choice([database.kill, database.stop]))
                await asyncio.sleep(self._random.choice([0, 0.5, 1.5 * LEASE_SECONDS]))
                await asyncio.to_thread(database.restart)

    async def _fill_disk(self) -> None:
        disk, database = self._site.disk, self._site.postgres
        seconds = self._random.uniform(1.0, 1.5 * LEASE_SECONDS)
        async with self._taking(["database"]):
            if disk.is_filesystem:
                with self._fault("disk full", disk.how):
                    await asyncio.to_thread(disk.fill)
                    await asyncio.sleep(seconds)
                    await asyncio.to_thread(disk.free)
                    # It gives up where it can't write ahead, and whoever runs it starts it again.
                    if database is not None and not database.is_running():
                        await asyncio.to_thread(database.restart)
            else:
                await self._limit_files(seconds)

    async def _limit_files(self, seconds: float) -> None:
        async with self._taking_server() as server:
            file, pid = self._site.disk.folder / "waymark.db-wal", server.pid
            if not server.is_running() or not file.exists():
                return
            with self._fault("disk full", "a limit for files"), contextlib.suppress(ProcessLookupError):
                self._site.disk.limit(pid, file, True)
                await asyncio.sleep(seconds)
                self._site.disk.limit(pid, file, False)

    async def _cut(self) -> None:
        link = self._random.choice(list(self._site.links))
        with self._fault("connections cut", link):
            self._site.links[link].cut()

    async def _stall(self) -> None:
        async with self._taking([f"link of {name}" for name in self._site.links]) as target:
            name = target.removeprefix("link of ")
            link = self._site.links[name]
            # A worker whose payment waits for its connection stands still, too, and begins when that goes on.
            workers = [worker for server in self._site.servers if server.name == name for worker in server.workers()]
            with self._fault("connections held up", target, workers):
                link.stall(True)
                try:
                    await asyncio.sleep(LEASE_SECONDS * self._random.choice([0.3, 0.8, 1.6]))
                finally:
                    link.stall(False)

    async def _refuse(self) -> None:
        async with self._taking([f"link of {name}" for name in self._site.links]) as target:
            link = self._site.links[target.removeprefix("link of ")]
            with self._fault("connections refused", target):
                link.refuse(True)
                try:
                    await asyncio.sleep(LEASE_SECONDS * self._random.choice([0.3, 0.8, 1.6]))
                finally:
                    link.refuse(False)
