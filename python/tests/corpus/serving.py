"""Runs all cases against a real server, with real workers: `python -m corpus.serving OUT`. The database is the environment's."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import sys
from typing import Any

from corpus import Case
from corpus.running import Outcome, all_cases, describe, describe_error

#: Instances at the same time.
WIDTH = 32


async def run_all() -> list[tuple[Outcome, list[Any]]]:
    gate = asyncio.Semaphore(WIDTH)

    async def one(case: Case) -> tuple[Outcome, list[Any]]:
        async with gate:
            return await run(case)

    return await asyncio.gather(*(one(case) for case in all_cases()))


async def run(case: Case) -> tuple[Outcome, list[Any]]:
    handle = await case.workflow().start(*case.args, **case.kwargs)  # type: ignore[attr-defined]
    outcome: Outcome
    try:
        outcome = "completed", describe(await handle.result(timeout=120))
    except (Exception, asyncio.CancelledError) as error:
        outcome = "failed", describe_error(error)
    journal = pathlib.Path(os.environ["CORPUS_JOURNAL"]) / str(handle.instance_id)
    lines = journal.read_text().splitlines() if journal.exists() else []
    return outcome, [json.loads(line) for line in lines]


def main() -> None:
    outcomes = asyncio.run(run_all())
    pathlib.Path(sys.argv[1]).write_text(json.dumps(outcomes))


if __name__ == "__main__":
    main()
