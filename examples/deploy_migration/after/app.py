"""Orders are packed for days. From now on what is worth more than 100 is insured, also what is being packed already.

waymark check app:Fulfil --against-db    # before it is deployed: what does it mean for what runs?
python app.py deploy                     # moves it; the value that the new code needs is worked out for each
python app.py packed o-1                 # the parcel is there: it goes on, with the new code
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import sys

from waymark import Frame, Workflow, action, check_instances, versions, workflow

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
async def ship(parcel: str, insured: bool) -> str:
    return f"{parcel} shipped" + (", insured" if insured else "")


@workflow
class Fulfil(Workflow):
    async def run(self, order: str, amount: int) -> str:
        insured = amount > 100
        await reserve(order)
        parcel = await pack(order)
        return await ship(parcel, insured)


def what_is_new(frame: Frame) -> dict[str, bool]:
    """Those that are past the first line have no `insured`: this is theirs."""
    return {"insured": frame.variables["amount"] > 100}


async def deploy() -> None:
    for found in await check_instances(Fulfil):
        print(f"{found.id}: {found.label}")
    for moved in await Fulfil.migrate_all(variables=what_is_new):
        print(f"{moved.id}: {'migrated' if moved.done else moved.problems}")
    print([version.live_instances for version in await versions(Fulfil)])


async def packed(order: str) -> None:
    (SHELF / order).touch()
    print(await Fulfil.get_handle(order).result(timeout=60))


if __name__ == "__main__":
    asyncio.run(deploy() if sys.argv[1] == "deploy" else packed(sys.argv[2]))
