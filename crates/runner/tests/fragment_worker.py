"""Evaluates fragments for the tests, one JSON request a line, and runs whole programs as the oracle.

A shape is {"plain": value}, {"object": number}, {"list": []}, {"tuple": []}, {"set": []}, {"frozenset": []},
{"dict": [[key, value]]}, {"instance": "app:Money", "fields": [[name, shape]]} or
{"exception": "ValueError", "bases": [], "args": [], "fields": [[name, shape]]}.
"""

import asyncio
import builtins
import enum
import functools
import itertools
import json
import sys
import types
import typing


class Money:
    def __init__(self, amount, tags=None):
        self.amount = amount
        self.tags = [] if tags is None else tags

    def __eq__(self, other):
        return isinstance(other, Money) and self.amount % 100 == other.amount % 100

    def __hash__(self):
        return hash(self.amount % 100)

    def __bool__(self):
        return self.amount > 0

    def __add__(self, other):
        return Money(self.amount + (other.amount if isinstance(other, Money) else other))

    def __iadd__(self, other):
        self.amount += other
        return self

    def __lt__(self, other):
        return self.amount < other.amount

    def __neg__(self):
        return Money(-self.amount)

    def __len__(self):
        return self.amount

    def __getitem__(self, key):
        if key == "bad":
            raise KeyError(key)
        return [self.amount, key]

    def __setitem__(self, key, value):
        self.tags.append((key, value))

    def __contains__(self, item):
        return item == self.amount

    def __call__(self, *args, **kwargs):
        return [self.amount, list(args), kwargs]

    def __format__(self, spec):
        return f"<{self.amount}:{spec}>"

    def __str__(self):
        return f"money {self.amount}"

    def __repr__(self):
        return f"Money({self.amount})"

    @property
    def doubled(self):
        return self.amount * 2

    @doubled.setter
    def doubled(self, value):
        self.amount = value // 2

    def earn(self, more):
        self.amount += more
        self.tags.append(more)
        return self.tags

    def broken(self):
        raise ValueError("broken", self.amount)

    def spoil(self):
        self.tags.append("spoilt")
        raise ValueError("spoilt")

    def complain(self, rows):
        error = ValueError(rows)
        error.rows = rows
        self.tags.append(error)
        raise error

    def throw(self, error):
        raise error

    def hidden(self):
        return Hidden(self.amount)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Bag:
    """Gives its items by a generator."""

    def __init__(self, *items):
        self.items = list(items)

    def each(self):
        yield from self.items

    def chained(self, *more):
        return itertools.chain(self.items, more)

    def __iter__(self):
        yield from self.items

    def __enter__(self):
        self.items.append("in")
        return self

    def __exit__(self, kind, error, traceback):
        self.items.append("out" if error is None else f"{kind.__name__}: {error}")
        return kind is KeyError


class Endless:
    def __iter__(self):
        while True:
            yield 1


class Countdown:
    """Is its own iterator."""

    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return self

    def __next__(self):
        if self.count == 0:
            raise StopIteration
        self.count -= 1
        return self.count


class Point(typing.NamedTuple):
    x: int
    y: int

    def length(self):
        return abs(self.x) + abs(self.y)


class Base:
    pass


class Hidden(Base):
    """No program declares it: it comes with a value."""

    def __init__(self, amount):
        self.amount = amount

    def __eq__(self, other):
        return self.amount % 100 == getattr(other, "amount", other) % 100

    def __hash__(self):
        return hash(self.amount % 100)

    def __lt__(self, other):
        return self.amount < other.amount

    def __bool__(self):
        return self.amount > 0

    def __len__(self):
        return self.amount

    def __iter__(self):
        return iter(range(self.amount))

    def __contains__(self, item):
        return item == "all"

    def __getitem__(self, key):
        return [key, self.amount]

    def __setitem__(self, key, value):
        self.amount = [key, value]

    def __delitem__(self, key):
        self.amount = 0

    def __add__(self, other):
        return Hidden(self.amount + other)

    __radd__ = __add__

    def __call__(self, factor):
        return self.amount * factor

    def __str__(self):
        return f"hidden {self.amount}"

    def __repr__(self):
        return f"Hidden({self.amount})"

    def __format__(self, spec):
        return f"<{self.amount}{spec}>"

    def __int__(self):
        return self.amount

    def __enter__(self):
        return self.amount

    def __exit__(self, *error):
        return True

    @property
    def doubled(self):
        return self.amount * 2

    @doubled.setter
    def doubled(self, value):
        self.amount = value // 2

    def earn(self, more):
        self.amount += more
        return self.amount


app = types.ModuleType("app")
CLASSES = [Money, Color, Bag, Endless, Countdown, Point, Base, Hidden]
for known in CLASSES:
    setattr(app, known.__name__, known)
sys.modules["app"] = app


def class_of(shape):
    return getattr(app, shape["instance"].split(":")[1])


def load(request):
    objects = [None] * len(request["objects"])

    def shell(shape):
        if "list" in shape:
            return []
        if "dict" in shape:
            return {}
        if "set" in shape:
            return set()
        if shape.get("instance") == "app:Color":
            fields = dict((name, value) for name, value in shape["fields"])
            return Color[fields["name"]["plain"]]
        if "instance" in shape and (made := class_of(shape)) is not Point:
            return object.__new__(made)
        if "exception" in shape:
            return getattr(builtins, shape["exception"])()
        return None

    def value(shape):
        if "plain" in shape:
            plain = shape["plain"]
            if isinstance(plain, dict) and plain.get("$object") == "builtins:range":
                return range(*(plain["fields"][name] for name in ("start", "stop", "step")))
            return plain
        number = shape["object"]
        if objects[number] is None:  # A tuple or frozenset, made when its parts are there.
            inner = request["objects"][number]
            if "instance" in inner:
                objects[number] = Point(*(value(field) for _, field in inner["fields"]))
            elif "tuple" in inner:
                objects[number] = tuple(value(item) for item in inner["tuple"])
            else:
                objects[number] = frozenset(value(item) for item in inner["frozenset"])
        return objects[number]

    for number, shape in enumerate(request["objects"]):
        objects[number] = shell(shape)
    later = []
    for number, shape in enumerate(request["objects"]):
        if "list" in shape:
            objects[number].extend(value(item) for item in shape["list"])
        elif "instance" in shape and class_of(shape) not in (Color, Point):
            objects[number].__dict__.update((name, value(field)) for name, field in shape["fields"])
        elif "exception" in shape:
            objects[number].args = tuple(value(argument) for argument in shape["args"])
            objects[number].__dict__.update((name, value(field)) for name, field in shape["fields"])
        else:
            later.append((number, shape))
    for number, shape in later:  # These hash their parts.
        if "dict" in shape:
            objects[number].update((value(key), value(item)) for key, item in shape["dict"])
        elif "set" in shape:
            objects[number].update(value(item) for item in shape["set"])
        else:
            value({"object": number})
    names = {name: value(shape) for name, shape in request["captures"]}
    return objects, names


def save(objects, result, before):
    numbers = {id(held): number for number, held in enumerate(objects)}

    def shape(value):
        if value is None or isinstance(value, (bool, int, float, str)):
            return {"plain": value}
        if id(value) not in numbers:
            numbers[id(value)] = len(objects)
            objects.append(value)
        return {"object": numbers[id(value)]}

    def inside(value):
        if isinstance(value, enum.Enum):
            return {"instance": "app:Color", "fields": [["name", shape(value.name)], ["value", shape(value.value)]]}
        for kind in (list, tuple, set, frozenset):
            if type(value) is kind:
                return {kind.__name__: [shape(item) for item in value]}
        if isinstance(value, Point):
            return {"instance": "app:Point", "fields": [[name, shape(item)] for name, item in value._asdict().items()]}
        if isinstance(value, dict):
            return {"dict": [[shape(key), shape(item)] for key, item in value.items()]}
        if isinstance(value, range):
            parts = {"start": value.start, "stop": value.stop, "step": value.step}
            return {"instance": "builtins:range", "fields": [[name, shape(part)] for name, part in parts.items()]}
        if type(value) in CLASSES:
            fields = [[name, shape(item)] for name, item in vars(value).items()]
            return {"instance": "app:" + type(value).__name__, "fields": fields}
        if isinstance(value, BaseException):
            bases = [base.__name__ for base in type(value).__mro__[1:-1]]
            fields = [[name, shape(item)] for name, item in vars(value).items()]
            return {"exception": type(value).__name__, "bases": bases, "args": [shape(each) for each in value.args], "fields": fields}
        raise TypeError(f"a {type(value).__name__} cannot travel")

    answer = {"value": shape(result), "objects": []}
    number = 0
    while number < len(objects):
        now = inside(objects[number])
        if number >= len(before) or now != before[number]:
            answer["objects"].append([number, now])
        number += 1
    return answer


def evaluate(request):
    compile(request["source"], "<fragment>", "exec" if request["writes"] else "eval")
    objects, names = load(request)
    try:
        if request["writes"]:
            exec(request["source"], names)
            result = tuple(names[name] for name in request["writes"])
        else:
            result = eval(request["source"], names)
    except Exception as error:  # What it changed until then is brought back.
        answer = save(objects, error, request["objects"])
        return {"raised": answer["value"]["object"], "objects": answer["objects"]}
    return save(objects, result, request["objects"])


def failure(error):
    bases = [base.__name__ for base in type(error).__mro__[1:-1]]
    return {"failed": type(error).__name__, "bases": bases, "args": list(error.args), "objects": []}


def program(request):
    names = {"asyncio": asyncio, "functools": functools, **{known.__name__: known for known in CLASSES}}
    exec(request["program"], names)
    return {"completed": asyncio.run(names["main"]())}


answers, sys.stdout = sys.stdout, sys.stderr  # What programs print is not for the test.
for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = program(request) if "program" in request else evaluate(request)
    except Exception as error:
        answer = failure(error)
    print(json.dumps(answer), file=answers, flush=True)
