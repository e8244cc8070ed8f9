"""What is said to a backend, and what it says."""

from __future__ import annotations

import enum
import os
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from waymark.definition import Definition


#: What becomes of a start whose id is taken: it is refused, it means the instance that has it, or it takes its place.
OnConflict = Literal["reject", "existing", "replace"]


class Status(str, enum.Enum):
    """How an instance is doing."""

    RUNNING = "running"
    #: Somebody has told it to wait.
    PAUSED = "paused"
    #: The engine can't go on with it, and says why; the program has not failed.
    STUCK = "stuck"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    #: Ended from outside, at once: its `finally` clauses have not run.
    TERMINATED = "terminated"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Instance:
    """One run of a workflow, as it was when somebody looked."""

    instance_id: uuid.UUID
    workflow_name: str
    workflow_version: str
    status: Status
    #: The key that its starter gave it.
    id: str | None = None
    #: What it waits for, for people: `a timer until …`, `no worker knows app:charge`.
    waits_for: str | None = None
    stuck_reason: str | None = None
    created_at: datetime | None = None
    finished_at: datetime | None = None
    #: When it goes on by itself.
    scheduled_at: datetime | None = None
    parent_instance_id: uuid.UUID | None = None
    tags: tuple[str, ...] = ()
    queue: str = "default"
    #: What limits of its queue count by.
    key: str | None = None
    #: When it must have finished.
    deadline: datetime | None = None
    #: The class of the exception that it ended with.
    error_type: str | None = None
    #: Encoded (`waymark.values`): the arguments by name, the result, the exception.
    inputs: bytes = field(default=b"", repr=False)
    result: bytes | None = field(default=None, repr=False)
    error: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Frame:
    """A call in progress of a workflow."""

    task: str
    function: str
    line: int
    #: By name. What can't be shown is a text, as `<Lock>`.
    variables: dict[str, Any]


@dataclass(frozen=True)
class Query:
    """What an instance shows of itself."""

    published: dict[str, Any]
    frames: list[Frame]


@dataclass(frozen=True)
class Reply:
    """To an update; encoded."""

    content: bytes
    is_error: bool


def query_of(answer: Any) -> Query:
    """From a message of the bridge or of the runner."""
    from waymark import values

    def named(items: Any) -> dict[str, Any]:
        return {each.name: values.decode(each.value) if each.HasField("value") else each.shown for each in items}

    frames = [Frame(each.task, each.function, each.line, named(each.variables)) for each in answer.frames]
    return Query(named(answer.published), frames)


class Start(NamedTuple):
    """One instance that is wanted."""

    definition: Definition
    arguments: Mapping[str, Any]
    #: Made by the starter, so that a start that is repeated starts nothing twice.
    instance_id: uuid.UUID
    id: str | None = None
    queue: str | None = None
    priority: int | None = None
    tags: tuple[str, ...] = ()
    key: str | None = None
    #: Microseconds since 1970; None: now.
    start_at_us: int | None = None
    #: Microseconds since 1970; None: it has all the time in the world.
    deadline_us: int | None = None
    #: What becomes of it when a live instance has its id. None: with equal inputs it is that one, with others refused.
    on_conflict: OnConflict | None = None
    #: One with its id that finished no longer ago than this is in the way as a live one is.
    unique_for_us: int = 0


#: Random bytes for as many ids. The system is asked for many at once: it makes other threads take turns.
_random: list[bytes] = []
_RANDOM_BYTES, _RANDOM_COUNT = 10, 100

if hasattr(os, "register_at_fork"):
    # The parent uses those.
    os.register_at_fork(after_in_child=_random.clear)


def new_instance_id() -> uuid.UUID:
    """A UUIDv7: ids of later starts are larger."""
    try:
        random = _random.pop()
    except IndexError:
        many = os.urandom(_RANDOM_BYTES * _RANDOM_COUNT)
        random, *rest = (many[at : at + _RANDOM_BYTES] for at in range(0, len(many), _RANDOM_BYTES))
        _random.extend(rest)
    milliseconds = time.time_ns() // 1_000_000
    number = milliseconds << 80 | 0x7 << 76 | int.from_bytes(random, "big") & ((1 << 76) - 1)
    return uuid.UUID(int=number & ~(0b11 << 62) | 0b10 << 62)
