//! Numbers against CPython: every operator, function and format over a table of awkward operands, errors to the letter.

use std::io::Write;
use std::process::{Command, Stdio};

use num_bigint::BigInt;
use waymark_ir::{BinaryOp, UnaryOp};
use waymark_runner::context::{Context, Eval, Fault, Limits};
use waymark_runner::heap::Object;
use waymark_runner::python::{Args, decimal, json, math, number, operators, random, uuid};
use waymark_runner::types::TypeId;
use waymark_runner::value::Value;

/// Reads cases, one a line (kind, name, operands), and prints what each gives.
const ORACLE: &str = r#"
import sys, math, json, uuid, operator
from decimal import Decimal
def read(text):
    kind, body = text.split(':', 1)
    return {'i': int, 'f': float, 'd': Decimal, 's': str, 'b': lambda t: t == '1', 'n': lambda t: None,
            'y': lambda t: bytes.fromhex(t)}[kind](body)
def show(value):
    if isinstance(value, tuple): return '(' + ', '.join(map(show, value)) + ')'
    if isinstance(value, bool): return f'bool {value}'
    if isinstance(value, float): return f'float {value.hex()}'
    if isinstance(value, int): return f'int {value:x}'
    if isinstance(value, complex) or str(value) == '-NaN': return 'unsupported'
    if isinstance(value, (list, dict, uuid.UUID)): return 'other'
    if isinstance(value, bytes): return 'bytes ' + value.hex()
    return f'{type(value).__name__} {value}'
OPS = {'+': operator.add, '-': operator.sub, '*': operator.mul, '/': operator.truediv, '//': operator.floordiv,
       '%': operator.mod, '**': operator.pow, '<<': operator.lshift, '>>': operator.rshift, '&': operator.and_,
       '|': operator.or_, '^': operator.xor, '@': operator.matmul}
for line in sys.stdin:
    kind, name, *operands = line.rstrip('\n').split('\t')
    operands = [read(text.replace('\\t', '\t').replace('\\n', '\n')) for text in operands]
    try:
        if kind == 'binary': result = OPS[name](*operands)
        elif kind == 'unary': result = {'-': operator.neg, '+': operator.pos, '~': operator.invert}[name](*operands)
        elif kind == 'method': result = getattr(operands[0], name)(*operands[1:])
        else: result = eval(name)(*operands)
        result = show(result)
    except Exception as error:
        result = f'{type(error).__name__}: {error}'
        if 'complex' in result: result = 'unsupported'
    print(result.replace('\n', '\\n').replace('\t', '\\t'))
"#;

const OPS: &[BinaryOp] = &[
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::FloorDivide,
    BinaryOp::Modulo,
    BinaryOp::Power,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::MatrixMultiply,
];

const NUMBERS: &[&str] = &[
    "i:0",
    "i:1",
    "i:-1",
    "i:2",
    "i:3",
    "i:-7",
    "i:10",
    "i:63",
    "i:255",
    "i:9007199254740993",
    "i:9223372036854775807",
    "i:-9223372036854775808",
    "i:100000000000000000000000000000",
    "i:-340282366920938463463374607431768211457",
    "b:1",
    "b:0",
    "f:0.0",
    "f:-0.0",
    "f:1.0",
    "f:0.1",
    "f:-2.5",
    "f:3.7",
    "f:1e16",
    "f:1e308",
    "f:5e-324",
    "f:inf",
    "f:-inf",
    "f:nan",
    "f:-1e-300",
    "f:7.0",
    "f:0.5",
];

const DECIMALS: &[&str] = &[
    "d:0",
    "d:-0",
    "d:1",
    "d:-1",
    "d:1.0000",
    "d:0.5",
    "d:2",
    "d:2.50",
    "d:-7",
    "d:1E+3",
    "d:1.23456789012345678901234567890123",
    "d:0E-5",
    "d:0E+7",
    "d:3",
    "d:1E-30",
    "d:99999999999999999999999999999",
    "d:123456.789",
    "d:-0.001",
    "d:1E+50",
    "d:10",
    "d:9.999999999999999999999999999",
    "d:1E-999999",
    "d:9E+999999",
    "d:Infinity",
    "d:-Infinity",
    "d:NaN",
    "d:12.5E-3",
    "d:4.00",
    "i:3",
    "i:-2",
    "b:1",
    "i:100000000000000000000000000000001",
];

fn read(cx: &mut Context, text: &str) -> Value {
    let text = text.replace("\\t", "\t").replace("\\n", "\n");
    let (kind, body) = text.split_once(':').expect("a kind");
    match kind {
        "i" => Value::integer(body.parse::<BigInt>().expect("an integer")),
        "f" => Value::Float(body.parse().expect("a float")),
        "b" => Value::Bool(body == "1"),
        "s" => Value::from(body),
        "n" => Value::None,
        "y" => Value::bytes(
            (0..body.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&body[at..at + 2], 16).expect("hex"))
                .collect::<Vec<u8>>(),
        ),
        _ => {
            let (_, construct) = decimal::CONSTRUCTORS[0];
            construct(cx, Args { positional: &[Value::from(body)], keyword: &[] }).expect("a decimal")
        }
    }
}

/// In a base that Python has no limit for.
fn show_hex(integer: &BigInt) -> String {
    format!("{integer:x}")
}

fn show(cx: &mut Context, result: Eval) -> String {
    match result {
        Ok(Value::None) => "NoneType None".to_string(),
        Ok(Value::Bool(flag)) => format!("bool {}", if flag { "True" } else { "False" }),
        Ok(Value::Int(small)) => format!("int {}", show_hex(&small.into())),
        Ok(Value::Big(big)) => format!("int {}", show_hex(&big)),
        Ok(Value::Float(float)) => format!("float {}", number::float_hex(float)),
        Ok(Value::Str(text)) => format!("str {text}"),
        Ok(Value::Bytes(bytes)) => {
            format!("bytes {}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
        Ok(Value::Decimal(number)) => format!("Decimal {}", decimal::display(&number)),
        Ok(Value::Ref(id)) => match cx.heap.get(id) {
            Object::Tuple(items) => {
                let items: Vec<Value> = items.to_vec();
                let shown: Vec<String> = items.into_iter().map(|item| show(cx, Ok(item))).collect();
                format!("({})", shown.join(", "))
            }
            _ => "other".to_string(),
        },
        Ok(_) => "other".to_string(),
        Err(Fault::Worker) => "worker".to_string(),
        Err(Fault::Raise(id)) => {
            let Object::Exception(exception) = cx.heap.get(id) else { return "no exception".to_string() };
            if exception.class == TypeId::UNSUPPORTED {
                return "unsupported".to_string();
            }
            let name = cx.types.get(exception.class).short_name();
            match &exception.args[..] {
                [Value::Str(text)] => format!("{name}: {text}"),
                [Value::Int(number), Value::Str(text)] => format!("{name}: ({number}, '{text}')"),
                _ => name.to_string(),
            }
        }
    }
}

fn run(cx: &mut Context, kind: &str, name: &str, operands: &[Value]) -> Eval {
    let args = |values| Args { positional: values, keyword: &[] };
    match kind {
        "binary" => {
            let op = OPS.iter().find(|op| operators::symbol(**op) == name).expect("an operator");
            operators::binary(cx, *op, &operands[0], &operands[1])
        }
        "unary" => {
            let op = match name {
                "-" => UnaryOp::Negative,
                "+" => UnaryOp::Positive,
                _ => UnaryOp::Invert,
            };
            operators::unary(cx, op, &operands[0])
        }
        "method" => {
            let methods = match operands[0] {
                Value::Decimal(_) => decimal::METHODS,
                Value::Float(_) => number::FLOAT_METHODS,
                _ => number::INT_METHODS,
            };
            let (_, method) = methods.iter().find(|(known, _)| *known == name).expect("a method");
            method(cx, &operands[0], args(&operands[1..]))
        }
        _ => match name {
            "int" => number::CONSTRUCTORS[0].1(cx, args(operands)),
            "float" => number::CONSTRUCTORS[1].1(cx, args(operands)),
            "Decimal" => decimal::CONSTRUCTORS[0].1(cx, args(operands)),
            "uuid.UUID" => uuid::CONSTRUCTORS[0].1(cx, args(operands)),
            "format" => match (&operands[0], &operands[1]) {
                (Value::Decimal(number), Value::Str(spec)) => decimal::format(cx, number, spec).map(Value::from),
                _ => Err(Fault::Worker),
            },
            "round" => match &operands[0] {
                Value::Decimal(number) => decimal::round(cx, number, operands.get(1)),
                _ => Err(Fault::Worker),
            },
            _ => {
                let tables = [math::FUNCTIONS, number::FUNCTIONS, json::FUNCTIONS, uuid::FUNCTIONS];
                let found = tables.iter().flat_map(|table| table.iter()).find(|(known, _)| *known == name);
                found.expect("a function").1(cx, args(operands))
            }
        },
    }
}

fn check(cases: &[String]) {
    let mut child = Command::new("python3")
        .args(["-c", ORACLE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut input = child.stdin.take().expect("its input");
    let text = cases.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).expect("it reads"));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("all was written");
    let expected = String::from_utf8(output.stdout).expect("text");
    let expected: Vec<&str> = expected.lines().collect();
    assert_eq!(expected.len(), cases.len());
    let mut cx = Context::new(Limits::default(), 1);
    cx.steps_allowed = u64::MAX;
    let mut wrong = Vec::new();
    for (case, expected) in cases.iter().zip(expected) {
        let parts: Vec<&str> = case.split('\t').collect();
        let operands: Vec<Value> = parts[2..].iter().map(|text| read(&mut cx, text)).collect();
        let result = run(&mut cx, parts[0], parts[1], &operands);
        let shown = show(&mut cx, result).replace('\n', "\\n").replace('\t', "\\t");
        if shown != expected {
            wrong.push(format!("{}\n    python {expected}\n    ours   {shown}", case.replace('\t', " ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Pairs that would take Python itself too long, or that only a limit of ours stops.
fn is_too_large(op: &str, left: &str, right: &str) -> bool {
    let is_long = |text: &str| text.starts_with("i:") && text.trim_start_matches(['i', ':', '-']).len() > 12;
    (op == "**" || op == "<<") && is_long(right) && !left.starts_with("f:") && !left.starts_with("d:")
}

fn pairs(operands: &[&str], more: &[&str]) -> Vec<String> {
    let mut cases = Vec::new();
    for op in OPS.iter().map(|op| operators::symbol(*op)) {
        for left in operands {
            for right in more {
                if !is_too_large(op, left, right) {
                    cases.push(format!("binary\t{op}\t{left}\t{right}"));
                }
            }
        }
    }
    cases
}

#[test]
fn operators_on_int_bool_and_float() {
    let mut cases = pairs(NUMBERS, NUMBERS);
    for op in ["-", "+", "~"] {
        cases.extend(NUMBERS.iter().chain(&["s:a", "n:", "y:61"]).map(|operand| format!("unary\t{op}\t{operand}")));
    }
    check(&cases);
}

#[test]
fn operators_on_texts_and_unlike_types() {
    let operands = ["s:", "s:ab", "y:6162", "n:", "i:2", "i:-1", "f:1.5", "b:1", "d:1.5", "i:100000000000000000000"];
    let mut cases = pairs(&operands, &operands);
    // `%` on texts is somebody else's.
    cases.retain(|case| !case.contains("%\ts:") && !case.contains("%\ty:"));
    check(&cases);
}

#[test]
fn operators_on_decimals() {
    let mut cases = pairs(DECIMALS, DECIMALS);
    cases.retain(|case| case.contains("d:"));
    for op in ["-", "+", "~"] {
        cases.extend(DECIMALS.iter().map(|operand| format!("unary\t{op}\t{operand}")));
    }
    cases.extend(pairs(&["d:1.5"], &["f:1.5"]));
    check(&cases);
}

#[test]
fn methods_of_decimals() {
    let mut cases = Vec::new();
    let names = "normalize to_integral_value as_integer_ratio is_nan is_infinite is_finite is_zero is_signed is_normal \
                 is_subnormal sqrt exp ln log10 copy_abs copy_negate adjusted to_eng_string";
    for number in DECIMALS.iter().filter(|number| number.starts_with("d:")) {
        for name in names.split_whitespace() {
            // These would print a million digits.
            if !(name == "as_integer_ratio" && number.contains("99999") && number.contains('E')) {
                cases.push(format!("method\t{name}\t{number}"));
            }
        }
        for other in DECIMALS {
            for name in ["compare", "max", "min", "quantize", "copy_sign", "same_quantum"] {
                cases.push(format!("method\t{name}\t{number}\t{other}"));
            }
        }
        for rounding in "CEILING FLOOR UP DOWN HALF_UP HALF_DOWN HALF_EVEN 05UP".split(' ') {
            for pattern in ["d:1", "d:0.1", "d:0.01", "d:1E+1"] {
                cases.push(format!("method\tquantize\t{number}\t{pattern}\ts:ROUND_{rounding}"));
            }
        }
        for places in ["i:0", "i:2", "i:-1", "f:1.5"] {
            cases.push(format!("call\tround\t{number}\t{places}"));
        }
        if !number.contains("999999") {
            cases.push(format!("call\tround\t{number}"));
            cases.push(format!("call\tint\t{number}"));
        }
        cases.push(format!("call\tfloat\t{number}"));
    }
    check(&cases);
}

#[test]
fn formats_of_decimals() {
    let specs = "| e| E| f| g| G| %| n|.2f|.0f|.3e|.0e|.3g|.2|.1%|,|,.2f|010|010,.2f|>12|<12|^13|=12|*^+12.3f| .1f|+|z.1f|-|\
                 d|_|s|#x|<012,|012,|015,|0=10|é^9|.|,n|.2,|10.3|e.2|>|>>10";
    let mut cases = Vec::new();
    for number in DECIMALS.iter().filter(|number| number.starts_with("d:") && !number.contains("E+999999")) {
        for spec in specs.split('|').map(|spec| spec.trim_start_matches(' ')) {
            if !(number.contains("E-999999") && (spec.contains('f') || spec.contains('%'))) {
                cases.push(format!("call\tformat\t{number}\ts:{spec}"));
            }
        }
        cases.push(format!("call\tformat\t{number}\ts: .1f"));
    }
    check(&cases);
}

#[test]
fn texts_to_numbers() {
    // Messages that quote the text are left to the tests of repr.
    let texts =
        " 12_3 |1_000|0|-0|+5|\\t7\\n|٣|١٢٣|\u{2003}9|1.5|.5|5.|1e5|1E-5|1_0.5e1_0|inf|-Infinity|NaN|1e400|-1e-400|007";
    let mut cases = Vec::new();
    for text in texts.split('|') {
        cases.push(format!("call\tDecimal\ts:{text}"));
        if !text.contains(['.', 'e', 'E', 'n', 'N', 'I']) {
            cases.push(format!("call\tint\ts:{text}"));
        }
        cases.push(format!("call\tfloat\ts:{text}"));
    }
    for (text, base) in [("0x1f", 16), ("0x1f", 0), ("-0b_101", 0), ("0o17", 8), ("z", 36), ("00", 0), ("0b1", 16)] {
        cases.push(format!("call\tint\ts:{text}\ti:{base}"));
    }
    for text in ["x", "", ".", "1e", "e5", "1.2.3", "--1", "1 2", "0x1", "infinit", "1e99999999999999999999"] {
        cases.push(format!("call\tDecimal\ts:{text}"));
    }
    cases.push(format!("call\tint\ts:{}", "1".repeat(4_301)));
    for value in ["n:", "i:5", "f:1.9", "f:-1.9", "f:1e30", "f:nan", "f:inf", "b:1"] {
        for name in ["int", "float", "Decimal"] {
            cases.push(format!("call\t{name}\t{value}"));
        }
        cases.push(format!("call\tint\t{value}\ti:10"));
    }
    cases.extend(
        ["s:1\ti:1", "s:1\ti:37", "s:1\ts:2", "s:1\ti:2\ti:3", "y:3132"].map(|rest| format!("call\tint\t{rest}")),
    );
    check(&cases);
}

#[test]
fn methods_of_int_and_float() {
    let mut cases = Vec::new();
    for number in NUMBERS {
        let names: &[&str] = match number.starts_with("f:") {
            true => &["is_integer", "hex", "as_integer_ratio", "conjugate"],
            false => &["bit_length", "bit_count", "as_integer_ratio", "conjugate", "to_bytes"],
        };
        cases.extend(names.iter().map(|name| format!("method\t{name}\t{number}")));
        if number.starts_with("i:") {
            cases.push(format!("method\tto_bytes\t{number}\ti:17\ts:little"));
        }
    }
    cases.extend(["i:-2\ts:big", "i:2\ts:x", "f:1.5", "i:1\ti:2"].map(|rest| format!("method\tto_bytes\ti:5\t{rest}")));
    for bytes in ["y:", "y:ff", "y:0102ff", "s:ab", "i:5"] {
        cases.extend(["s:big", "s:little"].map(|order| format!("call\tint.from_bytes\t{bytes}\t{order}")));
    }
    for text in
        ["0x1.8p3", "-0x.8", "1e400", "inf", "-nan", "0x1p5000", "0x1p-1080", "x", "", "0x1.fffffffffffff8p0", "1.p"]
    {
        cases.push(format!("call\tfloat.fromhex\ts:{text}"));
    }
    check(&cases);
}

#[test]
fn functions_of_math() {
    // Without `cbrt`, `erf` and the inverse hyperbolic ones: their last digit is the C library's own.
    let one = "ceil floor trunc sqrt exp exp2 expm1 log1p sin cos tan asin acos atan sinh cosh tanh gamma lgamma fabs \
               degrees radians ulp isnan isinf isfinite log log2 log10 modf frexp isqrt gcd";
    let two = "log pow atan2 copysign nextafter fmod remainder ldexp isclose gcd lcm comb perm hypot";
    let operands: Vec<&str> =
        NUMBERS.iter().copied().chain(["s:a", "n:", "d:2.25", "f:171.5", "f:-0.5", "f:1e-5"]).collect();
    let mut cases = Vec::new();
    for name in one.split_whitespace() {
        cases.extend(operands.iter().map(|operand| format!("call\tmath.{name}\t{operand}")));
        cases.push(format!("call\tmath.{name}"));
    }
    for name in two.split_whitespace() {
        for left in &operands {
            for right in &operands {
                let is_long = |text: &str| text.starts_with("i:") && text.len() > 12;
                if !(matches!(name, "comb" | "perm") && (is_long(right) || is_long(left))) {
                    cases.push(format!("call\tmath.{name}\t{left}\t{right}"));
                }
            }
        }
    }
    cases.extend(
        ["i:0", "i:20", "i:200", "i:-1", "f:2.0", "s:a"].map(|operand| format!("call\tmath.factorial\t{operand}")),
    );
    cases.push("call\tmath.comb\ti:100000000000000000000\ti:3".to_string());
    check(&cases);
}

#[test]
fn json_and_uuid() {
    let texts = "|x|[1,|[1,]|[1 2]|{|{\"a\"|{\"a\":|{\"a\":1|{\"a\":1,|{\"a\":1,}|{\"a\":1 \"b\"}|{a:1}|\"abc|\"a\\nb\"|\"a\\xb\"|\
                 \"a\\u12\"|\"a\\u12zz\"|\"\\ud83d\\ude00\"|\"\\|1 2|\\n\\n  x|[\\n1,\\n x]|NaN|-Infinity|-|01|1.|1.5e|1e5|-0|\
                 -0.0|1e400|nul|[1,2|[|[1, 2, 3}|\u{feff}1|{\"a\":1}}|\"é\" x|-Infinit|\"\\u00e9\\/\"|\"\\u+123\"|{,}|[,]|\
                 123456789012345678901234567890|\"\\u1234|true|[[[]]]|{\"a\":[1,{}]}";
    let mut cases: Vec<String> = texts.split('|').map(|text| format!("call\tjson.loads\ts:{text}")).collect();
    cases.extend(["n:", "i:5", "y:31", "y:efbbbf31"].map(|value| format!("call\tjson.loads\t{value}")));
    cases.push(format!("call\tjson.loads\ts:{}", "1".repeat(5_000)));
    for value in ["n:", "b:1", "i:-5", "s:é\u{7f}\u{2028}😀\"/\\n\\t\u{1}", "f:nan", "f:-inf", "d:1", "y:61"] {
        cases.push(format!("call\tjson.dumps\t{value}"));
    }
    for text in ["x", "{12345678-1234-5678-1234-567812345678}", "urn:uuid:12345678123456781234567812345678"] {
        cases.push(format!("call\tuuid.UUID\ts:{text}"));
    }
    cases.extend(["", "\ti:5", "\tn:\ty:31"].map(|rest| format!("call\tuuid.UUID{rest}")));
    check(&cases);
}

#[test]
fn containers_and_chance() {
    let mut cx = Context::new(Limits::default(), 7);
    let items: Vec<Value> = (0..50).map(Value::Int).collect();
    let list = cx.list(items);
    let repeated = operators::binary(&mut cx, BinaryOp::Multiply, &list, &Value::Int(2)).expect("a list");
    let call = |cx: &mut Context, name: &str, positional: &[Value], keyword: &[(&str, Value)]| {
        let tables = [json::FUNCTIONS, random::FUNCTIONS];
        let found = tables.iter().flat_map(|table| table.iter()).find(|(known, _)| *known == name);
        let keyword: Vec<_> = keyword.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        let result = found.expect("a function").1(cx, Args { positional, keyword: &keyword });
        show(cx, result)
    };
    let before = cx.mutations;
    assert_eq!(call(&mut cx, "random.shuffle", std::slice::from_ref(&list), &[]), "NoneType None");
    assert!(cx.mutations > before, "a draw changes the state");
    let shuffled = call(&mut cx, "json.dumps", std::slice::from_ref(&list), &[]);
    let mut numbers: Vec<i64> = shuffled
        .trim_matches(|c: char| !c.is_ascii_digit())
        .split(", ")
        .map(|n| n.parse().expect("a number"))
        .collect();
    assert_ne!(numbers, (0..50).collect::<Vec<i64>>());
    numbers.sort_unstable();
    assert_eq!(numbers, (0..50).collect::<Vec<i64>>());
    assert!(call(&mut cx, "json.dumps", &[repeated], &[]).contains("49, 0, 1"));

    // What Python prints for the same calls.
    let inner = cx.tuple(vec![Value::Bool(true), Value::from("é")]);
    let empty = cx.list(Vec::new());
    let outer = cx.list(vec![Value::Int(1), inner, empty]);
    let indented = call(&mut cx, "json.dumps", std::slice::from_ref(&outer), &[("indent", Value::Int(2))]);
    assert_eq!(indented, "str [\n  1,\n  [\n    true,\n    \"\\u00e9\"\n  ],\n  []\n]");
    operators::in_place(&mut cx, BinaryOp::Multiply, &outer, &Value::Int(0)).expect("in place");
    assert_eq!(call(&mut cx, "json.dumps", std::slice::from_ref(&outer), &[]), "str []");
    if let Value::Ref(id) = outer
        && let Object::List(list) = cx.heap.get_mut(id)
    {
        list.items.push(outer.clone());
    }
    assert_eq!(call(&mut cx, "json.dumps", &[outer], &[]), "ValueError: Circular reference detected");

    for _ in 0..200 {
        let drawn = call(&mut cx, "random.randint", &[Value::Int(-1), Value::Int(1)], &[]);
        assert!(["int -1", "int 0", "int 1"].contains(&&*drawn), "{drawn}");
    }
    let empty_range = call(&mut cx, "random.randint", &[Value::Int(2), Value::Int(1)], &[]);
    assert_eq!(empty_range, "ValueError: empty range for randrange() (2, 2, 0)");
    let missing = call(&mut cx, "random.randint", &[], &[]);
    assert_eq!(missing, "TypeError: Random.randint() missing 2 required positional arguments: 'a' and 'b'");
    let many = call(&mut cx, "random.gauss", &[Value::Int(1), Value::Int(2), Value::Int(3)], &[]);
    assert_eq!(many, "TypeError: Random.gauss() takes from 1 to 3 positional arguments but 4 were given");
    let none = cx.list(Vec::new());
    assert_eq!(call(&mut cx, "random.choice", &[none], &[]), "IndexError: Cannot choose from an empty sequence");
}

#[test]
fn limits_stop_what_is_too_large() {
    let mut cx = Context::new(Limits::default(), 7);
    let huge = Value::integer(BigInt::from(10).pow(30));
    let list = cx.list(vec![Value::Int(0)]);
    for (op, left, right) in [
        (BinaryOp::Power, Value::Int(10), Value::Int(10_000_000_000)),
        (BinaryOp::Power, Value::Int(10), huge),
        (BinaryOp::ShiftLeft, Value::Int(1), Value::Int(1 << 40)),
        (BinaryOp::Multiply, Value::from("a"), Value::Int(1 << 40)),
        (BinaryOp::Multiply, list, Value::Int(10_000_000_000)),
    ] {
        let result = operators::binary(&mut cx, op, &left, &right);
        let shown = show(&mut cx, result);
        assert!(shown.starts_with("MemoryError: a value of"), "{shown}");
    }
    let deep = Value::from("[".repeat(100_000));
    let result = json::FUNCTIONS[1].1(&mut cx, Args { positional: &[deep], keyword: &[] });
    let text = "RecursionError: maximum recursion depth exceeded while decoding a JSON array from a unicode string";
    assert_eq!(show(&mut cx, result), text);
}
