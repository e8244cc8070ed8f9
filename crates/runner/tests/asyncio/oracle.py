"""Runs the programs of `*.flowtest` on real asyncio, in virtual time, and prints what each did, one JSON object a line.

Durable functions become `async def`, calls of actions become calls of `act`. The loop never blocks: when nothing is
ready, an action that was asked to stop says so; else the oldest action that is out answers with its arguments (`fail`
raises); only when none is out does time jump to the next timer.
"""

import asyncio
import contextlib
import itertools
import json
import pathlib
import re
import selectors


def main() -> None:
    for path in sorted(pathlib.Path(__file__).parent.glob("*.flowtest")):
        for name, source in programs(path.read_text()):
            print(json.dumps({"name": f"{path.stem}: {name}", "source": source, **run(translate(source))}))


def programs(text: str):
    for part in text.split("=== ")[1:]:
        name, _, source = part.partition("\n")
        yield name, source


def translate(source: str) -> str:
    source = re.sub(r"^fn (\w+)\(input: \[(.*)\], output: \[.*\]\):", r"async def \1(\2):", source, flags=re.M)
    source = re.sub(r"^fn (\w+)\(\):", r"async def \1():", source, flags=re.M)
    source = re.sub(r"spread(\(.*?\))? (.+?):(\w+) -> @(\w+)\((.*)\)$", r"spread\1 \2:\3 -> act('\4', \5)", source, flags=re.M)
    source = re.sub(r"spread(?:\((.*?)\))? (.+?):(\w+) -> (.*)$", r"await asyncio.gather(*[\4 for \3 in \2], \1)", source, flags=re.M)
    source = re.sub(r"async @(\w+)\(", r"act('\1', ", source)
    return re.sub(r"@(\w+)\(", r"await act('\1', ", source)


class Blocked(BaseException):
    """Nothing will ever happen any more."""


class TooLong(BaseException):
    """The program prints more than it may."""


class Action(asyncio.Future):
    """Asked to stop, it has stopped only when the loop has nothing else to do."""

    def cancel(self, msg=None):
        loop = self.get_loop()
        if self.done() or self in loop.stopping:
            return not self.done()
        loop.stopping.append(self)
        return True

    def stopped(self):
        super().cancel()


class Task(asyncio.Task):
    """Sets of tasks are in the order of creation, not of addresses."""

    numbers = itertools.count()

    def __init__(self, *args, **options):
        self.number = next(Task.numbers)
        super().__init__(*args, **options)

    def __hash__(self):
        return self.number


class Selector(selectors.DefaultSelector):
    loop = None

    def select(self, timeout=None):
        if timeout != 0:
            self.loop.nothing_is_ready(timeout)
        return []


class Loop(asyncio.SelectorEventLoop):
    def __init__(self):
        selector = Selector()
        super().__init__(selector)
        selector.loop = self
        self._clock_resolution = 1e-8
        self.now = 0.0
        self.timers = itertools.count()
        self.out, self.stopping = [], []
        self.set_task_factory(lambda loop, coroutine, **options: Task(coroutine, loop=loop, **options))
        self.set_exception_handler(lambda loop, context: None)

    def time(self):
        return self.now

    def call_at(self, when, callback, *args, context=None):
        # Equal times stay in the order of the calls.
        return super().call_at(round(when, 6) + next(self.timers) * 1e-12, callback, *args, context=context)

    def nothing_is_ready(self, timeout):
        if self.stopping:
            action = self.stopping.pop(0)
            if action in self.out:
                self.out.remove(action)
            action.stopped()
        elif self.out:
            action = self.out.pop(0)
            if action.name == "fail":
                action.set_exception(ValueError("failed"))
            else:
                action.set_result(action.value)
        elif timeout is not None:
            self.now = round(self.now + timeout, 6)
        else:
            raise Blocked


async def act(name, **arguments):
    action = Action()
    action.name, action.value = name, arguments
    loop = asyncio.get_running_loop()
    loop.out.append(action)
    return await action


def run(source: str, lines_max: int = 10_000) -> dict:
    lines = []

    def say(*parts):
        if len(lines) == lines_max:
            raise TooLong
        lines.append(" ".join(map(str, parts)))

    names = {"asyncio": asyncio, "contextlib": contextlib, "act": act, "print": say}
    exec(source, names)
    Task.numbers = itertools.count()
    runner = asyncio.Runner(loop_factory=Loop)
    loop = runner.get_loop()
    try:
        ending = "completed " + json.dumps(runner.run(names["main"]()))
    except Blocked:
        ending = "waits for ever"
    except BaseException as error:
        ending = failure(error)
    # A loop that is blocked can't be closed in good order any more.
    if ending != "waits for ever":
        runner.close()
    return {"lines": lines, "ending": ending, "elapsed": round(loop.time(), 6)}


def failure(error: BaseException) -> str:
    return f"raised {type(error).__name__} {json.dumps(error.args)}"


if __name__ == "__main__":
    main()
