"""How random source is written: makers, each of one feature, that are chosen by chance among those that may stand at a place.

Variables keep to a kind (`i` int, `s` str, `l` list of ints, `d` dict, `e` set, `g` nested list, `p` Item, `m` Money, `b` Bag,
`n` Pair, `c` Color), so that most statements get somewhere; a small share is wrong on purpose. Everything is bounded, and everything prints.
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

KINDS = {
    "i": ["i0", "i1", "i2"],
    "s": ["s0", "s1"],
    "l": ["l0", "l1", "l2"],
    "d": ["d0", "d1"],
    "e": ["e0"],
    "g": ["g0"],
    "p": ["p0", "p1"],
    "m": ["m0", "m1"],
    "b": ["b0"],
    "n": ["n0"],
    "c": ["c0"],
    "t": ["t0", "t1"],
}
#: What the variables of each kind begin with.
FIRST = {
    "i0": "1",
    "i1": "2",
    "i2": "5",
    "s0": "'abc'",
    "s1": "'x y'",
    "l0": "[1, 2]",
    "l1": "[3]",
    "l2": "[4, 1, 0]",
    "d0": "{'a': 1, 'k': 7}",
    "d1": "{}",
    "e0": "{1, 2}",
    "g0": "[[1], [2, 3]]",
    "p0": "Item('pen', 2)",
    "p1": "Crate('box', 1, [5], Item('ink'))",
    "m0": "Money(3)",
    "m1": "Money(0)",
    "b0": "Bag([1, 2])",
    "n0": "Pair(1, [2])",
    "c0": "Color.RED",
    "t0": "None",
    "t1": "None",
}
RAISED = [
    "ValueError",
    "KeyError",
    "TypeError",
    "ZeroDivisionError",
    "IndexError",
    "RuntimeError",
    "Missing",
    "Denied",
    "AppError",
    "Plain",
    "Shown",
]
CAUGHT = [
    *RAISED,
    "Exception",
    "LookupError",
    "(KeyError, ValueError)",
    "(AppError, TypeError)",
    "ArithmeticError",
    "BaseException",
    "Exception",
]
DEPTH_MAX = 3


@dataclasses.dataclass(frozen=True)
class Maker:
    feature: str
    make: Callable[..., Any]
    #: Nothing random stands in it.
    leaf: bool
    waits: bool
    weight: float
    binds: bool
    #: Where it may stand besides: a predicate of the writer.
    where: Callable[[Writer], bool] | None


MAKERS: dict[str, list[Maker]] = {}


def makes(
    kind: str,
    feature: str,
    *,
    leaf: bool = False,
    waits: bool = False,
    weight: float = 1,
    binds: bool = False,
    where: Callable[[Writer], bool] | None = None,
    since: tuple[int, int] = (3, 10),
) -> Callable[[Any], Any]:
    def keep(make: Any) -> Any:
        if sys.version_info[:2] >= since:
            MAKERS.setdefault(kind, []).append(Maker(feature, make, leaf, waits, weight, binds, where))
        return make

    return keep


def features() -> set[str]:
    return {maker.feature for makers in MAKERS.values() for maker in makers}


class Writer:
    """Where it stands decides what may be written."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.name = f"{seed}"
        self.used: set[str] = set()
        self.count = 0
        self.budget = 0
        #: How deep the statement stands.
        self.level = 0
        self.may_wait = True
        self.may_bind = True
        self.gives = False
        self.in_loop = False
        self.in_handler = False
        #: Inside of a plain function: tasks and queues are not there.
        self.is_plain = False
        #: Inside of a function that stands in another one.
        self.is_nested = False
        self.has_self = False
        self.is_concurrent = True
        #: Whether library calls are made.
        self.is_foreign = True
        #: Functions that can be called here, by kind: `plain`, `async`, `generator`, `own`, `own_async`, `foreign`.
        self.functions: dict[str, list[str]] = {}
        #: Names that can be read and those that can be assigned here.
        self.readable: dict[str, list[str]] = {kind: list(names) for kind, names in KINDS.items()}
        self.writable: dict[str, list[str]] = {kind: list(names) for kind, names in KINDS.items()}
        self.can_return = True

    # Chance.

    def odds(self, share: float) -> bool:
        return self.chance.random() < share

    def pick(self, items: Any) -> Any:
        return self.chance.choice(list(items))

    def between(self, least: int, most: int) -> int:
        return self.chance.randint(least, most)

    def number(self) -> int:
        self.count += 1
        return self.count

    # Makers.

    def make(self, kind: str, depth: int = 0) -> Any:
        fitting = [maker for maker in MAKERS[kind] if self._fits(maker, depth)]
        chosen = self.chance.choices(fitting, [maker.weight for maker in fitting])[0]
        self.used.add(chosen.feature)
        return chosen.make(self, depth)

    def _fits(self, maker: Maker, depth: int) -> bool:
        if depth >= DEPTH_MAX and not maker.leaf:
            return False
        if (maker.waits and not self.may_wait) or (maker.binds and not self.may_bind):
            return False
        return maker.where is None or maker.where(self)

    def integer(self, depth: int = DEPTH_MAX) -> str:
        if depth < DEPTH_MAX and self.odds(0.015):
            return self.anything(DEPTH_MAX)
        return self.make("integer", depth)

    def text(self, depth: int = DEPTH_MAX) -> str:
        return self.make("text", depth)

    def items(self, depth: int = DEPTH_MAX) -> str:
        return self.make("items", depth)

    def test(self, depth: int = DEPTH_MAX) -> str:
        return self.make("test", depth)

    def thing(self, depth: int = DEPTH_MAX) -> str:
        return self.make("thing", depth)

    def coroutine(self, depth: int = DEPTH_MAX) -> str:
        return self.make("coroutine", depth)

    def anything(self, depth: int = DEPTH_MAX) -> str:
        kind = self.pick(["integer", "integer", "text", "items", "test", "thing", "mapping"])
        return self.make(kind, depth)

    def read(self, kind: str) -> str:
        return self.pick(self.readable[kind])

    def write(self, kind: str) -> str:
        return self.pick(self.writable[kind] or self.readable[kind])

    # Places.

    @contextlib.contextmanager
    def place(self, **changes: Any) -> Iterator[None]:
        before = {name: getattr(self, name) for name in changes}
        for name, value in changes.items():
            setattr(self, name, value)
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    def block(self, depth: int, least: int = 1, most: int = 3) -> list[str]:
        lines: list[str] = []
        for _ in range(self.between(least, most)):
            if self.budget <= 0 and lines:
                break
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        if self.budget <= 0:
            return [f"print({self.number()}, {self.read('i')})"]
        self.budget -= 1
        with self.place(level=depth):
            if depth < DEPTH_MAX and self.odds(0.45):
                return self.make("nested", depth)
            # How deep its expressions may go is another matter.
            return self.make("simple", self.pick([0, 1, 1, 2]))


def indented(lines: list[str], levels: int = 1) -> list[str]:
    return ["    " * levels + line for line in lines] or ["    " * levels + "pass"]
