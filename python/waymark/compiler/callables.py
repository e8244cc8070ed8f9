"""Functions that the library makes (`partial`, `itemgetter`, …), written as lambdas: those can stay in the workflow."""

from __future__ import annotations

import ast
import functools
import operator
from typing import Any


def as_lambda(live: Any, node: ast.Call) -> ast.expr | None:
    """The same function as a lambda; None where it is not one of these. Its arguments are evaluated once, as they would be."""
    if any(isinstance(each, ast.Starred) for each in node.args) or not node.args or any(each.arg is None for each in node.keywords):
        return None
    given = [*node.args, *(each.value for each in node.keywords)]
    names = [f"_given_{at}" for at in range(len(given))]
    if live is functools.partial:
        body = _partial(node, names)
    elif live is operator.itemgetter and not node.keywords:
        body = _each([f"_each[{name}]" for name in names])
    elif live is operator.attrgetter and not node.keywords:
        paths = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if len(paths) < len(node.args) or not all(part.isidentifier() for path in paths for part in path.split(".")):
            return None
        body = _each([f"_each.{path}" for path in paths])
    elif live is operator.methodcaller and isinstance(node.args[0], ast.Constant):
        body = f"lambda _each: _each.{node.args[0].value}({_passed(node, names)})"
    else:
        return None
    made = ast.parse(f"(lambda {', '.join(names)}: {body})()", mode="eval").body
    assert isinstance(made, ast.Call)
    made.args = given
    for inner in ast.walk(made):
        if hasattr(inner, "lineno") and not any(inner is each for every in given for each in ast.walk(every)):
            ast.copy_location(inner, node)
    return made


def _each(parts: list[str]) -> str:
    return f"lambda _each: {parts[0]}" if len(parts) == 1 else f"lambda _each: ({', '.join(parts)})"


def _passed(node: ast.Call, names: list[str]) -> str:
    """All arguments but the first."""
    count = len(node.args)
    return ", ".join([*names[1:count], *(f"{each.arg}={name}" for each, name in zip(node.keywords, names[count:], strict=True))])


def _partial(node: ast.Call, names: list[str]) -> str:
    count = len(node.args)
    positional = "".join(f"{name}, " for name in names[1:count])
    fixed = ", ".join(f"{each.arg!r}: {name}" for each, name in zip(node.keywords, names[count:], strict=True))
    return f"lambda *_rest, **_options: {names[0]}({positional}*_rest, **{{{fixed + ', ' if fixed else ''}**_options}})"
