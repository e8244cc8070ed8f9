"""For pytest: `await Order().run(…)` in a test runs in memory, each test in an environment of its own, with nothing
started.

`waymark_env` is that environment. With the marker `@pytest.mark.waymark_backend("server")`, or `waymark_backend =
"server"` in the configuration of pytest, workflows go to the bridge as they do outside of tests.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from waymark.testing.environment import Environment

BACKENDS = ("memory", "server")

#: What a test that runs no workflow never makes.
_environment: Environment | None = None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("waymark_backend", "Where tests run workflows: memory (the default) or server", default="memory")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", 'waymark_backend(name): run workflows in "memory" or on the "server"')
    _check(config.getini("waymark_backend"), "waymark_backend in the configuration of pytest")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        _check(_backend(item), f"the marker waymark_backend of {item.nodeid}")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, None]:
    """Around everything of a test, its fixtures too."""
    global _environment
    if _backend(item) == "server":
        yield
        return
    from waymark.client import backend

    before = backend.set_default(_current)
    yield
    backend.set_default(before)
    if _environment is not None:
        _environment.close()
        _environment = None


@pytest.fixture
def waymark_env() -> Environment:
    """The environment of this test: mocks, calls, the clock."""
    from waymark.client import backend
    from waymark.testing.environment import Environment

    found = backend.current()
    if not isinstance(found, Environment):
        pytest.fail('waymark_env is for tests that run in memory; this one has waymark_backend "server"')
    return found


def _backend(item: pytest.Item) -> Any:
    marker = item.get_closest_marker("waymark_backend")
    return marker.args[0] if marker is not None and marker.args else item.config.getini("waymark_backend")


def _current() -> Environment:
    global _environment
    if _environment is None:
        from waymark.testing.environment import Environment

        _environment = Environment()
    return _environment


def _check(name: Any, where: str) -> None:
    if name not in BACKENDS:
        raise pytest.UsageError(f"{where} is {name!r}: it has to be one of {', '.join(BACKENDS)}")
