"""Values to the types that a function declares: a dict to its model, a text to its datetime, a list to a list of users.

Values that are right already pass untouched, and so does what no rule is for: Python itself checks nothing here either.
What is to be done for an annotation is found once; `None` as a `Coercion` means: nothing.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import pathlib
import sys
import types
import typing
import uuid
from collections.abc import Callable
from typing import Any

Coercion = Callable[[Any], Any]

_NOT_KNOWN = object()
_known: dict[Any, Coercion | None] = {}


def coerce(value: Any, annotation: Any) -> Any:
    """The value as the annotation wants it. Raises TypeError or ValueError (pydantic's too) where it can't be that."""
    change = coercion(annotation)
    return value if change is None else change(value)


def coercion(annotation: Any) -> Coercion | None:
    try:
        found = _known.get(annotation, _NOT_KNOWN)
    except TypeError:  # Not hashable.
        return _find(annotation)
    if found is _NOT_KNOWN:
        # For types that contain themselves.
        _known[annotation] = lambda value: coerce(value, annotation) if _known[annotation] is not None else value
        found = _known[annotation] = _find(annotation)
    return found  # type: ignore[return-value]


def _find(annotation: Any) -> Coercion | None:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _adapter(annotation) if _is_of_pydantic(arguments[1:]) else coercion(arguments[0])
    if origin is typing.Union or origin is types.UnionType:
        return _union(annotation, arguments)
    if hasattr(annotation, "__supertype__"):  # NewType
        return coercion(annotation.__supertype__)
    if type(annotation).__name__ == "TypeAliasType":
        return coercion(annotation.__value__)
    if origin is not None:
        rule = _CONTAINERS.get(origin)
        if rule is not None:
            return rule(origin, arguments)
        return _adapter(annotation) if _is_model(origin) else _of_class(origin)
    return _of_class(annotation)


def _of_class(cls: Any) -> Coercion | None:
    if not isinstance(cls, type):
        return None
    if cls in _FROM_TEXT:
        return _from_text(cls, *_FROM_TEXT[cls])
    if cls in (tuple, set, frozenset):
        return lambda value: cls(value) if type(value) is list else value
    if cls is bytearray:
        return lambda value: bytearray(value) if type(value) is bytes else value
    if _is_model(cls):
        return lambda value: cls.model_validate(value) if isinstance(value, dict) else value  # type: ignore[attr-defined]
    if issubclass(cls, enum.Enum):
        return _enum(cls)
    if typing.is_typeddict(cls):
        return _typed_dict(cls)
    if dataclasses.is_dataclass(cls):
        return _dataclass(cls)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return _named_tuple(cls)
    return None


# -------------------------------------------------------------------------------------------------------------- leaves


def _moment(text: str) -> datetime.datetime:
    # Python 3.10 does not read the Z.
    return datetime.datetime.fromisoformat(f"{text[:-1]}+00:00" if text[-1:] in "Zz" else text)


def _number(value: Any) -> decimal.Decimal:
    try:
        return decimal.Decimal(str(value) if isinstance(value, float) else value)
    except decimal.InvalidOperation:
        raise ValueError(f"not a number: {value!r}") from None


_FROM_TEXT: dict[Any, tuple[tuple[type, ...], Callable[[Any], Any]]] = {
    datetime.datetime: ((str,), _moment),
    datetime.date: ((str,), datetime.date.fromisoformat),
    datetime.time: ((str,), datetime.time.fromisoformat),
    datetime.timedelta: ((int, float), lambda value: datetime.timedelta(seconds=value)),
    decimal.Decimal: ((str, int, float), _number),
    uuid.UUID: ((str,), uuid.UUID),
    pathlib.Path: ((str,), pathlib.Path),
    pathlib.PurePath: ((str,), pathlib.PurePath),
}


def _from_text(cls: type, sources: tuple[type, ...], make: Callable[[Any], Any]) -> Coercion:
    def change(value: Any) -> Any:
        if type(value) not in sources:
            return value
        try:
            return make(value)
        except ValueError as error:
            raise ValueError(f"{value!r:.80} is no {cls.__name__}: {error}") from None

    return change


def _enum(cls: type[enum.Enum]) -> Coercion:
    def change(value: Any) -> Any:
        if isinstance(value, cls):
            return value
        try:
            return cls(value)
        except ValueError:
            if isinstance(value, str) and value in cls.__members__:
                return cls[value]
            raise

    return change


# ----------------------------------------------------------------------------------------------- classes with fields


def _dataclass(cls: Any) -> Coercion:
    # Found when first needed: annotations may name what is defined further down.
    found: dict[str, Coercion | None] = {}

    def change(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        if not found:
            hints = typing.get_type_hints(cls, include_extras=True)
            found.update({field.name: coercion(hints[field.name]) for field in dataclasses.fields(cls) if field.init})
            found.update({name: None for name in hints if isinstance(hints[name], dataclasses.InitVar)})
        unknown = [name for name in value if name not in found]
        if unknown:
            raise TypeError(f"{cls.__name__} has no field {unknown[0]!r}; it has {', '.join(found)}")
        return cls(**{name: _inner(found[name], item, f".{name}") for name, item in value.items()})

    return change


def _typed_dict(cls: Any) -> Coercion:
    found: dict[str, Coercion | None] = {}

    def change(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        if not found:
            hints = typing.get_type_hints(cls, include_extras=False)
            found.update({name: coercion(hint) for name, hint in hints.items()})
        made = {name: _inner(found.get(name), item, f"[{name!r}]") for name, item in value.items()}
        return value if all(made[name] is value[name] for name in value) else made

    return change


def _named_tuple(cls: Any) -> Coercion:
    def change(value: Any) -> Any:
        if isinstance(value, cls) or not isinstance(value, (list, tuple, dict)):
            return value
        hints = typing.get_type_hints(cls, include_extras=True)
        made = cls(**value) if isinstance(value, dict) else cls(*value)
        return cls(*[coerce(item, hints.get(name, Any)) for name, item in zip(cls._fields, made, strict=True)])

    return change


# ---------------------------------------------------------------------------------------------------------- containers


def _inner(change: Coercion | None, value: Any, place: str) -> Any:
    if change is None:
        return value
    try:
        return change(value)
    except (TypeError, ValueError) as error:
        if _is_of_pydantic((error,)):
            raise
        # From the inside outwards: `[3].when: '…' is no datetime`.
        message = str(error)
        raise type(error)(f"{place}{message}" if message[:1] in ".[" else f"{place}: {message}") from None


def _items(origin: Any, arguments: tuple[Any, ...]) -> Coercion | None:
    """list[X], set[X], Sequence[X], …: others become a list."""
    make = origin if origin in (list, set, frozenset) else None
    change_item = coercion(arguments[0]) if arguments else None

    def change(value: Any) -> Any:
        if not isinstance(value, (list, tuple, set, frozenset)):
            return value
        is_right = make is None or isinstance(value, make)
        if change_item is None:
            return value if is_right else make(value)  # type: ignore[misc]
        made = [_inner(change_item, item, f"[{at}]") for at, item in enumerate(value)]
        if is_right and all(new is old for new, old in zip(made, value, strict=True)):
            return value
        return (make or (type(value) if type(value) in (tuple, set, frozenset) else list))(made)

    return None if make in (None, list) and change_item is None else change


def _tuple(_origin: Any, arguments: tuple[Any, ...]) -> Coercion:
    repeated = len(arguments) == 2 and arguments[1] is ...
    changes = [coercion(argument) for argument in arguments if argument is not ...]

    def change(value: Any) -> Any:
        if not isinstance(value, (list, tuple)):
            return value
        if not repeated and len(value) != len(changes):
            raise TypeError(f"{len(value)} items where {len(changes)} are wanted")
        made = tuple(_inner(changes[0 if repeated else at], item, f"[{at}]") for at, item in enumerate(value))
        same = isinstance(value, tuple) and all(new is old for new, old in zip(made, value, strict=True))
        return value if same else made

    return change


def _dict(_origin: Any, arguments: tuple[Any, ...]) -> Coercion | None:
    change_key, change_item = (coercion(argument) for argument in arguments) if len(arguments) == 2 else (None, None)
    if len(arguments) == 2 and arguments[0] in (int, float):
        change_key = _number_key(arguments[0])
    if change_key is None and change_item is None:
        return None

    def change(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        made = {}
        same = True
        for key, item in value.items():
            new_key, new_item = _inner(change_key, key, f"[{key!r}]"), _inner(change_item, item, f"[{key!r}]")
            same = same and new_key is key and new_item is item
            made[new_key] = new_item
        return value if same else made

    return change


def _number_key(cls: type) -> Coercion:
    """JSON has texts for keys only."""

    def change(key: Any) -> Any:
        if type(key) is not str:
            return key
        try:
            return cls(key)
        except ValueError:
            raise ValueError(f"{key!r:.80} is no {cls.__name__}") from None

    return change


_CONTAINERS: dict[Any, Callable[[Any, tuple[Any, ...]], Coercion | None]] = {
    list: _items,
    set: _items,
    frozenset: _items,
    collections.abc.Sequence: _items,
    collections.abc.MutableSequence: _items,
    collections.abc.Iterable: _items,
    collections.abc.Collection: _items,
    tuple: _tuple,
    dict: _dict,
    collections.abc.Mapping: _dict,
    collections.abc.MutableMapping: _dict,
}


# -------------------------------------------------------------------------------------------------- unions, pydantic


def _union(annotation: Any, arms: tuple[Any, ...]) -> Coercion | None:
    if sum(_mentions_model(arm) for arm in arms) > 1:
        return _adapter(annotation)
    changes = [(arm, coercion(arm)) for arm in arms if arm is not type(None)]
    if all(change is None for _, change in changes):
        return None

    def change(value: Any) -> Any:
        if value is None or any(_is_already(value, arm) for arm in arms):
            return value
        first: Exception | None = None
        for arm, change_arm in changes:
            if change_arm is None:
                continue
            try:
                made = change_arm(value)
            except (TypeError, ValueError) as error:
                first = first or error
                continue
            if made is not value or _is_already(made, typing.get_origin(arm) or arm):
                return made
        if first is not None:
            raise first
        return value

    return change


def _is_already(value: Any, arm: Any) -> bool:
    """Whether a value is of an arm of a union that needs no look inside."""
    if arm is Any or typing.get_origin(arm) is typing.Literal:
        return arm is Any or value in typing.get_args(arm)
    if not isinstance(arm, type) or typing.get_origin(arm) is not None or typing.is_typeddict(arm):
        return False
    return isinstance(value, arm) or (arm is float and type(value) is int)


def _is_model(cls: Any) -> bool:
    """Asked without importing pydantic: where nobody did, there are no models."""
    pydantic = sys.modules.get("pydantic")
    return pydantic is not None and isinstance(cls, type) and issubclass(cls, pydantic.BaseModel)


def _mentions_model(annotation: Any) -> bool:
    return _is_model(typing.get_origin(annotation) or annotation) or any(map(_mentions_model, typing.get_args(annotation)))


def _is_of_pydantic(items: tuple[Any, ...]) -> bool:
    return any(type(item).__module__.partition(".")[0] in ("pydantic", "pydantic_core", "annotated_types") for item in items)


def _adapter(annotation: Any) -> Coercion:
    from pydantic import TypeAdapter

    found: list[TypeAdapter[Any]] = []

    def change(value: Any) -> Any:
        if not found:
            found.append(TypeAdapter(annotation))
        return found[0].validate_python(value)

    return change
