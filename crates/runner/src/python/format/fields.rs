//! `str.format` and `str.format_map`: replacement fields with lookups, conversions and nested specifications.

use std::sync::Arc;

use super::format;
use super::spec::digits;
use crate::context::{Context, Eval, Fault};
use crate::python::text::{arguments, receiver_text};
use crate::python::{Args, repr, subscript};
use crate::types::TypeId;
use crate::value::Value;

pub fn str_format(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "format")?;
    let source = Source::Arguments { positional: args.positional, keyword: args.keyword };
    Formatter { source, numbering: Numbering::Unknown }.whole(cx, &text)
}

pub fn str_format_map(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "format_map")?;
    let mapping = arguments::one(cx, "str", "format_map", args)?;
    Formatter { source: Source::Mapping(mapping), numbering: Numbering::Unknown }.whole(cx, &text)
}

enum Source<'a> {
    Arguments { positional: &'a [Value], keyword: &'a [(Arc<str>, Value)] },
    Mapping(&'a Value),
}

/// Fields are numbered by themselves or by hand, never both.
enum Numbering {
    Unknown,
    Automatic(usize),
    Manual,
}

struct Formatter<'a> {
    source: Source<'a>,
    numbering: Numbering,
}

/// A replacement field, cut into its parts.
struct Field {
    name: Vec<char>,
    conversion: Option<char>,
    spec: Vec<char>,
}

impl Formatter<'_> {
    fn whole(mut self, cx: &mut Context, text: &str) -> Eval {
        let chars: Vec<char> = text.chars().collect();
        cx.charge(chars.len())?;
        Ok(self.build(cx, &chars, 2)?.into())
    }

    /// A specification may hold fields itself, but theirs may not.
    fn build(&mut self, cx: &mut Context, chars: &[char], levels: usize) -> Eval<String> {
        if levels == 0 {
            return Err(cx.value_error("Max string recursion exceeded"));
        }
        let mut out = String::new();
        let mut at = 0;
        while let Some(char) = chars.get(at).copied() {
            at += 1;
            match (char, chars.get(at)) {
                ('{', Some('{')) | ('}', Some('}')) => {
                    out.push(char);
                    at += 1;
                }
                ('}', _) => return Err(cx.value_error("Single '}' encountered in format string")),
                ('{', None) => return Err(cx.value_error("Single '{' encountered in format string")),
                ('{', Some(_)) => {
                    let field = parse_field(cx, chars, &mut at)?;
                    let text = self.render(cx, &field, levels)?;
                    out.push_str(&text);
                    if out.len() > cx.limits.value_bytes_max {
                        cx.check_size(out.len())?;
                    }
                }
                _ => out.push(char),
            }
        }
        cx.check_size(out.len())?;
        Ok(out)
    }

    fn render(&mut self, cx: &mut Context, field: &Field, levels: usize) -> Eval<String> {
        let mut value = self.look_up(cx, &field.name)?;
        if let Some(conversion) = field.conversion {
            let text = match conversion {
                'r' => repr::repr(cx, &value)?,
                's' => repr::display(cx, &value)?,
                'a' => repr::ascii(cx, &value)?,
                '!'..='~' => return Err(cx.value_error(format!("Unknown conversion specifier {conversion}"))),
                other => {
                    return Err(cx.value_error(format!("Unknown conversion specifier \\x{:x}", other as u32)));
                }
            };
            value = text.into();
        }
        let spec = match field.spec.contains(&'{') {
            true => self.build(cx, &field.spec, levels - 1)?,
            false => field.spec.iter().collect(),
        };
        format(cx, &value, &spec)
    }

    fn look_up(&mut self, cx: &mut Context, name: &[char]) -> Eval<Value> {
        let end = name.iter().position(|char| matches!(char, '.' | '[')).unwrap_or(name.len());
        let (first, mut rest) = name.split_at(end);
        let index = match integer(cx, first)? {
            _ if first.is_empty() => Some(self.next_index(cx)?),
            Some(index) => {
                if matches!(self.numbering, Numbering::Automatic(_)) {
                    let text = "cannot switch from automatic field numbering to manual field specification";
                    return Err(cx.value_error(text));
                }
                self.numbering = Numbering::Manual;
                Some(index)
            }
            None => None,
        };
        let mut value = match index {
            Some(index) => self.by_index(cx, index)?,
            None => self.by_name(cx, &first.iter().collect::<String>())?,
        };
        while let Some((kind, after)) = rest.split_first() {
            match kind {
                '.' => {
                    let end = after.iter().position(|char| matches!(char, '.' | '[')).unwrap_or(after.len());
                    if end == 0 {
                        return Err(cx.value_error("Empty attribute in format string"));
                    }
                    // Attributes may be properties, which only a worker can run.
                    return Err(Fault::Worker);
                }
                '[' => {
                    let Some(end) = after.iter().position(|char| *char == ']') else {
                        return Err(cx.value_error("Missing ']' in format string"));
                    };
                    let (key, behind) = (&after[..end], &after[end + 1..]);
                    if key.is_empty() {
                        return Err(cx.value_error("Empty attribute in format string"));
                    }
                    let key = match integer(cx, key)? {
                        Some(index) => Value::Int(index as i64),
                        None => Value::from(key.iter().collect::<String>()),
                    };
                    value = subscript::get_item(cx, &value, &key)?;
                    rest = behind;
                }
                _ => {
                    let text = "Only '.' or '[' may follow ']' in format field specifier";
                    return Err(cx.value_error(text));
                }
            }
        }
        Ok(value)
    }

    fn next_index(&mut self, cx: &mut Context) -> Eval<usize> {
        let index = match self.numbering {
            Numbering::Unknown => 0,
            Numbering::Automatic(next) => next,
            Numbering::Manual => {
                let text = "cannot switch from manual field specification to automatic field numbering";
                return Err(cx.value_error(text));
            }
        };
        self.numbering = Numbering::Automatic(index + 1);
        Ok(index)
    }

    fn by_index(&self, cx: &mut Context, index: usize) -> Eval<Value> {
        match &self.source {
            Source::Mapping(_) => Err(cx.value_error("Format string contains positional fields")),
            Source::Arguments { positional, .. } => match positional.get(index) {
                Some(value) => Ok(value.clone()),
                None => {
                    let text = format!("Replacement index {index} out of range for positional args tuple");
                    Err(cx.raise(TypeId::INDEX_ERROR, text))
                }
            },
        }
    }

    fn by_name(&self, cx: &mut Context, name: &str) -> Eval<Value> {
        match &self.source {
            Source::Mapping(mapping) => subscript::get_item(cx, mapping, &name.into()),
            Source::Arguments { keyword, .. } => match keyword.iter().find(|(known, _)| &**known == name) {
                Some((_, value)) => Ok(value.clone()),
                None => Err(cx.raise(TypeId::KEY_ERROR, name)),
            },
        }
    }
}

/// A number, where all of it is one.
fn integer(cx: &mut Context, chars: &[char]) -> Eval<Option<usize>> {
    let mut at = 0;
    let number = digits(cx, chars, &mut at)?;
    Ok(number.filter(|_| at == chars.len()))
}

/// From behind the opening brace to behind the closing one.
fn parse_field(cx: &mut Context, chars: &[char], at: &mut usize) -> Eval<Field> {
    let start = *at;
    let mut bracket = false;
    let end = loop {
        match chars.get(*at) {
            None => return Err(cx.value_error("expected '}' before end of string")),
            Some('{') => return Err(cx.value_error("unexpected '{' in field name")),
            Some('[') => bracket = true,
            Some(']') => bracket = false,
            Some('}' | ':' | '!') if !bracket => break chars[*at],
            Some(_) => {}
        }
        *at += 1;
    };
    let mut field = Field { name: chars[start..*at].to_vec(), conversion: None, spec: Vec::new() };
    *at += 1;
    if end == '}' {
        return Ok(field);
    }
    if end == '!' {
        field.conversion = chars.get(*at).copied();
        *at += 1;
        match (field.conversion, chars.get(*at)) {
            (None, _) => return Err(cx.value_error("end of string while looking for conversion specifier")),
            (_, Some('}')) => {
                *at += 1;
                return Ok(field);
            }
            (_, Some(':')) => *at += 1,
            (_, Some(_)) => return Err(cx.value_error("expected ':' after conversion specifier")),
            (_, None) => {}
        }
    }
    let start = *at;
    let mut depth = 1;
    while let Some(char) = chars.get(*at) {
        *at += 1;
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            field.spec = chars[start..*at - 1].to_vec();
            return Ok(field);
        }
    }
    Err(cx.value_error("unmatched '{' in format spec"))
}
