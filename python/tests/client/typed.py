"""What a type checker has to see: checked by pyright, never run."""

from __future__ import annotations

from typing_extensions import assert_type

from waymark import RetryPolicy, Workflow, workflow
from waymark.client import Handle


@workflow
class Welcome(Workflow):
    async def run(self, ids: list[str], *, loud: bool = False) -> dict[str, int]:
        return {id: len(id) for id in ids}


@workflow(name="other")
class Other(Workflow):
    async def run(self) -> None: ...


async def right() -> None:
    assert_type(await Welcome().run(["a"]), dict[str, int])
    assert_type(await Welcome().run_inline(["a"], loud=True), dict[str, int])
    assert_type(Welcome().run_sync(["a"]), dict[str, int])
    assert_type(await Welcome().start(["a"], loud=True), Handle[dict[str, int]])
    assert_type(await Welcome().start(["a"], id="x"), Handle[dict[str, int]])
    assert_type(await Welcome().start(["a"], id="x", queue="q", priority=0, tags=["a"], delay=1), Handle[dict[str, int]])
    assert_type(await Welcome().start(["a"], delay=1.5), Handle[dict[str, int]])
    assert_type(Welcome().start_sync(["a"]), Handle[dict[str, int]])
    assert_type(Welcome().start_sync(["a"], tags="x"), Handle[dict[str, int]])
    assert_type(await Welcome().start_many([(["a"],)]), list[Handle[dict[str, int]]])
    assert_type(Welcome().start_many_sync([(["a"],)]), list[Handle[dict[str, int]]])
    assert_type(await (await Welcome().start(["a"])).result(timeout=5), dict[str, int])
    assert_type(Welcome.get_handle("x"), Handle[dict[str, int]])
    assert_type(Welcome.get_handle("x").result_sync(), dict[str, int])
    assert_type(Other().run_sync(), None)
    assert_type(await Other().start(), Handle[None])


async def wrong() -> None:
    await Welcome().run(1)  # wrong
    await Welcome().start(1)  # wrong
    await Welcome().start(["a"], quiet=True)  # wrong
    await Welcome().start()  # wrong
    await Welcome().start(["a"], priority="high")  # wrong
    Welcome().run_sync(["a"], loud="yes")  # wrong
    Welcome().start_sync({})  # wrong
    await Welcome().run_inline()  # wrong
    Other().run_sync(1)  # wrong
    await Other().start(1)  # wrong


# However the classes are given.
RetryPolicy(retry_on=[ValueError, OSError])
RetryPolicy(retry_on=ValueError)
RetryPolicy(exception_types=(ValueError, "app:Declined"))
RetryPolicy(retry_on=[3])  # wrong
