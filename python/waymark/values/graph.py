"""Object graphs: how the values that a fragment captured come in, and how what it changed goes back.

Containers, objects of classes and exceptions are numbered, so aliases and cycles survive. A `Graph` remembers what each object
held when it was read; whatever holds something else afterwards is sent back. The shapes are described in
worker.proto.
"""

from __future__ import annotations

import enum
import operator
from typing import Any, cast

import msgpack

from waymark.errors import CannotTravel, PayloadError, RemoteTraceback
from waymark.values import exceptions
from waymark.values.forms import Form, form_of
from waymark.values.payload import ATOMS, load_form, pack, unpack
from waymark.values.trouble import explain

Shape = dict[str, Any]

_CONTAINERS = {list: "List", tuple: "Tuple", set: "Set", frozenset: "FrozenSet", dict: "Dict"}


class Graph:
    def __init__(self, objects: bytes) -> None:
        self._shapes: list[Shape] = _read(objects)
        self.objects: list[Any] = [None] * len(self._shapes)
        self._forms: list[Form | None] = [None] * len(self._shapes)
        self._made = [False] * len(self._shapes)
        self._making: set[int] = set()
        self._filled: set[int] = set()
        self._completed: set[int] = set()
        for number in range(len(self._shapes)):
            self._open(number)
        for number in range(len(self._shapes)):
            self._fill(number)
        self._before = [_held(obj, form) for obj, form in zip(self.objects, self._forms, strict=True)]

    def captures(self, data: bytes) -> dict[str, Any]:
        return {name: self.value(shape) for name, shape in _read(data)}

    def value(self, shape: Shape) -> Any:
        if "Object" in shape:
            number = shape["Object"]
            if not self._made[number]:
                self._make(number)
            return self.objects[number]
        return unpack(shape["Plain"])

    def _open(self, number: int) -> None:
        """Makes what can be made without its parts."""
        ((kind, body),) = self._shapes[number].items()
        if kind == "Instance":
            form = self._forms[number] = load_form(body[0])
            if form.immutable:
                return
            self.objects[number] = form.shell()
        elif kind in ("List", "Dict", "Set"):
            self.objects[number] = {"List": list, "Dict": dict, "Set": set}[kind]()
        elif kind in ("Tuple", "FrozenSet"):
            return
        elif kind == "Exception":
            cls = exceptions.exception_class(body[0], body[1])
            if exceptions.needs_parts(cls):
                return
            self.objects[number] = exceptions.shell(cls, [], {})
        else:
            self.objects[number] = self.value(self._shapes[number])
        self._made[number] = True

    def _make(self, number: int) -> None:
        """Makes what can't be changed later."""
        if number in self._making:
            raise PayloadError(f"object {number} of a fragment contains itself, which can't be")
        self._making.add(number)
        ((kind, body),) = self._shapes[number].items()
        form = self._forms[number]
        if form is not None:
            self.objects[number] = form.build({name: self._complete(field) for name, field in body[1]})
        elif kind == "Exception":
            self.objects[number] = self._group(body)
        elif kind == "FrozenSet":
            self.objects[number] = frozenset([self._complete(item) for item in body])
        else:
            self.objects[number] = tuple([self.value(item) for item in body])
        self._made[number] = True

    def _group(self, body: Any) -> BaseException:
        """An exception that is made of its parts, which may not lead back to it."""
        name, bases, args, fields, *_ = body
        cls = exceptions.exception_class(name, bases)
        if not hasattr(cls, "derive"):
            return exceptions.shell(cls, [], {name: self._complete(field) for name, field in fields})
        parts = {name: self.value(field) for name, field in fields if name in exceptions.GROUP_PARTS}
        return exceptions.shell(cls, [self.value(argument) for argument in args], parts)

    def _fill(self, number: int) -> None:
        if number in self._filled:
            return
        self._filled.add(number)
        ((kind, body),), form = self._shapes[number].items(), self._forms[number]
        if not self._made[number]:
            self._make(number)
            if kind != "Exception":
                return
        obj = self.objects[number]
        if kind == "Exception":
            _, _, args, fields, message, cause, context, *rest = body
            exceptions.fill(obj, [self.value(argument) for argument in args], {name: self.value(field) for name, field in fields}, message)
            cause, context = (None if shape is None else self.value(shape) for shape in (cause, context))
            exceptions.link(obj, cause, context, *rest)
        elif kind == "List":
            obj.extend([self.value(item) for item in body])
        elif kind == "Dict":
            obj.update([(self._complete(key), self.value(item)) for key, item in body])
        elif kind == "Set":
            obj.update([self._complete(item) for item in body])
        elif form is not None and not form.immutable:
            read = self._complete if form.looks_inside else self.value
            fields = {name: read(field) for name, field in body[1]}
            form.fill(obj, fields)

    def _complete(self, shape: Shape) -> Any:
        """A value with all that is in it: it's going to be hashed or copied."""
        if "Object" in shape and shape["Object"] not in self._completed:
            number = shape["Object"]
            self._completed.add(number)
            self._fill(number)
            ((kind, body),) = self._shapes[number].items()
            if kind == "Instance":
                body = [field for _, field in body[1]]
            elif kind == "Dict":
                body = [part for entry in body for part in entry]
            elif kind == "Exception":
                body = [*body[2], *(field for _, field in body[3])]
            for part in body if isinstance(body, list) else ():
                self._complete(part)
        return self.value(shape)

    def result(self, value: Any, place: str = "the result") -> tuple[bytes, bytes]:
        """The value's shape, and the objects that changed or are new. Raises CannotTravel."""
        changes = _Changes(self)
        shape = changes.shape(value, place)
        return _write(shape), _write(changes.objects())

    def results(self, names: list[str], values: dict[str, Any]) -> tuple[bytes, bytes]:
        """Like `result`, of what was assigned to these names."""
        changes = _Changes(self)
        shape = {"Tuple": [changes.shape(values[name], name) for name in names]}
        return _write(shape), _write(changes.objects())

    def raised(self, error: BaseException) -> tuple[int, bytes]:
        """Like `result`, of what was raised instead: its number."""
        changes = _Changes(self)
        shape = changes.shape(error, "the exception")
        return shape["Object"], _write(changes.objects())


class _Changes:
    def __init__(self, graph: Graph, is_trial: bool = False) -> None:
        self.graph = graph
        self.is_trial = is_trial
        # Kept alive, so that no two have the same id.
        self.known = list(graph.objects)
        self.places = ["a captured value"] * len(self.known)
        self.numbers = {id(obj): number for number, obj in reversed(list(enumerate(self.known)))}

    def shape(self, value: Any, place: str) -> Shape:
        cls = type(value)
        if cls in ATOMS:
            try:
                return {"Plain": pack(value)}
            except Exception as error:
                raise explain(value, place, error) from None
        number = self.numbers.get(id(value))
        if number is None:
            number = self.numbers[id(value)] = len(self.known)
            self.known.append(value)
            self.places.append(place)
        return {"Object": number}

    def objects(self) -> list[tuple[int, Shape]]:
        changed = []
        graph, number = self.graph, 0
        while number < len(self.known):
            obj, place = self.known[number], self.places[number]
            if number >= len(graph.objects):
                changed.append((number, self.inside(obj, place)))
            elif not _same(graph._before[number], _held(obj, graph._forms[number])):
                changed.append((number, self.inside(obj, place)))
            number += 1
        return changed

    def inside(self, obj: Any, place: str) -> Shape:
        cls = type(obj)
        if cls is dict:
            return {
                "Dict": [(self.shape(key, f"a key of {place}"), self.shape(item, f"{place}[{key!r:.40}]")) for key, item in obj.items()]
            }
        kind = _CONTAINERS.get(cls)
        if kind is not None:
            return {kind: [self.shape(item, f"{place}[{at}]") for at, item in enumerate(obj)]}
        if isinstance(obj, BaseException):
            return {"Exception": self.exception(obj, place)}
        try:
            form = form_of(cls)
            fields = {**form.fields(obj), **self.computed(form, obj)}
        except CannotTravel as error:
            raise explain(obj, place, error) from None
        if isinstance(obj, enum.Enum):
            # The engine compares the name to know the member.
            return {"Instance": (form.name, [(name, {"Plain": pack(value)}) for name, value in fields.items()])}
        return {"Instance": (form.name, [(name, self.shape(value, f"{place}.{name}")) for name, value in fields.items()])}

    def computed(self, form: Form, obj: Any) -> dict[str, Any]:
        """What can't travel of it is computed again."""
        return {name: value for name, value in form.computed(obj).items() if self.is_trial or self.can_travel(value)}

    def exception(self, error: BaseException, place: str) -> list[Any]:
        args = [self.part(argument, f"{place}.args[{at}]") for at, argument in enumerate(error.args)]
        fields = [(name, self.part(value, f"{place}.{name}")) for name, value in exceptions.fields_of(error).items()]
        if hasattr(error, "derive"):
            fields += [(name, self.shape(getattr(error, name), place)) for name in exceptions.GROUP_PARTS]
        links = [
            None if other is None or isinstance(other, RemoteTraceback) else self.shape(other, place)
            for other in (error.__cause__, error.__context__)
        ]
        return exceptions.parts_of(error, args, fields, *links)

    def part(self, value: Any, place: str) -> Shape:
        """Of an exception, which must arrive whatever it carries: the `repr` where it can't travel."""
        return self.shape(value if self.can_travel(value) else exceptions.text_of(value, repr), place)

    def can_travel(self, value: Any) -> bool:
        if type(value) in ATOMS or isinstance(value, BaseException):
            return True
        found = _Changes(self.graph, is_trial=True)
        number = len(found.known)
        try:
            found.shape(value, "")
            while number < len(found.known):
                # Exceptions see to themselves.
                if not isinstance(found.known[number], BaseException):
                    found.inside(found.known[number], "")
                number += 1
        except CannotTravel:
            return False
        return True


def _held(obj: Any, form: Form | None) -> tuple[Any, ...] | None:
    """What an object holds, one level deep; None if that can't change."""
    cls = type(obj)
    if cls is list or cls is set:
        return tuple(obj)
    if cls is dict:
        return (*obj.keys(), *obj.values())
    if isinstance(obj, BaseException):
        fields, notes = exceptions.fields_of(obj), getattr(obj, "__notes__", ())
        links = (obj.__cause__, obj.__context__, obj.__suppress_context__, obj.__traceback__)
        return (*obj.args, *fields.keys(), *fields.values(), *links, *notes)
    if form is None or form.immutable:
        return None
    fields = {**form.fields(obj), **form.computed(obj)}
    return (*fields.keys(), *fields.values())


def _same(before: tuple[Any, ...] | None, after: tuple[Any, ...] | None) -> bool:
    if before is None or after is None:
        return before is after
    return len(before) == len(after) and all(map(operator.is_, before, after))


def _write(shapes: Any) -> bytes:
    return cast(bytes, msgpack.packb(shapes))


def _read(data: bytes) -> Any:
    return msgpack.unpackb(data, strict_map_key=False)
