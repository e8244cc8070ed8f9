"""Values survive the trip as themselves, in the bytes that the engine reads; what can't travel says where it is."""

from __future__ import annotations

import asyncio
import collections
import datetime
import decimal
import ipaddress
import itertools
import math
import pathlib
import random
import re
import subprocess
import sys
import threading
import types
import uuid
import zoneinfo
from fractions import Fraction
from typing import Any

import msgpack
import pytest
import samples
from hypothesis import given
from hypothesis import strategies as st
from samples import (
    Address,
    Box,
    Color,
    Currency,
    Derived,
    Frozen,
    Level,
    Money,
    Names,
    Open,
    Pair,
    Point,
    Rights,
    Slotted,
    Tags,
    Temperature,
    User,
    WithState,
)

from waymark.errors import CannotTravel, PayloadError
from waymark.values import decode, encode, iterators, register_codec, type_name

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
CET = datetime.timezone(datetime.timedelta(hours=1), "CET")

VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    2**63 - 1,
    -(2**63),
    2**63,
    2**64 - 1,
    2**64,
    -(2**63) - 1,
    -(2**70),
    10**40,
    1.5,
    -0.0,
    math.inf,
    "",
    "ä\0",
    b"",
    b"\xff",
    [],
    [1, [2, None]],
    {},
    {"a": 1},
    {1: "x", (1, 2): [3], None: 4, 2.5: 5, b"k": 6, frozenset({1}): 7},
    (),
    (1, (2,)),
    set(),
    {1, "a"},
    frozenset(),
    frozenset({(1, 2)}),
    ...,
    datetime.date(2026, 3, 29),
    datetime.time(2, 30, 0, 1),
    datetime.time(2, tzinfo=CET),
    datetime.datetime(1, 1, 1),
    datetime.datetime(2026, 3, 29, 2, 30, fold=1, tzinfo=BERLIN),
    datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc),
    datetime.timedelta(days=-999999999),
    datetime.timedelta(days=-1, microseconds=1),
    datetime.timedelta.max,
    decimal.Decimal("1.50"),
    decimal.Decimal("-0E+3"),
    decimal.Decimal("Infinity"),
    uuid.UUID(int=5),
    datetime.timezone.utc,
    CET,
    BERLIN,
    pathlib.Path("/a/b"),
    pathlib.PurePosixPath("x"),
    pathlib.PureWindowsPath("c:/x"),
    ipaddress.ip_address("10.0.0.1"),
    ipaddress.ip_network("10.0.0.0/8"),
    ipaddress.ip_interface("::1/64"),
    Fraction(1, 3),
    re.compile("a+", re.IGNORECASE),
    re.compile(b"x"),
    range(1, 10, 3),
    slice(1, None),
    collections.OrderedDict(b=1, a=2),
    collections.defaultdict(list, {"a": [1]}),
    collections.Counter("aab"),
    collections.deque([1, 2], 5),
    types.SimpleNamespace(a=1),
    Color.RED,
    Color.BLUE,
    Level.HIGH,
    Rights.READ | Rights.WRITE,
    Rights.READ,
    Rights(0),
    Point(1, 2),
    Frozen("f", (Point(1),)),
    Derived(1, 2),
    Pair(1, [2]),
    Money(5),
    Slotted(3),
    Tags("a", owner="me"),
    Names(b=1),
    Currency("EUR"),
    Address(street="s", zipCode="z"),
    User(name="u", address=Address(street="s"), friends=[User(name="v")]),
    Open(extra=1, url="https://example.com/a"),
    Box[int](content=1),
    Box[list[User]](content=[User(name="u")]),
    Box[int | None](content=None),
    Box[Any](content=1),
    samples.shout,
    len,
    User,
    int,
]


@pytest.mark.parametrize("value", VALUES, ids=[f"{number}-{type(value).__name__}" for number, value in enumerate(VALUES)])
def test_a_value_survives(value: Any) -> None:
    made = decode(encode(value))
    assert type(made) is type(value)
    assert made == value
    assert repr(made) == repr(value)
    inside = decode(encode({"k": [(value,)]}))["k"][0][0]
    assert type(inside) is type(value) and inside == value


def test_what_equality_does_not_show() -> None:
    assert math.isnan(decode(encode(math.nan)))
    assert decode(encode(Color.RED)) is Color.RED
    assert decode(encode(datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))).tzinfo is datetime.timezone.utc
    moment = decode(encode(datetime.datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=BERLIN)))
    assert (moment.fold, moment.tzinfo) == (1, BERLIN)
    assert decode(encode(collections.deque([1], 3))).maxlen == 3
    assert decode(encode(collections.defaultdict(list)))["new"] == []
    dice = random.Random(42)
    dice.gauss(0, 1)  # Which keeps a second number for the next call.
    same = decode(encode(dice))
    assert [same.gauss(0, 1), same.random()] == [dice.gauss(0, 1), dice.random()]
    tags = decode(encode(Tags("a", owner="me")))
    assert (tags, tags.owner) == (["a"], "me")
    assert list(decode(encode(collections.OrderedDict(b=1, a=2)))) == ["b", "a"]
    restored = decode(encode(WithState("n")))
    assert restored.name == "n" and restored.lock.acquire(blocking=False)
    assert not hasattr(decode(encode(Slotted(1))), "unset")
    views, table = decode(encode([{"a": 1}.values(), collections.OrderedDict(b=2).items()])), {"a": 1}
    assert [*map(list, views)] == [[1], [("b", 2)]] and type(views[0]) is type(table.values())
    money = Money(1)
    assert money.lock  # A cached property is computed anew, not sent.
    assert "lock" not in vars(decode(encode(money)))
    assert decode(encode(Derived(1, 2))).made_by == "post_init"


def test_pydantic_models_keep_what_was_set() -> None:
    user = User(name="u")
    user._seen = 3
    made = decode(encode(user))
    assert made.model_fields_set == {"name"} and made._seen == 3
    assert made.model_dump(exclude_unset=True) == {"name": "u"}
    made.name = "other"
    assert made.model_copy(update={"name": "x"}).name == "x"
    fresh = decode(encode(User(name="u", address=None, friends=[])))
    assert fresh.model_fields_set == {"name", "address", "friends"} and fresh._seen == 0
    opened = decode(encode(Open(extra=1)))
    opened.more = 2
    assert opened.model_extra == {"extra": 1, "more": 2}


def test_decoding_runs_no_constructor(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode([Point(1, 2), Money(3), Derived(1, 2)])

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("called")

    for cls in (Point, Money, Derived):
        monkeypatch.setattr(cls, "__init__", refuse)
    assert decode(data)[0].x == 1


@pytest.mark.parametrize(
    ("value", "kind", "body"),
    [
        (2**64, 1, (2**64).to_bytes(9, "big")),
        (-(2**63) - 1, 1, (-(2**63) - 1).to_bytes(9, "big", signed=True)),
        ((1, "a"), 2, [1, "a"]),
        ({7}, 3, [7]),
        (frozenset({7}), 4, [7]),
        (Point(1, 2), 5, ["samples:Point", {"x": 1, "y": 2}]),
        (Frozen("f"), 5, ["samples:Frozen", {"name": "f", "points": msgpack.ExtType(2, b"\x90")}]),
        (Color.BLUE, 5, ["samples:Color", {"name": "BLUE", "value": "blue"}]),
        (Pair(1), 5, ["samples:Pair", {"left": 1, "right": None}]),
        (
            Address(street="s"),
            5,
            ["samples:Address", {"street": "s", "zip_code": "", "__pydantic_fields_set__": ["street"]}],
        ),
        (Box[int](content=1), 5, ["samples:Box[int]", {"content": 1}]),
        (datetime.date(2026, 3, 29), 7, [2026, 3, 29]),
        (datetime.time(1, 2, 3, 4), 8, [1, 2, 3, 4, False, None]),
        (datetime.datetime(2026, 1, 2, tzinfo=BERLIN), 9, [2026, 1, 2, 0, 0, 0, 0, False, "Europe/Berlin"]),
        (datetime.datetime(2026, 1, 2, tzinfo=CET), 9, [2026, 1, 2, 0, 0, 0, 0, False, [3_600_000_000, "CET"]]),
        (datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc), 9, [2026, 1, 2, 0, 0, 0, 0, False, [0, None]]),
        (datetime.timedelta(microseconds=-1), 10, [-1, 86399, 999999]),
        (decimal.Decimal("1.50"), 11, "1.50"),
        (uuid.UUID(int=5), 12, (5).to_bytes(16, "big")),
        (..., 13, None),
    ],
)
def test_the_table_of_extensions(value: Any, kind: int, body: Any) -> None:
    read = msgpack.unpackb(encode(value), strict_map_key=False)
    assert read.code == kind
    assert msgpack.unpackb(read.data) == body


_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.decimals(allow_nan=False)
    | st.dates()
    | st.datetimes(timezones=st.none() | st.timezones())
    | st.timedeltas()
    | st.uuids()
    | st.times()
)
_keys = _scalars | st.tuples(_scalars, _scalars) | st.frozensets(_scalars)
_values = st.recursive(
    _keys,
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(_keys, inner)
        | st.lists(inner).map(tuple)
        | st.builds(Pair, st.integers(), inner)
        | st.sets(_keys)
        | st.builds(Point, inner, inner)
    ),
    max_leaves=20,
)


def _shape(value: Any) -> Any:
    """Types too: 1 == 1.0 == True."""
    if isinstance(value, (list, tuple)):
        return type(value), [_shape(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return type(value), sorted(map(repr, map(_shape, value)))
    if isinstance(value, dict):
        return [(_shape(key), _shape(item)) for key, item in value.items()]
    if isinstance(value, Point):
        return Point, _shape(value.x), _shape(value.y)
    return type(value), repr(value)


@given(_values)
def test_any_value_survives(value: Any) -> None:
    assert _shape(decode(encode(value))) == _shape(value)


# ------------------------------------------------------------------------------------------------- what can't travel


def _cyclic_list() -> Any:
    items: list[Any] = [1]
    items.append({"again": items})
    return items


def _cyclic_object() -> Any:
    money = Money(1)
    money.tags.append((money,))
    return money


async def _coroutine() -> None: ...


class Nested:
    class Inner:
        pass


def _local() -> Any:
    class Local:
        pass

    return Local()


def _deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


REFUSED = [
    (
        {"users": [1, 2, 3, types.SimpleNamespace(session=threading.Lock())]},
        r"^result\['users'\]\[3\].session: a lock \(_thread\) can't travel: .*register_codec",
    ),
    (_cyclic_list(), r"^result\[1\]\['again'\]: a list can't travel: it contains itself"),
    (_cyclic_object(), r"^result.tags\[0\]\[0\]: a Money \(samples\) can't travel: it contains itself"),
    ([1j], r"^result\[0\]: a complex can't travel: send \(z.real, z.imag\)"),
    ((item for item in ()), r"a generator can't travel: make a list of it"),
    (zip([], strict=True), r"a zip can't travel: make a list of it"),
    (sys, r"a module can't travel: send its name"),
    ("\ud800", r"lone surrogates"),
    (
        _local(),
        r"a Local \(test_values\) can't travel: its class is defined inside a function; move it to the top level",
    ),
    (lambda: 1, r"a function can't travel: it can't be imported"),
    (Money(1).earn, r"a method can't travel"),
    (object(), r"an object can't travel: it has no attributes"),
    (
        datetime.datetime(2026, 1, 1, tzinfo=type("Zone", (datetime.tzinfo,), {})()),
        r"its time zone is a Zone .* zoneinfo",
    ),
    ({(1, threading.Lock()): 1}, r"^key \(1, <unlocked.*… of result\[1\]: a lock"),
    (_deep(1100), r"nested more than 512 levels deep"),
    (_deep(100_000), r"nested more than 512 levels deep"),
    (sys.stdout, r"can't travel"),
    (collections.defaultdict(lambda: 1), r"^result.default_factory: a function can't travel"),
]


@pytest.mark.parametrize(("value", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_cannot_travel_says_where_it_is(value: Any, message: str) -> None:
    with pytest.raises(CannotTravel) as caught:
        encode(value, "result")
    assert re.search(message, str(caught.value)), str(caught.value)


def test_a_forgotten_await_is_named() -> None:
    coroutine = _coroutine()
    with pytest.raises(CannotTravel, match="is an `await` missing"):
        encode([coroutine])
    coroutine.close()


def test_what_is_deep_enough_travels() -> None:
    assert decode(encode(_deep(500))) == _deep(500)


def test_nested_classes_have_their_whole_name() -> None:
    assert type_name(Nested.Inner) == "test_values:Nested.Inner"
    assert type(decode(encode(Nested.Inner()))) is Nested.Inner


@pytest.mark.parametrize(
    ("cls", "name"),
    [
        (ValueError, "ValueError"),
        (int, "int"),
        (type(None), "NoneType"),
        (asyncio.CancelledError, "asyncio.CancelledError"),
        (asyncio.TimeoutError, "TimeoutError"),
        (decimal.Decimal, "decimal.Decimal"),
        (uuid.UUID, "uuid.UUID"),
        (datetime.date, "datetime.date"),
        (CannotTravel, "waymark.CannotTravel"),
        (PayloadError, "waymark.PayloadError"),
        (subprocess.CalledProcessError, "subprocess:CalledProcessError"),
        (Point, "samples:Point"),
        (Box[dict[str, Point]], "samples:Box[dict[str,samples:Point]]"),
    ],
)
def test_names_of_classes(cls: type, name: str) -> None:
    assert type_name(cls) == name


def test_a_registered_codec() -> None:
    with pytest.raises(CannotTravel, match=r"_handle\[1\]: a lock"):
        encode(Temperature(20))
    register_codec(Temperature, lambda warm: warm.degrees, Temperature)
    assert decode(encode([Temperature(21.5)]))[0].degrees == 21.5
    with pytest.raises(ValueError, match="a list travels already"):
        register_codec(list, list, list)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "can't be read"),
        (b"\x92\x01", "can't be read"),
        (b"\x01\x02", "can't be read"),
        (msgpack.packb(msgpack.ExtType(77, b"\xc0")), "extension type 77 is not known"),
        (
            msgpack.packb(msgpack.ExtType(5, msgpack.packb(["nowhere.at.all:X", {}]))),
            "nowhere.at.all:X can't be made here: ModuleNotFoundError",
        ),
        (msgpack.packb(msgpack.ExtType(7, msgpack.packb([2026, 13, 1]))), "can't be read"),
    ],
)
def test_bytes_that_are_no_value(data: bytes, message: str) -> None:
    with pytest.raises(PayloadError, match=message):
        decode(data)


def test_importing_values_and_actions_is_light() -> None:
    heavy = ("grpc", "pydantic", "numpy")
    script = f"import sys, waymark.actions, waymark.values; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", script], text=True, env={"PYTHONPATH": ":".join(sys.path)}) == "[]\n"


def test_matches_of_patterns_are_found_again():
    text = "one=1, two=22"
    for found in [*re.finditer(r"(\w+)=(\d+?)", text), re.fullmatch(r"(.*?), (.*)", text), re.search(r"\d+$", text)]:
        again = decode(encode(found))
        assert (again.span(), again.groups(), again.string, again.re) == (found.span(), found.groups(), found.string, found.re)


def test_iterators_are_read_and_the_rest_is_left_alone(monkeypatch):
    rows = [1, 2]
    assert iterators.items_until_raised(rows) == (rows, None)
    assert iterators.items_until_raised(rows)[0] is rows
    assert iterators.items_until_raised(iter(rows)) == ([1, 2], None)
    found, error = iterators.items_until_raised(1 // (2 - row) for row in rows)
    assert (found, type(error)) == ([1], ZeroDivisionError)
    monkeypatch.setattr(iterators, "MAX_ITEMS", 10)
    with pytest.raises(CannotTravel, match="more than 10 items"):
        iterators.items_until_raised(itertools.count())
