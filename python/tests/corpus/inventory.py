"""Warehouses: stock, reservations, counting, replenishment."""

from __future__ import annotations

import asyncio
import copy
import enum
import heapq
import logging
import math
import statistics
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, InitVar, dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import chain, product, zip_longest
from operator import itemgetter
from typing import Any, Generic, Optional, TypeVar, cast

from corpus import Case, record
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, workflow

log = logging.getLogger(__name__)
T = TypeVar("T")

Bin = namedtuple("Bin", ["aisle", "shelf"])
REORDER_DAYS = 14
DEFAULTS = {"safety": 5, "lot": 10, "supplier": "central"}


class Unit(enum.Enum):
    PIECE = ("pc", 1)
    BOX = ("box", 12)
    PALLET = ("plt", 480)

    def __init__(self, short: str, pieces: int) -> None:
        self.short = short
        self.pieces = pieces


class StockFlag(enum.Flag):
    NONE = 0
    FRAGILE = 1
    COLD = 2
    HAZARD = 4


class InventoryError(Exception):
    code = "inventory"


class NotEnough(InventoryError):
    code = "not_enough"

    def __init__(self, sku: str, wanted: int, available: int) -> None:
        super().__init__(sku, wanted, available)
        self.sku = sku
        self.short = wanted - available

    def __str__(self) -> str:
        return f"{self.short} of {self.sku} missing"


@dataclass
class StockItem:
    sku: str
    on_hand: int = 0
    reserved: int = 0
    _: KW_ONLY
    unit: Unit = Unit.PIECE
    cost: Decimal = Decimal("1")
    bin: Optional[Bin] = None

    @property
    def available(self) -> int:
        return self.on_hand - self.reserved

    def reserve(self, count: int) -> None:
        if count > self.available:
            raise NotEnough(self.sku, count, self.available)
        self.reserved += count


@dataclass
class Movement:
    sku: str
    change: int
    on: date
    scale: InitVar[int] = 1
    total: int = field(init=False)
    tags: tuple[str, ...] = ()

    def __post_init__(self, scale: int) -> None:
        self.total = self.change * scale


@dataclass
class Shelf(Generic[T]):
    items: list[T] = field(default_factory=list)

    def push(self, item: T) -> int:
        self.items.append(item)
        return len(self.items)


class Warehouse:
    """A plain class with state."""

    def __init__(self, name: str, items: list[StockItem]) -> None:
        self.name = name
        self.items = {item.sku: item for item in items}
        self.log: list[str] = []

    def __getitem__(self, sku: str) -> StockItem:
        return self.items[sku]

    def take(self, sku: str, count: int) -> int:
        item = self.items.get(sku)
        if item is None:
            raise KeyError(sku)
        taken = min(count, item.available)
        item.on_hand -= taken
        self.log.append(f"-{taken} {sku}")
        return count - taken


@action
async def inventory_count(sku: str) -> int:
    record("count", sku)
    return sum(map(ord, sku)) % 17


@action
async def inventory_order(sku: str, count: int, supplier: str = "central") -> str:
    record("order", sku, count, supplier)
    if supplier == "bankrupt":
        raise InventoryError(supplier)
    return f"PO-{sku}-{count}"


@action
def inventory_history(sku: str) -> list[tuple[date, int]]:
    record("history", sku)
    start = date(2024, 1, 29)
    return [(start + timedelta(days=day), (day * len(sku)) % 5 + 1) for day in range(10)]


@action
async def inventory_lock(bin: str) -> bool:
    record("lock", bin)
    return True


@action
async def inventory_unlock(bin: str) -> None:
    record("unlock", bin)


@action(timeout=timedelta(minutes=2))
async def inventory_save(items: list[StockItem]) -> int:
    record("save", [(item.sku, item.on_hand, item.reserved) for item in items])
    return len(items)


def safety_stock(daily: list[int], lead_days: int) -> int:
    if len(daily) < 2:
        return 0
    return math.ceil(1.65 * statistics.stdev(daily) * math.sqrt(lead_days))


def settings_for(sku: str, special: Mapping[str, dict[str, Any]]) -> ChainMap[str, Any]:
    return ChainMap(special.get(sku, {}), DEFAULTS)


def apply(items: dict[str, StockItem], movements: list[Movement], *, on_error: Callable[[Movement], None]) -> None:
    for movement in movements:
        if movement.sku in items:
            items[movement.sku].on_hand += movement.total
        else:
            on_error(movement)


@workflow
class InventoryReserve(Workflow):
    """All or nothing: what was reserved is given back by the same objects."""

    async def run(self, items: list[StockItem], wanted: dict[str, int]) -> dict[str, Any]:
        by_sku = {item.sku: item for item in items}
        done: list[tuple[StockItem, int]] = []
        try:
            for sku, count in wanted.items():
                item = by_sku[sku]
                item.reserve(count)
                done.append((item, count))
        except KeyError as error:
            self._undo(done)
            raise InventoryError(f"unknown article {error}") from error
        except NotEnough as error:
            self._undo(done)
            await inventory_order(error.sku, error.short)
            result: dict[str, Any] = {"code": error.code, "missing": error.short, "text": f"{error}"}
        else:
            result = {"code": "ok", "lines": len(done)}
        finally:
            log.debug("reserved %d lines", len(done))
        result["saved"] = await inventory_save(items)
        result["available"] = [item.available for item in items]
        return result

    @staticmethod
    def _undo(done: list[tuple[StockItem, int]]) -> None:
        while done:
            item, count = done.pop()
            item.reserved -= count


@workflow
class InventoryReplenish(Workflow):
    """Forecasts from history, with statistics and settings in layers."""

    async def run(self, stock: dict[str, int], special: dict[str, dict[str, Any]]) -> dict[str, Any]:
        orders: dict[str, str] = {}
        plan: dict[str, Any] = {}
        for sku, on_hand in stock.items():
            history = await inventory_history(sku)
            daily = [sold for _, sold in history]
            settings = settings_for(sku, special)
            need = statistics.mean(daily) * REORDER_DAYS + max(safety_stock(daily, 7), settings["safety"]) - on_hand
            lots = math.ceil(need / settings["lot"]) if need > 0 else 0
            plan[sku] = {"need": round(need, 3), "lots": lots, "median": statistics.median(daily)}
            if not lots:
                continue
            try:
                orders[sku] = await inventory_order(sku, lots * settings["lot"], supplier=settings["supplier"])
            except InventoryError as error:
                orders[sku] = f"{error.code}: {error}"
        return {"orders": orders, "plan": plan}


@workflow
class InventoryMovements(Workflow):
    """Movements with computed fields; a callback changes a list of the workflow."""

    async def run(self, items: list[StockItem], changes: list[tuple[str, int, int]]) -> dict[str, Any]:
        movements = [Movement(sku, change, date(2024, 1, 1) + timedelta(days=at), scale) for at, (sku, change, scale) in enumerate(changes)]
        unknown: list[Movement] = []
        by_sku = {item.sku: item for item in items}
        apply(by_sku, movements, on_error=unknown.append)
        before = copy.copy(items[0])
        items[0].on_hand += 1000
        totals: Counter[str] = Counter()
        for movement in movements:
            totals[movement.sku] += movement.total
        await inventory_save(items)
        return {
            "unknown": unknown,
            "before": before.on_hand,
            "totals": sorted(totals.items(), key=itemgetter(1), reverse=True),
            "negative": [item for item in items if item.on_hand < 0],
            "latest": max(movements, key=lambda each: each.on).sku,
        }


@workflow
class InventoryCycleCount(Workflow):
    """Counting while a bin is locked; the lock is given back in any case."""

    async def run(self, expected: dict[str, int], tolerance: int = 2) -> dict[str, Any]:
        differences: dict[str, int] = {}
        locked = 0
        for sku, count in expected.items():
            if not await inventory_lock(sku):
                continue
            locked += 1
            try:
                counted = await inventory_count(sku)
                if (difference := counted - count) == 0:
                    continue
                if abs(difference) > tolerance:
                    differences[sku] = difference
                    if difference < -10:
                        raise InventoryError(f"{sku} looks stolen", difference)
                    break
                differences[sku] = difference
            finally:
                await inventory_unlock(sku)
                locked -= 1
        return {"differences": differences, "locked": locked}


@workflow
class InventoryFifo(Workflow):
    """Cost of what is sold, first in first out, with a deque."""

    async def run(self, purchases: list[tuple[int, str]], sales: list[int]) -> dict[str, Any]:
        layers = deque((count, Decimal(cost)) for count, cost in purchases)
        costs: list[Decimal] = []
        for sold in sales:
            cost = Decimal(0)
            while sold and layers:
                count, price = layers.popleft()
                taken = min(count, sold)
                cost += taken * price
                sold -= taken
                if taken < count:
                    layers.appendleft((count - taken, price))
            if sold:
                await inventory_order("fifo", sold)
            costs.append(cost)
        layers.rotate(1)
        return {"costs": costs, "left": list(layers), "value": sum((count * price for count, price in layers), Decimal(0))}


@workflow
class InventoryPickRoute(Workflow):
    """Named tuples, enumerations with fields, flags, zip_longest, products."""

    async def run(self, picks: list[tuple[str, str, int]], flags: list[int]) -> dict[str, Any]:
        bins = {sku: Bin(aisle, shelf) for sku, aisle, shelf in picks}
        ordered = sorted(bins.items(), key=lambda pair: (pair[1].aisle, pair[1].shelf))
        up, down = ordered[::2], ordered[1::2][::-1]
        route = [f"{a[0] if a else '-'}/{b[0] if b else '-'}" for a, b in zip_longest(up, down)]
        marks = [StockFlag(flag) for flag in flags]
        risky = [str(sku) for (sku, _), mark in zip(ordered, marks) if mark & StockFlag.HAZARD]
        sizes = {unit.short: unit.pieces * 2 for unit in Unit}
        grid = ["".join(pair) for pair in product("AB", "12")]
        first = ordered[0][1]
        moved = first._replace(shelf=first.shelf + 1)
        await inventory_lock(f"{moved.aisle}{moved.shelf}")
        return {
            "route": route,
            "risky": risky,
            "sizes": sizes,
            "grid": grid,
            "moved": moved,
            "unit": Unit(("box", 12)),
            "fields": moved._fields,
        }


@workflow
class InventoryTransfer(Workflow):
    """Objects of a plain class, changed by their methods, shared between two names."""

    async def run(self, wanted: list[tuple[str, int]]) -> dict[str, Any]:
        main = Warehouse("main", [StockItem("pen", 10), StockItem("ink", 3, unit=Unit.BOX)])
        reserve = Warehouse("reserve", [StockItem("pen", 100), main["ink"]])
        missing: list[str] = []
        for sku, count in wanted:
            left = count
            for house in (main, reserve):
                with suppress(KeyError):
                    left = house.take(sku, left)
                if not left:
                    break
            else:
                missing.append(f"{left} {sku}")
                await inventory_order(sku, left)
        return {
            "missing": missing,
            "logs": main.log + reserve.log,
            "pens": [main["pen"].on_hand, reserve["pen"].on_hand],
            "shared": main["ink"] is reserve["ink"],
            "ink": reserve["ink"].on_hand,
        }


@workflow
class InventoryCache(Workflow):
    """A cache with a limit on `self`, in an ordered dict."""

    limit = 2

    async def run(self, asked: list[str]) -> dict[str, Any]:
        self.cache: OrderedDict[str, int] = OrderedDict()
        self.hits = self.misses = 0
        found = [await self.count(sku) for sku in asked]
        return {"found": found, "hits": self.hits, "misses": self.misses, "kept": list(self.cache)}

    async def count(self, sku: str) -> int:
        if sku in self.cache:
            self.hits += 1
            self.cache.move_to_end(sku)
            return self.cache[sku]
        self.misses += 1
        self.cache[sku] = await inventory_count(sku)
        if len(self.cache) > self.limit:
            self.cache.popitem(last=False)
        return self.cache[sku]


@workflow
class InventoryShelves(Workflow):
    """Generic classes, aliasing in lists of lists, slices that are assigned."""

    async def run(self, skus: list[str]) -> dict[str, Any]:
        shelf: Shelf[str] = Shelf()
        sizes = [shelf.push(sku) for sku in skus]
        twice = [shelf] * 2
        twice[0].push("extra")
        row = [0] * 3
        grid = [row[:] for _ in range(2)] + [row]
        row[1] = 7
        grid[0][:2] = [1, 2, 3]
        grid[-1] += [9]
        del grid[1][0]
        a, (b, *c) = shelf.items[0], shelf.items
        shelf.items[1:3] = reversed(shelf.items[1:3])
        await inventory_lock(shelf.items[-1])
        return {"sizes": sizes, "items": twice[1].items, "row": row, "grid": grid, "first": (a, b, c), "same": grid[2] is row}


@workflow
class InventorySnapshotDiff(Workflow):
    """Set and dict algebra over two snapshots; urgent ones first by a heap."""

    async def run(self, old: dict[str, int], new: dict[str, int]) -> dict[str, Any]:
        added = new.keys() - old.keys()
        gone = old.keys() - new.keys()
        changed = {sku: (old[sku], new[sku]) for sku in old.keys() & new.keys() if old[sku] != new[sku]}
        merged = old | {sku: count for sku, count in new.items() if count}
        urgent = [(count, sku) for sku, count in merged.items()]
        heapq.heapify(urgent)
        lowest = [heapq.heappop(urgent) for _ in range(min(2, len(urgent)))]
        for count, sku in lowest:
            await inventory_order(sku, 10 - count)
        groups: defaultdict[bool, list[str]] = defaultdict(list)
        for sku in chain(sorted(added), sorted(gone)):
            groups[sku in new].append(sku)
        return {
            "changed": changed,
            "groups": dict(groups),
            "lowest": lowest,
            "same": old.items() <= merged.items(),
            "largest": heapq.nlargest(1, merged.values()),
        }


@workflow
class InventoryExpiry(Workflow):
    """Batches that expire: dates, weeks, quarters; tasks that are shielded and timed out."""

    async def run(self, batches: dict[str, datetime], today: datetime) -> dict[str, Any]:
        expired = sorted(name for name, until in batches.items() if until <= today)
        soon = {
            name: (until - today) // timedelta(hours=12)
            for name, until in batches.items()
            if timedelta(0) < until - today < timedelta(days=3)
        }
        weeks = {name: f"{until.year}-W{until.isocalendar()[1]:02}" for name, until in batches.items()}
        slow = asyncio.create_task(self._write_off(expired))
        try:
            await asyncio.wait_for(asyncio.shield(slow), timeout=0.005)
            when = "at once"
        except asyncio.TimeoutError:
            when = "later"
        written = await slow
        ages = [cast(timedelta, today - until).total_seconds() / 3600 for until in batches.values()]
        return {"expired": expired, "soon": soon, "weeks": weeks, "when": when, "written": written, "oldest": max(ages)}

    async def _write_off(self, names: list[str]) -> list[str]:
        await asyncio.sleep(0.03)
        return [await inventory_order(name, -1) for name in names]


_POLICY = RetryPolicy(attempts=2, backoff=BackoffPolicy(base_delay=0.01, jitter=0))


@workflow
class InventorySuppliers(Workflow):
    """Policies of the module; suppliers are tried in turn; the group of errors is raised with its causes."""

    async def run(self, sku: str, suppliers: tuple[str, ...]) -> str:
        errors: list[Exception] = []
        for supplier in suppliers:
            try:
                return await self.run_action(inventory_order(sku, 5, supplier), retry=_POLICY)
            except InventoryError as error:
                errors.append(error)
        head, *rest = errors or [LookupError("no suppliers")]
        problem = InventoryError(f"{len(errors)} suppliers failed", [str(error) for error in rest])
        raise problem from head


CASES = [
    Case(InventoryReserve, ([StockItem("pen", 10), StockItem("ink", 3, 1)], {"pen": 4, "ink": 2})),
    Case(InventoryReserve, ([StockItem("pen", 10), StockItem("ink", 3, 1)], {"pen": 4, "ink": 5}), name="short"),
    Case(InventoryReserve, ([StockItem("pen", 10)], {"pen": 4, "glue": 5}), name="unknown"),
    Case(InventoryReplenish, ({"pen": 3, "paper": 500, "ink": 0}, {"ink": {"supplier": "bankrupt", "lot": 50}, "pen": {"safety": 40}})),
    Case(
        InventoryMovements, ([StockItem("pen", 5), StockItem("ink", 1)], [("pen", -2, 1), ("ink", -3, 2), ("glue", 1, 1), ("pen", 4, 12)])
    ),
    Case(InventoryCycleCount, ({"pen": 15, "ink": 3, "glue": 1, "paper": 9},)),
    Case(InventoryCycleCount, ({"pen": 15, "ink": 44},), {"tolerance": 0}, name="stolen"),
    Case(InventoryFifo, ([(10, "1.00"), (5, "1.20"), (20, "0.90")], [8, 4, 10])),
    Case(InventoryFifo, ([(1, "2.00")], [3]), name="short"),
    Case(InventoryPickRoute, ([("pen", "B", 2), ("ink", "A", 1), ("glue", "A", 3)], [0, 4, 5])),
    Case(InventoryTransfer, ([("pen", 12), ("ink", 5), ("glue", 1)],)),
    Case(InventoryCache, (["pen", "ink", "pen", "glue", "ink", "pen"],)),
    Case(InventoryShelves, (["pen", "ink", "glue"],)),
    Case(InventorySnapshotDiff, ({"pen": 3, "ink": 1, "glue": 4}, {"pen": 3, "ink": 5, "paper": 2, "tape": 0})),
    Case(
        InventoryExpiry,
        ({"a": datetime(2024, 2, 28), "b": datetime(2024, 3, 2, 13), "c": datetime(2024, 12, 31)}, datetime(2024, 3, 1)),
        concurrent=True,
    ),
    Case(InventorySuppliers, ("pen", ("bankrupt", "central"))),
    Case(InventorySuppliers, ("pen", ("bankrupt", "bankrupt")), name="all_fail"),
    Case(InventorySuppliers, ("pen", ()), name="none"),
]
