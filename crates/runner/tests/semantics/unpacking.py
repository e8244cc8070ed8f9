a, b = 1, 2
[c, d] = (3, 4)
(e, f), g = [5, 6], 7
result = (a, b, c, d, e, f, g)
# ---
a, *b = [1, 2, 3]
*c, d = 'xyz'
e, *f, g = range(5)
*h, = (1, 2)
i, *j = [1]
result = (a, b, c, d, e, f, g, h, i, j)
# ---
a, b = 1
# ---
a, b = (1,)
# ---
a, b, c = [1, 2]
# ---
a, b = 1, 2, 3
# ---
a, b = 'abc'
# ---
a, *b, c = [1]
# ---
a, b, *c, d = [1, 2]
# ---
*a, b = []
# ---
a, b = None
# ---
a, b = {}
# ---
a, b = {1: 2, 3: 4}
result = (a, b)
# ---
(a, b), c = 1, 2
# ---
a, (b, *c), d = 1, [2, 3, 4], 5
result = (a, b, c, d)
# ---
x = [1, 2, 3]
x[0], x[1:], y = 9, [8, 7], 6
result = (x, y)
# ---
a = b = [1]
a += [2]
result = (a, b)
# ---
d = {}
d['x'], d['y'] = 1, 2
d['z'], *d['rest'] = [3, 4, 5]
result = d
# ---
a, b = b, a = 1, 2
result = (a, b)
# ---
a = 1, 2
b = 1,
c = ()
result = (a, b, c)
# ---
def f(): return 1, (2, 3), {'k': 4}
a, (b, c), d = f()
result = (a, b, c, d)
# ---
result = (*range(3), *'ab', *[], *{'k': 1})
# ---
first, (second, third), *others = [1, (2, 3), 4, 5]
result = [first, second, third, others]
# ---
a, b = (x * 2 for x in range(2))
result = (a, b)
# ---
a, b = (x * 2 for x in range(3))
# ---
log = []
def gen():
    for i in range(5):
        log.append(i)
        yield i
try:
    a, b = gen()
except ValueError as e:
    result = (str(e), log)
# ---
x, y, z = a, b, c = [1, 2, 3]
result = (x, y, z, a, b, c)
# ---
for (a, b), c in [((1, 2), 3), ('xy', 'z')]:
    pass
result = (a, b, c)
# ---
a = [1, 2, 3]
a[0], a[1] = a[1], a[0]
a[a[0]], a[0] = a[0], a[a[0]]
result = a
# ---
_, _, last = 'abc'
result = (_, last)
# ---
head, *_ = [1]
result = (head, _)
# ---
a, b = map(int, '3 4'.split())
result = a * b
# ---
[a, [b, [c]]] = 1, (2, 'z')
result = (a, b, c)
# ---
a, b = await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2))
result = (a, b)
