"""What `@workflow` makes of a class, and runs as plain asyncio."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from waymark import Workflow, workflow
from waymark.actions import action
from waymark.errors import NonRetryable, WaymarkError
from waymark.policies import BackoffPolicy, RetryPolicy

tries: list[str] = []


@action
async def flaky(failures: int, error: type[Exception] = ConnectionError) -> int:
    tries.append("try")
    if len(tries) <= failures:
        raise error("not yet")
    return len(tries)


@action(timeout=0.02)
async def slow() -> None:
    tries.append("try")
    await asyncio.sleep(60)


@workflow
class Inner(Workflow):
    async def run(self, n: int) -> int:
        await asyncio.sleep(0)
        return n + 1


@workflow
class Outer(Workflow):
    async def run(self, n: int, *more: int, scale: int = 1, **named: int) -> int:
        total = await Inner().run(n)
        parts = await asyncio.gather(*[Inner().run(each) for each in (*more, *named.values())])
        return (total + sum(parts)) * scale


@workflow(name="derived", version="7")
class Derived(Outer):
    async def run(self, n: int) -> int:  # type: ignore[override]
        return 100 + await super().run(n)


async def retries(failures: int, retry: RetryPolicy | None = None, error: type[Exception] = ConnectionError) -> int:
    return await Workflow().run_action(flaky(failures, error), retry=retry)


def test_what_is_known_of_a_workflow() -> None:
    made = Outer.__waymark__
    assert (made.name, made.version, made.cls) == ("Outer", None, Outer)
    assert made.bind((1, 2, 3), {"scale": 4, "x": 5}) == {"n": 1, "more": (2, 3), "scale": 4, "named": {"x": 5}}
    assert made.bind((1,), {}) == {"n": 1}
    assert (Derived.__waymark__.name, Derived.__waymark__.version) == ("derived", "7")
    assert Derived.__waymark__.modules() == {__name__}


async def test_inline_it_is_plain_asyncio() -> None:
    assert await Outer().run_inline(1, 2, scale=2, x=3) == (2 + 3 + 4) * 2
    assert await Derived().run_inline(1) == 102


async def test_inline_calls_of_actions_have_their_policies() -> None:
    tries.clear()
    with pytest.raises(ConnectionError):
        await retries(1)
    policy = RetryPolicy(attempts=3, backoff=BackoffPolicy(base_delay=0.001, jitter=1.0))
    tries.clear()
    assert await retries(2, policy) == 3
    tries.clear()
    with pytest.raises(ConnectionError):
        await retries(3, policy)
    for kinds, error, count in [
        ((OSError,), ConnectionError, 2),
        (("OSError",), ConnectionError, 2),
        ((KeyError,), OSError, 1),
    ]:
        tries.clear()
        try:
            await retries(1, RetryPolicy(attempts=2, retry_on=kinds), error)
        except OSError:
            pass
        assert len(tries) == count, kinds
    tries.clear()
    with pytest.raises(NonRetryable):
        await retries(1, policy, NonRetryable)
    assert len(tries) == 1


async def test_inline_an_attempt_may_take_its_time_and_no_longer() -> None:
    tries.clear()
    with pytest.raises(asyncio.TimeoutError):
        await Workflow().run_action(slow(), retry=RetryPolicy(attempts=2))
    assert len(tries) == 2
    with pytest.raises(TypeError, match="call of an action"):
        await Workflow().run_action(asyncio.gather())


def test_a_name_is_one_classes() -> None:
    def define(qualname: str, module: str, **options: Any) -> None:
        async def run(self: Any) -> None: ...

        cls = type("Same", (Workflow,), {"run": run, "__module__": module, "__qualname__": qualname})
        workflow(**options)(cls)

    define("Same", "app.one")
    # Loaded again.
    define("Same", "app.one")
    with pytest.raises(WaymarkError, match="app.one:Same and app.two:Same") as raised:
        define("Same", "app.two")
    assert 'name="…"' in str(raised.value)
    define("Same", "app.two", name="two.Same")


def test_mistakes_are_told_at_decoration() -> None:
    def define(**members: Any) -> None:
        workflow(type("Wrong", (Workflow,), {**members, "__qualname__": "x.<locals>.Wrong"}))

    async def run(self: Any, n: int) -> None: ...
    async def keyword(self: Any, *, id: str) -> None: ...
    def init(self: Any, n: int) -> None: ...
    def plain(self: Any) -> None: ...
    async def yields(self: Any) -> Any:
        yield 1

    for members, said in [
        ({}, "async def run"),
        ({"run": plain}, "async def run"),
        ({"run": yields}, "has a `yield`"),
        ({"run": keyword}, "'id'"),
        ({"run": run, "__init__": init}, "give them to run"),
    ]:
        with pytest.raises(TypeError, match=said):
            define(**members)
    with pytest.raises(TypeError, match="class"):
        workflow(run)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="@workflow"):
        type("Bare", (Workflow,), {"run": run})().start_sync(1)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"tags": 3}, "tags are texts, not 3"), ({"id": "\ud800"}, "id is a text of yours, and .* lone surrogates")],
    ids=["tags", "id"],
)
async def test_options_that_are_no_texts(options: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        await Inner().start(1, **options)


async def test_an_argument_that_could_be_an_option() -> None:
    @workflow
    class Delayed(Workflow):
        async def run(self, delay: int) -> int:
            return delay

    assert await Delayed().run_inline(delay=3) == 3
    with pytest.raises(TypeError, match="which is meant"):
        await Delayed().start(delay=3)


def test_defining_workflows_needs_no_grpc() -> None:
    code = "import waymark.workflow, sys; assert not [name for name in sys.modules if name.startswith(('grpc', 'google'))]"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(Path(__file__).resolve().parents[2])})


def test_type_checkers_see_parameters_and_results() -> None:
    """Errors are expected exactly where the file says so."""
    file = Path(__file__).with_name("typed.py")
    asked = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", str(file)],
        capture_output=True,
        text=True,
        cwd=file.parents[3],
        timeout=300,
    )
    import json

    found = {each["range"]["start"]["line"] + 1 for each in json.loads(asked.stdout)["generalDiagnostics"] if each["severity"] == "error"}
    lines = file.read_text().splitlines()
    expected = {number for number, line in enumerate(lines, 1) if line.rstrip().endswith("# wrong")}
    assert found == expected, asked.stdout
