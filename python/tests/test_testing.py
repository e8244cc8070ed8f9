"""Workflows in memory: time that skips, real and scripted actions, what can be asked afterwards."""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

import pytest
from written import written

import waymark
from waymark import RetryPolicy, Workflow, action, current, workflow
from waymark.client.errors import ResultTimeout, WorkflowCancelled
from waymark.errors import CannotTravel, InstanceExists, InstanceStuck, Unsupported
from waymark.testing import Environment

START = datetime(2024, 2, 28, 12, tzinfo=timezone.utc)


@dataclass
class Receipt:
    number: int


class Declined(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@action
async def charge(order: int, cents: int = 100) -> Receipt:
    await asyncio.sleep(0)
    return Receipt(order + cents)


@action
def double(number: int) -> int:
    return number * 2


@action
async def append(items: list[int]) -> list[int]:
    items.append(4)
    return items


@action
async def who() -> list[object]:
    about = current()
    return [about.attempt, about.workflow_name, about.action]


@action
async def lock() -> object:
    return threading.Lock()


stopped: list[str] = []


@action
async def hang() -> None:
    try:
        await asyncio.sleep(3600)
    finally:
        stopped.append("cancelled" if current().cancelled else "left")


Charge = written("Charge", f"return @{charge.name}(order, cents=5)", "order")
Sleep = written("Sleep", "await asyncio.sleep(days * 86400)\nreturn datetime.datetime.now(datetime.timezone.utc)", "days")
Retried = written("Retried", f"return @{charge.name}(7) [retry: 3, backoff: 10s, factor: 6]")
Approval = written("Approval", 'approved = await waymark.wait_for_signal("approve")\nreturn approved')
Parent = written("Parent", "a = @workflow Charge(order=order)\nreturn [a, @workflow Charge(order=order + 1)]", "order")


@workflow
class Order(Workflow):
    """As users write them."""

    async def run(self, orders: list[int]) -> list[Receipt]:
        paid = await asyncio.gather(*[self.run_action(charge(order), retry=RetryPolicy(attempts=2)) for order in orders])
        await asyncio.sleep(30 * 24 * 60 * 60)
        return [receipt for receipt in paid if receipt.number > 100]


async def test_a_compiled_workflow_runs_as_a_written_one() -> None:
    async with Environment(now=START, resume_between_events=True) as env:
        assert await Order().run([0, 1]) == [Receipt(101)]
        env.mock(charge, side_effect=[Declined("once"), Receipt(500), Receipt(600)])
        assert await Order().run([1, 2]) == [Receipt(600), Receipt(500)]
        assert env.now == START + timedelta(days=60)


async def test_a_month_takes_no_time_and_actions_run_here() -> None:
    async with Environment(now=START) as env:
        assert await Charge().run(37) == Receipt(42)
        assert await Sleep().run(30) == START + timedelta(days=30) == env.now


async def test_mocks_answer_and_calls_are_remembered() -> None:
    async with Environment(now=START) as env:
        mock = env.mock(charge, side_effect=[Declined("no"), ValueError, Receipt(1)])
        assert await Retried().run() == Receipt(1)
        calls = env.calls(charge)
        assert calls == mock.calls == env.calls()
        assert [(call.attempt, call.status) for call in calls] == [(1, "failed"), (2, "failed"), (3, "completed")]
        # Backoffs pass in virtual time.
        assert [(call.at - START).total_seconds() for call in calls] == [0, 10, 70]
        assert calls[0].arguments == {"order": 7, "cents": 100}
        assert len({call.execution_id for call in calls}) == 1
        assert isinstance(calls[0].error, Declined) and calls[2].result == Receipt(1)

        env.mock(charge.name, raises=Declined("never"))
        with pytest.raises(Declined) as raised:
            await Charge().run(1)
        assert raised.value.reason == "never"

        env.mock(charge, side_effect=lambda order, cents: Receipt(order * cents))
        assert await Charge().run(8) == Receipt(40)

        env.mock(charge, side_effect=[])
        with pytest.raises(AssertionError, match="more often than its side_effect has answers"):
            await Charge().run(1)


async def test_values_are_copied_and_must_travel() -> None:
    changing = written("Changing", f"given = [1]\nback = @{append.name}(given)\nreturn [given, back, back is given]")
    async with Environment() as env:
        assert await changing().run() == [[1], [1, 4], False]
        with pytest.raises(CannotTravel, match="the result of .*lock"):
            await written("Locked", f"return @{lock.name}()")().run()
        assert env.calls(lock)[0].status == "failed"
        with pytest.raises(CannotTravel):
            await Charge().run(lambda: 1)


async def test_sync_actions_run_in_this_very_thread_and_know_their_call() -> None:
    async with Environment() as env:
        seen: list[threading.Thread] = []
        env.mock("elsewhere:f", side_effect=lambda: seen.append(threading.current_thread()))
        assert await written("Doubled", f"@elsewhere:f()\nreturn @{double.name}(4)")().run() == 8
        assert seen == [threading.current_thread()]
        assert await written("Who", f"return @{who.name}()")().run() == [1, "Who", who.name]


async def test_a_timeout_of_a_scripted_action_is_virtual() -> None:
    limited = written("Limited", f"try:\n    @{hang.name}() [timeout: 1m]\nexcept TimeoutError:\n    return 'too slow'")
    async with Environment(now=START) as env:
        env.mock(hang, takes=timedelta(hours=1))
        assert await limited().run() == "too slow"
        assert env.calls(hang)[0].status == "cancelled"
        assert env.now - START == timedelta(minutes=1)
        env.mock(hang, takes=59, returns=None)
        assert await limited().run() is None


async def test_a_timeout_of_a_real_action_is_real() -> None:
    limited = written("Hanging", f"try:\n    @{hang.name}() [timeout: 100ms]\nexcept TimeoutError:\n    return 'too slow'")
    stopped.clear()
    async with Environment() as env:
        begin = asyncio.get_running_loop().time()
        assert await limited().run() == "too slow"
        assert asyncio.get_running_loop().time() - begin >= 0.09
        assert env.calls(hang)[0].status == "cancelled"
        assert stopped == ["cancelled"]


async def test_signals_and_what_waits_for_ever() -> None:
    async with Environment(stuck_after=0.05) as env:
        handle = await Approval().start()
        await handle.signal("approve", {"by": "Ada"})
        assert await handle.result() == {"by": "Ada"}
        assert [step.what for step in env.trace] == ["started", "signal", "ended"]

        forgotten = await Approval().start()
        with pytest.raises(InstanceStuck, match=r"waits for signal approve \(main, line 3\), and nothing will bring that"):
            await forgotten.result()
        assert (await forgotten.describe()).waits_for == "signal approve"

        # Somebody else in this loop is in time.
        late = await Approval().start()

        async def send() -> None:
            await env.sleep(3600)
            await late.signal("approve", 1)

        assert await asyncio.gather(late.result(), send()) == [1, None]


async def test_time_stands_still_unless_somebody_waits() -> None:
    patient = written("Patient", "await asyncio.sleep(60)\nreturn 1")
    async with Environment(now=START) as env:
        handle = await patient().start()
        for _ in range(20):
            await asyncio.sleep(0)
        assert env.now == START and await handle.status() == "running"
        await env.sleep(59)
        assert await handle.status() == "running"
        await env.sleep(1)
        assert await handle.status() == "completed"
        with pytest.raises(ResultTimeout):
            await (await Approval().start()).result(timeout=0.01)


async def test_a_delayed_start_waits_for_its_time() -> None:
    async with Environment(now=START) as env:
        handle = await Approval().start(delay=timedelta(days=2))
        await handle.signal("approve", "early")
        assert env.trace[0].what == "signal"
        assert await handle.result() == "early"
        assert abs(env.now - START - timedelta(days=2)) < timedelta(seconds=5)


async def test_children_run_here_and_can_be_mocked() -> None:
    async with Environment() as env:
        assert await Parent().run(1) == [Receipt(6), Receipt(7)]
        assert [call.workflow_name for call in env.calls(charge)] == ["Charge", "Charge"]
        env.mock(Charge, side_effect=[Receipt(0), Declined("child")])
        with pytest.raises(Declined):
            await Parent().run(1)
        assert [call.kwargs for call in env.calls(Charge)] == [{"order": 1}, {"order": 2}]
        with pytest.raises(RuntimeError, match="there is no workflow Nobody"):
            await written("Orphan", "return @workflow Nobody()")().run()


async def test_cancelling_reaches_actions_and_children() -> None:
    waiting = written("Waiting", f"@{hang.name}()")
    above = written("Above", "return @workflow Waiting()")
    stopped.clear()
    async with Environment() as env:
        handle = await above().start()
        while not env.calls(hang):
            await asyncio.sleep(0)
        await handle.cancel("enough")
        with pytest.raises(WorkflowCancelled):
            await handle.result()
        assert stopped == ["cancelled"]
    assert waiting.__waymark__.name == "Waiting"


async def test_an_action_that_waits_for_a_workflow_does_not_hold_the_clock() -> None:
    async def nested() -> str:
        return f"{await Sleep().run(10):%d}"

    async with Environment(now=START) as env:
        env.mock("x:nested", side_effect=nested)
        assert await written("Nesting", "return @x:nested()")().run() == "09"
        assert env.now == START + timedelta(days=10)


async def test_pause_holds_everything() -> None:
    async with Environment(stuck_after=0.05) as env:
        handle = await Sleep().start(1)
        await env.pause(handle)
        with pytest.raises(InstanceStuck):
            await handle.result()
        await env.resume(handle)
        assert await handle.result() == env.now


async def test_equal_ids_are_one_instance_while_it_lives() -> None:
    async with Environment():
        first = await Sleep().start(1, id="a")
        assert (await Sleep().start(1, id="a")).instance_id == first.instance_id
        with pytest.raises(InstanceExists):
            await Sleep().start(2, id="a")
        assert await Sleep.get_handle("a").result() == await first.result()
        assert (await Sleep().start(2, id="a")).instance_id != first.instance_id


async def test_what_workflows_print_and_log(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with Environment() as env:
        await written("Talks", 'print("hello", 1)\nlogging.warning("careful")')().run()
        assert [(line.level, line.text) for line in env.logs] == [("print", "hello 1"), ("warning", "careful")]
    assert capsys.readouterr().out == "hello 1\n"
    assert [(record.levelname, record.message) for record in caplog.records] == [("WARNING", "careful")]


async def test_every_event_can_be_followed_by_a_resume() -> None:
    async with Environment(resume_between_events=True):
        assert await Parent().run(1) == [Receipt(6), Receipt(7)]


async def test_pieces_of_code_are_evaluated_as_in_a_worker() -> None:
    code = written("Code", 'found = fragment "[w.upper() for w in words if len(w) > n]" (words=words, n=2)\nreturn found', "words")
    async with Environment() as env:
        assert await code().run(["a", "abc"]) == ["ABC"]
        assert [step.what for step in env.trace] == ["started", "called", "ended"]


def test_environments_serve_code_without_a_loop() -> None:
    with Environment(now=START) as env:
        assert Charge().run_sync(1) == Receipt(6)
        assert Sleep().run_sync(30) == env.now == START + timedelta(days=30)
        handle = Approval().start_sync()
        handle.signal_sync("approve", 3)
        assert handle.result_sync() == 3


def test_an_instance_outlives_the_loop_that_started_it() -> None:
    with Environment(now=START) as env:

        async def begin() -> str:
            return (await written("Survives", f"return @{hang.name}()")().start()).instance_id

        instance_id = asyncio.run(begin())
        env.mock(hang, returns="again")

        async def finish() -> object:
            from waymark.client import get_handle

            return await get_handle(instance_id).result()

        assert asyncio.run(finish()) == "again"
        assert [call.attempt for call in env.calls(hang)] == [1, 1]


async def test_no_server_is_reached_from_a_test() -> None:
    """One that is set may be anybody's."""
    async with Environment():
        for asked in (
            waymark.list_instances(),
            waymark.count_instances(),
            waymark.terminate_instances(workflow=Order),
            waymark.set_queue("default", concurrency=1),
            waymark.pause_workflow(Order),
            waymark.set_retention(Order, None),
            waymark.versions(Order),
            Order.migrate_all(),
        ):
            with pytest.raises(Unsupported, match="belong to a server"):
                await asked
