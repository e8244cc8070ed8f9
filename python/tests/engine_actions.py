"""Actions of the workflows in test_engine.py: values go to the engine and come back."""

from __future__ import annotations

from typing import Any

from samples import CardDeclined
from test_values import VALUES

from waymark.actions import action


@action
async def count() -> int:
    return len(VALUES)


@action
async def make(number: int) -> Any:
    return VALUES[number]


@action
def check(number: int, value: Any) -> str | None:
    """What is wrong with a value that comes back."""
    wanted = VALUES[number]
    if type(value) is type(wanted) and value == wanted and repr(value) == repr(wanted):
        return None
    return f"{value!r} ({type(value).__name__}) for {wanted!r} ({type(wanted).__name__})"


@action
async def decline() -> None:
    try:
        raise FileNotFoundError(2, "No such file", "card")
    except OSError as error:
        raise CardDeclined("o-1", code=402) from error


@action
async def look(error: BaseException) -> Any:
    return [type(error).__name__, vars(error).get("code"), type(error.__cause__).__name__, error.__cause__.filename]  # type: ignore[union-attr]
