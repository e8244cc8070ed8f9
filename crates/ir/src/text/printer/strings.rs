//! Strings and f-strings. Before Python 3.12 a field of an f-string could hold neither the string's own quotes nor a
//! backslash, so quotes are chosen from the inside out; only a field with a string that needs escapes requires 3.12.

use super::{Printer, expressions};
use crate::{Conversion, FormatPart};

impl Printer {
    pub(super) fn format(&mut self, parts: &[FormatPart]) {
        // Rendered first with a placeholder's worth of knowledge: the fields decide which quotes are left.
        let mut fields = Vec::new();
        self.render_fields(parts, &mut fields);
        let order = if self.in_format { ["'", "\"", "'''", "\"\"\""] } else { ["\"", "'", "\"\"\"", "'''"] };
        let free = |quotes: &&str| fields.iter().all(|field: &String| !field.contains(*quotes));
        let quotes = order.into_iter().find(free).unwrap_or("\"");
        let quote = quotes.chars().next().unwrap_or('"');
        self.write("f");
        self.write(quotes);
        let mut fields = fields.into_iter();
        self.format_parts(parts, &mut fields, quote, false);
        self.write(quotes);
    }

    fn render_fields(&mut self, parts: &[FormatPart], fields: &mut Vec<String>) {
        for part in parts {
            if let FormatPart::Field { value, spec, .. } = part {
                let mut inner = Printer { in_format: true, ..Printer::default() };
                inner.expression(value, expressions::OR);
                fields.push(inner.out);
                self.render_fields(spec, fields);
            }
        }
    }

    fn format_parts(&mut self, parts: &[FormatPart], fields: &mut std::vec::IntoIter<String>, quote: char, spec: bool) {
        for part in parts {
            match part {
                FormatPart::Text(text) => self.format_text(text, quote, spec),
                FormatPart::Field { conversion, spec, .. } => {
                    let value = fields.next().unwrap_or_default();
                    self.write(if value.starts_with('{') { "{ " } else { "{" });
                    self.write(&value);
                    self.write(match conversion {
                        None => "",
                        Some(Conversion::Str) => "!s",
                        Some(Conversion::Repr) => "!r",
                        Some(Conversion::Ascii) => "!a",
                    });
                    if !spec.is_empty() {
                        self.write(":");
                        self.format_parts(spec, fields, quote, true);
                    }
                    self.write(if value.ends_with('}') && spec.is_empty() && conversion.is_none() {
                        " }"
                    } else {
                        "}"
                    });
                }
            }
        }
    }

    fn format_text(&mut self, text: &str, quote: char, spec: bool) {
        for character in text.chars() {
            match character {
                // In a format spec a doubled brace would begin a field.
                '{' => self.write(if spec { "\\x7b" } else { "{{" }),
                '}' => self.write(if spec { "\\x7d" } else { "}}" }),
                _ => escape(&mut self.out, character, quote),
            }
        }
    }
}

pub(super) fn quoted(text: &str, preferred: char) -> String {
    let other = if preferred == '"' { '\'' } else { '"' };
    let quote = if text.contains(preferred) && !text.contains(other) { other } else { preferred };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    text.chars().for_each(|character| escape(&mut out, character, quote));
    out.push(quote);
    out
}

/// Source text: in triple quotes where it has several lines and nothing that would be hard to see.
pub(super) fn source(text: &str, in_format: bool) -> String {
    let plain = text.chars().all(|character| character == '\n' || !needs_escape(character));
    if in_format || !text.contains('\n') || !plain || text.contains("\"\"\"") || text.ends_with('"') {
        return quoted(text, if in_format { '\'' } else { '"' });
    }
    format!("\"\"\"{}\"\"\"", text.replace('\\', "\\\\"))
}

pub(super) fn bytes(bytes: &[u8], preferred: char) -> String {
    let mut out = format!("b{preferred}");
    for byte in bytes {
        match byte {
            b' '..=b'~' => escape(&mut out, char::from(*byte), preferred),
            b'\n' | b'\r' | b'\t' => escape(&mut out, char::from(*byte), preferred),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push(preferred);
    out
}

fn escape(out: &mut String, character: char, quote: char) {
    match character {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        _ if character == quote => out.extend(['\\', quote]),
        _ if !needs_escape(character) => out.push(character),
        _ if (character as u32) < 0x100 => out.push_str(&format!("\\x{:02x}", character as u32)),
        _ if (character as u32) < 0x10000 => out.push_str(&format!("\\u{:04x}", character as u32)),
        _ => out.push_str(&format!("\\U{:08x}", character as u32)),
    }
}

/// Characters that do not show, or that change how their neighbours show.
fn needs_escape(character: char) -> bool {
    let code = character as u32;
    character.is_control()
        || matches!(code, 0xad | 0x61c | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb)
        || (character.is_whitespace() && character != ' ')
        || (0xe000..=0xf8ff).contains(&code)
        || code >= 0xe0000
}
