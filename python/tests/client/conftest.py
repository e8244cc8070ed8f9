"""A bridge that the client starts by itself, on a SQLite file in a folder of its own."""

from __future__ import annotations

import dataclasses
import json
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from waymark import workflow
from waymark._binary import find_binary
from waymark.client import backend, background
from waymark.client.bridge import bridge

ROOT = Path(__file__).resolve().parents[3]


@dataclasses.dataclass
class Compiled:
    """As the compiler would give it, from the text form: what is tested here is the client."""

    name: str
    program: bytes
    source: str
    children: tuple[type, ...] = ()


class Site:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.binary = find_binary()

    def workflow(self, name: str, text: str, **options: Any) -> Any:
        """A workflow whose `run` has the parameters of the text's `main`."""
        source = self.folder / f"{name}.ir"
        source.write_text(f"workflow {name}\n{text}")
        wire = self.folder / f"{name}.wire"
        subprocess.run([self.binary, "compile", str(source), "--wire", str(wire)], check=True, capture_output=True)
        parameters = text.partition("input: [")[2].partition("]")[0] if "input: [" in text else ""
        file = self.folder / f"{name}.py"
        # Inside of a function: those of several tests may have one name.
        file.write_text(
            "from waymark import Workflow\n\n\n"
            f"def make():\n    class {name}(Workflow):\n        async def run(self, {parameters}):\n            pass\n\n"
            f"    return {name}\n"
        )
        scope = runpy.run_path(str(file), run_name=name)
        made = workflow(**options)(scope["make"]())
        made.__waymark__._made["compiled"] = Compiled(name, wire.read_bytes(), source.read_text())
        return made

    def ensure(self) -> dict[str, Any]:
        asked = subprocess.run([self.binary, "bridge", "--ensure", "--json"], check=True, capture_output=True, text=True)
        return json.loads(asked.stdout)

    def bridges(self) -> list[int]:
        records = (self.folder / "home" / "run").glob("*.json")
        return [json.loads(record.read_text())["pid"] for record in records]

    def kill_bridges(self) -> None:
        for pid in self.bridges():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def python(self, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), **variables}
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, cwd=self.folder, env=environment)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    for name in list(os.environ):
        if name.startswith("WAYMARK_") and name != "WAYMARK_BINARY":
            monkeypatch.delenv(name)
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WAYMARK_DATABASE_URL", f"sqlite:{tmp_path / 'waymark.db'}")
    monkeypatch.setenv("WAYMARK_IDLE_SECONDS", "60")
    monkeypatch.setenv("WAYMARK_WORKERS", "1")
    before = backend.set_default(bridge)
    site = Site(tmp_path)
    yield site
    backend.set_default(before)
    background.run(bridge().close(), "close")
    site.kill_bridges()
