"""For every node type of Python's `ast` there is a workflow that has it, and what becomes of it: nothing is dropped in silence."""

from __future__ import annotations

import ast
import importlib
import pathlib
import sys
import textwrap
from typing import NamedTuple

import pytest
from corpus import Case
from corpus.running import run_in_memory, run_inline

from waymark.compiler import CompileError

NATIVE = "native"
IMPLICIT = "implicit action"


class Node(NamedTuple):
    name: str
    fate: str
    """Or the code of the refusal."""
    body: str
    since: tuple[int, int] = (3, 10)


#: What Python's parser never puts into a function: roots, what only type checkers ask for, and leftovers of older versions.
NEVER = {
    "Module", "Interactive", "Expression", "FunctionType", "Suite", "TypeIgnore", "AugLoad", "AugStore", "Param", "Num", "Str", "Bytes",
    "NameConstant", "Ellipsis", "Index", "ExtSlice",
}  # fmt: skip

SURROUNDINGS = """
import asyncio
import contextlib
import dataclasses
import enum
import json
import re
from collections import Counter

from waymark import Workflow, action, workflow

LIMIT = 3

class Kind(enum.Enum):
    ONE = 1
    TWO = 2

@dataclasses.dataclass
class Pair:
    left: int
    right: int = 0

    def __matmul__(self, other):
        return self.left * other.left + self.right * other.right

@action
async def double(value):
    return value * 2
"""

NODES = [
    # Operators.
    Node("Add", NATIVE, "return 1 + 2, 'a' + 'b', [1] + [2], (1,) + (2,), 10**30 + 1, 1.5 + 2"),
    Node("Sub", NATIVE, "return 5 - 7, {1, 2} - {2}, 1 - 0.5"),
    Node("Mult", NATIVE, "return 3 * 4, 'ab' * 2, [0] * 3, 2 * (1,)"),
    Node("MatMult", NATIVE, "return Pair(1, 2) @ Pair(3, 4)"),
    Node("Div", NATIVE, "return 7 / 2, -1 / 4"),
    Node("FloorDiv", NATIVE, "return 7 // 2, -7 // 2, 7.5 // 2"),
    Node("Mod", NATIVE, "return 7 % 3, -7 % 3, '%s-%d' % ('a', 1)"),
    Node("Pow", NATIVE, "return 2 ** 10, 2 ** -1, 2 ** 100"),
    Node("LShift", NATIVE, "return 1 << 70"),
    Node("RShift", NATIVE, "return -9 >> 1"),
    Node("BitAnd", NATIVE, "return 6 & 3, {1, 2} & {2, 3}"),
    Node("BitOr", NATIVE, "return 6 | 3, {'a': 1} | {'a': 2}"),
    Node("BitXor", NATIVE, "return 6 ^ 3, {1, 2} ^ {2, 3}"),
    Node("Invert", NATIVE, "return ~5"),
    Node("Not", NATIVE, "return not [], not 1"),
    Node("UAdd", NATIVE, "return +True"),
    Node("USub", NATIVE, "return -LIMIT"),
    Node("UnaryOp", NATIVE, "return - - 3, not not ''"),
    Node("BinOp", NATIVE, "return (1 + 2) * 3 - 4 / 2"),
    Node("And", NATIVE, "seen = []\nresult = 0 and seen.append(1)\nreturn result, seen, 1 and 2"),
    Node("Or", NATIVE, "seen = []\nresult = 1 or seen.append(1)\nreturn result, seen, 0 or ''"),
    Node("BoolOp", NATIVE, "return 1 and 0 or 5 and await double(2)"),
    Node("Compare", NATIVE, "seen = []\nreturn 1 < 3 < 2 < seen.append(1), 1 < 2 <= 2 != 3, seen"),
    Node("Eq", NATIVE, "return 1 == 1.0, [1] == (1,), Pair(1) == Pair(1, 0)"),
    Node("NotEq", NATIVE, "return 1 != 1.0, 'a' != 'b'"),
    Node("Lt", NATIVE, "return 1 < 2, (1, 'b') < (1, 'a'), {1} < {1, 2}"),
    Node("LtE", NATIVE, "return 2 <= 2, [1] <= []"),
    Node("Gt", NATIVE, "return 3 > 2 > 1"),
    Node("GtE", NATIVE, "return 'b' >= 'a'"),
    Node("Is", NATIVE, "first = []\nsecond = first\nreturn first is second, [] is first, Kind.ONE is Kind(1)"),
    Node("IsNot", NATIVE, "zero = 0\nreturn None is not zero"),
    Node("In", NATIVE, "return 1 in [1], 'b' in 'abc', 'k' in {'k': 1}, Kind.ONE in Kind"),
    Node("NotIn", NATIVE, "return 1 not in {2}, 3 not in range(3)"),
    # Expressions.
    Node("Constant", NATIVE, "return None, True, ..., 1, 1.5, 'a', b'b', 10**40"),
    Node("Constant", "P0102", "return 2j"),
    Node("Name", NATIVE, "value = LIMIT\nreturn value, LIMIT"),
    Node("Name", "P0201", "return limmit"),
    Node("Load", NATIVE, "value = [1]\nreturn value[0]"),
    Node("Store", NATIVE, "value = [1]\nvalue[0] = 2\nreturn value"),
    Node("Del", NATIVE, "value = [1, 2, 3]\ndel value[0], value[-1:]\nreturn value"),
    Node("Attribute", NATIVE, "pair = Pair(1)\npair.right = pair.left + 1\nreturn pair, Kind.TWO.value"),
    Node("Subscript", NATIVE, "value = {'a': [1, 2]}\nvalue['a'][1] += 5\nreturn value['a'][-1]"),
    Node("Slice", NATIVE, "value = list(range(9))\nvalue[1:3] = ['x']\nreturn value[::2], value[-2:], value[4:1:-1]"),
    Node("Starred", NATIVE, "first, *rest = 'abc'\nreturn [*rest, first], {*rest}, (*rest,), max(*rest)"),
    Node("List", NATIVE, "[first, [second]] = [1, [2]]\nreturn [first, second, []]"),
    Node("Tuple", NATIVE, "(first, (second, *_)) = 1, (2, 3)\nreturn first, second, ()"),
    Node("Set", NATIVE, "return {1, 2, 1}"),
    Node("Dict", NATIVE, "base = {'a': 1}\nreturn {**base, 'b': 2, **{'a': 3}}"),
    Node("ListComp", NATIVE, "return [await double(x) for row in [[1, 2], [3]] for x in row if x != 2 if x]"),
    Node("ListComp", IMPLICIT, "return [re.sub('a', 'b', word) for word in ('aa', 'ca')]"),
    Node("SetComp", NATIVE, "return {x % 2 for x in range(5)}"),
    Node("DictComp", NATIVE, "return {x: x * x for x in range(3)}"),
    Node("GeneratorExp", NATIVE, "seen = (x * 2 for x in range(3))\nreturn next(seen), list(seen), sum(x for x in [1, 2])"),
    Node("comprehension", NATIVE, "return [(x, y) for x in range(3) for y in range(x) if x + y > 1]"),
    Node("Lambda", NATIVE, "by = 2\nadd = lambda x, *rest, k=1, **more: x + by + k + len(rest)\nreturn add(1), add(1, 2, k=5, z=3)"),
    Node("IfExp", NATIVE, "return 'yes' if LIMIT > 2 else 1 / 0"),
    Node("NamedExpr", NATIVE, "if (size := len('abc')) > 2:\n    return size, [last := x for x in range(3)], last"),
    Node("JoinedStr", NATIVE, "return f'{LIMIT}{\"x\"}' f'{{}}'"),
    Node("FormattedValue", NATIVE, "width = 6\nreturn f'{LIMIT!r:>{width}}|{1.5:.2f}|{\"é\"!a}|{LIMIT=}'"),
    Node("Call", NATIVE, "def add(a, /, b=2, *c, d=4, **e):\n    return a, b, c, d, e\nreturn add(1), add(1, *[5, 6], **{'d': 7}, f=8)"),
    Node("Call", IMPLICIT, "return re.findall('a', 'aba')"),
    Node("Call", "P0303", "return eval('1')"),
    Node("keyword", NATIVE, "return sorted([2, 1], reverse=True), Pair(left=3)"),
    Node("Await", NATIVE, "return await double(await double(1))"),
    Node("Await", "P0301", "return await re.findall('a', 'aba')"),
    Node("Yield", NATIVE, "def numbers():\n    got = yield 1\n    yield\nreturn list(numbers())"),
    Node("YieldFrom", NATIVE, "def inner():\n    yield 1\n    return 2\ndef outer():\n    got = yield from inner()\n    yield got\nreturn list(outer())"),
    Node("TemplateStr", "P0101", "return t'{LIMIT}'", since=(3, 14)),
    Node("Interpolation", "P0101", "return t'{LIMIT}'", since=(3, 14)),
    # Statements.
    Node("Expr", NATIVE, "'a docstring'\nvalue = []\nvalue.append(1)\nreturn value"),
    Node("Expr", "P0312", "double(1)"),
    Node("Expr", "P0312", "async def inner():\n    return 1\ninner()"),
    Node("If", "P0312", "if double(1):\n    return 1"),
    Node("While", "P0312", "while double(1):\n    return 1"),
    Node("IfExp", "P0312", "return 1 if double(1) else 2"),
    Node("BoolOp", "P0312", "return double(1) and 2"),
    Node("UnaryOp", "P0312", "return not double(1)"),
    Node("Compare", "P0312", "return double(1) == 2"),
    Node("BinOp", "P0312", "return 1 + double(1)"),
    Node("FormattedValue", "P0312", "return f'{double(1)}'"),
    Node("comprehension", "P0312", "return [x for x in range(3) if double(x)]"),
    Node("Assert", "P0312", "assert double(1)"),
    Node("Assign", NATIVE, "first = second = [1]\nsecond.append(2)\nreturn first"),
    Node("AugAssign", NATIVE, "value = [1]\nalias = value\nvalue += [2]\npair = Pair(1)\npair.left -= 3\nrow = {'a': 1}\nrow['a'] <<= 3\nreturn alias, pair, row"),
    Node("AnnAssign", NATIVE, "value: int\nother: 'list[int]' = [1]\nvalue = 2\nreturn value, other"),
    Node("Delete", NATIVE, "value = 1\ndel value\ntry:\n    return value\nexcept NameError as error:\n    return type(error).__name__"),
    Node("If", NATIVE, "if LIMIT > 5:\n    return 1\nelif LIMIT > 2:\n    return 2\nelse:\n    return 3"),
    Node("For", NATIVE, "for x in range(5):\n    if x == 2:\n        break\nelse:\n    return 'all'\nreturn x"),
    Node("For", IMPLICIT, "out = []\nfor word in re.findall('[a-z]', 'a1b'):\n    out.append(re.sub('a', 'c', word))\nreturn out"),
    Node("While", NATIVE, "x = 0\nwhile x < 3:\n    x += 1\nelse:\n    x *= 10\nreturn x"),
    Node("Break", NATIVE, "while True:\n    try:\n        break\n    finally:\n        done = 1\nreturn done"),
    Node("Continue", NATIVE, "out = []\nfor x in range(3):\n    try:\n        continue\n    finally:\n        out.append(x)\nreturn out"),
    Node("Pass", NATIVE, "pass\nreturn 1"),
    Node("Return", NATIVE, "try:\n    return 1\nfinally:\n    await double(1)"),
    Node("Raise", NATIVE, "raise ValueError('a', 1) from KeyError('b')"),
    Node("Assert", NATIVE, "assert LIMIT == 4, f'it is {LIMIT}'"),
    Node("Try", NATIVE, "out = []\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    out.append(1)\nelse:\n    out.append(2)\nfinally:\n    out.append(3)\nreturn out"),
    Node("ExceptHandler", NATIVE, "try:\n    raise KeyError('k')\nexcept (ValueError, LookupError) as error:\n    return error.args"),
    Node("TryStar", "P0106", "try:\n    pass\nexcept* ValueError:\n    pass", since=(3, 11)),
    Node("With", NATIVE, "with contextlib.suppress(KeyError):\n    {}['a']\nreturn 1"),
    Node("With", IMPLICIT, "import io\nwith io.StringIO('a b') as file:\n    words = file.read().split()\nreturn words"),
    Node("With", "P0107", "import io\nwith io.StringIO('a b') as file:\n    await double(1)"),
    Node("withitem", IMPLICIT, "with contextlib.nullcontext(1) as first, contextlib.nullcontext([2, 3]) as (second, third):\n    return first, second, third"),
    Node("AsyncWith", NATIVE, "lock = asyncio.Lock()\nasync with lock:\n    inside = lock.locked()\nreturn inside, lock.locked()"),
    Node("AsyncFor", NATIVE, "async def numbers():\n    for x in range(3):\n        yield await double(x)\nout = []\nasync for x in numbers():\n    out.append(x)\nreturn out"),
    Node("FunctionDef", NATIVE, "def add(x: int, y: int = 2) -> int:\n    return x + y\nreturn add(1)"),
    Node("FunctionDef", "P0108", "@json.loads\ndef add(x):\n    return x\nreturn add(1)"),
    Node("AsyncFunctionDef", NATIVE, "async def twice(x):\n    return await double(await double(x))\nreturn await asyncio.gather(twice(1), twice(2))"),
    Node("arguments", NATIVE, "def f(a, b=1, /, c=2, *d, e, f=3, **g):\n    return a, b, c, d, e, f, g\nreturn f(0, e=5), f(0, 1, 2, 3, e=4, h=5)"),
    Node("arg", NATIVE, "def f(a: 'int') -> 'int':\n    return a\nreturn f(a=1)"),
    Node("ClassDef", "P0109", "class Inner:\n    pass\nreturn Inner()"),
    Node("Global", NATIVE, "global LIMIT\nreturn LIMIT"),
    Node("Global", "P0206", "global LIMIT\nLIMIT = 4"),
    Node("Nonlocal", NATIVE, "count = 0\ndef up():\n    nonlocal count\n    count += 1\nup()\nup()\nreturn count"),
    Node("Import", NATIVE, "import math\nreturn math.floor(2.5)"),
    Node("ImportFrom", IMPLICIT, "from textwrap import shorten as cut\nreturn cut('a long text', 8)"),
    Node("alias", NATIVE, "from math import floor as down\nreturn down(2.5)"),
    Node("alias", "P0209", "import nowhere_at_all"),
    Node("TypeAlias", "P0109", "type Row = list[int]", since=(3, 12)),
    Node("TypeVar", NATIVE, "def same[T](x: T) -> T:\n    return x\nreturn same(1)", since=(3, 12)),
    Node("ParamSpec", NATIVE, "def call[**P](*args: P.args, **options: P.kwargs) -> int:\n    return len(args)\nreturn call(1, 2)", since=(3, 12)),
    Node("TypeVarTuple", NATIVE, "def call[*T](*args: *T) -> int:\n    return len(args)\nreturn call(1, 2)", since=(3, 12)),
    # Patterns.
    Node("Match", NATIVE, "match LIMIT:\n    case 1:\n        return 1\n    case _:\n        return 2"),
    Node("match_case", NATIVE, "match LIMIT:\n    case x if x > 5:\n        return 'big'\n    case x if await double(x) == 6:\n        return 'six'"),
    Node("MatchValue", NATIVE, "match Kind.TWO:\n    case Kind.ONE:\n        return 1\n    case Kind.TWO:\n        return 2"),
    Node("MatchSingleton", NATIVE, "match None:\n    case True:\n        return 1\n    case None:\n        return 2"),
    Node("MatchSequence", NATIVE, "match [1, (2, 3)]:\n    case (a, [b, c]):\n        return a, b, c"),
    Node("MatchStar", NATIVE, "match [1, 2, 3]:\n    case [first, *rest]:\n        return first, rest"),
    Node("MatchMapping", NATIVE, "match {'a': 1, 'b': 2}:\n    case {'a': x, **rest}:\n        return x, rest"),
    Node("MatchClass", NATIVE, "match Pair(1, 2):\n    case Pair(1, right=int(y)):\n        return y"),
    Node("MatchAs", NATIVE, "match (1, 2):\n    case (1 as x, _) as both:\n        return x, both"),
    Node("MatchOr", NATIVE, "match 2:\n    case 1 | 2 | 3:\n        return 'few'"),
]  # fmt: skip


def node_types(base: type[ast.AST] = ast.AST) -> set[str]:
    """The concrete ones of this Python."""
    found: set[str] = set()
    for cls in base.__subclasses__():
        if cls.__module__ in ("ast", "_ast"):
            found |= node_types(cls) or {cls.__name__}
    return found


def test_every_node_type_has_a_case():
    assert node_types() - {node.name for node in NODES} - NEVER == set()


@pytest.mark.parametrize("number", range(len(NODES)), ids=[f"{node.name}-{node.fate.replace(' ', '_')}" for node in NODES])
def test_node(number: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    node = NODES[number]
    if sys.version_info < node.since:
        pytest.skip(f"since Python {node.since[0]}.{node.since[1]}")
    body = textwrap.indent(node.body, " " * 8)
    source = f"{SURROUNDINGS}\n@workflow\nclass Node{number}(Workflow):\n    async def run(self):\n{body}\n"
    assert node.name in {type(each).__name__ for each in ast.walk(ast.parse(source).body[-1])}
    module = f"node_{number}"
    (tmp_path / f"{module}.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    if node.fate.startswith("P"):
        with pytest.raises(CompileError) as refused:
            importlib.import_module(module)
        assert node.fate in {problem.code for problem in refused.value.problems}
        return
    case = Case(getattr(importlib.import_module(module), f"Node{number}"))
    fates = {note.fate for note in case.workflow.__waymark__.compiled().notes}  # type: ignore[attr-defined]
    assert (IMPLICIT in fates) == (node.fate == IMPLICIT)
    assert run_in_memory(case) == run_inline(case)


@pytest.mark.parametrize("test", ["n == {}", "int(json.dumps({})) == n"])
def test_a_long_chain_of_elif(test: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is nested in the one before; neither the compiler nor the program may run out of depth."""
    arms = 600
    chain = [f"{'elif' if number else 'if'} {test.format(number)}:\n    found = await double({number})" for number in range(arms)]
    body = "\n".join([*chain, "else:\n    found = None", "return json.dumps([n, found])"])
    name = f"chain_{'json' in test}"
    source = (
        "import json\nfrom waymark import Workflow, action, workflow\n\n"
        "@action\nasync def double(n: int) -> int:\n    return n * 2\n\n"
        f"@workflow(name={name!r})\nclass Chain(Workflow):\n    async def run(self, n: int) -> str:\n"
    )
    (tmp_path / f"{name}.py").write_text(source + textwrap.indent(body, " " * 8) + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    chain_class = importlib.import_module(name).Chain
    for n in (0, 17, arms - 1, arms):
        case = Case(chain_class, (n,))
        assert run_in_memory(case) == run_inline(case)
