def f(x):
    match x:
        case 0: return 'zero'
        case 1 | 2: return 'one or two'
        case -1: return 'minus one'
        case 1.5: return 'float'
        case 'a' | b'a': return 'text'
        case None: return 'none'
        case True: return 'true'
        case False: return 'false'
        case _: return 'other'
result = [f(x) for x in (0, 1, 2, -1, 1.5, 'a', b'a', None, True, False, 0.0, 1.0, [], 'b')]
# ---
def f(x):
    match x:
        case True: return 'true'
        case 1: return 'one'
        case None: return 'none'
result = [f(x) for x in (1, True, 1.0, None, 0)]
# ---
def f(x):
    match x:
        case []: return 'empty'
        case [a]: return ('one', a)
        case [a, b]: return ('two', a, b)
        case [a, *rest]: return ('many', a, rest)
result = [f(x) for x in ([], [1], (1, 2), [1, 2, 3], 'ab', range(3), range(1), {}, {1}, b'ab', iter([1]))]
# ---
def f(x):
    match x:
        case [1, *_, 9]: return 'ends'
        case [*init, 0]: return ('zero at end', init)
        case (a, [b, *c], *d): return (a, b, c, d)
        case _: return 'none'
result = [f(x) for x in ([1, 9], [1, 2, 3, 9], [5, 0], [0], [1, [2, 3], 4], [1, (2,)], [1, 'ab'])]
# ---
def f(x):
    match x:
        case {'type': 'a', 'value': v}: return ('a', v)
        case {'type': t, **rest}: return (t, rest)
        case {1: one}: return one
        case {}: return 'any mapping'
        case _: return 'no'
result = [f(x) for x in ({'type': 'a', 'value': 1}, {'type': 'a'}, {'type': 'b', 'x': 1, 'y': 2}, {1: 'one', 2: 'two'}, {}, {'z': 1}, [], 5)]
# ---
def f(x):
    match x:
        case int(): return 'int'
        case str(s): return ('str', s)
        case list([a, b]): return ('list', a, b)
        case dict(d): return ('dict', d)
        case tuple(): return 'tuple'
        case _: return 'other'
result = [f(x) for x in (1, True, 'a', [1, 2], {'a': 1}, (1,), None, 1.5, [1])]
# ---
def f(x):
    match x:
        case bool(b): return ('bool', b)
        case int(n) if n > 10: return ('big', n)
        case int(n): return ('int', n)
        case bytes(b): return ('bytes', b)
        case set() | frozenset(): return 'set'
        case float(): return 'float'
result = [f(x) for x in (True, 5, 50, b'a', {1}, frozenset(), 1.0, 'x')]
# ---
def f(x):
    match x:
        case (1 | 2 | 3) as n: return ('small', n)
        case [int() as a, str() as b]: return (a, b)
        case [('x' | 'y') as axis, v]: return (axis, v)
        case other: return ('other', other)
result = [f(x) for x in (1, 3, [1, 'a'], ['x', 5], ['y', 1], ['z', 1], 9)]
# ---
log = []
def guard(v, r):
    log.append(v)
    return r
match 5:
    case n if guard('first', n > 10): result = 'big'
    case n if guard('second', n > 3): result = 'medium'
    case n if guard('third', True): result = 'rest'
result = (result, n, log)
# ---
match [1, [2, 3]]:
    case [a, [b, c]] if a > 5: result = 'no'
    case [x, [y, *z]]: result = (x, y, z)
# ---
x = 5
match x:
    case 1: y = 'a'
result = x
# ---
match (1, 2):
    case (x, y) if x > y: result = 'gt'
    case (x, y): result = f'{x} <= {y}'
# ---
match {'a': {'b': [1, {'c': 2}]}}:
    case {'a': {'b': [_, {'c': value}]}}: result = value
# ---
match 'hello':
    case 'h' 'ello': result = 'joined'
# ---
point = {'x': 1, 'y': 2}
match point:
    case {'x': x, 'y': y} if x == y: result = 'diagonal'
    case {'x': 0 | 1 as x}: result = ('near', x)
# ---
match ValueError('a'):
    case KeyError(): result = 'key'
    case LookupError() | ValueError() as e: result = repr(e)
# ---
match datetime.date(2024, 1, 2):
    case datetime.datetime(): result = 'datetime'
    case datetime.date(year=2024, month=m): result = ('date', m)
# ---
def f(command):
    match command.split():
        case ['go', ('north' | 'south') as d]: return ('go', d)
        case ['go', *rest]: return ('cannot go', rest)
        case ['drop', *items] if items: return ('drop', items)
        case [action]: return ('alone', action)
        case []: return 'nothing'
        case _: return '?'
result = [f(c) for c in ('go north', 'go up now', 'drop a b', 'drop', '', 'x y')]
# ---
match 1:
    case int(a, b): result = 'no'
# ---
match 5:
    case int(foo=1): result = 'no'
    case int(real=r, imag=0): result = ('real', r)
# ---
match [1, 2, 3, 4, 5]:
    case [first, *middle, last]: result = (first, middle, last)
# ---
match (1, (2, (3, (4,)))):
    case (a, (b, (c, (d,)))): result = (a, b, c, d)
# ---
match 10**30:
    case 1000000000000000000000000000000: result = 'big'
# ---
match {'k': None}:
    case {'k': None, **rest}: result = ('none', rest)
# ---
match -0.5:
    case -0.5: result = 'negative float'
# ---
match math.pi:
    case math.e: result = 'e'
    case math.pi: result = 'pi'
# ---
def f(x):
    match x:
        case [[a, b], [c, d]] | [a, b, c, d]: return (a, b, c, d)
        case {'a': a} | [a]: return a
result = [f([[1, 2], [3, 4]]), f([1, 2, 3, 4]), f({'a': 5}), f([6]), f(0)]
# ---
for x in (1, 2, 3):
    match x:
        case 2: break
        case _: continue
result = x
# ---
def f():
    match 1:
        case 1:
            try:
                return 'in match'
            finally:
                log.append('finally')
log = []
result = (f(), log)
# ---
match await asyncio.sleep(0.1, [1, 2]):
    case [a, b] if await asyncio.sleep(0, True): result = (a, b)
# ---
match 1, 2:
    case 1, x: result = x
# ---
match 'abc':
    case [*_]: result = 'sequence'
    case str(): result = 'str'
