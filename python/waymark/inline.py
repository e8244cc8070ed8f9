"""A workflow as plain asyncio in this process: nothing is stored, and a debugger can step through it."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import random
from collections.abc import Awaitable, Callable
from typing import Any

from waymark.actions import Action
from waymark.errors import NonRetryable
from waymark.policies import RetryPolicy, Seconds, seconds

#: Whether what runs here runs inside of `run_inline`.
is_inline: contextvars.ContextVar[bool] = contextvars.ContextVar("waymark_inline", default=False)


async def run_inline(function: Callable[..., Awaitable[Any]], *arguments: Any, **keywords: Any) -> Any:
    token = is_inline.set(True)
    try:
        return await function(*arguments, **keywords)
    finally:
        is_inline.reset(token)


async def run_action(call: Any, retry: RetryPolicy | None, timeout: Seconds | None) -> Any:
    """Awaits a call of an action under a policy, as an engine would."""
    if not inspect.iscoroutine(call) or call.cr_code not in (Action.run.__code__, Action.run_under_policy.__code__):
        raise TypeError(f"run_action takes the call of an action, as in self.run_action(charge(order)), not {call!r}")
    # Nothing of it has run yet: what it was called with is there to call it again.
    made = inspect.getcoroutinelocals(call)
    call.close()
    action, args, kwargs = made["self"], made["args"], made["kwargs"]
    policy = retry if retry is not None else action.retry or RetryPolicy(attempts=1)
    limit = timeout if timeout is not None else action.timeout
    for attempt in range(1, policy.attempts + 1):
        try:
            return await asyncio.wait_for(action.run_here(args, kwargs), None if limit is None else seconds(limit))
        except Exception as error:
            if attempt == policy.attempts or not _is_worth_another(error, policy):
                raise
        await asyncio.sleep(_pause(policy, attempt))


def _is_worth_another(error: Exception, policy: RetryPolicy) -> bool:
    if isinstance(error, NonRetryable):
        return False
    if isinstance(error, asyncio.TimeoutError) and not policy.retry_timeouts:
        return False
    wanted = policy.retry_on
    if not wanted:
        return True
    named = {name for kind in type(error).__mro__ for name in (kind.__name__, f"{kind.__module__}:{kind.__qualname__}")}
    return any(kind in named if isinstance(kind, str) else isinstance(error, kind) for kind in wanted)


def _pause(policy: RetryPolicy, attempt: int) -> float:
    waits = policy.waits
    pause = seconds(waits.base_delay) * waits.factor ** (attempt - 1)
    if waits.max_delay is not None:
        pause = min(pause, seconds(waits.max_delay))
    return pause * (1 - waits.jitter * random.random())
