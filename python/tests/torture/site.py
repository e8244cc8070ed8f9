"""The hosts: servers with their workers, and the database that they share. A server that ends is started again, as a service manager would."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import postgres

from torture import ledger
from torture.disk import Disk
from torture.proxy import Link, Network
from waymark._binary import find_binary

TESTS = pathlib.Path(__file__).resolve().parents[1]
LEASE_SECONDS = 3.0
CLOCK_VARIABLE = "WAYMARK_TEST_CLOCK_OFFSET_MS"


class Server:
    """`waymark start-workers`, which has an engine and workers, and on SQLite the bridge too."""

    def __init__(self, name: str, folder: pathlib.Path, environment: dict[str, str]) -> None:
        self.name, self._folder, self._environment = name, folder, environment
        self.offset_ms = 0
        self._process: subprocess.Popen[bytes] | None = None
        #: Somebody is at it, and starts it again.
        self.is_held = False
        self.starts = 0
        #: Ends that nobody asked for.
        self.ended: list[int] = []

    def start(self) -> None:
        self.starts += 1
        words = [find_binary(), "start-workers", "--engine-name", self.name, "--lease-seconds", f"{LEASE_SECONDS:g}"]
        words += ["--heartbeat-seconds", "0.8", "--workers", "1", "--slots", "30", "--claim-batch", "20"]
        environment = {**self._environment, CLOCK_VARIABLE: str(self.offset_ms)}
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(words, cwd=self._folder, env=environment, stdout=log, stderr=log, restore_signals=False)

    @property
    def log(self) -> pathlib.Path:
        return self._folder / f"{self.name}-{self.starts}.log"

    def has_workers(self) -> bool:
        said = self.log.read_text(errors="replace")
        return self.is_running() and said.count("a worker has come") > said.count("a worker has gone")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def workers(self) -> list[int]:
        return children(self.pid) if self.is_running() else []

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def terminate(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None or not self.is_running():
            return
        self._process.send_signal(how)
        try:
            self._process.wait(40)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} does not end: {self.log}") from None

    def keep(self) -> None:
        """Started again, if it has ended by itself."""
        if self.is_held or self.is_running():
            return
        if self._process is not None:
            self.ended.append(self._process.returncode)
        self.start()


class Site:
    """All that a part of the torture has, in a folder."""

    def __init__(self, folder: pathlib.Path, kind: str, engines: int, megabytes: int, modules: list[str]) -> None:
        self.folder, self.kind = folder, kind
        self.logs = folder / "logs"
        self.logs.mkdir(parents=True)
        self.journal = folder / "journal"
        self.journal.mkdir()
        self.ledger = folder / "ledger"
        self.disk = Disk(folder / "disk", megabytes)
        self.postgres: postgres.Cluster | None = None
        self.links: dict[str, Link] = {}
        url = f"sqlite:{self.disk.folder / 'waymark.db'}"
        if kind == "postgres":
            # Little is written ahead, so that a full disk is noticed soon.
            self.postgres = postgres.Cluster(
                self.disk.folder, ("--wal-segsize=1",), "-c min_wal_size=2MB -c max_wal_size=8MB -c shared_buffers=16MB"
            )
            self.postgres.start()
            network = Network()
            names = ["client", *(f"engine-{number}" for number in range(engines))]
            self.links = {name: network.link(self.postgres.port) for name in names}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WAYMARK_", "PYTEST_", "DATABASE_URL"))}
        self._environment = {
            **kept,
            "WAYMARK_BINARY": find_binary(),
            "WAYMARK_HOME": str(folder / "home"),
            "WAYMARK_USER_MODULES": ",".join(modules),
            "WAYMARK_WORKER_COMMAND": f"'{sys.executable}' -m waymark.worker",
            "WAYMARK_IDLE_SECONDS": "60",
            # What is forked here is no client, and nobody needs to be told.
            "GRPC_VERBOSITY": "ERROR",
            "CORPUS_JOURNAL": str(self.journal),
            ledger.VARIABLE: str(self.ledger),
            "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]),
        }
        self.servers = [
            Server(f"engine-{number}", self.logs, {**self._environment, "WAYMARK_DATABASE_URL": self._url(f"engine-{number}", url)})
            for number in range(engines)
        ]
        self._client_url = self._url("client", url)

    def _url(self, name: str, url: str) -> str:
        return f"postgres://waymark@127.0.0.1:{self.links[name].port}/postgres" if self.links else url

    def become_client(self) -> None:
        """This process is a client of it from now on, and so is what this process starts."""
        os.environ.clear()
        os.environ.update({**self._environment, "WAYMARK_DATABASE_URL": self._client_url, "WAYMARK_WORKERS": "1"})

    async def keep(self) -> None:
        """Servers that end come again, for as long as this is not cancelled."""
        while True:
            for server in self.servers:
                server.keep()
            await asyncio.sleep(0.1)

    def bridges(self) -> list[int]:
        """Processes that say that they serve, and are none of the servers."""
        found = []
        for record in (self.folder / "home" / "run").glob("*.json"):
            with contextlib.suppress(OSError, ValueError):
                found.append(json.loads(record.read_text())["pid"])
        own = {server.pid for server in self.servers if server.is_running()}
        return [pid for pid in found if pid not in own and is_alive(pid)]

    def close(self) -> None:
        for server in self.servers:
            server.is_held = True
            with contextlib.suppress(OSError):
                os.kill(server.pid, signal.SIGCONT)
            server.terminate()
        for pid in self.bridges():
            os.kill(pid, signal.SIGTERM)
            _wait_for_end(pid)
        if self.postgres is not None:
            self.postgres.stop()
            # What is on the disk goes with it.
            shutil.copy(self.disk.folder / "log", self.logs / "postgres.log")


def _wait_for_end(pid: int) -> None:
    end = time.monotonic() + 40
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.05)


def _stat(pid: int) -> list[str]:
    """What `/proc` has of it after the name: its state, its parent, …; nothing, if it is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return []


def is_alive(pid: int) -> bool:
    return _stat(pid)[:1] not in ([], ["Z"])


def children(parent: int) -> list[int]:
    pids = [int(entry.name) for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid for pid in pids if _stat(pid)[1:2] == [str(parent)] and is_alive(pid)]
