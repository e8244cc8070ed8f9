"""State machines with enums of every kind."""

from __future__ import annotations

import asyncio
import dataclasses
import enum
from collections.abc import Callable
from typing import NamedTuple

from corpus import Case, record
from waymark import Workflow, action, workflow


class Light(enum.Enum):
    RED = enum.auto()
    GREEN = enum.auto()
    AMBER = enum.auto()
    STOP = RED  # An alias.

    def following(self) -> Light:
        members = list(type(self))
        return members[(members.index(self) + 1) % len(members)]

    @classmethod
    def parse(cls, text: str) -> Light:
        try:
            return cls[text.upper()]
        except KeyError:
            raise ValueError(f"no light {text!r}") from None


class Phase(str, enum.Enum):
    DRAFT = "draft"
    REVIEW = "review"
    LIVE = "live"
    GONE = "gone"

    @property
    def is_open(self) -> bool:
        return self not in {Phase.LIVE, Phase.GONE}


class Priority(enum.IntEnum):
    LOW = 1
    NORMAL = 5
    HIGH = 9


class Rights(enum.Flag):
    NONE = 0
    READ = 1
    WRITE = 2
    DELETE = 4
    ALL = READ | WRITE | DELETE


class Planet(enum.Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.42e23, 3.39e6)

    def __init__(self, mass: float, radius: float) -> None:
        self.mass = mass
        self.radius = radius

    @property
    def gravity(self) -> float:
        return 6.674e-11 * self.mass / self.radius**2


class Event(NamedTuple):
    kind: str
    amount: int = 0
    tags: tuple[str, ...] = ()

    @property
    def is_big(self) -> bool:
        return self.amount >= 100


@dataclasses.dataclass
class Door:
    state: str = "closed"
    history: list[str] = dataclasses.field(default_factory=list)
    opened: int = 0


class IllegalMove(Exception):
    def __init__(self, before: Phase, after: Phase) -> None:
        super().__init__(before, after)
        self.before = before
        self.after = after

    def __str__(self) -> str:
        return f"{self.before.value} -> {self.after.value} is not allowed"


MOVES: dict[Phase, frozenset[Phase]] = {
    Phase.DRAFT: frozenset({Phase.REVIEW, Phase.GONE}),
    Phase.REVIEW: frozenset({Phase.DRAFT, Phase.LIVE}),
    Phase.LIVE: frozenset({Phase.GONE}),
    Phase.GONE: frozenset(),
}
DOOR_TABLE = {
    ("closed", "open"): "opened",
    ("opened", "close"): "closed",
    ("closed", "lock"): "locked",
    ("locked", "unlock"): "closed",
}


@action
async def announce(*words: str, loud: bool = False) -> int:
    record("announce", *words, loud)
    return sum(map(len, words)) * (2 if loud else 1)


@action
async def approve(who: str, phase: Phase) -> bool:
    record("approve", who, phase.value)
    return who != "mallory"


@workflow
class TrafficLight(Workflow):
    async def run(self, start: str, steps: int) -> list[str]:
        light = Light.parse(start)
        shown = []
        for step in range(steps):
            shown.append(f"{step}:{light.name}={light.value}")
            if light is Light.STOP:
                await announce("stop", str(step))
            light = light.following()
        assert Light.STOP is Light.RED
        return [*shown, light.name, str(len(Light)), ",".join(each.name for each in Light), ",".join(Light.__members__)]


@workflow
class Publishing(Workflow):
    """A table of moves; own errors; str mixin in f-strings and as keys."""

    async def run(self, wanted: list[str], who: str = "ann") -> dict[str, object]:
        phase = Phase.DRAFT
        path: list[Phase] = [phase]
        try:
            for name in wanted:
                after = Phase(name)
                if after not in MOVES[phase]:
                    raise IllegalMove(phase, after)
                if after is Phase.LIVE and not await approve(who, phase):
                    raise PermissionError(f"{who} may not publish")
                phase = after
                path.append(phase)
        except IllegalMove as error:
            return {"error": str(error), "before": error.before, "after": error.after, "open": phase.is_open}
        finally:
            await announce("path", *[each.value for each in path])
        return {"phase": phase, "is_live": phase == "live", "counts": {each: path.count(each) for each in sorted(set(path))}}


@workflow
class TriageQueue(Workflow):
    """IntEnum arithmetic, comparison, sorting."""

    async def run(self, tickets: list[tuple[str, int]]) -> list[str]:
        known = [(name, Priority(level)) for name, level in tickets if level in set(Priority)]
        unknown = [name for name, level in tickets if level not in list(Priority)]
        known.sort(key=lambda ticket: (-ticket[1], ticket[0]))
        lines = []
        for name, priority in known:
            if Priority.LOW < priority <= Priority.HIGH:
                await announce(name, loud=priority is Priority.HIGH)
            lines.append(f"{name}|{priority:>3d}|{priority.name.lower():^8}|{priority + 1}|{priority!r}")
        total = sum(priority for _, priority in known)
        return [*lines, f"{total=}", f"highest={max((p for _, p in known), default=None)!r}", *unknown]


@workflow
class RightsEditor(Workflow):
    """Flags: combine, test, take away."""

    async def run(self, changes: list[tuple[str, str]]) -> dict[str, object]:
        rights = Rights.NONE
        log = []
        for kind, name in changes:
            flag = Rights[name]
            match kind:
                case "grant":
                    rights |= flag
                case "revoke":
                    rights &= ~flag
                case "toggle":
                    rights ^= flag
                case _:
                    raise ValueError(kind)
            log.append((name, rights.value, flag in rights))
            if rights == Rights.ALL:
                await announce("everything")
        names = [each.name for each in (Rights.READ, Rights.WRITE, Rights.DELETE) if each in rights]
        return {"log": log, "names": names, "any": bool(rights), "value": rights.value}


@workflow
class Gravity(Workflow):
    async def run(self, mass: float) -> dict[str, str]:
        weights = {planet.name: f"{planet.gravity * mass:.2f}" for planet in Planet}
        heaviest = max(Planet, key=lambda planet: planet.gravity)
        await announce(heaviest.name, str(heaviest.value[0]))
        return {**weights, "heaviest": heaviest.name, "radius": f"{Planet.MARS.radius:,.0f}"}


@workflow
class DoorMachine(Workflow):
    """A table of pairs, aliasing of the door in helpers, counters."""

    async def run(self, commands: list[str]) -> Door:
        door = Door()
        same = door
        refused: list[str] = []
        for number, command in enumerate(commands, 1):
            if not self.step(same, command):
                refused.append(f"{number}:{command}")
                continue
            if door.state == "locked":
                await announce("locked", str(number))
        door.history += [f"refused {len(refused)}", *refused]
        return door

    def step(self, door: Door, command: str) -> bool:
        after = DOOR_TABLE.get((door.state, command))
        if after is None:
            return False
        door.history.append(f"{door.state}>{after}")
        door.state, door.opened = after, door.opened + (after == "opened")
        return True


@workflow
class VendingMachine(Workflow):
    """match over named tuples, with guards, alternatives and captures."""

    price = 60

    async def run(self, events: list[Event]) -> dict[str, object]:
        balance, sold, journal = 0, 0, []
        for event in events:
            match event:
                case Event(kind="coin", amount=amount) if amount in (5, 10, 20, 50, 100):
                    balance += amount
                case Event("coin", bad):
                    journal.append(f"returned {bad}")
                case Event("choose" | "select", tags=(first, *others)):
                    if balance < self.price:
                        journal.append(f"{first}: {self.price - balance} short")
                        continue
                    balance -= self.price
                    sold += 1
                    journal.append(first + "".join(f"+{other}" for other in others))
                    await announce(first, *others)
                case Event("refund"):
                    journal.append(f"refund {balance}")
                    balance = 0
                case _:
                    journal.append(f"? {event.kind} {event.is_big}")
        return {"balance": balance, "sold": sold, "journal": journal}


@workflow
class WorkflowOfHandlers(Workflow):
    """Dispatch through a dict of bound methods and lambdas, with closures over a counter."""

    async def run(self, inputs: list[tuple[str, int]]) -> dict[str, object]:
        total = 0
        seen: dict[str, int] = {}

        def bump(by: int, *, times: int = 1) -> int:
            nonlocal total
            total += by * times
            return total

        handlers: dict[str, Callable[[int], int]] = {
            "add": bump,
            "double": lambda value: bump(value, times=2),
            "drop": lambda value, factor=-1: bump(factor * value),
        }
        for name, value in inputs:
            handler = handlers.get(name, self.unknown)
            seen[name] = seen.get(name, 0) + 1
            result = handler(value)
            if result > 10:
                await announce(name, str(result))
        return {"total": total, "seen": seen, "names": sorted(handlers)}

    def unknown(self, value: int) -> int:
        return -abs(value)


@workflow
class ConnectionMachine(Workflow):
    """Events from a queue, with a timeout state."""

    async def run(self, script: list[str]) -> list[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        trail: list[str] = []

        async def feed() -> None:
            for word in script:
                if word == "pause":
                    await asyncio.sleep(0.05)
                else:
                    await queue.put(word)

        feeder = asyncio.create_task(feed())
        state = "idle"
        while state != "closed":
            try:
                word = await asyncio.wait_for(queue.get(), timeout=0.02)
            except asyncio.TimeoutError:
                word = "timeout"
            state = {
                ("idle", "syn"): "opening",
                ("opening", "ack"): "open",
                ("opening", "timeout"): "idle",
                ("open", "fin"): "closed",
                ("idle", "timeout"): "idle" if not feeder.done() else "closed",
            }.get((state, word), state if word != "rst" else "closed")
            trail.append(f"{word}->{state}")
        feeder.cancel()
        await announce(state, str(len(trail)))
        return trail


@workflow
class ElevatorScheduler(Workflow):
    """State on self, properties of the workflow, methods that change it."""

    lowest = 0
    highest = 9

    async def run(self, start: int, requests: list[int]) -> dict[str, object]:
        self.floor = start
        self.stops: list[int] = []
        self.travelled = 0
        pending = sorted({floor for floor in requests if self.lowest <= floor <= self.highest})
        going_up = True
        while pending:
            ahead = [floor for floor in pending if (floor >= self.floor) == going_up]
            if not ahead:
                going_up = not going_up
                continue
            target = min(ahead) if going_up else max(ahead)
            self.go(target)
            pending.remove(target)
            if self.is_at_edge:
                await announce("edge", str(self.floor))
        return {"stops": self.stops, "travelled": self.travelled, "floor": self.floor, "label": self.label}

    @property
    def is_at_edge(self) -> bool:
        return self.floor in (self.lowest, self.highest)

    @property
    def label(self) -> str:
        return f"{self.floor:02d}/{len(self.stops)}"

    def go(self, target: int) -> None:
        self.travelled += abs(target - self.floor)
        self.floor = target
        self.stops.append(target)


CASES = [
    Case(TrafficLight, ("green", 5)),
    Case(TrafficLight, ("blue", 1), name="unknown"),
    Case(Publishing, (["review", "draft", "review", "live"],)),
    Case(Publishing, (["review", "gone"],), name="illegal"),
    Case(Publishing, (["review", "live"], "mallory"), name="refused"),
    Case(Publishing, (["nowhere"],), name="unknown"),
    Case(TriageQueue, ([("a", 1), ("b", 9), ("c", 5), ("d", 7), ("e", 9)],)),
    Case(TriageQueue, ([("d", 7)],), name="none"),
    Case(RightsEditor, ([("grant", "READ"), ("grant", "WRITE"), ("toggle", "DELETE"), ("revoke", "WRITE"), ("toggle", "READ")],)),
    Case(Gravity, (70.0,)),
    Case(DoorMachine, (["open", "lock", "close", "lock", "open", "unlock", "open"],)),
    Case(VendingMachine, ([Event("coin", 50), Event("choose", tags=("tea",)), Event("coin", 3), Event("coin", 20),
                           Event("select", 0, ("tea", "milk")), Event("kick", 200), Event("refund")],)),
    Case(WorkflowOfHandlers, ([("add", 4), ("double", 5), ("drop", 2), ("odd", 3), ("add", 1)],)),
    Case(ConnectionMachine, (["syn", "ack", "data", "fin"],), concurrent=True),
    Case(ConnectionMachine, (["syn", "pause", "syn", "rst"],), name="slow", concurrent=True),
    Case(ElevatorScheduler, (4, [7, 2, 9, 0, 4, 12, 7])),
]  # fmt: skip
