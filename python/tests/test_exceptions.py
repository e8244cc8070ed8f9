"""Exceptions arrive as themselves, whatever they carry, and show where they were raised."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import traceback
from typing import Any

import msgpack
import pytest
from samples import CardDeclined, PaymentFailed, Unopened, User

from waymark.errors import NonRetryable, RemoteError, RemoteTraceback
from waymark.values import attach_traceback, decode, encode, encode_exception, type_name
from waymark.values.exceptions import format_remote


def raised(call: Any, *args: Any) -> BaseException:
    try:
        call(*args)
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def parts(error: BaseException) -> list[Any]:
    return msgpack.unpackb(msgpack.unpackb(encode_exception(error)).data, strict_map_key=False)


@pytest.mark.parametrize(
    "error",
    [
        ValueError(),
        ValueError("a", 1, (2,)),
        KeyError("k"),
        OSError(2, "No such file", "name"),
        FileNotFoundError(2, "No such file", "name"),
        Unopened("just text"),
        Unopened(13, "Permission denied", "name"),
        StopIteration(5),
        SystemExit(3),
        asyncio.CancelledError("why"),
        NonRetryable("no"),
        PaymentFailed("o-1", code=402),
        CardDeclined("o-1", code=402),
        raised(json.loads, "{"),
        raised(b"\xff".decode),
        raised(lambda: undefined),  # noqa: F821 # type: ignore
        raised(lambda: [].nothing),  # type: ignore
        raised(__import__, "nowhere"),
        raised(compile, "a b", "f", "exec"),
        subprocess.CalledProcessError(1, ["x"], b"out"),
        raised(User.model_validate, {"name": 1, "friends": [{}]}),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_exception_survives(error: BaseException) -> None:
    made = decode(encode_exception(error))
    assert type(made) is type(error)
    assert (str(made), made.args, repr(made)) == (str(error), error.args, repr(error))
    hidden = ("__waymark_traceback__",)
    assert {name: value for name, value in getattr(made, "__dict__", {}).items() if name not in hidden} == vars(error)
    for name in ("errno", "strerror", "filename", "name", "path", "value", "code", "start", "lineno", "returncode"):
        assert getattr(made, name, None) == getattr(error, name, None)


def test_what_the_engine_reads() -> None:
    name, bases, args, fields, message, cause, context, suppress, notes, trace = parts(CardDeclined("o", code=1))
    assert (name, bases) == ("samples:CardDeclined", ["samples:PaymentFailed", "Exception", "BaseException"])
    assert (args, fields, message) == (["order o failed"], {"order": "o", "code": 1}, "declined: o")
    assert (cause, context, suppress, notes, trace) == (None, None, False, [], [])
    assert parts(KeyError("k"))[4] is None  # The engine knows how a KeyError looks.


def test_bases_are_exceptions_only() -> None:
    class Mixin:
        pass

    class Mixed(Mixin, ValueError):
        pass

    assert parts(Mixed())[1] == ["ValueError", "Exception", "BaseException"]


def test_causes_contexts_and_notes() -> None:
    def fail(how: str) -> None:
        try:
            raise KeyError("inner")
        except KeyError as error:
            if how == "from":
                raise ValueError("outer") from error
            if how == "none":
                raise ValueError("outer") from None
            raise ValueError("outer")  # noqa: B904

    chained = decode(encode_exception(raised(fail, "from")))
    assert isinstance(chained.__cause__, KeyError) and chained.__suppress_context__
    silent = decode(encode_exception(raised(fail, "none")))
    assert silent.__cause__ is None and silent.__suppress_context__ and isinstance(silent.__context__, KeyError)
    plain = decode(encode_exception(raised(fail, "")))
    assert plain.__cause__ is None and not plain.__suppress_context__ and plain.__context__.args == ("inner",)
    error = ValueError("x")
    error.__notes__ = ["a note"]  # type: ignore[attr-defined]
    assert decode(encode_exception(error)).__notes__ == ["a note"]


def test_cycles_of_causes_end() -> None:
    first, second = ValueError(1), ValueError(2)
    first.__cause__, second.__cause__ = second, first
    assert decode(encode_exception(first)).__cause__.args == (2,)
    for _ in range(200):
        first = raised(lambda first=first: _raise_from(first))  # type: ignore[assignment]
    assert isinstance(decode(encode_exception(first)), RuntimeError)


def _raise_from(cause: BaseException) -> None:
    raise RuntimeError("again") from cause


def test_parts_that_cannot_travel_become_their_repr() -> None:
    error = ValueError(threading.Lock(), 1)
    error.lock = threading.Lock()  # type: ignore[attr-defined]
    error.args[0].acquire()
    made = decode(encode_exception(error))
    assert made.args[1] == 1 and "lock" in made.args[0] and "lock" in made.lock


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no")


def test_an_exception_is_never_lost() -> None:
    made = decode(encode_exception(Unprintable("x\ud800", object())))
    assert type(made) is Unprintable and made.args[0] == "'x\\ud800'"
    large = encode_exception(ValueError("x" * 100_000), 10_000)
    assert len(large) < 10_000 and "cut: the exception takes" in str(decode(large))


def test_a_class_that_is_not_here_has_a_stand_in() -> None:
    body = [
        "elsewhere:Gone",
        ["elsewhere:Base", "LookupError", "Exception", "BaseException"],
        ["a"],
        {"code": 1},
        "text",
        None,
        None,
        False,
        [],
        [],
    ]
    made = decode(msgpack.packb(msgpack.ExtType(6, msgpack.packb(body))))
    assert isinstance(made, LookupError) and isinstance(made, RemoteError)
    assert (type(made).__name__, str(made), made.args, made.code) == ("Gone", "text", ("a",), 1)
    assert parts(made)[:2] == body[:2] and type_name(type(made)) == "elsewhere:Gone"
    again = decode(msgpack.packb(msgpack.ExtType(6, msgpack.packb(body))))
    assert type(again) is type(made)


def test_exceptions_are_values_too() -> None:
    made = decode(encode([ValueError("x"), None]))
    assert isinstance(made[0], ValueError)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="ExceptionGroup is of 3.11")
def test_groups() -> None:
    group = ExceptionGroup("two", [ValueError(1), ExceptionGroup("in", [KeyError(2)])])  # noqa: F821
    made = decode(encode_exception(group))
    assert made.message == "two" and [type(error) for error in made.exceptions] == [ValueError, type(group)]
    assert parts(group)[1] == ["BaseExceptionGroup", "Exception", "BaseException"]


def test_frames_are_shown_where_it_was_raised() -> None:
    error = raised(_raise_from, ValueError("why"))
    entries = parts(error)[9]
    assert entries[-1].startswith('File "') and "test_exceptions.py" in entries[-1]
    assert entries[-1].endswith('in _raise_from\n    raise RuntimeError("again") from cause')
    made = decode(encode_exception(error))
    assert made.__cause__.__cause__ is None  # Nothing is added to what a program can see …
    attach_traceback(attach_traceback(made))
    assert isinstance(made.__cause__.__cause__, RemoteTraceback)  # … until it's shown to a person.
    text = "".join(traceback.format_exception(type(made), made, None))
    assert text.count("in _raise_from") == 1 and "RuntimeError: again" in format_remote(made)
    relayed = decode(encode_exception(made))  # Sent on, it's as before.
    assert relayed.__cause__.__cause__ is None and parts(relayed)[9] == entries


def test_endless_recursion_has_a_short_traceback() -> None:
    def deeper() -> None:
        deeper()

    entries = parts(raised(deeper))[9]
    assert len(entries) == 65 and "more" in entries[32]
