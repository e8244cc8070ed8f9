"""Forms of the standard library's types, and of subclasses of containers and numbers."""

from __future__ import annotations

import builtins
import collections
import datetime
import fractions
import gc
import io
import ipaddress
import pathlib
import random
import re
import types
import zoneinfo
from collections.abc import Callable
from typing import Any

from waymark import names
from waymark.errors import CannotTravel
from waymark.values.forms import REFERENCE, Fields, Form

_ALL = slice(None)


class ValueForm(Form):
    """Immutable, made of a few parts by a call."""

    immutable = True

    def __init__(self, cls: Any, name: str, take: Callable[[Any], Fields], make: Callable[[Fields], Any]) -> None:
        super().__init__(cls, name)
        self.take, self.make = take, make

    def fields(self, obj: Any) -> Fields:
        return self.take(obj)

    def build(self, fields: Fields) -> Any:
        return self.make(fields)


class ContainerForm(Form):
    """Mutable containers that are no plain list, dict or set, with the attributes that a subclass adds."""

    looks_inside = True

    def __init__(self, cls: Any, base: Any, name: str | None = None) -> None:
        super().__init__(cls, name)
        self.base = base
        self.take, self.put = _CONTAINERS[base]

    def fields(self, obj: Any) -> Fields:
        return {**self.take(obj), **getattr(obj, "__dict__", {})}

    def shell(self) -> Any:
        return self.base.__new__(self.cls)

    def fill(self, obj: Any, fields: Fields) -> None:
        fields = dict(fields)
        self.put(obj, fields)
        if fields:
            obj.__dict__.update(fields)


class ScalarForm(Form):
    """Subclasses of str, int and other immutable types, with the attributes that the subclass adds."""

    immutable = True

    def __init__(self, cls: Any, base: Any) -> None:
        super().__init__(cls)
        self.base = base
        self.take = _SCALARS[base]

    def fields(self, obj: Any) -> Fields:
        return {"__value__": self.take(obj), **getattr(obj, "__dict__", {})}

    def build(self, fields: Fields) -> Any:
        fields = dict(fields)
        obj = self.base.__new__(self.cls, fields.pop("__value__"))
        if fields:
            obj.__dict__.update(fields)
        return obj


class ReferenceForm(Form):
    """Functions and classes, which exist on both sides."""

    immutable = True

    def __init__(self, cls: type) -> None:
        super().__init__(cls, REFERENCE)

    def fields(self, obj: Any) -> Fields:
        if getattr(obj, "__self__", None) not in (None, builtins) or not names.is_importable(obj):
            raise CannotTravel("it can't be imported on the other side; define it at the top level of a module")
        return {"path": names.import_path(obj)}

    def build(self, fields: Fields) -> Any:
        return names.load(fields["path"])


def _put_dict(base: Any) -> Callable[[Any, Fields], None]:
    return lambda obj, fields: base.update(obj, fields.pop("__items__"))


def _put_defaultdict(obj: Any, fields: Fields) -> None:
    collections.defaultdict.__init__(obj, fields.pop("default_factory"))
    dict.update(obj, fields.pop("__items__"))


def _put_buffer(obj: Any, value: Any, position: int) -> None:
    obj.__init__(*([value, ""] if isinstance(value, str) else [value]))
    obj.seek(position)


# Base: how items are read whatever a subclass made of its methods, and how they are put in.
_CONTAINERS: dict[Any, tuple[Callable[[Any], Fields], Callable[[Any, Fields], None]]] = {
    collections.OrderedDict: (
        lambda obj: {"__items__": dict(collections.OrderedDict.items(obj))},
        _put_dict(collections.OrderedDict),
    ),
    collections.defaultdict: (
        lambda obj: {"__items__": dict(dict.items(obj)), "default_factory": obj.default_factory},
        _put_defaultdict,
    ),
    collections.deque: (
        lambda obj: {"__items__": list(collections.deque.__iter__(obj)), "maxlen": obj.maxlen},
        lambda obj, fields: collections.deque.__init__(obj, fields.pop("__items__"), fields.pop("maxlen")),
    ),
    **{
        cls: (
            lambda obj: {"__items__": obj.getvalue(), "position": obj.tell()},
            lambda obj, fields: _put_buffer(obj, fields.pop("__items__"), fields.pop("position")),
        )
        for cls in (io.StringIO, io.BytesIO)
    },
    bytearray: (
        lambda obj: {"__items__": bytes(obj)},
        lambda obj, fields: bytearray.__init__(obj, fields.pop("__items__")),
    ),
    random.Random: (
        lambda obj: {"state": random.Random.getstate(obj)},
        lambda obj, fields: random.Random.setstate(obj, fields.pop("state")),
    ),
    dict: (lambda obj: {"__items__": dict(dict.items(obj))}, _put_dict(dict)),
    list: (
        lambda obj: {"__items__": list.__getitem__(obj, _ALL)},
        lambda obj, fields: list.extend(obj, fields.pop("__items__")),
    ),
    set: (
        lambda obj: {"__items__": set(set.__iter__(obj))},
        lambda obj, fields: set.update(obj, fields.pop("__items__")),
    ),
}

_SCALARS: dict[Any, Callable[[Any], Any]] = {
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    bytes: lambda obj: bytes.__getitem__(obj, _ALL),
    tuple: lambda obj: tuple.__getitem__(obj, _ALL),
    frozenset: lambda obj: frozenset(frozenset.__iter__(obj)),
}


def _timezone(fields: Fields) -> datetime.timezone:
    if fields["name"] is None:
        return datetime.timezone.utc if not fields["offset"] else datetime.timezone(fields["offset"])
    return datetime.timezone(fields["offset"], fields["name"])


def zone_name(zone: datetime.timezone) -> str | None:
    """Of a fixed zone that was given a name."""
    given: tuple[Any, ...] = zone.__getinitargs__()  # type: ignore[attr-defined]
    return given[1] if len(given) > 1 else None


def _path(cls: Any) -> Callable[[Fields], Any]:
    def make(fields: Fields) -> Any:
        try:
            return cls(fields["path"])
        except NotImplementedError:  # Of the other operating system.
            return pathlib.Path(fields["path"])

    return make


def _match(fields: Fields) -> re.Match[Any]:
    """Found once more: a match can't be made in another way."""
    pattern, text, span, end = fields["pattern"], fields["string"], tuple(fields["span"]), fields["endpos"]
    for start in (fields["pos"], span[0]):
        for find in (pattern.search, pattern.match, pattern.fullmatch):
            found = find(text, start, end)
            if found is not None and found.span() == span:
                return found
    raise CannotTravel(f"the pattern {pattern.pattern!r} matches its text differently here")


_PATHS = (pathlib.PurePosixPath, pathlib.PureWindowsPath, pathlib.PosixPath, pathlib.WindowsPath)
_ADDRESSES = (
    ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network,
    ipaddress.IPv4Interface, ipaddress.IPv6Interface,
)  # fmt: skip
_VALUES: dict[Any, ValueForm] = {
    **{cls: ValueForm(cls, f"pathlib:{cls.__name__}", lambda obj: {"path": str(obj)}, _path(cls)) for cls in _PATHS},
    **{
        cls: ValueForm(
            cls,
            f"ipaddress:{cls.__name__}",
            lambda obj: {"address": str(obj)},
            lambda fields, cls=cls: cls(fields["address"]),
        )
        for cls in _ADDRESSES
    },
    datetime.timezone: ValueForm(
        datetime.timezone,
        "datetime.timezone",
        lambda obj: {"offset": obj.utcoffset(None), "name": zone_name(obj)},
        _timezone,
    ),
    zoneinfo.ZoneInfo: ValueForm(
        zoneinfo.ZoneInfo,
        "zoneinfo.ZoneInfo",
        lambda obj: {"key": zone_key(obj)},
        lambda fields: zoneinfo.ZoneInfo(fields["key"]),
    ),
    fractions.Fraction: ValueForm(
        fractions.Fraction,
        "fractions:Fraction",
        lambda obj: {"numerator": obj.numerator, "denominator": obj.denominator},
        lambda fields: fractions.Fraction(fields["numerator"], fields["denominator"]),
    ),
    re.Pattern: ValueForm(
        re.Pattern,
        "re:Pattern",
        lambda obj: {"pattern": obj.pattern, "flags": obj.flags},
        lambda fields: re.compile(fields["pattern"], fields["flags"]),
    ),
    re.Match: ValueForm(
        re.Match,
        "re:Match",
        lambda obj: {"pattern": obj.re, "string": obj.string, "pos": obj.pos, "endpos": obj.endpos, "span": obj.span()},
        _match,
    ),
    **{
        cls: ValueForm(
            cls,
            f"builtins:{cls.__name__}",
            lambda obj: {"start": obj.start, "stop": obj.stop, "step": obj.step},
            lambda fields, cls=cls: cls(fields["start"], fields["stop"], fields["step"]),
        )
        for cls in (range, slice)
    },
}


def zone_key(zone: zoneinfo.ZoneInfo) -> str:
    if zone.key is None:
        raise CannotTravel("it was read from a file and has no name; use ZoneInfo('Europe/Berlin')")
    return zone.key


class NamespaceForm(Form):
    """`types.SimpleNamespace`"""

    def fields(self, obj: Any) -> Fields:
        return obj.__dict__

    def shell(self) -> Any:
        return types.SimpleNamespace.__new__(self.cls)

    def fill(self, obj: Any, fields: Fields) -> None:
        obj.__dict__.update(fields)


class ProxyForm(Form):
    """`types.MappingProxyType`, as `__members__` of an enumeration gives it."""

    immutable = True

    def fields(self, obj: Any) -> Fields:
        return {"mapping": gc.get_referents(obj)[0]}

    def build(self, fields: Fields) -> Any:
        return types.MappingProxyType(fields["mapping"])


class ViewForm(Form):
    """`d.keys()`, `d.values()` and `d.items()`: views of a dict that travels with them."""

    immutable = True

    def __init__(self, cls: Any, method: str) -> None:
        super().__init__(cls, f"builtins:{cls.__name__}")
        self.method = method

    def fields(self, obj: Any) -> Fields:
        # The view shows a proxy only; what that stands for is what it refers to.
        return {"mapping": gc.get_referents(obj.mapping)[0]}

    def build(self, fields: Fields) -> Any:
        return getattr(fields["mapping"], self.method)()


_VIEWS: dict[Any, str] = {
    type(getattr(made, method)()): method for made in ({}, collections.OrderedDict()) for method in ("keys", "values", "items")
}

#: Types that can't be found by their names.
NAMELESS: dict[str, type] = {
    REFERENCE: types.FunctionType,
    **{f"builtins:{cls.__name__}": cls for cls in _VIEWS},
}

_REFERENCES = (types.FunctionType, types.BuiltinFunctionType)

#: Types of libraries that are written in C, by their import path; nothing is imported for them.
_LIBRARIES: dict[str, Callable[[Any], ValueForm]] = {
    **{
        f"pydantic_core._pydantic_core:{name}": lambda cls: ValueForm(
            cls, names.import_path(cls), lambda obj: {"url": str(obj)}, lambda fields: cls(fields["url"])
        )
        for name in ("Url", "MultiHostUrl")
    },
}  # fmt: skip


def form(cls: Any) -> Form | None:
    """Of a type of the standard library or of a library that is known here."""
    found = _VALUES.get(cls)
    if found is not None:
        return found
    if cls in _CONTAINERS:
        return ContainerForm(cls, cls, f"{cls.__module__}:{cls.__qualname__}")
    if cls is types.SimpleNamespace:
        return NamespaceForm(cls, "types:SimpleNamespace")
    if cls is types.MappingProxyType:
        return ProxyForm(cls, "types:MappingProxyType")
    if cls in _VIEWS:
        return ViewForm(cls, _VIEWS[cls])
    if cls in _REFERENCES or issubclass(cls, type):
        return ReferenceForm(cls)
    library = _LIBRARIES.get(f"{cls.__module__}:{cls.__qualname__}")
    return library(cls) if library else None


def subclass_form(cls: Any) -> Form | None:
    """Of a user's subclass of a container, a number or text."""
    for base in cls.__mro__[1:]:
        if base in _CONTAINERS or base in _SCALARS:
            try:
                base.__new__(cls)
            except TypeError:  # It's written in C, as those of numpy are.
                raise CannotTravel(f"it can't be made of a plain {base.__name__}; convert it first") from None
            return ContainerForm(cls, base) if base in _CONTAINERS else ScalarForm(cls, base)
        if base is types.SimpleNamespace:
            return NamespaceForm(cls)
    return None
