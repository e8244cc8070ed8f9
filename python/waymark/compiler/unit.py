"""What the parts of the function compiler share: the function, its names, where things stand, and how something is refused."""

from __future__ import annotations

import ast
import copy
import dataclasses
import types
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn, Union

from waymark.compiler import natives, scope, statics
from waymark.compiler.builder import Builder, Span
from waymark.compiler.source import File
from waymark.compiler.types import is_pydantic

if TYPE_CHECKING:
    from waymark.compiler.program import ProgramCompiler


class Refused(Exception):
    """A construct that can't be compiled; the statement it stands in is given up, the rest is still checked."""

    def __init__(self, node: ast.AST, code: str, message: str, label: str, fix: str) -> None:
        super().__init__(message)
        self.node = node
        self.code = code
        self.message = message
        self.label = label
        self.fix = fix


class NeedsSelf(Exception):
    """The workflow's object is used as a value: compile again, with it."""


@dataclasses.dataclass
class Names:
    """The names that a function or comprehension binds, and those around it."""

    bound: set[str]
    parent: Names | None = None
    imports: dict[str, statics.Static] = dataclasses.field(default_factory=dict)
    functions: dict[str, ast.AST] = dataclasses.field(default_factory=dict)

    def is_local(self, name: str) -> bool:
        current: Names | None = self
        while current is not None:
            if name in current.bound:
                return name not in current.imports
            current = current.parent
        return False

    def imported(self, name: str) -> statics.Static | None:
        current: Names | None = self
        while current is not None:
            if name in current.bound:
                return current.imports.get(name)
            current = current.parent
        return None

    def is_function(self, name: str) -> bool:
        """Whether a name stands for a function that is defined inside of this one."""
        current: Names | None = self
        while current is not None:
            if name in current.bound:
                return name in current.functions
            current = current.parent
        return False

    def is_coroutine(self, name: str) -> bool:
        """Whether calling it makes a coroutine, and runs nothing yet."""
        current: Names | None = self
        while current is not None and name not in current.bound:
            current = current.parent
        node = current.functions.get(name) if current else None
        return isinstance(node, ast.AsyncFunctionDef) and not any(
            isinstance(each, (ast.Yield, ast.YieldFrom)) for each in scope.walk_body(node)
        )

    def as_lambda(self, name: str) -> ast.Lambda | None:
        """A function of this kind as one expression that means the same here, if there is one."""
        hidden: set[str] = set()
        current: Names | None = self
        while current is not None and name not in current.bound:
            hidden |= current.bound
            current = current.parent
        node = current.functions.get(name) if current else None
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and len(node.body) == 1:
            only = node.body[0]
            if isinstance(only, ast.Return) and only.value is not None:
                node = ast.copy_location(ast.Lambda(_bare(node.args), only.value), node)
        if not isinstance(node, ast.Lambda) or node.args.defaults or any(node.args.kw_defaults) or scope.reads(node) & hidden:
            return None
        return node

    def binds(self, name: str) -> bool:
        current: Names | None = self
        while current is not None:
            if name in current.bound and name not in current.imports:
                return True
            current = current.parent
        return False


def _bare(arguments: ast.arguments) -> ast.arguments:
    """Without annotations."""
    made = copy.deepcopy(arguments)
    scope.fresh(made)
    for each in scope.parameters(made):
        each.annotation = None
    return made


@dataclasses.dataclass(frozen=True)
class Method:
    """Whose method a function is: the workflow's class, and the class that defines it."""

    workflow: type
    owner: type
    self_name: str | None


class Unit:
    """One function of the user's, with all that stands inside of it."""

    def __init__(
        self,
        program: ProgramCompiler,
        file: File,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        function: types.FunctionType,
        method: Method | None,
    ) -> None:
        self.program = program
        self.builder: Builder = program.builder
        self.file = file
        self.node = node
        self.around = statics.Surroundings(function)
        self.method = method
        self.source_index = program.source_index(file)
        self.is_async = isinstance(node, ast.AsyncFunctionDef)
        self.names = Names(set())
        self.temporaries = 0
        self.late_defaults: list[tuple[str, Any]] = []
        """Defaults that have a name instead of a constant."""
        # By identity, with the node, so that it stays the only one of that identity.
        self.cuts: dict[int, tuple[ast.AST, bool]] = {}
        """Whether a node goes to a worker."""
        self.containing: dict[int, tuple[ast.AST, bool]] = {}
        """Whether something in a node does."""
        self.travelling: dict[tuple[int, bool], tuple[ast.AST, bool]] = {}
        """Whether a statement can."""
        self.read_ahead: set[str] = set()
        """Variables that hold the items of an iterator, and what it raised after them."""
        self.kept: list[ast.AST] = []
        """Nodes that were made here: identities are only good while their nodes live."""

    # What other parts of the compiler bring.

    global_names: set[str] = set()

    def expr(self, node: ast.expr) -> int:
        raise NotImplementedError

    def iterable(self, node: ast.expr) -> int:
        raise NotImplementedError

    def cut_expression(self, node: ast.expr) -> int:
        raise NotImplementedError

    def self_object(self, node: ast.AST) -> int:
        raise NotImplementedError

    def self_attribute(self, node: ast.Attribute) -> int:
        raise NotImplementedError

    def self_target(self, node: ast.Attribute) -> int:
        raise NotImplementedError

    def helper_value(self, node: ast.expr, static: statics.Helper) -> int:
        raise NotImplementedError

    def nested_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> int:
        raise NotImplementedError

    def refuse_call(self, node: ast.Call) -> str:
        raise NotImplementedError

    def refuse_global(self, node: ast.Name) -> None:
        raise NotImplementedError

    # Where things stand.

    def span(self, node: ast.AST) -> Span:
        line = getattr(node, "lineno", 0)
        if not line:
            return ()
        end_line = getattr(node, "end_lineno", line) or line
        end_column = self._column(end_line, getattr(node, "end_col_offset", 0) or 0)
        return (line, self._column(line, node.col_offset), end_line - line, end_column, self.source_index)  # type: ignore[attr-defined]

    def _column(self, line: int, offset: int) -> int:
        text = self.file.line(line)
        if text.isascii():
            return offset + 1
        return len(text.encode()[:offset].decode(errors="ignore")) + 1

    # Names.

    @property
    def self_name(self) -> str | None:
        return self.method.self_name if self.method else None

    def is_self(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.self_name and self._self_is_untouched(node.id)

    def _self_is_untouched(self, name: str) -> bool:
        current: Names | None = self.names
        while current is not None:
            if name in current.bound:
                return current.parent is None
            current = current.parent
        return True

    def static(self, node: ast.AST) -> statics.Static | None:
        """What an expression stands for, if that is known before the workflow runs."""
        if isinstance(node, ast.Name):
            if self.names.is_local(node.id):
                return None
            return self.names.imported(node.id) or self.around.lookup(node.id)
        if isinstance(node, ast.Attribute):
            if self.method is not None and self.is_self(node.value):
                if node.attr in self.program.state_names:
                    return None
                return statics.own_attribute(self.method.workflow, node.attr)
            base = self.static(node.value)
            return None if base is None else statics.attribute(base, node.attr)
        if isinstance(node, ast.Subscript):
            base = self.static(node.value)
            # A generic model with its parameters is a class of its own.
            if isinstance(base, statics.Class) and is_pydantic(base.cls):
                arguments = self.type_of(node.slice)
                return None if arguments is None else statics.Class(base.cls[arguments])  # type: ignore[index]
        return None

    def type_of(self, node: ast.AST) -> Any:
        """The type that an expression stands for; None where that is not known yet."""
        if isinstance(node, ast.Constant) and node.value is None:
            return type(None)
        if isinstance(node, ast.Tuple):
            items = [self.type_of(item) for item in node.elts]
            return None if None in items else tuple(items)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            left, right = self.type_of(node.left), self.type_of(node.right)
            return None if left is None or right is None else Union[left, right]  # noqa: UP007
        static = self.static(node)
        if isinstance(static, statics.Class):
            return static.cls
        if isinstance(static, statics.Native):
            return natives.live(static.name)
        if isinstance(static, statics.Foreign):
            return static.live
        if isinstance(node, ast.Subscript):
            base, inside = self.type_of(node.value), self.type_of(node.slice)
            is_generic = hasattr(base, "__class_getitem__") or getattr(base, "__module__", "") == "typing"
            return base[inside] if is_generic and inside is not None else None
        return None

    def reference(self, span: Span, path: str) -> int:
        """A name outside of the function, also where a variable of the function hides it."""
        root = path.split(".")[0]
        if self.names.binds(root):
            accessor = self.program.accessor(path)
            return self.builder.call(span, self.builder.name(span, accessor))
        # The names of classes have a colon, and dots in their modules.
        return self.builder.name(span, path) if ":" in path else self.builder.path(span, path)

    def temporary(self) -> str:
        self.temporaries += 1
        return f"_waymark_{self.temporaries}"

    # Refusals.

    def refuse(self, node: ast.AST, code: str, message: str, label: str, fix: str) -> NoReturn:
        raise Refused(node, code, message, label, fix)

    def report(self, refused: Refused) -> None:
        self.program.problem(self.file, refused)

    def suggestion(self, name: str) -> str:
        import difflib

        near = difflib.get_close_matches(name, [*self._visible(), *self.around.known()], n=1)
        return f"did you mean `{near[0]}`?" if near else "assign it first, or import it"

    def _visible(self) -> Iterable[str]:
        current: Names | None = self.names
        while current is not None:
            yield from current.bound
            current = current.parent


def is_name(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def contains(node: ast.AST, *kinds: type[Any]) -> bool:
    """Whether a node of these kinds runs when this one does."""
    return any(isinstance(inner, kinds) for inner in scope.walk(node))
