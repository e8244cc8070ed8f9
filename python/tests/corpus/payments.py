"""Payment providers: transfers, ledgers, reconciliation, fraud."""

from __future__ import annotations

import asyncio
import base64
import collections
import dataclasses
import enum
import hashlib
import itertools
import logging
import re
import secrets
import time
import uuid
from collections.abc import Awaitable, Callable
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import partial
from operator import attrgetter, itemgetter, methodcaller
from typing import Any, Final, Protocol

from pydantic import BaseModel, Field

from corpus import Case, record
from waymark import BackoffPolicy, NonRetryable, RetryPolicy, Workflow, action, workflow

log = logging.getLogger(__name__)

CURRENCIES: Final = {"EUR": 2, "JPY": 0, "KWD": 3}
FEES = [(Decimal("10"), Decimal("0.35")), (Decimal("100"), Decimal("0.9")), (None, Decimal("1.5"))]
IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{4,30}", re.ASCII | re.VERBOSE)


class Risk(enum.IntEnum):
    LOW = 1
    MEDIUM = 5
    HIGH = 10

    @classmethod
    def of(cls, score: float) -> Risk:
        return cls.HIGH if score > 0.8 else cls.MEDIUM if score > 0.4 else cls.LOW


class PaymentError(Exception):
    def __init__(self, message: str, payment: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.payment = payment
        self.details = details


class Declined(PaymentError):
    pass


class Limit(Declined):
    @property
    def over(self) -> Decimal:
        return self.details["amount"] - self.details["limit"]


class GatewayTimeout(PaymentError, TimeoutError):
    pass


@dataclasses.dataclass(frozen=True, slots=True)
class Amount:
    value: Decimal
    currency: str = "EUR"

    def rounded(self) -> Amount:
        exponent = Decimal(1).scaleb(-CURRENCIES[self.currency])
        return dataclasses.replace(self, value=self.value.quantize(exponent, ROUND_HALF_UP))

    def __lt__(self, other: Amount) -> bool:
        return self.value < other.value


@dataclasses.dataclass
class Entry:
    account: str
    debit: Decimal = Decimal(0)
    credit: Decimal = Decimal(0)
    memo: str = ""


@dataclasses.dataclass
class Ledger:
    entries: list[Entry] = dataclasses.field(default_factory=list)

    def post(self, debit: str, credit: str, amount: Decimal, memo: str = "") -> tuple[Entry, Entry]:
        pair = (Entry(debit, debit=amount, memo=memo), Entry(credit, credit=amount, memo=memo))
        self.entries.extend(pair)
        return pair

    def balance(self, account: str) -> Decimal:
        return sum((entry.debit - entry.credit for entry in self.entries if entry.account == account), Decimal(0))

    @property
    def is_balanced(self) -> bool:
        return sum(entry.debit for entry in self.entries) == sum(entry.credit for entry in self.entries)


class Transfer(BaseModel):
    id: str = Field(min_length=2)
    amount: Decimal
    iban: str = ""
    steps: list[str] = Field(default_factory=list)

    def with_step(self, step: str) -> Transfer:
        return self.model_copy(update={"steps": [*self.steps, step]})


class Scorer(Protocol):
    def score(self, transfer: Transfer) -> float: ...


class AmountScorer:
    weight = 0.5

    def score(self, transfer: Transfer) -> float:
        return min(1.0, float(transfer.amount) / 1000) * self.weight


class CountryScorer(AmountScorer):
    weight = 1.0
    risky = {"XX", "YY"}

    def score(self, transfer: Transfer) -> float:
        base = super().score(transfer)
        return base + (0.5 if transfer.iban[:2] in self.risky else 0)


@action
async def payments_authorize(payment: str, amount: Decimal, *, capture: bool = False) -> str:
    record("authorize", payment, str(amount), capture)
    if amount > 500:
        raise Limit("too much", payment, amount=amount, limit=Decimal(500))
    if payment.startswith("slow"):
        raise GatewayTimeout("gateway", payment, after=3)
    if payment.startswith("bad"):
        raise Declined("do not honour", payment)
    return f"auth-{payment}"


@action
async def payments_capture(authorization: str) -> str:
    record("capture", authorization)
    return authorization.replace("auth", "cap")


@action
async def payments_void(authorization: str) -> None:
    record("void", authorization)


@action
def payments_statement(day: date) -> list[dict[str, Any]]:
    record("statement", day.isoformat())
    return [
        {"ref": "p1", "amount": Decimal("10.00"), "text": "INVOICE p1 THANKS"},
        {"ref": None, "amount": Decimal("25.50"), "text": "payment for p2"},
        {"ref": None, "amount": Decimal("99.00"), "text": "rent"},
        {"ref": "p3", "amount": Decimal("7.49"), "text": ""},
    ]


@action
async def payments_notify(channel: str, message: str) -> None:
    record("notify", channel, message)


@action
async def payments_sign(data: bytes, key: str) -> str:
    record("sign", data.decode(), key)
    return base64.urlsafe_b64encode(hashlib.sha256(data + key.encode()).digest()[:6]).decode()


def fee(amount: Decimal) -> Decimal:
    return next(fee for limit, fee in FEES if limit is None or amount <= limit)


def mask(number: str, *, keep: int = 4, char: str = "•") -> str:
    digits = "".join(filter(str.isdigit, number))
    return digits[-keep:].rjust(len(digits), char)


def luhn(number: str) -> bool:
    total = 0
    for at, digit in enumerate(map(int, reversed(number))):
        total += digit if at % 2 == 0 else sum(divmod(digit * 2, 10))
    return total % 10 == 0


async def first_success(calls: list[Callable[[], Awaitable[str]]]) -> tuple[str, list[PaymentError]]:
    errors: list[PaymentError] = []
    for call in calls:
        try:
            return await call(), errors
        except PaymentError as error:
            errors.append(error)
    raise errors[-1]


@workflow
class PaymentsFallback(Workflow):
    """Partials of actions, tried one after the other by an async helper of the module."""

    async def run(self, names: list[str], amount: Decimal) -> dict[str, Any]:
        calls = [partial(payments_authorize, name, amount, capture=at == 0) for at, name in enumerate(names)]
        try:
            authorization, errors = await first_success(calls)
        except Limit as error:
            return {"over": error.over, "details": error.details, "kind": [each.__name__ for each in type(error).__mro__[:3]]}
        except Declined:
            await payments_notify("ops", "all declined")
            raise
        return {"authorization": authorization, "errors": [(error.payment, str(error)) for error in errors]}


@workflow
class PaymentsLedger(Workflow):
    """Entries that are shared between the ledger and variables of the workflow."""

    async def run(self, postings: list[tuple[str, str, str]]) -> dict[str, Any]:
        ledger = Ledger()
        last: tuple[Entry, Entry] | None = None
        for debit, credit, amount in postings:
            last = ledger.post(debit, credit, Decimal(amount), memo=f"{debit}<{credit}")
            charge = fee(last[0].debit)
            ledger.post("fees", debit, charge)
        assert last is not None, "no postings"
        last[1].memo = "corrected"
        await payments_notify("ledger", str(len(ledger.entries)))
        accounts = sorted({entry.account for entry in ledger.entries})
        return {
            "balances": {account: ledger.balance(account) for account in accounts},
            "balanced": ledger.is_balanced,
            "memos": [entry.memo for entry in ledger.entries if entry.memo],
            "shared": ledger.entries[-3] is last[1],
        }


@workflow
class PaymentsReconcile(Workflow):
    """A statement against open payments: by reference, by text, by amount; tolerance in cents."""

    async def run(self, open_payments: dict[str, Decimal], day: date) -> dict[str, Any]:
        matched: dict[str, str] = {}
        rest: list[dict[str, Any]] = []
        remaining = dict(open_payments)
        for line in await payments_statement(day):
            reference = line["ref"] or next((key for key in remaining if re.search(rf"\b{key}\b", line["text"])), None)
            if reference in remaining and abs(remaining[reference] - line["amount"]) <= Decimal("0.01"):
                matched[reference] = "exact" if remaining[reference] == line["amount"] else "near"
                del remaining[reference]
            elif reference in remaining:
                remaining[reference] -= line["amount"]
                matched[reference] = "part"
            else:
                rest.append(line)
        if rest:
            await payments_notify("accounting", "; ".join(f"{line['text'] or '?'}: {line['amount']}" for line in rest))
        return {"matched": matched, "remaining": remaining, "rest": rest, "open": open_payments}


@workflow
class PaymentsTransfers(Workflow):
    """Steps give new copies of a model; the old ones stay as they were."""

    async def run(self, transfers: list[Transfer]) -> dict[str, Any]:
        scorers: list[Scorer] = [AmountScorer(), CountryScorer()]
        finished: list[Transfer] = []
        for original in transfers:
            transfer = original.with_step("received")
            score = max(scorer.score(transfer) for scorer in scorers)
            risk = Risk.of(score)
            transfer = transfer.with_step(risk.name.lower())
            if risk >= Risk.HIGH:
                await payments_notify("fraud", f"{transfer.id} {score:.2f}")
                finished.append(transfer.with_step("held"))
                continue
            if not IBAN.fullmatch(transfer.iban):
                finished.append(transfer.with_step("no iban"))
                continue
            finished.append(transfer.with_step(await payments_authorize(transfer.id, transfer.amount)))
        finished.sort(key=attrgetter("amount", "id"), reverse=True)
        return {"steps": {each.id: each.steps for each in finished}, "originals": [each.steps for each in transfers]}


@workflow
class PaymentsRounding(Workflow):
    """Amounts in many currencies; remainders are given to the first; the context of decimals."""

    async def run(self, total: str, currency: str, shares: list[int]) -> dict[str, Any]:
        amount = Amount(Decimal(total), currency).rounded()
        step = Decimal(1).scaleb(-CURRENCIES[currency])
        parts = [Amount(amount.value * share / sum(shares), currency).rounded() for share in shares]
        remainder = amount.value - sum(part.value for part in parts)
        at = 0
        while remainder:
            change = step.copy_sign(remainder)
            parts[at] = Amount(parts[at].value + change, currency)
            remainder -= change
            at = (at + 1) % len(parts)
        await payments_notify("split", " + ".join(f"{part.value:,f}" for part in parts))
        third = Context(prec=5).divide(amount.value, Decimal(3))
        return {"parts": parts, "smallest": min(parts), "third": third, "tuple": amount.value.as_tuple()}


@workflow
class PaymentsTwoPhase(Workflow):
    """Authorize all, then capture all; if one fails, all are voided, at the same time."""

    async def run(self, payments: dict[str, Decimal]) -> list[str]:
        results = await asyncio.gather(*(payments_authorize(name, amount) for name, amount in payments.items()), return_exceptions=True)
        good = [result for result in results if isinstance(result, str)]
        errors = [result for result in results if isinstance(result, PaymentError)]
        if errors:
            await asyncio.gather(*map(payments_void, good))
            if len(errors) == 1:
                raise errors[0]
            raise PaymentError(f"{len(errors)} failed", None, kinds=sorted(type(error).__name__ for error in errors)) from errors[0]
        return list(await asyncio.gather(*map(payments_capture, good)))


@workflow
class PaymentsCards(Workflow):
    """Numbers of cards: checked, masked, grouped by brand."""

    BRANDS = {"visa": r"4\d{12}(\d{3})?", "master": r"5[1-5]\d{14}", "amex": r"3[47]\d{13}"}

    async def run(self, numbers: list[str]) -> dict[str, list[str]]:
        brands: collections.defaultdict[str, list[str]] = collections.defaultdict(list)
        for raw in numbers:
            number = re.sub(r"[ -]", "", raw)
            if not number.isdigit() or not luhn(number):
                brands["invalid"].append(mask(raw, char="x"))
                continue
            brand = next((name for name, pattern in self.BRANDS.items() if re.fullmatch(pattern, number)), "other")
            brands[brand].append(mask(number))
        for brand in sorted(brands.keys() - {"invalid"}):
            await payments_notify(brand, str(len(brands[brand])))
        return dict(brands)


@workflow
class PaymentsSigned(Workflow):
    """Requests are signed in turn: each signature is part of the next; retries are counted on `self`."""

    attempts_left = 3

    async def run(self, messages: list[str], key: str) -> dict[str, Any]:
        self.chain: list[str] = []
        previous = ""
        for message in messages:
            canonical = "&".join(sorted(filter(None, map(str.strip, message.split("&")))))
            previous = await payments_sign(f"{previous}|{canonical}".encode(), key)
            self.chain.append(previous)
            if previous.startswith(("_", "-")):
                self.attempts_left -= 1
        token = secrets.token_hex(4)
        started = time.monotonic()
        nonce = uuid.uuid4()
        return {
            "chain": self.chain, "left": self.attempts_left, "token": len(token), "version": nonce.version,
            "time": time.monotonic() >= started, "class": type(self).attempts_left,
        }  # fmt: skip


@workflow
class PaymentsLimits(Workflow):
    """A sliding window of amounts per customer."""

    async def run(self, events: list[tuple[str, datetime, Decimal]], limit: Decimal, hours: int = 24) -> dict[str, Any]:
        window = timedelta(hours=hours)
        recent: dict[str, collections.deque[tuple[datetime, Decimal]]] = {}
        refused: list[tuple[str, str]] = []
        for customer, at, amount in sorted(events, key=itemgetter(1)):
            queue = recent.setdefault(customer, collections.deque())
            while queue and queue[0][0] <= at - window:
                queue.popleft()
            if sum(each for _, each in queue) + amount > limit:
                refused.append((customer, at.isoformat(" ", "minutes")))
                await payments_notify(customer, f"over {limit:.0f}")
            else:
                queue.append((at, amount))
        totals = {customer: sum(map(itemgetter(1), queue)) for customer, queue in recent.items()}
        names = list(map(methodcaller("upper"), totals))
        return {"refused": refused, "totals": totals, "names": names}


@workflow
class PaymentsPolicies(Workflow):
    """Policies per call: what is tried again and what isn't; timeouts are a class of errors."""

    async def run(self, names: list[str]) -> dict[str, str]:
        outcome: dict[str, str] = {}
        for name in names:
            tries = 2 if name.startswith("slow") else 3
            try:
                outcome[name] = await self.run_action(
                    payments_authorize(name, amount=Decimal(len(name))),
                    retry=RetryPolicy(attempts=tries, retry_on=[TimeoutError, Limit], backoff=BackoffPolicy(base_delay=0.01, factor=1)),
                    timeout=timedelta(seconds=10),
                )
            except GatewayTimeout as error:
                outcome[name] = f"timeout {error.details}"
            except (Declined, NonRetryable) as error:
                outcome[name] = f"{type(error).__name__} {error.args}"
            finally:
                outcome.setdefault("seen", "")
                outcome["seen"] += name[0]
        return outcome


@workflow
class PaymentsPayouts(Workflow):
    """Payouts on bank days, grouped by account and day; a nested function changes a counter."""

    async def run(self, sales: list[tuple[str, date, str]], holidays: set[date]) -> dict[str, Any]:
        moved = 0

        def bank_day(day: date) -> date:
            nonlocal moved
            while day.weekday() >= 5 or day in holidays:
                day += timedelta(days=1)
                moved += 1
            return day

        groups: dict[tuple[str, date], Decimal] = {}
        for account, day, amount in sales:
            key = (account, bank_day(day))
            groups[key] = groups.get(key, Decimal(0)) + Decimal(amount)
        payouts = []
        for (account, day), amount in sorted(groups.items()):
            payouts.append(await payments_authorize(f"{account}-{day:%y%m%d}", amount))
        by_account = {name: len(list(group)) for name, group in itertools.groupby(sorted(groups), key=itemgetter(0))}
        return {"payouts": payouts, "moved": moved, "by_account": by_account}


CASES = [
    Case(PaymentsFallback, (["bad1", "slow1", "p3", "p4"], Decimal("20"))),
    Case(PaymentsFallback, (["slow", "bad2"], Decimal("5")), name="declined"),
    Case(PaymentsLedger, ([("bank", "sales", "100"), ("cash", "sales", "9.99"), ("bank", "cash", "1234.56")],)),
    Case(PaymentsLedger, ([],), name="nothing"),
    Case(PaymentsReconcile, ({"p1": Decimal("10"), "p2": Decimal("30"), "p3": Decimal("7.50")}, date(2024, 5, 3))),
    Case(
        PaymentsTransfers,
        (
            [
                Transfer(id="t1", amount=Decimal("20"), iban="DE89370400440532013000"),
                Transfer(id="t2", amount=Decimal("900"), iban="XX00AAAA"),
                Transfer(id="t3", amount=Decimal("450"), iban="?", steps=["old"]),
            ],
        ),
    ),
    Case(PaymentsRounding, ("100", "EUR", [1, 1, 1])),
    Case(PaymentsRounding, ("1000.5", "JPY", [3, 3, 1]), name="yen"),
    Case(PaymentsRounding, ("-0.0005", "KWD", [1, 1]), name="negative"),
    Case(PaymentsTwoPhase, ({"a": Decimal(1), "b": Decimal(2)},), concurrent=True),
    Case(PaymentsTwoPhase, ({"a": Decimal(1), "bad": Decimal(2)},), name="one_fails", concurrent=True),
    Case(PaymentsTwoPhase, ({"bad": Decimal(1), "a": Decimal(2), "b": Decimal(501)},), name="two_fail", concurrent=True),
    Case(PaymentsCards, (["4111 1111 1111 1111", "5500-0000-0000-0004", "340000000000009", "1234", "x"],)),
    Case(PaymentsSigned, (["b=2&a=1", "", "c=3& &d=4"], "k")),
    Case(
        PaymentsLimits,
        (
            [
                ("ann", datetime(2024, 1, 1, 10), Decimal(60)),
                ("ann", datetime(2024, 1, 1, 9), Decimal(30)),
                ("ann", datetime(2024, 1, 1, 23), Decimal(20)),
                ("bob", datetime(2024, 1, 1, 23), Decimal(20)),
                ("ann", datetime(2024, 1, 2, 9, 30), Decimal(30)),
            ],
            Decimal(100),
        ),
    ),
    Case(PaymentsPolicies, (["slow1", "bad", "ok"],)),
    Case(
        PaymentsPayouts,
        (
            [("a", date(2024, 3, 29), "10"), ("b", date(2024, 3, 30), "5.5"), ("a", date(2024, 4, 2), "1")],
            {date(2024, 3, 29), date(2024, 4, 1)},
        ),
    ),
    Case(PaymentsFallback, (["bad1", "p2"], Decimal("512.50")), name="limit"),
]
