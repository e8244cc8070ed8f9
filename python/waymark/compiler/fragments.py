"""Writes fragments: source for a worker, with what its names stand for."""

from __future__ import annotations

import ast
import datetime
import enum
from collections.abc import Sequence
from typing import Any, NoReturn

from waymark._proto import program_pb2 as pb
from waymark.compiler import builder as b
from waymark.compiler import scope, standard, statics
from waymark.compiler.callables import as_lambda
from waymark.compiler.regions import ITEMS_UNTIL_RAISED, Region, Regions

_DONE = "_waymark_done"


class Fragments(Regions):
    def cut_expression(self, node: ast.expr) -> int:
        if isinstance(node, ast.Call):
            made = as_lambda(_live(self.static(node.func)), node)
            if made is not None:
                self.kept.append(made)
                return self.expr(made)
        writer = _Writer(self)
        span = self.span(node)
        if isinstance(node, (ast.Name, ast.Attribute)):
            static = self.static(node)
            if callable(_live(static)):
                return self._foreign_function(node, static)
        source: ast.AST = writer.cut(node)
        self.program.note_fragment(self.file, node)
        return self.builder.fragment(span, ast.unparse(source), writer.emit())

    def iterable(self, node: ast.expr) -> int:
        """What a loop of the workflow goes through: an iterator that a worker makes is read there. What it raised comes after its items."""
        span = self.span(node)
        if isinstance(node, ast.Name) and node.id in self.read_ahead:
            found = self.expr(node)
        elif self.is_lent(node):
            writer = _Writer(self)
            source = ast.Call(ast.parse(ITEMS_UNTIL_RAISED, mode="eval").body, [writer.cut(node)], [])
            self.program.note_fragment(self.file, node)
            found = self.builder.fragment(span, ast.unparse(source), writer.emit())
        else:
            return self.expr(node)
        replayed = self.program.helper(standard.replayed)
        assert replayed is not None
        return self.builder.call(span, self.reference(span, replayed), [b.positional(found)])

    def _is_consumer(self, node: ast.Call) -> bool:
        return isinstance(self.static(node.func), statics.Native) and any(isinstance(argument, ast.GeneratorExp) for argument in node.args)

    def _foreign_function(self, node: ast.expr, static: Any) -> int:
        """A library's function as a value: a function that calls it in a worker."""
        span = self.span(node)
        source = statics.source_of(static)
        if source is None:
            self._cannot_reach(node, ast.unparse(node))
        self.program.note_fragment(self.file, node)
        captures = ["_args", "_options"]

        def make() -> int:
            named = [(name, self.builder.name(span, name)) for name in captures]
            return self.builder.fragment(span, f"{source}(*_args, **_options)", named)

        return self.wrapper(span, make)

    def cut_region(self, statements: Sequence[ast.stmt], region: Region) -> list[int]:
        """Statements as one fragment; gives the statements that are left of them."""
        writer = _Writer(self)
        own = frozenset(scope.targets(statements))
        # What is read before it is assigned; all other variables are captured where they are met.
        for name in region.captures:
            if name in own:
                writer.capture_name(name)
        sources = [writer.first(statements[0], own), *(writer.inline(statement, own) for statement in statements[1:])]
        sources = [*writer.prologue, *sources]
        span = self._whole_span(statements)
        for statement in statements:
            self.program.note_fragment(self.file, statement)
        if region.unsure or region.kept:
            return self._cut_unsure(span, writer, sources, region)
        writes = region.writes or [_DONE]
        if not region.writes:
            sources.append(ast.Assign([ast.Name(_DONE, ast.Store())], ast.Constant(None)))
        return [self._assigned_fragment(span, writer, sources, writes)]

    def _assigned_fragment(self, span: b.Span, writer: _Writer, sources: list[Any], writes: Sequence[str]) -> int:
        module = ast.fix_missing_locations(ast.Module(sources, []))
        fragment = self.builder.fragment(span, ast.unparse(module), writer.emit(), writes)
        target = self.builder.expression(span, tuple=pb.Items(items=[self.builder.name(span, name) for name in writes]))
        return self.builder.statement(span, assign=pb.Assign(targets=[target], value=fragment))

    def _cut_unsure(self, span: b.Span, writer: _Writer, sources: list[Any], region: Region) -> list[int]:
        """A region that says which variables it has assigned, also when it raises: a handler may look at them."""
        names = sorted(region.kept | set(region.writes))
        held = {name: (self.temporary(), self.temporary()) for name in names}
        before = [f"{value} = None; {is_set} = False" for value, is_set in held.values()]
        look = {name: f"try:\n    {value} = {name}; {is_set} = True\nexcept NameError:\n    pass" for name, (value, is_set) in held.items()}
        writes = [part for each in held.values() for part in each]
        looks = [ast.parse(look[name]).body for name in region.writes]
        error = self.temporary()
        if region.kept:
            before.append(f"{error} = None")
            caught: list[Any] = ast.parse(f"{error} = _waymark_caught").body
            caught += [each for name in sorted(region.kept) for each in ast.parse(look[name]).body]
            handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), "_waymark_caught", caught)
            after = [each for every in looks for each in every]
            sources = [ast.Try(sources, [handler], after, [])]
            writes.append(error)
        else:
            sources = [*sources, *(each for every in looks for each in every)]
        sources = [*ast.parse("\n".join(before)).body, *sources]
        made = [self._assigned_fragment(span, writer, sources, writes)]
        for name, (value, is_set) in held.items():
            kept = self.builder.assign(span, name, self.builder.name(span, value))
            made.append(self._if(span, self.builder.name(span, is_set), kept))
        if region.kept:
            raised = self.builder.statement(span, **{"raise": pb.Raise(exception=self.builder.name(span, error))})
            made.append(self._if(span, self.builder.name(span, error), raised))
        return made

    def _if(self, span: b.Span, test: int, then: int) -> int:
        return self.builder.statement(span, **{"if": pb.If(test=test, body=[then])})

    def _whole_span(self, statements: Sequence[ast.stmt]) -> b.Span:
        first, last = self.span(statements[0]), self.span(statements[-1])
        return (first[0], first[1], last[0] + last[2] - first[0], last[3], first[4])

    def _cannot_reach(self, node: ast.AST, what: str) -> Any:
        self.refuse(
            node, "P0401", f"a worker can't reach `{what}`", "needed outside of the workflow here",
            "define it at the top level of a module, or pass it as an argument",
        )  # fmt: skip


class _Writer:
    """Rewrites source for a worker: variables stay and are captured, names of modules become imports."""

    def __init__(self, unit: Fragments) -> None:
        self.unit = unit
        self.captures: dict[str, int | ast.expr] = {}
        self.prologue: list[ast.stmt] = []
        """What patterns name: they take dotted names only."""

    def emit(self) -> list[tuple[str, int]]:
        return [(name, value if isinstance(value, int) else self.unit.expr(value)) for name, value in self.captures.items()]

    def capture_name(self, name: str) -> None:
        self.captures.setdefault(name, ast.Name(name, ast.Load()))

    def capture(self, node: ast.expr) -> ast.expr:
        for known, value in self.captures.items():
            if isinstance(value, ast.expr) and value is not node and ast.dump(value) == ast.dump(node) and _is_pure(node):
                return ast.Name(known, ast.Load())
        name = f"_{len(self.captures)}"
        self.captures[name] = node
        return ast.Name(name, ast.Load())

    def first(self, node: ast.stmt, own: frozenset[str]) -> Any:
        """The first statement of several: the runner can still evaluate the arguments of its call, and hand over less."""
        value = getattr(node, "value", None)
        if isinstance(node, (ast.Assign, ast.Expr)) and isinstance(value, ast.Call) and self.unit._is_cut_call(value):
            if not self.unit._is_consumer(value) and not scope.reads(value) & own:
                made = ast.copy_location(self.call(value), value)
                if isinstance(node, ast.Expr):
                    return ast.Expr(made)
                return ast.Assign([self.inline(target, own) for target in node.targets], made)
        return self.inline(node, own)

    def cut(self, node: ast.expr) -> ast.expr:
        """An expression that is cut, with as much of it as can be evaluated by the runner."""
        if isinstance(node, ast.Call) and not self.unit._is_consumer(node):
            return self.call(node)
        if isinstance(node, ast.Attribute) and self.unit.static(node) is None:
            return ast.Attribute(self.cut(node.value), node.attr, ast.Load())
        if isinstance(node, ast.Subscript):
            return ast.Subscript(self.cut(node.value), self.inline(node.slice, frozenset()), ast.Load())
        return self.inline(node, frozenset())

    def _callee(self, node: ast.Call, is_evaluated: bool) -> ast.expr | None:
        """What is called, before the runner evaluates arguments; None where the whole call is better left to the worker."""
        func = node.func
        if not isinstance(func, ast.Attribute) or self.unit.static(func) is not None:
            return self.inline(func, frozenset())
        if is_evaluated and any(self.unit.names.is_local(name) for name in scope.reads(func.value)):
            # What stands before the dot comes first, and may change what the arguments are made of.
            return None if self.unit.can_travel(node) else ast.Attribute(self.capture(func.value), func.attr, ast.Load())
        return ast.Attribute(self.cut(func.value), func.attr, ast.Load())

    def call(self, node: ast.Call) -> ast.expr:
        """A call that is cut: its arguments are evaluated by the runner, as far as they can be."""
        given = [*node.args, *(each.value for each in node.keywords)]
        # A fragment inside of this one runs after the captures: right only if what is captured behind it can't change.
        last_native = max((at for at, each in enumerate(given) if self._is_evaluated(each)), default=-1)
        callee = self._callee(node, last_native >= 0)
        if callee is None:
            return self.inline(node, frozenset())
        made = [self._argument(each, at > last_native) for at, each in enumerate(given)]
        count = len(node.args)
        keywords = [ast.keyword(each.arg, value) for each, value in zip(node.keywords, made[count:], strict=True)]
        return ast.Call(callee, made[:count], keywords)  # type: ignore[arg-type]

    def _is_evaluated(self, node: ast.expr) -> bool:
        """Whether the runner computes this argument, rather than just hand a variable over."""
        if isinstance(node, ast.Starred):
            return self._is_evaluated(node.value)
        if isinstance(node, (ast.Constant, ast.Name, ast.Lambda, ast.GeneratorExp)) or self.unit.is_cut(node) or self.unit.is_lazy(node):
            return False
        if (self.unit.makes_iterator(node) or self.unit.makes_function(node)) and self.unit.can_travel(node, forced=True):
            return False
        static = self.unit.static(node)
        return static is None or isinstance(static, statics.OwnMethod)

    def _argument(self, node: ast.expr, may_nest: bool) -> ast.expr:
        if isinstance(node, ast.Starred):
            return ast.Starred(self._argument(node.value, may_nest), ast.Load())
        if isinstance(node, ast.Name) and self.unit.names.is_function(node.id):
            node = self.unit.names.as_lambda(node.id) or self._refuse_function(node)
        static = self.unit.static(node)
        if isinstance(static, statics.OwnMethod) and static.is_property:
            return self.capture(node)
        if isinstance(node, (ast.Constant, ast.Name)) or static is not None:
            return self.inline(node, frozenset())
        if self.unit.is_lazy(node):
            return self.inline(node, frozenset())
        if _is_pure(node, ast.BinOp, ast.operator) and not any(self.unit.names.is_local(name) for name in scope.reads(node)):
            return self.inline(node, frozenset())  # `re.I | re.M`
        if isinstance(node, (ast.Lambda, ast.GeneratorExp)):
            if not self.unit.can_travel(node, forced=True):
                self._refuse_function(node)
            return self.inline(node, frozenset())
        if self.unit.makes_function(node) and self.unit.can_travel(node, forced=True):
            return self.inline(node, frozenset())
        if self.unit.makes_iterator(node):
            # It can't travel itself: what it is made of does, or else what it gives.
            if self.unit.can_travel(node, forced=True):
                return self.inline(node, frozenset())
            return self.capture(ast.copy_location(ast.List([ast.Starred(node, ast.Load())], ast.Load()), node))
        if self.unit.is_cut(node) and may_nest:
            return self.cut(node)
        if isinstance(node, ast.Subscript) and self.unit.type_of(node) is not None:
            return self.inline(node, frozenset())
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and self._holds_code(node):
            return type(node)([self._argument(each, False) for each in node.elts], *([ast.Load()] if not isinstance(node, ast.Set) else []))  # type: ignore[call-arg]
        if isinstance(node, ast.Dict) and self._holds_code(node):
            keys = [None if each is None else self._argument(each, False) for each in node.keys]
            return ast.Dict(keys, [self._argument(each, False) for each in node.values])
        return self.capture(node)

    def _refuse_function(self, node: ast.expr) -> NoReturn:
        self.unit.refuse(
            node, "P0402", "this goes to code outside of the workflow, but needs what only the workflow has",
            "can't leave the workflow", "compute a list first and pass that, or move the call into an action",
        )  # fmt: skip

    def _holds_code(self, node: ast.expr) -> bool:
        """Whether there are functions or types in a display: they can't be handed over, but a worker has them too."""
        return any(
            isinstance(inner, (ast.Lambda, ast.GeneratorExp))
            or (isinstance(inner, (ast.Name, ast.Subscript)) and self.unit.type_of(inner) is not None)
            for inner in ast.walk(node)
        )

    def inline(self, node: Any, own: frozenset[str]) -> Any:
        """A copy of the source in which every name can be reached by a worker. `own` are bound inside."""
        unit = self.unit
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            root = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in own:
                return self._copy(node, own)
            if isinstance(node, ast.Attribute) and unit.is_self(node.value) and node.attr in unit.program.state_names:
                return self.capture(node)
            static = unit.static(node)
            if static is not None:
                return self._static(node, static)
            if isinstance(node, ast.Name):
                if unit.is_self(node) or unit.names.is_local(node.id):
                    self.capture_name(node.id)
                    return ast.Name(node.id, ast.Load())
                return unit.expr(node)  # Refuses: not defined.
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not scope.reads(node) & own:
            static = unit.static(node)
            if static is not None:
                return self._static(node, static)
        if isinstance(node, ast.MatchValue):
            return ast.copy_location(ast.MatchValue(self._named(node.value, own)), node)
        if isinstance(node, ast.MatchClass):
            made = self._copy(node, own)
            made.cls = self._named(node.cls, own)
            return made
        if isinstance(node, ast.MatchMapping):
            made = self._copy(node, own)
            made.keys = [self._named(key, own) for key in node.keys]
            return made
        if isinstance(node, ast.Lambda):
            inner = own | {each.arg for each in scope.parameters(node.args)}
            return ast.Lambda(self._copy(node.args, own), self.inline(node.body, inner))
        if isinstance(node, scope.COMPREHENSIONS):
            own = own | {name for clause in node.generators for name in scope.targets([clause.target])}
        return self._copy(node, own)

    def _named(self, node: ast.expr, own: frozenset[str]) -> ast.expr:
        """What stands in a pattern: a constant, or a name with a dot."""
        made = self.inline(node, own)
        if not isinstance(node, (ast.Name, ast.Attribute)) or isinstance(made, ast.Constant):
            return made
        if isinstance(made, ast.Name) and isinstance(self.unit.static(node), statics.Native):
            return made
        name = f"_waymark_named_{len(self.prologue)}"
        holder = ast.parse(f"__import__('types').SimpleNamespace(value={ast.unparse(made)})", mode="eval").body
        self.prologue.append(ast.Assign([ast.Name(name, ast.Store())], holder))
        return ast.Attribute(ast.Name(name, ast.Load()), "value", ast.Load())

    def _static(self, node: ast.expr, static: statics.Static) -> ast.expr:
        if isinstance(static, statics.Constant):
            # Members of enumerations and NaN are not written as they are.
            if type(static.value) in (int, str, float, bool, type(None), bytes) and static.value == static.value:
                return ast.Constant(static.value)
            if isinstance(static.value, enum.Flag):
                kind = statics.source_of(statics.Class(type(static.value)))
                if kind is not None:
                    return ast.parse(f"{kind}({static.value.value!r})", mode="eval").body
            if isinstance(static.value, datetime.tzinfo):
                return ast.parse(_zone_source(static.value), mode="eval").body
            return self.capture(node)
        source = statics.source_of(static)
        if source is None:
            self.unit._cannot_reach(node, ast.unparse(node))
        if isinstance(static, statics.Class):
            self.unit.program.types.declare(static.cls)
        return ast.parse(source, mode="eval").body  # type: ignore[arg-type]

    def _copy(self, node: Any, own: frozenset[str]) -> Any:
        if isinstance(node, list):
            return [self.inline(each, own) if isinstance(each, ast.AST) else each for each in node]
        if not isinstance(node, ast.AST):
            return node
        fields: dict[str, Any] = {}
        for name, value in ast.iter_fields(node):
            if name == "annotation" and isinstance(node, ast.AnnAssign):
                fields[name] = ast.Constant(None)
            elif isinstance(value, list):
                fields[name] = self._copy(value, own)
            else:
                fields[name] = self.inline(value, own) if isinstance(value, ast.AST) else value
        made = type(node)(**fields)
        return ast.copy_location(made, node) if hasattr(node, "lineno") else made


def _live(static: Any) -> Any:
    if isinstance(static, statics.Helper):
        return static.function
    return static.cls if isinstance(static, statics.Class) else getattr(static, "live", None)


def _zone_source(zone: datetime.tzinfo) -> str:
    """The workflow's own zones can't leave it."""
    if not isinstance(zone, datetime.timezone):
        return f"__import__('zoneinfo').ZoneInfo({zone.key!r})"  # type: ignore[attr-defined]
    offset, *name = zone.__getinitargs__()  # type: ignore[attr-defined]
    module = "__import__('datetime')"
    made = f"{module}.timedelta({offset.days}, {offset.seconds}, {offset.microseconds})"
    return f"{module}.timezone.utc" if zone is datetime.timezone.utc else f"{module}.timezone({', '.join([made, *map(repr, name)])})"


def _is_pure(node: ast.expr, *also: type[ast.AST]) -> bool:
    kinds = (ast.Name, ast.Attribute, ast.Constant, ast.expr_context, *also)
    return all(isinstance(inner, kinds) for inner in ast.walk(node))
