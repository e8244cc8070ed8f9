"""Object graphs of fragments: aliases and cycles survive, and exactly what changed goes back."""

from __future__ import annotations

import collections
import sys
import threading
from typing import Any

import msgpack
import pytest
from samples import Color, Frozen, Pair, Point, Tags, User

from waymark.errors import CannotTravel, PayloadError
from waymark.values import decode, encode
from waymark.values.graph import Graph


def plain(value: Any) -> dict[str, Any]:
    return {"Plain": encode(value)}


def ref(number: int) -> dict[str, Any]:
    return {"Object": number}


def instance(cls: str, **fields: Any) -> dict[str, Any]:
    return {"Instance": [f"samples:{cls}", [[name, shape] for name, shape in fields.items()]]}


def graph(*objects: Any) -> Graph:
    return Graph(msgpack.packb(objects))


def changed(graph: Graph, value: Any = None) -> dict[int, Any]:
    _, objects = graph.result(value)
    return readable_all(objects)


def readable_all(objects: bytes) -> dict[int, Any]:
    return {number: readable(shape) for number, shape in msgpack.unpackb(objects, strict_map_key=False)}


def readable(shape: Any) -> Any:
    """A shape with the values of its plain parts."""
    ((kind, body),) = shape.items()
    if kind == "Plain":
        return decode(body)
    if kind == "Object":
        return f"#{body}"
    if kind == "Instance":
        return {body[0]: {name: readable(field) for name, field in body[1]}}
    if kind == "Exception":
        name, _, args, fields, *_ = body
        return {name: [readable(each) for each in args], **{name: readable(field) for name, field in fields}}
    if kind == "Dict":
        return {"Dict": [[readable(key), readable(item)] for key, item in body]}
    return {kind: [readable(item) for item in body]}


def test_aliases_and_cycles() -> None:
    made = graph(
        {"List": [ref(0), ref(1), ref(1), ref(2)]},
        {"Dict": [[plain("self"), ref(1)], [plain("owner"), ref(3)]]},
        {"Tuple": [ref(0), plain(5)]},
        instance("Money", amount=plain(1), tags=ref(0)),
    )
    items, named, pair, money = made.objects
    assert items[0] is items and items[1] is items[2] is named and named["self"] is named
    assert items[3] is pair and pair[0] is items and named["owner"] is money and money.tags is items
    assert changed(made) == {}


def test_what_is_hashed_is_complete_when_it_is() -> None:
    made = graph(
        {"Dict": [[ref(1), plain("by money")]]},
        instance("Money", amount=plain(7), tags=ref(2)),
        {"List": [ref(3)]},
        {"FrozenSet": [ref(4)]},
        {"Tuple": [ref(1), plain(1)]},
        {"Set": [ref(4), ref(1)]},
    )
    table, money, tags, frozen, pair, both = made.objects
    assert table[money] == "by money" and pair in frozen and both == {pair, money} and tags == [frozen]


def test_enums_and_other_values_are_what_they_are() -> None:
    made = graph(
        instance("Color", name=plain("RED"), value=plain(1)),
        instance("Pair", left=plain(1), right=ref(2)),
        {"List": []},
        instance("Tags", __items__=ref(4), owner=plain("me")),
        {"List": [plain("a")]},
        {"Instance": ["collections:deque", [["__items__", ref(4)], ["maxlen", plain(None)]]]},
    )
    assert made.objects[0] is Color.RED
    assert isinstance(made.objects[1], Pair) and made.objects[1].right is made.objects[2]
    assert made.objects[3] == ["a"] and made.objects[3].owner == "me"
    assert made.objects[5] == collections.deque(["a"])


def test_frozen_classes_and_classes_with_a_state_of_their_own() -> None:
    made = graph(
        instance("Frozen", name=plain("f"), points=ref(1)),
        {"Tuple": [ref(2)]},
        instance("Point", x=plain(1), y=plain(2)),
        instance("WithState", name=plain("n")),
        instance("Tags", __items__=ref(5), owner=plain("me")),
        {"List": [ref(4)]},
    )
    assert made.objects[0] == Frozen("f", (Point(1, 2),)) and made.objects[3].name == "n"
    assert made.objects[4][0] is made.objects[4]
    assert {number for number in changed(made) if number != 4 and number < 6} == set()


def test_views_of_dicts_show_the_dict_that_is_there() -> None:
    made = graph({"Dict": [[plain("a"), plain(1)]]}, {"Instance": ["builtins:dict_items", [["mapping", ref(0)]]]})
    named, items = made.objects
    named["b"] = 2
    assert list(items) == [("a", 1), ("b", 2)]
    value, objects = made.result(named.keys())
    assert readable(msgpack.unpackb(value)) == "#2"
    assert dict(msgpack.unpackb(objects))[2] == {"Instance": ["builtins:dict_keys", [["mapping", {"Object": 0}]]]}


def test_what_changed_goes_back() -> None:
    made = graph(
        {"List": [plain(1)]},
        {"Dict": [[plain("a"), plain(1)]]},
        {"Set": [plain(1)]},
        instance("Money", amount=plain(1), tags=ref(0)),
        {"List": [plain("untouched")]},
    )
    items, named, some, money, _ = made.objects
    money.earn(5)
    named["b"] = named
    some.add(2)
    assert changed(made) == {
        0: {"List": [1, 5]},
        1: {"Dict": [["a", 1], ["b", "#1"]]},
        2: {"Set": [1, 2]},
        3: {"samples:Money": {"amount": 6, "tags": "#0"}},
    }


def test_new_objects_have_numbers_beyond() -> None:
    made = graph({"List": []})
    fresh = Point(1, [made.objects[0]])
    made.objects[0].append(fresh)
    value, objects = made.result((fresh, Color.RED, {"k": fresh}))
    assert readable(msgpack.unpackb(value)) == "#1"
    shapes = {number: readable(shape) for number, shape in msgpack.unpackb(objects, strict_map_key=False)}
    assert shapes == {
        0: {"List": ["#2"]},
        1: {"Tuple": ["#2", "#3", "#4"]},
        2: {"samples:Point": {"x": 1, "y": "#5"}},
        3: {"samples:Color": {"name": "RED", "value": 1}},
        4: {"Dict": [["k", "#2"]]},
        5: {"List": ["#0"]},
    }


def test_pydantic_models_change_too() -> None:
    made = graph(instance("User", name=plain("u"), address=plain(None), friends=ref(1)), {"List": []})
    user = made.objects[0]
    assert isinstance(user, User) and user.model_fields_set == {"name", "address", "friends"}
    user.friends.append(user)
    user.name = "other"
    assert changed(made)[0] == {"samples:User": {"name": "other", "address": None, "friends": "#1"}}


def test_a_list_subclass_that_changed() -> None:
    made = graph(instance("Tags", __items__=ref(1), owner=plain("me")), {"List": [plain("a")]})
    made.objects[0].append("b")
    assert changed(made)[0]["samples:Tags"]["owner"] == "me"
    again = Graph(_as_objects(made))
    assert isinstance(again.objects[0], Tags) and again.objects[0] == ["a", "b"]


def _as_objects(graph: Graph) -> bytes:
    shapes = dict(enumerate(graph._shapes)) | dict(msgpack.unpackb(graph.result(None)[1], strict_map_key=False))
    return msgpack.packb([shapes[number] for number in sorted(shapes)])


def test_what_cannot_travel_is_named() -> None:
    made = graph()
    with pytest.raises(CannotTravel, match=r"^found\['x'\]: a complex can't travel"):
        made.results(["found"], {"found": {"x": 1j}})


def test_names_that_were_assigned_come_as_a_tuple() -> None:
    made = graph({"List": []})
    value, _ = made.results(["a", "b"], {"a": made.objects[0], "b": 2, "c": 3})
    assert readable(msgpack.unpackb(value)) == {"Tuple": ["#0", 2]}


def error(cls: str, args: Any = (), fields: Any = (), bases: Any = ("Exception", "BaseException"), **links: Any) -> dict[str, Any]:
    cause, context = links.get("cause"), links.get("context")
    return {"Exception": [cls, list(bases), list(args), list(fields), None, cause, context, cause is not None, [], []]}


def test_exceptions_are_objects_like_others() -> None:
    made = graph(
        error("ValueError", [plain("bad"), ref(1)], [["rows", ref(1)], ["again", ref(0)]], cause=ref(2)),
        {"List": [ref(0)]},
        error("KeyError", [plain("k")], context=ref(0)),
    )
    first, rows, second = made.objects
    assert type(first) is ValueError and first.args == ("bad", rows) and first.rows is rows and first.again is first
    assert rows[0] is first and first.__cause__ is second and second.__context__ is first and str(second) == "'k'"
    assert changed(made) == {}
    rows.append(second)
    first.code = 5
    assert changed(made) == {0: {"ValueError": ["bad", "#1"], "rows": "#1", "again": "#0", "code": 5}, 1: {"List": ["#0", "#2"]}}


def test_what_is_raised_has_a_number() -> None:
    made = graph(error("ValueError", [plain("bad")]), {"List": []})
    number, objects = made.raised(made.objects[0])
    assert (number, readable_all(objects)) == (0, {})
    try:
        raise RuntimeError("new", made.objects[1], threading.Lock()) from made.objects[0]
    except RuntimeError as raised:
        number, objects = made.raised(raised)
    shape = dict(msgpack.unpackb(objects, strict_map_key=False))[number]["Exception"]
    assert number == 2 and readable_all(objects)[2]["RuntimeError"][:2] == ["new", "#1"]
    assert "lock object" in readable_all(objects)[2]["RuntimeError"][2] and shape[5] == ref(0)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="groups are younger")
def test_a_group_keeps_its_exceptions() -> None:
    """Also where the list that it was made of has changed since."""
    bases = ["BaseExceptionGroup", "Exception", "BaseException"]
    parts = [["message", plain("two")], ["exceptions", ref(3)]]
    made = graph(
        error("ExceptionGroup", [plain("two"), ref(1)], parts, bases=bases),
        {"List": []},
        error("ValueError", [plain(1)], [["group", ref(0)]]),
        {"Tuple": [ref(2), ref(4)]},
        error("TypeError", [plain(2)]),
    )
    group, held, first, _, second = made.objects
    assert group.exceptions == (first, second) and group.args == ("two", held) and held == [] and first.group is group
    assert changed(made) == {}


def test_a_tuple_cannot_contain_itself() -> None:
    with pytest.raises(PayloadError, match="contains itself"):
        graph({"Tuple": [ref(0)]})
