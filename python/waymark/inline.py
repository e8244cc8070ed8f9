"""A workflow as plain asyncio in this process: nothing is stored, and a debugger can step through it."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import random
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from typing import Any, Generic, TypeVar

from waymark import values
from waymark.actions import Action
from waymark.client.errors import InstanceFinished
from waymark.errors import NonRetryable
from waymark.policies import RetryPolicy, Seconds, seconds
from waymark.signals import Update

T = TypeVar("T")
Result = TypeVar("Result")

#: Whether what runs here runs inside of `run_inline`.
is_inline: contextvars.ContextVar[bool] = contextvars.ContextVar("waymark_inline", default=False)


class Queue(Generic[T]):
    """Signals of one kind, by name. What a waiter was given and did not take goes back to the front."""

    def __init__(self) -> None:
        self._kept: dict[str, deque[T]] = {}
        self._waiting: dict[str, deque[asyncio.Future[T]]] = {}

    def put(self, name: str, item: T, was_taken: bool = False) -> None:
        waiting = self._waiting.get(name, deque())
        while waiting:
            future = waiting.popleft()
            if not future.done():
                future.set_result(item)
                return
        kept = self._kept.setdefault(name, deque())
        kept.appendleft(item) if was_taken else kept.append(item)

    async def receive(self, name: str, what: str, timeout: Seconds | None) -> T:
        if not isinstance(name, str):
            raise TypeError(f"the name of a signal must be a string, not {name!r}")
        limit = timeout.total_seconds() if isinstance(timeout, timedelta) else timeout
        if self._kept.get(name):
            return self._kept[name].popleft()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(name, deque())
        waiting.append(future)
        try:
            # Shielded, so that what it was given in the same moment is not dropped with it.
            return await asyncio.wait_for(asyncio.shield(future), limit)
        except (asyncio.CancelledError, asyncio.TimeoutError) as error:
            if future.done() and not future.cancelled():
                self.put(name, future.result(), was_taken=True)
            else:
                future.cancel()
                if future in waiting:
                    waiting.remove(future)
            if isinstance(error, asyncio.CancelledError):
                raise
            raise TimeoutError(f"no {what} within {limit} seconds") from None


class Instance:
    """A run of a workflow: what it hears, and what it shows."""

    def __init__(self) -> None:
        self.signals: Queue[Any] = Queue()
        self.updates: Queue[Update[Any]] = Queue()
        self.published: dict[str, Any] = {}
        self.heard: set[str] = set()
        #: What is waited for, or cancelled, when it ends.
        self.children: list[tuple[str, asyncio.Task[Any]]] = []


_instance: contextvars.ContextVar[Instance | None] = contextvars.ContextVar("waymark_inline_instance", default=None)


def here(what: str) -> Instance:
    found = _instance.get()
    if found is None:
        raise RuntimeError(f"{what}() is for workflows, and this is not inside of one")
    return found


def publish(name: str, value: Any) -> None:
    if not isinstance(name, str):
        raise TypeError('a value is published under a name: publish("progress", value)')
    # What can't travel raises here as it would there, and what is shown is a copy.
    here("publish").published[name] = values.decode(values.encode(value))


async def run_inline(function: Callable[..., Awaitable[Any]], *arguments: Any, **keywords: Any) -> Any:
    return await _run(Instance(), function, *arguments, **keywords)


async def _run(instance: Instance, function: Callable[..., Awaitable[Any]], *arguments: Any, **keywords: Any) -> Any:
    tokens = is_inline.set(True), _instance.set(instance)
    try:
        return await function(*arguments, **keywords)
    finally:
        is_inline.reset(tokens[0])
        _instance.reset(tokens[1])
        for close, task in instance.children:
            if close == "cancel":
                task.cancel()
        left = [task for close, task in instance.children if close != "abandon" and not task.done()]
        if left:
            await asyncio.wait(left)


class InlineHandle(Generic[Result]):
    """An instance in this process, with the methods of a `Handle`."""

    def __init__(self, workflow_name: str, work: Callable[[Instance], Coroutine[Any, Any, Result]]) -> None:
        self.workflow_name = workflow_name
        self.instance_id = str(uuid.uuid4())
        self._instance = Instance()
        self._task: asyncio.Task[Result] = asyncio.get_running_loop().create_task(work(self._instance))
        # Whether anybody asks for its result is theirs to decide.
        self._task.add_done_callback(lambda task: None if task.cancelled() else task.exception())

    def done(self) -> bool:
        return self._task.done()

    async def result(self, timeout: Seconds | None = None) -> Result:
        limit = timeout.total_seconds() if isinstance(timeout, timedelta) else timeout
        if limit is None:
            return await asyncio.shield(self._task)
        try:
            return await asyncio.wait_for(asyncio.shield(self._task), limit)
        except asyncio.TimeoutError:
            raise TimeoutError from None

    async def cancel(self, reason: str | None = None) -> None:
        self._task.cancel(*(() if reason is None else (reason,)))

    async def signal(self, name: str, value: Any = None, *, id: str | None = None) -> None:
        payload = values.decode(values.encode(value))
        if id is not None and id in self._instance.heard:
            return
        if self._task.done():
            raise InstanceFinished(f"{self.instance_id} has finished: nobody reads the signal {name!r}")
        self._instance.heard.update([] if id is None else [id])
        self._instance.signals.put(name, payload)

    async def update(self, name: str, value: Any = None, *, timeout: Seconds | None = None) -> Any:
        replies = _Replies(asyncio.get_running_loop().create_future())
        payload = values.decode(values.encode(value))
        self._instance.updates.put(name, Update(name, payload, replies))
        limit = None if timeout is None else seconds(timeout, "timeout")
        await asyncio.wait([replies.future, self._task], timeout=limit, return_when="FIRST_COMPLETED")
        if replies.future.done():
            return replies.future.result()
        if self._task.done():
            raise InstanceFinished(f"{self.workflow_name} {self.instance_id} has finished, without a reply to the update {name!r}")
        raise TimeoutError(f"no reply to the update {name!r} within {timeout} seconds")

    async def published(self) -> dict[str, Any]:
        return dict(self._instance.published)

    async def query(self, name: str) -> Any:
        return self._instance.published[name]


class _Replies:
    def __init__(self, future: asyncio.Future[Any]) -> None:
        self.future = future

    def reply(self, value: Any) -> None:
        if not self.future.done():
            self.future.set_result(values.decode(values.encode(value)))

    def reject(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)


def start(workflow_name: str, run: Callable[[], Awaitable[Result]]) -> InlineHandle[Result]:
    """Begins a workflow as a task of this loop."""
    return InlineHandle(workflow_name, lambda instance: _run(instance, run))


def start_child(workflow_name: str, run: Callable[[], Awaitable[Result]], parent_close: str, delay: Seconds | None) -> InlineHandle[Result]:
    parent = here("start")
    if parent_close not in ("cancel", "abandon", "wait"):
        raise ValueError(f"parent_close is 'cancel', 'abandon' or 'wait', not {parent_close!r}")

    async def later() -> Result:
        if delay is not None:
            await asyncio.sleep(seconds(delay, "delay"))
        return await run()

    handle = start(workflow_name, later)
    parent.children.append((parent_close, handle._task))
    return handle


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
            return await asyncio.wait_for(action.run_here(args, kwargs), None if limit is None else seconds(limit, "timeout"))
        except Exception as error:
            if attempt == policy.attempts or not _is_worth_another(error, policy):
                raise
        await asyncio.sleep(_pause(policy, attempt))


def _is_worth_another(error: Exception, policy: RetryPolicy) -> bool:
    if isinstance(error, NonRetryable):
        return False
    if isinstance(error, asyncio.TimeoutError) and not policy.retry_timeouts:
        return False
    wanted = policy.kinds
    if not wanted:
        return True
    named = {name for kind in type(error).__mro__ for name in (kind.__name__, f"{kind.__module__}:{kind.__qualname__}")}
    return any(kind in named if isinstance(kind, str) else isinstance(error, kind) for kind in wanted)


def _pause(policy: RetryPolicy, attempt: int) -> float:
    waits = policy.waits
    pause = seconds(waits.base_delay, "base_delay") * waits.factor ** (attempt - 1)
    if waits.max_delay is not None:
        pause = min(pause, seconds(waits.max_delay, "max_delay"))
    return pause * (1 - waits.jitter * random.random())
