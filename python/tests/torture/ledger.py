"""What the actions of the load have done: a line a happening, appended by whoever does it, outside of Waymark."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import time
from collections.abc import Iterator
from contextvars import ContextVar
from typing import NamedTuple

from waymark.context import current

#: The file, for workers.
VARIABLE = "TORTURE_LEDGER"


class Place(NamedTuple):
    """Where a step stands in its run: all of a phase comes before the next, and in a lane of a phase one step after the other."""

    phase: int
    lane: str
    number: int

    def is_before(self, other: Place) -> bool:
        return self.phase < other.phase or (self[:2] == other[:2] and self.number < other.number)


class Line(NamedTuple):
    #: begin, end or failed, of a step; finished: its starter was told the result of the run.
    event: str
    run: str
    place: Place = Place(0, "", 0)
    instance: str = ""
    #: The idempotency key.
    execution: str = ""
    attempt: int = 0
    worker: int = 0
    at: float = 0.0

    def __str__(self) -> str:
        step = "" if self.event == "finished" else f" {self.place.phase}/{self.place.lane}/{self.place.number}"
        return f"{self.at:.3f} {self.run}{step} {self.event} execution {self.execution}, attempt {self.attempt}, worker {self.worker}"


#: Without a file: the steps of the run that plain asyncio does, which is the oracle.
noted: ContextVar[list[Place] | None] = ContextVar("torture_noted", default=None)


def append(line: Line) -> None:
    """One write, at the end: lines of several processes never mix, and those of one that is killed are whole or not there."""
    file = os.open(os.environ[VARIABLE], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        os.write(file, (json.dumps(line) + "\n").encode())
    finally:
        os.close(file)


@contextlib.contextmanager
def step(run: str, place: Place) -> Iterator[int]:
    """Around what an action does; gives the attempt."""
    notes = noted.get()
    if notes is not None:
        notes.append(place)
        yield notes.count(place)
        return
    call = current()

    def line(event: str) -> Line:
        return Line(event, run, place, str(call.instance_id), call.execution_id, call.attempt, os.getpid(), time.time())

    append(line("begin"))
    try:
        yield call.attempt
    except BaseException:
        append(line("failed"))
        raise
    append(line("end"))


def finished(run: str, instance: str) -> None:
    append(Line("finished", run, instance=instance, at=time.time()))


def read(file: pathlib.Path) -> list[Line]:
    if not file.exists():
        return []
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    return [Line(row[0], row[1], Place(*row[2]), *row[3:]) for row in rows]
