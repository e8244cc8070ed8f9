"""Statements that go to a worker together.

Neighbouring statements that are cut, and loops around them, make one fragment, so that a stretch of code between two awaits makes one trip
rather than many. Values that can't travel (a compiled pattern, an open file) then live and die inside it.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Sequence

from waymark.compiler import scope, statics
from waymark.compiler.callables import as_lambda
from waymark.compiler.returns import Returns
from waymark.compiler.unit import is_name

# Reads an iterator to its end.
ITEMS_UNTIL_RAISED = "__import__('waymark.values.iterators', fromlist=['']).items_until_raised"


@dataclasses.dataclass
class Region:
    """Statements that go to a worker together."""

    end: int
    captures: list[str]
    writes: list[str]
    unsure: frozenset[str] = frozenset()
    """What it may leave as it was: a loop may run no time at all, a context may swallow an exception."""
    kept: frozenset[str] = frozenset()
    """What a handler reads if it raises in its middle."""


class Regions(Returns):
    liveness: scope.Liveness

    def live_after(self, node: ast.stmt) -> set[str]:
        return self.liveness.after.get(id(node), set())

    def live_if_raised(self, node: ast.stmt) -> set[str]:
        return self.liveness.raised.get(id(node), set())

    def region(self, body: list[ast.stmt], start: int, assigned: set[str], in_try: bool) -> Region | None:
        """The statements from `start` on that go to a worker as one fragment, if that is better than cutting their expressions."""
        first = body[start]
        # A block that only a worker can enter takes along what would rather stay: it would be refused otherwise.
        if not self.contains_cut(first) or not self.is_cuttable(first, forced=self.is_foreign_with(first)):
            return None
        end, whole = start + 1, isinstance(first, (ast.For, ast.While)) or self.is_foreign_with(first)
        wanted_end = end
        # What can't travel, of what goes along: what comes later than that may begin a fragment of its own.
        tainted = self._taints(first, set())
        is_smooth = True
        while end < len(body):
            needs = bool(scope.reads(body[end]) & tainted)
            # Only what a value that can't travel needs goes along if it would rather stay.
            is_smooth = is_smooth and self.is_cuttable(body[end], forced=needs)
            if not self.is_cuttable(body[end], forced=True) and not (needs and self._hoist(body, end, tainted)):
                break
            statement = body[end]
            end += 1
            if needs or (is_smooth and self.contains_cut(statement) and self._ships_names_only(statement)):
                for along in body[wanted_end:end]:
                    tainted = self._taints(along, tainted)
                wanted_end = end
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
                tainted = tainted - scope.targets([statement])
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
            below = self.liveness.below.get(id(statement), set())
            return self._put_before(body, at, name, head, changed, below)
        return self._hoist_argument(body, at, tainted)

    def _hoist_iterator(self, body: list[ast.stmt], at: int, statement: ast.For) -> bool:
        head = statement.iter
        if is_name(head, f"_waymark_{self.temporaries}") or not self._is_hoistable(head):
            return False
        name = self.temporary()
        changed = ast.For(statement.target, ast.Name(name, ast.Load()), statement.body, statement.orelse)
        self.read_ahead.add(name)
        read = ast.copy_location(ast.Call(ast.parse(ITEMS_UNTIL_RAISED, mode="eval").body, [head], []), head)
        below = self.live_after(statement) | scope.reads_of(statement.body) | scope.reads_of(statement.orelse)
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
                after = self.live_after(statement)
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
        liveness = self.liveness
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
        live = self.live_after(statements[-1]) & written
        after = scope.assigned_after(statements, assigned)
        if after is None:
            return None
        if any(isinstance(each, ast.Assign) and self._makes_function(each.value) and scope.targets([each]) & live for each in statements):
            return None  # A function can't come back, but the workflow can make it by itself.
        kept: set[str] = set()
        if in_try:
            is_simple = isinstance(statements[-1], (ast.Assign, ast.AnnAssign, ast.AugAssign))
            earlier = scope.targets(statements[:-1] if is_simple else statements)
            kept = earlier & self.live_if_raised(statements[0])
        captures = _live_in(statements, assigned)
        unknown = {name for name in captures if name not in assigned and self.names.is_local(name)}
        if unknown:
            return None
        sure = (scope.assigned_after(statements, set()) or set()) - scope.unsure_in_contexts(statements)
        unsure = live - sure - captures
        local = sorted(name for name in captures if self.names.is_local(name))
        return Region(end, local, sorted(live), frozenset(unsure), frozenset(kept))

    def _makes_function(self, node: ast.expr) -> bool:
        static = self.static(node.func) if isinstance(node, ast.Call) else None
        live = static.cls if isinstance(static, statics.Class) else None
        return isinstance(node, ast.Call) and live is not None and as_lambda(live, node) is not None

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
            if value is not None and self.is_doubtful(value, tainted):
                return tainted | names
            return tainted if isinstance(node, ast.AugAssign) else tainted - names
        found = set(tainted)
        for inner in scope.everything(node):
            if isinstance(inner, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and inner is not node and inner.value is not None:
                if self.is_doubtful(inner.value, found):
                    found |= scope.targets([inner])
            elif isinstance(inner, (ast.For, ast.AsyncFor)) and self.is_doubtful(inner.iter, found):
                found |= scope.targets([inner.target])
            elif isinstance(inner, ast.withitem) and inner.optional_vars is not None:
                found |= scope.targets([inner.optional_vars])
        return found


def _live_in(statements: Sequence[ast.stmt], assigned: set[str]) -> set[str]:
    """The names that these statements may read before they assign them."""
    found: set[str] = set()
    known: set[str] = set()
    for statement in statements:
        found |= scope.reads(statement) - known
        known |= (scope.assigned_after([statement], set()) or set()) - assigned
        known |= (scope.assigned_after([statement], known) or set()) & scope.targets([statement])
        known -= scope.unsure_in_contexts([statement]) & assigned
    # Names bound only inside of compound statements (loop variables) are read after they are bound there.
    inner = scope.targets(statements) - assigned
    return found - inner
