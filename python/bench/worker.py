"""What a no-op action costs a worker in CPU time: `python python/bench/worker.py [calls]`.

The worker is a process of its own; the engine's side runs here, and keeps the worker's slots filled.
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent), str(FOLDER.parent / "tests"), str(FOLDER)]

from fake_hub import TOKEN, fake_hub  # noqa: E402

from waymark._proto.worker_pb2 import ActionCall, Call  # noqa: E402

SLOTS = 100


def cpu_seconds(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(name: str, calls: int) -> None:
    async with fake_hub() as hub:
        environment = {
            **os.environ,
            "WAYMARK_WORKER_ADDRESS": hub.address,
            "WAYMARK_WORKER_TOKEN": TOKEN,
            "WAYMARK_WORKER_SLOTS": str(SLOTS),
            "WAYMARK_USER_MODULES": "bench_actions",
            "PYTHONPATH": os.pathsep.join(sys.path[:3]),
        }
        worker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "waymark.worker", env=environment, stderr=asyncio.subprocess.DEVNULL
        )
        session = await hub.session()
        action = ActionCall(name=f"bench_actions:{name}", positional=b"\x91\x01", keyword=b"\x80")

        async def run(count: int) -> None:
            given = done = seen = 0
            while done < count:
                batch = [
                    Call(
                        call_id=given + at,
                        execution_id=f"x-{at}",
                        attempt=1,
                        instance_id=bytes(16),
                        workflow_name="W",
                        action=action,
                    )
                    for at in range(min(SLOTS - (given - done), count - given))
                ]
                given += len(batch)
                if batch:
                    session.start(*batch)
                await session.until(lambda session, seen=seen: len(session.frames) > seen)
                done += sum(len(frame.settled) for frame in session.frames[seen:])
                seen = len(session.frames)
            session.frames.clear()

        await run(SLOTS * 20)
        before, started = cpu_seconds(worker.pid), time.perf_counter()
        await run(calls)
        spent, took = cpu_seconds(worker.pid) - before, time.perf_counter() - started
        print(f"{name:16} {spent / calls * 1e6:6.1f} µs of CPU a call, {calls / took:8.0f} calls a second")
        session.send(drain=True)
        await worker.wait()


async def main(calls: int) -> None:
    for name in ("nothing", "nothing_typed", "nothing_in_thread"):
        await measure(name, calls)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000))
