"""A private Postgres for tests: the system's server, started in a folder of its own on a free port."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]


def programs() -> pathlib.Path:
    """Where `initdb` and `pg_ctl` are."""
    found = [*pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), *(ROOT / "target" / "postgres").rglob("bin/initdb")]
    on_path = shutil.which("initdb")
    if on_path:
        found.append(pathlib.Path(on_path))
    # The system's first: what is on the path may be a wrapper.
    assert found, "there is no Postgres: `make postgres` installs one"
    return found[0].parent


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The URL of an empty database. Its folder is none of pytest's: those are closed to the user that Postgres runs as."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="waymark-postgres-"))
    bin, data = programs(), folder / "data"
    user = None
    if os.geteuid() == 0:
        # It refuses to run as root.
        user = "postgres"
        shutil.chown(folder, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(*words: str | pathlib.Path) -> None:
        subprocess.run([str(word) for word in words], check=True, capture_output=True, cwd=folder, user=user, timeout=120)

    run(bin / "initdb", "-D", data, "-U", "waymark", "-A", "trust", "--no-sync")
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} -c fsync=off"
    run(bin / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
    try:
        yield f"postgres://waymark@127.0.0.1:{port}/postgres"
    finally:
        run(bin / "pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)
