"""The examples: each in memory, and once as its first lines say, with nothing started before."""

from __future__ import annotations

import ast
import datetime
import importlib.util
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import httpx
import pytest
from workplace import ROOT, Workplace, workplace

from waymark.testing import Environment

EXAMPLES = ROOT / "examples"
NAMES = ["agent", "approval", "fastapi_app", "nightly", "order_saga", "pipeline", "tenants", "thousand_children"]


@pytest.fixture
def app(request: pytest.FixtureRequest, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module of an example. They are all called `app`, as a user's would be."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EXAMPLES / request.param))
    spec = importlib.util.spec_from_file_location("app", EXAMPLES / request.param / "app.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "app", module)
    spec.loader.exec_module(module)
    forget_classes()
    yield module
    forget_classes()


def forget_classes() -> None:
    """Classes are remembered by their names on the wire, and several examples have an `app:Report`."""
    from waymark.values import classes, forms

    for known in (classes._CLASSES, forms._BY_NAME):
        for name in [name for name in known if name.startswith("app:")]:
            del known[name]


async def run(workflow: Any, *args: Any, **kwargs: Any) -> tuple[Any, Environment]:
    async with Environment() as environment:
        return await workflow().run(*args, **kwargs), environment


@pytest.mark.parametrize("app", ["order_saga"], indirect=True)
async def test_what_an_order_did_is_undone(app: Any) -> None:
    outcomes = {}
    for order in app.ORDERS:
        outcome, environment = await run(app.PlaceOrder, order)
        outcomes[order.item] = (outcome.status, [call.name.partition(":")[2] for call in environment.calls()])
    assert outcomes == {
        "lamp": ("placed", ["reserve", "charge", "charge", "charge", "ship"]),
        "unicorn": ("undone", ["reserve"]),
        "yacht": ("undone", ["reserve", "charge", "release"]),
        "piano": ("undone", ["reserve", "charge", "charge", "charge", "ship", "refund", "release"]),
    }


@pytest.mark.parametrize("app", ["agent"], indirect=True)
async def test_an_agent_hears_what_its_tools_say(app: Any) -> None:
    answer, environment = await run(app.Agent, "How many?")
    assert answer == app.Answer(text="It is 2153130. Atlantis is on no map.", steps=4, tools_used=["population", "population", "multiply"])
    last = environment.calls(app.ask_model)[-1].arguments["messages"]
    assert [message.role for message in last[-2:]] == ["assistant", "tool"]
    assert last[-1].text == "there is no tool telephone, but population, multiply"


@pytest.mark.parametrize("app", ["pipeline"], indirect=True)
async def test_a_pipeline_does_without_the_files_that_fail(app: Any) -> None:
    report, environment = await run(app.Import, datetime.date(2024, 5, 17), 300)
    assert (report.day, report.files, report.rows, len(environment.calls(app.store))) == (datetime.date(2024, 5, 17), 300, 1572, 3)
    assert {kind: len(files) for kind, files in report.failed.items()} == {"BadFile": 6, "ConnectionError": 3}
    # Of 300 files 6 were tried once though bad, 6 and 3 were tried three times.
    assert len(environment.calls(app.parse)) == 300 + 2 * 9
    environment = Environment()
    async with environment:
        environment.mock(app.parse, raises=app.BadFile("all of them"))
        with pytest.raises(RuntimeError, match="10 of 10 files failed"):
            await app.Import().run(datetime.date(2024, 5, 17), 10)


@pytest.mark.parametrize("app", ["fastapi_app"], indirect=True)
async def test_an_application_shows_its_reports(app: Any) -> None:
    async with Environment() as environment, client(app) as web:
        assert (await web.get("/preview/Sales")).json() == "All about sales."
        order = {"id": "may", "titles": ["Sales", "Costs"], "pause_seconds": 3600}
        assert (await web.get("/reports/may")).status_code == 404
        started = await web.post("/reports", json=order)
        assert started.status_code == 202
        assert (await web.post("/reports", json=order)).json() == started.json()
        assert (await web.post("/reports", json={**order, "titles": []})).status_code == 409
        await environment.sleep(1)
        waiting = (await web.get("/reports/may")).json()
        assert waiting["status"] == "running" and "report" not in waiting
        await environment.sleep(3600)
        shown = (await web.get("/reports/may")).json()
        assert shown["report"]["chapters"][1] == {"title": "Costs", "text": "All about costs."}
        await web.post("/reports", json={**order, "id": "june"})
        assert (await web.delete("/reports/june")).json() == {"status": "cancelled"}


@pytest.mark.parametrize("app", ["approval"], indirect=True)
async def test_a_person_is_asked_reminded_and_done_without(app: Any) -> None:
    order = app.Order("p-2", "desk", 400)
    async with Environment() as environment:
        handle = await app.Purchase().start(order)
        await environment.sleep(25 * 3600)
        assert await handle.query("state") == "waiting for approval"
        await handle.signal("approval", {"by": "ann", "approved": False})
        assert await handle.result() == "desk is not bought, says ann"
        assert await handle.published() == {"state": "decided by ann"}
        assert [call.args for call in environment.calls(app.tell)] == [("May we buy desk for 400?",), ("Still open: desk for 400",)]
        assert await app.Purchase().run(order) == "desk is not bought: nobody answered"


@pytest.mark.parametrize("app", ["thousand_children"], indirect=True)
async def test_children_fail_with_their_exceptions(app: Any) -> None:
    result, environment = await run(app.Campaign, 260)
    assert (result, len(environment.calls(app.send))) == ({"sent": 259, "bounced": 1}, 260)


def client(app: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app.app), base_url="http://app")


# ------------------------------------------------------------------------------------------------------------ for real


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[Workplace]:
    shutil.copy(EXAMPLES / request.param / "app.py", tmp_path)
    with workplace(tmp_path) as made:
        yield made


def lines_of(example: str, command: str) -> list[str]:
    """What the example says one can type."""
    said = ast.get_docstring(ast.parse((EXAMPLES / example / "app.py").read_text())) or ""
    return [re.split(r"\s{2,}#|\s{4,}", line.strip())[0] for line in said.splitlines() if line.strip().startswith(command)]


def run_as_said(place: Workplace, example: str) -> tuple[str, Any]:
    """What `python app.py` prints, and the result of `waymark run`."""
    program = place.shell("python app.py")
    assert program.returncode == 0, program.stdout
    (line,) = lines_of(example, "waymark run")
    ran = place.shell(f"{line} 2>/dev/null")
    assert ran.returncode == 0, ran.stdout
    return program.stdout, json.loads(ran.stdout)


@pytest.mark.parametrize("place", ["order_saga"], indirect=True)
def test_orders_for_real(place: Workplace) -> None:
    said, result = run_as_said(place, "order_saga")
    assert "Outcome(order_id='o-3', status='undone', reason='CardDeclined: 90000 declined: limit')" in said
    assert said.endswith("reserved piano\ncharged 900 under a key\nrefunded payment-o-4\nreleased shelf-o-4\n")
    assert result == {"order_id": "o-1", "status": "placed", "reason": ""}


@pytest.mark.parametrize("place", ["approval"], indirect=True)
def test_an_approval_for_real(place: Workplace) -> None:
    said, result = run_as_said(place, "approval")
    assert said.splitlines() == [
        "lamp is bought",
        "desk is bought, says ann",
        "decided by ann",
        "piano is not bought: nobody answered",
        "too late to approve p-3",
    ]
    assert result == "lamp is bought"


@pytest.mark.parametrize("place", ["thousand_children"], indirect=True)
def test_a_thousand_children_for_real(place: Workplace) -> None:
    said, result = run_as_said(place, "thousand_children")
    assert (said.strip(), result) == ("{'sent': 996, 'bounced': 4}", {"sent": 20, "bounced": 0})


@pytest.mark.parametrize("place", ["agent"], indirect=True)
def test_an_agent_for_real(place: Workplace) -> None:
    said, result = run_as_said(place, "agent")
    assert json.loads(said) == result
    assert (result["text"], result["steps"]) == ("It is 2153130. Atlantis is on no map.", 4)


@pytest.mark.parametrize("place", ["pipeline"], indirect=True)
def test_a_pipeline_for_real(place: Workplace) -> None:
    said, result = run_as_said(place, "pipeline")
    assert "1572 rows of 300 files, 10932.75 in total" in said
    assert "ConnectionError: 20240517-0009.csv, 20240517-0109.csv, 20240517-0209.csv" in said
    assert (result["rows"], result["day"]) == (1572, "2024-05-17")


@pytest.mark.parametrize("app", ["nightly"], indirect=True)
async def test_a_nightly_report(app: Any) -> None:
    report, environment = await run(app.Report, ["north", "south"])
    assert (report, len(environment.calls(app.count_orders))) == ("sent: 100 orders in 2 shops", 2)


@pytest.mark.parametrize("place", ["nightly"], indirect=True)
def test_a_nightly_report_for_real(place: Workplace) -> None:
    (dev,) = lines_of("nightly", "waymark dev")
    place.serve(dev, until="a worker has come")
    for nights in ("3 of the last 3", "0 of the last 3"):
        program = place.shell("python app.py")
        assert program.returncode == 0 and f"{nights} nights had no report" in program.stdout, program.stdout
    listed, triggered = (lines_of("nightly", f"waymark schedule {word}")[0] for word in ("list", "trigger"))
    assert re.search(r"Report +nightly +30 2 \* \* \* \(Europe/Berlin\) +active", place.shell(listed).stdout)
    instance_id = place.shell(f"{triggered} --json 2>/dev/null").stdout
    (shown,) = json.loads(place.shell(f"{listed} --json 2>/dev/null").stdout)
    assert (shown["last_instance_id"], shown["missed"]) == (json.loads(instance_id)["instance_id"], 0)


@pytest.mark.parametrize("place", ["tenants"], indirect=True)
def test_tenants_for_real(place: Workplace) -> None:
    said, result = run_as_said(place, "tenants")
    assert said.splitlines() == [
        "default: 2 of a key at once",
        "acme: 8 reports, 2 at once",
        "globex: 2 reports, 2 at once",
        "initech: 2 reports, 2 at once",
        "the last one was acme's",
    ]
    assert (result["tenant"], result["number"]) == ("acme", 1)


@pytest.mark.parametrize("place", ["fastapi_app"], indirect=True)
def test_an_application_for_real(place: Workplace) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place.environment["PORT"] = str(port)
    place.serve("python app.py", until="Uvicorn running")
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as web:
        assert web.post("/reports", json={"id": "may", "titles": ["Sales"]}).status_code == 202
        deadline = time.monotonic() + 60
        while (shown := web.get("/reports/may").json())["status"] == "running" and time.monotonic() < deadline:
            time.sleep(0.05)
    assert shown["report"] == {"chapters": [{"title": "Sales", "text": "All about sales."}]}
    (line,) = lines_of("fastapi_app", "waymark run")
    assert json.loads(place.shell(f"{line} 2>/dev/null").stdout)["chapters"][0]["title"] == "Sales"


@pytest.mark.parametrize("place", ["pipeline"], indirect=True)
def test_an_example_with_dev(place: Workplace) -> None:
    (dev,) = lines_of("pipeline", "waymark dev")
    (line,) = lines_of("pipeline", "waymark run")
    place.serve(dev, until="a worker has come")
    assert json.loads(place.shell(f"{line} 2>/dev/null").stdout)["files"] == 300


def test_the_demo(tmp_path: pathlib.Path) -> None:
    with workplace(tmp_path) as place:
        demo = subprocess.run(
            [sys.executable, EXAMPLES / "welcome" / "demo.py"], env=place.environment, capture_output=True, text=True, timeout=120
        )
    assert demo.returncode == 0, demo.stdout + demo.stderr
    result = demo.stdout.partition("• The result\n")[2].splitlines()
    who = ["ann", "bob", "carla", "eve", "yusuf"]
    assert [line.strip() for line in result] == [f"Receipt(to='{name}@example.org', ok=True)" for name in who]


def test_every_example_is_here() -> None:
    found = sorted(each.parent.name for each in EXAMPLES.glob("*/app.py"))
    assert found == sorted([*NAMES, "welcome"])
