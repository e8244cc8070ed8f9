"""Dependencies: what an action needs and the workflow does not pass, as a database session.

A provider is a function, a class or a generator (sync or async) and may have dependencies of its own. It is called
once a call of the action; generators are finished when the action has ended, in reverse order, and see its
exception. FastAPI's `Depends` is understood too.
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

#: Calls a function that may block, and waits for it.
RunSync = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class Dependency:
    """What `Depends` gives."""

    dependency: Callable[..., Any] | None = None
    use_cache: bool = True


def Depends(provider: Callable[..., Any] | None = None, *, use_cache: bool = True) -> Any:  # noqa: N802
    """As a default (`db=Depends(get_db)`) or an annotation (`db: Annotated[Database, Depends(get_db)]`).

    Without a provider the annotated class itself is called. `use_cache=False`: called for each place that asks for it.
    """
    return Dependency(provider, use_cache)


@dataclass(frozen=True)
class Need:
    """A parameter and what fills it."""

    parameter: str
    provider: Callable[..., Any]
    use_cache: bool


@cache
def needs_of(function: Callable[..., Any]) -> tuple[Need, ...]:
    """The dependencies of a function's parameters. Raises TypeError where a provider is missing."""
    hints = hints_of(function)
    found = []
    for name, parameter in parameters_of(function).items():
        marker, annotation = _marker(parameter, hints.get(name))
        if marker is None:
            continue
        provider = marker.dependency if marker.dependency is not None else annotation
        if not callable(provider):
            raise TypeError(f"Depends() of parameter {name!r} of {describe(function)} needs a provider: Depends(get_{name})")
        found.append(Need(name, provider, marker.use_cache))
    return tuple(found)


def _marker(parameter: inspect.Parameter, annotation: Any) -> tuple[Any, Any]:
    """The `Depends` of a parameter, and the type that is declared beside it."""
    if typing.get_origin(annotation) is typing.Annotated:
        declared, *extras = typing.get_args(annotation)
        for extra in extras:
            if _is_marker(extra):
                return extra, declared
        annotation = declared
    return (parameter.default, annotation) if _is_marker(parameter.default) else (None, annotation)


def _is_marker(value: Any) -> bool:
    """Ours, or one that looks like FastAPI's."""
    return isinstance(value, Dependency) or (
        type(value).__name__ in ("Depends", "Security") and hasattr(value, "dependency") and hasattr(value, "use_cache")
    )


def describe(function: Any) -> str:
    return f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', repr(function))}"


def parameters_of(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except ValueError:  # Of a class or function that is written in C.
        return {}


def hints_of(function: Any) -> dict[str, Any]:
    """Annotations, evaluated. One that can't be (imported for the type checker only) is left out."""
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.isclass(function):
        function = function.__init__
    elif not inspect.isroutine(function):
        function = type(function).__call__
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:
        return _hints_one_by_one(function)


def _hints_one_by_one(function: Any) -> dict[str, Any]:
    found = {}
    for name, annotation in getattr(function, "__annotations__", {}).items():
        try:
            holder = type("Holder", (), {"__annotations__": {name: annotation}})
            found.update(typing.get_type_hints(holder, getattr(function, "__globals__", {}), include_extras=True))
        except Exception as error:
            if "Depends(" in str(annotation):
                raise TypeError(f"the annotation of {name!r} of {describe(function)} can't be evaluated: {error}") from error
    return found


@cache
def is_blocking(function: Callable[..., Any]) -> bool:
    """Whether all providers are sync, so that one thread can do everything."""
    return all(not _is_async(need.provider) and is_blocking(need.provider) for need in needs_of(function))


def _callable(provider: Any) -> Any:
    """The function behind an object that can be called."""
    while isinstance(provider, functools.partial):
        provider = provider.func
    return provider if inspect.isroutine(provider) or inspect.isclass(provider) else type(provider).__call__


def _is_async(provider: Any) -> bool:
    call = _callable(provider)
    return inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call)


async def resolve(
    function: Callable[..., Any],
    given: dict[str, Any],
    stack: AsyncExitStack,
    run_sync: RunSync,
    made: dict[Any, Any] | None = None,
) -> dict[str, Any]:
    """Values of the parameters that have a dependency and are not given. What is to be finished goes on the stack."""
    made = {} if made is None else made
    values = {}
    for need in needs_of(function):
        if need.parameter in given:
            continue
        if need.use_cache and need.provider in made:
            values[need.parameter] = made[need.provider]
            continue
        inner = await resolve(need.provider, {}, stack, run_sync, made)
        value = values[need.parameter] = await _provide(need.provider, inner, stack, run_sync)
        if need.use_cache:
            made[need.provider] = value
    return values


async def _provide(provider: Any, arguments: dict[str, Any], stack: AsyncExitStack, run_sync: RunSync) -> Any:
    call = _callable(provider)
    if inspect.isasyncgenfunction(call):
        return await stack.enter_async_context(asynccontextmanager(provider)(**arguments))
    if inspect.isgeneratorfunction(call):
        manager = contextmanager(provider)(**arguments)
        value = await run_sync(manager.__enter__)
        stack.push_async_exit(lambda *raised: run_sync(manager.__exit__, *raised))
        return value
    if inspect.iscoroutinefunction(call):
        return await provider(**arguments)
    value = await run_sync(provider, **arguments)
    return await value if inspect.isawaitable(value) else value
