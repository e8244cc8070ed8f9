"""An environment: where workflows run in memory, in the test's own process."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from waymark import actions, definition, values
from waymark._proto import runner_pb2 as wire
from waymark._proto import worker_pb2 as worker
from waymark.client import backend
from waymark.client.control import Cancel, Command
from waymark.client.errors import InstanceFinished
from waymark.client.handle import Handle
from waymark.client.instance import Instance, Query, Reply, Start, Status, query_of
from waymark.context import Context
from waymark.definition import Definition
from waymark.errors import InstanceExists, InstanceNotFound, InstanceStuck, Unsupported, WaymarkError
from waymark.testing import performing
from waymark.testing.looping import LoopWorld
from waymark.testing.mocks import _NOT_GIVEN, Mock
from waymark.testing.records import Call, LogLine, Records, Step
from waymark.testing.world import Live

#: What can be mocked: an action, a workflow (as a child of another), or the name of either.
Target = str | actions.Action[..., Any] | type

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_STATUS = {"completed": Status.COMPLETED, "failed": Status.FAILED, "cancelled": Status.CANCELLED}


class Environment:
    """Runs what is started inside of it, with time that skips:

        async with Environment() as env:
            env.mock(charge, side_effect=[Declined(), receipt])
            assert await Order().run(42) == receipt
            assert len(env.calls(charge)) == 2

    Actions that are not mocked really run, here: a debugger steps into them. `stuck_after` is how long (in real
    seconds) something that waits for ever is given before that is an error: `InstanceStuck`, which says what it waits
    for.
    """

    def __init__(self, *, now: datetime | None = None, stuck_after: float = 0.2, resume_between_events: bool = False) -> None:
        start = now.astimezone(timezone.utc) if now is not None else datetime.now(timezone.utc)
        self._world = _World(self, (start - _EPOCH) // timedelta(microseconds=1), resume_between_events, stuck_after)
        self._records = Records()
        self._mocks: dict[str, Mock] = {}
        self._programs: dict[int, int] = {}
        self._started: dict[uuid.UUID, tuple[Live, Start]] = {}
        self._contexts: dict[int, Context] = {}
        self._tokens: list[Any] = []

    # ----------------------------------------------------------------------------------------------- for the test

    @property
    def now(self) -> datetime:
        """The time of workflows."""
        return _EPOCH + timedelta(microseconds=self._world.now_us)

    async def sleep(self, seconds: float | timedelta) -> None:
        """Lets so much of the workflows' time pass; whatever is due meanwhile happens."""
        length = seconds.total_seconds() if isinstance(seconds, timedelta) else seconds
        await self._world.at_home(self._world.sleep(length, is_test=True))

    def mock(
        self,
        target: Target,
        *,
        returns: Any = _NOT_GIVEN,
        raises: BaseException | type[BaseException] | None = None,
        side_effect: Callable[..., Any] | Iterable[Any] | None = None,
        takes: float | timedelta = 0.0,
    ) -> Mock:
        """Answers for an action (or a child workflow): a value, an exception, a function to call instead, or a list of
        values and exceptions, one for each attempt. `takes` is how long it takes, in the time of workflows."""
        name = _name(target)
        made = Mock(name, self._records, returns=returns, raises=raises, side_effect=side_effect, takes=takes)
        self._mocks[name] = made
        return made

    def calls(self, target: Target | None = None) -> list[Call]:
        """Every attempt of an action (of all of them), in the order in which they were called."""
        name = None if target is None else _name(target)
        return [call for call in self._records.calls if name is None or call.name == name]

    @property
    def logs(self) -> list[LogLine]:
        """What workflows printed and logged."""
        return list(self._records.logs)

    @property
    def trace(self) -> list[Step]:
        """All that happened, in order."""
        return list(self._records.trace)

    async def pause(self, handle: Handle[Any]) -> None:
        """Nothing of the instance moves until `resume`."""
        await self._command(handle, self._world.pause)

    async def resume(self, handle: Handle[Any]) -> None:
        await self._command(handle, self._world.resume)

    async def _command(self, handle: Handle[Any], command: Callable[[Live], None]) -> None:
        async def given() -> None:
            command(self._found(uuid.UUID(handle.instance_id))[0])
            self._world.change()

        await self._world.at_home(given())

    async def __aenter__(self) -> Environment:
        return self.__enter__()

    async def __aexit__(self, *raised: object) -> None:
        self._leave()
        await self._world.close()

    def __enter__(self) -> Environment:
        used = backend.use(self)
        used.__enter__()
        self._tokens.append(used)
        return self

    def __exit__(self, *raised: object) -> None:
        self._leave()
        self.close()

    def _leave(self) -> None:
        self._tokens.pop().__exit__(None, None, None)

    def close(self) -> None:
        """Forgets all instances."""
        self._world.forget()

    # --------------------------------------------------------------------------------------- for the client: Backend

    async def start(self, starts: Sequence[Start]) -> list[uuid.UUID | Exception]:
        encoded = [values.encode(dict(start.arguments)) for start in starts]
        programs = [self._program(start.definition) for start in starts]
        return await self._world.at_home(self._start_all(starts, encoded, programs))

    async def run(self, start: Start) -> Instance:
        (started,) = await self.start([start])
        if isinstance(started, Exception):
            raise started
        return await self.wait(started)

    async def wait(self, instance_id: uuid.UUID) -> Instance:
        async def waited() -> Instance:
            live, start = self._found(instance_id)
            stuck = await self._world.wait(live)
            return self._described(live, start, stuck)

        return await self._world.at_home(waited())

    async def get(self, instance_id: uuid.UUID) -> Instance:
        async def got() -> Instance:
            return self._described(*self._found(instance_id))

        return await self._world.at_home(got())

    async def find(self, workflow_name: str, id: str) -> Instance:
        for instance_id, (_, start) in reversed(self._started.items()):
            if (start.definition.name, start.id) == (workflow_name, id):
                return await self.get(instance_id)
        raise InstanceNotFound(f"there is no instance {id!r} of {workflow_name} in this environment")

    async def command(self, instance_id: uuid.UUID, command: Command) -> None:
        if not isinstance(command, Cancel):
            what = type(command).__name__.lower()
            raise NotImplementedError(f"a workflow under test can't {what}: only a server does that")

        async def cancelled() -> None:
            self._world.cancel(self._found(instance_id)[0], command.reason)
            self._world.change()

        await self._world.at_home(cancelled())

    async def signal(self, instance_id: uuid.UUID, name: str, payload: bytes, id: str | None) -> None:
        async def signalled() -> None:
            live, _ = self._found(instance_id)
            if id is not None and id in live.heard:
                return
            if live.is_over:
                raise InstanceFinished(f"{live.workflow_name} {instance_id} has ended: nobody reads the signal {name!r}")
            live.heard.update([] if id is None else [id])
            self._step(live, "signal", name, values.decode(payload))
            self._world.signal(live, name, payload, id)
            self._world.change()

        await self._world.at_home(signalled())

    async def schedule(self, name: str, request: Any, response: Any, definition: Definition | None) -> Any:
        raise Unsupported(
            "nothing fires a schedule in a test: they belong to a server\nhint: test the workflow itself: await TheWorkflow().run(…)"
        )

    async def update(self, instance_id: uuid.UUID, name: str, payload: bytes, id: str) -> Reply:
        async def updated() -> Reply:
            live, _ = self._found(instance_id)
            self._step(live, "update", name, values.decode(payload))
            self._world.update(live, name, payload, id)
            self._world.change()
            stuck = await self._world.wait_for_reply(live, id)
            if id in live.replies:
                reply = live.replies[id]
                return Reply(reply.error, True) if reply.WhichOneof("outcome") == "error" else Reply(reply.value, False)
            if stuck is not None:
                raise InstanceStuck(f"{live.workflow_name} {instance_id} does not reply to the update {name!r}: {stuck}")
            raise InstanceFinished(f"{live.workflow_name} {instance_id} has ended, without a reply to the update {name!r}")

        return await self._world.at_home(updated())

    async def query(self, instance_id: uuid.UUID, name: str, frames: bool) -> Query:
        async def queried() -> Query:
            found = query_of(self._world.look(self._found(instance_id)[0], frames))
            shown = {known: value for known, value in found.published.items() if name in ("", known)}
            return Query(shown, found.frames)

        return await self._world.at_home(queried())

    async def _start_all(self, starts: Sequence[Start], encoded: Sequence[bytes], programs: Sequence[int]) -> list[uuid.UUID | Exception]:
        return [self._start(*each) for each in zip(starts, encoded, programs, strict=True)]

    def _start(self, start: Start, inputs: bytes, program: int) -> uuid.UUID | Exception:
        name = start.definition.name
        for instance_id, (live, other) in self._started.items():
            is_taken = not live.is_over or self._world.now_us - live.ended_us < start.unique_for_us
            if start.id is not None and (other.definition.name, other.id) == (name, start.id) and is_taken:
                if start.on_conflict == "replace":
                    return WaymarkError("on_conflict='replace' needs a server\nhint: run this test against `waymark dev`")
                if start.on_conflict == "existing" or (start.on_conflict is None and live.inputs == inputs):
                    return instance_id
                if start.on_conflict == "reject":
                    return InstanceExists(f"instance {instance_id} of {name} has the id {start.id!r}")
                return InstanceExists(f"instance {instance_id} of {name} has the id {start.id!r}, with other inputs")
        if start.instance_id in self._started:
            return start.instance_id
        live = Live(start.instance_id, name, inputs)
        self._started[start.instance_id] = (live, start)
        delay_us = 0 if start.start_at_us is None else start.start_at_us - time.time_ns() // 1_000
        if delay_us <= 0:
            self._world.start(program, live)
        else:
            # The client knows the real time only: what it means is so long from now.
            live.mail = []
            self._world.alarm(delay_us, lambda: self._world.start(program, live))
        return start.instance_id

    # -------------------------------------------------------------------------------------------- for the world

    def _program(self, wanted: Definition) -> int:
        if wanted.number not in self._programs:
            self._programs[wanted.number] = self._world.load(wanted.compiled().program)
        return self._programs[wanted.number]

    def _found(self, instance_id: uuid.UUID) -> tuple[Live, Start]:
        found = self._started.get(instance_id)
        if found is None:
            raise InstanceNotFound(f"there is no instance {instance_id} in this environment")
        return found

    def _described(self, live: Live, start: Start, stuck: str | None = None) -> Instance:
        if live.bug is not None:
            raise live.bug
        ending = live.ending.WhichOneof("ending") if live.ending is not None else None
        awaits = self._world.look(live).awaits
        return Instance(
            instance_id=live.instance_id,
            workflow_name=live.workflow_name,
            workflow_version=start.definition.version or "",
            status=Status.STUCK if stuck is not None else _STATUS.get(ending or "", Status.RUNNING),
            id=start.id,
            waits_for=", ".join(awaits) or None,
            stuck_reason=stuck,
            tags=start.tags,
            inputs=live.inputs,
            result=live.ending.completed if live.ending is not None and ending == "completed" else None,
            error=getattr(live.ending, ending) if ending in ("failed", "cancelled") else None,
        )

    def _step(self, live: Live, what: str, name: str, detail: Any = None) -> None:
        self._records.trace.append(Step(self.now, live.workflow_name, live.instance_id, what, name, detail))

    async def _perform(self, live: Live, call: worker.Call) -> worker.Settled:
        with backend.use(self):
            if call.WhichOneof("work") == "fragment":
                self._step(live, "called", "", call.fragment.source)
                return performing.evaluate(call)
            mock = self._mocks.get(call.action.name)
            if mock is not None:
                return await self._recorded(live, call, performing.run_mock(call, mock, self._takes))
            about = self._contexts[call.call_id] = performing.context_of(call)
            try:
                return await self._recorded(live, call, performing.run_action(call, about))
            finally:
                del self._contexts[call.call_id]

    async def _recorded(self, live: Live, call: worker.Call, work: Any) -> worker.Settled:
        args, kwargs = tuple(values.decode(call.action.positional)), values.decode(call.action.keyword)
        record = Call(
            call.action.name,
            args,
            kwargs,
            call.attempt,
            call.execution_id,
            live.workflow_name,
            live.instance_id,
            self.now,
        )
        self._records.calls.append(record)
        self._step(live, "called", record.name, {"args": args, "kwargs": kwargs, "attempt": call.attempt})
        try:
            return await performing.settle(call, work, record, lambda: self._world.is_stopping(call.call_id))
        finally:
            self._step(live, record.status, record.name, record.error if record.error is not None else record.result)

    async def _takes(self, seconds: float) -> None:
        await self._world.sleep(seconds, is_test=False)

    def _mocked_child(self, child: wire.Child) -> worker.Call | None:
        if child.workflow_name not in self._mocks:
            return None
        return worker.Call(
            call_id=child.call_id,
            execution_id=child.execution_id,
            attempt=child.attempt,
            action=worker.ActionCall(name=child.workflow_name, positional=values.encode([]), keyword=child.inputs),
        )


class _World(LoopWorld):
    """Tells its environment."""

    def __init__(self, environment: Environment, now_us: int, resumes: bool, stuck_after: float) -> None:
        super().__init__(now_us, resumes, stuck_after)
        self._environment = environment
        self.performer = environment._perform

    def start(self, program_id: int, live: Live) -> None:
        self._environment._step(live, "started", live.workflow_name, values.decode(live.inputs))
        super().start(program_id, live)

    def child_program(self, workflow_name: str) -> int | Exception:
        found = definition.find(workflow_name)
        if found is None:
            return RuntimeError(f"there is no workflow {workflow_name}")
        try:
            return self._environment._program(found)
        except Exception as error:
            return error

    def perform_child(self, live: Live, child: wire.Child) -> bool:
        call = self._environment._mocked_child(child)
        if call is not None:
            self.perform(live, call)
        return call is not None

    def stop(self, live: Live, call_id: int) -> None:
        about = self._environment._contexts.get(call_id)
        if about is not None:
            about.cancel()
        super().stop(live, call_id)

    def logged(self, live: Live, level: str, text: str) -> None:
        environment = self._environment
        environment._records.logs.append(LogLine(level, text, live.workflow_name, live.instance_id, environment.now))
        environment._step(live, "log", level, text)
        if level == "print":
            print(text)
        else:
            number = logging.getLevelName(level.upper())
            logger = logging.getLogger(f"waymark.workflow.{live.workflow_name}")
            logger.log(number if isinstance(number, int) else logging.INFO, "%s", text)

    def ended(self, live: Live) -> None:
        ending = "stuck" if live.ending is None else live.ending.WhichOneof("ending")
        self._environment._step(live, "ended", str(ending))
        super().ended(live)


def _name(target: Target) -> str:
    if isinstance(target, str):
        return target
    if isinstance(target, actions.Action):
        return target.name
    found = getattr(target, "__waymark__", None)
    if found is None:
        raise TypeError(f"{target!r} is neither an action nor a workflow\nhint: give the action itself, or its name")
    return found.name
