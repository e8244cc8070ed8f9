# each line an expression
json.dumps({'a': [1, 2.5, None, True, 'x"é\n']}), json.dumps([]), json.dumps('é', ensure_ascii=False), json.dumps({'b': 1, 'a': 2}, sort_keys=True), json.dumps({'a': [1, {'b': 2}]}, indent=2), json.dumps([1, 2], separators=(',', ':')), json.dumps((1, 2)), json.dumps({1: 'a', None: 'b', True: 'c', 1.5: 'd'}), json.dumps(float('nan')), json.dumps(1e20), json.dumps(10**30), json.dumps('😀'), json.dumps([], indent=2), json.dumps({}, indent=2)
json.dumps({1})
json.dumps({(1, 2): 3})
json.dumps(float('inf'), allow_nan=False)
json.dumps(b'a')
json.dumps({'a': datetime.date(2024, 1, 1)})
json.dumps({(1, 2): 3, 'a': 1}, skipkeys=True)
json.loads('{"a": [1, 2.0, null, true, "x"]}'), json.loads('1'), json.loads('"a\\u00e9\\n"'), json.loads(' [ ] '), json.loads('1e3'), json.loads('-0'), json.loads('-0.0'), json.loads('12345678901234567890'), json.loads('NaN'), json.loads('Infinity'), json.loads(b'[1]'), json.loads('{"a": 1, "a": 2}'), json.loads('"\\ud83d\\ude00"')
json.loads('')
json.loads('{')
json.loads('[1,]')
json.loads('{"a" 1}')
json.loads("{'a': 1}")
json.loads('[1] x')
json.loads('nul')
json.loads('"abc')
json.loads('01')
json.loads('{"a": }')
json.loads('"\n"')
json.loads(None)
json.loads('[1 2]')
json.loads('"\\x"')
json.loads(json.dumps({'a': [1, {'b': None}]})) == {'a': [1, {'b': None}]}
uuid.UUID('12345678-1234-5678-1234-567812345678'), str(uuid.UUID(int=1)), uuid.UUID('{12345678123456781234567812345678}').hex, uuid.UUID(int=5).int, uuid.uuid5(uuid.NAMESPACE_DNS, 'example.org'), uuid.uuid3(uuid.NAMESPACE_URL, 'x'), uuid.UUID(int=1) < uuid.UUID(int=2), uuid.UUID(int=1) == uuid.UUID(int=1), uuid.UUID(int=3).bytes, uuid.UUID('12345678-1234-5678-1234-567812345678').version, uuid.uuid5(uuid.NAMESPACE_DNS, 'a').version
uuid.UUID('nope')
uuid.UUID()
uuid.UUID(int=-1)
uuid.UUID(5)
len(str(uuid.uuid4())), uuid.uuid4().version, uuid.uuid4() != uuid.uuid4(), type(uuid.uuid4()).__name__, uuid.uuid4().variant
0 <= random.random() < 1, 1 <= random.randint(1, 6) <= 6, random.choice([5]), random.randrange(3, 4), sorted(random.sample(range(5), 5)), len(random.choices('ab', k=4)), 0 <= random.uniform(0, 2) <= 2, random.sample([], 0), random.getrandbits(3) < 8, len(random.randbytes(4))
random.choice([])
random.randint(5, 1)
random.sample([1], 2)
random.randrange(0)
random.randrange(1, 1)
random.randint(1.5, 2)
random.choice({})
random.sample({1, 2}, 1)
# ---
x = list(range(20))
y = x[:]
random.shuffle(x)
result = (sorted(x) == y, len(x))
# ---
try:
    json.loads('{"a": [1, 2\n, }')
except json.JSONDecodeError as e:
    result = (e.msg, e.pos, e.lineno, e.colno, e.doc, str(e))
# ---
a = []
a.append(a)
try:
    json.dumps(a)
except ValueError as e:
    result = str(e)
# ---
result = [json.dumps(v) for v in (0, -1, 1.0, 1e-7, 1e16, 0.1, True, None, '', '\x00\x1f\x7f\u2028', '/', '\\', [[], {}], {'': ''})]
# ---
seen = {random.randint(1, 3) for _ in range(200)}
result = sorted(seen)
