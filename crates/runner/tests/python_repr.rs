//! How objects print: containers that hold themselves, records, members of enumerations, classes, exceptions.

use std::process::Command;
use std::sync::Arc;

use num_bigint::BigUint;
use waymark_ir::{Decimal, Field, Span, TypeDescriptor, TypeKind};
use waymark_runner::context::{Eval, Fault};
use waymark_runner::heap::{Dict, Exception, Id, Instance, Key, Object, Range, Set, ViewKind};
use waymark_runner::python::{format, repr};
use waymark_runner::types::TypeId;
use waymark_runner::{Context, Limits, Value};

const SCRIPT: &str = r#"
import asyncio, dataclasses, datetime, decimal, enum, json, uuid
@dataclasses.dataclass
class Base:
    name: object
@dataclasses.dataclass
class User(Base):
    age: object = 3
class Color(enum.Enum):
    RED = 1
class Level(enum.IntEnum):
    LOW = 7
a = [1]; a.append(a)
d = {}; d["x"] = d
u = User("x"); u.age = u
t = ([],); t[0].append(t)
D = decimal.Decimal
shown = [a, d, u, t, User("é"), Color.RED, [Color.RED], Level.LOW, Color, int, type(None), asyncio.CancelledError,
    json.JSONDecodeError, datetime.date, {1}, set(), frozenset({"a"}), frozenset(), range(3), range(0, 9, 2),
    slice(1, None, None), {"k": [1]}.keys(), {"k": [1]}.values(), {"k": [1]}.items(), ..., NotImplemented,
    ValueError(), ValueError("x"), ValueError("x", 2), KeyError("x"), KeyError("x", "y"), KeyError(), OSError(2, "gone"),
    ValueError(KeyError("q")), ExceptionGroup("m", [ValueError("x")]), uuid.UUID(int=0x123456789abcdef),
    D("1.10"), D("-0"), D("1E+3"), D("0.000001"), D("1E-7"), D("-12.345E-20"), D("Infinity"), D("NaN"), D("0E+2"), D("0.00")]
for value in shown:
    print(repr(value).replace("__main__.", ""), "|", str(value).replace("__main__.", ""))
print("|".join([format(Color.RED, ">10"), format(Level.LOW, "03d"), format(User("a")), "%s %r" % (Color.RED, Color.RED)]))
"#;

#[test]
fn objects_print_as_in_python() {
    let python = Command::new("python3").args(["-c", SCRIPT]).output().expect("python3 runs");
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    let expected = String::from_utf8(python.stdout).expect("text");
    let mut cx = Context::new(Limits::default(), 1);
    let cx = &mut cx;
    let values = shown(cx);
    let mut lines = Vec::new();
    for value in &values {
        let (full, text) = (text(cx, repr::repr, value), text(cx, repr::display, value));
        lines.push(format!("{full} | {text}"));
    }
    let (user, red, level) = (values[4].clone(), values[5].clone(), values[7].clone());
    let user = { user_named(cx, user, "a".into(), Value::Int(3)) };
    let pair = cx.tuple(vec![red.clone(), red.clone()]);
    lines.push(format!(
        "{}|{}|{}|{}",
        text(cx, |cx, value| format::format(cx, value, ">10"), &red),
        text(cx, |cx, value| format::format(cx, value, "03d"), &level),
        text(cx, |cx, value| format::format(cx, value, ""), &user),
        text(cx, |cx, value| format::percent(cx, "%s %r", value), &pair),
    ));
    for (found, expected) in lines.iter().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(lines.len(), expected.lines().count());
}

#[test]
fn what_only_a_worker_can_print_is_left_to_it() {
    let mut cx = Context::new(Limits::default(), 1);
    let opaque = class(&mut cx, "app:Session", &["object"], TypeKind::Opaque, &[], &[]);
    let record = TypeKind::Record { frozen: false, eq: true, order: false };
    let shown = class(&mut cx, "app:Shown", &["object"], record, &[], &["__str__"]);
    let opaque = instance(&mut cx, opaque, &[]);
    let shown = instance(&mut cx, shown, &[]);
    assert!(matches!(repr::repr(&mut cx, &opaque), Err(Fault::Worker)));
    assert!(matches!(repr::display(&mut cx, &shown), Err(Fault::Worker)));
    assert_eq!(repr::repr(&mut cx, &shown).expect("native"), "Shown()");
}

#[test]
fn deep_nesting_raises() {
    let mut cx = Context::new(Limits::default(), 1);
    let mut nested = Value::None;
    for _ in 0..100_000 {
        nested = cx.list(vec![nested]);
    }
    let Err(Fault::Raise(id)) = repr::repr(&mut cx, &nested) else { panic!("too deep to print") };
    assert_eq!(cx.heap.get(id).type_id(), TypeId::RECURSION_ERROR);
    let mut chain = Value::None;
    for _ in 0..100_000 {
        chain = Value::Ref(cx.exception(TypeId::VALUE_ERROR, vec![chain]));
    }
    assert!(matches!(repr::display(&mut cx, &chain), Err(Fault::Raise(_))));
}

fn text(cx: &mut Context, print: fn(&mut Context, &Value) -> Eval<String>, value: &Value) -> String {
    match print(cx, value) {
        Ok(text) => text,
        Err(fault) => format!("{fault:?}"),
    }
}

fn add(cx: &mut Context, object: Object) -> Value {
    Value::Ref(cx.heap.add(object))
}

fn class(cx: &mut Context, name: &str, bases: &[&str], kind: TypeKind, fields: &[&str], overrides: &[&str]) -> TypeId {
    let descriptor = TypeDescriptor {
        name: name.into(),
        bases: bases.iter().map(|base| base.to_string()).collect(),
        kind,
        fields: fields.iter().map(|name| Field { name: name.to_string(), default: None }).collect(),
        methods: Vec::new(),
        overrides: overrides.iter().map(|name| name.to_string()).collect(),
        span: Span::default(),
    };
    cx.types.declare(descriptor)
}

fn instance(cx: &mut Context, class: TypeId, fields: &[(&str, Value)]) -> Value {
    let mut dict = Dict::default();
    for (name, value) in fields {
        dict.insert(Key::Str((*name).into()), (*name).into(), value.clone());
    }
    add(cx, Object::Instance(Box::new(Instance { class, fields: dict })))
}

fn user_named(cx: &mut Context, like: Value, name: Value, age: Value) -> Value {
    let class = cx.type_of(&like);
    instance(cx, class, &[("age", age), ("name", name)])
}

fn dict_of(cx: &mut Context, name: &str, value: Value) -> Id {
    let mut dict = Dict::default();
    dict.insert(Key::Str(name.into()), name.into(), value);
    cx.heap.add(Object::Dict(dict))
}

fn set_of(cx: &mut Context, frozen: bool, items: &[(Key, Value)]) -> Value {
    let mut set = Set::new(frozen);
    items.iter().for_each(|(key, value)| {
        set.insert(key.clone(), value.clone());
    });
    add(cx, Object::Set(set))
}

fn error(cx: &mut Context, kind: TypeId, args: Vec<Value>) -> Value {
    add(cx, Object::Exception(Box::new(Exception::new(kind, args))))
}

fn decimal(negative: bool, coefficient: u32, exponent: i64) -> Value {
    Value::Decimal(Arc::new(Decimal::Finite { negative, coefficient: BigUint::from(coefficient), exponent }))
}

/// The same values as in the script, in the same order.
fn shown(cx: &mut Context) -> Vec<Value> {
    let record = TypeKind::Record { frozen: false, eq: true, order: false };
    class(cx, "app:Base", &["object"], record.clone(), &["name"], &[]);
    let user_class = class(cx, "app:User", &["app:Base"], record, &["age"], &[]);
    let color = class(cx, "Color", &["enum.Enum"], TypeKind::Enum(Vec::new()), &[], &[]);
    let level = class(cx, "Level", &["enum.IntEnum"], TypeKind::Enum(Vec::new()), &[], &[]);

    let a = cx.list(vec![Value::Int(1)]);
    if let Some(Object::List(list)) = a.reference().map(|id| cx.heap.get_mut(id)) {
        list.items.push(a.clone());
    }
    let d = dict_of(cx, "x", Value::None);
    if let Object::Dict(dict) = cx.heap.get_mut(d) {
        dict.insert(Key::Str("x".into()), "x".into(), Value::Ref(d));
    }
    let u = instance(cx, user_class, &[("name", "x".into()), ("age", Value::None)]);
    if let Some(Object::Instance(instance)) = u.reference().map(|id| cx.heap.get_mut(id)) {
        instance.fields.insert(Key::Str("age".into()), "age".into(), u.clone());
    }
    let inner = cx.list(Vec::new());
    let t = cx.tuple(vec![inner.clone()]);
    if let Some(Object::List(list)) = inner.reference().map(|id| cx.heap.get_mut(id)) {
        list.items.push(t.clone());
    }
    let user = instance(cx, user_class, &[("name", "é".into()), ("age", Value::Int(3))]);
    let red = instance(cx, color, &[("name", "RED".into()), ("value", Value::Int(1))]);
    let reds = cx.list(vec![red.clone()]);
    let low = instance(cx, level, &[("name", "LOW".into()), ("value", Value::Int(7))]);
    let ones = cx.list(vec![Value::Int(1)]);
    let k = dict_of(cx, "k", ones);
    let key_error = error(cx, TypeId::KEY_ERROR, vec!["q".into()]);
    let plain_error = error(cx, TypeId::VALUE_ERROR, vec!["x".into()]);
    let group = cx.list(vec![plain_error]);
    vec![
        a,
        Value::Ref(d),
        u,
        t,
        user,
        red,
        reds,
        low,
        Value::Type(color),
        Value::Type(TypeId::INT),
        Value::Type(TypeId::NONE),
        Value::Type(TypeId::CANCELLED_ERROR),
        Value::Type(TypeId::JSON_DECODE_ERROR),
        Value::Type(TypeId::DATE),
        set_of(cx, false, &[(Key::Int(1), Value::Int(1))]),
        set_of(cx, false, &[]),
        set_of(cx, true, &[(Key::Str("a".into()), "a".into())]),
        set_of(cx, true, &[]),
        add(cx, Object::Range(Range { start: 0, stop: 3, step: 1 })),
        add(cx, Object::Range(Range { start: 0, stop: 9, step: 2 })),
        add(cx, Object::Slice(Box::new([Value::Int(1), Value::None, Value::None]))),
        add(cx, Object::View { dict: k, kind: ViewKind::Keys }),
        add(cx, Object::View { dict: k, kind: ViewKind::Values }),
        add(cx, Object::View { dict: k, kind: ViewKind::Items }),
        Value::Ellipsis,
        Value::NotImplemented,
        error(cx, TypeId::VALUE_ERROR, vec![]),
        error(cx, TypeId::VALUE_ERROR, vec!["x".into()]),
        error(cx, TypeId::VALUE_ERROR, vec!["x".into(), Value::Int(2)]),
        error(cx, TypeId::KEY_ERROR, vec!["x".into()]),
        error(cx, TypeId::KEY_ERROR, vec!["x".into(), "y".into()]),
        error(cx, TypeId::KEY_ERROR, vec![]),
        {
            let class = cx.types.find("FileNotFoundError").unwrap_or(TypeId::OS_ERROR);
            error(cx, class, vec![Value::Int(2), "gone".into()])
        },
        error(cx, TypeId::VALUE_ERROR, vec![key_error]),
        error(cx, TypeId::EXCEPTION_GROUP, vec!["m".into(), group]),
        Value::Uuid(Box::new(0x123_4567_89ab_cdef)),
        decimal(false, 110, -2),
        decimal(true, 0, 0),
        decimal(false, 1, 3),
        decimal(false, 1, -6),
        decimal(false, 1, -7),
        decimal(true, 12_345, -23),
        Value::Decimal(Arc::new(Decimal::Infinity { negative: false })),
        Value::Decimal(Arc::new(Decimal::NaN)),
        decimal(false, 0, 2),
        decimal(false, 0, -2),
    ]
}
