"""Workflows that are stopped, held and taken back, with a journal of what their actions did."""

from __future__ import annotations

import asyncio
import os
import pathlib

from waymark import RetryPolicy, Workflow, action, current, wait_for_signal, workflow


def _note(what: str) -> None:
    """Whoever looks reads whole lines."""
    with (pathlib.Path(os.environ["CONTROL_JOURNAL"]) / str(current().instance_id)).open("a") as journal:
        journal.write(f"{what}\n")


@action
async def note(what: str) -> str:
    _note(what)
    return what


@action
async def fragile(order: str) -> str:
    """Fails until somebody has mended it."""
    _note(f"fragile {order} {current().attempt} {current().execution_id[-4:]}")
    if not (pathlib.Path(os.environ["CONTROL_JOURNAL"]) / "mended").exists():
        raise ConnectionError("not today")
    return f"shipped {order}"


@action
async def linger(seconds: float) -> None:
    _note("lingers")
    try:
        await asyncio.sleep(seconds)
    finally:
        _note("stopped lingering")


@action
async def patient(order: str) -> str:
    """Takes its time until somebody has mended what is fragile."""
    while not (pathlib.Path(os.environ["CONTROL_JOURNAL"]) / "mended").exists():
        await asyncio.sleep(0.05)
    return f"waited for {order}"


@workflow
class FragileOrder(Workflow):
    async def run(self, order: str) -> str:
        await note(f"reserve {order}")
        shipped = await self.run_action(fragile(order), retry=RetryPolicy(attempts=1))
        await note(f"bill {order}")
        return shipped


@workflow
class CompensatedOrder(Workflow):
    async def run(self, order: str) -> str:
        try:
            return await self.run_action(fragile(order), retry=RetryPolicy(attempts=1))
        except ConnectionError:
            await note(f"release {order}")
            raise


@workflow
class GatheredOrder(Workflow):
    """Fails beside something that goes on, which is cancelled then."""

    async def run(self, order: str, grouped: bool) -> list[str]:
        if grouped:
            async with asyncio.TaskGroup() as group:
                shipped = group.create_task(self.run_action(fragile(order), retry=RetryPolicy(attempts=1)))
                noted = group.create_task(patient(order))
            return [shipped.result(), noted.result()]
        return list(await asyncio.gather(self.run_action(fragile(order), retry=RetryPolicy(attempts=1)), patient(order)))


@workflow
class ForgivingOrder(Workflow):
    """Goes on without a step that failed, and raises by itself."""

    async def run(self, order: str) -> None:
        try:
            await self.run_action(fragile(order), retry=RetryPolicy(attempts=1))
        except ConnectionError:
            await note(f"forgives {order}")
        raise LookupError(order)


@workflow
class ControlledFamily(Workflow):
    """Waits for a child; one that is abandoned goes on while it fails."""

    async def run(self, name: str, fails: bool) -> list[object]:
        if not fails:
            return await ControlledGate().run(name)
        child = await ControlledGate().start(name, id=name, parent_close="abandon")
        try:
            await self.run_action(fragile(name), retry=RetryPolicy(attempts=1))
        except ConnectionError:
            await note(f"release {name}")
            raise
        return await child.result()


@workflow
class ControlledHold(Workflow):
    """Waits in an action, and clears up."""

    async def run(self, seconds: float, clearing: float = 0) -> str:
        try:
            await linger(seconds)
        finally:
            await note("clears up")
            await asyncio.sleep(clearing)
            await note("has cleared up")
        return "done"


@workflow
class ControlledGate(Workflow):
    async def run(self, name: str) -> list[object]:
        await note(f"opens {name}")
        return [name, await wait_for_signal("go")]


@workflow
class ControlledParent(Workflow):
    """Does not listen, and has two children."""

    async def run(self, name: str) -> None:
        await ControlledGate().start("stays", id=f"{name} stays", parent_close="abandon")
        await ControlledGate().start("goes", id=f"{name} goes")
        while True:
            try:
                await asyncio.sleep(600)
            except asyncio.CancelledError:
                pass


@workflow
class ControlledSteps(Workflow):
    async def run(self, count: int) -> int:
        for step in range(count):
            await note(f"step {step}")
            await asyncio.sleep(0.05)
        return count
