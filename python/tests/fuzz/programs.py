"""A whole program: a workflow, the classes and functions that it calls, and what it is given."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import fuzz.blocks  # noqa: F401 - registers its makers
import fuzz.concurrency  # noqa: F401
import fuzz.containers  # noqa: F401
import fuzz.expressions  # noqa: F401
import fuzz.implicit  # noqa: F401
import fuzz.statements  # noqa: F401
from fuzz.writer import FIRST, KINDS, Writer, indented

HEADER = """\
from __future__ import annotations

import asyncio
import base64
import bisect
import collections
import contextlib
import copy
import dataclasses
import functools
import heapq
import io
import itertools
import json
import operator
import re
import statistics
import string
import textwrap

from fuzz.world import *
from waymark import BackoffPolicy, RetryPolicy, Workflow, workflow


def depth_of(value, so_far=0):
    if isinstance(value, dict):
        return max([depth_of(each, so_far + 1) for each in value.values()], default=so_far)
    if isinstance(value, list) and so_far < 5:
        return max([depth_of(each, so_far + 1) for each in value], default=so_far)
    return so_far


@workflow(name="fuzz-child-{module}")
class Child(Workflow):
    async def run(self, number):
        print("child", number)
        if number == 3:
            raise Denied(number, "child")
        return await double(number) + 1
"""


@dataclasses.dataclass(frozen=True)
class Program:
    seed: int
    name: str
    source: str
    features: frozenset[str]


def header(module: str) -> str:
    return HEADER.replace("{module}", module)


def program(seed: int) -> Program:
    w = Writer(seed)
    w.is_foreign = w.odds(0.75)
    w.is_concurrent = w.odds(0.75)
    helpers = _helpers(w, seed)
    source = _workflow(w, seed)
    for name, helper in reversed(helpers.items()):
        if _names(name, [source]):
            source = f"{helper}\n\n{source}"
    return Program(seed, f"Fuzz{seed}", source, frozenset(w.used))


def _helpers(w: Writer, seed: int) -> dict[str, str]:
    """By name; each may call those before it. Those that nobody calls are dropped later."""
    parts: dict[str, str] = {}
    known: dict[str, list[str]] = {"plain": [], "foreign": [], "generator": [], "async": []}

    def add(kind: str, name: str, write: Callable[[Writer, str], str], is_foreign: bool) -> None:
        with w.place(functions={kind: list(names) for kind, names in known.items()}, is_foreign=is_foreign):
            parts[name] = write(w, name)
        known[kind].append(name)

    add("plain", f"h{seed}_0", _plain, False)
    add("plain", f"h{seed}_1", _plain, False)
    if w.is_foreign:
        add("foreign", f"f{seed}", _plain, True)
    add("generator", f"g{seed}", _generator, w.is_foreign and w.odds(0.3))
    add("async", f"w{seed}_0", _async, w.is_foreign)
    add("async", f"w{seed}_1", _async, w.is_foreign)
    w.functions = known
    return parts


def _first(w: Writer, body: list[str], given: tuple[str, ...] = ()) -> list[str]:
    """Assigns the variables that the body names."""
    text = "\n".join(body)
    names = [name for names in KINDS.values() for name in names if name in text and name not in given]
    return [f"{name} = {FIRST[name]}" for name in names]


def _kept(w: Writer, depth: int = 0) -> list[str]:
    """A statement whose failure does not end the function."""
    lines = ["try:", *indented(w.statement(depth)), "except Exception as e:"]
    return [*lines, f"    print({w.number()}, type(e).__name__, e.args, getattr(e, 'code', None))"]


def _body(w: Writer, least: int, most: int) -> list[str]:
    lines: list[str] = []
    for _ in range(w.between(least, most)):
        if w.budget <= 0:
            break
        lines += _kept(w) if w.odds(0.5) else w.statement(0)
    return lines


def _plain(w: Writer, name: str) -> str:
    w.budget = 4 if w.is_foreign else 2
    with w.place(may_wait=False, is_plain=True):
        body = w.block(1, 1, 3)
    head = f"def {name}(a, b=None, *rest, key={w.between(0, 3)}, **more):"
    end = w.pick(["return a + key", "return i0 - a", "return a + len(rest) + sum(more.values())", "return len(l0) + a"])
    change = ["if b is not None:", f"    b.append({w.pick(['a', 'key', 'len(rest)'])})"]
    start = _first(w, [*body, end])
    aliased = [line for line in ["l0 = b or l0"] if "l0 = [1, 2]" in start and w.odds(0.5)]
    return f"{head}\n" + "\n".join(indented([*start, *aliased, *change, *body, end])) + "\n"


def _generator(w: Writer, name: str) -> str:
    w.budget = 5
    with w.place(may_wait=False, is_plain=True, gives=True, can_return=False):
        body = w.block(1, 1, 3)
    return f"def {name}(a):\n" + "\n".join(indented([*_first(w, body), "yield a", *body, "yield 7"])) + "\n"


def _async(w: Writer, name: str) -> str:
    w.budget = w.between(2, 6)
    body = _body(w, 1, 3)
    end = f"return {w.integer(1)}"
    start = [*_tools(w, body), *_first(w, [*body, end], ("l0", "d0")), f"print('{name}', a)"]
    return f"async def {name}(a, l0, d0):\n" + "\n".join(indented([*start, *body, end])) + "\n"


def _tools(w: Writer, body: list[str]) -> list[str]:
    made = ["lock = asyncio.Lock()", "gate = asyncio.Semaphore(1)", "signal = asyncio.Event()", "queue = asyncio.Queue()"]
    return [line for line in made if _names(line.split()[0], body)]


def _workflow(w: Writer, seed: int) -> str:
    base = f"Base{seed}"
    w.has_self = True
    above, own = _methods(w, "base"), _methods(w, "own")
    w.functions["own"], w.functions["own_async"] = ["step", "twice", "scaled"], ["walk"]
    w.budget = w.between(4, 14)
    body = _body(w, 2, 6)
    text = "\n".join(body)
    shown = [name for name in FIRST if name in text and name[0] != "t"]
    end = (
        [
            "print([y is z for y in (l0, l1, self.log, *g0, p0.tags, p1.tags) for z in (l0, l1, b0.items, *g0)])",
            "print(p0 is p1, p1.inner is p0, m0 is m1)",
        ]
        if w.odds(0.5)
        else []
    )
    end += [f"return [{', '.join(shown or ['i0'])}, self.total, self.log, self.seen]"]
    state = ["self.total, self.log, self.seen = i0, [], {}", "self.item = Item('own', 1)"]
    start = [*_tools(w, body), *_first(w, [*body, *end], ("i0", "l0", "d0")), *state]
    run = ["async def run(self, i0, l0, d0):", *indented([*start, *body, *end])]
    own = {
        name: lines for name, lines in own.items() if _names(f"self.{name}", [*body, *(line for lines in own.values() for line in lines)])
    }
    inside = [line for lines in own.values() for line in [*lines, ""]]
    above = {
        name: lines
        for name, lines in above.items()
        if _names(f"(self|super\\(\\)).{name}", [*run, *inside, *(line for lines in above.values() for line in lines)])
    }
    lines = [f"class {base}(Workflow):", f"    scale = {w.between(1, 4)}"]
    for method in above.values():
        lines += ["", *indented(method)]
    lines += ["", "", "@workflow", f"class Fuzz{seed}({base}):", *indented([*inside, *run])]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _names(pattern: str, lines: list[str]) -> bool:
    return re.search(rf"\b{pattern}\b" if pattern[0] != "(" else rf"{pattern}\b", "\n".join(lines)) is not None


def _methods(w: Writer, place: str) -> dict[str, list[str]]:
    """The same methods in both classes: the workflow's override those of its base, and call them."""
    is_own = place == "own"
    found: dict[str, list[str]] = {}
    w.functions["own"], w.functions["own_async"] = ["twice", "scaled"], []
    w.budget = 3
    with w.place(may_wait=False, is_plain=True):
        body = w.block(1, 1, 2)
    above = "super().step(a, b)" if is_own else "a"
    end = w.pick([f"return {above} + i1", "return self.total + a", f"return {above} - len(self.log)"])
    found["step"] = ["def step(self, a, b=None, *rest, key=1, **more):", *indented([*_first(w, [*body, end]), *body, end])]
    w.functions["own"] = ["step", "twice", "scaled"]
    if not is_own:
        found["size"] = ["@property", "def size(self):", "    return len(self.log) + self.scale"]
        found["twice"] = ["@staticmethod", "def twice(a, b=None, *rest, key=1, **more):", "    return a * 2 + key"]
        found["scaled"] = ["@classmethod", "def scaled(cls, a, b=None, *rest, **more):", "    return a * cls.scale"]
    w.budget = w.between(2, 5)
    body = _body(w, 1, 2)
    end = w.pick(
        ["return await super().walk(a, l0)" if is_own else "return a", "return i0 + a", "return len(self.log)", f"return {w.integer(1)}"]
    )
    start = [*_tools(w, body), *_first(w, [*body, end], ("l0",)), "print('walk', a, self.total)"]
    found["walk"] = ["async def walk(self, a, l0):", *indented([*start, *body, end])]
    return found
