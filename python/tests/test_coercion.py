"""Arguments become what a function declares; what is right already is not touched."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import pathlib
import uuid
from typing import Annotated, Any, Literal, NewType, Optional, TypedDict, Union

import pydantic
import pytest
from samples import Address, Box, Color, Level, Pair, Point, User

from waymark.values import coerce

UserId = NewType("UserId", uuid.UUID)


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]


class Options(TypedDict, total=False):
    since: datetime.date
    limit: int


@dataclasses.dataclass
class Order:
    id: uuid.UUID
    lines: list[Point]
    parent: Optional[Order] = None  # noqa: UP045
    when: datetime.datetime | None = None


ID = uuid.UUID(int=5)
NOON = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone.utc)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (int, 5, 5),
        (int, "5", "5"),
        (float, 1, 1),
        (Any, [1], [1]),
        ("not a type", 1, 1),
        (datetime.datetime, "2026-01-01T12:00:00+00:00", NOON),
        (datetime.datetime, "2026-01-01T12:00:00Z", NOON),
        (datetime.date, "2026-01-01", datetime.date(2026, 1, 1)),
        (datetime.time, "12:00", datetime.time(12)),
        (datetime.timedelta, 90, datetime.timedelta(seconds=90)),
        (decimal.Decimal, "1.50", decimal.Decimal("1.50")),
        (decimal.Decimal, 0.1, decimal.Decimal("0.1")),
        (uuid.UUID, str(ID), ID),
        (UserId, str(ID), ID),
        (pathlib.Path, "/a", pathlib.Path("/a")),
        (Color, 1, Color.RED),
        (Color, "blue", Color.BLUE),
        (Color, "RED", Color.RED),
        (Level, 2, Level.HIGH),
        (bytearray, b"x", bytearray(b"x")),
        (dict[int, str], {"1": "5"}, {1: "5"}),
        (dict[float, Color], {"1.5": 1}, {1.5: Color.RED}),
        (
            User,
            {"name": "u", "address": {"street": "s", "zipCode": "z"}},
            User(name="u", address=Address(street="s", zipCode="z")),
        ),
        (Box[User], {"content": {"name": "u"}}, Box[User](content=User(name="u"))),
        (Point, {"x": 1}, Point(1)),
        (
            Order,
            {"id": str(ID), "lines": [{"x": 1}], "parent": {"id": str(ID), "lines": []}},
            Order(ID, [Point(1)], Order(ID, [])),
        ),
        (Pair, [1, 2], Pair(1, 2)),
        (Options, {"since": "2026-01-01", "limit": 3}, {"since": datetime.date(2026, 1, 1), "limit": 3}),
        (list[Point], [{"x": 1}, Point(2)], [Point(1), Point(2)]),
        (collections.abc.Sequence[Point], ({"x": 1},), (Point(1),)),
        (collections.abc.Iterable[uuid.UUID], [str(ID)], [ID]),
        (set[uuid.UUID], [str(ID)], {ID}),
        (set[int], [1, 1], {1}),
        (tuple[int, ...], [1, 2], (1, 2)),
        (tuple[int, datetime.date], [1, "2026-01-01"], (1, datetime.date(2026, 1, 1))),
        (tuple, [1], (1,)),
        (dict[uuid.UUID, list[Point]], {str(ID): [{"x": 1}]}, {ID: [Point(1)]}),
        (Optional[Point], None, None),  # noqa: UP045
        (Optional[Point], {"x": 1}, Point(1)),  # noqa: UP045
        (Point | None, {"x": 1}, Point(1)),
        (Union[datetime.date, str], "2026", "2026"),  # noqa: UP007
        (int | Color, "blue", Color.BLUE),
        (list[Point] | None, [{"x": 1}], [Point(1)]),
        (Literal["a"] | Color, "a", "a"),
        (Annotated[Point, "note"], {"x": 1}, Point(1)),
        (Annotated[int, pydantic.Field(gt=0)], "5", 5),
        (Cat | Dog, {"kind": "dog"}, Dog(kind="dog")),
        (list[Cat | Dog], [{"kind": "cat", "lives": 9}], [Cat(kind="cat", lives=9)]),
    ],
    ids=str,
)
def test_coercion(annotation: Any, value: Any, expected: Any) -> None:
    made = coerce(value, annotation)
    assert made == expected and type(made) is type(expected)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (list[Point], [Point(1)]),
        (dict[str, User], {"u": User(name="u")}),
        (tuple[Point, ...], (Point(1),)),
        (User, User(name="u")),
        (Cat | Dog, Dog(kind="dog")),
        (datetime.date, NOON),
        (Options, {"since": datetime.date(2026, 1, 1)}),
        (list[str], ["a"]),
    ],
    ids=str,
)
def test_what_is_right_is_not_touched(annotation: Any, value: Any) -> None:
    assert coerce(value, annotation) is value


@pytest.mark.parametrize(
    ("annotation", "value", "message"),
    [
        (datetime.datetime, "soon", "'soon' is no datetime"),
        (decimal.Decimal, "x", "'x' is no Decimal: not a number"),
        (Color, "GREEN", "'GREEN' is not a valid Color"),
        (Point, {"x": 1, "z": 2}, "Point has no field 'z'; it has x, y"),
        (list[Order], [{"id": "no", "lines": []}], r"\[0\]\.id: 'no' is no UUID"),
        (dict[str, Point], {"a": {"z": 1}}, r"\['a'\]: Point has no field 'z'"),
        (dict[int, str], {"x": "y"}, r"\['x'\]: 'x' is no int"),
        (tuple[int, int], [1], "1 items where 2 are wanted"),
        (User, {}, "1 validation error for User"),
        (Point | datetime.date, "x", "'x' is no date"),
    ],
    ids=str,
)
def test_what_cannot_be_coerced_says_where(annotation: Any, value: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        coerce(value, annotation)
