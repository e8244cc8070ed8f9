"""Workflows: a class whose `run` is ordinary `async` Python, made durable by `@workflow`.

@workflow
class Welcome(Workflow):
    async def run(self, ids: list[str]) -> list[Receipt]: ...

receipts = await Welcome().run(["a", "b"])                       # starts an instance, waits for its result
handle = await Welcome().start(["a", "b"], id="welcome-42")      # starts it; the same start again finds it
receipts = Welcome().run_sync(["a", "b"])                        # without an event loop
receipts = await Welcome().run_inline(["a", "b"])                # plain asyncio in this process, for a debugger
"""

from __future__ import annotations

import functools
import inspect
import time
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar, Literal, ParamSpec, Protocol, TypeVar, cast, overload

from waymark import definition as definitions
from waymark import inline
from waymark.client import backend, background, versions
from waymark.client.handle import Handle, outcome_of
from waymark.client.instance import OnConflict, Start, new_instance_id
from waymark.definition import Definition
from waymark.errors import WaymarkError
from waymark.policies import RetryPolicy, Seconds, seconds, text_of_yours

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
W = TypeVar("W", bound="type[Workflow]")
Made = TypeVar("Made", bound="Workflow")

Tags = str | Sequence[str]
Delay = float | timedelta
ParentClose = Literal["cancel", "abandon", "wait"]


class Runs(Protocol[P, R_co]):
    """For type checkers: what `run` takes and gives."""

    def run(self, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, R_co]: ...


class Workflow:
    """Base of workflows.

    Options of `start` are given by name: `id` (a key of yours: while an instance with it lives, the same start finds
    that one), `queue`, `key` (what limits of the queue count by), `priority` (0 first … 3 last), `tags` (words to find
    it by), `delay` (seconds before it begins), `timeout` (seconds after which it is cancelled), `on_conflict` (what a
    taken id means, whatever the inputs are: "reject", "existing", or "replace" it), `unique_for` (seconds for which the
    id stays taken after its instance has finished). A parameter of `run` that has the name of an option is given by
    position.
    """

    __waymark__: ClassVar[Definition]

    def __new__(cls: type[Made]) -> Made:  # type: ignore[misc]
        # Without the decorator `run` would be plain asyncio, and nothing would say so.
        if cls is not Workflow:
            definition_of(cls)
        return super().__new__(cls)  # type: ignore[arg-type]

    # Without options the arguments are checked. Each of the others needs an option, or every call would do.
    @overload
    async def start(self: Runs[P, R], *args: P.args, **kwargs: P.kwargs) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, id: str | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, queue: str | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, priority: int | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, tags: Tags | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, delay: Delay | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, parent_close: ParentClose | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, timeout: Delay | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, key: str | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, on_conflict: OnConflict | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    async def start(self: Runs[..., R], *args: Any, unique_for: Delay | None, **kwargs: Any) -> Handle[R]: ...

    async def start(self: Any, *args: Any, **kwargs: Any) -> Any:
        """Starts an instance and does not wait for its end. In a workflow it is a child: `parent_close` says what becomes of it when its
        parent ends: `"cancel"` (unless you say otherwise), `"abandon"` or `"wait"`."""
        definition = definition_of(self)
        options, keywords = _split(definition, kwargs)
        close = options.pop("parent_close", None)
        if inline.is_inline.get():
            bound = definition.signature.bind(*args, **keywords)
            run = functools.partial(definition.run, self, *bound.args, **bound.kwargs)
            return inline.start_child(definition.name, run, close or "cancel", options.get("delay"))
        if close is not None:
            raise TypeError("parent_close is for children: a workflow that is started here has no parent")
        return (await _start(definition, [definition.bind(args, keywords)], [options.pop("id", None)], **options))[0]

    @overload
    def start_sync(self: Runs[P, R], *args: P.args, **kwargs: P.kwargs) -> Handle[R]: ...
    @overload
    def start_sync(self: Runs[..., R], *args: Any, id: str | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    def start_sync(self: Runs[..., R], *args: Any, queue: str | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    def start_sync(self: Runs[..., R], *args: Any, priority: int | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    def start_sync(self: Runs[..., R], *args: Any, tags: Tags | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    def start_sync(self: Runs[..., R], *args: Any, delay: Delay | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    def start_sync(self: Runs[..., R], *args: Any, timeout: Delay | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    def start_sync(self: Runs[..., R], *args: Any, key: str | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    def start_sync(self: Runs[..., R], *args: Any, on_conflict: OnConflict | None, **kwargs: Any) -> Handle[R]: ...
    @overload
    def start_sync(self: Runs[..., R], *args: Any, unique_for: Delay | None, **kwargs: Any) -> Handle[R]: ...

    def start_sync(self: Any, *args: Any, **kwargs: Any) -> Any:
        return background.run(self.start(*args, **kwargs), "start")

    async def start_many(
        self: Runs[..., R],
        calls: Iterable[tuple[Any, ...] | Mapping[str, Any]],
        *,
        ids: Iterable[str | None] | None = None,
        queue: str | None = None,
        priority: int | None = None,
        tags: Tags | None = None,
        delay: Delay | None = None,
        timeout: Delay | None = None,
        key: str | None = None,
        on_conflict: OnConflict | None = None,
        unique_for: Delay | None = None,
    ) -> list[Handle[R]]:
        """Starts an instance for each of `calls`: a tuple of arguments, or a dict of arguments by name. One that is
        refused raises, when the
        others have been started."""
        definition = definition_of(self)
        bound = [_bind_call(definition, call) for call in calls]
        keys = [None] * len(bound) if ids is None else list(ids)
        if len(keys) != len(bound):
            raise ValueError(f"{len(bound)} calls have {len(keys)} ids: give each of them one, or None")
        return await _start(
            definition,
            bound,
            keys,
            queue=queue,
            priority=priority,
            tags=tags,
            delay=delay,
            timeout=timeout,
            key=key,
            on_conflict=on_conflict,
            unique_for=unique_for,
        )

    def start_many_sync(
        self: Runs[..., R],
        calls: Iterable[tuple[Any, ...] | Mapping[str, Any]],
        *,
        ids: Iterable[str | None] | None = None,
        queue: str | None = None,
        priority: int | None = None,
        tags: Tags | None = None,
        delay: Delay | None = None,
        timeout: Delay | None = None,
        key: str | None = None,
        on_conflict: OnConflict | None = None,
        unique_for: Delay | None = None,
    ) -> list[Handle[R]]:
        many = cast(Workflow, self).start_many(  # type: ignore[misc]
            calls,
            ids=ids,
            queue=queue,
            priority=priority,
            tags=tags,
            delay=delay,
            timeout=timeout,
            key=key,
            on_conflict=on_conflict,
            unique_for=unique_for,
        )
        return background.run(many, "start_many")  # type: ignore[return-value]

    def run_sync(self: Runs[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Starts an instance and blocks until it has ended."""
        return background.run(self.run(*args, **kwargs), "run")

    async def run_inline(self: Runs[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Runs it as plain asyncio in this process, children too: nothing survives, and a debugger can step through."""
        return await inline.run_inline(definition_of(self).run, self, *args, **kwargs)

    def start_inline(self: Runs[P, R], *args: P.args, **kwargs: P.kwargs) -> inline.InlineHandle[R]:
        """Begins it as a task of this event loop, and gives a handle to signal it, ask it and wait for it."""
        definition = definition_of(self)
        return inline.start(definition.name, functools.partial(definition.run, self, *args, **kwargs))

    def publish(self, name: str, value: Any) -> None:
        """Shows a value under a name, for `handle.query(name)`: a copy, until the next one takes its place. It outlives the instance's
        end."""
        # In an engine this is compiled, and never called.
        inline.publish(name, value)

    @classmethod
    def get_handle(cls: type[Runs[..., R]], id: str | None = None, *, instance_id: uuid.UUID | str | None = None) -> Handle[R]:
        """Of the newest instance with this key of yours, or of the one with this instance_id."""
        return Handle(instance_id, workflow_name=definition_of(cls).name, id=id)

    @classmethod
    async def migrate_all(
        cls, *, to: str | None = None, variables: versions.Variables | None = None, dry_run: bool = False, **fields: Any
    ) -> list[versions.Migration]:
        """Moves the live instances of this workflow to the code of this class, or to the version that is named: each whole
        or not at all, an answer for each. `fields` are those of a `Filter`, for some of them only."""
        return await versions.migrate_all(cls, to=to, variables=variables, dry_run=dry_run, **fields)

    async def run_action(
        self,
        call: Awaitable[R],
        *,
        retry: RetryPolicy | None = None,
        timeout: Seconds | None = None,
        queue: str | None = None,
    ) -> R:
        """Calls an action under another policy than its own: `await self.run_action(charge(order),
        retry=RetryPolicy(attempts=5))`."""
        # In an engine this is compiled, and never called. The queue says which workers; here is only this process.
        return await inline.run_action(call, retry, timeout)


@overload
def workflow(cls: W, /) -> W: ...
@overload
def workflow(*, name: str | None = None, version: str | None = None) -> Callable[[W], W]: ...


def workflow(cls: Any = None, /, *, name: str | None = None, version: str | None = None) -> Any:
    """Makes a class a workflow: `@workflow`, or `@workflow(name="billing.Invoice", version="3")`.

    Its name is the class's, its version the hash of the compiled program: instances finish on the version that they
    started on. A version
    that you name must not change its meaning.
    """
    if cls is None:
        return lambda cls: _define(cls, name, version)
    return _define(cls, name, version)


def _define(cls: Any, name: str | None, version: str | None) -> Any:
    if not (isinstance(cls, type) and issubclass(cls, Workflow)):
        named = getattr(cls, "__name__", "Name")
        raise TypeError(f"@workflow is for classes that derive from Workflow, and {cls!r} does not\nhint: write class {named}(Workflow): …")
    run: Any = getattr(cls, "run", None)
    # One that was inherited from another workflow is durable already.
    run = getattr(run, "__waymark_run__", run)
    if inspect.isasyncgenfunction(run):
        raise TypeError(
            f"{cls.__qualname__}.run has a `yield`, and a workflow has one result\n"
            "hint: return a list; what others are to see on the way, self.publish(name, value) shows"
        )
    if not inspect.iscoroutinefunction(run):
        raise TypeError(f"{cls.__qualname__} has no `async def run(self, …)`: that is what a workflow does")
    if "__init__" in vars(cls) and len(inspect.signature(cls).parameters) > 0:
        raise TypeError(f"{cls.__qualname__}.__init__ takes arguments, which would not survive: give them to run()")
    whole = inspect.signature(run)
    parameters = list(whole.parameters.values())
    if not parameters:
        raise TypeError(f"{cls.__qualname__}.run has no `self`")
    for parameter in parameters[1:]:
        if parameter.name in OPTIONS and parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            raise TypeError(
                f"{cls.__qualname__}.run has a parameter {parameter.name!r} that can only be given by name, and "
                "start() has an option of that name\nhint: rename it, or let it be given by position"
            )
    made = Definition(name or cls.__name__, version, run, cls, whole.replace(parameters=parameters[1:]))
    definitions.register(made)

    @functools.wraps(run)
    async def durable(self: Any, *args: Any, **kwargs: Any) -> Any:
        if inline.is_inline.get():
            return await inline.run_inline(run, self, *args, **kwargs)
        definition = definition_of(self)
        _check_not_importing(definition)
        start = Start(definition, definition.bind(args, kwargs), new_instance_id())
        return outcome_of(await backend.current().run(start))

    setattr(durable, "__waymark_run__", run)  # noqa: B010
    cls.__waymark__ = made
    setattr(cls, "run", durable)  # noqa: B010
    if definitions.checks_early:
        from waymark.compiler import check_early

        check_early(cls)
    return cls


#: What `start` takes beside the arguments of `run`.
OPTIONS = ("id", "queue", "key", "priority", "tags", "delay", "timeout", "on_conflict", "unique_for", "parent_close")


def definition_of(workflow: Any) -> Definition:
    cls = workflow if isinstance(workflow, type) else type(workflow)
    found = vars(cls).get("__waymark__")
    if found is None:
        raise TypeError(f"{cls.__qualname__} is no workflow yet\nhint: write @workflow above it")
    return found


def _split(definition: Definition, given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options, and arguments of `run`."""
    options = {name: given[name] for name in OPTIONS if name in given}
    for name in options:
        if name in definition.signature.parameters:
            raise TypeError(
                f"{name!r} is an option of start() and a parameter of {definition.cls.__qualname__}.run: "
                "which is meant?\n"
                f"hint: give the parameter by position; with the option too: start_many([(…)], …)"
            )
    return options, {name: value for name, value in given.items() if name not in options}


def _bind_call(definition: Definition, call: Any) -> dict[str, Any]:
    if isinstance(call, tuple):
        return definition.bind(call, {})
    if isinstance(call, Mapping):
        return definition.bind((), call)
    raise TypeError(f"a call is a tuple of arguments, as (x,), or a dict of arguments by name, not {call!r}")


def _check_not_importing(definition: Definition) -> None:
    if definitions.is_importing.get():
        raise WaymarkError(
            f"a worker imports the modules of its actions, and one of them starts {definition.name} when it is imported\n"
            'hint: put what the program does under if __name__ == "__main__":'
        )


async def _start(
    definition: Definition,
    arguments: Sequence[dict[str, Any]],
    ids: Sequence[str | None],
    *,
    queue: str | None = None,
    priority: int | None = None,
    tags: Tags | None = None,
    delay: Delay | None = None,
    timeout: Delay | None = None,
    key: str | None = None,
    on_conflict: OnConflict | None = None,
    unique_for: Delay | None = None,
) -> list[Handle[Any]]:
    _check_not_importing(definition)
    begins = time.time() + (0 if delay is None else seconds(delay, "delay"))
    at = None if delay is None else int(begins * 1_000_000)
    until = None if timeout is None else int((begins + seconds(timeout, "timeout", positive=True)) * 1_000_000)
    words = () if tags is None else tuple(tags) if isinstance(tags, Iterable) and not isinstance(tags, str) else (tags,)
    if not all(isinstance(word, str) and word for word in words):
        raise TypeError(f"tags are texts, not {tags!r}")
    for name, given in {"queue": queue, "key": key}.items():
        text_of_yours(given, name)
    if priority is not None and (isinstance(priority, bool) or not isinstance(priority, int)):
        raise TypeError(f"priority is a number from 0 (first) to 3 (last), not {priority!r}")
    if on_conflict not in (None, "reject", "existing", "replace"):
        raise ValueError(f"on_conflict is 'reject', 'existing' or 'replace', not {on_conflict!r}")
    if (on_conflict is not None or unique_for is not None) and any(id is None for id in ids):
        raise TypeError("on_conflict and unique_for say what a taken id means, and there is no id\nhint: start(…, id=…)")
    unique_us = 0 if unique_for is None else int(seconds(unique_for, "unique_for") * 1_000_000)
    starts = [
        Start(definition, named, new_instance_id(), text_of_yours(id, "id"), queue, priority, words, key, at, until, on_conflict, unique_us)
        for named, id in zip(arguments, ids, strict=True)
    ]
    runs_in = backend.current()
    started = await runs_in.start(starts)
    for outcome in started:
        if isinstance(outcome, Exception):
            raise outcome
    return [Handle(id, workflow_name=definition.name, runs_in=runs_in) for id in started if isinstance(id, uuid.UUID)]
