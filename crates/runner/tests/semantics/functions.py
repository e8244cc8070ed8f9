def f(a, b=2, *args, c, d=4, **kw):
    return (a, b, args, c, d, kw)
result = [f(1, c=3), f(1, 2, 3, 4, c=5), f(1, c=2, x=9, y=8), f(*[1, 2, 3], **{'c': 4, 'z': 5}), f(a=1, c=2)]
# ---
def f(a, /, b, *, c):
    return (a, b, c)
result = [f(1, 2, c=3), f(1, b=2, c=3)]
# ---
def f(a, b): return a
f(1)
# ---
def f(a, b, c): return a
f()
# ---
def f(a, b, c, d): return a
f(1)
# ---
def f(a): return a
f(1, 2)
# ---
def f(): return 1
f(1)
# ---
def f(a, b=1): return a
f(1, 2, 3)
# ---
def f(a, *, b): return a
f(1)
# ---
def f(a, *, b, c): return a
f(1)
# ---
def f(a, *, b): return a
f(1, 2)
# ---
def f(a, *, b): return a
f(1, 2, b=3)
# ---
def f(a): return a
f(1, a=2)
# ---
def f(a): return a
f(b=2)
# ---
def f(a, /): return a
f(a=1)
# ---
def f(a, /, **kw): return (a, kw)
result = f(1, a=2)
# ---
def f(a, /, b): return a
f(b=1)
# ---
def f(*args): return args
f(a=1)
# ---
def f(**kw): return kw
f(1)
# ---
def f(a): return a
f(**{'a': 1}, **{'a': 2})
# ---
def f(a, b): return (a, b)
f(1, **{'a': 1})
# ---
def f(a): return a
f(*5)
# ---
def f(a): return a
f(**5)
# ---
def f(**kw): return kw
f(**{1: 2})
# ---
def f(*args, **kw): return (args, kw)
result = [f(), f(1, *(2, 3), 4, *[], x=1, **{}, **{'y': 2}), f(*'ab'), f(*{'k': 1}), f(*(x for x in range(2)))]
# ---
x = 5
x()
# ---
'abc'()
# ---
[1](0)
# ---
None()
# ---
def f(x, acc=[]):
    acc.append(x)
    return acc
result = [list(f(1)), list(f(2)), f(3, []), f(4)]
# ---
log = []
def default():
    log.append('made')
    return 7
def f(x=default()):
    return x
result = (f(), f(), f(1), log)
# ---
n = 1
def f(x=n):
    return (x, n)
n = 2
result = f()
# ---
def counter():
    count = 0
    def bump():
        nonlocal count
        count += 1
        return count
    return bump
a, b = counter(), counter()
result = [a(), a(), b(), a()]
# ---
def make():
    value = 0
    def get(): return value
    def put(v):
        nonlocal value
        value = v
    return get, put
get, put = make()
put(5)
result = get()
# ---
fs = []
for i in range(3):
    def f(): return i
    fs.append(f)
result = [f() for f in fs]
# ---
fs = []
for i in range(3):
    def f(i=i): return i
    fs.append(f)
result = [f() for f in fs]
# ---
def f():
    return g()
def g():
    return 'late'
result = f()
# ---
def f():
    x = 1
    def g():
        x = 2
        def h():
            nonlocal x
            x += 10
            return x
        return h(), x
    return g(), x
result = f()
# ---
def fact(n): return 1 if n <= 1 else n * fact(n - 1)
result = [fact(n) for n in (0, 1, 5, 30)]
# ---
def fib(n, memo={}):
    if n in memo: return memo[n]
    memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
    return memo[n]
result = fib(80)
# ---
def even(n): return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
result = (even(50), odd(51))
# ---
def deep(n): return deep(n + 1)
try:
    deep(0)
except RecursionError as e:
    result = (type(e).__name__, isinstance(e, RuntimeError), 'maximum recursion depth exceeded' in str(e))
# ---
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
result = deep(400)
# ---
def hanoi(n, a, b, c): return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)
result = (len(hanoi(8, 'a', 'b', 'c')), hanoi(2, 'a', 'b', 'c'))
# ---
def f():
    if 0:
        x = 1
    return x
f()
# ---
def f(flag):
    if flag:
        x = 1
    x += 1
    return x
f(False)
# ---
x = 1
def f(flag):
    if flag:
        return x
    y = 0
    return y
result = (f(True), f(False))
# ---
def f():
    x = 1
    del x
    if x: pass
try:
    f()
except UnboundLocalError as e:
    result = str(e)
# ---
def outer(flag):
    def inner():
        return value
    if flag:
        value = 1
    return inner()
try:
    outer(False)
except NameError as e:
    result = (type(e).__name__, str(e))
# ---
def f(): pass
result = (f(), f() is None, f.__name__)
# ---
def f(a, b):
    return a, b
x, y = f(1, 2)
result = (x, y, f(*f(3, 4)))
# ---
def compose(*fs):
    def inner(x):
        for f in fs:
            x = f(x)
        return x
    return inner
result = compose(str, lambda s: s + '0', int, lambda n: n * 2)(4)
# ---
add = lambda a, b=10, *rest, k=0, **kw: (a + b + sum(rest) + k, kw)
result = [add(1), add(1, 2, 3, 4), add(1, k=5, z=6), (lambda: 5)(), (lambda *a: a)(1, 2)]
# ---
(lambda a: a)()
# ---
curry = lambda a: lambda b: lambda c: a + b + c
result = curry(1)(2)(3)
# ---
def gen():
    yield 1
    yield 2
    return 3
g = gen()
out = [next(g), next(g)]
try:
    next(g)
except StopIteration as e:
    out.append(e.value)
result = (out, list(g))
# ---
def gen():
    got = yield 1
    while got:
        got = yield got * 2
g = gen()
result = [next(g), g.send(5), g.send(7)]
# ---
def gen():
    yield 1
g = gen()
g.send(5)
# ---
log = []
def gen():
    log.append('start')
    try:
        yield 1
        yield 2
    finally:
        log.append('closed')
g = gen()
log.append('made')
next(g)
g.close()
result = (log, list(g))
# ---
def gen():
    try:
        yield 1
    except ValueError as e:
        yield f'caught {e}'
g = gen()
next(g)
result = g.throw(ValueError('x'))
# ---
def gen():
    yield 1
    raise ValueError('inside')
g = gen()
next(g)
try:
    next(g)
except ValueError as e:
    result = (str(e), list(g))
# ---
def gen():
    yield 1
    raise StopIteration('x')
try:
    list(gen())
except RuntimeError as e:
    result = (str(e), repr(e.__cause__))
# ---
def count():
    n = 0
    while True:
        yield n
        n += 1
out = []
for n in count():
    if n > 3: break
    out.append(n)
result = out
# ---
def naturals():
    n = 1
    while True:
        yield n
        n += 1
def take(n, it):
    for x in it:
        if n <= 0: return
        n -= 1
        yield x
result = (list(take(3, naturals())), [x for x in take(2, (y * y for y in naturals()))])
# ---
log = []
def gen():
    for i in range(5):
        log.append(i)
        yield i
result = (any(x == 2 for x in gen()), log, next(x for x in gen() if x > 0), log)
# ---
log = []
def gen():
    for i in range(5):
        log.append(i)
        yield i
result = (all(x < 1 for x in gen()), 3 in gen(), log)
# ---
def gen():
    x = yield
    yield x
g = gen()
result = [next(g), g.send('a')]
# ---
def gen(n):
    for i in range(n):
        yield i
a, *b = gen(4)
result = (a, b, max(gen(3)), sorted(gen(3), reverse=True), list(zip(gen(2), gen(3))), dict(enumerate(gen(2))), [*gen(2)], ','.join(str(x) for x in gen(3)))
# ---
def walk(tree):
    if isinstance(tree, list):
        for part in tree:
            for leaf in walk(part):
                yield leaf
    else:
        yield tree
result = list(walk([1, [2, [3, [4]], 5], []]))
# ---
def gen():
    yield 1
g = gen()
for x in g:
    for y in g:
        pass
result = list(g)
# ---
def gen():
    for x in g:
        yield x
g = gen()
try:
    next(g)
except ValueError as e:
    result = str(e)
# ---
log = []
def gen():
    try:
        while True:
            log.append((yield len(log)))
    except GeneratorExit:
        log.append('exit')
        raise
g = gen()
g.send(None)
g.send('a')
g.send('b')
g.close()
g.close()
result = log
# ---
def gen():
    try:
        yield 1
    except GeneratorExit:
        yield 2
g = gen()
next(g)
g.close()
# ---
def apply(f, *args, **kw):
    return f(*args, **kw)
result = [apply(max, 1, 5, 2), apply(sorted, [2, 1], reverse=True), apply('-'.join, 'ab'), apply(dict, a=1), apply([3, 1].index, 1), apply(lambda **k: k, z=1)]
# ---
m = [].append
items = []
push = items.append
push(1)
push(2)
result = (items, [f('A b') for f in (str.lower, str.split, len)], list(map(str.upper, 'ab')))
# ---
result = functools.reduce(lambda a, b: a * b, [1, 2, 3, 4]), functools.reduce(lambda a, b: a + [b], 'abc', []), functools.reduce(max, [3, 9, 2])
# ---
functools.reduce(lambda a, b: a, [])
# ---
def f(a, b, c):
    return (a, b, c)
log = []
def note(x):
    log.append(x)
    return x
f(note(1), c=note(2), b=note(3))
f(*note([1]), *note([2]), **note({'c': 3}))
result = log
# ---
def f(x):
    def x_plus(y): return x + y
    x = x * 10
    return x_plus
result = f(1)(5)
# ---
def f(x):
    x.append(1)
    x = [9]
    x.append(2)
    return x
y = []
result = (f(y), y)
# ---
def f(*args):
    args += (1,)
    return args
t = (5,)
result = (f(*t), t)
# ---
def f(**kw):
    kw['new'] = 1
    return kw
d = {'a': 1}
result = (f(**d), d)
# ---
def tree(depth): return None if depth == 0 else {'l': tree(depth - 1), 'r': tree(depth - 1)}
def size(t): return 0 if t is None else 1 + size(t['l']) + size(t['r'])
result = (size(tree(6)), tree(2))
# ---
def f(n):
    if n > 0:
        return f(n - 1) + [n]
    return []
result = f(10)
# ---
def decorate(f):
    calls = []
    def wrapper(*args, **kw):
        calls.append((args, kw))
        return f(*args, **kw)
    return wrapper, calls
g, calls = decorate(lambda a, b=0: a + b)
result = (g(1), g(1, b=2), calls)
# ---
def f(a, b=[], *, c={}):
    return (a, b, c)
result = (f(1)[1] is f(2)[1], f(1)[2] is f(2)[2])
# ---
def f():
    for i in range(3):
        try:
            return i
        finally:
            log.append(i)
log = []
result = (f(), log)
# ---
max_ = max
max = lambda *a: 'mine'
result = (max(1, 2), max_(1, 2))
# ---
def f():
    len = 5
    return len
result = (f(), len('ab'))
# ---
callable_ = [callable(x) for x in (len, int, lambda: 0, 5, 'a'.upper, None)]
result = callable_
# ---
def f(a, b=2, /, c=3, *, d=4):
    return [a, b, c, d]
result = [f(1), f(1, 5), f(1, 5, 6), f(1, c=9, d=8)]
# ---
def f(a, b): pass
f(1, 2, 3, 4, d=5)
# ---
def f(a, b=1, *, k): pass
f(1, 2, 3, k=1)
# ---
def f(a, b=1, *, k=1): pass
f(1, 2, 3)
# ---
def f(a, *, k=1): pass
f(1, 2, 3, k=1)
# ---
def g():
    yield 1
s = g()
result = [list(s), next(s, None), s.close(), type(s).__name__]
# ---
log = []
def gen():
    try:
        yield 1
    finally:
        log.append('not entered')
g = gen()
try:
    g.throw(ValueError('x'))
except ValueError as e:
    log.append(str(e))
result = (log, list(g))
