"""Evaluates pieces of a workflow's source over the values that it captured."""

from __future__ import annotations

import functools
import itertools
import linecache
from types import CodeType
from typing import Any

from waymark._proto.worker_pb2 import FragmentCall, Settled
from waymark.values.graph import Graph
from waymark.worker.answers import Answers

_numbers = itertools.count(1)


def evaluate(call_id: int, call: FragmentCall, answers: Answers) -> Settled:
    try:
        code = compiled(call.source, not call.writes)
        graph = Graph(call.objects)
        names = graph.captures(call.captures)
    except Exception as error:
        return answers.failed(call_id, error)
    names["__name__"] = __name__  # Libraries look the module of their caller up.
    try:
        if call.writes:
            exec(code, names)
            value, objects = graph.results(list(call.writes), _assigned(call, names))
        else:
            value, objects = graph.result(eval(code, names))
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
def compiled(source: str, is_expression: bool) -> CodeType:
    name = f"<fragment {next(_numbers)}>"
    code = compile(source, name, "eval" if is_expression else "exec", dont_inherit=True)
    # So that tracebacks show the line.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    return code
