"""One action without a workflow around it: queued like an instance, with its retries, an id, a delay and a priority.

handle = await send_email.start("ann@example.org", id="welcome-ann", retry=RetryPolicy(attempts=5))
receipt = await handle.result()

It is an instance of a program that does nothing but this call. Its workflow has the action's name.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waymark import names
from waymark.definition import Definition, shown, unknown_keyword
from waymark.policies import RetryPolicy, seconds
from waymark.values import type_name

if TYPE_CHECKING:
    from waymark.actions import Action
    from waymark.client.handle import Handle
    from waymark.compiler import Compiled

#: What `start` takes beside the arguments of the action.
OPTIONS = ("id", "queue", "key", "priority", "tags", "delay", "retry")


@dataclass(frozen=True, eq=False)
class ActionDefinition(Definition):
    """A workflow that is one call of an action."""

    action: Any = None
    retry: RetryPolicy | None = None

    def bind(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        signature = self.action.signature
        try:
            bound = signature.bind(*arguments, **keywords)
        except TypeError as error:
            unknown = unknown_keyword(signature, keywords)
            raise TypeError(f"{self.action.function.__name__}() {unknown or error}; its parameters are {shown(signature)}") from None
        return {"args": list(bound.args), "kwargs": bound.kwargs}

    def compiled(self) -> Compiled:
        if "compiled" not in self._made:
            self._made["compiled"] = compile_action(self)
        return self._made["compiled"]

    def modules(self) -> set[str]:
        return {names.module_name(self.action.function.__module__)} - {"__main__"}


@functools.lru_cache(maxsize=1_000)
def definition_of(action: Action[..., Any], retry: RetryPolicy | None) -> ActionDefinition:
    return ActionDefinition(action.name, None, action.function, type(action), inspect.Signature(), action=action, retry=retry)


async def start(action: Action[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Handle[Any]:
    from waymark.workflow import _start

    options = {name: kwargs[name] for name in OPTIONS if name in kwargs}
    for name in options:
        if name in action.parameters:
            raise TypeError(
                f"{name!r} is an option of start() and a parameter of {action.name}: which is meant?\nhint: give the parameter by position"
            )
    keywords = {name: value for name, value in kwargs.items() if name not in options}
    retry = options.pop("retry", None)
    definition = definition_of(action, retry if retry is not None else action.retry)
    return (await _start(definition, [definition.bind(args, keywords)], [options.pop("id", None)], **options))[0]


def compile_action(definition: ActionDefinition) -> Compiled:
    """`return @action(*args, **kwargs)`, under its policy."""
    from waymark._proto import program_pb2 as pb
    from waymark.compiler import builder as b
    from waymark.compiler.program import Compiled

    made = b.Builder(definition.name)
    args = [b.rest(made.name((), "args")), b.options(made.name((), "kwargs"))]
    call = made.action((), args, _policy(made, definition), action=definition.action.name)
    value = made.expression((), **{"await": call})
    returned = made.statement((), **{"return": pb.Return(value=value)})
    params = [pb.Param(name=name, kind=pb.PARAM_KIND_POSITIONAL) for name in ("args", "kwargs")]
    made.program.functions.append(made.function((), "main", True, params, [returned]))
    data = made.program.SerializeToString(deterministic=True)
    return Compiled(definition.name, data, "", definition.action.function.__code__.co_filename, (), (), (), (definition.action.name,))


def _policy(made: Any, definition: ActionDefinition) -> Any:
    from waymark._proto import program_pb2 as pb

    action, retry = definition.action, definition.retry
    fields: dict[str, Any] = {"timeout": action.timeout, "queue": action.queue, "transaction": action.transaction is not None or None}
    if retry is not None:
        waits = retry.waits
        fields |= {
            "attempts": retry.attempts,
            "retry_timeouts": retry.retry_timeouts,
            "retry_on": tuple(kind if isinstance(kind, str) else type_name(kind) for kind in retry.kinds) or None,
            "backoff": seconds(waits.base_delay, "base_delay"),
            "factor": waits.factor,
            "max_delay": None if waits.max_delay is None else seconds(waits.max_delay, "max_delay"),
            "jitter": waits.jitter,
        }
    given = {name: made.const((), value) for name, value in fields.items() if value is not None}
    return pb.Policy(**given) if given else None
