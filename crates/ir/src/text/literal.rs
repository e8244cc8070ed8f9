//! What the text of a literal token stands for: numbers, durations, strings and bytes with Python's escapes.

use num_bigint::BigInt;

use crate::Value;

/// CPython's own limit on decimal digits; beyond it conversion would take quadratic time.
pub(super) const DECIMAL_DIGITS_MAX: usize = 4300;

pub(super) const DURATION_UNITS: [(&str, i64); 5] = [("ms", 0), ("s", 1), ("m", 60), ("h", 3600), ("d", 86400)];

/// Why a literal is refused, and what to write instead.
pub(super) struct Refused {
    pub code: &'static str,
    pub message: String,
    pub help: Option<String>,
}

fn refuse<T>(code: &'static str, message: impl Into<String>, help: &str) -> Result<T, Refused> {
    let help = (!help.is_empty()).then(|| help.to_string());
    Err(Refused { code, message: message.into(), help })
}

pub(super) fn number(text: &str) -> Result<Value, Refused> {
    let lower = text.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = lower.strip_prefix(prefix) {
            let digits = digits.strip_prefix('_').unwrap_or(digits);
            return match grouped(digits, |digit| digit.is_digit(radix))
                .and_then(|digits| BigInt::parse_bytes(digits.as_bytes(), radix))
            {
                Some(value) => Ok(Value::integer(value)),
                None => refuse("W0104", format!("`{text}` is not a number"), ""),
            };
        }
    }
    let (number, suffix) = split_suffix(&lower);
    if suffix == "j" {
        return refuse("W0112", "complex numbers are not part of the text form", "compute with two floats");
    }
    if DURATION_UNITS.iter().any(|(unit, _)| *unit == suffix) {
        return refuse(
            "W0104",
            format!("the duration `{text}` may only be the value of a policy"),
            "write it in seconds",
        );
    }
    if !suffix.is_empty() {
        return refuse("W0104", format!("`{text}` is not a number"), "put a space between a number and a word");
    }
    plain(number, text)
}

/// `500ms`, `2s`, `1.5h`: seconds. None when the text carries no unit.
pub(super) fn duration(text: &str) -> Option<Result<Value, Refused>> {
    let (number, suffix) = split_suffix(text);
    let (_, seconds) = DURATION_UNITS.iter().find(|(unit, _)| *unit == suffix)?;
    let value = match plain(number, text) {
        Ok(value) => value,
        Err(refused) => return Some(Err(refused)),
    };
    Some(Ok(match (value, *seconds) {
        (Value::Int(count), 0) if count % 1000 == 0 => Value::Int(count / 1000),
        (Value::Int(count), 0) => Value::Float(count as f64 / 1000.0),
        (Value::Float(count), 0) => Value::Float(count / 1000.0),
        (Value::Float(count), seconds) => Value::Float(count * seconds as f64),
        (Value::Int(count), seconds) => Value::integer(BigInt::from(count) * seconds),
        (Value::BigInt(_), 0) => {
            return Some(refuse("W0104", format!("the duration `{text}` is too long"), "write it in seconds"));
        }
        (Value::BigInt(count), seconds) => Value::integer(count * seconds),
        (other, _) => other,
    }))
}

fn plain(number: &str, text: &str) -> Result<Value, Refused> {
    if number.contains(['.', 'e', 'E']) {
        let parts = number.split(['.', 'e', 'E', '+', '-']);
        let whole =
            parts.clone().all(|part| part.is_empty() || grouped(part, |digit| digit.is_ascii_digit()).is_some());
        return match number.replace('_', "").parse::<f64>() {
            Ok(value) if whole => Ok(Value::Float(value)),
            _ => refuse("W0104", format!("`{text}` is not a number"), ""),
        };
    }
    let Some(digits) = grouped(number, |digit| digit.is_ascii_digit()) else {
        return refuse("W0104", format!("`{text}` is not a number"), "");
    };
    if digits.starts_with('0') && digits.bytes().any(|digit| digit != b'0') {
        return refuse("W0104", "a whole number does not begin with 0", "octal numbers are written `0o17`");
    }
    if digits.len() > DECIMAL_DIGITS_MAX {
        return refuse(
            "W0104",
            format!("a number of more than {DECIMAL_DIGITS_MAX} digits"),
            "write it in hexadecimal",
        );
    }
    match BigInt::parse_bytes(digits.as_bytes(), 10) {
        Some(value) => Ok(Value::integer(value)),
        None => refuse("W0104", format!("`{text}` is not a number"), ""),
    }
}

/// The digits without their `_`, which may only stand between two digits.
fn grouped(text: &str, is_digit: impl Fn(char) -> bool) -> Option<String> {
    let well_grouped = text.split('_').all(|group| !group.is_empty() && group.chars().all(&is_digit));
    well_grouped.then(|| text.replace('_', ""))
}

fn split_suffix(text: &str) -> (&str, &str) {
    let mut end = text.len();
    let bytes = text.as_bytes();
    while end > 0 && !bytes[end - 1].is_ascii_digit() && bytes[end - 1] != b'.' {
        end -= 1;
    }
    // A non-ASCII name character may be cut by the byte scan only if the scan stopped inside it, which it cannot:
    // continuation bytes are not digits.
    text.split_at(end)
}

// ------------------------------------------------------------------------------------------------------- strings

pub(super) enum Text {
    Str(String),
    Bytes(Vec<u8>),
}

/// A whole string token: prefix, quotes, contents.
pub(super) fn string(token: &str) -> Result<Text, Refused> {
    let quote = token.find(['"', '\'']).unwrap_or(0);
    let (prefix, quoted) = token.split_at(quote);
    let width = if quoted.len() >= 6 && (quoted.starts_with("\"\"\"") || quoted.starts_with("'''")) { 3 } else { 1 };
    let body = quoted.get(width..quoted.len() - width).unwrap_or("");
    let raw = prefix.contains(['r', 'R']);
    if prefix.contains(['b', 'B']) {
        return bytes(body, raw).map(Text::Bytes);
    }
    text(body, raw).map(Text::Str)
}

/// Literal text of an f-string; outside a format spec doubled braces stand for one.
pub(super) fn format_text(body: &str, raw: bool, spec: bool) -> Result<String, Refused> {
    let body = if spec { body.to_string() } else { body.replace("{{", "{").replace("}}", "}") };
    text(&body, raw)
}

pub(super) fn text(body: &str, raw: bool) -> Result<String, Refused> {
    if raw || !body.contains('\\') {
        return Ok(body.to_string());
    }
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(backslash) = rest.find('\\') {
        out.push_str(&rest[..backslash]);
        rest = &rest[backslash + 1..];
        let Some(escape) = rest.chars().next() else {
            out.push('\\');
            break;
        };
        if let Some(byte) = simple_escape(escape) {
            out.extend(byte.map(char::from));
            rest = &rest[1..];
            continue;
        }
        let (radix, start, length) = match escape {
            'x' => (16, 1, 2),
            'u' => (16, 1, 4),
            'U' => (16, 1, 8),
            '0'..='7' => (8, 0, octal_length(rest)),
            'N' => return refuse("W0103", "`\\N{…}` is not part of the text form", "write the character, or `\\u…`"),
            other => {
                out.push('\\');
                out.push(other);
                rest = &rest[other.len_utf8()..];
                continue;
            }
        };
        let Some(code) = digits(rest, start, length, radix) else {
            return refuse("W0103", format!("`\\{escape}` needs {length} hexadecimal digits"), "");
        };
        match char::from_u32(code) {
            Some(character) => out.push(character),
            None if (0xd800..0xe000).contains(&code) => {
                return refuse(
                    "W0103",
                    "half of a surrogate pair is not a character",
                    "write the whole character as `\\U…`",
                );
            }
            None => return refuse("W0103", format!("there is no character {code:#x}"), ""),
        }
        rest = &rest[start + length..];
    }
    out.push_str(rest);
    Ok(out)
}

fn bytes(body: &str, raw: bool) -> Result<Vec<u8>, Refused> {
    if !body.is_ascii() {
        return refuse("W0103", "bytes hold ASCII characters only", "write others as `\\x…`");
    }
    if raw {
        return Ok(body.as_bytes().to_vec());
    }
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(next) = rest.chars().next() {
        rest = &rest[1..];
        if next != '\\' {
            out.push(next as u8);
            continue;
        }
        let Some(escape) = rest.chars().next() else {
            out.push(b'\\');
            break;
        };
        if let Some(byte) = simple_escape(escape) {
            out.extend(byte);
            rest = &rest[1..];
        } else if escape == 'x' {
            let Some(code) = digits(rest, 1, 2, 16) else {
                return refuse("W0103", "`\\x` needs 2 hexadecimal digits", "");
            };
            out.push(code as u8);
            rest = &rest[3..];
        } else if matches!(escape, '0'..='7') {
            let length = octal_length(rest);
            out.push((digits(rest, 0, length, 8).unwrap_or(0) & 0xff) as u8);
            rest = &rest[length..];
        } else {
            out.push(b'\\');
        }
    }
    Ok(out)
}

/// One-character escapes; a line end after a backslash stands for nothing.
fn simple_escape(escape: char) -> Option<Option<u8>> {
    Some(match escape {
        '\n' => None,
        '\\' | '\'' | '"' => Some(escape as u8),
        'a' => Some(7),
        'b' => Some(8),
        'f' => Some(12),
        'n' => Some(b'\n'),
        'r' => Some(b'\r'),
        't' => Some(b'\t'),
        'v' => Some(11),
        _ => return None,
    })
}

fn octal_length(text: &str) -> usize {
    text.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count()
}

fn digits(text: &str, start: usize, length: usize, radix: u32) -> Option<u32> {
    let digits = text.get(start..start + length)?;
    digits.bytes().all(|byte| (byte as char).is_digit(radix)).then(|| u32::from_str_radix(digits, radix).ok())?
}
