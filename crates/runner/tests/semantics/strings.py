# each line an expression
'abc'[0], 'abc'[-1], 'abc'[1:], 'abc'[::-1], 'abc'[5:], 'abc'[-2:], 'aé😀b'[2], 'aé😀b'[::-1], len('aé😀b')
'abc'[3]
'abc'[-4]
'abc'['a']
'abc'[1.0]
'abc'[None]
'Hello World'.upper(), 'Hello'.lower(), 'hello world'.title(), 'hELLO'.capitalize(), 'Hello'.swapcase(), 'Straße'.casefold(), 'ß'.upper()
'  a b  '.strip(), '  a '.lstrip(), ' a  '.rstrip(), 'xxaxx'.strip('x'), 'abcba'.strip('ab'), 'abc'.strip('')
'a,b,c'.split(','), 'a b  c '.split(), 'a b  c '.split(' '), 'a,b,c'.split(',', 1), 'a,b,c'.rsplit(',', 1), ''.split(), ''.split(','), ' a b c '.split(None, 1)
'a\nb\r\nc\n'.splitlines(), 'a\nb\r\nc\n'.splitlines(True), ''.splitlines(), 'a\x0bb\u2028c'.splitlines()
'abc'.split('')
'abc'.split(1)
','.join(['a', 'b']), ''.join([]), '-'.join('abc'), ','.join(x for x in 'xy'), ','.join({'k': 1})
','.join([1, 2])
','.join(['a', None])
','.join(5)
'abcabc'.find('c'), 'abc'.find('z'), 'abcabc'.rfind('c'), 'abcabc'.find('c', 3), 'abcabc'.find('c', 0, 2), 'abc'.find(''), 'abc'.find('', 9), 'abcabc'.index('b', -3)
'abc'.index('z')
'abc'.rindex('z')
'abc'.find(1)
'aXbXc'.replace('X', '-'), 'aaa'.replace('a', 'b', 2), 'abc'.replace('', '-'), 'abc'.replace('b', ''), 'aaa'.replace('aa', 'b')
'abc'.replace('a')
'abc'.startswith('ab'), 'abc'.startswith(('x', 'a')), 'abc'.endswith('bc'), 'abc'.startswith('b', 1), 'abc'.startswith(''), 'abc'.endswith(())
'abc'.startswith(1)
'abc'.startswith(['a'])
'abcabc'.count('a'), 'aaaa'.count('aa'), 'abc'.count(''), 'abc'.count('a', 1)
'abc'.center(7), 'abc'.center(8, '*'), 'abc'.ljust(5, '.'), 'abc'.rjust(5), 'abc'.ljust(2), '42'.zfill(5), '-42'.zfill(5), '+4'.zfill(4)
'abc'.center(7, 'ab')
'abc'.ljust('a')
'a=b=c'.partition('='), 'a=b=c'.rpartition('='), 'abc'.partition('='), 'abc'.rpartition('=')
'abc'.partition('')
'prefix_x'.removeprefix('prefix_'), 'x.py'.removesuffix('.py'), 'abc'.removeprefix('z')
'123'.isdigit(), '12a'.isalnum(), 'abc'.isalpha(), ''.isalpha(), 'Abc'.istitle(), 'ABC'.isupper(), 'abc'.islower(), ' \t'.isspace(), '½'.isnumeric(), '²'.isdigit(), '²'.isdecimal(), 'a_1'.isidentifier(), '1a'.isidentifier(), 'é'.isascii(), 'a\n'.isprintable()
'a\tb'.expandtabs(), 'a\tb'.expandtabs(4), '\t'.expandtabs(0)
'abc'.translate({97: 'x', 98: None, 99: 100}), 'abc'.translate(str.maketrans('ab', 'xy', 'c')), str.maketrans({'a': 1})
'é'.encode(), 'é'.encode('latin-1'), 'abc'.encode('ascii'), b'\xc3\xa9'.decode(), 'é'.encode('ascii', 'replace'), 'é'.encode('ascii', 'ignore'), b'\xff'.decode('utf-8', 'replace')
'é'.encode('ascii')
b'\xff'.decode()
'a'.encode('nope')
'{} {}'.format(1, 'a'), '{0}{1}{0}'.format('a', 'b'), '{x}'.format(x=5), '{:>5}|{:<5}|{:^5}'.format('a', 'b', 'c'), '{!r}'.format('a'), '{{}}'.format(), '{0[a]}{1[0]}'.format({'a': 1}, [2])
'{}'.format()
'{1}'.format(1)
'{x}'.format(y=1)
'{} {0}'.format(1)
'{'.format(1)
'}'.format(1)
'{!z}'.format(1)
'%s %d %5.2f %x %r %%' % ('a', 5, 3.14159, 255, 'q'), '%05d|%-5d|%+d' % (42, 42, 42), '%(a)s' % {'a': 1}, '%c%c' % ('a', 98), '%e' % 12345.678, '%g' % 0.0001
'%d' % 'a'
'%s %s' % 1
'%s' % (1, 2)
'%q' % 1
'%(a)s' % 1
'abc' < 'abd', 'a' < 'B', '' < 'a', 'abc' == 'abc', 'Z' < 'a', 'é' > 'z', '\uffff' < '😀'
'b' in 'abc', '' in 'abc', 'z' not in 'abc', 'bc' in 'abc'
1 in 'abc'
None in 'abc'
repr('a'), repr("a'b"), repr('a"b'), repr('a\'b"c'), repr('\n\t\\\x00\x7f'), repr('é😀\u200b\ud7ff'), ascii('é😀'), repr('\xa0')
str(1), str(1.0), str(None), str([1, 'a']), str({'a': (1,)}), str(b'a'), str(True), str(()), str((1,)), str(Ellipsis), str(range(3)), str(int), str(type('a'))
str(b'abc', 'utf-8'), str(b'', 'ascii')
str('a', 'utf-8')
'abc' 'def', 'a' "b" '''c''', r'\n', '\x41\u0042\103', 'a\
b'
'abc'.foo
'abc'.upper(1)
'abc'.upper(x=1)
'abc'.split(sep=',', maxsplit=1), 'a,b'.split(maxsplit=1, sep=',')
'abc'.split(foo=1)
'abc'.center()
''.join(sorted('hello')), ''.join(reversed('abc')), list('abc'), tuple('ab'), sorted('bca', reverse=True), max('hello'), set('aa')
'a-b_c'.replace('-', ' ').replace('_', ' ').title().split()
"they're bill's".title(), 'ǆ'.title(), 'İ'.lower(), 'ΑΣ'.lower(), 'ŉ'.upper()
'x'.join('x'), ('a' * 3 + 'b') * 2, 'abc'[1:2] + 'abc'[2:1], 'a' 'b' * 2
b'abc'[0], b'abc'[1:], b'abc' + b'd', b'a' * 3, list(b'abc'), b'abc'.hex(), bytes.fromhex('61 62'), bytes([1, 2, 255]), bytes(3), bytes('é', 'utf-8'), b'\x00\xff\n\'"'
bytes([256])
bytes(-1)
bytes('a')
bytes([1, 'a'])
b'abc' + 'd'
'a' + b'b'
b'abc'.find('a')
b'abc'.split(b'b'), b'a,b'.partition(b','), b'ABC'.lower(), b'a b'.split(), b'abc'.startswith(b'a'), b' a '.strip(), b'abc'.replace(b'b', b'xx'), b','.join([b'a', b'b']), b'abc'.find(98), 97 in b'abc', b'bc' in b'abc', b'abc' < b'abd', b'a' == 'a'
b'%d-%s' % (5, b'x'), b'abc'.decode('ascii'), b'abc'.upper(), b'a'.zfill(3), b'abc'[-1:], b'abc'.hex('-'), b'aXbX'.count(b'X')
256 in b'abc'
'1' in b'abc'
bytes.fromhex('zz')
len(b'abc'), len(5)
len(None)
len()
len(1, 2)
'abc'.join(['x', 'y']).upper().find('C')
'a' if 'abc'.isalpha() and not ''.isalpha() else 'b'
'%s' % [1, 2], '%s' % {'a': 1}, '%s' % None, '%r %s' % ('a', 'a'), '%5s|%-5s|' % ('a', 'b'), '%.2s' % 'abc', '%*d' % (5, 3), '%.*f' % (2, 1.005)
'%i %u %o %X %#x %#o' % (1, 2, 8, 255, 255, 8), '% d' % 5, '%+.1e' % 12345, '%G' % 1e-10, '%a' % 'é', '%F' % 1.5
'%x' % 1.5
'%d' % 1.9, '%d' % True, '%s%%' % 5
'%c' % 'ab'
'%c' % -1
'%' % 1
'%d' % None
'{:d}'.format('a')
'{:s}'.format(1)
'{:{}}'.format('a', 5), '{:{w}.{p}f}'.format(3.14159, w=8, p=2), '{0!s:>4}'.format(1), '{a.b}'.format_map({'a': 1}) if 0 else ''
'{a}{b}'.format_map({'a': 1, 'b': 2}), '{a[x]}'.format(a={'x': 3})
'{a}'.format_map({})
'tEST'.capitalize() + 'ab cd'.title() + 'x'.upper() * 2
'a\u0301'.isalpha(), '\u2160'.isnumeric(), 'Ⅷ'.lower(), '٣'.isdigit(), int('٣')
# ---
s = 'abc'
s[0] = 'x'
# ---
s = 'abc'
del s[0]
# ---
s = 'abc'
s.x = 1
# ---
s = t = 'ab'
s += 'c'
result = (s, t, s is t)
# ---
out = []
for index, char in enumerate('aé😀'):
    out.append((index, char, ord(char), len(char.encode())))
result = out
# ---
words = 'the quick brown the lazy the end'.split()
counts = {}
for word in words:
    counts[word] = counts.get(word, 0) + 1
result = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
# ---
text = 'line one\n  line two\n\nline four'
result = [(number, line.strip(), len(line)) for number, line in enumerate(text.splitlines(), start=1) if line]
# ---
caesar = ''.join(chr((ord(c) - 97 + 3) % 26 + 97) if c.islower() else c for c in 'hello, xyz')
result = (caesar, caesar[::-1], caesar[1:-1:2])
# ---
result = [s.isidentifier() for s in ('a', '_', '1', 'a b', 'é', '')]
# ---
b = b'abc'
b[0] = 1
# ---
result = b''.join(bytes([n]) for n in range(120, 130))
# ---
result = [hash('a') == hash('a'), {'a': 1}['a'], 'a' in {'a'}, ('x', 1) in {('x', 1): 2}]
