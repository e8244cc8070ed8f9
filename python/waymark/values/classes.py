"""Names of classes on the wire, and classes by their names.

Classes that the engine knows by itself have plain names (`ValueError`, `datetime.date`, `waymark.NonRetryable`);
all others go by their import path (`app.models:User`). A generic pydantic model has its parameters in brackets:
`app:Box[int]`.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import dataclasses
import datetime
import decimal
import enum
import functools
import importlib
import json
import operator
import types
import typing
import uuid
import zoneinfo
from typing import Any

from waymark import errors, names

# What crates/runner/src/types.rs and crates/ir/src/exceptions.rs know beyond `builtins`, by module.
_ENGINE_KNOWS: dict[types.ModuleType, tuple[str, ...]] = {
    asyncio: ("CancelledError", "InvalidStateError", "QueueEmpty", "QueueFull", "Future", "Task", "Event", "Lock",
              "Semaphore", "Queue", "TimerHandle", "Timeout", "TaskGroup"),
    contextlib: ("suppress",),
    dataclasses: ("FrozenInstanceError",),
    datetime: ("date", "datetime", "time", "timedelta", "tzinfo", "timezone"),
    decimal: ("Decimal", "DecimalException", "InvalidOperation", "DivisionByZero", "Overflow"),
    enum: ("Enum", "IntEnum", "StrEnum"),
    json: ("JSONDecodeError",),
    uuid: ("UUID",),
    zoneinfo: ("ZoneInfo", "ZoneInfoNotFoundError"),
}  # fmt: skip

_NAMES: dict[type, str] = {
    getattr(module, name): f"{module.__name__}.{name}" for module, known in _ENGINE_KNOWS.items() for name in known if hasattr(module, name)
}
_NAMES |= {cls: f"waymark.{cls.__name__}" for cls in vars(errors).values() if isinstance(cls, type)}
_NAMES |= {type(None): "NoneType", type(...): "ellipsis", type(NotImplemented): "NotImplementedType"}
_CLASSES: dict[str, type] = {name: cls for cls, name in _NAMES.items()}
# Python 3.10 has several of them.
_NAMES.setdefault(asyncio.TimeoutError, "TimeoutError")

#: Modules that are not called the same in all versions of Python.
_MOVED: dict[str, str] = {"pathlib._local": "pathlib"}


def type_name(cls: type) -> str:
    """The name of a class on the wire."""
    name = _NAMES.get(cls)
    if name is None:
        name = _NAMES[cls] = _make_name(cls)
    return name


def _make_name(cls: type) -> str:
    given = cls.__dict__.get("__waymark_name__")
    if given is not None:
        return given
    if cls.__module__ == "builtins" and getattr(builtins, cls.__qualname__, None) is cls:
        return cls.__qualname__
    generic = cls.__dict__.get("__pydantic_generic_metadata__")
    if generic and generic["origin"] is not None:
        arguments = ",".join(_argument_name(argument) for argument in generic["args"])
        return f"{type_name(generic['origin'])}[{arguments}]"
    module = _MOVED.get(cls.__module__) or names.module_name(cls.__module__)
    return f"{module}:{cls.__qualname__}"


def _argument_name(argument: Any) -> str:
    """Of a type parameter: a class, `list[int]`, `int | None`."""
    if argument is None or argument is type(None):
        return "NoneType"
    if argument is Any:
        return "typing:Any"
    origin = typing.get_origin(argument)
    if origin is None and isinstance(argument, type):
        return type_name(argument)
    if origin is typing.Union or origin is types.UnionType:
        return "|".join(_argument_name(part) for part in typing.get_args(argument))
    if isinstance(origin, type) and typing.get_args(argument):
        return f"{type_name(origin)}[{','.join(_argument_name(part) for part in typing.get_args(argument))}]"
    raise errors.CannotTravel(f"a model with the parameter {argument!r} can't be named; give the parametrised model a class of its own")


def find_class(name: str) -> Any:
    """The class of this name. Raises ImportError or AttributeError, or whatever its module raises."""
    found = _CLASSES.get(name)
    if found is None:
        found = _find(name)
        _CLASSES[name] = found
    return found


def _find(name: str) -> Any:
    if "|" in name or name.endswith("]"):
        return _parse(name)
    if ":" in name:
        return names.load(name)
    module, separator, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module) if separator else builtins, attribute)


def _parse(text: str) -> Any:
    alternatives = _split(text, "|")
    if len(alternatives) > 1:
        return functools.reduce(operator.or_, (_parse(part) for part in alternatives))
    if not text.endswith("]"):
        return typing.Any if text == "typing:Any" else find_class(text)
    origin, _, inside = text[:-1].partition("[")
    return find_class(origin)[tuple(_parse(part) for part in _split(inside, ","))]


def _split(text: str, separator: str) -> list[str]:
    """At separators outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]
