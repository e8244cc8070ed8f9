"""A handle: one instance, as its starter holds it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Generic, TypeVar

from waymark.client import backend, background, control, versions
from waymark.client.errors import ResultTimeout, WorkflowCancelled, WorkflowFailed
from waymark.client.instance import Frame, Instance, Status, new_instance_id
from waymark.errors import InstanceStuck
from waymark.policies import text_of_yours

Result = TypeVar("Result")


class Handle(Generic[Result]):
    """An instance that was started, here or elsewhere. Each method has a form for code without an event loop:
    `result_sync`, …"""

    def __init__(
        self,
        instance_id: uuid.UUID | str | None = None,
        *,
        workflow_name: str | None = None,
        id: str | None = None,
        runs_in: backend.Backend | None = None,
    ) -> None:
        if (instance_id is None) == (id is None):
            raise TypeError("a handle is made from an instance_id, or from a workflow and an id of yours")
        self._instance_id = _uuid(instance_id) if isinstance(instance_id, str) else instance_id
        self._workflow_name = workflow_name
        self._id = id
        # Whoever has started it knows it.
        self._backend = runs_in

    def __repr__(self) -> str:
        named = f"instance_id={str(self._instance_id)!r}" if self._instance_id else f"id={self._id!r}"
        return f"<Handle of {self._workflow_name or 'an instance'} {named}>"

    @property
    def instance_id(self) -> str:
        if self._instance_id is None:
            raise RuntimeError(f"{self!r} has not been looked up yet\nhint: await handle.describe() first")
        return str(self._instance_id)

    async def result(self, timeout: float | timedelta | None = None) -> Result:
        """Waits for the end. A workflow that failed raises what it raised; `ResultTimeout` after `timeout` seconds
        without an end."""
        return outcome_of(await self._ended(timeout))

    async def wait(self, timeout: float | timedelta | None = None) -> Status:
        """Waits for the end and says which it was; raises only `ResultTimeout`."""
        return (await self._ended(timeout)).status

    async def status(self) -> Status:
        return (await self.describe()).status

    async def describe(self) -> Instance:
        """All that is known of it now."""
        runs_in = self._backend or backend.current()
        if self._instance_id is None:
            assert self._workflow_name is not None and self._id is not None
            instance = await runs_in.find(self._workflow_name, self._id)
            self._instance_id = instance.instance_id
            return instance
        return await runs_in.get(self._instance_id)

    async def cancel(self, reason: str | None = None, *, terminate_after: float | timedelta | None = None) -> None:
        """Raises `asyncio.CancelledError` in the workflow, where it waits: its `finally` clauses run. What has
        finished stays as it is. One that has not ended `terminate_after` seconds later is terminated."""
        await self._command(control.Cancel(reason, terminate_after))

    async def terminate(self, reason: str | None = None) -> None:
        """The end, at once: nothing of the workflow runs any more, not even `finally`."""
        await self._command(control.Terminate(reason))

    async def pause(self) -> None:
        """Nothing moves until `resume`. What is in flight ends, and its outcome is kept."""
        await self._command(control.Pause())

    async def resume(self) -> None:
        await self._command(control.Resume())

    async def retry(self, *, from_step: int | None = None, from_start: bool = False, inputs: Mapping[str, Any] | None = None) -> None:
        """What has failed goes on from the step that failed: what was completed is not run again. Or from an earlier
        step (its number in `history()`), or from the start, with other inputs. A stuck one is tried again."""
        await self._command(control.Retry(from_step, from_start or inputs is not None, inputs))

    async def migrate(
        self, *, to: str | None = None, variables: versions.Variables | None = None, dry_run: bool = False
    ) -> versions.Migration:
        """Moves it to another version of its workflow, or to the active one: it stands where it stood, and goes on with
        the new code. `variables` are values that the new code needs: by function and name, or what is called with
        each frame and returns its new ones. Raises `MigrationRefused`, which says which line does not fit; a dry run
        only tells."""
        migration = await versions.migrate_instance(await self._known(), to, variables, dry_run)
        if not dry_run and not migration.done and migration.label is not versions.Label.SAME:
            raise versions.MigrationRefused(migration)
        return migration

    async def _command(self, command: control.Command) -> None:
        await (self._backend or backend.current()).command(await self._known(), command)

    async def signal(self, name: str, value: Any = None, *, id: str | None = None) -> None:
        """Sends the workflow a value under a name, for its `wait_for_signal(name)`. Of those with the same `id` it takes one, however
        often they are sent. Raises `InstanceFinished` if nobody will read it."""
        from waymark import values

        if not isinstance(name, str) or not name:
            raise TypeError(f"the name of a signal is a text, not {name!r}")
        text_of_yours(id, "id")
        payload = values.encode(value)
        await (self._backend or backend.current()).signal(await self._known(), name, payload, id)

    async def update(self, name: str, value: Any = None, *, timeout: float | timedelta | None = None, id: str | None = None) -> Any:
        """Sends the workflow a value, for its `wait_for_update(name)`, and waits for the reply. Raises what the workflow rejected it with,
        `InstanceFinished` if it ends without a reply, `ResultTimeout` after `timeout` seconds: the same `id` again asks for the same
        reply."""
        from waymark import values

        if not isinstance(name, str) or not name:
            raise TypeError(f"the name of an update is a text, not {name!r}")
        payload, update_id = values.encode(value), text_of_yours(id, "id") or str(new_instance_id())
        limit = timeout.total_seconds() if isinstance(timeout, timedelta) else timeout
        waiting = (self._backend or backend.current()).update(await self._known(), name, payload, update_id)
        try:
            reply = await asyncio.wait_for(waiting, limit)
        except asyncio.TimeoutError:
            raise ResultTimeout(
                f"{self!r} has not replied to the update {name!r} within {limit} seconds\nhint: ask again with id={update_id!r}"
            ) from None
        if reply.is_error:
            raise values.attach_traceback(values.decode(reply.content))
        return values.decode(reply.content)

    async def query(self, name: str) -> Any:
        """The value that the workflow published last under this name: `self.publish(name, value)`. Needs no worker, and works after its
        end. Raises `KeyError` if there is none."""
        shown = (await (self._backend or backend.current()).query(await self._known(), name, False)).published
        if name not in shown:
            raise KeyError(f"{self!r} has published nothing under {name!r}")
        return shown[name]

    async def published(self) -> dict[str, Any]:
        """All that the workflow published, by name."""
        return (await (self._backend or backend.current()).query(await self._known(), "", False)).published

    async def variables(self) -> list[Frame]:
        """The calls in progress, as a debugger shows them: function, line, variables. None once it has ended."""
        return (await (self._backend or backend.current()).query(await self._known(), "", True)).frames

    def result_sync(self, timeout: float | timedelta | None = None) -> Result:
        return background.run(self.result(timeout), "result")

    def wait_sync(self, timeout: float | timedelta | None = None) -> Status:
        return background.run(self.wait(timeout), "wait")

    def status_sync(self) -> Status:
        return background.run(self.status(), "status")

    def describe_sync(self) -> Instance:
        return background.run(self.describe(), "describe")

    def cancel_sync(self, reason: str | None = None, *, terminate_after: float | timedelta | None = None) -> None:
        background.run(self.cancel(reason, terminate_after=terminate_after), "cancel")

    def terminate_sync(self, reason: str | None = None) -> None:
        background.run(self.terminate(reason), "terminate")

    def pause_sync(self) -> None:
        background.run(self.pause(), "pause")

    def resume_sync(self) -> None:
        background.run(self.resume(), "resume")

    def retry_sync(self, *, from_step: int | None = None, from_start: bool = False, inputs: Mapping[str, Any] | None = None) -> None:
        background.run(self.retry(from_step=from_step, from_start=from_start, inputs=inputs), "retry")

    def migrate_sync(
        self, *, to: str | None = None, variables: versions.Variables | None = None, dry_run: bool = False
    ) -> versions.Migration:
        return background.run(self.migrate(to=to, variables=variables, dry_run=dry_run), "migrate")

    def signal_sync(self, name: str, value: Any = None, *, id: str | None = None) -> None:
        background.run(self.signal(name, value, id=id), "signal")

    def update_sync(self, name: str, value: Any = None, *, timeout: float | timedelta | None = None, id: str | None = None) -> Any:
        return background.run(self.update(name, value, timeout=timeout, id=id), "update")

    def query_sync(self, name: str) -> Any:
        return background.run(self.query(name), "query")

    def published_sync(self) -> dict[str, Any]:
        return background.run(self.published(), "published")

    def variables_sync(self) -> list[Frame]:
        return background.run(self.variables(), "variables")

    async def _known(self) -> uuid.UUID:
        if self._instance_id is None:
            await self.describe()
        assert self._instance_id is not None
        return self._instance_id

    async def _ended(self, timeout: float | timedelta | None) -> Instance:
        limit = timeout.total_seconds() if isinstance(timeout, timedelta) else timeout

        async def ended() -> Instance:
            return await (self._backend or backend.current()).wait(await self._known())

        try:
            return await asyncio.wait_for(ended(), limit)
        except asyncio.TimeoutError:
            raise ResultTimeout(
                f"{self!r} has not ended within {limit} seconds; it goes on\nhint: handle.describe() says what it waits for"
            ) from None


def get_handle(instance_id: uuid.UUID | str) -> Handle[Any]:
    """Of an instance that was started by anybody. `SomeWorkflow.get_handle(id)` takes your own key, and knows the
    type of the result."""
    return Handle(instance_id)


def _uuid(instance_id: str) -> uuid.UUID:
    try:
        return uuid.UUID(instance_id)
    except ValueError:
        hint = "an id of your own goes with its workflow: SomeWorkflow.get_handle(id)"
        raise ValueError(f"{instance_id!r} is no instance_id, which is a UUID\nhint: {hint}") from None


def outcome_of(instance: Instance) -> Any:
    from waymark import values

    named = f"{instance.workflow_name} {instance.instance_id}"
    if instance.status is Status.COMPLETED:
        return None if instance.result is None else values.decode(instance.result)
    if instance.status is Status.STUCK:
        raise InstanceStuck(f"{named} can't go on: {instance.stuck_reason or 'nobody knows why'}")
    error = None if instance.error is None else values.decode(instance.error)
    if instance.status is Status.CANCELLED:
        said = str(error) if error is not None else ""
        raise WorkflowCancelled(f"{named} was cancelled" + (f": {said}" if said else ""))
    if isinstance(error, Exception):
        raise values.attach_traceback(error)
    failure = WorkflowFailed(f"{named} has failed with {error!r}")
    raise failure from (values.attach_traceback(error) if isinstance(error, BaseException) else None)
