"""How objects of a class are taken apart into named fields, and put together again.

A class has one `Form`, found once. `shell` and `fill` are two steps so that objects that refer to each other can be
made; what can't change is made in one step, by `build`. No form calls `__init__`: an object comes back as it was,
not as a new one.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import struct
from collections.abc import Callable
from typing import Any

from waymark import names
from waymark.errors import CannotTravel
from waymark.values.classes import find_class, type_name

Fields = dict[str, Any]

#: Of `cls.__flags__`: made by a class statement, or nearly.
_MADE_BY_PYTHON = 1 << 9
_WORD = struct.calcsize("P")

#: A function or class, by its import path.
REFERENCE = "waymark.Reference"


class Form:
    #: Objects never change, and are made in one step.
    immutable = False
    #: `fill` looks into the fields, so they have to be complete.
    looks_inside = False

    def __init__(self, cls: Any, name: str | None = None) -> None:
        self.cls = cls
        self.name = name or type_name(cls)

    def fields(self, obj: Any) -> Fields:
        raise NotImplementedError

    def computed(self, obj: Any) -> Fields:
        """What it has kept of what its class could compute again: an object that goes to a fragment and back has it still."""
        return {}

    def shell(self) -> Any:
        return object.__new__(self.cls)

    def fill(self, obj: Any, fields: Fields) -> None:
        raise NotImplementedError

    def build(self, fields: Fields) -> Any:
        obj = self.shell()
        self.fill(obj, fields)
        return obj


class AttributeForm(Form):
    """Dataclasses and other classes written in Python: what is in `__dict__` and in slots."""

    def __init__(self, cls: Any) -> None:
        super().__init__(cls)
        declared = tuple(getattr(cls, "__dataclass_fields__", ()) and (field.name for field in dataclasses.fields(cls)))
        self.slots = tuple(name for name in _slots(cls) if name not in declared)
        self.declared = declared
        self.slotted = {*_slots(cls)}
        #: Computed from the rest.
        self.cached = {name for base in cls.__mro__ for name, item in vars(base).items() if isinstance(item, functools.cached_property)}

    def fields(self, obj: Any) -> Fields:
        if not self.slotted and not self.cached:
            held = obj.__dict__
            if not self.declared or tuple(held) == self.declared:
                return held
        fields = {}
        for name in (*self.declared, *self.slots):
            try:
                # Not getattr, which would find a default of the class, or run a property.
                fields[name] = obj.__dict__[name] if name not in self.slotted else getattr(obj, name)
            except (AttributeError, KeyError):
                continue
        for name, value in getattr(obj, "__dict__", {}).items():
            if name not in self.cached:
                fields.setdefault(name, value)
        return fields

    def computed(self, obj: Any) -> Fields:
        return {name: value for name, value in obj.__dict__.items() if name in self.cached} if self.cached else {}

    def build(self, fields: Fields) -> Any:
        return super().build({name: value for name, value in fields.items() if name not in self.cached} if self.cached else fields)

    def fill(self, obj: Any, fields: Fields) -> None:
        if not self.slotted:
            obj.__dict__.update(fields)
            return
        for name, value in fields.items():
            if name in self.slotted:
                object.__setattr__(obj, name, value)
            else:
                obj.__dict__[name] = value


class StateForm(AttributeForm):
    """Classes that say themselves what their state is."""

    looks_inside = True

    def fields(self, obj: Any) -> Fields:
        state = obj.__getstate__()
        is_named = isinstance(state, dict) and all(type(name) is str for name in state)
        return state if is_named else {"__state__": state}

    def computed(self, obj: Any) -> Fields:
        return {}

    def fill(self, obj: Any, fields: Fields) -> None:
        restore = getattr(obj, "__setstate__", None)
        if restore is None:
            super().fill(obj, fields)
        else:
            restore(fields["__state__"] if fields.keys() == {"__state__"} else fields)


class LoopForm(AttributeForm):
    """Locks, events and queues. Those of a workflow come along with what holds them, and go back as they were; others stay."""

    _GIVEN = "_waymark_given"

    def fields(self, obj: Any) -> Fields:
        if self._GIVEN not in vars(obj):
            raise CannotTravel("it belongs to the event loop of this process; make it in the workflow itself, in `run` or what that calls")
        return vars(obj)[self._GIVEN]

    def fill(self, obj: Any, fields: Fields) -> None:
        vars(obj)[self._GIVEN] = fields


class EnumForm(Form):
    immutable = True

    def fields(self, obj: Any) -> Fields:
        return {"name": obj._name_, "value": obj._value_}

    def build(self, fields: Fields) -> Any:
        member = self.cls.__members__.get(fields.get("name"))
        return self.cls(fields.get("value")) if member is None else member


class NamedTupleForm(Form):
    immutable = True

    def fields(self, obj: Any) -> Fields:
        return dict(zip(self.cls._fields, tuple.__iter__(obj), strict=True))

    def build(self, fields: Fields) -> Any:
        return tuple.__new__(self.cls, [fields[name] for name in self.cls._fields])


class CodecForm(Form):
    """What `register_codec` was told."""

    immutable = True

    def __init__(self, cls: Any, encode: Callable[[Any], Any], decode: Callable[[Any], Any], name: str | None = None) -> None:
        super().__init__(cls, name)
        self.encode, self.decode = encode, decode

    def fields(self, obj: Any) -> Fields:
        return {"value": self.encode(obj)}

    def build(self, fields: Fields) -> Any:
        return self.decode(fields["value"])


class PydanticForm(Form):
    """Models: their fields, and what pydantic keeps beside them where it says anything."""

    looks_inside = True

    def __init__(self, cls: Any) -> None:
        super().__init__(cls)
        self.field_names = set(cls.__pydantic_fields__ if hasattr(cls, "__pydantic_fields__") else cls.model_fields)
        self.extra_allowed = cls.model_config.get("extra") == "allow"

    def fields(self, obj: Any) -> Fields:
        fields = dict(obj.__dict__)
        if obj.__pydantic_fields_set__ != self.field_names:
            fields["__pydantic_fields_set__"] = sorted(obj.__pydantic_fields_set__)
        if obj.__pydantic_extra__:
            fields["__pydantic_extra__"] = obj.__pydantic_extra__
        if obj.__pydantic_private__:
            fields["__pydantic_private__"] = obj.__pydantic_private__
        return fields

    def shell(self) -> Any:
        obj = self.cls.__new__(self.cls)
        self.fill(obj, {})
        return obj

    def fill(self, obj: Any, fields: Fields) -> None:
        fields = dict(fields)
        private = fields.pop("__pydantic_private__", {} if self.cls.__private_attributes__ else None)
        extra = fields.pop("__pydantic_extra__", {} if self.extra_allowed else None)
        given = fields.pop("__pydantic_fields_set__", None)
        object.__setattr__(obj, "__dict__", fields)
        object.__setattr__(obj, "__pydantic_fields_set__", set(self.field_names if given is None else given))
        object.__setattr__(obj, "__pydantic_extra__", extra)
        object.__setattr__(obj, "__pydantic_private__", private)


_FORMS: dict[type, Form] = {}
_BY_NAME: dict[str, Form] = {}


def register(form: Form) -> Form:
    _FORMS[form.cls] = form
    _BY_NAME[form.name] = form
    return form


def form_of(cls: type) -> Form:
    """Raises CannotTravel, with the reason but not the place."""
    form = _FORMS.get(cls)
    return register(_learn(cls)) if form is None else form


def form_named(name: str) -> Form:
    """Raises what the import of the class raises, or CannotTravel."""
    form = _BY_NAME.get(name)
    if form is None:
        cls = _nameless().get(name) or find_class(name)
        # Its module may have registered a codec by this name.
        form = _BY_NAME.get(name) or form_of(cls)
    return form


def _nameless() -> dict[str, type]:
    from waymark.values import standard

    return standard.NAMELESS


def _learn(cls: Any) -> Form:
    from waymark.values import standard

    form = standard.form(cls)
    if form is not None:
        return form
    name = type_name(cls)
    if "[" not in name and not names.is_importable(cls):
        if not cls.__flags__ & _MADE_BY_PYTHON or cls.__module__.startswith("_"):
            raise CannotTravel("it is not made of plain attributes")
        where = "is defined inside a function" if "<locals>" in name else f"can't be imported as {name}"
        raise CannotTravel(f"its class {where}; move it to the top level of a module")
    if cls.__module__.partition(".")[0] == "asyncio":
        return LoopForm(cls)
    if issubclass(cls, enum.Enum):
        return EnumForm(cls)
    if hasattr(cls, "__pydantic_validator__") and hasattr(cls, "__pydantic_private__"):
        return PydanticForm(cls)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return NamedTupleForm(cls)
    form = standard.subclass_form(cls)
    if form is not None:
        return form
    try:
        made = object.__new__(cls)
    except TypeError:
        made = None
    # Larger than its attributes, with a word each for `__dict__` and weak references: it's written in C, and has more.
    size_max = object.__basicsize__ + _WORD * (len(_slots(cls)) + 2)
    if made is None or cls.__basicsize__ > size_max or cls.__itemsize__:
        raise CannotTravel("it is not made of plain attributes")
    if not hasattr(made, "__dict__") and not _slots(cls):
        raise CannotTravel("it has no attributes to send")
    states = [vars(base)["__getstate__"] for base in cls.__mro__[:-1] if "__getstate__" in vars(base)]
    # Dataclasses with slots have one that is made for pickle, and gives no names.
    is_own = bool(states) and getattr(states[0], "__module__", "") != "dataclasses"
    return StateForm(cls) if is_own else AttributeForm(cls)


def _slots(cls: type) -> list[str]:
    """Names that instances hold outside of `__dict__`, as attributes are called from outside the class."""
    found = []
    for base in reversed(cls.__mro__):
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                mangled = name.startswith("__") and not name.endswith("__")
                found.append(f"_{base.__name__.lstrip('_')}{name}" if mangled else name)
    return found
