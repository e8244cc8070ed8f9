"""A world whose calls run as tasks of an event loop, and whose time moves while somebody waits for a result.

Time is virtual. While nothing real is under way it jumps to what comes next: a sleep, a timeout, a retry. While an
action does something real (its own `asyncio.sleep`, a request) it goes on at the pace of the real one, in ticks: so
timeouts work, and what is over sooner than a tick takes no time at all. Time in which the loop stands still, as at a
breakpoint, does not count.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
from collections.abc import Callable, Coroutine, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

from waymark._proto import worker_pb2 as worker
from waymark.testing.world import Live, World

T = TypeVar("T")

TICK_US = 20_000
#: Turns of the loop without anything new, after which whoever was ready has had their turn.
QUIET_TURNS = 5

#: The order of what is due at the same time: answers, then deadlines, then the test itself.
ANSWER, DEADLINE, TEST = 0, 1, 2

#: The call that this code runs in.
_inside: ContextVar[int | None] = ContextVar("waymark_testing_call", default=None)


class LoopWorld(World):
    """Lives on one loop at a time: the one that used it first, as long as that runs."""

    #: Runs a call; whatever it raises is a fault of ours.
    performer: Callable[[Live, worker.Call], Coroutine[Any, Any, worker.Settled]]

    def __init__(self, now_us: int, resume_between_events: bool, stuck_after: float) -> None:
        super().__init__(now_us, resume_between_events)
        self._stuck_after = stuck_after
        self._loop: asyncio.AbstractEventLoop | None = None
        self._out: dict[int, tuple[Live, worker.Call]] = {}
        self._tasks: dict[int, asyncio.Task[worker.Settled]] = {}
        self._busy: set[int] = set()
        self._stopping: set[int] = set()
        self._sleepers: list[tuple[int, int, int, asyncio.Future[None]]] = []
        self._turn = 0
        self._waiters: dict[asyncio.Future[str | None], Live] = {}
        self._reply_waiters: dict[asyncio.Future[str | None], tuple[Live, str]] = {}
        self._test_sleeps = 0
        self._changes = 0
        self._changed: asyncio.Event | None = None
        self._clock: asyncio.Task[None] | None = None

    # ---------------------------------------------------------------------------------------------------- the loop

    async def at_home(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs it on the loop of this world."""
        here = asyncio.get_running_loop()
        if self._loop is None or not self._loop.is_running():
            self._move_to(here)
        assert self._loop is not None
        if self._loop is here:
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def _move_to(self, loop: asyncio.AbstractEventLoop) -> None:
        """What the old loop had under way is begun again, as an engine would after a crash."""
        self._loop, self._changed, self._clock = loop, asyncio.Event(), None
        self._waiters, self._reply_waiters, self._sleepers, self._test_sleeps = {}, {}, [], 0
        self._tasks, self._busy = {}, set()
        for call_id, (live, call) in list(self._out.items()):
            if live.is_over:
                del self._out[call_id]
            else:
                self.perform(live, call)

    def perform(self, live: Live, call: worker.Call) -> None:
        assert self._loop is not None
        call_id = call.call_id
        self._out[call_id] = (live, call)
        self._busy.add(call_id)
        task = self._tasks[call_id] = self._loop.create_task(self._work(live, call))
        # Not in the task itself: one that is stopped before its first step never sees that.
        task.add_done_callback(lambda task: self._done(live, call_id, task))

    async def _work(self, live: Live, call: worker.Call) -> worker.Settled:
        _inside.set(call.call_id)
        return await self.performer(live, call)

    def _done(self, live: Live, call_id: int, task: asyncio.Task[worker.Settled]) -> None:
        was_stopped = call_id in self._stopping
        self._tasks.pop(call_id, None)
        self._busy.discard(call_id)
        self._stopping.discard(call_id)
        self.change()
        if task.cancelled() and not was_stopped:
            return  # The loop ends, and all with it.
        self._out.pop(call_id, None)
        if task.cancelled():
            self.settle(live, worker.Settled(call_id=call_id, cancelled=worker.Stopped()))
        elif (error := task.exception()) is None:
            self.settle(live, task.result())
        elif not live.is_over:
            live.bug = error if isinstance(error, Exception) else RuntimeError(f"an action has raised {error!r}")
            self._over(live)

    def stop(self, live: Live, call_id: int) -> None:
        task = self._tasks.get(call_id)
        if task is not None:
            self._stopping.add(call_id)
            task.cancel()

    def is_stopping(self, call_id: int) -> bool:
        return call_id in self._stopping

    def ended(self, live: Live) -> None:
        self.change()
        for waiter, wanted in list(self._waiters.items()):
            if wanted is live and not waiter.done():
                waiter.set_result(None)
        for waiter, asked in list(self._reply_waiters.items()):
            if asked[0] is live and not waiter.done():
                waiter.set_result(None)

    def replied(self, live: Live) -> None:
        self.change()
        for waiter, wanted in list(self._reply_waiters.items()):
            if wanted[0] is live and wanted[1] in live.replies and not waiter.done():
                waiter.set_result(None)

    def begin_child(self, program_id: int, child: Live, start_at_us: int | None) -> None:
        if start_at_us is None or start_at_us <= self.now_us:
            return self.start(program_id, child)
        child.mail = []
        self.alarm(start_at_us - self.now_us, lambda: self.start(program_id, child))

    def change(self) -> None:
        """Something has happened: nobody is stuck."""
        self._changes += 1
        if self._changed is not None:
            self._changed.set()

    # ---------------------------------------------------------------------------------------------------- waiting

    async def wait(self, live: Live) -> str | None:
        """Until it is over; or why it never will be."""
        if live.is_over:
            return None
        assert self._loop is not None
        waiter: asyncio.Future[str | None] = self._loop.create_future()
        self._waiters[waiter] = live
        self._keep_time()
        try:
            with self._idle():
                return await waiter
        finally:
            self._waiters.pop(waiter, None)

    async def wait_for_reply(self, live: Live, update_id: str) -> str | None:
        """Until it has replied or is over; or why it never will."""
        if live.is_over or update_id in live.replies:
            return None
        assert self._loop is not None
        waiter: asyncio.Future[str | None] = self._loop.create_future()
        # Among those for whom time moves, and who are told when nothing can happen any more.
        self._waiters[waiter], self._reply_waiters[waiter] = live, (live, update_id)
        self._keep_time()
        try:
            with self._idle():
                return await waiter
        finally:
            self._waiters.pop(waiter, None)
            self._reply_waiters.pop(waiter, None)

    async def sleep(self, seconds: float, is_test: bool) -> None:
        """Until so much time has passed here."""
        assert self._loop is not None
        self._turn += 1
        awake: asyncio.Future[None] = self._loop.create_future()
        due_us = self.now_us + max(0, round(seconds * 1_000_000))
        heapq.heappush(self._sleepers, (due_us, TEST if is_test else ANSWER, self._turn, awake))
        self._test_sleeps += is_test
        self.change()
        if is_test:
            self._keep_time()
        try:
            with self._idle():
                await awake
        finally:
            self._test_sleeps -= is_test

    def alarm(self, after_us: int, then: Callable[[], None]) -> None:
        """Does something when its time has come."""
        assert self._loop is not None
        self._turn += 1
        awake: asyncio.Future[None] = self._loop.create_future()
        awake.add_done_callback(lambda done: None if done.cancelled() else then())
        heapq.heappush(self._sleepers, (self.now_us + after_us, ANSWER, self._turn, awake))

    @contextlib.contextmanager
    def _idle(self) -> Iterator[None]:
        """The call that this code runs in, if any, does nothing but wait for virtual time."""
        call_id = _inside.get()
        was_busy = call_id in self._busy
        if call_id is not None:
            self._busy.discard(call_id)
        self.change()
        try:
            yield
        finally:
            if call_id is not None and was_busy:
                self._busy.add(call_id)

    def _keep_time(self) -> None:
        assert self._loop is not None
        if self._clock is None or self._clock.done():
            self._clock = self._loop.create_task(self._clock_runs())

    async def _clock_runs(self) -> None:
        _inside.set(None)
        try:
            while self._waiters or self._test_sleeps:
                await self._quiet()
                if not self._waiters and not self._test_sleeps:
                    break
                if self._busy:
                    await self._tick()
                elif not self._next():
                    await self._nothing_left()
        except Exception as error:
            for waiter in [waiter for waiter in self._waiters if not waiter.done()]:
                waiter.set_exception(error)
            raise

    async def _quiet(self) -> None:
        """Lets everybody go on who can."""
        turns = 0
        while turns < QUIET_TURNS:
            before = self._changes
            await asyncio.sleep(0)
            turns = turns + 1 if self._changes == before else 0

    async def _tick(self) -> None:
        """A little real time, if something is due at all; otherwise until something happens."""
        due = self._due()
        left_us = None if due is None else min(TICK_US, max(0, due[0] - self.now_us))
        if await self._happens(None if left_us is None else left_us / 1_000_000):
            return
        self.now_us += left_us or 0
        if due is not None and due[0] <= self.now_us:
            self._next()

    async def _happens(self, seconds: float | None) -> bool:
        """Whether something happens within this time."""
        assert self._changed is not None
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except asyncio.TimeoutError:
            return False
        return True

    def _due(self) -> tuple[int, int] | None:
        while self._sleepers and self._sleepers[0][3].done():
            heapq.heappop(self._sleepers)
        found = [self._sleepers[0][:2]] if self._sleepers else []
        live = self.next_deadline()
        if live is not None and live.deadline_us is not None:
            found.append((live.deadline_us, DEADLINE))
        return min(found, default=None)

    def _next(self) -> bool:
        """Goes to the next point in time at which something happens, and lets one thing happen."""
        due = self._due()
        if due is None:
            return False
        self.now_us = max(self.now_us, due[0])
        if due[1] == DEADLINE:
            live = self.next_deadline()
            assert live is not None
            self.deadline(live)
        else:
            heapq.heappop(self._sleepers)[3].set_result(None)
        self.change()
        return True

    async def _nothing_left(self) -> None:
        """Somebody outside may still bring a signal: a request that is under way, a thread."""
        if await self._happens(self._stuck_after):
            return
        for waiter, live in list(self._waiters.items()):
            if not waiter.done():
                waiter.set_result(self.why_stuck(live))

    def why_stuck(self, live: Live) -> str:
        seen = self.look(live)
        places = [
            f"{position.waits} ({position.function}, line {position.line})"
            for position in seen.positions
            if position.line and position.waits != "its turn"
        ]
        waits = ", ".join(dict.fromkeys(places)) or ", ".join(seen.awaits) or "something that nothing sets"
        return f"it waits for {waits}, and nothing will bring that"

    async def close(self) -> None:
        tasks = [*self._tasks.values(), *([self._clock] if self._clock is not None else [])]
        if self._loop is asyncio.get_running_loop():
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        self.forget()
