"""Where the `waymark` binary is, and the console scripts that are other names for its commands."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

NAME = "waymark.exe" if os.name == "nt" else "waymark"


def find_binary() -> str:
    """`WAYMARK_BINARY`, else the one that was installed with this package, else the one on the path."""
    named = os.environ.get("WAYMARK_BINARY")
    if named:
        if not os.access(named, os.X_OK) or os.path.isdir(named):
            raise FileNotFoundError(f"WAYMARK_BINARY is {named!r}, which is no program\nhint: unset it, or build it: make")
        return os.path.abspath(named)
    for folder in _script_folders():
        if os.access(folder / NAME, os.X_OK):
            return str(folder / NAME)
    found = shutil.which(NAME)
    if found:
        return found
    raise FileNotFoundError(
        f"the `waymark` program is not installed with this Python ({sys.executable}), nor on the path\n"
        "hint: pip install waymark; in a checkout of Waymark: make venv; or set WAYMARK_BINARY to where it is"
    )


def _script_folders() -> list[Path]:
    """Of this environment, then of the user's own."""
    folders = [Path(sysconfig.get_path("scripts"))]
    scheme = sysconfig.get_preferred_scheme("user")
    if scheme in sysconfig.get_scheme_names():
        folders.append(Path(sysconfig.get_path("scripts", scheme)))
    return folders


def main(*command: str) -> None:
    """Becomes the binary."""
    try:
        binary = find_binary()
    except FileNotFoundError as error:
        sys.exit(f"error: {error}")
    arguments = [binary, *command, *sys.argv[1:]]
    if os.name == "nt":
        import subprocess

        sys.exit(subprocess.call(arguments))
    os.execv(binary, arguments)


def bridge() -> None:
    """`waymark-bridge`"""
    main("bridge")


def start_workers() -> None:
    """`waymark-start-workers`"""
    main("start-workers")
