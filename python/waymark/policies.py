"""How often an action is tried, and how long to wait in between."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import timedelta

Seconds = float | int | timedelta
SECONDS_MAX = 10_000 * 365.25 * 86_400


def seconds(value: Seconds, name: str, *, positive: bool = False) -> float:
    """A length of time; `name` is what messages call it."""
    rule = f"{name} is a number of seconds {'more than 0' if positive else 'from 0 on'}, or a timedelta"
    if isinstance(value, bool) or not isinstance(value, (int, float, timedelta)):
        raise TypeError(f"{rule}, not {value!r}")
    length = value.total_seconds() if isinstance(value, timedelta) else float(value)
    # A NaN is neither.
    _check(math.isfinite(length) and (length > 0 if positive else length >= 0), rule, value)
    _check(length <= SECONDS_MAX, f"{name} is 10,000 years at the most", value)
    return length


def text_of_yours(value: str | None, name: str) -> str | None:
    """A name that a user gives; None: none was given."""
    if value is not None and (not isinstance(value, str) or not value):
        raise TypeError(f"{name} is a text of yours, not {value!r}")
    if value is not None and not value.isprintable():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name} is a text of yours, and {value!r} has lone surrogates, which are no text") from None
    return value


#: A tuple in a policy, however it was given.
Classes = tuple[type[BaseException] | str, ...] | list[type[BaseException]] | set[type[BaseException]] | type[BaseException]


@dataclass(frozen=True)
class BackoffPolicy:
    """Waits `base_delay` before the second try, and each time `factor` times as long, up to `max_delay`."""

    base_delay: Seconds = 1.0
    factor: float = 2.0
    max_delay: Seconds | None = None
    #: Share of each wait, 0 to 1, that is drawn at random.
    jitter: float = 0.0

    def __post_init__(self) -> None:
        seconds(self.base_delay, "base_delay")
        _check(self.factor >= 1, "factor is 1 (all waits are the same) or more", self.factor)
        _check(0 <= self.jitter <= 1, "jitter is a share from 0 to 1", self.jitter)
        if self.max_delay is not None:
            seconds(self.max_delay, "max_delay")


@dataclass(frozen=True)
class RetryPolicy:
    """`RetryPolicy(attempts=5, retry_on=(ConnectionError,), backoff_seconds=2)`.

    `exception_types` is another name of `retry_on`; without either every `Exception` is worth another try, but for
    `NonRetryable` ones. `backoff_seconds=2` stands for `backoff=BackoffPolicy(base_delay=2)`.
    """

    #: How often it is tried in all, the first time included.
    attempts: int = 3
    exception_types: Classes = ()
    backoff_seconds: Seconds | None = None
    retry_on: Classes = ()
    backoff: BackoffPolicy | None = None
    #: Whether an attempt that timed out is tried again.
    retry_timeouts: bool = True

    def __post_init__(self) -> None:
        whole = isinstance(self.attempts, int) and not isinstance(self.attempts, bool)
        _check(whole and self.attempts >= 1, "attempts is a whole number, 1 or more", self.attempts)
        classes, same = _classes(self.retry_on or self.exception_types), _classes(self.exception_types or self.retry_on)
        _check(classes == same, "exception_types and retry_on are the same: give one", self)
        object.__setattr__(self, "retry_on", classes)
        object.__setattr__(self, "exception_types", classes)
        if self.backoff_seconds is not None:
            _check(self.backoff is None, "backoff_seconds and backoff are the same: give one", self)
            seconds(self.backoff_seconds, "backoff_seconds")

    @property
    def kinds(self) -> tuple[type[BaseException] | str, ...]:
        """What is worth another try, whichever way it was given."""
        return _classes(self.retry_on)

    @property
    def waits(self) -> BackoffPolicy:
        """The backoff, whichever way it was given; none at all if it was not."""
        if self.backoff is not None:
            return self.backoff
        return replace(BackoffPolicy(), base_delay=0 if self.backoff_seconds is None else self.backoff_seconds)


def _classes(given: object) -> tuple[type[BaseException] | str, ...]:
    listed = tuple(given) if isinstance(given, (tuple, list, set, frozenset)) else (given,)
    for item in listed:
        is_exception = isinstance(item, type) and issubclass(item, BaseException)
        _check(is_exception or isinstance(item, str), "retry_on is a tuple of exception classes", item)
    return listed  # type: ignore[return-value]


def _check(holds: bool, rule: str, given: object) -> None:
    if not holds:
        raise ValueError(f"{rule}, not {given!r}")
