"""What every random program finds in its module: scripted actions, classes, exceptions, helpers that only a worker can run."""

from __future__ import annotations

import dataclasses
import enum
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, NamedTuple

from fuzz import journal
from waymark import action

LIMIT = 4
NAMES = ("ann", "bob", "cyd")
TABLE = {"a": 1, "b": 2, "c": 3}
NESTED = {"rows": [1, 2, 3], "by": {"x": (1, 2)}}


class Turn:
    """How an action waits for its turn: set by who runs the program."""

    @staticmethod
    async def wait(seconds: float) -> None:
        raise NotImplementedError


# Exceptions.


class AppError(Exception):
    def __init__(self, code: int, *more: Any) -> None:
        super().__init__(f"app {code}")
        self.code = code
        self.more = list(more)


class Missing(AppError, KeyError):
    pass


class Denied(AppError):
    level = 3

    def __init__(self, code: int, who: str = "nobody") -> None:
        super().__init__(code, who)
        self.who = who


class Plain(ValueError):
    pass


class Shown(RuntimeError):
    def __str__(self) -> str:
        return f"<shown {self.args}>"


# Classes.


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    MID = 2
    HIGH = 3


@dataclasses.dataclass
class Item:
    name: str
    count: int = 0
    tags: list[int] = dataclasses.field(default_factory=list)

    def label(self) -> str:
        return f"{self.name}x{self.count}"

    def add(self, count: int, *tags: int) -> Item:
        self.count += count
        self.tags.extend(tags)
        if self.count > 40:
            raise Denied(self.count, self.name)
        return self

    @property
    def weight(self) -> int:
        return self.count * 2 + len(self.tags)


@dataclasses.dataclass
class Crate(Item):
    inner: Item | None = None

    def label(self) -> str:
        return f"[{super().label()} {self.inner.label() if self.inner else '-'}]"


@dataclasses.dataclass(frozen=True, order=True)
class Spot:
    x: int
    y: int = 0


class Pair(NamedTuple):
    left: int
    right: Any = 0


class Money:
    """Operators that only Python knows."""

    def __init__(self, amount: int, unit: str = "eur") -> None:
        self.amount = amount
        self.unit = unit

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and self.amount == other.amount

    def __hash__(self) -> int:
        return hash(self.amount)

    def __lt__(self, other: Money) -> bool:
        return self.amount < other.amount

    def __add__(self, other: Any) -> Money:
        return Money(self.amount + (other.amount if isinstance(other, Money) else other), self.unit)

    __radd__ = __add__

    def __iadd__(self, other: int) -> Money:
        self.amount += other
        return self

    def __neg__(self) -> Money:
        return Money(-self.amount, self.unit)

    def __bool__(self) -> bool:
        return self.amount != 0

    def __repr__(self) -> str:
        return f"Money({self.amount})"

    def __format__(self, spec: str) -> str:
        return f"{self.amount:{spec or 'd'}}{self.unit}"

    def split(self, count: int) -> list[Money]:
        if count == 0:
            raise Missing(self.amount, "split")
        return [Money(self.amount // count, self.unit) for _ in range(min(count, 3))]


class Bag:
    """A container of one's own."""

    def __init__(self, items: list[int]) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[int]:
        return iter(list(self.items))

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def __getitem__(self, at: Any) -> Any:
        return self.items[at]

    def __setitem__(self, at: Any, value: int) -> None:
        self.items[at] = value

    def __delitem__(self, at: Any) -> None:
        del self.items[at]

    def __call__(self, more: int) -> int:
        self.items.append(more)
        return sum(self.items)

    def __repr__(self) -> str:
        return f"Bag({self.items})"

    def __enter__(self) -> Bag:
        self.items.append(100)
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        self.items.append(200)
        return isinstance(error, LookupError)


class Desk:
    """Methods that wait, which call each other and change what they hold."""

    def __init__(self, rows: list[int], name: str = "desk") -> None:
        self.rows = rows
        self.name = name
        self.__calls = 0

    async def take(self, number: Any) -> Any:
        self.__calls += 1
        self.rows.append(self.__calls)
        return await double(number)

    async def twice(self, number: Any, *more: Any) -> list[Any]:
        first = await self.take(number)
        return [first, await self.take(len(more)), self.label()]

    async def each(self, count: int) -> AsyncIterator[int]:
        for at in range(min(count, 3)):
            yield await echo(at) + len(self.rows)

    def label(self) -> str:
        return f"{self.name}:{len(re.findall('1', str(self.rows)))}"

    async def __aenter__(self) -> Desk:
        self.rows.append(await echo(7))
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> bool:
        self.rows.append(await echo(8))
        return isinstance(error, LookupError)


class Counter(Desk):
    async def take(self, number: Any) -> Any:
        if len(self.rows) > 9:
            raise Missing(len(self.rows))
        return [await echo(number), self.rows]


@dataclasses.dataclass
class Rule:
    """Holds a function of the workflow's."""

    name: str
    test: Callable[[Any], Any] | None = None
    hits: int = 0

    def check(self, value: Any) -> Any:
        self.hits += 1
        return self.test(value) if self.test else value


# Functions that only a worker can run: they change what they are given, and may fail midway.


def scrub(text: str) -> str:
    return re.sub(r"[aeiou]+", "_", text)


def tally(items: list[int], into: dict[str, Any], step: int = 1) -> int:
    for item in items:
        into[json.dumps(item)] = into.get(json.dumps(item), 0) + step
    return len(into)


def shift(items: list[int], by: int) -> list[int]:
    items.append(by)
    if len(re.findall("1", str(items))) > 3:
        raise Plain("too many", len(items))
    items.reverse()
    return items


def restock(item: Item, *counts: int, **names: Any) -> Item:
    for count in counts:
        item.tags.append(int(json.dumps(count)))
    if names:
        item.name = ",".join(sorted(names))
    if len(item.tags) > 6:
        raise Missing(len(item.tags), item.name)
    return item


def complain(error: AppError, rows: list[int]) -> AppError:
    """Changes an exception, and links it to what it was given."""
    error.more.append(json.loads("[1]"))
    error.rows = rows  # type: ignore[attr-defined]
    if len(rows) > 4:
        raise error
    return error


def joined(first: Any, second: Any) -> list[Any]:
    """Makes new links between what it was given."""
    return [first, second, first, json.loads("[1]")]


# Actions.


@action
async def echo(value: Any, *rest: Any, **named: Any) -> Any:
    await Turn.wait(0)
    if rest or named:
        return [value, *rest, *named.values()]
    return value


@action
async def double(number: Any) -> Any:
    await Turn.wait(0)
    return number * 2 if isinstance(number, int) else number


@action
def total(items: Any) -> int:
    return sum(item for item in items if isinstance(item, int))


@action
async def slow(number: Any, seconds: float = 1) -> Any:
    await Turn.wait(seconds)
    return number


@action
async def fail(number: Any) -> Any:
    await Turn.wait(0)
    kinds: list[BaseException | None] = [
        None,
        Missing(number, "x"),
        ValueError("bad", number),
        Denied(number),
        ZeroDivisionError("z"),
        None,
    ]
    error = kinds[number % 6] if isinstance(number, int) else TypeError("no number")
    if error is not None:
        raise error
    return number


@action
async def fail_slowly(number: Any, seconds: float = 0.5) -> Any:
    await Turn.wait(seconds)
    raise AppError(number, [1])


@action
async def flaky(key: str, times: int) -> int:
    """Fails that many times."""
    counts = journal.current.counts
    counts[key] = counts.get(key, 0) + 1
    tried = counts[key]
    await Turn.wait(0)
    if tried <= times:
        raise ConnectionError(key, tried)
    return tried


@action
async def make(number: Any) -> Item:
    await Turn.wait(0)
    return Item(f"made{number}", number, [number])


@action
async def stamp(item: Any) -> Any:
    """Changes its own copy only."""
    await Turn.wait(0)
    if isinstance(item, Item):
        item.tags.append(99)
    return item
