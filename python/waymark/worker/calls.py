"""Runs calls: async actions as tasks of the loop, sync ones in threads, pieces of code one after the other in a thread
of their own.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from waymark._proto.worker_pb2 import Call, Progress, Settled
from waymark.actions import Action, at_once, run_at_once
from waymark.context import Context, _current
from waymark.values.payload import decode, encode
from waymark.worker import answers, fragments, lookup
from waymark.worker.outbox import Outbox
from waymark.worker.transactions import Transactions


class Held:
    """A call that is not settled yet."""

    __slots__ = ("context", "future", "has_begun", "task")

    def __init__(self, context: Context) -> None:
        self.context = context
        #: Of a task: one that is cancelled before never gets to say so.
        self.has_begun = False
        self.task: asyncio.Task[None] | None = None
        self.future: Future[None] | None = None


def _is_blocking(action: Action[..., Any]) -> bool:
    try:
        return not action.needs_loop
    except Exception:
        return False  # Something is wrong with its dependencies: it'll say so when it's run.


class Calls:
    def __init__(self, slots: int, connections: int, payload_bytes_max: int, outbox: Outbox) -> None:
        self._loop = asyncio.get_running_loop()
        self._outbox = outbox
        self._answers = answers.Answers(payload_bytes_max)
        self._transactions = Transactions(self._answers, connections)
        self._threads = ThreadPoolExecutor(slots, "waymark-action")
        self._fragments = ThreadPoolExecutor(1, "waymark-fragment")
        self.held: dict[int, Held] = {}
        #: Called when the last call that was held is settled.
        self.on_idle: Callable[[], None] = lambda: None

    def start(self, call: Call) -> None:
        name = call.action.name
        context = Context(
            instance_id=call.instance_id,
            execution_id=call.execution_id,
            attempt=call.attempt,
            workflow_name=call.workflow_name,
            action=name,
            timeout=call.timeout_ms / 1000 if call.timeout_ms else None,
            heartbeat=functools.partial(self._heartbeat, call.call_id),
        )
        held = self.held[call.call_id] = Held(context)
        if call.WhichOneof("work") == "fragment":
            self._submit(self._fragments, held, call, fragments.evaluate, call.call_id, call.fragment, self._answers)
            return
        action = lookup.known(name)
        if action is not None and _is_blocking(action):
            self._submit(self._threads, held, call, self._run_blocking, call, action)
        else:
            held.task = self._loop.create_task(self._run(held, call, action))

    def cancel(self, call_id: int) -> None:
        held = self.held.get(call_id)
        if held is None:
            return
        held.context.cancel()
        if held.task is not None:
            held.task.cancel()
            is_over = not held.has_begun
        else:
            is_over = held.future is not None and held.future.cancel()
        if is_over:
            self._settle(answers.stopped(call_id))

    async def stop(self, seconds: float) -> bool:
        """Cancels everything, and waits for a while. False: some of it can't be stopped."""
        tasks = [held.task for held in self.held.values() if held.task is not None]
        for call_id in list(self.held):
            self.cancel(call_id)
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._fragments.shutdown(wait=False, cancel_futures=True)
        return not self.held

    # -------------------------------------------------------------------------------------------------- in the loop

    async def _run(self, held: Held, call: Call, action: Action[..., Any] | None) -> None:
        call_id, name = call.call_id, call.action.name
        held.has_begun = True
        try:
            if action is None:
                action = await self._in_thread(lookup.find, name)
                if action is None:
                    self._settle(answers.unknown(call_id, name))
                    return
            _current.set(held.context)
            if action.transaction is not None:
                return self._settle(await self._transactions.run(call, action, self._in_thread))
            positional, keyword = decode(call.action.positional), decode(call.action.keyword)
            result = await action.run(positional, keyword, self._in_thread)
        except asyncio.CancelledError as error:
            was_asked = held.context.cancelled
            self._settle(answers.stopped(call_id) if was_asked else self._answers.failed(call_id, error))
        except BaseException as error:
            self._settle(self._answers.failed(call_id, error))
        else:
            self._settle(self._answers.completed(call_id, name, result))

    async def _in_thread(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        call = functools.partial(contextvars.copy_context().run, function, *args, **kwargs)
        future = self._loop.run_in_executor(self._threads, call)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            # Nobody is told that it has stopped before it has.
            await asyncio.wait([future])
            raise

    def _settle(self, settled: Settled) -> None:
        del self.held[settled.call_id]
        self._outbox.add(settled)
        if not self.held:
            self.on_idle()

    # ---------------------------------------------------------------------------------------------------- in threads

    def _submit(self, threads: ThreadPoolExecutor, held: Held, call: Call, work: Callable[..., Settled], *args: Any) -> None:
        held.future = threads.submit(contextvars.copy_context().run, self._work, held.context, call.call_id, work, *args)

    def _work(self, context: Context, call_id: int, work: Callable[..., Settled], *args: Any) -> None:
        _current.set(context)
        try:
            settled = work(*args)
        except BaseException as error:
            settled = self._answers.failed(call_id, error)
        # In this order: whoever finds nothing held may end the stream.
        self._outbox.post(settled)
        del self.held[call_id]
        if not self.held:
            self._loop.call_soon_threadsafe(lambda: None if self.held else self.on_idle())

    def _run_blocking(self, call: Call, action: Action[..., Any]) -> Settled:
        context = _current.get()
        try:
            if action.transaction is not None:
                return at_once(self._transactions.run(call, action, run_at_once))
            positional, keyword = decode(call.action.positional), decode(call.action.keyword)
            result = action.run_blocking(positional, keyword)
        except asyncio.CancelledError as error:
            was_asked = context is not None and context.cancelled
            return answers.stopped(call.call_id) if was_asked else self._answers.failed(call.call_id, error)
        except BaseException as error:
            return self._answers.failed(call.call_id, error)
        return self._answers.completed(call.call_id, action.name, result)

    def _heartbeat(self, call_id: int, detail: Any) -> None:
        self._outbox.post(Progress(call_id=call_id, detail=b"" if detail is None else encode(detail, "the detail of a heartbeat")))
