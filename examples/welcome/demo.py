"""A workflow that survives the death of everything around it: the server and its workers are killed twice. It goes on where it was.

make demo
"""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
IDS = ["ann", "bob", "carla", "dan", "eve", "xaver", "yusuf"]


def say(text: str) -> None:
    print(f"\n• {text}", flush=True)


def serve(folder: pathlib.Path) -> subprocess.Popen[bytes]:
    log = (folder / "server.log").open("ab")
    # A group of its own: the workers die with it, as on a machine whose plug is pulled.
    return subprocess.Popen(["waymark", "dev", "app.py", "--workers", "2"], cwd=HERE, stdout=log, stderr=log, start_new_session=True)


def crash(server: subprocess.Popen[bytes]) -> None:
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def wait_for_mails(outbox: pathlib.Path, count: int, shown: int = 0) -> None:
    """Shows the mails after the first `shown`, as they are sent, until there are `count`."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        lines = outbox.read_text().splitlines() if outbox.exists() else []
        for line in lines[shown:]:
            print(f"    sent  {line}", flush=True)
        shown = max(shown, len(lines))
        if shown >= count:
            return
        time.sleep(0.05)
    raise SystemExit(f"only {shown} mails were sent in a minute; see the server's log")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        outbox = folder / "outbox.txt"
        os.environ.update(
            WAYMARK_HOME=str(folder / "home"),
            WAYMARK_DATABASE_URL=f"sqlite:{folder / 'waymark.db'}",
            OUTBOX=str(outbox),
            WAYMARK_LOG_LEVEL="warn",
        )
        sys.path.insert(0, str(HERE))
        from app import Welcome

        server = None
        try:
            say("A server with two workers, on a SQLite file")
            server = serve(folder)
            say(f"Welcome().start({IDS}, id='monday')")
            handle = Welcome().start_sync(IDS, id="monday")
            print(f"    instance {handle.instance_id}")
            wait_for_mails(outbox, 2)
            say("kill -9 of the server and its workers, while mails are on their way")
            crash(server)
            say("Another server on the same file: what was sent is not sent again, what was on its way is")
            server = serve(folder)
            wait_for_mails(outbox, 6, shown=2)
            say("kill -9 again, while the workflow sleeps")
            crash(server)
            time.sleep(1)
            say("A third one. The same start again finds the instance that is there")
            server = serve(folder)
            receipts = Welcome().start_sync(IDS, id="monday").result_sync(timeout=60)
            wait_for_mails(outbox, 11, shown=6)
            say("The result")
            for receipt in receipts:
                print(f"    {receipt}")
            return 0
        finally:
            if server is not None:
                server.terminate()
                server.wait(30)


if __name__ == "__main__":
    sys.exit(main())
