//! Classes of a program and keys of numbers, which no line of plain Python in the table of cases can make.

use std::sync::Arc;

use num_bigint::BigInt;
use waymark_ir::{Decimal, Field, Span, TypeDescriptor, TypeKind};

use crate::context::{Context, Eval, Fault, Limits};
use crate::heap::{Dict, Instance, Key, Object};
use crate::python::{compare, iterate};
use crate::types::TypeId;
use crate::value::Value;

fn class(
    cx: &mut Context,
    name: &str,
    bases: &[TypeId],
    kind: TypeKind,
    fields: &[&str],
    overrides: &[&str],
) -> TypeId {
    let fields = fields.iter().map(|name| Field { name: name.to_string(), default: None }).collect();
    let descriptor = TypeDescriptor {
        name: name.into(),
        bases: bases.iter().map(|base| cx.types.get(*base).name.to_string()).collect(),
        kind,
        fields,
        methods: Vec::new(),
        overrides: overrides.iter().map(|name| name.to_string()).collect(),
        span: Span::default(),
    };
    cx.types.declare(descriptor)
}

fn instance(cx: &mut Context, class: TypeId, fields: &[(&str, Value)]) -> Value {
    let mut dict = Dict::default();
    for (name, value) in fields {
        dict.insert(Key::Str((*name).into()), Value::from(*name), value.clone());
    }
    Value::Ref(cx.heap.add(Object::Instance(Box::new(Instance { class, fields: dict }))))
}

#[test]
fn classes_of_a_program() {
    let mut cx = Context::new(Limits::default(), 1);
    let cx = &mut cx;
    let record = |frozen, order| TypeKind::Record { frozen, eq: true, order };
    let point = class(cx, "Point", &[TypeId::OBJECT], record(true, true), &["x", "y"], &[]);
    let deeper = class(cx, "Deeper", &[point], record(true, true), &["z"], &[]);
    let open = class(cx, "Open", &[TypeId::OBJECT], record(false, false), &["x"], &[]);
    let plain = class(cx, "Plain", &[TypeId::OBJECT], TypeKind::Opaque, &[], &[]);
    let custom = class(cx, "Custom", &[TypeId::OBJECT], TypeKind::Opaque, &[], &["__eq__", "__bool__", "__iter__"]);
    let colour = class(cx, "Colour", &[TypeId::ENUM], TypeKind::Enum(vec![]), &[], &[]);
    let level = class(cx, "Level", &[TypeId::INT, TypeId::ENUM], TypeKind::Enum(vec![]), &[], &[]);
    let unknown = cx.types.learn("app:Unknown", &[]);

    let at = |cx: &mut Context, x: i64, y: i64| instance(cx, point, &[("x", x.into()), ("y", y.into())]);
    let (one, same, other) = (at(cx, 1, 2), at(cx, 1, 2), at(cx, 1, 3));
    assert!(compare::equal(cx, &one, &same).unwrap() && !compare::equal(cx, &one, &other).unwrap());
    assert!(compare::less(cx, &one, &other).unwrap() && !compare::is(&one, &same));
    assert_eq!(compare::key_of(cx, &one).unwrap(), compare::key_of(cx, &same).unwrap());
    let fields = |z: i64| [("x", Value::Int(1)), ("y", Value::Int(2)), ("z", Value::Int(z))];
    let (low, high) = (instance(cx, deeper, &fields(3)), instance(cx, deeper, &fields(4)));
    assert!(compare::less(cx, &low, &high).unwrap() && !compare::equal(cx, &low, &one).unwrap());

    let (mutable, twin) = (instance(cx, open, &[("x", 1.into())]), instance(cx, open, &[("x", 1.0.into())]));
    assert!(compare::equal(cx, &mutable, &twin).unwrap());
    assert_eq!(words(compare::key_of(cx, &mutable), cx), "TypeError: unhashable type: 'Open'");
    let refusal = "TypeError: '<' not supported between instances of 'Open' and 'Open'";
    assert_eq!(words(compare::less(cx, &mutable, &twin), cx), refusal);

    let (bare, another) = (instance(cx, plain, &[]), instance(cx, plain, &[]));
    assert!(compare::truth(cx, &bare).unwrap() && !compare::equal(cx, &bare, &another).unwrap());
    assert_ne!(compare::key_of(cx, &bare).unwrap(), compare::key_of(cx, &another).unwrap());
    assert_eq!(words(iterate::iter(cx, &bare), cx), "TypeError: 'Plain' object is not iterable");

    for class in [custom, unknown] {
        let theirs = instance(cx, class, &[]);
        let held = cx.list(vec![theirs.clone()]);
        assert_eq!(words(compare::equal(cx, &theirs, &Value::None), cx), "Worker");
        assert_eq!(words(compare::contains(cx, &held, &Value::None), cx), "Worker");
        assert_eq!(words(compare::truth(cx, &theirs), cx), "Worker");
        assert_eq!(words(compare::key_of(cx, &theirs), cx), "Worker");
        assert_eq!(words(iterate::collect(cx, &theirs), cx), "Worker");
        // The same object is in the list whatever its class says, as in Python.
        assert!(compare::contains(cx, &held, &theirs).unwrap());
    }

    let member =
        |cx: &mut Context, class, name: &str| instance(cx, class, &[("name", name.into()), ("value", 5.into())]);
    let (red, again, blue) = (member(cx, colour, "RED"), member(cx, colour, "RED"), member(cx, colour, "BLUE"));
    assert!(compare::equal(cx, &red, &again).unwrap() && !compare::equal(cx, &red, &blue).unwrap());
    assert_eq!(compare::key_of(cx, &red).unwrap(), compare::key_of(cx, &again).unwrap());
    assert!(!compare::equal(cx, &red, &Value::Int(5)).unwrap());
    let high = member(cx, level, "HIGH");
    assert!(
        compare::equal(cx, &high, &Value::Float(5.0)).unwrap() && compare::less(cx, &Value::Int(4), &high).unwrap()
    );
    assert_eq!(compare::key_of(cx, &high).unwrap(), Key::Int(5));
}

/// How an operation failed.
fn words<T: std::fmt::Debug>(outcome: Eval<T>, cx: &Context) -> String {
    match outcome {
        Err(Fault::Raise(id)) => match cx.heap.get(id) {
            Object::Exception(exception) => match &exception.args[..] {
                [Value::Str(text)] => format!("{}: {text}", cx.types.get(exception.class).short_name()),
                args => format!("{args:?}"),
            },
            other => format!("{other:?}"),
        },
        Err(Fault::Worker) => "Worker".into(),
        Ok(value) => format!("{value:?}"),
    }
}

#[test]
fn equal_numbers_have_equal_keys() {
    let mut cx = Context::new(Limits::default(), 1);
    let decimal = |negative, coefficient: u32, exponent| {
        Value::Decimal(Arc::new(Decimal::Finite { negative, coefficient: coefficient.into(), exponent }))
    };
    for (value, twin) in [
        (decimal(false, 100, -2), Value::Int(1)),
        (decimal(true, 0, 5), Value::Int(0)),
        (decimal(true, 5, -1), Value::Float(-0.5)),
        (decimal(false, 12_500, -4), Value::Float(1.25)),
        (decimal(false, 1, 30), Value::integer(BigInt::from(10).pow(30))),
        (decimal(false, 110, -2), decimal(false, 11, -1)),
        (Value::Float(1e22), Value::integer(BigInt::from(10).pow(22))),
        (Value::Bool(true), Value::Float(1.0)),
        (Value::Float(-0.0), Value::Int(0)),
    ] {
        assert_eq!(compare::key_of(&mut cx, &value).unwrap(), compare::key_of(&mut cx, &twin).unwrap(), "{value:?}");
    }
    let tenth = compare::key_of(&mut cx, &decimal(false, 1, -1)).unwrap();
    assert_ne!(tenth, compare::key_of(&mut cx, &Value::Float(0.1)).unwrap());
    let vast = decimal(false, 1, 1 << 40);
    assert!(compare::key_of(&mut cx, &vast).is_ok());
}
