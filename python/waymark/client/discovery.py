"""Where the bridge of this program's database is. The binary knows the rules, and starts one where there is none;
without a binary there is
only an address that was set."""

from __future__ import annotations

import json
import logging
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from waymark._binary import find_binary
from waymark.connect import Server
from waymark.errors import BridgeUnavailable

log = logging.getLogger("waymark")

#: The binary waits for a bridge that is starting, and gives up by itself before this.
ENSURE_SECONDS_MAX = 180


#: What was said already.
_warned: set[str] = set()


@dataclass(frozen=True)
class Found:
    server: Server
    token: str
    #: Of the database that is meant; None: whatever the bridge at the address has.
    fingerprint: str | None


def find() -> Found:
    """Blocks: for milliseconds if there is a bridge, for about a second if one has to be started."""
    try:
        binary = find_binary()
    except FileNotFoundError as error:
        address = os.environ.get("WAYMARK_BRIDGE_ADDRESS")
        if not address:
            raise BridgeUnavailable(f"{error}\nhint: or set WAYMARK_BRIDGE_ADDRESS to a bridge that runs") from None
        server = Server.of(address, os.environ)
        if server.is_exposed:
            _warn(server.warning())
        return Found(server, _token(None), None)
    asked = [binary, "bridge", "--ensure", "--json"]
    try:
        answer = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=ENSURE_SECONDS_MAX)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BridgeUnavailable(f"`{' '.join(asked)}` did not answer: {error}") from error
    said = [line for line in answer.stderr.splitlines() if not line.startswith("warning: ")]
    for line in answer.stderr.splitlines():
        if line.startswith("warning: "):
            _warn(line.removeprefix("warning: "))
    if answer.returncode != 0:
        raise BridgeUnavailable("\n".join(said).strip().removeprefix("error: ") or f"`{' '.join(asked)}` has failed")
    for line in said:
        log.info(line)
    found = json.loads(answer.stdout)
    server = Server(found["address"], found["tls_ca"], found["tls_name"])
    return Found(server, _token(found["token_file"]), found["fingerprint"])


def _warn(text: str) -> None:
    """Once: a bridge is looked for each time that it was lost."""
    if text not in _warned:
        _warned.add(text)
        log.warning(text)


def _token(file: str | None) -> str:
    """One that was set, else the one in the file that the binary names, else in the user's own."""
    named = os.environ.get("WAYMARK_TOKEN", "").strip()
    if named:
        return named
    home = os.environ.get("WAYMARK_HOME") or Path.home() / ".waymark"
    path = Path(file) if file else Path(home) / "token"
    try:
        return path.read_text().strip()
    except OSError as error:
        raise BridgeUnavailable(
            f"the token can't be read: {error}\nhint: set WAYMARK_TOKEN to the one that the bridge was started with"
        ) from error
