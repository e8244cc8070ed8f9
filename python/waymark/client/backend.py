"""Who runs workflows for `run`, `start` and handles: the bridge, unless somebody else was put in its place.

`use` puts one in for what is called from here (and from tasks and threads started with this context); `set_default`
for the
whole process, as the pytest plugin does.
"""

from __future__ import annotations

import contextlib
import contextvars
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from waymark.client.control import Command
from waymark.client.instance import Instance, Query, Reply, Start
from waymark.errors import Unsupported

if TYPE_CHECKING:
    from waymark.client.bridge import Bridge
    from waymark.definition import Definition


class Backend(Protocol):
    """Everything here may be called from any event loop."""

    async def start(self, starts: Sequence[Start]) -> list[uuid.UUID | Exception]:
        """For each start the instance that there is now, or why there is none. An `id` that a live instance of equal
        inputs has: that one."""
        ...

    async def run(self, start: Start) -> Instance:
        """Starts it and waits for its end, or raises why there is none."""
        ...

    async def wait(self, instance_id: uuid.UUID) -> Instance:
        """Once it has finished or is stuck. Who has no more time cancels the call."""
        ...

    async def get(self, instance_id: uuid.UUID) -> Instance:
        """As it is now. Raises `InstanceNotFound`."""
        ...

    async def find(self, workflow_name: str, id: str) -> Instance:
        """The newest that has this key. Raises `InstanceNotFound`."""
        ...

    async def command(self, instance_id: uuid.UUID, command: Command) -> None:
        """Raises `InstanceNotFound`, and `ControlRefused` where it does not fit; cancelling what has finished does
        nothing."""
        ...

    async def signal(self, instance_id: uuid.UUID, name: str, payload: bytes, id: str | None) -> None:
        """Leaves it a message; `payload` is encoded. Of those with one id it takes one. Raises `InstanceNotFound`, and
        `InstanceFinished` if nobody will read it."""
        ...

    async def update(self, instance_id: uuid.UUID, name: str, payload: bytes, id: str) -> Reply:
        """Leaves it a message and waits for the reply. Raises `InstanceNotFound`, and `InstanceFinished` if there will be none."""
        ...

    async def query(self, instance_id: uuid.UUID, name: str, frames: bool) -> Query:
        """What it has published (under one name, or all), and its calls in progress. Raises `InstanceNotFound`."""
        ...

    async def schedule(self, name: str, request: Any, response: Any, definition: Definition | None) -> Any:
        """A call of the bridge about schedules; the workflow of `definition` is registered first."""
        ...


_here: contextvars.ContextVar[Backend | None] = contextvars.ContextVar("waymark_backend", default=None)
_default: Callable[[], Backend] | None = None


def current() -> Backend:
    found = _here.get()
    if found is not None:
        return found
    if _default is not None:
        return _default()
    # Who starts nothing needs no grpc.
    from waymark.client.bridge import bridge

    return bridge()


def server() -> Bridge:
    """For what only a server has. Where there is none, as in a test, a real one must not be reached instead: it may be anybody's."""
    from waymark.client.bridge import Bridge

    found = current()
    if not isinstance(found, Bridge):
        raise Unsupported(
            "lists and filters of instances, queues, retention and versions belong to a server, and here workflows run in memory\n"
            'hint: use the handles that start() gives; or test against a server: @pytest.mark.waymark_backend("server")'
        )
    return found


@contextlib.contextmanager
def use(backend: Backend) -> Iterator[Backend]:
    token = _here.set(backend)
    try:
        yield backend
    finally:
        _here.reset(token)


def set_default(factory: Callable[[], Backend] | None) -> Callable[[], Backend] | None:
    """Asked for a backend each time one is needed. None: the bridge. Returns the one before."""
    global _default
    before, _default = _default, factory
    return before
