"""Actions that do nothing."""

from __future__ import annotations

import datetime

from waymark.actions import action


@action
async def nothing(number: int) -> int:
    return number


@action
async def nothing_typed(number: int, when: datetime.datetime | None = None, tags: list[str] | None = None) -> int:
    return number


@action
def nothing_in_thread(number: int) -> int:
    return number
