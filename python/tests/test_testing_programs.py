"""Programs run straight to their end, and the process that runs them."""

from __future__ import annotations

import asyncio
import os
import struct
import subprocess
from collections.abc import Iterator

import pytest
from written import program

from waymark._binary import find_binary
from waymark._proto import runner_pb2 as wire
from waymark.errors import CompileError
from waymark.testing import After, RunnerError, run_program
from waymark.testing.process import Runner, shared

GATHERED = """
fn main(input: [items], output: [result]):
    found = await asyncio.gather(*[async @look(item) for item in items], return_exceptions=True)
    print("found", len(found))
    await asyncio.sleep(3600)
    return found
"""


def test_a_run_tells_its_result_and_its_calls() -> None:
    def look(item: int) -> object:
        if item == 2:
            raise ValueError(item)
        return After(5, item * 10) if item == 1 else item * 10

    for resumes in (True, False):
        run = run_program(program(GATHERED), {"items": [1, 2, 3]}, {"look": look}, resume_between_events=resumes)
        assert run.status == "completed", run.error
        assert run.value[0] == 10 and run.value[2] == 30 and run.value[1].args == (2,)
        assert [(call.name, call.args, call.attempt) for call in run.calls] == [("look", (n,), 1) for n in (1, 2, 3)]
        assert run.logs == [("print", "found 3")]
        assert run.elapsed_us == 3_605_000_000


def test_other_ends() -> None:
    run = run_program(program("fn main(input: [], output: []):\n    @f()\n"), actions={"f": lambda: 1 / 0})
    assert run.status == "failed" and isinstance(run.error, ZeroDivisionError)
    run = run_program(program('fn main(input: [], output: []):\n    await waymark.wait_for_signal("go")\n'))
    assert (run.status, run.awaits) == ("waiting", ["signal go"])
    run = run_program(program("fn main(input: [], output: []):\n    @f()\n"))
    assert isinstance(run.error, LookupError)


def test_children_and_timeouts() -> None:
    text = """
workflow parent
fn main(input: [], output: []):
    try:
        @slow() [timeout: 10s]
    except TimeoutError:
        return @workflow child(n=2)
"""
    child = program("workflow child\nfn main(input: [n], output: []):\n    return n * 21\n")
    run = run_program(program(text), actions={"slow": lambda: After(60)}, workflows={"child": child})
    assert (run.value, run.elapsed_us) == (42, 10_000_000)


def test_asynchronous_actions_may_wait_for_their_turn_only() -> None:
    async def polite(n: int) -> int:
        await asyncio.sleep(0)
        return n + 1

    class Elsewhere:
        def __await__(self) -> Iterator[object]:
            yield "somebody has to wake me"

    async def slow() -> None:
        await Elsewhere()

    text = "fn main(input: [], output: []):\n    return @polite(1)\n"
    assert run_program(program(text), actions={"polite": polite}).value == 2
    failed = run_program(program("fn main(input: [], output: []):\n    @slow()\n"), actions={"slow": slow})
    assert isinstance(failed.error, RuntimeError)


def test_a_refused_program_says_why() -> None:
    with pytest.raises(RunnerError, match="the program can't be read"):
        run_program(b"\xff\xff")
    broken = bytearray(program("fn main(input: [], output: []):\n    return 1\n"))
    with pytest.raises((CompileError, RunnerError)):
        run_program(bytes(broken).replace(b"main", b"niam", 1))


def test_one_process_serves_all_and_another_comes_when_it_has_ended() -> None:
    first = shared()
    assert shared() is first
    first.close()
    with pytest.raises(RunnerError, match="the runner has ended"):
        first.ask(wire.Request(look=wire.Look()))
    assert shared() is not first
    assert run_program(program("fn main(input: [], output: []):\n    return 1\n")).value == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_gets_a_process_of_its_own() -> None:
    before = shared()
    child = os.fork()
    if child == 0:
        os._exit(0 if shared() is not before else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_wrong_request_is_refused_and_costs_nobody_else_anything() -> None:
    runner = Runner()
    try:
        for request in [
            wire.Request(),
            wire.Request(start=wire.Start(instance_id=b"short")),
            wire.Request(event=wire.Event()),
        ]:
            with pytest.raises(RunnerError):
                runner.ask(request)
        run = run_program(program("fn main(input: [], output: []):\n    return 1\n"), runner=runner)
        assert run.value == 1
    finally:
        runner.close()


def test_bytes_that_are_no_frames_are_answered() -> None:
    told = subprocess.run(
        [find_binary(), "runner"],
        input=struct.pack(">I", 3) + b"\xff\xff\xff",
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert told.returncode == 0
    (length,) = struct.unpack(">I", told.stdout[:4])
    assert "this is no request" in wire.Answer.FromString(told.stdout[4 : 4 + length]).refused.message
