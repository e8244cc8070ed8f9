//! One pass over the tokens before parsing, so that the parser never has to try and go back: which bracket closes which,
//! and which words `spread` belong to an arrow. Without an arrow `spread` is a variable like any other.

use crate::text::lexer::{Token, TokenKind};

use super::is_keyword;

pub(super) fn scan(source: &str, tokens: &[Token]) -> (Vec<usize>, Vec<bool>) {
    let text = |position: usize| &source[tokens[position].start..tokens[position].end];
    let mut closers = vec![usize::MAX; tokens.len()];
    let mut spreads = vec![false; tokens.len()];
    // Open brackets and, for each level, the words that may still meet their arrow.
    let mut open: Vec<usize> = Vec::new();
    let mut candidates: Vec<Vec<usize>> = vec![Vec::new()];
    let mut opener_of_last = usize::MAX;
    for (position, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Op("(" | "[" | "{") => {
                open.push(position);
                candidates.push(Vec::new());
            }
            TokenKind::Op(")" | "]" | "}") => {
                if let Some(opener) = open.pop() {
                    closers[opener] = position;
                    candidates.pop();
                    opener_of_last = opener;
                }
            }
            TokenKind::Newline => {
                open.clear();
                candidates.truncate(1);
                candidates.iter_mut().for_each(Vec::clear);
            }
            TokenKind::Name if text(position) == "spread" => {
                let begins_operand = match tokens.get(position + 1).map(|next| next.kind) {
                    Some(TokenKind::Name) => {
                        let word = text(position + 1);
                        !is_keyword(word) || matches!(word, "await" | "not" | "lambda" | "None" | "True" | "False")
                    }
                    Some(TokenKind::Number | TokenKind::String | TokenKind::FormatStart) => true,
                    Some(TokenKind::Op(operator)) => {
                        matches!(operator, "(" | "[" | "{" | "@" | "-" | "+" | "~" | "...")
                    }
                    _ => false,
                };
                if begins_operand && let Some(level) = candidates.last_mut() {
                    level.push(position);
                }
            }
            TokenKind::Op("->") => {
                let ends_fragment = position > 0
                    && tokens[position - 1].kind == TokenKind::Op(")")
                    && opener_of_last > 0
                    && opener_of_last < position
                    && tokens[opener_of_last - 1].kind == TokenKind::String;
                if !ends_fragment && let Some(spread) = candidates.last_mut().and_then(Vec::pop) {
                    spreads[spread] = true;
                }
            }
            _ => {}
        }
    }
    (closers, spreads)
}
