"""The workers that this program needs: its own interpreter, its own modules, where it looks for them, and its
variables.

A bridge that a client started keeps them for it. Any other has workers of somebody who runs them, with `waymark dev` or
`waymark start-workers`.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import sysconfig
import threading
import tokenize
from collections.abc import Collection, Iterable
from types import ModuleType

from waymark import names
from waymark._proto import bridge_pb2 as wire
from waymark.errors import WaymarkError

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


def check_script(modules: Collection[str | None]) -> None:
    """Raises if the script that was started does its work when it is imported: its workers would do the same, and never be ready."""
    main = sys.modules.get("__main__")
    file, line = getattr(main, "__file__", None), _line_of(main)
    if names.main_name() not in modules or not file or line is None:
        return
    try:
        with tokenize.open(file) as source:
            statements = ast.parse(source.read()).body
    except (OSError, SyntaxError):
        return
    at = next((each for each in statements if each.lineno <= line <= (each.end_lineno or line)), None)
    if at is None or isinstance(at, ast.If) and "__name__" in ast.dump(at.test):
        return
    raise WaymarkError(
        f"line {line} of {os.path.basename(file)} starts a workflow whenever the file is imported, and workers import it\n"
        'hint: put what the program does under if __name__ == "__main__":'
    )


def _line_of(main: ModuleType | None) -> int | None:
    """Where the main thread is in the script, outside of its functions."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None and not (frame.f_code.co_name == "<module>" and frame.f_globals is vars(main or sys)):
        frame = frame.f_back
    return None if frame is None else frame.f_lineno


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
