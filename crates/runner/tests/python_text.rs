//! Text, bytes, formatting and printing against CPython: `text_cases.py` makes some ten thousand calls and prints their outcomes.

use std::process::Command;

use num_bigint::BigInt;
use waymark_runner::context::Fault;
use waymark_runner::heap::{Dict, Key, Object};
use waymark_runner::python::{Args, bytes, format, repr, text};
use waymark_runner::{Context, Limits, Value};

#[test]
fn text_behaves_as_in_python() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/text_cases.py");
    let python = Command::new("python3").arg(script).output().expect("python3 runs");
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    let output = String::from_utf8(python.stdout).expect("text");
    let mut cx = Context::new(Limits::default(), 1);
    let (mut count, mut wrong) = (0, Vec::new());
    for line in output.lines() {
        let [operation, receiver, arguments, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not a case: {line}");
        };
        count += 1;
        cx.steps = 0;
        let value = decode(&mut cx, &mut receiver.split(' ').collect::<Vec<_>>().into_iter());
        let list = decode(&mut cx, &mut arguments.split(' ').collect::<Vec<_>>().into_iter());
        let items = match list.reference().map(|id| cx.heap.get(id)) {
            Some(Object::List(list)) => list.items.clone(),
            _ => panic!("arguments are a list"),
        };
        let expected = format!("{}{}", &expected[..1], String::from_utf8(unhex(&expected[1..])).expect("text"));
        let found = outcome(&mut cx, operation, &value, &items);
        if found != expected && !found.contains("not built yet") {
            let shown = repr::repr(&mut cx, &value).unwrap_or_default();
            let given = repr::repr(&mut cx, &list).unwrap_or_default();
            wrong.push(format!("{operation} {shown} {given}\n    python {expected}\n    here   {found}"));
        }
    }
    assert!(count > 5_000, "only {count} cases");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

fn outcome(cx: &mut Context, operation: &str, receiver: &Value, items: &[Value]) -> String {
    let args = Args { positional: items, keyword: &[] };
    let result = match (operation, receiver) {
        ("repr", _) => repr::repr(cx, receiver).map(Value::from),
        ("str", _) => repr::display(cx, receiver).map(Value::from),
        ("ascii", _) => repr::ascii(cx, receiver).map(Value::from),
        ("__format__", _) => match &items[0] {
            Value::Str(spec) => format::format(cx, receiver, spec).map(Value::from),
            _ => panic!("a specification is text"),
        },
        ("__mod__", Value::Str(text)) => format::percent(cx, text, &items[0]).map(Value::from),
        ("__mod__", Value::Bytes(bytes)) => format::percent_bytes(cx, bytes, &items[0]).map(Value::bytes),
        _ => {
            let methods = if matches!(receiver, Value::Str(_)) { text::METHODS } else { bytes::METHODS };
            let method = methods.iter().find(|(name, _)| *name == operation).expect("a method").1;
            method(cx, receiver, args)
        }
    };
    match result {
        Ok(value) => format!("={}", repr::repr(cx, &value).unwrap_or_else(|_| "no repr".into())),
        Err(Fault::Worker) => "worker".into(),
        Err(Fault::Raise(id)) => {
            let class = cx.types.get(cx.heap.get(id).type_id()).short_name().to_string();
            let text = repr::display(cx, &Value::Ref(id)).unwrap_or_else(|_| "no text".into());
            format!("!{class}: {text}")
        }
    }
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).expect("hex")).collect()
}

fn decode<'a>(cx: &mut Context, tokens: &mut impl Iterator<Item = &'a str>) -> Value {
    let token = tokens.next().expect("a value");
    item(cx, token, tokens).expect("a value")
}

/// `None` at a closing bracket.
fn item(cx: &mut Context, token: &str, tokens: &mut dyn Iterator<Item = &str>) -> Option<Value> {
    let rest = &token[1..];
    Some(match &token[..1] {
        "N" => Value::None,
        "T" => Value::Bool(true),
        "F" => Value::Bool(false),
        "i" => Value::integer(BigInt::parse_bytes(rest.as_bytes(), 16).expect("a number")),
        "f" => Value::Float(f64::from_bits(u64::from_str_radix(rest, 16).expect("bits"))),
        "s" => Value::from(String::from_utf8(unhex(rest)).expect("text")),
        "b" => Value::bytes(unhex(rest)),
        opening @ ("(" | "[" | "{") => {
            let mut items = Vec::new();
            while let Some(value) = tokens.next().and_then(|token| item(cx, token, tokens)) {
                items.push(value);
            }
            match opening {
                "(" => cx.tuple(items),
                "[" => cx.list(items),
                _ => {
                    let mut dict = Dict::default();
                    for pair in items.chunks(2) {
                        let key = match &pair[0] {
                            Value::Str(text) => Key::Str(text.clone()),
                            Value::Bytes(bytes) => Key::Bytes(bytes.clone()),
                            Value::Int(number) => Key::Int(*number),
                            _ => Key::None,
                        };
                        dict.insert(key, pair[0].clone(), pair[1].clone());
                    }
                    Value::Ref(cx.heap.add(Object::Dict(dict)))
                }
            }
        }
        _ => return None,
    })
}
