"""What only a worker can run, and how much of it goes there at once.

A call into a library is *cut*: it becomes a fragment, whose arguments the runner evaluates and captures. A comprehension or loop around
such a call is cut as a whole, and so are neighbouring statements, so that a stretch of code between two awaits makes one trip rather than
many. Values that can't travel (a compiled pattern, an open file) then live and die inside one fragment.
"""

from __future__ import annotations

import abc
import ast
import copy
import dataclasses
import enum
import functools
import inspect
from collections.abc import Sequence
from typing import Any

from waymark.compiler import scope, standard, statics
from waymark.compiler.callables import as_lambda
from waymark.compiler.calls import Calls, full_name
from waymark.compiler.types import is_pydantic
from waymark.compiler.unit import Names, is_name

# Built-ins that take a generator apart before they return.
_CONSUMERS = {"sum", "max", "min", "list", "tuple", "set", "frozenset", "dict", "any", "all", "sorted", "len"}
# Built-ins that read an iterator, or wrap one.
_READERS = _CONSUMERS | {"enumerate", "zip", "map", "filter", "reversed", "next", "iter"}
_LAZY = {"enumerate", "zip", "map", "filter", "reversed"}
# What belongs to the instance: its clock, its chance, its log, its event loop.
_INSTANCE_BOUND = ("asyncio.", "random.", "uuid.", "logging.", "waymark.", "time.")
_INSTANCE_BOUND_NAMES = {
    "print", "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today", "next", "iter",
}  # fmt: skip
# Results of these are plain values, whatever they were given.
_PLAIN_RESULTS = {"int", "str", "float", "bool", "len", "repr", "isinstance", "any", "all", "hash", "ord", "chr", "format"}


# Reads an iterator to its end.
ITEMS = "__import__('waymark.values.iterators', fromlist=['']).items"
ITEMS_UNTIL_RAISED = "__import__('waymark.values.iterators', fromlist=['']).items_until_raised"


@dataclasses.dataclass
class Region:
    """Statements that go to a worker together."""

    end: int
    captures: list[str]
    writes: list[str]
    unsure: frozenset[str] = frozenset()
    """What it may leave as it was: a loop may run no time at all."""
    kept: frozenset[str] = frozenset()
    """What a handler reads if it raises in its middle."""


class Cutting(Calls):
    def is_cut(self, node: ast.expr) -> bool:
        known = self.cuts.get(id(node))
        if known is None:
            known = self.cuts[id(node)] = node, self._is_cut(node)
        return known[1]

    def _is_cut(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            return self._is_cut_call(node)
        if isinstance(node, (ast.Name, ast.Attribute)):
            if not isinstance(node.ctx, ast.Load):
                return False
            static = self.static(node)
            if static is None and isinstance(node, ast.Attribute):
                return self.is_chained(node)
            return isinstance(static, statics.Foreign) or (
                isinstance(static, statics.Helper) and not static.is_async and self.program.helper(static.function) is None
            )
        if isinstance(node, ast.Subscript):
            if not isinstance(node.ctx, ast.Load) or not self.can_travel(node.slice):
                return False
            # An item of what can't travel may.
            return isinstance(self.static(node.value), statics.Foreign) or self.is_chained(node)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
            return self.contains_cut(node) and self.can_travel(node)
        return False

    def _is_cut_call(self, node: ast.Call) -> bool:
        func = node.func
        static = self.static(func)
        if static is None and isinstance(func, ast.Attribute):
            return self.is_chained(func)
        if self.is_refused(static):
            return False
        if isinstance(static, statics.Foreign):
            return full_name(static.live) != "typing.cast"
        if isinstance(static, statics.Helper):
            return not static.is_async and self.program.helper(static.function) is None
        if isinstance(static, statics.Class):
            if self.is_partial_of_own(node):
                return False
            # The runner would look for the name of a generic model with its parameters in a module.
            return _is_library_class(static.cls) or isinstance(func, ast.Subscript)
        if isinstance(static, statics.Native):
            if static.name in ("isinstance", "issubclass") and len(node.args) == 2:
                return self._is_virtual(node.args[1])
            if static.name in _CONSUMERS and node.args and isinstance(node.args[0], ast.GeneratorExp):
                return self.contains_cut(node.args[0]) and self.can_travel(node)
            if static.name in _READERS:
                given = [*node.args, *(each.value for each in node.keywords)]
                return any(map(self.is_lent, _iterated(static.name, node))) and all(self.can_travel(each) for each in given)
        return False

    def is_chained(self, node: ast.Attribute | ast.Subscript) -> bool:
        """Whether a part is taken of what a worker has just made, and may be unable to hand over: `sha256(data).hexdigest()`."""
        made = node.value
        return self.is_lent(made) and not (isinstance(made, ast.Call) and is_name(made.func, "super"))

    def is_lent(self, node: ast.expr) -> bool:
        """Whether a worker makes this, and may be unable to hand it over."""
        return isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)) and self.is_cut(node) and self._is_doubtful(node, set())

    def makes_iterator(self, node: ast.expr) -> bool:
        """Whether this call gives an iterator of the workflow's own."""
        if not isinstance(node, ast.Call):
            return False
        static = self.static(node.func)
        if isinstance(static, statics.Native):
            return static.name in _LAZY or static.name == "iter"
        if not isinstance(static, statics.Helper) or static.is_async or self.is_cut(node):
            return False
        return standard.gives_items(static.function) or inspect.isgeneratorfunction(static.function)

    def makes_function(self, node: ast.expr) -> bool:
        static = self.static(node.func) if isinstance(node, ast.Call) else None
        return isinstance(static, statics.Helper) and standard.gives_function(static.function) and not self.is_cut(node)

    def _is_virtual(self, node: ast.expr) -> bool:
        """Whether being an instance of this class is more than having it among one's bases."""
        if isinstance(node, ast.Tuple):
            return any(self._is_virtual(item) for item in node.elts)
        if isinstance(node, ast.BinOp):
            return self._is_virtual(node.left) or self._is_virtual(node.right)
        static = self.static(node)
        if isinstance(static, statics.Class):
            return isinstance(static.cls, abc.ABCMeta) and _is_library_class(static.cls)
        return isinstance(static, statics.Foreign)

    def contains_cut(self, node: ast.AST) -> bool:
        """Whether something in this node, when it runs, is cut."""
        known = self.containing.get(id(node))
        if known is None:
            # With the node: its identity is good as long as it lives.
            known = self.containing[id(node)] = node, self._contains_cut(node)
        return known[1]

    def _contains_cut(self, node: ast.AST) -> bool:
        if isinstance(node, scope.COMPREHENSIONS):
            outside = self.names
            self.names = Names({name for clause in node.generators for name in scope.targets([clause.target])}, outside)
            try:
                return any(self.contains_cut(child) for child in scope.children(node))
            finally:
                self.names = outside
        if isinstance(node, (ast.Call, ast.Name, ast.Attribute)) and self.is_cut(node):
            return True
        if isinstance(node, scope.Scoped):
            return False
        if isinstance(node, ast.AnnAssign):
            return any(self.contains_cut(child) for child in (node.target, node.value) if child is not None)
        return any(self.contains_cut(child) for child in scope.children(node))

    @functools.cached_property
    def instance_names(self) -> frozenset[str]:
        """Variables that hold what only the instance has: a queue, a lock, a task, a generator."""
        found: set[str] = set()
        for inner in scope.everything(self.node):
            if isinstance(inner, (ast.Assign, ast.AnnAssign)) and isinstance(inner.value, ast.Call):
                static = self.static(inner.value.func)
                is_generator = isinstance(static, statics.Helper) and inspect.isgeneratorfunction(static.function)
                if isinstance(static, statics.Native) and static.name.startswith("asyncio."):
                    found |= scope.targets([inner])
                elif is_generator and not self.is_cut(inner.value):
                    found |= scope.targets([inner])
            elif isinstance(inner, ast.AsyncWith):
                found |= scope.targets([item.optional_vars for item in inner.items if item.optional_vars])
        return frozenset(found)

    @functools.cached_property
    def library_names(self) -> frozenset[str]:
        """Variables that hold what a library made."""
        found: set[str] = set()
        for inner in scope.everything(self.node):
            if isinstance(inner, (ast.Assign, ast.AnnAssign)) and isinstance(inner.value, ast.Call) and self.is_cut(inner.value):
                found |= scope.targets([inner])
            elif isinstance(inner, ast.With):
                found |= scope.targets([item.optional_vars for item in inner.items if item.optional_vars])
        return frozenset(found)

    def _may_be_own(self, node: ast.Attribute) -> bool:
        """Whether a method of this name may be one that the program has itself, rather than a library's of the same name."""
        return self.static(node) is None and not (isinstance(node.value, ast.Name) and node.value.id in self.library_names)

    def can_travel(self, node: ast.AST, forced: bool = False) -> bool:
        """Whether the source of this node can run in a worker. `forced`: also what reads the instance's clock or writes its log."""
        if not isinstance(node, ast.stmt):
            return self._can_travel(node, forced)
        known = self.travelling.get((id(node), forced))
        if known is None:
            known = self.travelling[id(node), forced] = node, self._can_travel(node, forced)
        return known[1]

    def _can_travel(self, node: ast.AST, forced: bool) -> bool:
        for inner in scope.everything(node):
            if isinstance(inner, (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield, ast.YieldFrom, ast.Global,
                                  ast.Nonlocal, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Return,
                                  ast.Import, ast.ImportFrom)):  # fmt: skip
                return False
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Del):
                return False
            if isinstance(inner, ast.Attribute) and inner.attr in self.program.methods.names and self._may_be_own(inner):
                return False
            if isinstance(inner, ast.comprehension) and inner.is_async:
                return False
            if isinstance(inner, ast.Call) and self.is_refused(self.static(inner.func)):
                return False
            if isinstance(inner, ast.Name) and inner.id in self.instance_names:
                return False
            # Only statements bring back what they assign.
            if isinstance(inner, ast.NamedExpr) and not isinstance(node, ast.stmt):
                return False
            if isinstance(inner, ast.Name) and (self.names.is_function(inner.id) or inner.id == "super"):
                return False
            if isinstance(inner, (ast.Name, ast.Attribute)) and not self._reaches(inner, forced):
                return False
        return not _escapes(node)

    def _reaches(self, node: ast.Name | ast.Attribute, forced: bool) -> bool:
        if self.is_self(node):
            return True
        if isinstance(node, ast.Attribute) and self.is_self(node.value) and node.attr == "run_action":
            return False
        static = self.static(node)
        if isinstance(static, (statics.Called, statics.Child)):
            return False
        if isinstance(static, statics.OwnMethod):
            return False
        if isinstance(static, statics.Helper):
            return not static.is_async
        if isinstance(static, statics.Log):
            return forced
        if isinstance(static, statics.Native):
            bound = static.name in _INSTANCE_BOUND_NAMES or static.name.startswith(_INSTANCE_BOUND)
            return not bound or (forced and not static.name.startswith(("asyncio.", "waymark.")))
        return True

    # A worker can't return for the workflow.

    def without_returns(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Loops and contexts that a worker could run as a whole but for a `return` in them: it becomes a `break`, and a `return` behind."""
        made: list[ast.stmt] = []
        for statement in body:
            moved = self._return_moved(statement)
            if moved is None and not isinstance(statement, scope.Scoped):
                statement = self._inner_returns_moved(statement)
            made.extend(moved or [statement])
        return made

    def _inner_returns_moved(self, node: ast.stmt) -> ast.stmt:
        changed: dict[str, list[ast.AST]] = {}
        for name, value in ast.iter_fields(node):
            if not isinstance(value, list) or not value:
                continue
            if isinstance(value[0], ast.stmt):
                after: list[ast.AST] = list(self.without_returns(value))
            elif isinstance(value[0], (ast.ExceptHandler, ast.match_case)):
                after = [self._inner_returns_moved(each) for each in value]
            else:
                continue
            if [id(each) for each in after] != [id(each) for each in value]:
                changed[name] = after
        if not changed:
            return node
        made = copy.copy(node)
        scope.forget(made)
        for name, after in changed.items():
            setattr(made, name, after)
        self.kept.append(made)
        return made

    def _return_moved(self, node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, (ast.For, ast.While)) and not self.is_foreign_with(node):
            return None
        if not any(isinstance(inner, ast.Return) for inner in scope.walk(node)) or not self.contains_cut(node):
            return None
        value, is_returned = self.temporary(), self.temporary()
        moved: Any = copy.deepcopy(node)
        scope.fresh(moved)
        moved = _ReturnMover(value, is_returned).visit(moved)
        if isinstance(node, ast.With):
            once = ast.For(ast.Name(self.temporary(), ast.Store()), ast.Tuple([ast.Constant(0)], ast.Load()), [moved], [])
            self.names.bound.add(once.target.id)  # type: ignore[attr-defined]
            moved = once
        assert isinstance(moved, ast.stmt)
        before = ast.parse(f"{value} = None\n{is_returned} = False").body
        after = ast.parse(f"if {is_returned}:\n    return {value}").body
        for each in (*before, moved, *after):
            ast.copy_location(each, node)
            for inner in scope.everything(each):
                if isinstance(inner, (ast.stmt, ast.expr)) and not hasattr(inner, "lineno") or each is not moved:
                    ast.copy_location(inner, node)
            ast.fix_missing_locations(each)
        self.kept.extend([*before, moved, *after])
        self.names.bound |= {value, is_returned}
        if not self._is_cuttable(moved, forced=False):
            return None
        return [*before, moved, *after]

    # Statements that go together.

    def region(self, body: list[ast.stmt], start: int, assigned: set[str], in_try: bool) -> Region | None:
        """The statements from `start` on that go to a worker as one fragment, if that is better than cutting their expressions."""
        first = body[start]
        # A block that only a worker can enter takes along what would rather stay: it would be refused otherwise.
        if not self.contains_cut(first) or not self._is_cuttable(first, forced=self.is_foreign_with(first)):
            return None
        tainted = self._taints(first, set())
        end, whole = start + 1, isinstance(first, (ast.For, ast.While)) or self.is_foreign_with(first)
        wanted_end = end
        is_smooth = True
        while end < len(body):
            needs = bool(scope.reads(body[end]) & tainted)
            # Only what a value that can't travel needs goes along if it would rather stay.
            is_smooth = is_smooth and self._is_cuttable(body[end], forced=needs)
            if not self._is_cuttable(body[end], forced=True) and not (needs and self._hoist(body, end, tainted)):
                break
            statement = body[end]
            if needs or (is_smooth and self.contains_cut(statement) and self._ships_names_only(statement)):
                wanted_end = end + 1
            tainted = self._taints(statement, tainted)
            end += 1
        end = wanted_end
        if end == start + 1 and not whole:
            return None
        while end > start + 1 or whole:
            region = self._closed(body[start:end], start, end, assigned, in_try)
            if region is not None:
                return region
            end -= 1
            if end <= start + 1 and not whole or end == start:
                return None
        return None

    def _hoist(self, body: list[ast.stmt], at: int, tainted: set[str]) -> bool:
        """Takes what reads doubtful values out of the head of a statement that stays in the workflow, and puts it before."""
        statement = body[at]
        if isinstance(statement, ast.For):
            return bool(scope.reads(statement.iter) & tainted) and self._hoist_iterator(body, at, statement)
        if isinstance(statement, (ast.Return, ast.If)):
            head = statement.value if isinstance(statement, ast.Return) else statement.test
            if head is None or isinstance(head, ast.Name) or not scope.reads(head) & tainted or not self._is_hoistable(head):
                return self._hoist_argument(body, at, tainted)
            name = self.temporary()
            kept = ast.Name(name, ast.Load())
            changed = ast.Return(kept) if isinstance(statement, ast.Return) else ast.If(kept, statement.body, statement.orelse)
            below = self.liveness.below.get(id(statement), set())  # type: ignore[attr-defined]
            return self._put_before(body, at, name, head, changed, below)
        return self._hoist_argument(body, at, tainted)

    def _hoist_iterator(self, body: list[ast.stmt], at: int, statement: ast.For) -> bool:
        head = statement.iter
        if is_name(head, f"_waymark_{self.temporaries}") or not self._is_hoistable(head):
            return False
        name = self.temporary()
        changed = ast.For(statement.target, ast.Name(name, ast.Load()), statement.body, statement.orelse)
        read = ast.copy_location(ast.Call(ast.parse(ITEMS, mode="eval").body, [head], []), head)
        below = self.live_after(statement) | scope.reads_of(statement.body) | scope.reads_of(statement.orelse)  # type: ignore[attr-defined]
        return self._put_before(body, at, name, ast.fix_missing_locations(read), changed, below)

    def _hoist_argument(self, body: list[ast.stmt], at: int, tainted: set[str]) -> bool:
        """The same for an argument of what a statement awaits."""
        statement = body[at]
        value = getattr(statement, "value", None)
        call = value.value if isinstance(value, ast.Await) else None
        if not isinstance(call, ast.Call) or not isinstance(statement, (ast.Assign, ast.Expr, ast.Return)):
            return False
        arguments = [*call.args, *(each.value for each in call.keywords)]
        for position, argument in enumerate(arguments):
            if scope.reads(argument) & tainted and not isinstance(argument, (ast.Name, ast.Starred)):
                if not self._is_hoistable(argument):
                    return False
                name = self.temporary()
                arguments[position] = ast.copy_location(ast.Name(name, ast.Load()), argument)
                count = len(call.args)
                keywords = [ast.keyword(each.arg, given) for each, given in zip(call.keywords, arguments[count:], strict=True)]
                made = ast.copy_location(ast.Call(call.func, arguments[:count], keywords), call)
                changed = copy.copy(statement)
                scope.forget(changed)
                changed.value = ast.copy_location(ast.Await(made), value)  # type: ignore[union-attr]
                after = self.live_after(statement)  # type: ignore[attr-defined]
                below = (after - scope.targets([statement])) | scope.reads(changed) - {name}
                return self._put_before(body, at, name, argument, changed, below)
            if not isinstance(argument, (ast.Constant, ast.Name)):
                return False  # It is evaluated first, and may have effects.
        return False

    def _is_hoistable(self, node: ast.expr) -> bool:
        return not isinstance(node, (ast.Lambda, ast.GeneratorExp)) and self.can_travel(node, forced=True)

    def _put_before(self, body: list[ast.stmt], at: int, name: str, value: ast.expr, changed: ast.stmt, below: set[str]) -> bool:
        statement = body[at]
        made = ast.copy_location(ast.Assign([ast.copy_location(ast.Name(name, ast.Store()), value)], value), value)
        ast.copy_location(changed, statement)
        ast.fix_missing_locations(changed)
        body[at : at + 1] = [made, changed]
        liveness = self.liveness  # type: ignore[attr-defined]
        liveness.after[id(made)] = below | {name}
        liveness.raised[id(made)] = liveness.raised.get(id(statement), set())
        for table in (liveness.after, liveness.raised, liveness.below):
            if id(statement) in table:
                table[id(changed)] = table[id(statement)]
        self.kept.extend([made, changed, statement])
        self.names.bound.add(name)
        return True

    def _closed(self, statements: Sequence[ast.stmt], start: int, end: int, assigned: set[str], in_try: bool) -> Region | None:
        written = scope.targets(statements)
        live = self.live_after(statements[-1]) & written  # type: ignore[attr-defined]
        after = scope.assigned_after(statements, assigned)
        if after is None:
            return None
        if any(isinstance(each, ast.Assign) and self._makes_function(each.value) and scope.targets([each]) & live for each in statements):
            return None  # A function can't come back, but the workflow can make it by itself.
        kept: set[str] = set()
        if in_try:
            is_simple = isinstance(statements[-1], (ast.Assign, ast.AnnAssign, ast.AugAssign))
            earlier = scope.targets(statements[:-1] if is_simple else statements)
            kept = earlier & self.live_if_raised(statements[0])  # type: ignore[attr-defined]
        captures = _live_in(statements, assigned)
        unknown = {name for name in captures if name not in assigned and self.names.is_local(name)}
        if unknown:
            return None
        unsure = live - (scope.assigned_after(statements, set()) or set()) - captures
        local = sorted(name for name in captures if self.names.is_local(name))
        return Region(end, local, sorted(live), frozenset(unsure), frozenset(kept))

    def _makes_function(self, node: ast.expr) -> bool:
        static = self.static(node.func) if isinstance(node, ast.Call) else None
        live = static.cls if isinstance(static, statics.Class) else None
        return isinstance(node, ast.Call) and live is not None and as_lambda(live, node) is not None

    def _is_cuttable(self, node: ast.stmt, forced: bool) -> bool:
        if isinstance(node, (ast.Pass, ast.Break, ast.Continue)):
            return False
        if isinstance(node, ast.Raise) and node.exc is None:
            return False
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.For, ast.While, ast.With, ast.If, ast.Assert,
                             ast.Raise, ast.Try, ast.Match)):  # fmt: skip
            if isinstance(node, (ast.If, ast.Try, ast.Match, ast.Raise)) and not forced:
                return False
            return self.can_travel(node, forced) and not self._changes_self(node) and not _names_functions(node)
        return False

    def _changes_self(self, node: ast.AST) -> bool:
        return any(
            isinstance(inner, ast.Attribute) and self.is_self(inner.value) and not isinstance(inner.ctx, ast.Load)
            for inner in scope.everything(node)
        )

    def _ships_names_only(self, node: ast.stmt) -> bool:
        """Whether the arguments of what is cut are variables: merging ships the same, and no more."""
        if isinstance(node, (ast.For, ast.While, ast.With)):
            return True
        for inner in scope.walk(node):
            if isinstance(inner, ast.Call) and self.is_cut(inner):
                for argument in [*inner.args, *(each.value for each in inner.keywords)]:
                    if isinstance(argument, (ast.Subscript, ast.Attribute)) and self.static(argument) is None:
                        return False
        return True

    def _taints(self, node: ast.stmt, tainted: set[str]) -> set[str]:
        """The variables that may hold what can't travel, after this statement too."""
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            value = node.value
            names = scope.targets([node])
            if value is not None and self._is_doubtful(value, tainted):
                return tainted | names
            return tainted if isinstance(node, ast.AugAssign) else tainted - names
        found = set(tainted)
        for inner in scope.everything(node):
            if isinstance(inner, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and inner is not node and inner.value is not None:
                if self._is_doubtful(inner.value, found):
                    found |= scope.targets([inner])
            elif isinstance(inner, (ast.For, ast.AsyncFor)) and self._is_doubtful(inner.iter, found):
                found |= scope.targets([inner.target])
            elif isinstance(inner, ast.withitem) and inner.optional_vars is not None:
                found |= scope.targets([inner.optional_vars])
        return found

    def _is_doubtful(self, node: ast.expr, tainted: set[str]) -> bool:
        if isinstance(node, (ast.JoinedStr, ast.Compare, ast.Constant)):
            return False
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return False
        if isinstance(node, ast.Call):
            static = self.static(node.func)
            if isinstance(static, statics.Native) and static.name in _PLAIN_RESULTS:
                return False
            if isinstance(static, (statics.Helper, statics.Foreign)) and self.is_cut(node):
                live = static.function if isinstance(static, statics.Helper) else static.live
                return not _returns_plain(live)
        return self._calls_cut(node) or bool(scope.reads(node) & tainted)

    def _calls_cut(self, node: ast.AST) -> bool:
        """Whether a worker makes something here, rather than that its functions are named."""
        if not self.contains_cut(node):
            return False
        if isinstance(node, (ast.Name, ast.Attribute)):
            static = self.static(node)
            live = static.function if isinstance(static, statics.Helper) else getattr(static, "live", None)
            return not callable(live)
        if isinstance(node, ast.Call) and self.is_cut(node) or isinstance(node, scope.COMPREHENSIONS):
            return True
        return any(self._calls_cut(child) for child in scope.children(node) if not isinstance(child, scope.Scoped))

    def is_lazy(self, node: ast.expr) -> bool:
        """An iterator that the workflow could make, and a worker too: it is better made where it is used."""
        if not isinstance(node, ast.Call):
            return False
        static = self.static(node.func)
        if isinstance(static, statics.Helper):
            return inspect.isgeneratorfunction(static.function) and self.can_travel(node)
        return isinstance(static, statics.Native) and static.name in _LAZY and self.can_travel(node)

    def is_foreign_with(self, node: ast.stmt) -> bool:
        """A `with` whose context only a worker can enter."""
        return isinstance(node, ast.With) and any(self.contains_cut(item.context_expr) for item in node.items)


class _ReturnMover(ast.NodeTransformer):
    """`return x` → `value = x`, `is_returned = True`, `break`; out of every loop."""

    def __init__(self, value: str, is_returned: str) -> None:
        self.value, self.is_returned = value, is_returned

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        made: list[ast.stmt] = [
            ast.Assign([ast.Name(self.value, ast.Store())], node.value or ast.Constant(None)),
            ast.Assign([ast.Name(self.is_returned, ast.Store())], ast.Constant(True)),
            ast.Break(),
        ]
        return [ast.fix_missing_locations(ast.copy_location(each, node)) for each in made]

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, scope.Scoped):
            return node
        return super().visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        # Loops inside are left one by one.
        for _, field in ast.iter_fields(node):
            if isinstance(field, list) and any(isinstance(each, (ast.For, ast.While)) for each in field):
                field[:] = [part for each in field for part in self._left(each)]
        return node

    def _left(self, node: ast.AST) -> list[ast.AST]:
        if not isinstance(node, (ast.For, ast.While)) or not any(isinstance(each, ast.Break) for each in scope.everything(node)):
            return [node]
        leave = ast.If(ast.Name(self.is_returned, ast.Load()), [ast.Break()], [])
        return [node, ast.fix_missing_locations(ast.copy_location(leave, node))]


def _escapes(node: ast.AST) -> bool:
    """Whether a `break` or `continue` in it belongs to a loop outside."""
    if isinstance(node, (ast.Break, ast.Continue)):
        return True
    if isinstance(node, (ast.For, ast.While)):
        return any(_escapes(child) for child in node.orelse)
    return any(_escapes(child) for child in scope.children(node))


def _names_functions(node: ast.stmt) -> bool:
    """Whether a lambda would be kept in a variable: it could not come back."""
    values = [node.value] if isinstance(node, (ast.Assign, ast.AnnAssign)) else []
    return any(isinstance(value, (ast.Lambda, ast.GeneratorExp)) for value in values)


def _live_in(statements: Sequence[ast.stmt], assigned: set[str]) -> set[str]:
    """The names that these statements may read before they assign them."""
    found: set[str] = set()
    known: set[str] = set()
    for statement in statements:
        found |= scope.reads(statement) - known
        known |= (scope.assigned_after([statement], set()) or set()) - assigned
        known |= (scope.assigned_after([statement], known) or set()) & scope.targets([statement])
    # Names bound only inside of compound statements (loop variables) are read after they are bound there.
    inner = scope.targets(statements) - assigned
    return found - inner


def _iterated(name: str, node: ast.Call) -> list[ast.expr]:
    """Which arguments of a built-in are iterated over, or called for each item."""
    if name in ("max", "min", "sorted"):
        # A key is called for every item: a library's object that is one stays where it was made.
        keys = [each.value for each in node.keywords if each.arg == "key"]
        return [*(node.args if len(node.args) == 1 else []), *keys]
    if name in ("map", "filter"):
        return node.args[1:]
    return node.args if name == "zip" else node.args[:1]


def _is_library_class(cls: type) -> bool:
    if issubclass(cls, (BaseException, enum.Enum)) or dataclasses.is_dataclass(cls) or is_pydantic(cls):
        return False
    return not statics.is_own_class(cls)


def _returns_plain(live: object) -> bool:
    from waymark.compiler.types import hints

    annotation = hints(live).get("return")
    if annotation in (int, str, float, bool, bytes, type(None), list, dict, tuple, set):
        return True
    origin = getattr(annotation, "__origin__", None)
    return origin in (list, dict, tuple, set) or statics.is_data_class(annotation)
