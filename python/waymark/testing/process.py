"""The process that runs instances in memory: `waymark runner`, asked over pipes.

It holds no clock and does no I/O, so an answer comes within microseconds: requests block the thread, in an event loop
too. That makes one process serve every loop and thread of a test session.
"""

from __future__ import annotations

import atexit
import os
import struct
import subprocess
import threading

from waymark._binary import find_binary
from waymark._proto import runner_pb2 as wire
from waymark.errors import WaymarkError


class RunnerError(WaymarkError):
    """The runner did not take a request."""


class RunnerBug(RunnerError):
    """The runner has met a fault of its own; a workflow can't cause this by being wrong."""


class Runner:
    """One process and its pipes. It ends with this one, at the latest."""

    def __init__(self) -> None:
        self.process_id = os.getpid()
        self._lock = threading.Lock()
        self._process = subprocess.Popen([find_binary(), "runner"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=-1)

    def ask(self, request: wire.Request) -> wire.Answer:
        """Raises `RunnerError` for what is refused."""
        sent = request.SerializeToString()
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._lock:
            try:
                self._process.stdin.write(struct.pack(">I", len(sent)))
                self._process.stdin.write(sent)
                self._process.stdin.flush()
                (length,) = struct.unpack(">I", self._read(4))
                answer = wire.Answer.FromString(self._read(length))
            except (OSError, ValueError, struct.error) as error:
                raise RunnerError(f"the runner has ended{self._exit_code()}: {error}") from error
        if answer.WhichOneof("answer") == "refused":
            raise (RunnerBug if answer.refused.is_bug else RunnerError)(answer.refused.message)
        return answer

    def is_alive(self) -> bool:
        return self.process_id == os.getpid() and self._process.poll() is None

    def close(self) -> None:
        if self.process_id != os.getpid():
            return
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue
        self._process.wait()

    def _read(self, count: int) -> bytes:
        assert self._process.stdout is not None
        got = self._process.stdout.read(count)
        if len(got) < count:
            raise OSError("it closed its output")
        return got

    def _exit_code(self) -> str:
        code = self._process.poll()
        return "" if code is None else f" with exit code {code}"


_lock = threading.Lock()
_shared: Runner | None = None


def shared() -> Runner:
    """The one of this process, started when it is first needed. A fork gets its own."""
    global _shared
    with _lock:
        if _shared is None or not _shared.is_alive():
            _shared = Runner()
            atexit.register(_shared.close)
        return _shared
