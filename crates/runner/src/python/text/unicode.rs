//! Properties and case of single characters, exactly as CPython 3.11 (Unicode 14) sees them, whatever the Unicode version
//! of the Rust toolchain: what a program prints must not change with the compiler that built the engine.

use super::unicode_tables as tables;

const PRINTABLE: u32 = 1;
const ALPHABETIC: u32 = 1 << 1;
const NUMERIC_SHIFT: u32 = 2;
const SPACE: u32 = 1 << 4;
const LOWER: u32 = 1 << 5;
const UPPER: u32 = 1 << 6;
const TITLE: u32 = 1 << 7;
const CASE_IGNORABLE: u32 = 1 << 8;
const IDENTIFIER_START: u32 = 1 << 9;
const IDENTIFIER_CONTINUE: u32 = 1 << 10;

const FLAG_BITS: u32 = 11;

fn run(char: char) -> usize {
    let code = char as u32;
    tables::PROPERTIES.partition_point(|entry| entry >> FLAG_BITS <= code).saturating_sub(1)
}

fn has(char: char, flag: u32) -> bool {
    tables::PROPERTIES[run(char)] & flag != 0
}

/// 0: not numeric, 1: numeric, 2: a digit, 3: a decimal digit.
fn numeric(char: char) -> u32 {
    tables::PROPERTIES[run(char)] >> NUMERIC_SHIFT & 3
}

pub fn is_printable(char: char) -> bool {
    match char {
        ' '..='~' => true,
        _ => has(char, PRINTABLE),
    }
}

pub fn is_alphabetic(char: char) -> bool {
    has(char, ALPHABETIC)
}

pub fn is_numeric(char: char) -> bool {
    numeric(char) >= 1
}

pub fn is_digit(char: char) -> bool {
    numeric(char) >= 2
}

pub fn is_decimal(char: char) -> bool {
    numeric(char) == 3
}

/// The value of a decimal digit of any script. Unicode keeps the ten of a script together, so runs start at a zero.
pub fn decimal_value(char: char) -> Option<u32> {
    if char.is_ascii() {
        return char.to_digit(10);
    }
    let entry = tables::PROPERTIES[run(char)];
    (entry >> NUMERIC_SHIFT & 3 == 3).then(|| (char as u32 - (entry >> FLAG_BITS)) % 10)
}

pub fn is_space(char: char) -> bool {
    if char.is_ascii() { matches!(char, ' ' | '\t'..='\r' | '\x1c'..='\x1f') } else { has(char, SPACE) }
}

pub fn is_lower(char: char) -> bool {
    has(char, LOWER)
}

pub fn is_upper(char: char) -> bool {
    has(char, UPPER)
}

/// A letter in title case only, such as `ǅ`.
pub fn is_title(char: char) -> bool {
    has(char, TITLE)
}

pub fn is_cased(char: char) -> bool {
    has(char, LOWER | UPPER | TITLE)
}

pub fn is_case_ignorable(char: char) -> bool {
    has(char, CASE_IGNORABLE)
}

pub fn is_identifier_start(char: char) -> bool {
    has(char, IDENTIFIER_START)
}

pub fn is_identifier_continue(char: char) -> bool {
    has(char, IDENTIFIER_CONTINUE)
}

/// Where `str.splitlines` breaks.
pub fn is_line_break(char: char) -> bool {
    matches!(char, '\n'..='\r' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

pub fn push_lower(out: &mut String, char: char) {
    if char.is_ascii() {
        out.push(char.to_ascii_lowercase());
    } else {
        push_mapped(out, char, tables::LOWER, tables::LOWER_SPECIAL);
    }
}

pub fn push_upper(out: &mut String, char: char) {
    if char.is_ascii() {
        out.push(char.to_ascii_uppercase());
    } else {
        push_mapped(out, char, tables::UPPER, tables::UPPER_SPECIAL);
    }
}

pub fn push_title(out: &mut String, char: char) {
    if char.is_ascii() {
        out.push(char.to_ascii_uppercase());
    } else {
        push_mapped(out, char, tables::TITLE, tables::TITLE_SPECIAL);
    }
}

pub fn push_folded(out: &mut String, char: char) {
    if char.is_ascii() {
        out.push(char.to_ascii_lowercase());
    } else {
        push_mapped(out, char, tables::FOLD, tables::FOLD_SPECIAL);
    }
}

fn push_mapped(out: &mut String, char: char, runs: &[(u32, u32, u32, i32)], special: &[(u32, &str)]) {
    let code = char as u32;
    if let Ok(at) = special.binary_search_by_key(&code, |entry| entry.0) {
        out.push_str(special[at].1);
        return;
    }
    let behind = runs.partition_point(|entry| entry.0 <= code);
    let found =
        runs[..behind].last().filter(|(first, last, step, _)| code <= *last && (code - first).is_multiple_of(*step));
    let mapped = found.and_then(|(_, _, _, delta)| char::from_u32(code.wrapping_add_signed(*delta)));
    out.push(mapped.unwrap_or(char));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A digest of every property and mapping of the characters, computed alike on both sides.
    #[test]
    fn tables_agree_with_python() {
        let script = r#"
import zlib
digest = 0
for code in [*range(0xd800), *range(0xe000, 0x32000), *range(0xe0000, 0xe0200)]:
    c = chr(code)
    bits = [c.isprintable(), c.isalpha(), c.isnumeric(), c.isdigit(), c.isdecimal(), c.isspace(), c.islower(), c.isupper(),
            c.isidentifier(), ('a' + c).isidentifier(), len(('a' + c + 'a').splitlines()) == 2]
    value = int(c) if c.isdecimal() else -1
    line = ''.join('01'[b] for b in bits) + f'{value} {c.lower()} {c.upper()} {c.title()} {c.casefold()}\n'
    digest = zlib.crc32(line.encode(), digest)
print(digest, end='')
"#;
        let python = std::process::Command::new("python3").args(["-c", script]).output().expect("python3 runs");
        let mut digest = Crc(!0);
        // Beyond these planes there is nothing but private use.
        for char in (0..0x3_2000).chain(0xe_0000..0xe_0200).filter_map(char::from_u32) {
            let bits = [
                is_printable(char),
                is_alphabetic(char),
                is_numeric(char),
                is_digit(char),
                is_decimal(char),
                is_space(char),
                is_lower(char),
                is_upper(char),
                is_identifier_start(char),
                is_identifier_continue(char),
                is_line_break(char),
            ];
            let mut line: String = bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect();
            line.push_str(&decimal_value(char).map_or("-1".to_string(), |value| value.to_string()));
            for push in [push_lower, push_upper, push_title, push_folded] {
                line.push(' ');
                push(&mut line, char);
            }
            line.push('\n');
            digest.add(line.as_bytes());
        }
        assert_eq!((!digest.0).to_string(), String::from_utf8_lossy(&python.stdout));
    }

    struct Crc(u32);

    impl Crc {
        fn add(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 ^= u32::from(*byte);
                for _ in 0..8 {
                    self.0 = self.0 >> 1 ^ (0xedb8_8320 & (self.0 & 1).wrapping_neg());
                }
            }
        }
    }
}
