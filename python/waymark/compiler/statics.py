"""What a name outside of a function stands for: looked up in the live module when the workflow is compiled."""

from __future__ import annotations

import builtins
import dataclasses
import datetime
import decimal
import enum
import functools
import importlib
import inspect
import logging
import os
import sys
import sysconfig
import types
import uuid
import zoneinfo
from typing import Any

from waymark import names, signals
from waymark.actions import Action
from waymark.compiler import natives, standard
from waymark.compiler.types import is_pydantic
from waymark.values import classes
from waymark.values.classes import type_name


@dataclasses.dataclass(frozen=True)
class Native:
    """The runner knows it under this name."""

    name: str


@dataclasses.dataclass(frozen=True)
class Called:
    """An action."""

    action: Action


@dataclasses.dataclass(frozen=True)
class Child:
    """A workflow's class."""

    cls: type


@dataclasses.dataclass(frozen=True)
class Class:
    cls: type


@dataclasses.dataclass(frozen=True)
class Helper:
    """A function in the user's own code."""

    function: Any

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.function) or inspect.isasyncgenfunction(self.function)


@dataclasses.dataclass(frozen=True)
class OwnMethod:
    """A method of the workflow's class."""

    function: Any
    owner: type
    takes: str | None
    """What comes first: `self`, `cls` or nothing."""
    is_property: bool = False


@dataclasses.dataclass(frozen=True)
class Durable:
    """What only the workflow itself can do: wait for signals and updates, run another workflow by its name."""

    function: Any


@dataclasses.dataclass(frozen=True)
class Module:
    module: types.ModuleType


@dataclasses.dataclass(frozen=True)
class Log:
    """A logger."""

    logger: Any


@dataclasses.dataclass(frozen=True)
class Constant:
    value: Any


@dataclasses.dataclass(frozen=True)
class Foreign:
    """Only a worker can reach it: through this source text."""

    live: Any
    source: str


Static = Native | Called | Child | Class | Helper | OwnMethod | Durable | Module | Log | Constant | Foreign

_SCALARS = (
    type(None), bool, int, float, str, bytes, datetime.date, datetime.time, datetime.datetime, datetime.timedelta,
    datetime.timezone, decimal.Decimal, uuid.UUID, zoneinfo.ZoneInfo, types.EllipsisType,
)  # fmt: skip
_DURABLE = (signals.wait_for_signal, signals.wait_for_update, signals.run_workflow)
_CONTAINERS = (list, tuple, dict, set, frozenset)


def classify(live: Any, source: str) -> Static:
    """`source` is how a worker reaches it, if it must."""
    native = natives.name_of(live)
    if native is not None:
        return Native(native)
    if isinstance(live, Action):
        return Called(live)
    if any(live is each for each in _DURABLE):
        return Durable(live)
    if (written := standard.written(live)) is not None:
        return Helper(written)
    if isinstance(live, types.ModuleType):
        return Module(live)
    if isinstance(live, type):
        return Child(live) if is_workflow(live) else Class(live)
    if isinstance(live, (logging.Logger, logging.LoggerAdapter)):
        return Log(live)
    if isinstance(live, types.FunctionType) and (is_own_code(live) or standard.is_here(live)):
        return Helper(live)
    if is_constant(live):
        return Constant(live)
    return Foreign(live, source)


def is_workflow(cls: type) -> bool:
    return "__waymark__" in vars(cls)


def is_constant(live: Any, depth: int = 0) -> bool:
    """Whether a live value is data that can be copied into the program."""
    kind = type(live)
    if kind in _SCALARS or isinstance(live, enum.Enum):
        return True
    if depth > 50:
        return False
    if kind in _CONTAINERS:
        items = [*live.keys(), *live.values()] if kind is dict else live
        return all(is_constant(item, depth + 1) or _is_nameable(item) for item in items)
    if dataclasses.is_dataclass(live):
        values = [getattr(live, field.name, None) for field in dataclasses.fields(live)]
        return all(is_constant(value, depth + 1) for value in values)
    if is_pydantic(kind):
        return all(is_constant(value, depth + 1) for value in vars(live).values())
    return False


def is_constant_data(live: Any) -> bool:
    """Whether nothing in it has a name that it keeps: a class, a function, an action, a member of an enumeration."""
    kind = type(live)
    if kind in _CONTAINERS:
        items = [*live.keys(), *live.values()] if kind is dict else live
        return all(is_constant_data(item) for item in items)
    return not isinstance(live, (enum.Enum, datetime.tzinfo)) and not _is_nameable(live)


def is_plain(live: Any) -> bool:
    return type(live) in _SCALARS or type(live) in _CONTAINERS


def _is_nameable(live: Any) -> bool:
    return isinstance(live, (Action, type, types.FunctionType)) or natives.name_of(live) is not None


@functools.cache
def _library_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    # Embedded Pythons have their library in an archive, which `sysconfig` does not know.
    return tuple({os.path.dirname(os.__file__), *(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib") if key in paths)})


def is_own_code(function: types.FunctionType) -> bool:
    """Whether a function is the user's rather than a library's."""
    path = function.__code__.co_filename
    if path.startswith("<") or function.__module__ == "waymark" or function.__module__.startswith("waymark."):
        return False
    return not any(path.startswith(folder) for folder in _library_folders()) and "site-packages" not in path


def is_own_class(cls: type) -> bool:
    """Whether a class is the user's rather than a library's."""
    module = sys.modules.get(cls.__module__)
    path = getattr(module, "__file__", None)
    if path is None:
        return cls.__module__ in ("__main__", "__mp_main__")
    return not any(path.startswith(folder) for folder in _library_folders()) and "site-packages" not in path


def is_data_class(annotation: Any) -> bool:
    return isinstance(annotation, type) and (
        dataclasses.is_dataclass(annotation) or is_pydantic(annotation) or issubclass(annotation, enum.Enum)
    )


class Surroundings:
    """The names around a live function: its closure, its module, the built-ins."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function = function
        self.module = function.__globals__.get("__name__", "")
        self._globals = function.__globals__
        self._closure = _cells(function)
        self.owner: type | None = self._closure.get("__class__")
        """The class that the function stands in, if it says `super()`."""

    def lookup(self, name: str) -> Static | None:
        if name in self._closure:
            live = self._closure[name]
            return classify(live, _import_source(live, name))
        if name in self._globals:
            live = self._globals[name]
            return classify(live, _global_source(self._globals, name, live))
        if hasattr(builtins, name):
            return classify(getattr(builtins, name), name)
        return None

    def known(self) -> list[str]:
        """For suggestions."""
        return [*self._closure, *self._globals, *vars(builtins)]


def _cells(function: types.FunctionType) -> dict[str, Any]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # Not assigned yet.
            continue
    return found


def attribute(base: Static, name: str) -> Static | None:
    """`base.name`, where that is known before the workflow runs."""
    if isinstance(base, Native):
        path = f"{base.name}.{name}"
        if natives.has(path):
            return Native(path)
        live = natives.live(base.name)
        if natives.has_method(base.name, name) or not hasattr(live, name):
            return None
        value = getattr(live, name)
        return Constant(value) if is_constant(value) else Foreign(value, f"{source_of(base)}.{name}")
    if isinstance(base, Module):
        module = base.module
        if not hasattr(module, name):
            return None
        return classify(getattr(module, name), f"{module_source(module)}.{name}")
    if isinstance(base, (Class, Child)):
        return _class_attribute(base.cls, name)
    if isinstance(base, Helper) and (written := standard.attribute(base.function, name)) is not None:
        return Helper(written)
    if isinstance(base, Helper) and name in ("__name__", "__qualname__", "__doc__", "__module__"):
        return Constant(getattr(base.function, name))
    if isinstance(base, Constant) and isinstance(base.value, enum.Enum) and name in ("name", "value"):
        return Constant(getattr(base.value, name))
    if isinstance(base, Foreign) and hasattr(base.live, name):
        live = getattr(base.live, name)
        return Foreign(live, f"{base.source}.{name}" if base.source else "")
    return None


def _class_attribute(cls: type, name: str) -> Static | None:
    try:
        live = inspect.getattr_static(cls, name)
    except AttributeError:
        return None
    if isinstance(cls, enum.EnumMeta) and name in cls.__members__:
        return Constant(cls.__members__[name])
    holder = _import_source(cls, cls.__name__)
    source = f"{holder}.{name}" if holder else ""
    function = live.__func__ if isinstance(live, staticmethod) else live
    if isinstance(function, types.FunctionType) and inspect.iscoroutinefunction(function) and is_own_code(function):
        return Helper(function)
    if isinstance(live, (staticmethod, classmethod)) or isinstance(live, types.FunctionType):
        return Foreign(getattr(cls, name), source)
    if is_constant(live):
        return Constant(live)
    return Foreign(getattr(cls, name), source)


def next_in_line(owner: type, name: str) -> type | None:
    """The class whose `name` a `super()` in `owner` means, if that is the same for all objects."""
    found = set()
    family = [owner]
    for cls in family:
        family.extend(cls.__subclasses__())
        behind = cls.__mro__[cls.__mro__.index(owner) + 1 :]
        found.update(next(([base] for base in behind if name in vars(base)), []))
    return found.pop() if len(found) == 1 else None


def class_source(cls: type) -> str:
    return _import_source(cls, cls.__name__)


def own_attribute(workflow: type, name: str, start: type | None = None) -> Static | None:
    """`self.name`, as the class has it; from the class after `start` on, for `super()`."""
    order = workflow.__mro__
    if start is not None:
        order = order[order.index(start) + 1 :]
    for owner in order:
        if name not in vars(owner):
            continue
        live = vars(owner)[name]
        if "__waymark__" in vars(owner) and name == "run":
            live = vars(owner)["__waymark__"].run
        if isinstance(live, types.FunctionType):
            return OwnMethod(live, owner, "self")
        if isinstance(live, staticmethod):
            return OwnMethod(live.__func__, owner, None)
        if isinstance(live, classmethod):
            return OwnMethod(live.__func__, owner, "cls")  # type: ignore[arg-type]
        if isinstance(live, property) and isinstance(live.fget, types.FunctionType):
            return OwnMethod(live.fget, owner, "self", is_property=True)
        return classify(live, _attribute_source(owner, name))
    return None


def _attribute_source(owner: type, name: str) -> str:
    """Of a workflow's class. While it is being defined its module does not have it yet, so only its name can be trusted."""
    if "<" in owner.__qualname__:
        return ""
    return f"__import__({names.module_name(owner.__module__)!r}, fromlist=['']).{owner.__qualname__}.{name}"


def module_source(module: types.ModuleType) -> str:
    return f"__import__({names.module_name(module.__name__)!r}, fromlist=[''])"


def _global_source(module_globals: dict[str, Any], name: str, live: Any) -> str:
    if isinstance(live, types.ModuleType):
        return module_source(live)
    module = names.module_name(module_globals.get("__name__", "__main__"))
    return f"__import__({module!r}, fromlist=['']).{name}"


def _import_source(live: Any, name: str) -> str:
    """Through the object's own import path; empty where it has none."""
    if isinstance(live, types.ModuleType):
        return module_source(live)
    if isinstance(live, type) and type_name(live).endswith("]"):
        return f"{module_source(classes)}.find_class({type_name(live)!r})"  # A generic model with its parameters.
    module, qualname = getattr(live, "__module__", None), getattr(live, "__qualname__", None)
    if module is None or qualname is None or "<" in qualname:
        return ""
    holder: Any = sys.modules.get(module)
    for part in qualname.split("."):
        holder = getattr(holder, part, None)
    if holder is not live:
        return ""
    return f"__import__({names.module_name(module)!r}, fromlist=['']).{qualname}"


def source_of(static: Static) -> str | None:
    """How a worker reaches the same thing; None where it can't."""
    if isinstance(static, Native):
        root, dot, rest = static.name.partition(".")
        return static.name if hasattr(builtins, root) else f"__import__({root!r}, fromlist=['']){dot}{rest}"
    if isinstance(static, Foreign):
        return static.source or None
    if isinstance(static, Class):
        return _import_source(static.cls, static.cls.__name__) or None
    if isinstance(static, Helper):
        return standard.source(static.function) or _import_source(static.function, static.function.__name__) or None
    if isinstance(static, Module):
        return module_source(static.module)
    if isinstance(static, Log):
        return f"__import__('logging').getLogger({static.logger.name!r})" if hasattr(static.logger, "name") else None
    return None


def imported(alias: str, member: str | None, package: str | None, level: int) -> Static | None:
    """What an `import` inside a function brings."""
    module_name = "." * level + alias
    try:
        module = importlib.import_module(module_name, package)
    except ImportError:
        return None
    if member is None:
        return Module(module)
    if not hasattr(module, member):
        try:
            return Module(importlib.import_module(f"{module.__name__}.{member}"))
        except ImportError:
            return None
    return classify(getattr(module, member), f"{module_source(module)}.{member}")
