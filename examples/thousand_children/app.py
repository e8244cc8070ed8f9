"""A parent and a thousand children: each a workflow of its own, with its own retries, and all of them started by one commit.

python app.py                                                    # all of it, on a SQLite file in .waymark

waymark dev app.py                                               # or: a server with workers, in one terminal
waymark run app:Campaign --input '{"customers": 20}'    # in another
"""

from __future__ import annotations

import asyncio
import sys

from waymark import RetryPolicy, Workflow, action, workflow


class Bounced(Exception):
    """There is no such address."""


@action(retry=RetryPolicy(attempts=3, retry_on=(ConnectionError,)))
async def send(customer: int) -> int:
    if customer % 250 == 249:
        raise Bounced(f"customer {customer} is unknown")
    return customer


@workflow
class Letter(Workflow):
    async def run(self, customer: int) -> int:
        return await send(customer)


@workflow
class Campaign(Workflow):
    async def run(self, customers: int) -> dict[str, int]:
        letters = [Letter().run(number) for number in range(customers)]
        # The failure of a child is its exception, as if it had been called here.
        outcomes = await asyncio.gather(*letters, return_exceptions=True)
        bounced = [outcome for outcome in outcomes if isinstance(outcome, Bounced)]
        return {"sent": len(outcomes) - len(bounced), "bounced": len(bounced)}


async def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    print(await Campaign().run(count))


if __name__ == "__main__":
    asyncio.run(main())
