"""Agents: a model that is asked what to do, tools that are found by their names, and a conversation that grows."""

from __future__ import annotations

import asyncio
import dataclasses
import enum
import hashlib
import json
import logging
import re
import textwrap
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Any

from corpus import Case, record
from waymark import RetryPolicy, Workflow, action, workflow

log = logging.getLogger(__name__)

MAX_STEPS = 6
SYSTEM = "You are a careful assistant."


class Role(str, enum.Enum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclasses.dataclass(frozen=True)
class Message:
    role: Role
    content: str
    name: str | None = None


@dataclasses.dataclass
class ToolCall:
    id: str
    name: str
    arguments: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Reply:
    text: str = ""
    calls: list[ToolCall] = dataclasses.field(default_factory=list)
    tokens: int = 0


class AgentError(Exception):
    """Base of what goes wrong with an agent."""

    retryable = False


class UnknownTool(AgentError):
    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"no tool {name!r}")
        self.name = name
        self.known = known


class BudgetExceeded(AgentError):
    def __init__(self, spent: int, limit: int) -> None:
        super().__init__(spent, limit)
        self.spent = spent
        self.limit = limit

    def __str__(self) -> str:
        return f"spent {self.spent} of {self.limit} tokens"


class ToolFailed(AgentError):
    retryable = True


# The model is scripted: what it says depends on how many messages it has seen.
SCRIPTS: dict[str, list[Reply]] = {
    "weather": [
        Reply("let me look", [ToolCall("c1", "weather", {"city": "Oslo"})], 10),
        Reply("and the sum", [ToolCall("c2", "add", {"a": 2, "b": 5})], 12),
        Reply("It is 7 degrees in Oslo.", [], 8),
    ],
    "parallel": [
        Reply("all at once", [ToolCall(f"p{at}", "weather", {"city": city}) for at, city in enumerate(["Oslo", "Rome", "Atlantis"])], 20),
        Reply("done", [], 5),
    ],
    "unknown": [Reply("", [ToolCall("u1", "launch", {})], 3), Reply("never mind", [], 3)],
    "endless": [Reply("again", [ToolCall("e", "add", {"a": 1, "b": 1})], 40)] * 20,
}


@action
async def think(script: str, messages: list[Message]) -> Reply:
    turn = sum(1 for message in messages if message.role is Role.ASSISTANT)
    record("think", script, turn, len(messages))
    return SCRIPTS[script][turn]


@action
async def weather(city: str) -> dict[str, Any]:
    record("weather", city)
    if city == "Atlantis":
        raise ToolFailed(f"{city} is under water")
    return {"city": city, "celsius": len(city) * 3 - 5}


@action
def add(a: int, b: int) -> int:
    record("add", a, b)
    return a + b


@action
async def lookup(term: str, limit: int = 2) -> list[str]:
    record("lookup", term, limit)
    return [f"{term} #{number}" for number in range(limit)]


TOOLS: dict[str, Any] = {"weather": weather, "add": add, "lookup": lookup}


@workflow
class AgentLoop(Workflow):
    """The loop that everybody writes: think, act, and show the model what came of it."""

    async def run(self, script: str, question: str) -> dict[str, Any]:
        messages = [Message(Role.SYSTEM, SYSTEM), Message(Role.USER, question)]
        tokens = 0
        for step in range(MAX_STEPS):
            reply = await think(script, messages)
            tokens += reply.tokens
            messages.append(Message(Role.ASSISTANT, reply.text))
            if not reply.calls:
                break
            for call in reply.calls:
                tool = TOOLS.get(call.name)
                if tool is None:
                    messages.append(Message(Role.TOOL, f"error: no tool {call.name}", call.id))
                    continue
                try:
                    result = await tool(**call.arguments)
                except ToolFailed as error:
                    result = {"error": str(error)}
                messages.append(Message(Role.TOOL, json.dumps(result), name=call.id))
        else:
            log.warning("gave up after %d steps", MAX_STEPS)
            return {"answer": None, "steps": step + 1, "tokens": tokens}
        return {
            "answer": messages[-1].content,
            "steps": step + 1,
            "tokens": tokens,
            "roles": [message.role.value for message in messages],
            "tools": [message.content for message in messages if message.role is Role.TOOL],
        }


@workflow
class AgentParallelTools(Workflow):
    """All calls of a reply at once; what fails is told to the model rather than raised."""

    async def run(self, script: str) -> list[tuple[str, str]]:
        messages: list[Message] = [Message(Role.USER, "compare")]
        answers: list[tuple[str, str]] = []
        while True:
            reply = await think(script, messages)
            messages.append(Message(Role.ASSISTANT, reply.text))
            if not reply.calls:
                return answers
            results = await asyncio.gather(*[self.call_tool(call) for call in reply.calls], return_exceptions=True)
            for call, result in zip(reply.calls, results):
                match result:
                    case AgentError(retryable=True):
                        text = f"try later: {result}"
                    case UnknownTool(name=name, known=[first, *_]):
                        text = f"{name} is unknown, use {first}"
                    case Exception():
                        text = f"failed: {result!r}"
                    case {"city": city, "celsius": int() as degrees}:
                        text = f"{city}: {degrees:+d}°"
                    case _:
                        text = repr(result)
                answers.append((call.id, text))
                messages.append(Message(Role.TOOL, text, call.id))

    async def call_tool(self, call: ToolCall) -> Any:
        if call.name not in TOOLS:
            raise UnknownTool(call.name, sorted(TOOLS))
        return await TOOLS[call.name](**call.arguments)


@workflow
class AgentBudget(Workflow):
    """Spending is counted by a closure, and stops the loop with an exception of its own."""

    async def run(self, script: str, limit: int) -> str:
        spent = 0
        history: list[int] = []

        def charge(tokens: int) -> int:
            nonlocal spent
            spent += tokens
            history.append(spent)
            if spent > limit:
                raise BudgetExceeded(spent, limit)
            return limit - spent

        messages = [Message(Role.USER, "go")]
        try:
            while True:
                reply = await think(script, messages)
                left = charge(reply.tokens)
                messages.append(Message(Role.ASSISTANT, reply.text))
                if not reply.calls:
                    return f"done with {left} left after {history}"
        except BudgetExceeded as error:
            if error.spent > 2 * error.limit:
                raise AgentError("far too much") from error
            return f"{error} ({len(history)} steps)"


@workflow
class AgentStrictTools(Workflow):
    """Unknown tools end the run, with a cause."""

    async def run(self, script: str) -> str:
        reply = await think(script, [])
        try:
            outputs = [await self.dispatch(call) for call in reply.calls]
        except UnknownTool as error:
            raise AgentError(f"script {script} asks for {error.name}; there are {', '.join(error.known)}") from error
        finally:
            await add(0, len(reply.calls))
        return str(outputs)

    async def dispatch(self, call: ToolCall) -> Any:
        tools = {"weather": weather, "add": add}
        try:
            tool = tools[call.name]
        except KeyError:
            raise UnknownTool(call.name, list(tools)) from None
        return await tool(**call.arguments)


@action
async def summarize(texts: list[str]) -> str:
    record("summarize", texts)
    return " / ".join(text[:4] for text in texts)


@workflow
class AgentMemory(Workflow):
    """A window over the conversation: what falls out is folded into a summary."""

    WINDOW = 4

    async def run(self, turns: list[str]) -> dict[str, Any]:
        self.summary = ""
        self.window: list[Message] = []
        self.folds = 0
        for turn in turns:
            self.remember(Role.USER, turn)
            answer = turn.upper()[::-1]
            self.remember(Role.ASSISTANT, answer)
            if len(self.window) > self.WINDOW:
                await self.fold()
        return {"summary": self.summary, "window": [f"{m.role.name[0]}:{m.content}" for m in self.window], "folds": self.folds}

    def remember(self, role: Role, text: str) -> None:
        self.window.append(Message(role, text.strip()))

    async def fold(self) -> None:
        old, self.window = self.window[: -self.WINDOW // 2], self.window[-self.WINDOW // 2 :]
        texts = ([self.summary] if self.summary else []) + [message.content for message in old]
        self.summary = await summarize(texts)
        self.folds += 1


@action
async def draft(topic: str, feedback: list[str]) -> str:
    record("draft", topic, feedback)
    extra = " ".join(word for note in feedback for word in re.findall(r"'(\w+)'", note))
    return f"{topic} {extra}".strip()


@workflow
class AgentReflect(Workflow):
    """Drafts until a reviewer has nothing more to say. The review is a library's work."""

    async def run(self, topic: str, wanted: list[str], rounds: int = 4) -> dict[str, Any]:
        feedback: list[str] = []
        text = ""
        for attempt in range(1, rounds + 1):
            text = await draft(topic, feedback)
            missing = [word for word in wanted if not re.search(rf"\b{re.escape(word)}\b", text)]
            if not missing:
                digest = hashlib.sha256(text.encode()).hexdigest()[:8]
                return {"text": text, "attempts": attempt, "digest": digest}
            feedback += [f"mention {word!r}" for word in missing[:1]]
        shown = textwrap.shorten(text, width=12, placeholder="…")
        raise AgentError(f"not good after {rounds} rounds: {shown}", feedback)


@workflow
class AgentRouter(Workflow):
    """An intent decides who answers. Handlers are methods, looked up in a dict."""

    async def run(self, utterances: list[str]) -> list[str]:
        handlers: dict[str, Callable[[str], Awaitable[str]]] = {"sum": self.do_sum, "find": self.do_find}
        answers = []
        for utterance in utterances:
            intent, _, rest = utterance.partition(" ")
            handler = handlers.get(intent.lower(), self.do_unknown)
            answers.append(await handler(rest))
        return answers

    async def do_sum(self, text: str) -> str:
        numbers = [int(part) for part in text.split() if part.lstrip("-").isdigit()]
        total = 0
        for number in numbers:
            total = await add(total, number)
        return f"{'+'.join(map(str, numbers))}={total}"

    async def do_find(self, text: str) -> str:
        *terms, last = text.split() or ["nothing"]
        found = [item for term in [*terms, last] for item in await lookup(term, limit=1)]
        return "; ".join(found)

    async def do_unknown(self, text: str) -> str:
        return f"what about {text!r}?"


@dataclasses.dataclass
class Task:
    name: str
    needs: list[str] = dataclasses.field(default_factory=list)
    done: bool = False

    @property
    def is_root(self) -> bool:
        return not self.needs


class CircularPlan(AgentError):
    def __init__(self, left: set[str]) -> None:
        super().__init__("the plan has a circle")
        self.left = sorted(left)


@action
async def carry_out(name: str, inputs: dict[str, int]) -> int:
    record("carry_out", name, inputs)
    return len(name) + sum(inputs.values())


@workflow
class AgentPlan(Workflow):
    """A plan as a graph: in each round everything that is ready runs at once."""

    async def run(self, tasks: list[Task]) -> dict[str, Any]:
        by_name = {task.name: task for task in tasks}
        results: dict[str, int] = {}
        rounds: list[list[str]] = []
        while len(results) < len(by_name):
            ready = sorted(
                (task for task in by_name.values() if not task.done and all(need in results for need in task.needs)),
                key=lambda task: (-len(task.needs), task.name),
            )
            if not ready:
                raise CircularPlan({name for name, task in by_name.items() if not task.done})
            made = await asyncio.gather(*(carry_out(task.name, {need: results[need] for need in task.needs}) for task in ready))
            for task, value in zip(ready, made, strict=True):
                task.done = True
                results[task.name] = value
            rounds.append([task.name for task in ready])
        return {"rounds": rounds, "results": results, "roots": [task.name for task in tasks if task.is_root], "done": tasks[0].done}


@action(retry=RetryPolicy(attempts=3, backoff_seconds=0.01))
async def flaky_tool(key: str) -> str:
    record("flaky_tool", key)
    raise ToolFailed(key)


@workflow
class AgentFallbacks(Workflow):
    """Models by preference; each failure is kept, and the last is raised from the first."""

    async def run(self, keys: list[str]) -> str:
        failures: list[ToolFailed] = []
        for key in keys:
            try:
                if key.startswith("ok"):
                    return f"{await lookup(key)} after {len(failures)}"
                await self.run_action(flaky_tool(key), retry=RetryPolicy(attempts=2, backoff_seconds=0.01))
            except ToolFailed as error:
                failures.append(error)
        raise AgentError(*[str(failure) for failure in failures]) from failures[0]


def tokens_of(text: str) -> Counter[str]:
    return Counter(re.findall(r"[a-z]+", text.lower()))


@workflow
class AgentRetrieval(Workflow):
    """Ranks what was found by its overlap with the question: counters never leave the worker."""

    async def run(self, question: str, terms: list[str]) -> list[tuple[str, int]]:
        found: list[str] = []
        for term in terms:
            found.extend(await lookup(term))
        wanted = tokens_of(question)
        scores = {text: sum((tokens_of(text) & wanted).values()) for text in found}
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        best = [text for text, score in ranked if score]
        await summarize(best)
        return ranked[:3]


@workflow
class AgentDebate(Workflow):
    """Two sides in turns: nested closures that share variables, a queue of arguments."""

    async def run(self, topic: str, rounds: int) -> dict[str, Any]:
        queue: deque[str] = deque([topic], maxlen=3)
        said = {"pro": 0, "con": 0}
        last = ""

        def side(name: str) -> Callable[[], Awaitable[str]]:
            strength = len(name)

            async def speak() -> str:
                nonlocal last, strength
                said[name] += 1
                strength += said[name]
                last = await summarize([name, last or topic])
                return f"{name}{strength}:{last}"

            return speak

        sides = [side("pro"), side("con")]
        transcript: list[str] = []
        for turn in range(rounds * 2):
            transcript.append(await sides[turn % 2]())
        return {"said": said, "last": last, "transcript": transcript, "seen": len(queue)}


@workflow
class AgentSubagent(Workflow):
    """Answers one question for another agent."""

    async def run(self, question: str, depth: int = 0) -> dict[str, Any]:
        if depth > 2:
            raise AgentError("too deep", depth)
        words = question.split()
        if len(words) <= 1:
            return {"question": question, "value": await add(len(question), depth), "children": []}
        half = len(words) // 2
        left, right = await asyncio.gather(
            AgentSubagent().run(" ".join(words[:half]), depth + 1),
            AgentSubagent().run(" ".join(words[half:]), depth=depth + 1),
        )
        return {"question": question, "value": left["value"] + right["value"], "children": [left, right]}


CASES = [
    Case(AgentLoop, ("weather", "How warm is it?")),
    Case(AgentLoop, ("unknown", "?"), name="unknown"),
    Case(AgentLoop, ("endless", "?"), name="endless"),
    Case(AgentParallelTools, ("parallel",), concurrent=True),
    Case(AgentParallelTools, ("unknown",), name="unknown", concurrent=True),
    Case(AgentBudget, ("weather", 100)),
    Case(AgentBudget, ("endless", 100), name="over"),
    Case(AgentBudget, ("endless", 10), name="far-over"),
    Case(AgentStrictTools, ("weather",)),
    Case(AgentStrictTools, ("unknown",), name="unknown"),
    Case(AgentMemory, (["hello", "how are you", " fine ", "bye", "wait"],)),
    Case(AgentReflect, ("cats", ["purr", "claws"])),
    Case(AgentReflect, ("dogs", ["a", "b", "c", "d", "e"]), {"rounds": 2}, name="never"),
    Case(AgentRouter, (["sum 1 2 -3 x", "find tea cup", "dance now", "FIND"],)),
    Case(AgentPlan, ([Task("a"), Task("b"), Task("c", ["a", "b"]), Task("dd", ["c"]), Task("e", ["a"])],), concurrent=True),
    Case(AgentPlan, ([Task("a"), Task("b", ["c"]), Task("c", ["b"])],), name="circle", concurrent=True),
    Case(AgentFallbacks, (["bad", "worse", "ok"],)),
    Case(AgentFallbacks, (["bad", "worse"],), name="all-fail"),
    Case(AgentRetrieval, ("Tea or coffee, tea?", ["tea", "milk"])),
    Case(AgentDebate, ("tabs", 2)),
    Case(AgentSubagent, ("one two three",), concurrent=True),
    Case(AgentSubagent, ("one two three four five six seven eight nine",), name="deep", concurrent=True),
]
