//! Values as MessagePack: inputs, results, signals, what workers say.

use std::sync::{Arc, LazyLock};

use waymark_ir::{Date, DateTime, Decimal, Delta, ExceptionValue, TimeOfDay, Value, Zone, json, payload};
use waymark_runner::simulate::lower;
use waymark_runner::{Event, Instance, Lowered};

use super::sample;
use crate::Verdict;

pub fn check(bytes: &[u8]) -> Verdict {
    let Ok(value) = payload::decode(bytes) else { return Verdict::Refused };
    check_value(value);
    Verdict::Accepted
}

/// It survives every way that values take.
pub fn check_value(value: Value) {
    let encoded = payload::encode(&value);
    // JSON nests less than a payload may, but exceptions take more levels there.
    let Ok(again) = payload::decode(&encoded) else { return };
    assert_eq!(payload::encode(&again), encoded);
    let shown = json::to_json(&value);
    match json::from_json(&shown) {
        Ok(read) => assert_eq!(json::to_json(&read), shown),
        // A list and a tuple are one key in JSON.
        Err(error) => assert_eq!(error, json::JsonError::DuplicateKey, "{shown}"),
    }
    // Into an instance, and out of it.
    let mut instance = Instance::new(1, keeper(), sample::limits());
    if instance.apply(0, Event::Started { inputs: vec![("value".into(), value)] }).is_ok() {
        let mut instance = super::snapshot::check_saved(instance);
        sample::move_on(&mut instance);
    }
}

fn keeper() -> Arc<Lowered> {
    const SOURCE: &str =
        "fn main(input: [value]):\n    kept = [value]\n    await asyncio.sleep(1)\n    return kept[0]\n";
    static LOWERED: LazyLock<Arc<Lowered>> = LazyLock::new(|| lower(SOURCE).expect("it lowers"));
    LOWERED.clone()
}

pub fn seeds() -> Vec<Vec<u8>> {
    values().iter().map(payload::encode).collect()
}

/// One of each kind, and some within others.
pub fn values() -> Vec<Value> {
    let date = Date { year: 2024, month: 2, day: 29 };
    let zones = [
        None,
        Some(Zone::Fixed { offset_us: -3_600_000_000, name: Some("X".into()) }),
        Some(Zone::Named("Europe/Berlin".into())),
    ];
    let time = |zone: &Option<Zone>| TimeOfDay {
        hour: 23,
        minute: 59,
        second: 1,
        microsecond: 7,
        fold: true,
        zone: zone.clone(),
    };
    let cause = ExceptionValue { type_name: "KeyError".into(), args: vec![Value::str("k")], ..Default::default() };
    let exception = ExceptionValue {
        type_name: "app:Broken".into(),
        bases: vec!["ValueError".into(), "Exception".into()],
        args: vec![Value::Int(1)],
        fields: vec![("code".into(), Value::None)],
        message: Some("it broke".into()),
        cause: Some(Box::new(cause)),
        notes: vec!["note".into()],
        traceback: vec!["File \"a.py\", line 1".into()],
        ..Default::default()
    };
    let mut values = vec![
        Value::None,
        Value::Bool(true),
        Value::Int(i64::MIN),
        Value::integer("-123456789012345678901234567890".parse().expect("a number")),
        Value::Float(-0.0),
        Value::Float(f64::NAN),
        Value::str("é\0\u{10ffff}"),
        Value::Bytes(vec![0, 255]),
        Value::Date(date),
        Value::Delta(Delta { microseconds: -1 }),
        Value::Decimal("-1.50E+7".parse::<Decimal>().expect("a decimal")),
        Value::Decimal("NaN".parse::<Decimal>().expect("a decimal")),
        Value::Uuid(u128::MAX),
        Value::Ellipsis,
        Value::Object { type_name: "app:User".into(), fields: vec![("name".into(), Value::str("Ann"))] },
        Value::Exception(Box::new(exception)),
        Value::Dict(vec![(Value::str("$ref"), Value::Int(1)), (Value::Tuple(vec![Value::Int(1)]), Value::None)]),
        Value::Set(vec![Value::Int(1), Value::Float(1.5), Value::str("a")]),
        Value::FrozenSet(vec![Value::FrozenSet(vec![])]),
    ];
    values.extend(zones.iter().map(|zone| Value::Time(time(zone))));
    values.extend(zones.iter().map(|zone| Value::DateTime(DateTime { date, time: time(zone) })));
    let all = values.clone();
    values.push(Value::List(all.clone()));
    values.push(Value::Dict(all.into_iter().enumerate().map(|(at, value)| (Value::Int(at as i64), value)).collect()));
    values
}
