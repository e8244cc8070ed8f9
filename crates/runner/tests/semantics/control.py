out = []
for i in range(5):
    if i == 1: continue
    if i == 4: break
    out.append(i)
else:
    out.append('else')
result = out
# ---
out = []
for i in range(3):
    out.append(i)
else:
    out.append('else')
result = out
# ---
for i in []:
    pass
else:
    result = 'empty else'
# ---
n = 0
while n < 5:
    n += 1
    if n == 3: continue
    if n == 10: break
else:
    n += 100
result = n
# ---
n = 0
while True:
    n += 1
    if n > 5: break
else:
    n = -1
result = n
# ---
for i in range(3):
    pass
result = i
# ---
for i in range(0):
    pass
try:
    result = i
except UnboundLocalError as e:
    result = str(e)
# ---
out = []
for i in range(3):
    for j in range(3):
        if j == i: break
        out.append((i, j))
    else:
        out.append(('full', i))
        continue
    out.append(('cut', i))
result = out
# ---
out = []
for i in range(4):
    i *= 10
    out.append(i)
result = (out, i)
# ---
x = 5
if x > 10: r = 'a'
elif x > 3: r = 'b'
elif x > 4: r = 'c'
else: r = 'd'
result = r
# ---
log = []
def t(v, r):
    log.append(v)
    return r
if t(1, False) or t(2, True) and t(3, False) or t(4, 0):
    log.append('yes')
elif t(5, not t(6, '')):
    log.append('elif')
result = log
# ---
log = []
def v(x):
    log.append(x)
    return x
r = [v(1) < v(5) < v(3) < v(9), v(1) < v(2) <= v(2) != v(3)]
result = (r, log)
# ---
log = []
def v(x):
    log.append(x)
    return x
result = (v(0) or v('') or v([]) or v(7) or v(8), v(1) and v(0) and v(2), not v(0), log)
# ---
log = []
def v(x):
    log.append(x)
    return x
d = {}
d[v('k')] = v('value')
result = (d, log)
# ---
log = []
def v(x):
    log.append(x)
    return x
d = {'k': 1}
d[v('k')] += v(5)
result = (d, log)
# ---
log = []
def v(x):
    log.append(x)
    return x
a = [0, 0]
def get():
    log.append('get')
    return a
get()[v(0)], get()[v(1)] = v('p'), v('q')
result = (a, log)
# ---
log = []
def v(x):
    log.append(x)
    return x
r = {v('a'): v(1), v('b'): v(2), **v({'c': 3})}
s = [v(1), *v([2]), v(3)]
t = v(1) + v(2) * v(3) - v(4)
u = v([1, 2, 3])[v(0):v(2):v(1)]
w = v(1) if v(0) else v(2)
result = (r, s, t, u, w, log)
# ---
log = []
def v(x):
    log.append(x)
    return x
a = b = c = v([])
a.append(1)
result = (b, c is a, log)
# ---
i = 0
a = [0, 0, 0]
i, a[i] = 1, 9
result = (i, a)
# ---
a = [1, 2]
i = 0
i, a[i], i = 1, 'x', 0
result = (i, a)
# ---
x = 1
x, y = 2, x
result = (x, y)
# ---
a, b, c = 1, 2, 3
a, b, c = c, a, b
result = (a, b, c)
# ---
def f():
    for i in range(3):
        for j in range(3):
            if i * j == 2:
                return (i, j)
    return None
result = f()
# ---
def f(n):
    while n:
        n -= 1
        if n == 2: return 'two'
    else:
        return 'else'
result = (f(5), f(2))
# ---
assert True, 'no'
assert 1 == 1
result = 'passed'
# ---
assert False
# ---
assert 1 > 2, 'message'
# ---
assert [], [1, 2]
# ---
x = 10
del x
x = 5
result = x
# ---
a, b = [1], {'k': 1}
del a[0], b['k']
result = (a, b)
# ---
pass
...
result = ...
# ---
out = []
n = 27
while n != 1:
    out.append(n)
    n = n // 2 if n % 2 == 0 else 3 * n + 1
result = (len(out), max(out))
# ---
found = None
for x in (y * y for y in range(100)):
    if x > 50:
        found = x
        break
result = found
# ---
out = []
for a, (b, *c) in [(1, (2, 3, 4)), (5, 'xy')]:
    out.append((a, b, c))
result = out
# ---
x = [0, 0]
for x[0] in range(3):
    x[1] += x[0]
result = x
# ---
d = {}
for d['k'] in 'abc':
    pass
result = d
# ---
for x in None: pass
# ---
for x in 5: pass
# ---
for a, b in [(1, 2), (3,)]: pass
# ---
out = []
for i in range(3):
    try:
        if i == 1: continue
        if i == 2: break
        out.append(i)
    finally:
        out.append(f'f{i}')
else:
    out.append('else')
result = out
# ---
def f():
    while True:
        try:
            return 'r'
        finally:
            break
    return 'after'
result = f()
# ---
def f():
    out = []
    for i in range(4):
        try:
            raise ValueError(i)
        except ValueError as e:
            out.append(str(e))
            if i == 2: break
            continue
        finally:
            out.append('f')
        out.append('never')
    return out
result = f()
# ---
def f():
    for i in range(3):
        try:
            return i
        finally:
            continue
    return 'end'
result = f()
# ---
n = 0
while (n := n + 1) < 10:
    if n % 7 == 0: break
else:
    n = 'none'
result = n
# ---
def collatz(n):
    steps = 0
    while n > 1:
        n, steps = (n // 2, steps + 1) if n % 2 == 0 else (3 * n + 1, steps + 1)
    return steps
result = [collatz(n) for n in range(1, 20)]
# ---
def bubble(items):
    items = items[:]
    for i in range(len(items)):
        swapped = False
        for j in range(len(items) - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
                swapped = True
        if not swapped: break
    return items
result = bubble([5, 2, 9, 1, 5, 6])
# ---
def search(items, x):
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < x: low = middle + 1
        else: high = middle
    return low
result = [search([1, 3, 5, 7], x) for x in range(9)]
# ---
x = 1 if [] else 2 if {} else 3
y = (1, 2) if x else ()
result = (x, y, 'a' if x == 3 else 'b' if x else 'c')
# ---
with contextlib.suppress(KeyError, ValueError):
    {}['a']
result = 'went on'
# ---
with contextlib.suppress(KeyError):
    [][0]
# ---
await asyncio.sleep(0)
result = await asyncio.sleep(0.5, 'slept')
# ---
await 5
# ---
result = await asyncio.gather(asyncio.sleep(0.2, 'a'), asyncio.sleep(0.1, 'b'))
# ---
a = [1, 2]
a[await asyncio.sleep(0, 1)] = await asyncio.sleep(0, 'v')
result = a
# ---
a = [1]
b = a
a += [await asyncio.sleep(0.1, 2)]
result = (a, b, a is b)
# ---
x = 1
def set_x():
    nonlocal x
    x = 100
    return 1
x += set_x()
result = x
# ---
result = [await asyncio.sleep(0, n) for n in range(3) if n != 1]
# ---
f = lambda v: v * 2
result = f(await asyncio.sleep(0.1, 4)) + (await asyncio.sleep(0.1, 1))
# ---
out = []
for n in range(3):
    out.append(await asyncio.sleep(n / 10, n))
else:
    out.append(await asyncio.sleep(0, 'else'))
result = out
# ---
n = 0
while await asyncio.sleep(0, n) < 3:
    n += 1
result = n
# ---
result = {await asyncio.sleep(0, 'k'): await asyncio.sleep(0, 'v')}, f'{await asyncio.sleep(0, 5):>3}', (await asyncio.sleep(0, 1)) < (await asyncio.sleep(0, 2)) < 3
