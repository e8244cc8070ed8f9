"""Waiting for instances, pushed by the bridge. Many who wait share a few streams: a connection carries only so many at the same time, and
starts must still find room. What one that ends costs does not depend on how many are waited for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import uuid

from waymark._proto import bridge_pb2 as wire
from waymark.client.connection import PAUSES, Connection, Trial
from waymark.client.link import Away
from waymark.errors import BridgeError, BridgeUnavailable, InstanceNotFound

log = logging.getLogger("waymark")

STREAMS_MAX = 8
#: Instances that one stream may wait for.
INSTANCES_MAX = 10_000
#: After this long without an end it is said what the instance waits for that is waited for the longest, once.
TELL_AFTER_SECONDS = 5.0


class Waits:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._answers: dict[uuid.UUID, set[asyncio.Future[wire.Instance]]] = {}
        #: Not in any stream yet.
        self._new: set[uuid.UUID] = set()
        #: Those that have not ended, of each.
        self._streams: dict[asyncio.Task[None], set[uuid.UUID]] = {}
        #: Since when, those who wait the longest first.
        self._since: dict[uuid.UUID, float] = {}
        self._told: set[uuid.UUID] = set()
        self._is_telling = False

    async def wait(self, instance_id: uuid.UUID) -> wire.Instance:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[wire.Instance] = loop.create_future()
        answers = self._answers.setdefault(instance_id, set())
        if not answers:
            self._new.add(instance_id)
            self._since[instance_id] = loop.time()
            loop.call_soon(self._go)
        answers.add(answer)
        if not self._is_telling:
            self._is_telling = True
            loop.call_later(TELL_AFTER_SECONDS, self._tell_later)
        try:
            return await answer
        finally:
            answers.discard(answer)
            if not answers and self._answers.get(instance_id) is answers:
                del self._answers[instance_id], self._since[instance_id]
                self._new.discard(instance_id)
                self._told.discard(instance_id)
                self._leave(instance_id)

    def _go(self) -> None:
        """A stream for those who are in none. If there are too many, the smaller ones go into it."""
        if not self._new:
            return
        wanted, self._new = self._new, set()
        if len(self._streams) >= STREAMS_MAX:
            by_size = sorted(self._streams, key=lambda stream: len(self._streams[stream]))
            for stream in by_size[: STREAMS_MAX // 2 + 1]:
                if len(wanted) + len(self._streams[stream]) > INSTANCES_MAX:
                    break
                wanted |= self._streams.pop(stream)
                stream.cancel()
        ordered = list(wanted)
        for at in range(0, len(ordered), INSTANCES_MAX):
            part = set(ordered[at : at + INSTANCES_MAX])
            stream = asyncio.ensure_future(self._follow(part))
            self._streams[stream] = part
            stream.add_done_callback(lambda stream: self._streams.pop(stream, None))

    async def _follow(self, wanted: set[uuid.UUID]) -> None:
        """Until all of them have come or nobody wants them. `wanted` shrinks."""
        trial = Trial()
        loop = asyncio.get_running_loop()
        while wanted:
            link, since = None, loop.time()
            try:
                link = await self._connection.link()
                since = loop.time()
                request = wire.WaitForInstancesRequest(instance_ids=[id.bytes for id in wanted])
                async with contextlib.aclosing(link.stream("WaitForInstances", request, wire.EndedInstances)) as stream:
                    # Not until the stream ends: when all have come, the caller's loop may end.
                    while wanted and (ended := await anext(stream, None)) is not None:
                        trial = Trial()
                        for instance in ended.instances:
                            instance_id = uuid.UUID(bytes=instance.instance_id)
                            self._settle(instance_id, instance)
                            wanted.discard(instance_id)
                problem = None
            except (Away, BridgeUnavailable) as error:
                problem = error
            except InstanceNotFound as error:
                problem = error
            except Exception as error:
                return self._fail(wanted, error)
            try:
                if isinstance(problem, InstanceNotFound):
                    await self._sort_out(wanted)
                elif problem is not None:
                    if link is not None:
                        self._connection.lost(link)
                        if loop.time() - since > PAUSES[1]:
                            # It was there all the time, and had nothing to say.
                            trial = Trial()
                    await trial.pause(problem)
            except Exception as error:
                return self._fail(wanted, error)
            wanted &= self._answers.keys()

    async def _sort_out(self, wanted: set[uuid.UUID]) -> None:
        """One of them does not exist, and the stream does not say which."""
        for instance_id in list(wanted):
            try:
                await self._connection.call("GetInstance", wire.GetInstanceRequest(instance_id=instance_id.bytes), wire.Instance)
            except BridgeError as error:
                wanted.discard(instance_id)
                self._fail({instance_id}, error)

    def _settle(self, instance_id: uuid.UUID, instance: wire.Instance) -> None:
        for answer in self._taken(instance_id):
            answer.set_result(instance)

    def _fail(self, wanted: set[uuid.UUID], error: Exception) -> None:
        for instance_id in wanted:
            for answer in self._taken(instance_id):
                answer.set_exception(error)

    def _taken(self, instance_id: uuid.UUID) -> list[asyncio.Future[wire.Instance]]:
        """Who waits for it and is answered now. Whoever comes from now on, also before these have heard, is another."""
        answers = self._answers.pop(instance_id, set())
        self._since.pop(instance_id, None)
        self._told.discard(instance_id)
        return [answer for answer in answers if not answer.done()]

    def _leave(self, instance_id: uuid.UUID) -> None:
        """Nobody wants it any more. One that has ended is in no stream."""
        for stream, wanted in list(self._streams.items()):
            if instance_id in wanted:
                wanted.discard(instance_id)
                if not wanted:
                    self._streams.pop(stream)
                    if not stream.get_loop().is_closed():
                        stream.cancel()

    def _tell_later(self) -> None:
        self._is_telling = bool(self._answers)
        if not self._is_telling:
            return
        loop = asyncio.get_running_loop()
        loop.call_later(TELL_AFTER_SECONDS, self._tell_later)
        oldest = next((instance_id for instance_id in self._since if instance_id not in self._told), None)
        if oldest is not None and loop.time() - self._since[oldest] >= TELL_AFTER_SECONDS:
            self._told.add(oldest)
            asyncio.ensure_future(self._tell(oldest))

    async def _tell(self, instance_id: uuid.UUID) -> None:
        """Why it may take for ever."""
        try:
            link = await self._connection.link()
            request = wire.GetInstanceRequest(instance_id=instance_id.bytes)
            instance: wire.Instance = await link.call("GetInstance", request, wire.Instance)
        except Exception:  # noqa: BLE001 - who waits will hear of it
            return
        if "no worker" in instance.waits_for:
            log.warning(
                "%s %s waits: %s\nhint: workers log why a module can't be imported; `waymark dev` shows it, "
                "and a bridge that started by itself writes it to %s",
                instance.workflow_name,
                instance_id,
                instance.waits_for,
                os.path.join(os.environ.get("WAYMARK_HOME") or "~/.waymark", "run"),
            )
        elif not link.info.worker_address and not instance.waits_for and instance.status == wire.RUNNING:
            log.warning(
                "%s %s runs, or waits for an engine; hint: `waymark start-workers` has one",
                instance.workflow_name,
                instance_id,
            )
