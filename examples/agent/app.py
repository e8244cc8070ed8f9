"""An agent: a model says which tools to call, the workflow calls them by their names, until there is an answer.

A crash, or a model that is down for an hour, costs nothing that was already said and done.

    python app.py                                                    # all of it, on a SQLite file in .waymark

    waymark dev app.py                                               # or: a server with workers, in one terminal
    waymark run app:Agent --input '{"question": "What is 3 times the population of Oslo?"}'    # in another
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Literal

from pydantic import BaseModel, Field

from waymark import RetryPolicy, Workflow, action, workflow

STEPS_MAX = 8


class ToolCall(BaseModel):
    id: str
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Message(BaseModel):
    role: Literal["user", "assistant", "tool"]
    text: str = ""
    calls: list[ToolCall] = Field(default_factory=list)
    #: Which call a tool's message answers.
    answers: str | None = None


class Answer(BaseModel):
    text: str
    steps: int
    tools_used: list[str]


# Put your model's client here. This one follows a script: what it says depends on what it was told last.
@action(retry=RetryPolicy(attempts=5, backoff_seconds=1), timeout=120)
async def ask_model(messages: list[Message]) -> Message:
    heard = [message for message in messages if message.role == "tool"]
    match len(heard):
        case 0:
            calls = [
                ToolCall(id="1", tool="population", arguments={"city": "Oslo"}),
                ToolCall(id="2", tool="population", arguments={"city": "Atlantis"}),
            ]
            return Message(role="assistant", text="I look both up.", calls=calls)
        case 2:
            people = json.loads(heard[0].text)
            call = ToolCall(id="3", tool="multiply", arguments={"a": 3, "b": people})
            return Message(role="assistant", text="Now the sum.", calls=[call])
        case 3:
            return Message(role="assistant", text="I ask around.", calls=[ToolCall(id="4", tool="telephone")])
        case _:
            return Message(role="assistant", text=f"It is {heard[2].text}. {heard[1].text}.")


@action
async def population(city: str) -> int:
    known = {"Oslo": 717_710, "Rome": 2_748_109}
    if city not in known:
        raise LookupError(f"{city} is on no map")
    return known[city]


@action
def multiply(a: int, b: int) -> int:
    return a * b


TOOLS = {"population": population, "multiply": multiply}


@workflow
class Agent(Workflow):
    async def run(self, question: str) -> Answer:
        self.used: list[str] = []
        messages = [Message(role="user", text=question)]
        for step in range(1, STEPS_MAX + 1):
            reply = await ask_model(messages)
            messages.append(reply)
            if not reply.calls:
                return Answer(text=reply.text, steps=step, tools_used=self.used)
            # All tools of a reply at once.
            messages += await asyncio.gather(*[self.call(call) for call in reply.calls])
        raise RuntimeError(f"no answer after {STEPS_MAX} steps")

    async def call(self, call: ToolCall) -> Message:
        """What goes wrong is told to the model, which may know better."""
        tool = TOOLS.get(call.tool)
        if tool is None:
            text = f"there is no tool {call.tool}, but {', '.join(TOOLS)}"
        else:
            self.used.append(call.tool)
            try:
                text = json.dumps(await tool(**call.arguments))
            except LookupError as error:
                text = str(error)
        return Message(role="tool", text=text, answers=call.id)


if __name__ == "__main__":
    print(asyncio.run(Agent().run("What is 3 times the population of Oslo?")).model_dump_json(indent=2))
