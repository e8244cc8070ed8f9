"""Database work in one transaction with Waymark's own: what an action with `transaction` is given, and starts and signals that happen when the
user's transaction is committed.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

#: The connection of the transaction that this call runs in.
_connection: ContextVar[Any] = ContextVar("waymark_transaction", default=None)


def transaction() -> Any:
    """What `Depends(waymark.transaction)` gives: the connection of the transaction that is committed with the action's completion.

    A `psycopg.AsyncConnection` in an async action with `transaction=True`, a `psycopg.Connection` in a sync one, an `asyncpg.Connection`
    with `transaction="asyncpg"`. The action must not commit by itself.
    """
    connection = _connection.get()
    if connection is None:
        raise RuntimeError(
            "there is no transaction here: waymark.transaction is for actions with `@action(transaction=True)` that a worker runs on Postgres\n"
            "hint: in tests and with run_inline mock the action, or pass the connection as an argument"
        )
    return connection
