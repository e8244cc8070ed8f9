"""Starts of many callers in one call: what comes while a call is on its way goes with the next."""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from waymark._proto import bridge_pb2 as wire
from waymark.client.errors import StartRefused
from waymark.errors import BridgeError, InstanceExists, PayloadTooLarge

#: Starts and bytes in one call.
STARTS_MAX = 1_000
BYTES_MAX = 4 << 20
CALLS_MAX = 2
#: A start that comes alone, and whose end is waited for: the same answer brings both, if it takes no longer than this.
WAIT_MS = 1_000
WAITING_CALLS_MAX = 8

Call = Callable[[str, Any, Any], Coroutine[Any, Any, Any]]


class Started(NamedTuple):
    instance_id: uuid.UUID
    #: None: it has not ended, or nobody waits for that.
    ended: wire.Instance | None = None


class Wanted(NamedTuple):
    start: wire.Start
    answer: asyncio.Future[Started]
    #: Whoever starts it waits for its end.
    is_run: bool


class UnknownVersion(BridgeError):
    """The program is not there; it has to be registered again."""


class Starts:
    def __init__(self, call: Call) -> None:
        self._call = call
        self._waiting: deque[Wanted] = deque()
        self._calls: set[asyncio.Task[None]] = set()
        #: These are in nobody's way.
        self._waiting_calls: set[asyncio.Task[None]] = set()
        self._is_going = False

    def add(self, start: wire.Start, is_run: bool) -> asyncio.Future[Started]:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Started] = loop.create_future()
        self._waiting.append(Wanted(start, answer, is_run))
        if not self._is_going:
            # Not at once: others of this turn of the loop come along.
            self._is_going = True
            loop.call_soon(self._go)
        return answer

    def _go(self) -> None:
        self._is_going = False
        while self._waiting and len(self._calls) < CALLS_MAX:
            taken = self._take()
            waits = len(taken) == 1 and taken[0].is_run and not self._calls and len(self._waiting_calls) < WAITING_CALLS_MAX
            call = asyncio.ensure_future(self._send(taken, WAIT_MS if waits else 0))
            (self._waiting_calls if waits else self._calls).add(call)
            call.add_done_callback(self._sent)

    def _sent(self, call: asyncio.Task[None]) -> None:
        self._calls.discard(call)
        self._waiting_calls.discard(call)
        self._go()

    def _take(self) -> list[Wanted]:
        taken: list[Wanted] = []
        size = 0
        while self._waiting and len(taken) < STARTS_MAX:
            size += len(self._waiting[0].start.inputs)
            if taken and size > BYTES_MAX:
                break
            taken.append(self._waiting.popleft())
        # Nobody wants those any more, and they have not been sent.
        return [wanted for wanted in taken if not wanted.answer.cancelled()]

    async def _send(self, taken: list[Wanted], wait_ms: int) -> None:
        if not taken:
            return
        request = wire.StartInstancesRequest(starts=[wanted.start for wanted in taken], wait_ms=wait_ms)
        try:
            response: wire.StartInstancesResponse = await self._call("StartInstances", request, wire.StartInstancesResponse)
            if len(response.results) != len(taken):
                raise BridgeError(f"the bridge has answered {len(response.results)} of {len(taken)} starts")
        except BaseException as error:
            for _, answer, _ in taken:
                if not answer.done():
                    answer.set_exception(error if isinstance(error, Exception) else BridgeError("the client was stopped"))
            if not isinstance(error, Exception):
                raise
            return
        ended = response.ended if response.HasField("ended") else None
        for (start, answer, _), result in zip(taken, response.results, strict=True):
            if answer.done():
                continue
            if result.WhichOneof("result") == "started":
                answer.set_result(Started(uuid.UUID(bytes=result.started.instance_id), ended))
            else:
                answer.set_exception(refusal(start, result.refused))


def refusal(start: wire.Start, refused: wire.Refusal) -> Exception:
    reason = refused.reason
    if reason == wire.Refusal.ID_TAKEN:
        return InstanceExists(f"{start.workflow_name}, id {start.id!r}: {refused.message}")
    if reason == wire.Refusal.TOO_LARGE:
        return PayloadTooLarge(refused.message)
    if reason in (wire.Refusal.UNKNOWN_WORKFLOW, wire.Refusal.UNKNOWN_VERSION):
        return UnknownVersion(refused.message)
    return StartRefused(f"{start.workflow_name} was not started: {refused.message}")
