"""Bytes that are no values, or not quite: they are refused by name, or they are what they say. The corpus is that of the Rust side
(crates/fuzz); `FUZZ_SECONDS` and `FUZZ_SEED` as there."""

from __future__ import annotations

import os
import pathlib
import random
import time
from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from waymark._proto import worker_pb2
from waymark.errors import PayloadError
from waymark.values import decode, encode
from waymark.values.graph import Graph

CORPUS = pathlib.Path(__file__).parents[2] / "crates" / "fuzz" / "corpus"
SECONDS = float(os.environ.get("FUZZ_SECONDS", "2"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
#: A short run finds the same on a machine of any speed.
INPUTS_MAX = 10**9 if "FUZZ_SECONDS" in os.environ else 2_000
#: One input may take so long, on a busy machine.
SLOWEST = 10.0

PLAIN = [None, True, 0, -1, 2**31, 2**63, -(2**63), 2**64 - 1, 0.5, float("nan"), float("inf"), "", "é\0", "a" * 300, b"", b"\xff", [], {}]


def corpus(target: str) -> list[bytes]:
    found = [path.read_bytes() for path in sorted((CORPUS / target).iterdir())]
    assert len(found) > 5
    return found


def mutated(data: bytes, other: bytes, rng: random.Random) -> bytes:
    try:
        trees = [msgpack.unpackb(each, strict_map_key=False) for each in (data, other)]
        return msgpack.packb(changed(trees[0], trees[1], rng))
    except Exception:  # It is none: then bytes.
        at = rng.randrange(len(data) + 1)
        return rng.choice([data[:at], data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :], data[:at] + other[at:]])


def changed(tree: Any, other: Any, rng: random.Random) -> Any:
    """The same with a part that differs."""
    if rng.random() < 0.25:
        return rng.choice(
            [other, [tree], {"a": tree}, rng.choice(PLAIN), nested(tree, rng), msgpack.ExtType(rng.randrange(18), msgpack.packb(tree))]
        )
    if isinstance(tree, list) and tree:
        at = rng.randrange(len(tree))
        inner = changed(tree[at], other, rng)
        return rng.choice([tree[:at] + [inner] + tree[at + 1 :], tree[:at] + tree[at + 1 :], tree + [inner], tree * 2])
    if isinstance(tree, dict) and tree:
        name = rng.choice(list(tree))
        return {**tree, name: changed(tree[name], other, rng)} if rng.random() < 0.8 else {**tree, "more": tree[name]}
    if isinstance(tree, msgpack.ExtType):
        if rng.random() < 0.2:
            return msgpack.ExtType(rng.randrange(18), tree.data)
        return msgpack.ExtType(tree.code, mutated(tree.data, msgpack.packb(other), rng))
    if isinstance(tree, bytes):
        return mutated(tree, tree, rng) if rng.random() < 0.7 else tree * 2
    return rng.choice(PLAIN)


def nested(tree: Any, rng: random.Random) -> Any:
    for _ in range(rng.choice([3, 100, 300])):
        tree = [tree]
    return tree


def drive(target: str, check: Callable[[bytes], bool], inputs: list[bytes]) -> None:
    rng = random.Random(SEED)
    end = time.monotonic() + SECONDS
    tried = accepted = 0
    pool = list(inputs)
    while tried < len(inputs) or (tried < INPUTS_MAX and time.monotonic() < end):
        data = inputs[tried] if tried < len(inputs) else mutated(rng.choice(pool), rng.choice(pool), rng)
        tried += 1
        began = time.monotonic()
        try:
            is_accepted = check(data[:50_000])
        except BaseException as error:
            pytest.fail(f"{target}, FUZZ_SEED={SEED}, input {tried}: {type(error).__name__}: {error}\n{data.hex()[:8000]}")
        assert time.monotonic() - began < SLOWEST, f"{target}: slow\n{data.hex()[:8000]}"
        if is_accepted:
            accepted += 1
            if len(pool) < len(inputs) + 300:
                pool.append(data)
    assert accepted > len(inputs) // 4, f"{target}: of {tried} inputs {accepted} are accepted"


def check_payload(data: bytes) -> bool:
    try:
        value = decode(data)
    except PayloadError:
        return False
    # It can be said again, and then means the same. (NaN is not equal to itself, and sets have no order: so the bytes, in any order.)
    said = encode(value)
    assert sorted(encode(decode(said))) == sorted(said)
    return True


def test_payloads() -> None:
    drive("payload", check_payload, corpus("payload"))


def check_graph(data: bytes) -> bool:
    try:
        graph = Graph(data)
        graph.result([graph.objects, 1])
    except Exception:
        # Fails its fragment, whatever it is. What must not be is that it never ends, or ends the process.
        return False
    return True


def test_graphs() -> None:
    shapes: list[Any] = [
        [],
        [{"List": [{"Object": 0}, {"Plain": encode(1)}]}],
        [{"Dict": [[{"Plain": encode("k")}, {"Object": 1}]]}, {"Set": [{"Plain": encode(2)}]}],
        [{"Tuple": [{"Object": 1}]}, {"List": [{"Object": 0}]}],
        [{"FrozenSet": [{"Plain": encode("a")}]}],
        [{"Instance": ["samples:User", [["name", {"Plain": encode("Ann")}]]]}],
        [{"Exception": ["ValueError", ["Exception"], [{"Object": 1}], [], None, None, {"Object": 0}, False, ["note"], []]}, {"List": []}],
    ]
    drive("graph", check_graph, [msgpack.packb(each) for each in shapes])


def check_frame(data: bytes) -> bool:
    try:
        frame = worker_pb2.EngineFrame.FromString(data)
    except Exception:
        return False
    for call in frame.calls:
        check_payload(call.action.positional)
        check_payload(call.action.keyword)
    return True


def test_frames() -> None:
    call = worker_pb2.Call(
        call_id=1, execution_id="0-0-1", action=worker_pb2.ActionCall(name="a:b", positional=encode([1]), keyword=encode({}))
    )
    frames = [worker_pb2.EngineFrame(calls=[call]), worker_pb2.EngineFrame(drain=True, cancels=[worker_pb2.Cancel(call_id=1)])]
    drive("frames", check_frame, [frame.SerializeToString() for frame in frames])
