"""Every workflow of the corpus, four ways: plain asyncio, in memory (saved and resumed between any two events), on SQLite, on Postgres."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import postgres
import pytest
from corpus import Case
from corpus.running import Outcome, all_cases, run_in_memory, run_inline

from waymark._binary import find_binary

CASES = all_cases()
TESTS = pathlib.Path(__file__).parent
#: What comes of these depends on whether a timer of some milliseconds or an action is first. Virtual time decides that for ever; the clock
#: of a busy machine does not, so on a server only that they end is compared.
RACES = {
    "AnalyticsFirstResults", "CancelWithFinally", "CancelledSiblings", "ConfirmAddress", "ConnectionMachine", "Deadline", "DeadlineBlock",
    "DrainWithTimeout", "FirstAnswerWins", "FutureHandOver", "SettlementDeadline", "SettlementGroup", "ShieldedCommit", "StyleLoopObjects",
}  # fmt: skip

#: Since when Python has other words for what these make known of an exception.
WORDED_SINCE = {"Calculator-zero": (3, 14), "FuzzReadUntilItFails": (3, 12)}
WORDED_OTHERWISE = {label for label, since in WORDED_SINCE.items() if sys.version_info >= since}


def test_the_corpus_is_large_enough():
    assert len({case.workflow for case in CASES}) >= 250


def assert_same_outcome(case: Case, found: Outcome, expected: Outcome) -> None:
    if case.label in WORDED_OTHERWISE:
        assert found[0] == expected[0], case.label
    else:
        assert tuple(found) == tuple(expected), case.label


def assert_same(case: Case, found: tuple[Outcome, list[Any]]) -> None:
    expected, effects = run_inline(case)
    assert_same_outcome(case, found[0], expected)
    if case.concurrent:
        assert sorted(map(str, found[1])) == sorted(map(str, effects)), case.label
    else:
        assert found[1] == effects, case.label


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_in_memory(case: Case):
    assert_same(case, run_in_memory(case))


def test_on_sqlite(tmp_path: pathlib.Path):
    on_a_server(tmp_path, f"sqlite:{tmp_path / 'waymark.db'}")


def test_on_postgres(tmp_path: pathlib.Path):
    with postgres.server() as url:
        on_a_server(tmp_path, url)


def assert_same_on_a_server(case: Case, found: tuple[Outcome, list[Any]]) -> None:
    if case.workflow.__name__ in RACES:
        assert not str(found[0][1]).startswith("ResultTimeout"), f"{case.label} has not ended"
        return
    expected, effects = run_inline(case)
    assert_same_outcome(case, found[0], expected)
    # Actions run at least once: on a machine so busy that a worker seems dead, one may run again. Children keep journals of their own.
    if not case.workflow.__waymark__.compiled().children:  # type: ignore[attr-defined]
        assert {str(effect) for effect in found[1]} == {str(effect) for effect in effects}, case.label


def on_a_server(folder: pathlib.Path, url: str) -> None:
    journal, home = folder / "journal", folder / "home"
    journal.mkdir()
    environment = {
        **os.environ,
        "WAYMARK_DATABASE_URL": url,
        "WAYMARK_HOME": str(home),
        "WAYMARK_USER_MODULES": ",".join(sorted({case.workflow.__module__ for case in CASES})),
        "WAYMARK_WORKER_COMMAND": f"{sys.executable} -m waymark.worker",
        "CORPUS_JOURNAL": str(journal),
        "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]),
    }
    out = folder / "outcomes.json"
    with (folder / "server.log").open("wb") as log:
        command = [find_binary(), "dev", "--workers", "1"]
        server = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
    try:
        wait_until(lambda: list((home / "run").glob("*.json")) or server.poll() is not None)
        runs = [sys.executable, "-m", "corpus.serving", str(out)]
        run = subprocess.run(runs, env=environment, cwd=folder, capture_output=True, text=True, timeout=600)
        assert run.returncode == 0, run.stderr[-5000:]
    finally:
        server.terminate()
        server.wait(60)
    differ = []
    for case, found in zip(CASES, json.loads(out.read_text()), strict=True):
        try:
            assert_same_on_a_server(case, found)
        except AssertionError as error:
            differ.append(f"{case.label}: {error}")
    assert not differ, f"{len(differ)} of {len(CASES)} differ\n" + "\n".join(differ)


def wait_until(holds: Callable[[], Any], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "the server did not start"
        time.sleep(0.05)
