"""A nightly report: it runs by itself at half past two in Berlin, whatever the clocks do, and once for each night.

waymark dev app.py                                            # a server with workers, in one terminal
python app.py                                                 # in another: schedules it, and makes up for the last nights
waymark schedule list                                         # what there is, and when it is due next
waymark schedule trigger Report nightly                       # one more, now
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone

from waymark import Workflow, action, backfill_schedule, describe_schedule, schedule_workflow, workflow


@action
async def count_orders(shop: str) -> int:
    await asyncio.sleep(0.1)  # A database, elsewhere.
    return len(shop) * 10


@action
async def send_report(text: str) -> str:
    return f"sent: {text}"


@workflow
class Report(Workflow):
    async def run(self, shops: list[str]) -> str:
        counts = await asyncio.gather(*[count_orders(shop) for shop in shops])
        return await send_report(f"{sum(counts)} orders in {len(shops)} shops")


async def main() -> None:
    # Whenever the program starts: what is the same as before changes nothing.
    schedule = await schedule_workflow(
        Report,
        schedule_name="nightly",
        schedule="30 2 * * *",
        time_zone="Europe/Berlin",
        inputs={"shops": ["north", "south"]},
        jitter=timedelta(minutes=5),  # Others have nightly reports too.
        catch_up=timedelta(hours=6),  # If nobody was there at night, then in the morning.
        timeout=timedelta(hours=1),
    )
    print(f"the next one is due at {schedule.next_due[0]:%H:%M} UTC")
    now = datetime.now(timezone.utc)
    made_up = await backfill_schedule(Report, schedule_name="nightly", start=now - timedelta(days=3), end=now)
    print(f"{made_up.started} of the last {made_up.due_times} nights had no report")
    shown = await describe_schedule(Report, schedule_name="nightly")
    print(f"{shown.runs} were started by now")


if __name__ == "__main__":
    asyncio.run(main())
