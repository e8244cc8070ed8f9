"""Database work in one transaction with Waymark's own: what an action with `transaction` is given, and starts and signals that happen
when the user's transaction is committed.
"""

from __future__ import annotations

import uuid
from contextvars import ContextVar
from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waymark.client.handle import Handle

#: The connection of the transaction that this call runs in.
_connection: ContextVar[Any] = ContextVar("waymark_transaction", default=None)

_START = (
    "SELECT waymark.start_packed({}::text, {}::bytea, id => {}::text, queue => {}::text, key => {}::text, priority => {}::integer, "
    "delay => {}::interval, timeout => {}::interval, tags => {}::text[], on_conflict => {}::text)"
)
_SIGNAL = "SELECT waymark.signal_packed({}::uuid, {}::text, {}::bytea, {}::text)"
_SIGNAL_ID = "SELECT waymark.signal_packed(waymark.instance_of({}::text, {}::text), {}::text, {}::bytea, {}::text)"


def transaction() -> Any:
    """What `Depends(waymark.transaction)` gives: the connection of the transaction that is committed with the action's completion.

    A `psycopg.AsyncConnection` in an async action with `transaction=True`, a `psycopg.Connection` in a sync one, an `asyncpg.Connection`
    with `transaction="asyncpg"`. The action must not commit by itself.
    """
    connection = _connection.get()
    if connection is None:
        raise RuntimeError(
            "there is no transaction here: waymark.transaction is for actions with `transaction=True` that a worker runs on Postgres\n"
            "hint: in tests and with run_inline mock the action, or pass the connection as an argument"
        )
    return connection


async def start_in(connection: Any, workflow: Any, *args: Any, **kwargs: Any) -> Handle[Any]:
    """Starts an instance in the caller's own transaction: it is there when, and if, that is committed.

    `connection` is a `psycopg.AsyncConnection` or an `asyncpg.Connection` to Waymark's database. The rest is as for `Workflow.start`, but
    the version is the active one of the database, and `on_conflict` is `"reject"` or `"existing"`.
    """
    definition, values = _start(workflow, args, kwargs)
    return _handle(definition, await _value(connection, _START, values))


def start_in_sync(connection: Any, workflow: Any, *args: Any, **kwargs: Any) -> Handle[Any]:
    """The same with a `psycopg.Connection`."""
    definition, values = _start(workflow, args, kwargs)
    return _handle(definition, _value_sync(connection, _START, values))


async def signal_in(
    connection: Any, instance: Handle[Any] | uuid.UUID | str, name: str, value: Any = None, *, id: str | None = None
) -> None:
    """Signals an instance in the caller's own transaction: it is sent when, and if, that is committed. Of signals with the same `id` the
    instance takes one. Raises `InstanceFinished` if nobody will read it; if it ends before the commit, that fails."""
    await _value(connection, *_signal(instance, name, value, id))


def signal_in_sync(
    connection: Any, instance: Handle[Any] | uuid.UUID | str, name: str, value: Any = None, *, id: str | None = None
) -> None:
    """The same with a `psycopg.Connection`."""
    _value_sync(connection, *_signal(instance, name, value, id))


def _start(workflow: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
    from waymark import values
    from waymark.policies import text_of_yours
    from waymark.workflow import _split, definition_of

    definition = definition_of(workflow)
    options, keywords = _split(definition, kwargs)
    for name in ("unique_for", "parent_close"):
        if name in options:
            raise TypeError(f"a start in a transaction has no option {name!r}")
    inputs = values.encode(definition.bind(args, keywords), f"the arguments of {definition.name}")
    tags = options.get("tags") or ()
    return definition, [
        definition.name,
        inputs,
        text_of_yours(options.get("id"), "id"),
        options.get("queue") or "default",
        options.get("key"),
        1 if options.get("priority") is None else options["priority"],
        _interval("delay", options.get("delay")),
        _interval("timeout", options.get("timeout")),
        [tags] if isinstance(tags, str) else list(tags),
        options.get("on_conflict"),
    ]


def _interval(name: str, given: Any) -> timedelta | None:
    from waymark.policies import seconds

    return None if given is None else timedelta(seconds=seconds(given, name, positive=name == "timeout"))


def _signal(instance: Any, name: str, value: Any, id: str | None) -> tuple[str, list[Any]]:
    from waymark import values
    from waymark.client.handle import Handle

    rest = [name, values.encode(value, f"the value of the signal {name!r}"), id]
    if isinstance(instance, Handle):
        if instance._instance_id is None:
            return _SIGNAL_ID, [instance._workflow_name, instance._id, *rest]
        instance = instance._instance_id
    return _SIGNAL, [instance if isinstance(instance, uuid.UUID) else uuid.UUID(instance), *rest]


def _handle(definition: Any, instance_id: Any) -> Handle[Any]:
    from waymark.client.handle import Handle

    return Handle(uuid.UUID(str(instance_id)), workflow_name=definition.name)


async def _value(connection: Any, statement: str, values: list[Any]) -> Any:
    kind = _kind(connection)
    try:
        if kind == "asyncpg":
            return await connection.fetchval(statement.format(*(f"${number}" for number in range(1, len(values) + 1))), *values)
        if kind == "AsyncConnection":
            from psycopg.rows import tuple_row

            async with connection.cursor(row_factory=tuple_row) as cursor:
                await cursor.execute(statement.format(*["%s"] * len(values)), values)
                return (await cursor.fetchone())[0]
    except Exception as error:
        _raise_translated(error)
        raise
    raise _unfit(
        connection, "a psycopg.AsyncConnection or an asyncpg.Connection", "a psycopg.Connection is for start_in_sync and signal_in_sync"
    )


def _value_sync(connection: Any, statement: str, values: list[Any]) -> Any:
    if _kind(connection) != "Connection":
        raise _unfit(connection, "a psycopg.Connection", "async connections are for start_in and signal_in")
    from psycopg.rows import tuple_row

    try:
        with connection.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(statement.format(*["%s"] * len(values)), values)
            return cursor.fetchone()[0]
    except Exception as error:
        _raise_translated(error)
        raise


def _kind(connection: Any) -> str | None:
    """`asyncpg`, `AsyncConnection`, `Connection`; subclasses and proxies of pools are what they stand for."""
    for cls in type(connection).__mro__:
        package = cls.__module__.partition(".")[0]
        if package == "asyncpg" or package == "psycopg" and cls.__name__ in ("AsyncConnection", "Connection"):
            return "asyncpg" if package == "asyncpg" else cls.__name__
    return None


def _unfit(connection: Any, wanted: str, hint: str) -> TypeError:
    return TypeError(f"{connection!r} is not {wanted}\nhint: {hint}")


def _raise_translated(error: Exception) -> None:
    """What the functions of the database refuse is raised as a bridge would."""
    from waymark.client.errors import StartRefused
    from waymark.errors import InstanceExists, InstanceFinished

    codes: dict[str, type[Exception]] = {"WM001": StartRefused, "WM002": InstanceExists, "WM003": InstanceFinished}
    kind = codes.get(getattr(error, "sqlstate", None) or "")
    if kind is not None:
        hint = getattr(error, "hint", None) or getattr(getattr(error, "diag", None), "message_hint", None)
        raise kind(str(error).splitlines()[0] + (f"\nhint: {hint}" if hint else "")) from error
