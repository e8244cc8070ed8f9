"""Makes a differing program smaller: what can be left out without making the two agree is left out."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import pathlib
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator

from fuzz import running
from fuzz.programs import Program

SECONDS_MAX = 60
_numbers = itertools.count(1)


def reduce(program: Program, seconds: float = SECONDS_MAX) -> Program:
    """Tries one edit after another; those after which it still differs in the same way stay."""
    until = time.monotonic() + seconds
    kind = _failure(program)
    if kind is None:
        return program
    for edits in (_deletions, _unwrappings, _simplifications) * 3:
        at = 0
        while time.monotonic() < until:
            smaller = _edited(program.source, edits, at)
            if smaller is None:
                break
            candidate = dataclasses.replace(program, source=smaller)
            if smaller != program.source and _failure(candidate) == kind:
                program = candidate
            else:
                at += 1
    return program


def _failure(program: Program) -> str | None:
    """A word for how it differs: other differences do not count."""
    name = f"fuzz_reduced_{next(_numbers)}"
    try:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = running.load([program], name, pathlib.Path(folder))
            verdict = running.judge(getattr(module, program.name), program.seed)
    except Exception:
        return None
    finally:
        sys.modules.pop(name, None)
    if verdict.kind != "differs":
        return None
    if not verdict.detail.startswith("line"):
        return re.sub(r"Fuzz\d+|/\S+", "", verdict.detail)[:60]
    return " / ".join(re.sub(r"\d+", "", line)[:34].split("(")[0] for line in verdict.detail.splitlines()[-3:-1])


def _edited(source: str, edits: Callable[[ast.Module], Iterator[None]], at: int) -> str | None:
    """The source after the edit of this number; itself where that makes no program; None: there are no more."""
    tree = ast.parse(source)
    if next(itertools.islice(edits(tree), at, None), tree) is tree:
        return None
    try:
        text = ast.unparse(ast.fix_missing_locations(tree))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile("from __future__ import annotations\n" + text, "reduced", "exec")
        return text
    except (SyntaxError, ValueError, AttributeError):
        return source


# Each edit is made, yielded, and undone if it is not wanted.


def _blocks(tree: ast.Module) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                yield node, field, block


def _deletions(tree: ast.Module) -> Iterator[None]:
    for node, field, block in list(_blocks(tree)):
        for at in range(len(block) - 1, -1, -1):
            before = list(block)
            if isinstance(block[at], ast.Pass) and len(block) == 1:
                continue
            del block[at]
            if not block and field == "body" and not isinstance(node, ast.Module):
                block.append(ast.Pass())
            yield
            block[:] = before


def _unwrappings(tree: ast.Module) -> Iterator[None]:
    """Puts the body of a statement in its place."""
    for _, _, block in list(_blocks(tree)):
        for at, statement in enumerate(list(block)):
            if isinstance(statement, (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.AsyncFor)):
                before = list(block)
                block[at : at + 1] = statement.body
                yield
                block[:] = before


def _simplifications(tree: ast.Module) -> Iterator[None]:
    """Puts a part of an expression into its place."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                for part in _parts(value):
                    setattr(node, field, part)
                    yield
                setattr(node, field, value)
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr):
                before = list(value)
                for at, item in enumerate(before):
                    del value[at]
                    yield
                    value[:] = before
                    for part in _parts(item):
                        value[at] = part
                        yield
                    value[:] = before


def _parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, (ast.Constant, ast.Name)) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return []
    inside = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr) and child is not getattr(node, "func", None)]
    return [ast.Constant(1), *inside[:4]]
