"""The backend of production: everything goes to the bridge of the database."""

from __future__ import annotations

import asyncio
import uuid
import weakref
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from waymark import names
from waymark._proto import bridge_pb2 as wire
from waymark.client import background, control
from waymark.client.connection import Connection
from waymark.client.errors import InstanceFinished
from waymark.client.instance import Instance, Query, Reply, Start, Status, new_instance_id, query_of
from waymark.client.starts import Started, Starts, UnknownVersion
from waymark.client.waits import Waits
from waymark.definition import Definition
from waymark.errors import BridgeUnavailable, ControlRefused, InstanceNotFound, WaymarkError

#: How long one call waits for the reply to an update; then it is made again. Less than a call may take.
UPDATE_WAITS_MS = 20_000


class Bridge:
    """Its methods may be called from any loop."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._connection = Connection()
        #: What is registered, by the database's fingerprint and the definition: its version.
        self._versions: dict[tuple[str, int], str] = {}
        self._parts: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Parts] = weakref.WeakKeyDictionary()

    @property
    def _here(self) -> Parts:
        """Those of the loop that runs."""
        loop = asyncio.get_running_loop()
        parts = self._parts.get(loop)
        if parts is None:
            parts = self._parts[loop] = Parts(self._connection, self._versions)
        return parts

    async def start(self, starts: Sequence[Start]) -> list[uuid.UUID | Exception]:
        # Encoded here: a value that can't travel is the caller's, and shows its stack.
        messages = [message_of(start) for start in starts]
        started = await self._here.start_all(starts, messages, is_run=False)
        return [outcome if isinstance(outcome, Exception) else outcome.instance_id for outcome in started]

    async def run(self, start: Start) -> Instance:
        here = self._here
        (outcome,) = await here.start_all([start], [message_of(start)], is_run=True)
        if isinstance(outcome, Exception):
            raise outcome
        return instance_of(outcome.ended or await here.wait(outcome.instance_id))

    async def wait(self, instance_id: uuid.UUID) -> Instance:
        return instance_of(await self._here.wait(instance_id))

    async def get(self, instance_id: uuid.UUID) -> Instance:
        request = wire.GetInstanceRequest(instance_id=instance_id.bytes)
        return instance_of(await self.call("GetInstance", request, wire.Instance))

    async def find(self, workflow_name: str, id: str) -> Instance:
        request = wire.GetInstanceRequest(workflow_name=workflow_name, id=id)
        return instance_of(await self.call("GetInstance", request, wire.Instance))

    async def command(self, instance_id: uuid.UUID, command: control.Command) -> None:
        request = control.wire_request(command)
        request.instance_ids.append(instance_id.bytes)
        is_repeated = False

        def before_repeating() -> None:
            nonlocal is_repeated
            is_repeated = True
            if isinstance(command, control.Retry) and command.rewinds:
                # A second time would take back what the first has begun.
                raise BridgeUnavailable(
                    f"the bridge went away while {instance_id} was being taken back: whether that was done is not known\n"
                    "hint: look at its events before you do it again"
                )

        answer = await self._connection.call("ControlInstances", request, wire.ControlInstancesResponse, before_repeating)
        for problem in answer.problems:
            if problem.reason == wire.ControlProblem.UNKNOWN_INSTANCE:
                raise InstanceNotFound(problem.message)
            # What has ended is not to be cancelled any more; and a first try, whose answer was lost, may have done it.
            is_done = isinstance(command, control.Cancel) or is_repeated
            if not (is_done and problem.reason == wire.ControlProblem.WRONG_STATUS):
                raise ControlRefused(f"{instance_id}: {problem.message}")

    async def control(self, command: control.Command, filter: control.Filter, dry_run: bool) -> control.Done:
        request = control.wire_request(command)
        request.filter.CopyFrom(control.wire_filter(filter))
        request.dry_run = dry_run
        count, problems = 0, {}
        while True:
            answer = await self.call("ControlInstances", request, wire.ControlInstancesResponse)
            count += answer.done
            problems.update({uuid.UUID(bytes=problem.instance_id): problem.message for problem in answer.problems})
            if not answer.next_cursor:
                return control.Done(count, problems)
            request.cursor = answer.next_cursor

    async def list_instances(self, filter: control.Filter, cursor: bytes) -> tuple[list[Instance], bytes]:
        request = wire.ListInstancesRequest(filter=control.wire_filter(filter), cursor=cursor)
        page = await self.call("ListInstances", request, wire.ListInstancesResponse)
        return [instance_of(instance) for instance in page.instances], page.next_cursor

    async def count_instances(self, filter: control.Filter) -> int:
        request = wire.CountInstancesRequest(filter=control.wire_filter(filter))
        return (await self.call("CountInstances", request, wire.CountInstancesResponse)).count

    async def events(self, instance_id: uuid.UUID) -> list[wire.LoggedEvent]:
        request, events = wire.ListEventsRequest(instance_id=instance_id.bytes, limit=1000), []
        while True:
            page = await self.call("ListEvents", request, wire.ListEventsResponse)
            events.extend(page.events)
            if not page.is_more:
                return events
            request.after_seq = page.events[-1].seq

    async def register(self, definition: Definition) -> str:
        """Its version, which new runs use from now on."""
        return await self._here.register(definition)

    async def call(self, name: str, request: Any, response: Any) -> Any:
        """A call of the bridge as it is."""
        return await self._connection.call(name, request, response)

    async def signal(self, instance_id: uuid.UUID, name: str, payload: bytes, id: str | None) -> None:
        message_id = new_instance_id().bytes
        request = wire.SignalInstanceRequest(instance_id=instance_id.bytes, message_id=message_id, name=name, payload=payload, id=id or "")
        answer = await self.call("SignalInstance", request, wire.MailResponse)
        if not answer.delivered:
            raise InstanceFinished(f"{instance_id} has finished: nobody reads the signal {name!r}")

    async def schedule(self, name: str, request: Any, response: Any, definition: Definition | None) -> Any:
        if definition is not None:
            await self.register(definition)
        return await self.call(name, request, response)

    async def update(self, instance_id: uuid.UUID, name: str, payload: bytes, id: str) -> Reply:
        request = wire.UpdateInstanceRequest(instance_id=instance_id.bytes, name=name, payload=payload, id=id, timeout_ms=UPDATE_WAITS_MS)
        while True:
            answer = await self.call("UpdateInstance", request, wire.UpdateInstanceResponse)
            outcome = answer.WhichOneof("outcome")
            if outcome == "finished":
                raise InstanceFinished(answer.finished)
            if outcome is not None:
                return Reply(getattr(answer, outcome), is_error=outcome == "error")

    async def query(self, instance_id: uuid.UUID, name: str, frames: bool) -> Query:
        request = wire.QueryInstanceRequest(instance_id=instance_id.bytes, name=name, frames=frames)
        return query_of(await self.call("QueryInstance", request, wire.QueryInstanceResponse))

    async def close(self) -> None:
        """Forgets the connection. Who calls next looks for a bridge anew, with the variables of then."""
        connection = self._connection
        self._begin()
        await background.call(connection.close())

    async def close_for_fork(self) -> None:
        await self._connection.close_for_fork()

    async def open_after_fork(self) -> None:
        self._connection.open_after_fork()

    def begin_in_child(self) -> None:
        """What it holds is the parent's; grpc is not told, because there is nothing left to tell."""
        self._begin()


class Parts:
    """What lives on one loop: starts and waits of a loop go together."""

    def __init__(self, connection: Connection, versions: dict[tuple[str, int], str]) -> None:
        self._connection = connection
        self._starts = Starts(connection.call)
        self._waits = Waits(connection)
        self._versions = versions
        self._registering: dict[tuple[str, int], asyncio.Future[str]] = {}

    async def start_all(self, starts: Sequence[Start], messages: Sequence[wire.Start], is_run: bool) -> list[Started | Exception]:
        """For each the instance, or why there is none. `messages` lack only the versions."""
        started = await self._start(starts, messages, is_run)
        unknown = [at for at, outcome in enumerate(started) if isinstance(outcome, UnknownVersion)]
        if unknown:
            # Another database has come in its place meanwhile.
            self._versions.clear()
            again = await self._start([starts[at] for at in unknown], [messages[at] for at in unknown], is_run)
            for at, outcome in zip(unknown, again, strict=True):
                started[at] = outcome
        return started

    async def _start(self, starts: Sequence[Start], messages: Sequence[wire.Start], is_run: bool) -> list[Started | Exception]:
        versions = {definition: await self.register(definition) for definition in {start.definition for start in starts}}
        for start, message in zip(starts, messages, strict=True):
            message.workflow_version = versions[start.definition]
        adding = [self._starts.add(message, is_run) for message in messages]
        started = await asyncio.gather(*adding, return_exceptions=True)
        return started  # type: ignore[return-value] # Nobody but this cancels them.

    async def wait(self, instance_id: uuid.UUID) -> wire.Instance:
        return await self._waits.wait(instance_id)

    async def register(self, definition: Definition) -> str:
        """Its version; first those that it starts as children are registered."""
        link = await self._connection.reached()
        database = link.info.database_fingerprint
        key = (database, definition.number)
        known = self._versions.get(key)
        if known is not None:
            return known
        registering = self._registering.get(key)
        if registering is None:
            registering = self._registering[key] = asyncio.ensure_future(self._register_family(definition, database))

            def registered(done: asyncio.Future[str]) -> None:
                del self._registering[key]
                # Retrieved, whether or not anybody still waits.
                if not done.cancelled():
                    done.exception()

            registering.add_done_callback(registered)
        # Who gives up does not take it from the others.
        return await asyncio.shield(registering)

    async def _register_family(self, definition: Definition, database: str) -> str:
        # Compiling takes a while, and others want to go on.
        family = await asyncio.to_thread(definition.family)
        versions = {(database, member.number): await self._do_register(member) for member in family}
        # Not before all of them are: each may start any of them.
        self._versions.update(versions)
        return versions[database, definition.number]

    async def _do_register(self, definition: Definition) -> str:
        compiled = definition.compiled()
        for action in getattr(compiled, "actions", ()):
            if (why := names.why_nowhere(action)) is not None:
                raise WaymarkError(f"no worker can import the action {action}: {why}\nhint: define it at the top level of a module")
        await self._connection.keep_workers(definition.modules())
        request = wire.RegisterWorkflowRequest(
            workflow_name=definition.name,
            workflow_version=definition.version or "",
            program_proto=compiled.program,
            source=compiled.source,
        )
        response = await self._connection.call("RegisterWorkflow", request, wire.RegisterWorkflowResponse)
        return response.workflow_version


ON_CONFLICT = {
    "reject": wire.ON_CONFLICT_REJECT,
    "existing": wire.ON_CONFLICT_EXISTING,
    "replace": wire.ON_CONFLICT_REPLACE,
}


def message_of(start: Start) -> wire.Start:
    """All but the version."""
    from waymark import values

    message = wire.Start(
        workflow_name=start.definition.name,
        inputs=values.encode(dict(start.arguments)),
        instance_id=start.instance_id.bytes,
    )
    # Most have none of these.
    if start.id is not None:
        message.id = start.id
    if start.queue is not None:
        message.queue = start.queue
    if start.priority is not None:
        message.priority = start.priority
    if start.key is not None:
        message.key = start.key
    if start.start_at_us is not None:
        message.start_at_us = start.start_at_us
    if start.deadline_us is not None:
        message.deadline_us = start.deadline_us
    if start.tags:
        message.tags.extend(start.tags)
    if start.on_conflict is not None:
        message.on_conflict = ON_CONFLICT[start.on_conflict]
    if start.unique_for_us:
        message.unique_for_us = start.unique_for_us
    return message


def instance_of(instance: wire.Instance) -> Instance:
    def time(microseconds: int | None) -> datetime | None:
        return None if microseconds is None else datetime.fromtimestamp(microseconds / 1e6, timezone.utc)

    def given(name: str) -> Any:
        return getattr(instance, name) if instance.HasField(name) else None  # type: ignore[arg-type]

    parent = instance.parent_instance_id
    return Instance(
        instance_id=uuid.UUID(bytes=instance.instance_id),
        workflow_name=instance.workflow_name,
        workflow_version=instance.workflow_version,
        status=Status(wire.InstanceStatus.Name(instance.status).lower()),
        id=instance.id or None,
        waits_for=instance.waits_for or None,
        stuck_reason=instance.stuck_reason or None,
        created_at=time(instance.created_at_us),
        finished_at=time(given("finished_at_us")),
        scheduled_at=time(given("scheduled_at_us")),
        parent_instance_id=uuid.UUID(bytes=parent) if parent else None,
        tags=tuple(instance.tags),
        queue=instance.queue,
        key=instance.key or None,
        deadline=time(given("deadline_us")),
        error_type=instance.error_type or None,
        inputs=instance.inputs,
        result=given("result"),
        error=given("error"),
    )


_bridge = Bridge()
background.at_fork(_bridge.close_for_fork, _bridge.open_after_fork, _bridge.begin_in_child)


def bridge() -> Bridge:
    return _bridge
