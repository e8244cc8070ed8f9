"""What a client says to instances on a real server; run by test_talking.py once on each database."""

from __future__ import annotations

import asyncio
import json
import pathlib
import subprocess
import sys
import time
import uuid
from typing import Any

import pytest
from corpus.talking import Bid, NoBids, TalkingAuction, TalkingByName, TalkingFails, TalkingPrices, TalkingWaiter

import waymark
from waymark import InstanceFinished, InstanceNotFound, ResultTimeout, RetryPolicy, Workflow, action, workflow
from waymark._binary import find_binary


class Busy(Exception):
    pass


@action
async def add(left: int, right: int = 1) -> int:
    return left + right


@action(retry=RetryPolicy(attempts=2))
async def flaky(path: str) -> int:
    with open(path, "a") as tries:
        tries.write("x")
    with open(path) as tries:
        count = len(tries.read())
    if count < 4:
        raise Busy(count)
    return count


@workflow
class TalkingLeaf(Workflow):
    async def run(self, number: int) -> int:
        return number


@workflow
class TalkingTree(Workflow):
    async def run(self, width: int) -> int:
        return sum(await asyncio.gather(*[TalkingLeaf().run(number) for number in range(width)]))


@workflow
class TalkingLeaves(Workflow):
    """Leaves one behind, and ends at once."""

    async def run(self) -> str:
        left = await TalkingWaiter().start(parent_close="abandon", tags=["left"], id="left behind")
        await left.signal("go", "later")
        return left.instance_id


TEXT = """\
workflow talking.text
semantics 1

fn main(input: [number]):
    leaf = @workflow TalkingLeaf(number=number)
    doubled = @talking_client:add(leaf, right=leaf)
    if doubled > 100:
        raise ValueError(f"{doubled} is too much")
    return [leaf, doubled]
"""


@workflow
class TalkingAcross(Workflow):
    async def run(self, number: int) -> Any:
        try:
            return await waymark.run_workflow("talking.text", number=number)
        except ValueError as error:
            return f"refused: {error}"


async def dialects(folder: str) -> None:
    """A program in the text form has a child in Python, and is one of a workflow in Python."""
    await TalkingLeaf().run(1)
    program = pathlib.Path(folder) / "text.ir"
    program.write_text(TEXT)
    command = [find_binary(), "run", str(program), "--input", '{"number": 4}']
    said = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=120)
    assert (said.returncode, json.loads(said.stdout or "null")) == (0, [4, 8]), said
    assert await TalkingAcross().run(21) == [21, 42]
    assert await TalkingAcross().run(51) == "refused: 102 is too much"


async def signals() -> None:
    auction = await TalkingAuction().start()
    for _ in range(3):
        await auction.signal("bid", Bid("ann", 3), id="one")
    await auction.signal("bid", {"who": "bob", "amount": 2})
    # It was read long ago, and is still known.
    await asyncio.sleep(0)
    await auction.signal("bid", Bid("ann", 99), id="one")
    await auction.signal("hammer")
    assert await auction.result(60) == Bid("ann", 3)
    await auction.signal("bid", Bid("ann", 3), id="one")  # It was taken.
    with pytest.raises(InstanceFinished, match="nobody reads the signal 'bid'"):
        await auction.signal("bid", Bid("eve", 1), id="another")
    with pytest.raises(InstanceFinished, match="nobody reads the signal 'bid'"):
        await auction.signal("bid", Bid("eve", 1))
    with pytest.raises(InstanceNotFound):
        await waymark.get_handle(uuid.uuid4()).signal("bid", 1)
    waiter = await TalkingWaiter().start()
    with pytest.raises(TypeError):
        await waiter.signal("go", object())
    with pytest.raises(TypeError, match="the name of a signal is a text"):
        await waiter.signal("", 1)
    await waiter.signal("go", "good")
    assert await waiter.result(60) == "good", "what was refused has changed nothing"


async def updates_and_queries() -> None:
    prices = await TalkingPrices().start()
    assert await prices.update("price", 11, timeout=60, id="first") == 22
    assert await prices.update("price", 11, timeout=60, id="first") == 22, "the same id is the same update"
    with pytest.raises(ValueError, match="not below 11"):
        await prices.update("price", 5, timeout=60)
    assert await prices.query("price") == 11 and await prices.published() == {"price": 11}
    (frame,) = [each for each in await prices.variables() if each.function == "main"]
    assert frame.variables["price"] == 11 and frame.line > 0 and frame.task == "Task-1"
    with pytest.raises(KeyError, match="published nothing under 'cost'"):
        await prices.query("cost")
    with pytest.raises(ResultTimeout):
        await prices.update("unknown", 1, timeout=0.2)
    assert await prices.update("price", 40, timeout=60) == 80
    assert await prices.result(60) == 40
    assert await prices.published() == {"price": 40} and await prices.variables() == []
    assert await prices.update("price", 11, timeout=60, id="first") == 22, "also after its end"
    with pytest.raises(InstanceFinished, match="without a reply to the update"):
        await prices.update("price", 50, timeout=60)
    ending = await TalkingWaiter().start()
    waiting = asyncio.create_task(ending.update("price", 1, timeout=60))
    while not (await ending.describe()).waits_for:
        await asyncio.sleep(0.05)
    await ending.signal("go")
    with pytest.raises(InstanceFinished):
        await waiting
    with pytest.raises(InstanceNotFound):
        await waymark.get_handle(uuid.uuid4()).query("price")


async def children() -> None:
    began = time.monotonic()
    assert await TalkingTree().run(1_000) == sum(range(1_000))
    print(f"a thousand children: {time.monotonic() - began:.1f} s", file=sys.stderr)
    left = waymark.get_handle(await TalkingLeaves().run())
    assert await left.result(60) == "later"
    assert (await left.describe()).id == "left behind"
    # It is registered now, so it is found by its name.
    with pytest.raises(NoBids):
        await TalkingFails().run("x")
    assert await TalkingByName().run("TalkingFails") == ("named", 5)
    with pytest.raises(RuntimeError, match="there is no workflow TalkingNone"):
        await TalkingByName().run("TalkingNone")


async def actions(folder: str) -> None:
    handle: Any = await add.start(1, right=4, id="sum", priority=0)
    assert await handle.result(60) == 5
    assert (await handle.describe()).workflow_name == "talking_client:add"
    with pytest.raises(TypeError, match="missing a required argument: 'left'"):
        await add.start()
    failing = await flaky.start(f"{folder}/tries")
    with pytest.raises(Busy):
        await failing.result(60)
    assert await (await flaky.start(f"{folder}/tries", retry=RetryPolicy(attempts=5))).result(60) == 4
    began = time.time()
    assert await (await add.start(1, delay=1)).result(60) == 2
    assert time.time() - began >= 1


async def main(folder: str) -> None:
    await signals()
    await updates_and_queries()
    await children()
    await dialects(folder)
    await actions(folder)
    assert await asyncio.to_thread(lambda: add.start_sync(2, 3).result_sync(60)) == 5
