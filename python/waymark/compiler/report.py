"""`waymark compile app:Welcome` and `waymark check app`: what became of a workflow, line by line, and what is wrong with it."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import pathlib
import sys
import tokenize
import traceback
import types
from collections.abc import Iterable

from waymark import definition
from waymark.compiler.diagnostics import CompileError, Problem
from waymark.compiler.program import Compiled, compile_workflow

PROGRAM_IS_WRONG = 1
CANNOT_RUN = 2
_MARKS = {"native": "", "action": "action", "implicit action": "implicit"}


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    sys.path.insert(0, "")
    definition.checks_early = False
    try:
        workflows = [each for target in options.targets for each in find(target)]
    except LookupError as error:
        print(f"error: {error.args[0]}", file=sys.stderr)
        return CANNOT_RUN
    compiled: list[Compiled] = []
    problems: list[Problem] = []
    wrong = 0
    for workflow in workflows:
        try:
            compiled.append(compile_workflow(workflow))
        except CompileError as error:
            wrong += 1
            problems += error.problems
    if options.command == "check" and options.json:
        print(json.dumps([dataclasses.asdict(problem) for problem in problems], indent=2))
    elif problems:
        print("\n\n".join(problem.render() for problem in problems) + "\n", file=sys.stderr)
    if options.command == "compile":
        _show(compiled, options)
    if options.command == "check" or not options.quiet:
        print(_summary(len(workflows), wrong), file=sys.stderr)
    return PROGRAM_IS_WRONG if wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="waymark", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("compile", "check"):
        command = commands.add_parser(name)
        command.add_argument("targets", nargs="+", metavar="MODULE[:WORKFLOW]")
        command.add_argument("--json", action="store_true", help="print JSON")
        if name == "compile":
            command.add_argument("--wire", metavar="OUT", help="write the program as protobuf; `-` is stdout")
            command.add_argument("--quiet", action="store_true", help="print nothing else")
    return parser


def find(target: str) -> list[type]:
    """The workflows that `app`, `app.py` or `app:Welcome` names. Raises LookupError, which says what is wrong with the module too."""
    module_name, _, wanted = target.partition(":")
    if module_name.endswith(".py"):
        module_name = _module_of(pathlib.Path(module_name))
    module = _load(module_name)
    found = {
        name: live
        for name, live in vars(module).items()
        if isinstance(live, type) and "__waymark__" in vars(live) and live.__module__ == module.__name__
    }
    if not wanted:
        if not found:
            raise LookupError(f"{module_name} has no workflow: a class with @workflow")
        return list(found.values())
    if wanted not in found:
        known = ", ".join(found) or "none at all"
        raise LookupError(f"{module_name} has no workflow {wanted!r}, but {known}")
    return [found[wanted]]


def _module_of(path: pathlib.Path) -> str:
    """Made importable: a file of a package is imported as a part of it, for it may import its neighbours."""
    parts, folder = [path.stem], path.resolve().parent
    while (folder / "__init__.py").exists():
        parts, folder = [folder.name, *parts], folder.parent
    sys.path.insert(0, str(folder))
    return ".".join(parts).removesuffix(".__init__")


def _load(name: str) -> types.ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            raise LookupError(f"there is no module {error.name!r} here") from None
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename.startswith((__file__, importlib.__file__, "<frozen importlib")):
            trace = trace.tb_next
        told = "".join(traceback.format_exception(type(error), error, trace)).rstrip()
        raise LookupError(f"the module {name!r} can't be imported\n\n{told}") from None


def _show(compiled: list[Compiled], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps([_as_json(each) for each in compiled], indent=2))
    elif not options.quiet:
        for each in compiled:
            print("\n".join(lines(each)))
    if options.wire == "-" and compiled:
        sys.stdout.buffer.write(compiled[0].program)
    elif options.wire and compiled:
        pathlib.Path(options.wire).write_bytes(compiled[0].program)


def _as_json(compiled: Compiled) -> dict[str, object]:
    notes = [dataclasses.asdict(note) for note in compiled.notes]
    return {"name": compiled.name, "path": compiled.path, "bytes": len(compiled.program), "lines": notes}


def lines(compiled: Compiled) -> Iterable[str]:
    """The source of every function of the program, with what became of each line before it."""
    fates: dict[tuple[str, int], str] = {}
    for note in compiled.notes:
        for line in range(note.line, note.end_line + 1):
            known = fates.get((note.path, line))
            fates[note.path, line] = note.fate if known in (None, note.fate) else "implicit action"
    yield f"workflow {compiled.name}"
    for path, name, first, last in sorted(compiled.functions, key=lambda each: (each[0] != compiled.path, each[0], each[2])):
        with tokenize.open(path) as file:  # In the encoding that it names.
            text = file.read().splitlines()
        yield f"\n{path}: {name}"
        for number in range(first, last + 1):
            mark = _MARKS[fates.get((path, number), "native")]
            yield f"{number:>5} {mark:<9}| {text[number - 1]}".rstrip()


def _summary(count: int, wrong: int) -> str:
    workflows = "1 workflow" if count == 1 else f"{count} workflows"
    return f"{workflows}: {wrong} with problems" if wrong else f"{workflows}: all fine"
