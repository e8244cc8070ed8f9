a = [1]
b = a
b.append(2)
result = (a, a is b)
# ---
a = [1]
b = a
a = a + [2]
result = (a, b)
# ---
a = [1]
b = a
a += [2]
result = (a, b)
# ---
a = [1]
b = a
a *= 2
result = (a, b)
# ---
a = (1,)
b = a
a += (2,)
result = (a, b)
# ---
results = []
for i in range(4):
    before = results
    results = results + [i]
    if i == 2: kept = before
result = (results, before, kept)
# ---
results = []
alias = results
for i in range(3):
    results = results + [i]
result = (results, alias)
# ---
xs = [1]
def f():
    nonlocal xs
    ys = xs
    xs = xs + [2]
    return ys
result = (f(), xs)
# ---
xs = []
holder = {'xs': xs}
xs = xs + [1]
holder['xs'] = holder['xs'] + [2]
result = (xs, holder)
# ---
xs = []
seen = []
for i in range(3):
    xs = xs + [i]
    seen.append(xs)
result = seen
# ---
xs = [1, 2]
it = iter(xs)
xs = xs + [3]
result = (list(it), xs)
# ---
xs = [0]
for x in xs:
    if len(xs) > 3: break
    xs = xs + [x + 1]
result = xs
# ---
xs = [1]
f = lambda: xs
ys = f()
xs = xs + [2]
result = (ys, f())
# ---
xs = [1]
xs = xs + xs
xs = xs + [xs]
result = xs
# ---
def grow(acc, n):
    acc = acc + [n]
    return acc
base = [0]
result = (grow(base, 1), grow(base, 2), base)
# ---
a = {'x': [1]}
b = dict(a)
c = copy.copy(a)
d = copy.deepcopy(a)
a['x'].append(2)
a['y'] = 1
result = (a, b, c, d)
# ---
a = [1]
a.append(a)
b = copy.deepcopy(a)
result = (b[1] is b, b is not a, len(b))
# ---
x = [1]
p = (x, x)
q = copy.deepcopy(p)
q[0].append(2)
result = (p, q, q[0] is q[1])
# ---
a = [[1], [2]]
b = a[:]
c = list(a)
b[0].append(9)
b.append(3)
result = (a, b, c)
# ---
a = [1, 2, 3]
b = [a, a]
a.clear()
result = b
# ---
def f(x=[]): return x
f().append(1)
result = f()
# ---
d = {'k': []}
v = d['k']
v.append(1)
d['k'] = d['k'] + [2]
v.append(3)
result = (d, v)
# ---
row = [0] * 3
grid = [row, row, row[:]]
row[0] = 1
result = grid
# ---
a = [1]
b = a
del a
result = b
# ---
a = 'x'
b = a
a += 'y'
result = (a, b)
# ---
s = {1}
t = s
s |= {2}
u = s
u = u | {3}
result = (sorted(t), sorted(u), s is t)
# ---
d = {'a': 1}
e = d
d |= {'b': 2}
e = e | {'c': 3}
result = (d, e)
# ---
a = [1, 2, 3]
b = a
a[:] = [9]
result = b
# ---
a = [3, 1, 2]
b = a
a = sorted(a)
b.sort(reverse=True)
result = (a, b)
# ---
def swap(p): p[0], p[1] = p[1], p[0]
x = [1, 2]
y = x
swap(y)
result = x
# ---
nodes = [{'id': i, 'next': None} for i in range(3)]
for i in range(3):
    nodes[i]['next'] = nodes[(i + 1) % 3]
nodes[0]['next']['next']['mark'] = True
result = [(n['id'], n['next']['id'], 'mark' in n) for n in nodes]
# ---
a = [1]
b = [a, a]
await asyncio.sleep(0.1)
a.append(2)
await asyncio.sleep(0.1)
b[0].append(3)
result = (b, b[0] is b[1], b[0] is a)
# ---
xs = []
keep = []
for i in range(3):
    xs = xs + [await asyncio.sleep(0.1, i)]
    keep.append(xs)
result = (keep, keep[2] is xs)
# ---
a = []
a.append(a)
await asyncio.sleep(0.1)
result = (a[0] is a, repr(a))
# ---
d = {}
l = [d]
d['l'] = l
f = lambda: l
await asyncio.sleep(0.1)
f()[0]['l'].append(1)
result = (len(l), d['l'] is l, repr(d))
# ---
it = iter([1, 2, 3])
x = next(it)
await asyncio.sleep(0.1)
result = (x, list(it))
# ---
def gen():
    for i in range(4):
        yield i * i
g = gen()
a = next(g)
await asyncio.sleep(0.1)
b = next(g)
await asyncio.sleep(0.1)
result = (a, b, list(g))
# ---
def counter():
    n = 0
    def bump():
        nonlocal n
        n += 1
        return n
    return bump
c = counter()
c()
await asyncio.sleep(0.1)
d = c
d()
await asyncio.sleep(0.1)
result = (c(), d is c)
# ---
try:
    raise ValueError([1])
except ValueError as e:
    await asyncio.sleep(0.1)
    e.args[0].append(2)
    await asyncio.sleep(0.1)
    result = repr(e)
# ---
xs = [1, 2, 3, 4]
out = []
for x in xs:
    await asyncio.sleep(0.1)
    if x == 2: xs.append(9)
    out.append(x)
result = out
# ---
m = map(lambda v: v + 1, [1, 2, 3])
z = zip('ab', [1, 2])
e = enumerate('xy')
r = reversed([1, 2])
k = {'a': 1}.items()
next(m), next(z), next(e), next(r)
await asyncio.sleep(0.1)
result = (list(m), list(z), list(e), list(r), list(k))
# ---
s, t, u = {3, 1, 2}, frozenset([1]), {'b': {1}}
await asyncio.sleep(0.1)
s.add(9)
result = (sorted(s), t, u, 9 in s)
# ---
big, neg, fl = 10**50, -10**30, [1e300, float('inf'), -0.0, float('nan')]
when = [datetime.datetime(2024, 1, 2, 3, tzinfo=datetime.timezone.utc), datetime.timedelta(1, 2, 3), decimal.Decimal('1.10'), uuid.UUID(int=5), b'\x00', range(1, 9, 2), slice(1, 2), ..., int, len, [].append.__name__]
await asyncio.sleep(0.1)
result = (big, neg, fl, when)
# ---
def f():
    return log.append('called') or [1]
log = []
def g():
    items = items + f()
try:
    g()
except UnboundLocalError as error:
    log.append(str(error))
result = log
