"""Scheduling and calendars: zones, daylight saving, recurrences, slots."""

from __future__ import annotations

import asyncio
import calendar
import dataclasses
import datetime as dt
import enum
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from corpus import Case, record
from corpus.deployments import ENVIRONMENTS
from waymark import Workflow, action, workflow

UTC = timezone.utc
BERLIN = ZoneInfo("Europe/Berlin")
OFFICE = (time(9), time(17, 30))
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Weekday(enum.IntEnum):
    MONDAY = 0
    TUESDAY = 1
    WEDNESDAY = 2
    THURSDAY = 3
    FRIDAY = 4
    SATURDAY = 5
    SUNDAY = 6

    @property
    def is_weekend(self) -> bool:
        return self >= Weekday.SATURDAY


@dataclasses.dataclass(frozen=True, order=True)
class Slot:
    start: datetime
    end: datetime
    owner: str = dataclasses.field(default="", compare=False)

    def overlaps(self, other: Slot) -> bool:
        return self.start < other.end and other.start < self.end

    @property
    def minutes(self) -> int:
        return int((self.end - self.start).total_seconds() // 60)

    def __contains__(self, moment: datetime) -> bool:
        return self.start <= moment < self.end


class Conflict(Exception):
    def __init__(self, wanted: Slot, taken: list[Slot]) -> None:
        super().__init__(f"{wanted.owner} meets {', '.join(slot.owner for slot in taken)}")
        self.wanted = wanted
        self.taken = taken


@action
async def invite(who: str, when: datetime, /, *, minutes: int = 30) -> str:
    record("invite", who, when.isoformat(), minutes)
    return f"{who}@{when:%H:%M}"


@action
async def remind(who: str, after: timedelta) -> float:
    record("remind", who, after.total_seconds())
    return after / timedelta(minutes=1)


def parse_duration(text: str) -> timedelta:
    parts = re.findall(r"(\d+)([smhd])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError(f"not a duration: {text!r}")
    return timedelta(seconds=sum(int(number) * UNITS[unit] for number, unit in parts))


def every(start: datetime, step: timedelta) -> Iterator[datetime]:
    """Without an end."""
    while True:
        yield start
        start += step


@workflow
class BookMeeting(Workflow):
    """First free slot among the calendars of all, within office hours."""

    async def run(self, day: date, people: dict[str, list[Slot]], minutes: int = 45) -> dict[str, object]:
        opening, closing = (datetime.combine(day, at, tzinfo=UTC) for at in OFFICE)
        busy = sorted(slot for slots in people.values() for slot in slots)
        at = opening
        tries = 0
        while (end := at + timedelta(minutes=minutes)) <= closing:
            tries += 1
            wanted = Slot(at, end, "new")
            clashes = [slot for slot in busy if slot.overlaps(wanted)]
            if not clashes:
                break
            at = max(slot.end for slot in clashes)
        else:
            return {"booked": None, "tries": tries}
        sent = [await invite(who, at, minutes=minutes) for who in sorted(people)]
        return {"booked": at, "sent": sent, "tries": tries, "inside": at in wanted, "minutes": wanted.minutes}


@workflow
class DaylightSaving(Workflow):
    """Wall clock against elapsed time around the changes of a zone."""

    async def run(self, zone: str, days: list[date]) -> list[str]:
        tz = ZoneInfo(zone)
        lines = []
        for day in days:
            noon = datetime.combine(day, time(12), tz)
            after = noon + timedelta(days=1)
            elapsed = after.astimezone(UTC) - noon.astimezone(UTC)
            lines.append(f"{day:%d.%m.} {noon.utcoffset()} {noon.tzname()} {elapsed}")
            if elapsed != timedelta(days=1):
                await remind(zone, elapsed)
        fold = datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN)
        later = fold.replace(fold=1)
        lines.append(f"{fold.utcoffset()} {later.utcoffset()} {later.astimezone(UTC) - fold.astimezone(UTC)}")
        return lines


@workflow
class RecurringEvents(Workflow):
    """Third Friday of every month, by arithmetic and by the calendar module: both must agree."""

    async def run(self, year: int, weekday: int, number: int) -> dict[str, object]:
        found: list[date] = []
        for month in range(1, 13):
            first = date(year, month, 1)
            offset = (weekday - first.weekday()) % 7
            found.append(first + timedelta(days=offset + 7 * (number - 1)))
        weeks = [calendar.monthcalendar(year, month) for month in range(1, 13)]
        same = [[week[weekday] for week in month if week[weekday]][number - 1] for month in weeks]
        assert [day.day for day in found] == same, (found, same)
        for day in found[:2]:
            await remind(Weekday(day.weekday()).name.title(), day - date(year, 1, 1))
        return {"days": found, "name": Weekday(weekday).name, "weekend": Weekday(weekday).is_weekend, "leap": calendar.isleap(year)}


@workflow
class ParseDurations(Workflow):
    async def run(self, texts: list[str]) -> dict[str, object]:
        good: dict[str, timedelta] = {}
        bad: list[str] = []
        for text in texts:
            try:
                good[text] = parse_duration(text)
            except ValueError as error:
                bad.append(str(error))
            else:
                if good[text] > timedelta(hours=1):
                    await remind(text, good[text])
        total = sum(good.values(), timedelta())
        hours, rest = divmod(int(total.total_seconds()), 3600)
        return {
            "total": f"{hours}:{rest // 60:02d}:{rest % 60:02d}",
            "bad": bad,
            "mean": total / (len(good) or 1),
            "ratio": total // timedelta(minutes=7),
        }


@workflow
class CronPreview(Workflow):
    """A small cron: sets of minutes and hours, and the next times."""

    async def run(self, expression: str, start: datetime, count: int = 4) -> list[str]:
        minutes, hours, weekdays = (self.field(part, size) for part, size in zip(expression.split(), (60, 24, 7)))
        found: list[datetime] = []
        at = start.replace(second=0, microsecond=0)
        while len(found) < count:
            at += timedelta(minutes=1)
            if at.minute in minutes and at.hour in hours and at.weekday() in weekdays:
                found.append(at)
            elif at - start > timedelta(days=8):
                raise LookupError(f"{expression!r} never comes")
        for when in found[:1]:
            await invite("cron", when)
        return [f"{when:%a %d %b %H:%M}" for when in found]

    @staticmethod
    def field(part: str, size: int) -> set[int]:
        chosen: set[int] = set()
        for piece in part.split(","):
            span, _, step = piece.partition("/")
            low, _, high = span.partition("-")
            if span == "*":
                low, high = "0", str(size - 1)
            chosen.update(range(int(low), int(high or low) + 1, int(step or 1)))
        return chosen


@workflow
class MergeBusyTimes(Workflow):
    """Intervals merged; gaps found; sorted by two keys with stability."""

    async def run(self, slots: list[Slot]) -> dict[str, object]:
        merged: list[Slot] = []
        for slot in sorted(slots):
            if merged and slot.start <= merged[-1].end:
                last = merged.pop()
                merged.append(dataclasses.replace(last, end=max(last.end, slot.end), owner=f"{last.owner}+{slot.owner}"))
            else:
                merged.append(slot)
        gaps = [after.start - before.end for before, after in zip(merged, merged[1:])]
        by_length = sorted(slots, key=lambda slot: slot.minutes, reverse=True)
        longest = max(gaps, default=timedelta())
        if longest:
            await remind("gap", longest)
        return {
            "merged": [(slot.owner, slot.minutes) for slot in merged],
            "gaps": gaps,
            "order": [slot.owner for slot in by_length],
            "same": slots[0] == dataclasses.replace(slots[0], owner="someone"),
        }


@workflow
class OfficeHours(Workflow):
    """One moment in many zones; who is at work."""

    async def run(self, moment: datetime, zones: dict[str, str]) -> dict[str, object]:
        local = {who: moment.astimezone(ZoneInfo(zone)) for who, zone in zones.items()}
        awake = {who for who, at in local.items() if OFFICE[0] <= at.time() < OFFICE[1] and at.isoweekday() <= 5}
        for who in sorted(awake):
            await invite(who, local[who])
        table = "\n".join(f"{who:<8}{at:%Y-%m-%d %H:%M %z}" for who, at in sorted(local.items(), key=lambda item: item[1].utcoffset()))
        earliest, *_, latest = sorted(local.values(), key=lambda at: at.replace(tzinfo=None))
        return {"awake": awake, "table": table, "apart": latest.utcoffset() - earliest.utcoffset(), "same": earliest == latest}


@workflow
class Reminders(Workflow):
    """Sleeps until moments, the instance's clock only by differences; an endless generator cut short."""

    async def run(self, start: datetime, names: list[str]) -> dict[str, object]:
        began = datetime.now(UTC)
        sent: list[str] = []
        for name, when in zip(names, every(start, timedelta(minutes=90))):
            await asyncio.sleep(0.01)
            sent.append(await invite(name, when, minutes=10 + len(name)))
        took = datetime.now(UTC) - began
        first_days = {when.date() for when, _ in zip(every(start, timedelta(hours=20)), range(5))}
        return {"sent": sent, "took": timedelta() < took < timedelta(minutes=1), "days": sorted(first_days), "last": ENVIRONMENTS[-1]}


@workflow
class ShiftPlan(Workflow):
    """Round robin with swaps; star-unpacking of every kind; ISO weeks."""

    async def run(self, first: date, crew: list[str], weeks: int, /, *swaps: tuple[int, str], spare: str = "zoe") -> dict[str, object]:
        plan: dict[tuple[int, int], str] = {}
        head, *rest = crew
        for week in range(weeks):
            day = first + timedelta(weeks=week)
            year, number, _ = day.isocalendar()
            plan[year, number] = head
            rest, head = [*rest[1:], head], rest[0]
        for number, who in swaps:
            keys = [key for key in plan if key[1] == number]
            if not keys:
                raise KeyError(number)
            (key,) = keys
            plan[key], spare = who or spare, plan[key]
        counts = {who: sum(each == who for each in plan.values()) for who in {*crew, *plan.values()}}
        (first_key, first_name), *_ = plan.items()
        await remind(first_name, timedelta(days=first_key[1]))
        return {
            "plan": plan,
            "counts": dict(sorted(counts.items())),
            "spare": spare,
            "busiest": min(counts, key=lambda who: (-counts[who], who)),
        }


@workflow
class Ages(Workflow):
    """Formats in and out: strptime, isoformat, timestamps, ordinals."""

    async def run(self, births: Iterable[str], today: date) -> list[str]:
        lines = []
        for text in births:
            for pattern in ("%Y-%m-%d", "%d.%m.%Y", "%B %d, %Y"):
                try:
                    born = dt.datetime.strptime(text, pattern).date()
                except ValueError:
                    continue
                break
            else:
                lines.append(f"{text!r} is no date")
                continue
            age = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
            try:
                birthday = born.replace(year=today.year)
            except ValueError:
                birthday = date(today.year, 3, 1)
            if birthday == today:
                await invite(text, datetime.combine(today, time.min))
            lines.append(f"{age} {birthday:%j} {(birthday - today).days:+d} {born.toordinal() % 7} {born.isoformat()}")
        return lines


def _at(hour: float, day: int = 4) -> datetime:
    return datetime(2024, 3, day, tzinfo=UTC) + timedelta(hours=hour)


_SLOTS = [Slot(_at(9), _at(10), "a"), Slot(_at(9.5), _at(10.75), "b"), Slot(_at(13), _at(14), "c"), Slot(_at(14), _at(15), "d")]
CASES = [
    Case(BookMeeting, (date(2024, 3, 4), {"ann": [Slot(_at(8), _at(17), "all day")]}), name="full"),
    Case(DaylightSaving, ("Europe/Berlin", [date(2024, 3, 30), date(2024, 6, 1), date(2024, 10, 26)])),
    Case(DaylightSaving, ("America/New_York", [date(2024, 3, 9)]), name="new_york"),
    Case(RecurringEvents, (2024, 4, 3)),
    Case(ParseDurations, (["1h30m", "45s", "2d", "x", "3mm"],)),
    Case(ParseDurations, ([],), name="none"),
    Case(CronPreview, ("0,30 9-17/4 0-4", datetime(2024, 3, 8, 12, tzinfo=UTC))),
    Case(CronPreview, ("5 3 9", datetime(2024, 3, 8, 12)), name="never"),
    Case(MergeBusyTimes, (_SLOTS,)),
    Case(
        OfficeHours,
        (
            datetime(2024, 3, 15, 14, tzinfo=UTC),
            {"ann": "Europe/Berlin", "bob": "America/Los_Angeles", "cho": "Asia/Seoul", "dev": "Asia/Kolkata"},
        ),
    ),
    Case(Reminders, (_at(9), ["ann", "bob"])),
    Case(ShiftPlan, (date(2024, 12, 16), ["ann", "bob", "cat"], 5, (1, "dan"), (52, ""))),
    Case(ShiftPlan, (date(2024, 12, 16), ["ann", "bob"], 1, (9, "dan")), name="no_week"),
    Case(Ages, (["2000-02-29", "04.03.1990", "July 4, 1976", "soon"], date(2023, 3, 4))),
    Case(BookMeeting, (date(2024, 3, 4), {"ann": [_SLOTS[0]], "bob": [_SLOTS[1], _SLOTS[2]]})),
]
