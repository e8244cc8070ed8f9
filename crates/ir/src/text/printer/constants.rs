//! Constants: literals where Python has them, else `const(kind: …)`.

use num_bigint::BigInt;

use super::strings;
use crate::text::literal::DECIMAL_DIGITS_MAX;
use crate::text::moment;
use crate::{Decimal, ExceptionValue, TimeOfDay, Value, Zone};

/// As an expression.
pub(super) fn constant(value: &Value, in_format: bool) -> String {
    match value {
        Value::Str(text) if in_format => strings::quoted(text, '\''),
        Value::Bytes(content) if in_format => strings::bytes(content, '\''),
        _ => match kind(value) {
            None => self::value(value),
            Some(kind) => format!("const({kind}: {})", body(value)),
        },
    }
}

/// Inside another constant or a declaration.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::None => "None".to_string(),
        Value::Bool(true) => "True".to_string(),
        Value::Bool(false) => "False".to_string(),
        Value::Int(number) => number.to_string(),
        Value::BigInt(number) => big(number),
        Value::Float(number) if number.is_finite() => format!("{number:?}"),
        Value::Float(number) if number.is_infinite() => if *number > 0.0 { "1e999" } else { "-1e999" }.to_string(),
        Value::Str(text) => strings::quoted(text, '"'),
        Value::Bytes(content) => strings::bytes(content, '"'),
        Value::Ellipsis => "...".to_string(),
        Value::List(_) | Value::Tuple(_) | Value::Dict(_) => body(value),
        _ => format!("{}({})", kind(value).unwrap_or_default(), body(value)),
    }
}

/// Seconds with the largest unit that divides them. None for what is not a plain non-negative number.
pub(super) fn duration(value: &Value) -> Option<String> {
    match value {
        Value::Int(seconds) if *seconds >= 0 => {
            let units = [(86400, "d"), (3600, "h"), (60, "m"), (1, "s")];
            let (size, unit) =
                units.into_iter().find(|(size, _)| *seconds > 0 && seconds % size == 0).unwrap_or((1, "s"));
            Some(format!("{}{unit}", seconds / size))
        }
        Value::Float(seconds) if seconds.is_finite() && seconds.is_sign_positive() => Some(format!("{seconds:?}s")),
        _ => None,
    }
}

/// The word that introduces a value for which Python has no literal.
fn kind(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Float(number) if number.is_nan() => "float",
        Value::List(_) => "list",
        Value::Tuple(_) => "tuple",
        Value::Dict(_) => "dict",
        Value::Set(_) => "set",
        Value::FrozenSet(_) => "frozenset",
        Value::Object { .. } => "object",
        Value::Exception(_) => "exception",
        Value::Date(_) => "date",
        Value::Time(_) => "time",
        Value::DateTime(_) => "datetime",
        Value::Delta(_) => "delta",
        Value::Decimal(_) => "decimal",
        Value::Uuid(_) => "uuid",
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::BigInt(_)
        | Value::Float(_)
        | Value::Str(_)
        | Value::Bytes(_)
        | Value::Ellipsis => return None,
    })
}

fn body(value: &Value) -> String {
    match value {
        Value::List(items) => format!("[{}]", values(items)),
        Value::Tuple(items) if items.len() == 1 => format!("({},)", values(items)),
        Value::Tuple(items) => format!("({})", values(items)),
        Value::Dict(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(key, item)| format!("{}: {}", self::value(key), self::value(item))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Set(items) | Value::FrozenSet(items) => values(items),
        Value::Object { type_name, fields } => format!("{}, {}", strings::quoted(type_name, '"'), named(fields)),
        Value::Exception(exception) => self::exception(exception),
        Value::Date(date) => format!("\"{}\"", moment::print_date(date)),
        Value::Time(time) => format!("\"{}\"{}", moment::print_time(time), time_options(time)),
        Value::DateTime(moment) => format!(
            "\"{}T{}\"{}",
            moment::print_date(&moment.date),
            moment::print_time(&moment.time),
            time_options(&moment.time)
        ),
        Value::Delta(delta) => delta.microseconds.to_string(),
        Value::Decimal(number) => format!("\"{}\"", decimal(number)),
        Value::Uuid(number) => {
            let digits = format!("{number:032x}");
            let groups = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
            format!("\"{}\"", groups.join("-"))
        }
        Value::Float(_) => "nan".to_string(),
        literal => self::value(literal),
    }
}

fn values(items: &[Value]) -> String {
    items.iter().map(value).collect::<Vec<String>>().join(", ")
}

fn named(fields: &[(String, Value)]) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, item)| format!("{}: {}", strings::quoted(name, '"'), value(item))).collect();
    format!("{{{}}}", fields.join(", "))
}

fn texts(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| strings::quoted(item, '"')).collect();
    format!("[{}]", items.join(", "))
}

fn exception(exception: &ExceptionValue) -> String {
    let mut out = strings::quoted(&exception.type_name, '"');
    let mut option = |present: bool, name: &str, text: &dyn Fn() -> String| {
        if present {
            out.push_str(&format!(", {name}={}", text()));
        }
    };
    option(!exception.bases.is_empty(), "bases", &|| texts(&exception.bases));
    option(!exception.args.is_empty(), "args", &|| format!("[{}]", values(&exception.args)));
    option(!exception.fields.is_empty(), "fields", &|| named(&exception.fields));
    if let Some(message) = &exception.message {
        option(true, "message", &|| strings::quoted(message, '"'));
    }
    for (name, inner) in [("cause", &exception.cause), ("context", &exception.context)] {
        if let Some(inner) = inner {
            option(true, name, &|| format!("exception({})", self::exception(inner)));
        }
    }
    option(exception.suppress_context, "suppress_context", &|| "True".to_string());
    option(!exception.notes.is_empty(), "notes", &|| texts(&exception.notes));
    option(!exception.traceback.is_empty(), "traceback", &|| texts(&exception.traceback));
    out
}

fn time_options(time: &TimeOfDay) -> String {
    let mut out = match &time.zone {
        Some(Zone::Named(zone)) => format!(", zone={}", strings::quoted(zone, '"')),
        Some(Zone::Fixed { name: Some(name), .. }) => format!(", name={}", strings::quoted(name, '"')),
        _ => String::new(),
    };
    if time.fold {
        out.push_str(", fold=True");
    }
    out
}

fn big(number: &BigInt) -> String {
    // log10(2) is just over 0.3: fewer bits than this cannot make too many digits.
    if number.bits() as usize > DECIMAL_DIGITS_MAX * 3 {
        let sign = if number.sign() == num_bigint::Sign::Minus { "-" } else { "" };
        return format!("{sign}{:#x}", number.magnitude());
    }
    number.to_string()
}

/// As Python's `str`: sign, coefficient and exponent can be read back from it.
fn decimal(number: &Decimal) -> String {
    let (negative, coefficient, exponent) = match number {
        Decimal::NaN => return "NaN".to_string(),
        Decimal::Infinity { negative } => return if *negative { "-Infinity" } else { "Infinity" }.to_string(),
        Decimal::Finite { negative, coefficient, exponent } => (*negative, coefficient, *exponent),
    };
    let digits = coefficient.to_string();
    let sign = if negative { "-" } else { "" };
    let length = digits.len() as i128;
    let exponent = i128::from(exponent);
    let adjusted = exponent + length - 1;
    if exponent == 0 {
        return format!("{sign}{digits}");
    }
    if exponent < 0 && adjusted >= -6 {
        let point = length + exponent;
        if point > 0 {
            let (whole, fraction) = digits.split_at(point as usize);
            return format!("{sign}{whole}.{fraction}");
        }
        return format!("{sign}0.{}{digits}", "0".repeat((-point) as usize));
    }
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}E{adjusted:+}")
}
