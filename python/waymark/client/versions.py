"""Versions of workflows: which there are, what new code means for the instances that live, and moving them to it.

for version in await waymark.versions(Welcome): print(version.version, version.live_instances)
await handle.migrate(to="2", variables={"main": {"rate": 3}})
await Welcome.migrate_all(variables=lambda frame: {"rate": 3 * frame.variables["amount"]})
"""

from __future__ import annotations

import enum
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from waymark.client import background
from waymark.client.control import Filter, wire_filter
from waymark.errors import ControlRefused, InstanceNotFound, VersionNotFound

if TYPE_CHECKING:
    from waymark._proto import bridge_pb2 as wire
    from waymark.client.bridge import Bridge
    from waymark.definition import Definition


@dataclass(frozen=True)
class Version:
    """A version of a workflow. What it means never changes."""

    workflow_name: str
    version: str
    ir_hash: str
    #: New runs use it.
    is_active: bool
    #: How many instances that have not finished run it; counting stops at 100,000.
    live_instances: int
    created_at: datetime
    activated_at: datetime


class Label(str, enum.Enum):
    """What a program means for one live instance."""

    SAME = "same"
    SAFE = "safe to migrate"
    #: Only values of variables are missing.
    NEEDS_MAPPING = "needs a mapping"
    STAYS = "stays on its version"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Problem:
    """Something that keeps an instance from moving: where it stands in the program that it runs, and why."""

    reason: str
    function: str = ""
    file: str = ""
    line: int = 0
    hint: str = ""
    #: The variable that needs a value; None: it is something else.
    variable: str | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}, in {self.function}: " if self.line else ""
        return f"{place}{self.reason}" + (f"\nhint: {self.hint}" if self.hint else "")


@dataclass(frozen=True)
class Migration:
    """What became, or would become, of one instance."""

    instance_id: uuid.UUID
    id: str | None
    #: Which it runs; of one that was moved: ran.
    version: str
    label: Label
    problems: tuple[Problem, ...] = ()
    #: It has been moved.
    done: bool = False


class MigrationRefused(ControlRefused):
    """An instance stays where it is; `migration.problems` says why."""

    def __init__(self, migration: Migration) -> None:
        told = "\n".join(str(problem) for problem in migration.problems) or "it runs this version already"
        super().__init__(f"{migration.instance_id} can't be migrated ({migration.label}):\n{told}")
        self.migration = migration


@dataclass(frozen=True)
class Frame:
    """A function of the program that is running: at which line of the old code, and with which variables."""

    function: str
    line: int
    variables: Mapping[str, Any]


#: Values by function and name; or what gives a frame's new ones, by name.
Variables = Mapping[str, Mapping[str, Any]] | Callable[[Frame], Mapping[str, Any] | None]

#: How often a mapping is worked out again for an instance that has gone on meanwhile.
_TRIES = 5


async def versions(workflow: type | str | None = None) -> list[Version]:
    """Of one workflow or of all, last activated first."""
    from waymark._proto import bridge_pb2 as wire

    request = wire.ListVersionsRequest(workflow_name="" if workflow is None else _name(workflow))
    answer = await _bridge().call("ListVersions", request, wire.ListVersionsResponse)
    return [
        Version(
            workflow_name=version.workflow_name,
            version=version.workflow_version,
            ir_hash=version.ir_hash,
            is_active=version.is_active,
            live_instances=version.live_instances,
            created_at=_time(version.created_at_us),
            activated_at=_time(version.activated_at_us),
        )
        for version in answer.versions
    ]


async def activate_version(workflow: type | str, version: str) -> None:
    """Makes new runs, and schedules, use a version that was registered before."""
    from waymark._proto import bridge_pb2 as wire

    request = wire.ActivateVersionRequest(workflow_name=_name(workflow), workflow_version=version)
    try:
        await _bridge().call("ActivateVersion", request, wire.ActivateVersionResponse)
    except InstanceNotFound as error:
        raise VersionNotFound(str(error)) from None


async def check_instances(workflow: type) -> list[Migration]:
    """What the code of this class would mean for its live instances. Registers nothing, and changes nothing."""
    from waymark._proto import bridge_pb2 as wire

    definition = _definition(workflow)
    request = wire.CheckInstancesRequest(workflow_name=definition.name, program_proto=definition.compiled().program)
    found: list[Migration] = []
    while True:
        answer = await _bridge().call("CheckInstances", request, wire.CheckInstancesResponse)
        found.extend(_migration(one) for one in answer.answers)
        if not answer.next_cursor:
            return found
        request.cursor = answer.next_cursor


async def migrate_instance(instance_id: uuid.UUID, to: str | None, variables: Variables | None, dry_run: bool) -> Migration:
    """Moves one. Says what became of it; does not raise."""
    from waymark import values
    from waymark._proto import bridge_pb2 as wire

    request = wire.MigrateInstancesRequest(instance_ids=[instance_id.bytes], workflow_version=to or "", dry_run=dry_run)
    if not callable(variables):
        request.variables = _encoded(variables)
        answer = await _bridge().call("MigrateInstances", request, wire.MigrateInstancesResponse)
        return _migration(answer.answers[0])
    for attempt in range(1, _TRIES + 1):
        read = await _bridge().call("GetFrames", wire.GetFramesRequest(instance_id=instance_id.bytes), wire.GetFramesResponse)
        del request.frames[:]
        for number, frame in enumerate(read.frames):
            given = variables(Frame(frame.function, frame.line, values.decode(frame.variables)))
            if given:
                request.frames.add(frame=number, variables=values.encode(dict(given)))
        request.expected_seq = read.seq
        answer = await _bridge().call("MigrateInstances", request, wire.MigrateInstancesResponse)
        migration = _migration(answer.answers[0])
        has_gone_on = any("gone on" in problem.reason for problem in migration.problems)
        if not has_gone_on or attempt == _TRIES:
            return migration
    raise AssertionError("unreachable")


async def migrate_instances(
    filter: Filter | None = None,
    *,
    to: str | None = None,
    variables: Variables | None = None,
    dry_run: bool = False,
    **fields: Any,
) -> list[Migration]:
    """Moves all live instances that a filter means, each whole or not at all; an answer for each. The filter names a workflow."""
    from waymark._proto import bridge_pb2 as wire
    from waymark.client.control import iterate_instances

    if filter is not None and fields:
        raise TypeError("give a Filter, or its fields, not both")
    meant = filter if filter is not None else Filter(**fields)
    if meant.workflow is None:
        raise TypeError("the filter names no workflow\nhint: say which, as in workflow=Welcome")
    if callable(variables):
        live = meant if meant.status else replace(meant, status=("running", "paused", "stuck"))
        ids = [instance.instance_id async for instance in iterate_instances(live)]
        return [await migrate_instance(id, to, variables, dry_run) for id in ids]
    request = wire.MigrateInstancesRequest(
        filter=wire_filter(meant), workflow_version=to or "", variables=_encoded(variables), dry_run=dry_run
    )
    found: list[Migration] = []
    while True:
        answer = await _bridge().call("MigrateInstances", request, wire.MigrateInstancesResponse)
        found.extend(_migration(one) for one in answer.answers)
        if not answer.next_cursor:
            return found
        request.cursor = answer.next_cursor


async def migrate_all(workflow: type, *, to: str | None, variables: Variables | None, dry_run: bool, **fields: Any) -> list[Migration]:
    """`Workflow.migrate_all`: to the code of the class, which is registered, unless a version is named."""
    if to is None:
        to = await _bridge().register(_definition(workflow))
    return await migrate_instances(workflow=_name(workflow), to=to, variables=variables, dry_run=dry_run, **fields)


def versions_sync(workflow: type | str | None = None) -> list[Version]:
    return background.run(versions(workflow), "versions")


def activate_version_sync(workflow: type | str, version: str) -> None:
    background.run(activate_version(workflow, version), "activate_version")


def _encoded(variables: Mapping[str, Mapping[str, Any]] | None) -> bytes:
    from waymark import values

    return values.encode({function: dict(named) for function, named in variables.items()}) if variables else b""


def _migration(answer: wire.MigrationAnswer) -> Migration:
    from waymark._proto import bridge_pb2 as wire

    labels = {
        wire.SAME: Label.SAME,
        wire.SAFE_TO_MIGRATE: Label.SAFE,
        wire.NEEDS_A_MAPPING: Label.NEEDS_MAPPING,
    }
    problems = tuple(
        Problem(problem.reason, problem.function, problem.file, problem.line, problem.hint, problem.variable or None)
        for problem in answer.problems
    )
    return Migration(
        instance_id=uuid.UUID(bytes=answer.instance_id),
        id=answer.id or None,
        version=answer.workflow_version,
        label=labels.get(answer.label, Label.STAYS),
        problems=problems,
        done=answer.done,
    )


def _time(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds / 1e6, timezone.utc)


def _definition(workflow: type) -> Definition:
    from waymark.workflow import definition_of

    return definition_of(workflow)


def _name(workflow: type | str) -> str:
    return workflow if isinstance(workflow, str) else _definition(workflow).name


def _bridge() -> Bridge:
    from waymark.client import backend

    return backend.server()
