"""Writes random programs, runs each on real asyncio in virtual time, and prints what it did, one JSON object a line.

    differential.py FIRST COUNT      the programs of COUNT seeds from FIRST on

A program is a few durable functions, plain functions and generators over shared lists and dicts. Variables keep to a kind
(`i` int, `l` list, `d` dict, `t` task), so most statements get somewhere; a small share is wrong on purpose. All loops are
bounded. Everything prints, so that a step too many, too few or out of order shows.
"""

import json
import pathlib
import random
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).parent / "asyncio"))

import oracle  # noqa: E402

RAISED = ["ValueError", "KeyError", "TypeError", "ZeroDivisionError", "IndexError", "RuntimeError", "LookupError"]
CAUGHT = RAISED + ["Exception", "ArithmeticError", "(KeyError, ValueError)", "asyncio.CancelledError", "BaseException"]
INTS, LISTS, DICTS, TASKS = ["i0", "i1", "i2"], ["l0", "l1"], ["d0"], ["t0", "t1"]
WORKERS, HELPERS, GENERATORS = ["w0", "w1", "w2"], ["h0", "h1"], ["g0", "g1"]
DEPTH_MAX = 3
# Longer programs are left out.
LINES_MAX = 150


class Writer:
    """One function body. `may_wait`: inside a durable function; `gives`: inside a generator."""

    def __init__(self, chance: random.Random):
        self.chance = chance
        self.count = 0
        self.may_wait = True
        self.gives = False
        self.in_loop = False
        self.in_handler = False
        self.may_bind = True
        # `__context__` is shown where nothing waits inside a handler: see docs/deviations.md.
        self.shows_context = self.odds(0.5)
        self.workers: list[str] = []
        self.budget = 0

    def number(self) -> int:
        self.count += 1
        return self.count

    def pick(self, items):
        return self.chance.choice(items)

    def odds(self, share: float) -> bool:
        return self.chance.random() < share

    # ---- expressions

    def whole(self, depth: int = 0) -> str:
        simple = [
            lambda: str(self.chance.randint(-3, 9)),
            lambda: self.pick(INTS),
            lambda: self.pick(INTS),
            lambda: f"len({self.pick(LISTS)})",
            lambda: "x",
        ]
        if depth >= 2:
            return self.pick(simple)()
        compound = [
            lambda: f"({self.whole(depth + 1)} {self.pick(['+', '-', '*', '|', '^', '&'])} {self.whole(depth + 1)})",
            lambda: f"({self.whole(depth + 1)} {self.pick(['%', '//'])} {self.whole(depth + 1)})",
            lambda: f"({self.whole(depth + 1)} if {self.test(depth + 1)} else {self.whole(depth + 1)})",
            lambda: f"({self.whole(depth + 1)} {self.pick(['or', 'and'])} {self.whole(depth + 1)})",
            lambda: f"{self.pick(LISTS)}[{self.chance.randint(-3, 2)}]",
            lambda: f"{self.pick(DICTS)}[{self.key()}]",
            lambda: f"{self.pick(DICTS)}.get({self.key()}, {self.whole(depth + 1)})",
            lambda: f"sum({self.items(depth + 1)})",
            lambda: f"({self.pick(INTS)} := {self.whole(depth + 1)})" if self.may_bind else self.whole(depth + 1),
            lambda: f"{self.pick(HELPERS)}({self.whole(depth + 1)})" if self.budget else self.whole(2),
            lambda: f"max({self.whole(depth + 1)}, *{self.items(depth + 1)})",
            lambda: f"(lambda y, z={self.whole(2)}: y + z + {self.pick(INTS)})({self.whole(depth + 1)})",
            lambda: f"next(({self.pick(['y', 'y + i0', 'y * x'])} for y in {self.source(depth + 1)} if y != {self.whole(2)}), {self.whole(2)})",
        ]
        if self.may_wait:
            waits = [
                lambda: f"(@echo(k={self.whole(depth + 1)}))['k']",
                lambda: f"(await asyncio.sleep({self.delay()}, {self.whole(depth + 1)}))",
                lambda: f"(await {self.coroutine(depth + 1)})",
                lambda: f"sum(await asyncio.gather({self.coroutine(depth + 1)}, {self.coroutine(depth + 1)}))",
                lambda: f"max({self.whole(depth + 1)}, *[{self.whole(depth + 1)}, (@echo(k={self.whole(2)}))['k']], key=lambda y: -y)",
                lambda: f"pair({self.whole(2)}, *({self.whole(depth + 1)},), **{{'z': {self.whole(depth + 1)}}})",
            ]
            if self.odds(0.35):
                return self.pick(waits)()
        return self.pick(simple + compound)()

    def coroutine(self, depth: int = 1) -> str:
        if not self.workers or self.odds(0.2):
            return f"asyncio.sleep({self.delay()}, {self.whole(depth + 1)})"
        return f"{self.pick(self.workers)}({self.whole(depth + 1)}, {self.pick(LISTS)}, {self.pick(DICTS)})"

    def delay(self) -> str:
        return self.pick(["0", "0", "1", "2", "0.5"])

    def key(self) -> str:
        return self.pick(["'a'", "'b'", "1", "(1, 'a')", "(i0, 2)", "True", "x"])

    def test(self, depth: int = 0) -> str:
        kinds = [
            lambda: f"{self.whole(depth + 1)} {self.pick(['<', '>', '==', '!=', '<='])} {self.whole(depth + 1)}",
            lambda: f"{self.whole(2)} < {self.whole(depth + 1)} <= {self.whole(2)}",
            lambda: f"not {self.whole(depth + 1)}",
            lambda: f"{self.whole(depth + 1)} in {self.items(depth + 1)}",
            lambda: f"{self.pick(LISTS)} is {self.pick(LISTS)}",
            lambda: f"{self.key()} in {self.pick(DICTS)}",
        ]
        return self.pick(kinds)()

    def items(self, depth: int = 0) -> str:
        simple = [
            lambda: self.pick(LISTS),
            lambda: f"[{self.whole(2)}, {self.whole(2)}]",
            lambda: f"list(range({self.chance.randint(0, 4)}))",
        ]
        if depth >= 2:
            return self.pick(simple)()
        compound = [
            lambda: f"[y + {self.whole(2)} for y in {self.source(depth + 1)}]",
            lambda: f"[y * z for y in {self.source(depth + 1)} if y < {self.whole(2)} for z in range(2)]",
            lambda: f"[f(1) for f in [lambda y: y + q for q in {self.source(depth + 1)}]]",
            lambda: f"[(i1 := y) for y in {self.source(depth + 1)}]" if self.may_bind else self.pick(LISTS),
            lambda: f"({self.pick(LISTS)} + {self.items(depth + 1)})[-6:]",
            lambda: f"[*{self.items(depth + 1)}, {self.whole(depth + 1)}]",
            lambda: f"sorted({self.items(depth + 1)}, key=lambda y: -y)",
            lambda: f"list({self.pick(GENERATORS)}({self.whole(2)}))" if self.budget else self.pick(LISTS),
            lambda: f"list(map(lambda y: y - {self.pick(INTS)}, {self.items(depth + 1)}))",
            lambda: f"sorted({{y % 3 for y in {self.source(depth + 1)}}})",
            lambda: f"list({{y: y + 1 for y in {self.source(depth + 1)}}}.values())",
            lambda: f"{self.items(depth + 1)}[{self.pick(['::-1', '1:', ':2', '-2:'])}]",
        ]
        if self.may_wait and self.odds(0.3):
            waits = [
                lambda: f"[(@echo(k=y))['k'] for y in {self.source(depth + 1)}[:3]]",
                lambda: f"[await asyncio.sleep({self.delay()}, y) for y in {self.source(depth + 1)}[:3] if y or (await asyncio.sleep(0, 1))]",
                lambda: f"list(await asyncio.gather(*[asyncio.sleep({self.delay()}, y) for y in {self.source(depth + 1)}[:4]]))",
                lambda: f"[{self.whole(depth + 1)}, *{self.items(depth + 1)}, {self.whole(depth + 1)}]",
                lambda: f"[y['k'] for y in (await asyncio.gather(*[async @echo(k=y) for y in {self.source(depth + 1)}[:4]]))]",
            ]
            return self.pick(waits)()
        return self.pick(simple + compound)()

    def source(self, depth: int) -> str:
        """What a comprehension goes over: `:=` may not stand there."""
        was, self.may_bind = self.may_bind, False
        text = self.items(depth)
        self.may_bind = was
        return text

    # ---- statements

    def handler(self, depth: int) -> list[str]:
        """What stands in `except` and `finally`."""
        was, self.may_wait = self.may_wait, self.may_wait and not self.shows_context
        lines = self.block(depth, 0, 2)
        self.may_wait = was
        return lines

    def caught(self) -> str:
        context = ", type(e.__context__).__name__" if self.shows_context else ""
        return f"    print({self.number()}, type(e).__name__, e.args, type(e.__cause__).__name__{context})"

    def block(self, depth: int, least: int = 1, most: int = 3) -> list[str]:
        lines = []
        for _ in range(self.chance.randint(least, most)):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        if self.budget <= 0:
            return [f"print({self.number()}, {self.pick(INTS)})"]
        self.budget -= 1
        simple = [self.say, self.say, self.assign, self.assign, self.change, self.alias, self.unpack, self.fail, self.leave]
        if self.may_wait:
            simple += [self.wait, self.wait, self.task, self.await_task]
        if self.gives:
            simple += [self.give, self.give, self.give]
        nested = [self.branch, self.loop, self.loop, self.attempt, self.attempt, self.attempt, self.choose, self.closure, self.suppress]
        if self.may_wait:
            nested += [self.timeout, self.group, self.lock, self.nested_worker, self.hold_generator, self.spread]
        if depth < DEPTH_MAX and self.odds(0.5):
            return self.pick(nested)(depth)
        return self.pick(simple)()

    def say(self) -> list[str]:
        what = self.pick([self.whole, self.items, self.test, lambda: self.pick(DICTS), lambda: "sorted(map(str, d0))"])
        return [f"print({self.number()}, {what()})"]

    def assign(self) -> list[str]:
        return self.pick([
            lambda: [f"{self.pick(INTS)} = {self.whole()}"],
            lambda: [f"{self.pick(LISTS)} = {self.items()}"],
            lambda: [f"{self.pick(INTS)} {self.pick(['+=', '-=', '|='])} {self.whole()}"],
            lambda: [f"{self.pick(DICTS)}[{self.key()}] = {self.whole()}"],
            lambda: [f"{self.pick(DICTS)}[{self.key()}] += {self.whole()}"],
            lambda: [f"{self.pick(LISTS)}[{self.chance.randint(-2, 1)}] {self.pick(['=', '+='])} {self.whole()}"],
            lambda: [f"{self.pick(INTS)} = {self.pick(INTS)} = {self.whole()}"],
        ])()

    def change(self) -> list[str]:
        one = self.pick(LISTS)
        return self.pick([
            lambda: [f"{one}.append({self.whole()})"],
            lambda: [f"{one} = {one} + [{self.whole()}]"],
            lambda: [f"{one} = {one} + [{self.whole()}]", f"{self.pick(LISTS)} = {one}"],
            lambda: [f"{one} += {self.items()}[:2]"],
            lambda: [f"{one}.pop()"],
            lambda: [f"{one}.extend({self.items()}[:2])"],
            lambda: [f"{one}.insert(0, {self.whole()})"],
            lambda: [f"del {one}[{self.pick(['0', '-1', ':1'])}]"],
            lambda: [f"{one}[:] = {self.items()}"],
            lambda: [f"d0.pop({self.key()})"],
            lambda: [f"del {self.pick(INTS)}"] if self.odds(0.15) else [f"{one}.reverse()"],
        ])()

    def alias(self) -> list[str]:
        return self.pick([
            lambda: [f"l0 = l1"],
            lambda: [f"l0, l1 = l1, l0"],
            lambda: [f"d0 = dict(d0)"],
            lambda: [f"d0.setdefault('kept', []).append({self.whole()})", "print(d0['kept'])"],
            lambda: [f"keep = [l0, l1, l0]", f"keep[2].append({self.whole()})", "print(keep, keep[0] is keep[2])"],
        ])()

    def unpack(self) -> list[str]:
        return self.pick([
            lambda: [f"i0, i1 = {self.whole()}, {self.whole()}"],
            lambda: [f"i0, *l0 = {self.items()}"],
            lambda: [f"(i0, i1), i2 = ({self.items()}, {self.whole()})"],
            lambda: [f"l1[0], i1 = {self.items()}[:2]"],
        ])()

    def fail(self) -> list[str]:
        if self.odds(0.4):
            return self.say()
        error = f"{self.pick(RAISED)}({self.whole()})"
        kinds = [lambda: f"raise {error}", lambda: f"assert {self.test()}, {self.whole(1)}"]
        if self.in_handler:
            kinds += [lambda: "raise", lambda: f"raise {error} from e", lambda: f"raise {error} from None"]
        stop = self.pick(kinds)()
        return [f"if {self.test()}:", f"    {stop}"] if self.odds(0.6) else [stop]

    def leave(self) -> list[str]:
        if self.odds(0.5):
            return self.say()
        kinds = [f"return {self.whole()}"]
        if self.in_loop:
            kinds += ["break", "continue", "break", "continue"]
        return [f"if {self.test()}:", f"    {self.pick(kinds)}"]

    def give(self) -> list[str]:
        return [f"{self.pick(INTS)} = (yield {self.whole()}) or {self.whole(1)}"] if self.odds(0.3) else [f"yield {self.whole()}"]

    def wait(self) -> list[str]:
        return self.pick([
            lambda: [f"await asyncio.sleep({self.delay()})"],
            lambda: [f"{self.pick(INTS)} = (@echo(k={self.whole()}))['k']"],
            lambda: [f"{self.pick(INTS)} = await {self.coroutine()}"],
            lambda: [f"print({self.number()}, await asyncio.gather({self.coroutine()}, {self.coroutine()}, return_exceptions=True) != [])"],
            lambda: [f"{self.pick(LISTS)} = [y for y in await asyncio.gather({self.coroutine()}, {self.coroutine()}, return_exceptions=True) if isinstance(y, int)]"],
            lambda: [f"{self.pick(INTS)} = @fail(k={self.whole()})"],
        ])()

    def task(self) -> list[str]:
        return [f"{self.pick(TASKS)} = asyncio.create_task({self.coroutine()})"]

    def await_task(self) -> list[str]:
        one = self.pick(TASKS)
        return self.pick([
            lambda: [f"if {one} is not None:", f"    {self.pick(INTS)} = await {one}"],
            lambda: [f"if {one} is not None:", f"    print({self.number()}, {one}.cancel(), {one}.done())"],
            lambda: [f"if {one} is not None:", f"    print({self.number()}, {one}.done() and not {one}.cancelled() and {one}.exception() is None)"],
            lambda: [f"print({self.number()}, len((await asyncio.wait([y for y in [t0, t1] if y is not None], timeout=1))[0]))"],
            lambda: [f"if {one} is not None:", f"    {self.pick(INTS)} = await asyncio.shield({one})"],
        ])()

    # ---- nested statements

    def branch(self, depth: int) -> list[str]:
        lines = [f"if {self.test()}:", *indented(self.block(depth + 1))]
        if self.odds(0.3):
            lines += [f"elif {self.test()}:", *indented(self.block(depth + 1))]
        if self.odds(0.5):
            lines += ["else:", *indented(self.block(depth + 1))]
        return lines

    def loop(self, depth: int) -> list[str]:
        was, self.in_loop = self.in_loop, True
        n = self.number()
        if self.odds(0.3):
            lines = [f"n{n} = 0", f"while n{n} < {self.chance.randint(1, 3)}:", f"    n{n} += 1"]
        else:
            source = self.pick([
                lambda: f"range({self.chance.randint(1, 3)})",
                lambda: f"{self.items()}[:3]",
                lambda: f"{self.pick(GENERATORS)}({self.whole(1)})",
                lambda: "list(d0.values())[:3]",
            ])()
            target = self.pick([self.pick(INTS), f"v{n}"])
            lines = [f"for {target} in {source}:"]
            if self.odds(0.15):
                lines = [f"for v{n}, {self.pick(INTS)} in enumerate({source}):"]
        lines += indented(self.block(depth + 1))
        self.in_loop = was
        if self.odds(0.3):
            lines += ["else:", *indented(self.block(depth + 1))]
        return lines

    def attempt(self, depth: int) -> list[str]:
        lines = ["try:", *indented(self.block(depth + 1, 1, 4))]
        # A generator that is dropped runs its `finally` blocks in CPython, here it does not.
        handlers, caught = (1, RAISED) if self.gives else (self.chance.randint(0, 2), CAUGHT)
        for _ in range(handlers):
            was, self.in_handler = self.in_handler, True
            lines += [f"except {self.pick(caught)} as e:"]
            lines += [self.caught(), *indented(self.handler(depth + 1))]
            self.in_handler = was
        if handlers and self.odds(0.25):
            lines += ["else:", *indented(self.block(depth + 1))]
        if not handlers or not self.gives and self.odds(0.5):
            lines += ["finally:", f"    print({self.number()}, 'finally')", *indented(self.handler(depth + 1))]
        return lines

    def choose(self, depth: int) -> list[str]:
        subject = self.pick([self.whole, self.items, lambda: f"({self.whole()}, {self.items()})", lambda: self.pick(DICTS)])()
        n = self.number()
        patterns = ["[]", f"[m{n}]", f"[m{n}, *_]", "{'a': int(i0), **rest}", "int(i1)", "(int(i2), [_, *l1])", "0 | 1 | 2", f"[1, *m{n}] as l0", "{}"]
        lines = [f"match {subject}:"]
        for _ in range(self.chance.randint(1, 3)):
            guard = f" if {self.test()}" if self.odds(0.5) else ""
            lines += [f"    case {self.pick(patterns)}{guard}:", *indented(self.block(depth + 1), 2)]
        lines += ["    case _:", *indented(self.block(depth + 1), 2)] if self.odds(0.6) else []
        return lines

    def inside(self, may_wait: bool, gives: bool, depth: int, names: str) -> list[str]:
        """The body of a nested function."""
        was = self.may_wait, self.gives, self.in_loop, self.in_handler
        self.may_wait, self.gives, self.in_loop, self.in_handler = may_wait, gives, False, False
        lines = indented([f"nonlocal {names}", *self.block(depth + 1)])
        if gives:
            lines += ["    yield 0"]
        self.may_wait, self.gives, self.in_loop, self.in_handler = was
        return lines

    def outer(self) -> str:
        return ", ".join(sorted(self.chance.sample(INTS + LISTS, self.chance.randint(1, 3))))

    def closure(self, depth: int) -> list[str]:
        n, gives = self.number(), self.odds(0.3)
        default = self.whole(1)
        lines = [f"def f{n}(x={default}):", *self.inside(False, gives, depth, self.nonlocals())]
        if gives:
            return [*lines, f"for v{n} in f{n}({self.whole(1)}):", *indented(self.block(depth + 1))]
        lines += ["    return x"] if self.odds(0.7) else []
        return lines + [f"print({n}, f{n}(), {self.whole(1)}, f{n}({self.whole(1)}))"]

    def nonlocals(self) -> str:
        return self.outer()

    def nested_worker(self, depth: int) -> list[str]:
        n = self.number()
        lines = [f"async def a{n}(x):", *self.inside(True, False, depth, self.nonlocals())]
        lines += ["    return x"]
        return lines + self.pick([
            lambda: [f"print({n}, await a{n}({self.whole(1)}))"],
            lambda: [f"print({n}, await asyncio.gather(a{n}(1), a{n}(2)), {self.pick(INTS)})"],
            lambda: [f"{self.pick(TASKS)} = asyncio.create_task(a{n}({self.whole(1)}))"],
        ])()

    def hold_generator(self, depth: int) -> list[str]:
        n = self.number()
        lines = [f"s{n} = {self.pick(GENERATORS)}({self.whole(1)})", f"print({n}, next(s{n}, None))"]
        lines += self.block(depth + 1)
        lines += [f"print({n}, next(s{n}, None), {self.pick([f'list(s{n})', f's{n}.close()', f'sum(s{n})'])})"]
        return lines

    def spread(self, depth: int) -> list[str]:
        body = self.pick(["@echo(k=y)", f"asyncio.sleep({self.delay()}, y)", "h0(y)"][:2])
        mode = self.pick(["", "(return_exceptions=True)"])
        source = self.pick(["l0", "l1", "[1, 2, 3]", "range(3)"])
        n = self.number()
        return [f"p{n} = spread{mode} {source}:y -> {body}", f"print({n}, p{n})"]

    def suppress(self, depth: int) -> list[str]:
        return [f"with contextlib.suppress({self.pick(RAISED + ['Exception'])}):", *indented(self.block(depth + 1))]

    def timeout(self, depth: int) -> list[str]:
        return [f"async with asyncio.timeout({self.pick(['0', '0.5', '1', '1.5', '3', 'None'])}):", *indented(self.block(depth + 1))]

    def group(self, depth: int) -> list[str]:
        n = self.number()
        lines = [f"async with asyncio.TaskGroup() as q{n}:"]
        for _ in range(self.chance.randint(1, 2)):
            lines += [f"    {self.pick(TASKS)} = q{n}.create_task({self.coroutine()})"]
        return lines + indented(self.block(depth + 1, 0, 2))

    def lock(self, depth: int) -> list[str]:
        return ["async with k0:", *indented(self.block(depth + 1))]

    # ---- functions

    def guarded(self) -> list[str]:
        """A statement whose failure does not end the program."""
        lines = ["try:", *indented(self.statement(0)), "except Exception as e:"]
        return [*lines, self.caught()]

    def function(self, head: str, may_wait: bool, gives: bool, least: int, most: int, start: list[str]) -> str:
        self.may_wait, self.gives = may_wait, gives
        self.in_loop = self.in_handler = False
        lines = [*start]
        for _ in range(self.chance.randint(least, most)):
            lines += self.guarded() if self.odds(0.6) else self.statement(0)
        if gives:
            lines += [f"yield {self.whole(2)}"]
        elif self.odds(0.8):
            lines += [f"return {self.whole(1)}"]
        return head + "\n" + "\n".join(indented(lines)) + "\n"


def indented(lines: list[str], levels: int = 1) -> list[str]:
    return ["    " * levels + line for line in lines] or (["    " * levels + "pass"])


def program(seed: int) -> str:
    chance = random.Random(seed)
    one = Writer(chance)
    ints = [f"i0 = x", "i1 = 1", "i2 = 2"]
    own = [*ints, "l0 = [1, 2]", "l1 = [3]", "d0 = {'a': 1, (1, 'a'): 2}"]
    parts = ["def pair(y, *rest, z=0):\n    return y + sum(rest) - z\n"]
    for name in HELPERS:
        one.budget = 0
        parts += [one.function(f"def {name}(x):", False, False, 1, 2, own)]
    for name in GENERATORS:
        one.budget = 5
        parts += [one.function(f"def {name}(x):", False, True, 1, 3, [*own, f"print('{name}', x)"])]
    for name in WORKERS:
        one.budget = chance.randint(2, 7)
        start = [*ints, "l1 = [3]", "t0 = t1 = None", "k0 = asyncio.Lock()", f"print('{name}', x)"]
        parts += [one.function(f"fn {name}(input: [x, l0, d0], output: []):", True, False, 1, 4, start)]
        one.workers.append(name)
    one.budget = chance.randint(8, 24)
    parts += [one.function("fn body(input: [x], output: []):", True, False, 3, 7, [*own, "t0 = t1 = None", "k0 = asyncio.Lock()"])]
    parts += [textwrap.dedent("""\
        fn main():
            try:
                result = await body(1)
                print('result', result)
            except BaseException as e:
                print('raised', type(e).__name__, e.args, type(e.__cause__).__name__)
                raise LookupError(type(e).__name__) from e
            return result
        """)]
    return "\n".join(parts)


def main(first: int, count: int) -> None:
    for seed in range(first, first + count):
        source = program(seed)
        try:
            outcome = oracle.run(oracle.translate(source), LINES_MAX)
        except SyntaxError as error:
            outcome = {"lines": [], "ending": f"no Python: {error}", "elapsed": 0}
        if len(outcome["lines"]) < LINES_MAX:
            print(json.dumps({"name": str(seed), "source": source, **outcome}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
