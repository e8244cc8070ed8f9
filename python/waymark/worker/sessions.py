"""Connections of the drivers that transaction actions may use, each behind the same few words. Nothing is imported before it is used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

#: Leaves nothing of one call for the next.
_RESET = "RESET SESSION AUTHORIZATION; RESET ALL; CLOSE ALL; UNLISTEN *; SELECT pg_advisory_unlock_all(); DISCARD TEMP"

#: How long a connection may take to come, in seconds.
_CONNECT_SECONDS = 10

RunSync = Callable[..., Awaitable[Any]]


class Session(Protocol):
    """A connection, for one call at a time."""

    #: What the action gets.
    connection: Any
    #: It is between `begin` and the end of the transaction.
    is_open: bool

    async def begin(self) -> None: ...
    async def value(self, sql: str, *values: Any) -> Any:
        """The first column of the first row. Values stand as `{}` in the statement."""

    async def commit(self) -> None: ...
    async def rollback(self) -> None: ...
    async def reset(self) -> None:
        """Raises if it can't be used again."""

    async def close(self) -> None: ...


class AsyncPsycopg:
    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.is_open = False

    @classmethod
    async def connect(cls, url: str, run_sync: RunSync) -> AsyncPsycopg:
        psycopg = _import("psycopg")
        return cls(await psycopg.AsyncConnection.connect(url, autocommit=True, connect_timeout=_CONNECT_SECONDS))

    async def begin(self) -> None:
        # Within it `connection.commit()` and `connection.rollback()` raise.
        self._transaction = self.connection.transaction()
        await self._transaction.__aenter__()
        self.is_open = True

    async def value(self, sql: str, *values: Any) -> Any:
        from psycopg.rows import tuple_row

        async with self.connection.cursor(row_factory=tuple_row) as cursor:
            await cursor.execute(sql.format(*["%s"] * len(values)), values)
            return (await cursor.fetchone())[0]

    async def commit(self) -> None:
        self.is_open = False
        await self._transaction.__aexit__(None, None, None)

    async def rollback(self) -> None:
        self.is_open = False
        error = _import("psycopg").Rollback(self._transaction)
        await self._transaction.__aexit__(type(error), error, None)

    async def reset(self) -> None:
        await self.connection.execute(_RESET)
        self.connection.row_factory = _import("psycopg.rows").tuple_row

    async def close(self) -> None:
        await self.connection.close()


class BlockingPsycopg:
    """Its calls block: they are made as sync functions of users are."""

    def __init__(self, connection: Any, run_sync: RunSync) -> None:
        self.connection = connection
        self.is_open = False
        self._run_sync = run_sync

    @classmethod
    async def connect(cls, url: str, run_sync: RunSync) -> BlockingPsycopg:
        psycopg = _import("psycopg")
        connect = lambda: psycopg.connect(url, autocommit=True, connect_timeout=_CONNECT_SECONDS)  # noqa: E731
        return cls(await run_sync(connect), run_sync)

    async def begin(self) -> None:
        self._transaction = self.connection.transaction()
        await self._run_sync(self._transaction.__enter__)
        self.is_open = True

    async def value(self, sql: str, *values: Any) -> Any:
        return await self._run_sync(self._value, sql, values)

    def _value(self, sql: str, values: tuple[Any, ...]) -> Any:
        from psycopg.rows import tuple_row

        with self.connection.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(sql.format(*["%s"] * len(values)), values)
            return cursor.fetchone()[0]

    async def commit(self) -> None:
        self.is_open = False
        await self._run_sync(self._transaction.__exit__, None, None, None)

    async def rollback(self) -> None:
        self.is_open = False
        error = _import("psycopg").Rollback(self._transaction)
        await self._run_sync(self._transaction.__exit__, type(error), error, None)

    async def reset(self) -> None:
        await self._run_sync(self.connection.execute, _RESET)
        self.connection.row_factory = _import("psycopg.rows").tuple_row

    async def close(self) -> None:
        await self._run_sync(self.connection.close)


class Asyncpg:
    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.is_open = False

    @classmethod
    async def connect(cls, url: str, run_sync: RunSync) -> Asyncpg:
        return cls(await _import("asyncpg").connect(url, timeout=_CONNECT_SECONDS))

    async def begin(self) -> None:
        self._transaction = self.connection.transaction()
        await self._transaction.start()
        self.is_open = True

    async def value(self, sql: str, *values: Any) -> Any:
        return await self.connection.fetchval(sql.format(*(f"${number}" for number in range(1, len(values) + 1))), *values)

    async def commit(self) -> None:
        self.is_open = False
        await self._transaction.commit()

    async def rollback(self) -> None:
        self.is_open = False
        await self._transaction.rollback()

    async def reset(self) -> None:
        if self.connection.is_in_transaction():
            raise RuntimeError("a transaction is still open")
        await self.connection.execute(_RESET)

    async def close(self) -> None:
        try:
            await asyncio.wait_for(self.connection.close(), _CONNECT_SECONDS)
        except Exception:
            self.connection.terminate()


def _import(name: str) -> Any:
    import importlib

    package = name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(
            f"an action with `transaction` needs {package}: pip install 'waymark[{package}]' where workers run ({error})"
        ) from error
