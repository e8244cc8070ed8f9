"""In charge of what runs: cancel, terminate, pause, resume, retry, deadlines and searches, on both databases with real workers."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import postgres
import pytest

import waymark
from waymark import ControlRefused, Filter, Handle, InstanceNotFound, Status, Terminated, WorkflowCancelled
from waymark._binary import find_binary
from waymark.client import backend, background
from waymark.client.bridge import bridge

SECONDS_MAX = 30


class Site:
    def __init__(self, journals: pathlib.Path) -> None:
        self.journals = journals
        self.workflows: Any = importlib.import_module("control_actions")

    def journal(self, handle: Handle[Any]) -> list[str]:
        file = self.journals / handle.instance_id
        return file.read_text().splitlines() if file.exists() else []

    async def until(self, handle: Handle[Any], line: str) -> None:
        async def seen() -> None:
            while line not in self.journal(handle):
                await asyncio.sleep(0.02)

        await asyncio.wait_for(seen(), SECONDS_MAX)

    def mend(self) -> None:
        (self.journals / "mended").touch()


@pytest.fixture(params=["sqlite", "postgres"])
def site(request: pytest.FixtureRequest, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    for name in list(os.environ):
        if name.startswith("WAYMARK_") and name != "WAYMARK_BINARY":
            monkeypatch.delenv(name)
    journals = tmp_path / "journals"
    journals.mkdir()
    monkeypatch.setenv("CONTROL_JOURNAL", str(journals))
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WAYMARK_IDLE_SECONDS", "60")
    monkeypatch.setenv("WAYMARK_WORKERS", "1")
    monkeypatch.setenv("WAYMARK_WORKER_COMMAND", f"'{sys.executable}' -m waymark.worker")
    monkeypatch.setenv("PYTHONPATH", f"{pathlib.Path(__file__).parent.parent}{os.pathsep}{pathlib.Path(__file__).parent}")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "database"
    folder.mkdir()
    before = backend.set_default(bridge)
    try:
        if request.param == "sqlite":
            monkeypatch.setenv("WAYMARK_DATABASE_URL", f"sqlite:{folder / 'waymark.db'}")
            yield from _site(tmp_path, journals)
        else:
            with postgres.server() as url:
                monkeypatch.setenv("WAYMARK_DATABASE_URL", url)
                # The bridge that a client starts has no engine there.
                words = [find_binary(), "start-workers", "--user-modules", "control_actions"]
                engine = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=(tmp_path / "engine.log").open("w"))
                try:
                    yield from _site(tmp_path, journals)
                finally:
                    engine.terminate()
                    engine.wait(SECONDS_MAX)
    finally:
        backend.set_default(before)


def _site(folder: pathlib.Path, journals: pathlib.Path) -> Iterator[Site]:
    try:
        yield Site(journals)
    finally:
        background.run(bridge().close(), "close")
        for record in (folder / "home" / "run").glob("*.json"):
            try:
                os.kill(json.loads(record.read_text())["pid"], signal.SIGKILL)
            except ProcessLookupError:
                pass


async def test_a_failed_instance_goes_on_from_the_step_that_failed(site: Site) -> None:
    handle = await site.workflows.FragileOrder().start("o-1", id="o-1", tags=["eu", "big"])
    with pytest.raises(ConnectionError, match="not today"):
        await handle.result(timeout=SECONDS_MAX)
    failed = site.journal(handle)
    assert failed[0] == "reserve o-1" and failed[1].startswith("fragile o-1 1 ")
    await handle.retry()
    with pytest.raises(ConnectionError):
        await handle.result(timeout=SECONDS_MAX)
    site.mend()
    await handle.retry()
    assert await handle.result(timeout=SECONDS_MAX) == "shipped o-1"
    lines = site.journal(handle)
    assert [line.rsplit(" ", 1)[0] for line in lines] == [
        "reserve",
        "fragile o-1 1",
        "fragile o-1 2",
        "fragile o-1 3",
        "bill",
    ], "what was completed is not run again, and attempts go on counting"
    assert len({line.rsplit(" ", 1)[1] for line in lines if line.startswith("fragile")}) == 1, "one execution"
    with pytest.raises(ControlRefused, match="completed"):
        await handle.retry()


async def test_compensation_is_taken_back_with_the_step(site: Site) -> None:
    handle = await site.workflows.CompensatedOrder().start("o-2")
    with pytest.raises(ConnectionError):
        await handle.result(timeout=SECONDS_MAX)
    site.mend()
    await handle.retry()
    assert await handle.result(timeout=SECONDS_MAX) == "shipped o-2"
    names = [line.split()[0] for line in site.journal(handle)]
    assert names == ["fragile", "release", "fragile"]
    first, second = [line for line in site.journal(handle) if line.startswith("fragile")]
    assert first.split()[3] != "" and first.split()[2:] != second.split()[2:]


@pytest.mark.parametrize("grouped", [False, True])
async def test_what_was_cancelled_beside_the_step_that_failed_is_run_again_too(site: Site, grouped: bool) -> None:
    handle = await site.workflows.GatheredOrder().start("o-4", grouped)
    assert await handle.wait(timeout=SECONDS_MAX) is Status.FAILED
    site.mend()
    await handle.retry()
    assert await handle.result(timeout=SECONDS_MAX) == ["shipped o-4", "waited for o-4"]
    first, second = [line.split() for line in site.journal(handle) if line.startswith("fragile")]
    assert (first[2], second[2]) == ("1", "2") and first[3] == second[3], "the execution that failed has another attempt"


async def test_a_step_whose_failure_was_caught_is_not_taken_for_the_cause(site: Site) -> None:
    handle = await site.workflows.ForgivingOrder().start("o-5")
    assert await handle.wait(timeout=SECONDS_MAX) is Status.FAILED
    with pytest.raises(ControlRefused, match="own code raised.*would run completed steps again"):
        await handle.retry()
    assert [line.split()[0] for line in site.journal(handle)] == ["fragile", "forgives"]


async def test_children_of_what_is_taken_back(site: Site) -> None:
    family, gate = site.workflows.ControlledFamily, site.workflows.ControlledGate

    async def children(parent: Handle[Any], count: int) -> list[Handle[Any]]:
        for _ in range(SECONDS_MAX * 20):
            found = await waymark.list_instances(workflow=gate, parent=parent.instance_id, status="running")
            if len(found) == count:
                return [waymark.get_handle(str(one.instance_id)) for one in found]
            await asyncio.sleep(0.05)
        raise AssertionError(f"{len(found)} children")

    # Terminating told the child to end: another one takes its place.
    waiting = await family().start("f-1", False)
    (first,) = await children(waiting, 1)
    await waiting.terminate()
    assert await first.wait(timeout=SECONDS_MAX) is Status.CANCELLED
    await waiting.retry()
    (second,) = await children(waiting, 1)
    await second.signal("go", 1)
    assert await waiting.result(timeout=SECONDS_MAX) == ["f-1", 1]
    # It began anew with other inputs: what the child of the first run says is not for it, and that child is cancelled.
    restarted = await family().start("f-2", False)
    (first,) = await children(restarted, 1)
    await restarted.retry(inputs={"name": "f-3", "fails": False})
    assert await first.wait(timeout=SECONDS_MAX) is Status.CANCELLED
    (second,) = await children(restarted, 1)
    await second.signal("go", 2)
    assert await restarted.result(timeout=SECONDS_MAX) == ["f-3", 2]
    # One that ended while nobody was there to hear it is heard, and is not started twice.
    failing = await family().start("f-4", True)
    assert await failing.wait(timeout=SECONDS_MAX) is Status.FAILED
    (child,) = await children(failing, 1)
    await child.signal("go", 3)
    assert await child.result(timeout=SECONDS_MAX) == ["f-4", 3]
    site.mend()
    await failing.retry()
    assert await failing.result(timeout=SECONDS_MAX) == ["f-4", 3]
    assert await waymark.count_instances(workflow=gate, parent=failing.instance_id) == 1


async def test_retry_from_an_earlier_step_and_with_other_inputs(site: Site) -> None:
    site.mend()
    handle = await site.workflows.FragileOrder().start("o-3")
    assert await handle.result(timeout=SECONDS_MAX) == "shipped o-3"
    events = await bridge().events(uuid.UUID(handle.instance_id))
    settled = [event.seq for event in events if event.kind == "settled"]
    await handle.retry(from_step=settled[1])
    assert await handle.result(timeout=SECONDS_MAX) == "shipped o-3"
    assert [line.split()[0] for line in site.journal(handle)] == ["reserve", "fragile", "bill", "fragile", "bill"]
    await handle.retry(inputs={"order": "o-33"})
    assert await handle.result(timeout=SECONDS_MAX) == "shipped o-33"
    assert [line.split()[1] for line in site.journal(handle)][-3:] == ["o-33"] * 3
    executions = [line.split()[3] for line in site.journal(handle) if line.startswith("fragile")]
    assert len(set(executions)) == 3, "steps that are run again are other executions"
    with pytest.raises(ControlRefused, match="no step"):
        await handle.retry(from_step=10_000)


async def test_cancel_runs_finally_and_stops_the_attempt(site: Site) -> None:
    handle = await site.workflows.ControlledHold().start(600)
    await site.until(handle, "lingers")
    await handle.cancel("enough")
    with pytest.raises(WorkflowCancelled, match="enough"):
        await handle.result(timeout=SECONDS_MAX)
    assert site.journal(handle) == ["lingers", "stopped lingering", "clears up", "has cleared up"]
    await handle.cancel()


async def test_one_that_does_not_end_in_time_is_terminated(site: Site) -> None:
    handle = await site.workflows.ControlledHold().start(600, 600)
    await site.until(handle, "lingers")
    await handle.cancel("enough", terminate_after=0.5)
    with pytest.raises(Terminated, match=r"asked to end \(enough\), and did not within 0.5 s"):
        await handle.result(timeout=SECONDS_MAX)
    assert await handle.status() is Status.TERMINATED
    assert "has cleared up" not in site.journal(handle)


async def test_what_was_stopped_goes_on_from_where_it_stood(site: Site) -> None:
    steps = {"cancelled": Handle.cancel, "terminated": Handle.terminate}
    for status, stop in steps.items():
        handle = await site.workflows.ControlledGate().start("a")
        await site.until(handle, "opens a")
        while (await handle.describe()).waits_for != "signal go":
            await asyncio.sleep(0.02)
        await stop(handle, "by mistake")
        with pytest.raises((WorkflowCancelled, Terminated)):
            await handle.result(timeout=SECONDS_MAX)
        assert (await handle.status()).value == status
        await handle.retry()
        await handle.signal("go", 7)
        assert await handle.result(timeout=SECONDS_MAX) == ["a", 7]
        assert site.journal(handle).count("opens a") == 1, "what was completed is not run again"
    lingering = await site.workflows.ControlledHold().start(600)
    await site.until(lingering, "lingers")
    await lingering.terminate()
    with pytest.raises(Terminated):
        await lingering.result(timeout=SECONDS_MAX)
    await lingering.retry()
    await lingering.cancel()
    with pytest.raises(WorkflowCancelled):
        await lingering.result(timeout=SECONDS_MAX)


async def test_a_retry_with_inputs_takes_what_a_start_takes(site: Site) -> None:
    handle = await site.workflows.ControlledGate().start("a")
    await handle.terminate()
    for inputs in ({"nmae": "b"}, {}, {"name": "b", "x": 1}):
        with pytest.raises(ControlRefused, match=r"workflow ControlledGate takes \(name\)"):
            await handle.retry(inputs=inputs)
        assert await handle.status() is Status.TERMINATED
    await handle.retry(inputs={"name": "b"})
    await handle.signal("go", 1)
    assert await handle.result(timeout=SECONDS_MAX) == ["b", 1]


async def test_what_makes_no_sense_is_refused_before_anything_is_started(site: Site) -> None:
    hold = site.workflows.ControlledHold()
    for options in ({"timeout": -5}, {"timeout": 0}, {"delay": -1}, {"delay": float("nan")}, {"unique_for": -1, "id": "x"}):
        with pytest.raises(ValueError, match="is a number of seconds"):
            await hold.start(1, **options)
    for options in ({"timeout": "2"}, {"delay": "3"}, {"tags": [1]}, {"tags": [""]}, {"queue": ""}, {"key": 5}, {"priority": "1"}):
        with pytest.raises(TypeError, match="number of seconds|tags are texts|is a text of yours|number from 0"):
            await hold.start(1, **options)
    with pytest.raises(ValueError, match="timeout is 10,000 years at the most"):
        await hold.start(1, timeout=1e18)
    for id in ("", 5):
        with pytest.raises(TypeError, match="id is a text of yours"):
            await waymark.get_handle(uuid.uuid4()).signal("go", 1, id=id)
        with pytest.raises(TypeError, match="id is a text of yours"):
            await waymark.get_handle(uuid.uuid4()).update("go", 1, id=id)
    with pytest.raises(ValueError, match="limit is a number from 1"):
        await waymark.list_instances(limit=-1)
    with pytest.raises(ValueError, match="terminate_after is a number of seconds from 0 on"):
        await waymark.get_handle(uuid.uuid4()).cancel(terminate_after=-1)
    with pytest.raises(ValueError, match="'zzz' is no instance_id"):
        waymark.get_handle("zzz")
    for rate in ("100/1m", (1, 2, 3)):
        with pytest.raises(TypeError, match="a rate is a count"):
            await waymark.set_queue("q", key_rate=rate)  # type: ignore[arg-type]
    assert await waymark.count_instances(workflow=site.workflows.ControlledHold) == 0


async def test_what_has_finished_is_kept_as_long_as_is_set(site: Site) -> None:
    assert await waymark.list_retention() == {}
    await waymark.set_retention(site.workflows.ControlledSteps, timedelta(days=30))
    await waymark.set_retention("Other", "forever")
    assert await waymark.list_retention() == {"ControlledSteps": timedelta(days=30), "Other": "forever"}
    await waymark.set_retention("Other", None)
    assert list(await waymark.list_retention()) == ["ControlledSteps"]
    for wrong in (30, timedelta(days=-1), "never"):
        with pytest.raises(TypeError, match="what has finished is kept"):
            await waymark.set_retention("Other", wrong)  # type: ignore[arg-type]


async def test_a_child_that_was_to_go_on_without_its_parent_does(site: Site) -> None:
    for name, end in (("ended", Handle.terminate), ("told", lambda handle: handle.cancel(terminate_after=0.1))):
        parent = await site.workflows.ControlledParent().start(name)
        stays, goes = (site.workflows.ControlledGate.get_handle(f"{name} {child}") for child in ("stays", "goes"))
        for child in (stays, goes):
            await found(child)
        await end(parent)
        with pytest.raises(Terminated):
            await parent.result(timeout=SECONDS_MAX)
        with pytest.raises(WorkflowCancelled):
            await goes.result(timeout=SECONDS_MAX)
        assert await stays.status() is Status.RUNNING
        await stays.signal("go", 1)
        assert await stays.result(timeout=SECONDS_MAX) == ["stays", 1]


async def found(handle: Handle[Any]) -> None:
    for _ in range(SECONDS_MAX * 50):
        try:
            await handle.describe()
            return
        except InstanceNotFound:
            await asyncio.sleep(0.02)
    raise AssertionError("nobody has started it")


async def test_terminate_is_the_end_at_once(site: Site) -> None:
    handle = await site.workflows.ControlledHold().start(600)
    await site.until(handle, "lingers")
    await handle.terminate("out of order")
    with pytest.raises(Terminated, match="out of order"):
        await handle.result(timeout=SECONDS_MAX)
    await site.until(handle, "stopped lingering")
    assert "clears up" not in site.journal(handle)
    with pytest.raises(ControlRefused, match="finished"):
        await handle.terminate()
    with pytest.raises(ControlRefused, match="finished"):
        await handle.pause()
    with pytest.raises(InstanceNotFound):
        await waymark.get_handle(uuid.uuid4()).terminate()


async def test_a_deadline_cancels_and_fails_as_a_timeout(site: Site) -> None:
    handle = await site.workflows.ControlledHold().start(600, timeout=1)
    with pytest.raises(TimeoutError, match="did not finish by"):
        await handle.result(timeout=SECONDS_MAX)
    assert await handle.status() is Status.FAILED
    lines = site.journal(handle)
    assert lines[-2:] == ["clears up", "has cleared up"] and ("stopped lingering" in lines) == ("lingers" in lines)
    about = await handle.describe()
    assert about.deadline is not None and about.error_type == "TimeoutError"
    # It has as much time again each time: on a busy machine, one may not be enough.
    await until_it_ends(handle, {"seconds": 0})
    again = await handle.describe()
    assert again.deadline is not None and again.deadline > about.deadline
    late = await site.workflows.ControlledGate().start("late", timeout=3)
    assert await late.wait(timeout=SECONDS_MAX) is Status.FAILED
    await late.retry()
    await late.signal("go", 1)
    await until_it_ends(late)


async def until_it_ends(handle: Handle[Any], inputs: dict[str, Any] | None = None) -> None:
    for _ in range(20):
        if inputs is not None or await handle.status() is Status.FAILED:
            await handle.retry(inputs=inputs)
        if await handle.wait(timeout=SECONDS_MAX) is Status.COMPLETED:
            return
    raise AssertionError("it fails however often it is retried")


async def test_pause_holds_and_resume_goes_on(site: Site) -> None:
    handle = await site.workflows.ControlledSteps().start(40)
    await site.until(handle, "step 3")
    await handle.pause()

    async def paused() -> None:
        while await handle.status() is not Status.PAUSED:
            await asyncio.sleep(0.02)

    await asyncio.wait_for(paused(), SECONDS_MAX)
    # What was in flight may still end.
    await asyncio.sleep(0.3)
    held = site.journal(handle)
    await asyncio.sleep(0.5)
    assert site.journal(handle) == held and len(held) < 40
    with pytest.raises(ControlRefused, match="paused"):
        await handle.pause()
    await handle.resume()
    assert await handle.result(timeout=SECONDS_MAX) == 40
    assert site.journal(handle) == [f"step {n}" for n in range(40)]


async def test_many_at_once_by_a_filter(site: Site) -> None:
    orders = [await site.workflows.FragileOrder().start(f"b-{n}", tags=["batch", f"n{n % 2}"], key="t") for n in range(6)]
    for handle in orders:
        assert await handle.wait(timeout=SECONDS_MAX) is Status.FAILED
    failed = Filter(workflow=site.workflows.FragileOrder, status="failed", error_type=ConnectionError, tags=["batch", "n1"])
    assert await waymark.count_instances(failed) == 3
    found = await waymark.list_instances(failed)
    assert [str(instance.instance_id) for instance in found] == [h.instance_id for h in reversed(orders[1::2])]
    assert [str(one.instance_id) for one in await waymark.list_instances(text="b-3", tags="batch")] == [orders[3].instance_id]
    assert await waymark.count_instances(text="b-3", tags="batch") == 1
    site.mend()
    preview = await waymark.retry_instances(failed, dry_run=True)
    assert (preview.count, dict(preview.problems)) == (3, {})
    assert await waymark.count_instances(failed) == 3, "nothing was changed"
    assert (await waymark.retry_instances(failed)).count == 3
    for handle in orders[1::2]:
        assert await handle.wait(timeout=SECONDS_MAX) is Status.COMPLETED
    assert await waymark.count_instances(tags="batch", status=["failed", "completed"]) == 6
    with pytest.raises(TypeError, match="every instance"):
        await waymark.terminate_instances()
    holding = [await site.workflows.ControlledHold().start(600, tags="holding") for _ in range(3)]
    for handle in holding:
        await site.until(handle, "lingers")
    assert (await waymark.terminate_instances(tags="holding")).count == 3
    assert await waymark.count_instances(tags="holding", status="terminated") == 3


@pytest.mark.parametrize("site", ["sqlite"], indirect=True)
async def test_a_bridge_that_was_killed_is_replaced_with_its_workers(site: Site) -> None:
    handle = await site.workflows.ControlledHold().start(1)
    await site.until(handle, "lingers")
    for record in pathlib.Path(os.environ["WAYMARK_HOME"]).glob("run/*.json"):
        os.kill(json.loads(record.read_text())["pid"], signal.SIGKILL)
    assert await handle.result(timeout=SECONDS_MAX) == "done"
