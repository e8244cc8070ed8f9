"""Expressions."""

from __future__ import annotations

from fuzz.writer import Writer, makes

# Integers.


@makes("integer", "constant", leaf=True, weight=2)
def _(w: Writer, depth: int) -> str:
    return str(w.between(-3, 9))


@makes("integer", "name", leaf=True, weight=4)
def _(w: Writer, depth: int) -> str:
    return w.read("i")


@makes("integer", "module constant", leaf=True)
def _(w: Writer, depth: int) -> str:
    return w.pick(["LIMIT", "TABLE['b']", "NESTED['rows'][1]", "len(NAMES)", "NESTED['by']['x'][0]"])


@makes("integer", "attribute of an object", leaf=True)
def _(w: Writer, depth: int) -> str:
    return w.pick([f"{w.read('p')}.count", f"{w.read('m')}.amount", "n0.left", f"len({w.read('p')}.tags)", "Level.HIGH.value"])


@makes("integer", "property of a user's class", leaf=True)
def _(w: Writer, depth: int) -> str:
    return f"{w.read('p')}.weight"


@makes("integer", "state on self", leaf=True, where=lambda w: w.has_self)
def _(w: Writer, depth: int) -> str:
    return w.pick(["self.total", "len(self.log)", "self.scale", "self.size"])


@makes("integer", "length", leaf=True)
def _(w: Writer, depth: int) -> str:
    return f"len({w.read(w.pick('lldsegb'))})"


@makes("integer", "arithmetic", weight=3)
def _(w: Writer, depth: int) -> str:
    operator = w.pick(["+", "-", "+", "-", "|", "^", "&", "%", "//"])
    return f"({w.integer(depth + 1)} {operator} {w.integer(depth + 1)})"


@makes("integer", "product")
def _(w: Writer, depth: int) -> str:
    return f"({w.integer(depth + 1)} * {w.integer(depth + 1)} % 97)"


@makes("integer", "unary")
def _(w: Writer, depth: int) -> str:
    return w.pick([f"(-{w.integer(depth + 1)})", f"(~{w.integer(depth + 1)})", f"abs({w.integer(depth + 1)})"])


@makes("integer", "conditional", weight=1.5)
def _(w: Writer, depth: int) -> str:
    return f"({w.integer(depth + 1)} if {w.test(depth + 1)} else {w.integer(depth + 1)})"


@makes("integer", "boolean value")
def _(w: Writer, depth: int) -> str:
    return f"({w.integer(depth + 1)} {w.pick(['or', 'and'])} {w.integer(depth + 1)})"


@makes("integer", "walrus", binds=True)
def _(w: Writer, depth: int) -> str:
    return f"({w.write('i')} := {w.integer(depth + 1)})"


@makes("integer", "subscript", weight=1.5)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"{w.read('l')}[{w.between(-2, 2)}]",
            lambda: f"{w.read('d')}[{w.text(3)}]",
            lambda: f"g0[{w.between(-1, 1)}][0]",
            lambda: f"{w.read('d')}.get({w.text(depth + 1)}, {w.integer(depth + 1)})",
            lambda: f"n0[{w.between(0, 1)}]",
        ]
    )()


@makes("integer", "built-in call", weight=1.5)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"sum({w.items(depth + 1)})",
            lambda: f"max({w.integer(depth + 1)}, *{w.items(depth + 1)})",
            lambda: f"min({w.items(depth + 1)}, default={w.integer()})",
            lambda: f"int({w.text(depth + 1)}.isalpha())",
            lambda: f"{w.items(depth + 1)}.count({w.integer()})",
            lambda: f"round({w.integer(depth + 1)} / 4)",
            lambda: f"ord({w.text(depth + 1)}[0])",
            lambda: f"divmod({w.integer(depth + 1)}, 3)[1]",
        ]
    )()


@makes("integer", "generator expression")
def _(w: Writer, depth: int) -> str:
    with w.place(may_bind=False):
        source = w.items(depth + 1)
        with w.place(may_wait=False):
            element, test = w.pick(["y", "y + 1", f"y - {w.integer(depth + 1)}"]), w.test(depth + 1)
    return w.pick([f"sum({element} for y in {source} if {test})", f"next(({element} for y in {source} if y > 1), {w.integer()})"])


@makes("integer", "lambda")
def _(w: Writer, depth: int) -> str:
    default = w.integer(depth + 1)
    with w.place(may_bind=False, may_wait=False):
        body = w.pick([f"y + z - {w.integer(depth + 1)}", f"{w.integer(depth + 1)} * 2", "y * 2 - z", f"(y, {w.read('l')})[0]"])
    return f"(lambda y, z={default}: {body})({w.integer(depth + 1)})"


@makes("integer", "helper call", weight=2, where=lambda w: bool(w.functions.get("plain")))
def _(w: Writer, depth: int) -> str:
    return f"{w.pick(w.functions['plain'])}({arguments(w, depth)})"


@makes("integer", "own method", weight=2, where=lambda w: w.has_self and bool(w.functions.get("own")))
def _(w: Writer, depth: int) -> str:
    return f"self.{w.pick(w.functions['own'])}({arguments(w, depth)})"


@makes("integer", "helper that only a worker runs", weight=2, where=lambda w: w.is_foreign and bool(w.functions.get("foreign")))
def _(w: Writer, depth: int) -> str:
    return f"{w.pick(w.functions['foreign'])}({arguments(w, depth)})"


@makes("integer", "recursion", where=lambda w: "plain" in w.functions)
def _(w: Writer, depth: int) -> str:
    return f"depth_of({w.pick(['g0', 'l0', 'd0', w.items(depth + 1)])})"


def arguments(w: Writer, depth: int) -> str:
    """For `(a, b=…, *rest, key=…, **more)`, where b is a list."""
    first = w.integer(depth + 1)
    chosen = w.pick(["one", "two", "named", "star", "options", "all", "two"])
    second = w.pick([w.read("l"), w.items(depth + 1)])
    if chosen == "one":
        return first
    if chosen == "two":
        return f"{first}, {second}"
    w.used.add("star arguments" if chosen in ("star", "all") else "keyword arguments")
    if chosen == "named":
        return f"{first}, b={second}, key={w.integer(depth + 1)}"
    if chosen == "star":
        return f"{first}, {second}, *{w.items(depth + 1)}"
    if chosen == "options":
        return f"{first}, **{{'key': {w.integer(depth + 1)}, 'other': {w.integer()}}}"
    more = w.pick(["d1", "{}", "{'u': 1, 'v': 2}"])
    return f"*[{first}, {second}], {w.integer(depth + 1)}, key={w.integer(depth + 1)}, **{more}"


# Awaits inside of expressions.


@makes("integer", "await an action", waits=True, weight=3)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"(await echo({w.integer(depth + 1)}))",
            lambda: f"(await double({w.integer(depth + 1)}))",
            lambda: f"(await total({w.items(depth + 1)}))",
            lambda: f"(await echo({w.integer(depth + 1)}, *{w.items(depth + 1)}, k=3))[0]",
        ]
    )()


@makes("integer", "an action that fails", waits=True)
def _(w: Writer, depth: int) -> str:
    return f"(await fail({w.integer(depth + 1)}))"


@makes("integer", "await a coroutine", waits=True, weight=2)
def _(w: Writer, depth: int) -> str:
    return f"(await {w.coroutine(depth + 1)})"


@makes("integer", "run_action with a policy", waits=True, where=lambda w: w.has_self, weight=0.7)
def _(w: Writer, depth: int) -> str:
    attempts, fails = w.between(1, 3), w.between(0, 2)
    policy = w.pick(
        [
            f"RetryPolicy(attempts={attempts}, backoff=BackoffPolicy(base_delay=0.31, jitter=0))",
            f"RetryPolicy(attempts={attempts}, retry_on=(ConnectionError,), backoff=BackoffPolicy(base_delay=0.17, factor=3, jitter=0))",
        ]
    )
    return f"(await self.run_action(flaky('{w.number()}', {fails}), retry={policy}))"


# Text.


@makes("text", "text constant", leaf=True)
def _(w: Writer, depth: int) -> str:
    return w.pick(["'a'", "'k'", "'b'", "'é'", "'ab c'", "NAMES[1]"])


@makes("text", "text name", leaf=True, weight=2)
def _(w: Writer, depth: int) -> str:
    return w.pick([w.read("s"), f"{w.read('p')}.name", "c0.name", "c0.value"])


@makes("text", "f-string", weight=2)
def _(w: Writer, depth: int) -> str:
    w.used.add("format specification")
    quoted = w.pick(
        [
            lambda: f'f"{{{w.integer(depth + 1)}:>4}}|{{{w.text(depth + 1)}!r}}"',
            lambda: f'f"{{{w.integer(depth + 1)}:0{{LIMIT}}d}}"',
            lambda: f'f"{{{w.read("p")}}} {{{w.read("l")}}}"',
            lambda: f'f"{{{w.read("m")}:>5}} {{c0}} {{n0}}"',
            lambda: f'f"{{{w.test(depth + 1)!s}}} {{{w.integer(depth + 1)} / 4:.2f}}"',
            lambda: f'f"{{{w.read("i")}=}} {{{w.read("s")}:*^7}}"',
        ]
    )()
    # Nested quotes need Python 3.12.
    inner = quoted[2:-1]
    return quoted if '"' not in inner else f"str({w.integer(depth + 1)})"


@makes("text", "text methods", weight=1.5)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"{w.text(depth + 1)}.upper()",
            lambda: f"({w.text(depth + 1)} + {w.text(depth + 1)})[-9:]",
            lambda: f"{w.text(depth + 1)}[::-1]",
            lambda: f"'-'.join(str(y) for y in {w.read('l')})",
            lambda: f"{w.text(depth + 1)}.replace('a', {w.text()})",
            lambda: f"str({w.integer(depth + 1)})",
            lambda: f"repr({w.anything(depth + 1)})[:12]",
            lambda: f"'%s/%d' % ({w.text(depth + 1)}, {w.read('i')})",
            lambda: f"{w.text(depth + 1)}.center({w.between(0, 9)}, '*')",
            lambda: f"'{{}} {{x}}'.format({w.integer(depth + 1)}, x={w.text()})",
        ]
    )()


@makes("text", "method of a user's class")
def _(w: Writer, depth: int) -> str:
    return f"{w.read('p')}.label()"


@makes("text", "await in text", waits=True)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [lambda: f"(await echo({w.text(depth + 1)}))", lambda: f'f"{{await echo({w.read("i")})}}:{{await double({w.read("i")}):>3}}"']
    )()


# Tests.


@makes("test", "comparison", weight=3)
def _(w: Writer, depth: int) -> str:
    return f"{w.integer(depth + 1)} {w.pick(['<', '>', '==', '!=', '<=', '>='])} {w.integer(depth + 1)}"


@makes("test", "truth of a name", leaf=True)
def _(w: Writer, depth: int) -> str:
    return w.read(w.pick("ildsb"))


@makes("test", "chained comparison", weight=1.5)
def _(w: Writer, depth: int) -> str:
    return f"{w.integer(depth + 1)} < {w.integer(depth + 1)} {w.pick(['<=', '!=', '>'])} {w.integer(depth + 1)}"


@makes("test", "not")
def _(w: Writer, depth: int) -> str:
    return f"not {w.pick([w.integer, w.items, w.text])(depth + 1)}"


@makes("test", "and or", weight=1.5)
def _(w: Writer, depth: int) -> str:
    return f"({w.test(depth + 1)} {w.pick(['and', 'or'])} {w.test(depth + 1)})"


@makes("test", "membership")
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"{w.integer(depth + 1)} {w.pick(['in', 'not in'])} {w.pick([w.items(depth + 1), 'e0', 'b0'])}",
            lambda: f"{w.text(depth + 1)} in {w.read('d')}",
        ]
    )()


@makes("test", "identity", leaf=True)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            f"{w.read('l')} is {w.read('l')}",
            f"{w.read('p')} is not {w.read('p')}",
            "g0[0] is l0",
            "c0 is Color.RED",
            f"{w.read('d')} is None",
        ]
    )


@makes("test", "operators of a user's class", weight=1.5)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"{w.read('m')} == {w.read('m')}",
            lambda: f"{w.read('m')} < Money({w.integer(depth + 1)})",
            lambda: f"bool({w.read('m')})",
            lambda: f"not {w.read('m')}",
            lambda: f"{w.read('p')} == Item('pen', {w.integer()})",
            lambda: f"Spot(1, {w.integer(depth + 1)}) < Spot(1, 2)",
            lambda: f"({w.read('m')} and {w.test(depth + 1)})",
            lambda: f"len({w.read('m')} + {w.integer()} and [1]) > 0",
            lambda: "b0 == b0",
        ]
    )()


@makes("test", "isinstance")
def _(w: Writer, depth: int) -> str:
    return f"isinstance({w.anything(depth + 1)}, {w.pick(['int', 'str', 'Item', '(list, dict)', 'Crate', 'Money', 'tuple', 'Color'])})"


@makes("test", "any and all")
def _(w: Writer, depth: int) -> str:
    with w.place(may_bind=False):
        source = w.items(depth + 1)
        with w.place(may_wait=False):
            return f"{w.pick(['any', 'all'])}(y > {w.integer(depth + 1)} for y in {source})"


@makes("test", "await in a test", waits=True)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [lambda: f"await echo({w.integer(depth + 1)})", lambda: f"{w.integer(depth + 1)} < await double({w.integer(depth + 1)}) < 9"]
    )()
