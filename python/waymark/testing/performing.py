"""How a call is carried out in the test's own process, with the parts of a worker.

Sync functions are called where they stand, not in threads: a debugger steps into them, and nothing else moves
meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from waymark import context, values
from waymark._proto import worker_pb2 as worker
from waymark.testing.mocks import Mock
from waymark.testing.records import Call
from waymark.worker import fragments, lookup
from waymark.worker.answers import Answers

#: As a server has it, unless it is set.
PAYLOAD_BYTES_MAX = 4 << 20

_answers = Answers(PAYLOAD_BYTES_MAX)


def evaluate(call: worker.Call) -> worker.Settled:
    """A piece of a workflow's code."""
    with context.activate(context_of(call)):
        return fragments.evaluate(call.call_id, call.fragment, _answers)


def context_of(call: worker.Call) -> context.Context:
    return context.Context(
        instance_id=call.instance_id,
        execution_id=call.execution_id,
        attempt=call.attempt,
        workflow_name=call.workflow_name,
        action=call.action.name,
        timeout=call.timeout_ms / 1_000 if call.timeout_ms else None,
    )


async def run_mock(call: worker.Call, mock: Mock, sleep: Callable[[float], Awaitable[None]]) -> Any:
    if mock.seconds > 0:
        await sleep(mock.seconds)
    return await mock.answer(tuple(values.decode(call.action.positional)), values.decode(call.action.keyword))


async def run_action(call: worker.Call, about: context.Context) -> Any:
    name = call.action.name
    action = lookup.find(name)
    if action is None:
        # No other worker will come that knows it.
        raise LookupError(f"there is no action {name}\nhint: import its module, or mock it: env.mock({name!r}, returns=…)")
    with context.activate(about):
        return await action.run(values.decode(call.action.positional), values.decode(call.action.keyword), _at_once)


async def settle(call: worker.Call, work: Awaitable[Any], record: Call, is_stopping: Callable[[], bool]) -> worker.Settled:
    """Waits for an action and makes its outcome a message, as a worker would."""
    try:
        result = await work
    except asyncio.CancelledError as error:
        record.status, record.error = "cancelled", error
        if is_stopping() or _is_cancelling():
            raise
        return _answers.failed(call.call_id, error)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        record.status, record.error = "failed", error
        return _answers.failed(call.call_id, error)
    settled = _answers.completed(call.call_id, record.name, result)
    if settled.WhichOneof("outcome") == "failed":
        record.status, record.error = "failed", values.decode(settled.failed)
    else:
        record.status, record.result = "completed", result
    return settled


async def _at_once(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _is_cancelling() -> bool:
    """Whether this very task was cancelled, and not something that the action waited for. Python 3.10 can't tell."""
    task = asyncio.current_task()
    cancelling = getattr(task, "cancelling", None)
    return cancelling is None or cancelling() > 0
