"""Instances in memory, their calls, and a clock that moves when it is told to.

A `World` keeps what the runner handed out and tells whoever runs it: subclasses say what becomes of calls. Nothing here
waits.
"""

from __future__ import annotations

import uuid
from collections import deque
from dataclasses import dataclass, field

from waymark._proto import runner_pb2 as wire
from waymark._proto import worker_pb2 as worker
from waymark.errors import WaymarkError
from waymark.testing.process import Runner, shared

#: What `Cancel` says to a child, here and in an engine.
PARENT_CANCELLED = "its parent was cancelled"


@dataclass(eq=False)
class Live:
    """An instance that was started."""

    instance_id: uuid.UUID
    workflow_name: str
    inputs: bytes
    #: Who waits for it, and as which call.
    parent: Live | None = None
    parent_call: int = 0
    deadline_us: int | None = None
    #: Children that have not ended, by call.
    children: dict[int, Live] = field(default_factory=dict)
    calls: set[int] = field(default_factory=set)
    ending: wire.Finished | None = None
    #: When it came to that.
    ended_us: int = 0
    #: Ids of the signals that were sent to it.
    heard: set[str] = field(default_factory=set)
    #: To updates, by id.
    replies: dict[str, wire.Reply] = field(default_factory=dict)
    #: While its start has to wait: what is kept for it.
    mail: list[wire.Event] | None = None
    #: Why it can't go on, though it has not failed.
    bug: Exception | None = None

    @property
    def is_over(self) -> bool:
        return self.ending is not None or self.bug is not None


class World:
    """Holds instances; what their events lead to is handed to the methods that subclasses bring."""

    def __init__(self, now_us: int, resume_between_events: bool, runner: Runner | None = None) -> None:
        self.runner = runner or shared()
        self.now_us = now_us
        #: Those that have not ended.
        self.instances: dict[uuid.UUID, Live] = {}
        self._resumes = resume_between_events
        # What an event leads to may be another event: those wait until all that the first one led to is handed out.
        self._requests: deque[tuple[Live, wire.Request]] = deque()
        self._is_busy = False

    # ------------------------------------------------------------------------------------- what subclasses decide

    def perform(self, live: Live, call: worker.Call) -> None:
        """Runs a call some time, and settles it."""
        raise NotImplementedError

    def stop(self, live: Live, call_id: int) -> None:
        """Ends a call early; it still has to be settled."""
        raise NotImplementedError

    def child_program(self, workflow_name: str) -> int | Exception:
        """The program of a workflow that another one calls; or why there is none."""
        raise NotImplementedError

    def perform_child(self, live: Live, child: wire.Child) -> bool:
        """Whether somebody else runs the child."""
        return False

    def logged(self, live: Live, level: str, text: str) -> None:
        pass

    def ended(self, live: Live) -> None:
        pass

    def replied(self, live: Live) -> None:
        pass

    def begin_child(self, program_id: int, child: Live, start_at_us: int | None) -> None:
        self.start(program_id, child)

    # ------------------------------------------------------------------------------------------------------ events

    def load(self, program: bytes) -> int:
        """Raises `CompileError` for a program that the verifier refuses."""
        loaded = self.runner.ask(wire.Request(load=wire.Load(program=program))).loaded
        if loaded.program_id:
            return loaded.program_id
        from waymark.errors import CompileError

        problems = [problem for problem in loaded.diagnostics if problem.is_error]
        lines = [f"{_place(problem)}{problem.code}: {problem.message}" for problem in problems]
        raise CompileError(f"the program of {loaded.workflow_name} is refused:\n" + "\n".join(lines))

    def start(self, program_id: int, live: Live) -> None:
        self.instances[live.instance_id] = live
        mail, live.mail = live.mail, None
        start = wire.Start(
            program_id=program_id,
            instance_id=live.instance_id.bytes,
            now_us=self.now_us,
            inputs=live.inputs,
            resume_between_events=self._resumes,
        )
        self._ask(live, wire.Request(start=start))
        for event in mail or ():
            self._event(live, event)

    def settle(self, live: Live, settled: worker.Settled) -> None:
        """One that comes after the instance's end changes nothing."""
        live.calls.discard(settled.call_id)
        live.children.pop(settled.call_id, None)
        self._event(live, wire.Event(settled=settled.SerializeToString()))

    def deadline(self, live: Live) -> None:
        self._event(live, wire.Event(deadline=wire.Deadline()))

    def signal(self, live: Live, name: str, payload: bytes, id: str | None) -> None:
        self._event(live, wire.Event(signal=wire.Signal(name=name, payload=payload, id=id or "")))

    def update(self, live: Live, name: str, payload: bytes, id: str) -> None:
        self._event(live, wire.Event(update=wire.Update(name=name, payload=payload, id=id)))

    def cancel(self, live: Live, reason: str | None) -> None:
        self._event(live, wire.Event(cancel=wire.Cancel(reason=reason or "")))

    def pause(self, live: Live) -> None:
        self._event(live, wire.Event(pause=wire.Pause()))

    def resume(self, live: Live) -> None:
        self._event(live, wire.Event(resume=wire.Resume()))

    def look(self, live: Live, frames: bool = False) -> wire.Seen:
        if live.ending is not None:
            return wire.Seen(published=live.ending.published)
        if live.is_over or live.mail is not None:
            return wire.Seen()
        return self.runner.ask(wire.Request(look=wire.Look(instance_id=live.instance_id.bytes, frames=frames))).seen

    def next_deadline(self) -> Live | None:
        """Who wants to be told of the time first."""
        waiting = [live for live in self.instances.values() if live.deadline_us is not None]
        return min(waiting, key=lambda live: live.deadline_us or 0, default=None)

    def forget(self) -> None:
        for live in self.instances.values():
            if self.runner.is_alive():
                self.runner.ask(wire.Request(forget=wire.Forget(instance_id=live.instance_id.bytes)))
        self.instances.clear()

    def _event(self, live: Live, event: wire.Event) -> None:
        if live.is_over:
            return
        if live.mail is not None:
            live.mail.append(event)
            return
        event.instance_id, event.now_us = live.instance_id.bytes, self.now_us
        self._ask(live, wire.Request(event=event))

    def _ask(self, live: Live, request: wire.Request) -> None:
        self._requests.append((live, request))
        if self._is_busy:
            return
        self._is_busy = True
        try:
            while self._requests:
                self._move(*self._requests.popleft())
        finally:
            self._is_busy = False

    def _move(self, live: Live, request: wire.Request) -> None:
        if live.is_over:
            return
        try:
            moved = self.runner.ask(request).moved
        except WaymarkError as error:
            live.bug = error
            self._over(live)
            return
        live.deadline_us = moved.deadline_us if moved.HasField("deadline_us") else None
        for effect in moved.effects:
            self._effect(live, effect)

    def _effect(self, live: Live, effect: wire.Effect) -> None:
        kind = effect.WhichOneof("effect")
        if kind == "call":
            call = worker.Call.FromString(effect.call)
            live.calls.add(call.call_id)
            self.perform(live, call)
        elif kind == "child":
            self._start_child(live, effect.child)
        elif kind == "cancel":
            child = live.children.get(effect.cancel)
            if child is None:
                self.stop(live, effect.cancel)
            else:
                self.cancel(child, PARENT_CANCELLED)
        elif kind == "signal_child":
            child, signal = live.children.get(effect.signal_child.call_id), effect.signal_child.signal
            if child is not None:
                self.signal(child, signal.name, signal.payload, signal.id)
        elif kind == "reply":
            live.replies[effect.reply.update_id] = effect.reply
            self.replied(live)
        elif kind == "log":
            self.logged(live, effect.log.level, effect.log.text)
        elif kind == "finished":
            live.ending = effect.finished
            self._over(live)

    def _start_child(self, live: Live, child: wire.Child) -> None:
        if self.perform_child(live, child):
            live.calls.add(child.call_id)
            return
        program = self.child_program(child.workflow_name)
        if isinstance(program, Exception):
            from waymark import values

            self.settle(live, worker.Settled(call_id=child.call_id, failed=values.encode_exception(program)))
            return
        started = Live(uuid.UUID(bytes=child.instance_id), child.workflow_name, child.inputs, live, child.call_id)
        live.children[child.call_id] = started
        self.begin_child(program, started, child.start_at_us if child.HasField("start_at_us") else None)

    def _over(self, live: Live) -> None:
        live.deadline_us = None
        live.ended_us = self.now_us
        self.instances.pop(live.instance_id, None)
        self.ended(live)
        parent = live.parent
        if parent is None or parent.is_over:
            return
        settled = worker.Settled(call_id=live.parent_call)
        ending = live.ending.WhichOneof("ending") if live.ending is not None else None
        if live.ending is None:
            from waymark import values

            settled.failed = values.encode_exception(live.bug or WaymarkError("it is gone"))
        elif ending == "completed":
            settled.completed = live.ending.completed
        elif ending == "failed":
            settled.failed = live.ending.failed
        else:
            settled.cancelled.SetInParent()
        self.settle(parent, settled)


def _place(problem: wire.Diagnostic) -> str:
    return f"{problem.file}:{problem.line}:{problem.column}: " if problem.line else ""
