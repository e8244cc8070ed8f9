"""Numbers: statistics, cohorts, funnels, experiments, forecasts, anomalies."""

from __future__ import annotations

import asyncio
import bisect
import collections
import dataclasses
import functools
import heapq
import itertools
import json
import math
import operator
import re
import statistics
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from corpus import Case, record
from waymark import RetryPolicy, Workflow, action, workflow

BUCKETS = [0, 10, 50, 100, math.inf]
FUNNEL = ("visit", "cart", "checkout", "paid")


class NotEnoughData(ValueError):
    def __init__(self, name: str, count: int) -> None:
        super().__init__(f"{name}: only {count}")
        self.name = name
        self.count = count


@dataclasses.dataclass
class Series:
    name: str
    points: list[tuple[date, float]] = dataclasses.field(default_factory=list)

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self):
        return iter(self.points)

    def __getitem__(self, at: int) -> tuple[date, float]:
        return self.points[at]

    def values(self) -> list[float]:
        return [value for _, value in self.points]

    def add(self, day: date, value: float) -> Series:
        bisect.insort(self.points, (day, value))
        return self


@dataclasses.dataclass(eq=False)
class Node:
    label: str
    weight: float = 1.0
    links: set[str] = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class Running:
    """Welford's algorithm."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def push(self, value: float) -> None:
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self.squares += delta * (value - self.mean)

    @property
    def variance(self) -> float:
        return self.squares / (self.count - 1) if self.count > 1 else 0.0


@action
async def analytics_values(name: str) -> list[float]:
    record("values", name)
    return {"a": [3.0, 1.0, 4.0, 1.5, 5.0, 9.0], "b": [2.0, 2.0, 2.5, 60.0], "one": [7.0]}.get(name, [])


@action
async def analytics_events(user: str) -> list[str]:
    record("events", user)
    return list(FUNNEL[: len(user)]) + (["visit"] if user.startswith("r") else [])


@action
def analytics_save(name: str, data: Any) -> None:
    record("save", name, json.dumps(data, default=str, sort_keys=True))


@action(retry=RetryPolicy(attempts=2))
async def analytics_flaky(name: str, at: int) -> float:
    record("flaky", name, at)
    if at % 3 == 2:
        raise ConnectionError(f"{name}/{at}")
    return at * 1.5


def describe(values: Iterable[float]) -> dict[str, float]:
    data = sorted(values)
    if len(data) < 2:
        raise NotEnoughData("describe", len(data))
    low, middle, high = statistics.quantiles(data, n=4)
    return {"mean": round(statistics.fmean(data), 4), "median": middle, "spread": high - low, "stdev": round(statistics.stdev(data), 4)}


def bucket(value: float) -> str:
    at = bisect.bisect_right(BUCKETS, value)
    return f"{BUCKETS[at - 1]}–{BUCKETS[at]}" if at < len(BUCKETS) else "?"


@functools.lru_cache(maxsize=None)
def choose(n: int, k: int) -> int:
    return 1 if k in (0, n) else choose(n - 1, k - 1) + choose(n - 1, k)


@workflow
class AnalyticsDescribe(Workflow):
    """Series are described by a helper of statistics; those that are too short are told, others go on."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        described: dict[str, dict[str, float]] = {}
        short: dict[str, int] = {}
        for name in names:
            values = await analytics_values(name)
            try:
                described[name] = describe(values)
            except NotEnoughData as error:
                short[name] = error.count
                continue
            outliers = [value for value in values if abs(value - described[name]["median"]) > 3 * described[name]["spread"]]
            await analytics_save(name, {"outliers": outliers})
        return {"described": described, "short": short, "best": max(described, key=lambda name: described[name]["mean"], default=None)}


@workflow
class AnalyticsFunnel(Workflow):
    """Users at the same time; how far each came; conversion from step to step."""

    async def run(self, users: list[str]) -> dict[str, Any]:
        histories = dict(zip(users, await asyncio.gather(*map(analytics_events, users))))
        reached = collections.Counter(step for events in histories.values() for step in set(events))
        rates = []
        for before, after in zip(FUNNEL, FUNNEL[1:]):
            rates.append((f"{before}→{after}", round(reached[after] / reached[before], 3) if reached[before] else None))
        back = sorted(user for user, events in histories.items() if events.count("visit") > 1)
        furthest = {user: max(events, key=FUNNEL.index) for user, events in histories.items() if events}
        await analytics_save("funnel", dict(sorted(reached.items())))
        return {"rates": rates, "back": back, "furthest": furthest, "missing": reached["nothing"]}


@workflow
class AnalyticsHistogram(Workflow):
    """Buckets and bars; the largest and smallest of a stream."""

    async def run(self, name: str, width: int = 10) -> dict[str, Any]:
        values = await analytics_values(name)
        histogram: dict[str, int] = {}
        for value in values:
            key = bucket(value)
            histogram[key] = histogram.get(key, 0) + 1
        most = max(histogram.values(), default=1)
        bars = {key: "█" * math.ceil(count / most * width) for key, count in histogram.items()}
        top, bottom = heapq.nlargest(2, values), heapq.nsmallest(2, values)
        await analytics_save("bars", list(bars))
        return {"bars": bars, "top": top, "bottom": bottom, "product": math.prod(values), "finite": all(map(math.isfinite, values))}


@workflow
class AnalyticsRunning(Workflow):
    """A running mean whose object is changed by its method, over awaits and through an alias."""

    async def run(self, names: list[str]) -> dict[str, Any]:
        total = Running()
        parts: dict[str, Running] = {}
        everything = [total]
        for name in names:
            part = parts.setdefault(name, Running())
            everything.append(part)
            for value in await analytics_values(name):
                for running in (total, part):
                    running.push(value)
        check = [value for name in names for value in await analytics_values(name)]
        close = math.isclose(total.variance, statistics.variance(check)) if len(check) > 1 else None
        return {
            "count": everything[0].count,
            "close": close,
            "means": [round(each.mean, 6) for each in everything],
            "same": everything[1] is parts[names[0]],
        }


@workflow
class AnalyticsSeries(Workflow):
    """A class with its own length, items and iteration; bisect in a method; moving averages."""

    async def run(self, days: list[int]) -> dict[str, Any]:
        series = Series("s")
        for at, day in enumerate(days):
            series.add(date(2024, 1, 1) + timedelta(days=day), await analytics_flaky_or("s", at))
        window = collections.deque(maxlen=2)
        moving = []
        for _, value in series.points:
            window.append(value)
            moving.append(sum(window) / len(window))
        first, last = series[0], series[-1]
        gaps = [
            day.isoformat()
            for day, following in zip(series.points, series.points[1:])
            if following[0] - day[0] > timedelta(days=1)
            for day in [day[0]]
        ]
        return {
            "count": len(series),
            "first": first,
            "last": last,
            "moving": moving,
            "gaps": gaps,
            "truth": bool(Series("empty")),
            "values": series.values(),
        }


async def analytics_flaky_or(name: str, at: int, default: float = -1.0) -> float:
    try:
        return await analytics_flaky(name, at)
    except ConnectionError:
        return default


@workflow
class AnalyticsExperiment(Workflow):
    """A test of two variants, with a recursive cached helper and a normal distribution."""

    async def run(self, a: tuple[int, int], b: tuple[int, int], alpha: float = 0.05) -> dict[str, Any]:
        (wins_a, seen_a), (wins_b, seen_b) = a, b
        if min(seen_a, seen_b) < 10:
            raise NotEnoughData("experiment", min(seen_a, seen_b))
        pooled = (wins_a + wins_b) / (seen_a + seen_b)
        error = math.sqrt(pooled * (1 - pooled) * (1 / seen_a + 1 / seen_b))
        z = (wins_b / seen_b - wins_a / seen_a) / error
        p = 2 * (1 - statistics.NormalDist().cdf(abs(z)))
        verdict = "b" if p < alpha and z > 0 else "a" if p < alpha else "open"
        await analytics_save("verdict", verdict)
        return {
            "z": round(z, 4),
            "p": round(p, 4),
            "verdict": verdict,
            "ways": choose(10, 3),
            "lift": f"{wins_b / seen_b - wins_a / seen_a:+.2%}",
        }


@workflow
class AnalyticsCohorts(Workflow):
    """Users by the month they came, and in which months they came back."""

    async def run(self, visits: list[tuple[str, str]]) -> dict[str, Any]:
        first: dict[str, tuple[int, int]] = {}
        cohorts: dict[tuple[int, int], dict[int, set[str]]] = collections.defaultdict(lambda: collections.defaultdict(set))
        for user, text in sorted(visits, key=operator.itemgetter(1)):
            day = datetime.strptime(text, "%Y-%m-%d")
            month = (day.year, day.month)
            start = first.setdefault(user, month)
            age = (month[0] - start[0]) * 12 + month[1] - start[1]
            cohorts[start][age].add(user)
        table = {f"{year}-{month:02}": {age: len(users) for age, users in sorted(ages.items())} for (year, month), ages in cohorts.items()}
        await analytics_save("cohorts", table)
        return table


@workflow
class AnalyticsGraph(Workflow):
    """Ranks of nodes in a graph, until they no longer change; objects that compare by identity."""

    async def run(self, edges: list[tuple[str, str]], rounds: int = 20) -> dict[str, Any]:
        nodes: dict[str, Node] = {}
        for start, end in edges:
            for label in (start, end):
                nodes.setdefault(label, Node(label))
            nodes[start].links.add(end)
        for turn in range(1, rounds + 1):
            incoming = {label: 0.15 for label in nodes}
            for node in nodes.values():
                for link in sorted(node.links):
                    incoming[link] += 0.85 * node.weight / len(node.links)
            change = max(abs(incoming[label] - node.weight) for label, node in nodes.items())
            for label, weight in incoming.items():
                nodes[label].weight = weight
            if change < 0.01:
                break
        else:
            turn = -1
        ranked = sorted(nodes.values(), key=lambda node: (-round(node.weight, 6), node.label))
        await analytics_save("ranked", [node.label for node in ranked])
        return {"turn": turn, "ranked": [node.label for node in ranked], "top": round(ranked[0].weight, 3), "equal": Node("x") == Node("x")}


@workflow
class AnalyticsText(Workflow):
    """Words and pairs of words, similarity of sets, a vocabulary as an index."""

    STOP = {"the", "a", "of"}

    async def run(self, documents: dict[str, str]) -> dict[str, Any]:
        tokens = {
            name: [word for word in re.findall(r"[a-z']+", text.lower()) if word not in self.STOP] for name, text in documents.items()
        }
        vocabulary = {word: at for at, word in enumerate(sorted(set(itertools.chain.from_iterable(tokens.values()))))}
        vectors = {name: [words.count(word) for word in vocabulary] for name, words in tokens.items()}
        pairs = collections.Counter(itertools.chain.from_iterable(zip(words, words[1:]) for words in tokens.values()))
        similar = {}
        for left, right in itertools.combinations(sorted(tokens), 2):
            a, b = set(tokens[left]), set(tokens[right])
            similar[f"{left}~{right}"] = round(len(a & b) / len(a | b), 3) if a | b else 0.0
            await analytics_save("pair", [left, right])
        dot = sum(map(operator.mul, *list(vectors.values())[:2])) if len(vectors) > 1 else 0
        return {"size": len(vocabulary), "common": pairs.most_common(1), "similar": similar, "dot": dot}


@workflow
class AnalyticsFirstResults(Workflow):
    """Whatever comes first is taken; a quorum is enough; the rest is stopped."""

    async def run(self, count: int, quorum: int) -> dict[str, Any]:
        async def one(at: int) -> float:
            await asyncio.sleep(0.005 * (count - at))
            return await analytics_flaky("quorum", at)

        tasks = [asyncio.create_task(one(at)) for at in range(count)]
        got: list[float] = []
        lost = 0
        for next_done in asyncio.as_completed(tasks):
            try:
                got.append(await next_done)
            except ConnectionError:
                lost += 1
            if len(got) >= quorum:
                break
        else:
            raise NotEnoughData("quorum", len(got))
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        stopped = sum(isinstance(each, asyncio.CancelledError) for each in ended)
        return {"got": got, "lost": lost, "stopped": stopped}


@workflow
class AnalyticsForecast(Workflow):
    """Smoothing with parameters that are searched for; the best is kept by a key; Decimals for money."""

    async def run(self, name: str, steps: int) -> dict[str, Any]:
        values = await analytics_values(name)

        def smooth(alpha: float) -> tuple[float, float]:
            level, error = values[0], 0.0
            for value in values[1:]:
                error += (value - level) ** 2
                level += alpha * (value - level)
            return error, level

        try:
            candidates = {alpha / 10: smooth(alpha / 10) for alpha in range(1, 10, 2)}
        except IndexError as error:
            raise NotEnoughData(name, 0) from error
        best = min(candidates, key=lambda alpha: candidates[alpha])
        error, level = candidates[best]
        budget = [Decimal(str(round(level, 2))) * (1 + Decimal("0.1") * step) for step in range(steps)]
        await analytics_save(name, best)
        return {"best": best, "error": round(error, 6), "budget": budget, "trend": [f"{amount:.1f}" for amount in budget]}


CASES = [
    Case(AnalyticsDescribe, (["a", "one", "b", "none"],)),
    Case(AnalyticsDescribe, ([],), name="nothing"),
    Case(AnalyticsFunnel, (["r", "bo", "ann", "rudi", "ed"],), concurrent=True),
    Case(AnalyticsHistogram, ("b",)),
    Case(AnalyticsHistogram, ("none",), name="empty"),
    Case(AnalyticsRunning, (["a", "b", "a"],)),
    Case(AnalyticsSeries, ([3, 1, 2, 9],)),
    Case(AnalyticsExperiment, ((20, 200), (40, 210))),
    Case(AnalyticsExperiment, ((2, 4), (4, 10)), name="small"),
    Case(
        AnalyticsCohorts,
        ([("ann", "2024-01-31"), ("bob", "2024-02-01"), ("ann", "2024-02-03"), ("ann", "2023-12-24"), ("bob", "2024-02-09")],),
    ),
    Case(AnalyticsGraph, ([("a", "b"), ("b", "c"), ("c", "a"), ("d", "c")],)),
    Case(AnalyticsGraph, ([("a", "b"), ("b", "a")], 1), name="short"),
    Case(AnalyticsText, ({"x": "The cat of the house", "y": "A cat, a dog, the cat of", "z": ""},)),
    Case(AnalyticsFirstResults, (6, 2), concurrent=True),
    Case(AnalyticsFirstResults, (3, 3), name="no_quorum", concurrent=True),
    Case(AnalyticsForecast, ("a", 3)),
    Case(AnalyticsForecast, ("none", 3), name="no_data"),
]
