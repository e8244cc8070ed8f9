"""Calls between the loops of callers and the client's own."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from typing import Any

import pytest

from waymark.client import background
from waymark.client.instance import new_instance_id

said: contextvars.ContextVar[str] = contextvars.ContextVar("said", default="nothing")


async def where() -> tuple[threading.Thread, str]:
    await asyncio.sleep(0)
    return threading.current_thread(), said.get()


async def test_it_runs_on_the_client_s_loop_in_the_caller_s_context() -> None:
    async def caller(number: int) -> str:
        said.set(f"number {number}")
        thread, heard = await background.call(where())
        assert thread is not threading.current_thread()
        return heard

    assert await asyncio.gather(*map(caller, range(50))) == [f"number {number}" for number in range(50)]


async def test_what_it_raises_is_raised() -> None:
    async def fails() -> None:
        raise KeyError("it")

    with pytest.raises(KeyError, match="it"):
        await background.call(fails())


async def test_who_is_cancelled_cancels_the_work() -> None:
    ended = threading.Event()

    async def works() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.set()
            raise

    call = asyncio.ensure_future(background.call(works()))
    await asyncio.sleep(0.05)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(ended.wait, 5)


async def test_who_is_cancelled_at_once_cancels_the_work_too() -> None:
    began: list[str] = []

    async def works() -> None:
        began.append("began")
        await asyncio.sleep(60)
        began.append("ended")

    call = asyncio.ensure_future(background.call(works()))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await background.call(asyncio.sleep(0.01))
    assert "ended" not in began


def test_a_loop_that_is_closed_while_it_waits_stops_nobody() -> None:
    release = threading.Event()

    async def waits() -> str:
        await asyncio.to_thread(release.wait, 5)
        return "late"

    loop = asyncio.new_event_loop()
    waiting = loop.create_task(background.call(waits()))
    loop.run_until_complete(asyncio.sleep(0.05))
    waiting._log_destroy_pending = False  # type: ignore[attr-defined]
    loop.close()
    release.set()
    assert asyncio.run(background.call(where()))[1] == "nothing"


def test_many_loops_at_once() -> None:
    async def calls(name: str) -> list[str]:
        async def echo(number: int) -> str:
            return f"{name} {number}"

        return await asyncio.gather(*(background.call(echo(number)) for number in range(200)))

    got: dict[str, Any] = {}

    def caller(name: str) -> None:
        got[name] = asyncio.run(calls(name))

    threads = [threading.Thread(target=caller, args=(f"loop {number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert got == {name: [f"{name} {number}" for number in range(200)] for name in (f"loop {number}" for number in range(8))}


def test_a_child_makes_other_ids_than_its_parent() -> None:
    new_instance_id()  # Some random bytes are left for the next ones.
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, b"".join(new_instance_id().bytes for _ in range(50)))
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        theirs = pipe.read()
    os.waitpid(child, 0)
    # The first bytes are the time.
    tails = {theirs[at + 9 : at + 16] for at in range(0, len(theirs), 16)}
    assert len(tails) == 50
    assert not tails & {new_instance_id().bytes[9:] for _ in range(50)}


def test_a_fork_does_not_wait_for_who_waits_for_it() -> None:
    async def calls() -> str:
        for _ in range(10):
            await background.call(asyncio.sleep(0))
        return "done"

    client = background.background()
    # As a fork does, which waits for the client's loop meanwhile.
    with background._lock:
        assert client.submit(calls()).result(5) == "done"
