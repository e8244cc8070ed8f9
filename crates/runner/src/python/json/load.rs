//! `json.loads`

use std::sync::Arc;

use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Exception, Key, Object};
use crate::python::json::{DEPTH_MAX, arguments};
use crate::python::{Args, compare, number};
use crate::types::TypeId;
use crate::value::Value;

struct Reader {
    document: Arc<str>,
    /// A byte offset; errors tell it in characters.
    at: usize,
    /// Whether control characters are refused inside strings.
    strict: bool,
    depth: usize,
}

const HOOKS: &[&str] = &["cls", "object_hook", "parse_float", "parse_int", "parse_constant", "object_pairs_hook"];

pub fn loads(cx: &mut Context, args: Args<'_>) -> Eval {
    let (subject, options) = arguments(cx, args, ["loads", "JSONDecoder", "s"], &["strict"], HOOKS)?;
    let mut strict = true;
    for (_, value) in options {
        strict = compare::truth(cx, value)?;
    }
    let document = match &subject {
        Value::Str(text) => text.clone(),
        Value::Bytes(bytes) => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            // A zero among the first bytes means UTF-16 or UTF-32; those, and errors, are left to Python.
            let is_wide = bytes.iter().take(4).any(|byte| *byte == 0) || bytes.starts_with(b"\xff\xfe");
            match std::str::from_utf8(bytes) {
                Ok(text) if !is_wide => text.into(),
                _ => return Err(Fault::Worker),
            }
        }
        _ if number::is_opaque(cx, &subject) => return Err(Fault::Worker),
        _ => {
            let name = cx.types.get(cx.type_of(&subject)).short_name().to_string();
            return Err(cx.type_error(format!("the JSON object must be str, bytes or bytearray, not {name}")));
        }
    };
    cx.charge(document.len() / 16)?;
    let mut reader = Reader { document, at: 0, strict, depth: 0 };
    if reader.document.starts_with('\u{feff}') && matches!(subject, Value::Str(_)) {
        return Err(reader.error(cx, "Unexpected UTF-8 BOM (decode using utf-8-sig)", 0));
    }
    reader.skip_space();
    let value = reader.value(cx)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.error(cx, "Extra data", reader.at)),
    }
}

impl Reader {
    fn peek(&self) -> Option<u8> {
        self.document.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &str {
        &self.document[self.at..]
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// A `JSONDecodeError` about a byte offset, with the attributes that Python gives it.
    fn error(&self, cx: &mut Context, message: &str, at: usize) -> Fault {
        let before = &self.document[..at];
        let position = before.chars().count();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let text = format!("{message}: line {line} column {column} (char {position})");
        let mut exception = Exception::new(TypeId::JSON_DECODE_ERROR, vec![Value::from(text)]);
        let mut set = |name: &str, value: Value| {
            exception.fields.insert(Key::Str(name.into()), Value::from(name), value);
        };
        set("msg", Value::from(message));
        set("doc", Value::Str(self.document.clone()));
        set("pos", Value::Int(position as i64));
        set("lineno", Value::Int(line as i64));
        set("colno", Value::Int(column as i64));
        Fault::Raise(cx.heap.add(Object::Exception(Box::new(exception))))
    }

    fn value(&mut self, cx: &mut Context) -> Eval {
        cx.charge(1)?;
        match self.peek() {
            Some(b'"') => self.string(cx).map(Value::from),
            Some(b'{') => self.object(cx),
            Some(b'[') => self.array(cx),
            Some(b'-' | b'0'..=b'9') if !self.rest().starts_with("-Infinity") => self.number(cx),
            _ => {
                const WORDS: [(&str, Value); 6] = [
                    ("null", Value::None),
                    ("true", Value::Bool(true)),
                    ("false", Value::Bool(false)),
                    ("NaN", Value::Float(f64::NAN)),
                    ("Infinity", Value::Float(f64::INFINITY)),
                    ("-Infinity", Value::Float(f64::NEG_INFINITY)),
                ];
                match WORDS.into_iter().find(|(word, _)| self.rest().starts_with(word)) {
                    Some((word, value)) => {
                        self.at += word.len();
                        Ok(value)
                    }
                    None => Err(self.error(cx, "Expecting value", self.at)),
                }
            }
        }
    }

    fn enter(&mut self, cx: &mut Context, kind: &str) -> Eval<()> {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            let text = format!("maximum recursion depth exceeded while decoding a JSON {kind} from a unicode string");
            return Err(cx.raise(TypeId::RECURSION_ERROR, text));
        }
        self.skip_space();
        Ok(())
    }

    fn leave(&mut self) {
        self.at += 1;
        self.depth -= 1;
    }

    fn array(&mut self, cx: &mut Context) -> Eval {
        self.enter(cx, "array")?;
        let mut items = Vec::new();
        if self.peek() != Some(b']') {
            loop {
                items.push(self.value(cx)?);
                self.skip_space();
                match self.peek() {
                    Some(b']') => break,
                    Some(b',') => self.at += 1,
                    _ => return Err(self.error(cx, "Expecting ',' delimiter", self.at)),
                }
                self.skip_space();
            }
        }
        self.leave();
        Ok(cx.list(items))
    }

    fn object(&mut self, cx: &mut Context) -> Eval {
        self.enter(cx, "object")?;
        let mut dict = Dict::default();
        if self.peek() != Some(b'}') {
            loop {
                if self.peek() != Some(b'"') {
                    return Err(self.error(cx, "Expecting property name enclosed in double quotes", self.at));
                }
                let name: Arc<str> = self.string(cx)?.into();
                self.skip_space();
                if self.peek() != Some(b':') {
                    return Err(self.error(cx, "Expecting ':' delimiter", self.at));
                }
                self.at += 1;
                self.skip_space();
                let value = self.value(cx)?;
                dict.insert(Key::Str(name.clone()), Value::Str(name), value);
                self.skip_space();
                match self.peek() {
                    Some(b'}') => break,
                    Some(b',') => self.at += 1,
                    _ => return Err(self.error(cx, "Expecting ',' delimiter", self.at)),
                }
                self.skip_space();
            }
        }
        self.leave();
        Ok(Value::Ref(cx.heap.add(Object::Dict(dict))))
    }

    fn number(&mut self, cx: &mut Context) -> Eval {
        let start = self.at;
        let document = self.document.clone();
        let bytes = document.as_bytes();
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let first = if bytes[start] == b'-' { start + 1 } else { start };
        let mut end = match bytes.get(first) {
            Some(b'0') => first + 1,
            Some(b'1'..=b'9') => digits(first),
            _ => return Err(self.error(cx, "Expecting value", start)),
        };
        let mut is_float = false;
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > end + 1 {
            end = digits(end + 1);
            is_float = true;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let power = end + 1 + sign;
            if digits(power) > power {
                end = digits(power);
                is_float = true;
            }
        }
        self.at = end;
        let text = &document[start..end];
        if is_float {
            return Ok(Value::Float(text.parse().unwrap_or(f64::NAN)));
        }
        match text.parse::<i64>() {
            Ok(small) => Ok(Value::Int(small)),
            Err(_) => number::parse_int(cx, &Value::from(text), 10),
        }
    }

    fn string(&mut self, cx: &mut Context) -> Eval<String> {
        let start = self.at;
        let document = self.document.clone();
        let bytes = document.as_bytes();
        let mut text = String::new();
        let mut at = start + 1;
        loop {
            let plain = at;
            while bytes.get(at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
                at += 1;
            }
            text.push_str(&document[plain..at]);
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {}
                Some(control) if !self.strict => {
                    text.push(char::from(*control));
                    at += 1;
                    continue;
                }
                Some(_) => return Err(self.error(cx, "Invalid control character at", at)),
                None => return Err(self.error(cx, "Unterminated string starting at", start)),
            }
            let escape = at;
            at += 2;
            text.push(match bytes.get(escape + 1) {
                Some(b'"') => '"',
                Some(b'\\') => '\\',
                Some(b'/') => '/',
                Some(b'b') => '\x08',
                Some(b'f') => '\x0c',
                Some(b'n') => '\n',
                Some(b'r') => '\r',
                Some(b't') => '\t',
                Some(b'u') => {
                    let (character, end) = self.unicode(cx, escape)?;
                    at = end;
                    character
                }
                Some(_) => return Err(self.error(cx, "Invalid \\escape", escape)),
                None => return Err(self.error(cx, "Unterminated string starting at", start)),
            });
        }
        self.at = at + 1;
        Ok(text)
    }

    /// Four hexadecimal digits after the `\u` at an offset.
    fn unit(&self, cx: &mut Context, escape: usize) -> Eval<u16> {
        let rest = &self.document[escape + 2..];
        let digits = rest.as_bytes().get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        // The closing quote has to follow, or Python speaks of the escape and not of the string.
        let value = digits.filter(|_| rest.len() > 4).and_then(|digits| std::str::from_utf8(digits).ok());
        match value.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => Ok(unit),
            None => Err(self.error(cx, "Invalid \\uXXXX escape", escape + 1)),
        }
    }

    fn unicode(&self, cx: &mut Context, escape: usize) -> Eval<(char, usize)> {
        let unit = self.unit(cx, escape)?;
        let next = escape + 6;
        if let Some(character) = char::from_u32(unit.into()) {
            return Ok((character, next));
        }
        if (0xd800..0xdc00).contains(&unit) && self.document[next..].starts_with("\\u") {
            let low = self.unit(cx, next)?;
            if let Some(Ok(character)) = char::decode_utf16([unit, low]).next() {
                return Ok((character, next + 6));
            }
        }
        Err(cx.raise(TypeId::UNSUPPORTED, "a lone surrogate in a string is not supported"))
    }
}
