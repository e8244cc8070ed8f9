"""Random programs, compiled and by CPython: `python -m fuzz` runs more of them and prints those that differ."""

from __future__ import annotations

import os

import pytest
from fuzz.__main__ import run, summary
from fuzz.reducing import reduce
from fuzz.writer import features

COUNT = int(os.environ.get("WAYMARK_FUZZ_COUNT", "2000"))
#: Another seed: WAYMARK_FUZZ_SEED=123456 pytest python/tests/test_fuzz.py
SEED = int(os.environ.get("WAYMARK_FUZZ_SEED", "1"))
#: Of what was refused, or can't travel, at the most.
REFUSED_SHARE_MAX = 0.05


@pytest.mark.timeout(1800)
def test_random_programs():
    report = run(SEED, COUNT, processes=os.cpu_count() or 1, stop_at=5)
    shown = [f"seed {program.seed}\n{reduce(program).source}\n{verdict.detail}" for program, verdict in report.differing[:2]]
    assert not report.differing, "\n\n".join(shown)
    refused = report.counts["refused"] + report.counts["can't travel"]
    assert refused <= REFUSED_SHARE_MAX * COUNT, summary(report)
    assert features() <= set(report.features), summary(report)
