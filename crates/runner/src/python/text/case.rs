//! `upper`, `lower`, `title` and their kin, with Unicode's full mappings and the final sigma.

use super::unicode::{
    is_case_ignorable, is_cased, is_lower, is_title, is_upper, push_folded, push_lower, push_title, push_upper,
};

pub fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        push_lower_at(&mut out, text, at, char);
    }
    out
}

pub fn upper(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_uppercase();
    }
    mapped(text, push_upper)
}

pub fn casefold(text: &str) -> String {
    mapped(text, push_folded)
}

fn mapped(text: &str, push: fn(&mut String, char)) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|char| push(&mut out, char));
    out
}

pub fn capitalize(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        if at == 0 {
            push_title(&mut out, char);
        } else {
            push_lower_at(&mut out, text, at, char);
        }
    }
    out
}

pub fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside_word = false;
    for (at, char) in text.char_indices() {
        if inside_word {
            push_lower_at(&mut out, text, at, char);
        } else {
            push_title(&mut out, char);
        }
        inside_word = is_cased(char);
    }
    out
}

pub fn swapcase(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        if is_upper(char) {
            push_lower_at(&mut out, text, at, char);
        } else if is_lower(char) {
            push_upper(&mut out, char);
        } else {
            out.push(char);
        }
    }
    out
}

/// A capital sigma at the end of a word has a lower case of its own.
fn push_lower_at(out: &mut String, text: &str, at: usize, char: char) {
    if char != 'Σ' {
        return push_lower(out, char);
    }
    let before = text[..at].chars().rev().find(|char| !is_case_ignorable(*char));
    let after = text[at + char.len_utf8()..].chars().find(|char| !is_case_ignorable(*char));
    let last = before.is_some_and(is_cased) && !after.is_some_and(is_cased);
    out.push(if last { 'ς' } else { 'σ' });
}

pub fn is_all_lower(text: &str) -> bool {
    text.chars().any(is_lower) && !text.chars().any(|char| is_upper(char) || is_title(char))
}

pub fn is_all_upper(text: &str) -> bool {
    text.chars().any(is_upper) && !text.chars().any(|char| is_lower(char) || is_title(char))
}

pub fn is_all_title(text: &str) -> bool {
    let mut any = false;
    let mut inside_word = false;
    for char in text.chars() {
        if is_upper(char) || is_title(char) {
            if inside_word {
                return false;
            }
            (any, inside_word) = (true, true);
        } else if is_lower(char) {
            if !inside_word {
                return false;
            }
            any = true;
        } else {
            inside_word = false;
        }
    }
    any
}
