"""What an action can know of its call: `waymark.current()`."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from datetime import datetime, timedelta, timezone
from typing import Any


class Context:
    """One attempt of one call."""

    __slots__ = (
        "_cancelled",
        "_deadline",
        "_heartbeat",
        "_instance",
        "action",
        "attempt",
        "execution_id",
        "workflow_name",
    )

    def __init__(
        self,
        *,
        instance_id: uuid.UUID | bytes,
        execution_id: str,
        attempt: int = 1,
        workflow_name: str = "",
        action: str = "",
        timeout: float | None = None,
        heartbeat: Callable[[Any], None] | None = None,
    ) -> None:
        self._instance = instance_id
        #: The same whenever this call is tried again: an idempotency key for whatever the action asks of others.
        self.execution_id = execution_id
        #: 1 for the first try.
        self.attempt = attempt
        self.workflow_name = workflow_name
        #: The action's name; empty for a piece of code of a workflow.
        self.action = action
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._heartbeat = heartbeat
        self._cancelled = False

    @property
    def instance_id(self) -> uuid.UUID:
        if isinstance(self._instance, bytes):
            self._instance = uuid.UUID(bytes=self._instance)
        return self._instance

    def remaining(self) -> float | None:
        """Seconds until the attempt times out; None if it does not."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    @property
    def deadline(self) -> datetime | None:
        """When the attempt times out; None if it does not."""
        remaining = self.remaining()
        return None if remaining is None else datetime.now(timezone.utc) + timedelta(seconds=remaining)

    @property
    def cancelled(self) -> bool:
        """Whether the call was told to stop. Async actions see a CancelledError too; one in a thread has to ask."""
        return self._cancelled

    def check_cancelled(self) -> None:
        """Raises CancelledError if the call was told to stop: for loops of actions that run in a thread."""
        if self._cancelled:
            raise asyncio.CancelledError

    def heartbeat(self, detail: Any = None) -> None:
        """Says that the action is alive, and how far it is. From any thread."""
        if self._heartbeat is not None:
            self._heartbeat(detail)

    def cancel(self) -> None:
        self._cancelled = True

    def __repr__(self) -> str:
        return f"<Context of {self.action or 'a piece of code'}, execution {self.execution_id}, attempt {self.attempt}>"


_current: ContextVar[Context | None] = ContextVar("waymark_context", default=None)


def current() -> Context:
    """The call that this code runs in: in an action, in its dependencies, and in whatever they call."""
    context = _current.get()
    if context is None:
        raise RuntimeError(
            "waymark.current() is for code that runs in an action; here nothing runs it (called directly, an action is a plain function)"
        )
    return context


def current_or_none() -> Context | None:
    return _current.get()


@contextlib.contextmanager
def activate(context: Context) -> Iterator[Context]:
    """Makes this the current call, for tests of actions too."""
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)
