"""What one run of a program did, in a form that can be compared."""

from __future__ import annotations

import dataclasses
import enum
import re
from typing import Any

from waymark import values
from waymark.errors import CannotTravel

#: Programs that do more than this are left out: random loops can grow.
LINES_MAX = 400


class TooLong(BaseException):
    """The program does more than it may."""


class CannotCross(BaseException):
    """The program hands over a value that can't travel (a circle): refused, at its line."""


@dataclasses.dataclass
class Journal:
    lines: list[str] = dataclasses.field(default_factory=list)
    #: For actions that fail a few times before they succeed.
    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    #: How many actions have been called.
    turns: int = 0
    #: A line that is not over yet.
    open: str = ""

    def note(self, line: str) -> None:
        if len(self.lines) >= LINES_MAX:
            raise TooLong
        self.lines.append(line)

    def write(self, text: str) -> None:
        """As a file that is printed to."""
        *lines, self.open = (self.open + text).split("\n")
        for line in lines:
            # Iterators share one class (docs/deviations.md).
            self.note(re.sub(r"'\w+_iterator'", "'iterator'", line))

    def flush(self) -> None:
        pass

    def called(self, name: str, args: Any, kwargs: Any) -> None:
        self.turns += 1
        self.note(f"@{name}({describe(list(args))}, {describe(kwargs)})")

    def duration(self, seconds: float) -> float:
        """No two that take time end at the same time, nor when a timer does: which would be first, nobody says."""
        return seconds and round(seconds + self.turns / 10_000, 6)


#: The run that goes on now.
current = Journal()


def start() -> Journal:
    global current
    current = Journal()
    return current


def copied(value: Any) -> Any:
    """What comes of a value that goes to another process."""
    try:
        return values.decode(values.encode(value))
    except CannotTravel as error:
        raise CannotCross(str(error)) from error


def describe(value: Any) -> str:
    """With types; sets have no order."""
    kind = type(value)
    if kind in (set, frozenset):
        return f"{kind.__name__}{sorted(describe(item) for item in value)}"
    if kind is dict:
        return "{" + ", ".join(f"{describe(key)}: {describe(item)}" for key, item in value.items()) + "}"
    if kind in (list, tuple):
        return f"{kind.__name__}[{', '.join(describe(item) for item in value)}]"
    if isinstance(value, BaseException):
        return describe_error(value)
    if isinstance(value, tuple):
        return f"{kind.__name__}({', '.join(describe(item) for item in value)})"
    if hasattr(value, "__dict__") and not isinstance(value, (type, enum.Enum)):
        return f"{kind.__name__}{describe(dict(vars(value)))}"
    return f"{kind.__name__}:{value!r}"


def describe_error(error: BaseException) -> str:
    fields = {name: field for name, field in vars(error).items() if not name.startswith("_")}
    if hasattr(error, "exceptions"):
        fields = {}  # They are its arguments.
    cause = error.__cause__
    shown = f" from {describe_error(cause)}" if cause is not None and type(cause).__name__ != "RemoteTraceback" else ""
    args = re.sub(r"'\w+_iterator'", "'iterator'", describe(list(error.args)))
    return f"{type(error).__name__}{args} {describe(fields)}{shown}"
