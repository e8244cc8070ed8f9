"""Text processing: templates, parsing, markdown, search indexes."""

from __future__ import annotations

import ast as python_ast
import asyncio
import collections
import dataclasses
import enum
import html
import io
import json
import re
import shlex
import string
import textwrap
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple, Union

from corpus import Case, record
from waymark import Workflow, action, workflow

STOP_WORDS = {"a", "an", "and", "in", "of", "the", "to"}
TOKENS = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|(\*\*|[-+*/()]))")
MARKDOWN: tuple[tuple[str, str], ...] = ((r"\*\*(.+?)\*\*", r"<b>\1</b>"), (r"\*(.+?)\*", r"<i>\1</i>"), (r"`(.+?)`", r"<code>\1</code>"))
VOWELS = "aeiou"
BLANK = b"\x00"


class Kind(enum.Enum):
    NUMBER = "number"
    OPERATOR = "operator"
    END = "end"


class Token(NamedTuple):
    kind: Kind
    text: str
    at: int = 0


@dataclasses.dataclass(frozen=True)
class Number:
    value: float


@dataclasses.dataclass(frozen=True)
class Binary:
    operator: str
    left: Expression
    right: Expression


@dataclasses.dataclass(frozen=True)
class Negated:
    inner: Expression


Expression = Union[Number, Binary, Negated]


class ParseError(ValueError):
    def __init__(self, message: str, at: int, text: str) -> None:
        super().__init__(f"{message} at {at}")
        self.at = at
        self.snippet = text[max(0, at - 2) : at + 3]


@action
async def publish(page: str, *, size: int) -> str:
    record("publish", page, size)
    return f"/{page}.html"


@action
async def fetch(page: str) -> str:
    record("fetch", page)
    return {"home": "The cat and the hat", "about": "A hat of straw", "news": "Cats in space; a cat to see"}.get(page, "")


def tokenize(text: str) -> list[Token]:
    tokens, at = [], 0
    while at < len(text.rstrip()):
        match = TOKENS.match(text, at)
        if match is None:
            raise ParseError(f"what is {text[at]!r}", at, text)
        kind = Kind.NUMBER if match[1] else Kind.OPERATOR
        tokens.append(Token(kind, match[1] or match[2], match.start(match.lastindex)))
        at = match.end()
    return [*tokens, Token(Kind.END, "", at)]


@workflow
class Calculator(Workflow):
    """A parser with one token of lookahead, methods that call each other, a tree that is matched."""

    powers = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 3}

    async def run(self, text: str) -> dict[str, object]:
        self.tokens = tokenize(text)
        self.text = text
        tree = self.parse(0)
        if (rest := self.tokens[0]).kind is not Kind.END:
            raise ParseError(f"{rest.text!r} is left", rest.at, text)
        value = self.evaluate(tree)
        await publish(self.show(tree), size=self.depth(tree))
        return {"value": value, "shown": self.show(tree), "depth": self.depth(tree), "same": tree == self.fold(tree)}

    def parse(self, power: int) -> Expression:
        token = self.tokens.pop(0)
        if token.kind is Kind.NUMBER:
            left: Expression = Number(float(token.text))
        elif token.text == "(":
            left = self.parse(0)
            if self.tokens.pop(0).text != ")":
                raise ParseError("a bracket is open", token.at, self.text)
        elif token.text == "-":
            left = Negated(self.parse(2))
        else:
            raise ParseError(f"unexpected {token.text or 'end'}", token.at, self.text)
        while (operator := self.tokens[0].text) in self.powers and (mine := self.powers[operator]) > power:
            self.tokens.pop(0)
            left = Binary(operator, left, self.parse(mine - (operator == "**")))
        return left

    def evaluate(self, tree: Expression) -> float:
        match tree:
            case Number(value):
                return value
            case Negated(inner):
                return -self.evaluate(inner)
            case Binary("/", left, right):
                try:
                    return self.evaluate(left) / self.evaluate(right)
                except ZeroDivisionError as error:
                    raise ArithmeticError(self.show(tree)) from error
            case Binary(operator, left, right):
                a, b = self.evaluate(left), self.evaluate(right)
                return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "**": lambda: a**b}[operator]()
        raise AssertionError(tree)

    def show(self, tree: Expression) -> str:
        if isinstance(tree, Number):
            return f"{tree.value:g}"
        if isinstance(tree, Negated):
            return f"-{self.show(tree.inner)}"
        return f"({self.show(tree.left)} {tree.operator} {self.show(tree.right)})"

    def depth(self, tree: Expression) -> int:
        return 1 + max((self.depth(part) for part in vars(tree).values() if isinstance(part, (Number, Binary, Negated))), default=0)

    def fold(self, tree: Expression) -> Expression:
        if isinstance(tree, Negated) and isinstance(tree.inner, Negated):
            return self.fold(tree.inner.inner)
        return tree


@workflow
class SearchIndex(Workflow):
    """An inverted index out of pages that come from actions; queries with set operations."""

    async def run(self, pages: list[str], queries: list[str]) -> dict[str, object]:
        index: dict[str, dict[str, int]] = {}
        texts = dict(zip(pages, await asyncio.gather(*[fetch(page) for page in pages])))
        for page, text in texts.items():
            for word in re.findall(r"[a-z]+", text.lower()):
                if word in STOP_WORDS:
                    continue
                stem = word[:-1] if word.endswith("s") and len(word) > 3 else word
                counts = index.setdefault(stem, {})
                counts[page] = counts.get(page, 0) + 1
        found = {}
        for query in queries:
            wanted, unwanted = set(), set()
            for word in query.split():
                (unwanted if word[0] == "-" else wanted).add(word.lstrip("-"))
            hits = set.intersection(*[set(index.get(word, ())) for word in wanted]) if wanted else set(pages)
            hits -= {page for word in unwanted for page in index.get(word, {})}
            score = {page: sum(index[word][page] for word in wanted) for page in hits}
            found[query] = sorted(score, key=lambda page: (-score[page], page))
        return {"found": found, "words": sorted(index), "total": sum(sum(row.values()) for row in index.values())}


@workflow
class MarkdownToHtml(Workflow):
    """Blocks by a generator with send-free state, inline marks by substitution, a table of contents."""

    async def run(self, source: str) -> dict[str, object]:
        out, contents, in_list = [], [], False
        for line in source.splitlines():
            text = html.escape(line.strip(), quote=False)
            for pattern, replacement in MARKDOWN:
                text = re.sub(pattern, replacement, text)
            is_item = text.startswith("- ")
            if is_item is not in_list:
                out.append("<ul>" if is_item else "</ul>")
                in_list = is_item
            if is_item:
                out.append(f"<li>{text[2:]}</li>")
            elif heading := re.match(r"(#+)\s*(.+)", text):
                level, title = len(heading[1]), heading[2]
                slug = "-".join(re.findall(r"\w+", title.lower()))
                contents.append((level, title, slug))
                out.append(f'<h{level} id="{slug}">{title}</h{level}>')
            elif text:
                out.append(f"<p>{text}</p>")
        if in_list:
            out += ["</ul>"]
        path = await publish(contents[0][2] if contents else "untitled", size=sum(map(len, out)))
        return {"html": "\n".join(out), "contents": contents, "path": path}


class Template:
    """`{{ name|filter }}` and a format of one's own."""

    filters: dict[str, Callable[[str], str]] = {"upper": str.upper, "title": str.title, "reverse": lambda text: text[::-1]}

    def __init__(self, source: str) -> None:
        self.source = source

    def __mod__(self, values: dict[str, object]) -> str:
        def fill(match: re.Match[str]) -> str:
            name, *filters = (part.strip() for part in match[1].split("|"))
            text = str(values[name])
            for each in filters:
                text = self.filters[each](text)
            return text

        return re.sub(r"\{\{(.+?)\}\}", fill, self.source)

    def __format__(self, spec: str) -> str:
        return format(self.source, spec) if spec else f"<{len(self.source)}>"


@workflow
class MailMerge(Workflow):
    async def run(self, source: str, people: list[dict[str, object]]) -> dict[str, object]:
        template = Template(source)
        letters, missing = [], []
        for number, person in enumerate(people):
            try:
                letters.append(template % person)
            except KeyError as error:
                missing.append((number, *error.args))
                continue
            finally:
                person["seen"] = number
            await publish(f"letter{number}", size=len(letters[-1]))
        wrapped = [textwrap.fill(letter, 20, subsequent_indent="  ") for letter in letters]
        return {
            "letters": wrapped,
            "missing": missing,
            "label": f"{template:*^30.10}|{template}",
            "seen": [each["seen"] for each in people],
        }


@workflow
class Formats(Workflow):
    """Formatting of every kind, nested specs and conversions."""

    async def run(self, name: str, number: int, ratio: float, raw: bytes) -> list[str]:
        width, precision = 12, 3
        lines = [
            f"{name:>{width}}|{name!r:^{width}}|{name:.{precision}}",
            f"{number:+,d}|{number:#x}|{number:#010b}|{number:_}|{number:e}|{number:08.2f}",
            f"{ratio:.{precision}f}|{ratio:%}|{ratio:g}|{ratio!s:_<{width}}|{ratio=:.2f}|{-ratio: .1f}",
            "%s|%r|%5d|%-5d|%05.1f|%x|%c|%%" % (name, name, number, number, ratio, number, 65),
            "%(who)s is %(age)03d" % {"who": name, "age": number % 1000},
            "{} {} {0}".replace("{0}", "{}").format(name, number, ratio),
            "{0[0]}{1.real}{who:{fill}>{size}}".format(name, number, who=name[:2], fill="*", size=6),
            "{:{}{}{}}".format(ratio, ">", 10, ".2e"),
            f"{raw!r}|{raw.hex()}|{raw[1:3]!r}|{list(raw[-2:])}|{int.from_bytes(raw, 'big')}",
            f"{'nested ' + f'{name.upper()!s:>{len(name) + 2}}'}|{{literal}}|{chr(955)}|{name!a}",
            "|".join(format(value, spec) for value, spec in [(number, "x"), (ratio, "09.3f"), (name, "^9"), (True, "d")]),
            name.center(11, ".") + name.ljust(7, "-") + "7".zfill(4) + name.swapcase() + name.expandtabs(),
        ]
        await publish(lines[0].strip(), size=sum(len(line) for line in lines))
        return lines


@workflow
class RunLength(Workflow):
    """Bytes and text: encode, decode, slices, translate, while/else."""

    async def run(self, text: str) -> dict[str, object]:
        pairs: list[tuple[str, int]] = []
        at = 0
        while at < len(text):
            end = at + 1
            while end < len(text) and text[end] == text[at]:
                end += 1
            pairs.append((text[at], end - at))
            at = end
        else:
            pairs.append(("", 0))
        packed = b"".join(letter.encode() + bytes([count]) for letter, count in pairs[:-1]) + BLANK
        unpacked = "".join(chr(packed[at]) * packed[at + 1] for at in range(0, len(packed) - 1, 2))
        rotated = text.translate(str.maketrans(string.ascii_lowercase, string.ascii_lowercase[13:] + string.ascii_lowercase[:13]))
        await publish(rotated[::-1], size=len(packed))
        return {"pairs": pairs, "good": unpacked == text, "rotated": rotated, "packed": packed, "every": text[1::3], "last": text[-1:-4:-1]}


@workflow
class WordCount(Workflow):
    """Nested comprehensions and sorting by several keys, with stability."""

    async def run(self, text: str, top: int = 3) -> dict[str, object]:
        words = [word for line in text.splitlines() for word in (part.strip(string.punctuation).lower() for part in line.split()) if word]
        counts = collections.Counter(words)
        by_length = {length: sorted({word for word in words if len(word) == length}) for length in sorted({len(word) for word in words})}
        order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
        letters = {letter: {word for word in words if letter in word} for letter in VOWELS if any(letter in word for word in words)}
        longest = max(words, key=len, default="")
        await publish(longest, size=len(words))
        stable = sorted(sorted(words), key=len)
        return {"order": order, "by_length": by_length, "letters": letters, "longest": longest, "stable": stable[:4], "unique": len(counts)}


@workflow
class CommandLine(Workflow):
    """A shell-like language: quoting, flags, aliases; match over lists."""

    async def run(self, script: str) -> list[str]:
        aliases = {"ll": ["list", "--long"]}
        out: list[str] = []
        for number, line in enumerate(io.StringIO(script), start=1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            first, *rest = shlex.split(line)
            match [*aliases.get(first, [first]), *rest]:
                case ["alias", definition] if "=" in definition:
                    name, _, value = definition.partition("=")
                    aliases[name] = value.split()
                case ["list", *flags] if "--long" in flags:
                    out.append(f"{number}: long {len(flags) - 1}")
                case ["list" | "ls"]:
                    out.append(f"{number}: short")
                case ["copy", source, *_, target]:
                    out.append(f"{number}: {source}>{target}")
                    await publish(target, size=len(source))
                case ["echo", *words]:
                    out.append(" ".join(words))
                case [other, *_]:
                    out.append(f"{number}: unknown {other}")
        return [*out, *sorted(aliases)]


@workflow
class JsonPointer(Workflow):
    """Paths into nested data, edits in place, deletions of every kind of target."""

    async def run(self, document: str, paths: list[str], drop: list[str]) -> dict[str, object]:
        data = json.loads(document)
        found: dict[str, object] = {}
        for path in paths:
            here = data
            try:
                for part in filter(None, path.split("/")):
                    here = here[int(part)] if isinstance(here, list) else here[part]
            except (KeyError, IndexError) as error:
                found[path] = f"{type(error).__name__}: {part}"
            except (TypeError, ValueError):
                found[path] = None
            else:
                found[path] = here
        for path in drop:
            *parents, last = path.strip("/").split("/")
            holder = data
            for part in parents:
                holder = holder[part]
            if isinstance(holder, list):
                del holder[int(last) :]
            else:
                del holder[last]
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        await publish("document", size=len(text))
        return {"found": found, "text": text}


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        line = line.partition("#")[0].strip()
        if line:
            yield number, line


@workflow
class ConfigFile(Workflow):
    """Sections, types by trial, includes by recursion, an error with its line."""

    async def run(self, text: str, depth: int = 0) -> dict[str, dict[str, object]]:
        settings: dict[str, dict[str, object]] = {"": {}}
        section = settings[""]
        for number, line in lines_of(text):
            if line[0] == "[" and line[-1] == "]":
                section = settings.setdefault(line[1:-1].strip(), {})
            elif line.startswith("@") and depth < 2:
                included = await self.run_included(line[1:])
                for name, values in included.items():
                    settings.setdefault(name, {}).update(values)
            elif "=" in line:
                key, value = map(str.strip, line.split("=", maxsplit=1))
                section[key] = self.value(value)
            else:
                raise ParseError(f"line {number}", text.index(line), text)
        return {name: values for name, values in settings.items() if values}

    async def run_included(self, page: str) -> dict[str, dict[str, object]]:
        words = (await fetch(page)).split()
        return {page: {word.lower(): len(word) for word in words[:2]}}

    def value(self, text: str) -> object:
        if text.lower() in ("yes", "no", "true", "false"):
            return text.lower() in ("yes", "true")
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
        try:
            return python_ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return text


@workflow
class Normalize(Workflow):
    """Unicode: accents off, widths, folding; a set of what is left."""

    async def run(self, names: list[str]) -> dict[str, object]:
        plain = {}
        for name in names:
            parts = unicodedata.normalize("NFKD", name)
            plain[name] = "".join(letter for letter in parts if not unicodedata.combining(letter)).casefold()
        groups: dict[str, list[str]] = {}
        for name, key in plain.items():
            groups.setdefault(key, []).append(name)
        same = {key: values for key, values in groups.items() if len(values) > 1}
        for key in sorted(same):
            await publish(key, size=len(key.encode("utf-8")))
        return {"plain": plain, "same": same, "codes": [ord(name[0]) for name in names if name], "title": [name.title() for name in names]}


@workflow
class SettingsLookup(Workflow):
    """Returns out of loops and contexts that live outside of the workflow."""

    async def run(self, text: str, key: str) -> dict[str, object]:
        first, line = self.find(text, key), self.line_of(text, key)
        if first is None:
            await fetch(key)
        return {"first": first, "line": line, "longest": self.longest(text)}

    def find(self, text: str, key: str) -> str | None:
        for match in re.finditer(r"^(\w+)\s*[:=]\s*(.*)$", text, re.MULTILINE):
            if match[1] == key:
                return match[2]
        return None

    def line_of(self, text: str, key: str) -> int:
        with io.StringIO(text) as file:
            for number, line in enumerate(file, 1):
                for word in re.split(r"\W+", line):
                    if word == key:
                        return number
        return -1

    def longest(self, text: str) -> str:
        with io.StringIO(text) as file:
            return max(file.read().split(), key=len, default="")


CASES = [
    Case(SettingsLookup, ("host: example\nport = 80\n", "port")),
    Case(SettingsLookup, ("host: example", "port"), name="missing"),
    Case(Calculator, ("2 * (3 + 4) - 5 ** 2 ** 0 / --2",)),
    Case(Calculator, ("1 / (2 - 2)",), name="zero"),
    Case(Calculator, ("1 + ? 2",), name="letter"),
    Case(Calculator, ("(1 + 2",), name="open"),
    Case(Calculator, ("1 2",), name="rest"),
    Case(SearchIndex, (["home", "about", "news"], ["cat", "hat -cat", "cat hat", "-hat", "dog"]), concurrent=True),
    Case(MarkdownToHtml, ("# Hello *World*\n\nSome **bold** & `code`\n- one\n- two\n## Next\nend",)),
    Case(MarkdownToHtml, ("- only",), name="list"),
    Case(
        MailMerge,
        (
            "Dear {{ name|title }}, you owe {{ sum }} {{ name|upper|reverse }}",
            [{"name": "ann", "sum": 3}, {"name": "bob"}, {"name": "cat", "sum": 9.5}],
        ),
    ),
    Case(Formats, ("zoë", 123456, 3.14159, b"\x01\xffab")),
    Case(RunLength, ("aaabccdddd",)),
    Case(RunLength, ("",), name="empty"),
    Case(WordCount, ("The cat, the hat.\nA cat in a hut!",)),
    Case(WordCount, ("",), name="empty"),
    Case(CommandLine, ("# script\nll a b\nalias x=copy\nx 'a b' c d\nls\necho \"hi  there\" you\nwhat\n",)),
    Case(JsonPointer, ('{"a": {"b": [1, 2, 3]}, "c": null, "d": 4}', ["/a/b/1", "/a/x", "/a/b/9", "/c/x", "/a/b/x"], ["/d", "/a/b/1"])),
    Case(ConfigFile, ("x = 1\n[main]  # the first\ny = 2.5\nz = yes\nl = [1, 'a']\n@home\n[other]\nname = plain text",)),
    Case(ConfigFile, ("ok = 1\nwrong line",), name="wrong"),
    Case(Normalize, (["Zoë", "zoe", "Ångström", "ANGSTROM", "ﬁn"],)),
]
