"""`python -m waymark.worker`; settings come by `WAYMARK_WORKER_*` variables, see docs/configuration.md."""

from __future__ import annotations

import asyncio
import concurrent.futures.thread
import logging
import os
import signal
import sys
from contextvars import ContextVar

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
    if hasattr(os, "register_at_fork"):
        _heed_forks()
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


_ENDING = {signal.SIGTERM, signal.SIGINT}
_mask: ContextVar[set[int]] = ContextVar("waymark_signal_mask")


def _heed_forks() -> None:
    """A process that an action forks is no worker. The worker's loop would hear of the signals that its child catches, by a socket that
    both have: what is to end the child would end the worker, and not the child. None may come before that is set right."""
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_begin_in_child)


def _before_fork() -> None:
    _mask.set(signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING))  # type: ignore[arg-type]


def _after_fork() -> None:
    signal.pthread_sigmask(signal.SIG_SETMASK, _mask.get())


def _begin_in_child() -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Threads that are not here are not waited for at its end; new Pythons do that themselves.
    getattr(concurrent.futures.thread, "_threads_queues", {}).clear()
    _after_fork()


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
