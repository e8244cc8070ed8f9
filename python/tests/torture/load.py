"""The client: starts instances, sends them signals, waits for them, and never gives up."""

from __future__ import annotations

import asyncio
import json
import pathlib
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from corpus.running import describe, describe_error

from torture import ledger
from torture.cases import Portion
from torture.check import Outcome, Run
from waymark.client import get_handle
from waymark.client.errors import ResultTimeout
from waymark.errors import BridgeError, InstanceExists, InstanceFinished, InstanceNotFound

T = TypeVar("T")

PAUSE_SECONDS = 0.2
#: A start that was not answered by then is given up and made again, under the same id: as by a client that died.
PATIENCE_SECONDS = 6.0
#: Ids stay taken for longer than any torture lasts: who repeats a start finds what it has started.
UNIQUE_SECONDS = 86_400


class Load:
    def __init__(self, portions: list[Portion], seed: int, width: int, journal: pathlib.Path) -> None:
        self._portions, self._random, self._width, self._journal = portions, random.Random(seed), width, journal
        self.runs: list[Run] = []
        #: How often something had to be asked again, by what was said.
        self.repeated: Counter[str] = Counter()
        self._ends = asyncio.Event()

    async def go_on(self) -> None:
        """Until `end`, and until all that was started has ended."""
        await asyncio.gather(*(self._one_after_the_other() for _ in range(self._width)))

    def end(self) -> None:
        """Nothing is started any more."""
        self._ends.set()

    async def _one_after_the_other(self) -> None:
        while not self._ends.is_set():
            await self._one(self._random.choice(self._portions))

    async def _one(self, portion: Portion) -> None:
        name = f"{portion.name}-{len(self.runs)}"
        run = Run(name, portion.name, portion.expected, portion.steps, started_at=time.time())
        self.runs.append(run)
        args = portion.args if portion.steps is None else (name, *portion.args)

        async def start() -> Any:
            starting = portion.workflow().start(*args, id=name, unique_for=UNIQUE_SECONDS, **portion.kwargs)
            return await asyncio.wait_for(starting, PATIENCE_SECONDS)

        handle = await self._insist("start", start)
        run.instances.add(handle.instance_id)
        if self._random.random() < 0.1:
            # Somebody who does not know that it was started.
            run.instances.add((await self._insist("start", start)).instance_id)
        # Those who send wait for no one; what they send again is taken once.
        order = [*portion.signals, *self._random.sample(portion.signals, len(portion.signals) // 2)]
        sending = [asyncio.create_task(self._send(handle, payload)) for payload in order]
        run.outcomes.append(await self._insist("result", lambda: _outcome(handle)))
        run.finished_at = time.time()
        await asyncio.gather(*sending)
        if portion.steps is not None:
            ledger.finished(name, handle.instance_id)
        elif portion.effects is not None:
            run.effects = (self._journalled(handle.instance_id), portion.effects)

    async def _send(self, handle: Any, payload: int) -> None:
        async def send() -> None:
            try:
                await asyncio.wait_for(handle.signal("number", payload, id=str(payload)), PATIENCE_SECONDS)
            except InstanceFinished:
                # It was there already, or it would not have finished.
                return

        await self._insist("signal", send)

    def _journalled(self, instance: str) -> set[str]:
        file = self._journal / instance
        return {str(json.loads(line)) for line in file.read_text().splitlines()} if file.exists() else set()

    async def _insist(self, what: str, ask: Callable[[], Awaitable[T]]) -> T:
        while True:
            try:
                return await ask()
            except (InstanceExists, InstanceNotFound):
                raise
            except (BridgeError, ResultTimeout, asyncio.TimeoutError) as error:
                self.repeated[f"{what}: {type(error).__name__}"] += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def look_again(self) -> None:
        """Whoever asks later is told the same."""
        for run in self.runs:
            for instance in run.instances:
                if run.outcomes:
                    run.outcomes.append(await self._insist("look", lambda: _outcome(get_handle(instance))))
                else:
                    run.stands = str(await self._insist("look", lambda: _standing(instance)))


async def _outcome(handle: Any) -> Outcome:
    try:
        return "completed", describe(await handle.result(timeout=20))
    except (BridgeError, ResultTimeout):
        raise
    except Exception as error:
        return "failed", describe_error(error)


async def _standing(instance: str) -> str:
    about = await get_handle(instance).describe()
    return f"{about.status}, waits for {about.waits_for}, {about.stuck_reason or 'not stuck'}"
