"""Databases as earlier versions of Waymark left them, with instances in flight: one for each change of the schema.

`python -m upgrades.record`, in this folder's parent, writes what the Waymark of this checkout leaves. What was recorded stays as it is.
"""

from __future__ import annotations

import pathlib
import sqlite3
import subprocess

import postgres

RECORDS = pathlib.Path(__file__).parent
APP = RECORDS / "app.py"
MIGRATIONS = RECORDS.parents[2] / "crates" / "store" / "migrations" / "sqlite"


def newest_schema() -> str:
    """`0008`"""
    return max(file.name[:4] for file in MIGRATIONS.glob("*.sql"))


def dump_sqlite(database: pathlib.Path) -> str:
    connection = sqlite3.connect(database)
    try:
        return "\n".join(connection.iterdump()) + "\n"
    finally:
        connection.close()


def restore_sqlite(text: str, database: pathlib.Path) -> None:
    connection = sqlite3.connect(database)
    try:
        connection.executescript(text)
        connection.commit()
    finally:
        connection.close()


def dump_postgres(url: str) -> str:
    words = [postgres.programs() / "pg_dump", "--inserts", "--no-owner", "--no-comments", url]
    text = subprocess.run(words, check=True, capture_output=True, text=True, timeout=120).stdout
    # Not every psql knows what the newest ones write around it.
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("--", "\\")) and line != "\n")


def restore_postgres(text: str, url: str) -> None:
    words = [postgres.programs() / "psql", "--quiet", "-v", "ON_ERROR_STOP=1", url]
    done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
