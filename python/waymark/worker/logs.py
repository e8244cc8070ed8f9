"""Log records of actions say which attempt they are from."""

from __future__ import annotations

import logging
import sys
from typing import Any

from waymark.context import current_or_none


def attribute() -> None:
    """Gives records `waymark_instance`, `waymark_execution` and `waymark_attempt` (None outside of a call)."""
    make = logging.getLogRecordFactory()

    def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make(*args, **kwargs)
        context = current_or_none()
        record.waymark_instance = None if context is None else str(context.instance_id)
        record.waymark_execution = None if context is None else context.execution_id
        record.waymark_attempt = None if context is None else context.attempt
        return record

    logging.setLogRecordFactory(factory)


class Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        execution = getattr(record, "waymark_execution", None)
        return text if execution is None else f"{text} [{execution} attempt {getattr(record, 'waymark_attempt', 1)}]"


def configure(level: str) -> None:
    """Logs to stderr, unless the users' modules have configured logging themselves."""
    if logging.root.handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.root.addHandler(handler)
    logging.root.setLevel(getattr(logging, level, logging.INFO))
