"""Values that travel between processes: to bytes and back, as graphs, and to the types that a function declares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from waymark.values.classes import find_class, type_name
from waymark.values.coercion import coerce
from waymark.values.exceptions import attach_traceback, encode_exception
from waymark.values.forms import CodecForm, register
from waymark.values.payload import ATOMS, decode, encode

T = TypeVar("T")

__all__ = [
    "attach_traceback",
    "coerce",
    "decode",
    "encode",
    "encode_exception",
    "find_class",
    "register_codec",
    "type_name",
]


def register_codec(cls: type[T], encode: Callable[[T], Any], decode: Callable[[Any], T], *, name: str | None = None) -> None:
    """Lets objects of exactly this class travel: `encode` makes plain data of one, `decode` makes one of that.

    Both sides have to be told, so it's best called in the module of the class, or in one that every user of it imports:

        register_codec(numpy.ndarray, lambda array: array.tolist(), numpy.array)
    """
    if cls in ATOMS or cls in (list, dict, tuple, set, frozenset):
        raise ValueError(f"a {cls.__name__} travels already")
    register(CodecForm(cls, encode, decode, name))
