"""What a torture came to, as a table and as JSON."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any

from torture.check import Violation

#: Violations that are shown in full; the others are counted, and are in the JSON.
SHOWN_MAX = 10


@dataclasses.dataclass
class PartReport:
    kind: str
    seed: int
    seconds: float
    #: How a full disk was made.
    disk: str
    #: Injected, by kind.
    faults: dict[str, int]
    #: Kinds that never came.
    missing: list[str]
    #: By workflow.
    instances: dict[str, int]
    #: Of our own workflows, by their keys; and how many attempts were begun again.
    steps: int
    again: int
    #: Of these, after others had done it: they were on their way to a worker when somebody was stopped.
    late: list[str]
    #: What the client asked for again.
    repeated: dict[str, int]
    #: Servers that ended unasked.
    ended: dict[str, int]
    #: Seconds, and after what.
    recovery: tuple[float, str]
    slowest: tuple[float, str]
    violations: list[Violation]
    logs: str

    def text(self) -> str:
        ours = {name: count for name, count in self.instances.items() if name.startswith("Torture")}
        others = sum(self.instances.values()) - sum(ours.values())
        rows = [
            ("seed", str(self.seed)),
            ("seconds", f"{self.seconds:.0f}"),
            ("disk", self.disk),
            *((f"fault: {kind}", str(count)) for kind, count in sorted(self.faults.items())),
            *((f"fault: {kind}", "NEVER") for kind in self.missing),
            *((name, str(count)) for name, count in sorted(ours.items())),
            ("of the corpus", f"{others}, of {len(self.instances) - len(ours)} workflows"),
            ("steps", f"{self.steps}, {self.again} attempts begun again, {len(self.late)} of them late"),
            *(("late", line) for line in self.late[:SHOWN_MAX]),
            *((f"asked again: {what}", str(count)) for what, count in sorted(self.repeated.items())),
            *((what, str(count)) for what, count in sorted(self.ended.items())),
            ("slowest recovery", f"{self.recovery[0]:.1f} s, after: {self.recovery[1]}"),
            ("slowest instance", f"{self.slowest[0]:.1f} s, {self.slowest[1]}"),
            ("violations", str(len(self.violations))),
        ]
        width = max(len(name) for name, _ in rows)
        lines = [f"on {self.kind}", *(f"  {name:{width}}  {value}" for name, value in rows)]
        for violation in self.violations[:SHOWN_MAX]:
            lines += [f"VIOLATION {violation.kind}: {violation.run}: {violation.text}", *(f"    {line}" for line in violation.lines)]
        if self.violations:
            lines.append(f"logs of the servers: {self.logs}")
        return "\n".join(lines)


def as_json(seed: int, parts: list[PartReport]) -> dict[str, Any]:
    violations = sum(len(part.violations) for part in parts)
    return {"seed": seed, "violations": violations, "parts": [dataclasses.asdict(part) for part in parts]}


def read(file: pathlib.Path) -> PartReport:
    row = json.loads(file.read_text())
    violations = [Violation(**violation) for violation in row.pop("violations")]
    return PartReport(**row, violations=violations)
