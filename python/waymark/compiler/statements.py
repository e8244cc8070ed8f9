"""Statements, and the functions that hold them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from waymark._proto import program_pb2 as pb
from waymark.compiler import builder as b
from waymark.compiler import contexts, scope, statics
from waymark.compiler.fragments import Fragments
from waymark.compiler.patterns import Patterns
from waymark.compiler.unit import Names, Refused, contains

_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class FunctionCompiler(Patterns, Fragments):
    """Compiles one function of the user's."""

    in_try: int = 0

    def compile(self, name: str, params: Sequence[pb.Param], origin: pb.Origin | None, prologue: Sequence[int] = ()) -> int:
        """The function as a function of the program."""
        node = self.node
        self._note_attributes()
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)] if isinstance(node, ast.Lambda) else list(node.body)
        # What the caller has already put into the program comes first.
        statements = [*prologue, *self._late_defaults(), *self._body(node, body)]
        return self.builder.function(self.span(node), name, self.is_async, params, statements, origin)

    def _note_attributes(self) -> None:
        names, awaited = self.program.attribute_names, self.program.awaited_names
        for inner in scope.everything(self.node):
            if isinstance(inner, ast.Attribute):
                names.add(inner.attr)
            elif isinstance(inner, ast.Await) and isinstance(inner.value, ast.Call) and isinstance(inner.value.func, ast.Attribute):
                awaited.add(inner.value.func.attr)
            elif isinstance(inner, ast.AsyncWith):
                names.update(("__aenter__", "__aexit__"))
            elif isinstance(inner, ast.AsyncFor) or (isinstance(inner, ast.comprehension) and inner.is_async):
                names.update(("__aiter__", "__anext__"))

    def _late_defaults(self) -> list[int]:
        """`if error is ...: error = ValueError`"""
        made = []
        for name, value in self.late_defaults:
            anchor = ast.copy_location(ast.Constant(None), self.node)
            found = self.value_of(anchor, statics.classify(value, ""))
            compare = pb.Compare(
                left=self.builder.name((), name), operators=[pb.COMPARE_OPERATOR_IS], operands=[self.builder.const((), ...)]
            )
            test = self.builder.expression((), compare=compare)
            chosen = pb.If(test=test, body=[self.builder.assign((), name, found)])
            made.append(self.builder.statement((), **{"if": chosen}))
        return made

    def _body(self, node: Any, body: list[ast.stmt]) -> list[int]:
        bound = scope.Bound(body, node.args)
        outside, outside_globals = self.names, self.global_names
        outside_liveness, outside_try = getattr(self, "liveness", None), self.in_try
        outside_async = self.is_async
        parent = outside if node is not self.node else None
        self.names = Names(bound.names, parent, functions=bound.functions)
        self.names.imports = self._imports(bound)
        self.global_names = bound.globals
        self.is_async = isinstance(node, ast.AsyncFunctionDef)
        self.in_try = 0
        # Variables that functions inside share are read at times that nobody knows.
        shared: set[str] = set(bound.nonlocals)
        for inner in scope.everything(node):
            if isinstance(inner, _Function) and inner is not node:
                shared |= scope.reads(inner) | {name for each in ast.walk(inner) if isinstance(each, ast.Nonlocal) for name in each.names}
        body = self.without_returns(body)
        self.liveness = scope.Liveness(body, shared & bound.names | bound.nonlocals)
        try:
            # Those of an outer function are its own business: reading one that is not assigned raises where it is read.
            return self.block(body, {*bound.parameters, *bound.nonlocals})
        finally:
            self.names, self.global_names, self.is_async = outside, outside_globals, outside_async
            self.in_try = outside_try
            if outside_liveness is not None:
                self.liveness = outside_liveness

    def _imports(self, bound: scope.Bound) -> dict[str, statics.Static]:
        found: dict[str, statics.Static] = {}
        owners = {
            id(alias): statement
            for statement in scope.everything(self.node)
            if isinstance(statement, (ast.Import, ast.ImportFrom))
            for alias in statement.names
        }
        package = self.around.function.__globals__.get("__package__")
        for name, alias in bound.imports.items():
            statement = owners[id(alias)]
            if isinstance(statement, ast.ImportFrom):
                static = statics.imported(statement.module or "", alias.name, package, statement.level)
            else:
                whole = alias.name if alias.asname else alias.name.split(".")[0]
                statics.imported(alias.name, None, package, 0)
                static = statics.imported(whole, None, package, 0)
            if static is not None:
                found[name] = static
        return found

    # Blocks.

    def block(self, body: Sequence[ast.stmt], assigned: set[str]) -> list[int]:
        """Statements in their order; those that only a worker can run go together."""
        made: list[int] = []
        statements = list(body)
        at = 0
        while at < len(statements):
            statement = statements[at]
            size = self.builder.size
            try:
                region = self.region(statements, at, assigned, self.in_try > 0)
                if region is not None:
                    made.extend(self.cut_region(statements[at : region.end], region))
                    passed = scope.assigned_after(statements[at : region.end], assigned)
                    assigned = assigned if passed is None else passed
                    at = region.end
                    continue
                made.extend(self.statement(statement, assigned))
            except Refused as refused:
                self.builder.truncate(size)
                self.report(refused)
            at += 1
            after = scope.assigned_after([statement], assigned)
            # What stands behind a `return` never runs; only a `yield` there still makes a generator of its function.
            if after is None and not any(contains(each, ast.Yield, ast.YieldFrom) for each in statements[at:]):
                break
            assigned = assigned if after is None else after
        return made

    def statement(self, node: ast.stmt, assigned: set[str]) -> list[int]:
        compile_node = getattr(self, "stmt_" + type(node).__name__, None)
        if compile_node is None:
            self.refuse(node, "P0105", f"`{_keyword(node)}` is not supported in a workflow", "this statement",
                        "move it into an action")  # fmt: skip
        made = compile_node(node, assigned)
        return made if isinstance(made, list) else [made]

    def stmt_Expr(self, node: ast.Expr, _: set[str]) -> int | list[int]:
        if isinstance(node.value, ast.Constant):
            return []  # A docstring.
        self.refuse_unawaited(node.value)
        return self.builder.statement(self.span(node), expression=self.expr(node.value))

    def stmt_Assign(self, node: ast.Assign, _: set[str]) -> int:
        value = self.expr(node.value)
        targets = [self.target(target) for target in node.targets]
        return self.builder.statement(self.span(node), assign=pb.Assign(targets=targets, value=value))

    def stmt_AnnAssign(self, node: ast.AnnAssign, _: set[str]) -> int | list[int]:
        if node.value is None:
            return []
        value = self.expr(node.value)
        target = self.target(node.target)
        return self.builder.statement(self.span(node), assign=pb.Assign(targets=[target], value=value))

    def stmt_AugAssign(self, node: ast.AugAssign, _: set[str]) -> int:
        target = self.target(node.target)
        operator = b.BINARY[type(node.op)]
        augmented = pb.AugmentedAssign(target=target, operator=operator, value=self.expr(node.value))
        return self.builder.statement(self.span(node), augmented_assign=augmented)

    def stmt_Delete(self, node: ast.Delete, _: set[str]) -> int:
        targets = [target for each in node.targets for target in self._delete(each)]
        return self.builder.statement(self.span(node), delete=pb.Delete(targets=targets))

    def _delete(self, node: ast.expr) -> list[int]:
        if isinstance(node, (ast.Tuple, ast.List)):
            return [target for each in node.elts for target in self._delete(each)]
        return [self.target(node)]

    def stmt_If(self, node: ast.If, assigned: set[str]) -> int:
        test = self.operand(node.test)
        body, orelse = self.block(node.body, set(assigned)), self.block(node.orelse, set(assigned))
        return self.builder.statement(self.span(node), **{"if": pb.If(test=test, body=self._full(body), orelse=orelse)})

    def _full(self, body: list[int]) -> list[int]:
        return body or [self.builder.statement((), **{"pass": pb.Empty()})]

    def stmt_While(self, node: ast.While, assigned: set[str]) -> int:
        test = self.operand(node.test)
        body, orelse = self.block(node.body, set(assigned)), self.block(node.orelse, set(assigned))
        loop = pb.While(test=test, body=self._full(body), orelse=orelse)
        return self.builder.statement(self.span(node), **{"while": loop})

    def stmt_For(self, node: ast.For | ast.AsyncFor, assigned: set[str]) -> int:
        iterable = self.expr(node.iter) if isinstance(node, ast.AsyncFor) else self.iterable(node.iter)
        target = self.target(node.target)
        inside = assigned | scope.targets([node.target])
        body, orelse = self.block(node.body, inside), self.block(node.orelse, set(assigned))
        is_async = isinstance(node, ast.AsyncFor)
        loop = pb.For(target=target, iter=iterable, body=self._full(body), orelse=orelse, is_async=is_async)
        return self.builder.statement(self.span(node), **{"for": loop})

    stmt_AsyncFor = stmt_For

    def stmt_Try(self, node: ast.Try, assigned: set[str]) -> int:
        self.in_try += 1
        try:
            body = self.block(node.body, set(assigned))
        finally:
            self.in_try -= 1
        # Control comes here from anywhere in the body.
        caught = assigned - scope.deleted(node)
        in_handlers = bool(node.finalbody)
        self.in_try += in_handlers
        try:
            handlers = [self._handler(handler, caught) for handler in node.handlers]
            after_body = scope.assigned_after(node.body, assigned)
            orelse = self.block(node.orelse, set(after_body or assigned))
        finally:
            self.in_try -= in_handlers
        final = self.block(node.finalbody, set(caught))
        made = pb.Try(body=self._full(body), handlers=handlers, orelse=orelse, **{"finally": final})
        return self.builder.statement(self.span(node), **{"try": made})

    def _handler(self, node: ast.ExceptHandler, assigned: set[str]) -> pb.Handler:
        exception = self.optional(node.type)
        inside = assigned | ({node.name} if node.name else set())
        body = self._full(self.block(node.body, inside))
        return pb.Handler(exception=exception, name=node.name, body=body, span=self.span(node))

    def stmt_TryStar(self, node: Any, _: set[str]) -> int:
        self.refuse(node, "P0106", "`except*` is not supported in a workflow", "this statement",
                    "catch the `ExceptionGroup` with `except`, and look at its `exceptions`")  # fmt: skip

    def stmt_With(self, node: ast.With | ast.AsyncWith, assigned: set[str]) -> int:
        is_async = isinstance(node, ast.AsyncWith)
        own = [self._own_context(item.context_expr, is_async) for item in node.items]
        for item, context in zip(node.items, own, strict=True):
            if context is None and self.contains_cut(item.context_expr):
                waits = is_async or contains(node, ast.Await, ast.AsyncFor, ast.AsyncWith)
                why = "an await stands inside" if waits else "what happens inside belongs to the workflow"
                self.refuse(
                    item.context_expr, "P0107", f"`{ast.unparse(item.context_expr)}` can't be held open in a workflow: {why}",
                    "lives outside of the workflow",
                    "move the block into an action; a workflow may be put away and go on elsewhere at any await",
                )  # fmt: skip
        items = []
        bound = set(assigned)
        for item, made in zip(node.items, own, strict=True):
            context = self.expr(made or item.context_expr)
            target = self.target(item.optional_vars) if item.optional_vars else 0
            bound |= scope.targets([item.optional_vars]) if item.optional_vars else set()
            items.append(pb.WithItem(context=context, target=target))
        self.in_try += 1  # A context may swallow what is raised.
        try:
            body = self._full(self.block(node.body, bound))
        finally:
            self.in_try -= 1
        return self.builder.statement(self.span(node), **{"with": pb.With(items=items, body=body, is_async=is_async)})

    stmt_AsyncWith = stmt_With

    def _own_context(self, node: ast.expr, is_async: bool) -> ast.expr | None:
        """`Context(section(…))` for a call of what `contextlib` made of the user's `section`, if that can stay in the workflow."""
        static = self.static(node.func) if isinstance(node, ast.Call) else None
        found = contexts.made_of(static.live) if isinstance(static, statics.Foreign) else None
        if not isinstance(node, ast.Call) or found is None or is_async != (found[0] is contexts.AsyncContext):
            return None
        cls, generator = found
        if not statics.is_own_code(generator) or self.program.helper(generator) is None:
            return None
        self.program.attribute_names.update(contexts.methods(cls))
        steps = ast.Call(self.standing_for(statics.Helper(generator)), node.args, node.keywords)
        made = ast.Call(self.standing_for(statics.Class(cls)), [steps], [])
        for inner in ast.walk(made):
            if not hasattr(inner, "lineno"):
                ast.copy_location(inner, node)
        self.kept.append(made)
        return made

    def stmt_Match(self, node: ast.Match, assigned: set[str]) -> int:
        subject = self.expr(node.subject)
        cases = []
        for case in node.cases:
            pattern = self.pattern(case.pattern)
            guard = self.optional(case.guard)
            inside = assigned | scope.targets([case.pattern])
            body = self._full(self.block(case.body, inside))
            cases.append(pb.Case(pattern=pattern, guard=guard, body=body, span=self.span(case.pattern)))
        return self.builder.statement(self.span(node), match=pb.Match(subject=subject, cases=cases))

    def stmt_Return(self, node: ast.Return, _: set[str]) -> int:
        return self.builder.statement(self.span(node), **{"return": pb.Return(value=self.optional(node.value))})

    def stmt_Raise(self, node: ast.Raise, _: set[str]) -> int:
        exception, cause = self.optional(node.exc), self.optional(node.cause)
        return self.builder.statement(self.span(node), **{"raise": pb.Raise(exception=exception, cause=cause)})

    def stmt_Assert(self, node: ast.Assert, _: set[str]) -> int:
        test, message = self.operand(node.test), self.optional(node.msg)
        return self.builder.statement(self.span(node), **{"assert": pb.Assert(test=test, message=message)})

    def stmt_Pass(self, node: ast.Pass, _: set[str]) -> int:
        return self.builder.statement(self.span(node), **{"pass": pb.Empty()})

    def stmt_Break(self, node: ast.Break, _: set[str]) -> int:
        return self.builder.statement(self.span(node), **{"break": pb.Empty()})

    def stmt_Continue(self, node: ast.Continue, _: set[str]) -> int:
        return self.builder.statement(self.span(node), **{"continue": pb.Empty()})

    def stmt_Nonlocal(self, node: ast.Nonlocal, _: set[str]) -> int:
        return self.builder.statement(self.span(node), **{"nonlocal": pb.Nonlocal(names=node.names)})

    def stmt_Global(self, node: ast.Global, _: set[str]) -> list[int]:
        return []  # Reading is fine; assigning is refused where it happens.

    def refuse_global(self, node: ast.Name) -> None:
        self.refuse(node, "P0206", f"`{node.id}` belongs to the module, and is changed here",
                    "a change that no other instance and no restart would see",
                    "keep it in a variable or on `self`, or change it inside an action")  # fmt: skip

    def stmt_Import(self, node: ast.Import | ast.ImportFrom, _: set[str]) -> list[int]:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            if name not in self.names.imports:
                why = "it is not found" if alias.name != "*" else "its names are not known"
                self.refuse(node, "P0209", f"`{alias.name}` can't be imported here: {why}", "this import",
                            "import it at the top of the module, under a name of its own")  # fmt: skip
        return []

    stmt_ImportFrom = stmt_Import

    def stmt_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, _: set[str]) -> int:
        if node.decorator_list:
            self.refuse(node.decorator_list[0], "P0108", "a function inside of a workflow can't be decorated", "this decorator",
                        "call what it would do, or move the function out of the workflow")  # fmt: skip
        return self.builder.statement(self.span(node), **{"def": self.nested_function(node)})

    stmt_AsyncFunctionDef = stmt_FunctionDef

    def stmt_ClassDef(self, node: ast.ClassDef, _: set[str]) -> int:
        self.refuse(node, "P0109", "a class can't be defined inside of a workflow", "defined here",
                    "define it at the top level of the module")  # fmt: skip

    def stmt_TypeAlias(self, node: Any, _: set[str]) -> list[int]:
        self.refuse(node, "P0109", "a type alias can't be made inside of a workflow", "defined here",
                    "define it at the top level of the module")  # fmt: skip

    # Functions inside of functions.

    def nested_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> int:
        params = self.parameters(node)
        if isinstance(node, ast.Lambda):
            body = self._body(node, [ast.copy_location(ast.Return(node.body), node.body)])
            return self.builder.function(self.span(node), "", False, params, body)
        is_async = isinstance(node, ast.AsyncFunctionDef)
        return self.builder.function(self.span(node), node.name, is_async, params, self._body(node, list(node.body)))

    def parameters(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[pb.Param]:
        """With defaults that are evaluated where the function is defined."""
        given = node.args
        positional = [*given.posonlyargs, *given.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(given.defaults))
        defaults += given.defaults
        params = []
        for at, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
            kind = pb.PARAM_KIND_POSITIONAL_ONLY if at < len(given.posonlyargs) else pb.PARAM_KIND_POSITIONAL
            params.append(self._param(argument, kind, default))
        if given.vararg:
            params.append(self._param(given.vararg, pb.PARAM_KIND_REST, None))
        for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
            params.append(self._param(argument, pb.PARAM_KIND_KEYWORD_ONLY, default))
        if given.kwarg:
            params.append(self._param(given.kwarg, pb.PARAM_KIND_OPTIONS, None))
        return params

    def _param(self, argument: ast.arg, kind: Any, default: ast.expr | None) -> pb.Param:
        return pb.Param(name=argument.arg, kind=kind, default=self.optional(default), span=self.span(argument))


def _keyword(node: ast.AST) -> str:
    return type(node).__name__.lower()
