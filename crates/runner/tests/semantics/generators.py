def inner():
    got = yield 1
    got = yield ('inner', got)
    return 'done'
def outer():
    result = yield from inner()
    yield result
result = list(outer())
# ---
def inner():
    got = yield 1
    got = yield ('inner', got)
    return ['done', got]
def outer():
    result = yield from inner()
    last = yield result
    return last
g = outer()
result = [next(g), g.send('a'), g.send('b')]
try:
    g.send('c')
except StopIteration as end:
    result.append(end.value)
# ---
def outer():
    yield from [1, 2]
    yield from 'ab'
    yield from (x * 2 for x in range(2))
    yield from {'k': 1}
    yield from ()
    x = yield from range(1)
    yield x
result = list(outer())
# ---
def deep(n):
    if n:
        yield n
        yield from deep(n - 1)
result = list(deep(20))
# ---
log = []
def inner():
    try:
        yield 1
    except ValueError as error:
        log.append(f'inner {error}')
        yield 'handled'
    finally:
        log.append('inner finally')
def outer():
    try:
        yield from inner()
    finally:
        log.append('outer finally')
g = outer()
result = [next(g), g.throw(ValueError('v')), list(g), log]
# ---
log = []
def inner():
    try:
        yield 1
    finally:
        log.append('inner finally')
def outer():
    try:
        yield from inner()
    except KeyError as error:
        log.append(repr(error))
        yield 'outer handled'
g = outer()
result = [next(g), g.throw(KeyError('k')), log]
# ---
log = []
def inner():
    try:
        yield 1
        yield 2
    except GeneratorExit:
        log.append('inner closed')
        return 'swallowed'
def outer():
    try:
        yield from inner()
        log.append('never')
    except GeneratorExit:
        log.append('outer closed')
        raise
    finally:
        log.append('finally')
g = outer()
next(g)
g.close()
result = log
# ---
def inner():
    try:
        yield 1
    except GeneratorExit:
        yield 2
def outer():
    yield from inner()
g = outer()
next(g)
g.close()
# ---
def outer():
    try:
        yield from [1, 2]
    except ValueError as error:
        yield repr(error)
g = outer()
result = [next(g), g.throw(ValueError('v'))]
# ---
def outer():
    yield from [1, 2]
g = outer()
next(g)
try:
    g.send(5)
except AttributeError as error:
    result = 'send' in str(error)
# ---
def outer():
    yield from 5
result = list(outer())
# ---
def inner():
    yield 1
    raise ValueError('inner')
def outer():
    try:
        yield from inner()
    except ValueError as error:
        yield str(error)
    return
result = list(outer())
# ---
def tree(node):
    left, value, right = node
    if left:
        yield from tree(left)
    yield value
    if right:
        yield from tree(right)
result = [sum(tree(((None, 1, None), 2, (None, 3, None)))), [a + b for a, b in zip(tree((None, 1, None)), tree((None, 2, None)))], max(tree((None, 4, (None, 5, None))))]
# ---
def outer():
    a = yield from (x for x in [1])
    b = [(yield 2), (yield from [3])]
    yield [a, b]
result = list(outer())
# ---
try:
    decimal.Decimal(1) / decimal.Decimal(0)
except ZeroDivisionError as error:
    result = [type(error).__name__, isinstance(error, decimal.DecimalException), isinstance(error, ArithmeticError)]
# ---
async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
    return
result = [x async for x in numbers(3)] + [x * 2 async for x in numbers(4) if x % 2]
# ---
async def numbers(n):
    for i in range(n):
        yield i
result = [len([1, {x: y async for x in numbers(2) for y in [x]}]), {x async for x in numbers(2)}, [[x, y] async for x in numbers(2) async for y in numbers(x + 1)], [y for x in [1, 2] for y in [z async for z in numbers(x)]]]
# ---
async def numbers(n):
    for i in range(n):
        yield i
found = []
async for x in numbers(5):
    if x == 3:
        break
    if x == 1:
        continue
    found.append(x)
else:
    found.append('else')
async for x in numbers(1):
    found.append(x)
else:
    found.append('else')
result = found
# ---
async def echo():
    got = yield 1
    while True:
        got = yield ('got', got)
g = echo()
result = [await g.__anext__(), await g.asend('a'), await g.asend(None), await g.aclose()]
try:
    await g.__anext__()
except StopAsyncIteration:
    result.append('over')
# ---
log = []
async def careful():
    try:
        yield 1
        yield 2
    except ValueError as error:
        log.append(str(error))
        yield 'handled'
    finally:
        await asyncio.sleep(0)
        log.append('finally')
g = careful()
result = [await g.__anext__(), await g.athrow(ValueError('v')), await g.aclose(), log]
# ---
async def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2
g = stubborn()
await g.__anext__()
await g.aclose()
# ---
async def g():
    yield 1
    raise StopAsyncIteration
result = [x async for x in g()]
# ---
async def g():
    yield 1
    raise ValueError('in the middle')
found = []
try:
    async for x in g():
        found.append(x)
except ValueError as error:
    found.append(str(error))
result = found
# ---
async def g():
    got = yield
await g().asend(5)
# ---
async def g():
    yield 1
for x in g():
    pass
# ---
async def g():
    yield 1
result = sum([x async for x in g()], *[y async for y in g()])
# ---
async def double(n):
    await asyncio.sleep(0)
    return n * 2
async def numbers(n):
    for i in range(n):
        yield i
g = (await double(x) for x in [1, 2])
h = (x async for x in numbers(3) if await double(x))
result = [[x async for x in g], [x async for x in h], [await double(x) async for x in numbers(2)]]
# ---
async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
async def doubled(source):
    async for x in source:
        yield x * 2
async def total(source):
    found = 0
    async for x in source:
        found += x
    return found
result = await asyncio.gather(total(doubled(numbers(3))), total(doubled(doubled(numbers(4)))))
# ---
def plain():
    yield 1
async for x in plain():
    pass
# ---
async def g():
    yield 1
x = g()
result = [type(x).__name__, x.__aiter__() is x]
