"""Calls that are answered in their turn, and a clock that goes on when nothing else does."""

from __future__ import annotations

import heapq

from waymark._proto import worker_pb2 as worker
from waymark.testing.process import Runner
from waymark.testing.world import Live, World


class Turns(World):
    """What was stopped comes first, then answers, the oldest first, then timers."""

    def __init__(self, now_us: int, resume_between_events: bool, runner: Runner | None = None) -> None:
        super().__init__(now_us, resume_between_events, runner)
        # By time, then by turn.
        self._answers: list[tuple[int, int, Live, worker.Settled]] = []
        self._turn = 0
        self._stopped: dict[int, Live] = {}

    def answer(self, live: Live, settled: worker.Settled, after_us: int) -> None:
        """Settles a call when its time has come."""
        self._turn += 1
        heapq.heappush(self._answers, (self.now_us + after_us, self._turn, live, settled))

    def stop(self, live: Live, call_id: int) -> None:
        if call_id in live.calls:
            self._stopped[call_id] = live

    def advance(self) -> bool:
        """What happens next; False: nothing ever will."""
        while self._stopped:
            call_id = next(iter(self._stopped))
            live = self._stopped.pop(call_id)
            if call_id in live.calls:
                self._answers = [answer for answer in self._answers if answer[3].call_id != call_id]
                heapq.heapify(self._answers)
                self.settle(live, worker.Settled(call_id=call_id, cancelled=worker.Stopped()))
                return True
        waiting = self.next_deadline()
        if self._answers and (waiting is None or self._answers[0][0] <= (waiting.deadline_us or 0)):
            at_us, _, live, settled = heapq.heappop(self._answers)
            self.now_us = max(self.now_us, at_us)
            self.settle(live, settled)
            return True
        if waiting is None:
            return False
        self.now_us = max(self.now_us, waiting.deadline_us or 0)
        self.deadline(waiting)
        return True
