"""Iterators live in one process. One that a workflow iterates over while it waits is read to its end first."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from waymark.errors import CannotTravel

MAX_ITEMS = 1_000_000


def items(iterable: Iterable[Any]) -> Any:
    """The items of an iterator (a file, a reader, a generator); anything else as it is."""
    if iter(iterable) is not iterable:
        return iterable
    found = list(itertools.islice(iterable, MAX_ITEMS + 1))
    if len(found) > MAX_ITEMS:
        kind = type(iterable).__name__
        raise CannotTravel(
            f"this {kind} gives more than {MAX_ITEMS} items: it can't be kept by a workflow; take fewer at a time, in an action"
        )
    return found
