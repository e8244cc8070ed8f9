//! Source text to tokens: Python's rules for lines, indentation, brackets and strings, with f-strings taken apart here
//! (a stack of modes, no recursion) so that their fields are ordinary tokens with ordinary spans.
//!
//! The source has `\n` line ends only. What is wrong is reported here and leaves an [`TokenKind::Invalid`] token, on which
//! the parser gives up without a second report.

use crate::{Diagnostic, Span};

/// As in CPython.
const INDENT_DEPTH_MAX: usize = 100;
/// More than anybody reads; the rest is dropped.
pub(super) const DIAGNOSTICS_MAX: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Keywords too: most of the additions to Python are words that may also be variables.
    Name,
    /// With its suffix, if any: `2s` is one token.
    Number,
    /// Prefix, quotes and all; adjacent ones are separate tokens.
    String,
    FormatStart,
    /// Literal text of an f-string, or of the format spec of one of its fields.
    FormatText {
        raw: bool,
        spec: bool,
    },
    FormatEnd,
    Op(&'static str),
    Newline,
    Indent,
    Dedent,
    End,
    /// Already reported.
    Invalid,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
    pub span: Span,
}

/// What line ends mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// They end statements, and indentation makes blocks.
    Lines,
    /// Nothing: the text is one expression.
    Joined,
}

pub(super) fn lex(source: &str, layout: Layout) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        source,
        layout,
        at: Mark { offset: 0, line: 1, column: 1 },
        line_start: Mark { offset: 0, line: 1, column: 1 },
        fresh_line: layout == Layout::Lines,
        brackets: Vec::new(),
        formats: Vec::new(),
        indents: vec![(0, 0)],
        tokens: Vec::new(),
        diagnostics: Vec::new(),
    };
    lexer.run();
    (lexer.tokens, lexer.diagnostics)
}

#[derive(Clone, Copy)]
struct Mark {
    offset: usize,
    line: u32,
    column: u32,
}

/// An f-string that is open.
struct Format {
    quote: char,
    triple: bool,
    raw: bool,
    start: Span,
    /// How many brackets were open before it.
    brackets: usize,
    /// Its open fields, outermost first: the bracket depth inside the field, and whether its format spec has begun.
    fields: Vec<(usize, bool)>,
}

struct Lexer<'a> {
    source: &'a str,
    layout: Layout,
    at: Mark,
    line_start: Mark,
    /// The next thing is the indentation of a logical line.
    fresh_line: bool,
    brackets: Vec<(char, Span)>,
    formats: Vec<Format>,
    /// Widths of the open blocks, with a tab worth up to eight columns and worth one: they must agree on what is deeper.
    indents: Vec<(usize, usize)>,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

const OPERATORS: [&str; 48] = [
    "**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "@=", ":=", "+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "(", ")", "[", "]",
    "{", "}", ",", ":", ".", ";", "=", "!",
];

/// Words that cannot stand inside brackets: a line that begins with one shows that a bracket before it was forgotten.
const STATEMENT_WORDS: [&str; 16] = [
    "return", "def", "while", "try", "with", "raise", "pass", "break", "continue", "del", "assert", "nonlocal",
    "global", "import", "class", "fn",
];

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        if self.peek() == Some('\u{feff}') {
            self.at.offset += '\u{feff}'.len_utf8();
        }
        loop {
            if self.fresh_line {
                self.fresh_line = false;
                self.indentation();
            }
            let in_text = self.formats.last().is_some_and(|format| format.fields.last().is_none_or(|field| field.1));
            if in_text {
                self.format_text();
            } else if !self.token() {
                break;
            }
        }
        self.finish();
    }

    fn finish(&mut self) {
        self.finish_formats();
        self.never_closed();
        if self.layout == Layout::Lines {
            if self.tokens.last().is_some_and(|last| !matches!(last.kind, TokenKind::Newline | TokenKind::Dedent)) {
                self.push(TokenKind::Newline, self.at);
            }
            for _ in 1..self.indents.len() {
                self.push(TokenKind::Dedent, self.at);
            }
        }
        self.push(TokenKind::End, self.at);
    }

    // ------------------------------------------------------------------------------------------------ characters

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at.offset..]
    }

    fn bump(&mut self) {
        let Some(next) = self.peek() else { return };
        self.at.offset += next.len_utf8();
        if next == '\n' {
            self.at.line += 1;
            self.at.column = 1;
            self.line_start = self.at;
        } else {
            self.at.column += 1;
        }
    }

    fn bump_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
    }

    fn span(&self, start: Mark) -> Span {
        Span { file: 0, line: start.line, column: start.column, end_line: self.at.line, end_column: self.at.column }
    }

    fn push(&mut self, kind: TokenKind, start: Mark) {
        let span = self.span(start);
        self.tokens.push(Token { kind, start: start.offset, end: self.at.offset, span });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < DIAGNOSTICS_MAX {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Of several open brackets only the innermost is reported: closing it may be all that is needed.
    fn never_closed(&mut self) {
        let open = std::mem::take(&mut self.brackets);
        let Some((bracket, span)) = open.last().copied() else { return };
        let close = closing(bracket);
        self.report(
            Diagnostic::error("W0106", span, format!("this `{bracket}` is never closed"))
                .label("opened here")
                .help(format!("add a `{close}`")),
        );
    }

    fn unterminated(&mut self, start: Span) {
        self.report(
            Diagnostic::error("W0102", start, "this string does not end")
                .label("begins here")
                .help("close it with the quotes it begins with; only a triple-quoted string may span lines"),
        );
    }

    // ----------------------------------------------------------------------------------------------- indentation

    fn indentation(&mut self) {
        let width = loop {
            let (mut wide, mut narrow) = (0, 0);
            loop {
                match self.peek() {
                    Some(' ') => (wide, narrow) = (wide + 1, narrow + 1),
                    Some('\t') => (wide, narrow) = (wide / 8 * 8 + 8, narrow + 1),
                    Some('\u{c}') => (wide, narrow) = (0, 0),
                    _ => break,
                }
                self.bump();
            }
            match self.peek() {
                Some('#') => self.bump_while(|next| next != '\n'),
                Some('\n') => self.bump(),
                None => return,
                Some(_) => break (wide, narrow),
            }
        };
        let deepest = *self.indents.last().unwrap_or(&(0, 0));
        let start = self.at;
        if width.0 > deepest.0 {
            if self.indents.len() > INDENT_DEPTH_MAX {
                self.report(Diagnostic::error("W0115", self.span(self.line_start), "blocks are nested too deeply"));
                self.push(TokenKind::Invalid, start);
                self.at.offset = self.source.len();
                return;
            }
            if width.1 <= deepest.1 {
                self.mixed_indentation();
            }
            self.indents.push(width);
            self.push(TokenKind::Indent, start);
            return;
        }
        while self.indents.last().is_some_and(|open| open.0 > width.0) {
            self.indents.pop();
            self.push(TokenKind::Dedent, start);
        }
        let block = *self.indents.last().unwrap_or(&(0, 0));
        if block.0 != width.0 {
            self.report(
                Diagnostic::error("W0105", self.span(self.line_start), "this line's indentation matches no open block")
                    .help("indent it like the block it belongs to"),
            );
        } else if block.1 != width.1 {
            self.mixed_indentation();
        }
    }

    fn mixed_indentation(&mut self) {
        self.report(
            Diagnostic::error("W0105", self.span(self.line_start), "tabs and spaces are mixed in the indentation")
                .help("indent with spaces only"),
        );
    }

    // ---------------------------------------------------------------------------------------------------- tokens

    /// False at the end of the source.
    fn token(&mut self) -> bool {
        let start = self.at;
        let Some(next) = self.peek() else { return false };
        match next {
            '\n' => {
                self.bump();
                if self.layout == Layout::Lines && self.brackets.is_empty() {
                    let end = Mark { offset: start.offset, ..start };
                    self.tokens.push(Token {
                        kind: TokenKind::Newline,
                        start: end.offset,
                        end: end.offset,
                        span: Span {
                            file: 0,
                            line: end.line,
                            column: end.column,
                            end_line: end.line,
                            end_column: end.column,
                        },
                    });
                    self.fresh_line = true;
                }
            }
            ' ' | '\t' | '\u{c}' => self.bump(),
            '#' => self.bump_while(|next| next != '\n'),
            '\\' if self.rest().starts_with("\\\n") => {
                self.bump();
                self.bump();
            }
            '"' | '\'' => self.string(start),
            '0'..='9' => self.number(start),
            '.' if self.rest()[1..].starts_with(|next: char| next.is_ascii_digit()) => self.number(start),
            _ if is_name_start(next) => self.name(start),
            _ => self.operator(start),
        }
        true
    }

    fn name(&mut self, start: Mark) {
        self.bump_while(is_name_continue);
        let text = &self.source[start.offset..self.at.offset];
        if text.len() <= 2 && matches!(self.peek(), Some('"' | '\'')) && is_string_prefix(text) {
            return self.string(start);
        }
        let first_on_line = self.source[self.line_start.offset..start.offset].trim().is_empty();
        let forgotten = first_on_line
            && self.layout == Layout::Lines
            && self.formats.is_empty()
            && STATEMENT_WORDS.contains(&text)
            && (text != "fn" || start.column == 1);
        if forgotten && !self.brackets.is_empty() {
            self.never_closed();
            self.at = self.line_start;
            self.push(TokenKind::Invalid, self.at);
            self.push(TokenKind::Newline, self.at);
            self.fresh_line = true;
            return;
        }
        self.push(TokenKind::Name, start);
    }

    fn number(&mut self, start: Mark) {
        let radix = self.rest().as_bytes().get(1).map(u8::to_ascii_lowercase);
        if self.peek() == Some('0') && matches!(radix, Some(b'x' | b'o' | b'b')) {
            self.bump_while(is_name_continue);
            return self.push(TokenKind::Number, start);
        }
        let digits = |next: char| next.is_ascii_digit() || next == '_';
        self.bump_while(digits);
        if self.peek() == Some('.') {
            self.bump();
            self.bump_while(digits);
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            let after = self.rest()[1..].trim_start_matches(['+', '-']);
            let signs = self.rest().len() - 1 - after.len();
            if signs <= 1 && after.starts_with(|next: char| next.is_ascii_digit()) {
                for _ in 0..=signs {
                    self.bump();
                }
                self.bump_while(digits);
            }
        }
        self.bump_while(is_name_continue);
        self.push(TokenKind::Number, start);
    }

    fn string(&mut self, start: Mark) {
        let prefix = self.source[start.offset..self.at.offset].to_ascii_lowercase();
        let Some(quote) = self.peek() else { return };
        let triple = self.rest().chars().take(3).filter(|next| *next == quote).count() == 3;
        for _ in 0..if triple { 3 } else { 1 } {
            self.bump();
        }
        if prefix.contains('f') {
            self.push(TokenKind::FormatStart, start);
            let (raw, start) = (prefix.contains('r'), self.span(start));
            let brackets = self.brackets.len();
            self.formats.push(Format { quote, triple, raw, start, brackets, fields: Vec::new() });
            return;
        }
        loop {
            match self.peek() {
                Some('\\') => {
                    self.bump();
                    self.bump();
                }
                Some(next) if next == quote && (!triple || self.at_triple(quote)) => {
                    for _ in 0..if triple { 3 } else { 1 } {
                        self.bump();
                    }
                    return self.push(TokenKind::String, start);
                }
                Some('\n') if !triple => break,
                Some(_) => self.bump(),
                None => break,
            }
        }
        let opening = Mark { offset: start.offset, ..start };
        let span = Span { end_line: opening.line, end_column: opening.column + 1, ..self.span(opening) };
        self.unterminated(span);
        self.push(TokenKind::Invalid, start);
    }

    fn at_triple(&self, quote: char) -> bool {
        let mut next = self.rest().chars();
        (0..3).all(|_| next.next() == Some(quote))
    }

    /// Literal text of the innermost f-string, up to its end or its next field.
    fn format_text(&mut self) {
        let Some(format) = self.formats.last() else { return };
        let (quote, triple, raw) = (format.quote, format.triple, format.raw);
        let spec = !format.fields.is_empty();
        let start = self.at;
        loop {
            let rest = self.rest();
            match self.peek() {
                Some('\\') => {
                    self.bump();
                    match self.peek() {
                        Some('{' | '}') => {}
                        Some('N') if !raw && rest[1..].starts_with("N{") => {
                            self.bump_while(|next| !matches!(next, '}' | '\n'));
                            self.bump();
                        }
                        Some('\n') if !triple && raw => {}
                        _ => self.bump(),
                    }
                }
                Some('{') if !spec && rest.starts_with("{{") => {
                    self.bump();
                    self.bump();
                }
                Some('}') if !spec && rest.starts_with("}}") => {
                    self.bump();
                    self.bump();
                }
                Some('{' | '}') => break,
                Some(next) if next == quote && (!triple || self.at_triple(quote)) => break,
                Some('\n') if !triple => break,
                None => break,
                Some(_) => self.bump(),
            }
        }
        if self.at.offset > start.offset {
            self.push(TokenKind::FormatText { raw, spec }, start);
        }
        self.format_turn(quote, triple, spec);
    }

    /// What follows literal text: a field, the end of a field, the end of the string.
    fn format_turn(&mut self, quote: char, triple: bool, spec: bool) {
        let start = self.at;
        match self.peek() {
            Some('{') => {
                self.bump();
                self.push(TokenKind::Op("{"), start);
                self.brackets.push(('{', self.span(start)));
                let depth = self.brackets.len();
                if let Some(format) = self.formats.last_mut() {
                    format.fields.push((depth, false));
                }
            }
            Some('}') if spec => self.close_field(start),
            Some('}') => {
                self.bump();
                let span = self.span(start);
                self.report(
                    Diagnostic::error("W0116", span, "a single `}` in an f-string")
                        .help("write `}}` for a literal brace"),
                );
                self.push(TokenKind::Invalid, start);
            }
            Some(next) if next == quote => {
                for _ in 0..if triple { 3 } else { 1 } {
                    self.bump();
                }
                let format = self.formats.pop();
                if let (true, Some(format)) = (spec, format) {
                    self.brackets.truncate(format.brackets);
                    let span = self.span(start);
                    self.report(
                        Diagnostic::error("W0116", span, "a field of this f-string is not closed").help("add a `}`"),
                    );
                    return self.push(TokenKind::Invalid, start);
                }
                self.push(TokenKind::FormatEnd, start);
            }
            // The end of the line, or of the source, where `finish` reports it.
            Some(_) => {
                if let Some(format) = self.formats.pop() {
                    self.brackets.truncate(format.brackets);
                    self.unterminated(format.start);
                    self.push(TokenKind::Invalid, start);
                }
            }
            None => self.finish_formats(),
        }
    }

    /// At the end of the source.
    fn finish_formats(&mut self) {
        if let Some(outermost) = self.formats.first() {
            let (brackets, start) = (outermost.brackets, outermost.start);
            self.formats.clear();
            self.brackets.truncate(brackets);
            self.unterminated(start);
            self.push(TokenKind::Invalid, self.at);
        }
    }

    fn close_field(&mut self, start: Mark) {
        self.bump();
        self.brackets.pop();
        if let Some(format) = self.formats.last_mut() {
            format.fields.pop();
        }
        self.push(TokenKind::Op("}"), start);
    }

    fn operator(&mut self, start: Mark) {
        let rest = self.rest();
        // Directly inside a field of an f-string `:`, `!` and `}` end the expression.
        let depth = self.brackets.len();
        let in_field =
            self.formats.last().is_some_and(|format| format.fields.last().is_some_and(|field| field.0 == depth));
        if in_field && rest.starts_with('}') {
            return self.close_field(start);
        }
        if in_field && rest.starts_with(':') {
            self.bump();
            if let Some(field) = self.formats.last_mut().and_then(|format| format.fields.last_mut()) {
                field.1 = true;
            }
            return self.push(TokenKind::Op(":"), start);
        }
        let Some(operator) = OPERATORS.into_iter().find(|operator| rest.starts_with(operator)) else {
            let found = self.peek().unwrap_or(' ');
            self.bump();
            let span = self.span(start);
            self.report(Diagnostic::error("W0101", span, format!("{found:?} has no meaning here")));
            return self.push(TokenKind::Invalid, start);
        };
        for _ in 0..operator.len() {
            self.bump();
        }
        match operator {
            "(" | "[" | "{" => self.brackets.push((operator.chars().next().unwrap_or('('), self.span(start))),
            ")" | "]" | "}" => {
                let floor = self.formats.last().map_or(0, |format| format.fields.last().map_or(0, |field| field.0));
                let open = if self.brackets.len() > floor { self.brackets.pop() } else { None };
                if open.is_none_or(|(bracket, _)| closing(bracket) != operator) {
                    let message = match open {
                        Some((bracket, _)) => format!("`{operator}` does not close `{bracket}`"),
                        None => format!("`{operator}` closes nothing"),
                    };
                    let span = self.span(start);
                    self.report(Diagnostic::error("W0106", span, message));
                    return self.push(TokenKind::Invalid, start);
                }
            }
            _ => {}
        }
        self.push(TokenKind::Op(operator), start);
    }
}

fn closing(bracket: char) -> &'static str {
    match bracket {
        '(' => ")",
        '[' => "]",
        _ => "}",
    }
}

pub(super) fn is_name_start(character: char) -> bool {
    character == '_' || unicode_ident::is_xid_start(character)
}

pub(super) fn is_name_continue(character: char) -> bool {
    unicode_ident::is_xid_continue(character)
}

/// Whether the text is one name, as far as the lexer is concerned.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(is_name_start) && text.chars().all(is_name_continue)
}

fn is_string_prefix(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "r" | "u" | "b" | "f" | "br" | "rb" | "fr" | "rf")
}
