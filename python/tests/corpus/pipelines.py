"""Data pipelines: extract, transform, load; batches, wide fan-out, checkpoints, children."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import functools
import hashlib
import io
import itertools
import json
import logging
import math
import os.path
import re
import statistics
import struct
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any, Literal, Optional

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from corpus import Case, record
from waymark import RetryPolicy, Workflow, action, workflow

logger = logging.getLogger("pipelines")

BATCH = 3
NAMESPACE = uuid.UUID("12345678-1234-5678-1234-567812345678")


class SchemaError(Exception):
    pass


class BatchFailed(Exception):
    def __init__(self, batch: int, reasons: dict[str, int]) -> None:
        super().__init__(f"batch {batch}: {reasons}")
        self.batch = batch
        self.reasons = reasons


@dataclasses.dataclass
class Checkpoint:
    offset: int = 0
    seen: set[str] = dataclasses.field(default_factory=set)
    errors: list[tuple[int, str]] = dataclasses.field(default_factory=list)

    def advance(self, count: int) -> "Checkpoint":
        self.offset += count
        return self


@dataclasses.dataclass
class Stage:
    name: str
    done: int = 0
    children: list["Stage"] = dataclasses.field(default_factory=list)
    parent: Optional["Stage"] = dataclasses.field(default=None, repr=False, compare=False)

    def add(self, name: str) -> "Stage":
        child = Stage(name, parent=self)
        self.children.append(child)
        return child

    def path(self) -> str:
        return f"{self.parent.path()}/{self.name}" if self.parent else self.name


class Event(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    id: str = Field(alias="eventId")
    kind: Literal["view", "click", "buy"] = "view"
    value: Optional[float] = None
    at: datetime

    @model_validator(mode="after")
    def buys_have_values(self) -> "Event":
        if self.kind == "buy" and self.value is None:
            raise ValueError("a buy has a value")
        return self


@action
async def pipelines_page(source: str, page: int) -> dict[str, Any]:
    record("page", source, page)
    rows = [{"id": f"{source}{page}{at}", "n": page * 10 + at} for at in range(3)]
    return {"rows": rows, "next": page + 1 if page < 2 else None}


@action
async def pipelines_load(table: str, rows: list[Any]) -> int:
    record("load", table, len(rows))
    if any(isinstance(row, dict) and row.get("n") == 13 for row in rows):
        raise BatchFailed(len(rows), {"unlucky": 1})
    return len(rows)


@action
def pipelines_square(number: int) -> int:
    record("square", number)
    if number < 0:
        raise ValueError(f"{number} is negative")
    return number * number


@action(retry=RetryPolicy(attempts=2))
async def pipelines_partition(name: str, keys: list[int]) -> dict[str, float]:
    record("partition", name, keys)
    if not keys:
        raise SchemaError(name)
    return {"count": float(len(keys)), "sum": float(sum(keys)), "squares": float(sum(key * key for key in keys))}


@action
async def pipelines_commit(name: str, offset: int) -> None:
    record("commit", name, offset)


def batched(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(items)
    while batch := list(itertools.islice(iterator, size)):
        yield batch


def fingerprint(row: dict[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(row, sort_keys=True, default=str).encode(), digest_size=4).hexdigest()


def parse_lines(text: str) -> Iterator[tuple[str, Decimal]]:
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        found = re.match(r"\s*(?P<key>\w+)\s*[:=]\s*(?P<value>-?\d+(?:\.\d+)?)", line)
        if found is not None:
            yield found["key"], Decimal(found["value"])


def deep_merge(left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
    merged = dict(left)
    for key, value in right.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = deep_merge(merged[key], value)
        else:
            merged[key] = value
    return merged


@workflow
class PipelinesPaged(Workflow):
    """Pages until there is none; batches are loaded; a bad batch is loaded row by row."""

    async def run(self, source: str) -> dict[str, Any]:
        rows: list[dict[str, Any]] = []
        page: int | None = 0
        while page is not None:
            answer = await pipelines_page(source, page)
            rows += answer["rows"]
            page = answer["next"]
        checkpoint = Checkpoint()
        for number, batch in enumerate(batched(rows, BATCH + 1)):
            try:
                loaded = await pipelines_load("events", batch)
            except BatchFailed as failed:
                checkpoint.errors.append((number, ", ".join(failed.reasons)))
                loaded = 0
                for row in batch:
                    try:
                        loaded += await pipelines_load("events", [row])
                    except BatchFailed:
                        checkpoint.seen.add(row["id"])
            checkpoint.advance(loaded)
            await pipelines_commit(source, checkpoint.offset)
        return {"checkpoint": checkpoint, "rows": len(rows)}


@workflow
class PipelinesDistinct(Workflow):
    """Fingerprints by a helper that only a worker can run; duplicates are counted."""

    async def run(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        seen: dict[str, int] = {}
        unique: list[dict[str, Any]] = []
        for row in rows:
            key = fingerprint(row)
            if key in seen:
                seen[key] += 1
                continue
            seen[key] = 1
            unique.append({**row, "key": key, "uid": str(uuid.uuid5(NAMESPACE, key))[:8]})
        loaded = await pipelines_load("unique", unique)
        return {"loaded": loaded, "repeated": {key: count for key, count in seen.items() if count > 1}, "unique": unique}


@workflow
class PipelinesMapReduce(Workflow):
    """Partitions at the same time, then reduced to one statistic."""

    async def run(self, numbers: list[int], partitions: int) -> dict[str, Any]:
        buckets: dict[int, list[int]] = {bucket: [] for bucket in range(partitions)}
        for number in numbers:
            buckets[number % partitions].append(number)
        parts = await asyncio.gather(*(pipelines_partition(f"p{bucket}", keys) for bucket, keys in buckets.items()), return_exceptions=True)
        good = [part for part in parts if not isinstance(part, Exception)]
        failed = [f"{type(part).__name__}({part})" for part in parts if isinstance(part, SchemaError)]
        total = functools.reduce(lambda left, right: {key: left[key] + right[key] for key in left}, good)
        mean = total["sum"] / total["count"]
        variance = total["squares"] / total["count"] - mean**2
        return {"mean": mean, "deviation": round(math.sqrt(variance), 6), "failed": failed, "check": statistics.fmean(numbers)}


@workflow
class PipelinesWide(Workflow):
    """A few hundred actions; order of results is that of the inputs."""

    async def run(self, count: int) -> dict[str, Any]:
        squares = await asyncio.gather(*[pipelines_square(number) for number in range(count)])
        odd = [square for square in squares if square % 2]
        loaded = await asyncio.gather(*(pipelines_load(f"t{at}", part) for at, part in enumerate(batched(odd, 50))))
        return {"total": sum(squares), "odd": len(odd), "loaded": loaded, "last": squares[-1]}


@workflow
class PipelinesEvents(Workflow):
    """pydantic: aliases, extra fields, validators over the whole model."""

    async def run(self, raw: list[dict[str, Any]]) -> dict[str, Any]:
        good: list[Event] = []
        bad: dict[int, list[str]] = {}
        for at, item in enumerate(raw):
            try:
                good.append(Event.model_validate(item))
            except ValidationError as error:
                bad[at] = sorted({str(detail["type"]) for detail in error.errors()})
        by_kind: dict[str, list[Event]] = {}
        for event in sorted(good, key=lambda each: each.at):
            by_kind.setdefault(event.kind, []).append(event)
        spans = {kind: events[-1].at - events[0].at for kind, events in by_kind.items()}
        revenue = sum(event.value or 0 for event in by_kind.get("buy", []))
        if good:
            good[0].value = 99.5
        await pipelines_load("events", [event.model_dump(mode="json", by_alias=True, exclude_none=True) for event in good])
        return {"bad": bad, "spans": spans, "revenue": revenue, "first": by_kind[good[0].kind][0] is good[0] if good else None}


@workflow
class PipelinesConfig(Workflow):
    """Layers of settings: merged deeply, without changing the layers."""

    async def run(self, layers: list[str], overrides: dict[str, Any]) -> dict[str, Any]:
        base: dict[str, Any] = {}
        for layer in layers:
            for key, value in parse_lines(layer):
                base = deep_merge(base, {key.lower(): {"value": value, "from": len(base)}})
        final = deep_merge(base, overrides)
        final.setdefault("extra", []).append("checked")
        await pipelines_load("config", sorted(final))
        return {"final": final, "base": base, "untouched": "extra" not in base and overrides.get("extra") is final["extra"]}


@workflow
class PipelinesLoadChild(Workflow):
    """The child: it may fail with an exception of its own."""

    async def run(self, table: str, rows: list[int], *, strict: bool = True) -> dict[str, Any]:
        if strict and not rows:
            raise SchemaError(f"{table} is empty")
        squares = [await pipelines_square(row) for row in rows]
        return {"table": table, "sum": sum(squares)}


@workflow
class PipelinesParent(Workflow):
    """Children one after the other and at the same time; what they raise is caught here."""

    async def run(self, tables: dict[str, list[int]]) -> dict[str, Any]:
        sums: dict[str, int] = {}
        failed: dict[str, str] = {}
        for table, rows in tables.items():
            try:
                result = await PipelinesLoadChild().run(table, rows)
            except SchemaError as error:
                failed[table] = str(error)
            except ValueError as error:
                failed[table] = f"value: {error}"
            else:
                sums[table] = result["sum"]
        again = await asyncio.gather(*(PipelinesLoadChild().run(table, [], strict=False) for table in failed))
        return {"sums": sums, "failed": failed, "again": [each["table"] for each in again]}


@workflow
class PipelinesQueue(Workflow):
    """Producer and consumers over a queue, ended by a sentinel."""

    async def run(self, numbers: list[int], consumers: int) -> dict[str, Any]:
        queue: asyncio.Queue[int | None] = asyncio.Queue(maxsize=2)
        results: dict[int, int] = {}
        failures: list[str] = []

        async def produce() -> int:
            for number in numbers:
                await queue.put(number)
            for _ in range(consumers):
                await queue.put(None)
            return len(numbers)

        async def consume() -> int:
            handled = 0
            while (number := await queue.get()) is not None:
                try:
                    results[number] = await pipelines_square(number)
                except ValueError as error:
                    failures.append(str(error))
                finally:
                    handled += 1
                    queue.task_done()
            return handled

        produced, *handled = await asyncio.gather(produce(), *(consume() for _ in range(consumers)))
        return {"produced": produced, "handled": sum(handled), "results": dict(sorted(results.items())), "failures": sorted(failures)}


@workflow
class PipelinesStages(Workflow):
    """A tree whose nodes know their parents: a graph with cycles, changed by methods over awaits."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        root = Stage("root")
        current = root
        for at, name in enumerate(names):
            current = current.add(name) if at % 2 == 0 else root.add(name)
            current.done = await pipelines_square(at)
        assert current.parent is not None
        current.parent.done += 100
        queue = collections.deque([root])
        order: list[tuple[str, int]] = []
        while queue:
            stage = queue.popleft()
            order.append((stage.path(), stage.done))
            queue.extend(stage.children)
        return {"order": order, "cyclic": root.children[0].parent is root, "equal": root == Stage("root", root.done, root.children)}


@workflow
class PipelinesFiles(Workflow):
    """A file in a folder that is gone after the block: all in one worker."""

    async def run(self, lines: list[str]) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "data" / "lines.txt"
            path.parent.mkdir()
            path.write_text("\n".join(lines), encoding="utf-8")
            with path.open() as file:
                numbered = [(number, line.rstrip("\n")) for number, line in enumerate(file, 1) if line.strip()]
            size = path.stat().st_size
            names = sorted(entry.name for entry in path.parent.iterdir())
        await pipelines_load("lines", numbered)
        where = PurePosixPath("/data") / names[0]
        return {"numbered": numbered, "size": size, "stem": where.stem, "suffix": where.suffix, "base": os.path.basename(str(where))}


@workflow
class PipelinesBinary(Workflow):
    """Records of bytes: packed, sliced, unpacked."""

    HEADER = struct.Struct(">HI")

    async def run(self, readings: list[tuple[int, int]]) -> dict[str, Any]:
        buffer = io.BytesIO()
        for sensor, value in readings:
            buffer.write(self.HEADER.pack(sensor, value))
        data = buffer.getvalue()
        await pipelines_load("binary", [len(data)])
        size = self.HEADER.size
        unpacked = [self.HEADER.unpack(data[at : at + size]) for at in range(0, len(data), size)]
        last = int.from_bytes(data[-4:], "big")
        return {"unpacked": unpacked, "last": last, "hex": data[:size].hex(), "view": bytes(reversed(data[:2]))}


@workflow
class PipelinesWatermark(Workflow):
    """Late events: windows of time, with timestamps in several zones."""

    async def run(self, events: list[tuple[str, float]], minutes: int) -> dict[str, Any]:
        width = timedelta(minutes=minutes)
        origin = datetime(2024, 1, 1, tzinfo=timezone.utc)
        windows: dict[datetime, list[float]] = {}
        watermark = origin
        late: list[str] = []
        for text, value in events:
            at = datetime.fromisoformat(text)
            if at.tzinfo is None:
                at = at.replace(tzinfo=timezone.utc)
            if at < watermark - width:
                late.append(f"{at:%H:%M}")
                continue
            watermark = max(watermark, at)
            start = origin + (at - origin) // width * width
            windows.setdefault(start, []).append(value)
        summary = [
            (start.astimezone(timezone.utc).isoformat(), round(statistics.fmean(values), 2)) for start, values in sorted(windows.items())
        ]
        for start, _ in summary:
            await pipelines_commit(start, len(late))
        return {"summary": summary, "late": late, "watermark": watermark}


@workflow
class PipelinesBackfill(Workflow):
    """Days in chunks; a chunk that fails is split until it is one day; recursion over awaits."""

    async def run(self, first: int, last: int, bad: list[int]) -> dict[str, Any]:
        self.bad = frozenset(bad)
        self.calls = 0
        self.deepest = 0
        failed = await self.fill(first, last)
        return {"failed": failed, "calls": self.calls, "deepest": self.deepest}

    async def fill(self, first: int, last: int, depth: int = 0) -> list[int]:
        self.calls += 1
        self.deepest = max(self.deepest, depth)
        days = [-day if day in self.bad else day for day in range(first, last + 1)]
        try:
            for day in days:
                await pipelines_square(day)
        except ValueError:
            if first == last:
                return [first]
            middle = (first + last) // 2
            return [*await self.fill(first, middle, depth + 1), *await self.fill(middle + 1, last, depth + 1)]
        return []


CASES = [
    Case(PipelinesPaged, ("s",)),
    Case(PipelinesDistinct, ([{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "b": "2"}, {"a": 1, "b": 2}],)),
    Case(PipelinesMapReduce, ([1, 2, 3, 4, 5, 7, 10, 11], 3), concurrent=True),
    Case(PipelinesMapReduce, ([3, 6, 9], 3), name="empty_partitions", concurrent=True),
    Case(PipelinesWide, (200,), concurrent=True),
    Case(
        PipelinesEvents,
        (
            [
                {"eventId": "a", "at": "2024-01-01T10:00:00Z"},
                {"id": "b", "kind": "buy", "value": 12.5, "at": "2024-01-01T12:30:00+02:00"},
                {"eventId": "c", "kind": "buy", "at": "2024-01-01T10:00:00Z"},
                {"eventId": "d", "kind": "hover", "at": "yesterday", "colour": 1},
                {"eventId": "e", "at": "2024-01-01T09:00:00Z"},
            ],
        ),
    ),
    Case(PipelinesConfig, (["# base\nHost: 1\nport = 80", "PORT=8080\nbroken line\nratio: -0.5"], {"port": {"value": 1}, "extra": ["x"]})),
    Case(PipelinesConfig, ([], {}), name="empty"),
    Case(PipelinesParent, ({"a": [1, 2], "b": [], "c": [3, -1]},), concurrent=True),
    Case(PipelinesLoadChild, ("solo", [4])),
    Case(PipelinesQueue, ([3, 1, -2, 5, 4], 2), concurrent=True),
    Case(PipelinesStages, (["a", "b", "c", "d"],)),
    Case(PipelinesFiles, (["one", "", "zwei ä"],)),
    Case(PipelinesBinary, ([(1, 500), (2, 70000)],)),
    Case(
        PipelinesWatermark,
        (
            [
                ("2024-01-01T00:03:00+00:00", 1.0),
                ("2024-01-01T01:14:00+01:00", 2.0),
                ("2024-01-01T00:41:00", 5.5),
                ("2024-01-01T00:05:00", 3.0),
            ],
            10,
        ),
    ),
    Case(PipelinesBackfill, (1, 8, [3, 8])),
    Case(PipelinesBackfill, (1, 3, []), name="fine"),
]
