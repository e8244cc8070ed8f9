"""Functions of the standard library that the runner does not have, written so that the compiler can read them.

Iterators can't travel between the workflow and a worker, and people give them what only the workflow has: loops with awaits, local
functions. So these become part of the program, like a user's own helpers. In a worker the originals are used.
"""

from __future__ import annotations

import builtins
import decimal
import functools
import itertools
import operator
from typing import Any


def replayed(found: Any) -> Any:
    """An iterator that a worker has read: its items, then what it raised."""
    items, error = found
    yield from items
    if error is not None:
        raise error


def chain(*iterables: Any) -> Any:
    for each in iterables:
        yield from each


def chain_from_iterable(iterable: Any) -> Any:
    for each in iterable:
        yield from each


def count(start: Any = 0, step: Any = 1) -> Any:
    for number in (start, step):
        is_number = isinstance(number, (int, float, decimal.Decimal)) or hasattr(number, "__index__")
        if not (is_number or hasattr(number, "__int__") or hasattr(number, "__float__")):
            raise TypeError("a number is required")
    # Counting by one gives plain numbers, whatever it starts with.
    is_plain = isinstance(start, int) and isinstance(step, int) and step == 1
    return _count(int(start) if is_plain else start, step)


def _count(number: Any, step: Any) -> Any:
    while True:
        yield number
        number = number + step


def cycle(iterable: Any) -> Any:
    kept = []
    for item in iterable:
        kept.append(item)
        yield item
    while kept:
        for item in kept:
            yield item


def repeat(object: Any, times: int | None = None) -> Any:
    if times is None:
        while True:
            yield object
    for _ in range(times):
        yield object


def accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    is_first = initial is None
    total = initial
    if not is_first:
        yield total
    for item in iterable:
        if is_first:
            total, is_first = item, False
        else:
            total = total + item if func is None else func(total, item)
        yield total


def pairwise(iterable: Any) -> Any:
    is_first = True
    before = None
    for item in iterable:
        if not is_first:
            yield before, item
        before, is_first = item, False


def islice(iterable: Any, *limits: Any) -> Any:
    if not 1 <= len(limits) <= 3:
        raise TypeError(f"islice expected at least 2 arguments, got {1 + len(limits)}")
    start = limits[0] if len(limits) > 1 and limits[0] is not None else 0
    stop = limits[1] if len(limits) > 1 else limits[0]  # type: ignore[misc]
    step = limits[2] if len(limits) > 2 and limits[2] is not None else 1
    if start < 0 or (stop is not None and stop < 0):
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _slice(iter(iterable), start, stop, step)


def _slice(iterator: Any, start: int, stop: int | None, step: int) -> Any:
    at = 0
    wanted = start
    # No item is taken that is not needed: the rest belongs to whoever iterates next.
    while stop is None or at < stop:
        try:
            item = next(iterator)
        except StopIteration:
            return
        if at == wanted:
            yield item
            wanted += step
        at += 1


def takewhile(predicate: Any, iterable: Any, /) -> Any:
    for item in iterable:
        if not predicate(item):
            return
        yield item


def dropwhile(predicate: Any, iterable: Any, /) -> Any:
    is_open = False
    for item in iterable:
        if is_open or not predicate(item):
            is_open = True
            yield item


def filterfalse(function: Any, iterable: Any, /) -> Any:
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def starmap(function: Any, iterable: Any, /) -> Any:
    for args in iterable:
        yield function(*args)


def compress(data: Any, selectors: Any) -> Any:
    for item, is_chosen in zip(data, selectors, strict=False):
        if is_chosen:
            yield item


def zip_longest(*iterables: Any, fillvalue: Any = None) -> Any:
    iterators = [iter(each) for each in iterables]
    left = set(range(len(iterators)))
    while left:
        row = []
        for at, iterator in enumerate(iterators):
            value = fillvalue
            if at in left:
                try:
                    value = next(iterator)
                except StopIteration:
                    left.discard(at)
                    if not left:
                        return
            row.append(value)
        yield tuple(row)


def product(*iterables: Any, repeat: int = 1) -> Any:
    pools = [tuple(each) for each in iterables] * repeat
    return _combine(pools)


def _combine(pools: Any) -> Any:
    indices = [0] * len(pools)
    if not all(pools):
        return
    while True:
        yield tuple([pool[at] for pool, at in zip(pools, indices, strict=True)])
        place = len(pools) - 1
        while place >= 0 and indices[place] == len(pools[place]) - 1:
            indices[place] = 0
            place -= 1
        if place < 0:
            return
        indices[place] += 1


def permutations(iterable: Any, r: int | None = None) -> Any:
    pool = tuple(iterable)
    return _choose(pool, len(pool) if r is None else r, lambda chosen, at: at not in chosen)


def combinations(iterable: Any, r: int) -> Any:
    return _choose(tuple(iterable), r, lambda chosen, at: not chosen or at > chosen[-1])


def combinations_with_replacement(iterable: Any, r: int) -> Any:
    return _choose(tuple(iterable), r, lambda chosen, at: not chosen or at >= chosen[-1])


def _choose(pool: Any, size: int, may_follow: Any) -> Any:
    """Indices in lexical order; `may_follow` says which may stand behind those chosen so far."""
    if size < 0:
        raise ValueError("r must be non-negative")
    return _chosen(pool, size, may_follow)


def _chosen(pool: Any, size: int, may_follow: Any) -> Any:
    chosen: list[int] = []
    at = 0
    while True:
        if len(chosen) == size:
            yield tuple([pool[each] for each in chosen])
        else:
            while at < len(pool) and not may_follow(chosen, at):
                at += 1
            if at < len(pool):
                chosen.append(at)
                at = 0
                continue
        if not chosen:
            return
        at = chosen.pop() + 1


def groupby(iterable: Any, key: Any = None) -> Any:
    iterator = iter(iterable)
    ahead: list[Any] = []  # (its key, the item) that was taken but not given out yet; None at the end.

    def peek() -> Any:
        if not ahead:
            try:
                item = next(iterator)
                ahead.append((item if key is None else key(item), item))
            except StopIteration:
                ahead.append(None)
        return ahead[0]

    def group(wanted: Any, number: int) -> Any:
        while number == current[0] and peek() is not None and peek()[0] == wanted:
            yield ahead.pop()[1]

    current = [0]
    while peek() is not None:
        current[0] += 1
        wanted = ahead[0][0]
        yield wanted, group(wanted, current[0])
        while peek() is not None and peek()[0] == wanted:
            ahead.pop()


def partial(func: Any, /, *args: Any, **keywords: Any) -> Any:
    return lambda *more, **options: func(*args, *more, **{**keywords, **options})


def itemgetter(item: Any, /, *items: Any) -> Any:
    if not items:
        return lambda obj: obj[item]
    return lambda obj: tuple([obj[each] for each in (item, *items)])


def attrgetter(attr: str, /, *attrs: str) -> Any:
    def get(obj: Any, path: str) -> Any:
        for name in path.split("."):
            obj = getattr(obj, name)
        return obj

    if not attrs:
        return lambda obj: get(obj, attr)
    return lambda obj: tuple([get(obj, each) for each in (attr, *attrs)])


def methodcaller(name: str, /, *args: Any, **kwargs: Any) -> Any:
    return lambda obj: getattr(obj, name)(*args, **kwargs)


def add(a: Any, b: Any, /) -> Any:
    return a + b


def sub(a: Any, b: Any, /) -> Any:
    return a - b


def mul(a: Any, b: Any, /) -> Any:
    return a * b


def truediv(a: Any, b: Any, /) -> Any:
    return a / b


def floordiv(a: Any, b: Any, /) -> Any:
    return a // b


def mod(a: Any, b: Any, /) -> Any:
    return a % b


def neg(a: Any, /) -> Any:
    return -a


def and_(a: Any, b: Any, /) -> Any:
    return a & b


def or_(a: Any, b: Any, /) -> Any:
    return a | b


def xor(a: Any, b: Any, /) -> Any:
    return a ^ b


def eq(a: Any, b: Any, /) -> Any:
    return a == b


def ne(a: Any, b: Any, /) -> Any:
    return a != b


def lt(a: Any, b: Any, /) -> Any:
    return a < b


def le(a: Any, b: Any, /) -> Any:
    return a <= b


def gt(a: Any, b: Any, /) -> Any:
    return a > b


def ge(a: Any, b: Any, /) -> Any:
    return a >= b


def contains(a: Any, b: Any, /) -> bool:
    return b in a


def getitem(a: Any, b: Any, /) -> Any:
    return a[b]


def not_(a: Any, /) -> bool:
    return not a


async def anext(iterator: Any, *default: Any) -> Any:
    try:
        return await iterator.__anext__()
    except StopAsyncIteration:
        if not default:
            raise
        return default[0]


_MODULES: dict[Any, tuple[Any, ...]] = {
    builtins: (anext,),
    itertools: (
        chain, count, cycle, repeat, accumulate, pairwise, islice, takewhile, dropwhile, filterfalse, starmap, compress, zip_longest,
        product, permutations, combinations, combinations_with_replacement, groupby,
    ),
    functools: (partial,),
    operator: (
        itemgetter, attrgetter, methodcaller, add, sub, mul, truediv, floordiv, mod, neg, and_, or_, xor, eq, ne, lt, le, gt, ge,
        contains, getitem, not_,
    ),
}  # fmt: skip
_WRITTEN = {
    getattr(module, function.__name__): (function, f"__import__({module.__name__!r}, fromlist=['']).{function.__name__}")
    for module, functions in _MODULES.items()
    for function in functions
    if hasattr(module, function.__name__)
}
# Payloads of signals and updates as a type that the workflow names. `waiting` is the runner's own.


async def typed_signal(waiting: Any, change: Any) -> Any:
    return change(await waiting)


async def typed_update(waiting: Any, change: Any) -> Any:
    update = await waiting
    update.payload = change(update.payload)
    return update


_FROM_ITERABLE = (chain_from_iterable, "__import__('itertools', fromlist=['']).chain.from_iterable")
_SOURCES = {function: source for function, source in [*_WRITTEN.values(), _FROM_ITERABLE]}


def is_here(function: Any) -> bool:
    return getattr(function, "__module__", None) == __name__


def gives_items(function: Any) -> bool:
    """Whether what it gives is an iterator."""
    return is_here(function) and hasattr(itertools, function.__name__) or function is chain_from_iterable


def gives_function(function: Any) -> bool:
    return is_here(function) and function in (partial, itemgetter, attrgetter, methodcaller)


def written(live: Any) -> Any:
    """The function here that does what a function of the standard library does; None if there is none."""
    try:
        found = _WRITTEN.get(live)
    except TypeError:  # It has no hash.
        return None
    return found[0] if found else None


def attribute(function: Any, name: str) -> Any:
    return chain_from_iterable if function is chain and name == "from_iterable" else None


def source(function: Any) -> str | None:
    """How a worker reaches the original."""
    return _SOURCES.get(function)
