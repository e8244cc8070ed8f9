"""Workflows in tests: in memory, with time that skips, scripted results, and assertions on what ran.

    async with testing.Environment() as env:
        env.mock(charge, side_effect=[Declined("no"), Receipt(1)])
        assert await Order().run(42) == Receipt(1)          # a month of sleep takes no time
        assert [call.attempt for call in env.calls(charge)] == [1, 2]

Under pytest every test has an environment without asking for one (`waymark_env`). Actions that are not mocked really
run, in this process: what they wait for themselves is real.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waymark.testing.environment import Environment
    from waymark.testing.mocks import Mock
    from waymark.testing.process import Runner, RunnerBug, RunnerError
    from waymark.testing.programs import After, Called, Run, run_program
    from waymark.testing.records import Call, LogLine, Step

__all__ = [
    "After", "Call", "Called", "Environment", "LogLine", "Mock", "Run", "Runner", "RunnerBug", "RunnerError", "Step",
    "run_program",
]  # fmt: skip

_MODULES = {
    "Environment": "environment",
    "Mock": "mocks",
    **dict.fromkeys(("Runner", "RunnerBug", "RunnerError"), "process"),
    **dict.fromkeys(("After", "Called", "Run", "run_program"), "programs"),
    **dict.fromkeys(("Call", "LogLine", "Step"), "records"),
}


def __getattr__(name: str) -> Any:
    # pytest loads the plugin of this package in every session: one that tests no workflow pays for nothing.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
