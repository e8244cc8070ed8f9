"""Subscriptions, invoices, dunning, payment providers."""

from __future__ import annotations

import asyncio
import calendar
import dataclasses
import enum
import functools
import hashlib
import hmac
import json
import operator
import string
import textwrap
import uuid
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal, InvalidOperation, localcontext
from typing import Any, ClassVar, NamedTuple
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ValidationError, field_validator

from corpus import Case, record
from waymark import BackoffPolicy, NonRetryable, RetryPolicy, Workflow, action, workflow

BERLIN = ZoneInfo("Europe/Berlin")
CENT = Decimal("0.01")
GENTLE = RetryPolicy(attempts=3, retry_on=[ConnectionError], backoff=BackoffPolicy(base_delay=0.01, factor=2, max_delay=0.05))
DUNNING_STEPS: list[tuple[int, str]] = [(3, "friendly"), (10, "firm"), (30, "final")]


class Plan(str, enum.Enum):
    FREE = "free"
    TEAM = "team"
    ENTERPRISE = "enterprise"

    @property
    def monthly(self) -> Decimal:
        return {"free": Decimal(0), "team": Decimal("29.00"), "enterprise": Decimal("499.00")}[self.value]


class Dunning(enum.IntEnum):
    NONE = 0
    REMINDED = 1
    SUSPENDED = 2
    CLOSED = 3


class BillingError(Exception):
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, account: str = "?") -> None:
        super().__init__(message)
        self.account = account

    def describe(self) -> str:
        return f"[{self.account}] {self.args[0]}"


class CardExpired(BillingError):
    pass


class ProviderDown(BillingError, ConnectionError):
    retryable = True


@dataclasses.dataclass
class Period:
    start: date
    end: date

    def __contains__(self, day: date) -> bool:
        return self.start <= day < self.end

    def __len__(self) -> int:
        return (self.end - self.start).days


@dataclasses.dataclass(order=True)
class Invoice:
    due: date
    number: str = dataclasses.field(compare=False)
    amount: Decimal = dataclasses.field(compare=False, default=Decimal("0"))
    paid: list[Decimal] = dataclasses.field(compare=False, default_factory=list)

    @property
    def open(self) -> Decimal:
        return self.amount - sum(self.paid)

    def pay(self, amount: Decimal) -> Decimal:
        """Returns what is left over."""
        used = min(amount, self.open)
        if used:
            self.paid.append(used)
        return amount - used


class Usage(NamedTuple):
    account: str
    metric: str
    count: int


@action
async def billing_charge(account: str, amount: Decimal) -> str:
    record("charge", account, str(amount))
    if account.startswith("expired"):
        raise CardExpired("the card has expired", account=account)
    if account.startswith("down"):
        raise ProviderDown("no answer", account=account)
    if account.startswith("fraud"):
        raise NonRetryable(f"{account} is blocked")
    return f"ch_{account}_{amount}"


@action
def billing_email(account: str, template: str, **fields: Any) -> int:
    record("email", account, template, {key: str(value) for key, value in sorted(fields.items())})
    return len(template)


@action
async def billing_usage(account: str) -> list[Usage]:
    record("usage", account)
    return [Usage(account, "api", 1200), Usage(account, "storage", 7), Usage(account, "api", 350)]


@action
async def billing_invoices(account: str) -> list[Invoice]:
    record("invoices", account)
    return [
        Invoice(date(2024, 3, 1), "R-3", Decimal("30.00")),
        Invoice(date(2024, 1, 1), "R-1", Decimal("10.00"), [Decimal("4.00")]),
        Invoice(date(2024, 2, 1), "R-2", Decimal("20.00")),
    ]


@action
async def billing_today() -> date:
    record("today")
    return date(2024, 1, 31)


@action
async def billing_rate(currency: str, day: date) -> Decimal:
    record("rate", currency, day.isoformat())
    if currency == "XXX":
        raise LookupError(currency)
    return {"USD": Decimal("1.0875"), "CHF": Decimal("0.9413")}.get(currency, Decimal(1))


def add_months(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def prorate(amount: Decimal, used: int, total: int) -> Decimal:
    if total <= 0:
        raise ValueError("a period has at least a day")
    return (amount * used / total).quantize(CENT, rounding=ROUND_HALF_EVEN)


def periods(start: date, count: int) -> Iterator[Period]:
    for index in range(count):
        yield Period(add_months(start, index), add_months(start, index + 1))


class BillingBase(Workflow):
    """What all billing workflows share."""

    currency = "EUR"
    grace = timedelta(days=3)

    def label(self, amount: Decimal) -> str:
        return f"{amount:>10,.2f} {self.currency}"

    async def notify(self, account: str, template: str, **fields: Any) -> None:
        await billing_email(account, self.template(template), **fields)

    def template(self, name: str) -> str:
        return f"billing/{name}"

    def due(self, day: date) -> date:
        return day + self.grace


@workflow
class BillingRenewal(BillingBase):
    """Inherited and overridden helpers."""

    grace = timedelta(days=14)

    async def run(self, account: str, plan: Plan, seats: int = 1) -> dict[str, Any]:
        today = await billing_today()
        amount = plan.monthly * seats
        if plan is Plan.FREE or not amount:
            return {"next": add_months(today, 1), "charged": None}
        try:
            charge = await self.run_action(billing_charge(account, amount), retry=GENTLE)
        except CardExpired as error:
            await self.notify(account, "expired", why=error.describe(), until=self.due(today))
            return {"next": self.due(today), "charged": None, "retryable": error.retryable}
        except ProviderDown as error:
            return {"next": today + timedelta(days=1), "charged": None, "retryable": error.retryable, "why": error.describe()}
        else:
            await self.notify(account, "receipt", amount=self.label(amount), seats=seats)
        return {"next": add_months(today, 1), "charged": charge}

    def template(self, name: str) -> str:
        return super().template(name) + ".html"


@workflow
class BillingProration(BillingBase):
    """An upgrade in the middle of a period."""

    async def run(self, old: Plan, new: Plan, start: date, changed: date) -> list[str]:
        period = Period(start, add_months(start, 1))
        if changed not in period:
            raise BillingError(f"{changed:%d %b} is not in the period", account=old.value)
        remaining = (period.end - changed).days
        credit = -prorate(old.monthly, remaining, len(period))
        cost = prorate(new.monthly, remaining, len(period))
        lines = [("credit", credit), ("charge", cost), ("total", credit + cost)]
        if (total := credit + cost) > 0:
            await billing_charge(f"{old.value}->{new.value}", total)
        width = max(len(name) for name, _ in lines)
        return [f"{name.ljust(width, '.')}{self.label(amount)}" for name, amount in lines]


@workflow
class BillingDunning(BillingBase):
    """Reminders at their days, until somebody pays."""

    async def run(self, account: str, pays_at_step: int | None = None) -> dict[str, Any]:
        level = Dunning.NONE
        sent: list[str] = []
        started = date(2024, 2, 27)
        outcome = "unpaid"
        try:
            for step, (days, tone) in enumerate(DUNNING_STEPS):
                await asyncio.sleep(0.01)
                deadline = started + timedelta(days=days)
                if step == pays_at_step:
                    outcome = "paid"
                    return {"outcome": outcome, "level": level, "sent": sent}
                await self.notify(account, tone, deadline=deadline, weekday=calendar.day_name[deadline.weekday()])
                sent.append(f"{deadline.isoformat()} {tone:<10}|")
                level = Dunning(min(level + 1, Dunning.CLOSED))
        finally:
            await self.notify(account, "end", outcome=outcome, level=int(level), name=level.name)
        closed = level >= Dunning.CLOSED
        return {"outcome": outcome, "level": level, "sent": sent, "closed": closed}


@workflow
class BillingAllocate(Workflow):
    """A payment is spread over open invoices, oldest first. The invoices are changed in place."""

    async def run(self, account: str, payment: Decimal) -> dict[str, Any]:
        invoices = await billing_invoices(account)
        invoices.sort()
        first, *_, last = invoices
        rest = payment
        touched = []
        for invoice in invoices:
            if rest <= 0:
                break
            before = invoice.open
            rest = invoice.pay(rest)
            if invoice.open != before:
                touched.append(invoice)
        still_open = [each for each in invoices if each.open]
        return {
            "rest": rest,
            "touched": [each.number for each in touched],
            "open": {each.number: each.open for each in still_open},
            "identical": touched[:1] == [first] and touched[0] is first,
            "last": last,
            "ordered": invoices[0] < invoices[-1],
        }


@workflow
class BillingUsageInvoice(Workflow):
    """Usage of several accounts, aggregated and rated with tiers."""

    TIERS = [(1000, Decimal("0.01")), (None, Decimal("0.005"))]

    async def run(self, accounts: list[str]) -> dict[str, Any]:
        batches = await asyncio.gather(*map(billing_usage, accounts))
        totals: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for batch in batches:
            for account, metric, count in batch:
                totals[account][metric] = totals[account].get(metric, 0) + count
        invoice = {account: self._rate(usage) for account, usage in totals.items()}
        grand = functools.reduce(operator.add, invoice.values(), Decimal(0))
        names = [usage.metric for batch in batches for usage in batch if usage.count > 100]
        return {"invoice": invoice, "grand": grand, "totals": dict(totals), "names": names}

    def _rate(self, usage: dict[str, int]) -> Decimal:
        total = Decimal(0)
        for count in usage.values():
            left = count
            for limit, price in self.TIERS:
                part = left if limit is None else min(left, limit)
                total += part * price
                left -= part
                if not left:
                    break
        return total.quantize(CENT, rounding=ROUND_DOWN)


@workflow
class BillingConvert(Workflow):
    """Currencies, with a context for decimals and errors that are wrapped."""

    async def run(self, amounts: list[tuple[str, str]], day: date) -> dict[str, Any]:
        converted: dict[str, Decimal] = {}
        problems: list[str] = []
        for text, currency in amounts:
            try:
                amount = Decimal(text)
            except InvalidOperation:
                problems.append(f"{text!r} is no amount")
                continue
            try:
                rate = await billing_rate(currency, day)
            except LookupError as error:
                problem = BillingError(f"no rate for {error.args[0]}", account=currency)
                problem.__cause__ = error
                problems.append(problem.describe())
            else:
                with localcontext() as context:
                    context.prec = 6
                    value = amount / rate
                converted[currency] = converted.get(currency, Decimal(0)) + value
        return {"converted": converted, "problems": problems, "total": sum(converted.values())}


class Webhook(BaseModel):
    id: uuid.UUID
    type: str
    amount: int
    created: datetime
    metadata: dict[str, str] = {}

    @field_validator("type")
    @classmethod
    def known(cls, value: str) -> str:
        if not value.startswith(("charge.", "refund.")):
            raise ValueError("unknown type")
        return value.lower()


@workflow
class BillingWebhooks(Workflow):
    """Signed webhooks: bad signatures, duplicates and bad bodies are sorted out."""

    async def run(self, secret: str, deliveries: list[tuple[str, str]]) -> dict[str, Any]:
        seen: set[uuid.UUID] = set()
        outcome: dict[str, list[Any]] = {"done": [], "duplicate": [], "forged": [], "bad": []}
        for signature, body in deliveries:
            expected = hmac.new(secret.encode(), body.encode(), hashlib.sha1).hexdigest()
            if not hmac.compare_digest(expected[:8], signature):
                outcome["forged"].append(signature)
                continue
            try:
                hook = Webhook(**json.loads(body))
            except (ValidationError, json.JSONDecodeError) as error:
                outcome["bad"].append(type(error).__name__)
                continue
            if hook.id in seen:
                outcome["duplicate"].append(str(hook.id)[-4:])
                continue
            seen.add(hook.id)
            local = hook.created.astimezone(BERLIN)
            if hook.type == "charge.failed":
                await billing_email(hook.metadata.get("account", "?"), "failed", at=f"{local:%Y-%m-%d %H:%M %Z}")
            outcome["done"].append((hook.type, Decimal(hook.amount) / 100, local.date()))
        return outcome


@workflow
class BillingReceipt(Workflow):
    """Text made with templates and wrapping."""

    TEMPLATE = string.Template("Dear $name,\nyou owe us $amount, due $due.")

    async def run(self, name: str, lines: list[tuple[str, str]]) -> str:
        amounts = [Decimal(amount) for _, amount in lines]
        body = self.TEMPLATE.substitute(name=name.title(), amount=f"{sum(amounts):.2f}", due=date(2024, 5, 1).strftime("%d %B %Y"))
        wide = max((len(title) for title, _ in lines), default=0)
        table = "\n".join(f"{title:<{wide}} {amount:>8}" for (title, _), amount in zip(lines, amounts, strict=True))
        text = textwrap.fill(body, 30) + "\n" + textwrap.indent(table, "| ")
        await billing_email(name, "receipt", lines=text.count("\n"))
        return text


@workflow
class BillingSchedule(Workflow):
    """Periods from a generator; ends of months; leap years; summer time."""

    async def run(self, start: date, count: int, hour: int = 2) -> dict[str, Any]:
        plan = list(periods(start, count))
        days = [len(period) for period in plan]
        runs = [datetime(each.start.year, each.start.month, each.start.day, hour, 30, tzinfo=BERLIN) for each in plan]
        in_utc = [moment.astimezone(timezone.utc).isoformat() for moment in runs]
        gaps = [later - earlier for earlier, later in zip(runs, runs[1:])]
        await billing_email("ops", "schedule", first=in_utc[0], gaps=len(gaps))
        inside = [day in plan[0] for day in (start, start - timedelta(1), plan[0].end)]
        return {"days": days, "utc": in_utc, "offsets": {str(each.utcoffset()) for each in runs}, "inside": inside, "gaps": gaps[:2]}


@workflow
class BillingRefundRace(Workflow):
    """The first provider that answers wins; the others are stopped."""

    async def run(self, account: str, delays: dict[str, float]) -> tuple[str, list[str], list[str]]:
        async def ask(provider: str, delay: float) -> str:
            try:
                await asyncio.sleep(delay)
                if delay < 0.02:
                    raise ProviderDown("too quick", account=provider)
                return provider
            except asyncio.CancelledError:
                stopped.append(provider)
                raise

        stopped: list[str] = []
        failed: list[str] = []
        tasks = {asyncio.create_task(ask(provider, delay)): provider for provider, delay in delays.items()}
        pending = set(tasks)
        winner = None
        while pending and winner is None:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if (error := task.exception()) is not None:
                    failed.append(f"{tasks[task]}: {error}")
                else:
                    winner = task.result()
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        if winner is None:
            raise BillingError("nobody answered", account=account)
        await billing_email(account, "refund", via=winner)
        return winner, sorted(failed), sorted(stopped)


_SECRET = "s3cret"


def _signed(body: dict[str, Any] | str) -> tuple[str, str]:
    text = body if isinstance(body, str) else json.dumps(body)
    return hmac.new(_SECRET.encode(), text.encode(), hashlib.sha1).hexdigest()[:8], text


def _hook(number: int, kind: str, created: str, **metadata: str) -> dict[str, Any]:
    return {"id": str(uuid.UUID(int=number)), "type": kind, "amount": number * 50, "created": created, "metadata": metadata}


CASES = [
    Case(BillingRenewal, ("acme", Plan.TEAM, 3)),
    Case(BillingRenewal, ("acme", Plan.FREE), name="free"),
    Case(BillingRenewal, ("expired-1", Plan.TEAM), name="expired"),
    Case(BillingRenewal, ("down-1", Plan.ENTERPRISE), name="down"),
    Case(BillingRenewal, ("fraud-1", Plan.ENTERPRISE), name="fraud"),
    Case(BillingProration, (Plan.TEAM, Plan.ENTERPRISE, date(2024, 2, 1), date(2024, 2, 20))),
    Case(BillingProration, (Plan.ENTERPRISE, Plan.TEAM, date(2024, 1, 31), date(2024, 2, 20)), name="down"),
    Case(BillingProration, (Plan.TEAM, Plan.ENTERPRISE, date(2024, 2, 1), date(2024, 3, 1)), name="outside"),
    Case(BillingDunning, ("acme",)),
    Case(BillingDunning, ("acme", 1), name="paid"),
    Case(BillingAllocate, ("acme", Decimal("17.50"))),
    Case(BillingAllocate, ("acme", Decimal("100")), name="too_much"),
    Case(BillingUsageInvoice, (["a", "b"],), concurrent=True),
    Case(BillingConvert, ([("10", "USD"), ("ten", "USD"), ("99.95", "CHF"), ("1", "XXX"), ("0.10", "USD")], date(2024, 1, 2))),
    Case(
        BillingWebhooks,
        (
            _SECRET,
            [
                _signed(_hook(7, "charge.OK", "2024-03-31T00:30:00Z")),
                _signed(_hook(7, "charge.ok", "2024-03-31T00:30:00Z")),
                ("00000000", "{}"),
                _signed(_hook(8, "charge.failed", "2024-03-31T01:30:00+00:00", account="acme")),
                _signed(_hook(9, "other", "2024-03-31T01:30:00+00:00")),
                _signed("{"),
            ],
        ),
    ),
    Case(BillingReceipt, ("ann example", [("pens and a very long title", "1.50"), ("ink", "20")])),
    Case(BillingReceipt, ("nobody", []), name="empty"),
    Case(BillingSchedule, (date(2024, 1, 31), 4)),
    Case(BillingRefundRace, ("acme", {"slow": 0.05, "quick": 0.01, "good": 0.03}), concurrent=True),
    Case(BillingRefundRace, ("acme", {"quick": 0.01, "quicker": 0.005}), name="nobody", concurrent=True),
]
