//! `text % values`, for `str` and `bytes`. Bytes are read as characters of the same code, so one engine serves both.

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use waymark_ir::Decimal;

use super::number::{Style, char_of, float_body, float_of, radix_text};
use crate::context::{Context, Eval, Fault};
use crate::heap::{Key, Object};
use crate::python::text::{char_count, substring};
use crate::python::{repr, subscript};
use crate::types::TypeId;
use crate::value::Value;

/// `text % value`
pub fn percent(cx: &mut Context, text: &str, value: &Value) -> Eval<String> {
    Percent::new(cx, value, false).run(cx, text.chars().collect())
}

/// `bytes % value`
pub fn percent_bytes(cx: &mut Context, bytes: &[u8], value: &Value) -> Eval<Vec<u8>> {
    let text = Percent::new(cx, value, true).run(cx, bytes.iter().map(|byte| char::from(*byte)).collect())?;
    // All that was written is below 256.
    Ok(text.chars().map(|char| char as u8).collect())
}

struct Percent {
    bytes: bool,
    whole: Value,
    /// What is still to be taken, the next one last.
    values: Vec<Value>,
    /// The value can be looked into by key; then it need not be used up either.
    mapping: bool,
}

#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    blank: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// What one conversion wrote: a sign, a prefix of the number's base, and the rest.
#[derive(Default)]
struct Piece {
    numeric: bool,
    negative: bool,
    prefix: &'static str,
    body: String,
}

impl Percent {
    fn new(cx: &Context, value: &Value, bytes: bool) -> Percent {
        let object = value.reference().map(|id| cx.heap.get(id));
        let values = match object {
            Some(Object::Tuple(items)) => items.iter().rev().cloned().collect(),
            _ => vec![value.clone()],
        };
        let mapping = match (value, object) {
            (Value::Bytes(_), _) => !bytes,
            (_, Some(Object::Dict(_) | Object::List(_) | Object::Range(_))) => true,
            (_, Some(Object::Instance(_))) => cx.overrides(value, "__getitem__"),
            _ => false,
        };
        Percent { bytes, whole: value.clone(), values, mapping }
    }

    fn run(mut self, cx: &mut Context, chars: Vec<char>) -> Eval<String> {
        cx.charge(chars.len())?;
        let mut out = String::with_capacity(chars.len());
        let mut at = 0;
        while let Some(char) = chars.get(at) {
            at += 1;
            if *char != '%' {
                out.push(*char);
            } else if chars.get(at) == Some(&'%') {
                out.push('%');
                at += 1;
            } else {
                self.conversion(cx, &chars, &mut at, &mut out)?;
            }
        }
        if !self.values.is_empty() && !self.mapping {
            let kind = if self.bytes { "bytes" } else { "string" };
            return Err(cx.type_error(format!("not all arguments converted during {kind} formatting")));
        }
        cx.check_size(out.len())?;
        Ok(out)
    }

    fn next(&mut self, cx: &mut Context) -> Eval<Value> {
        match self.values.pop() {
            Some(value) => Ok(value),
            None => Err(cx.type_error("not enough arguments for format string")),
        }
    }

    fn conversion(&mut self, cx: &mut Context, chars: &[char], at: &mut usize, out: &mut String) -> Eval<()> {
        if chars.get(*at) == Some(&'(') {
            let value = self.keyed(cx, chars, at)?;
            self.values = vec![value];
        }
        let conversion = self.parse(cx, chars, at)?;
        let Some(letter) = chars.get(*at).copied() else { return Err(cx.value_error("incomplete format")) };
        *at += 1;
        let value = self.next(cx)?;
        let piece = match letter {
            's' | 'r' | 'a' | 'b' if self.bytes => self.bytes_piece(cx, letter, &value, &conversion)?,
            's' | 'r' | 'a' => {
                let text = match letter {
                    's' => repr::display(cx, &value)?,
                    'r' => repr::repr(cx, &value)?,
                    _ => repr::ascii(cx, &value)?,
                };
                cut(text, &conversion)
            }
            'i' if self.bytes => integer_piece(cx, 'd', &value, &conversion)?,
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' => integer_piece(cx, letter, &value, &conversion)?,
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => self.float_piece(cx, letter, &value, &conversion)?,
            'c' => self.char_piece(cx, &value)?,
            other => {
                let shown = if (' '..='\x7f').contains(&other) { other } else { '?' };
                let code = other as u32;
                let index = *at - 1;
                return Err(
                    cx.value_error(format!("unsupported format character '{shown}' ({code:#x}) at index {index}"))
                );
            }
        };
        place(cx, out, &conversion, piece)
    }

    /// `%(name)…`: the value under that key.
    fn keyed(&mut self, cx: &mut Context, chars: &[char], at: &mut usize) -> Eval<Value> {
        if !self.mapping {
            return Err(cx.type_error("format requires a mapping"));
        }
        let start = *at + 1;
        let mut depth = 0;
        let end = loop {
            match chars.get(*at) {
                None => return Err(cx.value_error("incomplete format key")),
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some(_) => {}
            }
            *at += 1;
            if depth == 0 {
                break *at - 1;
            }
        };
        let name = &chars[start..end];
        let (name, key) = if self.bytes {
            let name = Value::bytes(name.iter().map(|char| *char as u8).collect::<Vec<u8>>());
            let Value::Bytes(bytes) = &name else { return Ok(name) };
            (name.clone(), Key::Bytes(bytes.clone()))
        } else {
            let name: std::sync::Arc<str> = name.iter().collect::<String>().into();
            (Value::Str(name.clone()), Key::Str(name))
        };
        if let Some(Object::Dict(dict)) = self.whole.reference().map(|id| cx.heap.get(id)) {
            return match dict.get(&key) {
                Some(value) => Ok(value.clone()),
                None => Err(cx.raise_with(TypeId::KEY_ERROR, vec![name])),
            };
        }
        subscript::get_item(cx, &self.whole, &name)
    }

    /// Flags, width and precision.
    fn parse(&mut self, cx: &mut Context, chars: &[char], at: &mut usize) -> Eval<Conversion> {
        let mut conversion = Conversion::default();
        while let Some(flag @ ('-' | '+' | ' ' | '#' | '0')) = chars.get(*at) {
            match flag {
                '-' => conversion.left = true,
                '+' => conversion.plus = true,
                ' ' => conversion.blank = true,
                '#' => conversion.alternate = true,
                _ => conversion.zero = true,
            }
            *at += 1;
        }
        if chars.get(*at) == Some(&'*') {
            *at += 1;
            let width = self.star(cx, i64::MAX, "C ssize_t")?;
            conversion.left |= width < 0;
            conversion.width = width.unsigned_abs() as usize;
        } else {
            conversion.width = digits(cx, chars, at, i64::MAX, "width too big")?;
        }
        if chars.get(*at) == Some(&'.') {
            *at += 1;
            conversion.precision = Some(if chars.get(*at) == Some(&'*') {
                *at += 1;
                self.star(cx, i64::from(i32::MAX), "C int")?.max(0) as usize
            } else {
                let too_big = if self.bytes { "prec too big" } else { "precision too big" };
                digits(cx, chars, at, i64::from(i32::MAX), too_big)?
            });
        }
        if let Some('h' | 'l' | 'L') = chars.get(*at) {
            *at += 1;
        }
        Ok(conversion)
    }

    fn star(&mut self, cx: &mut Context, most: i64, machine_type: &str) -> Eval<i64> {
        let number = match self.next(cx)? {
            Value::Int(number) => Some(number).filter(|number| *number <= most && *number >= -most - 1),
            Value::Bool(truth) => Some(i64::from(truth)),
            Value::Big(_) => None,
            _ => return Err(cx.type_error("* wants int")),
        };
        match number {
            Some(number) => Ok(number),
            None => {
                let text = format!("Python int too large to convert to {machine_type}");
                Err(cx.raise(TypeId::OVERFLOW_ERROR, text))
            }
        }
    }

    fn bytes_piece(&self, cx: &mut Context, letter: char, value: &Value, conversion: &Conversion) -> Eval<Piece> {
        let text = match (letter, value) {
            ('r' | 'a', _) => repr::ascii(cx, value)?,
            (_, Value::Bytes(bytes)) => {
                cx.check_size(bytes.len().saturating_mul(2))?;
                bytes.iter().map(|byte| char::from(*byte)).collect()
            }
            _ if cx.overrides(value, "__bytes__") => return Err(Fault::Worker),
            _ => {
                let name = cx.type_name(value);
                let text = "%b requires a bytes-like object, or an object that implements __bytes__";
                return Err(cx.type_error(format!("{text}, not '{name}'")));
            }
        };
        Ok(cut(text, conversion))
    }

    fn float_piece(&self, cx: &mut Context, letter: char, value: &Value, conversion: &Conversion) -> Eval<Piece> {
        let number = match value {
            Value::Float(number) => *number,
            Value::Int(number) => *number as f64,
            Value::Bool(truth) => f64::from(u8::from(*truth)),
            Value::Big(number) => float_of(cx, number)?,
            Value::Decimal(number) => {
                let text = repr::decimal_text(cx, number)?;
                text.parse().unwrap_or(f64::NAN)
            }
            other if cx.overrides(other, "__float__") || cx.overrides(other, "__index__") => return Err(Fault::Worker),
            other => {
                let name = cx.type_name(other);
                return Err(cx.type_error(match self.bytes {
                    true => format!("float argument required, not {name}"),
                    false => format!("must be real number, not {name}"),
                }));
            }
        };
        let style = match letter {
            'e' | 'E' => Style::Scientific,
            'f' | 'F' => Style::Fixed,
            _ => Style::General,
        };
        let mut body = float_body(cx, number, style, conversion.precision.unwrap_or(6), conversion.alternate)?;
        if letter.is_ascii_uppercase() {
            body.make_ascii_uppercase();
        }
        let negative = number.is_sign_negative() && !number.is_nan();
        Ok(Piece { numeric: true, negative, prefix: "", body })
    }

    fn char_piece(&self, cx: &mut Context, value: &Value) -> Eval<Piece> {
        let code = match value {
            Value::Str(text) if !self.bytes && char_count(text) == 1 => {
                return Ok(Piece { body: text.to_string(), ..Piece::default() });
            }
            Value::Bytes(bytes) if self.bytes && bytes.len() == 1 => i64::from(bytes[0]),
            Value::Int(code) => *code,
            Value::Bool(truth) => i64::from(*truth),
            Value::Big(_) => -1,
            _ if self.bytes => {
                return Err(cx.type_error("%c requires an integer in range(256) or a single byte"));
            }
            _ => return Err(cx.type_error("%c requires int or char")),
        };
        if self.bytes && !(0..256).contains(&code) {
            return Err(cx.raise(TypeId::OVERFLOW_ERROR, "%c arg not in range(256)"));
        }
        Ok(Piece { body: char_of(cx, code)?.to_string(), ..Piece::default() })
    }
}

fn cut(text: String, conversion: &Conversion) -> Piece {
    let body = match conversion.precision {
        Some(most) => substring(&text, 0, most).to_string(),
        None => text,
    };
    Piece { body, ..Piece::default() }
}

fn digits(cx: &mut Context, chars: &[char], at: &mut usize, most: i64, too_big: &str) -> Eval<usize> {
    let mut number: i64 = 0;
    while let Some(digit) = chars.get(*at).and_then(|char| char.to_digit(10)) {
        *at += 1;
        let grown = number.checked_mul(10).and_then(|tens| tens.checked_add(i64::from(digit)));
        match grown.filter(|grown| *grown <= most) {
            Some(grown) => number = grown,
            None => return Err(cx.value_error(too_big)),
        }
    }
    Ok(number as usize)
}

fn integer_piece(cx: &mut Context, letter: char, value: &Value, conversion: &Conversion) -> Eval<Piece> {
    let decimal = matches!(letter, 'd' | 'i' | 'u');
    let number = match value {
        Value::Int(number) => BigInt::from(*number),
        Value::Bool(truth) => BigInt::from(i64::from(*truth)),
        Value::Big(number) => (**number).clone(),
        Value::Float(number) if decimal => truncated(cx, *number)?,
        Value::Decimal(number) if decimal => truncated_decimal(cx, number)?,
        Value::Uuid(bits) if decimal => BigInt::from(**bits),
        other if ["__int__", "__index__", "__trunc__"].iter().any(|name| cx.overrides(other, name)) => {
            return Err(Fault::Worker);
        }
        other => {
            let name = cx.type_name(other);
            let wanted = if decimal { "a real number" } else { "an integer" };
            return Err(cx.type_error(format!("%{letter} format: {wanted} is required, not {name}")));
        }
    };
    let (prefix, digits) = match letter {
        'o' => ("0o", radix_text(cx, &number, 8)?),
        'x' => ("0x", radix_text(cx, &number, 16)?),
        'X' => ("0X", radix_text(cx, &number, 16)?.to_ascii_uppercase()),
        _ => ("", repr::integer_text(cx, &number)?.trim_start_matches('-').to_string()),
    };
    let zeros = conversion.precision.unwrap_or(0).saturating_sub(digits.len());
    cx.check_size(zeros)?;
    let body = "0".repeat(zeros) + &digits;
    let prefix = if conversion.alternate { prefix } else { "" };
    Ok(Piece { numeric: true, negative: number.is_negative(), prefix, body })
}

fn truncated(cx: &mut Context, number: f64) -> Eval<BigInt> {
    match BigInt::from_f64(number.trunc()) {
        Some(whole) => Ok(whole),
        None if number.is_nan() => Err(cx.value_error("cannot convert float NaN to integer")),
        None => Err(cx.raise(TypeId::OVERFLOW_ERROR, "cannot convert float infinity to integer")),
    }
}

fn truncated_decimal(cx: &mut Context, number: &Decimal) -> Eval<BigInt> {
    let Decimal::Finite { negative, coefficient, exponent } = number else {
        return Err(match number {
            Decimal::NaN => cx.value_error("cannot convert NaN to integer"),
            _ => cx.raise(TypeId::OVERFLOW_ERROR, "cannot convert Infinity to integer"),
        });
    };
    let power = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
    // A fraction with more places than the coefficient has digits is below one.
    let whole = if *exponent < 0 {
        match power as u64 > coefficient.bits() {
            true => Default::default(),
            false => coefficient / num_bigint::BigUint::from(10u8).pow(power as u32),
        }
    } else {
        cx.check_size(power / 2)?;
        coefficient * num_bigint::BigUint::from(10u8).pow(power as u32)
    };
    let whole = BigInt::from(whole);
    Ok(if *negative { -whole } else { whole })
}

fn place(cx: &mut Context, out: &mut String, conversion: &Conversion, piece: Piece) -> Eval<()> {
    let sign = match () {
        () if !piece.numeric => "",
        () if piece.negative => "-",
        () if conversion.plus => "+",
        () if conversion.blank => " ",
        () => "",
    };
    let length = sign.len() + piece.prefix.len() + char_count(&piece.body);
    let missing = conversion.width.saturating_sub(length);
    let size = out.len().saturating_add(missing).saturating_add(piece.body.len());
    if size > cx.limits.value_bytes_max {
        cx.check_size(size)?;
    }
    let zeros = conversion.zero && piece.numeric && !conversion.left;
    let spaces = if conversion.left || zeros { 0 } else { missing };
    out.extend(std::iter::repeat_n(' ', spaces));
    out.push_str(sign);
    out.push_str(piece.prefix);
    if zeros {
        out.extend(std::iter::repeat_n('0', missing));
    }
    out.push_str(&piece.body);
    if conversion.left {
        out.extend(std::iter::repeat_n(' ', missing));
    }
    Ok(())
}
