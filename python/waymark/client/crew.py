"""The workers that this program needs: its own interpreter, its own modules, where it looks for them, and its
variables.

A bridge that a client started keeps them for it. Any other has workers of somebody who runs them, with `waymark dev` or
`waymark start-workers`.
"""

from __future__ import annotations

import json
import os
import sys
import sysconfig
from collections.abc import Iterable

from waymark._proto import bridge_pb2 as wire

#: Variables that differ from one shell, test or process to the next, and mean nothing to actions.
PASSING = {"_", "OLDPWD", "PWD", "SHLVL", "COLUMNS", "LINES", "WINDOWID", "TERM_SESSION_ID", "PYTEST_CURRENT_TEST"}


def request(modules: Iterable[str]) -> wire.KeepWorkersRequest:
    path = search_path()
    directory = os.getcwd()
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in PASSING and not name.startswith("WAYMARK_WORKER_") and _travels(name) and _travels(value)
    }
    environment["PYTHONPATH"] = os.pathsep.join(path)
    command = [interpreter(), "-m", "waymark.worker"]
    return wire.KeepWorkersRequest(
        group=json.dumps([command, directory, path]),
        command=command,
        directory=directory,
        environment=environment,
        modules=sorted(modules),
        changed_at_us=changed_at_us(),
    )


def interpreter() -> str:
    """This one, also inside of a server that has Python in it and calls itself the executable."""
    if sys.executable and os.path.basename(sys.executable).startswith(("python", "pypy")):
        return sys.executable
    return os.path.join(sys.prefix, "bin", "python3")


def is_worker() -> bool:
    """Whether this process is one of them; it does not ask for others."""
    return "WAYMARK_WORKER_ID" in os.environ


def search_path() -> list[str]:
    """What `sys.path` has beyond what every start of this interpreter has: the folder of the script, `PYTHONPATH`,
    what was added."""
    own = _own_folders()
    found = [os.path.abspath(entry) for entry in sys.path if isinstance(entry, str)]
    return list(dict.fromkeys(entry for entry in found if entry not in own and not entry.endswith(".zip") and _travels(entry)))


def changed_at_us() -> int:
    """When a module of the program was last written: those that were installed don't count."""
    own = tuple(folder + os.sep for folder in _own_folders())
    newest = 0
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or file.startswith(own):
            continue
        try:
            newest = max(newest, os.stat(file).st_mtime_ns)
        except OSError:
            continue
    return newest // 1_000


def _own_folders() -> set[str]:
    paths = sysconfig.get_paths()
    folders = {os.path.abspath(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return folders | {os.path.join(folder, "lib-dynload") for folder in folders}


def _travels(text: str) -> bool:
    """Bytes that are no text can't be sent."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
