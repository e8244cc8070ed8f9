"""Methods of users' classes that can't run in a worker: those that wait, whose coroutines could not be handed over, and those of objects
that hold functions of the workflow. They are functions of the program, found by the class of the object at run time.

Only those are compiled whose names the program uses.
"""

from __future__ import annotations

import abc
import ast
import asyncio
import collections.abc
import copy
import dataclasses
import functools
import inspect
import types
import typing
from typing import TYPE_CHECKING, Any

from waymark._proto import program_pb2 as pb
from waymark.compiler import contexts, natives, scope, statics
from waymark.compiler.diagnostics import Problem
from waymark.compiler.types import hints

if TYPE_CHECKING:
    from waymark.compiler.program import ProgramCompiler
    from waymark.compiler.source import FunctionNode


#: Bases that add nothing to an object.
_EMPTY = (object, abc.ABC, typing.Generic, typing.Protocol)
_HELD = (asyncio.Event, asyncio.Future, asyncio.Lock, asyncio.Queue, asyncio.Semaphore)


class Methods:
    def __init__(self, program: ProgramCompiler) -> None:
        self.program = program
        self._compiled: set[tuple[type, str]] = set()
        self._failed: dict[str, list[Problem]] = {}

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """What the classes that the workflow's module knows call such methods, and built-in classes don't."""
        return frozenset({name for cls in self._classes() for name in own_methods(cls)} - natives.methods())

    @functools.cached_property
    def plain_names(self) -> frozenset[str]:
        """What they call methods that workers run, and nothing else is called."""
        found = {name for cls in self._classes() if statics.is_own_class(cls) for name, live in vars(cls).items() if _is_method(live)}
        return frozenset(found - natives.methods() - self.names)

    def _classes(self) -> set[type]:
        seen = [cls for cls in self.program.run.__globals__.values() if isinstance(cls, type)]
        return {base for cls in seen for base in cls.__mro__}

    def compile(self) -> None:
        """Until there is nothing new: a method may name more of them."""
        types_ = self.program.types
        while True:
            wanted = [
                (cls, name, function)
                for cls in list(types_.descriptors)
                for name, function in own_methods(cls).items()
                if (name in self.program.attribute_names or name == "__init__") and (cls, name) not in self._compiled
            ]
            if not wanted:
                break
            for cls, name, function in wanted:
                self._compiled.add((cls, name))
                self._compile(cls, name, function, types_.descriptors[cls])
        for name, problems in self._failed.items():
            if name in self.program.awaited_names:
                self.program.problems.extend(problem for problem in problems if problem not in self.program.problems)

    def function(self, cls: type, name: str) -> str | None:
        """The function of the program that is this method of this very class; None if a worker has to run it."""
        live = own_methods(cls).get(name)
        if live is None:
            return None
        if (cls, name) not in self._compiled and self.program.types.declare(cls) is not None:
            self._compiled.add((cls, name))
            self._compile(cls, name, live, self.program.types.descriptors[cls])
        return self.program.function_of(cls, live)

    def _compile(self, cls: type, name: str, function: types.FunctionType, descriptor: pb.TypeDescriptor) -> None:
        made, problems = self.program.class_method(cls, function)
        if made is None:
            self._failed.setdefault(name, []).extend(problems)
            return
        if name in descriptor.overrides:
            descriptor.overrides.remove(name)
        descriptor.methods.add(name=name, function=made)


@functools.cache
def own_methods(cls: type) -> dict[str, types.FunctionType]:
    """Of those that the class itself defines in the user's own code."""
    if contexts.methods(cls):
        return contexts.methods(cls)
    if not statics.is_own_class(cls) or statics.is_workflow(cls):
        return {}
    plain_too = _holds_own(cls)
    return {
        name: live
        for name, live in vars(cls).items()
        if isinstance(live, types.FunctionType)
        and statics.is_own_code(live)
        and (_waits(live) or plain_too and (_makes_plainly(cls, live) if name == "__init__" else not name.startswith("__")))
    }


def _makes_plainly(cls: type, init: types.FunctionType) -> bool:
    """Whether an object is nothing but what this `__init__` puts into it."""
    if cls.__new__ is not object.__new__ or type(cls) not in (type, abc.ABCMeta) or hasattr(init, "__wrapped__"):
        return False
    return all(base in _EMPTY or statics.is_own_class(base) and not dataclasses.is_dataclass(base) for base in cls.__mro__)


def _holds_own(cls: type) -> bool:
    """Whether its objects may hold what no worker can: functions of the workflow, or what belongs to its event loop."""
    lives = [live for base in cls.__mro__ if statics.is_own_class(base) for live in vars(base).values()]
    functions = [live for live in lives if isinstance(live, types.FunctionType) and statics.is_own_code(live)]
    if any(_names_callable(annotation) for each in [cls, *functions] for annotation in hints(each).values()):
        return True
    return any(map(_names_asyncio, functions))


def _names_asyncio(function: types.FunctionType) -> bool:
    names = function.__code__.co_names
    found = [function.__globals__.get(name) for name in names]
    if asyncio in found:
        found += [getattr(asyncio, name, None) for name in names]
    return any(isinstance(live, type) and live in _HELD for live in found)


def _is_method(live: Any) -> bool:
    return isinstance(live, (types.FunctionType, classmethod, staticmethod))


def _waits(function: types.FunctionType) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def _names_callable(annotation: Any) -> bool:
    if annotation is collections.abc.Callable or typing.get_origin(annotation) is collections.abc.Callable:
        return True
    return any(map(_names_callable, typing.get_args(annotation)))


def with_private_names(node: FunctionNode, function: types.FunctionType) -> FunctionNode:
    """`self.__x` as the class that the function stands in has it."""
    owner = function.__qualname__.rpartition(".")[0].rpartition(".")[2].lstrip("_")
    if not owner or owner == "<locals>":
        return node
    if not any(isinstance(inner, ast.Attribute) and _is_private(inner.attr) for inner in ast.walk(node)):
        return node
    made = copy.deepcopy(node)
    scope.fresh(made)
    for inner in ast.walk(made):
        if isinstance(inner, ast.Attribute) and _is_private(inner.attr):
            inner.attr = f"_{owner}{inner.attr}"
    return made


def returning_self(node: FunctionNode) -> FunctionNode:
    """An `__init__` as the runner calls it: it gives the object back."""
    made = copy.deepcopy(node)
    assert isinstance(made, ast.FunctionDef)
    own = scope.parameters(made.args)[0].arg
    given_back = ast.copy_location(ast.Return(ast.copy_location(ast.Name(own, ast.Load()), made.body[-1])), made.body[-1])
    returns = _ReturningSelf(own)
    made.body = [each for statement in made.body for each in returns.made(statement)] + [given_back]
    scope.fresh(made)
    return made


class _ReturningSelf(ast.NodeTransformer):
    def __init__(self, own: str) -> None:
        self._own = own

    def made(self, statement: ast.stmt) -> list[ast.stmt]:
        made = self.visit(statement)
        return made if isinstance(made, list) else [made]

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        """What it would have returned may do something."""
        first: list[ast.stmt] = [] if node.value is None else [ast.copy_location(ast.Expr(node.value), node)]
        return [*first, ast.copy_location(ast.Return(ast.copy_location(ast.Name(self._own, ast.Load()), node)), node)]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node  # Its returns are its own.

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef  # type: ignore[assignment]


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")
