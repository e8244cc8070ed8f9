"""CI/CD and infrastructure: builds, rollouts, plans, leases."""

from __future__ import annotations

import asyncio
import dataclasses
import enum
import hashlib
import json
import re
import string
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from datetime import timedelta

from corpus import Case, record
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, workflow

ENVIRONMENTS = ("dev", "staging", "prod")
LIMITS = {"dev": 1, "staging": 2, "prod": 4}
DEFAULT_LABELS = {"team": "platform", "managed": "yes"}
IMAGE = re.compile(r"^(?P<name>[a-z/]+):(?P<major>\d+)\.(?P<minor>\d+)(?:-(?P<pre>\w+))?$")
GENTLE = RetryPolicy(attempts=3, backoff=BackoffPolicy(base_delay=0.01, factor=2))


class Status(enum.Enum):
    QUEUED = "queued"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"

    @property
    def is_final(self) -> bool:
        return self in (Status.PASSED, Status.FAILED, Status.SKIPPED)


class Severity(enum.IntEnum):
    INFO = 10
    WARNING = 20
    CRITICAL = 30


@dataclasses.dataclass
class Step:
    name: str
    command: str
    needs: list[str] = dataclasses.field(default_factory=list)
    status: Status = Status.QUEUED
    attempts: int = 0


@dataclasses.dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0
    pre: str = ""

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}" + (f"-{self.pre}" if self.pre else "")

    @classmethod
    def parse(cls, text: str) -> Version:
        match = IMAGE.match(text)
        if match is None:
            raise ValueError(f"not an image: {text!r}")
        return cls(int(match["major"]), int(match["minor"]), match["pre"] or "")


class DeployError(Exception):
    """Everything that can go wrong while deploying."""

    severity = Severity.WARNING


class HealthCheckFailed(DeployError):
    severity = Severity.CRITICAL

    def __init__(self, host: str, code: int) -> None:
        super().__init__(f"{host} answered {code}")
        self.host = host
        self.code = code


class QuotaExceeded(DeployError):
    def __init__(self, environment: str, wanted: int, limit: int = 0) -> None:
        super().__init__(environment, wanted, limit)
        self.environment, self.wanted, self.limit = environment, wanted, limit


@action
async def run_step(name: str, command: str, env: dict[str, str] | None = None) -> int:
    record("run", name, command, sorted((env or {}).items()))
    return 1 if command.startswith("false") else 0


@action
async def deploy(host: str, version: str) -> str:
    record("deploy", host, version)
    return f"{host}@{version}"


@action
async def check(host: str, path: str = "/health", *, strict: bool = False) -> int:
    record("check", host, path, strict)
    if host.endswith("-bad"):
        raise HealthCheckFailed(host, 503)
    return 204 if strict else 200


@action
def note(*what: object, **more: object) -> int:
    record("note", *what, *sorted(more.items()))
    return len(what) + len(more)


@action(retry=RetryPolicy(attempts=2))
async def unreliable(name: str) -> str:
    record("unreliable", name)
    raise ConnectionResetError(104, name)


def order(steps: list[Step]) -> list[list[Step]]:
    """Steps that may run together, wave by wave."""
    waves: list[list[Step]] = []
    done: set[str] = set()
    left = list(steps)
    while left:
        ready = [step for step in left if all(need in done for need in step.needs)]
        if not ready:
            raise ValueError("circle among " + ", ".join(sorted(step.name for step in left)))
        waves.append(ready)
        done |= {step.name for step in ready}
        left = [step for step in left if step.name not in done]
    return waves


@workflow
class BuildPipeline(Workflow):
    """Steps in waves; a failure skips what needs it, and the rest goes on."""

    async def run(self, steps: list[Step], *, env: dict[str, str] | None = None) -> dict[str, object]:
        env = {**DEFAULT_LABELS, **(env or {})}
        broken: set[str] = set()
        waves = order(steps)
        for number, wave in enumerate(waves, start=1):
            blocked = [step for step in wave if broken & set(step.needs)]
            for step in blocked:
                step.status = Status.SKIPPED
                broken.add(step.name)
            runnable = [step for step in wave if step not in blocked]
            codes = await asyncio.gather(*(run_step(step.name, step.command, {**env, "WAVE": str(number)}) for step in runnable))
            for step, code in zip(runnable, codes):
                step.attempts += 1
                step.status = Status.PASSED if code == 0 else Status.FAILED
                if code:
                    broken.add(step.name)
        tally = {status.value: sum(step.status is status for step in steps) for status in Status}
        return {
            "waves": [[step.name for step in wave] for wave in waves],
            "tally": {key: value for key, value in tally.items() if value},
            "final": all(step.status.is_final for step in steps),
            "attempts": sum(step.attempts for step in steps),
        }


@workflow
class RollingDeploy(Workflow):
    """Batches of hosts; the first unhealthy one rolls everything back in reverse."""

    batch_size = 2
    path = "/healthz"

    async def run(self, image: str, hosts: list[str], *, previous: str = "app/web:1.0") -> dict[str, object]:
        new, old = Version.parse(image), Version.parse(previous)
        if not old < new:
            raise DeployError(f"{new} does not come after {old}")
        deployed: list[str] = []
        try:
            for start in range(0, len(hosts), self.batch_size):
                batch = hosts[start : start + self.batch_size]
                for host in batch:
                    deployed.append(await deploy(host, str(new)))
                for host in batch:
                    await check(host, self.path, strict=start > 0)
        except HealthCheckFailed as error:
            undone = await self.roll_back(deployed, old)
            return {"failed": error.host, "code": error.code, "severity": error.severity.name, "undone": undone}
        else:
            return {"deployed": deployed, "last": deployed[-1] if deployed else None}
        finally:
            await note("rollout", image, count=len(deployed))

    async def roll_back(self, deployed: list[str], version: Version) -> list[str]:
        undone = []
        while deployed:
            host, _, _ = deployed.pop().partition("@")
            undone.append(await deploy(host, str(version)))
        return undone


@workflow
class CanaryDeploy(RollingDeploy):
    """The same in batches of one, and gentler."""

    batch_size = 1

    async def roll_back(self, deployed: list[str], version: Version) -> list[str]:
        await note("canary", *[host for host in deployed if "-bad" in host])
        undone = await super().roll_back(deployed[-1:], version)
        return [host.upper() for host in undone]


@workflow
class PlanInfrastructure(Workflow):
    """What has to be created, changed and destroyed to get from one state to another."""

    async def run(self, current: dict[str, dict[str, object]], wanted: dict[str, dict[str, object]]) -> dict[str, object]:
        create = sorted(wanted.keys() - current.keys())
        destroy = sorted(current.keys() - wanted.keys(), reverse=True)
        change = {
            name: {
                key: (current[name].get(key), wanted[name].get(key))
                for key in sorted(current[name].keys() | wanted[name].keys())
                if current[name].get(key) != wanted[name].get(key)
            }
            for name in sorted(current.keys() & wanted.keys())
        }
        change = {name: parts for name, parts in change.items() if parts}
        for name in destroy:
            await note("destroy", name)
        for name in create:
            await note("create", name, **{key: str(value) for key, value in wanted[name].items()})
        for name, parts in change.items():
            for key, (before, after) in parts.items():
                await note("change", name, key, f"{before!r} -> {after!r}")
        summary = f"{len(create)} to add, {len(change)} to change, {len(destroy)} to destroy"
        fingerprint = hashlib.sha256(json.dumps(wanted, sort_keys=True).encode()).hexdigest()[:12]
        return {"summary": summary, "change": change, "fingerprint": fingerprint}


@workflow
class RenderManifests(Workflow):
    """Templates of three kinds, with overrides per environment."""

    template = string.Template("$name-$env:$tag")

    async def run(self, name: str, tag: str, overrides: dict[str, dict[str, int]]) -> list[str]:
        lines: list[str] = []
        for index, env in enumerate(ENVIRONMENTS):
            merged = {"replicas": LIMITS[env], "port": 8000 + index, **overrides.get(env, {})}
            if merged["replicas"] > (limit := 2 * LIMITS[env]):
                raise QuotaExceeded(env, merged["replicas"], limit)
            image = self.template.substitute(name=name, env=env, tag=tag)
            lines.append(f"{image:<24}|{merged['replicas']:03d}|{merged['port']:>6,}")
            lines += ["%-8s=%5.1f%%" % (env, 100 * merged["replicas"] / limit)]
            lines.append("{0!r}:{1:>{width}}".format(env, merged["port"], width=7))
        digest = await note(*lines[:2], total=len(lines))
        return [*lines, str(digest)]


class Lease:
    """A lock with a time limit: a context manager that a fragment may use as a whole."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log

    def __enter__(self) -> Lease:
        self.log.append(f"+{self.name}")
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        self.log.append(f"-{self.name}" + ("!" if error is not None else ""))
        return isinstance(error, KeyError)


@workflow
class MigrateWithLeases(Workflow):
    async def run(self, tables: list[str], sizes: dict[str, int]) -> tuple[list[str], int]:
        log: list[str] = []
        total = 0
        for table in tables:
            with Lease(table, log) as lease:
                total += sizes[lease.name]
                log.append(f"={total}")
            await note("migrated", table, total)
        else:
            log.append("all")
        return log, total


@workflow
class RetryUntilHealthy(Workflow):
    """while/else with a budget, and a policy from a constant."""

    async def run(self, hosts: list[str], budget: int = 3) -> str:
        queue = deque(hosts)
        failures: Counter[str] = Counter()
        while queue and budget > 0:
            host = queue.popleft()
            try:
                code = await self.run_action(check(host), retry=GENTLE, timeout=timedelta(seconds=5))
            except HealthCheckFailed as error:
                failures[error.host] += 1
                budget -= 1
                if failures[host] < 2:
                    queue.append(host)
                continue
            if not 200 <= code < 300:
                break
        else:
            left = ", ".join(queue) or "none"
            return f"left: {left}; budget {budget}; failures {dict(sorted(failures.items()))}"
        return "odd answer"


@workflow
class RecoverArtifacts(Workflow):
    """Exception chaining, and an error that is wrapped at each layer."""

    async def run(self, names: list[str]) -> list[str]:
        found: list[str] = []
        for name in names:
            try:
                found.append(await self.fetch(name))
            except DeployError as error:
                cause = error.__cause__
                found.append(f"{error} <- {type(cause).__name__}: {cause}")
        if len(found) > 2:
            try:
                raise DeployError("too many") from KeyError(len(found))
            finally:
                await note("cleanup", len(found))
        return found

    async def fetch(self, name: str) -> str:
        try:
            return await unreliable(name) if name != "cached" else "hit"
        except OSError as error:
            raise DeployError(f"{name} is lost ({error.errno})") from error


@workflow
class FanOutByRegion(Workflow):
    """Semaphore, tasks by name, results in the order of starting."""

    async def run(self, regions: dict[str, list[str]], at_once: int = 2) -> dict[str, object]:
        gate = asyncio.Semaphore(at_once)
        inside = most = 0

        async def one(region: str, host: str, *, delay: float = 0.01) -> str:
            nonlocal inside, most
            async with gate:
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(delay)
                try:
                    return await deploy(f"{region}.{host}", "2.0")
                finally:
                    inside -= 1

        tasks = {
            (region, host): asyncio.create_task(one(region, host, delay=0.01 * (1 + len(host) % 3)))
            for region, hosts in regions.items()
            for host in hosts
        }
        by_region: defaultdict[str, list[str]] = defaultdict(list)
        for (region, _), task in tasks.items():
            by_region[region].append(await task)
        return {"most": most, "left": inside, **dict(by_region)}


class Matrix:
    """A build matrix: an iterator of one's own."""

    def __init__(self, **axes: list[str]) -> None:
        self.axes = axes

    def __iter__(self) -> Iterator[dict[str, str]]:
        names = list(self.axes)

        def walk(at: int, chosen: dict[str, str]) -> Iterator[dict[str, str]]:
            if at == len(names):
                yield dict(chosen)
                return
            for value in self.axes[names[at]]:
                yield from walk(at + 1, {**chosen, names[at]: value})

        return walk(0, {})

    def __len__(self) -> int:
        size = 1
        for values in self.axes.values():
            size *= len(values)
        return size

    def __contains__(self, combination: dict[str, str]) -> bool:
        return any(each == combination for each in self)


@workflow
class TestMatrix(Workflow):
    __test__ = False

    async def run(self, versions: list[str], systems: list[str], exclude: list[dict[str, str]]) -> dict[str, object]:
        matrix = Matrix(version=versions, system=systems)
        combinations = [each for each in matrix if each not in exclude]
        size = len(matrix)
        has_old = {"version": "3.10", "system": "mac"} in matrix
        codes = {}
        for each in combinations:
            label = "/".join(each.values())
            codes[label] = await run_step(label, "false" if each["version"] == "2.7" else "true", each)
        failed = [label for label, code in codes.items() if code]
        return {"size": size, "ran": len(codes), "failed": failed, "has_old": has_old}


@workflow
class PromoteThroughEnvironments(Workflow):
    """A child workflow for each environment; stops at the first that fails."""

    async def run(self, image: str, *environments: str, dry: bool = False, **hosts: list[str]) -> list[str]:
        outcome: list[str] = []
        for name in environments or ENVIRONMENTS:
            if dry:
                outcome.append(f"{name}: dry")
                continue
            result = await RollingDeploy().run(image, hosts.get(name, []), previous="app/web:0.9")
            if "failed" in result:
                outcome.append(f"{name}: {result['failed']} with {result['code']}")
                break
            outcome.append(f"{name}: {result['last']}")
        else:
            outcome.append("everywhere")
        return outcome


_STEPS = [
    Step("lint", "ruff"), Step("unit", "pytest"), Step("build", "false build", ["lint"]),
    Step("image", "docker", ["build", "unit"]), Step("docs", "mkdocs", ["lint"]),
]  # fmt: skip

CASES = [
    Case(BuildPipeline, (_STEPS,), {"env": {"CI": "1"}}, concurrent=True),
    Case(BuildPipeline, ([Step("a", "x", ["b"]), Step("b", "y", ["a"])],), name="circle"),
    Case(RollingDeploy, ("app/web:1.2", ["a", "b", "c"])),
    Case(RollingDeploy, ("app/web:1.2-rc", ["a", "b", "c-bad", "d"]), name="rolled_back"),
    Case(RollingDeploy, ("app/web:0.2", ["a"]), name="older"),
    Case(RollingDeploy, ("App", ["a"]), name="misspelt"),
    Case(CanaryDeploy, ("app/web:2.0", ["a", "b-bad", "c"])),
    Case(PlanInfrastructure, ({"a": {"size": 1}, "b": {"size": 2, "zone": "x"}}, {"b": {"size": 3, "zone": "x"}, "c": {"size": 1}})),
    Case(RenderManifests, ("shop", "v7", {"prod": {"replicas": 7}})),
    Case(RenderManifests, ("shop", "v7", {"dev": {"replicas": 3}}), name="quota"),
    Case(MigrateWithLeases, (["users", "gone", "orders"], {"users": 3, "orders": 4})),
    Case(RetryUntilHealthy, (["a", "b-bad", "c"],)),
    Case(RetryUntilHealthy, (["a-bad", "b-bad", "c-bad"], 2), name="budget"),
    Case(RecoverArtifacts, (["x", "cached"],)),
    Case(RecoverArtifacts, (["x", "cached", "y"],), name="too_many"),
    Case(FanOutByRegion, ({"eu": ["one", "three"], "us": ["two", "fo"]},), concurrent=True),
    Case(TestMatrix, (["3.10", "2.7"], ["linux", "mac"], [{"version": "2.7", "system": "mac"}])),
    Case(PromoteThroughEnvironments, ("app/web:1.0", "dev", "prod"), {"dev": ["d1"], "prod": ["p1", "p2-bad"]}),
    Case(PromoteThroughEnvironments, ("app/web:1.0",), {"dry": True}, name="dry"),
]
