"""Runs programs both ways, many in a module at once, and says where the two differ."""

from __future__ import annotations

import collections
import dataclasses
import importlib.util
import inspect
import linecache
import os
import pathlib
import random
import re
import sys
import tempfile
import types
from collections.abc import Sequence
from typing import Any

from fuzz import compiled, oracle
from fuzz.journal import CannotCross, TooLong
from fuzz.programs import Program, header, program
from waymark import definition
from waymark.errors import CompileError

#: Compiling costs most, so each program is run with all of these.
INPUTS: list[tuple[Any, ...]] = [(1, [1, 2], {"a": 1, "k": 7}), (0, [], {}), (6, [3, 1, 4, 1, 5], {"b": 2, "a": 3, "é": 0})]


@dataclasses.dataclass(frozen=True)
class Verdict:
    kind: str
    #: What differs, or why it was refused.
    detail: str = ""


def load(programs: Sequence[Program], name: str, folder: pathlib.Path) -> types.ModuleType:
    """A module of these programs, as a user's would be: a file that is imported."""
    path = folder / f"{name}.py"
    path.write_text(header(name) + "\n\n" + "\n\n".join(program.source for program in programs))
    linecache.checkcache(str(path))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    for made in programs:
        definition._definitions.pop(made.name, None)
    early, definition.checks_early = definition.checks_early, False
    try:
        spec.loader.exec_module(module)
    finally:
        definition.checks_early = early
    return module


def judge(workflow: Any, seed: int) -> Verdict:
    """One program, both ways."""
    try:
        workflow.__waymark__.compiled()
    except CompileError as error:
        return Verdict("refused", str(error))
    verdicts = [_compare(workflow, inputs, seed + at) for at, inputs in enumerate(INPUTS)]
    return max(verdicts, key=lambda verdict: _SEVERITY.index(verdict.kind))


_SEVERITY = ("same", "too long", "can't travel", "refused", "differs")


def _compare(workflow: Any, inputs: tuple[Any, ...], seed: int) -> Verdict:
    try:
        expected = oracle.run(workflow, inputs).lines
    except TooLong:
        return Verdict("too long")
    except CannotCross as error:
        return Verdict("can't travel", str(error))
    chance = random.Random(seed) if seed % 2 else None
    try:
        found = compiled.run(workflow, inputs, chance).lines
    except compiled.CannotTravel as error:
        return Verdict("can't travel", str(error))
    except TooLong:
        return Verdict("differs", "the compiled one goes on and on")
    except CompileError as error:
        # What the verifier finds, the compiler should have said.
        return Verdict("refused" if re.search("W0232|W022", str(error)) else "differs", str(error))
    except Exception as error:
        return Verdict("differs", f"{type(error).__name__}: {error}")
    found, expected = _nameless(found), _nameless(expected)
    if found == expected or _may_be(found, expected, workflow, inputs):
        return Verdict("same")
    return Verdict("differs", f"{difference(expected, found)}\n  inputs:   {inputs}")


#: How a task shows itself: where its code stands, and how many there were before it.
_TASK = re.compile(r"<_?Task\b(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>")


def _nameless(lines: list[str]) -> list[str]:
    return [_TASK.sub("<Task>", line) for line in lines]


#: Which of two is named first is decided by the order of a set, where that is what is sorted.
_UNORDERED = re.compile(r"not supported between instances of '(\w+)' and '(\w+)'")


def _may_be(found: list[str], expected: list[str], workflow: Any, inputs: tuple[Any, ...]) -> bool:
    """Whether CPython does this too, in another process: hashes of texts, and addresses of objects, decide the order of a set."""
    if not re.search(r"\be\d+\b|\bset\(", inspect.getsource(workflow)):
        return False

    def unordered(lines: list[str]) -> list[str]:
        return [_UNORDERED.sub(lambda pair: str(sorted(pair.groups())), line) for line in lines]

    if unordered(found) == unordered(expected):
        return True
    elsewhere = []
    for at in range(1, 17):
        elsewhere.append([types.SimpleNamespace(at=at) for _ in range(at)])
        try:
            if oracle.run(workflow, inputs).lines == found:
                return True
        except (TooLong, CannotCross):
            return False
    return False


def difference(expected: list[str], found: list[str]) -> str:
    at = next((at for at, (one, two) in enumerate(zip(expected, found, strict=False)) if one != two), min(len(expected), len(found)))
    return "\n".join(
        [
            f"line {at + 1} of what it did:",
            *(f"    {line}" for line in expected[max(0, at - 2) : at]),
            f"  asyncio:  {expected[at] if at < len(expected) else '(ended)'}",
            f"  compiled: {found[at] if at < len(found) else '(ended)'}",
        ]
    )


@dataclasses.dataclass
class Report:
    counts: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    features: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    differing: list[tuple[Program, Verdict]] = dataclasses.field(default_factory=list)
    refusals: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)

    def add(self, program: Program, verdict: Verdict) -> None:
        self.counts[verdict.kind] += 1
        self.features.update(program.features)
        if verdict.kind == "differs":
            self.differing.append((program, verdict))
        elif verdict.kind in ("refused", "can't travel"):
            self.refusals[_essence(verdict.detail)] += 1

    def merge(self, other: Report) -> None:
        self.counts += other.counts
        self.features += other.features
        self.refusals += other.refusals
        self.differing += other.differing


def run_batch(programs: Sequence[Program]) -> Report:
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        name = f"fuzz_batch_{os.getpid()}_{programs[0].seed}"
        module = load(programs, name, pathlib.Path(folder))
        for made in programs:
            report.add(made, judge(getattr(module, made.name), made.seed))
    del sys.modules[name]
    return report


def _essence(refusal: str) -> str:
    """Without names and places, so that those alike are counted together."""
    found = re.search(r"[PW]\d{4}\]?: .*", refusal)
    return re.sub(r"[`'].*?[`']|\b\w*\d+\b(?<![PW]\d{4})", "…", found.group() if found else refusal)[:160]


def run_seeds(first: int, count: int) -> Report:
    # What programs leave behind (coroutines that nobody awaited) is none of ours.
    sys.stderr = open(os.devnull, "w")
    return run_batch([program(seed) for seed in range(first, first + count)])
