"""`python -m waymark.bench`: a client that is told on stdin what to run, a JSON object a line, and answers each with one on stdout.

`python -m waymark.bench calls COUNT BYTES`: so many calls of an action's function with nothing around them, for the floor.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

from waymark.bench import client
from waymark.bench.workflows import made, nothing


async def serve() -> None:
    lines = asyncio.get_running_loop()
    # At its end whoever started this is gone.
    while line := await lines.run_in_executor(None, sys.stdin.readline):
        asked = json.loads(line)
        answer: dict[str, Any]
        try:
            answer = await client.COMMANDS[asked.pop("do")](**asked)
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


async def calls(count: int, size: int) -> None:
    """0 bytes: the action that gives back a number."""
    begun = time.process_time()
    if size:
        for _ in range(count):
            await made.function(size)
    else:
        for number in range(count):
            await nothing.function(number)
    print(json.dumps({"cpu_s": time.process_time() - begun}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["calls"]:
        asyncio.run(calls(int(sys.argv[2]), int(sys.argv[3])))
    else:
        asyncio.run(serve())
