"""What is wrong with a workflow's source: a code, a place, a label under the text, and what to write instead."""

from __future__ import annotations

import dataclasses

from waymark.errors import CompileError as _CompileError


@dataclasses.dataclass(frozen=True)
class Problem:
    code: str
    message: str
    path: str
    line: int
    """From 1; 0 where there is no source."""
    column: int
    """From 1, in characters."""
    end_column: int
    label: str
    fix: str
    text: str = ""
    """The source line."""
    subject: str = ""
    """The name that it is about, if it is about one."""

    def render(self) -> str:
        head = f"error[{self.code}]: {self.message}"
        if not self.line:
            return "\n".join([head, f" --> {self.path}", f"  = help: {self.fix}"])
        gutter = " " * len(str(self.line))
        # Tabs stay tabs under tabs, so that the marks stand where the text does.
        indent = "".join("\t" if letter == "\t" else " " for letter in self.text[: self.column - 1])
        marks = "^" * max(1, min(self.end_column, len(self.text) + 1) - self.column)
        return "\n".join(
            [
                head,
                f"{gutter}--> {self.path}:{self.line}:{self.column}",
                f"{gutter} |",
                f"{self.line} | {self.text}",
                f"{gutter} | {indent}{marks} {self.label}".rstrip(),
                f"{gutter} |",
                f"{gutter} = help: {self.fix}",
            ]
        )


class CompileError(_CompileError):
    """A workflow can't be compiled. `problems` has all of them."""

    def __init__(self, name: str, problems: list[Problem]) -> None:
        self.name = name
        self.problems = problems
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        super().__init__(f"the workflow {name} has {count}\n\n" + "\n\n".join(each.render() for each in problems))

    def __reduce__(self):
        return CompileError, (self.name, self.problems)
