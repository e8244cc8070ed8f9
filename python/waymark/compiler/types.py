"""Descriptors: what the runner has to know of a user's class."""

from __future__ import annotations

import abc
import dataclasses
import enum
import types
import typing
from typing import Any

from waymark._proto import program_pb2 as pb
from waymark.compiler import natives
from waymark.compiler.builder import wire_value
from waymark.errors import CannotTravel
from waymark.values import type_name

# Bases that say nothing about values.
_TRANSPARENT: tuple[Any, ...] = (object, abc.ABC, typing.Generic, getattr(typing, "Protocol", object))
_FACTORIES = (list, dict, set)
# What every class has, or what only matters while it is made.
_ORDINARY = {
    "__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__slots__", "__annotations__", "__firstlineno__",
    "__static_attributes__", "__orig_bases__", "__parameters__", "__match_args__", "__dataclass_fields__", "__dataclass_params__",
    "__abstractmethods__", "_abc_impl", "__class_getitem__", "__init_subclass__", "__subclasshook__", "__annotate__",
    "__annotate_func__", "__annotations_cache__", "__classdictcell__", "__type_params__", "__getstate__", "__setstate__", "__reduce__",
    "__reduce_ex__", "__replace__", "__waymark__", "__conditional_annotations__",
}  # fmt: skip


class Types:
    """The classes that a program declares, in the order they were met."""

    def __init__(self) -> None:
        self.descriptors: dict[type, pb.TypeDescriptor] = {}
        self.refused: dict[type, str] = {}

    def declare(self, cls: type) -> str | None:
        """The name of a class in the program; None where it can't be named (it is local to a function)."""
        native = natives.name_of(cls)
        if native is not None:
            return native
        known = self.descriptors.get(cls)
        if known is not None:
            return known.name
        name = type_name(cls)
        if "<" in name:
            self.refused[cls] = "it is defined inside of a function, where no worker can find it"
            return None
        descriptor = pb.TypeDescriptor(name=name)
        self.descriptors[cls] = descriptor
        for base in cls.__bases__:
            if base not in _TRANSPARENT:
                base_name = self.declare(base)
                if base_name is not None:
                    descriptor.bases.append(base_name)
        _describe(cls, descriptor)
        for annotation in _annotations(cls):
            self.declare_annotation(annotation)
        return name

    def declare_annotation(self, annotation: Any) -> None:
        """The user's classes in `list[User] | None`."""
        if isinstance(annotation, type) and not isinstance(annotation, type(list[int])):
            is_user = issubclass(annotation, (BaseException, enum.Enum)) or bool(_fields(annotation))
            if is_user and natives.name_of(annotation) is None:
                self.declare(annotation)
        for inner in typing.get_args(annotation):
            self.declare_annotation(inner)

    def is_opaque(self, cls: type) -> bool:
        known = self.descriptors.get(cls)
        return known is not None and known.WhichOneof("kind") == "opaque"

    def in_order(self) -> list[pb.TypeDescriptor]:
        return list(self.descriptors.values())


def hints(target: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(target)
    except Exception:  # A name that exists only for type checkers.
        return {}


def _annotations(cls: type) -> list[Any]:
    return list(hints(cls).values()) if _fields(cls) else []


def is_pydantic(cls: type) -> bool:
    return hasattr(cls, "__pydantic_fields__") and hasattr(cls, "__pydantic_validator__")


def _fields(cls: type) -> list[str]:
    if dataclasses.is_dataclass(cls):
        return [field.name for field in dataclasses.fields(cls)]
    if is_pydantic(cls):
        return list(cls.__pydantic_fields__)  # type: ignore[attr-defined]
    return []


def _describe(cls: type, descriptor: pb.TypeDescriptor) -> None:
    fields = _fields(cls)
    descriptor.overrides.extend(_overrides(cls, fields))
    if issubclass(cls, enum.Enum):
        if _describe_enum(cls, descriptor):
            return
    elif issubclass(cls, BaseException):
        descriptor.exception.SetInParent()
        return
    elif dataclasses.is_dataclass(cls):
        described = _record_fields(cls)
        if (
            described is not None
            and cls.__setattr__ is object.__setattr__
            or (
                described is not None and cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
            )
        ):
            parameters = cls.__dataclass_params__  # type: ignore[attr-defined]
            descriptor.record.CopyFrom(pb.Record(frozen=parameters.frozen, eq=parameters.eq, order=parameters.order))
            descriptor.fields.extend(described)
            return
    descriptor.opaque.SetInParent()
    # Here the runner asks a worker also for what `dataclass` wrote.
    descriptor.overrides.extend(name for name, value in vars(cls).items() if dataclasses.is_dataclass(cls) and _generated(value))
    descriptor.fields.extend(pb.Field(name=name) for name in fields)


def _describe_enum(cls: type[enum.Enum], descriptor: pb.TypeDescriptor) -> bool:
    if issubclass(cls, enum.Flag) or not cls.__members__:
        return False
    members = []
    for name, member in cls.__members__.items():
        if member.name != name:
            continue
        try:
            members.append(pb.EnumMember(name=name, value=wire_value(member.value)))
        except CannotTravel:
            return False
    descriptor.enum.CopyFrom(pb.Enum(members=members))
    return True


def _record_fields(cls: Any) -> list[pb.Field] | None:
    """The fields of a dataclass that the runner can make by itself, or None."""
    described = []
    for field in dataclasses.fields(cls):
        # The runner compares, hashes and shows all the fields of a record.
        if not field.init or field.kw_only or not field.compare or not field.repr or field.hash is False:
            return None
        wire = pb.Field(name=field.name)
        try:
            if field.default is not dataclasses.MISSING:
                wire.default.CopyFrom(wire_value(field.default))
            elif field.default_factory is not dataclasses.MISSING:
                if field.default_factory not in _FACTORIES:
                    return None
                wire.default.CopyFrom(wire_value(field.default_factory()))
        except CannotTravel:
            return None
        described.append(wire)
    pseudo = getattr(cls, "__dataclass_fields__", {})
    return described if len(pseudo) == len(described) else None


def _overrides(cls: type, fields: list[str]) -> list[str]:
    """What the class itself defines and only a worker can run."""
    found = []
    for name, value in vars(cls).items():
        if name in _ORDINARY or name in fields:
            continue
        if name.startswith("__pydantic") or name.startswith("_abc_"):
            continue
        if issubclass(cls, enum.Enum) and (name in cls.__members__ or _made_by_enum(name)):
            if name in cls.__members__ and cls.__members__[name].name == name:
                continue
            if _made_by_enum(name) and not _is_written(cls, value):
                continue
        if dataclasses.is_dataclass(cls) and _generated(value):
            continue
        if name == "__hash__" and value is None:
            continue
        found.append(name)
    return found + _attributes_of_members(cls)


def _attributes_of_members(cls: type) -> list[str]:
    """What an enumeration's `__init__` gave its members, besides their names and values."""
    if not issubclass(cls, enum.Enum):
        return []
    return sorted({name for member in cls for name in vars(member) if not name.startswith("_")})


def _is_written(cls: type, value: Any) -> bool:
    """Whether a method stands in the class itself, under a name that enumerations also make methods under."""
    return isinstance(value, types.FunctionType) and value.__module__ == cls.__module__ and value.__name__ != "__new__"


def _made_by_enum(name: str) -> bool:
    return name in {"__new__", "_member_map_", "__format__", "__str__", "__repr__", "__reduce_ex__"} or (
        name.startswith("_") and name.endswith("_") and not name.startswith("__") and name != "_missing_"
    )


def _generated(value: Any) -> bool:
    """Whether `dataclass` wrote this method."""
    function = getattr(value, "__wrapped__", value)
    code = getattr(function, "__code__", None)
    return code is not None and (code.co_filename == "<string>" or getattr(function, "__module__", "") == "dataclasses")
