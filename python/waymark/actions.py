"""Actions: the functions that do a workflow's work, called by their import path in a worker."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from waymark import depends, names
from waymark.depends import RunSync
from waymark.policies import RetryPolicy, Seconds, seconds
from waymark.values.coercion import Coercion, coercion

if TYPE_CHECKING:
    from waymark.client.handle import Handle

P = ParamSpec("P")
R = TypeVar("R")

#: Every action that was defined in this process, by name.
registry: dict[str, Action[..., Any]] = {}


class Action(Generic[P, R]):
    """A function with `@action`. In a workflow a worker runs its calls; elsewhere it just runs, with dependencies."""

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        retry: RetryPolicy | None = None,
        timeout: Seconds | None = None,
        queue: str | None = None,
        transaction: bool | str = False,
    ) -> None:
        _check(function)
        self.function = function
        self.name = name or names.import_path(function)
        self.retry = retry
        #: Seconds that one attempt may take.
        self.timeout = None if timeout is None else seconds(timeout, "timeout", positive=True)
        self.queue = queue
        self.is_async = inspect.iscoroutinefunction(function)
        #: The driver of the transaction that its work and its completion are in: `psycopg` or `asyncpg`.
        self.transaction = _driver(transaction, self.is_async, self.name)
        functools.update_wrapper(self, function)
        registry[self.name] = self

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, R]:
        if self.retry is None and self.timeout is None:
            return self.run_here(args, kwargs)
        return self.run_under_policy(args, kwargs)

    def run_here(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Coroutine[Any, Any, R]:
        """Once, whatever its policy."""
        # A function in a thread, as in a worker: it can be awaited either way.
        return self.run(args, kwargs, _in_thread)

    async def run_under_policy(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
        """Inside of `run_inline` an action is tried as often as an engine would; elsewhere it is a function like any other."""
        from waymark import inline

        call = self.run_here(args, kwargs)
        return await (inline.run_action(call, None, None) if inline.is_inline.get() else call)

    async def start(self, *args: Any, **kwargs: Any) -> Handle[R]:
        """Queues one call of it, without a workflow, and does not wait for its end. Options are given by name: `id` (while one with it
        lives, the same start finds that one), `delay`, `priority`, `queue`, `key`, `tags`, `retry`."""
        from waymark import standalone

        return await standalone.start(self, args, kwargs)

    def start_sync(self, *args: Any, **kwargs: Any) -> Handle[R]:
        from waymark.client import background

        return background.run(self.start(*args, **kwargs), "start")

    def __repr__(self) -> str:
        return f"<action {self.name}>"

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """Without what `Depends` fills."""
        filled = {need.parameter for need in depends.needs_of(self.function)}
        whole = inspect.signature(self.function)
        return whole.replace(parameters=[given for name, given in whole.parameters.items() if name not in filled])

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """What a caller passes: those that `Depends` fills are left out."""
        return dict(self.signature.parameters)

    @functools.cached_property
    def is_plain(self) -> bool:
        """Nothing to fill in and nothing to coerce: the function can be called as it is."""
        return not depends.needs_of(self.function) and not self._coercions

    @functools.cached_property
    def needs_loop(self) -> bool:
        """Whether anything in it has to run in the event loop."""
        return self.is_async or not depends.is_blocking(self.function)

    @functools.cached_property
    def _coercions(self) -> dict[str, Coercion]:
        hints = depends.hints_of(self.function)
        found = ((name, coercion(hints[name])) for name in self.signature.parameters if name in hints)
        return {name: change for name, change in found if change is not None}

    async def run(self, args: tuple[Any, ...] | list[Any], kwargs: dict[str, Any], run_sync: RunSync) -> R:
        """Calls the function. `run_sync` is how sync functions are called, providers too."""
        if self.is_plain:
            return await (self.function(*args, **kwargs) if self.is_async else run_sync(self.function, *args, **kwargs))
        needs = depends.needs_of(self.function)
        given = {need.parameter: kwargs[need.parameter] for need in needs if need.parameter in kwargs}
        bound = self._bind(args, {name: value for name, value in kwargs.items() if name not in given})
        if not needs:
            return await self._call(bound.args, bound.kwargs, run_sync)
        failure: BaseException | None = None
        async with AsyncExitStack() as stack:
            values = await depends.resolve(self.function, given, stack, run_sync)
            try:
                positional, keyword = self._merge(bound, {**values, **given})
                return await self._call(positional, keyword, run_sync)
            except BaseException as error:
                failure = error
                raise
        # A provider has swallowed it. There is no result to give.
        assert failure is not None
        raise failure

    def run_blocking(self, args: tuple[Any, ...] | list[Any], kwargs: dict[str, Any]) -> R:
        """Like `run`, in the thread of the caller: for those that don't need a loop."""
        if self.is_plain:
            return self.function(*args, **kwargs)
        return at_once(self.run(args, kwargs, run_at_once))

    async def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any], run_sync: RunSync) -> R:
        if self.is_async:
            return await self.function(*args, **kwargs)
        return await run_sync(self.function, *args, **kwargs)

    def _bind(self, args: tuple[Any, ...] | list[Any], kwargs: dict[str, Any]) -> inspect.BoundArguments:
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.function.__name__}() {error}") from None
        for name, change in self._coercions.items():
            if name in bound.arguments:
                bound.arguments[name] = self._coerce(name, change, bound.arguments[name])
        return bound

    def _coerce(self, name: str, change: Coercion, value: Any) -> Any:
        kind = self.signature.parameters[name].kind
        try:
            if kind is inspect.Parameter.VAR_POSITIONAL:
                return tuple(change(item) for item in value)
            if kind is inspect.Parameter.VAR_KEYWORD:
                return {key: change(item) for key, item in value.items()}
            return change(value)
        except (TypeError, ValueError) as error:
            if type(error) not in (TypeError, ValueError):
                raise  # pydantic's own says more.
            raise type(error)(f"argument {name!r} of {self.name}: {error}") from error

    def _merge(self, bound: inspect.BoundArguments, filled: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments in the function's own order, with what was filled in."""
        whole = inspect.signature(self.function)
        arguments = {**bound.arguments, **filled}
        ordered = {name: arguments[name] for name in whole.parameters if name in arguments}
        merged = inspect.BoundArguments(whole, ordered)  # type: ignore[arg-type]
        return merged.args, merged.kwargs


async def _in_thread(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return await asyncio.to_thread(function, *args, **kwargs)


async def run_at_once(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def at_once(coroutine: Coroutine[Any, Any, R]) -> R:
    """What a coroutine that never waits comes to, without a loop."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError(f"{coroutine.__qualname__} waited for something without a loop")


def _driver(transaction: bool | str, is_async: bool, name: str) -> str | None:
    driver = {True: "psycopg", False: None}.get(transaction, transaction)  # type: ignore[call-overload]
    if driver not in (None, "psycopg", "asyncpg"):
        raise ValueError(f'transaction={transaction!r} of {name}: it is True (psycopg) or "asyncpg"')
    if driver == "asyncpg" and not is_async:
        raise TypeError(f"{name} is not async, and asyncpg is: write `async def`, or `transaction=True` for psycopg")
    return driver


def _check(function: Any) -> None:
    if isinstance(function, (staticmethod, classmethod)) or inspect.isclass(function) or not inspect.isfunction(function):
        raise TypeError(f"@action is for functions, not for {function!r}: workers find an action by its module and name")
    where = f"{function.__qualname__} ({function.__code__.co_filename}:{function.__code__.co_firstlineno})"
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"{where} is a generator: an action gives one result. Return a list, or make an action of each step")
    if function.__name__ == "<lambda>":
        raise TypeError(f"{where} is a lambda: an action needs a name to be found by. Write it with `def`")
    owner = function.__qualname__.rpartition(".")[0]
    if owner and not owner.endswith("<locals>") and next(iter(inspect.signature(function).parameters), "") in ("self", "cls"):
        name = function.__name__
        raise TypeError(
            f"{where} is a method: an action is a plain function, for it runs in another process. "
            f"Move {name} out of {owner}, pass what it needs of `self` as arguments, or let Depends make it"
        )


@overload
def action(function: Callable[P, Awaitable[R]], /) -> Action[P, R]: ...
@overload
def action(function: Callable[P, R], /) -> Action[P, R]: ...
@overload
def action(
    *,
    name: str | None = None,
    retry: RetryPolicy | None = None,
    timeout: Seconds | None = None,
    queue: str | None = None,
    transaction: bool | str = False,
) -> _Decorator: ...


def action(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Makes a function an action: `@action`, or `@action(retry=RetryPolicy(attempts=5), timeout=30, queue="gpu")`.

    The options are defaults, which a call can override: `self.run_action(charge(order), timeout=60)`. With `transaction=True` the work that
    is done with the connection of `Depends(waymark.transaction)` is committed with the action's completion, once, or not at all.
    """
    if function is not None:
        return Action(function)
    return lambda function: Action(function, **options)


class _Decorator:
    """What `action(…)` gives, for type checkers."""

    @overload
    def __call__(self, function: Callable[P, Awaitable[R]], /) -> Action[P, R]: ...
    @overload
    def __call__(self, function: Callable[P, R], /) -> Action[P, R]: ...
    def __call__(self, function: Any, /) -> Any: ...
