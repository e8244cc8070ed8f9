"""Queues for real: limits, pauses, and what a taken id means, on a server that a client starts."""

from __future__ import annotations

import asyncio
import pathlib

import pytest
from workplace import workplace

from waymark import InstanceExists, Workflow, set_queue, workflow
from waymark.testing import Environment


@workflow
class Nap(Workflow):
    async def run(self, seconds: float) -> str:
        await asyncio.sleep(seconds)
        return "rested"


PROGRAM = """
import asyncio
import time

import waymark
from waymark import InstanceExists, Status, Workflow, WorkflowFailed, action, workflow


@action
async def work(name: str) -> list[float]:
    began = time.time()
    await asyncio.sleep(0.2)
    return [began, time.time()]


@workflow
class Job(Workflow):
    async def run(self, name: str) -> list[float]:
        return await work(name)


@workflow
class Nap(Workflow):
    async def run(self, seconds: float) -> str:
        await asyncio.sleep(seconds)
        return "rested"


async def ended(handle, status):
    deadline = time.monotonic() + 60
    while (found := (await handle.describe()).status) != status:
        assert time.monotonic() < deadline, found
        await asyncio.sleep(0.05)


async def main():
    # One after the other.
    await waymark.set_queue("default", concurrency=1, key_rate=(1000, 1))
    times = await asyncio.gather(*[Job().run(str(n)) for n in range(4)])
    for before, after in zip(sorted(times), sorted(times)[1:]):
        assert before[1] <= after[0] + 0.01, times
    (queue,) = await waymark.list_queues()
    assert (queue.concurrency, queue.key_rate, queue.paused) == (1, waymark.Rate(1000, 1.0), False)
    await waymark.set_queue("default")

    # Paused and resumed.
    assert await waymark.pause_queue("default")
    handle = await Job().start("waits")
    (queue,) = await waymark.list_queues()
    assert queue.paused and queue.depth.due == 1
    assert (await handle.describe()).waits_for == "queue default, which is paused"
    nobody = await Job().start("nobody", queue="nobody's")
    assert (await nobody.describe()).waits_for == "its turn in queue nobody's"
    await nobody.terminate()
    assert await waymark.pause_workflow(Job) and await waymark.list_paused_workflows() == ["Job"]
    assert await waymark.resume_queue("default")
    assert await Nap().run(0.01) == "rested"
    about = await handle.describe()
    assert (about.status, about.waits_for) == (Status.RUNNING, "its workflow, which is paused")
    assert await waymark.resume_workflow(Job) and not await waymark.resume_workflow(Job)
    await handle.result()

    # A taken id.
    first = await Nap().start(3600, id="nap")
    assert (await Nap().start(3600, id="nap")).instance_id == first.instance_id
    assert (await Nap().start(1, id="nap", on_conflict="existing")).instance_id == first.instance_id
    for refused in [Nap().start(1, id="nap"), Nap().start(3600, id="nap", on_conflict="reject")]:
        try:
            await refused
        except InstanceExists:
            continue
        raise AssertionError("it was started")
    second = await Nap().start(0.01, id="nap", on_conflict="replace")
    await ended(first, Status.TERMINATED)
    assert await second.result() == "rested"
    again = await Nap().start(0.01, id="nap", unique_for=3600)
    assert again.instance_id == second.instance_id
    assert (await Nap().start(0.01, id="nap")).instance_id != second.instance_id
    print("all is well")


asyncio.run(main())
"""


def test_queues_for_real(tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("\nasyncio.run(main())", '\nif __name__ == "__main__":\n    asyncio.run(main())'))
    with workplace(tmp_path) as place:
        done = place.shell("python program.py")
    assert done.returncode == 0 and done.stdout.endswith("all is well\n"), done.stdout


async def test_what_cannot_be_is_said() -> None:
    for wrong in [{"concurrency": 0}, {"key_concurrency": "5"}, {"rate": (0, 1)}, {"rate": (5, -1)}]:
        with pytest.raises((ValueError, TypeError)):
            await set_queue("default", **wrong)  # type: ignore[arg-type]


async def test_in_memory_a_taken_id_means_what_the_start_says() -> None:
    async with Environment() as environment:
        first = await Nap().start(60, id="nap")
        assert (await Nap().start(1, id="nap", on_conflict="existing")).instance_id == first.instance_id
        with pytest.raises(InstanceExists):
            await Nap().start(60, id="nap", on_conflict="reject")
        with pytest.raises(TypeError, match="there is no id"):
            await Nap().start(60, on_conflict="reject")
        with pytest.raises(ValueError, match="'reject', 'existing' or 'replace'"):
            await Nap().start(60, id="nap", on_conflict="ignore")  # type: ignore[arg-type]
        assert await first.result() == "rested"
        again = await Nap().start(60, id="nap", unique_for=3600)
        assert again.instance_id == first.instance_id, "it has finished a short while ago"
        await environment.sleep(3601)
        later = await Nap().start(60, id="nap", unique_for=3600)
        assert later.instance_id != first.instance_id
