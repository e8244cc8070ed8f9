//! `center`, `ljust`, `rjust`, `zfill` and `expandtabs`, on text whose width is counted in characters (for bytes: in bytes).

use crate::context::{Context, Eval};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
    Both,
}

/// How much to put before and after something of `length`, so that it becomes `width` long.
pub fn padding(side: Side, width: i64, length: usize) -> (usize, usize) {
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(length);
    match side {
        Side::Left => (0, missing),
        Side::Right => (missing, 0),
        // An odd one goes to the left where the width is odd too.
        Side::Both => {
            let left = missing / 2 + (missing & width as usize & 1);
            (left, missing - left)
        }
    }
}

pub fn pad(cx: &mut Context, text: &str, (before, after): (usize, usize), fill: char) -> Eval<String> {
    let fill_bytes = before.saturating_add(after).saturating_mul(fill.len_utf8());
    cx.check_size(text.len().saturating_add(fill_bytes))?;
    let mut out = String::with_capacity(text.len() + fill_bytes);
    out.extend(std::iter::repeat_n(fill, before));
    out.push_str(text);
    out.extend(std::iter::repeat_n(fill, after));
    Ok(out)
}

/// Zeros between the sign and the rest.
pub fn zero_filled(cx: &mut Context, text: &str, missing: usize) -> Eval<String> {
    let signed = text.starts_with(['+', '-']);
    let (sign, rest) = text.split_at(usize::from(signed));
    let filled = pad(cx, rest, (missing, 0), '0')?;
    Ok(format!("{sign}{filled}"))
}

/// The pieces of a text with tabs become spaces up to the next column that `tab_size` divides.
pub fn tabs_expanded(cx: &mut Context, text: &str, tab_size: i32) -> Eval<String> {
    cx.charge(text.len() / 8)?;
    let tab_size = usize::try_from(tab_size).unwrap_or(0);
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    for char in text.chars() {
        match char {
            '\t' if tab_size == 0 => {}
            '\t' => {
                let spaces = tab_size - column % tab_size;
                if out.len() + spaces > cx.limits.value_bytes_max {
                    cx.check_size(out.len() + spaces)?;
                }
                column += spaces;
                out.extend(std::iter::repeat_n(' ', spaces));
            }
            '\n' | '\r' => {
                column = 0;
                out.push(char);
            }
            _ => {
                column += 1;
                out.push(char);
            }
        }
    }
    cx.check_size(out.len())?;
    Ok(out)
}
