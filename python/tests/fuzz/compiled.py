"""The compiled workflow's answer: run by the real runner, in memory, put away and restored on its way."""

from __future__ import annotations

import contextlib
import inspect
import random
import uuid
from collections.abc import Callable
from typing import Any
from unittest import mock

import msgpack

from fuzz import journal, world
from fuzz.journal import Journal, describe, describe_error
from waymark import actions, errors, values
from waymark._proto import runner_pb2 as wire
from waymark._proto import worker_pb2 as worker
from waymark.testing import performing
from waymark.testing.programs import START_US
from waymark.testing.turns import Turns
from waymark.testing.world import Live


class CannotTravel(Exception):
    """The program met a value that may not leave a worker: a refusal at run time, at its line."""


class _InOrder(Turns):
    """Pieces of code answer at once, as they do in one process; everything else in its turn."""

    def __init__(self, noted: Journal, resumes: Callable[[], bool] | None, programs: dict[str, bytes]) -> None:
        super().__init__(START_US, resumes is None)
        self.noted = noted
        self.resumes_now = resumes
        self.compiled = programs
        self.loaded: dict[str, int] = {}
        self._fragments: list[tuple[Live, worker.Settled]] = []
        self.refusal: str | None = None

    def perform(self, live: Live, call: worker.Call) -> None:
        if call.WhichOneof("work") == "fragment":
            with contextlib.redirect_stdout(self.noted):  # type: ignore[type-var]
                settled = performing.evaluate(call)
            self._look_for_refusal(settled)
            self._fragments.append((live, settled))
            return
        settled = worker.Settled(call_id=call.call_id)
        seconds = self._act(call, settled)
        self.answer(live, settled, round(seconds * 1_000_000))

    def _look_for_refusal(self, settled: worker.Settled) -> None:
        if settled.failed:
            error = values.decode(settled.failed)
            if isinstance(error, errors.CannotTravel):
                self.refusal = str(error)
        elif settled.fragment.HasField("raised"):
            objects = dict(msgpack.unpackb(settled.fragment.objects, strict_map_key=False))
            shape = objects.get(settled.fragment.raised, {})
            if "Exception" in shape and shape["Exception"][0] == "waymark.CannotTravel":
                self.refusal = str(values.decode(shape["Exception"][2][0]["Plain"]))

    def _act(self, call: worker.Call, settled: worker.Settled) -> float:
        args, kwargs = values.decode(call.action.positional), values.decode(call.action.keyword)
        function = actions.registry[call.action.name].function
        self.noted.called(function.__name__, args, kwargs)
        waited: list[float] = []

        async def wait(seconds: float) -> None:
            waited.append(seconds)

        with mock.patch.object(world.Turn, "wait", staticmethod(wait)):
            try:
                result = function(*args, **kwargs)
                settled.completed = values.encode(_at_once(result) if inspect.iscoroutine(result) else result)
            except Exception as error:
                settled.failed = values.encode_exception(error)
        return self.noted.duration(sum(waited))

    def child_program(self, workflow_name: str) -> int | Exception:
        if workflow_name not in self.loaded:
            self.loaded[workflow_name] = self.load(self.compiled[workflow_name])
        return self.loaded[workflow_name]

    def logged(self, live: Live, level: str, text: str) -> None:
        self.noted.write(text + "\n" if level == "print" else f"{level} {text}\n")

    def advance(self) -> bool:
        """What happens next; False: nothing ever will."""
        if self.resumes_now is not None and self.resumes_now():
            for live in list(self.instances.values()):
                self.runner.ask(wire.Request(restore=wire.Restore(instance_id=live.instance_id.bytes)))
        if self._fragments:
            self.settle(*self._fragments.pop(0))
            return True
        return super().advance()

    def end(self) -> None:
        self.forget()
        for program_id in self.loaded.values():
            self.runner.ask(wire.Request(forget=wire.Forget(program_id=program_id)))


def _at_once(work: Any) -> Any:
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("an action waits by `Turn.wait` only")


def run(workflow: Any, inputs: tuple[Any, ...], chance: random.Random | None) -> Journal:
    """`chance` says when it is put away and restored; None: after every event."""
    definition = workflow.__waymark__
    programs = {each.name: each.compiled().program for each in definition.family()}
    noted = journal.start()
    resumes = None if chance is None else (lambda: chance.random() < 0.3)
    world_of_one = _InOrder(noted, resumes, programs)
    try:
        program_id = world_of_one.loaded[definition.name] = world_of_one.load(programs[definition.name])
        live = Live(uuid.UUID(int=1), definition.name, values.encode(definition.bind(inputs, {})))
        world_of_one.start(program_id, live)
        while not live.is_over and world_of_one.advance():
            pass
        if live.bug is not None:
            raise live.bug
        if world_of_one.refusal is not None:
            raise CannotTravel(world_of_one.refusal)
        noted.note(_ending(live))
        return noted
    finally:
        world_of_one.end()


def _ending(live: Live) -> str:
    if live.ending is None:
        return "waits for ever"
    kind = live.ending.WhichOneof("ending") or "failed"
    ended = values.decode(getattr(live.ending, kind))
    return f"returned {describe(ended)}" if kind == "completed" else f"raised {describe_error(ended)}"
