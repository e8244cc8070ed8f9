"""What only a worker can run, and what can run there.

A call into a library is *cut*: it becomes a fragment, whose arguments the runner evaluates and captures. A comprehension around such a
call is cut as a whole.
"""

from __future__ import annotations

import abc
import ast
import dataclasses
import enum
import functools
import inspect
from collections.abc import Iterator, Set

from waymark.compiler import natives, scope, standard, statics
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

#: What puts something into a variable, what takes it out again, and what only holds it in another way.
_KEEPS = frozenset({"append", "add", "insert", "extend", "update", "appendleft", "setdefault", "put_nowait"})
_GIVES = frozenset({"create_task", "pop", "popleft", "popitem", "get", "values", "items", "copy", "union", "difference", "setdefault"})
_REARRANGES = frozenset(
    {"list", "tuple", "set", "frozenset", "dict", "sorted", "reversed", "enumerate", "zip", "filter", "next", "iter", "collections.deque"}
)


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
                return self.is_chained(node) or self._is_attributes(node)
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
            return self.is_chained(func) or self._takes_function(node, func)
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

    def _takes_function(self, node: ast.Call, func: ast.Attribute) -> bool:
        """Whether a method that only a worker can run is given a function: that can't be handed over, but its source can."""
        is_elsewhere = func.attr in self.program.methods.plain_names or self._is_made_by_library(func)
        if not is_elsewhere or not _is_path(func.value) or not self.can_travel(func.value):
            return False
        given = [*node.args, *(each.value for each in node.keywords)]
        functions = [self._as_lambda(each) for each in given]
        return any(functions) and all(self.can_travel(made or each) for made, each in zip(functions, given, strict=True))

    def _is_made_by_library(self, func: ast.Attribute) -> bool:
        """`pattern.sub`, if nothing else is called like that."""
        return isinstance(func.value, ast.Name) and func.value.id in self._library_objects and func.attr not in natives.methods()

    @functools.cached_property
    def _library_objects(self) -> frozenset[str]:
        found: set[str] = set()
        for inner in scope.everything(self.node):
            if isinstance(inner, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and isinstance(inner.value, ast.Call):
                static = self.static(inner.value.func)
                if isinstance(static, statics.Foreign) or isinstance(static, statics.Class) and _is_library_class(static.cls):
                    found |= scope.targets([inner.target if isinstance(inner, ast.NamedExpr) else inner])
        return frozenset(found)

    def _as_lambda(self, node: ast.expr) -> ast.Lambda | None:
        return self.names.as_lambda(node.id) if isinstance(node, ast.Name) else node if isinstance(node, ast.Lambda) else None

    def is_lent(self, node: ast.expr) -> bool:
        """Whether a worker makes this, and may be unable to hand it over."""
        return isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)) and self.is_cut(node) and self.is_doubtful(node, set())

    def _is_attributes(self, node: ast.expr) -> bool:
        """`order.__dict__`, which is what `vars(order)` is: what changes it changes the object."""
        return isinstance(node, ast.Attribute) and node.attr == "__dict__" and _is_path(node.value) and not self.is_self(node.value)

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
        """Variables that hold what only the instance has: a queue, a lock, a task, a generator; or that hold such."""
        found: set[str] = set()
        before = -1
        # What is taken out of a variable may stand before what puts it in, in a loop.
        while before != len(found):
            before = len(found)
            for inner, own in self._in_sight(self.node, found):
                if isinstance(inner, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and inner.value is not None:
                    if self._holds_own(inner.value, own):
                        found |= scope.targets([inner.target if isinstance(inner, ast.NamedExpr) else inner])
                elif isinstance(inner, ast.AsyncWith):
                    found |= scope.targets([item.optional_vars for item in inner.items if item.optional_vars])
                elif isinstance(inner, (ast.For, ast.AsyncFor)) and self._holds_own(inner.iter, own):
                    found |= scope.targets([inner.target])
                elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and isinstance(inner.func.value, ast.Name):
                    if inner.func.attr in _KEEPS and any(self._holds_own(argument, own) for argument in inner.args):
                        found.add(inner.func.value.id)
        return frozenset(found)

    @functools.cached_property
    def _instance_bound(self) -> dict[int, bool]:
        """Of each name that is written in the function, whether it is one of those: a comprehension has variables of its own."""
        written = self._in_sight(self.node, self.instance_names)
        return {id(inner): inner.id in own for inner, own in written if isinstance(inner, ast.Name)}

    def is_instance_bound(self, node: ast.Name) -> bool:
        # What the compiler wrote itself stands outside of comprehensions.
        return self._instance_bound.get(id(node), node.id in self.instance_names)

    def _in_sight(self, node: ast.AST, names: Set[str]) -> Iterator[tuple[ast.AST, Set[str]]]:
        """All that is in a node, with the variables that hold what only the instance has there: `names` do around it."""
        yield node, names
        inside = self._inside(node, names) if isinstance(node, scope.COMPREHENSIONS) else names
        for child in scope.children(node):
            yield from self._in_sight(child, inside)

    def _inside(self, node: scope.Comprehension, names: Set[str]) -> Set[str]:
        for clause in node.generators:
            targets = scope.targets([clause.target])
            names = names | targets if self._holds_own(clause.iter, names) else names - targets
        return names

    def _holds_own(self, node: ast.expr, names: Set[str]) -> bool:
        """Whether its value may be something that only the instance has, or hold such: `names` do."""
        if isinstance(node, ast.Name):
            return node.id in names
        if isinstance(node, ast.Await):
            # Of all that is awaited, only this gives tasks back.
            static = self.static(node.value.func) if isinstance(node.value, ast.Call) else None
            return isinstance(static, statics.Native) and static.name == "asyncio.wait"
        if isinstance(node, ast.Call):
            static = self.static(node.func)
            if isinstance(static, statics.Native) and static.name.startswith("asyncio."):
                return True
            if isinstance(static, statics.Helper) and inspect.isgeneratorfunction(static.function):
                return not self.is_cut(node)
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id in names:
                return node.func.attr in _GIVES
            is_plain = isinstance(static, statics.Native) and static.name in _REARRANGES
            return is_plain and any(self._holds_own(argument, names) for argument in node.args)
        if isinstance(node, scope.COMPREHENSIONS):
            made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            inside = self._inside(node, names)
            return any(self._holds_own(each, inside) for each in made)
        if isinstance(node, ast.Subscript):
            return self._holds_own(node.value, names)
        if isinstance(node, ast.IfExp):
            return self._holds_own(node.body, names) or self._holds_own(node.orelse, names)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return any(self._holds_own(each, names) for each in node.elts)
        if isinstance(node, ast.Dict):
            return any(self._holds_own(each, names) for each in node.values)
        if isinstance(node, ast.BinOp):
            return self._holds_own(node.left, names) or self._holds_own(node.right, names)
        if isinstance(node, ast.Starred):
            return self._holds_own(node.value, names)
        return False

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
            if isinstance(inner, ast.Name) and self.is_instance_bound(inner):
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
        if isinstance(node, ast.Attribute) and self.is_self(node.value) and node.attr in ("run_action", "publish"):
            return False
        static = self.static(node)
        if isinstance(static, (statics.Called, statics.Child, statics.Durable)):
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

    def is_cuttable(self, node: ast.stmt, forced: bool) -> bool:
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

    def is_doubtful(self, node: ast.expr, tainted: set[str]) -> bool:
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


def _escapes(node: ast.AST) -> bool:
    """Whether a `break` or `continue` in it belongs to a loop outside."""
    if isinstance(node, (ast.Break, ast.Continue)):
        return True
    if isinstance(node, (ast.For, ast.While)):
        return any(_escapes(child) for child in node.orelse)
    return any(_escapes(child) for child in scope.children(node))


def _is_path(node: ast.expr) -> bool:
    """`order.lines`"""
    return isinstance(node, ast.Name) or isinstance(node, ast.Attribute) and _is_path(node.value)


def _names_functions(node: ast.stmt) -> bool:
    """Whether a lambda would be kept in a variable: it could not come back."""
    values = [node.value] if isinstance(node, (ast.Assign, ast.AnnAssign)) else []
    return any(isinstance(value, (ast.Lambda, ast.GeneratorExp)) for value in values)


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
