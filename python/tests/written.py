"""Workflows written in the text form, for tests of what runs them."""

from __future__ import annotations

import functools
import linecache
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from waymark import Workflow, workflow
from waymark._binary import find_binary


@functools.cache
def program(text: str) -> bytes:
    """The text form, compiled."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "written.ir"), Path(folder, "written.bin")
        source.write_text(text)
        told = subprocess.run([find_binary(), "compile", source, "--wire", out], capture_output=True, text=True, timeout=60, check=False)
        assert told.returncode == 0, told.stderr
        return out.read_bytes()


def written(name: str, body: str, *parameters: str) -> Any:
    """A workflow whose `run` does what the text says."""
    text = f"workflow {name}\nfn main(input: [{', '.join(parameters)}], output: []):\n"
    text += "".join(f"    {line}\n" for line in body.strip("\n").splitlines())
    # Python is asked for nothing but the names of the parameters.
    stub, file = f"async def run(self, {', '.join(parameters)}):\n    return None\n", f"<written {name}>"
    linecache.cache[file] = (len(stub), None, stub.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"__name__": __name__}
    exec(compile(stub, file, "exec"), namespace)
    namespace["run"].__qualname__ = f"{name}.<locals>.run"
    cls = type(name, (Workflow,), {"run": namespace["run"], "__module__": __name__, "__qualname__": f"<locals>.{name}"})
    made = workflow(name=name)(cls)
    made.__waymark__._made["compiled"] = SimpleNamespace(name=name, program=program(text), children=())
    return made
