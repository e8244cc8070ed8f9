"""A program as a user runs it, where nothing runs yet: the bridge is started, and it keeps the program's workers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

APP = """
import asyncio, os, sys
from dataclasses import dataclass
from waymark import Workflow, action, workflow

@dataclass
class Greeting:
    text: str

@action
async def greet(name: str) -> Greeting:
    return Greeting(f"WORD {name} {os.environ.get('TONE', '')}{os.path.basename(os.getcwd())}")

@workflow(name=NAME)
class Welcome(Workflow):
    async def run(self, names: list[str]) -> list[Greeting]:
        return await asyncio.gather(*[greet(name) for name in names])

if __name__ == "__main__":
    print([each.text for each in asyncio.run(Welcome().run(["Ada", "Bob"]))])
"""


def write(file: Path, word: str, name: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(APP.replace("WORD", word).replace("NAME", repr(name)))


def run(file: Path, **variables: str) -> str:
    package = str(Path(__file__).resolve().parents[2])
    told = subprocess.run(
        [sys.executable, file.name],
        cwd=file.parent,
        env={**os.environ, "PYTHONPATH": package, **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert told.returncode == 0, told.stderr
    return told.stdout.strip()


def test_a_script_is_run_edited_and_run_again(site: Any) -> None:
    file = site.folder / "shop" / "app.py"
    write(file, "hello", "Welcome")
    assert run(file) == "['hello Ada shop', 'hello Bob shop']"
    bridges = site.bridges()
    write(file, "goodbye", "Welcome")
    assert run(file) == "['goodbye Ada shop', 'goodbye Bob shop']"
    assert run(file, TONE="loud ") == "['goodbye Ada loud shop', 'goodbye Bob loud shop']"
    # Another program, with the same database.
    other = site.folder / "office" / "other.py"
    write(other, "good day", "Other")
    assert run(other) == "['good day Ada office', 'good day Bob office']"
    assert run(file) == "['goodbye Ada shop', 'goodbye Bob shop']"
    assert site.bridges() == bridges


CHILDREN = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

def welcome(name):
    return [each.text for each in Welcome().run_sync([name])]

if __name__ == "__main__":
    for how in ("spawn", "forkserver"):
        with ProcessPoolExecutor(1, mp_context=get_context(how)) as pool:
            print(pool.submit(welcome, how).result(60))
"""


def test_processes_that_a_script_starts(site: Any) -> None:
    file = site.folder / "shop" / "app.py"
    write(file, "hello", "Welcome")
    file.write_text(file.read_text() + CHILDREN)
    expected = ["['hello Ada shop', 'hello Bob shop']", "['hello spawn shop']", "['hello forkserver shop']"]
    assert run(file).splitlines() == expected
