"""Expressions that the runner evaluates by itself."""

from __future__ import annotations

import ast
import datetime
import enum
from collections.abc import Sequence
from typing import Any

from waymark._proto import program_pb2 as pb
from waymark.compiler import builder as b
from waymark.compiler import scope, source, statics
from waymark.compiler.unit import Names, Unit
from waymark.errors import CannotTravel
from waymark.values import encode


class Expressions(Unit):
    def expr(self, node: ast.expr) -> int:
        if self.is_cut(node):
            return self.cut_expression(node)
        compile_node = getattr(self, "expr_" + type(node).__name__, None)
        if compile_node is None:
            self.refuse(
                node, "P0101", f"{type(node).__name__} is not supported in a workflow", "this expression",
                "move it into an action",
            )  # fmt: skip
        return compile_node(node)

    def exprs(self, nodes: Sequence[ast.expr]) -> list[int]:
        return [self.expr(node) for node in nodes]

    def operand(self, node: ast.expr) -> int:
        """Where a coroutine makes no sense: it is true, and equal to nothing, whatever it would give."""
        self.refuse_unawaited(node)  # type: ignore[attr-defined]
        return self.expr(node)

    def optional(self, node: ast.expr | None) -> int:
        return 0 if node is None else self.expr(node)

    def expr_Constant(self, node: ast.Constant) -> int:
        if isinstance(node.value, complex):
            self.refuse(node, "P0102", "complex numbers can't be kept in a workflow", "a complex number",
                        "compute with it inside an action")  # fmt: skip
        return self.builder.const(self.span(node), node.value)

    def expr_Name(self, node: ast.Name) -> int:
        span = self.span(node)
        if self.is_self(node):
            return self.self_object(node)
        if self.names.is_local(node.id):
            return self.builder.name(span, node.id)
        static = self.static(node)
        if static is None:
            self.refuse(node, "P0201", f"the name `{node.id}` is not defined", "not found here or in the module",
                        self.suggestion(node.id))  # fmt: skip
        return self.value_of(node, static)

    def expr_Attribute(self, node: ast.Attribute) -> int:
        if self.is_self(node.value):
            return self.self_attribute(node)
        static = self.static(node)
        if static is not None:
            return self.value_of(node, static)
        base = self.static(node.value)
        if isinstance(base, statics.Module):
            self.refuse(node, "P0202", f"the module {base.module.__name__} has no attribute `{node.attr}`",
                        "not found", "check the spelling")  # fmt: skip
        return self.builder.attribute(self.span(node), self.expr(node.value), node.attr)

    def value_of(self, node: ast.expr, static: statics.Static) -> int:
        """Something from outside of the function, as a value."""
        span = self.span(node)
        if isinstance(static, statics.Native):
            return self.reference(span, static.name)
        if isinstance(static, statics.Class):
            name = self.program.types.declare(static.cls)
            if name is None:
                why = self.program.types.refused[static.cls]
                self.refuse(node, "P0203", f"the class {static.cls.__name__} can't be used in a workflow: {why}",
                            "this class", "define it at the top level of a module")  # fmt: skip
            return self.reference(span, name)
        if isinstance(static, statics.Called):
            return self.reference(span, self.program.action_function(static.action))
        if isinstance(static, statics.Helper):
            return self.helper_value(node, static)
        if isinstance(static, statics.Constant):
            return self.constant(node, static.value)
        what = {
            statics.Module: "a module", statics.Child: "a workflow's class", statics.Log: "a logger",
        }.get(type(static), "this")  # fmt: skip
        self.refuse(node, "P0204", f"{what} can't be a value in a workflow", "used as a value here",
                    "use it where it is needed, or move this into an action")  # fmt: skip

    def constant(self, node: ast.expr, value: object) -> int:
        """A live value, copied into the program. What has a name keeps it."""
        span = self.span(node)
        kind = type(value)
        try:
            if kind in (list, tuple, set, frozenset, dict) and not statics.is_constant_data(value):
                return self._container(node, value)
            if isinstance(value, enum.Enum):
                name = self.program.types.declare(kind)
                if name is not None and not self.program.types.is_opaque(kind):
                    return self.builder.attribute(span, self.reference(span, name), value.name)
            if isinstance(value, datetime.tzinfo):
                return self._zone(node, value)
            if not statics.is_plain(value):
                self.program.types.declare(kind)
            return self.builder.const(span, value)
        except CannotTravel as error:
            self.refuse(node, "P0205", f"this value can't be copied into the program: {error}", "a value that can't travel",
                        "use it inside an action")  # fmt: skip

    def _zone(self, node: ast.expr, zone: datetime.tzinfo) -> int:
        """Zones are made by the runner: its own know what its datetimes ask of them."""
        span = self.span(node)
        if zone is datetime.timezone.utc:
            return self.reference(span, "datetime.timezone.utc")
        path, parts = "zoneinfo.ZoneInfo", (getattr(zone, "key", None),)
        if isinstance(zone, datetime.timezone):
            path, parts = "datetime.timezone", zone.__getinitargs__()  # type: ignore[attr-defined]
        made = [b.positional(self.builder.const(span, part)) for part in parts]
        return self.builder.call(span, self.reference(span, path), made)

    def _container(self, node: ast.expr, value: object) -> int:
        span = self.span(node)
        if isinstance(value, dict):
            items = [pb.DictItem(key=self._item(node, key), value=self._item(node, item)) for key, item in value.items()]
            return self.builder.expression(span, dict=pb.Dict(items=items))
        parts: Any = sorted(value, key=_place) if isinstance(value, (set, frozenset)) else value
        items = pb.Items(items=[self._item(node, item) for item in parts])
        if isinstance(value, frozenset):
            inner = self.builder.expression(span, list=items)
            return self.builder.call(span, self.reference(span, "frozenset"), [b.positional(inner)])
        return self.builder.expression(span, **{type(value).__name__: items})

    def _item(self, node: ast.expr, value: object) -> int:
        static = statics.classify(value, "")
        return self.value_of(node, static)

    def expr_BinOp(self, node: ast.BinOp) -> int:
        left, right = self.operand(node.left), self.operand(node.right)
        return self.builder.expression(self.span(node), binary=pb.Binary(operator=b.BINARY[type(node.op)], left=left, right=right))

    def expr_UnaryOp(self, node: ast.UnaryOp) -> int:
        operand = self.operand(node.operand)
        return self.builder.expression(self.span(node), unary=pb.Unary(operator=b.UNARY[type(node.op)], operand=operand))

    def expr_BoolOp(self, node: ast.BoolOp) -> int:
        # The last is the value, and not asked.
        operands = [*map(self.operand, node.values[:-1]), self.expr(node.values[-1])]
        return self.builder.expression(self.span(node), bool=pb.Bool(operator=b.BOOL[type(node.op)], operands=operands))

    def expr_Compare(self, node: ast.Compare) -> int:
        left, operands = self.operand(node.left), [self.operand(each) for each in node.comparators]
        operators = [b.COMPARE[type(operator)] for operator in node.ops]
        compare = pb.Compare(left=left, operators=operators, operands=operands)
        return self.builder.expression(self.span(node), compare=compare)

    def expr_IfExp(self, node: ast.IfExp) -> int:
        test, then, orelse = self.operand(node.test), self.expr(node.body), self.expr(node.orelse)
        return self.builder.expression(self.span(node), conditional=pb.Conditional(test=test, then=then, orelse=orelse))

    def expr_NamedExpr(self, node: ast.NamedExpr) -> int:
        value = self.expr(node.value)
        return self.builder.expression(self.span(node), walrus=pb.Walrus(name=node.target.id, value=value))

    def expr_Subscript(self, node: ast.Subscript) -> int:
        static = self.static(node)
        if static is not None:
            return self.value_of(node, static)
        base, index = self.expr(node.value), self.expr(node.slice)
        return self.builder.expression(self.span(node), index=pb.Index(base=base, index=index))

    def expr_Slice(self, node: ast.Slice) -> int:
        parts = pb.Slice(lower=self.optional(node.lower), upper=self.optional(node.upper), step=self.optional(node.step))
        return self.builder.expression(self.span(node), slice=parts)

    def expr_Starred(self, node: ast.Starred) -> int:
        return self.builder.expression(self.span(node), starred=self.expr(node.value))

    def expr_List(self, node: ast.List) -> int:
        return self.builder.expression(self.span(node), list=pb.Items(items=self.exprs(node.elts)))

    def expr_Tuple(self, node: ast.Tuple) -> int:
        return self.builder.expression(self.span(node), tuple=pb.Items(items=self.exprs(node.elts)))

    def expr_Set(self, node: ast.Set) -> int:
        return self.builder.expression(self.span(node), set=pb.Items(items=self.exprs(node.elts)))

    def expr_Dict(self, node: ast.Dict) -> int:
        items = [pb.DictItem(key=self.optional(key), value=self.expr(value)) for key, value in zip(node.keys, node.values, strict=True)]
        return self.builder.expression(self.span(node), dict=pb.Dict(items=items))

    def expr_JoinedStr(self, node: ast.JoinedStr) -> int:
        parts = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(pb.FormatPart(text=str(part.value)))
            elif isinstance(part, ast.FormattedValue):
                field = pb.FormatField(
                    value=self.operand(part.value),
                    conversion=b.CONVERSION[part.conversion],
                    spec=self.optional(part.format_spec),
                )
                parts.append(pb.FormatPart(field=field))
        return self.builder.expression(self.span(node), format=pb.Format(parts=parts))

    def expr_Await(self, node: ast.Await) -> int:
        if not self.is_async:
            self.refuse(node, "P0103", "`await` outside of an async function", "here", "make the function `async def`")
        if self.is_cut(node.value):
            if isinstance(node.value, ast.Call):
                self.refuse_call(node.value)
            self.refuse(
                node.value, "P0301", "this is awaited, but is neither an action nor something of the workflow",
                "runs outside of the workflow", "move it into a function with @action, and await that",
            )  # fmt: skip
        return self.builder.expression(self.span(node), **{"await": self.expr(node.value)})

    def expr_Yield(self, node: ast.Yield) -> int:
        return self.builder.expression(self.span(node), **{"yield": pb.Yield(value=self.optional(node.value))})

    def expr_YieldFrom(self, node: ast.YieldFrom) -> int:
        delegated = pb.Yield(value=self.expr(node.value), delegates=True)
        return self.builder.expression(self.span(node), **{"yield": delegated})

    def expr_Lambda(self, node: ast.Lambda) -> int:
        return self.builder.expression(self.span(node), **{"lambda": self.nested_function(node)})

    def expr_ListComp(self, node: ast.ListComp) -> int:
        return self._comprehension(node, "list")

    def expr_SetComp(self, node: ast.SetComp) -> int:
        return self._comprehension(node, "set")

    def expr_GeneratorExp(self, node: ast.GeneratorExp) -> int:
        return self._comprehension(node, "generator")

    def expr_DictComp(self, node: ast.DictComp) -> int:
        return self._comprehension(node, "dict")

    def _comprehension(self, node: scope.Comprehension, kind: str) -> int:
        outside = self.names
        bound = {name for clause in node.generators for name in scope.targets([clause.target])}
        first = self._iterable(node.generators[0])
        self.names = Names(bound, outside)
        try:
            clauses = []
            for at, clause in enumerate(node.generators):
                iterable = first if at == 0 else self._iterable(clause)
                target = self.target(clause.target)
                conditions = [self.operand(each) for each in clause.ifs]
                clauses.append(pb.Clause(target=target, iter=iterable, conditions=conditions, is_async=bool(clause.is_async)))
            if isinstance(node, ast.DictComp):
                made: Any = pb.DictItem(key=self.expr(node.key), value=self.expr(node.value))
            else:
                made = self.expr(node.elt)
        finally:
            self.names = outside
        return self.builder.expression(self.span(node), comprehension=pb.Comprehension(clauses=clauses, **{kind: made}))

    def _iterable(self, clause: ast.comprehension) -> int:
        return self.expr(clause.iter) if clause.is_async else self.iterable(clause.iter)

    def target(self, node: ast.expr) -> int:
        """What is assigned to."""
        if isinstance(node, ast.Name):
            if node.id in self.global_names:
                self.refuse_global(node)
            return self.builder.name(self.span(node), node.id)
        if isinstance(node, (ast.Tuple, ast.List)):
            items = pb.Items(items=[self.target(item) for item in node.elts])
            return self.builder.expression(self.span(node), tuple=items)
        if isinstance(node, ast.Starred):
            return self.builder.expression(self.span(node), starred=self.target(node.value))
        if isinstance(node, ast.Attribute):
            if self.is_self(node.value):
                return self.self_target(node)
            self._refuse_outside(node, node.value)
            return self.builder.attribute(self.span(node), self.expr(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            self._refuse_outside(node, node.value)
            if source.gives_attributes(node.value):
                shown = ast.unparse(node.value)
                self.refuse(node, "P0104", f"attributes can't be set through `{shown}` here", "this target",
                            "write `setattr(object, name, value)`")  # fmt: skip
            base, index = self.expr(node.value), self.expr(node.slice)
            return self.builder.expression(self.span(node), index=pb.Index(base=base, index=index))
        self.refuse(node, "P0104", f"{type(node).__name__} can't be assigned to here", "this target", "use a variable")

    def _refuse_outside(self, node: ast.expr, base: ast.expr) -> None:
        if self.static(base) is not None:
            self.refuse(
                node, "P0206", f"`{ast.unparse(base)}` belongs to the module, and is changed here",
                "a change that no other instance and no restart would see",
                "copy it into a variable first, or change it inside an action",
            )  # fmt: skip

    def is_cut(self, node: ast.expr) -> bool:
        """Whether this very node goes to a worker."""
        raise NotImplementedError


def _place(item: Any) -> str:
    """Where an item of a set comes in a program: the same in every process, where hashes of names and addresses are not."""
    if isinstance(item, datetime.tzinfo):
        return repr(item)
    kind = type(item)
    if kind in (tuple, list, set, frozenset):
        places = map(_place, item)
        return f"{kind.__name__}({', '.join(sorted(places) if kind in (set, frozenset) else places)})"
    if isinstance(item, enum.Enum):
        return f"{kind.__module__}:{kind.__qualname__}.{item.name}"
    if statics.is_constant_data(item):
        return encode(item).hex()
    # Of two that have no names of their own, the one that was written first.
    code = getattr(item, "__code__", None)
    return f"{item.__module__}:{item.__qualname__}:{code.co_firstlineno if code else 0:>9}"
