"""What a newcomer does wrong, and what is said: it has to lead to the fix."""

from __future__ import annotations

import importlib
import pathlib
import runpy
import subprocess
from collections.abc import Iterator

import pytest
from workplace import Workplace, workplace

from waymark import CompileError, Workflow, testing, workflow
from waymark.definition import Definition

START = """\
import asyncio
import time
import httpx
from waymark import Workflow, action, workflow

seen = {}


@action
async def greet(name: str) -> str:
    return f"Hello, {name}!"


@workflow
class Hello(Workflow):
    async def run(self, names: list[str]) -> str:
"""

# What stands in `run`, what is said of it, and what helps.
REFUSED = {
    "no await": ("greet(names[0])\nreturn ''", "called but not awaited", "write `await greet(names[0])`"),
    "wrong argument": ("return await greet(nme='x')", "unexpected keyword argument 'nme'", "its parameters are (name: str) -> str"),
    "no argument": ("return await greet()", "missing a required argument: 'name'", "its parameters are (name: str) -> str"),
    "sleep": ("time.sleep(1)\nreturn ''", "`time.sleep` would block", "`await asyncio.sleep(…)`"),
    "a library": ("return await httpx.AsyncClient().get('x')", "is awaited, but is neither an action", "a function with @action"),
    "a thread": ("return await asyncio.to_thread(print, 1)", "a workflow has no threads", "`def` actions run in threads"),
    "a loop": ("return await asyncio.run(greet('x'))", "already runs in an event loop", "await the coroutine"),
    "a question": ("return input('?')", "nobody is there to answer", "a parameter of `run()`"),
    "a typo": ("return await gret('x')", "the name `gret` is not defined", "did you mean `greet`?"),
    "state": ("seen[names[0]] = 1\nreturn ''", "`seen` belongs to the module", "inside an action"),
    "a class": ("class Local: pass\nreturn ''", "a class can't be defined inside", "at the top level of the module"),
    "a file": ("with open('x') as file:\n    return await greet(file.read())", "can't be held open", "move the block into an action"),
    "self": ("return await greet(self.name)", "no attribute `name`", "assign it in `run()` first"),
}


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.replace(" ", "-"))
def test_refused(case: str, tmp_path: pathlib.Path) -> None:
    body, *said = REFUSED[case]
    file = tmp_path / "app.py"
    file.write_text(START + "".join(f"        {line}\n" for line in body.splitlines()))
    with pytest.raises(CompileError) as caught:
        runpy.run_path(str(file), run_name="mistaken")
    for phrase in said:
        assert phrase in str(caught.value)


def test_without_the_decorator() -> None:
    class Forgotten(Workflow):
        async def run(self) -> None:
            pass

    with pytest.raises(TypeError, match="write @workflow above it"):
        Forgotten()


def test_without_the_base() -> None:
    with pytest.raises(TypeError, match=r"write class Forgotten\(Workflow\)"):

        @workflow  # type: ignore[type-var]
        class Forgotten:
            async def run(self) -> None:
                pass


def test_an_input_that_is_called_otherwise() -> None:
    definition = vars(Failing)["__waymark__"]
    assert isinstance(definition, Definition)
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'nme'; its parameters are \(name: str\) -> int"):
        definition.bind((), {"nme": 1})


@workflow
class Failing(Workflow):
    async def run(self, name: str) -> int:
        return int(name)


async def test_where_a_workflow_failed() -> None:
    async with testing.Environment():
        with pytest.raises(ValueError) as caught:
            await Failing().run("x")
    # The line of `return int(name)`.
    line = vars(Failing)["__waymark__"].run.__code__.co_firstlineno + 1
    assert f'test_mistakes.py", line {line}, in run\n      return int(name)' in str(caught.value.__cause__)


def test_modules_that_import_each_other(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = "import two\nfrom waymark import Workflow, action, workflow\n@action\nasync def first(): return 1\n"
    two = "import one\nfrom waymark import Workflow, workflow\n@workflow\nclass Two(Workflow):\n    async def run(self): return await one.first()\n"
    (tmp_path / "one.py").write_text(one)
    (tmp_path / "two.py").write_text(two)
    monkeypatch.syspath_prepend(tmp_path)
    assert importlib.import_module("one").two.Two().run_sync() == 1
    # One that is whole has what it has.
    (tmp_path / "three.py").write_text(two.replace("Two", "Three").replace("first", "frist"))
    with pytest.raises(CompileError, match="the module one has no attribute `frist`"):
        importlib.import_module("three")


# ------------------------------------------------------------------------------------------------------------ for real

PROGRAM = START.replace("import httpx\n", "") + "        return ' '.join([await greet(name) for name in names])\n\n\n"


@pytest.fixture
def place(tmp_path: pathlib.Path) -> Iterator[Workplace]:
    with workplace(tmp_path) as made:
        yield made


def test_a_program_that_runs_when_it_is_imported(place: Workplace) -> None:
    for line in ("print(asyncio.run(Hello().run(['Ann'])))", "print(Hello().run_sync(['Ann']))"):
        (place.folder / "app.py").write_text(PROGRAM + line + "\n")
        ran = place.shell("python app.py")
        assert "app.py starts a workflow whenever the file is imported" in ran.stdout
        assert 'under if __name__ == "__main__":' in ran.stdout
    # Workers of somebody else's find out when they import it.
    place.serve("waymark dev app.py", until="a worker has come")
    ran = place.shell("python app.py")
    assert "one of them starts Hello when it is imported" in ran.stdout


def test_two_programs_in_one_folder_have_workflows_of_one_name(place: Workplace) -> None:
    guarded = PROGRAM + "if __name__ == '__main__':\n    print(asyncio.run(Hello().run(['Ann'])))\n"
    (place.folder / "one.py").write_text(guarded)
    (place.folder / "two.py").write_text(guarded.replace("Hello, {name}", "Goodbye, {name}"))
    assert place.shell("python one.py").stdout == "Hello, Ann!\n"
    assert place.shell("python two.py").stdout == "Goodbye, Ann!\n"
    assert place.shell("python one.py").stdout == "Hello, Ann!\n"


def test_a_module_that_is_not_there(place: Workplace) -> None:
    place.serve("waymark start-workers --user-modules nothere", until="hint: start workers in the directory of your code")


def test_an_action_that_fails_shows_where(place: Workplace) -> None:
    broken = PROGRAM.replace('return f"Hello, {name}!"', "raise KeyError(name)")
    (place.folder / "app.py").write_text(broken + "if __name__ == '__main__':\n    asyncio.run(Hello().run(['Ann']))\n")
    own = "File \"app.py\", line 16, in run\n      return ' '.join([await greet(name) for name in names])"
    said = place.shell("python app.py").stdout
    assert 'File "app.py", line 10, in greet' in said and "KeyError: 'Ann'" in said and own in said, said
    said = place.shell("""waymark run app:Hello --input '{"names": ["Ann"]}'""").stdout
    assert 'File "app.py", line 10, in greet' in said and "no running event loop" not in said and own in said, said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("waymark run app:Hello --input '{names}'", "the input is no JSON"),
        ("""waymark run app:Hello --input '{"name": 1}'""", "unexpected keyword argument 'name'; its parameters are (names: list[str])"),
        ("waymark run app:Hallo", "app has no workflow 'Hallo', but Hello"),
        ("waymark run ap:Hello", "there is no module 'ap' here"),
        ("waymark run app:Hello --database-url mysql://x", "allowed: `postgres://USER@HOST/DATABASE`"),
    ],
)
def test_on_the_command_line(place: Workplace, line: str, said: str) -> None:
    (place.folder / "app.py").write_text(PROGRAM)
    ran: subprocess.CompletedProcess[str] = place.shell(line)
    assert ran.returncode == 2 and said in ran.stdout, ran.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import os\nos.environ['NOT_SET']\n", 'app.py", line 2, in <module>'),
        ("import nothere\n", "ModuleNotFoundError: No module named 'nothere'"),
        ("def run(:\n", "SyntaxError: "),
    ],
)
def test_a_module_that_cannot_be_imported(place: Workplace, text: str, said: str) -> None:
    (place.folder / "app.py").write_text(text)
    for line in ("waymark check app.py", "waymark run app:Hello"):
        ran = place.shell(line)
        assert ran.returncode == 2 and ran.stdout.startswith("error: the module 'app' can't be imported\n"), ran.stdout
        assert said in ran.stdout and "report.py" not in ran.stdout and "importlib" not in ran.stdout, ran.stdout


def test_a_file_of_a_package(place: Workplace) -> None:
    for folder in ("shop", "shop/flows"):
        (place.folder / folder).mkdir()
        (place.folder / folder / "__init__.py").touch()
    (place.folder / "shop" / "words.py").write_text("WORDS = 'hello'\n")
    said = PROGRAM.replace("seen = {}", "from ..words import WORDS")
    (place.folder / "shop" / "flows" / "hello.py").write_text(said)
    ran = place.shell("waymark check shop/flows/hello.py")
    assert ran.returncode == 0, ran.stdout


def test_a_file_in_another_encoding(place: Workplace) -> None:
    (place.folder / "app.py").write_bytes(f"# coding: latin-1\n{PROGRAM}# \xe9\n".encode("latin-1"))
    ran = place.shell("waymark compile app:Hello")
    assert ran.returncode == 0 and "await greet(name)" in ran.stdout, ran.stdout


def test_a_result_with_keys_that_json_does_not_have(place: Workplace) -> None:
    text = PROGRAM.replace("-> str:\n        return ' '", "-> dict:\n        return {(1, 2): [{(3,): 4}]} if names else ' '")
    (place.folder / "app.py").write_text(text)
    ran = place.shell("""waymark run app:Hello --input '{"names": ["Ann"]}'""")
    assert ran.stdout.splitlines()[-1] == '{"(1, 2)": [{"(3,)": 4}]}', ran.stdout


def test_an_action_that_no_worker_can_import(place: Workplace) -> None:
    (place.folder / "app.py").write_text(
        "from waymark import Workflow, action, workflow\n"
        "def main():\n"
        "    @action\n    async def local(): return 1\n"
        "    @workflow\n    class Local(Workflow):\n        async def run(self): return await local()\n"
        "    Local().run_sync()\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    ran = place.shell("python app.py")
    assert "no worker can import the action app:main.<locals>.local: it is defined inside of a function" in ran.stdout, ran.stdout
