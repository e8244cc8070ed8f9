"""Reports for many tenants: each has two at a time, however many it orders, and nobody waits for somebody else's.

python app.py                                                    # all of it, on a SQLite file in .waymark

waymark dev app.py                                               # or: a server with workers, in one terminal
waymark queues set default --key-concurrency 2                   # in another
waymark run app:Report --input '{"tenant": "acme", "number": 1}'
"""

from __future__ import annotations

import asyncio
import dataclasses
import time

from waymark import Workflow, action, list_queues, set_queue, workflow

#: How many each tenant orders.
ORDERS = {"acme": 8, "globex": 2, "initech": 2}
AT_ONCE = 2


@dataclasses.dataclass
class Rendered:
    tenant: str
    number: int
    began: float
    ended: float


@action
async def render(tenant: str, number: int) -> Rendered:
    began = time.time()
    await asyncio.sleep(0.3)
    return Rendered(tenant, number, began, time.time())


@workflow
class Report(Workflow):
    async def run(self, tenant: str, number: int) -> Rendered:
        return await render(tenant, number)


def most_at_once(rendered: list[Rendered]) -> int:
    """How many of them overlapped."""
    edges = sorted([(one.began, 1) for one in rendered] + [(one.ended, -1) for one in rendered])
    running = most = 0
    for _, step in edges:
        running += step
        most = max(most, running)
    return most


async def main() -> None:
    await set_queue("default", key_concurrency=AT_ONCE)
    handles = []
    # The large one comes first. Keys take turns, so the others don't wait until it has all of its reports.
    for tenant, count in ORDERS.items():
        handles += [await Report().start(tenant, number, key=tenant) for number in range(count)]
    (queue,) = await list_queues()
    print(f"{queue.name}: {queue.key_concurrency} of a key at once")
    done = await asyncio.gather(*[handle.result() for handle in handles])
    for tenant in ORDERS:
        mine = [one for one in done if one.tenant == tenant]
        print(f"{tenant}: {len(mine)} reports, {most_at_once(mine)} at once")
    last = max((one for one in done), key=lambda one: one.ended)
    print(f"the last one was {last.tenant}'s")


if __name__ == "__main__":
    asyncio.run(main())
