"""Prints calls about text with what CPython makes of them, one a line, for `python_text.rs` to compare.

A line: operation, receiver, arguments, outcome. Values are written as tokens that need no parser to speak of.
"""

import itertools
import struct


def encode(value) -> str:
    match value:
        case None:
            return "N"
        case bool():
            return "T" if value else "F"
        case int():
            return f"i{value:x}"
        case float():
            return "f" + struct.pack(">d", value).hex()
        case str():
            return "s" + value.encode().hex()
        case bytes():
            return "b" + value.hex()
        case tuple():
            return " ".join(["(", *map(encode, value), ")"])
        case list():
            return " ".join(["[", *map(encode, value), "]"])
        case dict():
            return " ".join(["{", *(encode(part) for pair in value.items() for part in pair), "}"])
    raise TypeError(value)


def case(operation, receiver, arguments, call) -> None:
    try:
        outcome = "=" + repr(call()).encode().hex()
    except Exception as error:
        outcome = "!" + f"{type(error).__name__}: {error}".encode().hex()
    print("\t".join([operation, encode(receiver), encode(list(arguments)), outcome]))


def methods() -> None:
    texts = ["", "a", "abc", "Hello World", "hello  world\t\n x ", "aXbXc", "ǅungla Straße ΑΣ ΑΣ. ὈΔΥΣΣΕΎΣ", "éa😀b\u2028c\r\nd\re\x1cf\x85",
             "12", "²½٣", "-42", "+7", "x1_", "1x", "aaa", "ŉ ﬁ İ", "they're BILL's", "a\tb\tcd\n\te", "\x00\x7f", "Ab Cd", "ab\xa0cd"]
    plain = """capitalize casefold isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace
        istitle isupper lower swapcase title upper split rsplit splitlines strip lstrip rstrip expandtabs encode decode hex zfill
        find replace join center partition removeprefix maketrans translate startswith""".split()
    odd = [None, 1, 2.5, "a", b"a", "", b"", ("a", "b"), (b"a", 1), (1,), 10**30]
    for text, name in itertools.product(texts, plain):
        for receiver in (text, text.encode()):
            if hasattr(receiver, name):
                case(name, receiver, (), getattr(receiver, name))
    both = "find rfind index rindex count startswith endswith split rsplit partition rpartition strip lstrip rstrip removeprefix".split()
    for name in both + ["removesuffix", "join", "zfill", "center", "splitlines", "expandtabs", "encode", "decode", "translate", "hex"]:
        for receiver in ("abc", b"abc"):
            for value in odd:
                if name not in ("zfill", "center", "expandtabs") or value != 10**30:
                    if hasattr(receiver, name):
                        case(name, receiver, (value,), lambda: getattr(receiver, name)(value))
                        case(name, receiver, (value, value, value, value), lambda: getattr(receiver, name)(value, value, value, value))
    needles = ["a", "X", "", "l", "wor", "Σ", "😀", " ", "b"]
    for text, needle in itertools.product(texts, needles):
        for receiver, sub in ((text, needle), (text.encode(), needle.encode())):
            for name in both + ["removesuffix"]:
                case(name, receiver, (sub,), lambda: getattr(receiver, name)(sub))
            for start, end in ((1, None), (-3, -1), (2, 2), (4, 3), (None, 5), (100, 200), (-100, 2), (0.5, 1), (10**30, -(10**30))):
                for name in "find rfind index count startswith endswith".split():
                    case(name, receiver, (sub, start, end), lambda: getattr(receiver, name)(sub, start, end))
            for most in (-1, 0, 1, 2):
                if sub:
                    case("split", receiver, (sub, most), lambda: receiver.split(sub, most))
                    case("rsplit", receiver, (sub, most), lambda: receiver.rsplit(sub, most))
                case("split", receiver, (None, most), lambda: receiver.split(None, most))
                case("rsplit", receiver, (None, most), lambda: receiver.rsplit(None, most))
                case("replace", receiver, (sub, sub + sub, most), lambda: receiver.replace(sub, sub + sub, most))
    for text, width in itertools.product(texts, (-1, 0, 3, 4, 7, 8, 30)):
        for receiver, fill in ((text, "é"), (text.encode(), b"*")):
            case("zfill", receiver, (width,), lambda: receiver.zfill(width))
            case("expandtabs", receiver, (width,), lambda: receiver.expandtabs(width))
            case("splitlines", receiver, (width,), lambda: receiver.splitlines(width))
            for name in ("center", "ljust", "rjust"):
                case(name, receiver, (width,), lambda: getattr(receiver, name)(width))
                case(name, receiver, (width, fill), lambda: getattr(receiver, name)(width, fill))
                case(name, receiver, (width, fill + fill), lambda: getattr(receiver, name)(width, fill + fill))
    for table in ({97: "xy", 98: None, 99: 65}, {97: 1.5}, {97: -1}, {97: 10**30}, {97: True}):
        case("translate", "abca", (table,), lambda: "abca".translate(table))
    for args in (("a", "b"), ("ab", "bc", "z"), ("a", "bc"), ("a", 1), (1, "a"), (1,), ({"a": 1, 5: None},), ({"ab": 1},), ({None: 1},), ("a",) * 4):
        case("maketrans", "", args, lambda: str.maketrans(*args))
    for args in ((b"a", b"b"), (b"a",), (b"a", b"bc"), ("a", b"b")):
        case("maketrans", b"", args, lambda: bytes.maketrans(*args))
    for args in (("61 62\n63",), ("6",), ("6 1",), ("zz",), ("61é",), (b"61",), (1,), ()):
        case("fromhex", b"", args, lambda: bytes.fromhex(*args))
    for args in ((":",), (":", 2), (":", -4), ("::",), ("é",), (1,), (b":", 0), (":", "x"), ("",), (b"-", 3)):
        case("hex", b"abcdefg", args, lambda: b"abcdefg".hex(*args))
    for args in ((None, b"b"), (bytes(range(255, -1, -1)),), (bytes(range(256)), b"b"), (None, "b")):
        case("translate", b"abc", args, lambda: b"abc".translate(*args))
    for items in (["a", "b"], ("x",), [], ["a", 1], [b"a"], [b"a", b"b"], 5, None):
        case("join", "-", (items,), lambda: "-".join(items))
        case("join", b"-", (items,), lambda: b"-".join(items))


def codecs() -> None:
    encodings = ["utf-8", "UTF8", "utf--8", "ascii", "us-ascii", "latin-1", "ISO_8859-1:1987", "utf-16", "utf-16-le", "utf_16be", "utf-32",
                 "utf-32-be", "UTF-32LE", "utf-8-sig", "foo", "utf16be", "UTF.8", "", "a\0"]
    errors = ["strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "surrogatepass", "foo"]
    texts = ["", "abc", "é", "éé€x😀", "aé"]
    raws = [b"", b"abc", b"\xff", b"a\xff\xfe", b"\xe2\x82", b"\xe2\x28\xa1", b"\xf0\x9f\x98", b"\xf0\x9f\x98\x80", b"\xc0\x80", b"\xf4\x90\x80\x80",
            b"\xf1\x80\x80a", b"\xc3", b"\x80", b"\xff\xfea\x00", b"\xfe\xff\x00a", b"a\x00b", b"\x00\xd8a\x00", b"\x00\xd8", b"\x00\xdc", b"\x00\xd8a",
            b"\xff\xfe\0\0a\0\0\0", b"\xff\xff\xff\xff", b"\x00\xd8\0\0", b"\xef\xbb\xbfa", b"\0\0\xfe\xff\0\0\0a", b"a\0\0\0b\0"]
    for encoding, handler in itertools.product(encodings, errors):
        for text in texts:
            case("encode", text, (encoding, handler), lambda: text.encode(encoding, handler))
        for raw in raws:
            if handler != "surrogatepass":
                case("decode", raw, (encoding, handler), lambda: raw.decode(encoding, handler))


def specs() -> None:
    numbers = [0, 1, -1, 5, 65, 255, 1234, -1234567, 10**20, -(10**30), True, False, 0x110000]
    floats = [0.0, -0.0, 0.5, 1.0, -1.5, 2.5, 0.125, 100.0, 1000.0, 12345.678, 1e15, 1e16, 123456789012345680.0, 1e22, 1e-4, 1e-5, 0.00012345, 1e100, 1.7976931348623157e308, 5e-324,
              0.1, 2.675, 1e300, float("inf"), -float("inf"), float("nan"), -0.01, 9.995, 999999.5]
    fills = ["", "<", "*^", "é>", "=", "0="]
    signs = ["", "+", " ", "-"]
    flags = ["", "#", "0", "z", "#0"]
    widths = ["", "1", "12", "7,", "13_", ","]
    kinds = ["", "d", "b", "c", "o", "x", "X", "n", "e", "E", "f", "F", "g", "G", "%", "s", "q"]
    precisions = ["", ".0", ".1", ".3", ".20"]
    everything = ["".join(parts) for parts in itertools.product(fills, signs, flags, widths, precisions, kinds)]
    values = [*numbers, *floats, "", "abc", "é😀"]
    for at, spec in enumerate(everything[::2]):
        for value in (values[at % len(values)], values[(at * 7 + 3) % len(values)]):
            case("__format__", value, (spec,), lambda: format(value, spec))
    for value in (*floats, *numbers, "abc", None, [1], {}, b"", (1,)):
        for spec in ("", ".", "10qq", "<<<10", "99999999999999999999", ".9999999999f", ",,d", ",_d", "_,d", "\x00", "\x7f", "€", "٥", ".400f", ".900e", "#.50g", ".1", ".17g", "0"):
            if not (spec == ".9999999999f" and not isinstance(value, (int, float))):
                case("__format__", value, (spec,), lambda: format(value, spec))


def fields() -> None:
    for text in ["{}", "{0}{}", "{}{0}", "{a}", "{", "}", "{0", "{!}", "{!x}", "{!rr}", "{!r:}", "{0[}", "{0[]}", "{0.}", "{:{}}", "{:{:{}}}", "{{}}", "{0!r:>{1}}", "{:x}",
                 "{99999999999999999999}", "{-1}", "{:}}", "{ 0}", "{!r", "{!", "{:", "{0!}", "{0:{}", "{1}{0}", "{!a}", "{!\x01}", "a{}b{}c", "{0:{1}}{0}", "{:{{}}}", "{{{}}}", "{5}", "{0{}"]:
        for args in ((), ("é", 5), (1, 7), (1.5, "^9")):
            case("format", text, args, lambda: text.format(*args))


def percents() -> None:
    flags = ["", "-", "+", " ", "#", "0", "-0", "+#0"]
    widths = ["", "1", "8", "*"]
    precisions = ["", ".", ".0", ".3", ".*", ".12"]
    letters = "diuoxXeEfFgGcrsab%yl"
    values = [0, 5, -5, 255, 10**20, True, 1.5, -2.5, 1e20, 1e-7, float("nan"), float("inf"), "a", "é", "abc", b"z", None]
    everything = ["%" + "".join(parts) for parts in itertools.product(flags, widths, precisions, letters)]
    for at, text in enumerate(everything):
        value = values[at % len(values)]
        values_given = tuple([4] * text.count("*") + [value])
        case("__mod__", text, (values_given,), lambda: text % values_given)
        raw = text.encode()
        case("__mod__", raw, (values_given,), lambda: raw % values_given)
    for text in ["%d", "%s%s", "%s", "abc", "%(a)s", "%(a", "%(a)d %(b)s", "%((a))s", "%*d", "%", "%5", "%é", "%99999999999999999999d", "%.99999999999999999999d", "%(a)*d", "%%%d", "%5%|", "%-5%|",
                 "%s %(a)s", "%ld", "%(a)%", "%i", "%u", "%x", "%o", "%.2147483648f"]:
        for value in (1, "a", (), (1,), (1, 2), [], {}, {"a": 1, "b": 2, "(a)": 3}, {b"a": b"1"}, None, b"x", ("a", 1), (10**20, 1), 1.5):
            case("__mod__", text, (value,), lambda: text % value)
            if text.isascii():
                raw = text.encode()
                case("__mod__", raw, (value,), lambda: raw % value)


def reprs() -> None:
    values = [None, True, 5, -(10**40), 10**4299, 10**4300, 10**5000, "it's", 'say "hi"', "both ' and \"", "\n\t\r\\\x00\x7f\xa0\xad\u200b\u2028é😀\U000e0001\ufeff", b"it's", b"\x00\xff'\"\n\\",
              [], [1, [2]], (), (1,), (1, "a"), {}, {"a": [1], 2: None}, ["é"]]
    values += [struct.unpack(">d", struct.pack(">Q", (seed * 0x9E3779B97F4A7C15) % 2**64))[0] for seed in range(400)]
    values += [10.0**power for power in range(-10, 25)] + [1.1 * 10**power for power in range(-10, 25)]
    for value in values:
        case("repr", value, (), lambda: repr(value))
        case("str", value, (), lambda: str(value))
        case("ascii", value, (), lambda: ascii(value))


methods()
codecs()
specs()
fields()
percents()
reprs()
