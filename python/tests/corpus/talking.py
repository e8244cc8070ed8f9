"""Workflows that talk: signals, updates, published values, and children that are started, signalled, cancelled and left."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

from pydantic import BaseModel

import waymark
from corpus import Case, record
from waymark import Workflow, action, wait_for_signal, workflow


class Vote(BaseModel):
    who: str
    yes: bool = True


@dataclasses.dataclass
class Bid:
    who: str
    amount: int


class NoBids(Exception):
    pass


@action
async def note(what: str) -> str:
    record(what)
    return what


@workflow
class TalkingBallot(Workflow):
    """Counts votes until enough have come, typed, in a loop."""

    async def run(self, needed: int) -> dict[str, Any]:
        votes: list[Vote] = []
        while sum(vote.yes for vote in votes) < needed:
            vote = await wait_for_signal("vote", Vote)
            votes.append(vote)
            self.publish("votes", len(votes))
        return {"who": [vote.who for vote in votes], "kind": type(votes[0]).__name__}


@workflow
class TalkingElection(Workflow):
    async def run(self) -> Any:
        ballot = await TalkingBallot().start(2)
        await ballot.signal("vote", Vote(who="ann"), id="ann")
        await ballot.signal("vote", Vote(who="ann"), id="ann")
        await ballot.signal("vote", {"who": "bob", "yes": False})
        await ballot.signal("vote", Vote(who="eve"))
        return await ballot.result()


@workflow
class TalkingAuction(Workflow):
    """Bids in a race with the hammer."""

    async def run(self) -> Any:
        best: Bid | None = None
        end = asyncio.create_task(waymark.wait_for_signal("hammer"))
        while True:
            bid = asyncio.create_task(wait_for_signal("bid", Bid))
            done, _ = await asyncio.wait([bid, end], return_when=asyncio.FIRST_COMPLETED)
            if bid in done:
                best = bid.result() if best is None or bid.result().amount > best.amount else best
                continue
            bid.cancel()
            if best is None:
                raise NoBids("nobody came")
            return best


@workflow
class TalkingAuctions(Workflow):
    async def run(self, bids: list[tuple[str, int]]) -> Any:
        auction = await TalkingAuction().start()
        for who, amount in bids:
            await auction.signal("bid", Bid(who, amount))
            await note(f"{who} bids")
        await auction.signal("hammer")
        try:
            best = await auction.result()
        except NoBids as error:
            return f"none: {error}"
        return (best.who, best.amount)


@workflow
class TalkingTimeouts(Workflow):
    async def run(self) -> list[Any]:
        seen: list[Any] = []
        for timeout in (0, 0.01):
            try:
                await wait_for_signal("never", timeout=timeout)
            except TimeoutError as error:
                seen.append(str(error))
        try:
            await asyncio.wait_for(wait_for_signal("never"), 0.01)
        except asyncio.TimeoutError:
            seen.append("raced")
        return seen


@workflow
class TalkingWaiter(Workflow):
    async def run(self) -> Any:
        return await wait_for_signal("go")


@workflow
class TalkingMany(Workflow):
    """Several wait for one name: each gets one, in turn; one that gave up takes nothing with it."""

    async def run(self) -> Any:
        crowd = await TalkingCrowd().start(3)
        for number in range(3):
            await crowd.signal("turn", number)
        return await crowd.result()


@workflow
class TalkingCrowd(Workflow):
    async def run(self, size: int) -> list[int]:
        async def one(name: int) -> int:
            return (await wait_for_signal("turn")) * 10 + name

        tasks = [asyncio.create_task(one(name)) for name in range(size + 1)]
        tasks[0].cancel()
        return await asyncio.gather(*tasks[1:])


@workflow
class TalkingChildren(Workflow):
    async def run(self) -> list[Any]:
        first = await TalkingWaiter().start(parent_close="cancel")
        second = await TalkingWaiter().start()
        await second.signal("go", {"n": 1})
        seen: list[Any] = [await second.result()]
        await first.cancel("enough")
        try:
            await first.result()
        except asyncio.CancelledError:
            seen.append("cancelled")
        try:
            await second.signal("go")
        except waymark.InstanceFinished:
            seen.append("finished")
        return [*seen, second.done()]


@workflow
class TalkingFails(Workflow):
    async def run(self, text: str) -> None:
        await note(text)
        raise NoBids(text, len(text))


@workflow
class TalkingFailures(Workflow):
    async def run(self) -> Any:
        outcomes = await asyncio.gather(TalkingFails().run("ab"), TalkingFails().run("c"), return_exceptions=True)
        started = await TalkingFails().start("d")
        try:
            await started.result()
        except NoBids as error:
            outcomes.append(error)
        return [(type(each).__name__, each.args) for each in outcomes]


@workflow
class TalkingWaits(Workflow):
    """Its end waits for the one, and not for the other."""

    async def run(self) -> str:
        await TalkingFails().start("left", parent_close="wait")
        return "done"


@workflow
class TalkingByName(Workflow):
    async def run(self, name: str) -> Any:
        try:
            return await waymark.run_workflow(name, text="named")
        except NoBids as error:
            return error.args


@workflow
class TalkingPrices(Workflow):
    """Replies to updates until it is closed."""

    async def run(self) -> int:
        price = 10
        while price < 30:
            update = await waymark.wait_for_update("price", int)
            if update.payload < price:
                update.reject(ValueError(f"not below {price}"))
                continue
            price = update.payload
            self.publish("price", price)
            update.reply(price * 2)
        return price


CASES = [
    Case(TalkingElection),
    Case(TalkingAuctions, ([("ann", 3), ("bob", 9), ("eve", 4)],)),
    Case(TalkingAuctions, ([],), name="none"),
    Case(TalkingTimeouts),
    Case(TalkingMany),
    Case(TalkingChildren),
    Case(TalkingFailures, concurrent=True),
    Case(TalkingWaits, concurrent=True),
]
