"""Exceptions on the wire: class and ancestors by name, arguments, attributes, what caused them, and where they were
raised.

An exception must arrive whatever it carries: parts that can't travel are replaced by their `repr`. It's rebuilt
without its `__init__`, which may want other arguments than `args` or do more than store them.
"""

from __future__ import annotations

import linecache
import os
import traceback
import types
from typing import Any

import msgpack

from waymark.errors import PayloadError, RemoteError, RemoteTraceback
from waymark.names import shown_path
from waymark.values.classes import find_class, type_name
from waymark.values.payload import EXCEPTION, pack

#: Exceptions that are linked by cause and context; more are left out.
_CHAIN_MAX = 32
_FRAMES_MAX = 64
_TEXT_MAX = 10_000

#: Attributes of built-in classes that are neither in `args` nor in `__dict__`.
_NATIVE: dict[type[BaseException], tuple[str, ...]] = {
    OSError: ("errno", "strerror", "filename", "filename2"),
    ImportError: ("name", "path"),
    NameError: ("name",),
    AttributeError: ("name",),
    StopIteration: ("value",),
    SystemExit: ("code",),
}
_OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_REMOTE_FRAMES = "__waymark_traceback__"
_HIDDEN = {"__notes__", _REMOTE_FRAMES}
#: What a group is made of, besides its arguments.
GROUP_PARTS = ("message", "exceptions")


def encode_exception(error: BaseException, bytes_max: int | None = None) -> bytes:
    """Never fails. Beyond `bytes_max` it is cut down to its class and message."""
    try:
        parts = exception_parts(error)
        data = pack(msgpack.ExtType(EXCEPTION, pack(parts)))
        if bytes_max is None or len(data) <= bytes_max:
            return data
        name, bases, *_, trace = parts
        reason = text_of(error)[: bytes_max // 16] + f" … (cut: the exception takes {len(data)} bytes, {bytes_max} is the limit)"
    except Exception as trouble:
        name, bases, trace = type_name(type(error)), _bases(type(error)), []
        reason = f"{text_of(error)} (parts of the exception can't travel: {type(trouble).__name__}: {text_of(trouble)})"
    return pack(msgpack.ExtType(EXCEPTION, pack([name, bases, [reason], {}, reason, None, None, True, [], trace[-4:]])))


def exception_parts(error: BaseException, seen: frozenset[int] = frozenset()) -> list[Any]:
    """What stands in the body of extension 6."""
    seen = seen | {id(error)}
    return parts_of(
        error,
        [_or_repr(argument) for argument in error.args],
        {name: _or_repr(value) for name, value in fields_of(error).items()},
        _linked(error.__cause__, seen),
        _linked(error.__context__, seen),
    )


def parts_of(error: BaseException, args: list[Any], fields: Any, cause: Any, context: Any) -> list[Any]:
    """What stands in the body, around values in whatever form."""
    return [
        type_name(type(error)),
        _bases(type(error)),
        args,
        fields,
        _message(error),
        cause,
        context,
        error.__suppress_context__,
        [text_of(note) for note in getattr(error, "__notes__", ())],
        [*getattr(error, _REMOTE_FRAMES, ()), *frames(error.__traceback__)],
    ]


def _linked(error: BaseException | None, seen: frozenset[int]) -> msgpack.ExtType | None:
    if error is None or id(error) in seen or len(seen) >= _CHAIN_MAX or isinstance(error, RemoteTraceback):
        return None
    return msgpack.ExtType(EXCEPTION, pack(exception_parts(error, seen)))


def _bases(cls: type[BaseException]) -> list[str]:
    remote = cls.__dict__.get("__waymark_bases__")
    if remote is not None:
        return remote
    # What else it inherits from is no exception, and would be taken for one.
    return [type_name(base) for base in cls.__mro__[1:] if issubclass(base, BaseException)]


def fields_of(error: BaseException) -> dict[str, Any]:
    fields = {}
    for base, attributes in _NATIVE.items():
        if isinstance(error, base):
            found = {name: getattr(error, name, None) for name in attributes}
            fields.update({name: value for name, value in found.items() if value is not None})
    if _is_validation_error(type(error)):
        fields.update(_validation_fields(error))
    fields.update((name, value) for name, value in getattr(error, "__dict__", {}).items() if name not in _HIDDEN)
    return fields


def _or_repr(value: Any) -> Any:
    """The value itself, or its `repr` where it can't travel."""
    try:
        pack(value)
        return value
    except Exception:
        return text_of(value, repr)


def text_of(value: Any, show: Any = str) -> str:
    try:
        text = show(value)
    except Exception:
        text = f"<unprintable {type(value).__name__}>"
    return str(text)[:_TEXT_MAX].encode("utf-8", "backslashreplace").decode()


def _message(error: BaseException) -> str | None:
    """What `str()` gives where the class does not leave it to `args`."""
    if type(error).__str__ in (BaseException.__str__, KeyError.__str__):
        return None
    return text_of(error)


def frames(trace: types.TracebackType | None) -> list[str]:
    """One entry a frame, outermost first, as Python writes them. Waymark's own frames are left out."""
    entries = []
    for frame in _stack(trace):
        shown = shown_path(frame.filename)
        line = linecache.getline(frame.filename, frame.lineno or 0).strip()
        entries.append(f'File "{shown}", line {frame.lineno}, in {frame.name}' + (f"\n    {line}" if line else ""))
    if len(entries) > _FRAMES_MAX:
        left_out = len(entries) - _FRAMES_MAX
        entries[_FRAMES_MAX // 2 : -_FRAMES_MAX // 2] = [f"… {left_out} more …"]
    return entries


def _stack(trace: types.TracebackType | None) -> list[traceback.FrameSummary]:
    found = traceback.StackSummary.extract(traceback.walk_tb(trace), lookup_lines=False)
    return [frame for frame in found if not frame.filename.startswith((_OWN_FOLDER, "<frozen importlib"))]


# ------------------------------------------------------------------------------------------------------------- reading


def build_exception(body: list[Any]) -> BaseException:
    name, bases, args, fields, message, cause, context, suppress, notes, trace = body
    if not all(type(text) is str for text in (name, *bases, *notes, *trace, "" if message is None else message)):
        raise PayloadError("an exception whose name, message, notes or traceback are no text")
    error = shell(exception_class(name, bases), args, fields)
    fill(error, args, fields, message)
    link(error, cause, context, suppress, notes, trace)
    return error


def link(error: BaseException, cause: Any, context: Any, suppress: bool, notes: list[str], trace: list[str]) -> None:
    error.__cause__, error.__context__ = cause, context
    error.__suppress_context__ = suppress
    if notes:
        error.__notes__ = notes  # type: ignore[attr-defined]
    if trace and hasattr(error, "__dict__"):
        error.__dict__[_REMOTE_FRAMES] = trace


def exception_class(name: str, bases: list[str]) -> type[BaseException]:
    try:
        cls = find_class(name)
        if isinstance(cls, type) and issubclass(cls, BaseException):
            return cls
    except Exception:
        # It's the exception that matters, not why its class can't be had.
        pass
    return _stand_in(name, bases)


_stand_ins: dict[str, type[BaseException]] = {}


def _stand_in(name: str, bases: list[str]) -> type[BaseException]:
    """A class of the same name, with the nearest base that can be imported."""
    if name in _stand_ins:
        return _stand_ins[name]
    base: type[BaseException] = Exception
    for candidate in bases:
        try:
            base = find_class(candidate)
            break
        except Exception:
            continue
    if base is Exception:
        parents: tuple[type, ...] = (RemoteError,)
    else:
        parents = (RemoteError, base) if issubclass(base, Exception) else (base,)
    module, _, qualname = name.rpartition(":")
    members = {
        "__module__": module or "builtins",
        "__qualname__": qualname,
        "__waymark_name__": name,
        "__waymark_bases__": bases,
        "__str__": lambda self: self.__dict__.get("__waymark_message__") or base.__str__(self),
    }
    made = type(qualname.rpartition(".")[2], parents, members)
    return _stand_ins.setdefault(name, made)


def needs_parts(cls: type[BaseException]) -> bool:
    """Whether objects can only be made of their arguments: they keep what is no attribute that could be set later."""
    return hasattr(cls, "derive") or _is_validation_error(cls)


def shell(cls: Any, args: list[Any], fields: dict[str, Any]) -> BaseException:
    """An exception that is yet to be filled. Its parts are looked at where the class `needs_parts`, and must be there."""
    if _is_validation_error(cls):
        return _make_validation_error(cls, fields) or shell(_stand_in(type_name(cls), _bases(cls)), args, fields)
    native = _native_base(cls)
    if not hasattr(cls, "derive"):
        return native.__new__(cls)
    # A list that it was made of may have changed since.
    return native.__new__(cls, fields["message"], fields["exceptions"]) if "exceptions" in fields else native.__new__(cls, *args)


def _native_base(cls: Any) -> Any:
    """The one whose layout the class has: the nearest that was not made by a class statement."""
    while cls.__flags__ & 1 << 9:
        cls = cls.__base__
    return cls


def fill(error: BaseException, args: list[Any], fields: dict[str, Any], message: str | None) -> None:
    cls = type(error)
    if _is_validation_error(cls):
        error.args = tuple(args)
        return
    try:
        _native_base(cls).__init__(error, *args)  # What C keeps of the arguments.
    except TypeError:
        pass
    error.args = tuple(args)
    for name, value in fields.items():
        if name in GROUP_PARTS and hasattr(cls, "derive"):
            continue  # A group has them of its arguments.
        try:
            is_native = any(name in attributes and isinstance(error, base) for base, attributes in _NATIVE.items())
            if is_native:
                BaseException.__setattr__(error, name, value)
            else:
                error.__dict__[name] = value
        except (AttributeError, TypeError):
            continue
    if message is not None and "__waymark_name__" in cls.__dict__:
        error.__dict__["__waymark_message__"] = message


# ------------------------------------------------------------------------------------------- pydantic's ValidationError


def _is_validation_error(cls: type) -> bool:
    return cls.__module__ == "pydantic_core._pydantic_core" and cls.__name__ == "ValidationError"


def _validation_fields(error: Any) -> dict[str, Any]:
    return {"title": error.title, "line_errors": [_line(line) for line in error.errors(include_url=False)]}


def _line(line: dict[str, Any]) -> dict[str, Any]:
    line = {key: value for key, value in line.items() if key in ("type", "loc", "msg", "input", "ctx")}
    try:
        pack(line)
        return line
    except Exception:
        ctx = {name: text_of(value) for name, value in line.get("ctx", {}).items()}
        return {**line, "input": text_of(line.get("input"), repr), **({"ctx": ctx} if ctx else {})}


def _make_validation_error(cls: Any, fields: dict[str, Any]) -> BaseException | None:
    try:
        lines = [{key: value for key, value in line.items() if key != "msg"} for line in fields["line_errors"]]
        return cls.from_exception_data(fields["title"], lines)
    except Exception:
        return None


# ---------------------------------------------------------------------------------------------------------- for people


def attach_traceback(error: BaseException) -> BaseException:
    """Chains where an exception was raised elsewhere to the end of its causes, so that a traceback shows it."""
    last, seen = error, {id(error)}
    while True:
        before = last.__cause__ if last.__cause__ is not None or last.__suppress_context__ else last.__context__
        if before is None or id(before) in seen:
            break
        if isinstance(before, RemoteTraceback):
            return error
        seen.add(id(before))
        last = before
    text = format_remote(error)
    if text and last.__cause__ is None:
        suppressed = last.__suppress_context__
        last.__cause__ = RemoteTraceback(text)
        last.__suppress_context__ = suppressed or last.__context__ is None
    return error


def format_remote(error: BaseException, seen: frozenset[int] = frozenset()) -> str:
    """The traceback as it was in the other process; empty if nothing is known of it."""
    parts = []
    before = error.__cause__ if error.__cause__ is not None or error.__suppress_context__ else error.__context__
    if before is not None and id(before) not in seen and not isinstance(before, RemoteTraceback):
        parts.append(format_remote(before, seen | {id(error)}))
    entries = getattr(error, _REMOTE_FRAMES, ())
    if entries:
        lines = [f"  {line}" for entry in entries for line in entry.splitlines()]
        last = "".join(traceback.format_exception_only(type(error), error)).rstrip()
        parts.append("\n".join(["Traceback (most recent call last):", *lines, last]))
    link = "\n\nwhich led to:\n\n"
    return link.join(part for part in parts if part)
