"""What happened in an environment: calls, log lines, and the trace of all of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from waymark import actions


@dataclass
class Call:
    """One attempt of an action, with the arguments as they arrived."""

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    #: 1 for the first try.
    attempt: int
    #: The same for every attempt of this call.
    execution_id: str
    workflow_name: str
    instance_id: uuid.UUID
    at: datetime
    #: `running`, `completed`, `failed` or `cancelled`.
    status: str = "running"
    result: Any = None
    error: BaseException | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        """By parameter, defaults included, where the action is known."""
        known = actions.registry.get(self.name)
        if known is None:
            return dict(self.kwargs)
        bound = known.signature.bind(*self.args, **self.kwargs)
        bound.apply_defaults()
        return dict(bound.arguments)

    def __repr__(self) -> str:
        given = [*map(repr, self.args), *(f"{name}={value!r}" for name, value in self.kwargs.items())]
        tried = f", attempt {self.attempt}" if self.attempt > 1 else ""
        return f"<{self.name}({', '.join(given)}) {self.status}{tried}>"


@dataclass(frozen=True)
class LogLine:
    """What a workflow printed or logged."""

    #: `print`, or a level of `logging`.
    level: str
    text: str
    workflow_name: str
    instance_id: uuid.UUID
    at: datetime


@dataclass(frozen=True)
class Step:
    """One thing that happened to an instance."""

    at: datetime
    workflow_name: str
    instance_id: uuid.UUID
    #: `started`, `called`, `completed`, `failed`, `cancelled`, `signal`, `log`, `ended`.
    what: str
    #: Of the action, child, signal or level; of a piece of a workflow's own code: empty.
    name: str
    detail: Any = None

    def __str__(self) -> str:
        detail = "" if self.detail is None else f" {self.detail!r}"
        return f"{self.at:%Y-%m-%d %H:%M:%S.%f} {self.workflow_name} {self.what} {self.name}{detail}".rstrip()


@dataclass
class Records:
    """Everything, in order."""

    calls: list[Call] = field(default_factory=list)
    logs: list[LogLine] = field(default_factory=list)
    trace: list[Step] = field(default_factory=list)
