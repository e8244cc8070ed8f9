"""Statements without blocks."""

from __future__ import annotations

from fuzz.writer import RAISED, Writer, indented, makes

_AUGMENTED = ["+=", "-=", "|=", "^=", "&=", "%=", "//=", "*="]


def say(w: Writer, depth: int) -> list[str]:
    return [f"print({w.number()}, {w.anything(depth)})"]


makes("simple", "print", weight=2)(say)


@makes("simple", "assignment", weight=3)
def _(w: Writer, depth: int) -> list[str]:
    return w.pick(
        [
            lambda: [f"{w.write('i')} = {w.integer(depth)}"],
            lambda: [f"{w.write('l')} = {w.items(depth)}"],
            lambda: [f"{w.write('s')} = {w.text(depth)}"],
            lambda: [f"{w.write('d')} = {w.make('mapping', depth)}"],
            lambda: [f"{w.write('i')} = {w.write('i')} = {w.integer(depth)}"],
            lambda: [f"{w.write('i')}: int = {w.integer(depth)}"] if not w.is_nested else [f"{w.write('i')} = {w.integer(depth)}"],
            lambda: [f"{w.write('p')} = Item({w.text(depth)}, {w.integer(depth)}, {w.items(depth)})"],
            lambda: [f"{w.write('m')} = Money({w.integer(depth)})"],
            lambda: [f"{w.write('n')} = Pair({w.integer(depth)}, {w.anything(depth)})"],
            lambda: [f"{w.write('g')} = [{w.read('l')}, {w.items(depth)}, {w.read('l')}]"],
            lambda: [f"{w.write('e')} = {{{w.integer(depth)}, {w.integer(depth)}}}"],
            lambda: [f"{w.write('c')} = {w.pick(['Color.GREEN', 'Color.BLUE'])}"],
        ]
    )()


@makes("simple", "augmented assignment", weight=2)
def _(w: Writer, depth: int) -> list[str]:
    operator = w.pick(_AUGMENTED)
    return w.pick(
        [
            lambda: [f"{w.write('i')} {operator} {w.integer(depth)} % 50"],
            lambda: [f"{w.read('l')}[{w.integer(3)} % 2] {operator} {w.integer(depth)} % 50"],
            lambda: [f"{w.read('d')}['a'] {operator} {w.integer(depth)} % 50"],
            lambda: [f"{w.read('p')}.count {operator} {w.integer(depth)} % 50"],
            lambda: [f"{w.write('l')} += {w.items(depth)}[:2]"],
            lambda: [f"{w.write('s')} += {w.text(depth)}[:3]"],
            lambda: [f"{w.read('p')}.tags += {w.items(depth)}[:2]"],
            lambda: [f"{w.write('m')} += {w.integer(depth)}"],
            lambda: [f"g0[0][0] {operator} {w.integer(depth)} % 9"],
            lambda: [f"{w.write('d')} |= {w.make('mapping', depth)}"],
            lambda: [f"b0[0] {operator} {w.integer(depth)} % 9"],
            lambda: [f"{w.write('e')} |= {{{w.integer(depth)}}}"],
            lambda: [f"{w.read('l')}[:1] += [{w.integer(depth)}]"],
            lambda: [f"{w.write('l')} *= {w.between(0, 2)}"],
        ]
    )()


@makes("simple", "assignment to a place", weight=2)
def _(w: Writer, depth: int) -> list[str]:
    return w.pick(
        [
            lambda: [f"{w.read('d')}[{w.text(depth)}] = {w.integer(depth)}"],
            lambda: [f"{w.read('l')}[{w.between(-2, 1)}] = {w.integer(depth)}"],
            lambda: [f"{w.read('p')}.name = {w.text(depth)}"],
            lambda: [f"{w.read('p')}.tags = {w.read('l')}"],
            lambda: [f"{w.read('l')}[{w.pick(['1:', ':1', ':'])}] = {w.items(depth)}"],
            lambda: [f"g0[{w.between(0, 1)}] = {w.read('l')}"],
            lambda: [f"b0[{w.between(0, 1)}] = {w.integer(depth)}"],
            lambda: [f"{w.read('m')}.amount = {w.integer(depth)}"],
            lambda: [f"{w.read('d')}[{w.text(3)}] = {w.read('l')}"],
            lambda: [f"p1.inner = {w.read('p')}"],
        ]
    )()


@makes("simple", "change in place", weight=2)
def _(w: Writer, depth: int) -> list[str]:
    one = w.pick([w.read("l"), f"{w.read('p')}.tags", "g0[-1]", "b0.items"])
    return w.pick(
        [
            lambda: [f"{one}.append({w.integer(depth)})"],
            lambda: [f"{one}.extend({w.items(depth)}[:2])"],
            lambda: [f"{one}.insert(0, {w.integer(depth)})"],
            lambda: [f"{one}.pop({w.pick(['', '0'])})"],
            lambda: [f"{one}.sort(key=lambda y: -y)"],
            lambda: [f"{one}.remove({w.integer(3)})"],
            lambda: [f"{one}.clear()"],
            lambda: [f"{w.read('d')}.update({w.make('mapping', depth)})"],
            lambda: [f"{w.read('d')}.setdefault({w.text(depth)}, {w.integer(depth)})"],
            lambda: [f"print({w.number()}, {w.read('d')}.pop({w.text(3)}))"],
            lambda: [f"e0.{w.pick(['add', 'discard', 'remove'])}({w.integer(depth)})"],
            lambda: ["g0.append(g0[0])"],
        ]
    )()


@makes("simple", "aliases", weight=1.5)
def _(w: Writer, depth: int) -> list[str]:
    return w.pick(
        [
            lambda: [f"{w.write('l')} = {w.read('l')}"],
            lambda: [f"{w.write('p')} = {w.read('p')}"],
            lambda: [f"{w.write('d')} = {w.read('d')}"],
            lambda: [f"{w.write('g')} = [{w.read('l')}] * 2 + g0[:1]"],
            lambda: [f"{w.write('l')} = {w.read('p')}.tags"],
            lambda: [f"{w.write('m')} = {w.read('m')}"],
            lambda: [f"{w.write('b')} = Bag({w.read('l')})"],
            lambda: [f"{w.write('l')} = b0.items"],
            lambda: [
                f"keep{w.number()} = [{w.read('l')}, {w.read('p')}]",
                f"keep{w.count}[0].append({w.integer(depth)})",
                f"print(keep{w.count})",
            ],
        ]
    )()


@makes("simple", "unpacking", weight=1.5)
def _(w: Writer, depth: int) -> list[str]:
    return w.pick(
        [
            lambda: [f"{w.write('i')}, {w.write('i')} = {w.integer(depth)}, {w.integer(depth)}"],
            lambda: [f"{w.write('i')}, *{w.write('l')} = {w.items(depth)}"],
            lambda: [f"*{w.write('l')}, {w.write('i')} = {w.items(depth)}"],
            lambda: [f"({w.write('i')}, *_), {w.write('s')} = {w.items(depth)}, {w.text(depth)}"],
            lambda: [f"{w.read('l')}[0], {w.read('p')}.count = {w.items(depth)}[:2]"],
            lambda: [f"{w.write('i')}, {w.write('l')} = n0"],
            lambda: [f"{w.write('l')}, {w.write('l')} = {w.read('l')}, {w.read('l')}"],
            lambda: [f"[{w.write('i')}, {w.write('i')}] = b0"],
        ]
    )()


@makes("simple", "delete", weight=0.7)
def _(w: Writer, depth: int) -> list[str]:
    names = [f"del {w.write('i')}"] if w.odds(0.15) else []
    return [
        w.pick(
            [
                *names,
                f"del {w.read('l')}[{w.pick(['0', '-1', ':1', '::2'])}]",
                f"del {w.read('d')}[{w.text(3)}]",
                "del b0[0]",
                "del g0[-1:]",
            ]
        )
    ]


@makes("simple", "assert", weight=0.7)
def _(w: Writer, depth: int) -> list[str]:
    return [f"assert {w.test(depth)}, {w.integer(depth)}"]


def error(w: Writer, depth: int) -> str:
    name = w.pick(RAISED)
    if name in ("Missing", "AppError", "Denied"):
        w.used.add("exceptions of one's own")
        return f"{name}({w.integer(depth)}, {w.text(depth)})"
    return w.pick([f"{name}({w.integer(depth)})", f"{name}({w.text(depth)}, {w.read('l')})", name if name not in ("Plain",) else "Plain()"])


@makes("simple", "raise", weight=1.5)
def raised(w: Writer, depth: int) -> list[str]:
    kinds = [f"raise {error(w, depth)}"]
    if w.in_handler:
        kinds += ["raise", f"raise {error(w, depth)} from e", f"raise {error(w, depth)} from None", "raise e"]
        w.used.add("raise in a handler")
    stop = w.pick(kinds)
    return [f"if {w.test(depth)}:", f"    {stop}"] if w.odds(0.7) else [stop]


@makes("simple", "raise with a list in a field")
def _(w: Writer, depth: int) -> list[str]:
    return [f"if {w.test(depth)}:", f"    raise AppError({w.read('l')}, {w.read('l')})"]


@makes("simple", "assignment to a frozen dataclass")
def _(w: Writer, depth: int) -> list[str]:
    return [f"Spot(1).x = {w.integer()}"]


@makes("simple", "leaving", weight=1.5)
def _(w: Writer, depth: int) -> list[str]:
    kinds = [f"return {w.anything(depth) if not w.is_plain else w.integer(depth)}"] if w.can_return else []
    if w.in_loop:
        kinds += ["break", "continue", "break", "continue"]
        w.used.add("break and continue")
    if not kinds:
        return say(w, depth)
    return [f"if {w.test(depth)}:", f"    {w.pick(kinds)}"]


@makes("simple", "assignment to self", where=lambda w: w.has_self, weight=1.5)
def _(w: Writer, depth: int) -> list[str]:
    return w.pick(
        [
            lambda: [f"self.total {w.pick(['=', '+=', '-='])} {w.integer(depth)}"],
            lambda: [f"self.log.append({w.integer(depth)})"],
            lambda: [f"self.log = {w.read('l')}"],
            lambda: [f"{w.write('l')} = self.log"],
            lambda: [f"self.seen[{w.text(depth)}] = {w.anything(depth)}"],
            lambda: [f"self.log += {w.items(depth)}[:2]"],
            lambda: [f"self.item.count += {w.integer(depth)}", "print(self.item)"],
            lambda: [f"self.item = {w.read('p')}"],
        ]
    )()


@makes("simple", "yield", where=lambda w: w.gives, weight=8)
def _(w: Writer, depth: int) -> list[str]:
    return [f"{w.write('i')} = (yield {w.integer(depth)}) or {w.integer(3)}"] if w.odds(0.3) else [f"yield {w.integer(depth)}"]


@makes("simple", "yield from", where=lambda w: w.gives)
def _(w: Writer, depth: int) -> list[str]:
    return [f"yield from {w.items(depth)}[:2]"]


@makes("simple", "wait for an action", waits=True, weight=2)
def _(w: Writer, depth: int) -> list[str]:
    return w.pick(
        [
            lambda: [f"{w.write('i')} = await double({w.integer(depth)})"],
            lambda: [f"{w.write('l')} = await echo({w.items(depth)})"],
            lambda: [f"await echo({w.anything(depth)})"],
            lambda: [f"{w.write('p')} = await stamp({w.read('p')})"],
            lambda: [f"{w.write('i')} = await fail({w.integer(depth)})"],
            lambda: [f"print({w.number()}, await echo({w.thing(depth)}, k={w.anything(depth)}))"],
            lambda: [f"{w.write('m')} = await echo({w.read('m')})"],
            lambda: [f"await asyncio.sleep({w.pick(['0', '1', '0.5'])})"],
            lambda: [f"{w.read('d')}[{w.text(depth)}] = await slow({w.integer(depth)}, 0.5)"],
            lambda: [f"{w.write('i')} += await double({w.integer(depth)})"],
            lambda: [f"{w.read('l')}[0] += await echo({w.integer(depth)})"],
        ]
    )()


@makes("simple", "nested function with nonlocal", weight=1.5, where=lambda w: not w.gives)
def closure(w: Writer, depth: int) -> list[str]:
    n = w.number()
    gives = w.odds(0.2)
    lines = [f"def f{n}(a={w.integer(depth)}, *rest):", *inner_body(w, w.level, may_wait=False, gives=gives)]
    if gives:
        w.used.add("nested generator")
        return [*lines, f"print({n}, list(f{n}({w.integer(3)})), {w.read('i')})"]
    call = w.pick(
        [
            f"f{n}()",
            f"f{n}({w.integer(3)})",
            f"f{n}(*{w.read('l')})",
            f"[f{n}(y) for y in {w.read('l')}[:2]]",
            f"list(map(f{n}, {w.read('l')}[:2]))",
        ]
    )
    return [*lines, f"print({n}, {call}, {w.read('i')}, {w.read('l')})"]


def inner_body(w: Writer, depth: int, may_wait: bool, gives: bool) -> list[str]:
    """The body of a nested function: it assigns some variables of the outer one, and reads the others."""
    chosen = {kind: w.chance.sample(names, w.between(0, len(names))) for kind, names in w.writable.items() if names and kind in "isldp"}
    outer = sorted(name for names in chosen.values() for name in names)
    # What it assigns besides is its own.
    writable = {kind: [*chosen.get(kind, []), f"own_{kind}"] for kind in "isldpmngecbt"}
    own = [
        "own_i = a",
        "own_s = 'o'",
        "own_l = [a]",
        "own_d = {}",
        "own_p = Item('own')",
        "own_m = Money(2)",
        "own_n = Pair(3)",
        "own_g = [[a]]",
        "own_e = {a}",
        "own_c = Color.RED",
        "own_b = Bag([a])",
        "own_t = None",
    ]
    with w.place(
        may_wait=may_wait,
        gives=gives,
        in_loop=False,
        in_handler=False,
        writable=writable,
        can_return=not gives,
        is_plain=not may_wait,
        is_nested=True,
    ):
        body = w.block(depth + 1, 1, 3)
        used = "\n".join(body)
        head = [f"nonlocal {', '.join(outer)}"] if outer else []
        head += [line for line in own if line.split(" ")[0] in used]
        end = [f"yield {w.integer(3)}"] if gives else [f"return {w.integer(3)}"]
    return indented([*head, *body, *end])
