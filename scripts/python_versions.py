"""Installs the wheel in a fresh environment of every Python of this machine, and tries it: `python
scripts/python_versions.py WHEELS`.

Looks on the path, and where pyenv and uv keep theirs.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

OLDEST, NEWEST = 10, 15

APP = """
import asyncio
from dataclasses import dataclass

from waymark import Workflow, action, workflow


@dataclass
class Greeting:
    text: str


@action
async def greet(name: str) -> Greeting:
    return Greeting(f"hello {name}")


@workflow
class Welcome(Workflow):
    async def run(self, names: list[str]) -> list[Greeting]:
        await asyncio.sleep(0.1)
        return await asyncio.gather(*[greet(name) for name in names])


if __name__ == "__main__":
    print(asyncio.run(Welcome().run(["Ada", "Bob"])))
"""
ANSWER = "[Greeting(text='hello Ada'), Greeting(text='hello Bob')]"


def interpreters() -> dict[str, str]:
    """By version; the first that is found of each."""
    names = [f"python3.{minor}" for minor in range(OLDEST, NEWEST)]
    folders = [pathlib.Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry]
    home = pathlib.Path.home()
    for kept in (home / ".pyenv/versions", home / ".local/share/uv/python"):
        folders += [folder / "bin" for folder in sorted(kept.glob("*"))]
    found: dict[str, str] = {}
    for name in names:
        for folder in folders:
            python = folder / name
            # What pyenv puts on the path may lead nowhere.
            if name not in found and python.exists() and subprocess.run([python, "-V"], capture_output=True).returncode == 0:
                found[name] = str(python)
    return found


def attempt(python: str, wheel: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("WAYMARK_", "PYTHON"))}
        environment |= {"WAYMARK_HOME": str(folder / "home"), "WAYMARK_IDLE_SECONDS": "1", "WAYMARK_WORKERS": "1"}

        def run(*command: str) -> str:
            told = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
            if told.returncode != 0:
                raise SystemExit(f"{' '.join(command)}: {told.stdout}{told.stderr}")
            return told.stdout.strip()

        uv = [sys.executable, "-m", "uv"]
        run(*uv, "venv", "--quiet", "--python", python, "venv")
        run(*uv, "pip", "install", "--quiet", "--python", "venv/bin/python", str(wheel))
        version = run("venv/bin/waymark", "--version")
        assert run("venv/bin/python", "-m", "waymark", "--version") == version
        for script in ("waymark-bridge", "waymark-start-workers"):
            run(f"venv/bin/{script}", "--help")
        (folder / "app.py").write_text(APP)
        said = run("venv/bin/python", "app.py")
        assert said == ANSWER, said
        print(f"{os.path.basename(python)}: {version}")


def main() -> None:
    wheels = sorted(pathlib.Path(sys.argv[1]).glob("*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels or "-py3-none-" not in wheels[-1].name:
        raise SystemExit(f"there is no wheel for every Python 3 in {sys.argv[1]}")
    found = interpreters()
    for python in found.values():
        attempt(python, wheels[-1].resolve())
    missing = [f"3.{minor}" for minor in range(OLDEST, NEWEST) if f"python3.{minor}" not in found]
    print(f"not on this machine: {', '.join(missing)}" if missing else "all of them")


if __name__ == "__main__":
    main()
