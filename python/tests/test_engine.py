"""The worker and the real engine: every value survives the way there and back, as results and as captured values."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pathlib
import sys
from collections.abc import AsyncIterator
from typing import Any

from waymark._binary import find_binary

TESTS = pathlib.Path(__file__).parent
BINARY = find_binary()
TIME_LIMIT = 90.0


VALUES = """\
workflow values
semantics 1

fn main(input: [], output: [wrong]):
    total = @engine_actions:count()
    wrong = []
    for number in range(total):
        try:
            value = @engine_actions:make(number=number)
            kept = fragment "[value, value]" (value=value)
            fragment "kept.append(1)" (kept=kept)
            for way in [value, kept[0], kept[1]]:
                answer = @engine_actions:check(number=number, value=way)
                if answer is not None or len(kept) != 3:
                    wrong.append(answer)
        except Exception as error:
            wrong.append(str(number) + ": " + repr(error))
    return wrong
"""

EXCEPTIONS = """\
workflow exceptions
semantics 1

type samples:PaymentFailed(Exception):
    exception

fn main(input: [], output: [seen]):
    try:
        @engine_actions:decline()
    except PaymentFailed as error:
        looked = @engine_actions:look(error=error)
        return [error.code, str(error), error.__cause__.filename, looked]
    return None
"""


@contextlib.asynccontextmanager
async def engine(folder: pathlib.Path, modules: str = "engine_actions") -> AsyncIterator[dict[str, str]]:
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": f"{TESTS.parent}:{TESTS}",
        "WAYMARK_HOME": str(folder / "home"),
        "WAYMARK_WORKER_COMMAND": f"'{sys.executable}' -m waymark.worker",
        "WAYMARK_WORKERS": "1",
        "WAYMARK_USER_MODULES": modules,
    }
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(BINARY, "dev", cwd=folder, env=environment, stderr=pipe)
    assert server.stderr is not None
    said = []
    try:
        async with _timeout():
            while "a worker has come" not in (line := (await server.stderr.readline()).decode()):
                said.append(line)
                assert line, "".join(said)
        draining = asyncio.create_task(server.stderr.read())
        yield environment
        server.terminate()
        async with _timeout():
            assert await server.wait() == 0
        await draining
    finally:
        with contextlib.suppress(ProcessLookupError):
            server.kill()


@contextlib.asynccontextmanager
async def _timeout() -> AsyncIterator[None]:
    task = asyncio.current_task()
    assert task is not None
    timer = asyncio.get_running_loop().call_later(TIME_LIMIT, task.cancel)
    try:
        yield
    finally:
        timer.cancel()


BROKEN = """\
workflow broken
semantics 1

fn main(input: [], output: [seen]):
    @broken_actions:send()
    return None
"""


async def run(folder: pathlib.Path, environment: dict[str, str], name: str, source: str) -> Any:
    code, out, err = await command(folder, environment, name, source)
    assert code == 0, err
    return json.loads(out)


async def fails(folder: pathlib.Path, environment: dict[str, str], name: str, source: str) -> str:
    code, _, err = await command(folder, environment, name, source)
    assert code == 1, err
    return err


async def command(folder: pathlib.Path, environment: dict[str, str], name: str, source: str) -> tuple[int | None, str, str]:
    (folder / f"{name}.ir").write_text(source)
    pipe = asyncio.subprocess.PIPE
    client = await asyncio.create_subprocess_exec(BINARY, "run", f"{name}.ir", cwd=folder, env=environment, stdout=pipe, stderr=pipe)
    out, err = await asyncio.wait_for(client.communicate(), TIME_LIMIT)
    return client.returncode, out.decode(), err.decode()


async def test_values_and_exceptions_survive_the_engine(tmp_path: pathlib.Path) -> None:
    async with engine(tmp_path) as environment:
        assert await run(tmp_path, environment, "values", VALUES) == []
        seen = await run(tmp_path, environment, "exceptions", EXCEPTIONS)
        assert seen == [402, "declined: o-1", "card", ["CardDeclined", 402, "FileNotFoundError", "card"]]


async def test_a_module_that_cannot_be_imported_fails_its_actions_and_leaves_the_worker(tmp_path: pathlib.Path) -> None:
    (tmp_path / "broken_actions.py").write_text(
        "from waymark import action\n\nretries = TRIES\n\n\n@action\nasync def send() -> None: ...\n"
    )
    async with engine(tmp_path, "broken_actions,engine_actions") as environment:
        failed = await fails(tmp_path, environment, "broken", BROKEN)
        assert "NameError: name 'TRIES' is not defined" in failed and 'broken_actions.py", line 3' in failed, failed
        assert await run(tmp_path, environment, "exceptions", EXCEPTIONS)
