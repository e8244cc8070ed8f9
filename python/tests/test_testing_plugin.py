"""Under pytest workflows just run: in memory, with nothing started."""

from __future__ import annotations

import os
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TESTS = """
import asyncio
import pytest
from waymark.testing import Environment
from written import written

Slow = written("Slow", "await asyncio.sleep(86400)\\nreturn @app:work(n)", "n")

async def test_async(waymark_env: Environment):
    mock = waymark_env.mock("app:work", returns=7)
    assert await Slow().run(1) == 7
    assert [call.args for call in mock.calls] == [(1,)]

def test_sync(waymark_env):
    assert waymark_env.calls() == []
    waymark_env.mock("app:work", side_effect=lambda n: n + 1)
    assert Slow().run_sync(1) == 2

async def test_without_a_fixture():
    with pytest.raises(LookupError, match="there is no action app:work"):
        await Slow().run(1)

def test_by_hand():
    async def inside():
        with pytest.raises(LookupError):
            await Slow().run(1)
    asyncio.run(inside())

@pytest.mark.waymark_backend("server")
def test_server():
    from waymark.client import backend
    assert type(backend.current()).__name__ == "Bridge"

@pytest.mark.waymark_backend("server")
def test_server_has_no_environment(waymark_env):
    pass
"""


#: As it comes with the installed package; a checkout has to ask for it.
IS_INSTALLED = any(found.value == "waymark.testing.plugin" for found in entry_points(group="pytest11"))
PLUGIN = [] if IS_INSTALLED else ["-p", "waymark.testing.plugin"]


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Where a user's tests are; they see this package and `written`."""
    here = Path(__file__).parent
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(here), str(here.parent)]))
    return pytester


def test_tests_run_in_memory(folder: pytest.Pytester) -> None:
    folder.makepyfile(TESTS)
    folder.makeini("[pytest]\nasyncio_mode = auto\n")
    told = folder.runpytest_subprocess(*PLUGIN, "-p", "no:anyio", "-v")
    told.assert_outcomes(passed=5, errors=1)
    told.stdout.fnmatch_lines(['*waymark_env is for tests that run in memory; this one has waymark_backend "server"*'])


def test_anyio_too(folder: pytest.Pytester) -> None:
    pytest.importorskip("anyio")
    folder.makepyfile(
        """
        import pytest
        from written import written

        Slow = written("Slow", "await asyncio.sleep(86400)\\nreturn 3")

        @pytest.fixture
        def anyio_backend():
            return "asyncio"

        @pytest.mark.anyio
        async def test_it():
            assert await Slow().run() == 3
        """
    )
    folder.runpytest_subprocess(*PLUGIN, "-p", "no:asyncio").assert_outcomes(passed=1)


def test_the_ini_file_opts_out_and_is_checked(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        """
        def test_it():
            from waymark.client import backend
            assert type(backend.current()).__name__ == "Bridge"
        """
    )
    folder.makeini("[pytest]\nwaymark_backend = server\n")
    folder.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=1)
    folder.makeini("[pytest]\nwaymark_backend = memroy\n")
    told = folder.runpytest_subprocess(*PLUGIN)
    told.stderr.fnmatch_lines(["*waymark_backend in the configuration of pytest is 'memroy'*"])


def test_a_session_without_workflows_pays_nothing(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        """
        import sys

        def test_it():
            heavy = {"grpc", "google.protobuf", "waymark.testing.environment"}
            assert not heavy & set(sys.modules)
        """
    )
    folder.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=1)
