"""Iterators live in one process. One that a workflow iterates over while it waits is read to its end first."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from waymark.errors import CannotTravel

MAX_ITEMS = 1_000_000


def items_until_raised(iterable: Iterable[Any]) -> tuple[Any, Exception | None]:
    """The items of an iterator (a file, a reader, a generator) and what it raised after them; anything else as it is."""
    if iter(iterable) is not iterable:
        return iterable, None
    found: list[Any] = []
    try:
        found.extend(itertools.islice(iterable, MAX_ITEMS + 1))
    except Exception as error:
        return found, error
    if len(found) > MAX_ITEMS:
        kind = type(iterable).__name__
        raise CannotTravel(
            f"this {kind} gives more than {MAX_ITEMS} items: it can't be kept by a workflow; take fewer at a time, in an action"
        )
    return found, None
