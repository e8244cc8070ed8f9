"""Reports: tables, totals, text, calendars, exports."""

from __future__ import annotations

import asyncio
import calendar
import collections
import csv
import dataclasses
import enum
import functools
import io
import json
import logging
import operator
import pprint
import statistics
import string
import textwrap
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from corpus import Case, record
from waymark import Workflow, action, workflow

logger = logging.getLogger("reporting")

MONTHS = [date(2024, month, 1).strftime("%b") for month in range(1, 13)]
ROUNDING = {"cents": 2, "units": 0, "thousands": -3}


class Format(enum.Enum):
    TEXT = "txt"
    CSV = "csv"
    JSON = "json"

    @classmethod
    def guess(cls, name: str) -> Format:
        return cls(name.rpartition(".")[2])


class ReportError(Exception):
    """An error that knows its section."""

    def __init__(self, section: str, *problems: str) -> None:
        super().__init__(section, *problems)
        self.section = section

    @property
    def problems(self) -> tuple[str, ...]:
        return self.args[1:]


class Sale(NamedTuple):
    day: date
    region: str
    product: str
    units: int
    price: Decimal

    @property
    def revenue(self) -> Decimal:
        return self.units * self.price


@dataclasses.dataclass
class Column:
    title: str
    width: int = 8
    align: str = ">"
    render: Callable[[Any], str] | None = None

    def cell(self, value: Any) -> str:
        text = self.render(value) if self.render else str(value)
        return f"{text:{self.align}{self.width}}"


@dataclasses.dataclass
class Section:
    title: str
    lines: list[str] = dataclasses.field(default_factory=list)
    subsections: list[Section] = dataclasses.field(default_factory=list)

    def render(self, depth: int = 1) -> Iterator[str]:
        yield f"{'#' * depth} {self.title}"
        yield from self.lines
        for section in self.subsections:
            yield from section.render(depth + 1)


@action
async def reporting_sales(region: str) -> list[Sale]:
    record("sales", region)
    if region == "nowhere":
        raise ReportError("sales", f"no region {region}", "try north")
    start = date(2024, 1, 30)
    return [
        Sale(start + timedelta(days=at), region, ("pen", "ink", "paper")[at % 3], at * len(region) % 7 + 1, Decimal("1.25") * (at + 1))
        for at in range(5)
    ]


@action
async def reporting_publish(name: str, text: str) -> int:
    record("publish", name, len(text))
    return len(text)


@action
def reporting_target(region: str, quarter: int) -> Decimal:
    record("target", region, quarter)
    return Decimal(len(region) * 10 * quarter)


def percent(part: Decimal, whole: Decimal) -> str:
    return f"{part / whole:.1%}" if whole else "n/a"


def quarter_of(day: date) -> int:
    return (day.month - 1) // 3 + 1


def pivot(sales: Sequence[Sale], row: Callable[[Sale], Any], column: Callable[[Sale], Any]) -> dict[Any, dict[Any, Decimal]]:
    table: dict[Any, dict[Any, Decimal]] = {}
    for sale in sales:
        cells = table.setdefault(row(sale), {})
        cells[column(sale)] = cells.get(column(sale), Decimal(0)) + sale.revenue
    return table


class ReportBase(Workflow):
    """A template method: subclasses say what is in the report."""

    title = "Report"
    footer: str = "-- end --"

    async def run(self, regions: list[str]) -> str:
        lines = [self.heading()]
        for region in regions:
            lines.extend(await self.body(region))
        lines.append(self.footer)
        text = "\n".join(lines)
        await reporting_publish(type(self).__name__, text)
        return text

    def heading(self) -> str:
        return self.title.center(20, "=")

    async def body(self, region: str) -> list[str]:
        return [region]


@workflow
class ReportingPlain(ReportBase):
    pass


@workflow
class ReportingRevenue(ReportBase):
    title = "Revenue"

    async def body(self, region: str) -> list[str]:
        sales = await reporting_sales(region)
        head = await super().body(region)
        return head + [f"{sale.day:%d.%m.} {sale.revenue:>8.2f}" for sale in sales]


@workflow
class ReportingRevenueShort(ReportingRevenue):
    footer = "."

    def heading(self) -> str:
        return super().heading().lower().strip("=")

    async def body(self, region: str) -> list[str]:
        first, *_, last = await super().body(region)
        return [first.upper(), last]


@workflow
class ReportingPivot(Workflow):
    """Regions at the same time; a pivot by lambdas; totals in the margins."""

    async def run(self, regions: list[str]) -> dict[str, Any]:
        sales = [sale for batch in await asyncio.gather(*map(reporting_sales, regions)) for sale in batch]
        table = pivot(sales, lambda sale: sale.region, lambda sale: MONTHS[sale.day.month - 1])
        months = sorted({month for cells in table.values() for month in cells}, key=MONTHS.index)
        margins = {month: sum((cells.get(month, Decimal(0)) for cells in table.values()), Decimal(0)) for month in months}
        whole = sum(margins.values())
        lines = [f"{region:<6}" + "".join(f"{cells.get(month, 0):>9.2f}" for month in months) for region, cells in table.items()]
        await reporting_publish("pivot", "\n".join(lines))
        best = max(sales, key=lambda sale: (sale.revenue, sale.day))
        return {"lines": lines, "shares": {month: percent(margins[month], whole) for month in months}, "best": best}


@workflow
class ReportingTable(Workflow):
    """Columns with functions; rows of different kinds."""

    async def run(self, region: str) -> str:
        sales = await reporting_sales(region)
        columns = [
            Column("day", 6, "<", lambda day: f"{day.day}.{day.month}."),
            Column("product", align="^"),
            Column("revenue", 10, render="{:,.2f}".format),
        ]
        out = ["|".join(column.cell(column.title) if column.render is None else f"{column.title:{column.width}}" for column in columns)]
        for sale in sales:
            values = (sale.day, sale.product, sale.revenue)
            out.append("|".join(column.cell(value) for column, value in zip(columns, values, strict=True)))
        out.append("-" * len(out[-1]))
        text = "\n".join(out)
        await reporting_publish("table", text)
        return text


@workflow
class ReportingExport(Workflow):
    """One report in several formats, by a dict of methods."""

    async def run(self, names: list[str], region: str = "north") -> dict[str, Any]:
        sales = await reporting_sales(region)
        writers = {Format.TEXT: self._text, Format.CSV: self._csv, Format.JSON: self._json}
        sizes: dict[str, int] = {}
        problems: list[str] = []
        for name in names:
            try:
                write = writers[Format.guess(name)]
            except ValueError as error:
                problems.append(str(error))
                continue
            sizes[name] = await reporting_publish(name, write(sales))
        return {"sizes": sizes, "problems": problems, "formats": [each.value for each in Format]}

    def _text(self, sales: list[Sale]) -> str:
        return "\n".join("\t".join(map(str, sale)) for sale in sales)

    def _csv(self, sales: list[Sale]) -> str:
        out = io.StringIO()
        writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(Sale._fields)
        writer.writerows(sales)
        return out.getvalue()

    def _json(self, sales: list[Sale]) -> str:
        return json.dumps([sale._asdict() for sale in sales], default=str, indent=1)


@workflow
class ReportingTargets(Workflow):
    """Errors of sections are collected; the report goes out with what there is, or not at all."""

    async def run(self, regions: list[str], quarter: int, must: int = 1) -> dict[str, Any]:
        reached: dict[str, str] = {}
        errors: list[ReportError] = []
        for region in regions:
            try:
                sales = await reporting_sales(region)
                target = await reporting_target(region, quarter)
                total = sum(sale.revenue for sale in sales if quarter_of(sale.day) == quarter)
                reached[region] = percent(Decimal(total), target)
            except ReportError as error:
                errors.append(error)
            except ZeroDivisionError:
                reached[region] = "∞"
        if len(reached) < must:
            summary = ReportError("targets", *(problem for error in errors for problem in error.problems))
            raise summary from (errors[0] if errors else None)
        return {"reached": reached, "errors": [(error.section, error.problems) for error in errors]}


@workflow
class ReportingTree(Workflow):
    """Sections inside of sections, rendered by a recursive generator."""

    async def run(self, regions: list[str]) -> list[str]:
        root = Section("All")
        for region in regions:
            section = Section(region)
            root.subsections.append(section)
            by_product: dict[str, Section] = {}
            for sale in await reporting_sales(region):
                if sale.product not in by_product:
                    by_product[sale.product] = Section(sale.product)
                    section.subsections.append(by_product[sale.product])
                by_product[sale.product].lines.append(f"- {sale.units} à {sale.price}")
        lines = list(root.render())
        await reporting_publish("tree", "\n".join(lines))
        return lines


@workflow
class ReportingCalendar(Workflow):
    """Weeks, ends of months, working days, ISO weeks, months as text."""

    async def run(self, year: int, month: int) -> dict[str, Any]:
        weeks = calendar.monthcalendar(year, month)
        first, days = calendar.monthrange(year, month)
        working = [day for week in weeks for day in week[:5] if day]
        start = date(year, month, 1)
        last = start.replace(day=days)
        fridays = [start + timedelta(days=offset) for offset in range(days) if (start + timedelta(days=offset)).isoweekday() == 5]
        text = "\n".join(" ".join(f"{day or '':>2}" for day in week) for week in weeks)
        await reporting_publish("calendar", text)
        return {
            "first": first, "working": len(working), "last": last.isoformat(), "fridays": [f"{day:%d}" for day in fridays],
            "week": last.isocalendar()[1], "leap": calendar.isleap(year), "ordinal": last.toordinal() - start.toordinal(), "text": text,
        }  # fmt: skip


@workflow
class ReportingDigest(Workflow):
    """Text is shortened, wrapped, numbered; a template with defaults."""

    async def run(self, items: list[dict[str, Any]], width: int = 28) -> str:
        template = string.Template("$number. $title ($who)")
        out: list[str] = []
        for number, item in enumerate(items, 1):
            title = textwrap.shorten(item["title"], width, placeholder="…")
            line = template.safe_substitute({"title": title, "who": item.get("who", "?")}, number=number)
            out.append(line)
            if body := item.get("body"):
                out += textwrap.wrap(body, width, initial_indent="   ", subsequent_indent="   ")
        text = "\n".join(out)
        await reporting_publish("digest", text)
        return text


@workflow
class ReportingComparison(Workflow):
    """Two periods: changes in percent, ranks, ties; fractions; chained comparisons."""

    async def run(self, before: dict[str, int], after: dict[str, int]) -> dict[str, Any]:
        changes: dict[str, Fraction | None] = {}
        for name in sorted({*before, *after}):
            old, new = before.get(name, 0), after.get(name, 0)
            changes[name] = Fraction(new - old, old) if old else None
        ranked = sorted(after, key=lambda name: (-after[name], name))
        ranks: dict[str, int] = {}
        for at, name in enumerate(ranked, 1):
            previous = ranked[at - 2] if at > 1 else None
            ranks[name] = ranks[previous] if previous is not None and after[previous] == after[name] else at
        steady = [name for name, change in changes.items() if change is not None and Fraction(-1, 10) <= change < Fraction(1, 10)]
        await reporting_publish(
            "comparison",
            ", ".join(f"{name}: {float(change):+.0%}" if change is not None else f"{name}: new" for name, change in changes.items()),
        )
        return {"changes": changes, "ranks": ranks, "steady": steady, "total": sum(filter(None, changes.values()), Fraction(0))}


@workflow
class ReportingMatch(Workflow):
    """Widgets of a dashboard: patterns over classes, tuples and dicts."""

    async def run(self, widgets: list[Any]) -> list[str]:
        out: list[str] = []
        for widget in widgets:
            match widget:
                case Section(title=title, lines=[]) if title.isupper():
                    out.append(f"banner {title}")
                case Section(title, [only]):
                    out.append(f"{title}: {only}")
                case Section(title, [first, *_, last], subsections=[]):
                    out.append(f"{title}: {first} … {last}")
                case Sale(region="north", units=units) | Sale(product="ink", units=units):
                    out.append(f"{units} special")
                case Sale():
                    out.append("sale")
                case {"kind": "number", "value": int(value) | float(value)}:
                    out.append(f"{value:.2f}")
                case {"kind": ("text" | "markdown") as kind, **rest} if rest:
                    out.append(f"{kind} {rest}")
                case [str() as name, (x, y), *more]:
                    out.append(f"{name}@{x},{y}+{len(more)}")
                case None | False:
                    continue
                case str(text):
                    out.append(text)
                case _:
                    out.append(f"? {type(widget).__name__}")
        await reporting_publish("dashboard", "; ".join(out))
        return out


@workflow
class ReportingSchedule(Workflow):
    """When reports go out: local times, days without an hour, the next of several."""

    async def run(self, zones: list[str], day: date, hour: int) -> dict[str, Any]:
        moments = {}
        for zone in zones:
            local = datetime.combine(day, time(hour, 30), tzinfo=ZoneInfo(zone))
            moments[zone] = local.astimezone(timezone.utc)
        order = sorted(moments, key=lambda zone: (moments[zone], zone))
        gaps = [int((moments[later] - moments[earlier]).total_seconds() // 60) for earlier, later in zip(order, order[1:])]
        next_day = {zone: (moments[zone] + timedelta(days=1)).astimezone(ZoneInfo(zone)).strftime("%a %H:%M %z") for zone in order}
        for zone in order:
            await reporting_publish(zone, moments[zone].isoformat())
        return {"order": order, "gaps": gaps, "next": next_day, "first": moments[order[0]]}


@workflow
class ReportingFinally(Workflow):
    """Returns, breaks and errors that pass through several finally clauses."""

    async def run(self, mode: str) -> dict[str, Any]:
        trace: list[str] = []
        try:
            result = await self._inner(mode, trace)
        except ReportError as error:
            trace.append(f"outer {error.section}")
            return {"trace": trace, "context": type(error.__context__).__name__, "cause": type(error.__cause__).__name__}
        finally:
            trace.append("outer finally")
        return {"result": result, "trace": trace}

    async def _inner(self, mode: str, trace: list[str]) -> str:
        for attempt in range(3):
            try:
                try:
                    trace.append(f"try {attempt}")
                    if mode == "return":
                        return await self._publish(mode)
                    if mode == "error":
                        raise KeyError(mode)
                    if mode == "break" and attempt:
                        break
                finally:
                    trace.append("inner finally")
                    if mode == "swallow":
                        return "swallowed"
            except KeyError as error:
                trace.append("caught")
                try:
                    int(mode)
                except ValueError:
                    raise ReportError("inner", mode) from error
            else:
                trace.append("else")
            finally:
                trace.append("middle finally")
        else:
            return "exhausted"
        return "broken out"

    async def _publish(self, mode: str) -> str:
        return f"{await reporting_publish(mode, mode)} published"


@workflow
class ReportingClosures(Workflow):
    """Functions made in loops, generators that are sent around, late binding, defaults that bind early."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        late = [lambda: name for name in names]
        early = [lambda name=name: name for name in names]
        totals: dict[str, int] = {}

        def counter(start: int = 0) -> Callable[..., int]:
            count = start

            def step(*amounts: int, by: int = 1) -> int:
                nonlocal count
                count += sum(amounts) or by
                return count

            return step

        one, ten = counter(), counter(10)
        for name in names:
            totals[name] = one(len(name)) + ten(by=len(names))
            await reporting_publish(name, "x" * one())

        def pairs(items: list[str]) -> Iterator[tuple[int, str]]:
            at = 0
            while at < len(items):
                yield at, items[at]
                at += 2

        walked = dict(pairs(names))
        compose = functools.reduce(lambda f, g: lambda x: g(f(x)), [str.upper, str.strip, len, operator.neg])
        return {
            "late": [f() for f in late],
            "early": [f() for f in early],
            "totals": totals,
            "walked": walked,
            "composed": [compose(name) for name in names],
            "last": one(0),
        }


@workflow
class ReportingLoggedState(Workflow):
    """State on `self` by properties; logging with exceptions; pprint; print."""

    limit: int = 3

    async def run(self, values: list[Any]) -> dict[str, Any]:
        self.problems: dict[str, list[Any]] = collections.defaultdict(list)
        self.total = 0
        for value in values:
            try:
                self.add(value)
            except (TypeError, ValueError):
                logger.exception("bad value %r", value)
                self.problems[type(value).__name__].append(value)
            if self.is_full:
                print("full", self.total)
                break
        text = pprint.pformat(dict(self.problems), width=30)
        await reporting_publish("state", text)
        return {"total": self.total, "problems": dict(self.problems), "left": self.left, "text": text}

    def add(self, value: Any) -> None:
        self.total += int(value)

    @property
    def left(self) -> int:
        return max(0, self.limit - sum(map(len, self.problems.values())))

    @property
    def is_full(self) -> bool:
        return self.left == 0


@workflow
class ReportingHomeZone(Workflow):
    """The zone that most readers live in: zones in variables go to a library."""

    async def run(self, keys: list[str], moment: datetime) -> str:
        zones = [ZoneInfo(key) for key in keys]
        home = statistics.mode(zones)
        local = moment.astimezone(home)
        await reporting_publish(home.key, local.isoformat())
        return f"{local:%H:%M %Z}"


_SALE = Sale(date(2024, 1, 1), "north", "pen", 3, Decimal("1.5"))

CASES = [
    Case(ReportingPlain, (["a", "b"],)),
    Case(ReportingRevenue, (["north"],)),
    Case(ReportingRevenueShort, (["north", "west"],)),
    Case(ReportingRevenueShort, (["nowhere"],), name="fails"),
    Case(ReportingPivot, (["north", "west"],), concurrent=True),
    Case(ReportingTable, ("south",)),
    Case(ReportingExport, (["a.txt", "b.csv", "c.json", "d.pdf", "e"],)),
    Case(ReportingTargets, (["north", "nowhere", "west", ""], 1)),
    Case(ReportingTargets, (["nowhere"], 1), name="nothing"),
    Case(ReportingTargets, ([], 1), name="empty"),
    Case(ReportingCalendar, (2024, 2)),
    Case(
        ReportingDigest, ([{"title": "A very long title that does not fit", "who": "ann"}, {"title": "Short", "body": "some words " * 6}],)
    ),
    Case(ReportingComparison, ({"a": 10, "b": 20, "c": 5}, {"a": 11, "b": 20, "d": 20, "c": 1})),
    Case(
        ReportingMatch,
        (
            [
                Section("TOP"),
                Section("one", ["1"]),
                Section("many", ["1", "2", "3"]),
                Section("sub", ["1", "2"], [Section("x")]),
                _SALE,
                _SALE._replace(region="south"),
                _SALE._replace(region="south", product="ink", units=8),
                {"kind": "number", "value": 3},
                {"kind": "text"},
                {"kind": "markdown", "body": "x"},
                ["map", [1, 2], 3],
                None,
                False,
                0,
                "plain",
            ],
        ),
    ),
    Case(ReportingSchedule, (["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"], date(2024, 3, 30), 2)),
    *[Case(ReportingFinally, (mode,), name=mode) for mode in ("return", "error", "break", "swallow", "plain")],
    Case(ReportingClosures, (["pen", "ink ", "paper"],)),
    Case(ReportingLoggedState, (["1", None, 2.9, "x", [], "4"],)),
    Case(ReportingLoggedState, (["1", True],), name="fine"),
    Case(ReportingTree, (["north", "west"],)),
    Case(ReportingHomeZone, (["UTC", "Europe/Berlin", "Europe/Berlin"], datetime(2024, 7, 1, tzinfo=timezone.utc))),
]
