"""Tasks, groups, timeouts, locks and queues."""

from __future__ import annotations

from fuzz.statements import inner_body
from fuzz.writer import Writer, indented, makes


def _tasks(w: Writer) -> bool:
    return w.may_wait and w.is_concurrent and not w.is_plain


def _delay(w: Writer) -> str:
    return w.pick(["0", "0", "1", "2", "0.5"])


@makes("coroutine", "sleep with a result", leaf=True)
def _(w: Writer, depth: int) -> str:
    return f"asyncio.sleep({_delay(w)}, {w.integer(depth)})"


@makes("coroutine", "action as a coroutine", leaf=True, weight=2)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            f"echo({w.integer(depth)})",
            f"double({w.integer(depth)})",
            f"slow({w.integer(depth)}, {_delay(w)})",
            f"fail({w.integer(depth)})",
            f"fail_slowly({w.integer(depth)})",
        ]
    )


@makes("coroutine", "async helper", leaf=True, weight=3, where=lambda w: bool(w.functions.get("async")))
def _(w: Writer, depth: int) -> str:
    return f"{w.pick(w.functions['async'])}({w.integer(depth)}, {w.read('l')}, {w.read('d')})"


@makes("coroutine", "own async method", leaf=True, weight=3, where=lambda w: w.has_self and bool(w.functions.get("own_async")))
def _(w: Writer, depth: int) -> str:
    return f"self.{w.pick(w.functions['own_async'])}({w.integer(depth)}, {w.read('l')})"


@makes("integer", "gather in an expression", waits=True, where=_tasks)
def _(w: Writer, depth: int) -> str:
    return f"sum(await asyncio.gather({w.coroutine(depth + 1)}, {w.coroutine(depth + 1)}))"


@makes("integer", "wait_for", waits=True, where=_tasks, since=(3, 11))
def _(w: Writer, depth: int) -> str:
    return f"(await asyncio.wait_for({w.coroutine(depth + 1)}, {w.pick(['1', '0.5', '3', 'None', '0.25'])}))"


@makes("items", "gather of a comprehension", waits=True, where=_tasks)
def _(w: Writer, depth: int) -> str:
    with w.place(may_bind=False):
        source = f"{w.items(depth + 1)}[:3]"
    made = w.pick(
        [
            f"asyncio.sleep({_delay(w)}, y)",
            "double(y)",
            "slow(y, y % 3)",
            f"{w.pick(w.functions['async'])}(y, l0, d0)" if w.functions.get("async") else "echo(y)",
        ]
    )
    return f"list(await asyncio.gather(*[{made} for y in {source}]))"


@makes("simple", "gather that returns exceptions", waits=True, where=_tasks, weight=1.5)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    return [
        f"r{n} = await asyncio.gather({w.coroutine(depth)}, {w.coroutine(depth)}, return_exceptions=True)",
        f"print({n}, [repr(y) if isinstance(y, BaseException) else y for y in r{n}])",
    ]


@makes("simple", "create_task", waits=True, where=_tasks, weight=2)
def _(w: Writer, depth: int) -> list[str]:
    return [f"{w.write('t')} = asyncio.create_task({w.coroutine(depth)})"]


@makes("simple", "await a task", waits=True, where=_tasks, weight=2)
def _(w: Writer, depth: int) -> list[str]:
    one, n = w.read("t"), w.number()
    return [
        f"if {one} is not None:",
        "    "
        + w.pick(
            [
                f"{w.write('i')} = await {one}",
                f"print({n}, {one}.cancel(), {one}.done())",
                f"print({n}, {one}.done() and not {one}.cancelled() and {one}.exception() is None)",
                f"{w.write('i')} = await asyncio.shield({one})",
                f"print({n}, await asyncio.gather({one}, echo(1), return_exceptions=True) is None)",
            ]
        ),
    ]


@makes("simple", "asyncio.wait", waits=True, where=_tasks)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    when = w.pick(["FIRST_COMPLETED", "ALL_COMPLETED", "FIRST_EXCEPTION"])
    return [
        f"w{n} = [asyncio.create_task({w.coroutine(depth)}), asyncio.create_task({w.coroutine(depth)})]",
        f"done{n}, left{n} = await asyncio.wait(w{n}, return_when=asyncio.{when}, timeout={w.pick(['None', '1', '0.5'])})",
        f"print({n}, len(done{n}), len(left{n}), [y in done{n} for y in w{n}])",
        f"await asyncio.gather(*w{n}, return_exceptions=True)",
    ]


@makes("nested", "as_completed", waits=True, where=_tasks, weight=0.7)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    return [
        f"for c{n} in asyncio.as_completed([{w.coroutine(depth)}, {w.coroutine(depth)}, {w.coroutine(depth)}]):",
        f"    {w.write('i')} = await c{n}",
        *indented(w.block(depth + 1, 0, 1)),
        f"    print({n}, {w.read('i')})",
    ]


@makes("nested", "timeout", waits=True, where=_tasks, since=(3, 11))
def _(w: Writer, depth: int) -> list[str]:
    return [f"async with asyncio.timeout({w.pick(['0', '0.5', '1', '1.5', '3', 'None'])}):", *indented(w.block(depth + 1))]


@makes("nested", "task group", waits=True, where=_tasks, since=(3, 11))
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    lines = [f"async with asyncio.TaskGroup() as q{n}:"]
    for _ in range(w.between(1, 2)):
        lines += [f"    {w.write('t')} = q{n}.create_task({w.coroutine(depth)})"]
    return [*lines, *indented(w.block(depth + 1, 0, 2))] if w.odds(0.6) else lines


@makes("nested", "lock", waits=True, where=_tasks, weight=0.6)
def _(w: Writer, depth: int) -> list[str]:
    return [f"async with {w.pick(['lock', 'gate'])}:", *indented(w.block(depth + 1))]


@makes("simple", "event", waits=True, where=_tasks, weight=0.5)
def _(w: Writer, depth: int) -> list[str]:
    return w.pick(
        [
            ["signal.set()"],
            ["if signal.is_set():", "    await signal.wait()"],
            ["signal.clear()"],
            [f"print({w.number()}, signal.is_set())"],
        ]
    )


@makes("simple", "queue", waits=True, where=_tasks, weight=0.8)
def _(w: Writer, depth: int) -> list[str]:
    return w.pick(
        [
            [f"queue.put_nowait({w.integer(depth)})"],
            ["if not queue.empty():", f"    {w.write('i')} = await queue.get()"],
            [f"print({w.number()}, queue.qsize())"],
            [f"await queue.put({w.integer(depth)})", f"{w.write('i')} = queue.get_nowait()"],
        ]
    )


@makes("nested", "producer and consumer", waits=True, where=_tasks, weight=0.5)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    return [
        f"line{n} = asyncio.Queue({w.between(0, 2)})",
        f"async def produce{n}():",
        f"    for y in {w.items(depth)}[:3]:",
        f"        await line{n}.put(y)",
        *(["        await asyncio.sleep(1)"] if w.odds(0.5) else []),
        f"    await line{n}.put(None)",
        f"{w.write('t')} = asyncio.create_task(produce{n}())",
        f"while (got{n} := await line{n}.get()) is not None:",
        *indented(w.block(depth + 1, 0, 2)),
        f"    print({n}, got{n})",
    ]


@makes("nested", "nested async function", waits=True, where=lambda w: not w.is_plain, weight=2)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    lines = [f"async def a{n}(a, *rest):", *inner_body(w, depth, may_wait=True, gives=False)]
    calls = [f"print({n}, await a{n}({w.integer(3)}), {w.read('i')}, {w.read('l')})"]
    if w.is_concurrent:
        calls += [
            f"print({n}, await asyncio.gather(a{n}(1), a{n}(2)), {w.read('i')})",
            f"{w.write('t')} = asyncio.create_task(a{n}({w.integer(3)}))",
        ]
    return [*lines, w.pick(calls)]


@makes("nested", "async generator", waits=True, where=lambda w: not w.is_plain, weight=0.02)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    lines = [
        f"async def s{n}(a):",
        f"    for y in range({w.between(1, 3)}):",
        *indented(["a += await double(y)", f"yield a + {w.integer(3)}"], 2),
    ]
    if w.odds(0.4):
        return [*lines, f"print({n}, [y async for y in s{n}({w.integer(3)}) if y != 2])"]
    with w.place(in_loop=True):
        return [*lines, f"async for {w.write('i')} in s{n}({w.integer(3)}):", *indented(w.block(depth + 1))]


@makes("simple", "child workflow", waits=True, where=lambda w: not w.is_concurrent and not w.is_plain, weight=1.5)
def _(w: Writer, depth: int) -> list[str]:
    return [f"{w.write('i')} = await Child().run({w.integer(depth)})"]
