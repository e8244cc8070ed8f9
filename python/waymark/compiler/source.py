"""From a live function to its syntax tree, with the line and column numbers of its file."""

from __future__ import annotations

import ast
import functools
import inspect
import types

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class NoSource(Exception):
    """The source of a function can't be read; says why."""


class File:
    """A file of Python: its text and its tree. Functions are found by the line their code starts at."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.lines = text.splitlines()
        self.tree = ast.parse(text, path)
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
