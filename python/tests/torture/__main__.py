"""`python -m torture --minutes 30 --seed 7`: a load on Postgres and one on SQLite, with everything failing around them. Exit code 1 says that
something was noticed that must not be."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from torture import disk, report
from torture.part import SETTLE_SECONDS, Plan, torture

#: Starting and stopping, beside the torture itself.
SLACK_SECONDS = 180
PARTS = {"postgres": {"engines": 3, "width": 24}, "sqlite": {"engines": 1, "width": 8}}


def run_part(kind: str, seed: int, seconds: float, folder: pathlib.Path) -> None:
    came_to = asyncio.run(torture(Plan(kind, seed, seconds, folder, **PARTS[kind])))
    (folder / "report.json").write_text(json.dumps(dataclasses.asdict(came_to)))


def run_all(options: argparse.Namespace, seed: int, folder: pathlib.Path) -> list[report.PartReport]:
    """Each in a process of its own: each is the client of a database."""
    dice, limit = random.Random(seed), time.monotonic() + 60 * options.minutes + SETTLE_SECONDS + SLACK_SECONDS
    words = [sys.executable, "-m", "torture", "--folder", str(folder), "--minutes", str(options.minutes)]
    running = {}
    for kind in PARTS:
        drawn = dice.getrandbits(32)
        if options.part in (None, kind):
            running[kind] = subprocess.Popen([*words, "--only", kind, "--seed", str(drawn)])
    ended = {kind: process.wait(max(1, limit - time.monotonic())) for kind, process in running.items()}
    for kind, code in ended.items():
        if code != 0:
            raise SystemExit(f"the part on {kind} has ended with {code}: see above; all it left is in {folder}")
    return [report.read(folder / kind / "report.json") for kind in ended]


def main() -> int:
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, help="one that was printed; else another each time")
    parser.add_argument("--json", type=pathlib.Path, help="write the report there, too")
    parser.add_argument("--part", choices=PARTS, help="one of the two")
    parser.add_argument("--keep", action="store_true", help="leave the folder with ledger and logs, also if all is well")
    parser.add_argument("--folder", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=PARTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        run_part(options.only, options.seed, 60 * options.minutes, options.folder / options.only)
        return 0
    disk.enter_namespace("torture")
    seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
    print(f"seed {seed}", flush=True)
    # Postgres runs as another user where this is root.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="waymark-torture-"))
    folder.chmod(0o755)
    parts = run_all(options, seed, folder)
    for part in parts:
        print(part.text(), flush=True)
    if options.json:
        options.json.write_text(json.dumps(report.as_json(seed, parts), indent=1))
    violations = sum(len(part.violations) for part in parts)
    print(f"seed {seed}: {violations} violations" + (f"; ledgers and logs are in {folder}" if violations or options.keep else ""))
    if not violations and not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
