"""A deploy with migration, as its example says: for real, on both databases."""

from __future__ import annotations

import contextlib
import json
import pathlib
import shutil
import sys
from collections.abc import Iterator

import postgres
import pytest
from workplace import ROOT, Workplace, workplace

EXAMPLE = ROOT / "examples" / "deploy_migration"


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[Workplace]:
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(postgres.server()) if request.param == "postgres" else None
        made = stack.enter_context(workplace(tmp_path))
        if url is not None:
            made.environment["WAYMARK_DATABASE_URL"] = url
            made.environment["WAYMARK_WORKER_COMMAND"] = f"'{sys.executable}' -m waymark.worker"
        yield made


def deploy(place: Workplace, code: str) -> None:
    """New code, and workers that run it: the bridge that a client starts has some of its own, but not on Postgres."""
    shutil.copy(EXAMPLE / code / "app.py", place.folder)
    if "WAYMARK_DATABASE_URL" in place.environment:
        for server in place.servers:
            server.terminate()
            server.wait(60)
        place.serve("waymark start-workers --user-modules app", until="a worker has come")


def said(place: Workplace, line: str, code: int = 0) -> str:
    done = place.shell(line)
    assert done.returncode == code, f"$ {line}\n{done.stdout}"
    return done.stdout


def test_a_deploy_with_migration(place: Workplace) -> None:
    deploy(place, "before")
    assert "is being packed" in said(place, "python app.py start dear 250")
    assert "is being packed" in said(place, "python app.py start cheap 5")
    said(place, "until [ -e shelf/dear.wanted ] && [ -e shelf/cheap.wanted ]; do sleep 0.05; done")

    # The first line is behind them, and the new code reads what it sets: that is found before anything is deployed.
    shutil.copy(EXAMPLE / "after" / "app.py", place.folder)
    checked = json.loads(said(place, "waymark check app:Fulfil --against-db --json 2>/dev/null", 1))
    assert {(one["id"], one["label"]) for one in checked} == {("dear", "needs a mapping"), ("cheap", "needs a mapping")}
    assert checked[0]["problems"][0]["variable"] == "insured"
    assert "2 needs a mapping" in said(place, "waymark check app:Fulfil --against-db", 1)
    listed = json.loads(said(place, "waymark versions Fulfil --json 2>/dev/null"))
    assert [(one["is_active"], one["live_instances"]) for one in listed] == [(True, 2)]
    before = listed[0]["version"]

    deploy(place, "after")
    deployed = said(place, "python app.py deploy")
    assert "dear: needs a mapping" in deployed and "dear: migrated" in deployed and "cheap: migrated" in deployed
    assert deployed.endswith("[2, 0]\n")
    assert said(place, "python app.py packed dear") == "parcel of dear shipped, insured\n"
    assert said(place, "python app.py packed cheap") == "parcel of cheap shipped\n"

    # Back to the code of before, for new runs.
    said(place, f"waymark versions activate Fulfil {before[:12]}")
    listed = json.loads(said(place, "waymark versions Fulfil --json 2>/dev/null"))
    assert {one["version"]: one["is_active"] for one in listed}[before]
    refused = place.shell("waymark versions activate Fulfil nothing")
    assert refused.returncode == 2 and "has no version" in refused.stdout
    refused = place.shell("waymark migrate 00000000-0000-0000-0000-000000000000")
    assert refused.returncode == 2 and "there is no instance" in refused.stdout
