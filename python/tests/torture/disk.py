"""A disk that is small enough to be filled: a filesystem in memory, in a mount namespace of this process and its children alone."""

from __future__ import annotations

import ctypes
import os
import pathlib
import resource
import subprocess
import sys

#: Set where the namespace is ours already.
INSIDE = "TORTURE_NAMESPACE"
#: What a process may write at the most to one file where there is no such filesystem, beyond what the file has.
LEFT_BYTES = 4096

_MOUNT_PRIVATE = 0x40000 | 0x4000  # MS_PRIVATE and MS_REC

#: All processes of it end with its first, where that can be had; nobody but root needs a namespace of users.
_NAMESPACES = [
    ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"],
    ["--mount"],
    ["--user", "--map-current-user", "--keep-caps", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"],
    ["--user", "--map-current-user", "--keep-caps", "--mount"],
]


def enter_namespace(module: str) -> None:
    """Runs this program again where it may mount; comes back if that is not allowed here, or done."""
    if INSIDE in os.environ:
        return _be_first()
    for flags in _NAMESPACES:
        try:
            tried = subprocess.run(["unshare", *flags, "true"], capture_output=True, timeout=30)
        except (OSError, subprocess.TimeoutExpired):
            break
        if tried.returncode == 0:
            os.environ[INSIDE] = " ".join(flags)
            os.execvp("unshare", ["unshare", *flags, sys.executable, "-m", module, *sys.argv[1:]])


def _be_first() -> None:
    """The first process of a namespace is the parent of all who have lost theirs, and has to let them go: a Postgres that was killed would
    else still be there for the next one. So that is all it does, and a child does the work."""
    if os.getpid() != 1:
        return
    child = os.fork()
    while child:
        ended, status = os.wait()
        if ended == child:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


class Disk:
    """A folder. `how` says what a full disk is here."""

    def __init__(self, folder: pathlib.Path, megabytes: int) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        problem = _mount(folder, megabytes) if INSIDE in os.environ else "no namespace may be made"
        self.is_filesystem = problem is None
        self.how = f"a tmpfs of {megabytes} MB" if problem is None else f"NOT POSSIBLE HERE ({problem})"

    @property
    def _ballast(self) -> pathlib.Path:
        return self.folder / "ballast"

    def fill(self) -> None:
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while ballast.write(b"\0" * size):
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)

    def limit(self, pid: int, file: pathlib.Path, limited: bool) -> None:
        """Instead of a filesystem: the process may not make its files larger than this one is (EFBIG where it else were ENOSPC)."""
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        soft = file.stat().st_size + LEFT_BYTES if limited else hard
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))


def _mount(folder: pathlib.Path, megabytes: int) -> str | None:
    """Why it could not be."""
    libc = ctypes.CDLL(None, use_errno=True)
    # What is mounted here is to be seen by nobody else.
    libc.mount(None, b"/", None, _MOUNT_PRIVATE, None)
    if libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, f"size={megabytes}m,mode=755".encode()) != 0:
        return os.strerror(ctypes.get_errno())
    return None
