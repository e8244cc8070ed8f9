# each line an expression
[x * 2 for x in range(5)], [x for x in range(10) if x % 2 if x > 3], [(x, y) for x in range(3) for y in range(x)], [[y for y in range(x)] for x in range(3)]
sorted({x % 3 for x in range(10)}), {x: x ** 2 for x in range(3)}, {k: v for k, v in [('a', 1), ('b', 2)]}, {k: v for v, k in enumerate('ab')}
sum(x for x in range(5)), list(x for x in 'ab'), tuple(x for x in range(2)), max((x for x in [1, 3, 2]), default=0), dict((x, 1) for x in 'ab'), ''.join(c.upper() for c in 'abc')
[x for x in []], [a + b for a, b in [(1, 2), (3, 4)]], [a for a, *b in [(1, 2, 3)]], [b for a, *b in [(1, 2, 3)]], [i for i, in [(1,), (2,)]]
[x for x in 5]
[x / 0 for x in [1]]
[a for a, b in [(1,)]]
{[]: 1 for x in [1]}
{[] for x in [1]}
[x.foo for x in [1]]
[y for x in [[1, 2], [3]] for y in x if y != 2], [x if x > 1 else -x for x in range(3)], [not x for x in (0, 1)], [(lambda: x)() for x in range(3)]
[x for x in (y * 2 for y in range(3))], [*(x for x in range(2)), 5], {**{x: x for x in 'a'}}, [x for x in {1: 2}], [c for c in 'abc' if c not in 'b']
any(x > 2 for x in range(5)), all(x > 2 for x in range(5)), sum(1 for _ in 'abc'), min(x * -1 for x in [1, 2]), sorted((x for x in [3, 1]), reverse=True)
# ---
x = 'outer'
y = [x for x in range(3)]
result = (x, y)
# ---
x = 10
result = [x + y for y in range(3)]
# ---
fs = [lambda: i for i in range(3)]
result = [f() for f in fs]
# ---
fs = [lambda i=i: i for i in range(3)]
result = [f() for f in fs]
# ---
log = []
def note(v):
    log.append(v)
    return v
result = ([note(a) + note(b) for a in [note(1), note(2)] if note(a > 0) for b in [note(10)]], log)
# ---
log = []
def note(v):
    log.append(v)
    return v
d = {note(k): note(v) for k, v in [('a', 1), ('b', 2)]}
result = (d, log)
# ---
total = 0
result = [total := total + v for v in range(5)] + [total]
# ---
result = [y for x in range(5) if (y := x * 2) > 4] + [y]
# ---
result = [[i * j for j in range(i)] for i in range(4) if i != 2]
# ---
def f(n):
    return [n + m for m in range(n)]
result = [f(k) for k in range(4)]
# ---
items = [1, 2, 3]
g = (x * 2 for x in items)
items.append(4)
items = [100]
result = list(g)
# ---
n = 1
g = (n * x for x in [1, 2])
n = 10
result = list(g)
# ---
log = []
def note(v):
    log.append(v)
    return v
g = (note(x) for x in range(5))
a = next(g)
b = any(x > 1 for x in g)
c = list(g)
result = (a, b, c, log)
# ---
try:
    g = (x for x in 5)
except TypeError as e:
    result = 'at once: ' + str(e)
# ---
g = (1 / x for x in [1, 0, 2])
first = next(g)
try:
    next(g)
except ZeroDivisionError as e:
    result = (first, str(e), list(g))
# ---
primes = [n for n in range(2, 50) if all(n % d for d in range(2, int(n ** 0.5) + 1))]
result = primes
# ---
matrix = [[1, 2], [3, 4], [5, 6]]
result = ([[row[i] for row in matrix] for i in range(2)], {(r, c): v for r, row in enumerate(matrix) for c, v in enumerate(row)})
# ---
result = {k: [v for kk, v in [('a', 1), ('b', 2), ('a', 3)] if kk == k] for k in 'ab'}
# ---
def outer():
    z = 5
    return [[z + i + j for j in range(2)] for i in range(2)]
result = outer()
# ---
x = [1, 2, 3]
x = [v for v in x for x in [[v, v]]]
result = x
# ---
result = [(a, b) for a, b in zip('ab', range(2)) if b] + [t for t in ((1, 2), (3,)) if len(t) == 1]
# ---
result = [f'{k}={v}' for k, v in sorted({'b': 1, 'a': 2}.items())]
# ---
def gen():
    for i in range(3):
        yield i
result = ([x for x in gen()], {x: x for x in gen()}, sum(gen()))
# ---
a = [1, 2, 3]
result = [a.pop() for _ in range(len(a))]
# ---
a = [3, 1, 2]
result = [a for a in a if a > 1]
