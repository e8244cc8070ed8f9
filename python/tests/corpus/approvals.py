"""Human approval: people are actions that answer from a script. Quorums, chains, deadlines, delegation, amendments."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import dataclasses
import enum
import json
import logging
import operator
import statistics
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, Optional

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from corpus import Case, record
from waymark import Workflow, action, workflow

logger = logging.getLogger("approvals")


class Vote(enum.Enum):
    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"
    LATER = "later"

    def __bool__(self) -> bool:
        return self is Vote.YES

    @classmethod
    def parse(cls, text: str) -> Vote:
        return cls(text.strip().lower())


class Stage(str, enum.Enum):
    DRAFT = "draft"
    REVIEW = "review"
    APPROVED = "approved"
    REJECTED = "rejected"

    @property
    def is_final(self) -> bool:
        return self in (Stage.APPROVED, Stage.REJECTED)


class ApprovalError(Exception):
    code = 0

    def __init__(self, message: str, **context: Any) -> None:
        super().__init__(message)
        self.context = context


class Rejected(ApprovalError):
    code = 1


class Expired(ApprovalError, TimeoutError):
    code = 2


class Expense(BaseModel):
    model_config = ConfigDict(extra="allow", validate_assignment=True)

    who: str
    amount: Decimal = Field(gt=0)
    purpose: str = ""
    approvers: list[str] = Field(default_factory=list)
    _notes: list[str] = PrivateAttr(default_factory=list)

    @model_validator(mode="after")
    def not_oneself(self) -> Expense:
        if self.who in self.approvers:
            raise ValueError("nobody approves their own expenses")
        return self

    def note(self, text: str) -> int:
        self._notes.append(text)
        return len(self._notes)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)


@dataclasses.dataclass
class Document:
    title: str
    body: str
    stage: Stage = Stage.DRAFT
    version: int = 1
    history: list[tuple[int, Stage]] = dataclasses.field(default_factory=list)

    def move(self, stage: Stage) -> Document:
        self.history.append((self.version, self.stage))
        self.stage = stage
        return self

    def __str__(self) -> str:
        return f"{self.title} v{self.version} ({self.stage.value})"


ANSWERS: dict[str, list[str]] = {
    "ann": ["yes"], "ben": ["no"], "cat": ["later", "later", "yes"], "dan": ["abstain"], "eve": ["YES "], "fay": ["maybe"],
}  # fmt: skip


@action
async def ask(person: str, question: str, round: int = 0) -> str:
    record("ask", person, question, round)
    answers = ANSWERS[person]
    return answers[min(round, len(answers) - 1)]


@action
async def log_event(kind: str, *details: Any) -> None:
    record("log_event", kind, *details)


@workflow
class ApproveQuorum(Workflow):
    """Everybody is asked at once; the majority of those who did not abstain decides, as a fraction."""

    async def run(self, people: list[str], needed: Fraction) -> dict[str, Any]:
        answers = await asyncio.gather(*[ask(person, "merge?") for person in people])
        votes: dict[str, Vote] = {}
        invalid: list[str] = []
        for person, answer in zip(people, answers):
            try:
                votes[person] = Vote.parse(answer)
            except ValueError as error:
                invalid.append(f"{person}: {error}")
        counts = Counter(vote.value for vote in votes.values())
        counted = [vote for vote in votes.values() if vote is not Vote.ABSTAIN]
        share = Fraction(sum(1 for vote in counted if vote), len(counted)) if counted else Fraction(0)
        return {"share": share, "passed": share >= needed, "counts": dict(counts), "invalid": invalid}


@workflow
class ApproveChain(Workflow):
    """One after another by the amount; the first no ends it with an exception that says where."""

    LIMITS = OrderedDict([("ann", Decimal("100")), ("eve", Decimal("1000")), ("ben", Decimal("10000"))])

    async def run(self, who: str, amount: Decimal) -> list[str]:
        chain = list(self.chain(amount))
        signed: list[str] = []
        try:
            for step, person in enumerate(chain, 1):
                if not Vote.parse(await ask(person, f"{who}: {amount:,.2f}", step)):
                    raise Rejected(f"{person} said no", step=step, of=len(chain))
                signed.append(person)
        except Rejected as error:
            logger.info("rejected: %s", error)
            await log_event("rejected", error.context, error.code)
            if step == 1:
                return [f"at once by {chain[0]}"]
            raise ApprovalError(f"{who} gets nothing", signed=signed) from error
        else:
            await log_event("approved", *signed)
        return signed

    def chain(self, amount: Decimal) -> Iterator[str]:
        for person, limit in self.LIMITS.items():
            yield person
            if amount <= limit:
                return


@workflow
class ApproveWithPatience(Workflow):
    """Those who say "later" are asked again, with longer and longer pauses, a few times."""

    async def run(self, person: str, rounds: int) -> str:
        pauses = [0.001 * 2**number for number in range(rounds)]
        for round, pause in enumerate(pauses):
            vote = Vote.parse(await ask(person, "now?", round))
            match vote, rounds - round - 1:
                case Vote.YES | Vote.NO, left:
                    return f"{vote.name} with {left} left"
                case Vote.LATER, 0:
                    raise Expired(f"{person} never answered", rounds=rounds)
                case Vote.LATER, _:
                    await asyncio.sleep(pause)
                case other, _:
                    return f"{other.value}?"
        return "nobody asked"


@workflow
class ExpenseReport(Workflow):
    """A pydantic model with validation on assignment, extra fields and private notes, carried through the whole run."""

    async def run(self, data: dict[str, Any]) -> dict[str, Any]:
        expense = Expense.model_validate(data)
        expense.note("received")
        problems: list[str] = []
        for approvers in (["ann"], [expense.who], ["eve", "ben"]):
            try:
                expense.approvers = approvers
            except ValidationError as error:
                problems.append(error.errors()[0]["msg"])
                expense.note(f"refused {approvers[0]}")
        try:
            expense.amount = Decimal("-1")
        except ValidationError as error:
            problems.append(error.errors()[0]["type"])
        for person in expense.approvers:
            expense.note(f"{person}: {await ask(person, expense.purpose)}")
        doubled = expense.model_copy(update={"amount": expense.amount * 2})
        await log_event("expense", str(doubled.amount), len(expense.notes))
        return {
            "problems": problems, "notes": expense.notes, "approvers": expense.approvers, "extra": expense.model_extra,
            "doubled": doubled.amount, "copied": doubled.notes == expense.notes, "dump": json.loads(expense.model_dump_json()),
        }  # fmt: skip


@workflow
class DocumentReview(Workflow):
    """A document goes back and forth; versions are deep copies, the current one is shared."""

    async def run(self, document: Document, reviewers: list[str]) -> dict[str, Any]:
        versions: list[Document] = []
        current = document
        while not current.stage.is_final:
            versions.append(copy.deepcopy(current))
            current.move(Stage.REVIEW)
            votes = [Vote.parse(await ask(person, str(current), current.version - 1)) for person in reviewers]
            if any(vote is Vote.NO for vote in votes):
                current.move(Stage.REJECTED)
            elif all(votes):
                current.move(Stage.APPROVED)
            elif current.version >= 3:
                current.move(Stage.REJECTED)
            else:
                current = dataclasses.replace(current.move(Stage.DRAFT), version=current.version + 1, body=current.body + "!")
        await log_event(current.stage, str(current))
        return {
            "final": current, "versions": [str(version) for version in versions], "shared": current.history is document.history,
            "lengths": [len(version.history) for version in versions], "first": str(document),
        }  # fmt: skip


@workflow
class FirstAnswerWins(Workflow):
    """A race between people, with a deadline for all of them; losers are told."""

    async def run(self, delays: dict[str, float], deadline: float) -> dict[str, Any]:
        told: list[str] = []

        async def person(name: str) -> tuple[str, Vote]:
            try:
                await asyncio.sleep(delays[name])
            except asyncio.CancelledError:
                told.append(name)
                raise
            return name, Vote.parse(await ask(name, "quick"))

        tasks = [asyncio.create_task(person(name)) for name in delays]
        result: dict[str, Any] = {}
        try:
            for finished in asyncio.as_completed(tasks, timeout=deadline):
                name, vote = await finished
                if vote:
                    result["winner"] = name
                    break
                result.setdefault("no", []).append(name)
            else:
                result["winner"] = None
        except asyncio.TimeoutError:
            result["late"] = [name for name, task in zip(delays, tasks) if not task.done()]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        await log_event("told", sorted(told))
        return {**result, "told": sorted(told)}


@workflow
class Delegation(Workflow):
    """Who is away passes it on: a recursive closure with a memory of where it has been."""

    async def run(self, start: str, away: dict[str, str]) -> dict[str, Any]:
        path: list[str] = []

        async def decide(person: str, depth: int = 0) -> Vote:
            if person in path:
                raise ApprovalError("a circle", path=[*path, person], depth=depth)
            path.append(person)
            if (delegate := away.get(person)) is not None:
                return await decide(delegate, depth + 1)
            return Vote.parse(await ask(person, "->".join(path), depth))

        outcome: dict[str, Any]
        try:
            outcome = {"vote": await decide(start)}
        except ApprovalError as error:
            outcome = {"error": str(error), **error.context}
        with contextlib.suppress(ValueError):
            path.remove("nobody")
            path.append("unreachable")
        await log_event("path", path)
        return outcome


@workflow
class Estimates(Workflow):
    """Everybody estimates, outliers are asked again, and the numbers are summed up by a library."""

    async def run(self, estimates: dict[str, list[float]], spread: float) -> dict[str, Any]:
        current = {name: values[0] for name, values in estimates.items()}
        asked: Counter[str] = Counter()
        for round in range(1, 4):
            middle = statistics.median(current.values())
            outliers = sorted(name for name, value in current.items() if abs(value - middle) > spread)
            if not outliers:
                break
            asked.update(outliers)
            await log_event("outliers", round, outliers)
            current |= {name: estimates[name][min(round, len(estimates[name]) - 1)] for name in outliers}
        mean = Decimal(str(statistics.fmean(current.values()))).quantize(Decimal("0.1"), ROUND_HALF_UP)
        low, *_, high = sorted(current.items(), key=operator.itemgetter(1))
        return {"mean": mean, "ends": (low, high), "most": asked.most_common(1), "spread": round(statistics.pstdev(current.values()), 3)}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Clause:
    """Only its text counts."""

    text: str
    author: str = dataclasses.field(default="?", compare=False)
    drafts: tuple[str, ...] = dataclasses.field(default=(), repr=False, compare=False)

    def amended(self, text: str, author: str) -> Clause:
        return dataclasses.replace(self, text=text, author=author, drafts=(*self.drafts, self.text))


@workflow
class ContractClauses(Workflow):
    """Clauses that are equal though others wrote them, can't be changed, and remember their drafts."""

    async def run(self, texts: list[tuple[str, str]]) -> dict[str, Any]:
        clauses = [Clause(text=text, author=author) for text, author in texts]
        unique: list[Clause] = []
        for clause in clauses:
            if clause not in unique:
                unique.append(clause)
        try:
            unique[0].text = "something else"  # type: ignore[misc]
        except dataclasses.FrozenInstanceError as error:
            refused = str(error)
        answer = await ask("eve", unique[0].text)
        amended = unique[0].amended(f"{unique[0].text} ({answer.strip()})", "eve")
        return {
            "unique": len(unique), "refused": refused, "shown": f"{amended}", "drafts": amended.drafts, "same": amended == unique[0],
            "reverted": amended.amended(unique[0].text, "ann") == unique[0], "hash": len({*clauses}),
        }  # fmt: skip


def working_days(start: date, days: int, holidays: frozenset[date]) -> date:
    """Native: dates and a loop."""
    current = start
    while days > 0:
        current += timedelta(days=1)
        if current.weekday() < 5 and current not in holidays:
            days -= 1
    return current


class LeaveRequest(BaseModel):
    who: str
    start: date
    days: int = Field(default=1, ge=1, le=30)
    until: Optional[date] = None

    def overlaps(self, other: LeaveRequest) -> bool:
        return self.start <= (other.until or other.start) and other.start <= (self.until or self.start)


HOLIDAYS = frozenset({date(2024, 12, 25), date(2024, 12, 26)})


@workflow
class LeavePlanning(Workflow):
    """Leave of several people: who overlaps with too many others is asked to move."""

    async def run(self, requests: list[LeaveRequest], allowed: int) -> dict[str, Any]:
        for request in requests:
            request.until = working_days(request.start, request.days, HOLIDAYS)
        granted: list[LeaveRequest] = []
        moved: dict[str, date] = {}
        for request in sorted(requests, key=lambda each: (each.start, each.who)):
            clashing = [other.who for other in granted if request.overlaps(other)]
            if len(clashing) > allowed and not Vote.parse(await ask(request.who, ",".join(clashing))):
                moved[request.who] = request.start + timedelta(weeks=1)
                continue
            granted.append(request)
        longest = max(granted, key=lambda each: each.days)
        await log_event("leave", [request.who for request in granted])
        return {"granted": {each.who: each.until for each in granted}, "moved": moved, "longest": longest.who}


@workflow
class TwoPhaseSignOff(Workflow):
    """Prepared by all, then committed; undone in the other order by a stack of callbacks if somebody refuses."""

    async def run(self, teams: dict[str, str]) -> list[str]:
        trail: list[str] = []
        undo: list[tuple[Callable[[str], str], str]] = []

        def release(team: str) -> str:
            trail.append(f"released {team}")
            return team

        try:
            for team, person in teams.items():
                trail.append(f"prepared {team}")
                undo.append((release, team))
                answer = await ask(person, team)
                assert Vote.parse(answer), f"{team} refused: {answer}"
            undo.clear()
            trail.append("committed")
        except AssertionError as error:
            trail.append(str(error))
        except ValueError:
            trail.append("nonsense")
            raise
        finally:
            while undo:
                function, team = undo.pop()
                await log_event("undo", function(team))
        return trail


CASES = [
    Case(ApproveQuorum, (["ann", "ben", "dan", "eve", "fay"], Fraction(2, 3)), concurrent=True),
    Case(ApproveQuorum, (["dan"], Fraction(1, 2)), name="abstained"),
    Case(ApproveChain, ("zoe", Decimal("750.5"))),
    Case(ApproveChain, ("zoe", Decimal("7500")), name="rejected"),
    Case(ApproveWithPatience, ("cat", 4)),
    Case(ApproveWithPatience, ("cat", 2), name="expired"),
    Case(ApproveWithPatience, ("dan", 1), name="abstained"),
    Case(ApproveWithPatience, ("fay", 1), name="nonsense"),
    Case(ExpenseReport, ({"who": "zoe", "amount": "12.50", "purpose": "tea", "cost_center": 7},)),
    Case(ExpenseReport, ({"who": "zoe", "amount": "0"},), name="refused"),
    Case(DocumentReview, (Document("Plan", "text"), ["ann", "cat"])),
    Case(DocumentReview, (Document("Plan", "text"), ["ann", "ben"]), name="rejected"),
    Case(DocumentReview, (Document("Plan", "text"), ["dan"]), name="undecided"),
    Case(FirstAnswerWins, ({"ann": 0.02, "ben": 0.01, "eve": 0.05}, 1.0)),
    Case(FirstAnswerWins, ({"ann": 0.5, "ben": 0.01}, 0.03), name="late"),
    Case(FirstAnswerWins, ({"ben": 0.01, "dan": 0.02}, 1.0), name="nobody"),
    Case(Delegation, ("x", {"x": "y", "y": "ann"})),
    Case(Delegation, ("x", {"x": "y", "y": "x"}), name="circle"),
    Case(Estimates, ({"a": [3, 3], "b": [8, 5], "c": [1, 2, 4], "d": [4]}, 1.5)),
    Case(Estimates, ({"a": [1], "b": [1]}, 1), name="agreed"),
    Case(
        LeavePlanning,
        (
            [
                LeaveRequest(who="ann", start=date(2024, 12, 20), days=3),
                LeaveRequest(who="ben", start=date(2024, 12, 23), days=2),
                LeaveRequest(who="eve", start=date(2024, 12, 24)),
                LeaveRequest(who="dan", start=date(2025, 1, 2)),
            ],
            0,
        ),
    ),  # fmt: skip
    Case(ContractClauses, ([("pay", "ann"), ("pay", "ben"), ("leave", "ann")],)),
    Case(TwoPhaseSignOff, ({"db": "ann", "web": "eve"},)),
    Case(TwoPhaseSignOff, ({"db": "ann", "web": "ben", "ops": "eve"},), name="refused"),
    Case(TwoPhaseSignOff, ({"db": "ann", "web": "fay"},), name="nonsense"),
]
