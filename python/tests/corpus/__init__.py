"""Workflows in the style of real applications. Each is run four ways (see test_corpus.py): plain asyncio is the oracle.

A module of the corpus has workflows, their actions, and `CASES`. Actions are deterministic, and say what they do with `record`.
"""

from __future__ import annotations

import contextvars
import dataclasses
import json
import os
import pathlib
from typing import Any

from waymark.context import current

_run: contextvars.ContextVar[list[Any] | None] = contextvars.ContextVar("corpus_run", default=None)


@dataclasses.dataclass(frozen=True)
class Case:
    """One run of a workflow."""

    workflow: type
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = dataclasses.field(default_factory=dict)
    #: For cases of the same workflow.
    name: str = ""
    #: Whether actions run at the same time, so that workers may do them in any order.
    concurrent: bool = False

    @property
    def label(self) -> str:
        return f"{self.workflow.__name__}{'-' + self.name if self.name else ''}"


def record(*what: Any) -> None:
    """A side effect of an action: noted in this process, or in a file by the instance's id where a worker runs it."""
    folder = os.environ.get("CORPUS_JOURNAL")
    if folder is None:
        noted = _run.get()
        assert noted is not None, "record() is for actions of the corpus"
        # As it is now: outside of an engine the workflow goes on changing what it passed.
        noted.append(json.loads(json.dumps(what, default=repr)))
        return
    with (pathlib.Path(folder) / str(current().instance_id)).open("a") as journal:
        journal.write(json.dumps(what, default=repr) + "\n")
