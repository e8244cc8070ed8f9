"""Notifications and messages: templates, channels with fallbacks, quiet hours, digests, throttling, delivery reports."""

from __future__ import annotations

import abc
import asyncio
import dataclasses
import enum
import functools
import itertools
import operator
import re
import string
import textwrap
import unicodedata
import uuid
from collections.abc import Generator, Iterable
from datetime import datetime, time, timedelta, timezone
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field, field_validator

from corpus import Case, record
from waymark import NonRetryable, RetryPolicy, Workflow, action, workflow

BATCH = 3
NAMESPACE = uuid.UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")


class Channel(enum.Enum):
    EMAIL = "email"
    SMS = "sms"
    PUSH = "push"

    @property
    def limit(self) -> int:
        return {Channel.EMAIL: 200, Channel.SMS: 20, Channel.PUSH: 40}[self]


class Priority(enum.IntEnum):
    LOW = 0
    NORMAL = 5
    URGENT = 9


@dataclasses.dataclass
class User:
    name: str
    channels: list[Channel]
    zone: str = "UTC"
    muted: bool = False
    tags: frozenset[str] = frozenset()


class Notice(BaseModel):
    key: str
    text: str
    priority: Priority = Priority.NORMAL
    data: dict[str, Any] = Field(default_factory=dict)

    @field_validator("text")
    @classmethod
    def has_text(cls, value: str) -> str:
        if not value:
            raise ValueError("empty text")
        return value


class DeliveryError(Exception):
    def __init__(self, channel: Channel, reason: str, *, permanent: bool = False) -> None:
        super().__init__(f"{channel.value}: {reason}")
        self.channel = channel
        self.reason = reason
        self.permanent = permanent


class Bounced(DeliveryError, NonRetryable):
    def __init__(self, channel: Channel) -> None:
        super().__init__(channel, "bounced", permanent=True)


@action(retry=RetryPolicy(attempts=2, backoff_seconds=0.01))
async def deliver(channel: Channel, to: str, text: str) -> str:
    record("deliver", channel.value, to, text)
    if to.startswith("bounce"):
        raise Bounced(channel)
    if to.startswith("busy") and channel is not Channel.EMAIL:
        raise DeliveryError(channel, "busy")
    return f"{channel.value}:{len(text)}"


@action
def audit(event: str, **fields: Any) -> None:
    record("audit", event, dict(sorted(fields.items())))


def render(template: str, values: dict[str, Any]) -> str:
    return string.Template(template).safe_substitute(values)


def ascii_only(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def batches(items: Iterable[Any], size: int) -> Generator[list[Any], None, int]:
    batch: list[Any] = []
    count = 0
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
            count += 1
    if batch:
        yield batch
        count += 1
    return count


@workflow
class NotifyFallback(Workflow):
    """Channels in the user's order, until one takes it. A bounce ends it; everything is audited."""

    async def run(self, user: User, text: str) -> dict[str, Any]:
        errors: list[DeliveryError] = []
        receipt: str | None = None
        try:
            for channel in user.channels:
                short = text if len(text) <= channel.limit else text[: channel.limit - 1] + "…"
                try:
                    receipt = await deliver(channel, user.name, short)
                except Bounced:
                    raise
                except DeliveryError as error:
                    errors.append(error)
                    continue
                else:
                    break
            else:
                raise DeliveryError(user.channels[-1], "no channel left") from (errors[-1] if errors else None)
        except DeliveryError as error:
            await audit("failed", user=user.name, permanent=error.permanent, tried=len(errors))
            raise
        finally:
            await audit("done", user=user.name)
        return {"receipt": receipt, "errors": [str(error) for error in errors]}


@workflow
class NotifyBroadcast(Workflow):
    """Batches of users, each batch at once, with a pause between; failures by their reason."""

    async def run(self, users: list[User], template: str) -> dict[str, Any]:
        sent: list[str] = []
        failed: dict[str, list[str]] = {}
        awake = [user for user in users if not user.muted]
        for number, batch in enumerate(batches(awake, BATCH), start=1):
            texts = [render(template, {"name": user.name, "batch": number}) for user in batch]
            results = await asyncio.gather(
                *(deliver(user.channels[0], user.name, text) for user, text in zip(batch, texts)), return_exceptions=True
            )
            for user, result in zip(batch, results):
                match result:
                    case str():
                        sent.append(f"{user.name}={result}")
                    case DeliveryError(permanent=True, channel=Channel(value=kind)):
                        failed.setdefault(f"gone:{kind}", []).append(user.name)
                    case DeliveryError() as error:
                        failed.setdefault(error.reason, []).append(user.name)
                    case _:
                        raise result
            await asyncio.sleep(0.01)
        return {"sent": sent, "failed": failed, "muted": len(users) - len(awake)}


@workflow
class QuietHours(Workflow):
    """When may a user be woken: zones, days that change, and a window over midnight."""

    START, END = time(22, 0), time(7, 30)

    async def run(self, users: list[User], now: datetime, urgent: bool = False) -> dict[str, str]:
        plan: dict[str, str] = {}
        for user in users:
            at = self.wake_up(user, now) if not urgent else now
            plan[user.name] = "now" if at == now else at.astimezone(timezone.utc).strftime("%d %H:%M")
            if at == now:
                await deliver(user.channels[0], user.name, f"{now:%H:%M}")
        return plan

    def wake_up(self, user: User, now: datetime) -> datetime:
        local = now.astimezone(ZoneInfo(user.zone))
        clock = local.time()
        if not self.is_quiet(clock):
            return now
        day = local.date() + timedelta(days=1 if clock >= self.START else 0)
        return datetime.combine(day, self.END, tzinfo=ZoneInfo(user.zone))

    @classmethod
    def is_quiet(cls, clock: time) -> bool:
        return clock >= cls.START or clock < cls.END


@workflow
class DailyDigest(Workflow):
    """Notices are grouped by key and folded: the most important first, duplicates counted."""

    async def run(self, notices: list[Notice], user: str) -> str:
        ordered = sorted(notices, key=lambda notice: (-notice.priority, notice.key))
        lines: list[str] = []
        for key, group in itertools.groupby(ordered, key=lambda notice: notice.key):
            same = list(group)
            extra = f" (+{len(same) - 1})" if len(same) > 1 else ""
            lines.append(f"{same[0].priority.name:>6} {key}: {same[0].text}{extra}")
        urgent = functools.reduce(operator.or_, (notice.priority >= Priority.URGENT for notice in notices), False)
        body = textwrap.indent("\n".join(lines), "| ")
        await deliver(Channel.PUSH if urgent else Channel.EMAIL, user, body)
        return body


@workflow
class Throttled(Workflow):
    """A token bucket as a closure over nonlocal state, filled by the workflow's own clock."""

    async def run(self, count: int, capacity: int, per_tick: int) -> dict[str, Any]:
        tokens, waited, ticks = capacity, 0, 0

        async def take(cost: int) -> None:
            nonlocal tokens, waited, ticks
            while tokens < cost:
                waited += 1
                await asyncio.sleep(0.001)
                ticks += 1
                tokens = min(capacity, tokens + per_tick)
            tokens -= cost

        order: list[int] = []
        for number in range(count):
            await take(1 + number % 2)
            order.append(tokens)
            await audit("sent", number=number)
        return {"order": order, "waited": waited, "ticks": ticks}


@workflow
class IdempotentSend(Workflow):
    """Keys made of content; what was sent is not sent again, however often it is asked for."""

    async def run(self, requests: list[tuple[str, str]]) -> dict[str, Any]:
        self.sent: dict[uuid.UUID, str] = {}
        self.skipped: list[str] = []
        receipts = [await self.send_once(to, text) for to, text in requests]
        unique = {str(key)[:8] for key in self.sent}
        return {"receipts": receipts, "skipped": self.skipped, "unique": len(unique), "versions": {key.version for key in self.sent}}

    async def send_once(self, to: str, text: str) -> str:
        key = uuid.uuid5(NAMESPACE, f"{to}\n{ascii_only(text).lower().strip()}")
        if (known := self.sent.get(key)) is not None:
            self.skipped.append(to)
            return known
        receipt = await deliver(Channel.EMAIL, to, text)
        self.sent[key] = receipt
        return receipt


class Renderer(abc.ABC):
    kind: ClassVar[str] = "plain"

    def __init__(self, width: int) -> None:
        self.width = width

    @abc.abstractmethod
    def body(self, text: str) -> str: ...

    def whole(self, title: str, text: str) -> str:
        return f"[{self.kind}] {title[: self.width]}\n{self.body(text)}"


class WrapRenderer(Renderer):
    kind = "wrap"

    def body(self, text: str) -> str:
        return "\n".join(textwrap.wrap(text, self.width))


class HtmlRenderer(Renderer):
    kind = "html"

    def body(self, text: str) -> str:
        return "".join(f"<p>{re.sub(r'[<>]', '?', part)}</p>" for part in text.split("\n\n"))

    def whole(self, title: str, text: str) -> str:
        return super().whole(title.upper(), text)


@workflow
class RenderKinds(Workflow):
    """Objects of ordinary classes with inheritance, made and used in the workflow."""

    async def run(self, title: str, text: str) -> dict[str, str]:
        renderers: list[Renderer] = [WrapRenderer(12), HtmlRenderer(width=5)]
        made: dict[str, str] = {}
        for renderer in renderers:
            made[renderer.kind] = renderer.whole(title, text)
            renderer.width += 1
            await audit("rendered", kind=renderer.kind, width=renderer.width)
        widths = {type(renderer).__name__: renderer.width for renderer in renderers}
        return {**made, "widths": str(widths), "abstract": str(isinstance(renderers[0], Renderer))}


@workflow
class ParseCommands(Workflow):
    """Messages that come in: patterns in conditions, one after another."""

    async def run(self, lines: list[str]) -> list[str]:
        answers: list[str] = []
        for line in lines:
            if m := re.match(r"remind (\w+) in (\d+)(m|h)$", line):
                who, amount, unit = m.groups()
                minutes = int(amount) * (60 if unit == "h" else 1)
                answers.append(f"{who} {minutes}")
            elif (m := re.match(r"mute(?: (?P<what>\w+))?", line)) and m["what"] != "nothing":
                answers.append(f"muted {m['what'] or 'all'}")
            elif not (words := line.split()):
                answers.append("empty")
            else:
                answers.append(f"{words[0]}? {len(words)}")
            await audit("command", line=line, count=len(answers))
        return answers


@workflow
class Escalation(Workflow):
    """Somebody has to answer in time; the next one is asked while the first may still answer."""

    async def run(self, delays: dict[str, float], patience: float) -> dict[str, Any]:
        asked: list[str] = []

        async def ask(name: str) -> str:
            asked.append(name)
            await asyncio.sleep(delays[name])
            return name

        waiting: dict[asyncio.Task[str], str] = {}
        winner: str | None = None
        for name in delays:
            waiting[asyncio.create_task(ask(name))] = name
            done, _ = await asyncio.wait(waiting, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if done:
                winner = done.pop().result()
                break
        cancelled = sorted(name for task, name in waiting.items() if not task.done() and task.cancel())
        await audit("escalated", winner=winner, asked=len(asked))
        return {"winner": winner, "asked": asked, "cancelled": cancelled}


@workflow
class SendDigestParts(Workflow):
    """A child: sends the parts of one digest."""

    async def run(self, user: str, *parts: str, sep: str = " ", **options: int) -> dict[str, Any]:
        text = sep.join(parts)
        receipt = await deliver(Channel.EMAIL, user, text)
        return {"receipt": receipt, "parts": len(parts), "options": options}


@workflow
class DigestOfAll(Workflow):
    """Children with arguments in all the ways Python has."""

    async def run(self, users: dict[str, list[str]], options: dict[str, int]) -> list[Any]:
        results: list[Any] = []
        for user, parts in users.items():
            results.append(await SendDigestParts().run(user, *parts, sep="-", **options))
        call = ("zoe", "x", "y")
        results.append(await SendDigestParts().run(*call))
        results.append(await SendDigestParts().run("una"))
        try:
            await SendDigestParts().run("bounce", "z", sep="")
        except Bounced as error:
            results.append((error.channel, error.permanent, error.reason))
        both = await asyncio.gather(*(SendDigestParts().run(name, name) for name in ("p", "q")))
        return [*results, *[each["receipt"] for each in both]]


BUSY = [Channel.SMS, Channel.PUSH, Channel.EMAIL]
CASES = [
    Case(NotifyFallback, (User("busy-bo", BUSY), "a text that is much longer than any short message may be")),
    Case(NotifyFallback, (User("busy-bo", BUSY[:2]), "hi"), name="none"),
    Case(NotifyFallback, (User("bounce", BUSY), "hi"), name="bounced"),
    Case(NotifyFallback, (User("ann", [Channel.PUSH]), "hi"), name="first"),
    Case(
        NotifyBroadcast,
        (
            [
                User("ann", [Channel.SMS]),
                User("bounce", [Channel.PUSH]),
                User("mia", [Channel.SMS], muted=True),
                User("busy", [Channel.SMS]),
                User("cy", [Channel.EMAIL]),
            ],
            "Hello $name, $$5 in ${batch} $unknown",
        ),
        concurrent=True,
    ),  # fmt: skip
    Case(
        QuietHours,
        (
            [User("uk", BUSY, "Europe/London"), User("ny", BUSY, "America/New_York"), User("jp", BUSY, "Asia/Tokyo")],
            datetime(2024, 3, 30, 23, 15, tzinfo=timezone.utc),
        ),
    ),  # fmt: skip
    Case(QuietHours, ([User("uk", BUSY, "Europe/London")], datetime(2024, 3, 30, 23, 15, tzinfo=timezone.utc), True), name="urgent"),
    Case(
        DailyDigest,
        (
            [
                Notice(key="b", text="two"),
                Notice(key="a", text="one", priority=Priority.LOW),
                Notice(key="b", text="two"),
                Notice(key="z", text="fire", priority=Priority.URGENT),
            ],
            "ann",
        ),
    ),  # fmt: skip
    Case(DailyDigest, ([], "ann"), name="empty"),
    Case(Throttled, (6, 3, 2)),
    Case(IdempotentSend, ([("a", "Héllo"), ("b", "Hello"), ("a", "hello "), ("a", "bye")],)),
    Case(RenderKinds, ("A long title", "some text that has to be wrapped\n\nand <b>more</b>")),
    Case(ParseCommands, (["remind ann in 2h", "mute", "mute bob", "mute nothing", "", "do it now", "remind x in y"],)),
    Case(Escalation, ({"ann": 0.5, "ben": 0.015, "cat": 0.01}, 0.01)),
    Case(Escalation, ({"ann": 0.5, "ben": 0.6}, 0.01), name="nobody"),
    Case(SendDigestParts, ("ann", "a", "b"), {"sep": "+", "k": 1}),
    Case(DigestOfAll, ({"ann": ["1", "2"], "bob": []}, {"a": 1}), concurrent=True),
]
