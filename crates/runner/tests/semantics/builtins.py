# each line an expression
abs(-1), all([]), any([]), ascii('é'), bin(5), bool(1), bytes(2), callable(1), chr(65), dict(a=1), divmod(5, 2), float('1'), format(1, '>2'), frozenset(), hash(1), hex(9), int('1'), isinstance(1, int), len(''), list(), max(1, 2), min(1, 2), oct(9), ord('a'), pow(2, 3), repr('a'), round(1.5), set(), sorted([2, 1]), str(1), sum([1]), tuple(), type(1), list(zip())
repr(1.0), repr('a\'b'), repr([1, 'a', None]), repr((1,)), repr({'a': {1}}), repr(range(1, 2)), repr(b'\xff'), repr(None), repr(...), repr(int), repr(ValueError), repr(slice(1, 2, 3)), repr(frozenset([1]))
repr()
print() is None
sum([1], 2, 3)
sum()
divmod(1)
divmod('a', 1)
pow()
isinstance(1)
abs()
hash()
sorted()
type()
zip(1, 2)
int('1', base=2), int('ff', base=16), round(number=1.567, ndigits=2), sum([1], start=5), sorted(iterable=[1]) if 0 else 0, enumerate(iterable='a', start=1) is None
int(x=1)
max([1, 2], 3)
max(5, key=len)
max([1, 2], key=5)
max(1, 2, foo=3)
min('a', 1)
min([1, 2, 'a'])
map(None, [1]) is None
list(map(None, [1]))
filter(1)
list(filter(5, [1]))
next(5)
next(iter([]), None), next(iter([1]), 0)
iter(len)
all(5)
any(None)
any([1], [2])
getattr('a', 'upper')(), getattr(1, 'nope', 'default'), hasattr('a', 'upper'), hasattr(1, 'nope'), hasattr([], 'append')
getattr(1, 'nope')
getattr(1, 5)
bool([[]]), bool({'a': None}), bool(range(0)), bool(b''), bool(ValueError()), bool(lambda: 0), bool(datetime.timedelta(0)), bool(decimal.Decimal(0)), bool(set())
int.__name__, type('a').__name__, ValueError.__name__, len.__name__, datetime.date.__name__, decimal.Decimal.__name__
int is type(5), type(5) == int, type(int) is type, type(None)() is None, type([])((1, 2)), type({})(a=1)
str.upper('a'), list.append, dict.get({'a': 1}, 'a'), str.join(',', ['a', 'b']), int.bit_length(5), list.index([1, 2], 2), str.format('{}', 1)
str.upper(5)
list.append(5, 1)
dict.get()
issubclass(int, object), issubclass(bool, (str, int)), isinstance(None, object), isinstance(int, type), isinstance(ValueError(), Exception), isinstance({}, dict)
issubclass(1, int)
issubclass(int, 1)
list(range(3)) + list('ab') + list({'k': 1}) + list((x for x in [9])) + sorted({2, 1})
round(5.5), round(6.5), round(-5.5), round(5.55, 1), round(5.45, 1), round(1e20), round(123456, -3), type(round(1.0)) is int, type(round(1.0, 0)) is float
max([[1, 2], [1, 3]]), max('abc', 'abd'), min((3, 'a'), (2, 'z')), max(1, 2.5, True), min([float('nan'), 1]) != min([float('nan'), 1]), max([1, float('nan')]), min(['b', 'a'], key=lambda s: s), max({1: 'a', 2: 'b'})
sum([[1, 2], [3]], []), sum([(1,), (2,)], ()), sum([0.1, 0.2, 0.3]), sum(range(101)), sum([10**20, 1]), sum([1, 2.5, True]), sum({1: 2, 3: 4})
list(zip('ab', 'cd', 'ef')), list(zip(range(3), reversed(range(3)))), [*zip(*[(1, 2), (3, 4)])], list(map(max, [1, 5], [4, 2])), list(map(int, '123')), list(filter(str.isalpha, 'a1b')), list(enumerate(['x'], -1))
sorted(['b', 'a', 'C'], key=str.casefold), sorted([(2, 'a'), (1, 'b')], key=lambda t: t[1]), sorted({'x': 2, 'y': 1}.items(), key=lambda kv: kv[1]), sorted([3, 1, 2], key=lambda v: -v), sorted([True, False, 2]), sorted('Hello')
type(object()).__name__, object() == object(), callable(object)
bytes([65, 66]).decode(), bytes(b'a'), bytes((1, 2)), bytes(range(3)), bytes('a', 'ascii'), bytes(bytes(2))
tuple({'a': 1}), tuple('ab'), list(tuple([1])), set([1, 1]) == {1}, frozenset('aa') == {'a'}, dict(zip('ab', 'cd')), dict({}), list(dict(b=1, a=2))
print('a', sep='-'), print('a', 'b', end='')
print('a', foo=1)
int('0'), int('-1'), int('  5\n'), int(5.0), int('0b11', 2), int('11', 2), int(str(10**30)), int(' 1_2 ')
int('0b12', 0)
int('١٢')
float('1e5'), float('-.5e-3'), float('nan') != float('nan'), float('+inf'), float('1_000.5'), float(10**15), float('  1.5\t')
float('1e')
float('0x10')
str(1e10), str(1e16), str(1.0), str(-0.0), str(1e-4), str(1e-5), str(123456789.123), str(float('inf')), str(0.1 + 0.2), str(1/3)
# ---
result = [hex(x) for x in range(14, 18)] + [f(255) for f in (bin, oct, hex, str, chr)]
# ---
result = list(map(lambda *a: a, 'ab', [1, 2], (True, False)))
# ---
values = [0, 1, -1, 0.0, '', 'a', [], [0], {}, {0: 0}, (), (0,), None, True, False, b'', b'a', set(), range(0), range(1)]
result = [bool(v) for v in values]
# ---
values = [1, 1.0, True, '1', None, (1,), [1], 'a', b'a', 0, False, 0.0, '', (), []]
result = [[int(a == b) for b in values] for a in values]
# ---
values = [1, 1.5, True, 'a', None, (1,), [1], {1: 2}, b'a', {1}]
out = []
for a in values:
    for b in values:
        try:
            out.append(a < b)
        except TypeError as e:
            out.append(str(e))
result = out
# ---
values = [2, 1.5, True, 'ab', None, (1,), [1], {1: 2}, b'a', {1}]
out = []
for a in values:
    for b in values:
        try:
            out.append(a + b)
        except TypeError as e:
            out.append(str(e))
result = out
# ---
values = [3, 1.5, True, 'ab', None, (1,), [1], {1: 2}, b'a', {1}]
out = []
for a in values:
    for b in values:
        try:
            out.append(a * b)
        except TypeError as e:
            out.append(str(e))
result = out
# ---
values = [3, 1.5, True, 'ab', None, (1,), [1], {1: 2}, b'a', {1}]
out = []
for a in values:
    for b in values:
        try:
            out.append(a - b)
        except TypeError as e:
            out.append(str(e))
        try:
            out.append(a | b)
        except TypeError as e:
            out.append(str(e))
        try:
            out.append(a ** b if not isinstance(a, bool) else 0)
        except TypeError as e:
            out.append(str(e))
result = out
# ---
values = [3, 1.5, True, 'ab', None, (1,), [1], {1: 2}, b'a', {1}]
out = []
for a in values:
    for b in values:
        try:
            out.append(a in b)
        except TypeError as e:
            out.append(str(e))
        try:
            out.append(b[a])
        except (TypeError, KeyError, IndexError) as e:
            out.append(f'{type(e).__name__} {e}')
result = out
# ---
values = [3, 1.5, True, 'a', None, (1,), [1], {1: 2}, b'a', {1}, len, int, ValueError('x'), range(2)]
out = []
for f in (len, abs, int, float, list, sorted, sum, iter, hash, ord, bin, round, min, any, reversed, dict, set, next):
    for v in values:
        try:
            r = f(v)
            out.append(r if f not in (iter, hash, reversed) else 'ok')
        except (TypeError, ValueError, StopIteration) as e:
            out.append(f'{type(e).__name__} {e}')
result = out
# ---
out = []
for name in ('upper', 'append', 'keys', 'add', 'real', 'nope', 'year', 'args', 'count', 'index', 'start'):
    for v in ('a', [], {}, set(), 1, 1.5, None, (1,), ValueError('x'), range(3), datetime.date(2024, 1, 1), b'a'):
        try:
            getattr(v, name)
            out.append((name, hasattr(v, name)))
        except AttributeError as e:
            out.append(str(e))
result = out
