"""How long a workflow of 300 lines takes to compile: `python python/bench/compiler.py`. CPU time, the best of several."""

from __future__ import annotations

import pathlib
import sys
import tempfile
import time

from waymark import definition
from waymark.compiler import compile_workflow

STEP = """        users{n} = await asyncio.gather(*[charge(x, amount={n}) for x in ids])
        active{n} = [user for user in users{n} if user > {n} and user is not None]
        for user in active{n}:
            if user % 2 == 0:
                total += double(user) + {n}
            elif user > 10:
                total -= await charge("x", user)
            else:
                continue
        try:
            match{n} = re.match(r"(\\w+)-(\\d+)", ids[0])
            if match{n}:
                total += int(match{n}.group(2))
        except ValueError as error:
            print(f"bad {{error!r:>10}} {{total}}")
        finally:
            total = max(total, {n})
"""

HEAD = """import asyncio
import re

from waymark import Workflow, action, workflow


@action
async def charge(order: str, amount: int = 1) -> int: ...


def double(x):
    return x * 2


@workflow
class Long(Workflow):
    async def run(self, ids: list[str]):
        total = 0
"""


def main() -> None:
    text = HEAD + "".join(STEP.format(n=n) for n in range(17)) + "        return total\n"
    definition.checks_early = False
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "long_workflow.py").write_text(text)
        sys.path.insert(0, folder)
        from long_workflow import Long  # type: ignore[import-not-found]

        compile_workflow(Long)
        times = []
        for _ in range(10):
            start = time.process_time()
            compile_workflow(Long)
            times.append(time.process_time() - start)
    print(f"{len(text.splitlines())} lines: {min(times) * 1000:.1f} ms of CPU")


if __name__ == "__main__":
    main()
