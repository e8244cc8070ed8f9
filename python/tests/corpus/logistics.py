"""Parcels, routes, carriers and depots."""

from __future__ import annotations

import asyncio
import bisect
import collections
import dataclasses
import enum
import heapq
import itertools
import logging
import math
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any, Optional
from zoneinfo import ZoneInfo

from corpus import Case, record
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, workflow

logger = logging.getLogger("logistics")

WEIGHT_LIMITS = [1, 5, 10, 31.5]
WEIGHT_PRICES = ["3.99", "5.49", "9.49", "18.99"]
DEPOTS = {"BER": (52.52, 13.40), "HAM": (53.55, 9.99), "MUC": (48.14, 11.58), "CGN": (50.94, 6.96)}


class ParcelState(enum.Enum):
    ANNOUNCED = enum.auto()
    IN_TRANSIT = enum.auto()
    DELIVERED = enum.auto()
    RETURNED = enum.auto()

    def may_become(self, other: ParcelState) -> bool:
        return other in _NEXT[self]


_NEXT = {
    ParcelState.ANNOUNCED: {ParcelState.IN_TRANSIT},
    ParcelState.IN_TRANSIT: {ParcelState.IN_TRANSIT, ParcelState.DELIVERED, ParcelState.RETURNED},
    ParcelState.DELIVERED: set(),
    ParcelState.RETURNED: set(),
}


class RoutingError(LookupError):
    pass


class CarrierError(Exception):
    def __init__(self, carrier: str, reason: str) -> None:
        self.carrier, self.reason = carrier, reason
        super().__init__(carrier, reason)

    def __str__(self) -> str:
        return f"{self.carrier} says {self.reason}"


@dataclasses.dataclass
class Parcel:
    number: str
    weight: float
    to: str
    state: ParcelState = ParcelState.ANNOUNCED
    events: list[str] = dataclasses.field(default_factory=list)

    def move(self, state: ParcelState, where: str) -> None:
        if not self.state.may_become(state):
            raise ValueError(f"{self.number} can't go from {self.state.name} to {state.name}")
        self.state = state
        self.events.append(f"{state.name.lower()}@{where}")


@dataclasses.dataclass
class Truck:
    plate: str
    capacity: float
    load: list[Parcel] = dataclasses.field(default_factory=list)

    @property
    def used(self) -> float:
        return math.fsum(parcel.weight for parcel in self.load)

    def fits(self, parcel: Parcel) -> bool:
        return self.used + parcel.weight <= self.capacity


@dataclasses.dataclass(frozen=True, order=True)
class Stop:
    at: time
    depot: str

    def __post_init__(self) -> None:
        if self.depot not in DEPOTS:
            raise RoutingError(self.depot)


@action
async def logistics_quote(carrier: str, weight: float) -> Decimal:
    record("quote", carrier, weight)
    if carrier == "down":
        raise CarrierError(carrier, "maintenance")
    return (Decimal(str(weight)) * len(carrier)).quantize(Decimal("0.01"))


@action
async def logistics_scan(number: str, where: str) -> bool:
    record("scan", number, where)
    return not number.endswith("X")


@action
def logistics_label(number: str, carrier: str) -> bytes:
    record("label", number, carrier)
    return f"{carrier}:{number}".encode()


@action(retry=RetryPolicy(attempts=2, backoff=BackoffPolicy(base_delay=0.01)))
async def logistics_book(carrier: str, number: str) -> str:
    record("book", carrier, number)
    if carrier in ("busy", "down"):
        raise CarrierError(carrier, "no capacity")
    return f"{carrier[:2].upper()}-{number}"


@action
async def logistics_distance(start: str, end: str) -> int:
    record("distance", start, end)
    (a, b), (c, d) = DEPOTS[start], DEPOTS[end]
    return round(math.hypot(a - c, b - d) * 100)


def shipping_price(weight: float) -> Decimal:
    at = bisect.bisect_left(WEIGHT_LIMITS, weight)
    if at == len(WEIGHT_LIMITS):
        raise ValueError(f"{weight} kg is too heavy")
    return Decimal(WEIGHT_PRICES[at])


def chunked(items: Sequence[Any], size: int) -> Iterable[Sequence[Any]]:
    return (items[at : at + size] for at in range(0, len(items), size))


def first_fit(trucks: list[Truck], parcels: list[Parcel]) -> list[Parcel]:
    """Loads what fits, and gives what doesn't."""
    left = []
    for parcel in parcels:
        for truck in trucks:
            if truck.fits(parcel):
                truck.load.append(parcel)
                break
        else:
            left.append(parcel)
    return left


@workflow
class LogisticsCheapestCarrier(Workflow):
    """All are asked; those that fail are left out; the cheapest that takes the parcel gets it."""

    async def run(self, number: str, weight: float, carriers: list[str]) -> dict[str, Any]:
        answers = await asyncio.gather(*[logistics_quote(carrier, weight) for carrier in carriers], return_exceptions=True)
        quotes: dict[str, Decimal] = {}
        errors: dict[str, str] = {}
        for carrier, answer in zip(carriers, answers):
            if isinstance(answer, BaseException):
                errors[carrier] = str(answer)
            else:
                quotes[carrier] = answer
        ranked = sorted(quotes, key=lambda name: (quotes[name], name))
        last: Optional[CarrierError] = None
        for carrier in ranked:
            try:
                booking = await logistics_book(carrier, number)
            except CarrierError as error:
                last = error
                continue
            label = await logistics_label(number, carrier)
            return {"booking": booking, "label": label.decode().upper(), "errors": errors, "ranked": ranked}
        raise RoutingError(f"nobody takes {number}") from last


@workflow
class LogisticsTracking(Workflow):
    """Scans move a parcel through its states."""

    async def run(self, parcel: Parcel, places: list[str]) -> Parcel:
        for at, place in enumerate(places):
            scanned = await logistics_scan(parcel.number, place)
            if not scanned:
                logger.warning("no scan of %s at %s", parcel.number, place)
                continue
            is_last = at == len(places) - 1
            try:
                parcel.move(ParcelState.DELIVERED if is_last else ParcelState.IN_TRANSIT, place)
            except ValueError as error:
                parcel.events.append(f"problem: {error}")
                if parcel.state is ParcelState.ANNOUNCED:
                    parcel.move(ParcelState.IN_TRANSIT, "depot")
                    parcel.move(ParcelState.RETURNED, place)
        return parcel


@workflow
class LogisticsLoadTrucks(Workflow):
    """Trucks are loaded by a helper that changes them. What is loaded is the same parcel as on the list."""

    async def run(self, parcels: list[Parcel], capacities: list[float]) -> dict[str, Any]:
        trucks = [Truck(f"B-{at:03}", capacity) for at, capacity in enumerate(capacities, 1)]
        heaviest_first = sorted(parcels, key=lambda parcel: parcel.weight, reverse=True)
        left = first_fit(trucks, heaviest_first)
        for truck in trucks:
            for parcel in truck.load:
                parcel.move(ParcelState.IN_TRANSIT, truck.plate)
        for truck in trucks:
            if truck.load:
                await logistics_scan(truck.plate, f"{truck.used:.1f}/{truck.capacity:g}")
        moved = [parcel.number for parcel in parcels if parcel.state is ParcelState.IN_TRANSIT]
        same = all(any(parcel is each for each in parcels) for truck in trucks for parcel in truck.load)
        return {
            "trucks": trucks,
            "left": [each.number for each in left],
            "moved": moved,
            "same": same,
            "free": {truck.plate: round(truck.capacity - truck.used, 2) for truck in trucks},
        }


@workflow
class LogisticsShortestPath(Workflow):
    """Dijkstra over distances that actions know, with a heap."""

    async def run(self, edges: list[tuple[str, str]], start: str, end: str) -> tuple[int, list[str]]:
        graph: dict[str, dict[str, int]] = collections.defaultdict(dict)
        for a, b in edges:
            graph[a][b] = graph[b][a] = await logistics_distance(a, b)
        queue: list[tuple[int, str, list[str]]] = [(0, start, [start])]
        best: dict[str, int] = {}
        while queue:
            cost, place, path = heapq.heappop(queue)
            if place == end:
                return cost, path
            if best.get(place, math.inf) <= cost:
                continue
            best[place] = cost
            for neighbour, distance in graph[place].items():
                heapq.heappush(queue, (cost + distance, neighbour, path + [neighbour]))
        raise RoutingError(f"no way from {start} to {end}", sorted(best))


@workflow
class LogisticsPricing(Workflow):
    """Prices by weight; a list of labels in batches."""

    async def run(self, weights: list[float], batch: int) -> dict[str, Any]:
        prices: list[Decimal] = []
        heavy = 0
        for weight in weights:
            try:
                prices.append(shipping_price(weight))
            except ValueError as error:
                heavy += 1
                logger.info("skipped: %s", error)
        numbered = [(f"P{at:02}", price) for at, price in enumerate(prices)]
        labels = []
        for group in chunked(numbered, batch):
            made = await asyncio.gather(*(logistics_label(number, str(price)) for number, price in group))
            labels.append(b"|".join(made))
        return {"total": sum(prices), "heavy": heavy, "labels": labels, "share": Fraction(heavy, len(weights))}


class DeliveryWindow(ABC):
    @abstractmethod
    def hours(self) -> tuple[int, int]: ...

    def describe(self) -> str:
        start, end = self.hours()
        return f"{start:02d}–{end:02d}"


@dataclasses.dataclass
class Morning(DeliveryWindow):
    early: bool = False

    def hours(self) -> tuple[int, int]:
        return (6 if self.early else 8, 12)


@dataclasses.dataclass
class Evening(DeliveryWindow):
    def hours(self) -> tuple[int, int]:
        return 17, 21

    def describe(self) -> str:
        return "evening " + super().describe()


@workflow
class LogisticsDeliveryWindows(Workflow):
    """Objects of classes with methods that are overridden; zones; a whole week."""

    async def run(self, start: datetime, zone: str, days: int) -> list[tuple[str, str]]:
        windows: list[DeliveryWindow] = [Morning(), Evening(), Morning(early=True)]
        plan: list[tuple[str, str]] = []
        rotation = itertools.cycle(windows)
        for day in range(days):
            window = next(rotation)
            first, last = window.hours()
            local = (start + timedelta(days=day)).astimezone(ZoneInfo(zone))
            opens = local.replace(hour=first, minute=0, second=0, microsecond=0)
            closes = opens + timedelta(hours=last - first)
            if opens.weekday() >= 5:
                continue
            plan.append((f"{opens:%a %d.%m.} {window.describe()}", closes.astimezone(timezone.utc).isoformat(timespec="minutes")))
        for text, _ in plan:
            await logistics_scan(text, zone)
        return plan


@workflow
class LogisticsRoundTrip(Workflow):
    """Stops that validate themselves; nearest neighbour, distances at the same time."""

    async def run(self, depots: list[str]) -> dict[str, Any]:
        try:
            stops = [Stop(time(8 + at, 15 * at % 60), depot) for at, depot in enumerate(depots)]
        except RoutingError as error:
            return {"unknown": error.args[0]}
        latest = max(stops)
        open_depots = [stop.depot for stop in stops]
        here = open_depots.pop(0)
        route, total = [here], 0
        while open_depots:
            distances = await asyncio.gather(*[logistics_distance(here, depot) for depot in open_depots])
            distance, nearest = min(zip(distances, open_depots))
            open_depots.remove(nearest)
            total += distance
            route.append(nearest)
            here = nearest
        return {"route": route, "total": total, "latest": latest, "sorted": [str(stop.at) for stop in sorted(stops, reverse=True)]}


@workflow
class LogisticsCustoms(Workflow):
    """Declarations are parsed with patterns; a match is kept over an await."""

    HS_CODE = re.compile(r"(?P<chapter>\d{2})(?P<heading>\d{2})\.?(?P<rest>\d{2,6})?")

    async def run(self, lines: list[str]) -> list[dict[str, Any]]:
        declared = []
        for line in lines:
            match = self.HS_CODE.search(line)
            if not match:
                declared.append({"line": line, "ok": False})
                continue
            ok = await logistics_scan(match.group(0), "customs")
            parts = {name: value for name, value in match.groupdict().items() if value}
            declared.append({"ok": ok, "chapter": int(match["chapter"]), "span": match.span(), **parts})
        if len(declared) > 1 and (first := re.match(r"\s*(\w+)", lines[0])):
            declared[0]["first"] = first[1]
        return declared


@workflow
class LogisticsRetryElsewhere(Workflow):
    """try … else … finally inside of loops, with breaks and continues that pass through."""

    async def run(self, numbers: list[str], carriers: list[str]) -> dict[str, Any]:
        log: list[str] = []
        booked: dict[str, str] = {}
        for number in numbers:
            for carrier in carriers:
                try:
                    log.append(f"try {carrier}")
                    if carrier.startswith("#"):
                        continue
                    reference = await logistics_book(carrier, number)
                except CarrierError as error:
                    log.append(f"no: {error}")
                    if len(log) > 20:
                        raise
                else:
                    booked[number] = reference
                    break
                finally:
                    log.append(f"done {carrier}")
            else:
                log.append(f"nobody for {number}")
                return {"booked": booked, "log": log, "complete": False}
        return {"booked": booked, "log": log, "complete": True}


@workflow
class LogisticsSimulation(Workflow):
    """Chance belongs to the instance, so only what holds for any chance is returned."""

    async def run(self, count: int) -> dict[str, Any]:
        weights = [round(random.uniform(0.5, 30), 2) for _ in range(count)]
        random.shuffle(weights)
        sample = random.sample(range(100), k=5)
        choice = random.choice(list(DEPOTS))
        await logistics_scan("sim", "BER" if choice in DEPOTS else "?")
        return {
            "count": len(weights),
            "in_range": all(0.5 <= weight <= 30 for weight in weights),
            "distinct": len(set(sample)),
            "priced": all(shipping_price(weight) >= Decimal("3.99") for weight in weights),
        }


CASES = [
    Case(LogisticsCheapestCarrier, ("P1", 2.5, ["ups-express", "down", "busy", "dhl"]), concurrent=True),
    Case(LogisticsCheapestCarrier, ("P2", 2.5, ["busy", "down"]), name="nobody", concurrent=True),
    Case(LogisticsTracking, (Parcel("P1", 1.0, "BER"), ["HAM", "CGN", "BER"])),
    Case(LogisticsTracking, (Parcel("P2", 1.0, "BER"), ["BER"]), name="too_quick"),
    Case(LogisticsTracking, (Parcel("PX", 1.0, "BER"), ["HAM", "BER"]), name="never_seen"),
    Case(
        LogisticsLoadTrucks,
        ([Parcel("a", 4.5, "BER"), Parcel("b", 9.1, "BER"), Parcel("c", 3.3, "MUC"), Parcel("d", 8.0, "MUC")], [12.5, 9.0]),
    ),
    Case(LogisticsShortestPath, ([("BER", "HAM"), ("HAM", "CGN"), ("CGN", "MUC"), ("BER", "MUC")], "HAM", "MUC")),
    Case(LogisticsShortestPath, ([("BER", "HAM"), ("CGN", "MUC")], "HAM", "MUC"), name="no_way"),
    Case(LogisticsPricing, ([0.5, 1, 1.01, 7, 40, 31.5], 2), concurrent=True),
    Case(LogisticsDeliveryWindows, (datetime(2024, 10, 24, 23, 30, tzinfo=timezone.utc), "Europe/Berlin", 7)),
    Case(LogisticsRoundTrip, (["BER", "MUC", "HAM", "CGN"],), concurrent=True),
    Case(LogisticsRoundTrip, (["BER", "XXX"],), name="unknown"),
    Case(LogisticsCustoms, (["  pens 9608.10 from JP", "nothing", "ink 32159070"],)),
    Case(LogisticsRetryElsewhere, (["1", "2"], ["#skip", "busy", "dhl"])),
    Case(LogisticsRetryElsewhere, (["1", "2"], ["busy", "#skip"]), name="nobody"),
    Case(LogisticsSimulation, (20,)),
]
