"""Habits of different authors that once met a refusal or another answer than CPython's."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import enum
import functools
import itertools
import logging
import re
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

from corpus import Case, record
from waymark import Workflow, action, workflow

logger = logging.getLogger(__name__)


@action
async def told(value: Any) -> Any:
    record("told", value)
    return value


@action
async def refused(why: str) -> Any:
    record("refused", why)
    raise ValueError(why)


@workflow
class StyleShortNames(Workflow):
    """`r` is a row here, and an item of a group there: a comprehension has variables of its own."""

    async def run(self, rows: list[dict[str, Any]]) -> list[Any]:
        common = Counter(r["city"] for r in rows).most_common(1)
        groups = {k: [r["name"] for r in g] for k, g in itertools.groupby(rows, key=lambda r: r["city"])}
        tasks = [asyncio.create_task(told(r["name"])) for r in rows]
        found = [t for t in re.findall("[A-Z]", " ".join(r["name"] for r in rows))]
        return [common, groups, found, [await t for t in tasks]]


class Index:
    """Keeps what it has computed, also what can't travel."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.computed = 0

    @functools.cached_property
    def by_letter(self) -> dict[str, list[str]]:
        self.computed += 1
        found: dict[str, list[str]] = {}
        for word in self.words:
            found.setdefault(word[0], []).append(word)
        return found

    @functools.cached_property
    def lock(self) -> Any:
        return threading.Lock()

    @functools.cached_property
    def around(self) -> list[Any]:
        return [self, self.by_letter]

    def add(self, word: str) -> None:
        with self.lock:
            self.by_letter.setdefault(word[0], []).append(word)


@workflow
class StyleCachedProperty(Workflow):
    async def run(self, words: list[str]) -> list[Any]:
        index = Index(words)
        index.add("beet")
        await told(index.by_letter)
        index.words.append("never looked at again")
        index.by_letter["z"] = ["zucchini"]
        index.add("apricot")
        around = index.around
        await told("later")
        kept = [index.around is around, around[0] is index, around[1] is index.by_letter]
        result = [index.by_letter, index.computed, kept]
        del index.by_letter
        return [*result, index.by_letter["n"], index.computed]


def tried(times: int) -> Callable[[Any], Any]:
    def decorate(function: Callable[..., Awaitable[Any]]) -> Any:
        @functools.wraps(function)
        async def inner(*args: Any, **options: Any) -> Any:
            for attempt in range(times - 1):
                try:
                    return await function(*args, **options)
                except ValueError as error:
                    await told([attempt, str(error)])
            return await function(*args, **options)

        return inner

    return decorate


def announced(function: Callable[..., Awaitable[Any]]) -> Any:
    @functools.wraps(function)
    async def inner(self: Any, *args: Any, **options: Any) -> Any:
        await told("enter")
        try:
            return await function(self, *args, **options)
        finally:
            await told("leave")

    return inner


@tried(2)
async def ask(name: str, *, loudly: bool = False) -> str:
    if name == "nobody":
        await refused(name)
    return await told(name.upper() if loudly else name)


class Desk:
    def __init__(self, number: int) -> None:
        self.number = number

    @announced
    async def serve(self, guest: str) -> str:
        return f"{self.number}: {await ask(guest, loudly=True)}"


@workflow
class StyleWrappingDecorators(Workflow):
    async def run(self, names: list[str]) -> list[Any]:
        answers = [await ask(name) for name in names if name != "nobody"]
        together = await asyncio.gather(*(ask(name, loudly=True) for name in names), return_exceptions=True)
        return [answers, together, await Desk(7).serve(names[0]), await self.counted(names)]

    @announced
    async def counted(self, names: list[str], start: int = 1) -> dict[str, int]:
        return {await told(name): at for at, name in enumerate(names, start)}


class Shelf:
    def __init__(self) -> None:
        self.things: dict[str, Any] = {}

    def take(self, name: str, make: Any) -> Any:
        if name not in self.things:
            self.things[name] = make()
        return self.things[name]

    def every(self, change: Any, only: Any = bool) -> list[Any]:
        return [change(name, thing) for name, thing in self.things.items() if only(thing)]


@workflow
class StyleCallbacks(Workflow):
    """What is given to a method that runs in a worker."""

    async def run(self, prices: dict[str, int]) -> list[Any]:
        shelf, seen = Shelf(), [0]
        for name in prices:
            await told(shelf.take(name, lambda: prices[name] * 2))
        shelf.take("made", list).append(1)
        shelf.take("noted", lambda: seen.append(1))

        def shown(name: str, thing: Any) -> str:
            return f"{name}={thing}"

        digits = re.compile("[0-9]")
        await told("a pattern is a library's object")
        hidden = digits.sub(lambda found: "*" * (int(found[0]) + len(prices)), "1 or 2")
        return [hidden, seen, shelf.every(shown), shelf.every(lambda name, _: name.upper(), only=lambda thing: isinstance(thing, int))]


class Board:
    """Keeps functions of the workflow."""

    def __init__(self) -> None:
        self.listeners: dict[str, list[Any]] = {}
        self.last: Any = None

    def on(self, topic: str, listener: Callable[[Any], Any]) -> Board:
        self.listeners.setdefault(topic, []).append(listener)
        return self

    async def publish(self, topic: str, value: Any) -> list[Any]:
        self.last = re.sub("[aeiou]", "", topic)
        return [await listener(value) for listener in self.listeners.get(topic, [])]


@workflow
class StyleListeners(Workflow):
    async def run(self, values: list[int]) -> list[Any]:
        total = 0

        async def add(value: int) -> int:
            nonlocal total
            total += await told(value)
            return total

        board = Board().on("sums", add).on("sums", told).on("other", lambda value: add(-value))
        found = [await board.publish("sums", value) for value in values]
        return [*found, await board.publish("other", 1), await board.publish("none", 1), total, board.last, len(board.listeners)]


@contextlib.contextmanager
def chapter(book: list[str], title: str, ignoring: Any = ()) -> Iterator[str]:
    book.append(f"begin {title}")
    try:
        yield title.upper()
    except ignoring as error:
        book.append(f"ignored {error!r}")
    finally:
        book.append(f"end {title}")


@contextlib.asynccontextmanager
async def lent(name: str) -> AsyncIterator[str]:
    await told(f"take {name}")
    try:
        yield name
    except KeyError as error:
        raise ValueError(f"{name} is torn") from error
    finally:
        await told(f"give {name} back")


@contextlib.contextmanager
def without_an_end() -> Iterator[int]:
    yield 1
    yield 2


@workflow
class StyleContextFunctions(Workflow):
    """Generators that `contextlib` has made contexts of stand around awaits."""

    async def run(self, titles: list[str]) -> list[Any]:
        book: list[Any] = []
        for title in titles:
            with chapter(book, title, ignoring=LookupError) as heading, chapter(book, "inner"):
                await told(heading)
                if title == "skipped":
                    continue
                raise KeyError(title)
        try:
            with without_an_end() as one:
                await told(one)
        except RuntimeError as error:
            book.append(str(error))
        try:
            async with lent("pen") as pen:
                book.append({}[pen])
        except ValueError as error:
            book.append([str(error), repr(error.__cause__)])
        book.append(await self.early(book))
        late = asyncio.create_task(self.early(book, 60))
        await asyncio.sleep(1)
        late.cancel()
        book.extend(await asyncio.gather(late, return_exceptions=True))
        return [str(line) for line in book]

    async def early(self, book: list[Any], pause: float = 0) -> str:
        with chapter(book, "early"):
            async with lent("ink") as ink:
                await asyncio.sleep(pause)
                return ink


@workflow
class StyleAttributesByName(Workflow):
    """`vars(…)` and `__dict__` are the object's own."""

    async def run(self, values: dict[str, int]) -> list[Any]:
        shelf = Shelf()
        for name, value in values.items():
            vars(shelf)[name] = await told(value)
        await told("and then")
        shelf.__dict__.update(things={"none": 0})
        await told("and then")
        vars(shelf)["cup"] += 5
        await told("and then")
        del shelf.__dict__["tea"]
        return [await told(shelf.cup), vars(shelf)]  # type: ignore[attr-defined]


@workflow
class StyleNextOfMany(Workflow):
    async def run(self, count: int) -> list[Any]:
        async def numbers() -> AsyncIterator[int]:
            for number in range(count):
                yield await told(number)

        made = numbers()
        first = [await anext(made), await anext(made, "none"), await anext(made, "none")]
        try:
            await anext(made)
        except StopAsyncIteration as error:
            return [first, error.args]
        return first


class Gate:
    """Lets so many in at once: what belongs to the event loop is made by `__init__`."""

    def __init__(self, places: int, *names: str) -> None:
        self.places, self.inside, self.most = asyncio.Semaphore(places), 0, 0
        self.opened = asyncio.Event()
        if not names:
            return
        self.names = [name.title() for name in names]

    async def __aenter__(self) -> Gate:
        await self.opened.wait()
        await self.places.acquire()
        self.inside += 1
        self.most = max(self.most, self.inside)
        return self

    async def __aexit__(self, *raised: Any) -> None:
        self.inside -= 1
        self.places.release()

    def open(self) -> Gate:
        self.opened.set()
        return self

    @property
    def is_empty(self) -> bool:
        return not self.inside


class Belt:
    def __init__(self) -> None:
        self._things: asyncio.Queue[str | None] = asyncio.Queue()

    def put(self, thing: str | None) -> int:
        self._things.put_nowait(thing)
        return self._things.qsize()

    def __aiter__(self) -> Belt:
        return self

    async def __anext__(self) -> str:
        thing = await self._things.get()
        if thing is None:
            raise StopAsyncIteration
        return thing


@workflow
class StyleLoopObjects(Workflow):
    """Classes that make locks and queues for themselves."""

    async def run(self, names: list[str]) -> list[Any]:
        gate, belt = Gate(2, *names), Belt()

        async def visit(name: str, pause: int) -> None:
            async with gate:
                await asyncio.sleep(pause)
                belt.put(await told(name))

        visits = [asyncio.create_task(visit(name, 5 - at)) for at, name in enumerate(gate.names)]
        await asyncio.sleep(1)
        found: list[Any] = [gate.is_empty, hasattr(Gate(1), "names"), gate.open().opened.is_set()]
        await asyncio.gather(*visits)
        found.append(belt.put(None))
        return [found, [thing async for thing in belt], gate.most, gate.inside]


class Clerk:
    def __init__(self, name: str) -> None:
        self.name, self.done = name, list[Any]()

    async def handle(self, case: int) -> int:
        self.done.append(await told([self.name, case]))
        return case

    def signed(self, case: int) -> str:
        return f"{case}, {self.name}"


class Senior(Clerk):
    async def handle(self, case: int) -> int:
        found = await super().handle(case + 1)
        self.done.append(super().signed(found))
        return found * 10


class Hurried(Senior):
    """Handles one case at a time."""

    def __init__(self, name: str, pause: float) -> None:
        super().__init__(name)
        self.turn, self.pause = asyncio.Lock(), pause

    async def handle(self, case: int) -> int:
        async with self.turn:
            await asyncio.sleep(self.pause)
            return await super().handle(-case)


@workflow
class StyleBases(Workflow):
    """Async methods that say `super()`."""

    async def run(self, cases: list[int]) -> list[Any]:
        senior, hurried = Senior("Ann"), Hurried("Bob", 1)
        first = [await senior.handle(case) for case in cases]
        together = await asyncio.gather(*map(hurried.handle, cases))
        return [first, together, senior.done, hurried.done, hurried.signed(7)]


class Urgency(enum.IntEnum):
    LOW = 1
    HIGH = 10

    def __str__(self) -> str:
        return self.name.lower()


class Shade(enum.Enum):
    DARK = "d"
    PALE = "p"

    def __str__(self) -> str:
        return f"<{self.value}>"

    def __format__(self, wanted: str) -> str:
        return format(self.name, wanted)


@workflow
class StyleEnumerationsShown(Workflow):
    async def run(self, urgency: Urgency, shade: Shade) -> list[Any]:
        shown = [
            str(urgency),
            f"{urgency!s:>6}",
            urgency + 1,
            str(shade),
            f"{shade:>6}",
            f"{shade}",
            repr(shade),
            [str(each) for each in Urgency],
        ]
        return [*shown, await told(str(Urgency.LOW)), await told(f"{Shade.PALE}")]


@workflow
class StyleNames(Workflow):
    """What functions are called, and what logs look up by name."""

    async def run(self, number: int) -> list[Any]:
        def local(value: int) -> int:
            return value

        logger.info("%(number)s of %(all)s", {"number": number, "all": 9})
        said: list[Any] = [(lambda: 1).__name__, local.__name__, local.__qualname__, announced.__name__]
        for call in (lambda *, name: name, local):
            try:
                call(number, other=1)  # type: ignore[call-arg]
            except TypeError as error:
                said.append(str(error))
        return [*said, await told(number)]


def announced_first(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def announcing(self: Any, *args: Any, **kwargs: Any) -> None:
        self.announced = True
        return init(self, *args, **kwargs)

    return announcing


class Numbered:
    def __init__(self, number: int) -> None:
        self.number = number


class NumberedLock(Numbered):
    def __init__(self, number: int) -> None:
        self.lock = asyncio.Lock()
        if number > 1:
            return super().__init__(number)
        self.number = -1
        return None


class Heard:
    @announced_first
    def __init__(self, number: int, listener: Callable[[int], None] | None = None) -> None:
        return self._set(number)

    def _set(self, number: int) -> None:
        self.number = number


class Turned(Exception):
    def __init__(self, why: str, listener: Callable[[str], None] | None = None) -> None:
        super().__init__(why)
        self.why = why


class Bag(dict[str, int]):
    def __init__(self, listener: Callable[[str], None] | None = None) -> None:
        super().__init__(a=1)


class Paint(enum.Enum):
    RED = (1, "red")
    BLUE = (2, "blue")

    def __init__(self, number: int, shown: str) -> None:
        self.number, self.shown = number, shown

    def tell(self, listener: Callable[[str], None]) -> None:
        listener(self.shown)


class Listened:
    def __init__(self, listener: Callable[[int], None] | None = None) -> None:
        self.listener = listener


@dataclasses.dataclass
class Place(Listened):
    x: int


@workflow
class StyleInitializers(Workflow):
    """Each is made by its own class's `__init__`, wherever that can run, and all that stands in it is done."""

    async def run(self, number: int) -> list[Any]:
        lock, early = NumberedLock(number), NumberedLock(0)
        async with lock.lock:
            said: list[Any] = [lock.number, early.number, await told(number)]
        heard = Heard(number)
        said += [heard.number, heard.announced, Bag(), Paint((2, "blue")).shown, Place(number).x, Listened().listener]
        try:
            raise Turned("down")
        except Turned as turned:
            said += [turned.why, turned.args]
        return said


@workflow
class StyleAttributesInOrder(Workflow):
    """What is assigned through `vars` is taken first, and what is changed in place stays what it was."""

    async def run(self, numbers: list[int]) -> list[Any]:
        held = Numbered(numbers[0])
        name = "items"
        vars(held)[name] = numbers
        vars(held)[name] += [numbers.pop(), await told(7)]
        vars(held)["number"] += numbers.pop(0)
        held.__dict__["last"] = [numbers.pop(), name]
        return [held.items is numbers, vars(held), numbers]  # type: ignore[attr-defined]


_ROWS = [{"name": "Ann", "city": "Ulm"}, {"name": "Bob", "city": "Ulm"}, {"name": "Cy", "city": "Bonn"}]

CASES = [
    Case(StyleShortNames, (_ROWS,), concurrent=True),
    Case(StyleCachedProperty, (["apple", "nut", "bean"],)),
    Case(StyleWrappingDecorators, (["ann", "nobody", "cy"],), concurrent=True),
    Case(StyleCallbacks, ({"cup": 3, "tea": 4},)),
    Case(StyleListeners, ([3, 4],)),
    Case(StyleContextFunctions, (["first", "skipped"],)),
    Case(StyleAttributesByName, ({"cup": 3, "tea": 4},)),
    Case(StyleNextOfMany, (2,)),
    Case(StyleLoopObjects, (["ann", "bob", "cy"],)),
    Case(StyleEnumerationsShown, (Urgency.HIGH, Shade.DARK)),
    Case(StyleBases, ([1, 2, 3],)),
    Case(StyleNames, (3,)),
    Case(StyleInitializers, (3,)),
    Case(StyleAttributesInOrder, ([4, 5, 6],)),
]
