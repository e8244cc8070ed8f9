"""Orders of a shop: baskets, prices, sagas, returns."""

from __future__ import annotations

import asyncio
import collections
import copy
import dataclasses
import enum
import hashlib
import itertools
import json
import logging
import re
from datetime import date, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Optional

from pydantic import BaseModel, Field

from corpus import Case, record
from waymark import RetryPolicy, Workflow, action, workflow

log = logging.getLogger(__name__)

CENT = Decimal("0.01")
TAX_RATES = {"DE": Decimal("0.19"), "FR": Decimal("0.20"), "CH": Decimal("0.081")}
FREE_SHIPPING_FROM = Decimal("50")


class OrderStatus(enum.Enum):
    DRAFT = "draft"
    PRICED = "priced"
    PAID = "paid"
    CANCELLED = "cancelled"


class OrderError(Exception):
    """Something about an order."""

    def __init__(self, order_id: str, message: str) -> None:
        super().__init__(f"{order_id}: {message}")
        self.order_id = order_id


class PaymentDeclined(OrderError):
    def __init__(self, order_id: str, code: str) -> None:
        super().__init__(order_id, f"declined ({code})")
        self.code = code


class StockShortage(OrderError):
    def __init__(self, order_id: str, sku: str, missing: int) -> None:
        super().__init__(order_id, f"{missing} × {sku} missing")
        self.sku = sku
        self.missing = missing


@dataclasses.dataclass
class OrderLine:
    sku: str
    quantity: int
    unit_price: Decimal
    discount: Decimal = Decimal("0")

    @property
    def net(self) -> Decimal:
        return (self.unit_price * self.quantity * (1 - self.discount)).quantize(CENT, ROUND_HALF_UP)


@dataclasses.dataclass
class Basket:
    id: str
    country: str
    lines: list[OrderLine] = dataclasses.field(default_factory=list)
    status: OrderStatus = OrderStatus.DRAFT
    notes: dict[str, str] = dataclasses.field(default_factory=dict)
    placed_on: Optional[date] = None

    def total(self) -> Decimal:
        return sum((line.net for line in self.lines), Decimal("0"))


@dataclasses.dataclass(frozen=True)
class Money:
    amount: Decimal
    currency: str = "EUR"

    def __add__(self, other: Money) -> Money:
        if other.currency != self.currency:
            raise ValueError(f"{self.currency} and {other.currency} don't add up")
        return Money(self.amount + other.amount, self.currency)

    def __str__(self) -> str:
        return f"{self.amount:.2f} {self.currency}"


@action
async def orders_reserve(order_id: str, sku: str, quantity: int) -> str:
    record("reserve", order_id, sku, quantity)
    if sku.startswith("rare"):
        raise StockShortage(order_id, sku, quantity - 1)
    return f"res-{sku}-{quantity}"


@action
async def orders_release(reservation: str) -> None:
    record("release", reservation)


@action
async def orders_charge(order_id: str, amount: Decimal, card: str) -> str:
    record("charge", order_id, str(amount), card)
    if card == "stolen":
        raise PaymentDeclined(order_id, "card_stolen")
    if card == "broke":
        raise PaymentDeclined(order_id, "insufficient_funds")
    return f"pay-{order_id}"


@action
def orders_ship(order_id: str, skus: list[str]) -> datetime:
    record("ship", order_id, skus)
    if "bulky" in skus:
        raise TimeoutError("no truck")
    return datetime(2024, 2, 28, 17, 30, tzinfo=timezone.utc)


@action
async def orders_refund(payment: str) -> None:
    record("refund", payment)


@action
async def orders_mail(to: str, subject: str, body: str = "") -> bool:
    record("mail", to, subject, body)
    return "@" in to


@action
async def orders_price(sku: str) -> Decimal:
    record("price", sku)
    return Decimal(len(sku)) * Decimal("3.335")


@action
async def orders_stock(sku: str) -> int:
    record("stock", sku)
    return {"pen": 10, "ink": 0, "paper": 3}.get(sku, 1)


def taxed(amount: Decimal, country: str) -> Decimal:
    rate = TAX_RATES.get(country, Decimal("0"))
    return (amount * (1 + rate)).quantize(CENT, rounding=ROUND_HALF_UP)


@workflow
class OrdersSaga(Workflow):
    """Each step says how it is undone; what was done is undone in reverse."""

    async def run(self, basket: Basket, card: str) -> dict[str, Any]:
        undo: list[tuple[str, str]] = []
        try:
            for line in basket.lines:
                reservation = await orders_reserve(basket.id, line.sku, line.quantity)
                undo.append(("release", reservation))
            gross = taxed(basket.total(), basket.country)
            basket.status = OrderStatus.PRICED
            payment = await orders_charge(basket.id, gross, card)
            undo.append(("refund", payment))
            basket.status = OrderStatus.PAID
            shipped_at = await orders_ship(basket.id, [line.sku for line in basket.lines])
        except (OrderError, TimeoutError) as error:
            log.warning("order %s failed: %s", basket.id, error)
            while undo:
                kind, what = undo.pop()
                if kind == "release":
                    await orders_release(what)
                else:
                    await orders_refund(what)
            basket.status = OrderStatus.CANCELLED
            code = error.code if isinstance(error, PaymentDeclined) else type(error).__name__
            return {"status": basket.status.value, "code": code, "message": str(error)}
        else:
            basket.notes["shipped"] = shipped_at.strftime("%d.%m.%Y %H:%M")
            arrives = shipped_at + timedelta(days=2)
            return {"status": basket.status.value, "gross": gross, "arrives": arrives.date(), "notes": basket.notes}
        finally:
            await orders_mail(f"{basket.id}@shop.example", f"Your order is {basket.status.name.lower()}")


@workflow
class OrdersCheckout(Workflow):
    """Errors of the steps are wrapped; the cause is kept."""

    allowed_countries = ("DE", "FR", "CH")
    max_items: int = 5

    async def run(self, basket: Basket, card: str = "visa") -> str:
        self._validate(basket)
        self.reservations: list[str] = []
        await self._reserve_all(basket)
        try:
            payment = await orders_charge(basket.id, basket.total(), card)
        except PaymentDeclined as declined:
            for reservation in self.reservations[::-1]:
                await orders_release(reservation)
            raise OrderError(basket.id, f"checkout stopped by {declined.code}") from declined
        return f"{payment} with {', '.join(self.reservations)}"

    def _validate(self, basket: Basket) -> None:
        if basket.country not in self.allowed_countries:
            raise ValueError(f"we don't ship to {basket.country!r}")
        count = sum(line.quantity for line in basket.lines)
        if not 0 < count <= self.max_items:
            raise OrderError(basket.id, f"{count} items, but 1 to {self.max_items} are allowed")

    async def _reserve_all(self, basket: Basket) -> None:
        for line in sorted(basket.lines, key=lambda each: (-each.quantity, each.sku)):
            self.reservations.append(await orders_reserve(basket.id, line.sku, line.quantity))


@workflow
class OrdersPriceBasket(Workflow):
    """Prices are asked for once per article, at the same time."""

    async def run(self, wanted: list[str], coupon: str | None = None) -> dict[str, Any]:
        counts = collections.Counter(wanted)
        skus = sorted(counts)
        prices = dict(zip(skus, await asyncio.gather(*[orders_price(sku) for sku in skus])))
        lines = [OrderLine(sku, counts[sku], prices[sku]) for sku in skus]
        if coupon and (found := re.fullmatch(r"SAVE(\d{1,2})", coupon)):
            percent = int(found[1])
            for line in lines:
                line.discount = Decimal(percent) / 100
        net = sum(line.net for line in lines)
        shipping = Decimal("0") if net >= FREE_SHIPPING_FROM else Decimal("4.90")
        return {
            "net": net,
            "shipping": shipping,
            "gross": {country: taxed(net + shipping, country) for country in TAX_RATES},
            "lines": [dataclasses.asdict(line) for line in lines],
            "most": counts.most_common(1),
        }


@workflow
class OrdersSplitShipment(Workflow):
    """What is there goes now, the rest later. Both baskets share their notes."""

    async def run(self, basket: Basket) -> tuple[Basket, Basket, bool]:
        now = dataclasses.replace(basket, id=basket.id + "-1", lines=[])
        later = dataclasses.replace(basket, id=basket.id + "-2", lines=[])
        for line in basket.lines:
            available = await orders_stock(line.sku)
            if available >= line.quantity:
                now.lines.append(line)
            elif available:
                now.lines.append(dataclasses.replace(line, quantity=available))
                line.quantity -= available
                later.lines.append(line)
            else:
                later.lines.append(line)
        now.notes["split"] = f"{len(now.lines)}+{len(later.lines)}"
        shared = later.notes is basket.notes and later.notes["split"] == now.notes["split"]
        for part in (now, later):
            if part.lines:
                await orders_ship(part.id, [f"{line.sku}*{line.quantity}" for line in part.lines])
        return now, later, shared


class LineModel(BaseModel):
    sku: str
    quantity: int = Field(gt=0)
    price: Decimal = Decimal("1.00")


class OrderModel(BaseModel):
    id: int
    email: str
    lines: list[LineModel] = []
    placed: Optional[datetime] = None

    def gross(self) -> Decimal:
        return sum((line.price * line.quantity for line in self.lines), Decimal(0))


@workflow
class OrdersIntake(Workflow):
    """Raw JSON from a shop's front end: what fits is taken, what doesn't is told."""

    async def run(self, raw: list[str]) -> dict[str, Any]:
        taken: list[OrderModel] = []
        refused: list[dict[str, Any]] = []
        for position, text in enumerate(raw, start=1):
            try:
                order = OrderModel.model_validate_json(text)
            except ValueError as error:
                refused.append({"position": position, "kind": type(error).__name__})
                continue
            taken.append(order)
        late = [order.model_copy(update={"placed": None}) for order in taken if order.placed and order.placed.year < 2024]
        sent = 0
        for order in taken:
            if order in late:
                continue
            if await orders_mail(order.email, f"Order {order.id:05d}", f"{order.gross():,.2f}"):
                sent += 1
        return {"sent": sent, "refused": refused, "late": late, "taken": [order.model_dump(mode="json") for order in taken]}


@workflow
class OrdersReturn(Workflow):
    """A state machine over the events of a return."""

    async def run(self, events: list[dict[str, Any]]) -> dict[str, Any]:
        state = "requested"
        refunded = Money(Decimal("0"))
        history: list[str] = [state]
        for event in events:
            match (state, event):
                case ("requested", {"type": "approve", "by": str(who)}):
                    state = "approved"
                    history.append(f"{state} by {who}")
                case ("approved", {"type": "received", "items": [first, *rest]}):
                    state = "received"
                    history.append(f"{first} and {len(rest)} more")
                case ("received", {"type": "refund", "amount": (int() | float()) as amount}) if amount > 0:
                    await orders_refund(f"part-{amount}")
                    refunded = refunded + Money(Decimal(str(amount)))
                case ("received", {"type": "refund"}):
                    raise ValueError(f"nothing to refund in {json.dumps(event, sort_keys=True)}")
                case (_, {"type": "close"}):
                    state = "closed"
                    break
                case (current, {"type": kind, **rest}):
                    history.append(f"{kind} ignored while {current}: {sorted(rest)}")
        else:
            history.append("left open")
        return {"state": state, "refunded": refunded, "text": str(refunded), "history": history}


@workflow
class OrdersPayOnce(Workflow):
    """The idempotency key is a hash of what is bought; retries keep it."""

    async def run(self, order_id: str, lines: list[tuple[str, int]], cards: list[str]) -> dict[str, Any]:
        canonical = json.dumps(sorted(lines), separators=(",", ":"))
        key = hashlib.sha256(f"{order_id}|{canonical}".encode()).hexdigest()[:12]
        declined: dict[str, str] = {}
        amount = sum(Decimal(count) * len(sku) for sku, count in lines)
        for card in cards:
            try:
                payment = await self.run_action(orders_charge(key, amount, card), retry=RetryPolicy(attempts=2, retry_on=[ConnectionError]))
                break
            except PaymentDeclined as error:
                declined[card] = error.code
        else:
            last = list(declined.items())[-1] if declined else None
            raise OrderError(key, f"no card works, last {last}")
        return {"payment": payment, "declined": declined, "key": key}


@workflow
class OrdersMergeBaskets(Workflow):
    """A guest logs in: two baskets become one. Copies may not share lines with what they were copied from."""

    async def run(self, guest: Basket, account: Basket) -> dict[str, Any]:
        backup = copy.deepcopy(account)
        alias = account
        by_sku = {line.sku: line for line in account.lines}
        for line in guest.lines:
            known = by_sku.setdefault(line.sku, line)
            if known is not line:
                known.quantity += line.quantity
                known.discount = max(known.discount, line.discount)
            else:
                account.lines.append(line)
        guest.lines[0].quantity = 99
        guest.lines.clear()
        await orders_mail(account.id, "merged", f"{len(alias.lines)} lines")
        grouped = {
            key: [line.sku for line in group]
            for key, group in itertools.groupby(sorted(account.lines, key=lambda each: each.sku), key=lambda each: each.sku[0])
        }
        return {"account": alias, "guest": guest, "backup": backup, "same": alias is account, "grouped": grouped}


@workflow
class OrdersWaitForPayment(Workflow):
    """A bank transfer is looked for until it came, or the order is too old."""

    async def run(self, order_id: str, arrives_after: int, limit: int = 4) -> str:
        deadline = limit
        looked = 0
        while True:
            if looked >= deadline:
                await orders_mail("sales@shop.example", f"{order_id} expired after {looked} looks")
                break
            looked += 1
            await asyncio.sleep(0.01 * looked)
            level = await orders_stock("x" * looked)
            if looked > arrives_after and level:
                await orders_mail("sales@shop.example", f"{order_id} paid")
                return f"paid after {looked}"
            if looked % 2:
                continue
            await orders_mail("customer@shop.example", f"reminder {looked // 2}")
        return "expired"


def _basket(name: str, *lines: tuple[str, int, str], country: str = "DE") -> Basket:
    return Basket(name, country, [OrderLine(sku, count, Decimal(price)) for sku, count, price in lines])


CASES = [
    Case(OrdersSaga, (_basket("o1", ("pen", 2, "1.25"), ("ink", 1, "7.99")), "visa")),
    Case(OrdersSaga, (_basket("o2", ("pen", 2, "1.25"), ("rare-ink", 3, "7.99")), "visa"), name="shortage"),
    Case(OrdersSaga, (_basket("o3", ("pen", 2, "1.25"), ("ink", 3, "7.99")), "stolen"), name="declined"),
    Case(OrdersSaga, (_basket("o4", ("pen", 2, "1.25"), ("bulky", 3, "7.99"), country="XX"), "visa"), name="no_truck"),
    Case(OrdersCheckout, (_basket("c1", ("pen", 1, "1.25"), ("ink", 3, "7.99")),)),
    Case(OrdersCheckout, (_basket("c2", ("pen", 1, "1.25"), ("ink", 3, "7.99")), "broke"), name="declined"),
    Case(OrdersCheckout, (_basket("c3", ("pen", 6, "1.25")),), name="too_many"),
    Case(OrdersCheckout, (_basket("c4", ("pen", 1, "1.25"), country="US"),), name="country"),
    Case(OrdersPriceBasket, (["pen", "ink", "pen", "paper"],), concurrent=True),
    Case(OrdersPriceBasket, (["pen", "ink", "pen", "paper"] * 3, "SAVE15"), name="coupon", concurrent=True),
    Case(OrdersPriceBasket, (["pen"], "SAVE150"), name="bad_coupon"),
    Case(OrdersSplitShipment, (_basket("s", ("pen", 2, "1"), ("ink", 1, "2"), ("paper", 5, "3")),)),
    Case(
        OrdersIntake,
        (
            [
                '{"id": 1, "email": "a@b.c", "lines": [{"sku": "pen", "quantity": 2}], "placed": "2024-02-01T10:00:00Z"}',
                '{"id": 2, "email": "a@b.c", "lines": [{"sku": "pen", "quantity": 0}]}',
                '{"id": "3", "email": "nobody", "placed": "2023-02-01T10:00:00+01:00"}',
                "nonsense",
                '{"id": 4, "email": "nobody", "lines": [{"sku": "x", "quantity": 1000, "price": "12.345"}]}',
            ],
        ),
    ),
    Case(
        OrdersReturn,
        (
            [
                {"type": "approve", "by": "ann"},
                {"type": "approve", "by": "bob", "again": True},
                {"type": "received", "items": ["pen", "ink", "paper"]},
                {"type": "refund", "amount": 12.5},
                {"type": "refund", "amount": 3},
                {"type": "close"},
                {"type": "refund", "amount": 1},
            ],
        ),
    ),
    Case(OrdersReturn, ([{"type": "approve", "by": 7}],), name="open"),
    Case(
        OrdersReturn,
        ([{"type": "approve", "by": "a"}, {"type": "received", "items": [1]}, {"type": "refund", "amount": -1}],),
        name="negative",
    ),
    Case(OrdersPayOnce, ("p1", [("pen", 2), ("ink", 1)], ["broke", "visa", "never"])),
    Case(OrdersPayOnce, ("p2", [("pen", 2)], ["broke", "stolen"]), name="none_works"),
    Case(OrdersPayOnce, ("p3", [], []), name="no_cards"),
    Case(
        OrdersMergeBaskets,
        (_basket("g", ("pen", 2, "1"), ("glue", 1, "2")), _basket("a", ("pen", 1, "1"), ("paper", 1, "2"))),
    ),
    Case(OrdersWaitForPayment, ("w1", 2)),
    Case(OrdersWaitForPayment, ("w2", 9), name="expired"),
]
