"""What the runner does by itself: built-in functions, classes and modules, by their live objects.

`natives.json` is written by the binary (`waymark runner --names`); a test sees to it that the two agree. A live object is recognised by
its identity, so it does not matter how the user's module imported or renamed it.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import json
import pathlib
from typing import Any

# The runner's own.
_NOT_MODULES = {"loop"}


@functools.cache
def _table() -> dict[str, Any]:
    return json.loads((pathlib.Path(__file__).parent / "natives.json").read_text())


@functools.cache
def names() -> frozenset[str]:
    return frozenset(_table()["names"])


def has_method(cls: str, name: str) -> bool:
    """Whether a built-in class has this method."""
    return name in _table()["methods"].get(cls, ())


@functools.cache
def methods() -> frozenset[str]:
    """Those of all built-in classes."""
    return frozenset(name for methods in _table()["methods"].values() for name in methods)


@functools.cache
def modules() -> frozenset[str]:
    """The first words of dotted names: they can't be the names of variables where they are used."""
    return frozenset(name.split(".")[0] for name in names())


@functools.cache
def _by_identity() -> dict[int, tuple[Any, str]]:
    found: dict[int, tuple[Any, str]] = {}
    # Short names first: `TimeoutError` before `asyncio.TimeoutError`.
    for name in sorted(names(), key=lambda name: (name.count("."), name)):
        found_live = live(name)
        # Small constants have no identity of their own; methods of classes are found through their class.
        if callable(found_live):
            found.setdefault(id(found_live), (found_live, name))
    return found


def live(name: str) -> Any:
    """The object that a native name stands for in Python."""
    root, *rest = name.split(".")
    if root in _NOT_MODULES:
        return None
    if not rest:
        return getattr(builtins, root, None)
    try:
        found: Any = importlib.import_module("waymark.errors" if root == "waymark" else root)
    except ImportError:
        return None
    for part in rest:
        if isinstance(found, type):  # Methods are found through their class.
            return None
        found = getattr(found, part, None)
    return found


def name_of(live: Any) -> str | None:
    """`asyncio.gather` for that very function."""
    known = _by_identity().get(id(live))
    return known[1] if known is not None and known[0] is live else None


def has(name: str) -> bool:
    return name in names()
