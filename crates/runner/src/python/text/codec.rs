//! Text to bytes and back: the encodings that programs use, natively; others that Python knows go to a worker.

use std::sync::Arc;

use crate::context::{Context, Eval, Fault};
use crate::heap::{Exception, Key, Object};
use crate::types::TypeId;
use crate::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf8WithMark,
    Ascii,
    Latin1,
    Utf16(Order),
    Utf32(Order),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Little,
    Big,
    /// Little endian after a mark; when reading, what the mark says.
    Marked,
}

/// Names of codecs that Python has and the runner has not, by how they begin.
const ELSEWHERE: &[&str] = &[
    "base64",
    "big5",
    "bz2",
    "charmap",
    "cp",
    "cs",
    "euc",
    "gb",
    "hex",
    "hkscs",
    "hz",
    "ibm",
    "idna",
    "iso",
    "johab",
    "koi8",
    "kz",
    "latin",
    "mac",
    "mbcs",
    "oem",
    "palmos",
    "ptcp",
    "punycode",
    "quopri",
    "raw_unicode",
    "rot",
    "s_jis",
    "shift",
    "sjis",
    "tis",
    "u_jis",
    "uhc",
    "undefined",
    "unicode",
    "utf_7",
    "utf7",
    "u7",
    "uu",
    "windows",
    "x_mac",
    "zip",
    "zlib",
    "arabic",
    "chinese",
    "cyrillic",
    "greek",
    "hebrew",
    "thai",
    "korean",
    "ms",
    "ks",
    "eucjp",
    "ujis",
    "l2",
    "l3",
    "l4",
    "l5",
    "l6",
    "l7",
    "l8",
    "l9",
    "l10",
    "437",
    "850",
    "852",
    "1250",
    "1251",
    "1252",
    "1253",
    "1254",
    "1255",
    "1256",
    "1257",
    "1258",
    "936",
    "949",
    "950",
    "037",
    "500",
    "dbcs",
    "ansi",
    "ecma",
];

/// A name as Python compares it.
fn normalised(name: &str) -> String {
    let mut plain = String::new();
    for char in name.chars() {
        if char.is_ascii_alphanumeric() || char == '.' {
            plain.push(char.to_ascii_lowercase());
        } else if !plain.ends_with('_') {
            plain.push('_');
        }
    }
    plain.trim_matches('_').to_string()
}

impl Encoding {
    pub fn find(cx: &mut Context, name: &str) -> Eval<Encoding> {
        Ok(match normalised(name).as_str() {
            "utf_8" | "utf8" | "u8" | "utf" | "utf8_ucs2" | "utf8_ucs4" | "cp65001" => Encoding::Utf8,
            "utf_8_sig" => Encoding::Utf8WithMark,
            "ascii" | "646" | "ansi_x3.4_1968" | "ansi_x3_4_1968" | "ansi_x3.4_1986" | "cp367" | "csascii"
            | "ibm367" | "iso646_us" | "iso_646.irv_1991" | "iso_ir_6" | "us" | "us_ascii" => Encoding::Ascii,
            "latin_1" | "latin1" | "latin" | "l1" | "8859" | "cp819" | "csisolatin1" | "ibm819" | "iso8859"
            | "iso8859_1" | "iso_8859_1" | "iso_8859_1_1987" | "iso_ir_100" => Encoding::Latin1,
            "utf_16" | "utf16" | "u16" => Encoding::Utf16(Order::Marked),
            "utf_16_le" | "utf_16le" | "unicodelittleunmarked" => Encoding::Utf16(Order::Little),
            "utf_16_be" | "utf_16be" | "unicodebigunmarked" => Encoding::Utf16(Order::Big),
            "utf_32" | "utf32" | "u32" => Encoding::Utf32(Order::Marked),
            "utf_32_le" | "utf_32le" => Encoding::Utf32(Order::Little),
            "utf_32_be" | "utf_32be" => Encoding::Utf32(Order::Big),
            other if ELSEWHERE.iter().any(|known| other.starts_with(known)) => return Err(Fault::Worker),
            _ => return Err(cx.raise(TypeId::LOOKUP_ERROR, format!("unknown encoding: {name}"))),
        })
    }

    /// As errors name it.
    fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 | Encoding::Utf8WithMark => "utf-8",
            Encoding::Ascii => "ascii",
            Encoding::Latin1 => "latin-1",
            Encoding::Utf16(Order::Big) => "utf-16-be",
            Encoding::Utf16(_) => "utf-16-le",
            Encoding::Utf32(Order::Big) => "utf-32-be",
            Encoding::Utf32(_) => "utf-32-le",
        }
    }
}

// ---------------------------------------------------------------------------------------------------- encode

/// `text.encode(encoding, errors)`
pub fn encode(cx: &mut Context, text: &Arc<str>, name: &str, errors: &str) -> Eval<Vec<u8>> {
    let encoding = Encoding::find(cx, name)?;
    encode_with(cx, text, encoding, errors).map_err(|fault| wrapped(cx, fault, "encoding", name))
}

fn encode_with(cx: &mut Context, text: &Arc<str>, encoding: Encoding, errors: &str) -> Eval<Vec<u8>> {
    cx.check_size(text.len().saturating_mul(match encoding {
        Encoding::Utf16(_) => 2,
        Encoding::Utf32(_) => 4,
        _ => 1,
    }))?;
    Ok(match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf8WithMark => ["\u{feff}".as_bytes(), text.as_bytes()].concat(),
        Encoding::Ascii => return encode_narrow(cx, text, encoding, 0x80, errors),
        Encoding::Latin1 => return encode_narrow(cx, text, encoding, 0x100, errors),
        Encoding::Utf16(order) => {
            let mark = (order == Order::Marked).then_some(0xfeff);
            let units = mark.into_iter().chain(text.encode_utf16());
            units.flat_map(|unit| if order == Order::Big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
        }
        Encoding::Utf32(order) => {
            let mark = (order == Order::Marked).then_some(0xfeff);
            let codes = mark.into_iter().chain(text.chars().map(u32::from));
            codes.flat_map(|code| if order == Order::Big { code.to_be_bytes() } else { code.to_le_bytes() }).collect()
        }
    })
}

fn encode_narrow(cx: &mut Context, text: &Arc<str>, encoding: Encoding, bound: u32, errors: &str) -> Eval<Vec<u8>> {
    if text.is_ascii() {
        return Ok(text.as_bytes().to_vec());
    }
    let mut out = Vec::with_capacity(text.len());
    for (at, char) in text.chars().enumerate() {
        let code = char as u32;
        if code < bound {
            out.push(code as u8);
            continue;
        }
        match errors {
            "ignore" => {}
            "replace" => out.push(b'?'),
            "backslashreplace" => out.extend_from_slice(escape(char).as_bytes()),
            "xmlcharrefreplace" => out.extend_from_slice(format!("&#{code};").as_bytes()),
            "namereplace" => return Err(Fault::Worker),
            "strict" | "surrogateescape" | "surrogatepass" => {
                let run = text.chars().skip(at).take_while(|char| *char as u32 >= bound).count();
                let reason = format!("ordinal not in range({bound})");
                let source = Value::Str(text.clone());
                return Err(failed(cx, TypeId::UNICODE_ENCODE_ERROR, encoding, source, (at, at + run), &reason));
            }
            other => return Err(unknown_handler(cx, other)),
        }
    }
    cx.check_size(out.len())?;
    Ok(out)
}

/// `\xe9`, `\u20ac`, `\U0001f600`
pub fn escape(char: char) -> String {
    match char as u32 {
        code @ ..0x100 => format!("\\x{code:02x}"),
        code @ ..0x1_0000 => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

// ---------------------------------------------------------------------------------------------------- decode

/// `bytes.decode(encoding, errors)`
pub fn decode(cx: &mut Context, bytes: &Arc<[u8]>, name: &str, errors: &str) -> Eval<String> {
    // CPython does not even look at the names then.
    if bytes.is_empty() {
        return Ok(String::new());
    }
    let encoding = Encoding::find(cx, name)?;
    decode_with(cx, bytes, encoding, errors).map_err(|fault| wrapped(cx, fault, "decoding", name))
}

fn decode_with(cx: &mut Context, bytes: &Arc<[u8]>, encoding: Encoding, errors: &str) -> Eval<String> {
    cx.check_size(bytes.len())?;
    let mut decoder = Decoder { cx, bytes, encoding, errors, out: String::new() };
    match encoding {
        Encoding::Utf8 => decoder.utf8(0)?,
        Encoding::Utf8WithMark => decoder.utf8(if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 })?,
        Encoding::Ascii => decoder.ascii()?,
        Encoding::Latin1 => decoder.out = bytes.iter().map(|byte| char::from(*byte)).collect(),
        Encoding::Utf16(order) => {
            let (order, start) = match order {
                Order::Marked if bytes.starts_with(b"\xff\xfe") => (Order::Little, 2),
                Order::Marked if bytes.starts_with(b"\xfe\xff") => (Order::Big, 2),
                Order::Marked => (Order::Little, 0),
                given => (given, 0),
            };
            decoder.encoding = Encoding::Utf16(order);
            decoder.utf16(start, order == Order::Big)?;
        }
        Encoding::Utf32(order) => {
            let (order, start) = match order {
                Order::Marked if bytes.starts_with(b"\xff\xfe\0\0") => (Order::Little, 4),
                Order::Marked if bytes.starts_with(b"\0\0\xfe\xff") => (Order::Big, 4),
                Order::Marked => (Order::Little, 0),
                given => (given, 0),
            };
            decoder.encoding = Encoding::Utf32(order);
            decoder.utf32(start, order == Order::Big)?;
        }
    }
    Ok(decoder.out)
}

struct Decoder<'a> {
    cx: &'a mut Context,
    bytes: &'a Arc<[u8]>,
    encoding: Encoding,
    errors: &'a str,
    out: String,
}

impl Decoder<'_> {
    fn utf8(&mut self, mut start: usize) -> Eval<()> {
        loop {
            match std::str::from_utf8(&self.bytes[start..]) {
                Ok(text) => {
                    self.out.push_str(text);
                    return Ok(());
                }
                Err(error) => {
                    let at = start + error.valid_up_to();
                    self.out.push_str(std::str::from_utf8(&self.bytes[start..at]).unwrap_or_default());
                    let (end, reason) = match error.error_len() {
                        None => (self.bytes.len(), "unexpected end of data"),
                        Some(_) if matches!(self.bytes[at], 0x80..=0xc1 | 0xf5..) => (at + 1, "invalid start byte"),
                        Some(length) => (at + length, "invalid continuation byte"),
                    };
                    self.invalid(at, end, reason)?;
                    start = end;
                }
            }
        }
    }

    fn ascii(&mut self) -> Eval<()> {
        let bytes = self.bytes.clone();
        for (at, byte) in bytes.iter().enumerate() {
            if byte.is_ascii() {
                self.out.push(char::from(*byte));
            } else {
                self.invalid(at, at + 1, "ordinal not in range(128)")?;
            }
        }
        Ok(())
    }

    fn utf16(&mut self, start: usize, big: bool) -> Eval<()> {
        let bytes = self.bytes.clone();
        let unit = |at: usize| {
            let pair = [*bytes.get(at)?, *bytes.get(at + 1)?];
            Some(u32::from(if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }))
        };
        let mut at = start;
        while at < bytes.len() {
            match unit(at) {
                None => {
                    self.invalid(at, bytes.len(), "truncated data")?;
                    at = bytes.len();
                }
                Some(0xdc00..=0xdfff) => {
                    self.invalid(at, at + 2, "illegal encoding")?;
                    at += 2;
                }
                Some(high @ 0xd800..=0xdbff) => match unit(at + 2) {
                    None => {
                        self.invalid(at, bytes.len(), "unexpected end of data")?;
                        at = bytes.len();
                    }
                    Some(low @ 0xdc00..=0xdfff) => {
                        let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                        self.out.extend(char::from_u32(code));
                        at += 4;
                    }
                    Some(_) => {
                        self.invalid(at, at + 2, "illegal UTF-16 surrogate")?;
                        at += 2;
                    }
                },
                Some(code) => {
                    self.out.extend(char::from_u32(code));
                    at += 2;
                }
            }
        }
        Ok(())
    }

    fn utf32(&mut self, start: usize, big: bool) -> Eval<()> {
        let bytes = self.bytes.clone();
        for (index, chunk) in bytes[start..].chunks(4).enumerate() {
            let at = start + index * 4;
            let Ok(four) = <[u8; 4]>::try_from(chunk) else {
                self.invalid(at, bytes.len(), "truncated data")?;
                break;
            };
            let code = if big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) };
            match char::from_u32(code) {
                Some(char) => self.out.push(char),
                None if code < 0x11_0000 => {
                    self.invalid(at, at + 4, "code point in surrogate code point range(0xd800, 0xe000)")?;
                }
                None => self.invalid(at, at + 4, "code point not in range(0x110000)")?,
            }
        }
        Ok(())
    }

    /// Does with bytes that mean nothing what the error handler says.
    fn invalid(&mut self, start: usize, end: usize, reason: &str) -> Eval<()> {
        match self.errors {
            "ignore" => {}
            "replace" => self.out.push('\u{fffd}'),
            "backslashreplace" => {
                for byte in &self.bytes[start..end] {
                    self.out.push_str(&format!("\\x{byte:02x}"));
                }
            }
            "surrogateescape" | "surrogatepass"
                if self.errors == "surrogateescape" || self.encoding != Encoding::Ascii =>
            {
                let text =
                    format!("decoding with the error handler '{}': a str can't hold lone surrogates", self.errors);
                return Err(self.cx.raise(TypeId::UNSUPPORTED, text));
            }
            "strict" | "surrogatepass" => {
                let source = Value::Bytes(self.bytes.clone());
                let range = (start, end);
                return Err(failed(self.cx, TypeId::UNICODE_DECODE_ERROR, self.encoding, source, range, reason));
            }
            "xmlcharrefreplace" | "namereplace" => {
                return Err(self.cx.type_error("don't know how to handle UnicodeDecodeError in error callback"));
            }
            other => return Err(unknown_handler(self.cx, other)),
        }
        Ok(())
    }
}

/// Names that CPython serves without asking its registry of codecs, which wraps what a codec complains about.
const DIRECT: &[&str] = &[
    "utf_8",
    "utf8",
    "utf_16",
    "utf16",
    "utf_32",
    "utf32",
    "ascii",
    "us_ascii",
    "latin_1",
    "latin1",
    "iso_8859_1",
    "iso8859_1",
];

fn wrapped(cx: &mut Context, fault: Fault, verb: &str, name: &str) -> Fault {
    let Fault::Raise(id) = fault else { return fault };
    let class = cx.heap.get(id).type_id();
    let Object::Exception(exception) = cx.heap.get(id) else { return fault };
    let [Value::Str(reason)] = &exception.args[..] else { return fault };
    if !matches!(class, TypeId::LOOKUP_ERROR | TypeId::TYPE_ERROR) || DIRECT.contains(&normalised(name).as_str()) {
        return fault;
    }
    let text = format!("{verb} with '{name}' codec failed ({}: {reason})", cx.types.get(class).short_name());
    let mut outer = Exception::new(class, vec![text.into()]);
    outer.cause = Value::Ref(id);
    outer.suppress_context = true;
    Fault::Raise(cx.heap.add(Object::Exception(Box::new(outer))))
}

fn unknown_handler(cx: &mut Context, name: &str) -> Fault {
    cx.raise(TypeId::LOOKUP_ERROR, format!("unknown error handler name '{name}'"))
}

fn failed(
    cx: &mut Context,
    class: TypeId,
    encoding: Encoding,
    source: Value,
    (start, end): (usize, usize),
    reason: &str,
) -> Fault {
    let args =
        vec![encoding.name().into(), source, Value::Int(start as i64), Value::Int(end as i64), Value::from(reason)];
    let mut exception = Exception::new(class, args.clone());
    for (name, value) in ["encoding", "object", "start", "end", "reason"].into_iter().zip(args) {
        exception.fields.insert(Key::Str(name.into()), name.into(), value);
    }
    Fault::Raise(cx.heap.add(Object::Exception(Box::new(exception))))
}
