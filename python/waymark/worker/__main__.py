"""`python -m waymark.worker`; settings come by `WAYMARK_WORKER_*` variables, see docs/configuration.md."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys

from waymark import definition
from waymark.worker import logs
from waymark.worker.lookup import import_modules, is_missing
from waymark.worker.settings import Settings, SettingsError
from waymark.worker.stream import StreamError, Worker

log = logging.getLogger("waymark.worker")


def main() -> int:
    try:
        settings = Settings.read()
    except SettingsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    # What is printed goes through a pipe to the pool's log; lines come when they are written.
    for output in (sys.stdout, sys.stderr):
        output.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    # Ctrl-C is for the pool, which lets us finish. No SIG_IGN: programs that actions start would inherit it.
    signal.signal(signal.SIGINT, lambda *_: None)
    definition.checks_early = definition.names_are_unique = False
    logs.attribute()
    broken = import_modules(settings.modules)
    logs.configure(settings.log_level)
    for module, error in broken.items():
        if is_missing(module, error):
            hint = "start workers in the directory of your code, or set PYTHONPATH"
            log.error("there is no module %s in %s; hint: %s", module, os.getcwd(), hint)
        else:
            log.error("the module %s can't be imported", module, exc_info=error)
    worker = Worker(settings)
    code = asyncio.run(_run(worker))
    if not worker.is_idle:
        # A thread is still at work, and would keep the process. Its call is run elsewhere.
        logging.shutdown()
        sys.stdout.flush()
        os._exit(code)
    return code


async def _run(worker: Worker) -> int:
    loop = asyncio.get_running_loop()
    running = asyncio.ensure_future(worker.run())

    def leave() -> None:
        if not worker.leave():
            running.cancel()

    loop.add_signal_handler(signal.SIGTERM, leave)
    try:
        await running
    except StreamError as error:
        log.error("%s", error)
        return 1
    except asyncio.CancelledError:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
