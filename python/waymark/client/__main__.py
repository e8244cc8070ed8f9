"""`waymark run app:Welcome --input '{"ids": ["a"]}'`: starts an instance and waits for its result, which goes to stdout as JSON."""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import sys
import traceback
from typing import Any

from waymark import definition
from waymark.compiler.diagnostics import CompileError
from waymark.compiler.report import CANNOT_RUN, PROGRAM_IS_WRONG, find
from waymark.compiler.types import hints
from waymark.errors import BridgeError
from waymark.values import coerce
from waymark.workflow import OPTIONS


def main() -> int:
    parser = argparse.ArgumentParser(prog="waymark run", description=__doc__)
    parser.add_argument("target", metavar="MODULE[:WORKFLOW]")
    parser.add_argument("--input", default="{}", metavar="JSON", help="inputs by parameter: JSON, or @FILE")
    parser.add_argument("--id", help="a key of your own: a second start with it finds the first, while that is live")
    parser.add_argument("--on-conflict", choices=["reject", "existing", "replace"], help="what becomes of the start when its id is taken")
    parser.add_argument(
        "--unique-for", type=float, metavar="SECONDS", help="for so long the id stays taken after its instance has finished"
    )
    parser.add_argument("--queue", metavar="NAME", help="the queue it waits in")
    parser.add_argument("--key", help="what limits of its queue count by")
    parser.add_argument("--priority", type=int, metavar="LEVEL", help="from 0 (first) to 3 (last)")
    parser.add_argument("--tag", action="append", dest="tags", metavar="WORD", help="a word to find it by")
    parser.add_argument("--delay", type=float, metavar="SECONDS", help="begin so many seconds from now")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="cancel it if it has not finished so many seconds after its begin")
    parser.add_argument("--no-wait", action="store_true", help="print the instance's id and don't wait for its result")
    parser.add_argument("--json", action="store_true", help="print the outcome as one JSON object")
    options = parser.parse_args()
    sys.path.insert(0, "")
    definition.checks_early = False
    try:
        workflows = find(options.target)
        if len(workflows) > 1:
            known = ", ".join(workflow.__name__ for workflow in workflows)
            raise LookupError(f"{options.target} has several workflows ({known})\nhint: write {options.target}:{workflows[0].__name__}")
        return _run(workflows[0], options)
    except CompileError as error:
        print("\n\n".join(problem.render() for problem in error.problems), file=sys.stderr)
        return PROGRAM_IS_WRONG
    except (LookupError, ValueError, TypeError, OSError, BridgeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return CANNOT_RUN


def _run(workflow: Any, options: argparse.Namespace) -> int:
    text = options.input
    try:
        given = json.loads(pathlib.Path(text[1:]).read_text() if text.startswith("@") else text)
    except ValueError as error:
        raise ValueError(f'the input is no JSON: {error}\nhint: --input \'{{"parameter": "value"}}\', or --input @FILE') from None
    if not isinstance(given, dict):
        raise ValueError('the input is no JSON object: write {"parameter": value}')
    made = workflow.__waymark__
    declared = hints(made.run)
    inputs = {name: coerce(value, declared[name]) if name in declared else value for name, value in given.items()}
    # Not `start`: a parameter may have the name of one of its options.
    placed = {name: getattr(options, name) for name in OPTIONS if name not in ("id", "parent_close")}
    handle = workflow().start_many_sync([inputs], ids=[options.id], **placed)[0]
    if options.no_wait:
        print(json.dumps({"instance_id": str(handle.instance_id)}) if options.json else handle.instance_id)
        return 0
    try:
        result = handle.result_sync()
    except Exception as error:
        if options.json:
            print(json.dumps({"instance_id": str(handle.instance_id), "status": "failed", "error": f"{type(error).__name__}: {error}"}))
        else:
            traceback.print_exception(error)
        return PROGRAM_IS_WRONG
    plain = json.dumps(_keyed(result), default=lambda value: _keyed(_plain(value)))
    wrapped = f'{{"instance_id": "{handle.instance_id}", "status": "completed", "result": {plain}}}'
    print(wrapped if options.json else plain)
    return 0


def _keyed(value: Any) -> Any:
    """With texts for keys that JSON has none for."""
    if isinstance(value, dict):
        return {key if isinstance(key, (str, int, float, type(None))) else str(key): _keyed(item) for key, item in value.items()}
    return [_keyed(item) for item in value] if isinstance(value, (list, tuple)) else value


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump(mode="json")
    if isinstance(value, (set, frozenset)):
        return list(value)
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
