"""Evaluates pieces of a workflow's source over the values that it captured."""

from __future__ import annotations

import ast
import functools
import itertools
import linecache
from types import CodeType
from typing import Any

from waymark._proto.worker_pb2 import FragmentCall, Settled
from waymark.values.graph import Graph
from waymark.worker.answers import Answers

_numbers = itertools.count(1)
_FUNCTION = "_waymark_fragment"


def evaluate(call_id: int, call: FragmentCall, answers: Answers) -> Settled:
    try:
        graph = Graph(call.objects)
        names = graph.captures(call.captures)
        code = compiled_statements(call.source, tuple(names)) if call.writes else compiled(call.source)
    except Exception as error:
        return answers.failed(call_id, error)
    around: dict[str, Any] = {"__name__": __name__}  # Libraries look the module of their caller up.
    try:
        if call.writes:
            exec(code, around)
            value, objects = graph.results(list(call.writes), _assigned(call, around[_FUNCTION](**names)))
        else:
            value, objects = graph.result(eval(code, {**names, **around}))
    except BaseException as error:
        return _failed(call_id, error, graph, answers)
    return answers.fragment(call_id, value, objects)


def _assigned(call: FragmentCall, names: dict[str, Any]) -> dict[str, Any]:
    for name in call.writes:
        if name not in names:
            raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
    return names


def _failed(call_id: int, error: BaseException, graph: Graph, answers: Answers) -> Settled:
    try:
        return answers.fragment_raised(call_id, *graph.raised(error))
    except TypeError as cannot_travel:
        # What it changed can't be brought back: to go on without it would be wrong.
        cannot_travel.__context__ = error
        return answers.failed(call_id, cannot_travel)


@functools.lru_cache(maxsize=4096)
def compiled(expression: str) -> CodeType:
    name = _file_of(expression)
    return compile(expression, name, "eval", dont_inherit=True)


@functools.lru_cache(maxsize=4096)
def compiled_statements(source: str, captures: tuple[str, ...]) -> CodeType:
    """A function of these variables, which gives all that it has then. In a module, reading one that is not assigned is another error."""
    name = _file_of(source)
    module = ast.parse(f"def {_FUNCTION}({', '.join(captures)}): return locals()")
    [function] = module.body
    assert isinstance(function, ast.FunctionDef)
    function.body[:0] = ast.parse(source, name).body
    return compile(module, name, "exec", dont_inherit=True)


def _file_of(source: str) -> str:
    """So that tracebacks show the line."""
    name = f"<fragment {next(_numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    return name
