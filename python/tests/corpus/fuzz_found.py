"""What random programs found (python/tests/fuzz): each case failed once."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import decimal
import enum
import functools
import heapq
import io
import itertools
import json
import operator
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from corpus import Case, record
from waymark import Workflow, action, workflow


class Mark(enum.Enum):
    GOOD = "good"
    BAD = "bad"


@dataclasses.dataclass
class Spotted:
    name: str
    count: int = 0


@action
async def found(value: Any) -> Any:
    record("found", value)
    return value


@workflow
class FuzzHeldByBuiltins(Workflow):
    """What a library makes and can't hand over goes straight into a built-in."""

    async def run(self, rows: list[int], spots: list[Spotted]) -> list[Any]:
        chained = list(itertools.chain(rows, [7]))
        pairs = list(zip(itertools.count(1), chained))
        by_count = sorted(spots, key=operator.attrgetter("count"))
        turned = sorted(rows, key=functools.cmp_to_key(lambda one, two: two - one))
        second = operator.itemgetter(1)(await found(rows))
        most = max(0, *itertools.accumulate(rows))
        for at, letter in enumerate(re.findall("[a-z]", "a1b2")):
            await found([at, letter])
        return [chained, pairs, by_count, turned, second, most, await found(sum(itertools.islice(rows, 2)))]


@workflow
class FuzzWithBlock(Workflow):
    """A block that a worker enters takes along what would rather stay."""

    async def run(self, rows: dict[str, int]) -> list[Any]:
        with io.StringIO("k") as text:
            key = text.read()
            del rows[key]
            print("without", key)
        return [rows, await found(key)]


@workflow
class FuzzOwnProperty(Workflow):
    @property
    def size(self) -> int:
        return len(self.log) + 1

    async def run(self, rows: list[int]) -> str:
        self.log = rows
        return json.dumps(self.size, indent=self.size) + json.dumps([await found(self.size)])


@workflow
class FuzzPatternsInARegion(Workflow):
    async def run(self, given: list[Any]) -> list[Any]:
        seen: list[Any] = []
        for each in given:
            reader = io.StringIO(str(each))
            match each:
                case Spotted(name=name, count=0 | 1):
                    seen.append([name, reader.read()])
                case Mark.GOOD:
                    seen.append("good " + reader.read(4))
                case {"mark": Mark.BAD, **rest}:
                    seen.append([rest, reader.read(1)])
                case int() | None:
                    seen.append(reader.read() * 2)
                case _:
                    seen.append("other")
        return await found(seen)


@workflow
class FuzzUnreachable(Workflow):
    """What stands behind a `raise` is compiled like all else."""

    async def run(self, rows: list[int]) -> list[int]:
        if rows:
            return await found(rows)
            for row in rows:
                rows.append(len(json.dumps(row)))
        raise ValueError("none")
        for word in re.findall("a", str(rows)):
            rows.append(len(word))


@workflow
class FuzzQueueBetweenLibraryCalls(Workflow):
    """A queue belongs to the instance: what asks it does not go to a worker with its neighbours."""

    async def run(self, rows: list[int]) -> list[Any]:
        queue: asyncio.Queue[int] = asyncio.Queue()
        text = io.StringIO()
        for row in rows:
            queue.put_nowait(row)
        print(queue.qsize())
        text.write(json.dumps(rows))
        return [await found(text.getvalue()), queue.qsize(), await queue.get()]


def spoken(rows: list[int]):
    for row in rows:
        text = json.dumps([row])
        print("gives", text)
        yield text


@workflow
class FuzzGeneratorThatPrints(Workflow):
    """It is heard when its turn comes, and sees what the loop does meanwhile."""

    async def run(self, rows: list[int]) -> list[str]:
        heard: list[str] = []
        for text in spoken(rows):
            if len(rows) < 4:
                rows.append(await found(len(text)))
            heard.append(text)
        return heard


@workflow
class FuzzNonlocalInARegion(Workflow):
    async def run(self, text: str) -> list[Any]:
        count = 0

        async def step(more: int) -> int:
            nonlocal text, count
            pattern = re.compile("[a-c]")
            letters = pattern.findall(text)
            text = "".join(letters) + str(count)
            count += len(letters)
            return await found(more)

        return [await step(1), await step(2), text, count]


@workflow
class FuzzOperatorAsArgument(Workflow):
    """A function of `operator` gives a value, not an iterator."""

    async def run(self, rows: list[int]) -> list[int]:
        heapq.heappush(rows, operator.add(await found(3), 1))
        return rows


class Failing(Exception):
    pass


class FailingLookup(Failing, KeyError):
    pass


@action
async def fail_as_lookup() -> None:
    raise FailingLookup("x")


@action
async def fail_plainly() -> None:
    raise Failing("y")


@workflow
class FuzzBasesOfExceptions(Workflow):
    """An exception of several bases does not make one of them the base of another."""

    async def run(self) -> list[str]:
        seen: list[str] = []
        for step in (fail_as_lookup, fail_plainly):
            try:
                await step()
            except LookupError as error:
                seen.append("lookup " + repr(error))
            except Exception as error:
                seen.append("other " + repr(error))
        return seen


class Lost(Exception):
    def __init__(self, rows: list[int]) -> None:
        super().__init__(len(rows))
        self.rows = rows


@workflow
class FuzzListInAnException(Workflow):
    async def run(self, rows: list[int]) -> list[Any]:
        error = Lost(rows)
        rows.append(3)
        error.rows.append(4)
        return [rows, error.rows, error.rows is rows]


@dataclasses.dataclass(frozen=True)
class Stone:
    weight: int


@workflow
class FuzzFrozen(Workflow):
    async def run(self, stone: Stone) -> str:
        try:
            stone.weight = 2  # type: ignore[misc]
        except AttributeError as error:
            return f"{type(error).__name__}: {error}"
        return "changed"


def noted_letters(words: list[str], log: list[str]) -> Iterator[str]:
    """Changes what it was given, between its items."""
    for word in words:
        log.append(re.sub("[aeiou]", "_", word))
        yield word


def say(word: str) -> None:
    print("said", word)


def said_letters(words: list[str]) -> Iterator[str]:
    """Is heard between its items, through another function."""
    for word in words:
        say(re.sub("[aeiou]", "_", word))
        yield word


def parsed(lines: list[str]) -> Iterator[Any]:
    """Raises in its middle."""
    for line in lines:
        yield json.loads(line)


@workflow
class FuzzGeneratorsOfLibraries(Workflow):
    """Generators that call libraries go on when the loop does, though actions run between their items."""

    async def run(self, words: list[str], lines: list[str]) -> list[Any]:
        log: list[Any] = []
        for word in noted_letters(words, log):
            log.append(await found(len(word)))
        for word in said_letters(words):
            await found(len(word))
        try:
            for value in parsed(lines):
                log.append(await found(value))
        except ValueError as error:
            log.append(type(error).__name__)
        held = noted_letters(words, log)
        first = next(held)
        text = io.StringIO()
        text.write(first)
        print(first, sum(len(each) for each in held))
        return [log, text.getvalue()]


@workflow
class FuzzExceptionsInFragments(Workflow):
    """An exception that a worker raises again, changes or keeps is the same one."""

    async def run(self, rows: list[int]) -> list[Any]:
        out: list[Any] = []
        try:
            raise_lost(rows)
        except Lost as error:
            error.rows.append(await found(1))
            out += [rows, error.rows is rows, mended(error) is error, error.args]
        first = Lost(rows)
        try:
            try:
                raise KeyError("k")
            except KeyError as inner:
                raise mended(first) from inner
        except Lost as again:
            out += [again is first, repr(again.__cause__), again.args, again.__context__ is again.__cause__]
        return out


class Stepping(Workflow):
    def step(self, a: Any, b: Any = None, *, key: int = 1) -> Any:
        return [a, b, key]

    @staticmethod
    def apart(a: Any) -> Any:
        return a


@workflow
class FuzzMessagesAboutMethods(Stepping):
    """A method that is called with arguments nobody knew of before is named as Python names it, and counts its object."""

    async def run(self, more: dict[str, Any]) -> list[str]:
        def inner(a: Any) -> Any:
            return a

        said = []
        for call in (
            lambda: self.step(1, **more),
            lambda: self.step(*range(4), key=2),
            lambda: self.step(*range(3)),
            lambda: self.apart(*range(2)),
            lambda: inner(*range(2)),
        ):
            try:
                call()
            except TypeError as error:
                said.append(str(error))
        return said


@workflow
class FuzzTasksThatAreLeft(Workflow):
    """What tasks that are left do when they are cancelled is seen in the result, as by who calls `asyncio.run`."""

    async def run(self) -> list[Any]:
        log: list[Any] = []

        async def left() -> None:
            try:
                await asyncio.sleep(600)
            finally:
                log.append("left")

        task = asyncio.create_task(left())
        await asyncio.sleep(0)
        return [log, task.get_name() != ""]


@workflow
class FuzzCount(Workflow):
    """What is no number is refused when the counting is asked for, not when it begins."""

    async def run(self, starts: list[Any]) -> list[Any]:
        said: list[Any] = []
        for start in [*starts, Mark.GOOD, decimal.Decimal("1.5")]:
            try:
                numbers = itertools.count(start)
                said.append([next(numbers), next(numbers), type(next(numbers)).__name__])
            except TypeError as error:
                said.append(str(error))
        return said


def told(items: list[Any]) -> Iterator[Any]:
    for item in items:
        print("gives", item)
        yield item
    print("has given all")


@workflow
class FuzzReadUntilItFails(Workflow):
    """A built-in that reads a generator stops where it can't go on, and the generator stands there."""

    async def run(self, rows: list[Any]) -> list[Any]:
        said: list[Any] = []
        for items in ([1, "a", 2], rows, [[1], [2]], [], [2, [1], 3]):
            for read in (sum, min, max, set, frozenset, list, tuple):
                generator = told(items)
                try:
                    made = read(generator)
                    # A set has its own order in each process.
                    said.append(sorted(made, key=str) if isinstance(made, (set, frozenset)) else made)
                except (TypeError, ValueError) as error:
                    said.append([type(error).__name__, str(error), next(generator, "nothing is left")])
        sums = told([1, 2])
        said.append([sum(sums, start=10), sum(told([[1], [2]]), []), min(told([]), default=4), max(told([3, 9, 2]))])
        return said


class Coin:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __str__(self) -> str:
        return f"{self.cents} c"

    def __repr__(self) -> str:
        return f"Coin({self.cents})"

    def __len__(self) -> int:
        return self.cents


@dataclasses.dataclass
class Rule:
    """Holds a class, or a function that everybody has."""

    test: Any
    hits: int = 0

    def check(self, value: Any) -> Any:
        self.hits += 1
        return self.test(value)


def counted(rule: Rule, value: Any) -> Any:
    rule.hits += len(re.findall("[0-9]", f"{value}"))
    return rule.test(value)


@workflow
class FuzzClassesInFields(Workflow):
    """An object that holds a class goes to a worker and comes back with the same one."""

    async def run(self, rows: list[int]) -> list[Any]:
        said: list[Any] = []
        for test in (str, len, Coin, json.dumps, dict.fromkeys, decimal.Decimal, Mark, ValueError):
            rule = Rule(test)
            for value in (Coin(12), 5, rows, "good"):
                try:
                    made = rule.check(value)
                    again = counted(rule, value)
                    said.append([rule.hits, rule.test is test, type(made) is type(again), str(made) == str(again)])
                except Exception as error:
                    said.append([type(error).__name__, str(error) if test is not decimal.Decimal else "", rule.hits, rule.test is test])
        kind = await found(Coin)
        return [said, kind is Coin, kind(3).cents, [await found(len), await found(ValueError)] == [len, ValueError]]


def raise_lost(rows: list[int]) -> None:
    rows.append(len(re.findall("1", str(rows))))
    raise Lost(rows)


def mended(error: Lost) -> Lost:
    error.args = (*error.args, re.sub("a", "b", "mended a"))
    return error


def read_in_part(rows: list[int]) -> Any:
    for row in rows:
        yield row
    assert not rows, "read to its end"


@workflow
class FuzzLoopOverWhatRaises(Workflow):
    """The items that an iterator gave before it raised are gone through, whoever has read them."""

    async def run(self, rows: list[int]) -> list[Any]:
        said: list[Any] = []
        queue = collections.deque(rows)
        left = queue
        try:
            for row in read_in_part([left.count(1), *rows]):
                said.append(await found(row))
        except AssertionError as error:
            said.append(str(error))
        return said


@workflow
class FuzzSwallowed(Workflow):
    """What a block would have assigned is as it was when its context swallows what it raised."""

    async def run(self, first: int, rows: list[int]) -> list[Any]:
        with contextlib.suppress(LookupError):
            first = heapq.heappop(rows)
        said: list[Any] = [first]
        with contextlib.suppress(LookupError), contextlib.closing(io.StringIO(str(rows[2]))) as file:
            second = file.read()
        try:
            said.append(second)
        except UnboundLocalError as error:
            said.append(str(error))
        return [*said, await found(first)]


@workflow
class FuzzBehindRaise(Workflow):
    """What is never run may name what went to a worker before it."""

    async def run(self, text: str) -> list[Any]:
        try:
            digits = re.findall("[0-9]", text)
            if not digits:
                return ["none"]
            else:
                raise KeyError(await found(text))
            return [digits]
        except KeyError as error:
            return [error.args[0]]


class Place(NamedTuple):
    at: int
    near: list[int]


def spots(said: list[Any]) -> Any:
    for at in range(3):
        said.append(at)
        yield Place(at, [at])


@workflow
class FuzzSumOfPairs(Workflow):
    """A sum ends the reading at what it can't add."""

    async def run(self, start: list[Any]) -> list[Any]:
        said: list[Any] = []
        for begin in (0, start, 1.5, "x", decimal.Decimal(2)):
            try:
                said.append(sum(spots(said), begin))
            except TypeError as error:
                said.append(str(error))
        said.append(sum(spots(said), ()))
        return said


CASES = [
    Case(FuzzLoopOverWhatRaises, ([3, 1],)),
    Case(FuzzLoopOverWhatRaises, ([1],), name="one"),
    Case(FuzzSwallowed, (7, [])),
    Case(FuzzSwallowed, (7, [4, 5, 6, 8]), name="not"),
    Case(FuzzBehindRaise, ("a1",)),
    Case(FuzzBehindRaise, ("a",), name="none"),
    Case(FuzzSumOfPairs, ([1],)),
    Case(FuzzHeldByBuiltins, ([3, 1, 2], [Spotted("b", 2), Spotted("a", 1)])),
    Case(FuzzWithBlock, ({"k": 1, "l": 2},)),
    Case(FuzzWithBlock, ({"l": 2},), name="missing"),
    Case(FuzzOwnProperty, ([3, 1, 2],)),
    Case(FuzzUnreachable, ([3, 1, 2],)),
    Case(FuzzUnreachable, ([],), name="none"),
    Case(FuzzGeneratorThatPrints, ([1, 2],)),
    Case(FuzzNonlocalInARegion, ("abcd",)),
    Case(FuzzOperatorAsArgument, ([3, 5],)),
    Case(FuzzQueueBetweenLibraryCalls, ([3, 1],)),
    Case(FuzzPatternsInARegion, ([Spotted("a"), Spotted("b", 7), Mark.GOOD, Mark.BAD, {"mark": Mark.BAD, "n": 1}, 4, None, "x"],)),
    Case(FuzzListInAnException, ([1, 2],)),
    Case(FuzzBasesOfExceptions),
    Case(FuzzFrozen, (Stone(1),)),
    Case(FuzzGeneratorsOfLibraries, (["abc", "de"], ["1", "2", "x", "4"])),
    Case(FuzzExceptionsInFragments, ([1, 2],)),
    Case(FuzzMessagesAboutMethods, ({"a": 1},)),
    Case(FuzzTasksThatAreLeft),
    Case(FuzzReadUntilItFails, ([3, 1, 2],)),
    Case(FuzzClassesInFields, ([1, 2],)),
    Case(FuzzCount, ([1, 2.5, True, "x", None, [1]],)),
]
