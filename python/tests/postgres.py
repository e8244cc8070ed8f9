"""A private Postgres for tests: the system's server, started in a folder of its own on a free port."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS_MAX = 120


def programs() -> pathlib.Path:
    """Where `initdb` and `pg_ctl` are."""
    found = [*pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), *(ROOT / "target" / "postgres").rglob("bin/initdb")]
    on_path = shutil.which("initdb")
    if on_path:
        found.append(pathlib.Path(on_path))
    # The system's first: what is on the path may be a wrapper.
    assert found, "there is no Postgres: `make postgres` installs one"
    return found[0].parent


class Cluster:
    """In a folder that there is, and that the user must be able to reach whom Postgres runs as: folders of pytest are closed to that one."""

    def __init__(self, folder: pathlib.Path, initdb: tuple[str, ...] = (), options: str = "-c fsync=off") -> None:
        self.folder, self._bin, self._data = folder, programs(), folder / "data"
        #: It refuses to run as root. By a command: with `user=` the child is a plain fork of a process that may have grpc in it.
        self._as_user: tuple[str, ...] = ()
        if os.geteuid() == 0:
            self._as_user = ("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups")
            shutil.chown(folder, "postgres")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"postgres://waymark@127.0.0.1:{self.port}/postgres"
        self._run(self._bin / "initdb", "-D", self._data, "-U", "waymark", "-A", "trust", "--no-sync", *initdb)
        self._options = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={folder} {options}"

    def _run(self, *words: str | pathlib.Path) -> None:
        command = [*self._as_user, *(str(word) for word in words)]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder, timeout=SECONDS_MAX)

    def start(self) -> None:
        self._run(self._bin / "pg_ctl", "-D", self._data, "-w", "-l", self.folder / "log", "-o", self._options, "start")

    def stop(self) -> None:
        """As a crash: nothing is written any more."""
        self._run(self._bin / "pg_ctl", "-D", self._data, "-m", "immediate", "stop")

    def kill(self) -> None:
        """Its first process, without a word to the others, which notice."""
        os.kill(self._pid() or 0, signal.SIGKILL)

    def is_running(self) -> bool:
        pid = self._pid()
        return pid is not None and pathlib.Path(f"/proc/{pid}/stat").exists()

    def restart(self) -> None:
        """Until it is there, whatever it died of: processes of the one before may still be about to end."""
        end = time.monotonic() + SECONDS_MAX
        while True:
            try:
                return self.start()
            except subprocess.CalledProcessError as error:
                if time.monotonic() > end:
                    raise AssertionError(f"{error.stdout.decode()}\n{(self.folder / 'log').read_text()[-4000:]}") from error
                time.sleep(0.2)

    def _pid(self) -> int | None:
        with contextlib.suppress(OSError, ValueError):
            return int((self._data / "postmaster.pid").read_text().split("\n")[0])
        return None


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The URL of an empty database."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="waymark-postgres-"))
    cluster = Cluster(folder)
    cluster.start()
    try:
        yield cluster.url
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
