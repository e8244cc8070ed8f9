"""A worker can't return for the workflow: loops and contexts that it could run but for a `return` in them are rewritten."""

from __future__ import annotations

import ast
import copy
from typing import Any

from waymark.compiler import scope
from waymark.compiler.cutting import Cutting


class Returns(Cutting):
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
            turn = self.temporary()
            self.names.bound.add(turn)
            moved = ast.For(ast.Name(turn, ast.Store()), ast.Tuple([ast.Constant(0)], ast.Load()), [moved], [])
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
        if not self.is_cuttable(moved, forced=False):
            return None
        return [*before, moved, *after]


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
