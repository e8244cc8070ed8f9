"""Lists, dicts, sets and objects, as expressions."""

from __future__ import annotations

from fuzz.writer import Writer, makes


@makes("items", "list name", leaf=True, weight=4)
def _(w: Writer, depth: int) -> str:
    return w.pick([w.read("l"), w.read("l"), f"{w.read('p')}.tags", "g0[0]"])


@makes("items", "list display", leaf=True)
def _(w: Writer, depth: int) -> str:
    return f"[{w.integer()}, {w.integer()}]"


@makes("items", "range", leaf=True)
def _(w: Writer, depth: int) -> str:
    return f"list(range({w.between(0, 4)}))"


@makes("items", "list on self", leaf=True, where=lambda w: w.has_self)
def _(w: Writer, depth: int) -> str:
    return "self.log"


def _source(w: Writer, depth: int) -> str:
    """What a comprehension goes over: `:=` may not stand there."""
    with w.place(may_bind=False):
        return w.pick(
            [lambda: f"{w.items(depth)}[:3]", lambda: "b0", lambda: f"sorted({w.read('d')}.values(), key=str)[:2]", lambda: "sorted(e0)"]
        )()


@makes("items", "list comprehension", weight=2)
def _(w: Writer, depth: int) -> str:
    source = _source(w, depth + 1)
    return w.pick(
        [
            lambda: f"[y + {w.integer(depth + 1)} for y in {source}]",
            lambda: f"[y for y in {source} if {w.test(depth + 1)} if y != 3]",
            lambda: f"[y * z for y in {source} for z in {_source(w, depth + 1)} if y < z]",
            lambda: f"[f(1) for f in [lambda y, q=q: y + q for q in {source}]]",
            lambda: f"[sum(z for z in [y, {w.integer()}]) for y in {source}]",
            lambda: f"[y for z in [{source}] for y in z]",
        ]
    )()


@makes("items", "walrus in a comprehension", binds=True)
def _(w: Writer, depth: int) -> str:
    name = w.write("i")
    return f"[{name} for y in {_source(w, depth + 1)} if ({name} := y) > 0]"


@makes("items", "await in a comprehension", waits=True, weight=1.5)
def _(w: Writer, depth: int) -> str:
    source = _source(w, depth + 1)
    return w.pick(
        [
            lambda: f"[await double(y) for y in {source}]",
            lambda: f"[y for y in {source} if await echo(y > {w.integer(depth + 1)})]",
            lambda: f"[await {w.coroutine(depth + 1)} + y for y in {source}]",
            lambda: f"[z for y in {source} for z in await echo([y, {w.integer()}])]",
        ]
    )()


@makes("items", "set and dict comprehension")
def _(w: Writer, depth: int) -> str:
    source = _source(w, depth + 1)
    return w.pick(
        [
            f"sorted({{y % 3 for y in {source}}})",
            f"list({{y: y + 1 for y in {source}}}.values())",
            f"sorted({{str(y): y for y in {source}}}.items())[0:0]",
        ]
    )


@makes("items", "slice")
def _(w: Writer, depth: int) -> str:
    return f"{w.items(depth + 1)}[{w.pick(['::-1', '1:', ':2', '-2:', '::2', w.integer(depth + 1) + ':'])}]"


@makes("items", "unpacking in a display")
def _(w: Writer, depth: int) -> str:
    return f"[*{w.items(depth + 1)}, {w.integer(depth + 1)}, *{w.pick([w.read('l'), 'b0', 'range(2)', '(1, 2)'])}][-6:]"


@makes("items", "sort with a key")
def _(w: Writer, depth: int) -> str:
    with w.place(may_wait=False, may_bind=False):
        key = w.pick(["lambda y: -y", f"lambda y: (y % 3, {w.integer(depth + 1)})", "str", "lambda y: Money(y)", "abs"])
    return f"sorted({w.items(depth + 1)}, key={key})"


@makes("items", "map filter zip")
def _(w: Writer, depth: int) -> str:
    with w.place(may_wait=False, may_bind=False):
        body = w.integer(depth + 1)
    with w.place(may_bind=False):
        source = w.items(depth + 1)
    return w.pick(
        [
            f"list(map(lambda y: y - {body}, {w.read('l')}))",
            f"list(filter(None, {w.read('l')}))",
            f"[y + z for y, z in zip({w.read('l')}, {source})]",
            f"[y * z for y, z in enumerate({source}, 1)]",
            f"list(reversed({w.read('l')}))",
        ]
    )


@makes("items", "generator call", where=lambda w: bool(w.functions.get("generator")))
def _(w: Writer, depth: int) -> str:
    return f"list({w.pick(w.functions['generator'])}({w.integer(depth + 1)}))"


@makes("items", "action with a list", waits=True)
def _(w: Writer, depth: int) -> str:
    return f"(await echo({w.items(depth + 1)}))"


@makes("items", "iteration of a user's class", leaf=True)
def _(w: Writer, depth: int) -> str:
    return w.pick(["list(b0)", "[*b0]", "sorted(b0)", "b0[:2]", "b0.items"])


@makes("mapping", "dict name", leaf=True, weight=2)
def _(w: Writer, depth: int) -> str:
    return w.read("d")


@makes("mapping", "dict display")
def _(w: Writer, depth: int) -> str:
    return f"{{{w.text(depth + 1)}: {w.integer(depth + 1)}, **{w.pick([w.read('d'), 'TABLE'])}}}"


@makes("mapping", "dict comprehension")
def _(w: Writer, depth: int) -> str:
    return f"{{f'{{y}}': y + {w.integer(depth + 1)} for y in {_source(w, depth + 1)}}}"


@makes("mapping", "dict union")
def _(w: Writer, depth: int) -> str:
    return f"({w.read('d')} | {{{w.text(depth + 1)}: {w.integer(depth + 1)}}})"


@makes("mapping", "action with a dict", waits=True)
def _(w: Writer, depth: int) -> str:
    return f"(await echo({w.read('d')}))"


@makes("thing", "object name", leaf=True, weight=3)
def _(w: Writer, depth: int) -> str:
    return w.read(w.pick("ppmmbncg"))


@makes("thing", "dataclass")
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"Item({w.text(depth + 1)}, {w.integer(depth + 1)}, {w.read('l')})",
            lambda: f"Item(name={w.text(depth + 1)})",
            lambda: f"Crate('c', {w.integer(depth + 1)}, inner={w.read('p')})",
            lambda: f"Spot({w.integer(depth + 1)}, y={w.integer(depth + 1)})",
            lambda: f"dataclasses.replace({w.read('p')}, count={w.integer(depth + 1)})",
        ]
    )()


@makes("thing", "named tuple")
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"Pair({w.integer(depth + 1)}, {w.read('l')})",
            lambda: f"n0._replace(left={w.integer(depth + 1)})",
            lambda: f"Pair(left={w.integer()})",
        ]
    )()


@makes("thing", "arithmetic of a user's class")
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"({w.read('m')} + {w.read('m')})",
            lambda: f"({w.read('m')} + {w.integer(depth + 1)})",
            lambda: f"({w.integer(depth + 1)} + {w.read('m')})",
            lambda: f"(-{w.read('m')})",
            lambda: f"sum([{w.read('m')}, {w.read('m')}], Money(1))",
            lambda: f"max({w.read('m')}, {w.read('m')})",
            lambda: f"sorted([{w.read('m')}, Money({w.integer(depth + 1)})])[0]",
        ]
    )()


@makes("thing", "methods of a user's class")
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"{w.read('m')}.split({w.integer(depth + 1)})",
            lambda: f"{w.read('p')}.add({w.integer(depth + 1)}, {w.integer()})",
            lambda: f"b0({w.integer(depth + 1)})",
            lambda: f"{w.read('p')}.add({w.integer(depth + 1)}).label()",
        ]
    )()


@makes("thing", "enumeration")
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            "Color.GREEN",
            "Color('blue')",
            "Color['RED']",
            "list(Color)[1]",
            "Level.MID",
            "Level(2) + 1",
            "[y.name for y in Color]",
            f"Color({w.text()})",
        ]
    )


@makes("thing", "tuple")
def _(w: Writer, depth: int) -> str:
    return f"({w.integer(depth + 1)}, {w.text(depth + 1)}, *{w.items(depth + 1)})"


@makes("thing", "action with an object", waits=True)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"(await stamp({w.read('p')}))",
            lambda: f"(await make({w.integer(depth + 1)}))",
            lambda: f"(await echo({w.read(w.pick('pmnc'))}))",
        ]
    )()


@makes("thing", "function as a value")
def _(w: Writer, depth: int) -> str:
    with w.place(may_wait=False, may_bind=False):
        return f"[f({w.integer(depth + 1)}) for f in (abs, str, lambda y: [y, {w.integer(depth + 1)}], Money, Spot)]"
