"""What a worker is told by whoever starts it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from waymark.connect import Server

#: Frames that either side has to accept; see worker.proto.
FRAME_BYTES_MAX = 72 << 20


class SettingsError(Exception):
    """A variable is missing or wrong."""


@dataclass(frozen=True)
class Settings:
    #: `unix:/path`, `http://host:port` or `https://host:port`
    address: str
    worker_id: str = ""
    token: str | None = None
    slots: int = 100
    #: To the database, for actions with `transaction`: for those in the loop, and as many for those in threads.
    connections: int = 5
    queues: tuple[str, ...] = ()
    #: Imported before the first call.
    modules: tuple[str, ...] = ()
    log_level: str = "INFO"
    tls_ca: str | None = None
    tls_name: str | None = None

    @property
    def server(self) -> Server:
        return Server(self.address, self.tls_ca, self.tls_name)

    @staticmethod
    def read(variables: Mapping[str, str] = os.environ) -> Settings:
        address = variables.get("WAYMARK_WORKER_ADDRESS", "")
        if not address:
            raise SettingsError(
                "WAYMARK_WORKER_ADDRESS is not set: workers are started by `waymark dev` or `waymark start-workers`; "
                "to start one by hand, set it to http://HOST:PORT (https:// for TLS) of a server's worker_address"
            )
        level = (variables.get("WAYMARK_LOG_LEVEL") or "info").upper()
        return Settings(
            address=address,
            worker_id=variables.get("WAYMARK_WORKER_ID", ""),
            token=variables.get("WAYMARK_WORKER_TOKEN") or None,
            slots=_count(variables, "WAYMARK_WORKER_SLOTS", 100),
            connections=_count(variables, "WAYMARK_WORKER_CONNECTIONS", 5),
            queues=_list(variables.get("WAYMARK_WORKER_QUEUES", "")),
            modules=tuple(_module(name) for name in _list(variables.get("WAYMARK_USER_MODULES", ""))),
            log_level={"WARN": "WARNING", "TRACE": "DEBUG"}.get(level, level),
            tls_ca=variables.get("WAYMARK_TLS_CA") or None,
            tls_name=variables.get("WAYMARK_TLS_NAME") or None,
        )


def _count(variables: Mapping[str, str], name: str, otherwise: int) -> int:
    given = variables.get(name) or str(otherwise)
    if not given.isdecimal() or int(given) < 1:
        raise SettingsError(f"{name} is a whole number, 1 or more, not {given!r}")
    return int(given)


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _module(name: str) -> str:
    """`shop/app.py` is what Python imports as `shop.app`."""
    return name.removesuffix(".py").removeprefix("./").replace("/", ".") if name.endswith(".py") else name
