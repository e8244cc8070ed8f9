"""Statements that hold others."""

from __future__ import annotations

from fuzz.writer import CAUGHT, RAISED, Writer, indented, makes


@makes("nested", "if", weight=3)
def _(w: Writer, depth: int) -> list[str]:
    lines = [f"if {w.test(depth)}:", *indented(w.block(depth + 1))]
    if w.odds(0.3):
        lines += [f"elif {w.test(depth)}:", *indented(w.block(depth + 1))]
    if w.odds(0.5):
        lines += ["else:", *indented(w.block(depth + 1))]
    return lines


@makes("nested", "while", weight=1.5)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    test = f"n{n} < {w.between(1, 3)}" + (f" and {w.test(depth)}" if w.odds(0.4) else "")
    if w.odds(0.2):
        test = f"(n{n} := n{n} + 1) < {w.between(2, 4)}"
    with w.place(in_loop=True):
        body = w.block(depth + 1)
    return [f"n{n} = 0", f"while {test}:", f"    n{n} += 1", *indented(body), *_else(w, depth)]


@makes("nested", "for", weight=3)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    source = w.pick(
        [
            lambda: f"range({w.between(1, 3)})",
            lambda: f"{w.items(depth)}[:3]",
            lambda: "b0",
            lambda: f"list({w.read('d')}.values())[:3]",
            lambda: "Color",
            lambda: f"{w.read('l')}[-3:]",
            lambda: f"{w.pick(w.functions['generator'])}({w.integer(depth)})" if w.functions.get("generator") else "range(2)",
        ]
    )()
    head = w.pick(
        [
            f"for {w.write('i')} in {source}:",
            f"for v{n} in {source}:",
            f"for v{n}, {w.write('i')} in enumerate({source}):",
            f"for {w.read('p')}.count in {source}:",
            f"for v{n}, (*_, {w.write('s')}) in zip({source}, ['ab', 'c']):",
        ]
    )
    with w.place(in_loop=True):
        body = w.block(depth + 1)
    return [head, *indented(body), *_else(w, depth)]


def _else(w: Writer, depth: int) -> list[str]:
    if not w.odds(0.3):
        return []
    w.used.add("else of a loop")
    return ["else:", *indented(w.block(depth + 1))]


@makes("nested", "try", weight=5)
def attempt(w: Writer, depth: int) -> list[str]:
    lines = ["try:", *indented(w.block(depth + 1, 1, 4))]
    # A generator that is dropped runs its `finally` blocks in CPython, here it does not.
    count = 1 if w.gives else w.between(0, 2)
    for _ in range(count):
        with w.place(in_handler=True):
            lines += [
                f"except {w.pick(RAISED + ['Exception'] if w.gives else CAUGHT)} as e:",
                shown(w),
                *indented(w.block(depth + 1, 0, 2)),
            ]
    if count and w.odds(0.25):
        w.used.add("else of a try")
        lines += ["else:", *indented(w.block(depth + 1))]
    if not count or not w.gives and w.odds(0.5):
        w.used.add("finally")
        lines += ["finally:", f"    print({w.number()}, 'finally')", *indented(w.block(depth + 1, 0, 2))]
    return lines


def shown(w: Writer) -> str:
    return f"    print({w.number()}, type(e).__name__, e.args, getattr(e, 'code', None), str(e), type(e.__cause__).__name__)"


@makes("nested", "suppress")
def _(w: Writer, depth: int) -> list[str]:
    return [f"with contextlib.suppress({w.pick(RAISED + ['Exception', 'LookupError, ValueError'])}):", *indented(w.block(depth + 1))]


@makes("nested", "match", weight=2)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    subject = w.pick([w.integer, w.items, w.thing, w.text, w.thing])(depth)
    if w.odds(0.2):
        subject = w.pick(["p1", f"({w.integer(depth)}, {w.items(depth)})", w.read("d"), "n0", "c0"])
    i, s, le = w.write("i"), w.write("s"), w.write("l")
    patterns = [
        "[]",
        f"[m{n}]",
        f"[m{n}, *_]",
        f"{{'a': int({i}), **r{n}}}",
        f"int({i})",
        f"(int({i}), [_, *{le}])",
        "0 | 1 | 2",
        f"[1, *m{n}] as q{n}",
        "{}",
        f"str({s})",
        f"Item(name={s}, count=0 | 1 | 2)",
        f"Item({s}, {i}, [_, *{le}])",
        f"Crate(inner=Item(name={s}))",
        f"Pair({i}, _)",
        "Color.RED | Color.BLUE",
        f"Spot(x={i})",
        "None | True",
        f"Money(amount={i})",
        "'a' | 'k'",
        f"[Item() as m{n}, *_]",
        "-1 | [[1]]",
    ]
    lines = [f"match {subject}:"]
    for _ in range(w.between(1, 3)):
        guard = f" if {w.test(depth)}" if w.odds(0.4) else ""
        lines += [f"    case {w.pick(patterns)}{guard}:", *indented(w.block(depth + 1), 2)]
    if w.odds(0.6):
        lines += [f"    case {w.pick(['_', f'z{n}'])}:", *indented(w.block(depth + 1), 2)]
    return lines


@makes("nested", "generator held open", where=lambda w: bool(w.functions.get("generator")) and not w.is_plain, weight=0.7)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    end = w.pick([f"list(o{n})", f"o{n}.close()", f"sum(o{n})", f"o{n}.send(2)"])
    return [
        f"o{n} = {w.pick(w.functions['generator'])}({w.integer(depth)})",
        f"print({n}, next(o{n}, None))",
        *w.block(depth + 1),
        f"print({n}, next(o{n}, None), {end})",
    ]
