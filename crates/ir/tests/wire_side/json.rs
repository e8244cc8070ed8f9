use crate::build::any_value;
use proptest::prelude::*;
use serde_json::json;
use std::process::Command;
use waymark_ir::json::{from_json, to_json};
use waymark_ir::*;

/// What JSON keeps of a value.
fn as_json_keeps(value: Value) -> Value {
    let all = |items: Vec<Value>| items.into_iter().map(as_json_keeps).collect();
    let named =
        |fields: Vec<(String, Value)>| fields.into_iter().map(|(name, value)| (name, as_json_keeps(value))).collect();
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) | Value::FrozenSet(items) => {
            Value::List(all(items))
        }
        Value::Dict(entries) => {
            Value::Dict(entries.into_iter().map(|(key, value)| (as_json_keeps(key), as_json_keeps(value))).collect())
        }
        Value::Object { type_name, fields } => Value::Object { type_name, fields: named(fields) },
        Value::Exception(mut exception) => {
            exception.args = all(std::mem::take(&mut exception.args));
            exception.fields = named(std::mem::take(&mut exception.fields));
            if let Some(cause) = exception.cause.take() {
                let Value::Exception(cause) = as_json_keeps(Value::Exception(cause)) else { unreachable!() };
                exception.cause = Some(cause);
            }
            Value::Exception(exception)
        }
        other => other,
    }
}

proptest! {
    #[test]
    fn any_value_survives_but_for_tuples_and_sets(value in any_value()) {
        prop_assert_eq!(from_json(&to_json(&value)).unwrap(), as_json_keeps(value));
    }
}

#[test]
fn plain_json_and_tags() {
    let cases = [
        (
            json!({"a": [1, 2.5, null]}),
            Value::Dict(vec![(Value::str("a"), Value::List(vec![Value::Int(1), Value::Float(2.5), Value::None]))]),
        ),
        (json!({"$ref": 1}), Value::Dict(vec![(Value::str("$ref"), Value::Int(1))])),
        (json!(u64::MAX), Value::integer(u64::MAX.into())),
        (json!({"$dict": [[1, "x"]]}), Value::Dict(vec![(Value::Int(1), Value::str("x"))])),
        (json!({"$uuid": "00000000-0000-0000-0000-0000000000ff"}), Value::Uuid(255)),
        (json!({"$bytes": "00ff"}), Value::Bytes(vec![0, 255])),
        (json!({"$timedelta": "-1.5"}), Value::Delta(Delta { microseconds: -1_500_000 })),
    ];
    for (json, value) in cases {
        assert_eq!(from_json(&json).unwrap(), value);
    }
    for wrong in [
        json!({"$date": "2026-02-30"}),
        json!({"$int": "x"}),
        json!({"$uuid": "+1"}),
        json!({"$dict": [[1, 2], [1.0, 3]]}),
    ] {
        assert!(from_json(&wrong).is_err(), "{wrong}");
    }
}

/// Python is the oracle: its text of a value is ours, and is read back to the same.
#[test]
fn texts_agree_with_python() {
    let decimals = [
        "0",
        "-0",
        "1.10",
        "1E+3",
        "123E-10",
        "0.000001",
        "0.0000001",
        "0E-7",
        "0E+2",
        "-12.5e20",
        "1e-400",
        "Infinity",
        "-inf",
        "NaN",
        "00012.00",
        ".5",
        "5.",
    ];
    let times = [
        "2026-03-29T02:30:00",
        "0001-01-01T00:00:00.000001+00:00",
        "9999-12-31T23:59:59.999999-23:59",
        "2026-01-01T00:00:00+05:30:15",
        "2026-01-01T00:00:00-00:00:01.000001",
        "2026-01-01 10:20",
    ];
    let script = "import sys, decimal, datetime
for kind, text in (line.split('|') for line in sys.stdin.read().splitlines()):
    print(decimal.Decimal(text) if kind == 'd' else datetime.datetime.fromisoformat(text).isoformat())";
    let input: String = decimals
        .iter()
        .map(|text| format!("d|{text}\n"))
        .chain(times.iter().map(|text| format!("t|{text}\n")))
        .collect();
    let mut child = Command::new("python3")
        .args(["-c", script])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let ours = decimals.iter().map(|text| text.parse::<Decimal>().unwrap().to_string());
    let ours: Vec<String> =
        ours.chain(times.iter().map(|text| text.parse::<DateTime>().unwrap().to_string())).collect();
    assert_eq!(ours, output.lines().collect::<Vec<_>>());
    // CPython writes this offset but reads it back as UTC (it looks at whole seconds only); ours survives.
    let tiny = "2026-01-01T00:00:00-00:00:00.000001";
    assert_eq!(tiny.parse::<DateTime>().unwrap().to_string(), tiny);
    for wrong in ["", ".", "1e", "1e99999999999999999999", "é", "--1", "1_0", "e5"] {
        assert!(wrong.parse::<Decimal>().is_err(), "{wrong}");
    }
    for wrong in ["2026-02-29", "2026-1-1", "2026-01-01T24:00", "2026-01-01T00:00+24:00", "2026-01-01T00:00é", "é"] {
        assert!(wrong.parse::<DateTime>().is_err(), "{wrong}");
    }
}
