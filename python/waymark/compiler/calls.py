"""Calls: of actions and child workflows, of the workflow's own methods, of helpers, of what the runner has built in."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from waymark import signals, values
from waymark._proto import program_pb2 as pb
from waymark.actions import Action
from waymark.compiler import builder as b
from waymark.compiler import natives, scope, source, standard, statics
from waymark.compiler.expressions import Expressions
from waymark.compiler.unit import NeedsSelf, is_name
from waymark.definition import shown, unknown_keyword
from waymark.policies import BackoffPolicy, RetryPolicy
from waymark.workflow import OPTIONS, Workflow

# What changes a list, dict or set in place.
_MUTATORS = {
    "append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update", "setdefault", "popitem", "add", "discard",
    "difference_update", "intersection_update", "symmetric_difference_update",
}  # fmt: skip

# Functions of the library that change what they are given first.
_CHANGES_ITS_ARGUMENT = ("_heapq.", "heapq.", "_bisect.insort", "bisect.insort")

_SPREAD = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

# What `functools.partial` does.
_PARTIAL = ast.parse(
    "lambda _function, /, *_args, **_options: lambda *_more, **_others: _function(*_args, *_more, **{**_options, **_others})",
    mode="eval",
).body

# Calls that would not do in a workflow what they say: (message, fix).
_REFUSED_CALLS: dict[str, tuple[str, str]] = {
    "time.sleep": ("`time.sleep` would block a worker", "write `await asyncio.sleep(…)`: it costs nothing, however long"),
    "asyncio.runners.run": ("a workflow already runs in an event loop", "await the coroutine"),
    "asyncio.threads.to_thread": ("a workflow has no threads", "make it an action: `def` actions run in threads"),
    "builtins.eval": ("`eval` sees other variables in a worker", "move it into an action"),
    "builtins.exec": ("`exec` sees other variables in a worker", "move it into an action"),
    "builtins.globals": ("a workflow has no module of its own at run time", "name what you need"),
    "builtins.locals": ("the variables of a workflow are not a dict", "name what you need"),
    "builtins.input": ("nobody is there to answer", "take it as a parameter of `run()`"),
    "builtins.breakpoint": ("a workflow is not run by this interpreter", "debug with `run_inline()`"),
}


_OF_ASYNCIO = {
    "BoundedSemaphore": "use `asyncio.Semaphore`",
    "PriorityQueue": "keep a list with `heapq`, and an `asyncio.Event` for who waits",
    "LifoQueue": "keep a list, and an `asyncio.Event` for who waits",
    "Condition": "use an `asyncio.Event` or an `asyncio.Queue`",
    "Barrier": "use an `asyncio.Event`",
    "get_running_loop": "use `time.monotonic()` for its time, and `asyncio.create_task` for what it would run",
    "get_event_loop": "use `time.monotonic()` for its time, and `asyncio.create_task` for what it would run",
    "run_coroutine_threadsafe": "a workflow has no threads: use `asyncio.create_task`",
}


class Calls(Expressions):
    def expr_Call(self, node: ast.Call) -> int:
        special = self._special_call(node)
        if special is not None:
            return special
        static = self.static(node.func)
        span = self.span(node)
        if isinstance(static, statics.Called):
            return self.action_call(node, static.action, None)
        if isinstance(static, statics.Helper):
            name = self.program.helper(static.function)
            if name is None:
                raise self.refuse_helper(node, static)
            return self.builder.call(span, self.reference(self.span(node.func), name), self.arguments(node))
        if isinstance(static, statics.OwnMethod):
            return self._own_call(node, static)
        if isinstance(static, statics.Child):
            self.refuse(node, "P0302", f"the workflow {static.cls.__name__} is made but not run", "made here",
                        f"write `await {static.cls.__name__}().run(…)`")  # fmt: skip
        if self.is_partial_of_own(node):
            return self._partial(node)
        self._refuse_change_of_constant(node)
        callee = self.expr(node.func)
        return self.builder.call(span, callee, self.arguments(node))

    def refuse_unawaited(self, node: ast.expr) -> None:
        """Refuses a call that only makes a coroutine, where nobody could await it."""
        if not isinstance(node, ast.Call):
            return
        static = self.static(node.func)
        function = static.function if isinstance(static, (statics.Helper, statics.OwnMethod)) else None
        if isinstance(static, statics.Called) or self.is_self_run_action(node):
            what = "action"
        elif inspect.iscoroutinefunction(function) or (isinstance(node.func, ast.Name) and self.names.is_coroutine(node.func.id)):
            what = "coroutine"
        else:
            return
        self.refuse(node, "P0312", f"this {what} is called but not awaited, so it never runs", "not awaited",
                    f"write `await {ast.unparse(node)}`")  # fmt: skip

    def is_self_run_action(self, node: ast.Call) -> bool:
        func = node.func
        return isinstance(func, ast.Attribute) and func.attr == "run_action" and self.is_self(func.value)

    def arguments(self, node: ast.Call, first: Sequence[pb.Arg] = ()) -> list[pb.Arg]:
        args = list(first)
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                args.append(b.rest(self.expr(argument.value)))
            else:
                args.append(b.positional(self.expr(argument)))
        for given in node.keywords:
            value = self.expr(given.value)
            args.append(b.options(value) if given.arg is None else b.keyword(given.arg, value))
        return args

    def is_partial_of_own(self, node: ast.Call) -> bool:
        """`functools.partial` of a function that only the workflow has."""
        static = self.static(node.func)
        if not isinstance(static, statics.Class) or static.cls is not functools.partial or not node.args:
            return False
        function = node.args[0]
        held = self.static(function)
        if held is None:
            return isinstance(function, (ast.Name, ast.Lambda))
        return isinstance(held, (statics.Called, statics.OwnMethod)) or (isinstance(held, statics.Helper) and held.is_async)

    def _partial(self, node: ast.Call) -> int:
        made = copy.deepcopy(_PARTIAL)
        for part in ast.walk(made):
            ast.copy_location(part, node)
        call = ast.copy_location(ast.Call(made, node.args, node.keywords), node)
        self.kept.append(call)
        return self.expr(call)

    def _special_call(self, node: ast.Call) -> int | None:
        func = node.func
        if isinstance(func, ast.Attribute):
            if isinstance(func.value, ast.Call) and is_name(func.value.func, "super") and not func.value.args:
                return self._super_call(node, func)
            if self.is_self_run_action(node):
                return self._run_action(node)
            if self.is_self(func.value) and func.attr == "publish":
                return self._publish(node)
            if func.attr in ("run", "start") and isinstance(func.value, ast.Call):
                made = self.static(func.value.func)
                if isinstance(made, statics.Child):
                    return self._child_call(node, func, made.cls)
            logged = self.static(func.value)
            if isinstance(logged, statics.Log):
                return self._log_call(node, func.attr)
        durable = self.static(func)
        if isinstance(durable, statics.Durable):
            return self._durable_call(node, durable.function)
        if self.refuse_call(node) == "typing.cast" and len(node.args) == 2:
            return self.expr(node.args[1])
        return None

    def refuse_call(self, node: ast.Call) -> str:
        """Refuses what a workflow must not call; otherwise the full name of the library's function, if it is one."""
        static = self.static(node.func)
        if _is_of_asyncio(_live(static)) and full_name(_live(static)) not in _REFUSED_CALLS:
            what = ast.unparse(node.func)
            self.refuse(node, "P0303", f"a workflow has no `{what}`", "called here", _OF_ASYNCIO.get(
                _live(static).__name__, "write it with what a workflow has: tasks, Lock, Semaphore, Event, Queue, Future"))  # fmt: skip
        if not isinstance(static, (statics.Native, statics.Foreign)):
            return ""
        name = static.name if isinstance(static, statics.Native) else full_name(static.live)
        if "." not in name:
            name = f"builtins.{name}"
        if name in _REFUSED_CALLS:
            message, fix = _REFUSED_CALLS[name]
            self.refuse(node, "P0303", message, "called here", fix)
        return name

    def is_refused(self, static: statics.Static | None) -> bool:
        """Whether calling this is refused, rather than left to a worker."""
        live = _live(static)
        return full_name(live) in _REFUSED_CALLS or _is_of_asyncio(live)

    def _log_call(self, node: ast.Call, method: str) -> int:
        method = {"warn": "warning", "fatal": "critical"}.get(method, method)
        if not natives.has(f"logging.{method}"):
            self.refuse(node, "P0304", f"a logger's `{method}` can't be called in a workflow", "called here",
                        "use debug, info, warning, error, critical or exception")  # fmt: skip
        callee = self.reference(self.span(node.func), f"logging.{method}")
        kept = ast.Call(node.func, node.args, [each for each in node.keywords if each.arg not in ("extra", "stacklevel")])
        return self.builder.call(self.span(node), callee, self.arguments(kept))

    def says_something(self, known: frozenset[Any] = frozenset()) -> bool:
        """Whether it prints or logs, or a function that it calls does."""
        for inner in ast.walk(self.node):
            if isinstance(inner, ast.Call):
                static = self.static(inner.func)
                if isinstance(static, statics.Native) and (static.name == "print" or static.name.startswith("logging.")):
                    return True
                if isinstance(static, statics.Helper) and static.function not in known and self._helper_says(static.function, known):
                    return True
                if isinstance(inner.func, ast.Attribute) and isinstance(self.static(inner.func.value), statics.Log):
                    return True
        return False

    def _helper_says(self, function: Any, known: frozenset[Any]) -> bool:
        try:
            file, node = source.find(function)
        except (source.NoSource, TypeError):
            return False
        return type(self)(self.program, file, node, function, None).says_something(known | {function})

    def may_have_no_end(self) -> bool:
        return any(isinstance(inner, ast.While) and isinstance(inner.test, ast.Constant) for inner in ast.walk(self.node))

    def shows_its_steps(self) -> bool:
        """Whether others see how far a generator is: by what it says or changes."""
        given = {each.arg for each in scope.parameters(self.node.args)}
        for inner in ast.walk(self.node):
            if isinstance(inner, ast.Call):
                changed: ast.AST | None = None
                if isinstance(inner.func, ast.Attribute) and inner.func.attr in _MUTATORS:
                    changed = inner.func.value
                elif inner.args and full_name(_live(self.static(inner.func))).startswith(_CHANGES_ITS_ARGUMENT):
                    changed = inner.args[0]
                if changed is not None and _root(changed) in given:
                    return True
            if isinstance(inner, (ast.Attribute, ast.Subscript)) and not isinstance(inner.ctx, ast.Load) and _root(inner) in given:
                return True
        return self.says_something()

    def _refuse_change_of_constant(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATORS:
            if isinstance(self.static(node.func.value), statics.Constant):
                self._refuse_outside(node, node.func.value)

    # Actions and children.

    def action_call(self, node: ast.Call, action: Action, policy: ast.Call | None) -> int:
        self._check_arguments(node, action.signature, action.function.__name__)
        args = self.arguments(node)
        self.program.note_action(self.file, node, action)
        return self.builder.action(self.span(node), args, self._policy(action, policy), action=action.name)

    def _check_arguments(self, node: ast.Call, signature: inspect.Signature, name: str) -> None:
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            return
        try:
            signature.bind(*node.args, **{each.arg: each.value for each in node.keywords if each.arg})
        except TypeError as error:
            wrong = unknown_keyword(signature, [each.arg for each in node.keywords if each.arg]) or error
            self.refuse(node, "P0305", f"{name}() can't be called like this: {wrong}", "called here",
                        f"its parameters are {shown(signature)}")  # fmt: skip

    def _child_call(self, node: ast.Call, func: ast.Attribute, cls: type) -> int:
        definition = vars(cls)["__waymark__"]
        options: list[ast.keyword] = []
        if func.attr == "start":
            options = [each for each in node.keywords if each.arg in OPTIONS]
            kept = [each for each in node.keywords if each not in options]
            node = ast.copy_location(ast.Call(node.func, node.args, kept), node)
            self.kept.append(node)
        signature = inspect.signature(definition.run)
        own = list(signature.parameters.values())[1:]
        taken = next((each.arg for each in options if each.arg in signature.parameters), None)
        if taken is not None:
            self.refuse(node, "P0305", f"`{taken}` is an option of start() and a parameter of {cls.__name__}.run", "which is meant?",
                        "give the parameter by position")  # fmt: skip
        self._check_arguments(node, signature.replace(parameters=own), f"{cls.__name__}.{func.attr}")
        self.program.children.add(cls)
        span = self.span(node)
        args = self.arguments(node)

        def make(named: list[pb.Arg]) -> int:
            if func.attr == "run":
                return self.builder.action(span, named, None, workflow=definition.name)
            given = [b.keyword(str(each.arg), self.expr(each.value)) for each in options]
            return self._start_workflow(node, self.builder.const(span, definition.name), named, given)

        # A workflow takes its inputs by name.
        is_spread = any(each.WhichOneof("kind") in ("rest", "options") for each in args)
        if is_spread or any(each.kind in _SPREAD for each in own):
            return self.builder.call(span, self._by_name(node, own, make), args)
        named = [
            b.keyword(own[at].name, each.positional) if each.WhichOneof("kind") == "positional" else each for at, each in enumerate(args)
        ]
        return make(named)

    def _start_workflow(self, node: ast.AST, name: int, inputs: list[pb.Arg], options: list[pb.Arg]) -> int:
        span = self.span(node)
        dicts = [b.positional(self.builder.call(span, self.reference(span, "dict"), given)) for given in (inputs, options)]
        return self.builder.call(span, self.reference(span, "waymark.start_workflow"), [b.positional(name), *dicts])

    def _publish(self, node: ast.Call) -> int:
        self._check_arguments(node, _without_self(Workflow.publish), "publish")
        return self.builder.call(self.span(node), self.reference(self.span(node.func), "waymark.publish"), self.arguments(node))

    def _durable_call(self, node: ast.Call, function: Any) -> int:
        """`wait_for_signal`, `wait_for_update`, `run_workflow`."""
        span = self.span(node)
        self._check_arguments(node, inspect.signature(function, follow_wrapped=False), function.__name__)
        if function is signals.run_workflow:
            name, inputs = self.expr(node.args[0]), ast.Call(node.func, [], node.keywords)
            given = self.builder.call(span, self.reference(span, "dict"), self.arguments(inputs))
            return self.builder.call(span, self.reference(span, "waymark.run_workflow"), [b.positional(name), b.positional(given)])
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            self.refuse(node, "P0305", f"{function.__name__}() takes its arguments one by one", "called here", "write them out")
        wanted = node.args[1] if len(node.args) > 1 else next((each.value for each in node.keywords if each.arg == "type"), None)
        is_update = function is signals.wait_for_update
        native = "waymark.next_update" if is_update else "waymark.next_signal"
        plain = ast.Call(node.func, node.args[:1], [each for each in node.keywords if each.arg != "type"])
        waiting = self.builder.call(span, self.reference(self.span(node.func), native), self.arguments(plain))
        if wanted is None or _is_none(wanted):
            return waiting
        if self.type_of(wanted) is None:
            self.refuse(wanted, "P0314", "the type of a payload has to be known when the workflow is compiled", "not known yet",
                        "name a class, or a type like `list[Order]`")  # fmt: skip
        change = self.expr(self._coercion(node, wanted))
        helper = self.program.helper(standard.typed_update if is_update else standard.typed_signal)
        assert helper is not None
        return self.builder.call(span, self.reference(span, helper), [b.positional(waiting), b.positional(change)])

    def _coercion(self, node: ast.AST, wanted: ast.expr) -> ast.Lambda:
        """`lambda payload: coerce(payload, Wanted)`, which a worker does, unless it is one already."""
        name = "_waymark_coerce"
        self.names.bound.add(name)
        self.names.imports[name] = statics.Foreign(values.coerce, "__import__('waymark.values', fromlist=['']).coerce")
        text = f"lambda _payload: {name}(_payload, _wanted)"
        if isinstance(self.static(wanted), statics.Class):
            text = f"lambda _payload: _payload if isinstance(_payload, _wanted) else {name}(_payload, _wanted)"
        made = ast.parse(text, mode="eval").body
        assert isinstance(made, ast.Lambda)

        class Fill(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.expr:
                return copy.deepcopy(wanted) if node.id == "_wanted" else node

        made = Fill().visit(made)
        for part in ast.walk(made):
            ast.copy_location(part, node)
        self.kept.append(made)
        return made

    def _by_name(self, node: ast.AST, own: Sequence[inspect.Parameter], make: Callable[[list[pb.Arg]], int]) -> int:
        """A function with the parameters of a child's `run`: for calls whose arguments are not all known by name yet."""
        span = self.span(node)
        params = self.program.params_like(self, node, own)
        named = [b.keyword(each.name, self.builder.name(span, each.name)) for each in own]
        returned = self.builder.statement(span, **{"return": pb.Return(value=make(named))})
        return self.builder.expression(span, **{"lambda": self.builder.function(span, "", False, params, [returned])})

    def _run_action(self, node: ast.Call) -> int:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.Call):
            self.refuse(node, "P0307", "run_action() takes the call of an action", "here",
                        "write `await self.run_action(charge(order), retry=…, timeout=…)`")  # fmt: skip
        call = node.args[0]
        static = self.static(call.func)
        if not isinstance(static, statics.Called):
            self.refuse(call, "P0307", "run_action() takes the call of an action", "this is no call of an action",
                        "give it the call itself: `self.run_action(charge(order), …)`")  # fmt: skip
        return self.action_call(call, static.action, node)

    def _policy(self, action: Action, call: ast.Call | None) -> pb.Policy | None:
        given = {each.arg: each.value for each in call.keywords} if call else {}
        for name in given:
            if name not in ("retry", "timeout", "queue", "policy"):
                self.refuse(call, "P0308", f"run_action() has no option `{name}`", "here", "use retry, timeout or queue")  # type: ignore[arg-type]
        fields: dict[str, int] = {}
        if "retry" in given:
            self._retry(given["retry"], fields)
        elif action.retry is not None:
            self._retry_fields(fields, _fields_of(action.retry), call or self.node)
        if "timeout" in given:
            fields["timeout"] = self.expr(given["timeout"])
        elif action.timeout is not None:
            fields["timeout"] = self.builder.const((), action.timeout)
        if "queue" in given:
            fields["queue"] = self.expr(given["queue"])
        elif action.queue is not None:
            fields["queue"] = self.builder.const((), action.queue)
        if action.transaction is not None:
            fields["transaction"] = self.builder.const((), True)
        return pb.Policy(**fields) if fields else None

    def _retry(self, node: ast.expr, fields: dict[str, int]) -> None:
        static = self.static(node)
        if isinstance(static, statics.Constant) and isinstance(static.value, RetryPolicy):
            return self._retry_fields(fields, _fields_of(static.value), node)
        if isinstance(static, statics.Constant) and static.value is None or _is_none(node):
            return None
        if isinstance(node, ast.Call) and _is_class(self.static(node.func), RetryPolicy):
            return self._retry_fields(fields, self._written(node, RetryPolicy), node)
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return self._retry_fields(fields, {"attempts": node}, node)
        self.refuse(node, "P0309", "a retry policy has to be known when the workflow is compiled", "not known yet",
                    "write `RetryPolicy(attempts=…)` here, or make it a constant of the module; its parts may be computed")  # fmt: skip

    def _written(self, node: ast.Call, cls: type) -> dict[str, Any]:
        """The arguments of a policy as they are written, by name."""
        try:
            bound = inspect.signature(cls).bind(*node.args, **{each.arg: each.value for each in node.keywords if each.arg})
        except TypeError as error:
            self.refuse(node, "P0305", f"{cls.__name__}() can't be called like this: {error}", "called here",
                        f"its parameters are {inspect.signature(cls)}")  # fmt: skip
        return dict(bound.arguments)

    def _retry_fields(self, fields: dict[str, int], given: dict[str, Any], node: ast.AST) -> None:
        part = lambda value: self._part(value, node)  # noqa: E731
        fields["attempts"] = part(given.get("attempts", RetryPolicy.attempts))
        fields["retry_timeouts"] = part(given.get("retry_timeouts", RetryPolicy.retry_timeouts))
        classes = given.get("retry_on")
        classes = given.get("exception_types") if _is_nothing(classes) else classes
        if not _is_nothing(classes):
            fields["retry_on"] = part(tuple(classes) if isinstance(classes, list) else classes)
        if not _is_nothing(given.get("backoff_seconds")):
            fields["backoff"] = part(given["backoff_seconds"])
        self._backoff_fields(fields, given.get("backoff"), node)

    def _backoff_fields(self, fields: dict[str, int], backoff: Any, node: ast.AST) -> None:
        if _is_nothing(backoff):
            return
        if isinstance(backoff, ast.AST):
            static = self.static(backoff)
            if isinstance(static, statics.Constant) and isinstance(static.value, BackoffPolicy):
                backoff = static.value
        if isinstance(backoff, BackoffPolicy):
            given = _fields_of(backoff)
        elif isinstance(backoff, ast.Call) and _is_class(self.static(backoff.func), BackoffPolicy):
            given = self._written(backoff, BackoffPolicy)
        else:
            self.refuse(node, "P0309", "a backoff policy has to be known when the workflow is compiled", "not known yet",
                        "write `BackoffPolicy(base_delay=…)` here, or make it a constant of the module")  # fmt: skip
        for name, field in (("base_delay", "backoff"), ("factor", "factor"), ("max_delay", "max_delay"), ("jitter", "jitter")):
            if not _is_nothing(given.get(name)):
                fields[field] = self._part(given[name], node)

    def _part(self, value: Any, node: ast.AST) -> int:
        """A part of a policy: written in the workflow, or a live value."""
        if isinstance(value, ast.expr):
            return self.expr(value)
        if hasattr(value, "total_seconds"):
            value = value.total_seconds()
        anchor = node if isinstance(node, ast.expr) else ast.Constant(None)
        return self.value_of(anchor, statics.classify(value, ""))

    # The workflow's own object.

    def self_object(self, node: ast.AST) -> int:
        if not self.program.with_self:
            raise NeedsSelf
        assert self.self_name is not None
        return self.builder.name(self.span(node), self.self_name)

    def self_attribute(self, node: ast.Attribute) -> int:
        if node.attr in self.program.state_names:
            return self.builder.attribute(self.span(node), self.self_object(node.value), node.attr)
        static = self.static(node)
        if static is None:
            self.refuse(node, "P0208", f"the workflow has no attribute `{node.attr}`", "not found",
                        "assign it in `run()` first, or define it in the class")  # fmt: skip
        if isinstance(static, statics.OwnMethod):
            if static.is_property:
                return self._own_call(ast.copy_location(ast.Call(node, [], []), node), static)
            return self._bound_method(node, static)
        return self.value_of(node, static)

    def self_target(self, node: ast.Attribute) -> int:
        return self.builder.attribute(self.span(node), self.self_object(node.value), node.attr)

    def _own_call(self, node: ast.Call, method: statics.OwnMethod) -> int:
        span = self.span(node)
        name = self.program.method(method)
        if name is None:
            self.refuse(node, "P0310", f"`{method.function.__name__}` belongs to Waymark and can't be called in a workflow",
                        "called here", "call actions and your own methods")  # fmt: skip
        first = [b.positional(self.self_object(node))] if self.program.passes_self(method) else []
        return self.builder.call(span, self.reference(span, name), self.arguments(node, first))

    def _super_call(self, node: ast.Call, func: ast.Attribute) -> int:
        if self.method is None:
            return self._base_call(node, func)
        static = statics.own_attribute(self.method.workflow, func.attr, self.method.owner)
        if not isinstance(static, statics.OwnMethod):
            self.refuse(node, "P0208", f"no class above has a method `{func.attr}`", "not found", "check the spelling")
        return self._own_call(node, static)

    def _base_call(self, node: ast.Call, func: ast.Attribute) -> int:
        """`super().step()` in a method of a user's class."""
        base = statics.next_in_line(self.around.owner, func.attr) if self.around.owner else None
        own = next(iter(scope.parameters(self.node.args)), None)
        if base is None or own is None:
            self.refuse(node, "P0313", f"what `super().{func.attr}` is depends on the object's class, or it is nowhere", "used here",
                        "call the method of the base by another name")  # fmt: skip
        span = self.span(node)
        name = self.program.methods.function(base, func.attr)
        if name is not None:
            return self.builder.call(
                span, self.reference(span, name), self.arguments(node, [b.positional(self.builder.name(span, own.arg))])
            )
        live = getattr(base, func.attr)
        elsewhere = self.standing_for(statics.Foreign(live, f"{statics.class_source(base)}.{func.attr}"))
        made = ast.Call(elsewhere, [ast.Name(own.arg, ast.Load()), *node.args], node.keywords)
        for inner in ast.walk(made):
            if not hasattr(inner, "lineno"):
                ast.copy_location(inner, node)
        self.kept.append(made)
        return self.expr(made)

    def standing_for(self, static: statics.Static) -> ast.Name:
        """A name for what has none where it is needed."""
        name = self.temporary()
        self.names.bound.add(name)
        self.names.imports[name] = static
        return ast.Name(name, ast.Load())

    def _bound_method(self, node: ast.Attribute, method: statics.OwnMethod) -> int:
        """`self.step` as a value: a function that brings `self` along."""
        span = self.span(node)
        name = self.program.method(method)
        if name is None:
            self.refuse(node, "P0310", f"`{node.attr}` belongs to Waymark", "used here", "use your own methods")
        if not self.program.passes_self(method):
            return self.reference(span, name)

        def make() -> int:
            passed = [b.rest(self.builder.name(span, "_args")), b.options(self.builder.name(span, "_options"))]
            return self.builder.call(span, self.reference(span, name), [b.positional(self.self_object(node)), *passed])

        return self.wrapper(span, make)

    def wrapper(self, span: b.Span, make: Any) -> int:
        """`lambda *args, **options: …`"""
        returned = self.builder.statement(span, **{"return": pb.Return(value=make())})
        params = [
            pb.Param(name="_args", kind=pb.PARAM_KIND_REST),
            pb.Param(name="_options", kind=pb.PARAM_KIND_OPTIONS),
        ]
        function = self.builder.function(span, "", False, params, [returned])
        return self.builder.expression(span, **{"lambda": function})

    def helper_value(self, node: ast.expr, static: statics.Helper) -> int:
        """A function of the module as a value."""
        name = self.program.helper(static.function)
        if name is not None:
            return self.reference(self.span(node), name)
        raise self.refuse_helper(node, static)

    def refuse_helper(self, node: ast.AST, static: statics.Helper) -> NoReturn:
        self.refuse(node, "P0311", f"{static.function.__name__} can't be compiled into the workflow", "used here",
                    "mend what is said of it, or make it an action")  # fmt: skip


def _without_self(function: Any) -> inspect.Signature:
    signature = inspect.signature(function, follow_wrapped=False)
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def _live(static: statics.Static | None) -> Any:
    if isinstance(static, statics.Class):
        return static.cls
    return static.live if isinstance(static, statics.Foreign) else None


def _root(node: ast.AST) -> str:
    """The variable that an attribute or item is taken of."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_of_asyncio(live: Any) -> bool:
    """What belongs to an event loop, which a worker does not share with the workflow. Those that the runner has are not asked about."""
    module = getattr(live, "__module__", None)
    is_there = isinstance(module, str) and (module == "asyncio" or module.startswith("asyncio.") or module == "_asyncio")
    return is_there and not (isinstance(live, type) and issubclass(live, BaseException))


def full_name(live: Any) -> str:
    return f"{getattr(live, '__module__', '')}.{getattr(live, '__name__', '')}"


def _fields_of(policy: Any) -> dict[str, Any]:
    return {name: getattr(policy, name) for name in policy.__dataclass_fields__}


def _is_class(static: statics.Static | None, cls: type) -> bool:
    return isinstance(static, statics.Class) and static.cls is cls


def _is_none(node: Any) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_nothing(value: Any) -> bool:
    return value is None or _is_none(value) or value == () or value == []
