"""Actions and their dependencies, called directly."""

from __future__ import annotations

import asyncio
import contextvars
import datetime
import functools
import inspect
import sys
import threading
import types
import uuid
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from samples import Point

import waymark.context
from waymark import names
from waymark.actions import Action, action, registry
from waymark.context import Context, activate, current
from waymark.depends import Depends
from waymark.policies import BackoffPolicy, RetryPolicy

if TYPE_CHECKING:
    from nowhere import Unknown

log: list[str] = []


@pytest.fixture(autouse=True)
def _clear() -> None:
    log.clear()


class Database:
    pass


def get_database() -> Any:
    log.append("open")
    try:
        yield Database()
    except ValueError as error:
        log.append(f"saw {error}")
        raise
    finally:
        log.append("close")


async def get_session(database: Annotated[Database, Depends(get_database)]) -> Any:
    log.append("begin")
    yield (database, threading.get_ident())
    log.append("commit")


class FastApiDepends:
    """As FastAPI's looks."""

    def __init__(self, dependency: Any, use_cache: bool = True) -> None:
        self.dependency, self.use_cache = dependency, use_cache


FastApiDepends.__name__ = "Depends"


@action
async def transfer(
    points: list[Point],
    *,
    when: datetime.datetime | None = None,
    session: Any = Depends(get_session),
    database: Annotated[Database, Depends(get_database)],
) -> Any:
    assert session[0] is database
    log.append("run")
    return points, when


@action(retry=RetryPolicy(attempts=5, backoff_seconds=2), timeout=datetime.timedelta(minutes=1), queue="slow", name="named")
def blocking(number: int, database: Any = Depends(get_database), other: Any = Depends(get_database, use_cache=False)) -> Any:
    if number < 0:
        raise ValueError(number)
    assert database is not other
    return number, threading.get_ident()


@action
async def lazily(thing: Unknown, point: Point) -> Any:
    return thing, point


def test_what_an_action_says_of_itself() -> None:
    assert isinstance(transfer, Action) and registry["test_actions:transfer"] is transfer
    assert (transfer.name, transfer.is_async, transfer.__name__) == ("test_actions:transfer", True, "transfer")
    assert list(transfer.parameters) == ["points", "when"]
    assert (blocking.name, blocking.timeout, blocking.queue, blocking.retry.attempts) == ("named", 60.0, "slow", 5)
    assert list(blocking.parameters) == ["number"]


async def test_dependencies_live_as_long_as_the_call() -> None:
    points, when = await transfer([{"x": 1}], when="2026-01-01T00:00:00Z")  # type: ignore[list-item, arg-type]
    assert points == [Point(1)] and when == datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    assert log == ["open", "begin", "run", "commit", "close"]


async def test_sync_actions_run_in_a_thread() -> None:
    number, thread = await blocking(1)
    assert number == 1 and thread != threading.get_ident()
    assert log == ["open", "open", "close", "close"]
    assert blocking.run_blocking([2], {}) == (2, threading.get_ident())


async def test_providers_see_the_exception() -> None:
    for run in (lambda: blocking(-1), lambda: asyncio.to_thread(blocking.run_blocking, [-1], {})):
        log.clear()
        with pytest.raises(ValueError):
            await run()
        assert log == ["open", "open", "saw -1", "close", "saw -1", "close"]


async def test_a_provider_cannot_hide_an_exception() -> None:
    def hides() -> Any:
        try:
            yield 1
        except ValueError:
            log.append("hidden")

    @action
    async def fails(number: int = Depends(hides)) -> None:
        raise ValueError(number)

    with pytest.raises(ValueError):
        await fails()
    assert log == ["hidden"]


async def test_a_dependency_can_be_given_by_a_test() -> None:
    given = Database()

    @action
    async def uses(database: Annotated[Database, Depends(get_database)]) -> Any:
        return database

    assert await uses(database=given) is given and log == []


async def test_kinds_of_providers() -> None:
    class Settings:
        def __init__(self, name: str = "default") -> None:
            self.name = name

    class Factory:
        async def __call__(self) -> str:
            return "made"

    async def coroutine() -> int:
        return 5

    @action
    async def gets(
        settings: Annotated[Settings, Depends()],
        made: str = Depends(Factory()),
        number: int = Depends(coroutine),
        fast: int = FastApiDepends(coroutine),  # type: ignore[assignment]
    ) -> Any:
        return settings.name, made, number, fast

    gets.function.__annotations__["settings"] = Annotated[Settings, Depends()]
    assert await gets() == ("default", "made", 5, 5)
    assert not gets.parameters


async def test_providers_with_arguments() -> None:
    async def coroutine(number: int) -> int:
        await asyncio.sleep(0)
        return number

    async def opens(number: int) -> Any:
        await asyncio.sleep(0)
        yield number

    def opens_in_thread(number: int, database: Annotated[Database, Depends(get_database)]) -> Any:
        yield number, database

    @action
    def gets(
        first: int = Depends(functools.partial(coroutine, 1)),
        second: int = Depends(functools.partial(opens, 2)),
        third: Any = Depends(functools.partial(opens_in_thread, 3)),
    ) -> Any:
        return first, second, third

    first, second, (third, database) = await gets()
    assert (first, second, third) == (1, 2, 3) and isinstance(database, Database)
    # A worker runs what blocks in one thread, without a loop.
    assert gets.needs_loop


async def test_a_missing_provider_is_named() -> None:
    @action
    async def broken(database=Depends()) -> None: ...  # noqa: ANN001

    with pytest.raises(TypeError, match=r"'database' of .*broken needs a provider: Depends\(get_database\)"):
        await broken()


async def test_annotations_that_only_a_type_checker_sees() -> None:
    assert await lazily(1, {"x": 2}) == (1, Point(2))  # type: ignore[arg-type]


async def test_wrong_arguments_are_named() -> None:
    with pytest.raises(TypeError, match=r"transfer\(\) missing a required argument: 'points'"):
        await transfer()  # type: ignore[call-arg]
    with pytest.raises(ValueError, match=r"argument 'when' of test_actions:transfer: 'x' is no datetime"):
        await transfer([], when="x")  # type: ignore[arg-type]


async def test_variable_arguments_are_coerced_each() -> None:
    @action
    async def many(*points: Point, **named: Point) -> Any:
        return points, named

    assert await many({"x": 1}, a={"x": 2}) == ((Point(1),), {"a": Point(2)})  # type: ignore[arg-type]


variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable")


async def test_context_variables_reach_threads() -> None:
    @action
    def reads() -> str:
        return variable.get()

    variable.set("here")
    assert await reads() == "here"


class Billing:
    def charge(self) -> None: ...

    @staticmethod
    def refund(order: str) -> str:
        return order


def _generates() -> Any:
    yield 1


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (Billing.charge, r"Billing.charge \(.*test_actions.py:\d+\) is a method: .* Move charge out of Billing"),
        (Billing, "@action is for functions"),
        (_generates, "is a generator: an action gives one result"),
        (lambda: 1, "is a lambda"),
        (len, "@action is for functions"),
        (staticmethod(Billing.refund), "@action is for functions"),
    ],
)
def test_what_cannot_be_an_action(function: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        action(function)


def test_outside_of_an_action_there_is_no_context() -> None:
    with pytest.raises(RuntimeError, match="waymark.current\\(\\) is for code that runs in an action"):
        current()
    context = Context(instance_id=uuid.UUID(int=1).bytes, execution_id="e", timeout=60)
    with activate(context):
        assert current() is context and context.instance_id == uuid.UUID(int=1)
        assert 59 < context.remaining() <= 60 and context.deadline > datetime.datetime.now(datetime.timezone.utc)  # type: ignore[operator]
        context.check_cancelled()
        context.cancel()
        with pytest.raises(asyncio.CancelledError):
            context.check_cancelled()
    assert waymark.context.current_or_none() is None


def test_policies_are_checked() -> None:
    policy = RetryPolicy(attempts=3, exception_types=(KeyError,), backoff_seconds=2)
    assert policy.retry_on == (KeyError,) and policy.waits == BackoffPolicy(base_delay=2)
    assert RetryPolicy(retry_on=KeyError).retry_on == (KeyError,)  # type: ignore[arg-type]
    assert RetryPolicy().waits.base_delay == 0
    for wrong in (
        lambda: RetryPolicy(attempts=0),
        lambda: RetryPolicy(attempts=2.5),  # type: ignore[arg-type]
        lambda: RetryPolicy(retry_on=(5,)),  # type: ignore[arg-type]
        lambda: RetryPolicy(retry_on=(KeyError,), exception_types=(ValueError,)),
        lambda: RetryPolicy(backoff_seconds=1, backoff=BackoffPolicy()),
        lambda: BackoffPolicy(jitter=2),
        lambda: BackoffPolicy(factor=0.5),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_the_script_goes_by_the_name_that_others_import(monkeypatch: pytest.MonkeyPatch) -> None:
    main = types.ModuleType("__main__")
    main.__file__ = "/somewhere/shop.py"
    monkeypatch.setitem(sys.modules, "__main__", main)

    class Item:
        pass

    Item.__module__, Item.__qualname__ = "__main__", "Item"
    main.Item = Item  # type: ignore[attr-defined]
    assert names.import_path(Item) == "shop:Item" and names.load("shop:Item") is Item
    main.__spec__ = types.SimpleNamespace(name="pack.shop")  # type: ignore[assignment]
    assert names.import_path(Item) == "pack.shop:Item"
    assert inspect.ismodule(names.load_module("json"))
