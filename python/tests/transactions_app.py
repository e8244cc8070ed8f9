"""What test_transactions.py runs: actions that pay, in each of the ways that a transaction can be had, and what goes wrong with them."""

from __future__ import annotations

import asyncio
import decimal
import os
import sys
import time

import asyncpg
import psycopg
import pytest

import waymark
from waymark import Depends, RetryPolicy, Workflow, action, workflow

PAY = "INSERT INTO public.payments VALUES (%s, %s, %s)"
PATIENT = RetryPolicy(attempts=50, backoff_seconds=0.05)


async def get_number(connection: psycopg.AsyncConnection = Depends(waymark.transaction)) -> int:
    found = await (await connection.execute("SELECT 42")).fetchone()
    return found[0]


@action(transaction=True, retry=PATIENT)
async def pay(number: int, connection: psycopg.AsyncConnection = Depends(waymark.transaction), answer: int = Depends(get_number)) -> int:
    assert answer == 42
    await connection.execute(PAY, ["psycopg", number, waymark.current().execution_id])
    return number


@action(transaction=True, retry=PATIENT)
def pay_blocking(number: int, connection: psycopg.Connection = Depends(waymark.transaction)) -> int:
    connection.execute(PAY, ["blocking", number, waymark.current().execution_id])
    return number


@action(transaction="asyncpg", retry=PATIENT)
async def pay_asyncpg(number: int, connection: asyncpg.Connection = Depends(waymark.transaction)) -> int:
    await connection.execute("INSERT INTO public.payments VALUES ($1, $2, $3)", "asyncpg", number, waymark.current().execution_id)
    return number


@workflow
class Pay(Workflow):
    async def run(self, kind: str, number: int) -> int:
        if kind == "psycopg":
            return await pay(number)
        if kind == "blocking":
            return await pay_blocking(number)
        return await pay_asyncpg(number)


class Declined(Exception):
    pass


@action(transaction=True)
async def pay_badly(how: str, number: int, connection: psycopg.AsyncConnection = Depends(waymark.transaction)) -> object:
    await connection.execute(PAY, [how, number, ""])
    if how == "raise":
        raise Declined(number)
    if how == "sql":
        await connection.execute("SELECT 1 / 0")
    if how == "commit":
        await connection.commit()
    if how == "raw commit":
        await connection.execute("COMMIT")
    if how == "unwritable":
        return lambda: None
    if how == "slow":
        await asyncio.sleep(60)
    if how == "close":
        await connection.close()
    if how == "savepoint":
        try:
            async with connection.transaction():
                await connection.execute(PAY, ["never", number, ""])
                raise Declined
        except Declined:
            pass
        connection.row_factory = psycopg.rows.dict_row
        await connection.execute("SET search_path = nowhere")
    return number


@action(transaction=True)
def pay_blocking_badly(number: int, connection: psycopg.Connection = Depends(waymark.transaction)) -> None:
    connection.execute(PAY, ["blocking badly", number, ""])
    raise Declined(number)


@action(transaction="asyncpg")
async def pay_asyncpg_badly(number: int, connection: asyncpg.Connection = Depends(waymark.transaction)) -> None:
    await connection.execute("INSERT INTO public.payments VALUES ('asyncpg badly', $1, '')", number)
    async with connection.transaction():
        raise Declined(number)


@action(transaction=True, retry=RetryPolicy(attempts=3, backoff_seconds=0.01))
async def pay_at_last(number: int, connection: psycopg.AsyncConnection = Depends(waymark.transaction)) -> int:
    await connection.execute(PAY, ["at last", number, ""])
    if waymark.current().attempt < 3:
        raise Declined(number)
    return waymark.current().attempt


@workflow
class Badly(Workflow):
    async def run(self, how: str) -> str:
        try:
            if how == "slow":
                return str(await self.run_action(pay_badly(how, 1), timeout=0.5))
            if how == "blocking":
                return str(await pay_blocking_badly(1))
            if how == "asyncpg":
                return str(await pay_asyncpg_badly(1))
            if how == "at last":
                return str(await pay_at_last(1))
            return str(await pay_badly(how, 1))
        except Exception as error:
            return type(error).__name__


@workflow
class Hold(Workflow):
    async def run(self) -> str:
        try:
            await pay_badly("slow", 2)
        except asyncio.CancelledError:
            await pay_badly("refund", 3)
            raise
        return "paid"


def connect() -> psycopg.Connection:
    return psycopg.connect(os.environ["WAYMARK_DATABASE_URL"], autocommit=True)


def rows(connection: psycopg.Connection, kind: str) -> int:
    return connection.execute("SELECT count(*) FROM public.payments WHERE kind = %s", [kind]).fetchone()[0]


async def actions() -> None:
    with connect() as connection:
        kinds = ("psycopg", "blocking", "asyncpg")
        assert await asyncio.gather(*[Pay().run(kind, n) for kind in kinds for n in range(30)]) == [*range(30)] * 3
        assert [rows(connection, kind) for kind in kinds] == [30, 30, 30]
        expected = {
            "raise": "Declined",
            "sql": "DivisionByZero",
            "commit": "ProgrammingError",
            "unwritable": "CannotTravel",
            "slow": "TimeoutError",
            "close": "OperationalError",
            "blocking": "Declined",
            "asyncpg": "Declined",
        }
        found = dict(zip(expected, await asyncio.gather(*[Badly().run(how) for how in expected])))
        assert found == expected, found
        assert await Badly().run("at last") == "3"
        assert await Badly().run("savepoint") == "1"
        # It did commit, and everybody hears that this is not how it is done.
        assert await Badly().run("raw commit") == "NonRetryable"
        paid = connection.execute("SELECT kind, count(*) FROM public.payments GROUP BY 1 ORDER BY 1").fetchall()
        assert paid == [("asyncpg", 30), ("at last", 1), ("blocking", 30), ("psycopg", 30), ("raw commit", 1), ("savepoint", 1)], paid
        # What a call left in its connection the next one does not see.
        assert await asyncio.gather(*[Pay().run("psycopg", n) for n in range(100, 110)]) == [*range(100, 110)]
        handle = await Hold().start()
        while not connection.execute(
            "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'INSERT INTO public.payments%' AND state LIKE 'idle in%'"
        ).fetchall():
            await asyncio.sleep(0.02)
        await handle.cancel()
        assert await handle.wait() == waymark.Status.CANCELLED
        assert (rows(connection, "slow"), rows(connection, "refund")) == (0, 1)
        # Alone, too; and under an id, twice.
        first, second = await pay.start(500, id="once"), await pay.start(500, id="once")
        assert await first.result() == await second.result() == 500
        assert connection.execute("SELECT count(*) FROM public.payments WHERE number = 500").fetchone() == (1,)


async def start(kind: str, count: str) -> None:
    handles = await Pay().start_many([(kind, n) for n in range(int(count))])
    assert len(handles) == int(count)


# ------------------------------------------------------------------------------------------------------- starts and signals


@workflow
class Echo(Workflow):
    async def run(self, value: object = None) -> object:
        return value


@workflow
class Approval(Workflow):
    async def run(self, order: int) -> list[object]:
        first = await waymark.wait_for_signal("approve")
        return [order, first, await waymark.wait_for_signal("approve")]


JSON = {"a": [1, -1, 2**40, -(2**70), 2**70, 0.5, "é", "x" * 300, None, True, False, {}, [], {"b": {"c": [0] * 20}}], "": 1}


async def ends(handle: waymark.Handle, expected: object) -> None:
    found = await handle.result(timeout=60)
    assert found == expected, (found, expected)


async def outbox() -> None:
    url = os.environ["WAYMARK_DATABASE_URL"]
    assert await Echo().run(1) == 1 and await (await Approval().start(0, id="first")).describe()
    with connect() as connection:
        instances = lambda: connection.execute("SELECT count(*) FROM public.runner_instances").fetchone()[0]  # noqa: E731
        before = instances()
        # By SQL, as any client could.
        value = psycopg.types.json.Jsonb({"value": JSON})
        started = connection.execute("SELECT waymark.start('Echo', %s, tags => ARRAY['sql', 'two'], priority => 0)", [value]).fetchone()[0]
        await ends(waymark.get_handle(started), JSON)
        assert [found.instance_id for found in await waymark.list_instances(waymark.Filter(tags=["sql"]))] == [started]
        # Not before the commit, and not after a rollback.
        async with await psycopg.AsyncConnection.connect(url) as own:
            handle = await waymark.start_in(own, Echo, value=decimal.Decimal("1.10"), id="mine", delay=0.1)
            assert instances() == before + 1
            with pytest.raises(waymark.InstanceNotFound):
                await handle.describe()
            await own.commit()
            await ends(handle, decimal.Decimal("1.10"))
            await waymark.start_in(own, Echo, 2)
            await waymark.signal_in(own, Approval.get_handle("first"), "approve", "no")
            await own.rollback()
            assert instances() == before + 2
            # A taken id.
            holder = await waymark.start_in(own, Approval, 1, id="taken", queue="default", key="k", timeout=600)
            assert (await waymark.start_in(own, Approval, order=1, id="taken")).instance_id == holder.instance_id
            assert (await waymark.start_in(own, Approval, 2, id="taken", on_conflict="existing")).instance_id == holder.instance_id
            await own.commit()
            for again in ({"order": 2}, {"order": 1, "on_conflict": "reject"}):
                with pytest.raises(waymark.InstanceExists, match="has the id 'taken'"):
                    await waymark.start_in(own, Approval, id="taken", **again)
                await own.rollback()
            with pytest.raises(TypeError, match="unexpected keyword argument 'ordre'"):
                await waymark.start_in(own, Approval, ordre=1)
            # Signals: in one transaction with a start, before it was claimed; once for an id.
            both = await waymark.start_in(own, Approval, 3)
            await waymark.signal_in(own, both, "approve", {"by": "ann"}, id="1")
            await waymark.signal_in(own, both, "approve", {"by": "ann"}, id="1")
            await own.commit()
            await waymark.signal_in(own, both, "approve", {"by": "ann"}, id="1")
            await own.commit()
            await both.signal("approve", {"by": "ann"}, id="1")
            await waymark.signal_in(own, both.instance_id, "approve", (1, 2), id="2")
            await own.commit()
            await ends(both, [3, {"by": "ann"}, (1, 2)])
            with pytest.raises(waymark.InstanceFinished, match="has ended"):
                await waymark.signal_in(own, both, "approve")
            await own.rollback()
        # It ends while the transaction goes on: the commit says so, and nothing of it happens.
        late = await Approval().start(4)
        own = psycopg.connect(url)
        own.execute("INSERT INTO public.payments VALUES ('late', 1, '')")
        waymark.signal_in_sync(own, late, "approve")
        await late.terminate()
        with pytest.raises(psycopg.Error, match="has ended") as failed:
            own.commit()
        assert failed.value.sqlstate == "WM003" and rows(connection, "late") == 0
        own.close()
        # A transaction that takes its time is in nobody's way.
        own = psycopg.connect(url)
        waymark.signal_in_sync(own, Approval.get_handle("first"), "approve", 1)
        other = await asyncpg.connect(url)
        async with other.transaction():
            await waymark.signal_in(other, Approval.get_handle("first"), "approve", 2)
            sync = waymark.start_in_sync(own, Echo, [1, {2: 3}])
        own.commit()
        own.close()
        await ends(Approval.get_handle("first"), [0, 2, 1])
        await ends(sync, [1, {2: 3}])
        async with other.transaction():
            handle = await waymark.start_in(other, Echo, {"by": "asyncpg"}, tags="one")
        await other.close()
        await ends(handle, {"by": "asyncpg"})
        for wrong, code in {
            "start('Nobody')": "WM001",
            "start('Echo', '[]')": "22023",
            "start('Echo', priority => 4)": "22023",
            "start('Echo', id => '')": "22023",
            "start('Echo', on_conflict => 'replace', id => 'x')": "22023",
            "start('Echo', on_conflict => 'reject')": "22023",
            "start('Echo', delay => '-1 second')": "22023",
            "signal(gen_random_uuid(), 'go')": "WM003",
            "signal(waymark.instance_of('Echo', 'mine'), 'go')": "WM003",
            "signal(waymark.instance_of('Approval', 'taken'), '')": "22023",
        }.items():
            with pytest.raises(psycopg.Error) as raised:
                connection.execute(f"SELECT waymark.{wrong}")
            assert raised.value.sqlstate == code, (wrong, raised.value)
        # Arguments that the workflow does not have: it fails at its first step.
        wrong = connection.execute("""SELECT waymark.start('Approval', '{"ordre": 1}')""").fetchone()[0]
        with pytest.raises(TypeError):
            await waymark.get_handle(wrong).result(timeout=60)
        # While an engine works, many at once.
        began = time.monotonic()

        def many(part: int) -> list[waymark.Handle]:
            handles = []
            with psycopg.connect(url) as own:
                for n in range(50):
                    handles.append(waymark.start_in_sync(own, Echo, part * 100 + n))
                    if n % 2:
                        own.commit()
            return handles

        parts = await asyncio.gather(*[asyncio.to_thread(many, part) for part in range(4)])
        for part, handles in enumerate(parts):
            assert await asyncio.gather(*[handle.result(60) for handle in handles]) == [part * 100 + n for n in range(50)]
        print(f"200 in {time.monotonic() - began:.1f} s")
        assert connection.execute("SELECT count(*) FROM public.outgoing_mail").fetchone() == (0,)


async def refused() -> None:
    await Pay().run("psycopg", 1)


if __name__ == "__main__":
    asyncio.run(globals()[sys.argv[1]](*sys.argv[2:]))
    print("all is well")
