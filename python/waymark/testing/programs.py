"""One program, run to its end at once: for fuzzers and corpora, where thousands of runs have to be quick and
repeatable.

Actions are plain functions here. Each is called when the program calls it, and answers in its turn: the oldest first,
one event after another, before any timer moves.
"""

from __future__ import annotations

import inspect
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from waymark import values
from waymark._proto import runner_pb2 as wire
from waymark._proto import worker_pb2 as worker
from waymark.testing import performing
from waymark.testing.process import Runner
from waymark.testing.turns import Turns
from waymark.testing.world import Live

#: When a program starts unless it is told otherwise: 2023-11-14T22:13:20Z, as in `waymark sim`.
START_US = 1_700_000_000_000_000

#: Evaluates a piece of a workflow's code.
Evaluator = Callable[[worker.Call], worker.Settled]


@dataclass(frozen=True)
class After:
    """Returned by an action that takes some of the program's time: `After(30, receipt)`, `After(30, error=No())`."""

    seconds: float
    value: Any = None
    error: BaseException | None = None


@dataclass(frozen=True)
class Called:
    """One attempt of an action, as it was called."""

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    attempt: int
    at_us: int


@dataclass
class Run:
    """How a program ended, and what it did on its way."""

    #: `completed`, `failed`, `cancelled`, or `waiting`: nothing that could move it will ever happen.
    status: str = "waiting"
    value: Any = None
    error: BaseException | None = None
    calls: list[Called] = field(default_factory=list)
    #: What was printed and logged: level and text.
    logs: list[tuple[str, str]] = field(default_factory=list)
    #: What it waits for, if it waits.
    awaits: list[str] = field(default_factory=list)
    #: How much time has passed for it.
    elapsed_us: int = 0


def run_program(
    program: bytes,
    inputs: Mapping[str, Any] | None = None,
    actions: Mapping[str, Callable[..., Any]] | None = None,
    fragments: Evaluator = performing.evaluate,
    *,
    workflows: Mapping[str, bytes] | None = None,
    resume_between_events: bool = True,
    seed: int = 1,
    start_us: int = START_US,
    runner: Runner | None = None,
) -> Run:
    """Runs a compiled program (`waymark.v1.Program`) with virtual time.

    `actions` and `workflows` (programs of children) go by the names that the program calls; an action is called with
    copies of its arguments. `resume_between_events` saves, drops and restores the instance after every event: a
    `RunnerBug` says what differs.
    """
    world = _Straight(start_us, resume_between_events, runner, actions or {}, fragments, workflows or {})
    try:
        world.programs[""] = world.load(program)
        live = Live(uuid.UUID(int=seed), "", values.encode(dict(inputs or {})))
        world.start(world.programs[""], live)
        while not live.is_over and world.advance():
            pass
        return world.report(live)
    finally:
        world.forget()


class _Straight(Turns):
    def __init__(
        self,
        start_us: int,
        resumes: bool,
        runner: Runner | None,
        actions: Mapping[str, Callable[..., Any]],
        fragments: Evaluator,
        workflows: Mapping[str, bytes],
    ) -> None:
        super().__init__(start_us, resumes, runner)
        self.start_us = start_us
        self.run = Run()
        self.programs: dict[str, int] = {}
        self._actions, self._fragments, self._workflows = actions, fragments, workflows

    def perform(self, live: Live, call: worker.Call) -> None:
        settled = worker.Settled(call_id=call.call_id)
        after_us = 0
        if call.WhichOneof("work") == "fragment":
            settled = self._fragments(call)
        else:
            after_us = self._act(call, settled)
        self.answer(live, settled, after_us)

    def child_program(self, workflow_name: str) -> int | Exception:
        if workflow_name not in self.programs:
            program = self._workflows.get(workflow_name)
            if program is None:
                return RuntimeError(f"there is no workflow {workflow_name}")
            self.programs[workflow_name] = self.load(program)
        return self.programs[workflow_name]

    def logged(self, live: Live, level: str, text: str) -> None:
        self.run.logs.append((level, text))

    def report(self, live: Live) -> Run:
        if live.bug is not None:
            raise live.bug
        run = self.run
        run.elapsed_us = self.now_us - self.start_us
        if live.ending is None:
            run.awaits = list(self.look(live).awaits)
            return run
        run.status = live.ending.WhichOneof("ending") or "failed"
        ended = values.decode(getattr(live.ending, run.status))
        if run.status == "completed":
            run.value = ended
        else:
            run.error = ended
        return run

    def forget(self) -> None:
        super().forget()
        for program_id in self.programs.values():
            self.runner.ask(wire.Request(forget=wire.Forget(program_id=program_id)))

    def _act(self, call: worker.Call, settled: worker.Settled) -> int:
        """Calls the function, and says how long it takes."""
        args, kwargs = tuple(values.decode(call.action.positional)), values.decode(call.action.keyword)
        self.run.calls.append(Called(call.action.name, args, kwargs, call.attempt, self.now_us))
        # The list keeps what was passed; a function that changes its arguments changes copies.
        args, kwargs = values.decode(call.action.positional), values.decode(call.action.keyword)
        seconds = 0.0
        try:
            function = self._actions.get(call.action.name)
            if function is None:
                raise LookupError(f"no `actions` answer for {call.action.name}")
            result = function(*args, **kwargs)
            if inspect.iscoroutine(result):
                result = _without_waiting(result)
            if isinstance(result, After):
                seconds = result.seconds
                if result.error is not None:
                    raise result.error
                result = result.value
            settled.completed = values.encode(result)
        except BaseException as error:  # noqa: BLE001 - whatever it raises is the program's to handle
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            settled.failed = values.encode_exception(error)
        return round(seconds * 1_000_000)


def _without_waiting(coroutine: Any) -> Any:
    """Runs a coroutine that waits for nothing but its turn (`asyncio.sleep(0)`)."""
    while True:
        try:
            waits_for = coroutine.send(None)
        except StopIteration as done:
            return done.value
        if waits_for is not None:
            coroutine.close()
            raise RuntimeError("an action of run_program can't wait\nhint: return After(seconds, value), or use an Environment")
