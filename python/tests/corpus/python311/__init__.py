"""Workflows that need Python 3.11: task groups, `asyncio.timeout`, groups of exceptions."""

from __future__ import annotations

import sys

from corpus import Case

CASES: list[Case] = []
if sys.version_info >= (3, 11):
    from corpus.python311 import error_groups, task_groups

    CASES += [*task_groups.CASES, *error_groups.CASES]
