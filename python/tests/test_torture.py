"""The short form of `make torture`, and that its checker notices what must not be."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

import pytest
from torture import bank
from torture.check import Run, Still, check
from torture.ledger import Line, Place, read

TESTS = pathlib.Path(__file__).parent
#: Of faults; starting, settling and stopping come on top.
SECONDS = float(os.environ.get("WAYMARK_TORTURE_SECONDS", "35"))
#: The same each time, so that a change is to blame: WAYMARK_TORTURE_SEED=123456 is another.
SEED = int(os.environ.get("WAYMARK_TORTURE_SEED", "1"))
#: A busy machine, and an end that is waited for.
LIMIT_SECONDS = 600

STEPS = [Place(0, "", 0), Place(1, "a", 0), Place(1, "a", 1), Place(1, "b", 0), Place(2, "", 0)]
DONE = ("completed", "int:7")


def honest() -> tuple[Run, list[Line]]:
    run = Run("run", "Torture", DONE, frozenset(STEPS), {"instance"}, [DONE, DONE])
    lines = []
    for number, place in enumerate(STEPS):
        lines += [Line(event, "run", place, "instance", f"key {number}", 1) for event in ("begin", "end")]
    # One was run again, while nobody could know that it had ended.
    lines.insert(2, lines[0])
    return run, [*lines, Line("finished", "run", instance="instance")]


def kinds(run: Run, lines: list[Line]) -> set[str]:
    return {violation.kind for violation in check([run], lines)[0]}


def test_what_is_well_is_not_noticed() -> None:
    run, lines = honest()
    violations, counts = check([run], lines)
    assert (violations, counts.steps, counts.again) == ([], 5, 1)


def of(lines: list[Line], event: str, place: Place) -> int:
    return next(at for at, line in enumerate(lines) if line.event == event and line.place == place)


def _drop_an_end(run: Run, lines: list[Line]) -> None:
    del lines[of(lines, "end", STEPS[4])]


def _drop_a_step(run: Run, lines: list[Line]) -> None:
    lines[:] = [line for line in lines if line.place != STEPS[3]]


def _double_an_effect(run: Run, lines: list[Line]) -> None:
    at = of(lines, "begin", STEPS[4])
    lines.insert(at, lines[at]._replace(execution="another key"))


def _swap(run: Run, lines: list[Line]) -> None:
    first, second = of(lines, "begin", STEPS[1]), of(lines, "begin", STEPS[2])
    lines[first], lines[second] = lines[second], lines[first]


def _repeat_a_step(run: Run, lines: list[Line]) -> None:
    lines.insert(-1, lines[of(lines, "begin", STEPS[1])])


def _go_on_after_the_end(run: Run, lines: list[Line]) -> None:
    lines.append(lines[of(lines, "begin", STEPS[4])])


def _do_something_else(run: Run, lines: list[Line]) -> None:
    lines.insert(0, lines[0]._replace(place=Place(0, "c", 0)))


def _do_something_of_nobody(run: Run, lines: list[Line]) -> None:
    lines.append(lines[0]._replace(run="another"))


def _return_something_else(run: Run, lines: list[Line]) -> None:
    run.outcomes = [("completed", "int:8")] * 2


def _change_the_result(run: Run, lines: list[Line]) -> None:
    run.outcomes[1] = ("failed", "ValueError()")


def _lose_the_run(run: Run, lines: list[Line]) -> None:
    run.outcomes, run.stands = [], "it waits for step"


def _start_it_twice(run: Run, lines: list[Line]) -> None:
    run.instances.add("another")


def _do_too_little(run: Run, lines: list[Line]) -> None:
    run.effects = ({"['sent', 1]"}, {"['sent', 1]", "['sent', 2]"})


@pytest.mark.parametrize(
    ("doctor", "kind"),
    [
        (_drop_an_end, "step missing"),
        (_drop_a_step, "before its predecessor"),
        (_double_an_effect, "effect doubled"),
        (_swap, "before its predecessor"),
        (_repeat_a_step, "after its successor"),
        (_go_on_after_the_end, "after the end"),
        (_do_something_else, "unknown step"),
        (_do_something_of_nobody, "unknown"),
        (_return_something_else, "wrong result"),
        (_change_the_result, "two results"),
        (_lose_the_run, "lost"),
        (_start_it_twice, "started twice"),
        (_do_too_little, "wrong effects"),
    ],
)
def test_a_doctored_ledger_is_noticed(doctor: Callable[[Run, list[Line]], None], kind: str) -> None:
    run, lines = honest()
    doctor(run, lines)
    assert kind in kinds(run, lines)


def test_payments_that_are_not_as_they_were_told_are_noticed() -> None:
    run = Run("run", "TorturePayments", DONE, frozenset(Place(0, "", number) for number in range(5)), {"instance"}, [DONE])
    rows = [("run", number) for number in (0, 1, 2, 4)]
    for doctored, kinds_of in [
        (rows, set()),
        ([*rows, ("run", 1)], {"paid twice"}),
        (rows[1:], {"not paid"}),
        ([*rows, ("run", 3)], {"paid, and told otherwise"}),
        ([*rows, ("another", 0)], {"paid by nobody"}),
    ]:
        assert {violation.kind for violation in bank.check([run], doctored)} == kinds_of
    run.outcomes = []
    assert bank.check([run], rows[1:]) == [], "it has not ended"


def test_what_was_on_its_way_when_somebody_was_stopped_may_begin_late() -> None:
    run, lines = honest()
    lines.append(lines[of(lines, "begin", STEPS[4])]._replace(worker=7, at=100.2))
    for stills, kind, late in [
        ([Still(frozenset([7]), 100.0)], set(), 1),
        ([Still(frozenset([8]), 100.0), Still(frozenset([7]), 90.0)], {"after the end"}, 0),
    ]:
        violations, counts = check([run], lines, stills)
        assert ({violation.kind for violation in violations}, len(counts.late)) == (kind, late)


def test_the_evidence_names_the_instance_and_has_its_lines() -> None:
    run, lines = honest()
    _double_an_effect(run, lines)
    [violation] = check([run], lines)[0]
    assert "instance" in violation.text and any("another key" in line for line in violation.lines)


def test_lines_are_read_as_they_were_written(tmp_path: pathlib.Path) -> None:
    _, lines = honest()
    (tmp_path / "ledger").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read(tmp_path / "ledger") == lines


@pytest.mark.timeout(LIMIT_SECONDS + 60)
def test_the_short_form(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "report.json"
    words = [sys.executable, "-m", "torture", "--minutes", str(SECONDS / 60), "--seed", str(SEED), "--json", str(out)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
    ran = subprocess.run(
        words, env=environment, cwd=TESTS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_SECONDS
    )
    assert ran.returncode == 0, ran.stdout
    report = json.loads(out.read_text())
    for part in report["parts"]:
        # All kinds were there, and something to disturb.
        assert not part["missing"], ran.stdout
        assert part["steps"] > 100, ran.stdout
