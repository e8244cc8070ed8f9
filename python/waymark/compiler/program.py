"""A workflow's class → its program: the functions that are reached from `run()`, and the classes they name."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import types
from collections.abc import Sequence
from typing import Any

from waymark._proto import program_pb2 as pb
from waymark.actions import Action
from waymark.compiler import builder as b
from waymark.compiler import natives, scope, source, statics
from waymark.compiler.diagnostics import CompileError, Problem
from waymark.compiler.methods import Methods, returning_self, with_private_names
from waymark.compiler.statements import FunctionCompiler
from waymark.compiler.types import Types, hints
from waymark.compiler.unit import Method, NeedsSelf, Refused
from waymark.errors import CannotTravel
from waymark.names import shown_path

_SOURCE_LENGTH_MAX = 256 * 1024


class Steps(enum.Enum):
    """How far a generator is: a worker reads it to its end, so what others see of it would come too early."""

    #: Nobody sees: a worker may read it.
    HIDDEN = enum.auto()
    #: It may have no end: a worker reads it only if nobody else can.
    ENDLESS = enum.auto()
    #: By what it says or changes: it stays in the workflow, or is refused.
    SHOWN = enum.auto()


@dataclasses.dataclass(frozen=True)
class Note:
    """What became of a line."""

    path: str
    line: int
    end_line: int
    fate: str
    text: str


@dataclasses.dataclass(frozen=True)
class Compiled:
    name: str
    program: bytes
    source: str
    """The text of the file that `run()` stands in."""
    path: str
    children: tuple[type, ...]
    notes: tuple[Note, ...]
    functions: tuple[tuple[str, str, int, int], ...]
    """(path, name, first line, last line) of each function of the program."""
    actions: tuple[str, ...] = ()
    """The names of those that it calls."""


def compile_workflow(cls: type) -> Compiled:
    """Compiles the workflow once; raises `CompileError` with everything that is wrong."""
    definition = vars(cls)["__waymark__"]
    program = ProgramCompiler(cls, definition.name, definition.run)
    try:
        program.compile()
    except NeedsSelf:
        program = ProgramCompiler(cls, definition.name, definition.run, with_self=True)
        program.compile()
    if program.problems:
        raise CompileError(definition.name, program.problems)
    return program.finish()


def check_early(cls: type) -> None:
    """What can be said when the class is defined. The module may not be whole yet: names that it has further down are not missed, nor those
    of a module that imports this one."""
    try:
        compile_workflow(cls)
    except CompileError as error:
        run = vars(cls)["__waymark__"].run
        later = _names_below(run)
        left = [problem for problem in error.problems if not _comes_later(problem, run, later)]
        # What a missing name stands for may be behind any other problem.
        if len(left) == len(error.problems):
            raise CompileError(error.name, left) from None


def _comes_later(problem: Problem, run: types.FunctionType, names_below: set[str]) -> bool:
    if problem.code == "P0202":
        spec = getattr(run.__globals__.get(problem.subject), "__spec__", None)
        return getattr(spec, "_initializing", False)
    return problem.code == "P0201" and problem.subject in names_below


def _names_below(function: types.FunctionType) -> set[str]:
    try:
        file, _ = source.find(function)
    except source.NoSource:
        return set()
    return {name for statement in file.tree.body for name in scope.targets([statement])}


class ProgramCompiler:
    def __init__(self, cls: type, name: str, run: types.FunctionType, with_self: bool = False) -> None:
        self.cls = cls
        self.name = name
        self.run = run
        self.builder = b.Builder(name)
        self.types = Types()
        self.problems: list[Problem] = []
        self.children: set[type] = set()
        self.notes: list[Note] = []
        self.spans: list[tuple[str, str, int, int]] = []
        self.state_names = _state_names(cls)
        # What is kept on `self` needs it; anything else shows while it is compiled.
        self.with_self = with_self or bool(self.state_names)
        self._functions: dict[Any, str | None] = {}
        self._ids: dict[str, int] = {"main": 0}
        self._files: dict[str, int] = {}
        self._accessors: dict[str, str] = {}
        self.attribute_names: set[str] = set()
        """Every attribute that the program's functions name."""
        self.awaited_names: set[str] = set()
        """Those among them that are called and awaited."""
        self.methods = Methods(self)

    def compile(self) -> None:
        run = self.run
        try:
            file, node = source.find(run)
        except source.NoSource as error:
            fix = "put the workflow into a module of its own; its source has to be there when it is imported"
            self.problems.append(Problem("P0001", str(error), run.__code__.co_filename, 0, 0, 0, "", fix))
            return
        self._entry(file, node)
        self.methods.compile()

    def finish(self) -> Compiled:
        program = self.builder.program
        program.functions.extend(self._ids.values())
        program.types.extend(self.types.in_order())
        path = inspect.getsourcefile(self.run) or self.run.__code__.co_filename
        text = next((each.text for each in program.sources if each.path == shown_path(path)), "")
        children = tuple(sorted(self.children, key=lambda child: child.__qualname__))
        data = program.SerializeToString(deterministic=True)
        return Compiled(self.name, data, text, path, children, tuple(self.notes), tuple(self.spans), tuple(sorted(self.builder.actions)))

    # Functions.

    def _entry(self, file: source.File, node: source.FunctionNode) -> None:
        self._check_class(file, node)
        if not isinstance(node, ast.AsyncFunctionDef):
            self.problem(file, Refused(node, "P0002", "`run` is not async", "defined here", "write `async def run(self, …)`"))
            return
        if hasattr(self.run, "__wrapped__"):
            self.problem(file, Refused(
                node, "P0108", "`run` is decorated, and what stands around it has other parameters", "this stands around it",
                "decorate a method of the workflow, and call that in `run`"))  # fmt: skip
            return
        method = Method(self.cls, _owner(self.cls, self.run), node.args.args[0].arg if node.args.args else None)
        unit = FunctionCompiler(self, file, node, self.run, method)
        prologue = []
        if self.with_self and method.self_name:
            span = unit.span(node)
            made = self.builder.call(span, self.builder.name(span, self._self_type()))
            prologue.append(self.builder.assign(span, method.self_name, made))
            prologue += self._class_state(unit, method.self_name)
        try:
            params = self._params(unit, node, self.run, drop_first=True, is_entry=True)
        except Refused as refused:
            self.problem(file, refused)
            params = []
        self._ids["main"] = unit.compile("main", params, _origin("main", self.run, is_method=True), prologue)
        self._remember(file, "run", node)
        for annotation in hints(self.run).values():
            self.types.declare_annotation(annotation)

    def _check_class(self, file: source.File, node: source.FunctionNode) -> None:
        for owner in self.cls.__mro__:
            if "__init__" in vars(owner) and owner is not object and not _is_ours(owner):
                self.problem(file, Refused(
                    node, "P0003", f"{owner.__name__} has an `__init__`, but a workflow is made without arguments",
                    "run belongs to this class", "take what it needs as parameters of `run`"))  # fmt: skip
                return

    def _class_state(self, unit: FunctionCompiler, self_name: str) -> list[int]:
        """Attributes of `self` that begin with what the class says."""
        made = []
        for name in sorted(self.state_names):
            static = statics.own_attribute(self.cls, name)
            if isinstance(static, statics.Constant):
                value = unit.constant(ast.copy_location(ast.Name(name, ast.Load()), unit.node), static.value)
                target = self.builder.attribute((), self.builder.name((), self_name), name)
                made.append(self.builder.statement((), assign=pb.Assign(targets=[target], value=value)))
        return made

    def helper(self, function: types.FunctionType) -> str | None:
        """The name of a function of the user's in the program; None where it has to run in a worker."""
        if function not in self._functions:
            self._compile_function(function, function, None, drop_first=False)
        return self._functions[function]

    def method(self, method: statics.OwnMethod) -> str | None:
        if _is_ours(method.owner):
            return None
        key = (method.function, "method")
        if key not in self._functions:
            code = method.function.__code__
            first = code.co_varnames[0] if method.takes and code.co_argcount else None
            context = Method(self.cls, method.owner, first)
            self._compile_function(key, method.function, context, drop_first=not self.passes_self(method) and bool(first))
        return self._functions[key]

    def class_method(self, cls: type, function: types.FunctionType) -> tuple[str | None, list[Problem]]:
        """A method of a user's class as a function of the program: its name, or else what is wrong with it."""
        before, known = self._state(), dict(self._functions)
        key = (function, cls)
        self._compile_function(key, function, None, drop_first=False, owner=cls)
        problems = self.problems[before[1] :]
        if problems:
            self._go_back(before, known)
            return None, problems
        return self._functions[key], []

    def function_of(self, cls: type, method: types.FunctionType) -> str | None:
        return self._functions.get((method, cls))

    def passes_self(self, method: statics.OwnMethod) -> bool:
        return self.with_self and method.takes is not None

    def _state(self) -> tuple[int, int, int, dict[str, int], int]:
        return self.builder.size, len(self.problems), len(self.notes), dict(self._ids), len(self.spans)

    def _go_back(self, before: tuple[int, int, int, dict[str, int], int], known: dict[Any, str | None]) -> None:
        """As if nothing had been compiled since."""
        size, problems, notes, ids, spans = before
        self.builder.truncate(size)
        del self.problems[problems:], self.notes[notes:], self.spans[spans:]
        self._ids, self._functions = ids, known

    def _compile_function(
        self, key: Any, function: types.FunctionType, method: Method | None, drop_first: bool, owner: type | None = None
    ) -> None:
        is_async = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
        # A plain function that is not all native runs in a worker as a whole. A method is needed here: it has `self`.
        is_trial = method is None and owner is None and not is_async
        before, known = self._state(), dict(self._functions)
        name = self._free_name(function, method, owner)
        self._functions[key] = name
        self._ids[name] = 0
        steps = Steps.HIDDEN
        try:
            file, node = source.find(function)
        except source.NoSource as error:
            if not is_trial:
                fix = "make it an action, or put it into a module"
                self.problems.append(Problem("P0001", str(error), function.__code__.co_filename, 0, 0, 0, "", fix))
            self._functions[key] = None
        else:
            node = node if method is not None else with_private_names(node, function)
            node = returning_self(node) if owner is not None and function.__name__ == "__init__" else node
            steps = self._compile_node(name, file, node, function, method, is_async, drop_first)
        if is_trial and (self._functions[key] is None or self._is_for_a_worker(before, steps)):
            self._go_back(before, known)
            self._functions[key] = None

    def _compile_node(
        self,
        name: str,
        file: source.File,
        node: source.FunctionNode,
        function: types.FunctionType,
        method: Method | None,
        is_async: bool,
        drop_first: bool,
    ) -> Steps:
        unit = FunctionCompiler(self, file, node, function, method)
        unit.is_async = is_async
        try:
            params = self._params(unit, node, function, drop_first)
            self._ids[name] = unit.compile(name, params, _origin(name, function, drop_first))
            self._remember(file, function.__name__, node)
        except Refused as refused:
            self.problem(file, refused)
        if not inspect.isgeneratorfunction(function):
            return Steps.HIDDEN
        return Steps.SHOWN if unit.shows_its_steps() else Steps.ENDLESS if unit.may_have_no_end() else Steps.HIDDEN

    def _is_for_a_worker(self, before: tuple[int, int, int, Any, int], steps: Steps) -> bool:
        if len(self.problems) > before[1]:
            return steps is not Steps.SHOWN
        return steps is Steps.HIDDEN and any(note.fate != "native" for note in self.notes[before[2] :])

    def _free_name(self, function: types.FunctionType, method: Method | None, cls: type | None = None) -> str:
        plain = function.__name__ if function.__name__.isidentifier() else "function"
        cls = method.owner if method else cls
        owner = cls.__name__ if cls else function.__module__.rpartition(".")[2]
        for name in (f"{owner}_{plain}",) if cls and not method else (plain, f"{owner}_{plain}"):
            if self._is_free(name):
                return name
        at = 2
        while not self._is_free(f"{owner}_{plain}_{at}"):
            at += 1
        return f"{owner}_{plain}_{at}"

    def _is_free(self, name: str) -> bool:
        return name not in self._ids and name not in natives.modules() and not natives.has(name)

    def _params(
        self, unit: FunctionCompiler, node: source.FunctionNode, function: types.FunctionType, drop_first: bool, is_entry: bool = False
    ) -> list[pb.Param]:
        spans = {each.arg: unit.span(each) for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        parameters = list(inspect.signature(function, follow_wrapped=False).parameters.values())
        made = []
        for parameter in parameters[1:] if drop_first else parameters:
            kind = _KINDS[parameter.kind]
            default = parameter.default
            if is_entry and parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                kind, default = pb.PARAM_KIND_KEYWORD_ONLY, ()
            elif is_entry and parameter.kind is inspect.Parameter.VAR_KEYWORD:
                kind, default = pb.PARAM_KIND_KEYWORD_ONLY, {}
            elif is_entry and parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
                kind = pb.PARAM_KIND_POSITIONAL
            param = pb.Param(name=parameter.name, kind=kind, span=spans.get(parameter.name, ()))
            if default is not inspect.Parameter.empty:
                param.default = self._default(unit, node, parameter.name, default, is_entry)
            made.append(param)
        return made

    def params_like(self, unit: Any, node: ast.AST, parameters: Sequence[inspect.Parameter]) -> list[pb.Param]:
        """Those of the entry of another workflow, with its defaults."""
        made = [pb.Param(name=each.name, kind=_KINDS[each.kind]) for each in parameters]
        for param, each in zip(made, parameters, strict=True):
            if each.default is not inspect.Parameter.empty:
                param.default = self._default(unit, node, each.name, each.default, is_entry=True)
        return made

    def _default(self, unit: FunctionCompiler, node: ast.AST, name: str, value: Any, is_entry: bool) -> int:
        if type(value) in (list, dict, set) and not is_entry:
            unit.refuse(node, "P0110", f"the default of `{name}` is a {type(value).__name__} that all calls would share", "defined here",
                        "use None as the default, and make a new one in the body")  # fmt: skip
        try:
            if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, Action)) or not statics.is_constant_data(value):
                # The program has no constant for it, but a name.
                unit.late_defaults.append((name, value))
                return self.builder.const((), ...)
            if not statics.is_constant(value):
                raise CannotTravel(f"it is a {type(value).__name__}")
            if not statics.is_plain(value):
                self.types.declare(type(value))
            return self.builder.const((), value)
        except CannotTravel as error:
            unit.refuse(node, "P0205", f"the default of `{name}` can't be copied into the program: {error}", "defined here",
                        "use None as the default, and make the value in the body")  # fmt: skip

    def _self_type(self) -> str:
        module, name = self.cls.__module__, self.cls.__qualname__.replace(".<locals>.", ".")
        from waymark import names

        full = f"{names.module_name(module)}:{name}"
        descriptor = pb.TypeDescriptor(name=full, record=pb.Record())
        self.types.descriptors.setdefault(self.cls, descriptor)
        return full

    # What functions ask for.

    def accessor(self, path: str) -> str:
        """A function that gives what a name outside stands for."""
        known = self._accessors.get(path)
        if known is None:
            known = self._accessors[path] = "outer_" + "".join(c if c.isalnum() else "_" for c in path)
            value = self.builder.name((), path) if ":" in path else self.builder.path((), path)
            returned = self.builder.statement((), **{"return": pb.Return(value=value)})
            self._ids[known] = self.builder.function((), known, False, [], [returned])
        return known

    def action_function(self, action: Action) -> str:
        """An action as a value: a function that calls it."""
        key = (action.name, "action")
        if self._functions.get(key) is None:
            name = self._free_name(action.function, None)
            self._functions[key] = name
            node = ast.parse("_(*_args, **_options)", mode="eval").body
            unit = FunctionCompiler(self, *source.find(self.run), self.run, None)
            assert isinstance(node, ast.Call)
            args = [b.rest(self.builder.name((), "_args")), b.options(self.builder.name((), "_options"))]
            call = self.builder.action((), args, unit._policy(action, None), action=action.name)
            waited = self.builder.expression((), **{"await": call})
            returned = self.builder.statement((), **{"return": pb.Return(value=waited)})
            params = [
                pb.Param(name="_args", kind=pb.PARAM_KIND_REST),
                pb.Param(name="_options", kind=pb.PARAM_KIND_OPTIONS),
            ]
            self._ids[name] = self.builder.function((), name, True, params, [returned])
            self._declare_action(action)
        name = self._functions[key]
        assert name is not None
        return name

    def source_index(self, file: source.File) -> int:
        index = self._files.get(file.path)
        if index is None:
            index = self._files[file.path] = len(self._files)
            text = file.text if len(file.text) <= _SOURCE_LENGTH_MAX else ""
            self.builder.program.sources.add(path=shown_path(file.path), text=text)
        return index

    def _declare_action(self, action: Action) -> None:
        for annotation in hints(action.function).values():
            self.types.declare_annotation(annotation)

    def note_action(self, file: source.File, node: ast.AST, action: Action) -> None:
        self._declare_action(action)
        self._note(file, node, "action", action.name)

    def note_fragment(self, file: source.File, node: ast.AST) -> None:
        self._note(file, node, "implicit action", ast.unparse(node).splitlines()[0])

    def _note(self, file: source.File, node: ast.AST, fate: str, text: str) -> None:
        line, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0
        self.notes.append(Note(file.path, line, end, fate, text))

    def _remember(self, file: source.File, name: str, node: ast.AST) -> None:
        self.spans.append((file.path, name, node.lineno, node.end_lineno or node.lineno))  # type: ignore[attr-defined]

    def problem(self, file: source.File, refused: Refused) -> None:
        node = refused.node
        line = getattr(node, "lineno", 0)
        column, end = getattr(node, "col_offset", 0) + 1, (getattr(node, "end_col_offset", 0) or 0) + 1
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            column, end = file.line(line).find("def") + 1, len(file.line(line)) + 1
        elif getattr(node, "end_lineno", line) != line:
            end = len(file.line(line)) + 1
        problem = Problem(
            refused.code, refused.message, file.path, line, column, end, refused.label, refused.fix, file.line(line), _subject(node)
        )
        if problem not in self.problems:
            self.problems.append(problem)


_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: pb.PARAM_KIND_POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD: pb.PARAM_KIND_POSITIONAL,
    inspect.Parameter.VAR_POSITIONAL: pb.PARAM_KIND_REST,
    inspect.Parameter.KEYWORD_ONLY: pb.PARAM_KIND_KEYWORD_ONLY,
    inspect.Parameter.VAR_KEYWORD: pb.PARAM_KIND_OPTIONS,
}


def _subject(node: ast.AST) -> str:
    """The name that it is, or is an attribute of."""
    named = node.value if isinstance(node, ast.Attribute) else node
    return named.id if isinstance(named, ast.Name) else ""


def _is_ours(cls: type) -> bool:
    return cls.__module__ == "waymark" or cls.__module__.startswith("waymark.")


def _origin(name: str, function: types.FunctionType, is_method: bool) -> pb.Origin | None:
    """What Python calls it in messages."""
    qualified = function.__qualname__
    return None if qualified == name else pb.Origin(qualified=qualified, is_method=is_method)


def _owner(cls: type, run: types.FunctionType) -> type:
    for owner in cls.__mro__:
        definition = vars(owner).get("__waymark__")
        if vars(owner).get("run") is run or (definition is not None and definition.run is run):
            return owner
    return cls


def _state_names(cls: type) -> set[str]:
    """The attributes that methods of the workflow assign on `self`."""
    found: set[str] = set()
    for owner in cls.__mro__:
        if owner is object or _is_ours(owner):
            continue
        functions = [each for each in vars(owner).values() if isinstance(each, types.FunctionType)]
        if "__waymark__" in vars(owner):
            functions.append(vars(owner)["__waymark__"].run)
        for function in functions:
            try:
                _, node = source.find(function)
            except source.NoSource:
                continue
            first = node.args.args[0].arg if node.args.args else None
            for inner in scope.everything(node):
                if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, (ast.Store, ast.Del)):
                    if isinstance(inner.value, ast.Name) and inner.value.id == first:
                        found.add(inner.attr)
    return found
