"""An order, step by step; when a step fails, what was done before is undone, last first.

python app.py                                                    # all of it, on a SQLite file in .waymark

waymark dev app.py                                               # or: a server with workers, in one terminal
waymark run app:PlaceOrder --input '{"order": {"id": "o-1", "item": "lamp", "amount": 30}}'    # in another
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import pathlib
from collections.abc import Awaitable, Callable

from waymark import NonRetryable, RetryPolicy, Workflow, action, current, workflow

LEDGER = pathlib.Path(os.environ.get("LEDGER", "ledger.txt"))


@dataclasses.dataclass
class Order:
    id: str
    item: str
    amount: int


@dataclasses.dataclass
class Outcome:
    order_id: str
    status: str
    reason: str = ""


class OrderFailed(Exception):
    """Why an order can't be had."""


class OutOfStock(OrderFailed, NonRetryable):
    """Another try finds no more of it."""

    def __init__(self, item: str) -> None:
        super().__init__(f"no {item} left")
        self.item = item


class CardDeclined(OrderFailed, NonRetryable):
    def __init__(self, amount: int, code: str) -> None:
        super().__init__(f"{amount} declined: {code}")
        self.amount, self.code = amount, code


def note(line: str) -> None:
    with LEDGER.open("a") as ledger:
        ledger.write(f"{line}\n")


@action
async def reserve(order: Order) -> str:
    if order.item == "unicorn":
        raise OutOfStock(order.item)
    note(f"reserved {order.item}")
    return f"shelf-{order.id}"


@action
async def release(shelf: str) -> None:
    note(f"released {shelf}")


@action(retry=RetryPolicy(attempts=4, backoff_seconds=0.1), timeout=30)
async def charge(order: Order) -> str:
    if order.amount > 1000:
        raise CardDeclined(order.amount, code="limit")  # NonRetryable: once is enough.
    if current().attempt < 3:
        raise ConnectionError("the bank hung up")  # Tried again, as the policy says.
    # The bank sees the same key with every try, so that it charges once.
    note(f"charged {order.amount} under {'a key' if current().execution_id else 'no key'}")
    return f"payment-{order.id}"


@action
async def refund(payment: str) -> None:
    note(f"refunded {payment}")


@action
async def ship(order: Order) -> None:
    if order.item == "piano":
        raise OrderFailed("too heavy to ship")
    note(f"shipped {order.item}")


@workflow
class PlaceOrder(Workflow):
    async def run(self, order: Order) -> Outcome:
        undo: list[Callable[[], Awaitable[None]]] = []
        try:
            shelf = await reserve(order)
            undo.append(lambda: release(shelf))
            payment = await charge(order)
            undo.append(lambda: refund(payment))
            await ship(order)
        except OrderFailed as failure:
            # What undoes a step must not give up: it is tried for as long as it takes.
            for step in reversed(undo):
                await step()
            return Outcome(order.id, "undone", f"{type(failure).__name__}: {failure}")
        return Outcome(order.id, "placed")


ORDERS = [Order("o-1", "lamp", 30), Order("o-2", "unicorn", 5), Order("o-3", "yacht", 90_000), Order("o-4", "piano", 900)]


async def main() -> None:
    for order in ORDERS:
        print(await PlaceOrder().run(order))
    print(LEDGER.read_text(), end="")


if __name__ == "__main__":
    asyncio.run(main())
