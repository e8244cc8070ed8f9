"""Finds actions by their names, and imports what they are in."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from waymark import names
from waymark.actions import Action, registry

log = logging.getLogger("waymark.worker")


def import_modules(modules: Iterable[str]) -> dict[str, Exception]:
    """Imports the users' modules. What a broken one raises is given back, and the others are imported."""
    broken = {}
    for module in modules:
        try:
            names.load_module(module)
        except Exception as error:
            broken[module] = error
    return broken


def find(name: str) -> Action[..., Any] | None:
    """None if there is no such action. Raises what the import of its module raises."""
    found = registry.get(name)
    if found is not None:
        return found
    module, separator, _ = name.partition(":")
    if not separator:
        return None
    try:
        names.load_module(module)
    except ModuleNotFoundError as error:
        # Of the module itself, or of one that it needs?
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            return None
        raise
    try:
        found = registry.get(name) or names.load(name)
    except AttributeError:
        return None
    return found if isinstance(found, Action) else None
