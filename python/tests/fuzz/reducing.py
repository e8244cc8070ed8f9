"""Makes a differing program smaller: what can be left out without making the two agree is left out."""

from __future__ import annotations

import ast
import copy
import dataclasses
import itertools
import pathlib
import sys
import tempfile
import time
from collections.abc import Iterator

from fuzz import running
from fuzz.programs import Program

SECONDS_MAX = 60
_numbers = itertools.count(1)


def reduce(program: Program, seconds: float = SECONDS_MAX) -> Program:
    """Deletes statements, then puts blocks in the place of the statements around them, as long as it still differs in the same way."""
    until = time.monotonic() + seconds
    kind = _failure(program)
    if kind is None:
        return program
    changed = True
    while changed and time.monotonic() < until:
        changed = False
        for smaller in _smaller(program.source):
            if time.monotonic() > until:
                break
            candidate = dataclasses.replace(program, source=smaller)
            if _failure(candidate) == kind:
                program, changed = candidate, True
                break
    return program


def _failure(program: Program) -> str | None:
    """A word for how it differs: other differences do not count."""
    name = f"fuzz_reduced_{next(_numbers)}"
    try:
        with tempfile.TemporaryDirectory() as folder:
            module = running.load([program], name, pathlib.Path(folder))
            verdict = running.judge(getattr(module, program.name), program.seed)
    except Exception:
        return None
    finally:
        sys.modules.pop(name, None)
    if verdict.kind != "differs":
        return None
    if not verdict.detail.startswith("line"):
        return verdict.detail[:30]
    ends = [line.split("  ", 1)[0] for line in verdict.detail.splitlines()[-2:]]
    unbound = "UnboundLocalError" in verdict.detail or "NameError" in verdict.detail
    return f"differs {unbound} {len(ends)}"


def _smaller(source: str) -> Iterator[str]:
    """Large pieces first."""
    tree = ast.parse(source)
    places = [
        (node, field, at)
        for node in ast.walk(tree)
        for field in ("body", "orelse", "finalbody", "handlers", "cases")
        if isinstance(getattr(node, field, None), list)
        for at in range(len(getattr(node, field)))
    ]
    sizes = {id(place[0]): 0 for place in places}
    del sizes
    places.sort(key=lambda place: -_size(getattr(place[0], place[1])[place[2]]))
    for node, field, at in places:
        block = getattr(node, field)
        taken = block.pop(at)
        emptied = not block and field in ("body",)
        if emptied and not isinstance(node, ast.Module):
            block.append(ast.Pass())
        if not (emptied and isinstance(taken, ast.Pass)):
            text = _written(tree)
            if text is not None:
                yield text
        if emptied:
            block.clear()
        inner = [*getattr(taken, "body", []), *getattr(taken, "orelse", [])] if not isinstance(taken, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) else []
        if inner and isinstance(inner[0], ast.stmt) and isinstance(taken, ast.stmt):
            block[at:at] = inner
            text = _written(tree)
            if text is not None:
                yield text
            del block[at : at + len(inner)]
        block.insert(at, taken)
    yield from _smaller_expressions(tree)


def _smaller_expressions(tree: ast.Module) -> Iterator[str]:
    """Puts a part of an expression into its place."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                for part in _parts(value):
                    setattr(node, field, part)
                    text = _written(tree)
                    if text is not None:
                        yield text
                setattr(node, field, value)
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr):
                for at, item in enumerate(value):
                    del value[at]
                    text = _written(tree)
                    if text is not None:
                        yield text
                    value.insert(at, item)
                    for part in _parts(item):
                        value[at] = part
                        text = _written(tree)
                        if text is not None:
                            yield text
                    value[at] = item


def _parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, (ast.Constant, ast.Name)) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return []
    inside = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return [ast.Constant(1), *inside[:4]]


def _size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def _written(tree: ast.Module) -> str | None:
    try:
        text = ast.unparse(ast.fix_missing_locations(copy.copy(tree)))
        compile("from __future__ import annotations\n" + text, "reduced", "exec")
        return text
    except (SyntaxError, ValueError, AttributeError):
        return None
