"""The worker against an engine's side of the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pathlib
import signal
import sys
import threading
import uuid
from collections.abc import AsyncIterator
from typing import Any

import grpc
import msgpack
import pytest
import worker_actions
from fake_hub import TIME_LIMIT, TOKEN, FakeHub, Session, fake_hub, outcome
from samples import CardDeclined, Color, Money, Point, User
from test_graph import instance, plain, readable, ref

from waymark._proto.worker_pb2 import Cancel
from waymark.errors import CannotTravel, PayloadError, PayloadTooLarge
from waymark.values import decode
from waymark.worker import logs
from waymark.worker.settings import Settings, SettingsError
from waymark.worker.stream import StreamError, Worker
from waymark.worker.watch import Watch

ACTIONS = "worker_actions"


@contextlib.asynccontextmanager
async def working(slots: int = 20, **options: Any) -> AsyncIterator[tuple[FakeHub, Session, asyncio.Task[None]]]:
    """A worker in this process, connected."""
    worker_actions.log.clear()
    async with fake_hub(**options) as hub:
        worker = Worker(Settings(hub.address, worker_id="w-1", token=TOKEN, slots=slots, queues=("fast",)))
        running = asyncio.create_task(worker.run())
        try:
            yield hub, await hub.session(), running
        finally:
            for gate in worker_actions.gates.values():
                gate.set()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def finished(running: asyncio.Task[None]) -> None:
    await asyncio.wait_for(running, TIME_LIMIT)


async def test_hello() -> None:
    async with working() as (_, session, _):
        hello = session.hello
        assert (hello.protocol_version, hello.worker_id, hello.language, hello.slots) == (1, "w-1", "python", 20)
        assert list(hello.queues) == ["fast"] and hello.fragments and hello.process_id and hello.imports_on_demand
        assert f"{ACTIONS}:add" in hello.actions and "Python" in hello.description


@pytest.mark.parametrize("where", ["", "_in_thread"])
async def test_actions_run(where: str) -> None:
    async with working() as (_, session, _):
        result = await session.run(f"{ACTIONS}:add{where}", 1, right=5)
        assert result == 6 if not where else (result[0] == 6 and result[1].startswith("waymark-action"))
        with pytest.raises(CardDeclined) as caught:
            await session.run(f"{ACTIONS}:decline{where}", "o-1")
        assert (caught.value.order, caught.value.code, str(caught.value)) == ("o-1", 402, "declined: o-1")
        entries = caught.value.__waymark_traceback__  # type: ignore[attr-defined]
        assert len(entries) == 1 and "worker_actions.py" in entries[0]  # None of the worker's own.


async def test_arguments_and_dependencies() -> None:
    async with working() as (_, session, _):
        assert await session.run(f"{ACTIONS}:scale", {"x": 1, "y": 2}) == Point(10, 20)
        assert worker_actions.log == ["open", "close"]
        scaled, thread = await session.run(f"{ACTIONS}:scale_in_thread", Point(2))
        assert scaled == Point(20) and thread.startswith("waymark-action")
        assert await session.run(f"{ACTIONS}:greet", {"name": "u"}) == User(name="hello u")
        with pytest.raises(TypeError, match="missing a required argument: 'point'"):
            await session.run(f"{ACTIONS}:scale")
        with pytest.raises(TypeError, match="add"):
            await session.run(f"{ACTIONS}:add", nothing=1)


async def test_what_an_action_knows_of_its_call() -> None:
    async with working() as (_, session, _):
        known = await session.run(f"{ACTIONS}:about", timeout_ms=60_000, attempt=3)
        assert known == {
            "instance": uuid.UUID(int=7),
            "execution": "exec-1",
            "attempt": 3,
            "workflow": "Welcome",
            "action": f"{ACTIONS}:about",
            "timely": True,
        }
        call = session.action(f"{ACTIONS}:about_in_thread")
        session.start(call)
        assert outcome(await session.settled(call)) == call.execution_id
        progress = [progress for frame in session.frames for progress in frame.progress]
        assert [(item.call_id, decode(item.detail)) for item in progress] == [(call.call_id, {"done": 1})]


async def test_what_is_ready_goes_in_one_frame() -> None:
    async with working() as (_, session, _):
        calls = [session.action(f"{ACTIONS}:add", number) for number in range(20)]
        session.start(*calls)
        assert [outcome(await session.settled(call)) for call in calls] == list(range(1, 21))
        assert len(session.frames) == 1


async def test_one_call_does_not_wait_for_another() -> None:
    worker_actions.gates["held"] = threading.Event()
    async with working() as (_, session, _):
        blocked = session.action(f"{ACTIONS}:block", "held")
        session.start(blocked)
        assert await session.run(f"{ACTIONS}:add", 1) == 2
        assert not session.is_settled(blocked)
        worker_actions.gates["held"].set()
        assert outcome(await session.settled(blocked)) == "held"


async def test_actions_that_are_not_known() -> None:
    async with working() as (_, session, _):
        for name in (
            "nowhere.at.all:charge",
            f"{ACTIONS}:nothing",
            f"{ACTIONS}:plain",
            "no-path",
            "worker_actions.deeper:x",
        ):
            call = session.action(name)
            session.start(call)
            settled = await session.settled(call)
            assert settled.WhichOneof("outcome") == "unknown_action" and settled.unknown_action.name == name
        assert await session.run(f"{ACTIONS}:add", 1) == 2


async def test_modules_are_imported_on_demand(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "late_module.py").write_text("from waymark.actions import action\n@action\nasync def f(): return 'late'\n")
    (tmp_path / "broken_module.py").write_text("import late_module\nraise RuntimeError('at import')\n")
    (tmp_path / "needy_module.py").write_text("import not_installed\n")
    async with working() as (_, session, _):
        assert "late_module:f" not in session.hello.actions
        assert await session.run("late_module:f") == "late"
        with pytest.raises(RuntimeError, match="at import") as caught:
            await session.run("broken_module:f")
        assert caught.value.__waymark_traceback__[-1].endswith("raise RuntimeError('at import')")  # type: ignore[attr-defined]
        with pytest.raises(ModuleNotFoundError, match="not_installed"):
            await session.run("needy_module:f")
        assert await session.run(f"{ACTIONS}:add", 1) == 2


# ---------------------------------------------------------------------------------------------------------- cancelling


async def until_sleeping() -> None:
    async def wait() -> None:
        while "sleeping" not in worker_actions.log:
            await asyncio.sleep(0)

    await asyncio.wait_for(wait(), TIME_LIMIT)


@pytest.mark.parametrize(("how", "kind"), [("cancelled", "cancelled"), ("result", "completed"), ("error", "failed")])
async def test_a_cancelled_action_stops(how: str, kind: str) -> None:
    async with working() as (_, session, _):
        call = session.action(f"{ACTIONS}:sleep", how)
        session.start(call)
        await until_sleeping()
        session.cancel(call)
        assert (await session.settled(call)).WhichOneof("outcome") == kind


async def test_it_is_acknowledged_when_it_has_stopped() -> None:
    worker_actions.gates["late"] = threading.Event()
    async with working() as (_, session, _):
        call = session.action(f"{ACTIONS}:sleep", "late")
        session.start(call)
        await until_sleeping()
        session.cancel(call)
        assert await session.run(f"{ACTIONS}:add", 1) == 2
        assert not session.is_settled(call) and worker_actions.log == ["sleeping", "stopping"]
        worker_actions.gates["late"].set()
        assert (await session.settled(call)).WhichOneof("outcome") == "cancelled"


async def test_a_sync_action_sees_that_it_is_cancelled() -> None:
    worker_actions.gates["polls"] = threading.Event()
    async with working() as (_, session, _):
        call = session.action(f"{ACTIONS}:poll", "polls")
        session.start(call)
        await asyncio.to_thread(worker_actions.gates["polls"].wait, TIME_LIMIT)
        session.cancel(call)
        assert (await session.settled(call)).WhichOneof("outcome") == "cancelled"


async def test_what_has_not_begun_stops_at_once() -> None:
    worker_actions.gates["first"] = threading.Event()
    async with working(slots=1) as (_, session, _):
        first, second = session.action(f"{ACTIONS}:block", "first"), session.action(f"{ACTIONS}:block", "second")
        session.start(first, second)
        session.cancel(second)
        assert (await session.settled(second)).WhichOneof("outcome") == "cancelled"
        assert not session.is_settled(first)
        session.cancel(first)  # Its thread can't be stopped: it gives what it has in the end.
        worker_actions.gates["first"].set()
        assert outcome(await session.settled(first)) == "first"


async def test_what_comes_with_its_cancellation_stops_at_once() -> None:
    async with working() as (_, session, _):
        call = session.action(f"{ACTIONS}:sleep")
        session.send(calls=[call], cancels=[Cancel(call_id=call.call_id)])
        assert (await session.settled(call)).WhichOneof("outcome") == "cancelled"
        assert worker_actions.log == [], "it has not begun"


async def test_cancelled_unasked_is_a_failure() -> None:
    async with working() as (_, session, _):
        with pytest.raises(asyncio.CancelledError, match="by itself"):
            await session.run(f"{ACTIONS}:cancels_itself")
        with pytest.raises(SystemExit):
            await session.run(f"{ACTIONS}:exits")
        assert await session.run(f"{ACTIONS}:add", 1) == 2


# ------------------------------------------------------------------------------------------------------------ payloads


async def test_results_that_cannot_be_sent() -> None:
    async with working(payload_bytes_max=100_000) as (_, session, _):
        with pytest.raises(CannotTravel, match=r"^the result of worker_actions:returns\[0\]: a lock"):
            await session.run(f"{ACTIONS}:returns", "lock")
        with pytest.raises(CannotTravel, match="contains itself"):
            await session.run(f"{ACTIONS}:returns", "cycle")
        with pytest.raises(PayloadTooLarge, match="the result of worker_actions:returns is too large: it takes 2000"):
            await session.run(f"{ACTIONS}:returns", "large")
        with pytest.raises(ValueError, match="xxx … "):
            await session.run(f"{ACTIONS}:raises_large")


async def test_arguments_that_cannot_be_read() -> None:
    async with working() as (_, session, _):
        call = session.action(f"{ACTIONS}:add")
        call.action.positional = msgpack.packb([msgpack.ExtType(5, msgpack.packb(["gone.app:User", {}]))])
        session.start(call)
        with pytest.raises(PayloadError, match="gone.app:User can't be made here"):
            outcome(await session.settled(call))


async def test_what_users_code_raises_fails_its_call_only() -> None:
    async with working() as (_, session, _):
        with pytest.raises(CannotTravel, match=r"touchy\[0\]: a Touchy \(worker_actions\) can't travel: KeyError: 'no state'"):
            await session.run(f"{ACTIONS}:touchy")
        with pytest.raises(TypeError, match="broken_dependency needs a provider"):
            await session.run(f"{ACTIONS}:broken_dependency")
        assert await session.run(f"{ACTIONS}:add", 1) == 2


async def test_large_results_make_several_frames() -> None:
    async with working(payload_bytes_max=4 << 20) as (_, session, _):
        calls = [session.action(f"{ACTIONS}:returns", "large") for _ in range(12)]
        session.start(*calls)
        for call in calls:
            assert len(outcome(await session.settled(call))) == 200_000
        assert len(session.frames) >= 2 and all(frame.ByteSize() < 2 << 20 for frame in session.frames)


# ----------------------------------------------------------------------------------------------------------- fragments


async def evaluate(session: Session, *args: Any, **kwargs: Any) -> tuple[Any, dict[int, Any], Any]:
    call = session.fragment(*args, **kwargs)
    session.start(call)
    settled = await session.settled(call)
    assert settled.WhichOneof("outcome") == "fragment", outcome(settled)
    result = settled.fragment
    objects = {number: readable(shape) for number, shape in msgpack.unpackb(result.objects, strict_map_key=False)}
    if result.HasField("raised"):
        raised = dict(msgpack.unpackb(result.objects, strict_map_key=False))[result.raised]["Exception"]
        objects.pop(result.raised)
        return None, objects, raised
    return readable(msgpack.unpackb(result.value, strict_map_key=False)), objects, None


MONEY = [instance("Money", amount=plain(1), tags=ref(1)), {"List": []}]


async def test_expressions() -> None:
    async with working() as (_, session, _):
        assert await evaluate(session, "x * 2", [["x", plain(21)]]) == (42, {}, None)
        value, objects, _ = await evaluate(session, "money.earn(5)", [["money", ref(0)]], MONEY)
        assert value == "#1"
        assert objects == {0: {"samples:Money": {"amount": 6, "tags": "#1"}}, 1: {"List": [5]}}
        source = "__import__('samples', fromlist=['']).Money(amount)"
        value, objects, _ = await evaluate(session, source, [["amount", plain(3)]])
        assert (value, objects) == ("#0", {0: {"samples:Money": {"amount": 3, "tags": "#1"}}, 1: {"List": []}})
        assert (await evaluate(session, "[f(i) for i in range(3)] if (f := lambda x: x + n) else 0", [["n", plain(1)]]))[1] == {
            0: {"List": [1, 2, 3]}
        }


async def test_statements() -> None:
    async with working() as (_, session, _):
        source = "import re\nfor word in re.findall('[a-z]+', text):\n    words.append(word)\nlast, text = words[-1], None\n"
        captures = [["text", plain("one two")], ["words", ref(0)]]
        value, objects, _ = await evaluate(session, source, captures, [{"List": []}], ["last", "text", "words"])
        assert value == {"Tuple": ["two", None, "#0"]} and objects == {0: {"List": ["one", "two"]}}


async def test_members_of_enumerations() -> None:
    async with working() as (_, session, _):
        red = [instance("Color", name=plain("RED"), value=plain(1))]
        source = "(color, type(color).BLUE, color is __import__('samples').Color.RED)"
        value, objects, _ = await evaluate(session, source, [["color", ref(0)]], red)
        assert value == "#1" and objects[1] == {"Tuple": ["#0", "#2", True]}
        assert objects[2] == {"samples:Color": {"name": "BLUE", "value": "blue"}} and 0 not in objects


async def test_a_fragment_that_raises_brings_its_changes_back() -> None:
    async with working() as (_, session, _):
        source = "items.append(1)\nitems[5]"
        _, objects, error = await evaluate(session, source, [["items", ref(0)]], [{"List": []}], ["x"])
        assert error[0] == "IndexError" and objects == {0: {"List": [1]}}
        assert error[9][-1].endswith("line 2, in _waymark_fragment\n    items[5]")
        _, objects, error = await evaluate(session, "1j", [["items", ref(0)]], [{"List": []}])
        assert error[0] == "waymark.CannotTravel" and "the result: a complex can't travel" in readable(error[2][0])
        _, _, error = await evaluate(session, "if False:\n    x = 1", writes=["x"])
        assert error[0] == "UnboundLocalError"


async def test_fragments_that_cannot_be_read() -> None:
    async with working() as (_, session, _):
        for source, objects in (("1 +", []), ("x", [{"Instance": ["gone.app:User", []]}])):
            call = session.fragment(source, [], objects)
            session.start(call)
            with pytest.raises((SyntaxError, PayloadError)):
                outcome(await session.settled(call))


async def test_fragments_run_one_after_the_other_and_block_nobody() -> None:
    worker_actions.gates["fragment"] = threading.Event()
    async with working() as (_, session, _):
        wait = "__import__('worker_actions').gates['fragment'].wait(10)"
        first, second = session.fragment(wait), session.fragment("1")
        session.start(first, second)
        assert await session.run(f"{ACTIONS}:add", 1) == 2
        assert not session.is_settled(first) and not session.is_settled(second)
        session.cancel(second)
        assert (await session.settled(second)).WhichOneof("outcome") == "cancelled"
        worker_actions.gates["fragment"].set()
        assert (await session.settled(first)).WhichOneof("outcome") == "fragment"


async def test_a_fragment_that_is_too_large() -> None:
    async with working(payload_bytes_max=1000) as (_, session, _):
        call = session.fragment("'x' * 2000")
        session.start(call)
        with pytest.raises(PayloadTooLarge, match="the result of a piece of code is too large"):
            outcome(await session.settled(call))


def test_values_that_fragments_make_are_those_that_travel() -> None:
    assert Money(1) != Money(2) and Color.RED is Color(1)


# ----------------------------------------------------------------------------------------------------- life of a worker


async def test_heartbeats() -> None:
    async with working(heartbeat_ms=20) as (_, session, _):
        await session.until(lambda session: len(session.frames) >= 3)
        assert all(not frame.settled and not frame.draining for frame in session.frames)


async def test_drained_it_finishes_what_it_has() -> None:
    worker_actions.gates["drained"] = threading.Event()
    async with working() as (_, session, running):
        call = session.action(f"{ACTIONS}:block", "drained")
        session.start(call)
        session.send(drain=True)
        assert await session.run(f"{ACTIONS}:add", 1) == 2  # On its way already.
        assert not session.ended.is_set()
        worker_actions.gates["drained"].set()
        assert outcome(await session.settled(call)) == "drained"
        await finished(running)
        assert session.ended.is_set()


async def test_drained_with_nothing_to_do_it_ends() -> None:
    async with working() as (_, session, running):
        session.send(drain=True)
        await finished(running)


async def test_it_ends_with_its_stream() -> None:
    async with working() as (_, session, running):
        session.start(session.action(f"{ACTIONS}:sleep"))
        await until_sleeping()
        session.end()
        await finished(running)
        assert worker_actions.log == ["sleeping", "stopping"]


async def test_it_says_why_it_is_refused() -> None:
    async with fake_hub() as hub:
        with pytest.raises(StreamError, match="a token is needed"):
            await Worker(Settings(hub.address)).run()
        hub.refusal = (grpc.StatusCode.FAILED_PRECONDITION, "another version")
        with pytest.raises(StreamError, match=r"another version \(FAILED_PRECONDITION\)"):
            await Worker(Settings(hub.address, token=TOKEN)).run()


def test_settings() -> None:
    read = Settings.read(
        {
            "WAYMARK_WORKER_ADDRESS": "unix:/x",
            "WAYMARK_WORKER_SLOTS": "7",
            "WAYMARK_WORKER_QUEUES": "a, b",
            "WAYMARK_USER_MODULES": "shop/app.py,mail",
        }
    )
    assert (read.slots, read.queues, read.modules) == (7, ("a", "b"), ("shop.app", "mail"))
    with pytest.raises(SettingsError, match="waymark start-workers"):
        Settings.read({})
    with pytest.raises(SettingsError, match="whole number"):
        Settings.read({"WAYMARK_WORKER_ADDRESS": "unix:/x", "WAYMARK_WORKER_SLOTS": "none"})


async def test_who_blocks_the_loop_is_named() -> None:
    gate = worker_actions.gates["hog"] = threading.Event()
    watch = Watch(asyncio.get_running_loop(), 0.01)

    class Opens(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "has blocked the event loop" in record.getMessage() and "in hog" in record.getMessage():
                gate.set()

    handler = Opens()
    logging.getLogger("waymark.worker").addHandler(handler)
    try:
        assert await worker_actions.hog("hog") == "done"
    finally:
        logging.getLogger("waymark.worker").removeHandler(handler)
        watch.end()


def test_logging_is_left_to_users_who_configure_it(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = logging.NullHandler()
    monkeypatch.setattr(logging.root, "handlers", [handler])
    logs.configure("INFO")
    assert logging.root.handlers == [handler]


# ------------------------------------------------------------------------------------------------------- as a process


@contextlib.asynccontextmanager
async def process(hub: FakeHub, folder: pathlib.Path, **variables: str) -> AsyncIterator[asyncio.subprocess.Process]:
    tests = pathlib.Path(__file__).parent
    environment = {
        "PYTHONPATH": f"{tests.parent}:{tests}",
        "WAYMARK_WORKER_ADDRESS": hub.address,
        "WAYMARK_WORKER_TOKEN": TOKEN,
        **variables,
    }
    pipe = asyncio.subprocess.PIPE
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "waymark.worker", env=environment, cwd=folder, stdout=pipe, stderr=pipe, start_new_session=True
    )
    try:
        yield worker
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)  # What it has forked too: it has the pipes.
        await worker.wait()


async def test_actions_may_fork(tmp_path: pathlib.Path) -> None:
    # Set by clients, whose variables workers have.
    variables = {"WAYMARK_USER_MODULES": ACTIONS, "GRPC_ENABLE_FORK_SUPPORT": "1"}
    async with fake_hub() as hub, process(hub, tmp_path, **variables) as worker:
        session = await hub.session()
        for _ in range(10):
            # The pool ends its processes by a signal, which is not for the worker.
            assert await session.run(f"{ACTIONS}:forks") == ([1, 2], 0)
        assert not any(frame.draining for frame in session.frames) and worker.returncode is None


async def test_a_process_that_is_told_to_end(tmp_path: pathlib.Path) -> None:
    (tmp_path / "shop.py").write_text("import worker_actions\nfrom waymark.actions import action\n@action\ndef f(): return __name__\n")
    (tmp_path / "broken.py").write_text("1 / 0\n")
    async with fake_hub() as hub, process(hub, tmp_path, WAYMARK_USER_MODULES="broken,shop") as worker:
        session = await hub.session()
        assert {"shop:f", f"{ACTIONS}:add"} <= set(session.hello.actions)
        assert await session.run("shop:f") == "shop"
        with pytest.raises(ZeroDivisionError):
            await session.run("broken:f")
        call = session.action(f"{ACTIONS}:logs", "hello")
        session.start(call)
        assert outcome(await session.settled(call)) == worker.pid
        worker.send_signal(2)  # For the pool, not for us.
        assert await session.run(f"{ACTIONS}:add", 1) == 2
        sleeping = session.action(f"{ACTIONS}:sleep")
        session.start(sleeping)
        worker.terminate()
        await session.until(lambda session: any(frame.draining for frame in session.frames))
        session.cancel(sleeping)
        assert (await session.settled(sleeping)).WhichOneof("outcome") == "cancelled"
        out, err = await asyncio.wait_for(worker.communicate(), TIME_LIMIT)
        assert worker.returncode == 0
        assert out == b"printed hello\n"
        lines = err.decode().splitlines()
        assert f"INFO app: hello [{call.execution_id} attempt 1]" in lines
        assert "ERROR waymark.worker: the module broken can't be imported" in lines and "ZeroDivisionError: division by zero" in lines


async def test_a_process_whose_thread_is_stuck_ends_with_its_stream(tmp_path: pathlib.Path) -> None:
    (tmp_path / "stuck.py").write_text(
        "import time\nfrom waymark.actions import action\nfrom waymark.context import current\n"
        "@action\ndef f():\n    current().heartbeat()\n    time.sleep(60)\n"
    )
    async with fake_hub() as hub, process(hub, tmp_path, WAYMARK_USER_MODULES="stuck") as worker:
        session = await hub.session()
        session.start(session.action("stuck:f"))
        await session.until(lambda session: any(frame.progress for frame in session.frames))
        session.end()
        assert await asyncio.wait_for(worker.wait(), TIME_LIMIT) == 0


async def test_a_process_that_is_refused_says_so(tmp_path: pathlib.Path) -> None:
    async with fake_hub() as hub, process(hub, tmp_path, WAYMARK_WORKER_TOKEN="wrong") as worker:
        _, err = await asyncio.wait_for(worker.communicate(), TIME_LIMIT)
        assert worker.returncode == 1 and b"a token is needed (UNAUTHENTICATED)" in err
    async with fake_hub() as hub, process(hub, tmp_path, WAYMARK_WORKER_ADDRESS="") as worker:
        _, err = await asyncio.wait_for(worker.communicate(), TIME_LIMIT)
        assert worker.returncode == 2 and err.startswith(b"error: WAYMARK_WORKER_ADDRESS is not set")
