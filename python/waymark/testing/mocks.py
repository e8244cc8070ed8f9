"""Scripted answers of actions and of child workflows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Any

from waymark.testing.records import Call, Records

#: None is a value that a mock can return.
_NOT_GIVEN: Any = object()


class Mock:
    """Answers for an action instead of it; what it gives travels as a real result would."""

    def __init__(
        self,
        name: str,
        records: Records,
        *,
        returns: Any = _NOT_GIVEN,
        raises: BaseException | type[BaseException] | None = None,
        side_effect: Callable[..., Any] | Iterable[Any] | None = None,
        takes: float | timedelta = 0.0,
    ) -> None:
        given = [returns is not _NOT_GIVEN, raises is not None, side_effect is not None]
        if sum(given) > 1:
            raise TypeError(f"a mock of {name} answers in one way: give returns, raises or side_effect")
        self.name = name
        #: How long it takes, in the time of workflows.
        self.seconds = takes.total_seconds() if isinstance(takes, timedelta) else float(takes)
        self._records = records
        self._returns = None if returns is _NOT_GIVEN else returns
        self._raises = raises
        self._function = side_effect if callable(side_effect) else None
        self._script: Iterator[Any] | None = None
        if side_effect is not None and self._function is None:
            self._script = iter(side_effect)  # type: ignore[call-overload]

    @property
    def calls(self) -> list[Call]:
        return [call for call in self._records.calls if call.name == self.name]

    async def answer(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """As `unittest.mock` does: a function is called; of a list each call takes the next; exceptions are raised."""
        if self._raises is not None:
            raise self._raises
        if self._function is not None:
            result = self._function(*args, **kwargs)
            return await result if inspect.isawaitable(result) else result
        if self._script is None:
            return self._returns
        try:
            item = next(self._script)
        except StopIteration:
            raise AssertionError(f"{self.name} was called more often than its side_effect has answers") from None
        if isinstance(item, BaseException) or (isinstance(item, type) and issubclass(item, BaseException)):
            raise item
        return item
