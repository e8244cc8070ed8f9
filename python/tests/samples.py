"""Classes of an application, for tests: what travels has to be importable."""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import threading
from typing import Any, Generic, NamedTuple, TypeVar

import pydantic

T = TypeVar("T")


class Color(enum.Enum):
    RED = 1
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    name: str
    points: tuple[Point, ...] = ()


@dataclasses.dataclass
class Derived(Point):
    total: int = dataclasses.field(init=False, default=0)

    def __post_init__(self) -> None:
        self.total = self.x + self.y
        self.made_by = "post_init"


class Pair(NamedTuple):
    left: int
    right: Any = None


class Money:
    def __init__(self, amount: int) -> None:
        self.amount = amount
        self.tags: list[Any] = []

    def earn(self, more: int) -> list[Any]:
        self.amount += more
        self.tags.append(more)
        return self.tags

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.amount)

    def __repr__(self) -> str:
        return f"Money({self.amount})"

    @functools.cached_property
    def lock(self) -> Any:
        return threading.Lock()


class Slotted:
    __slots__ = ("__hidden", "left", "unset")

    def __init__(self, left: int) -> None:
        self.left = left
        self.__hidden = left + 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slotted) and (self.left, self.__hidden) == (other.left, other.__hidden)

    def __repr__(self) -> str:
        return f"Slotted({self.left})"


class WithState:
    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["name"])


class Tags(list):
    def __init__(self, *tags: str, owner: str = "") -> None:
        super().__init__(tags)
        self.owner = owner


class Names(collections.OrderedDict):
    pass


class Currency(str):
    pass


class Address(pydantic.BaseModel):
    street: str
    zip_code: str = pydantic.Field(default="", alias="zipCode")


class User(pydantic.BaseModel):
    name: str
    address: Address | None = None
    friends: list[User] = []
    _seen: int = pydantic.PrivateAttr(default=0)


class Open(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    url: pydantic.HttpUrl | None = None


class Box(pydantic.BaseModel, Generic[T]):
    content: T


class PaymentFailed(Exception):
    def __init__(self, order: str, *, code: int) -> None:
        super().__init__(f"order {order} failed")
        self.order, self.code = order, code


class CardDeclined(PaymentFailed):
    def __str__(self) -> str:
        return f"declined: {self.order}"


class Unopened(OSError):
    pass


class Temperature:
    """Travels by a registered codec."""

    __slots__ = ("_handle",)

    def __init__(self, degrees: float) -> None:
        self._handle = (degrees, threading.Lock())

    @property
    def degrees(self) -> float:
        return self._handle[0]


def shout(text: str) -> str:
    return text.upper()
