"""Agents that answer in a structure: pydantic models, nested, generic, with aliases, validators and what they refuse."""

from __future__ import annotations

import asyncio
import enum
import json
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any, Generic, Literal, Optional, TypeVar, Union

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    computed_field,
    create_model,
    field_validator,
    model_validator,
)

from corpus import Case, record
from waymark import Workflow, action, workflow

T = TypeVar("T")


class Severity(enum.Enum):
    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Address(BaseModel):
    street: str
    city: str = "Berlin"
    zip_code: Optional[str] = Field(default=None, alias="zipCode")

    model_config = ConfigDict(populate_by_name=True)


class Contact(BaseModel):
    name: str
    age: int = Field(ge=0, le=150)
    emails: list[str] = Field(default_factory=list)
    address: Optional[Address] = None
    severity: Severity = Severity.LOW

    @property
    def label(self) -> str:
        return f"{self.name} ({self.age})"

    @computed_field
    @property
    def domains(self) -> list[str]:
        return sorted({email.split("@")[1] for email in self.emails})

    def is_adult(self, limit: int = 18) -> bool:
        return self.age >= limit

    @field_validator("name")
    @classmethod
    def not_blank(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("a name is not blank")
        return value.strip().title()


class Page(BaseModel, Generic[T]):
    items: list[T]
    next_cursor: Optional[str] = None

    @property
    def is_last(self) -> bool:
        return self.next_cursor is None


class Line(BaseModel):
    sku: str
    count: int = 1
    price: Decimal = Decimal("0")


class Invoice(BaseModel):
    model_config = ConfigDict(frozen=True)

    number: str
    issued: date
    lines: tuple[Line, ...] = ()

    @property
    def total(self) -> Decimal:
        return sum((line.price * line.count for line in self.lines), Decimal(0))


class Range(BaseModel):
    low: int
    high: int

    @model_validator(mode="after")
    def ordered(self) -> Range:
        if self.low > self.high:
            raise ValueError(f"{self.low} is above {self.high}")
        return self


class SearchStep(BaseModel):
    kind: Literal["search"] = "search"
    query: str


class WriteStep(BaseModel):
    kind: Literal["write"] = "write"
    text: str
    length: int = 10


class Plan(BaseModel):
    goal: str
    steps: list[Union[SearchStep, WriteStep]] = Field(default_factory=list)


class BadOutput(Exception):
    def __init__(self, attempts: int, problems: list[str]) -> None:
        super().__init__(f"no valid output after {attempts} attempts")
        self.attempts = attempts
        self.problems = problems


RAW = [
    '{"name": "ada", "age": "old"}',
    '{"name": "  ", "age": 200}',
    '{"name": "ada lovelace", "age": "36", "emails": ["a@x.org", "b@y.org", "c@x.org"]}',
]


@action
async def generate(attempt: int, feedback: list[str]) -> str:
    record("generate", attempt, feedback)
    return RAW[min(attempt, len(RAW) - 1)]


@action
async def store_contact(contact: Contact) -> str:
    record("store_contact", contact.name, contact.age, contact.severity.name)
    return f"id-{contact.name.lower().replace(' ', '-')}"


@action
async def fetch_page(cursor: Optional[str]) -> Page[Line]:
    record("fetch_page", cursor)
    start = int(cursor or 0)
    lines = [Line(sku=f"s{number}", count=number + 1, price=Decimal("1.50")) for number in range(start, start + 2)]
    return Page[Line](items=lines, next_cursor=str(start + 2) if start < 4 else None)


@action
def make_plan(goal: str) -> Plan:
    record("make_plan", goal)
    return Plan(goal=goal, steps=[SearchStep(query=goal), WriteStep(text=goal * 2), SearchStep(query="more")])


@action
async def say(text: str) -> int:
    record("say", text)
    return len(text)


@workflow
class OutputRepair(Workflow):
    """Asks again with what was wrong, until the answer fits the model."""

    async def run(self, attempts: int = 3) -> dict[str, Any]:
        feedback: list[str] = []
        for attempt in range(attempts):
            raw = await generate(attempt, feedback)
            try:
                contact = Contact.model_validate_json(raw)
            except ValidationError as error:
                feedback = [f"{'.'.join(map(str, problem['loc']))}: {problem['type']}" for problem in error.errors()]
                continue
            stored = await store_contact(contact)
            return {"id": stored, "label": contact.label, "domains": contact.domains, "attempts": attempt + 1}
        raise BadOutput(attempts, feedback)


@workflow
class OutputConstruct(Workflow):
    """Models made, compared, copied and changed in the workflow itself."""

    async def run(self, name: str, age: int) -> dict[str, Any]:
        first = Contact(name=name, age=age)
        second = Contact(name=name, age=age, emails=[])
        same = first == second
        second.emails.append("x@z.org")
        third = second.model_copy(update={"age": age + 1, "severity": Severity.HIGH})
        third.emails.append("shared@z.org")
        deep = second.model_copy(deep=True)
        deep.emails.clear()
        await store_contact(third)
        return {
            "same": same,
            "now": first == second,
            "shared": second.emails is third.emails,
            "emails": second.emails,
            "deep": deep.emails,
            "adults": [each.is_adult() for each in (first, third)],
            "strict": third.is_adult(limit=21),
            "set": sorted(third.model_fields_set),
            "contact": third,
        }


@workflow
class OutputValidation(Workflow):
    """What is refused is said in a way that can be handled: counted, caught by its base, raised from."""

    async def run(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        good: list[Contact] = []
        bad: dict[int, int] = {}
        for number, row in enumerate(rows):
            try:
                contact = Contact(**row)
            except ValidationError as error:
                bad[number] = error.error_count()
            else:
                good.append(contact)
            finally:
                await say(f"row {number}")
        if not good:
            try:
                Contact.model_validate(rows[0])
            except ValueError as error:
                raise BadOutput(len(rows), [type(error).__name__]) from None
        return {"good": [contact.label for contact in good], "bad": bad, "oldest": max(good, key=lambda each: each.age).name}


@workflow
class OutputPages(Workflow):
    """A generic model from an action, page after page."""

    async def run(self) -> dict[str, Any]:
        lines: list[Line] = []
        cursor: str | None = None
        pages = 0
        while True:
            page = await fetch_page(cursor)
            pages += 1
            lines += page.items
            if page.is_last:
                break
            cursor = page.next_cursor
        total = sum((line.price * line.count for line in lines), Decimal(0))
        by_sku = {line.sku: line for line in lines}
        by_sku["s0"].count = 99
        return {"pages": pages, "total": total, "first": lines[0].count, "last": lines[-1]}


@workflow
class OutputInvoice(Workflow):
    """A frozen model: changed copies, totals as properties, a model in a model."""

    async def run(self, lines: list[Line], issued: date) -> dict[str, Any]:
        invoice = Invoice(number="2024-001", issued=issued, lines=tuple(lines))
        try:
            invoice.number = "2024-002"  # type: ignore[misc]
        except ValidationError as error:
            refused = error.errors()[0]["type"]
        else:
            refused = ""
        more = invoice.model_copy(update={"lines": (*invoice.lines, Line(sku="fee", price=Decimal("2.50")))})
        await say(f"{more.number} {more.total}")
        dumped = more.model_dump(mode="json")
        return {
            "refused": refused, "totals": [invoice.total, more.total], "json": json.dumps(dumped, sort_keys=True),
            "skus": {line.sku for line in more.lines}, "year": more.issued.year, "again": Invoice.model_validate(dumped) == more,
        }  # fmt: skip


@workflow
class OutputAliases(Workflow):
    """Aliases in, field names inside, aliases out."""

    async def run(self, data: dict[str, Any]) -> list[Any]:
        address = Address.model_validate(data)
        home = Address(street="Elm", zip_code="1")
        contact = Contact(name="bob", age=5, address=address)
        assert contact.address is not None
        contact.address.city = contact.address.city.upper()
        await say(contact.address.city)
        contact.address = home if contact.address.zip_code is None else contact.address
        match contact:
            case Contact(name="Bob", address=Address(zip_code=None)):
                where = "nowhere"
            case Contact(address=Address(zip_code=str(code), city=city)):
                where = f"{code} {city}"
            case _:
                where = "?"
        return [where, contact.address.model_dump(by_alias=True, exclude_none=True), contact.address == home]


@workflow
class OutputPlanSteps(Workflow):
    """A union of models, taken apart by match."""

    async def run(self, goal: str) -> list[str]:
        plan = await make_plan(goal)
        done: list[str] = []
        for step in plan.steps:
            match step:
                case SearchStep(query=query) if len(query) > 4:
                    done.append(f"long search {await say(query)}")
                case SearchStep(query=query):
                    done.append(f"search {await say(query)}")
                case WriteStep(text=text, length=length):
                    done.append(f"write {text[:length]}")
                    step.length = len(text)
        done.append(",".join(step.kind for step in plan.steps))
        writes = [step for step in plan.steps if isinstance(step, WriteStep)]
        return [*done, *(str(step.length) for step in writes)]


@workflow
class OutputRanges(Workflow):
    """A validator of the whole model, in tasks that run at once."""

    async def run(self, pairs: list[tuple[int, int]]) -> list[str]:
        async def check(low: int, high: int) -> Range:
            made = Range(low=low, high=high)
            await say(f"{made.low}..{made.high}")
            return made

        results = await asyncio.gather(*(check(*pair) for pair in pairs), return_exceptions=True)
        shown = []
        for result in results:
            if isinstance(result, ValidationError):
                shown.append(result.errors()[0]["msg"])
            elif isinstance(result, Range):
                shown.append(f"{result.high - result.low}")
        return shown


@workflow
class OutputMerge(Workflow):
    """What several models said of one thing, merged field by field."""

    async def run(self, parts: list[dict[str, Any]]) -> dict[str, Any]:
        merged = Contact(name="unknown", age=0)
        for part in parts:
            update = {key: value for key, value in part.items() if key in type(merged).model_fields and value is not None}
            merged = Contact.model_validate({**merged.model_dump(exclude={"domains"}), **update})
        history = [merged.model_copy(update={"age": age}) for age in range(merged.age, merged.age + 3)]
        adult = next((each for each in history if each.is_adult(37)), None)
        await store_contact(merged)
        return {"merged": merged, "adult": adult and adult.age, "schema": sorted(Contact.model_json_schema()["properties"])}


@action
async def decide(contact: Contact, page: Page[Contact]) -> tuple[Contact, Page[Contact]]:
    record("decide", contact.label, len(page.items))
    return contact.model_copy(update={"age": contact.age + 1}), page


@workflow
class OutputRoundTrip(Workflow):
    """Through actions and back: types, defaults and what was set are kept; results are copies."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        people = [Contact(name=name, age=20 + at, severity=Severity(at % 3 + 1)) for at, name in enumerate(names)]
        page = Page[Contact](items=people)
        older, back = await decide(people[0], page)
        at = datetime(2024, 5, 1, tzinfo=timezone.utc)
        return {
            "older": older.age, "mine": people[0].age, "equal": back == page, "type": isinstance(back, Page),
            "severities": [each.severity.name for each in back.items], "set": sorted(older.model_fields_set), "at": at,
            "page": back.model_copy(update={"next_cursor": "end"}),
        }  # fmt: skip


@workflow
class OutputNames(Workflow):
    """The names of classes, as an agent's registry has them."""

    async def run(self) -> dict[str, int]:
        page = await fetch_page("4")
        seen = [page, *page.items, Plan(goal="g")]
        names: dict[str, int] = {}
        for each in seen:
            names[type(each).__name__] = names.get(type(each).__name__, 0) + 1
        await say(", ".join(names))
        return names


@workflow
class OutputAdapters(Workflow):
    """Types as arguments of a library: adapters, models that are made on the way, lists of types."""

    async def run(self, raw: dict[str, Any]) -> dict[str, Any]:
        numbers = TypeAdapter(list[int]).validate_python(raw["numbers"])
        lines = TypeAdapter(dict[str, Line]).validate_python({"a": {"sku": "x", "count": "2"}})
        Settings = create_model("Settings", retries=(int, 3), name=(str, ...))
        # A class that is made on the way has no import path: what is kept is its data.
        settings = Settings(name="n", retries=raw["retries"]).model_dump()
        refused = []
        for kind, value in {"int": (int, "x"), "date": (date, "2024-02-30"), "ok": (float, "1.5")}.items():
            try:
                TypeAdapter(value[0]).validate_python(value[1])
            except ValidationError:
                refused.append(kind)
        await say(f"{settings['retries']}")
        return {"numbers": numbers, "lines": lines, "settings": settings, "refused": refused}


@workflow
class OutputGenerics(Workflow):
    """Generic models with their parameters: made, validated and refused."""

    async def run(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        numbers = Page[int](items=["1", 2], next_cursor="x")  # type: ignore[list-item]
        texts = Page[str](items=["1"])
        loose = Page(items=[1, "1"])
        problems = 0
        try:
            page = Page[Line].model_validate({"items": rows})
        except ValidationError as error:
            problems = error.error_count()
            page = Page[Line](items=[])
        nested = Page[Page[Line]](items=[page])
        optional = Page[Optional[int]](items=[None, 3])
        await say(f"{len(page.items)} {page.is_last} {numbers.is_last}")
        return {
            "numbers": numbers, "loose": loose, "texts": texts.items, "problems": problems, "nested": nested, "optional": optional,
            "is": [isinstance(each, Page) for each in (numbers, nested)], "same": numbers == Page[int](items=[1, 2], next_cursor="x"),
            "different": texts == Page(items=["1"]),
        }  # fmt: skip


CASES = [
    Case(OutputAdapters, ({"numbers": ["1", 2], "retries": "5"},)),
    Case(OutputGenerics, ([{"sku": "a", "count": "3"}],)),
    Case(OutputGenerics, ([{"sku": "a"}, {"count": "x"}],), name="refused"),
    Case(OutputRepair),
    Case(OutputRepair, (2,), name="never"),
    Case(OutputConstruct, ("grace", 20)),
    Case(OutputConstruct, (" ", 20), name="blank"),
    Case(OutputValidation, ([{"name": "a", "age": 1}, {"name": "b"}, {"name": "", "age": -1}, {"name": "c", "age": "7"}],)),
    Case(OutputValidation, ([{"name": "b"}],), name="none"),
    Case(OutputPages),
    Case(OutputInvoice, ([Line(sku="a", count=2, price=Decimal("3.10"))], date(2024, 2, 29))),
    Case(OutputAliases, ({"street": "Main", "zipCode": "10115"},)),
    Case(OutputAliases, ({"street": "Main"},), name="none"),
    Case(OutputPlanSteps, ("tea",)),
    Case(OutputPlanSteps, ("coffee",), name="long"),
    Case(OutputRanges, ([(1, 5), (5, 1), (2, 2)],), concurrent=True),
    Case(OutputMerge, ([{"name": "eve", "other": 1}, {"age": 36, "name": None}, {"emails": ["e@q.org"]}],)),
    Case(OutputRoundTrip, (["ann", "ben", "cat", "dan"],)),
    Case(OutputNames),
]
