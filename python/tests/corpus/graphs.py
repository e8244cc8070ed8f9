"""Graph algorithms and optimisation: searches, orders, dynamic programming, heaps."""

from __future__ import annotations

import asyncio
import bisect
import dataclasses
import functools
import heapq
import itertools
import math
from collections import defaultdict, deque
from collections.abc import Iterator

from corpus import Case, record
from waymark import Workflow, action, workflow

INFINITY = float("inf")
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Cycle(Exception):
    def __init__(self, *path: str) -> None:
        super().__init__(" -> ".join(path))
        self.path = path


@dataclasses.dataclass(order=True)
class Job:
    end: int
    start: int
    value: int
    name: str = dataclasses.field(compare=False, default="")

    @property
    def length(self) -> int:
        return self.end - self.start


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: int

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Point) -> Point:
        return Point(self.x - other.x, self.y - other.y)

    def __abs__(self) -> int:
        return abs(self.x) + abs(self.y)

    def __lt__(self, other: Point) -> bool:
        return (self.y, self.x) < (other.y, other.x)


@action
async def visit(node: str) -> list[str]:
    record("visit", node)
    return {"a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "d": ["f"], "e": ["f"]}.get(node, [])


@action
def weigh(left: str, right: str) -> int:
    record("weigh", left, right)
    return abs(ord(left) - ord(right)) + 1


@workflow
class BreadthFirst(Workflow):
    """Neighbours come from an action; levels and parents are kept."""

    async def run(self, start: str, goal: str) -> dict[str, object]:
        parents: dict[str, str | None] = {start: None}
        frontier, levels = [start], 0
        while frontier and goal not in parents:
            found = [(node, neighbours) for node in frontier if (neighbours := await visit(node))]
            frontier = []
            for node, neighbours in found:
                for neighbour in neighbours:
                    if neighbour not in parents:
                        parents[neighbour] = node
                        frontier.append(neighbour)
            levels += 1
        path, at = [], goal if goal in parents else None
        while at is not None:
            path.insert(0, at)
            at = parents[at]
        return {"path": path, "levels": levels, "known": len(parents)}


@workflow
class TopologicalOrder(Workflow):
    """Depth first with colours, recursion inside of run, and an error that carries the circle."""

    async def run(self, needs: dict[str, list[str]]) -> list[str]:
        order: list[str] = []
        colour: dict[str, int] = {}

        def explore(node: str, *path: str) -> None:
            if colour.get(node) == 2:
                return
            if colour.get(node) == 1:
                raise Cycle(*path[path.index(node) :], node)
            colour[node] = 1
            for need in sorted(needs.get(node, ())):
                explore(need, *path, node)
            colour[node] = 2
            order.append(node)

        for node in needs:
            explore(node)
        weights = [await weigh(left, right) for left, right in zip(order, order[1:])]
        return [*order, f"{sum(weights)}/{len(weights)}"]


@workflow
class ShortestPaths(Workflow):
    """Dijkstra with a heap that lives in the workflow's own code."""

    async def run(self, edges: list[tuple[str, str, int]], start: str) -> dict[str, object]:
        graph: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for left, right, cost in edges:
            graph[left][right] = min(cost, graph[left].get(right, cost))
            graph[right].setdefault(left, cost)
        distances, before = {start: 0}, {}
        heap = [(0, start)]
        done: set[str] = set()
        while heap:
            distance, node = heapq.heappop(heap)
            if node in done:
                continue
            done.add(node)
            for neighbour, cost in graph[node].items():
                if (through := distance + cost) < distances.get(neighbour, math.inf):
                    distances[neighbour] = through
                    before[neighbour] = node
                    heapq.heappush(heap, (through, neighbour))
        farthest = max(distances, key=lambda node: (distances[node], node))
        await visit(farthest)
        return {"distances": distances, "before": before, "farthest": farthest}


class UnionFind:
    """Sets that merge: methods, `__len__`, `__contains__`, and mutation by helpers."""

    def __init__(self, items: list[str]) -> None:
        self.parents = {item: item for item in items}

    def find(self, item: str) -> str:
        while self.parents[item] != item:
            self.parents[item] = item = self.parents[self.parents[item]]
        return item

    def join(self, left: str, right: str) -> bool:
        left, right = self.find(left), self.find(right)
        if left == right:
            return False
        self.parents[max(left, right)] = min(left, right)
        return True

    def __len__(self) -> int:
        return sum(item == parent for item, parent in self.parents.items())

    def __contains__(self, item: str) -> bool:
        return item in self.parents


@workflow
class SpanningTree(Workflow):
    """Kruskal: an object of one's own travels through every fragment and keeps its state."""

    async def run(self, nodes: str, pairs: list[str]) -> dict[str, object]:
        forest = UnionFind(list(nodes))
        weighed = [(await weigh(left, right), left, right) for left, right in pairs if left in forest and right in forest]
        chosen, cost = [], 0
        for weight, left, right in sorted(weighed):
            if forest.join(left, right):
                chosen.append(left + right)
                cost += weight
        return {"chosen": chosen, "cost": cost, "trees": len(forest), "root": forest.find(nodes[-1]), "parents": forest.parents}


@workflow
class Knapsack(Workflow):
    """Dynamic programming over lists of lists, with a walk back."""

    async def run(self, capacity: int, items: list[tuple[str, int, int]]) -> dict[str, object]:
        table = [[0] * (capacity + 1) for _ in range(len(items) + 1)]
        for row, (_, weight, value) in enumerate(items, start=1):
            for room in range(capacity + 1):
                table[row][room] = table[row - 1][room]
                if weight <= room:
                    table[row][room] = max(table[row][room], table[row - 1][room - weight] + value)
        chosen, room = [], capacity
        for row in range(len(items), 0, -1):
            if table[row][room] != table[row - 1][room]:
                name, weight, _ = items[row - 1]
                chosen.append(name)
                room -= weight
        await visit(chosen[0] if chosen else "nothing")
        return {"best": table[-1][-1], "chosen": chosen[::-1], "room": room, "corner": [row[-2:] for row in table[-2:]]}


@functools.lru_cache(maxsize=None)
def edit_distance(left: str, right: str) -> int:
    if not left or not right:
        return len(left) + len(right)
    if left[0] == right[0]:
        return edit_distance(left[1:], right[1:])
    return 1 + min(edit_distance(left[1:], right), edit_distance(left, right[1:]), edit_distance(left[1:], right[1:]))


@workflow
class SpellingSuggestions(Workflow):
    """A cached recursive helper only a worker can run."""

    async def run(self, word: str, dictionary: list[str], limit: int = 2) -> list[tuple[str, int]]:
        near = [(known, distance) for known in dictionary if (distance := edit_distance(word, known)) <= limit]
        near.sort(key=lambda pair: pair[1])
        for known, _ in near[:1]:
            await visit(known)
        return near


@workflow
class IntervalSchedule(Workflow):
    """Weighted jobs: ordered data classes, bisect, memo by index."""

    async def run(self, jobs: list[Job]) -> dict[str, object]:
        jobs = sorted(jobs)
        ends = [job.end for job in jobs]
        best: list[int] = [0]
        taken: list[bool] = []
        for at, job in enumerate(jobs):
            before = bisect.bisect_right(ends, job.start, 0, at)
            with_it = best[before] + job.value
            taken.append(with_it > best[-1])
            best.append(max(best[-1], with_it))
        chosen: list[str] = []
        at = len(jobs) - 1
        while at >= 0:
            if taken[at]:
                chosen.append(jobs[at].name)
                at = bisect.bisect_right(ends, jobs[at].start, 0, at) - 1
            else:
                at -= 1
        longest = max(jobs, key=lambda job: (job.length, job.name))
        await visit(longest.name)
        return {"best": best[-1], "chosen": chosen[::-1], "first": min(jobs).name, "longest": longest.name}


@workflow
class GridWalk(Workflow):
    """Operators of one's own class, and a deque of points."""

    async def run(self, rows: list[str]) -> dict[str, object]:
        cells = {Point(x, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row)}
        start = next(point for point, cell in cells.items() if cell == "S")
        goal = next((point for point, cell in cells.items() if cell == "G"), None)
        distances = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for step in STEPS:
                there = here + Point(*step)
                if cells.get(there, "#") != "#" and there not in distances:
                    distances[there] = distances[here] + 1
                    queue.append(there)
        await visit(f"{len(distances)}")
        return {
            "reach": len(distances),
            "steps": distances.get(goal) if goal else None,
            "straight": abs(goal - start) if goal else -1,
            "first": min(distances),
            "far": max(distances.values()),
        }


@workflow
class TravellingSales(Workflow):
    """Permutations, bit masks, and agreement of two ways."""

    async def run(self, cities: str) -> dict[str, object]:
        costs = {(left, right): await weigh(left, right) for left in cities for right in cities if left < right}

        def cost(left: str, right: str) -> int:
            return costs[min(left, right), max(left, right)]

        first, *others = cities
        brute = min(
            (sum(cost(left, right) for left, right in zip((first, *order), (*order, first))), order)
            for order in itertools.permutations(others)
        )
        size = len(others)
        best: dict[tuple[int, int], int] = {(1 << at, at): cost(first, city) for at, city in enumerate(others)}
        for mask in range(1, 1 << size):
            for last in range(size):
                if not mask >> last & 1 or (mask, last) not in best:
                    continue
                for after in range(size):
                    if mask & 1 << after:
                        continue
                    key = (mask | 1 << after, after)
                    best[key] = min(best.get(key, 10**9), best[mask, last] + cost(others[last], others[after]))
        exact = min(best[(1 << size) - 1, last] + cost(others[last], first) for last in range(size))
        return {"brute": brute[0], "order": "".join(brute[1]), "exact": exact, "states": len(best)}


@workflow
class ParallelCrawl(Workflow):
    """A crawl with several workers on one queue, which stops when all are idle."""

    async def run(self, start: str, count: int = 2) -> dict[str, object]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        seen = {start}
        queue.put_nowait(start)
        edges: list[tuple[str, str]] = []

        async def crawl() -> None:
            while True:
                node = await queue.get()
                try:
                    for neighbour in await visit(node):
                        edges.append((node, neighbour))
                        if neighbour in seen:
                            continue
                        seen.add(neighbour)
                        await queue.put(neighbour)
                finally:
                    queue.task_done()

        crawlers = [asyncio.create_task(crawl()) for _ in range(count)]
        await queue.join()
        for crawler in crawlers:
            crawler.cancel()
        ended = await asyncio.gather(*crawlers, return_exceptions=True)
        return {"seen": sorted(seen), "edges": sorted(edges), "cancelled": [isinstance(each, asyncio.CancelledError) for each in ended]}


def primes() -> Iterator[int]:
    """Without an end."""
    found: list[int] = []
    for number in itertools.count(2):
        if all(number % prime for prime in itertools.takewhile(lambda prime: prime * prime <= number, found)):
            found.append(number)
            yield number


@workflow
class PrimeLabels(Workflow):
    """An infinite generator of another function, big integers, and mutual recursion of helpers."""

    async def run(self, words: list[str]) -> dict[str, object]:
        letters = sorted(set("".join(words)))
        codes = dict(zip(letters, itertools.islice(primes(), len(letters))))
        products = {word: math.prod(codes[letter] for letter in word) for word in words}
        groups: dict[int, list[str]] = {}
        for word, product in products.items():
            groups.setdefault(product, []).append(word)
        huge = math.prod(products.values()) ** 9
        await visit(str(huge % 1_000_007))
        return {"groups": list(groups.values()), "digits": len(str(huge)), "even": is_even(len(words)), "gcd": math.gcd(*products.values())}


def is_even(number: int) -> bool:
    return True if number == 0 else is_odd(number - 1)


def is_odd(number: int) -> bool:
    return False if number == 0 else is_even(number - 1)


CASES = [
    Case(BreadthFirst, ("a", "f")),
    Case(BreadthFirst, ("d", "a"), name="nowhere"),
    Case(TopologicalOrder, ({"d": ["c", "b"], "c": ["a"], "b": ["a"], "a": []},)),
    Case(TopologicalOrder, ({"x": ["y"], "y": ["z"], "z": ["y"]},), name="cycle"),
    Case(ShortestPaths, ([("a", "b", 7), ("a", "c", 3), ("c", "b", 1), ("b", "d", 2), ("a", "b", 9)], "a")),
    Case(SpanningTree, ("abcdef", ["ab", "bd", "ac", "cd", "xf", "ae"])),
    Case(Knapsack, (10, [("lamp", 5, 10), ("book", 4, 40), ("coat", 6, 30), ("ring", 3, 50)])),
    Case(Knapsack, (1, [("lamp", 5, 10)]), name="nothing"),
    Case(SpellingSuggestions, ("kitten", ["sitting", "mitten", "bitten", "smitten", "kit"])),
    Case(IntervalSchedule, ([Job(4, 1, 5, "a"), Job(5, 3, 1, "b"), Job(7, 4, 8, "c"), Job(9, 2, 12, "d"), Job(10, 7, 4, "e")],)),
    Case(GridWalk, (["S.#.", ".##G", "...."],)),
    Case(GridWalk, (["S#", "##"],), name="closed"),
    Case(TravellingSales, ("acgmz",)),
    Case(ParallelCrawl, ("a",), concurrent=True),
    Case(PrimeLabels, (["tea", "eat", "ate", "tan", "nat", "bat"],)),
]
