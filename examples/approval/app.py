"""A person approves a purchase: asked once, reminded after a while, and decided without them when they never answer.

python app.py                                                    # all of it, on a SQLite file in .waymark

waymark dev app.py                                               # or: a server with workers, in one terminal
waymark run app:Purchase --input '{"order": {"id": "p-1", "item": "lamp", "price": 30}}'    # in another
"""

from __future__ import annotations

import asyncio
import dataclasses

import waymark
from waymark import Workflow, action, workflow

#: What nobody has to be asked about.
SMALL = 50


@dataclasses.dataclass
class Order:
    id: str
    item: str
    price: int


@dataclasses.dataclass
class Approval:
    by: str
    approved: bool


@action
async def tell(text: str) -> None:
    print(text)


@workflow
class Purchase(Workflow):
    """`remind_after` and `give_up_after` are seconds: days cost no more than these."""

    async def run(self, order: Order, remind_after: float = 24 * 3600, give_up_after: float = 3 * 24 * 3600) -> str:
        if order.price <= SMALL:
            return f"{order.item} is bought"
        self.publish("state", "waiting for approval")
        await tell(f"May we buy {order.item} for {order.price}?")
        reminder = asyncio.create_task(self.remind(order, remind_after))
        try:
            approval = await waymark.wait_for_signal("approval", Approval, timeout=give_up_after)
        except TimeoutError:
            self.publish("state", "nobody answered")
            return f"{order.item} is not bought: nobody answered"
        finally:
            reminder.cancel()
        self.publish("state", f"decided by {approval.by}")
        return f"{order.item} is {'bought' if approval.approved else 'not bought'}, says {approval.by}"

    async def remind(self, order: Order, after: float) -> None:
        while True:
            await asyncio.sleep(after)
            await tell(f"Still open: {order.item} for {order.price}")


async def main() -> None:
    print(await Purchase().run(Order("p-1", "lamp", 30)))
    handle = await Purchase().start(Order("p-2", "desk", 400), id="p-2")
    # Sent twice, as a web form may be; taken once.
    for _ in range(2):
        await handle.signal("approval", Approval(by="ann", approved=True), id="form-1")
    print(await handle.result())
    print(await handle.query("state"))
    late = await Purchase().start(Order("p-3", "piano", 9000), 0.2, 1.0)
    print(await late.result())
    try:
        await late.signal("approval", Approval(by="ann", approved=True))
    except waymark.InstanceFinished:
        print("too late to approve p-3")


if __name__ == "__main__":
    asyncio.run(main())
