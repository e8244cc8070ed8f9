"""A folder as a user has it: `python` and `waymark` are on the path, all files of Waymark are in it, and nothing runs yet."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

from waymark._binary import find_binary

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS_MAX = 120


class Workplace:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        bin = folder / ".bin"
        bin.mkdir()
        (bin / "waymark").symlink_to(find_binary())
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WAYMARK_", "PYTEST_", "DATABASE_URL"))}
        self.environment = {
            **kept,
            "PATH": os.pathsep.join([str(bin), str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")]),
            "PYTHONPATH": str(ROOT / "python"),
            "WAYMARK_BINARY": find_binary(),
            "WAYMARK_HOME": str(folder / ".home"),
            "WAYMARK_WORKERS": "1",
            "WAYMARK_IDLE_SECONDS": "60",
            # Those that don't end in time say where they stand.
            "PYTHONFAULTHANDLER": "1",
        }
        self.servers: list[subprocess.Popen[bytes]] = []

    def shell(self, line: str, folder: pathlib.Path | None = None) -> subprocess.CompletedProcess[str]:
        """Runs a line as somebody would type it; what it says, stdout and stderr, is one text."""
        words = ["sh", "-c", line]
        process = subprocess.Popen(
            words,
            cwd=folder or self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=SECONDS_MAX)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"$ {line}\ndid not end:\n{self._abort(process)}") from None
        return subprocess.CompletedProcess(words, process.returncode, said)

    def _abort(self, process: subprocess.Popen[str]) -> str:
        """Where a process and its children stand, and what others have logged."""
        group = subprocess.run(["ps", "-o", "pid,stat,args", "-g", str(process.pid)], capture_output=True, text=True).stdout
        os.killpg(process.pid, signal.SIGABRT)
        try:
            said, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            said = "somebody else has its output open"
        logs = [*self.folder.glob(".server-*.log"), *(self.folder / ".home" / "run").glob("*.log")]
        return "\n".join([group, said, *(f"{log.name}:\n{log.read_text()[-4000:]}" for log in logs)])

    def serve(self, line: str, until: str) -> subprocess.Popen[bytes]:
        """Starts a line that does not end, and waits until it has said something."""
        log = self.folder / f".server-{len(self.servers)}.log"
        with log.open("wb") as out:
            server = subprocess.Popen(["sh", "-c", f"exec {line}"], cwd=self.folder, env=self.environment, stdout=out, stderr=out)
        self.servers.append(server)
        deadline = time.monotonic() + SECONDS_MAX
        while until not in log.read_text():
            assert server.poll() is None and time.monotonic() < deadline, f"$ {line}\n{log.read_text()}"
            time.sleep(0.02)
        return server

    def close(self) -> None:
        """Ends what was started, bridges that clients started too."""
        for server in reversed(self.servers):
            server.terminate()
        for server in self.servers:
            server.wait(SECONDS_MAX)
        for record in (self.folder / ".home" / "run").glob("*.json"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(json.loads(record.read_text())["pid"], signal.SIGTERM)


@contextlib.contextmanager
def workplace(folder: pathlib.Path) -> Iterator[Workplace]:
    made = Workplace(folder)
    try:
        yield made
    finally:
        made.close()
