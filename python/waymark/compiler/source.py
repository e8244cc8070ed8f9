"""From a live function to its syntax tree, with the line and column numbers of its file."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import types

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


# Longer chains of `elif` are laid flat.
_NESTED_ARMS_MAX = 16


class NoSource(Exception):
    """The source of a function can't be read; says why."""


class File:
    """A file of Python: its text and its tree. Functions are found by the line their code starts at."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.lines = text.splitlines()
        self.tree = _laid_flat(_parsed(text, path))
        self._functions: dict[tuple[int, str], FunctionNode] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                # Code starts at its first decorator.
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                self._functions[first, node.name] = node
            elif isinstance(node, ast.Lambda):
                self._functions.setdefault((node.lineno, "<lambda>"), node)

    def function(self, code: types.CodeType) -> FunctionNode | None:
        return self._functions.get((code.co_firstlineno, code.co_name))

    def line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


def _parsed(text: str, path: str) -> ast.Module:
    """Python 3.11 takes what the garbage collector reports in the middle for a fault of its own, and says so by a SystemError."""
    try:
        return ast.parse(text, path)
    except SystemError:
        return ast.parse(text, path)


def _laid_flat(tree: ast.Module) -> ast.Module:
    """In the forms that the compiler takes.

    With `match None: case _ if test: …` for long chains of `elif`: each is nested in the one before, and programs have a depth.
    """
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if not isinstance(statements, list) or isinstance(node, ast.If) and name == "orelse" and len(statements) == 1:
                continue
            for at, statement in reversed(list(enumerate(statements))):
                if isinstance(statement, ast.If):
                    statements[at] = _flat(statement)
                else:
                    statements[at : at + 1] = _through_attributes(statement)
    return tree


def _through_attributes(node: ast.stmt) -> list[ast.stmt]:
    """`vars(order)["count"] = 1` as a call, which can go to a worker with the object that it changes."""
    if not isinstance(node, (ast.Assign, ast.AugAssign, ast.Delete)):
        return [node]
    targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
    target = targets[0] if len(targets) == 1 else None
    if (
        not isinstance(target, ast.Subscript)
        or not gives_attributes(target.value)
        or not isinstance(target.slice, (ast.Name, ast.Constant))
    ):
        return [node]
    held, kept = ast.Name(_HELD, ast.Load()), ast.Name(_HELD, ast.Store())
    made: list[ast.stmt] = []
    given: list[ast.expr] = [target.slice]
    if isinstance(node, ast.Delete):
        method = "__delitem__"
    else:
        # In the order of Python: what is assigned comes first.
        if isinstance(node, ast.AugAssign):
            before = ast.Subscript(copy.deepcopy(target.value), copy.deepcopy(target.slice), ast.Load())
            made += [ast.Assign([kept], before), ast.AugAssign(ast.Name(_HELD, ast.Store()), node.op, node.value)]
        else:
            made.append(ast.Assign([kept], node.value))
        method = "__setitem__"
        given.append(held)
    made.append(ast.Expr(ast.Call(ast.Attribute(target.value, method, ast.Load()), given, [])))
    for statement in made:
        ast.copy_location(statement, node)
        for inner in ast.walk(statement):
            if not hasattr(inner, "lineno"):
                ast.copy_location(inner, node)
    return made


#: What is on its way into an object's attributes.
_HELD = "_waymark_held"


def gives_attributes(node: ast.expr) -> bool:
    """`vars(order)`, `order.__dict__`"""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "vars" and len(node.args) == 1
    return isinstance(node, ast.Attribute) and node.attr == "__dict__"


def _flat(node: ast.If) -> ast.stmt:
    arms, last = [node], node.orelse
    while len(last) == 1 and isinstance(last[0], ast.If):
        arms.append(last[0])
        last = last[0].orelse
    if len(arms) <= _NESTED_ARMS_MAX:
        return node
    cases = [ast.match_case(ast.copy_location(ast.MatchAs(), arm.test), arm.test, arm.body) for arm in arms]
    if last:
        cases.append(ast.match_case(ast.copy_location(ast.MatchAs(), last[0]), None, last))
    return ast.copy_location(ast.Match(ast.copy_location(ast.Constant(None), node.test), cases), node)


@functools.lru_cache(maxsize=256)
def _file(path: str, text: str) -> File:
    return File(path, text)


def find(function: types.FunctionType) -> tuple[File, FunctionNode]:
    """The file of a function and its node in it. Raises `NoSource`."""
    name = function.__qualname__
    try:
        lines, _ = inspect.findsource(function)
        path = inspect.getsourcefile(function) or function.__code__.co_filename
    except (OSError, TypeError) as error:
        where = function.__code__.co_filename
        raise NoSource(f"the source of {name} can't be read ({where}): {error}") from None
    try:
        file = _file(path, "".join(lines))
    except SyntaxError as error:
        raise NoSource(f"{path} has changed since it was imported: {error}") from None
    node = file.function(function.__code__)
    if node is None:
        raise NoSource(f"{path} has changed since {name} was imported from it")
    return file, node
