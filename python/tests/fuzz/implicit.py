"""Code that only a worker can run: library calls, values that can't travel, contexts, helpers that change what they are given."""

from __future__ import annotations

from fuzz.writer import Writer, indented, makes


def _foreign(w: Writer) -> bool:
    return w.is_foreign


@makes("integer", "library call", where=_foreign, weight=2)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"len(json.dumps({w.anything(depth + 1)}, default=repr))",
            lambda: f"functools.reduce(lambda y, z: (y * 3 + z) % 91, {w.items(depth + 1)}, {w.integer(depth + 1)})",
            lambda: f"operator.add({w.integer(depth + 1)}, {w.integer(depth + 1)})",
            lambda: f"len(re.findall('[ab]', {w.text(depth + 1)}))",
            lambda: f"bisect.bisect({w.items(depth + 1)}, {w.integer(depth + 1)})",
            lambda: f"json.loads({w.pick(['str', 'repr'])}({w.integer(depth + 1)}))",
            lambda: f"heapq.nsmallest(1, {w.items(depth + 1)})[0]",
            lambda: f"int(statistics.mean({w.items(depth + 1)}))",
        ]
    )()


@makes("text", "library call for text", where=_foreign)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"scrub({w.text(depth + 1)})",
            lambda: f"re.sub('[ac]', lambda y: y.group().upper(), {w.text(depth + 1)})",
            lambda: f"textwrap.shorten({w.text(depth + 1)}, 9)",
            lambda: f"base64.b64encode({w.text(depth + 1)}.encode()).decode()",
            lambda: f"json.dumps({w.read('d')}, sort_keys=True)[:20]",
            lambda: f"string.capwords({w.text(depth + 1)})",
        ]
    )()


@makes("items", "library call for lists", where=_foreign, weight=1.5)
def _(w: Writer, depth: int) -> str:
    with w.place(may_bind=False):
        return w.pick(
            [
                lambda: f"list(itertools.accumulate({w.items(depth + 1)}))",
                lambda: f"json.loads(json.dumps({w.items(depth + 1)}))",
                lambda: f"copy.copy({w.items(depth + 1)})",
                lambda: f"[len(json.dumps(y)) + {w.read('i')} for y in {w.items(depth + 1)}[:3]]",
                lambda: f"list(itertools.islice({w.items(depth + 1)}, 2))",
                lambda: "copy.deepcopy(g0)[0]",
                lambda: f"list(itertools.chain({w.items(depth + 1)}, b0))[:4]",
                lambda: f"sorted({w.items(depth + 1)}, key=functools.cmp_to_key(lambda y, z: z - y))",
                lambda: f"[scrub(f'a{{y}}') for y in {w.items(depth + 1)}[:2] if json.dumps(y) != '1'][0:0]",
                lambda: f"list(collections.Counter({w.items(depth + 1)}).values())",
            ]
        )()


@makes("thing", "library call with objects", where=_foreign)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            lambda: f"joined({w.read('p')}, {w.read('l')})",
            lambda: f"copy.deepcopy({w.read('p')})",
            lambda: f"restock({w.read('p')}, {w.integer(depth + 1)})",
            lambda: f"copy.copy({w.read('p')})",
            lambda: f"dict(collections.Counter({w.text(depth + 1)}))",
            lambda: f"operator.attrgetter('count')({w.read('p')})",
            lambda: f"dataclasses.asdict({w.read('p')})",
        ]
    )()


@makes("test", "library call in a test", where=_foreign)
def _(w: Writer, depth: int) -> str:
    return w.pick(
        [
            f"re.match('a', {w.text(depth + 1)})",
            f"json.dumps({w.items(depth + 1)}) == '[]'",
            f"operator.lt({w.integer(depth + 1)}, {w.integer(depth + 1)})",
            f"scrub({w.text(depth + 1)}) != 'k'",
        ]
    )


@makes("simple", "library call that changes its argument", where=_foreign, weight=2)
def _(w: Writer, depth: int) -> list[str]:
    return w.pick(
        [
            lambda: [f"bisect.insort({w.read('l')}, {w.integer(depth)})"],
            lambda: [f"heapq.heappush({w.read('l')}, {w.integer(depth)})"],
            lambda: [f"{w.write('i')} = heapq.heappop({w.read('l')})"],
            lambda: [f"{w.write('i')} = tally({w.read('l')}, {w.read('d')})"],
            lambda: [f"{w.write('l')} = shift({w.read('l')}, {w.integer(depth)})"],
            lambda: [f"shift({w.read('p')}.tags, {w.integer(depth)})"],
            lambda: [f"{w.write('p')} = restock({w.read('p')}, *{w.items(depth)}, **{w.pick(['{}', w.read('d')])})"],
            lambda: [f"{w.write('g')} = joined({w.read('l')}, g0[0])"],
            lambda: [f"tally({w.items(depth)}, {w.read('d')}, step={w.integer(depth)})"],
            lambda: [f"{w.read('p')}.tags = shift({w.read('l')}, len({w.read('s')}))"],
        ]
    )()


@makes("simple", "values that can't travel", where=_foreign, weight=2)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    return w.pick(
        [
            lambda: [
                f"re{n} = re.compile(r'(\\w)(\\d*)')",
                f"ma{n} = re{n}.match({w.text(3)})",
                f"{w.write('s')} = ma{n}.group(1) if ma{n} else 'none'",
            ],
            lambda: [
                f"re{n} = re.compile('[a-c]')",
                f"{w.write('i')} = len(re{n}.findall({w.text(depth)}))",
                f"print({n}, re{n}.sub('_', {w.text(3)}))",
            ],
            lambda: [f"it{n} = itertools.count({w.integer(3)})", f"{w.write('i')} = next(it{n})", f"{w.write('i')} += next(it{n})"],
            lambda: [
                f"out{n} = io.StringIO()",
                f"for y{n} in {w.items(depth)}[:3]:",
                f"    out{n}.write(str(y{n}))",
                f"{w.write('s')} = out{n}.getvalue()",
            ],
            lambda: [f"co{n} = collections.Counter({w.read('l')})", f"co{n}.update({w.items(3)})", f"print({n}, sorted(co{n}.items()))"],
            lambda: [
                f"ma{n} = re.search('[a-z]', {w.text(3)})",
                f"if ma{n}:",
                *indented(w.block(w.level + 1, 1, 2)),
                "else:",
                f"    {w.write('s')} = 'not'",
            ],
            lambda: [f"dq{n} = collections.deque({w.read('l')}, 3)", f"dq{n}.appendleft({w.integer(3)})", f"{w.write('l')} = list(dq{n})"],
            lambda: [
                f"dd{n} = collections.defaultdict(list)",
                f"for y{n} in {w.items(depth)}[:3]:",
                f"    dd{n}[y{n} % 2].append(y{n})",
                f"print({n}, sorted(dd{n}.items()))",
            ],
        ]
    )()


def _still(w: Writer, depth: int, least: int = 1, most: int = 3) -> list[str]:
    """A block that a worker can run as a whole."""
    with w.place(
        may_wait=False, may_bind=False, is_plain=True, has_self=False, can_return=False, functions={}, in_loop=False, in_handler=False
    ):
        return w.block(depth, least, most)


@makes("nested", "with block of a user's class", where=_foreign)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    return [f"with Bag({w.read('l')}) as bag{n}:", *indented(_still(w, depth + 2)), f"    print({n}, bag{n}.items)"]


@makes("nested", "with block of a library", where=_foreign, weight=0.8)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    return [
        f"with contextlib.closing(io.StringIO({w.text(3)})) as io{n}:",
        f"    {w.write('s')} = io{n}.read()",
        *indented(_still(w, depth + 2, 0, 2)),
    ]


@makes("nested", "loop around library calls", where=_foreign, weight=2)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    head = w.pick(
        [
            f"for v{n} in {w.items(depth)}[:3]:",
            f"for v{n} in itertools.chain({w.read('l')}[:2], [7]):",
            f"for v{n}, {w.write('i')} in enumerate(re.findall('.', {w.text(3)})[:3]):",
            f"for v{n} in sorted(map(json.dumps, {w.read('l')}[:3])):",
        ]
    )
    body = (
        [f"{w.read('d')}[json.dumps(v{n})] = {w.integer(depth + 1)}"] if w.odds(0.5) else [f"bisect.insort({w.read('l')}, len(str(v{n})))"]
    )
    with w.place(in_loop=True):
        return [head, *indented([*body, *w.block(depth + 1, 0, 2)])]


@makes("nested", "try around library calls", where=_foreign, weight=2)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    stop = w.pick(
        [
            f"{w.write('i')} = json.loads({w.text(3)})",
            f"{w.write('l')} = shift({w.read('l')}, 1)",
            f"{w.write('i')} = int(statistics.mean({w.read('l')}[:1]))",
            f"heapq.heappop({w.read('l')})",
            f"restock({w.read('p')}, 1, 2, 3)",
            f"bisect.insort({w.read('l')}, {w.anything(depth)})",
        ]
    )
    caught = w.pick(
        ["ValueError", "Exception", "(Plain, IndexError)", "AppError", "json.JSONDecodeError", "statistics.StatisticsError", "TypeError"]
    )
    before, after = w.block(depth + 1, 0, 2), w.block(depth + 1, 0, 1)
    lines = [
        "try:",
        *indented([*before, stop, *after]),
        f"except {caught} as e:",
        f"    print({n}, type(e).__name__, {w.read('l')}, {w.read('i')}, {w.read('p')})",
    ]
    if w.odds(0.3):
        lines += ["finally:", f"    print({n}, {w.read('d')}, json.dumps({w.read('i')}))"]
    return lines


@makes("nested", "an exception as a value", where=_foreign)
def _(w: Writer, depth: int) -> list[str]:
    n, rows = w.number(), w.read("l")
    return [
        "try:",
        f"    er{n} = complain({w.pick(['AppError', 'Missing', 'Denied'])}({w.integer(depth)}), {rows})",
        f"    er{n}.rows.append({w.integer(3)})",
        f"    print({n}, er{n}.rows is {rows}, {rows}, er{n}.more, repr(er{n}))",
        *([f"    raise er{n}"] if w.odds(0.5) else []),
        "except AppError as e:",
        f"    print({n}, e.rows is {rows}, {rows}, e.more, e.code, e.__context__, complain(e, []) is e)",
        *([f"    {w.write('l')} = e.rows"] if w.odds(0.5) else []),
    ]


@makes("nested", "methods of a user's class that wait", waits=True, weight=1.5)
def _(w: Writer, depth: int) -> list[str]:
    n, rows = w.number(), w.read("l")
    made = f"de{n} = {w.pick(['Desk', 'Counter'])}({rows}, {w.text(3)})"
    tasks = [
        lambda: [f"print({n}, await asyncio.gather(de{n}.take({w.integer(3)}), de{n}.take({w.integer(3)})), {rows})"],
        lambda: [
            f"ta{n} = asyncio.create_task(de{n}.take({w.integer(3)}))",
            *w.block(w.level + 1, 0, 2),
            f"print({n}, await ta{n}, de{n}.label())",
        ],
    ]
    used = w.pick(
        [
            lambda: [f"print({n}, await de{n}.twice({w.integer(depth)}), de{n}.rows is {rows})"],
            lambda: [f"async for x{n} in de{n}.each({w.integer(3)}):", f"    print({n}, x{n})", *indented(w.block(w.level + 1, 0, 1))],
            lambda: [f"async with de{n} as ot{n}:", f"    print({n}, ot{n} is de{n}, {rows})", *indented(w.block(w.level + 1, 1, 2))],
            lambda: [f"print({n}, [await de{n}.take(y) for y in {w.items(3)}[:2]], de{n}.name)"],
            *(tasks if w.is_concurrent else []),
        ]
    )()
    return [made, *used]


@makes("nested", "a dataclass with a function", where=lambda w: not w.is_plain)
def _(w: Writer, depth: int) -> list[str]:
    n = w.number()
    with w.place(may_wait=False, may_bind=False):
        test = w.pick([f"lambda y: y + {w.integer(3)}", "len", "None", "str", f"lambda y: [y, {w.read('l')}]"])
    return [f"ru{n} = Rule({w.text(3)}, {test})", f"print({n}, ru{n}.check({w.integer(3)}), ru{n}.check(ru{n}.name), ru{n}.hits)"]
