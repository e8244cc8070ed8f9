"""Signals, updates, queries, children and single actions: in memory, as plain asyncio, and on a real server with each database."""

from __future__ import annotations

import asyncio
import os
import pathlib
import subprocess
import sys
from typing import Any

import postgres
import pytest
from corpus.talking import Bid, NoBids, TalkingAuction, TalkingBallot, TalkingPrices, TalkingWaiter, Vote
from talking_client import Busy, TalkingTree, add
from test_corpus import wait_until

import waymark
from waymark import InstanceFinished, ResultTimeout, RetryPolicy, Workflow, action, workflow
from waymark._binary import find_binary
from waymark.errors import CompileError
from waymark.testing import Environment

TESTS = pathlib.Path(__file__).parent


async def test_signals_in_memory() -> None:
    async with Environment() as environment:
        ballot = await TalkingBallot().start(2)
        await ballot.signal("vote", Vote(who="ann"), id="a")
        await ballot.signal("vote", Vote(who="ann"), id="a")
        await environment.sleep(1)
        assert await ballot.query("votes") == 1
        await ballot.signal("vote", {"who": "eve", "yes": "on"})
        assert await ballot.result() == {"who": ["ann", "eve"], "kind": "Vote"}
        assert await ballot.published() == {"votes": 2}
        with pytest.raises(InstanceFinished):
            await ballot.signal("vote")
        waiting = await TalkingBallot().start(1)
        await waiting.signal("vote", {"name": "nobody"})
        with pytest.raises(ValueError, match="who"):
            await waiting.result()


async def test_updates_in_memory() -> None:
    async with Environment() as environment:
        prices = await TalkingPrices().start()
        assert await prices.update("price", 12) == 24
        with pytest.raises(ValueError, match="not below 12"):
            await prices.update("price", 3)
        (frame,) = [each for each in await prices.variables() if each.function == "main"]
        assert frame.variables["price"] == 12
        with pytest.raises(ResultTimeout):
            await prices.update("other", 3, timeout=0.01)
        assert await prices.update("price", 31) == 62
        assert await prices.result() == 31
        with pytest.raises(InstanceFinished):
            await prices.update("price", 3)
        assert [step.name for step in environment.trace if step.what == "update"] == ["price", "price", "other", "price", "price"]


async def test_inline_instances_are_talked_to() -> None:
    ballot = TalkingBallot().start_inline(2)
    await ballot.signal("vote", Vote(who="ann"), id="a")
    await ballot.signal("vote", Vote(who="ann"), id="a")
    await ballot.signal("vote", {"who": "bob"})
    assert await ballot.result() == {"who": ["ann", "bob"], "kind": "Vote"}
    assert await ballot.published() == {"votes": 2}
    prices = TalkingPrices().start_inline()
    assert await prices.update("price", 12) == 24
    with pytest.raises(ValueError, match="not below 12"):
        await prices.update("price", 3)
    await prices.cancel()
    with pytest.raises(asyncio.CancelledError):
        await prices.result()
    with pytest.raises(RuntimeError, match=r"wait_for_signal\(\) is for workflows"):
        await waymark.wait_for_signal("go")


async def test_a_waiter_that_is_cancelled_loses_nothing_inline() -> None:
    waiter = TalkingWaiter().start_inline()
    await asyncio.sleep(0)
    queue = waiter._instance.signals
    first = asyncio.create_task(queue.receive("x", "signal", None))
    await asyncio.sleep(0)
    queue.put("x", 1)
    first.cancel()  # With the signal in its hands.
    assert await queue.receive("x", "signal", 1) == 1
    await waiter.cancel()


async def test_a_thousand_children_in_memory() -> None:
    async with Environment():
        assert await TalkingTree().run(1_000) == sum(range(1_000))


async def test_single_actions_in_memory() -> None:
    tries = []

    @action(retry=RetryPolicy(attempts=3))
    async def unsure(number: int) -> int:
        tries.append(number)
        if len(tries) < 3:
            raise Busy(number)
        return number

    async with Environment() as environment:
        handle = await add.start(1, right=2, id="one")
        assert await handle.result() == 3
        assert len(environment.calls(add)) == 1
        assert await (await unsure.start(7)).result() == 7 and tries == [7, 7, 7]
        with pytest.raises(TypeError, match="unexpected keyword argument 'up'"):
            await add.start(1, up=2)
        with pytest.raises(TypeError):
            await add.start(object())


@action
async def named(id: str) -> str:
    return id


async def test_an_option_that_is_a_parameter_has_to_be_given_by_position() -> None:
    async with Environment():
        with pytest.raises(TypeError, match="'id' is an option of start"):
            await named.start(id="x")
        assert await (await named.start("x")).result() == "x"


@workflow
class TalkingOptions(Workflow):
    async def run(self, options: dict[str, Any]) -> Any:
        waiting = await TalkingWaiter().start(**{}, tags=["a"], priority=2, delay=5)
        await waiting.signal("go", options)
        return await waiting.result()


async def test_children_with_options() -> None:
    async with Environment() as environment:
        before = environment.now
        assert await TalkingOptions().run({"x": 1}) == {"x": 1}
        assert (environment.now - before).total_seconds() >= 5


def test_what_is_wrong_is_refused_when_it_is_compiled() -> None:
    with pytest.raises(CompileError) as refused:

        @workflow
        class TalkingUnknownType(Workflow):
            async def run(self, wanted: Any) -> None:
                await waymark.wait_for_signal("vote", wanted)
                await waymark.wait_for_signal()  # type: ignore[call-overload]
                self.publish("x")  # type: ignore[call-arg]

    assert [problem.code for problem in refused.value.problems] == ["P0314", "P0305", "P0305"]


async def test_start_outside_of_a_workflow_has_no_parent() -> None:
    async with Environment():
        with pytest.raises(TypeError, match="parent_close is for children"):
            await TalkingWaiter().start(parent_close="wait")


async def test_auctions_without_bids() -> None:
    async with Environment():
        auction = await TalkingAuction().start()
        await auction.signal("hammer")
        with pytest.raises(NoBids):
            await auction.result()
        won = await TalkingAuction().start()
        await won.signal("bid", Bid("ann", 1))
        await won.signal("hammer")
        assert await won.result() == Bid("ann", 1)


# ------------------------------------------------------------------------------------------------------- on a real server


def test_on_sqlite(tmp_path: pathlib.Path) -> None:
    on_a_server(tmp_path, f"sqlite:{tmp_path / 'waymark.db'}")


def test_on_postgres(tmp_path: pathlib.Path) -> None:
    with postgres.server() as url:
        on_a_server(tmp_path, url)


def on_a_server(folder: pathlib.Path, url: str) -> None:
    home = folder / "home"
    environment = {
        **os.environ,
        "WAYMARK_DATABASE_URL": url,
        "WAYMARK_HOME": str(home),
        "WAYMARK_USER_MODULES": "talking_client,corpus.talking",
        "WAYMARK_WORKER_COMMAND": f"{sys.executable} -m waymark.worker",
        "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]),
        "CORPUS_JOURNAL": str(folder),
    }
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen([find_binary(), "dev", "--workers", "1"], env=environment, cwd=folder, stdout=log, stderr=log)
    try:
        wait_until(lambda: list((home / "run").glob("*.json")) or server.poll() is not None)
        main = "import asyncio, sys, talking_client; asyncio.run(talking_client.main(sys.argv[1]))"
        command = [sys.executable, "-c", main, str(folder)]
        run = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stderr[-6000:]
        print(run.stderr)
    finally:
        server.terminate()
        server.wait(60)
