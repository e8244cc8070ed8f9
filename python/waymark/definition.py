"""What `@workflow` knows of a class: its name, the author's own `run`, and its compiled form."""

from __future__ import annotations

import contextvars
import inspect
import itertools
import os
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from waymark import names
from waymark.errors import WaymarkError

if TYPE_CHECKING:
    from waymark.compiler import Compiled

#: Whether a class is compiled when it is defined, so that what is wrong with it shows at once. Workers and the compiler's own commands
#: turn it off: the ones want the actions of a module, the others the problems of all its workflows.
checks_early = True
#: Whether two workflows may not have one name. A worker has the modules of several programs, which don't know of each other.
names_are_unique = True
#: Whether a worker imports a module just now, and this is what the module does.
is_importing: contextvars.ContextVar[bool] = contextvars.ContextVar("waymark_importing", default=False)

_numbers = itertools.count(1)
_lock = threading.Lock()


def _renew_lock() -> None:
    """Whoever held it in the parent is not here."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


@dataclass(frozen=True, eq=False)
class Definition:
    """`cls.__waymark__`"""

    name: str
    #: Named by the author; None: the program's hash.
    version: str | None
    #: As it was written: `async def run(self, …)`.
    run: Callable[..., Coroutine[Any, Any, Any]]
    cls: type
    #: The parameters of `run`, without `self`.
    signature: inspect.Signature
    #: No two of one process have the same.
    number: int = field(default_factory=lambda: next(_numbers))
    _made: dict[str, Any] = field(default_factory=dict, repr=False)
    #: The parameters, if all of them may be given by position: that is how most calls give them, and `inspect` takes its time.
    _plain: tuple[str, ...] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        parameters = self.signature.parameters
        by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        is_plain = all(parameter.kind in by_position for parameter in parameters.values())
        object.__setattr__(self, "_plain", tuple(parameters) if is_plain else None)

    def bind(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments by name, defaults left out. Raises the TypeError that calling `run` would."""
        if self._plain is not None and not keywords and len(arguments) == len(self._plain):
            return dict(zip(self._plain, arguments, strict=True))
        try:
            return dict(self.signature.bind(*arguments, **keywords).arguments)
        except TypeError as error:
            unknown = unknown_keyword(self.signature, keywords)
            raise TypeError(f"{self.cls.__name__}.run() {unknown or error}; its parameters are {shown(self.signature)}") from None

    def compiled(self) -> Compiled:
        """Compiled when it is first needed: by then the module is whole, whatever the order in it."""
        with _lock:
            if "compiled" not in self._made:
                from waymark.compiler import compile_workflow

                self._made["compiled"] = compile_workflow(self.cls)
            return self._made["compiled"]

    def family(self) -> list[Definition]:
        """All that it may start as children, directly or not, and itself at the end."""
        found: dict[Definition, None] = {}

        def visit(definition: Definition) -> None:
            found[definition] = None
            for child in getattr(definition.compiled(), "children", ()):
                if child.__waymark__ not in found:
                    visit(child.__waymark__)

        visit(self)
        return list(reversed(found))

    def modules(self) -> set[str]:
        """What a worker has to import to know its actions: it imports them too."""
        found = {names.module_name(base.__module__) for base in self.cls.__mro__ if "__waymark__" in vars(base)}
        return found - {"__main__"}  # What was typed into a session nobody can import.


class _Plain(str):
    __repr__ = str.__str__


def shown(signature: inspect.Signature) -> str:
    """As it is written: `from __future__ import annotations` makes texts of types, which are not shown in quotes."""

    def plain(annotation: Any) -> Any:
        return _Plain(annotation) if isinstance(annotation, str) else annotation

    parameters = [each.replace(annotation=plain(each.annotation)) for each in signature.parameters.values()]
    return str(signature.replace(parameters=parameters, return_annotation=plain(signature.return_annotation)))


def unknown_keyword(signature: inspect.Signature, given: Iterable[str]) -> str | None:
    """What is wrong with an argument that is given by a name the parameters don't have. `bind` would rather miss the one that was meant."""
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in signature.parameters.values()):
        return None
    unknown = next((name for name in given if name not in signature.parameters), None)
    return None if unknown is None else f"got an unexpected keyword argument {unknown!r}"


_definitions: dict[str, Definition] = {}


def register(definition: Definition) -> None:
    """A name is one class's in a process. One that was loaded again takes the place of itself."""
    with _lock:
        before = _definitions.get(definition.name)
        if names_are_unique and before is not None and not _may_replace(before.cls, definition.cls):
            raise WaymarkError(
                f"two workflows are called {definition.name!r}: {names.import_path(before.cls)} and "
                f"{names.import_path(definition.cls)}\n"
                f'hint: give one of them another name: @workflow(name="…")'
            )
        _definitions[definition.name] = definition


def _may_replace(before: type, after: type) -> bool:
    same = names.import_path(before) == names.import_path(after)
    # Those made inside of functions come and go, as in tests.
    return same or any("<locals>" in cls.__qualname__ for cls in (before, after))


def find(name: str) -> Definition | None:
    return _definitions.get(name)
