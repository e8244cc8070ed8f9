# each line an expression
[1, 2, 3][0], [1, 2, 3][-1], [[1], [2]][1][0], (1, 2)[1], {'a': 1}['a'], {1: 'x', 1.0: 'y', True: 'z'}
[1][1]
[1][-2]
(1,)[5]
{'a': 1}['b']
{1: 2}['1']
{}[(1, 'a')]
[1]['a']
(1,)['a']
{}[[1]]
5[0]
None[0]
[1, 2] == [1, 2.0], [1, 2] < [1, 3], [1] < [1, 0], [] < [0], (1, 2) < (1, 'a') if 0 else 0, [1, 2] != [2, 1], (1,) == [1]
[1, 'a'] < [1, 2]
(1, 2) < [1, 3]
1 in [1, 2], '1' in [1], [1] in [[1]], None in [None], 1 in {1: 2}, 2 in {1: 2}, 1.0 in {1}, (1,) in [(1,)]
1 in 5
[] in {}
[1] in {1}
list((1, 2)), list({'a': 1}), list('ab'), list(range(3)), tuple([1]), list({1: 2}.items()), dict([(1, 2)]), dict(a=1, b=2), dict({'a': 1}, b=2), dict([['a', 1]]), dict(['ab', 'cd'])
dict([1])
dict([(1, 2, 3)])
dict(5)
dict(['abc'])
list(5)
tuple(None)
set(1)
set([[1]])
sorted({3, 1, 2}), sorted({1, 2} | {2, 3}), sorted({1, 2} & {2, 3}), sorted({1, 2} - {2}), sorted({1, 2} ^ {2, 3}), {1} <= {1, 2}, {1, 2} < {1, 2}, {1} == {1.0}, {1} == frozenset([1]), {1}.isdisjoint({2})
{1}.union([2]) == {1, 2}, sorted({1}.union([2], (3,))), sorted({1, 2, 3}.intersection([2, 3], [3])), sorted({1, 2}.difference([1])), sorted({1, 2}.symmetric_difference([2, 3])), {1}.issubset([1, 2]), {1, 2}.issuperset([1])
frozenset([1]) | {2} == frozenset([1, 2]), type(frozenset([1]) | {2}) is frozenset, type({1} | frozenset()) is set, frozenset(), frozenset([1]), {frozenset([1]): 'x'}[frozenset([1])], set(), {1}
{1} < 5
{1} < [1]
{1} - [1]
{'a': 1} | {'b': 2}, {'a': 1} | {'a': 2}, {'a': 1} == {'a': 1.0}, {'a': 1, 'b': 2} == {'b': 2, 'a': 1}, {**{'a': 1}, 'b': 2, **{'a': 3}}, [*[1], *(2, 3), *'ab'], (*[1],), {*[1], *[1]}
{'a': 1} | [1]
[*5]
{**5}
{**[1]}
[*None]
{'a': 1}.get('a'), {}.get('a'), {}.get('a', 5), {'a': 1}.keys(), {'a': 1}.values(), {'a': 1}.items(), list({'a': 1, 'b': 2}), len({'a': 1}), 'a' in {'a': 1}.keys(), 1 in {'a': 1}.values(), ('a', 1) in {'a': 1}.items()
{'a': 1, 'b': 2}.keys() & {'a'}, {'a': 1}.keys() | {'b'} == {'a', 'b'}, {'a': 1}.keys() == {'a'}, {'a': 1}.items() == {('a', 1)}, sorted({'a': 1, 'b': 2}.keys() - ['a'])
dict.fromkeys('ab'), dict.fromkeys([1, 2], 0), list(reversed({'a': 1, 'b': 2})), list(reversed({'a': 1}.items()))
{'a': 1}.pop('b')
{'a': 1}.pop('b', None), {'a': 1}.pop('a')
{}.popitem()
{}.update(5)
{}.get()
{}.setdefault([], 1)
[].pop()
[1].pop(5)
[1].remove(2)
[1].index(2)
[1, 2, 3].index(3, 0, 2)
[1].append()
[1].append(1, 2)
[1].insert(0)
[1].extend(5)
[1].pop('a')
[1].foo
[1].foo()
{}.foo
(1,).append
().index(1)
[1, 2, 1].count(1), (1, 1).count(1), [1, 2, 3].index(2), (1, 2).index(2), [1.0, True].count(1), [1, 2, 1].index(1, 1)
[3, 1, 2].sort(), [1].reverse(), [].append(1), [1].clear(), {}.clear(), set().add(1), {}.update(a=1)
sorted([3, 1, 2]), sorted([3, 1, 2], reverse=True), sorted(['b', 'A', 'c'], key=str.lower), sorted([(1, 'b'), (1, 'a'), (0, 'c')]), sorted({'b': 1, 'a': 2}), sorted('cab'), sorted([1.5, 1, True])
sorted([1, 'a'])
sorted(5)
sorted([1], foo=1)
sorted([1], key=5)
sorted([1, 2], len)
[3, 1].sort(len)
sorted([None, None])
list(reversed([1, 2])), list(reversed((1, 2))), list(reversed(range(3))), list(reversed('ab'))
reversed(5)
reversed({1})
list(zip([1, 2], 'ab')), list(zip([1, 2], 'a')), list(zip()), list(zip([1])), list(enumerate('ab')), list(enumerate('ab', 5)), list(enumerate([], start=1))
list(zip([1, 2], [1], strict=True))
list(zip([1], [1, 2], strict=True))
list(zip([1], [1], strict=True)), dict(zip('ab', [1, 2])), list(map(str, [1, 2])), list(map(lambda a, b: a + b, [1, 2], [3, 4, 5])), list(filter(None, [0, 1, '', 'a'])), list(filter(lambda x: x > 1, [1, 2, 3]))
zip(5)
map(5)
list(map(5, [1]))
enumerate(5)
enumerate()
range(5), list(range(5)), list(range(1, 5)), list(range(5, 1, -2)), range(5)[2], range(5)[-1], range(10)[2:8:2], len(range(0, 10, 3)), 3 in range(5), 5 in range(5), 1.0 in range(3), range(3) == range(0, 3, 1), range(0) == range(2, 2), range(1, 5).index(3), range(5).count(2), range(0, 10, 3)[-1], range(5)[::-1]
range(0, 5, 0)
range(1.5)
range('a')
range()
range(5)[5]
range(1, 2, 3, 4)
len(range(10**18)), range(5).start, range(1, 9, 2).stop, range(1, 9, 2).step
len(range(10**18))
any([0, 1]), any([]), all([]), all([1, 0]), any('a'), all(x for x in [1, 2]), any(x > 1 for x in [1, 2])
any(5)
iter([1]) is not None, next(iter([1])), next(iter([]), 5), list(iter('ab')), next(iter({'a': 1}))
next(iter([]))
next([1])
iter(5)
(1, 2) + (3,), (1,) * 2, (), (1,), ((),), ([],), (1, [2])
[[]] * 2, [[0] * 2] * 2, [1, [2, [3]]], [None, True, 'a', 1.5, b'b', (1,), {'k': {1}}]
len([1, 2]), len({}), len({1, 2}), len((1,)), len(range(3)), len('')
{'a': {'b': [1]}}['a']['b'][0], [{'x': 1}][0]['x']
{1: 'a', 'b': 2, (1, 2): 3, None: 4, 1.5: 5, True: 6, b'x': 7, frozenset([1]): 8}
{True: 'a', 1: 'b', 1.0: 'c', 0: 'd', False: 'e'}
list({3: 1, 1: 2, 2: 3}), list({3: 1, 1: 2, 2: 3}.values()), [*{'x': 1, 'y': 2}.items()]
[1, 2, 3] > [1, 2], [1, 2] >= [1, 2], (1, 2, 3) <= (1, 2, 4), [[1, 2], [3]] < [[1, 2], [4]], [1, [2]] == [1, [2]]
hash((1, 'a')) == hash((1, 'a')), hash(frozenset([1, 2])) == hash(frozenset([2, 1])), hash(()) == hash(())
isinstance([], list), type([]) is list, type(()) == tuple, type({}) is dict, type(None), type(1), type('a'), type([]), type(int), type(range(1)), type(lambda: 0)
min([3, 1, 2], key=lambda x: -x), max({'a': 3, 'b': 5}, key={'a': 3, 'b': 5}.get), max(['aa', 'b'], key=len), min('ab', 'c', key=len), sorted([[2], [1]])
# ---
nan = float('nan')
result = (nan in [nan], nan == nan, [nan].index(nan), [nan].count(nan), 1.0 in [nan])
# ---
d = {'a': 1, 'b': 2, 'c': 3}
del d['b']
d['b'] = 4
d['a'] = 5
result = (d, list(d), d.popitem(), d.setdefault('z', 9), d.setdefault('a', 0), d.pop('c'), d)
# ---
d = {}
d.update({'a': 1}, b=2)
d.update([('c', 3)])
d |= {'d': 4}
d |= [('e', 5)]
result = d
# ---
d = {'a': 1}
del d['x']
# ---
x = [1, 2, 3]
del x[5]
# ---
x = (1, 2)
x[0] = 5
# ---
x = (1, 2)
del x[0]
# ---
x = [1]
x[3] = 1
# ---
x = {}
x[[]] = 1
# ---
x = 5
x[0] = 1
# ---
x = None
x['a'] = 1
# ---
x = range(3)
x[0] = 1
# ---
x = {1}
x[0]
# ---
a = [1, 2, 3]
a.append(4)
a.insert(0, 0)
a.insert(100, 9)
a.insert(-1, 8)
a.extend((5, 6))
a.remove(2)
p = a.pop()
q = a.pop(0)
a.reverse()
result = (a, p, q, a.index(3), a.copy(), len(a))
# ---
t = ([1], 2)
try:
    t[0] += [5]
except TypeError as e:
    result = (t, str(e))
# ---
s = {1, 2}
s.add(3)
s.add(2)
s.discard(9)
s.remove(1)
s.update([7, 8], (9,))
s |= {10}
s &= {2, 3, 7, 10}
s -= {2}
s ^= {3, 99}
result = sorted(s)
# ---
s = {1}
s.remove(2)
# ---
s = set()
s.pop()
# ---
s = {1, 2, 3}
t = s.copy()
s.difference_update([1])
s.intersection_update([2, 3])
s.symmetric_difference_update([3, 4])
result = (sorted(s), sorted(t), len(s))
# ---
students = [('ann', 3), ('bob', 1), ('cat', 3), ('dan', 2)]
students.sort(key=lambda s: s[1], reverse=True)
result = students
# ---
data = [(1, 'b'), (0, 'x'), (1, 'a'), (0, 'a')]
result = (sorted(data, key=lambda p: p[0]), sorted(data, key=lambda p: p[0], reverse=True), data)
# ---
x = [3, 1, 2]
y = x.sort()
result = (x, y)
# ---
x = [1, 'a', 2]
try:
    x.sort()
except TypeError as e:
    result = str(e)
# ---
def bad(v):
    if v == 2:
        raise ValueError('key')
    return v
try:
    sorted([1, 2, 3], key=bad)
except ValueError as e:
    result = repr(e)
# ---
x = [1, 2, 3]
out = []
for v in x:
    out.append(v)
    if len(x) < 6:
        x.append(v * 10)
result = (x, out)
# ---
x = [1, 2, 3, 4]
for v in x:
    x.remove(v)
result = x
# ---
d = {'a': 1}
for k in d:
    d[k + 'x'] = 1
# ---
d = {'a': 1, 'b': 2}
for k in d:
    del d[k]
# ---
d = {'a': 1, 'b': 2}
for k in d:
    d[k] = 5
result = d
# ---
d = {'a': 1, 'b': 2}
for k in list(d):
    del d[k]
result = d
# ---
s = {1, 2}
for v in s:
    s.add(v + 10)
# ---
d = {'a': 1}
for k, v in d.items():
    d['b'] = 1
# ---
d = {'a': 1, 'b': 2}
keys = d.keys()
items = d.items()
d['c'] = 3
result = (list(keys), list(items), len(keys), keys)
# ---
it = iter([1, 2, 3])
a = next(it)
b = list(it)
result = (a, b, list(it), next(it, 'end'))
# ---
it = iter([1, 2, 3, 4])
result = list(zip(it, it))
# ---
it = iter(range(5))
result = [2 in it, list(it)]
# ---
x = [1]
it = iter(x)
next(it)
x.append(2)
first = next(it)
ended = next(it, 'end')
x.append(3)
result = (first, ended, next(it, 'still'))
# ---
z = zip([1, 2, 3], 'ab')
first = next(z)
result = (first, list(z), list(z))
# ---
e = enumerate('abc', 1)
next(e)
result = list(e)
# ---
m = map(lambda x: x * 2, [1, 2, 3])
result = (next(m), list(m), list(m))
# ---
a = []
a.append(a)
result = (repr(a), len(a), a[0] is a)
# ---
d = {}
d['self'] = d
result = repr(d)
# ---
a = [1]
t = (a, a)
a.append(t)
result = repr(t)
# ---
a, b = [], []
a.append(b)
b.append(a)
try:
    result = a == b
except RecursionError as e:
    result = str(e)
# ---
grid = [[0] * 3 for _ in range(2)]
grid[0][1] = 5
shared = [[0] * 2] * 2
shared[0][0] = 1
result = (grid, shared)
# ---
result = [x for x in {'b': 1, 'a': 2}.items()]
# ---
from_keys = dict.fromkeys(['a', 'b'], [])
from_keys['a'].append(1)
result = from_keys
# ---
nested = {'a': {'b': {'c': 1}}}
nested['a']['b']['d'] = nested['a'].get('x', {}).get('y', 'none')
result = nested
# ---
stack, queue = [], []
for n in range(5):
    stack.append(n)
    queue.insert(0, n)
result = [(stack.pop(), queue.pop()) for _ in range(5)]
# ---
matrix = [[1, 2, 3], [4, 5, 6]]
result = ([list(r) for r in zip(*matrix)], [sum(r) for r in matrix], max(map(max, matrix)))
# ---
groups = {}
for word in ['apple', 'bob', 'avocado', 'cat', 'banana']:
    groups.setdefault(word[0], []).append(word)
result = groups
# ---
x = [5, 3, 8]
x.sort(reverse=True)
x.sort(key=lambda v: v % 5)
result = x
# ---
x = list(range(10))
x[2:5] = ['a']
x[::3] = ['p', 'q', 'r']
result = x
# ---
d = {1: 'a'}
d[True] = 'b'
d[1.0] = 'c'
result = d
# ---
class_of = [type(v).__name__ for v in (1, 1.5, 'a', b'a', [], (), {}, set(), frozenset(), None, True, range(1), len, int, lambda: 0, {}.keys(), {}.items(), enumerate([]), zip(), slice(1))]
result = class_of
