"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.

The recorded programs call these actions by their names: what is here may be added to, not changed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import timedelta
from typing import Any

import waymark
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, wait_for_signal, workflow
from waymark.client.instance import Status

PATIENT = RetryPolicy(attempts=100, backoff=BackoffPolicy(base_delay=30, factor=1))


@action
async def double(n: int) -> int:
    return 2 * n


@action
async def mended(n: int) -> int:
    """Fails until somebody is there who has a newer Waymark."""
    if "UPGRADED" not in os.environ:
        raise ConnectionError("not yet")
    return n


@workflow
class Waiting(Workflow):
    """Stands in the middle of a function that another one has called, with a future, a set and an exception in its variables."""

    async def run(self, n: int) -> list[Any]:
        self.publish("half", await double(n))
        seen = {n, 2 * n}
        answer = await self.ask()
        parts = await asyncio.gather(*[double(n + k) for k in range(3)])
        return [sorted(seen), answer, parts]

    async def ask(self) -> Any:
        try:
            raise LookupError("before")
        except LookupError as error:
            return [str(error), await wait_for_signal("go", timeout=timedelta(days=36_500))]


@workflow
class Sleeping(Workflow):
    async def run(self, n: int) -> int:
        before = await double(n)
        await asyncio.sleep(5)
        return before + await double(1)


@workflow
class Looping(Workflow):
    """Has a state that was saved whole, and a log behind it."""

    async def run(self, count: int) -> list[Any]:
        total = 0
        for n in range(count):
            total += await double(n)
        return [total, await wait_for_signal("go")]


@workflow
class Family(Workflow):
    async def run(self, n: int) -> list[Any]:
        child = await Waiting().start(n, id=f"child {n}")
        return [n, await child.result()]


@workflow
class Retrying(Workflow):
    async def run(self, n: int) -> int:
        return await self.run_action(mended(n), retry=PATIENT)


async def begin() -> None:
    finished = await Sleeping().start(7, id="finished")
    failed = await Waiting().start(1, id="terminated")
    await Waiting().start(5, id="waiting", tags=["kept"], queue="default", key="tenant")
    await Looping().start(400, id="looping")
    await Family().start(9, id="family")
    await Retrying().start(3, id="retrying")
    paused = await Waiting().start(2, id="paused")
    await until(paused, "signal go")
    await paused.pause()
    await until(failed, "signal go")
    await failed.terminate("enough")
    for handle in (Waiting.get_handle("waiting"), Looping.get_handle("looping"), Waiting.get_handle("child 9")):
        await until(handle, "signal go")
    assert await finished.result(timeout=60) == 16
    await waymark.set_queue("default", key_concurrency=50)
    await waymark.schedule_workflow(Sleeping, schedule="0 3 1 1 *", schedule_name="yearly", inputs={"n": 4})
    await Sleeping().start(6, id="sleeping")
    await until(Sleeping.get_handle("sleeping"), "sleep")
    await until(Retrying.get_handle("retrying"), "retry")


async def finish() -> None:
    assert await Sleeping.get_handle("finished").result() == 16
    assert await Waiting.get_handle("terminated").status() is Status.TERMINATED
    (kept,) = await waymark.list_instances(tags="kept")
    assert (kept.id, kept.key, kept.status) == ("waiting", "tenant", Status.RUNNING)
    assert (await waymark.list_queues())[0].key_concurrency == 50
    (schedule,) = await waymark.list_schedules(Sleeping)
    assert schedule.schedule_name == "yearly"
    waiting = Waiting.get_handle("waiting")
    assert await waiting.query("half") == 10
    await waiting.signal("go", {"by": "hand"})
    assert await waiting.result(timeout=60) == [[5, 10], ["before", {"by": "hand"}], [10, 12, 14]]
    looping = Looping.get_handle("looping")
    await looping.signal("go", 1)
    assert await looping.result(timeout=60) == [400 * 399, 1]
    await Waiting.get_handle("child 9").signal("go", None)
    assert await Family.get_handle("family").result(timeout=60) == [9, [[9, 18], ["before", None], [18, 20, 22]]]
    paused = Waiting.get_handle("paused")
    assert await paused.status() is Status.PAUSED
    await paused.resume()
    await paused.signal("go", "on")
    assert await paused.result(timeout=60) == [[2, 4], ["before", "on"], [4, 6, 8]]
    assert await Sleeping.get_handle("sleeping").result(timeout=60) == 14
    assert await Retrying.get_handle("retrying").result(timeout=60) == 3
    assert await Retrying().run(8) == 8
    print("all is well")


async def until(handle: waymark.Handle[Any], waits_for: str) -> None:
    for _ in range(3_000):
        try:
            if waits_for in ((await handle.describe()).waits_for or ""):
                return
        except waymark.InstanceNotFound:
            pass
        await asyncio.sleep(0.02)
    raise AssertionError(f"{handle} never waits for {waits_for}: {await handle.describe()}")


if __name__ == "__main__":
    asyncio.run({"begin": begin, "finish": finish}[sys.argv[1]]())
