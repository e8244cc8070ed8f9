"""What earlier versions of Waymark left in a database is picked up by this one, with its instances in flight."""

from __future__ import annotations

import pathlib
import shutil

import postgres
import pytest
import upgrades
from workplace import workplace

RECORDED = sorted(folder.name for folder in upgrades.RECORDS.iterdir() if folder.name.isdigit())


def test_each_change_of_the_schema_is_recorded() -> None:
    assert RECORDED and RECORDED[-1] == upgrades.newest_schema(), "run `python -m upgrades.record` in python/tests"


@pytest.mark.parametrize("schema", RECORDED)
def test_on_sqlite(schema: str, tmp_path: pathlib.Path) -> None:
    database = tmp_path / "waymark.db"
    upgrades.restore_sqlite((upgrades.RECORDS / schema / "sqlite.sql").read_text(), database)
    go_on(tmp_path / "place", f"sqlite:{database}")


@pytest.mark.parametrize("schema", RECORDED)
def test_on_postgres(schema: str, tmp_path: pathlib.Path) -> None:
    with postgres.server() as url:
        upgrades.restore_postgres((upgrades.RECORDS / schema / "postgres.sql").read_text(), url)
        go_on(tmp_path / "place", url)


def go_on(folder: pathlib.Path, url: str) -> None:
    folder.mkdir()
    with workplace(folder) as place:
        shutil.copy(upgrades.APP, folder / "app.py")
        place.environment |= {"WAYMARK_DATABASE_URL": url, "UPGRADED": "1"}
        place.serve("waymark dev app.py", until="bridge")
        done = place.shell("python app.py finish")
        assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["all is well"]), done.stdout
