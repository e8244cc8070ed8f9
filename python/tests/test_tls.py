"""Clients and workers over TLS, and what they say when it does not come about."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from waymark._binary import find_binary
from waymark._proto import bridge_pb2 as wire
from waymark.client import discovery
from waymark.client.bridge import Bridge
from waymark.client.link import Link
from waymark.connect import Server
from waymark.errors import BridgeError, BridgeUnavailable
from waymark.worker.settings import Settings
from waymark.worker.stream import StreamError, Worker

TOKEN = "a-token-for-the-tests"
NAME = "bridge.internal"
SECONDS = 60.0
ROOT = Path(__file__).parents[2]

APP = """
from waymark import Workflow, action, workflow


@action
async def double(n: int) -> int:
    return 2 * n


@workflow
class Doubles(Workflow):
    async def run(self, n: int) -> int:
        return await double(n)
"""


class Place:
    """A server that speaks TLS, and one that does not; `ca` has signed the first one's certificate, `other` nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        authority = trustme.CA()
        leaf = authority.issue_cert(NAME)
        authority.cert_pem.write_to_path(self.path("ca.pem"))
        trustme.CA().cert_pem.write_to_path(self.path("other.pem"))
        leaf.private_key_pem.write_to_path(self.path("key.pem"))
        leaf.cert_chain_pems[0].write_to_path(self.path("certificate.pem"))
        (folder / "app.py").write_text(APP)
        certificate = ["--tls-certificate", self.path("certificate.pem"), "--tls-key", self.path("key.pem")]
        self.secure = self._serve("secure", *certificate)
        self.plain = self._serve("plain")

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def _serve(self, name: str, *arguments: str) -> dict[str, Any]:
        everywhere = ["--bridge-address", "0.0.0.0:0", "--worker-address", "0.0.0.0:0", "--database-url", self.path(f"{name}.db")]
        started = self.start([find_binary(), "dev", "--workers", "0", *everywhere, *arguments], WAYMARK_TOKEN=TOKEN)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and started.poll() is None:
            for file in (self.folder / "home" / "run").glob("*.json"):
                record = json.loads(file.read_text())
                if record["pid"] == started.pid:
                    return record
            time.sleep(0.02)
        raise AssertionError(f"{name} did not start: {(self.folder / 'log').read_text()}")

    def start(self, command: list[str], **variables: str) -> subprocess.Popen[bytes]:
        with open(self.folder / "log", "ab") as log:
            process = subprocess.Popen(
                command, cwd=self.folder, env=self.variables(**variables), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        self._processes.append(process)
        return process

    def variables(self, **more: str) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("WAYMARK_")}
        ours = {"WAYMARK_HOME": self.path("home"), "PYTHONPATH": str(ROOT / "python"), "WAYMARK_BINARY": find_binary()}
        return {**inherited, **ours, **more}

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    place = Place(tmp_path_factory.mktemp("tls"))
    yield place
    place.stop()


def here(address: str, scheme: str = "") -> str:
    """The same server, by loopback."""
    return f"{scheme}127.0.0.1:{address.rpartition(':')[2]}"


def no_binary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **variables: str | None) -> None:
    """Whoever has only an address."""
    for name in [name for name in os.environ if name.startswith("WAYMARK_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("waymark._binary._script_folders", list)
    monkeypatch.setenv("WAYMARK_TOKEN", TOKEN)
    for name, value in variables.items():
        if value is not None:
            monkeypatch.setenv(name, value)


def test_a_client_and_a_worker_by_tls(place: Place) -> None:
    address = here(place.secure["worker_address"], "https://")
    trust = {"WAYMARK_TLS_CA": place.path("ca.pem"), "WAYMARK_TLS_NAME": NAME}
    place.start(
        [sys.executable, "-m", "waymark.worker"],
        WAYMARK_WORKER_ADDRESS=address,
        WAYMARK_WORKER_TOKEN=TOKEN,
        WAYMARK_USER_MODULES="app",
        **trust,
    )
    # Where the bridge is, by an address and by its database.
    ways = [
        {"WAYMARK_BRIDGE_ADDRESS": here(place.secure["address"], "https://")},
        {"WAYMARK_DATABASE_URL": place.path("secure.db")},
    ]
    for n, way in enumerate(ways):
        code = f"import app; print(app.Doubles().run_sync({n}))"
        ran = subprocess.run(
            [sys.executable, "-c", code],
            cwd=place.folder,
            env=place.variables(WAYMARK_TOKEN=TOKEN, **way, **trust),
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert (ran.returncode, ran.stdout) == (0, f"{2 * n}\n"), ran.stderr


async def test_a_client_that_has_only_an_address(place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # 0.0.0.0 is not loopback: an authority is enough to speak TLS with it.
    for address in [here(place.secure["address"], "https://"), place.secure["address"].removeprefix("https://")]:
        no_binary(monkeypatch, tmp_path, WAYMARK_BRIDGE_ADDRESS=address, WAYMARK_TLS_CA=place.path("ca.pem"), WAYMARK_TLS_NAME=NAME)
        link = Link(discovery.find())
        await asyncio.wait_for(link.greet(), SECONDS)
        assert link.info.database_fingerprint == place.secure["fingerprint"]
        link.close()


REFUSED = [
    ("secure", "https://", None, NAME, "nobody that we trust has signed the certificate", "set tls_ca"),
    ("secure", "https://", "other.pem", NAME, "nobody that we trust has signed", "another authority"),
    ("secure", "https://", "ca.pem", None, "is not for this name", "set tls_name"),
    ("secure", "https://", "key.pem", NAME, "there is no certificate in the file", "PEM file"),
    ("secure", "", "ca.pem", NAME, "speaks TLS, and was spoken to in plain text", "write https://"),
    ("plain", "https://", "ca.pem", NAME, "does not speak TLS", "write http://"),
]


@pytest.mark.parametrize("server, scheme, ca, name, message, hint", REFUSED)
async def test_who_can_not_be_trusted_or_understood(
    place: Place,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    server: str,
    scheme: str,
    ca: str | None,
    name: str | None,
    message: str,
    hint: str,
) -> None:
    record = getattr(place, server)
    ca = place.path(ca) if ca else None
    settings = Settings(here(record["worker_address"], scheme), token=TOKEN, tls_ca=ca, tls_name=name)
    with pytest.raises(StreamError, match=f"(?s){message}.*hint: .*{hint}"):
        await asyncio.wait_for(Worker(settings).run(), SECONDS)

    address = here(record["address"], scheme)
    with monkeypatch.context() as binary:
        for variable, value in place.variables(WAYMARK_TOKEN=TOKEN, WAYMARK_BRIDGE_ADDRESS=address).items():
            binary.setenv(variable, value)
        for variable, value in [("WAYMARK_TLS_CA", ca), ("WAYMARK_TLS_NAME", name)]:
            if value is not None:
                binary.setenv(variable, value)
        with pytest.raises(BridgeUnavailable, match=f"(?s){message}.*hint: .*{hint}"):
            await asyncio.to_thread(discovery.find)

    no_binary(monkeypatch, tmp_path, WAYMARK_BRIDGE_ADDRESS=address, WAYMARK_TLS_CA=ca, WAYMARK_TLS_NAME=name)
    bridge = Bridge()
    begun = time.monotonic()
    with pytest.raises(BridgeError, match=f"(?s){message}.*hint: .*{hint}") as raised:
        await asyncio.wait_for(bridge.call("GetInfo", wire.GetInfoRequest(), wire.Info), SECONDS)
    assert TOKEN not in str(raised.value)
    assert time.monotonic() - begun < 20, "time does not mend it, so nobody waits"


CASES = [
    # address, TLS without and with an authority, others can listen without and with one
    ("unix:/run/workers", [False, False], [False, False]),
    ("127.0.0.1:1", [False, False], [False, False]),
    ("[::1]:1", [False, False], [False, False]),
    ("[::ffff:127.0.0.1]:1", [False, False], [False, False]),
    ("localhost:1", [False, False], [False, False]),
    ("http://localhost:1/", [False, False], [False, False]),
    ("https://localhost:1", [True, True], [False, False]),
    ("10.0.0.1:1", [False, True], [True, False]),
    ("0.0.0.0:1", [False, True], [False, False]),
    ("[::]:1", [False, True], [False, False]),
    ("bridge.internal:1", [False, True], [True, False]),
    ("localhost.example:1", [False, True], [True, False]),
    ("http://bridge.internal:1", [False, False], [True, True]),
    ("https://bridge.internal:1", [True, True], [False, False]),
]


@pytest.mark.parametrize("address, secure, exposed", CASES)
def test_where_tls_is_spoken_and_who_can_listen(address: str, secure: list[bool], exposed: list[bool]) -> None:
    """As in the binary: crates/worker/src/connect.rs."""
    servers = [Server(address, ca) for ca in (None, "ca.pem")]
    assert [server.is_secure for server in servers] == secure
    assert [server.is_exposed for server in servers] == exposed


def test_a_token_in_plain_text_is_warned_of_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(discovery, "_warned", set())
    no_binary(monkeypatch, tmp_path, WAYMARK_BRIDGE_ADDRESS="bridge.internal:24117")
    with caplog.at_level(logging.WARNING, "waymark"):
        discovery.find()
        discovery.find()
    assert [record.getMessage().partition(" in ")[0] for record in caplog.records] == ["the token goes to bridge.internal:24117"]
