"""Writes a program in its wire form: a flat list of nodes, children before their parents.

Every method adds one node and gives its id. What a node means stands in `program.proto`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from waymark._proto import program_pb2 as pb
from waymark.values import encode

Span = tuple[int, ...]
NOWHERE: Span = ()

BINARY = {
    ast.Add: pb.BINARY_OPERATOR_ADD,
    ast.Sub: pb.BINARY_OPERATOR_SUBTRACT,
    ast.Mult: pb.BINARY_OPERATOR_MULTIPLY,
    ast.Div: pb.BINARY_OPERATOR_DIVIDE,
    ast.FloorDiv: pb.BINARY_OPERATOR_FLOOR_DIVIDE,
    ast.Mod: pb.BINARY_OPERATOR_MODULO,
    ast.Pow: pb.BINARY_OPERATOR_POWER,
    ast.MatMult: pb.BINARY_OPERATOR_MATRIX_MULTIPLY,
    ast.LShift: pb.BINARY_OPERATOR_SHIFT_LEFT,
    ast.RShift: pb.BINARY_OPERATOR_SHIFT_RIGHT,
    ast.BitAnd: pb.BINARY_OPERATOR_BIT_AND,
    ast.BitOr: pb.BINARY_OPERATOR_BIT_OR,
    ast.BitXor: pb.BINARY_OPERATOR_BIT_XOR,
}
UNARY = {
    ast.Not: pb.UNARY_OPERATOR_NOT,
    ast.USub: pb.UNARY_OPERATOR_NEGATIVE,
    ast.UAdd: pb.UNARY_OPERATOR_POSITIVE,
    ast.Invert: pb.UNARY_OPERATOR_INVERT,
}
COMPARE = {
    ast.Eq: pb.COMPARE_OPERATOR_EQUAL,
    ast.NotEq: pb.COMPARE_OPERATOR_NOT_EQUAL,
    ast.Lt: pb.COMPARE_OPERATOR_LESS,
    ast.LtE: pb.COMPARE_OPERATOR_LESS_EQUAL,
    ast.Gt: pb.COMPARE_OPERATOR_GREATER,
    ast.GtE: pb.COMPARE_OPERATOR_GREATER_EQUAL,
    ast.In: pb.COMPARE_OPERATOR_IN,
    ast.NotIn: pb.COMPARE_OPERATOR_NOT_IN,
    ast.Is: pb.COMPARE_OPERATOR_IS,
    ast.IsNot: pb.COMPARE_OPERATOR_IS_NOT,
}
BOOL = {ast.And: pb.BOOL_OPERATOR_AND, ast.Or: pb.BOOL_OPERATOR_OR}
CONVERSION = {
    -1: pb.CONVERSION_UNSPECIFIED,
    ord("s"): pb.CONVERSION_STR,
    ord("r"): pb.CONVERSION_REPR,
    ord("a"): pb.CONVERSION_ASCII,
}

_EMPTY = pb.Empty()
_INT_MAX = 2**63 - 1


def wire_value(value: Any) -> pb.Value:
    """A constant. Raises `CannotTravel` for what has no wire form."""
    kind = type(value)
    if value is None:
        return pb.Value(none=_EMPTY)
    if kind is bool:
        return pb.Value(bool=value)
    if kind is int and -_INT_MAX - 1 <= value <= _INT_MAX:
        return pb.Value(int=value)
    if kind is float:
        return pb.Value(float=value)
    if kind is str and _is_utf8(value):
        return pb.Value(str=value)
    if kind is bytes:
        return pb.Value(bytes=value)
    return pb.Value(payload=encode(value))


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Builder:
    def __init__(self, name: str) -> None:
        self.program = pb.Program(name=name, dialect=pb.DIALECT_PYTHON, semantics=1, entry="main")
        self._nodes = self.program.nodes
        #: Names of those that are called.
        self.actions: set[str] = set()

    def _add(self, span: Span) -> pb.Node:
        node = self._nodes.add()
        if span:
            node.span.extend(span)
        return node

    def expression(self, span: Span, **kind: Any) -> int:
        self._add(span).expression.CopyFrom(pb.Expression(**kind))
        return len(self._nodes)

    def statement(self, span: Span, **kind: Any) -> int:
        self._add(span).statement.CopyFrom(pb.Statement(**kind))
        return len(self._nodes)

    def pattern(self, span: Span, **kind: Any) -> int:
        self._add(span).pattern.CopyFrom(pb.Pattern(**kind))
        return len(self._nodes)

    def function(
        self,
        span: Span,
        name: str,
        durable: bool,
        params: Sequence[pb.Param],
        body: Iterable[int],
        origin: pb.Origin | None = None,
    ) -> int:
        kind = pb.FUNCTION_KIND_DURABLE if durable else pb.FUNCTION_KIND_PLAIN
        self._add(span).function.CopyFrom(pb.Function(name=name, kind=kind, params=params, body=body, origin=origin))
        return len(self._nodes)

    # The commonest expressions.

    def const(self, span: Span, value: Any) -> int:
        return self.expression(span, const=wire_value(value))

    def name(self, span: Span, name: str) -> int:
        return self.expression(span, name=name)

    def path(self, span: Span, path: str) -> int:
        """A dotted name: `asyncio.gather`."""
        root, *rest = path.split(".")
        base = self.name(span, root)
        for name in rest:
            base = self.attribute(span, base, name)
        return base

    def attribute(self, span: Span, base: int, name: str) -> int:
        return self.expression(span, attribute=pb.Attribute(base=base, name=name))

    def call(self, span: Span, callee: int, args: Sequence[pb.Arg] = ()) -> int:
        return self.expression(span, call=pb.Call(callee=callee, args=args))

    def fragment(self, span: Span, source: str, captures: Iterable[tuple[str, int]], writes: Sequence[str] = ()) -> int:
        named = [pb.Capture(name=name, value=value) for name, value in captures]
        return self.expression(span, fragment=pb.Fragment(source=source, captures=named, writes=writes))

    def action(self, span: Span, args: Sequence[pb.Arg], policy: pb.Policy | None, **target: str) -> int:
        self.actions.update(name for kind, name in target.items() if kind == "action")
        return self.expression(span, action=pb.ActionCall(args=args, policy=policy, **target))

    def assign(self, span: Span, name: str, value: int) -> int:
        target = self.name(span, name)
        return self.statement(span, assign=pb.Assign(targets=[target], value=value))

    def truncate(self, size: int) -> None:
        """Takes back everything that was added after the list had this size."""
        del self._nodes[size:]

    @property
    def size(self) -> int:
        return len(self._nodes)


def positional(value: int) -> pb.Arg:
    return pb.Arg(positional=value)


def keyword(name: str, value: int) -> pb.Arg:
    return pb.Arg(keyword=pb.KeywordArg(name=name, value=value))


def rest(value: int) -> pb.Arg:
    return pb.Arg(rest=value)


def options(value: int) -> pb.Arg:
    return pb.Arg(options=value)
