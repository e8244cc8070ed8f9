"""The client against a real bridge, which it starts by itself."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import socket
import threading
import time
import uuid
from typing import Any

import pytest

from waymark import activate_version
from waymark.client import Status, backend, discovery, get_handle
from waymark.client.bridge import bridge
from waymark.client.errors import InstanceFinished, ResultTimeout, WorkflowCancelled
from waymark.connect import Server
from waymark.errors import BridgeError, BridgeUnavailable, InstanceExists, InstanceNotFound, VersionNotFound

ECHO = "fn main(input: [value]):\n    return [value, value]\n"
FAILS = "fn main(input: [text]):\n    raise ValueError(text, 7)\n"
SLEEPS = "fn main(input: [seconds]):\n    await asyncio.sleep(seconds)\n    return seconds\n"


async def test_run_returns_what_the_workflow_returns(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    given = {"a": (1, 2), 3: {"set"}, "b": b"bytes", "none": None}
    assert await echo().run(given) == [given, given]
    assert await asyncio.gather(*[echo().run(n) for n in range(50)]) == [[n, n] for n in range(50)]


async def test_a_failure_raises_the_original_exception(site: Any) -> None:
    fails = site.workflow("Fails", FAILS)
    with pytest.raises(ValueError) as raised:
        await fails().run("no luck")
    assert raised.value.args == ("no luck", 7)
    handle = await fails().start("again")
    assert await handle.wait() is Status.FAILED


async def test_arguments_are_checked_as_python_would(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    for arguments, keywords, said in [((), {}, "'value'"), ((1, 2), {}, "too many"), ((1,), {"other": 2}, "'other'")]:
        with pytest.raises(TypeError, match=said):
            await echo().start(*arguments, **keywords)
    with pytest.raises(TypeError, match=r"lambda|function"):
        await echo().run(lambda: 1)


async def test_the_same_id_is_the_same_instance(site: Any) -> None:
    sleeps = site.workflow("Sleeps", SLEEPS)
    first = await sleeps().start(600, id="nap")
    again = await sleeps().start(600, id="nap")
    assert first.instance_id == again.instance_id
    with pytest.raises(InstanceExists, match="nap"):
        await sleeps().start(601, id="nap")
    found = sleeps.get_handle("nap")
    assert (await found.describe()).id == "nap"
    assert found.instance_id == first.instance_id
    assert await get_handle(first.instance_id).status() is Status.RUNNING


async def test_options_of_a_start(site: Any) -> None:
    sleeps = site.workflow("Sleeps", SLEEPS)
    handle = await sleeps().start(0, delay=600, tags=["a", "b"], priority=0, queue="default")
    about = await handle.describe()
    assert (about.status, about.tags) == (Status.RUNNING, ("a", "b"))
    assert about.scheduled_at and about.created_at
    assert 590 < (about.scheduled_at - about.created_at).total_seconds() < 610
    with pytest.raises(BridgeError, match="priority"):
        await sleeps().start(0, priority=9)


async def test_many_in_one_go(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    handles = await echo().start_many([(1,), {"value": 2}, (3,)], ids=["a", "b", None])
    assert [await handle.result() for handle in handles] == [[1, 1], [2, 2], [3, 3]]
    with pytest.raises(TypeError, match=r"\(x,\)"):
        await echo().start_many([1])  # type: ignore[list-item]
    handles = await asyncio.gather(*[echo().start(n) for n in range(3_000)])
    assert len({handle.instance_id for handle in handles}) == 3_000
    assert (await handles[-1].result(timeout=60)) == [2_999, 2_999]


async def test_a_wait_may_have_an_end(site: Any) -> None:
    sleeps = site.workflow("Sleeps", SLEEPS)
    handle = await sleeps().start(600)
    with pytest.raises(ResultTimeout, match="goes on"):
        await handle.result(timeout=0.2)
    assert await handle.status() is Status.RUNNING
    waiting = asyncio.ensure_future(handle.result())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_more_waits_than_a_connection_has_streams(site: Any) -> None:
    sleeps = site.workflow("Sleeps", SLEEPS)
    waits = []
    for _ in range(250):
        handle = await sleeps().start(600)
        waits.append(asyncio.ensure_future(handle.wait()))
        await asyncio.sleep(0)
    echo = site.workflow("Echo", ECHO)
    assert await asyncio.wait_for(echo().run(1), 30) == [1, 1]
    for wait in waits:
        wait.cancel()


async def test_an_instance_that_there_is_not(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    sleeps = site.workflow("Sleeps", SLEEPS)
    other = await sleeps().start(1)
    missing = get_handle("0192d2f0-0000-7000-8000-000000000000")
    # In one stream: the others don't suffer.
    outcomes = await asyncio.gather(missing.result(), other.result(), return_exceptions=True)
    assert isinstance(outcomes[0], InstanceNotFound)
    assert outcomes[1] == 1
    with pytest.raises(InstanceNotFound):
        await echo.get_handle("nobody").status()


async def test_the_bridge_is_killed_while_somebody_waits(site: Any) -> None:
    sleeps = site.workflow("Sleeps", SLEEPS)
    handle = await sleeps().start(2)
    waiting = asyncio.ensure_future(handle.result())
    # It has to be waiting, not about to.
    while not bridge()._here._waits._streams:
        await asyncio.sleep(0.01)
    before = site.bridges()
    site.kill_bridges()
    assert await asyncio.wait_for(waiting, 60) == 2
    assert site.bridges() != before


async def test_starts_while_the_bridge_is_killed_happen_once(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    assert await echo().run(0) == [0, 0]
    starts = [asyncio.ensure_future(echo().start(n)) for n in range(200)]
    site.kill_bridges()
    handles = await asyncio.gather(*starts)
    assert len({handle.instance_id for handle in handles}) == 200
    results = await asyncio.gather(*[handle.result() for handle in handles])
    assert sorted(results) == [[n, n] for n in range(200)]


async def test_a_bridge_that_dies_before_it_is_greeted(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    find, found = discovery.find, []

    def find_the_dead_one_first() -> discovery.Found:
        found.append(find())
        with socket.socket() as gone:
            gone.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{gone.getsockname()[1]}"
        return dataclasses.replace(found[0], server=Server.of(address, {})) if len(found) == 1 else found[-1]

    monkeypatch.setattr(discovery, "find", find_the_dead_one_first)
    echo = site.workflow("Echo", ECHO)
    assert await asyncio.wait_for(echo().run(1), 60) == [1, 1]
    assert len(found) > 1


def test_without_a_loop(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    assert echo().run_sync(1) == [1, 1]
    handle = echo().start_sync(value=2, id="two")
    assert handle.result_sync(timeout=30) == [2, 2]
    assert handle.status_sync() is Status.COMPLETED
    assert [handle.result_sync() for handle in echo().start_many_sync([(3,), (4,)])] == [[3, 3], [4, 4]]

    async def inside() -> None:
        with pytest.raises(RuntimeError, match="await run"):
            echo().run_sync(1)

    asyncio.run(inside())


def test_several_loops_one_after_the_other_and_at_once(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    for n in range(3):
        assert asyncio.run(echo().run(n)) == [n, n]
    results: list[Any] = []

    def one(n: int) -> None:
        results.append(asyncio.run(echo().run(n)) if n % 2 else echo().run_sync(n))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(results) == [[n, n] for n in range(40)]


def test_a_loop_may_be_closed_as_soon_as_it_has_a_result(site: Any) -> None:
    echo, sleeps = site.workflow("Echo", ECHO), site.workflow("Sleeps", SLEEPS)
    for number in range(3):
        loop = asyncio.new_event_loop()
        assert loop.run_until_complete(echo().run(number)) == [number, number]
        assert not asyncio.all_tasks(loop), "something is left that would be destroyed"
        loop.close()

    # And while somebody still waits: the others are none the worse for it.
    async def leaves() -> str:
        handle = await sleeps().start(0.5)
        asyncio.ensure_future(handle.result())
        await asyncio.sleep(0.1)
        return handle.instance_id

    assert asyncio.run(get_handle(asyncio.run(leaves())).result()) == 0.5


def test_a_process_that_forks_while_it_waits(site: Any) -> None:
    """As a server that loads the application before it forks its workers."""
    echo, sleeps = site.workflow("Echo", ECHO), site.workflow("Sleeps", SLEEPS)
    assert echo().run_sync("parent") == ["parent"] * 2
    handle = sleeps().start_sync(4)
    waiting: list[Any] = []
    thread = threading.Thread(target=lambda: waiting.append(handle.result_sync()))
    thread.start()
    children = []
    # Many: what grpc leaves behind of what was closed met one fork in fifty.
    for n in range(40):
        pid = os.fork()
        if pid == 0:
            # One that hangs ends, whatever holds the interpreter.
            signal.alarm(45)
            status = 1
            try:
                status = 0 if echo().run_sync(n) == [n, n] and (n % 10 or handle.result_sync() == 4) else 2
            finally:
                os._exit(status)
        children.append(pid)
        # And the parent goes on.
        assert echo().run_sync(n) == [n, n]
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * len(children)
    thread.join(60)
    assert waiting == [4]


async def test_a_wrong_token(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = site.ensure()
    echo = site.workflow("Echo", ECHO)
    monkeypatch.setenv("WAYMARK_TOKEN", "wrong-token-wrong-token")
    monkeypatch.setenv("WAYMARK_BRIDGE_ADDRESS", found["address"])
    with pytest.raises(BridgeError, match="does not accept the token"):
        await asyncio.wait_for(echo().run(1), 30)


async def test_without_the_binary(site: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    found = site.ensure()
    monkeypatch.delenv("WAYMARK_BINARY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("waymark._binary._script_folders", list)
    with pytest.raises(BridgeUnavailable, match="pip install waymark"):
        await asyncio.wait_for(echo().run(1), 30)
    # An address is enough.
    monkeypatch.setenv("WAYMARK_BRIDGE_ADDRESS", found["address"])
    assert await echo().run(1) == [1, 1]
    monkeypatch.setenv("WAYMARK_BINARY", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="WAYMARK_BINARY"):
        from waymark._binary import find_binary

        find_binary()


async def test_a_run_that_ends_soon_is_one_call(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from waymark.client import starts, waits

    echo = site.workflow("Echo", ECHO)
    failing = site.workflow("Failing", "fn main():\n    raise ValueError('no', 3)\n")
    slow = site.workflow("Slow", "fn main():\n    await asyncio.sleep(0.2)\n    return 'slow'\n")
    assert await echo().run(0) == [0, 0]
    waited: list[uuid.UUID] = []
    wait = waits.Waits.wait

    async def counted(self: Any, instance_id: uuid.UUID) -> Any:
        waited.append(instance_id)
        return await wait(self, instance_id)

    monkeypatch.setattr(waits.Waits, "wait", counted)
    assert await echo().run(1) == [1, 1]
    with pytest.raises(ValueError, match="no"):
        await failing().run()
    assert waited == []
    # One that takes longer is waited for as ever, and many together go together.
    monkeypatch.setattr(starts, "WAIT_MS", 20)
    assert await slow().run() == "slow"
    assert len(waited) == 1
    monkeypatch.undo()
    assert await asyncio.gather(*(echo().run(number) for number in range(20))) == [[number, number] for number in range(20)]


async def test_another_backend_takes_over(site: Any) -> None:
    class Memory:
        async def start(self, starts: Any) -> list[uuid.UUID | Exception]:
            return [start.instance_id for start in starts]

        async def run(self, start: Any) -> Any:
            return await self.wait(start.instance_id)

        async def wait(self, instance_id: uuid.UUID) -> Any:
            from waymark import values
            from waymark.client import Instance

            return Instance(instance_id, "Echo", "1", Status.COMPLETED, result=values.encode("memory"))

    echo = site.workflow("Echo", ECHO)
    with backend.use(Memory()):  # type: ignore[arg-type]
        assert await echo().run(1) == "memory"
        assert await asyncio.to_thread(echo().run_sync, 1) == "memory"
    assert site.bridges() == []


async def test_cancel_and_signal(site: Any) -> None:
    guarded = site.workflow(
        "Guarded", "fn main():\n    try:\n        await asyncio.sleep(600)\n    finally:\n        await asyncio.sleep(0.01)\n"
    )
    handle = await guarded().start()
    await handle.signal("anybody", {"there": (1, 2)})
    await handle.cancel("enough")
    with pytest.raises(WorkflowCancelled, match="enough"):
        await handle.result(timeout=60)
    assert await handle.wait() is Status.CANCELLED
    # Too late: that is no mistake of who cancels, but a signal would be lost.
    await handle.cancel()
    with pytest.raises(InstanceFinished, match="anybody"):
        await handle.signal("anybody")
    missing = get_handle("0192d2f0-0000-7000-8000-000000000000")
    with pytest.raises(InstanceNotFound):
        await missing.cancel()


async def test_a_version_that_there_is_not(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    assert await echo().run(1) == [1, 1]
    with pytest.raises(VersionNotFound, match="Echo"):
        await activate_version(echo, "f" * 64)
    with pytest.raises(VersionNotFound, match="Nobody"):
        await activate_version("Nobody", "1")


def test_a_bridge_whose_client_does_nothing_ends_at_once(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    assert echo().run_sync(1) == [1, 1]
    (pid,) = site.bridges()
    begun = time.monotonic()
    os.kill(pid, signal.SIGTERM)
    while site.bridges():
        assert time.monotonic() - begun < 3, "it waits for a call that never ends"
        time.sleep(0.02)


def test_forks_while_others_call(site: Any) -> None:
    echo = site.workflow("Echo", ECHO)
    assert echo().run_sync(0) == [0, 0]
    stop = threading.Event()
    results: list[Any] = []

    def caller() -> None:
        while not stop.is_set():
            results.append(echo().run_sync(len(results)))

    async def waiter() -> None:
        while not stop.is_set():
            results.append(await echo().run(len(results)))

    threads = [threading.Thread(target=caller), threading.Thread(target=lambda: asyncio.run(waiter()))]
    for thread in threads:
        thread.start()
    slowest = 0.0
    for _ in range(5):
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            os._exit(0)
        slowest = max(slowest, time.monotonic() - begun)
        os.waitpid(child, 0)
        time.sleep(0.1)
    before = len(results)
    deadline = time.monotonic() + 30
    while len(results) < before + 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    stop.set()
    for thread in threads:
        thread.join(30)
    assert len(results) >= before + 4, "nobody gets through any more"
    assert slowest < 4, f"a fork took {slowest:.1f} s"


def test_a_link_ends_with_its_bridge(site: Any) -> None:
    """Whoever has its port then: grpc would connect to that by itself."""
    echo = site.workflow("Echo", ECHO)
    assert echo().run_sync(0) == [0, 0]
    from waymark.client.bridge import bridge

    link = bridge()._connection._link
    assert link is not None and not link._is_over
    site.kill_bridges()
    end = time.monotonic() + 20
    while not link._is_over:
        assert time.monotonic() < end, "nobody has noticed"
        time.sleep(0.01)
    assert echo().run_sync(1) == [1, 1]
    assert bridge()._connection._link is not link
