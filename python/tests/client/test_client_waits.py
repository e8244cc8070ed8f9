"""Waits and commands while bridges come and go, without one."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from waymark._proto import bridge_pb2 as wire
from waymark.client import bridge, connection, control
from waymark.client.link import Away, NotAsked
from waymark.client.waits import Waits
from waymark.errors import BridgeUnavailable, ControlRefused


class Link:
    """Says nothing for a while, and is gone then; but for the last."""

    def __init__(self, silence: float, breaks: bool) -> None:
        self._silence, self._breaks = silence, breaks
        self.before: Callable[[], None] = lambda: None

    async def stream(self, name: str, request: Any, response: Any) -> AsyncGenerator[Any, None]:
        await asyncio.sleep(self._silence)
        if self._breaks:
            raise Away("gone")
        self.before()
        yield wire.EndedInstances(instances=[wire.Instance(instance_id=id, status=wire.COMPLETED) for id in request.instance_ids])


class Connection:
    def __init__(self, *links: Link) -> None:
        self._links = list(links)

    async def link(self) -> Any:
        return self._links.pop(0)

    def lost(self, link: Any) -> None: ...


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (connection, __import__("waymark.client.waits", fromlist=["waits"])):
        monkeypatch.setattr(module, "PAUSES", (0.001, 0.02))
    monkeypatch.setattr(connection, "PATIENCE_SECONDS", 0.05)


async def test_who_has_waited_for_long_is_as_patient_as_before() -> None:
    """Silence is no failure: nothing has ended."""
    waits = Waits(Connection(Link(0.2, True), Link(0.2, True), Link(0, False)))  # type: ignore[arg-type]
    assert (await asyncio.wait_for(waits.wait(uuid.uuid4()), 5)).status == wire.COMPLETED


async def test_a_bridge_that_breaks_at_once_is_given_up() -> None:
    waits = Waits(Connection(*(Link(0, True) for _ in range(1000))))  # type: ignore[arg-type]
    with pytest.raises(BridgeUnavailable):
        await asyncio.wait_for(waits.wait(uuid.uuid4()), 5)


async def test_who_comes_while_others_are_answered_is_answered() -> None:
    one = uuid.uuid4()
    others: list[asyncio.Task[Any]] = []
    first = Link(0, False)
    waits = Waits(Connection(first, Link(0, False)))  # type: ignore[arg-type]
    # It begins before the first one, which is settled in this very turn of the loop, has heard of it.
    first.before = lambda: others.append(asyncio.ensure_future(waits.wait(one)))
    await asyncio.wait_for(waits.wait(one), 5)
    await asyncio.wait_for(others[0], 5)


@pytest.mark.parametrize("lost", [Away("gone"), NotAsked("closed")])
async def test_a_command_whose_answer_was_lost(lost: Away, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told that it was refused because it was done, and nothing is taken back twice."""
    wrong = wire.ControlInstancesResponse(
        problems=[wire.ControlProblem(reason=wire.ControlProblem.WRONG_STATUS, message="it has finished")]
    )

    class Answers:
        def __init__(self) -> None:
            self.asked = 0

        async def call(self, *_: Any) -> Any:
            self.asked += 1
            if self.asked == 1:
                raise lost
            return wrong

    made = bridge.Bridge()
    for command, is_fine in [(control.Terminate(), lost.__class__ is Away), (control.Retry(from_start=True), False)]:
        link = Answers()

        async def found(link: Answers = link) -> Any:
            return link

        monkeypatch.setattr(made._connection, "link", found)
        monkeypatch.setattr(made._connection, "lost", lambda link: None)
        doing = asyncio.wait_for(made.command(uuid.uuid4(), command), 5)
        if is_fine:
            await doing
            continue
        is_told = isinstance(command, control.Retry) and type(lost) is Away
        with pytest.raises(BridgeUnavailable if is_told else ControlRefused):
            await doing
        assert link.asked == (1 if is_told else 2)
