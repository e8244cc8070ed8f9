"""Runs actions whose database work and completion are one transaction.

What became of an attempt is the row that is first in the database. So whatever goes wrong here, and whoever else has said something of the
attempt meanwhile, the truth is found by trying to write: work is committed with its result, or not at all.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import uuid
from typing import Any

from waymark._proto.worker_pb2 import Call, Settled, Stored
from waymark.actions import Action
from waymark.context import current_or_none
from waymark.errors import NonRetryable
from waymark.transactions import _connection
from waymark.values.payload import decode
from waymark.worker import answers
from waymark.worker.sessions import Asyncpg, AsyncPsycopg, BlockingPsycopg, RunSync, Session

_DRIVERS: dict[tuple[str, bool], Any] = {
    ("psycopg", True): AsyncPsycopg,
    ("psycopg", False): BlockingPsycopg,
    ("asyncpg", True): Asyncpg,
}

#: Where the functions are: beside Waymark's tables, but in `waymark` where those are in `public`.
_FIND = """SELECT (SELECT n.nspname::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.oid = coalesce(to_regprocedure('settle(uuid,text,integer,boolean,bytea)'),
                           to_regprocedure('waymark.settle(uuid,text,integer,boolean,bytea)')))"""
_MARK = "SELECT set_config('waymark.attempt', {}, true)"
_SETTLE = """SELECT "{schema}".settle({{}}::uuid, {{}}, {{}}::integer, {{}}::boolean, {{}}::bytea)"""


class Overtaken(Exception):
    """Somebody else has said what became of the attempt."""


class Transactions:
    """Connections to Waymark's database. One is in use by one call; those that are not wait for the next. A server has few: more calls than
    so many, of functions in the loop and of those in threads, wait for each other."""

    def __init__(self, outcomes: answers.Answers, connections_max: int) -> None:
        self._answers = outcomes
        self._idle: dict[Any, list[Session]] = {}
        self._room = asyncio.Semaphore(connections_max)
        self._room_of_threads = threading.Semaphore(connections_max)
        self._schema: str | None = None

    async def run(self, call: Call, action: Action[..., Any], run_sync: RunSync) -> Settled:
        """Never raises, but for a cancellation that was asked for."""
        if action.is_async:
            async with self._room:
                return await self._run(call, action, run_sync)
        await run_sync(self._room_of_threads.acquire)
        try:
            return await self._run(call, action, run_sync)
        finally:
            self._room_of_threads.release()

    async def _run(self, call: Call, action: Action[..., Any], run_sync: RunSync) -> Settled:
        driver = _DRIVERS[action.transaction or "psycopg", action.is_async]
        session: Session | None = None
        try:
            args, kwargs = decode(call.action.positional), decode(call.action.keyword)
            session = await self._begin(driver, f"{call.execution_id}/{call.attempt}", run_sync)
            _connection.set(session.connection)
            outcome = self._answers.completed(call.call_id, action.name, await action.run(args, kwargs, run_sync))
            if outcome.WhichOneof("outcome") == "completed":
                outcome = await self._commit(session, call, outcome)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and _is_asked_for():
                # Whoever asked has said so in the database, or found that it was too late.
                await _close(session)
                session = None
                raise
            outcome = self._answers.failed(call.call_id, error)
        finally:
            _connection.set(None)
            await self._keep(driver, session)
        is_over = outcome.WhichOneof("outcome") != "failed" or not call.action.transaction
        return outcome if is_over else await self._fail(driver, call, outcome, run_sync)

    async def _commit(self, session: Session, call: Call, outcome: Settled) -> Settled:
        if call.action.transaction and not await self._say(session, call, True, outcome.completed):
            raise Overtaken("somebody else has said what became of this attempt")
        await session.commit()
        # A version of the workflow that was made before the action was a transaction is told as ever.
        return Settled(call_id=call.call_id, stored=Stored()) if call.action.transaction else outcome

    async def _fail(self, driver: Any, call: Call, outcome: Settled, run_sync: RunSync) -> Settled:
        """Says that nothing was done, in a transaction of its own: first come, first served, so that is the truth whatever became of the
        commit. If the database does not take it, the engine tries."""
        session: Session | None = None
        try:
            session = await self._begin(driver, "", run_sync)
            await self._say(session, call, False, outcome.failed)
            await session.commit()
        except Exception:
            return outcome
        finally:
            await self._keep(driver, session)
        return Settled(call_id=call.call_id, stored=Stored())

    async def _say(self, session: Session, call: Call, completed: bool, content: bytes) -> bool:
        """Whether it is the first that is said of the attempt."""
        statement = _SETTLE.format(schema=(self._schema or "").replace('"', '""'))
        instance = uuid.UUID(bytes=call.instance_id)
        try:
            return await session.value(statement, instance, call.execution_id, call.attempt, completed, content)
        except Exception as error:
            if getattr(error, "sqlstate", None) == "WM005":
                # Some of its work may be committed: another try would only do more.
                raise NonRetryable("the action has ended its transaction by itself\nhint: leave COMMIT and ROLLBACK to Waymark") from error
            raise

    async def _begin(self, driver: Any, attempt: str, run_sync: RunSync) -> Session:
        while True:
            idle = self._idle.get(driver)
            kept = idle.pop() if idle else None
            session: Session = kept or await driver.connect(_url(), run_sync)
            try:
                if isinstance(session, BlockingPsycopg):
                    session._run_sync = run_sync
                if self._schema is None:
                    self._schema = await session.value(_FIND)
                    if self._schema is None:
                        raise RuntimeError("the database of WAYMARK_DATABASE_URL is not one of this Waymark's: it has no function `settle`")
                await session.begin()
                await session.value(_MARK, attempt)
                return session
            except BaseException as error:
                await _close(session)
                # A connection that broke while nobody used it: the next one is fresh.
                if kept is None or not isinstance(error, Exception):
                    raise

    async def _keep(self, driver: Any, session: Session | None) -> None:
        """For the next call, if it is fit for that."""
        idle = self._idle.setdefault(driver, [])
        if session is None:
            return
        try:
            if session.is_open:
                await session.rollback()
            await session.reset()
            return idle.append(session)
        except Exception:
            pass
        await _close(session)


async def _close(session: Session | None) -> None:
    with contextlib.suppress(Exception):
        if session is not None:
            await session.close()


def _is_asked_for() -> bool:
    context = current_or_none()
    return context is not None and context.cancelled


def _url() -> str:
    url = os.environ.get("WAYMARK_DATABASE_URL", "")
    if url.startswith("sqlite:"):
        raise RuntimeError("an action with `transaction` needs Postgres, and this server has SQLite")
    if not url.startswith(("postgres://", "postgresql://")):
        raise RuntimeError(
            "an action with `transaction` needs Waymark's database, and this worker does not know where it is\n"
            "hint: set WAYMARK_DATABASE_URL for workers that you start yourself, to the Postgres of the server"
        )
    return url
