"""The committed messages are those of the .proto files."""

from __future__ import annotations

import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def test_the_generated_messages_are_up_to_date(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("grpc_tools")
    spec = importlib.util.spec_from_file_location("protos", ROOT / "scripts" / "protos.py")
    assert spec is not None and spec.loader is not None
    protos = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(protos)
    protos.generate(tmp_path)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert len(made) == 2 * len(list(protos.PROTOS.rglob("*.proto")))
    for name in made:
        committed = ROOT / "python" / "waymark" / "_proto" / name
        assert committed.read_text() == (tmp_path / name).read_text(), f"run scripts/protos.py: {name} is out of date"
