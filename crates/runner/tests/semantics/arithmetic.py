# each line an expression
7 // 2, -7 // 2, 7 // -2, -7 // -2
7 % 3, -7 % 3, 7 % -3, -7 % -3
divmod(7, 3), divmod(-7, 3), divmod(7, -3), divmod(-7, -3)
7.5 // 2, -7.5 // 2, 7.5 % -2, -7.5 % 2
divmod(-7.5, 2), divmod(7.5, -2.0)
1 / 2, 4 / 2, -1 / 3, 10**20 / 10**18
2**10, 2**-1, (-2)**3, (-8)**2, 2**0.5, 0**0, 0.0**0
2**100, -2**100, (-2)**101
(2**64) // 3, -(2**64) // 3, (2**64) % 7, -(2**64) % 7
2**64 + 1, 2**63 - 1, -2**63, -(2**63) - 1
9223372036854775807 + 1, -9223372036854775808 - 1
9223372036854775807 * 9223372036854775807
-9223372036854775808 // -1, abs(-9223372036854775808)
-9223372036854775808 % -1, divmod(-9223372036854775808, -1)
4611686018427387904 * 2, 4611686018427387904 + 4611686018427387904
10**30 - 10**30 + 5, type(10**30 - 10**30) is int
1 << 100, (1 << 100) >> 98, -1 >> 10, -5 >> 1, 5 >> 100, 0 << 1000
6 & 3, 6 | 3, 6 ^ 3, ~6, ~-1, -6 & 3, -6 | 3, -6 ^ 3
(2**70) & (2**70 - 1), (2**70) | 1, (2**70) ^ (2**70), ~(2**70), -(2**70) & 255
True + True, True * 3, True & False, True | False, True ^ True, ~True, -True, +False
True & 1, True | 2, type(True & True) is bool, type(True & 1) is int
pow(2, 10), pow(2, 10, 1000), pow(3, -1, 7), pow(2, 200, 10**9 + 7), pow(-3, 3, 5), pow(3, 3, -5)
pow(2, -1), pow(2.0, 3), pow(0, 0, 1)
pow(2, -1, 4)
pow(2, 3, 0)
pow(2.0, 3, 5)
1 / 0
1 // 0
1 % 0
1.0 / 0
1.0 // 0
1.0 % 0
divmod(1, 0)
divmod(1.0, 0.0)
0 ** -1
0.0 ** -1
1 << -1
1 >> -1
10**400 * 1.0
float(10**400)
int(float('inf'))
int(float('nan'))
2.0 ** 10000
(-8) ** 2.0, 8 ** (1 / 3)
1e308 * 10, -1e308 * 10, 1e308 * 10 - 1e308 * 10
1.5 + 1, 1 + 1.5, 1.5 * 2, 3 - 0.5, True + 0.5
0.1 + 0.2, 1 / 3, 2 / 3, 1e16, 1e15, 123456789012345680.0, 1e-5, 0.0001, 1.5e-7
1e22, 1e21, 1e23, 5e-324, 1.7976931348623157e308, 100000.0, 1e100
-0.0, 0.0 == -0.0, 0.0 * -1, -0.0 + 0.0
float('inf'), float('-inf'), float('nan'), float('nan') == float('nan')
float('inf') - float('inf'), float('inf') * 0, float('inf') > 10**400
round(0.5), round(1.5), round(2.5), round(-0.5), round(-1.5), round(-2.5)
round(2.675, 2), round(1.005, 2), round(0.15, 1), round(0.25, 1), round(0.35, 1)
round(1234, -2), round(1250, -2), round(1350, -2), round(-1250, -2), round(5, -1), round(15, -1), round(25, -1)
round(1234.5678, -2), round(1e300, 2), round(1.5, None), round(7), round(True)
round(10**30 + 5, -1), round(12345, 2), round(0.1, 400), round(1e-400, 5)
round(float('inf'))
round(float('nan'))
round(float('inf'), 2), round(-2.5, 0)
round('a')
round(1.5, 'a')
round(1.5, 1.0)
abs(-5), abs(-5.5), abs(True), abs(-0.0), abs(-(10**30))
abs('a')
-'a'
+[]
~1.5
not 1, not [], not '', not 0.0, not None, not (0,)
1 < 2 < 3, 1 < 3 < 2, 3 > 2 > 1, 1 < 2 > 0, 1 == 1.0 == True
1 == 1.0, 1 == True, 0 == False, '1' == 1, None == 0, [] == (), 1 != 1.0
10**20 == 1e20, 10**23 == 1e23, 2**53 + 1 == 2.0**53, 2**53 + 1 > 2.0**53
10**400 > 1e308, -10**400 < float('-inf'), 10**400 < float('inf')
1 < 'a'
[] < 1
None < None
{} < {}
1 + 'a'
'a' + 1
[1] + (2,)
(1,) + [2]
None + 1
1 - 'a'
'a' - 'b'
{} + {}
'a' * 'b'
[1] * 1.5
1.5 * 'a'
1 & 1.5
1 << 1.5
1 @ 2
'a' // 2
[] // 2
{1} + {2}
{1} | [2]
None ** 2
'abc' * 2, 2 * 'abc', 'abc' * 0, 'abc' * -1, 'a' * True
[1, 2] * 2, 2 * [1, 2], (1,) * 3, [1] * 0, b'ab' * 2
(10**30).bit_length(), (255).bit_length(), (0).bit_length(), (-5).bit_length(), (255).bit_count()
(255).to_bytes(2, 'big'), (255).to_bytes(2, 'little'), int.from_bytes(b'\x01\x00', 'big'), int.from_bytes(b'\xff', 'big', signed=True)
(256).to_bytes(1, 'big')
(-1).to_bytes(2, 'big')
(5).conjugate(), (5).real, (5).imag, (5).numerator, (5).denominator
(1.5).is_integer(), (2.0).is_integer(), (1.5).as_integer_ratio(), (0.1).hex(), (10).as_integer_ratio()
float.fromhex('0x1.8p1')
int('42'), int('  -42  '), int('1_000'), int('0x1f', 16), int('0b101', 0), int('0o17', 0), int('z', 36), int('-0'), int('+5')
int(3.9), int(-3.9), int(True), int('１２'), int(1e20), int(b'12')
int('4.5')
int('')
int('abc')
int('12', 1)
int('12', 37)
int('9', 8)
int(None)
int([])
int('1__0')
int('5', 'a')
int(5, 10)
float('1.5'), float(' -1e3 '), float('1_0.5'), float('.5'), float('5.'), float('Infinity'), float(3), float(True)
float('abc')
float('')
float(None)
float([])
bool(0), bool(1), bool(''), bool('0'), bool([]), bool([0]), bool(None), bool(0.0), bool(float('nan')), bool(())
int(), float(), bool(), str(), list(), tuple(), dict(), bytes(), frozenset(), set()
bin(10), bin(-10), oct(8), oct(-8), hex(255), hex(-255), bin(2**70), hex(2**70), bin(True)
bin(1.5)
hex('a')
chr(97), chr(8364), chr(0x1F600), ord('a'), ord('€'), ord('😀'), ord(b'a')
chr(-1)
chr(0x110000)
ord('ab')
ord('')
ord(5)
chr('a')
sum([1, 2, 3]), sum([]), sum([1.5, 2]), sum([[1], [2]], []), sum((1, 2), 10), sum([0.1] * 10), sum([True, True])
sum(['a', 'b'])
sum(['a'], '')
sum([b'a'], b'')
sum(1)
min(3, 1, 2), max(3, 1, 2), min([3, 1]), max('abc'), min([], default=5), max([1, -2, 3], key=abs), min((1, 'a'), (1, 'b')), max(1, 1.0), max(1.0, 1)
min()
min([])
max(1)
min(1, 'a')
max([1], default=3), min({}, default=None)
max(1, 2, default=3)
1_000_000, 0xff, 0o17, 0b11, 1e3, 1_0.0_1
3 if 0 else 4, (1 or 2), (0 or 2), (0 or ''), (1 and 2), (0 and 2), ('' and 1), (None or [] or 0)
not 1 == 2, not (1 and 0), (not 1) + 1
-2 ** 2, (-2) ** 2, 2 ** -1 ** 2, 2 ** 3 ** 2
1 + 2 * 3 - 4 // 3 % 2, (1 + 2) * 3, ~1 + 2, 5 - -5, 1 | 2 ^ 3 & 4 << 1
1 is 1, None is None, True is True, [] is [], () is not None
10 % 3.5, -10 % 3.5, 10.5 // 3, 1e20 % 3, 5 % float('inf'), -5 % float('inf'), 5 // float('inf'), -5 // float('inf')
hash(1) == hash(1.0) == hash(True), hash(2**61 - 1), hash(-1), hash(10**20), hash(-0.0)
hash([])
hash({})
hash(set())
hash((1, [2]))
isinstance(True, int), isinstance(1, bool), isinstance(1.0, (int, float)), isinstance('a', (list, (str, dict))), issubclass(bool, int)
isinstance(1, 5)
isinstance(1, 'int')
# ---
x = 5
x += 3
x -= 1
x *= 2
x //= 3
x **= 3
x %= 50
x <<= 2
x >>= 1
x |= 1
x &= 0xff
x ^= 3
y = 7
y /= 2
result = (x, y)
# ---
n = 1
for i in range(1, 60):
    n *= i
result = n
# ---
a, b = 0, 1
for _ in range(200):
    a, b = b, a + b
result = (a, b % 10**9)
# ---
x = 'a'
x += 1
# ---
x = [1]
x += 5
# ---
x = None
x += 1
# ---
x = 1
x <<= 'a'
# ---
x = 10**40
result = (x // 7, x % 7, -x // 7, -x % 7, x >> 3, x // -(10**20), divmod(x + 1, -10**20), x / 10**39, x - 1 < x)
# ---
result = [f'{10**n}' for n in range(0, 40, 7)] + [str(-10**25), repr(2**200)]
# ---
total = 0
for n in range(-5, 6):
    for d in (-3, -2, 2, 3):
        assert (n // d) * d + n % d == n
        total += n // d * 7 + n % d
result = total
# ---
result = [round(n / 8, 2) for n in range(-20, 20)]
# ---
result = [n / 10 for n in range(-12, 13)]
# ---
result = [1e15 + n / 4 for n in range(5)] + [10.0**n for n in range(-8, 24, 3)]
