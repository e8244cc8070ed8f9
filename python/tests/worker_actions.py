"""Actions that the worker's tests call."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import threading
import time
from typing import Annotated, Any

from samples import CardDeclined, Point, User

from waymark.actions import action
from waymark.context import current
from waymark.depends import Depends

#: Set and waited for by tests in the same process.
gates: dict[str, threading.Event] = {}
log: list[str] = []


async def get_factor() -> Any:
    log.append("open")
    yield 10
    log.append("close")


@action
async def add(left: int, right: int = 1) -> int:
    return left + right


@action
def add_in_thread(left: int, right: int = 1) -> Any:
    return [left + right, threading.current_thread().name]


@action
async def scale(point: Point, factor: Annotated[int, Depends(get_factor)]) -> Point:
    return Point(point.x * factor, point.y * factor)


@action
def scale_in_thread(point: Point, factor: Annotated[int, Depends(get_factor)]) -> Any:
    return [Point(point.x * factor), threading.current_thread().name]


@action
async def greet(user: User) -> User:
    return User(name=f"hello {user.name}")


@action
async def decline(order: str) -> None:
    raise CardDeclined(order, code=402)


@action
def decline_in_thread(order: str) -> None:
    raise CardDeclined(order, code=402)


@action
async def about() -> Any:
    context = current()
    remaining = context.remaining()
    return {
        "instance": context.instance_id,
        "execution": context.execution_id,
        "attempt": context.attempt,
        "workflow": context.workflow_name,
        "action": context.action,
        "timely": remaining is not None and 0 < remaining <= 60,
    }


@action
def about_in_thread() -> Any:
    context = current()
    context.heartbeat({"done": 1})
    return context.execution_id


@action
async def sleep(outcome: str = "cancelled") -> str:
    log.append("sleeping")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        log.append("stopping")
        if outcome == "late":
            await asyncio.to_thread(gates["late"].wait, 10)
        if outcome == "result":
            return "done all the same"
        if outcome == "error":
            raise ValueError("while stopping") from None
        raise
    return "never"


@action
def poll(gate: str) -> str:
    gates[gate].set()
    while True:
        current().check_cancelled()
        time.sleep(0.002)


@action
def block(gate: str) -> str:
    gates[gate].wait(10)
    return gate


@action
async def cancels_itself() -> None:
    raise asyncio.CancelledError("by itself")


@action
async def exits() -> None:
    raise SystemExit(3)


@action
async def returns(kind: str) -> Any:
    return {"lock": [threading.Lock()], "large": b"x" * 200_000}[kind] if kind != "cycle" else _cycle()


@action
async def raises_large() -> None:
    raise ValueError("x" * 200_000)


def _cycle() -> Any:
    items: list[Any] = []
    items.append(items)
    return items


@action
async def logs(text: str) -> int:
    logging.getLogger("app").info("%s", text)
    print(f"printed {text}")
    return os.getpid()


@action
def forks() -> Any:
    fork = multiprocessing.get_context("fork")
    with fork.Pool(2) as pool:
        absolute = pool.map(abs, [-1, -2])
    process = fork.Process(target=int)
    process.start()
    process.join()
    return absolute, process.exitcode


def plain(number: int) -> int:
    return number


@action
def broken_dependency(thing=Depends()) -> None: ...  # noqa: ANN001


class Touchy:
    def __getstate__(self) -> Any:
        raise KeyError("no state")


@action
async def touchy() -> Any:
    return [Touchy()]


@action
async def hog(gate: str) -> str:
    return "done" if gates[gate].wait(10) else "nobody noticed"  # Blocks the loop.
