"""Runs the cases of `semantics/*.py` in CPython and prints each with its outcome, one JSON object a line.

Cases are separated by a line `# ---`. One that begins with `# each line an expression` is as many cases as it has lines, and
a line that is a bare tuple is as many as it has items. Everything else is statements that set `result`.
"""

import ast
import asyncio
import contextlib
import copy
import datetime
import decimal
import functools
import io
import json
import math
import pathlib
import random
import sys
import textwrap
import time
import uuid
import warnings
import zoneinfo

# What snippets may name; the same for all of them.
MODULES = {m.__name__: m for m in (asyncio, contextlib, copy, datetime, decimal, functools, json, math, random, time, uuid, zoneinfo)}


def main() -> None:
    warnings.simplefilter("ignore")
    for path in sorted((pathlib.Path(__file__).parent / "semantics").glob("*.py")):
        for line, source in cases(path.read_text()):
            end = "return repr(result)" if "result" in source else "return 'nothing was raised'"
            body = textwrap.indent(f"{source}\n{end}\n", "    ")
            print(json.dumps({"file": path.name, "line": line, "body": body, "outcome": run(body)}))


def cases(text: str):
    line = 1
    for block in text.split("# ---\n"):
        first, _, rest = block.partition("\n")
        if first == "# each line an expression":
            for offset, expression in enumerate(logical_lines(rest), start=line + 1):
                for part in parts(expression):
                    yield offset, f"result = {part}\n"
        else:
            yield line, block
        line += block.count("\n") + 1


def logical_lines(text: str):
    """Lines, but a backslash at the end goes on."""
    return text.rstrip("\n").replace("\\\n", "\\\0").split("\n")


def parts(expression: str):
    expression = expression.replace("\\\0", "\\\n")
    tree = ast.parse(expression, mode="eval").body
    if not isinstance(tree, ast.Tuple) or not tree.elts:
        return [expression]
    items = [ast.get_source_segment(expression, item) for item in tree.elts]
    # A tuple in brackets is one case.
    is_bare = tree.elts[0].col_offset == 0 or not (expression.startswith("(") and expression.endswith(")"))
    return [f"({item})" for item in items] if is_bare else [expression]


def run(body: str) -> str:
    names = dict(MODULES)
    exec(f"async def case():\n{body}", names)

    async def guarded() -> str:
        try:
            return await names["case"]()
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    with contextlib.redirect_stdout(io.StringIO()):
        return asyncio.run(guarded())


if __name__ == "__main__":
    sys.exit(main())
