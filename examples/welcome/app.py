"""Welcome emails: fetch users, mail the active ones all at once, wait, thank those who got theirs.

waymark dev app.py                                            # a server with workers, in one terminal
waymark run app:Welcome --input '{"ids": ["ann", "bob"]}'     # in another
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import pathlib

from waymark import RetryPolicy, Workflow, action, current, workflow

OUTBOX = pathlib.Path(os.environ.get("OUTBOX", "outbox.txt"))


@dataclasses.dataclass
class User:
    id: str
    email: str
    active: bool


@dataclasses.dataclass
class Receipt:
    to: str
    ok: bool


@action
async def fetch_users(ids: list[str]) -> list[User]:
    await asyncio.sleep(0.2)  # A database, elsewhere.
    return [User(id, f"{id}@example.org", active=not id.startswith("x")) for id in ids]


@action(retry=RetryPolicy(attempts=3, backoff_seconds=0.2), timeout=10)
async def send_email(to: str, subject: str) -> Receipt:
    attempt = current().attempt
    await asyncio.sleep(0.3 + len(to) % 4 * 0.2)
    if to.startswith("eve") and attempt == 1:
        raise ConnectionError("the mail server hung up")
    # One write a mail: what is counted at the end is what was really sent.
    with OUTBOX.open("a") as outbox:
        outbox.write(f"{subject}: {to}\n")
    return Receipt(to, ok=not to.startswith("dan"))


@workflow
class Welcome(Workflow):
    async def run(self, ids: list[str]) -> list[Receipt]:
        users = await fetch_users(ids)
        active = [user for user in users if user.active]
        receipts = await asyncio.gather(*[send_email(to=user.email, subject="Welcome") for user in active])
        await asyncio.sleep(2)  # A day, in earnest: it costs nothing.
        for receipt in receipts:
            if receipt.ok:
                await send_email(to=receipt.to, subject="How is it going?")
        return [receipt for receipt in receipts if receipt.ok]
