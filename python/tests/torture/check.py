"""Whether the ledger and what clients were told can be: a violation for each thing that can't."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from torture.ledger import Line, Place

Outcome = tuple[str, Any]

#: Lines of the ledger that a violation shows.
EVIDENCE_MAX = 40
#: What was on its way to a worker when its server, or it, was stopped begins when that goes on, however much later: nobody can take it back. Whatever
#: begins later than this had been checked since.
ON_ITS_WAY_SECONDS = 1.0


@dataclasses.dataclass
class Run:
    """One start, as its starter knows it."""

    name: str
    workflow: str
    #: What plain asyncio came to, and the steps that it took; None: what it did is in no ledger.
    expected: Outcome
    steps: frozenset[Place] | None = None
    #: Whom the bridge acknowledged; more than one is a violation.
    instances: set[str] = dataclasses.field(default_factory=set)
    #: What its starter was told, and what others were told later.
    outcomes: list[Outcome] = dataclasses.field(default_factory=list)
    #: What it was seen to do, beside the ledger, and what it should have done.
    effects: tuple[set[str], set[str]] | None = None
    started_at: float = 0.0
    finished_at: float = 0.0
    #: Where it stands, if it has not ended.
    stands: str = ""


@dataclasses.dataclass
class Violation:
    kind: str
    run: str
    text: str
    lines: list[str] = dataclasses.field(default_factory=list)


class Still(NamedTuple):
    """Workers that stood still, or whose server did."""

    workers: frozenset[int]
    until: float


@dataclasses.dataclass
class Counts:
    #: Steps by their keys: what has an effect, once.
    steps: int = 0
    #: Attempts that had begun before, under the same number.
    again: int = 0
    #: Attempts that began when others had done it, because they were on their way when somebody was stopped.
    late: list[str] = dataclasses.field(default_factory=list)


def check(runs: Iterable[Run], lines: Sequence[Line], stills: Sequence[Still] = ()) -> tuple[list[Violation], Counts]:
    by_run: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_run[line.run].append(line)
    violations: list[Violation] = []
    counts = Counts()
    for run in runs:
        of_run = by_run.pop(run.name, [])
        # Of each kind one is enough.
        found = dict(reversed(list(_told(run))))
        shown = [str(line) for line in of_run[-EVIDENCE_MAX:]]
        for kind, text, line in _steps(run, of_run) if run.steps is not None else ():
            if kind in ("after the end", "after its successor") and line is not None and _was_on_its_way(line, stills):
                counts.late += [str(line)] if str(line) not in counts.late else []
            else:
                found.setdefault(kind, text)
        violations += [Violation(kind, run.name, f"{text} ({_instances(run)})", shown) for kind, text in found.items()]
        begun = [line for line in of_run if line.event == "begin"]
        counts.steps += len({line.execution for line in begun})
        counts.again += len(begun) - len({(line.execution, line.attempt) for line in begun})
    for name, of_run in by_run.items():
        violations.append(Violation("unknown", name, "nobody has started it", [str(line) for line in of_run[:EVIDENCE_MAX]]))
    return violations, counts


def _was_on_its_way(line: Line, stills: Sequence[Still]) -> bool:
    return any(line.worker in still.workers and still.until <= line.at <= still.until + ON_ITS_WAY_SECONDS for still in stills)


def _instances(run: Run) -> str:
    return f"{run.workflow}, instance {', '.join(sorted(run.instances)) or 'unknown'}"


def _told(run: Run) -> Iterable[tuple[str, str]]:
    if len(run.instances) > 1:
        yield "started twice", "one id, several instances"
    if not run.outcomes:
        yield "lost", f"it has not ended: {run.stands}"
    for outcome in run.outcomes[:1]:
        if outcome != run.expected:
            yield "wrong result", f"{outcome} where {run.expected} was expected"
    for outcome in run.outcomes[1:]:
        if outcome != run.outcomes[0]:
            yield "two results", f"{outcome}, and {run.outcomes[0]} before"
    if run.effects is not None and run.effects[0] != run.effects[1]:
        done, wanted = run.effects
        yield "wrong effects", f"missing: {sorted(wanted - done)}, too many: {sorted(done - wanted)}"


def _steps(run: Run, lines: Sequence[Line]) -> Iterable[tuple[str, str, Line | None]]:
    assert run.steps is not None
    keys: dict[Place, set[str]] = defaultdict(set)
    begun: set[Place] = set()
    ended: set[Place] = set()
    is_finished = False
    for line in lines:
        place = line.place
        if line.event == "finished":
            is_finished = True
        elif line.event == "end":
            ended.add(place)
        elif line.event == "begin":
            if place not in run.steps:
                yield "unknown step", str(line), line
            if is_finished:
                yield "after the end", f"its result was known: {line}", line
            if any(place.is_before(other) for other in begun):
                yield "after its successor", f"it was done, and what comes after it had begun: {line}", line
            missing = [other for other in run.steps if other.is_before(place) and other not in ended]
            if missing:
                yield "before its predecessor", f"{line}; {missing[0]} had not ended", line
            keys[place].add(line.execution)
            begun.add(place)
    for place, executions in keys.items():
        if len(executions) > 1:
            yield "effect doubled", f"{place} has the keys {sorted(executions)}", None
    if run.outcomes and run.steps - ended:
        yield "step missing", f"{sorted(run.steps - ended)} never ended", None
