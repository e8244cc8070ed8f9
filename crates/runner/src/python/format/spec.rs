//! A format specification, parsed: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.

use crate::context::{Context, Eval, Fault};
use crate::python::text::unicode::decimal_value;

#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub fill: char,
    /// `<`, `>`, `^` or `=`
    pub align: char,
    pub sign: Option<char>,
    pub no_negative_zero: bool,
    pub alternate: bool,
    pub width: usize,
    /// `,` or `_`
    pub grouping: Option<char>,
    pub precision: Option<usize>,
    pub kind: Option<char>,
}

impl Spec {
    pub fn parse(
        cx: &mut Context,
        text: &str,
        type_name: &str,
        default_kind: Option<char>,
        default_align: char,
    ) -> Eval<Spec> {
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        let is_align = |char: Option<&char>| matches!(char, Some('<' | '>' | '=' | '^'));
        let mut spec = Spec {
            fill: ' ',
            align: default_align,
            sign: None,
            no_negative_zero: false,
            alternate: false,
            width: 0,
            grouping: None,
            precision: None,
            kind: default_kind,
        };
        let (mut fill_given, mut align_given) = (false, false);
        if is_align(chars.get(1)) {
            (spec.fill, spec.align) = (chars[0], chars[1]);
            (fill_given, align_given) = (true, true);
            at = 2;
        } else if is_align(chars.first()) {
            spec.align = chars[0];
            align_given = true;
            at = 1;
        }
        if let Some(sign @ ('+' | '-' | ' ')) = chars.get(at) {
            spec.sign = Some(*sign);
            at += 1;
        }
        let take = |at: &mut usize, wanted: char| {
            let there = chars.get(*at) == Some(&wanted);
            *at += usize::from(there);
            there
        };
        spec.no_negative_zero = take(&mut at, 'z');
        spec.alternate = take(&mut at, '#');
        if !fill_given && take(&mut at, '0') {
            spec.fill = '0';
            if !align_given && default_align == '>' {
                spec.align = '=';
            }
        }
        spec.width = digits(cx, &chars, &mut at)?.unwrap_or(0);
        if take(&mut at, ',') {
            spec.grouping = Some(',');
        }
        if take(&mut at, '_') {
            if spec.grouping.is_some() {
                return Err(cx.value_error("Cannot specify both ',' and '_'."));
            }
            spec.grouping = Some('_');
        }
        if spec.grouping == Some('_') && take(&mut at, ',') {
            return Err(cx.value_error("Cannot specify both ',' and '_'."));
        }
        if take(&mut at, '.') {
            spec.precision = digits(cx, &chars, &mut at)?;
            if spec.precision.is_none() {
                return Err(cx.value_error("Format specifier missing precision"));
            }
        }
        match chars[at..] {
            [] => {}
            [kind] => spec.kind = Some(kind),
            _ => {
                let message = format!("Invalid format specifier '{text}' for object of type '{type_name}'");
                return Err(cx.value_error(message));
            }
        }
        spec.check_grouping(cx)?;
        Ok(spec)
    }

    fn check_grouping(&self, cx: &mut Context) -> Eval<()> {
        let Some(separator) = self.grouping else { return Ok(()) };
        match self.kind {
            None | Some('d' | 'e' | 'f' | 'g' | 'E' | 'G' | '%' | 'F') => Ok(()),
            Some('b' | 'o' | 'x' | 'X') if separator == '_' => Ok(()),
            Some(kind) => {
                let kind = shown(kind);
                Err(cx.value_error(format!("Cannot specify '{separator}' with '{kind}'.")))
            }
        }
    }

    pub fn unknown_kind(&self, cx: &mut Context, type_name: &str) -> Fault {
        let kind = self.kind.map(shown).unwrap_or_default();
        cx.value_error(format!("Unknown format code '{kind}' for object of type '{type_name}'"))
    }

    /// How much fill goes before and after.
    pub fn around(&self, missing: usize) -> (usize, usize) {
        match self.align {
            '<' => (0, missing),
            '^' => (missing / 2, missing - missing / 2),
            _ => (missing, 0),
        }
    }
}

fn shown(kind: char) -> String {
    if ('!'..='\x7f').contains(&kind) { kind.to_string() } else { format!("\\x{:x}", kind as u32) }
}

/// A run of decimal digits of any script. `None`: there is none.
pub fn digits(cx: &mut Context, chars: &[char], at: &mut usize) -> Eval<Option<usize>> {
    let mut number: Option<i64> = None;
    while let Some(digit) = chars.get(*at).copied().and_then(decimal_value) {
        *at += 1;
        let grown = number.unwrap_or(0).checked_mul(10).and_then(|tens| tens.checked_add(i64::from(digit)));
        if grown.is_none() {
            return Err(cx.value_error("Too many decimal digits in format string"));
        }
        number = grown;
    }
    Ok(number.map(|number| number as usize))
}
