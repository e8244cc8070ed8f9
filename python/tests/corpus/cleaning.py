"""Cleaning of CSV, JSON and text: much of it runs in workers between the awaits."""

from __future__ import annotations

import asyncio
import base64
import collections
import contextlib
import csv
import dataclasses
import difflib
import hashlib
import html
import io
import itertools
import json
import operator
import re
import string
import unicodedata
import urllib.parse
import zlib
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, TypedDict

from corpus import Case, record
from waymark import Workflow, action, workflow

EMAIL = re.compile(r"^[\w.+-]+@[\w-]+\.[\w.]+$")
DATE_FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y")
ALIASES = {"e-mail": "email", "mail": "email", "full name": "name", "dob": "born"}


class RowError(ValueError):
    def __init__(self, line: int, column: str, value: object) -> None:
        super().__init__(f"line {line}: {column} is {value!r}")
        self.line, self.column, self.value = line, column, value


class TooManyErrors(Exception):
    def __init__(self, errors: list[RowError]) -> None:
        super().__init__(f"{len(errors)} rows are wrong")
        self.errors = errors


class Contact(TypedDict):
    name: str
    email: str


@dataclasses.dataclass
class Person:
    name: str
    email: str
    born: date | None = None
    tags: set[str] = dataclasses.field(default_factory=set)


@action
async def cleaning_store(table: str, rows: list[Any]) -> int:
    record("store", table, len(rows))
    return len(rows)


@action
async def cleaning_fetch(name: str) -> str:
    record("fetch", name)
    return {
        "people": "Name;E-Mail;DOB\n Ann ;ann@x.org;1990-02-01\nBob;bob(at)x.org;01.03.1985\n;c@x.org;\n",
        "sales": 'day,sku,amount\n2024-01-01,pen,"1,200.50"\n2024-01-01,ink,3\n2024-01-02,pen,oops\n',
        "empty": "day,sku,amount\n",
    }[name]


@action
def cleaning_reject(line: int, why: str) -> None:
    record("reject", line, why)


def parse_date(text: str) -> date | None:
    for form in DATE_FORMATS:
        with contextlib.suppress(ValueError):
            return datetime.strptime(text, form).date()
    return None


def slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def as_amount(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def windows(items: list[Any], size: int) -> Iterator[tuple[Any, ...]]:
    for at in range(len(items) - size + 1):
        yield tuple(items[at : at + size])


@workflow
class CleaningContacts(Workflow):
    """A file with odd headers: renamed, checked line by line, the good ones are kept."""

    async def run(self, source: str) -> dict[str, Any]:
        text = await cleaning_fetch(source)
        reader = csv.reader(io.StringIO(text), delimiter=";")
        header = [ALIASES.get(column.strip().lower(), column.strip().lower()) for column in next(reader)]
        people: list[Person] = []
        for number, values in enumerate(reader, start=2):
            row = dict(zip(header, map(str.strip, values)))
            try:
                people.append(self._person(number, row))
            except RowError as error:
                await cleaning_reject(error.line, str(error))
        stored = await cleaning_store("people", people)
        return {"stored": stored, "people": people}

    def _person(self, number: int, row: dict[str, str]) -> Person:
        if not row.get("name"):
            raise RowError(number, "name", row.get("name"))
        if not EMAIL.match(row["email"]):
            raise RowError(number, "email", row["email"])
        return Person(row["name"], row["email"].lower(), parse_date(row.get("born", "")), {slug(row["name"])})


@workflow
class CleaningSales(Workflow):
    """What was counted before a bad row is told, not lost."""

    async def run(self, source: str, strict: bool = False) -> dict[str, Any]:
        text = await cleaning_fetch(source)
        total = Decimal(0)
        good = 0
        row: dict[str, str] | None = None
        status = "started"
        try:
            for row in csv.DictReader(io.StringIO(text)):
                total += as_amount(row["amount"])
                good += 1
            status = "complete"
        except InvalidOperation as error:
            status = f"stopped at {row['sku'] if row else None}"
            if strict:
                raise RowError(good + 2, "amount", row["amount"] if row else None) from error
        finally:
            await cleaning_store(status, [str(total)] * good)
        return {"total": total, "good": good, "status": status, "last": row}


@workflow
class CleaningLastRow(Workflow):
    """A variable that only a loop assigns."""

    async def run(self, source: str) -> str:
        text = await cleaning_fetch(source)
        for number, row in enumerate(csv.reader(io.StringIO(text)), start=1):
            if number == 1:
                continue
            newest = row[0]
        try:
            return f"{number} lines, newest {newest}"
        except NameError as error:
            await cleaning_reject(number, type(error).__name__)
            return "no rows"


@workflow
class CleaningDedupe(Workflow):
    """Duplicates by a fingerprint; the first stays and collects the tags of the rest."""

    async def run(self, people: list[Person]) -> dict[str, Any]:
        first: dict[str, Person] = {}
        dropped: list[tuple[str, str]] = []
        for person in people:
            fingerprint = hashlib.md5(f"{slug(person.name)}|{person.email.casefold()}".encode()).hexdigest()
            known = first.setdefault(fingerprint, person)
            if known is person:
                continue
            known.tags |= person.tags
            known.born = known.born or person.born
            dropped.append((person.name, fingerprint[:6]))
        kept = list(first.values())
        await cleaning_store("people", kept)
        assert kept[0] is people[0]
        return {"kept": kept, "dropped": dropped, "oldest": min((each.born for each in kept if each.born), default=None)}


@workflow
class CleaningFlatten(Workflow):
    """Nested JSON becomes flat rows, with a recursive helper inside."""

    async def run(self, documents: list[str], separator: str = ".") -> dict[str, Any]:
        def flatten(value: Any, prefix: str = "") -> dict[str, Any]:
            if isinstance(value, dict):
                found: dict[str, Any] = {}
                for key, inner in value.items():
                    found.update(flatten(inner, f"{prefix}{separator}{key}" if prefix else key))
                return found
            if isinstance(value, list):
                return {key: inner for at, each in enumerate(value) for key, inner in flatten(each, f"{prefix}[{at}]").items()}
            return {prefix: value}

        rows: list[dict[str, Any]] = []
        broken: list[tuple[int, str, int]] = []
        for at, document in enumerate(documents):
            try:
                parsed = json.loads(document, parse_float=Decimal)
            except json.JSONDecodeError as error:
                broken.append((at, error.msg, error.pos))
            else:
                rows.append(flatten(parsed))
        columns = sorted(set().union(*rows))
        await cleaning_store("flat", columns)
        return {"columns": columns, "matrix": [[row.get(column) for column in columns] for row in rows], "broken": broken}


@workflow
class CleaningUrls(Workflow):
    """URLs are made canonical: library calls whose results have attributes."""

    TRACKING = frozenset({"utm_source", "utm_medium", "ref"})

    async def run(self, urls: list[str]) -> dict[str, list[str]]:
        by_host: dict[str, list[str]] = {}
        for url in urls:
            parts = urllib.parse.urlsplit(url.strip())
            if parts.scheme not in ("http", "https"):
                await cleaning_reject(len(by_host), parts.scheme or "no scheme")
                continue
            query = [(key, value) for key, value in urllib.parse.parse_qsl(parts.query) if key not in self.TRACKING]
            clean = parts._replace(query=urllib.parse.urlencode(sorted(query)), fragment="", netloc=parts.netloc.lower())
            by_host.setdefault(parts.hostname or "", []).append(clean.geturl())
        for host in by_host:
            by_host[host].sort()
        await cleaning_store("urls", [each for urls in by_host.values() for each in urls])
        return by_host


@workflow
class CleaningSchemaDrift(Workflow):
    """Columns that are spelled almost right are matched; what is left over is said."""

    EXPECTED = ["customer_id", "order_date", "amount", "currency"]

    async def run(self, header: list[str]) -> dict[str, Any]:
        mapping: dict[str, str] = {}
        unknown: list[str] = []
        for column in header:
            near = difflib.get_close_matches(column.lower().replace(" ", "_"), self.EXPECTED, n=1, cutoff=0.75)
            match near:
                case [one] if one not in mapping.values():
                    mapping[column] = one
                case [one]:
                    unknown.append(f"{column} (also {one})")
                case []:
                    unknown.append(column)
        missing = [name for name in self.EXPECTED if name not in mapping.values()]
        if missing and len(missing) > len(self.EXPECTED) // 2:
            raise TooManyErrors([RowError(1, name, None) for name in missing])
        await cleaning_store("mapping", list(mapping.items()))
        return {"mapping": mapping, "unknown": unknown, "missing": missing}


@workflow
class CleaningHtml(Workflow):
    """Text out of markup, with a translation table and counters."""

    async def run(self, pages: dict[str, str], top: int = 3) -> dict[str, Any]:
        words: collections.Counter[str] = collections.Counter()
        titles: dict[str, str] = {}
        table = str.maketrans("", "", string.punctuation)
        for name, page in sorted(pages.items()):
            if found := re.search(r"<title>(.*?)</title>", page, re.S):
                titles[name] = html.unescape(found.group(1)).strip()
            text = html.unescape(re.sub(r"<[^>]+>", " ", page))
            words.update(text.translate(table).lower().split())
            await cleaning_store(name, text.split())
        del words["a"]
        return {"titles": titles, "top": words.most_common(top), "total": sum(words.values()), "distinct": len(words)}


@workflow
class CleaningPack(Workflow):
    """Bytes: compressed, encoded, checked."""

    async def run(self, lines: list[str]) -> dict[str, Any]:
        payload = "\n".join(lines).encode("utf-8")
        packed = base64.b64encode(zlib.compress(payload, 9)).decode("ascii")
        checksum = zlib.crc32(payload) & 0xFFFFFFFF
        await cleaning_store("packed", [checksum])
        unpacked = zlib.decompress(base64.b64decode(packed))
        return {
            "same": unpacked == payload,
            "checksum": f"{checksum:08x}",
            "head": unpacked[:4].hex(" "),
            "smaller": len(packed) < len(payload),
            "lines": [line.decode() for line in unpacked.splitlines()][-1],
        }


@workflow
class CleaningPipeline(Workflow):
    """Steps as functions in a list: partials, lambdas, methods of str."""

    async def run(self, values: list[str], limit: int) -> list[str]:
        steps: list[Callable[[str], str]] = [
            str.strip,
            lambda value: value[:limit],
            lambda value: re.sub(r"\s+", " ", value),
            str.title,
        ]
        cleaned = []
        for value in values:
            for step in steps:
                value = step(value)
            if value:
                cleaned.append(value)
        pad = partial(str.ljust, fillchar=".") if False else None
        await cleaning_store("steps", cleaned)
        return [value.ljust(limit, ".") for value in cleaned] if pad is None else cleaned


@workflow
class CleaningWriteCsv(Workflow):
    """A file is written in memory: a writer and its buffer never leave the worker."""

    async def run(self, people: list[Person], fields: list[str]) -> str:
        buffer = io.StringIO()
        writer = csv.DictWriter(buffer, fieldnames=fields, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for person in sorted(people, key=operator.attrgetter("email")):
            row = dataclasses.asdict(person)
            row["tags"] = "|".join(sorted(person.tags))
            writer.writerow(row)
        text = buffer.getvalue()
        await cleaning_store("csv", text.splitlines())
        return text


@workflow
class CleaningWindows(Workflow):
    """Generators of the module, itertools, pairs and runs."""

    async def run(self, numbers: list[int]) -> dict[str, Any]:
        averages = [sum(window) / len(window) for window in windows(numbers, 3)]
        runs = [(key, len(list(group))) for key, group in itertools.groupby(numbers, key=lambda number: number % 2 == 0)]
        steps = [later - earlier for earlier, later in zip(numbers, itertools.islice(numbers, 1, None))]
        running = list(itertools.accumulate(numbers, max))
        await cleaning_store("windows", averages)
        pairs = list(itertools.combinations(sorted(set(numbers))[:3], 2))
        return {"averages": averages, "runs": runs, "steps": steps, "running": running, "pairs": pairs}


@workflow
class CleaningWideFanOut(Workflow):
    """Many small loads, a few at a time, errors collected by kind."""

    async def run(self, sources: list[str], at_once: int) -> dict[str, Any]:
        gate = asyncio.Semaphore(at_once)
        errors: dict[str, list[str]] = collections.defaultdict(list)
        sizes: dict[str, int] = {}

        async def load(source: str) -> None:
            async with gate:
                try:
                    text = await cleaning_fetch(source)
                except KeyError as error:
                    errors[type(error).__name__].append(source)
                    return
                rows = list(csv.reader(io.StringIO(text)))
                sizes[source] = len(rows)

        await asyncio.gather(*(load(source) for source in sources))
        return {"sizes": dict(sorted(sizes.items())), "errors": {kind: sorted(names) for kind, names in errors.items()}}


@workflow
class CleaningSuppress(Workflow):
    """What a suppressed error leaves half done stays."""

    async def run(self, texts: list[str]) -> dict[str, Any]:
        parsed: list[int] = []
        position = -1
        with contextlib.suppress(ValueError):
            for position, text in enumerate(re.split(r"[;,]", ";".join(texts))):
                parsed.append(int(text))
        await cleaning_store("parsed", parsed)
        return {"parsed": parsed, "position": position}


_PEOPLE = [
    Person("Zoë Müller", "Zoe@x.org", None, {"vip"}),
    Person("Ann", "ann@x.org", date(1990, 2, 1)),
    Person("zoe  muller", "zoe@X.org", date(1980, 1, 1), {"new"}),
]

CASES = [
    Case(CleaningContacts, ("people",)),
    Case(CleaningSales, ("sales",)),
    Case(CleaningSales, ("sales", True), name="strict"),
    Case(CleaningSales, ("empty",), name="empty"),
    Case(CleaningLastRow, ("sales",)),
    Case(CleaningLastRow, ("empty",), name="empty"),
    Case(CleaningDedupe, (_PEOPLE,)),
    Case(CleaningFlatten, (['{"a": {"b": [1, {"c": 2.50}]}, "d": null}', '{"a": {"b": []}, "d": "x"}', '{"a": ', "7"],)),
    Case(
        CleaningUrls,
        (["https://X.org/b?z=1&utm_source=m&a=2#top", " http://y.org/?ref=1", "ftp://z.org/file", "https://x.org/a", "nonsense"],),
    ),
    Case(CleaningSchemaDrift, (["Customer ID", "orderdate", "amount", "Amounts", "colour"],)),
    Case(CleaningSchemaDrift, (["x", "y", "amount"],), name="too_many"),
    Case(CleaningHtml, ({"b": "<title>B &amp; C</title><p>A dog, a cat.</p>", "a": "<p>Cat!<br>Dog?</p> cat"},)),
    Case(CleaningPack, ([f"line {at} ä" for at in range(40)],)),
    Case(CleaningPipeline, (["  hello   world and more", "", "  x "], 14)),
    Case(CleaningWriteCsv, (_PEOPLE, ["name", "email", "tags"])),
    Case(CleaningWindows, ([3, 5, 4, 8, 8, 1, 9],)),
    Case(CleaningWideFanOut, (["people", "sales", "gone", "empty", "lost"], 2), concurrent=True),
    Case(CleaningSuppress, (["1;2", "3", "x", "5"],)),
    Case(CleaningSuppress, (["1;2"],), name="fine"),
]
