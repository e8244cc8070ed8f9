use crate::build::any_value;
use proptest::prelude::*;
use waymark_ir::payload::{MAX_DEPTH, PayloadError, decode, encode};
use waymark_ir::*;

proptest! {
    #[test]
    fn any_value_survives(value in any_value()) {
        prop_assert_eq!(decode(&encode(&value)), Ok(value));
    }
}

#[test]
fn plain_values_are_plain_messagepack() {
    let cases: &[(Value, &[u8])] = &[
        (Value::None, &[0xc0]),
        (Value::Int(-1), &[0xff]),
        (Value::Int(300), &[0xcd, 0x01, 0x2c]),
        (Value::str("é"), &[0xa2, 0xc3, 0xa9]),
        (Value::Bytes(vec![7]), &[0xc4, 1, 7]),
        (Value::Dict(vec![(Value::Int(1), Value::List(vec![Value::Bool(true)]))]), &[0x81, 1, 0x91, 0xc3]),
        (Value::Tuple(vec![]), &[0xd4, 2, 0x90]),
        (Value::Ellipsis, &[0xd4, 13, 0xc0]),
        (Value::integer("9223372036854775808".parse().unwrap()), &[0xc7, 11, 1, 0xc4, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        (Value::Date(Date { year: 2026, month: 3, day: 29 }), &[0xc7, 6, 7, 0x93, 0xcd, 0x07, 0xea, 3, 29]),
    ];
    for (value, bytes) in cases {
        assert_eq!(encode(value), *bytes, "{value:?}");
        assert_eq!(decode(bytes).as_ref(), Ok(value));
    }
}

#[test]
fn what_is_not_a_value_is_refused() {
    let cases: &[(&[u8], PayloadError)] = &[
        (&[], PayloadError::Truncated),
        (&[0xc0, 0xc0], PayloadError::TrailingBytes { count: 1 }),
        (&[0xc1], PayloadError::UnknownMarker(0xc1)),
        (&[0xdd, 0xff, 0xff, 0xff, 0xff], PayloadError::Truncated),
        (&[0xc6, 0xff, 0xff, 0xff, 0xff], PayloadError::Truncated),
        (&[0xd4, 99, 0xc0], PayloadError::UnknownExtension(99)),
        (&[0xa1, 0xff], PayloadError::NotUtf8),
        (&[0x82, 1, 1, 0xc3, 1], PayloadError::DuplicateKey),
        (&[0xc7, 3, 3, 0x92, 1, 1], PayloadError::DuplicateItem),
        (&[0xc7, 6, 7, 0x93, 0xcd, 0x07, 0xea, 2, 29], PayloadError::Invalid("date")),
    ];
    for (bytes, expected) in cases {
        assert_eq!(decode(bytes).as_ref(), Err(expected));
    }
}

#[test]
fn nesting_is_bounded_on_a_small_stack() {
    let lists = |depth: usize| [vec![0x91; depth], vec![0xc0]].concat();
    let deepest = decode(&lists(MAX_DEPTH)).unwrap();
    assert_eq!(deepest.clone(), deepest);
    assert_eq!(encode(&deepest), lists(MAX_DEPTH));
    assert_eq!(json::from_json(&json::to_json(&deepest)), Ok(deepest));
    assert_eq!(decode(&lists(MAX_DEPTH + 1)), Err(PayloadError::TooDeep));
    assert_eq!(decode(&lists(1 << 20)), Err(PayloadError::TooDeep));
    let wraps: [fn(Value) -> Value; 6] = [
        |inner| Value::Tuple(vec![inner]),
        |inner| Value::FrozenSet(vec![inner]),
        |inner| Value::Dict(vec![(inner, Value::None)]),
        |inner| Value::Object { type_name: "app:T".into(), fields: vec![("f".into(), inner)] },
        |inner| Value::Exception(Box::new(ExceptionValue { args: vec![inner], ..Default::default() })),
        |inner| match inner {
            Value::Exception(cause) => {
                Value::Exception(Box::new(ExceptionValue { cause: Some(cause), ..Default::default() }))
            }
            _ => Value::Exception(Box::default()),
        },
    ];
    for (index, wrap) in wraps.into_iter().enumerate() {
        let levels_each = [2, 2, 1, 2, 3, 2][index];
        let nested = |times: usize| (0..times).fold(Value::None, |inner, _| wrap(inner));
        let deep = nested((MAX_DEPTH - 1) / levels_each);
        let decoded = decode(&encode(&deep)).unwrap();
        assert_eq!(decoded.clone(), deep, "wrap {index}");
        // Reading JSON is bounded by its parser; writing has to cope with any value.
        let _ = json::to_json(&deep);
        assert_eq!(decode(&encode(&nested(MAX_DEPTH / levels_each + 1))), Err(PayloadError::TooDeep), "wrap {index}");
    }
}
