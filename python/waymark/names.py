"""Import paths: how functions and classes are named on the wire, `app.models:User`.

The script that was started is `__main__` here and `app` to everybody else, so it goes by the name that others would
import it by. In a process that `multiprocessing` has started anew, not forked, it is `__mp_main__`.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import PurePath
from types import ModuleType
from typing import Any


def import_path(obj: Any) -> str:
    """`module:qualname` of a function or class. Whether that can be imported is for `is_importable` to say."""
    return f"{module_name(obj.__module__)}:{obj.__qualname__}"


def is_importable(obj: Any) -> bool:
    """Whether the import path leads back to the very same object."""
    try:
        return load(import_path(obj)) is obj
    except Exception:
        return False


def why_nowhere(path: str) -> str | None:
    """Why no other process can import it, if that shows in its path."""
    module, _, qualname = path.partition(":")
    if "<locals>" in qualname:
        return "it is defined inside of a function"
    return "it was typed into a session" if module in _MAINS or module.startswith("<") else None


def load(path: str) -> Any:
    """Imports what an import path names. Raises ImportError or AttributeError, or whatever the module raises."""
    module, separator, qualname = path.partition(":")
    if not separator:
        raise ImportError(f"{path!r} is no import path: it has to look like 'app.models:User'")
    found: Any = load_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


def load_module(name: str) -> ModuleType:
    for main in _MAINS:
        if name == _name_of(main):
            # The script itself: importing it anew would run it twice, and make every class a second time.
            return sys.modules[main]
    return importlib.import_module(name)


def module_name(name: str) -> str:
    return _name_of(name) or name if name in _MAINS else name


def shown_path(file: str) -> str:
    """A file as people here name it: below the directory that they are in, without that."""
    try:
        return file.removeprefix(os.getcwd() + os.sep)
    except OSError:  # The directory is gone.
        return file


def main_name() -> str | None:
    """What the script that was started is called by others; None in an interactive session."""
    return next(filter(None, map(_name_of, _MAINS)), None)


#: While a process of `multiprocessing` loads the script, the first is something else yet.
_MAINS = ("__main__", "__mp_main__")


def _name_of(main: str) -> str | None:
    module = sys.modules.get(main)
    spec, file = getattr(module, "__spec__", None), getattr(module, "__file__", None)
    if spec is not None:
        return spec.name
    return PurePath(file).stem if file else None
