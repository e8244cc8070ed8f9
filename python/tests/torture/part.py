"""One part of a torture: a site of one kind of database, a load on it, faults, and what came of it."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import pathlib
import random
import time
from collections import Counter
from collections.abc import Iterable

import waymark
from torture import bank, cases, ledger
from torture.check import Run, Still, Violation, check
from torture.faults import Fault, Faults
from torture.load import Load
from torture.report import PartReport
from torture.site import Site

#: For what is still running when the last fault was lifted. Nothing takes longer than seconds.
SETTLE_SECONDS = 150.0
#: Workflows of the corpus that one torture runs, for each minute of it.
CORPUS_A_MINUTE = 30


@dataclasses.dataclass
class Plan:
    kind: str
    seed: int
    seconds: float
    folder: pathlib.Path
    engines: int
    #: Instances at the same time.
    width: int


async def torture(plan: Plan) -> PartReport:
    dice = random.Random(plan.seed)
    corpus = cases.of_the_corpus()
    chosen = dice.sample(corpus, min(len(corpus), int(CORPUS_A_MINUTE * plan.seconds / 60) + 10))
    # In a thread: each is run in a loop of its own, to know what must come of it.
    own, others = await asyncio.to_thread(lambda: (cases.ours(plan.kind), [cases.portion_of(case) for case in chosen]))
    modules = sorted({portion.workflow.__module__ for portion in [*own, *others]})
    megabytes = min(1024, 256 + int(plan.seconds / 2))
    site = await asyncio.to_thread(Site, plan.folder, plan.kind, plan.engines, megabytes, modules)
    if site.postgres is not None:
        await bank.open_accounts(site.postgres.url)
    site.become_client()
    load = Load([*own * max(1, len(others) // len(own)), *others], dice.getrandbits(32), plan.width, site.journal)
    faults = Faults(site, dice.getrandbits(32))
    keeping = asyncio.create_task(site.keep())
    going = asyncio.create_task(load.go_on())
    injecting = asyncio.create_task(faults.inject(time.monotonic() + plan.seconds))
    try:
        await asyncio.wait([injecting, going, keeping], return_when=asyncio.FIRST_COMPLETED)
        load.end()
        await asyncio.wait([going], timeout=SETTLE_SECONDS)
        for task in (injecting, going, keeping):
            if task.done():
                task.result()
        going.cancel()
        await load.look_again()
        counted = await _count(load.runs)
        if site.postgres is not None:
            counted += bank.check(load.runs, await bank.paid(site.postgres.url))
    finally:
        for task in (injecting, going, keeping):
            task.cancel()
        await asyncio.gather(injecting, going, keeping, return_exceptions=True)
        await asyncio.to_thread(site.close)
    return _report(plan, site, load, faults, counted)


async def _count(runs: list[Run]) -> list[Violation]:
    """As many instances as were started, and as their parents started."""
    wanted = Counter(run.workflow for run in runs if run.steps is not None)
    lanes = sum(len({place.lane for place in run.steps or () if place.phase == 0}) for run in runs if run.workflow == "TortureParent")
    wanted["TortureChild"] = lanes
    violations = []
    for workflow, count in wanted.items():
        found = await waymark.count_instances(workflow=workflow)
        if found != count:
            violations.append(Violation("instances", workflow, f"there are {found} instances of it, {count} were started"))
    return violations


def _report(plan: Plan, site: Site, load: Load, faults: Faults, counted: list[Violation]) -> PartReport:
    lines = ledger.read(site.ledger)
    stills = [Still(frozenset(fault.workers), fault.lifted_at) for fault in faults.injected if fault.workers]
    violations, counts = check(load.runs, lines, stills)
    ended = Counter(f"{server.name} ended with {code}" for server in site.servers for code in server.ended)
    report = PartReport(
        kind=plan.kind,
        seed=plan.seed,
        seconds=plan.seconds,
        disk=site.disk.how if site.disk.is_filesystem or plan.kind == "postgres" else f"{site.disk.how}; a limit for files instead",
        faults=dict(Counter(fault.kind for fault in faults.injected)),
        missing=faults.missing(),
        instances=dict(Counter(run.workflow for run in load.runs)),
        steps=counts.steps,
        again=counts.again,
        late=counts.late,
        repeated=dict(load.repeated),
        ended=dict(ended),
        recovery=_slowest_recovery(faults.injected, load.runs),
        slowest=_slowest(load.runs),
        violations=[*violations, *counted],
        logs=str(site.logs),
    )
    (plan.folder / "faults.json").write_text(json.dumps([dataclasses.asdict(fault) for fault in faults.injected], indent=1))
    return report


def _slowest_recovery(faults: Iterable[Fault], runs: list[Run]) -> tuple[float, str]:
    """From the end of a fault until the first of those that were in flight when it began has ended."""
    slowest = (0.0, "")
    for fault in faults:
        ends = [run.finished_at for run in runs if run.started_at < fault.began_at and run.finished_at > fault.lifted_at]
        if ends and fault.lifted_at:
            slowest = max(slowest, (min(ends) - fault.lifted_at, f"{fault.kind} ({fault.target})"))
    return slowest


def _slowest(runs: list[Run]) -> tuple[float, str]:
    return max(((run.finished_at - run.started_at, run.name) for run in runs if run.outcomes), default=(0.0, ""))
