"""Transactions for real, on Postgres: work that is committed with the action's completion, once, whoever is killed; and starts and signals in the
user's own transaction."""

from __future__ import annotations

import contextlib
import os
import pathlib
import random
import signal
import time
from collections.abc import Iterator
from typing import Any

import postgres
import psycopg
import pytest
from workplace import Workplace, workplace

import waymark
from waymark import Depends, Workflow, action, workflow
from waymark.testing import Environment

#: Each payment takes a while, half of it in its commit: that is where many are killed.
SLOWLY = """
CREATE FUNCTION public.slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END';
CREATE TRIGGER slowly AFTER INSERT ON public.payments FOR EACH ROW EXECUTE FUNCTION public.slowly();
CREATE CONSTRAINT TRIGGER slowly_at_the_end AFTER INSERT ON public.payments DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION public.slowly()
"""
APP = pathlib.Path(__file__).parent / "transactions_app.py"
SECONDS_MAX = 150


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres.server() as url:
        yield url


@pytest.fixture
def place(database: str, tmp_path: pathlib.Path) -> Iterator[Workplace]:
    """A folder with the app, and a database of its own."""
    name = f"of_{tmp_path.name}".lower()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')  # type: ignore[arg-type]
    (tmp_path / "app.py").write_text(APP.read_text())
    with workplace(tmp_path) as made:
        made.environment["WAYMARK_DATABASE_URL"] = database.rpartition("/")[0] + f"/{name}"
        with connected(made) as connection:
            connection.execute("CREATE TABLE public.payments (kind text, number integer, execution text)")
        yield made


def connected(place: Workplace) -> psycopg.Connection[Any]:
    return psycopg.connect(place.environment["WAYMARK_DATABASE_URL"], autocommit=True)


def run(place: Workplace, what: str) -> None:
    if not place.servers:
        place.serve("waymark dev app.py", until="a worker has come")
    ran = place.shell(f"python app.py {what}")
    assert ran.returncode == 0 and "all is well" in ran.stdout, ran.stdout


def test_work_is_committed_with_its_completion_or_not_at_all(place: Workplace) -> None:
    run(place, "actions")


def test_starts_and_signals_are_part_of_the_users_transaction(place: Workplace) -> None:
    run(place, "outbox")


def children(pid: int) -> list[int]:
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if folder.name.isdigit() and int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(folder.name))
    return found


@pytest.mark.parametrize("kind", ["psycopg", "blocking", "asyncpg"])
def test_whoever_is_killed_work_is_done_once(place: Workplace, kind: str) -> None:
    """Workers and the server are killed, again and again, while many commit."""
    count = int(os.environ.get("TRANSACTIONS", "600"))
    # What one worker had the others have at once, before anybody has looked what became of it.
    place.environment |= {"WAYMARK_WORKERS": "3", "WAYMARK_SLOTS": "6", "WAYMARK_LEASE_SECONDS": "6", "WAYMARK_HEARTBEAT_SECONDS": "2"}
    with connected(place) as connection:
        connection.execute(SLOWLY)
    server = place.serve("waymark dev app.py", until="a worker has come")
    run(place, f"start {kind} {count}")
    chance = random.Random(kind)
    kills = {"worker": 0, "server": 0}
    seen: dict[int, float] = {}
    deadline = time.monotonic() + SECONDS_MAX
    with connected(place) as connection:

        def number(what: str) -> int:
            found = connection.execute(f"SELECT count(*) FROM {what}").fetchone()  # type: ignore[arg-type]
            assert found
            return found[0]

        while number("public.queued_instances"):
            assert time.monotonic() < deadline, connection.execute("SELECT waits_for, stuck_reason FROM public.runner_instances").fetchall()
            # Where the work is half done is chance; later on, all are let through.
            time.sleep(chance.uniform(0.05, 0.4))
            if kills["server"] >= 3:
                continue
            # Those that are at work by now.
            workers = [pid for pid in children(server.pid) if seen.setdefault(pid, time.monotonic()) < time.monotonic() - 1.5]
            if len(workers) > 1:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chance.choice(workers), signal.SIGKILL)
                kills["worker"] += 1
            elif kills["worker"] >= 4 * (kills["server"] + 1):
                server.kill()
                server.wait()
                kills["server"] += 1
                server = place.serve("waymark dev app.py", until="a worker has come")
        rows = connection.execute("SELECT number, count(*) FROM public.payments GROUP BY 1 ORDER BY 1").fetchall()
        assert rows == [(n, 1) for n in range(count)], [row for row in rows if row[1] != 1]
        statuses = connection.execute("SELECT status, count(*) FROM public.runner_instances GROUP BY 1").fetchall()
        assert statuses == [("completed", count)], statuses
        assert number("public.outgoing_mail") == 0
        print(f"{kind}: {kills}, {number('public.transaction_attempts')} attempts of {count}")
    assert kills["worker"] >= 4 and kills["server"] >= 1, f"{kills}: too few"


def test_on_sqlite_such_workflows_are_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "app.py").write_text(APP.read_text())
    with workplace(tmp_path) as place:
        ran = place.shell("python app.py refused")
        assert "calls an action with `transaction`, and this server is on SQLite" in ran.stdout, ran.stdout
        assert "hint: such actions need Postgres" in ran.stdout, ran.stdout


@action(transaction=True)
async def touch(number: int, connection: Any = Depends(waymark.transaction)) -> int:
    await connection.execute("SELECT 1")
    return number


@workflow
class Touch(Workflow):
    async def run(self, number: int) -> int:
        return await touch(number)


async def test_in_tests_the_action_is_mocked_or_says_what_is_missing() -> None:
    async with Environment() as environment:
        with pytest.raises(RuntimeError, match="there is no transaction here"):
            await Touch().run(1)
        environment.mock(touch, returns=7)
        assert await Touch().run(1) == 7
    with pytest.raises(RuntimeError, match="mock the action, or pass the connection"):
        await Touch().run_inline(1)


def test_what_can_not_be_a_transaction_is_refused() -> None:
    with pytest.raises(TypeError, match="asyncpg is: write `async def`"):

        @action(transaction="asyncpg")
        def blocking() -> None: ...

    with pytest.raises(ValueError, match="it is True"):

        @action(transaction="sqlite")
        async def other() -> None: ...
