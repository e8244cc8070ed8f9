//! The module `uuid`. Random UUIDs come from the generator in the instance's state.

use md5::Digest;
use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive};

use crate::context::{Context, Eval, Fault};
use crate::python::random::bind;
use crate::python::{Args, Constants, Constructors, Functions, number, repr};
use crate::types::TypeId;
use crate::value::Value;

pub const CONSTRUCTORS: Constructors = &[(TypeId::UUID, construct)];
pub const FUNCTIONS: Functions = &[
    ("uuid.uuid4", uuid4),
    ("uuid.uuid3", |cx, args| named(cx, args, 3)),
    ("uuid.uuid5", |cx, args| named(cx, args, 5)),
];
pub const CONSTANTS: Constants = &[
    ("uuid.NAMESPACE_DNS", || value(0x6ba7b810_9dad_11d1_80b4_00c04fd430c8)),
    ("uuid.NAMESPACE_URL", || value(0x6ba7b811_9dad_11d1_80b4_00c04fd430c8)),
    ("uuid.NAMESPACE_OID", || value(0x6ba7b812_9dad_11d1_80b4_00c04fd430c8)),
    ("uuid.NAMESPACE_X500", || value(0x6ba7b814_9dad_11d1_80b4_00c04fd430c8)),
    ("uuid.RESERVED_NCS", || Value::from(VARIANTS[0])),
    ("uuid.RFC_4122", || Value::from(VARIANTS[1])),
    ("uuid.RESERVED_MICROSOFT", || Value::from(VARIANTS[2])),
    ("uuid.RESERVED_FUTURE", || Value::from(VARIANTS[3])),
];

const VARIANTS: [&str; 4] = [
    "reserved for NCS compatibility",
    "specified in RFC 4122",
    "reserved for Microsoft compatibility",
    "reserved for future definition",
];

fn value(number: u128) -> Value {
    Value::Uuid(Box::new(number))
}

/// `str(uuid)`
pub fn display(number: u128) -> String {
    let hex = format!("{number:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// Attributes that are no methods. `None`: there is no such attribute, or it has no value here.
pub fn attribute(value: &Value, name: &str) -> Option<Value> {
    let Value::Uuid(number) = value else { return None };
    let number = **number;
    let integer = |number: u128| Value::integer(BigInt::from(number));
    let field = |shift: u32, bits: u32| number >> shift & ((1 << bits) - 1);
    let variant = match field(60, 4) {
        0b0000..=0b0111 => 0,
        0b1000..=0b1011 => 1,
        0b1100..=0b1101 => 2,
        _ => 3,
    };
    Some(match name {
        "int" => integer(number),
        "hex" => Value::from(format!("{number:032x}")),
        "bytes" => Value::bytes(number.to_be_bytes().to_vec()),
        "bytes_le" => {
            let mut bytes = number.to_be_bytes();
            bytes[..4].reverse();
            bytes[4..6].reverse();
            bytes[6..8].reverse();
            Value::bytes(bytes.to_vec())
        }
        "urn" => Value::from(format!("urn:uuid:{}", display(number))),
        "variant" => Value::from(VARIANTS[variant]),
        "version" if variant == 1 => integer(field(76, 4)),
        "version" => Value::None,
        "time_low" => integer(field(96, 32)),
        "time_mid" => integer(field(80, 16)),
        "time_hi_version" => integer(field(64, 16)),
        "clock_seq_hi_variant" => integer(field(56, 8)),
        "clock_seq_low" => integer(field(48, 8)),
        "clock_seq" => integer(field(48, 14)),
        "node" => integer(field(0, 48)),
        "time" => integer(field(64, 12) << 48 | field(80, 16) << 32 | field(96, 32)),
        _ => return None,
    })
}

/// Writes variant and version into a UUID.
fn stamp(number: u128, version: u128) -> u128 {
    let number = number & !(0xc000 << 48) | 0x8000 << 48;
    number & !(0xf000 << 64) | version << 76
}

fn uuid4(cx: &mut Context, args: Args<'_>) -> Eval {
    bind(cx, args, "uuid4", 0, [], 0)?;
    cx.mutations += 1;
    let number = u128::from(cx.random.bits()) << 64 | u128::from(cx.random.bits());
    Ok(value(stamp(number, 4)))
}

fn named(cx: &mut Context, args: Args<'_>, version: u8) -> Eval {
    let [namespace, name] = bind(cx, args, &format!("uuid{version}"), 0, ["namespace", "name"], 2)?;
    let namespace = namespace.unwrap_or_default();
    let Value::Uuid(space) = &namespace else {
        if matches!(namespace, Value::Ref(_)) {
            return Err(Fault::Worker);
        }
        let text = format!("'{}' object has no attribute 'bytes'", cx.type_name(&namespace));
        return Err(cx.raise(TypeId::ATTRIBUTE_ERROR, text));
    };
    let Some(Value::Str(name)) = &name else {
        return Err(cx.type_error("encoding without a string argument"));
    };
    cx.charge(name.len() / 64)?;
    let mut bytes = [0; 16];
    match version {
        3 => {
            let digest = md5::Md5::new().chain_update(space.to_be_bytes()).chain_update(name.as_bytes()).finalize();
            bytes.copy_from_slice(&digest[..16]);
        }
        _ => {
            let digest = sha1::Sha1::new().chain_update(space.to_be_bytes()).chain_update(name.as_bytes()).finalize();
            bytes.copy_from_slice(&digest[..16]);
        }
    }
    Ok(value(stamp(u128::from_be_bytes(bytes), version.into())))
}

/// `uuid.UUID(hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None)`
fn construct(cx: &mut Context, args: Args<'_>) -> Eval {
    let names = ["hex", "bytes", "bytes_le", "fields", "int", "version", "*is_safe"];
    let bound = bind(cx, args, "UUID.__init__", 1, names, 0)?;
    let [hex, bytes, bytes_le, fields, int, version, _] = bound.map(|given| given.filter(|value| !value.is_none()));
    let given = [&hex, &bytes, &bytes_le, &fields, &int].iter().filter(|given| given.is_some()).count();
    if given != 1 {
        let text = "one of the hex, bytes, bytes_le, fields, or int arguments must be given";
        return Err(cx.type_error(text));
    }
    let number = if let Some(hex) = hex {
        from_hex(cx, &hex)?
    } else if let Some(source) = bytes.as_ref().or(bytes_le.as_ref()) {
        let name = if bytes.is_some() { "bytes" } else { "bytes_le" };
        let Value::Bytes(source) = source else { return Err(Fault::Worker) };
        let Ok(mut source) = <[u8; 16]>::try_from(&**source) else {
            return Err(cx.value_error(format!("{name} is not a 16-char string")));
        };
        if name == "bytes_le" {
            source[..4].reverse();
            source[4..6].reverse();
            source[6..8].reverse();
        }
        u128::from_be_bytes(source)
    } else if let Some(int) = int {
        let Some(integer) = number::as_integer(&int) else {
            if matches!(int, Value::Ref(_) | Value::Float(_)) {
                return Err(Fault::Worker);
            }
            let name = cx.type_name(&int);
            return Err(cx.type_error(format!("'<=' not supported between instances of 'int' and '{name}'")));
        };
        match integer.to_u128() {
            Some(number) if !integer.is_negative() => number,
            _ => return Err(cx.value_error("int is out of range (need a 128-bit value)")),
        }
    } else {
        return Err(Fault::Worker);
    };
    match version {
        None => Ok(value(number)),
        Some(version) => match number::as_integer(&version).and_then(|version| version.to_u8()) {
            Some(version @ 1..=5) => Ok(value(stamp(number, version.into()))),
            _ => Err(cx.value_error("illegal version number")),
        },
    }
}

fn from_hex(cx: &mut Context, hex: &Value) -> Eval<u128> {
    let Value::Str(text) = hex else {
        if matches!(hex, Value::Ref(_) | Value::Bytes(_) | Value::DateTime(_) | Value::Date(_) | Value::Time(_)) {
            return Err(Fault::Worker);
        }
        let text = format!("'{}' object has no attribute 'replace'", cx.type_name(hex));
        return Err(cx.raise(TypeId::ATTRIBUTE_ERROR, text));
    };
    let cleaned = text.replace("urn:", "").replace("uuid:", "");
    let cleaned = cleaned.trim_matches(['{', '}']).replace('-', "");
    if cleaned.chars().count() != 32 {
        return Err(cx.value_error("badly formed hexadecimal UUID string"));
    }
    let parsed = number::parse_int(cx, &Value::from(cleaned.as_str()), 16)?;
    match number::as_integer(&parsed).filter(|number| number.sign() != Sign::Minus).and_then(|n| n.to_u128()) {
        Some(number) => Ok(number),
        None if cleaned.starts_with('-') => Err(cx.value_error("int is out of range (need a 128-bit value)")),
        None => {
            let shown = repr::str_repr(&cleaned);
            Err(cx.value_error(format!("invalid literal for int() with base 16: {shown}")))
        }
    }
}
