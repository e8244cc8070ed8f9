"""Payments: rows in the database that Waymark is in, written in one transaction with the end of their action. Each is there once, or not at all."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import asyncpg
import psycopg

import waymark
from torture import ledger
from torture.check import Run, Violation
from torture.ledger import Place
from torture.workflows import Declined, mixed
from waymark import BackoffPolicy, Depends, RetryPolicy, Workflow, action, workflow

#: What a database that is away, full or cut off says of it.
AWAY = [psycopg.Error, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, asyncio.TimeoutError]
RETRY = RetryPolicy(attempts=10_000, retry_on=AWAY, backoff=BackoffPolicy(base_delay=0.05, factor=2, max_delay=1.0))
#: Nothing keeps a payment from being there twice.
TABLE = "CREATE TABLE payments (run text NOT NULL, number integer NOT NULL)"


def connection() -> Any:
    """None: plain asyncio, which has no database, says what must come of it."""
    return None if ledger.noted.get() is not None else waymark.transaction()


def is_declined(number: int) -> bool:
    return number % 4 == 3


def settled(number: int, value: int) -> int:
    if is_declined(number):
        # It was paid, and is undone.
        raise Declined("no funds", number)
    return mixed(value, Place(0, "", number))


@action(transaction=True, retry=RETRY)
async def pay(run: str, number: int, value: int, bank: Any = Depends(connection)) -> int:
    with ledger.step(run, Place(0, "", number)):
        if bank:
            await bank.execute("INSERT INTO payments VALUES (%s, %s)", [run, number])
    return settled(number, value)


@action(transaction=True, retry=RETRY)
def pay_in_thread(run: str, number: int, value: int, bank: Any = Depends(connection)) -> int:
    with ledger.step(run, Place(0, "", number)):
        if bank:
            bank.execute("INSERT INTO payments VALUES (%s, %s)", [run, number])
    return settled(number, value)


@action(transaction="asyncpg", retry=RETRY)
async def pay_by_asyncpg(run: str, number: int, value: int, bank: Any = Depends(connection)) -> int:
    with ledger.step(run, Place(0, "", number)):
        if bank:
            await bank.execute("INSERT INTO payments VALUES ($1, $2)", run, number)
    return settled(number, value)


@workflow
class TorturePayments(Workflow):
    async def run(self, run: str, count: int) -> tuple[int, int]:
        value, declined = 6, 0
        for number in range(count):
            try:
                if number % 3 == 0:
                    value = await pay(run, number, value)
                elif number % 3 == 1:
                    value = await pay_in_thread(run, number, value)
                else:
                    value = await pay_by_asyncpg(run, number, value)
            except Declined:
                declined += 1
        return value, declined


async def open_accounts(url: str) -> None:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as database:
        await database.execute(TABLE)


async def paid(url: str) -> list[tuple[str, int]]:
    async with await psycopg.AsyncConnection.connect(url) as database:
        return await (await database.execute("SELECT run, number FROM payments")).fetchall()


def check(runs: Iterable[Run], rows: Iterable[tuple[str, int]]) -> list[Violation]:
    """What was paid is what the programs were told."""
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for name, number in rows:
        found[name][number] += 1
    violations = []
    for run in runs:
        if run.workflow != TorturePayments.__name__:
            continue
        numbers = found.pop(run.name, Counter())
        wanted = {place.number for place in run.steps or () if not is_declined(place.number)}
        twice = sorted(number for number, count in numbers.items() if count > 1)
        missing = sorted(wanted - set(numbers)) if run.outcomes else []
        undone = sorted(set(numbers) - wanted)
        for kind, which in (("paid twice", twice), ("not paid", missing), ("paid, and told otherwise", undone)):
            violations += [Violation(kind, run.name, f"payments {which}")] if which else []
    return violations + [Violation("paid by nobody", name, f"payments {sorted(numbers)}") for name, numbers in found.items()]
