//! The parser: recursive descent over the tokens, one file a part of the grammar. This file has what they share: looking
//! ahead, reporting, recovering, and the limits that keep hostile input from exhausting the stack.
//!
//! A function that returns [`Failed`] has reported why. Recovery is per statement, so one mistake hides no other.

mod actions;
mod atoms;
mod constants;
mod declarations;
mod expressions;
mod functions;
mod lookahead;
mod patterns;
mod statements;
mod strings;
mod targets;

use super::lexer::{DIAGNOSTICS_MAX, Layout, Token, TokenKind, lex};
use super::literal::Refused;
use crate::{Diagnostic, Expr, Program, Span};

/// How deeply brackets, blocks and operators may nest: an unoptimised build takes some 12 KiB of stack a level.
pub(super) const DEPTH_MAX: usize = 100;
/// How long a chain like `a + b + c` or `a.b.c` may be: it, too, makes a tree as deep as it is long.
pub(super) const CHAIN_MAX: usize = 500;

pub(super) struct Failed;

pub(super) type Parse<T> = Result<T, Failed>;

pub(super) struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    /// By opening bracket: the position of its closing one.
    closers: Vec<usize>,
    /// By position: the word `spread` that begins a spread rather than naming a variable.
    spreads: Vec<bool>,
    position: usize,
    diagnostics: Vec<Diagnostic>,
    depth: usize,
    /// The longest sum of chains on one path through what was parsed since this was last reset.
    chain: usize,
    /// End of the last token that was more than layout.
    last: Span,
    /// The lexer has found mistakes, so that a part may be missing for a reason already given.
    lexed_badly: bool,
    /// Inside a plain function, where nothing may wait.
    plain: bool,
}

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

pub(super) fn program(path: &str, source: &str) -> (Program, Vec<Diagnostic>) {
    let mut parser = Parser::new(source, Layout::Lines);
    let program = parser.program(path);
    (program, parser.finish())
}

pub(super) fn expression(source: &str) -> Result<Expr, Vec<Diagnostic>> {
    let mut parser = Parser::new(source, Layout::Joined);
    let parsed = parser.whole_expression();
    let diagnostics = parser.finish();
    match parsed {
        Ok(expression) if diagnostics.is_empty() => Ok(expression),
        _ => Err(diagnostics),
    }
}

impl<'a> Parser<'a> {
    fn new(source: &'a str, layout: Layout) -> Parser<'a> {
        let (tokens, diagnostics) = lex(source, layout);
        let (closers, spreads) = lookahead::scan(source, &tokens);
        let lexed_badly = !diagnostics.is_empty();
        let (depth, chain, last, plain) = (0, 0, Span::NOWHERE, false);
        Parser { source, tokens, closers, spreads, position: 0, diagnostics, depth, chain, last, lexed_badly, plain }
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.span.line, diagnostic.span.column));
        self.diagnostics
    }

    fn whole_expression(&mut self) -> Parse<Expr> {
        let expression = self.right_hand_side()?;
        if self.kind() != TokenKind::End {
            return Err(self.expected("the end of the expression"));
        }
        Ok(expression)
    }

    // --------------------------------------------------------------------------------------------- looking ahead

    fn token_at(&self, position: usize) -> Token {
        // The last token is `End`, which is never passed.
        self.tokens[position.min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> TokenKind {
        self.token_at(self.position).kind
    }

    fn text_at(&self, position: usize) -> &'a str {
        let token = self.token_at(position);
        &self.source[token.start..token.end]
    }

    fn at(&self, operator: &str) -> bool {
        self.is_operator(self.position, operator)
    }

    fn is_operator(&self, position: usize, operator: &str) -> bool {
        matches!(self.token_at(position).kind, TokenKind::Op(found) if found == operator)
    }

    fn at_word(&self, word: &str) -> bool {
        self.is_word(self.position, word)
    }

    fn is_word(&self, position: usize, word: &str) -> bool {
        self.token_at(position).kind == TokenKind::Name && self.text_at(position) == word
    }

    fn is_kind(&self, position: usize, kind: TokenKind) -> bool {
        self.token_at(position).kind == kind
    }

    /// A name that is not a keyword.
    fn is_identifier(&self, position: usize) -> bool {
        self.token_at(position).kind == TokenKind::Name && !is_keyword(self.text_at(position))
    }

    /// Nothing stands between this token and the one before it.
    fn is_joined(&self, position: usize) -> bool {
        position > 0 && self.token_at(position - 1).end == self.token_at(position).start
    }

    // ------------------------------------------------------------------------------------------------- consuming

    fn advance(&mut self) -> Token {
        let token = self.token_at(self.position);
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        if !matches!(token.kind, TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent | TokenKind::End) {
            self.last = token.span;
        }
        token
    }

    fn eat(&mut self, operator: &str) -> bool {
        let found = self.at(operator);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, operator: &str) -> Parse<()> {
        if self.eat(operator) { Ok(()) } else { Err(self.expected(&format!("`{operator}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parse<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn identifier(&mut self, what: &str) -> Parse<String> {
        if !self.is_identifier(self.position) {
            return Err(self.expected(what));
        }
        let name = self.text_at(self.position).to_string();
        self.advance();
        Ok(name)
    }

    /// From the token at `start` to the last one consumed.
    fn span_from(&self, start: usize) -> Span {
        if self.position > start { self.token_at(start).span.to(self.last) } else { self.token_at(start).span }
    }

    // ------------------------------------------------------------------------------------------------- reporting

    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        if self.diagnostics.len() < 2 * DIAGNOSTICS_MAX {
            self.diagnostics.push(diagnostic);
        }
        Failed
    }

    fn expected(&mut self, what: &str) -> Failed {
        let token = self.token_at(self.position);
        let found = match token.kind {
            // Reported by the lexer.
            TokenKind::Invalid => return Failed,
            TokenKind::Newline => "the end of the line".to_string(),
            TokenKind::End => "the end of the text".to_string(),
            TokenKind::Indent => "an indented line".to_string(),
            TokenKind::Dedent => "the end of the block".to_string(),
            TokenKind::Number => format!("the number `{}`", self.text_at(self.position)),
            TokenKind::String | TokenKind::FormatStart | TokenKind::FormatText { .. } | TokenKind::FormatEnd => {
                "a string".to_string()
            }
            TokenKind::Name | TokenKind::Op(_) => format!("`{}`", self.text_at(self.position)),
        };
        let diagnostic = Diagnostic::error("W0110", token.span, format!("expected {what}, found {found}"));
        self.report(diagnostic.label(format!("expected {what}")))
    }

    fn unsupported(&mut self, span: Span, what: &str, help: &str) -> Failed {
        let message = format!("{what} not part of the text form");
        self.report(Diagnostic::error("W0112", span, message).label("not supported").help(help))
    }

    fn refused(&mut self, span: Span, refused: Refused) -> Failed {
        let mut diagnostic = Diagnostic::error(refused.code, span, refused.message);
        diagnostic.help = refused.help;
        self.report(diagnostic)
    }

    // ---------------------------------------------------------------------------------------------------- limits

    /// To be paired with `depth -= 1`, but for failures: a statement restores the depth it began with.
    fn enter(&mut self) -> Parse<()> {
        if self.depth >= DEPTH_MAX {
            return Err(self.too_deep());
        }
        self.depth += 1;
        Ok(())
    }

    fn too_deep(&mut self) -> Failed {
        let span = self.token_at(self.position).span;
        self.report(
            Diagnostic::error("W0115", span, "this is nested too deeply")
                .label(format!("beyond {DEPTH_MAX} levels, or {CHAIN_MAX} operators in a row"))
                .help("give a part of it a name, or move it into a function"),
        )
    }

    /// One more link on a chain whose parts reach `longest`.
    fn link(&mut self, longest: usize) -> Parse<usize> {
        if longest >= CHAIN_MAX { Err(self.too_deep()) } else { Ok(longest + 1) }
    }
}
