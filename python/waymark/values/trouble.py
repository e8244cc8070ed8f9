"""Why a value can't travel, and where inside it: a slow walk, taken only once something has gone wrong."""

from __future__ import annotations

import collections.abc
import inspect
import io
import types
from typing import Any

from waymark.errors import CannotTravel
from waymark.values.forms import form_of
from waymark.values.payload import ATOMS, MAX_DEPTH, pack

_PLACE_MAX = 200


def explain(value: Any, place: str, error: BaseException) -> Exception:
    """The error that names the place."""
    found = _Walk().look(value, place, 0)
    if found is not None:
        return found
    return CannotTravel(f"{place}: it can't travel: {type(error).__name__}: {error}")


class _Walk:
    def __init__(self) -> None:
        self.open: set[int] = set()

    def look(self, value: Any, place: str, depth: int) -> CannotTravel | None:
        cls = type(value)
        if cls in ATOMS:
            return self.atom(value, place)
        if id(value) in self.open:
            return _trouble(value, place, "it contains itself; send an id, or the parts one by one")
        depth += 1 if cls in (list, dict) else 2 if cls in (tuple, set, frozenset) else 3
        if depth > MAX_DEPTH:
            return _trouble(value, place, f"it is nested more than {MAX_DEPTH} levels deep")
        self.open.add(id(value))
        try:
            return self.inside(value, place, depth)
        except RecursionError:
            return _trouble(value, place, f"it is nested more than {MAX_DEPTH} levels deep")
        finally:
            self.open.discard(id(value))

    def inside(self, value: Any, place: str, depth: int) -> CannotTravel | None:
        cls = type(value)
        if cls is dict:
            for key, item in value.items():
                shown = f"{place}[{_brief(key)}]"
                found = self.look(key, f"key {_brief(key)} of {place}", depth) or self.look(item, shown, depth)
                if found:
                    return found
            return None
        if cls in (list, tuple, set, frozenset):
            for at, item in enumerate(value):
                inner = f"{place}[{at}]" if cls in (list, tuple) else f"an item of {place}"
                found = self.look(item, inner, depth)
                if found:
                    return found
            return None
        if isinstance(value, BaseException):
            return None  # What can't travel of them is left out.
        try:
            fields = form_of(cls).fields(value)
        except Exception as error:
            # Its own `__getstate__` or codec may raise anything.
            reason = str(error) if isinstance(error, CannotTravel) else f"{type(error).__name__}: {error}"
            return _trouble(value, place, reason)
        for name, item in fields.items():
            if type(name) is not str:
                return _trouble(value, place, f"its attribute {name!r} has no plain name")
            found = self.look(item, place if name in ("__items__", "__value__") else f"{place}.{name}", depth)
            if found:
                return found
        return None

    def atom(self, value: Any, place: str) -> CannotTravel | None:
        try:
            pack(value)
        except CannotTravel as error:
            return _trouble(value, place, str(error))
        except UnicodeEncodeError:
            return _trouble(value, place, "it has lone surrogates, which are no text; send bytes")
        except Exception as error:
            return _trouble(value, place, f"{type(error).__name__}: {error}")
        return None


def _brief(key: Any) -> str:
    try:
        text = repr(key)
    except Exception:
        text = f"<{type(key).__name__}>"
    return text if len(text) <= 40 else f"{text[:39]}…"


def _trouble(value: Any, place: str, reason: str) -> CannotTravel:
    cls = type(value)
    where = "" if cls.__module__ == "builtins" else f" ({cls.__module__.partition('.')[0]})"
    if len(place) > _PLACE_MAX:
        place = f"{place[: _PLACE_MAX // 2]}…{place[-_PLACE_MAX // 2 :]}"
    article = "an" if cls.__name__[:1] in "AEIOUaeiou" else "a"
    return CannotTravel(f"{place}: {article} {cls.__name__}{where} can't travel: {_advice(value) or reason}")


def _advice(value: Any) -> str | None:
    """What to do about it, where that is better than the reason; None if the reason says it."""
    if inspect.iscoroutine(value) or inspect.isawaitable(value):
        return "is an `await` missing?"
    if isinstance(value, collections.abc.Iterator) and not isinstance(value, io.IOBase):
        return "make a list of it: list(…)"
    if isinstance(value, io.IOBase):
        return "send the path, or what was read from it"
    if isinstance(value, types.ModuleType):
        return "send its name"
    if isinstance(value, complex):
        return "send (z.real, z.imag)"
    if type(value).__module__.partition(".")[0] == "numpy":
        return "use .item() or .tolist(), or waymark.register_codec"
    if type(value) in ATOMS or type(value) in (list, dict, tuple, set, frozenset):
        return None
    try:
        form_of(type(value))
    except CannotTravel as error:
        if ";" not in str(error):
            hint = "send plain data instead, or make it inside the action (see Depends), or use waymark.register_codec"
            return f"{error}; {hint}"
    return None
