//! Numbers that need more than a line to print: big integers, decimals; and UUIDs.

use num_bigint::BigInt;
use waymark_ir::Decimal;

use crate::context::{Context, Eval};

/// CPython's guard against quadratic conversions.
pub const INTEGER_DIGITS_MAX: u64 = 4_300;

/// `str(integer)`
pub fn integer_text(cx: &mut Context, number: &BigInt) -> Eval<String> {
    // A digit has more than 3.3 bits: this many bits are surely too many, and need no conversion to know it.
    let surely_over = number.bits() > INTEGER_DIGITS_MAX * 10 / 3 + 8;
    let text = if surely_over { String::new() } else { number.to_string() };
    if surely_over || text.trim_start_matches('-').len() as u64 > INTEGER_DIGITS_MAX {
        let text = "Exceeds the limit (4300 digits) for integer string conversion; \
                    use sys.set_int_max_str_digits() to increase the limit";
        return Err(cx.value_error(text));
    }
    cx.charge(text.len())?;
    Ok(text)
}

/// `str(decimal)`: an exponent only where it is positive or the number is tiny.
pub fn decimal_text(cx: &mut Context, number: &Decimal) -> Eval<String> {
    let (negative, coefficient, exponent) = match number {
        Decimal::NaN => return Ok("NaN".into()),
        Decimal::Infinity { negative } => return Ok(if *negative { "-Infinity" } else { "Infinity" }.into()),
        Decimal::Finite { negative, coefficient, exponent } => (*negative, coefficient, *exponent),
    };
    cx.check_size((coefficient.bits() / 3) as usize)?;
    cx.charge(((coefficient.bits() / 64) as usize).saturating_pow(2) / 64)?;
    let digits = coefficient.to_string();
    let sign = if negative { "-" } else { "" };
    // Where the point would stand if there were no exponent to show: so many digits are before it.
    let whole = exponent.saturating_add(digits.len() as i64);
    if exponent <= 0 && whole > -6 {
        let fraction = exponent.unsigned_abs() as usize;
        return Ok(match digits.len().checked_sub(fraction) {
            _ if fraction == 0 => format!("{sign}{digits}"),
            Some(point) if point > 0 => format!("{sign}{}.{}", &digits[..point], &digits[point..]),
            _ => format!("{sign}0.{}{digits}", "0".repeat(fraction - digits.len())),
        });
    }
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    Ok(format!("{sign}{first}{point}{rest}E{:+}", whole - 1))
}

/// `12345678-1234-5678-1234-567812345678`
pub fn uuid_text(bits: u128) -> String {
    let hex = format!("{bits:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
