"""Finds actions by their names, and imports what they are in."""

from __future__ import annotations

import logging
import sys
import types
from collections.abc import Iterable
from typing import Any

from waymark import definition, names
from waymark.actions import Action, registry

log = logging.getLogger("waymark.worker")


def import_modules(modules: Iterable[str]) -> dict[str, Exception]:
    """Imports the users' modules. What a broken one raises is given back, and the others are imported."""
    broken = {}
    for module in modules:
        try:
            _load(module)
        except Exception as error:
            # From the user's own line on: how we got there tells nobody anything.
            broken[module] = error.with_traceback(_users_part(error.__traceback__))
    return broken


def is_missing(module: str, error: Exception) -> bool:
    """Whether there is no such module, rather than one that it needs."""
    return isinstance(error, ModuleNotFoundError) and error.name is not None and f"{module}.".startswith(f"{error.name}.")


def _load(module: str) -> None:
    token = definition.is_importing.set(True)
    try:
        names.load_module(module)
    finally:
        definition.is_importing.reset(token)


def _users_part(trace: types.TracebackType | None) -> types.TracebackType | None:
    while trace is not None and trace.tb_frame.f_globals.get("__name__", "").startswith(("waymark.", "importlib")):
        trace = trace.tb_next
    return trace


def known(name: str) -> Action[..., Any] | None:
    """One that can be called at once. Where its module has failed further down, importing that again says why."""
    found = registry.get(name)
    return found if found is not None and found.function.__module__ in sys.modules else None


def find(name: str) -> Action[..., Any] | None:
    """None if there is no such action. Raises what the import of its module raises."""
    found = registry.get(name)
    module, separator, _ = name.partition(":")
    if found is not None:
        module = found.function.__module__
    elif not separator:
        return None
    try:
        _load(module)
    except ModuleNotFoundError as error:
        if is_missing(module, error):
            return None
        raise
    try:
        found = registry.get(name) or names.load(name)
    except AttributeError:
        return None
    return found if isinstance(found, Action) else None
