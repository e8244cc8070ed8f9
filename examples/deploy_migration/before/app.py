"""Orders are packed for days, so there are always some on their way when new code is deployed. This is the code of before.

python app.py start o-1 250          # an order, on a SQLite file in .waymark; it is being packed
cp ../after/app.py .                 # the new code comes; see what it says
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import sys

from waymark import Workflow, action, workflow

SHELF = pathlib.Path(os.environ.get("SHELF", "shelf")).absolute()


@action
async def reserve(order: str) -> None:
    SHELF.mkdir(exist_ok=True)


@action
async def pack(order: str) -> str:
    """People do it: it takes until there is a parcel on the shelf."""
    (SHELF / f"{order}.wanted").touch()
    while not (SHELF / order).exists():
        await asyncio.sleep(0.05)
    return f"parcel of {order}"


@action
async def ship(parcel: str) -> str:
    return f"{parcel} shipped"


@workflow
class Fulfil(Workflow):
    async def run(self, order: str, amount: int) -> str:
        await reserve(order)
        parcel = await pack(order)
        return await ship(parcel)


async def main(order: str, amount: int) -> None:
    handle = await Fulfil().start(order, amount, id=order)
    print(f"{order} is being packed: {handle.instance_id}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[2], int(sys.argv[3])))
