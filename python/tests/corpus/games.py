"""Games and simulations."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import dataclasses
import enum
import functools
import itertools
import math
import random
from collections.abc import Iterator
from fractions import Fraction

from corpus import Case, record
from waymark import Workflow, action, workflow

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NEAR = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
RANKS = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}


class Suit(enum.Enum):
    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


class Hand(enum.IntEnum):
    HIGH = enum.auto()
    PAIR = enum.auto()
    TWO_PAIRS = enum.auto()
    THREE = enum.auto()
    STRAIGHT = enum.auto()
    FLUSH = enum.auto()
    FULL_HOUSE = enum.auto()
    FOUR = enum.auto()


@functools.total_ordering
class Card:
    """Ordered by rank, equal by both; hashable."""

    __slots__ = ("rank", "suit")

    def __init__(self, text: str) -> None:
        self.rank, self.suit = RANKS[text[0]], Suit(text[1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and (self.rank, self.suit) == (other.rank, other.suit)

    def __lt__(self, other: Card) -> bool:
        return self.rank < other.rank

    def __hash__(self) -> int:
        return hash((self.rank, self.suit))

    def __repr__(self) -> str:
        return f"{self.rank}{self.suit.value}"


@dataclasses.dataclass
class Vector:
    x: float
    y: float

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __iadd__(self, other: Vector) -> Vector:
        self.x += other.x
        self.y += other.y
        return self

    def __mul__(self, factor: float) -> Vector:
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self) -> Vector:
        return -1 * self

    def __matmul__(self, other: Vector) -> float:
        return self.x * other.x + self.y * other.y

    def __bool__(self) -> bool:
        return (self.x, self.y) != (0, 0)

    def __iter__(self) -> Iterator[float]:
        yield self.x
        yield self.y

    def __round__(self, digits: int = 0) -> Vector:
        return Vector(round(self.x, digits), round(self.y, digits))


@dataclasses.dataclass
class Body:
    name: str
    place: Vector
    speed: Vector = dataclasses.field(default_factory=lambda: Vector(0.0, 0.0))
    mass: float = 1.0


@dataclasses.dataclass(slots=True) if hasattr(dataclasses, "KW_ONLY") else dataclasses.dataclass
class Player:
    name: str
    chips: int = 100
    hand: list[str] = dataclasses.field(default_factory=list)
    folded: bool = False


class GameOver(Exception):
    def __init__(self, winner: str | None, moves: int) -> None:
        super().__init__(winner, moves)
        self.winner, self.moves = winner, moves


class Busted(GameOver):
    pass


@action
async def show(*what: object) -> int:
    record("show", *map(str, what))
    return len(what)


@action
async def roll(seed: int, sides: int = 6) -> int:
    record("roll", seed, sides)
    return random.Random(seed).randint(1, sides)


@workflow
class TicTacToe(Workflow):
    """The best move by searching, for both sides; an exception ends the game."""

    async def run(self, board: str, player: str = "x") -> dict[str, object]:
        cells = list(board)
        moves = 0
        try:
            while True:
                if (winner := self.winner(cells)) or "." not in cells:
                    raise GameOver(winner or None, moves)
                _, move = self.best(cells, player, player)
                cells[move] = player
                moves += 1
                await show("".join(cells), player)
                player = "o" if player == "x" else "x"
        except GameOver as over:
            return {"winner": over.winner, "moves": over.moves, "rows": ["".join(cells[at : at + 3]) for at in range(0, 9, 3)]}

    def winner(self, cells: list[str]) -> str:
        return next((cells[a] for a, b, c in LINES if cells[a] == cells[b] == cells[c] != "."), "")

    def best(self, cells: list[str], player: str, turn: str) -> tuple[int, int]:
        if (winner := self.winner(cells)) or "." not in cells:
            return (1 if winner == player else -1 if winner else 0), -1
        results = []
        for at, cell in enumerate(cells):
            if cell != ".":
                continue
            after = cells[:at] + [turn] + cells[at + 1 :]
            score, _ = self.best(after, player, "o" if turn == "x" else "x")
            results.append((score, at))
        pick = max if turn == player else min
        return pick(results, key=lambda pair: (pair[0], -pair[1] if turn == player else pair[1]))


@workflow
class GameOfLife(Workflow):
    """Sets of cells; a cycle is found by what was seen."""

    async def run(self, rows: list[str], limit: int = 12) -> dict[str, object]:
        alive = frozenset((x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "#")
        seen: dict[frozenset[tuple[int, int]], int] = {}
        for generation in range(limit):
            if alive in seen:
                await show("cycle", generation - seen[alive])
                break
            seen[alive] = generation
            counts: dict[tuple[int, int], int] = {}
            for x, y in alive:
                for dx, dy in NEAR:
                    counts[x + dx, y + dy] = counts.get((x + dx, y + dy), 0) + 1
            alive = frozenset(cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in alive))
        else:
            generation = -1
        return {"generation": generation, "alive": sorted(alive), "sizes": [len(cells) for cells in seen]}


@workflow
class PokerHands(Workflow):
    """Cards of a class with an order of its own, grouped and ranked."""

    async def run(self, hands: dict[str, str]) -> dict[str, object]:
        ranked = {}
        for player, text in hands.items():
            cards = sorted((Card(each) for each in text.split()), reverse=True)
            ranks = [card.rank for card in cards]
            groups = sorted(((len(list(group)), rank) for rank, group in itertools.groupby(ranks)), reverse=True)
            shape = tuple(count for count, _ in groups)
            is_flush = len({card.suit for card in cards}) == 1
            is_straight = shape == (1,) * 5 and ranks[0] - ranks[-1] == 4
            hand = {
                (4, 1): Hand.FOUR,
                (3, 2): Hand.FULL_HOUSE,
                (3, 1, 1): Hand.THREE,
                (2, 2, 1): Hand.TWO_PAIRS,
                (2, 1, 1, 1): Hand.PAIR,
            }.get(shape, Hand.HIGH)
            hand = max(hand, Hand.FLUSH if is_flush else Hand.HIGH, Hand.STRAIGHT if is_straight else Hand.HIGH)
            ranked[player] = (hand, [rank for _, rank in groups])
            await show(player, hand.name)
        winner = max(ranked, key=lambda player: ranked[player])
        return {"winner": winner, "hands": {player: hand.name for player, (hand, _) in ranked.items()}}


@workflow
class Orbit(Workflow):
    """Operators on vectors: in place, reflected, matrix, unary; conservation is asserted."""

    async def run(self, bodies: list[Body], steps: int, dt: float = 0.5) -> dict[str, object]:
        start = self.momentum(bodies)
        trail = []
        for step in range(steps):
            for body in bodies:
                for other in bodies:
                    if other is body:
                        continue
                    apart = other.place + -body.place
                    distance = math.hypot(*apart)
                    if distance:
                        body.speed += (dt * other.mass / distance**3) * apart
            for body in bodies:
                body.place += body.speed * dt
            trail.append(tuple(round(bodies[0].place, 3)))
        if drift := round(self.momentum(bodies) + -start, 9):
            raise ArithmeticError(f"drifted by {drift}")
        await show(len(trail), trail[-1])
        return {
            "trail": trail,
            "energy": round(sum(body.mass * (body.speed @ body.speed) / 2 for body in bodies), 6),
            "last": round(bodies[-1].place, 2),
        }

    def momentum(self, bodies: list[Body]) -> Vector:
        total = Vector(0, 0)
        for body in bodies:
            total += body.mass * body.speed
        return total


@workflow
class Blackjack(Workflow):
    """Players with slots, aces that count twice, nested loops with breaks that skip `else`."""

    async def run(self, deck: list[str], names: list[str]) -> dict[str, object]:
        players = [Player(name) for name in names]
        cards = iter(deck)
        log: list[str] = []
        for player in players:
            with contextlib.suppress(Busted):
                while (score := self.score(player.hand)) < 17:
                    try:
                        player.hand.append(next(cards))
                    except StopIteration:
                        log.append(f"{player.name} has no cards")
                        break
                    if self.score(player.hand) > 21:
                        player.folded = True
                        player.chips //= 2
                        raise Busted(player.name, len(player.hand))
                else:
                    log.append(f"{player.name} stands at {score}")
                    await show(player.name, score)
        best = max((self.score(player.hand) for player in players if not player.folded), default=None)
        winners = [player for player in players if not player.folded and self.score(player.hand) == best]
        pot = sum(player.chips for player in players)
        share, rest = divmod(pot, len(winners)) if winners else (0, pot)
        return {
            "log": log,
            "winners": [player.name for player in winners],
            "share": share,
            "rest": rest,
            "hands": [player.hand for player in players],
        }

    @staticmethod
    def score(hand: list[str]) -> int:
        total = sum(11 if card == "A" else 10 if card in "JQK" else int(card) for card in hand)
        aces = hand.count("A")
        while total > 21 and aces:
            total, aces = total - 10, aces - 1
        return total


@workflow
class SnakesAndLadders(Workflow):
    """Dice come from an action; jumps from a table; a dict of positions changed while others are read."""

    async def run(self, names: list[str], goal: int = 20) -> dict[str, object]:
        jumps = {3: 11, 6: 15, 17: 4, 14: 2, 9: 18}
        places = dict.fromkeys(names, 0)
        history: dict[str, list[int]] = {name: [] for name in names}
        seed = 0
        for name in itertools.cycle(names):
            seed += 1
            place = places[name] + await roll(seed)
            if place > goal:
                continue
            while place in jumps:
                place = jumps[place]
            history[name].append(place)
            taken = [other for other, at in places.items() if at == place and other != name and place != goal]
            for other in taken:
                places[other] = 0
                history[other][-1:] = [history[other][-1], 0] if history[other] else [0]
            places[name] = place
            if place == goal:
                break
        return {"winner": name, "turns": seed, "places": places, "history": history}


@workflow
class MonteCarlo(Workflow):
    """Chance: the workflow's own can't be compared, so only what must hold is; a seeded one of a library can."""

    async def run(self, rounds: int) -> dict[str, object]:
        inside = 0
        for _ in range(rounds):
            x, y = random.random(), random.uniform(0, 1)
            inside += x * x + y * y <= 1
        order = list(range(10))
        random.shuffle(order)
        picked = random.sample(order, 3)
        seeded = random.Random(42)
        fixed = [seeded.randint(1, 100) for _ in range(5)]
        await show("done", rounds)
        return {
            "plausible": 0 <= inside <= rounds,
            "shuffled": sorted(order) == list(range(10)),
            "picked": len({*picked}) == 3 and {*picked} <= {*order},
            "choice": random.choice(order) in order,
            "fixed": fixed,
            "range": 1 <= random.randint(1, 6) <= 6,
        }


class Inventory:
    """A class with properties that have setters, class and static methods, and a private name."""

    limit = 10
    made = 0

    def __init__(self, **items: int) -> None:
        self.__items = dict(items)
        self._gold = 0

    @classmethod
    def of(cls, text: str) -> Inventory:
        return cls(**{name: int(count) for name, _, count in (part.partition("=") for part in text.split())})

    @staticmethod
    def weight(count: int) -> Fraction:
        return Fraction(count, 3)

    @property
    def gold(self) -> int:
        return self._gold

    @gold.setter
    def gold(self, value: int) -> None:
        if value < 0:
            raise ValueError(f"{value} gold")
        self._gold = value

    def __getitem__(self, name: str) -> int:
        return self.__items.get(name, 0)

    def __setitem__(self, name: str, count: int) -> None:
        if sum(self.__items.values()) - self[name] + count > self.limit:
            raise OverflowError(name)
        self.__items[name] = count

    def __len__(self) -> int:
        return sum(self.__items.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inventory) and self.__items == other.__items

    __hash__ = None  # type: ignore[assignment]


@workflow
class Trading(Workflow):
    """Augmented assignment on attributes and items of one's own class, and what a failing setter leaves behind."""

    async def run(self, start: str, deals: list[tuple[str, int, int]]) -> dict[str, object]:
        bag = Inventory.of(start)
        before = copy.deepcopy(bag)
        log = []
        for name, count, price in deals:
            try:
                bag.gold -= count * price
                bag[name] += count
            except OverflowError as error:
                bag.gold += count * price
                log.append(f"no room for {error}")
            except ValueError as error:
                log.append(str(error))
            else:
                await show(name, bag[name], bag.gold)
        return {
            "log": log,
            "gold": bag.gold,
            "size": len(bag),
            "same": bag == before,
            "weight": str(Inventory.weight(len(bag))),
            "ore": bag["ore"],
        }


@workflow
class Tournament(Workflow):
    """Rounds at once, byes, brackets; nested functions that recurse with awaits."""

    async def run(self, players: list[str]) -> dict[str, object]:
        matches = 0
        strength = {name: len(set(name)) for name in players}

        async def play(left: str, right: str) -> str:
            nonlocal matches
            matches += 1
            await show(min(left, right), max(left, right))
            return left if (strength[left], left) >= (strength[right], right) else right

        async def bracket(names: list[str]) -> str:
            if len(names) == 1:
                return names[0]
            middle = len(names) // 2
            left, right = await asyncio.gather(bracket(names[:middle]), bracket(names[middle:]))
            return await play(left, right)

        winner = await bracket(players)
        others = [name for name in players if name != winner]
        second = await bracket(others) if others else None
        return {"winner": winner, "second": second, "matches": matches}


@workflow
class Factory(Workflow):
    """Producers and consumers with a bounded queue and a poison pill."""

    async def run(self, orders: list[int], workers: int = 2) -> dict[str, object]:
        queue: asyncio.Queue[int | None] = asyncio.Queue(maxsize=2)
        made: list[int] = []
        stopped = 0

        async def produce() -> None:
            for order in orders:
                await queue.put(order)
            for _ in range(workers):
                await queue.put(None)

        async def consume() -> None:
            nonlocal stopped
            while (order := await queue.get()) is not None:
                made.append(order * await show(order))
            stopped += 1

        await asyncio.gather(produce(), *(consume() for _ in range(workers)))
        return {"made": sorted(made), "stopped": stopped, "left": queue.qsize(), "empty": queue.empty()}


CASES = [
    Case(TicTacToe, ("xo.......",)),
    Case(TicTacToe, ("xxoo.....",), {"player": "o"}, name="won"),
    Case(GameOfLife, ([".....", "..#..", "..#..", "..#..", "....."],)),
    Case(GameOfLife, ([".#.", "..#", "###"], 4), name="glider"),
    Case(Orbit, ([Body("sun", Vector(0.0, 0.0), mass=4.0), Body("earth", Vector(3.0, 0.0), Vector(0.0, 1.0))], 4)),
    Case(Orbit, ([Body("sun", Vector(0.0, 0.0)), Body("twin", Vector(0.0, 0.0))], 1), name="together"),
    Case(Blackjack, (["9", "8", "K", "6", "Q", "A", "A", "5", "2"], ["ann", "bob", "cat", "dan"])),
    Case(Blackjack, (["K", "5", "K"], ["ann"]), name="busted"),
    Case(SnakesAndLadders, (["ann", "bob"],)),
    Case(MonteCarlo, (20,)),
    Case(Trading, ("ore=3 wood=2", [("ore", 2, -5), ("wood", 4, 1), ("gem", 1, 100), ("ore", 1, 2)])),
    Case(Tournament, (["ann", "bobby", "cat", "delia", "ed"],), concurrent=True),
    Case(Factory, ([3, 1, 4, 1, 5],), concurrent=True),
    Case(PokerHands, ({"ann": "Ah Ad 3c 3s 9d", "bob": "2c 3c 4c 5c 6c", "cat": "Ks Kd Kh 2c 2d"},)),
]
