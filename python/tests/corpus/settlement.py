"""Settlement with task groups and timeouts: Python 3.11 and later."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
from decimal import Decimal
from typing import Any

from corpus import Case, record
from waymark import Workflow, action, workflow


class SettlementError(Exception):
    def __init__(self, bank: str) -> None:
        super().__init__(f"{bank} refuses")
        self.bank = bank


@dataclasses.dataclass
class Settled:
    bank: str
    amount: Decimal


@action
async def settlement_send(bank: str, amount: Decimal) -> Settled:
    record("send", bank, str(amount))
    if bank.startswith("bad"):
        raise SettlementError(bank)
    return Settled(bank, amount)


@action
async def settlement_report(text: str) -> None:
    record("report", text)


CASES: list[Case] = []

if sys.version_info >= (3, 11):

    @workflow
    class SettlementGroup(Workflow):
        """One failure stops the others; the group is looked into."""

        async def run(self, banks: dict[str, Decimal]) -> dict[str, Any]:
            tasks: dict[str, asyncio.Task[Settled]] = {}
            stopped: list[str] = []

            async def send(bank: str, amount: Decimal) -> Settled:
                try:
                    await asyncio.sleep(0.01 if bank.startswith("bad") else 0.03)
                    return await settlement_send(bank, amount)
                except asyncio.CancelledError:
                    stopped.append(bank)
                    raise

            try:
                async with asyncio.TaskGroup() as group:
                    for bank, amount in banks.items():
                        tasks[bank] = group.create_task(send(bank, amount), name=bank)
            except ExceptionGroup as errors:  # noqa: F821
                refused = sorted(error.bank for error in errors.exceptions if isinstance(error, SettlementError))
                await settlement_report(f"refused by {', '.join(refused)}")
                return {
                    "refused": refused,
                    "stopped": sorted(stopped),
                    "cancelled": [name for name, task in tasks.items() if task.cancelled()],
                }
            return {"settled": [task.result() for task in tasks.values()]}

    @workflow
    class SettlementDeadline(Workflow):
        """A deadline for all of it; what was done by then is told; the deadline can be moved."""

        async def run(self, banks: list[str], seconds: float, extend: bool = False) -> dict[str, Any]:
            done: list[str] = []
            outcome = "complete"
            try:
                async with asyncio.timeout(seconds) as deadline:
                    for bank in banks:
                        await asyncio.sleep(0.01)
                        if extend:
                            deadline.reschedule(None)
                            extend = False
                        done.append((await settlement_send(bank, Decimal(len(bank)))).bank)
            except TimeoutError:
                outcome = "out of time"
            except SettlementError as error:
                outcome = f"stopped by {error.bank}"
                raise RuntimeError(outcome) from error
            finally:
                await settlement_report(outcome)
            return {"done": done, "outcome": outcome, "expired": deadline.expired()}

    @workflow
    class SettlementNested(Workflow):
        """Groups inside of groups, with results that are added up under a lock."""

        async def run(self, regions: dict[str, list[str]]) -> dict[str, Any]:
            totals: dict[str, Decimal] = {}
            lock = asyncio.Lock()

            async def bank_of(region: str, bank: str) -> None:
                settled = await settlement_send(bank, Decimal(len(bank)))
                async with lock:
                    before = totals.get(region, Decimal(0))
                    await asyncio.sleep(0.001)
                    totals[region] = before + settled.amount

            async def region_of(region: str, banks: list[str]) -> int:
                async with asyncio.TaskGroup() as inner:
                    for bank in banks:
                        inner.create_task(bank_of(region, bank))
                return len(banks)

            async with asyncio.TaskGroup() as outer:
                counts = [outer.create_task(region_of(region, banks)) for region, banks in regions.items()]
            return {"totals": dict(sorted(totals.items())), "counts": [count.result() for count in counts]}

    CASES = [
        Case(SettlementGroup, ({"one": Decimal(1), "two": Decimal(2)},), concurrent=True),
        Case(SettlementGroup, ({"one": Decimal(1), "bad": Decimal(2), "two": Decimal(3)},), name="refused", concurrent=True),
        Case(SettlementDeadline, (["one", "two", "three"], 0.035)),
        Case(SettlementDeadline, (["one", "two", "three"], 0.015), name="late"),
        Case(SettlementDeadline, (["one", "two", "three"], 0.015, True), name="extended"),
        Case(SettlementDeadline, (["one", "bad"], 1.0), name="refused"),
        Case(SettlementNested, ({"north": ["a", "bb"], "south": ["ccc", "d", "e"]},), concurrent=True),
    ]
