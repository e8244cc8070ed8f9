"""What a workflow says to others and hears from them while it runs. In an engine these are compiled, and never called: what stands here
runs inside of `run_inline`, as plain asyncio.

@workflow
class Purchase(Workflow):
    async def run(self, order: Order) -> str:
        try:
            approval = await waymark.wait_for_signal("approval", Approval, timeout=3600)
        except TimeoutError:
            return "nobody answered"
        …

await handle.signal("approval", Approval(by="ann"))
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar, overload

from waymark.policies import Seconds

T = TypeVar("T")


class Update(Generic[T]):
    """A signal whose sender waits for a reply."""

    name: str
    payload: T

    def __init__(self, name: str, payload: T, replies: Any) -> None:
        self.name = name
        self.payload = payload
        self._replies = replies
        self._replied = False

    def reply(self, value: Any = None) -> None:
        """What `await handle.update(…)` gives."""
        self._check_open()
        self._replies.reply(value)
        self._replied = True

    def reject(self, error: BaseException) -> None:
        """What `await handle.update(…)` raises."""
        self._check_open()
        self._replies.reject(error)
        self._replied = True

    def _check_open(self) -> None:
        if self._replied:
            raise RuntimeError(f"update {self.name!r} has its reply already")


@overload
async def wait_for_signal(name: str, type: type[T], *, timeout: Seconds | None = None) -> T: ...
@overload
async def wait_for_signal(name: str, type: Any = None, *, timeout: Seconds | None = None) -> Any: ...


async def wait_for_signal(name: str, type: Any = None, *, timeout: Seconds | None = None) -> Any:
    """The payload of the next signal of this name, as a `type` if one is given. Those that come before somebody waits are kept, first in,
    first out. Raises `TimeoutError` when none has come within `timeout` seconds."""
    from waymark import inline, values

    payload = await inline.here("wait_for_signal").signals.receive(name, f"signal {name!r}", timeout)
    return payload if type is None else values.coerce(payload, type)


@overload
async def wait_for_update(name: str, type: type[T], *, timeout: Seconds | None = None) -> Update[T]: ...
@overload
async def wait_for_update(name: str, type: Any = None, *, timeout: Seconds | None = None) -> Update[Any]: ...


async def wait_for_update(name: str, type: Any = None, *, timeout: Seconds | None = None) -> Update[Any]:
    """The next update of this name: `update.payload`, and `update.reply(…)` for its sender, who waits."""
    from waymark import inline, values

    update = await inline.here("wait_for_update").updates.receive(name, f"update {name!r}", timeout)
    if type is not None:
        update.payload = values.coerce(update.payload, type)
    return update


async def run_workflow(name: str, /, **inputs: Any) -> Any:
    """Runs a child by the name of its workflow, whatever it is written in, and gives its result."""
    from waymark import definition, inline

    inline.here("run_workflow")
    found = definition.find(name)
    if found is None:
        raise RuntimeError(f"there is no workflow {name}")
    return await found.cls().run(**inputs)
