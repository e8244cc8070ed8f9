"""Every workflow of the corpus, four ways: plain asyncio, in memory (saved and resumed between any two events), on SQLite, on Postgres."""

from __future__ import annotations

import pytest
from corpus import Case
from corpus.running import all_cases, run_in_memory, run_inline

CASES = all_cases()


def test_the_corpus_is_large_enough():
    assert len({case.workflow for case in CASES}) >= 250


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_in_memory(case: Case):
    expected, effects = run_inline(case)
    found, same_effects = run_in_memory(case)
    assert found == expected
    assert (sorted(map(str, same_effects)) == sorted(map(str, effects))) if case.concurrent else same_effects == effects
