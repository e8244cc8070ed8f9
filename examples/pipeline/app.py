"""A nightly import: hundreds of files at once, in batches, some of which fail.

python app.py                                                    # all of it, on a SQLite file in .waymark

waymark dev app.py                                               # or: a server with workers, in one terminal
waymark run app:Import --input '{"day": "2024-05-17", "files": 300}'    # in another
"""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import itertools
from collections import Counter

from waymark import NonRetryable, RetryPolicy, Workflow, action, current, workflow

BATCH = 100
FAILED_SHARE_MAX = 0.2


class BadFile(NonRetryable):
    """It will be as bad the next time."""


@dataclasses.dataclass
class Rows:
    file: str
    count: int
    total: float


@dataclasses.dataclass
class Report:
    day: datetime.date
    files: int
    rows: int
    total: float
    failed: dict[str, list[str]]


@action
async def list_files(day: datetime.date, files: int) -> list[str]:
    return [f"{day:%Y%m%d}-{number:04}.csv" for number in range(files)]


@action(retry=RetryPolicy(attempts=3, backoff_seconds=0.1), timeout=60)
def parse(file: str) -> Rows:
    """A `def`: it runs in a thread of the worker, and may block."""
    number = int(file[9:13])
    if number % 50 == 7:
        raise BadFile(f"line {number}: no such column")
    if number % 50 == 8 and current().attempt < 3:
        raise ConnectionError("the bucket is busy")  # The third try works.
    if number % 100 == 9:
        raise ConnectionError("the bucket is gone")  # None does.
    return Rows(file, count=number % 10 + 1, total=number / 4)


@action
async def store(day: datetime.date, batch: list[Rows]) -> int:
    return sum(rows.count for rows in batch)


@workflow
class Import(Workflow):
    async def run(self, day: datetime.date, files: int) -> Report:
        names = await list_files(day, files)
        failed: dict[str, list[str]] = {}
        total, stored = 0.0, 0
        for at in range(0, len(names), BATCH):
            batch = names[at : at + BATCH]
            # A batch at a time: the files of one are parsed side by side, whoever has a worker free.
            outcomes = await asyncio.gather(*[parse(name) for name in batch], return_exceptions=True)
            good = []
            for name, outcome in zip(batch, outcomes, strict=True):
                if isinstance(outcome, Exception):
                    failed.setdefault(type(outcome).__name__, []).append(name)
                else:
                    good.append(outcome)
            total += sum(rows.total for rows in good)
            stored += await store(day, good)
            print(f"{at + len(batch)} of {len(names)} files")
        bad = len(list(itertools.chain.from_iterable(failed.values())))
        if bad > FAILED_SHARE_MAX * len(names):
            raise RuntimeError(f"{bad} of {len(names)} files failed: {Counter({kind: len(each) for kind, each in failed.items()})}")
        return Report(day, len(names), stored, total, failed)


if __name__ == "__main__":
    report = asyncio.run(Import().run(datetime.date(2024, 5, 17), files=300))
    print(f"{report.rows} rows of {report.files} files, {report.total:.2f} in total")
    for kind, names in report.failed.items():
        print(f"{kind}: {', '.join(names)}")
