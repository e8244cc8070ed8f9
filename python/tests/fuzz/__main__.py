"""`python -m fuzz --count N --seed S`: the programs of N seeds from S on."""

from __future__ import annotations

import argparse
import concurrent.futures
import sys
import time

from fuzz import reducing
from fuzz.running import Report, run_seeds
from fuzz.writer import features

#: Programs of one module: what importing costs is shared.
BATCH = 25
#: Modules that a process runs, more or less.
BATCHES_EACH = 40


def run(first: int, count: int, processes: int, stop_at: int = 10) -> Report:
    report = Report()
    batches = [(start, min(BATCH, first + count - start)) for start in range(first, first + count, BATCH)]
    # A process that has run many programs is large, and slow: new ones have fresh memory.
    for some in range(0, len(batches), BATCHES_EACH * processes):
        with concurrent.futures.ProcessPoolExecutor(processes) as pool:
            waiting = [pool.submit(run_seeds, *batch) for batch in batches[some : some + BATCHES_EACH * processes]]
            for done in concurrent.futures.as_completed(waiting):
                report.merge(done.result())
                print(f"{sum(report.counts.values())} programs, {len(report.differing)} differing", end="\r", file=sys.stderr, flush=True)
                if len(report.differing) >= stop_at:
                    for each in waiting:
                        each.cancel()
                    return report
    return report


def summary(report: Report) -> str:
    ran = sum(report.counts.values())
    lines = [f"{ran} programs: " + ", ".join(f"{count} {kind}" for kind, count in report.counts.most_common())]
    lines += [f"  {share * 100 // ran:3}% {feature}" for feature, share in sorted(report.features.items())]
    lines += [f"  {count} x {why}" for why, count in report.refusals.most_common(12)]
    missing = features() - set(report.features)
    return "\n".join([*lines, *(f"never used: {feature}" for feature in sorted(missing))])


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--stop-at", type=int, default=10, help="how many differing programs are enough")
    parser.add_argument("--whole", action="store_true", help="print programs as they were made")
    parser.add_argument("--features", action="store_true", help="print what share of the programs used each feature, and what was refused")
    options = parser.parse_args()
    began = time.monotonic()
    report = run(options.seed, options.count, options.processes, options.stop_at)
    print(summary(report) if options.features else summary(report).split("\n")[0])
    for made, verdict in report.differing:
        shown = made if options.whole else reducing.reduce(made)
        print(f"\n---- seed {made.seed} differs\n{shown.source}\n{verdict.detail}", flush=True)
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if report.differing else 0


if __name__ == "__main__":
    sys.exit(main())
