"""Schedules against a real bridge with an engine, which the client starts by itself."""

from __future__ import annotations

import asyncio
import uuid
from datetime import datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import waymark
from waymark import BridgeError, ScheduleNotFound, Status
from waymark.client import get_handle

ECHO = "fn main(input: [value]):\n    return [value, value]\n"


async def test_a_schedule_runs_by_itself(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    made = await waymark.schedule_workflow(
        echo, schedule_name="often", schedule=timedelta(seconds=1), inputs={"value": 7}, tags="tick", allow_duplicate=True
    )
    assert (made.schedule, made.overlap, made.tags, made.inputs) == (timedelta(seconds=1), "allow", ("tick",), {"value": 7})

    async def ran() -> Any:
        while (found := await waymark.describe_schedule(echo, schedule_name="often")).runs < 3:
            await asyncio.sleep(0.05)
        return found

    found = await asyncio.wait_for(ran(), 60)
    assert found.schedule_id == made.schedule_id and found.last_run is not None and found.missed == 0
    await waymark.delete_schedule(echo, schedule_name="often")
    assert await get_handle(found.last_instance_id).result(60) == [7, 7]
    assert await waymark.list_schedules() == []


async def test_a_schedule_is_changed(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    options: dict[str, Any] = {"schedule_name": "nightly", "inputs": {"value": [1]}, "time_zone": ZoneInfo("Europe/Berlin")}
    end = datetime(2999, 1, 1, tzinfo=timezone.utc)
    made = await waymark.schedule_workflow(
        echo,
        schedule="30 2 * * *",
        end=end,
        jitter=60,
        overlap="buffer_one",
        catch_up=timedelta(hours=6),
        priority=2,
        key="k",
        timeout=5,
        **options,
    )
    assert (made.schedule, made.time_zone, made.end, made.jitter) == ("30 2 * * *", "Europe/Berlin", end, timedelta(minutes=1))
    assert (made.overlap, made.catch_up, made.priority, made.key) == ("buffer_one", timedelta(hours=6), 2, "k")
    assert (made.timeout, made.is_paused, len(made.next_due)) == (timedelta(seconds=5), False, 5)
    assert made.next_due[0].astimezone(ZoneInfo("Europe/Berlin")).strftime("%M") == "30"

    paused = await waymark.pause_schedule("Echo", schedule_name="nightly")
    assert (paused.is_paused, paused.next_due) == (True, ())
    handle = await waymark.trigger_schedule(echo, schedule_name="nightly")
    assert await handle.result(60) == [[1], [1]]
    assert (await waymark.resume_schedule(echo, schedule_name="nightly")).is_paused is False
    changed = await waymark.schedule_workflow(echo, schedule="0 3 * * *", **options)
    assert (changed.schedule_id, changed.overlap, changed.runs) == (made.schedule_id, "skip", 1)

    now = datetime.now(timezone.utc)
    days = {"schedule_name": "nightly", "start": now - timedelta(days=3), "end": now}
    assert await waymark.backfill_schedule(echo, **days) == waymark.Backfill(due_times=3, started=3)
    assert await waymark.backfill_schedule(echo, **days) == waymark.Backfill(due_times=3, started=0)
    (listed,) = await waymark.list_schedules(echo)
    assert (listed.schedule_name, listed.runs >= 4, len(listed.next_due)) == ("nightly", True, 1)


async def test_what_is_wrong_is_said(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    options: dict[str, Any] = {"schedule_name": "nightly", "inputs": {"value": 1}}
    for wrong, error, said in [
        ({"schedule": "30 25 * * *"}, BridgeError, "is no cron pattern"),
        ({"schedule": "0 2 * * *", "time_zone": "Mars/Olympus"}, BridgeError, "is no time zone"),
        ({"schedule": "0 0 30 2 *"}, BridgeError, "never be due"),
        ({"schedule": 5}, TypeError, "a cron pattern"),
        ({"schedule": "0 2 * * *", "overlap": "perhaps"}, ValueError, "overlap is one of"),
        ({"schedule": "0 2 * * *", "overlap": "skip", "allow_duplicate": True}, TypeError, "give one of them"),
        ({"schedule": "0 2 * * *", "inputs": {"other": 1}}, TypeError, "'other'"),
        ({"schedule": "0 2 * * *", "start": datetime(2026, 1, 1)}, ValueError, "has no time zone"),
        ({"schedule": "0 2 * * *", "time_zone": timezone(timedelta(hours=1))}, TypeError, "time_zone is a name"),
    ]:
        with pytest.raises(error, match=said):
            await waymark.schedule_workflow(echo, **{**options, **wrong})
    assert await waymark.list_schedules() == []
    with pytest.raises(ScheduleNotFound, match="has no schedule nightly"):
        await waymark.pause_schedule(echo, schedule_name="nightly")
    with pytest.raises(TypeError, match="no workflow yet"):
        await waymark.schedule_workflow(waymark.Workflow, **options, schedule="0 2 * * *")


def test_without_an_event_loop(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    made = waymark.schedule_workflow_sync(echo, schedule_name="weekly", schedule="0 9 * * MON", inputs={"value": 1})
    assert isinstance(made.schedule_id, uuid.UUID)
    assert waymark.pause_schedule_sync(echo, schedule_name="weekly").is_paused
    assert not waymark.resume_schedule_sync(echo, schedule_name="weekly").is_paused
    handle = waymark.trigger_schedule_sync(echo, schedule_name="weekly")
    assert handle.wait_sync(60) is Status.COMPLETED
    now = datetime.now(timezone.utc)
    assert waymark.backfill_schedule_sync(echo, schedule_name="weekly", start=now, end=now).due_times in (0, 1)
    assert waymark.describe_schedule_sync(echo, schedule_name="weekly").runs == 1
    assert [found.schedule_name for found in waymark.list_schedules_sync()] == ["weekly"]
    waymark.delete_schedule_sync(echo, schedule_name="weekly")
    assert waymark.list_schedules_sync() == []
