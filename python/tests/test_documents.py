"""What README and guides show is true: their Python runs, their console lines do what they say, their links lead somewhere.

The Python of a document is one module, in which `test_…` functions are tests; a block after "save … as `name.py`" is that file. In console
blocks a line after `$` is typed, and what follows is what it says; `…` stands for anything, alone on a line for any lines.
"""

from __future__ import annotations

import ast
import dataclasses
import gc
import os
import pathlib
import re
from collections.abc import Iterator
from importlib.metadata import entry_points

import postgres
import pytest
from workplace import ROOT, Workplace, workplace

GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
RUN = [ROOT / "README.md", *GUIDES]
LINKED = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: What a line that does not end says when it is ready.
SERVERS = {"waymark dev": "a worker has come", "waymark start-workers": "a worker has come", "waymark bridge": "bridge"}
#: The plugin comes with the installed package; a checkout has to ask for it.
IS_INSTALLED = any(found.value == "waymark.testing.plugin" for found in entry_points(group="pytest11"))
PLUGIN = "" if IS_INSTALLED else "-p waymark.testing.plugin"
PYTEST = f"python -m pytest -q {PLUGIN} -o asyncio_mode=auto -o asyncio_default_fixture_loop_scope=function"

#: What the first lines of the README leave to the reader.
MODELS = """\
import dataclasses
import pytest


@dataclasses.dataclass
class User:
    email: str
    active: bool


@dataclasses.dataclass
class Receipt:
    ok: bool


@pytest.fixture(autouse=True)
def answers(waymark_env):
    waymark_env.mock("test_document:fetch_users", returns=[User("ann@example.org", True), User("bob@example.org", False)])
    waymark_env.mock("test_document:send_email", side_effect=lambda to: Receipt(to == "ann@example.org"))
    yield
    assert [call.kwargs for call in waymark_env.calls("test_document:send_email")] == [{"to": "ann@example.org"}]


"""


@dataclasses.dataclass
class Block:
    language: str
    text: str
    #: The name of the file that the reader is told to save it as.
    file: str | None


def blocks(document: pathlib.Path) -> Iterator[Block]:
    text = document.read_text()
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        before = text[: found.start()].rstrip().rpartition("\n\n")[2]
        named = re.search(r"[Ss]ave\b.*\bas `([\w.]+)`:$", before, re.DOTALL)
        yield Block(found[1], found[2], named[1] if named else None)


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Lines to type, each with what it says."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, *said = part.rstrip("\n").split("\n")
        yield line, said


def write_python(document: pathlib.Path, folder: pathlib.Path) -> int:
    """Writes the files and the module of the document; says how many tests it has."""
    body = [MODELS] if document.name == "README.md" else []
    for block in blocks(document):
        if block.language != "python":
            continue
        if block.file:
            (folder / block.file).write_text(block.text)
        else:
            body.append(as_tests(block.text, len(body)))
    (folder / "test_document.py").write_text("\n\n".join(body))
    return len(re.findall(r"^(?:async )?def test_", "".join(each.read_text() for each in folder.glob("test_*.py")), re.MULTILINE))


def as_tests(text: str, number: int) -> str:
    """Statements that await, as one could type them into a shell, become a test."""
    tree = ast.parse(text)
    waiting = [node for node in tree.body if not isinstance(node, (ast.AsyncFunctionDef, ast.FunctionDef, ast.ClassDef)) and awaits(node)]
    if not waiting:
        return text
    lines = text.splitlines()
    moved = [line for node in waiting for line in lines[node.lineno - 1 : node.end_lineno]]
    kept = [line for line in lines if line not in moved]
    return "\n".join([*kept, f"async def test_lines_{number}():", *(f"    {line}" for line in moved), ""])


@pytest.fixture(autouse=True)
def nothing_left_over() -> None:
    """What earlier tests left is reported now, and not while something is parsed: Python 3.11 can't do both at once."""
    gc.collect()


def awaits(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Await) for inner in ast.walk(node))


@pytest.mark.parametrize("document", RUN, ids=lambda each: each.stem)
def test_python_of(document: pathlib.Path, tmp_path: pathlib.Path) -> None:
    count = write_python(document, tmp_path)
    with workplace(tmp_path) as place:
        if count:
            ran = place.shell(f"{PYTEST} test_*.py")
            assert ran.returncode == 0 and f"{count} passed" in ran.stdout, ran.stdout
    # Nothing is shown that is neither run here nor typed in the console.
    used = "".join(line for block in blocks(document) if block.language == "console" for line, _ in commands(block))
    used += (tmp_path / "test_document.py").read_text()
    for file in tmp_path.glob("*.py"):
        assert file.name.startswith("test_") or file.stem in used, f"{file.name} of {document.name} is not used"


@pytest.mark.parametrize("document", RUN, ids=lambda each: each.stem)
def test_console_of(document: pathlib.Path, tmp_path: pathlib.Path) -> None:
    write_python(document, tmp_path)
    with workplace(tmp_path) as place:
        if "postgres://waymark@localhost" in document.read_text():
            place.environment["PATH"] += os.pathsep + str(postgres.programs())
            with postgres.server() as url:
                type_lines(document, place, url)
                place.close()
        else:
            type_lines(document, place, "")


def type_lines(document: pathlib.Path, place: Workplace, database: str) -> None:
    for block in blocks(document):
        for line, said in commands(block) if block.language == "console" else ():
            server = next((until for start, until in SERVERS.items() if line.startswith(start)), None)
            if line.startswith("make"):
                dry = place.shell(f"{line} --dry-run", ROOT)
                assert dry.returncode == 0, f"$ {line}\n{dry.stdout}"
            elif line.startswith("export "):
                name, _, value = line.removeprefix("export ").partition("=")
                place.environment[name] = re.sub(r"postgres://\S+", lambda _: database, value)
            elif server is not None:
                place.serve(line, until=server)
            else:
                ran = place.shell(line)
                assert ran.returncode == 0 or "error" in "".join(said), f"$ {line}\n{ran.stdout}"
                assert not said or re.fullmatch(pattern(said), ran.stdout.rstrip(), re.DOTALL), f"$ {line}\n{ran.stdout}"


def pattern(said: list[str]) -> str:
    lines = [".*" if line == "…" else re.escape(line).replace("…", "[^\n]*") for line in said]
    return "\n".join(lines).replace("\n.*\n", "\n.*?")


@pytest.mark.parametrize("document", LINKED, ids=lambda each: str(each.relative_to(ROOT)))
def test_links_of(document: pathlib.Path) -> None:
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (document.parent / path).resolve() if path else document
        assert found.exists(), f"{document.name} links to {target}"
        assert found.is_relative_to(ROOT), f"{document.name} links to {target}, outside of the repository"
        assert not anchor or anchor in anchors(found), f"{document.name} links to {target}"


def anchors(document: pathlib.Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
