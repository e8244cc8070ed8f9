"""Object graphs: how the values that a fragment captured come in, and how what it changed goes back.

Containers and objects of classes are numbered, so aliases and cycles survive. A `Graph` remembers what each object
held when it was read; whatever holds something else afterwards is sent back. The shapes are described in
worker.proto.
"""

from __future__ import annotations

import enum
import operator
from typing import Any, cast

import msgpack

from waymark.errors import CannotTravel, PayloadError
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
        elif kind == "FrozenSet":
            self.objects[number] = frozenset([self._complete(item) for item in body])
        else:
            self.objects[number] = tuple([self.value(item) for item in body])
        self._made[number] = True

    def _fill(self, number: int) -> None:
        if number in self._filled:
            return
        self._filled.add(number)
        ((kind, body),), obj, form = self._shapes[number].items(), self.objects[number], self._forms[number]
        if not self._made[number]:
            self._make(number)
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

    def changes(self) -> bytes:
        """The captured objects that changed, where there is no value."""
        return _write(_Changes(self).objects())


class _Changes:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        # Kept alive, so that no two have the same id.
        self.known = list(graph.objects)
        self.places = ["a captured value"] * len(self.known)
        self.numbers = {id(obj): number for number, obj in reversed(list(enumerate(self.known)))}

    def shape(self, value: Any, place: str) -> Shape:
        cls = type(value)
        if cls in ATOMS or isinstance(value, BaseException):
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
        try:
            form = form_of(cls)
            fields = form.fields(obj)
        except CannotTravel as error:
            raise explain(obj, place, error) from None
        if isinstance(obj, enum.Enum):
            # The engine compares the name to know the member.
            return {"Instance": (form.name, [(name, {"Plain": pack(value)}) for name, value in fields.items()])}
        return {"Instance": (form.name, [(name, self.shape(value, f"{place}.{name}")) for name, value in fields.items()])}


def _held(obj: Any, form: Form | None) -> tuple[Any, ...] | None:
    """What an object holds, one level deep; None if that can't change."""
    cls = type(obj)
    if cls is list or cls is set:
        return tuple(obj)
    if cls is dict:
        return (*obj.keys(), *obj.values())
    if form is None or form.immutable:
        return None
    fields = form.fields(obj)
    return (*fields.keys(), *fields.values())


def _same(before: tuple[Any, ...] | None, after: tuple[Any, ...] | None) -> bool:
    if before is None or after is None:
        return before is after
    return len(before) == len(after) and all(map(operator.is_, before, after))


def _write(shapes: Any) -> bytes:
    return cast(bytes, msgpack.packb(shapes))


def _read(data: bytes) -> Any:
    return msgpack.unpackb(data, strict_map_key=False)
