"""What the load is made of, with what must come of it: plain asyncio says that."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any

from corpus import Case
from corpus.running import all_cases, describe, run_inline
from test_corpus import RACES

from torture import bank, ledger, workflows
from torture.check import Outcome
from torture.ledger import Place

#: What comes of these depends on how long something takes, and here everything may take long.
_TIMED = re.compile(r"timeout|wait_for\(|FIRST_|deadline|datetime\.now|time\.time|monotonic|as_completed|\.cancel\(")


@dataclasses.dataclass
class Portion:
    """One workflow with its arguments."""

    workflow: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    expected: Outcome
    #: Of ours: the first argument is the run's name.
    steps: frozenset[Place] | None = None
    #: Of the corpus: what it does, if that is to be seen.
    effects: set[str] | None = None
    signals: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return self.workflow.__name__


def ours(kind: str) -> list[Portion]:
    made: list[tuple[Any, tuple[Any, ...]]] = [
        (workflows.TortureChain, (4,)),
        (workflows.TortureChain, (12, 0.05)),
        (workflows.TortureChain, (3, 0.8)),
        (workflows.TortureFan, (3,)),
        (workflows.TortureFan, (12,)),
        (workflows.TortureSleeps, ([0.1, 0.5, 0.2],)),
        (workflows.TortureSleeps, ([2.5, 0.05],)),
        (workflows.TortureRetries, (2,)),
        (workflows.TortureFails, ()),
        (workflows.TortureGrows, (25,)),
        (workflows.TortureParent, (4,)),
    ]
    if kind == "postgres":
        made += [(bank.TorturePayments, (2,)), (bank.TorturePayments, (9,))]
    portions = [_portion(workflow, args) for workflow, args in made]
    for count in (1, 5):
        payloads = tuple(10 * number for number in range(count))
        steps = frozenset(Place(0, "", number) for number in range(count))
        expected = ("completed", describe(list(payloads)))
        portions.append(Portion(workflows.TortureSignals, (count,), {}, expected, steps, signals=payloads))
    return portions


def _portion(workflow: Any, args: tuple[Any, ...]) -> Portion:
    noted: list[Place] = []
    token = ledger.noted.set(noted)
    try:
        expected, _ = run_inline(Case(workflow, ("", *args)))
    finally:
        ledger.noted.reset(token)
    return Portion(workflow, args, {}, expected, frozenset(noted))


def of_the_corpus() -> list[Case]:
    """Those that come to the same however long everything takes."""

    def is_timed(case: Case) -> bool:
        return case.workflow.__name__ in RACES or bool(_TIMED.search(inspect.getsource(case.workflow)))

    return [case for case in all_cases() if not is_timed(case)]


def portion_of(case: Case) -> Portion:
    expected, effects = run_inline(case)
    has_children = case.workflow.__waymark__.compiled().children  # type: ignore[attr-defined]
    return Portion(case.workflow, case.args, case.kwargs, expected, effects=None if has_children else {str(effect) for effect in effects})
