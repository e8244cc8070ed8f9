"""`python -m upgrades.record`: what the Waymark of this checkout leaves, on both databases."""

from __future__ import annotations

import pathlib
import shutil
import tempfile

import postgres
from workplace import Workplace, workplace

import upgrades


def leave(place: Workplace, url: str) -> None:
    shutil.copy(upgrades.APP, place.folder / "app.py")
    place.environment["WAYMARK_DATABASE_URL"] = url
    server = place.serve("waymark dev app.py", until="bridge")
    done = place.shell("python app.py begin")
    assert done.returncode == 0, done.stdout
    server.terminate()
    assert server.wait(60) == 0


def main() -> None:
    folder = upgrades.RECORDS / upgrades.newest_schema()
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        database = pathlib.Path(temporary) / "waymark.db"
        (at := pathlib.Path(temporary) / "sqlite").mkdir()
        with workplace(at) as place:
            leave(place, f"sqlite:{database}")
        (folder / "sqlite.sql").write_text(upgrades.dump_sqlite(database))
        (at := pathlib.Path(temporary) / "postgres").mkdir()
        with postgres.server() as url:
            with workplace(at) as place:
                leave(place, url)
            (folder / "postgres.sql").write_text(upgrades.dump_postgres(url))


if __name__ == "__main__":
    main()
