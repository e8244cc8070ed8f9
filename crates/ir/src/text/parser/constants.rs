//! `const(kind: …)`: values that Python has no literal for, and the values in type declarations. See the module doc of
//! [`crate::text`] for the forms.

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

use super::expressions::expr;
use super::{Failed, Parse, Parser};
use crate::text::lexer::TokenKind;
use crate::text::moment;
use crate::{Decimal, Delta, Diagnostic, ExceptionValue, Expr, ExprKind, Value, Zone};

const KINDS: [&str; 14] = [
    "float",
    "list",
    "tuple",
    "dict",
    "set",
    "frozenset",
    "object",
    "exception",
    "date",
    "time",
    "datetime",
    "delta",
    "decimal",
    "uuid",
];

impl Parser<'_> {
    /// `const(` and a kind with a colon cannot be a call of something named `const`.
    pub(super) fn at_constant(&self) -> bool {
        self.at_word("const")
            && self.is_operator(self.position + 1, "(")
            && self.is_kind(self.position + 2, TokenKind::Name)
            && self.is_operator(self.position + 3, ":")
    }

    pub(super) fn constant(&mut self) -> Parse<Expr> {
        let start = self.position;
        self.advance();
        self.advance();
        let kind = self.constant_kind()?;
        self.expect(":")?;
        let value = self.constant_body(kind)?;
        self.expect(")")?;
        Ok(expr(ExprKind::Const(value), self.span_from(start)))
    }

    fn constant_kind(&mut self) -> Parse<&'static str> {
        let (word, span) = (self.text_at(self.position), self.token_at(self.position).span);
        match KINDS.into_iter().find(|kind| *kind == word && self.kind() == TokenKind::Name) {
            Some(kind) => {
                self.advance();
                Ok(kind)
            }
            None if self.kind() == TokenKind::Invalid => Err(Failed),
            None => {
                let message = format!("there is no constant of kind `{word}`");
                Err(self.report(
                    Diagnostic::error("W0117", span, message).help(format!("the kinds are {}", KINDS.join(", "))),
                ))
            }
        }
    }

    /// A value: a literal, a display of values, or `kind(…)`.
    pub(super) fn value(&mut self) -> Parse<Value> {
        self.enter()?;
        let value = match self.kind() {
            TokenKind::Op("[") => Value::List(self.values("[", "]")?),
            TokenKind::Op("(") => Value::Tuple(self.values("(", ")")?),
            TokenKind::Op("{") => Value::Dict(self.value_entries()?),
            TokenKind::Name if self.is_operator(self.position + 1, "(") => {
                let kind = self.constant_kind()?;
                self.advance();
                let value = self.constant_body(kind)?;
                self.expect(")")?;
                value
            }
            _ => self.value_literal()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn value_literal(&mut self) -> Parse<Value> {
        let is_literal = match self.kind() {
            TokenKind::Name => matches!(self.text_at(self.position), "None" | "True" | "False"),
            TokenKind::Number | TokenKind::String | TokenKind::Op("-" | "...") => true,
            _ => false,
        };
        if !is_literal {
            return Err(self.expected("a constant"));
        }
        let value = self.expression()?;
        match value.kind {
            ExprKind::Const(constant) => Ok(constant),
            _ => Err(self.bad_constant(value.span, "this is not a constant")),
        }
    }

    fn bad_constant(&mut self, span: crate::Span, message: &str) -> Failed {
        self.report(Diagnostic::error("W0117", span, message))
    }

    fn values(&mut self, open: &str, close: &str) -> Parse<Vec<Value>> {
        self.expect(open)?;
        let values = self.values_until(close)?;
        self.expect(close)?;
        Ok(values)
    }

    fn values_until(&mut self, close: &str) -> Parse<Vec<Value>> {
        let mut values = Vec::new();
        while !self.at(close) {
            values.push(self.value()?);
            if !self.eat(",") {
                break;
            }
        }
        Ok(values)
    }

    fn value_entries(&mut self) -> Parse<Vec<(Value, Value)>> {
        self.expect("{")?;
        let mut entries = Vec::new();
        while !self.at("}") {
            let key = self.value()?;
            self.expect(":")?;
            entries.push((key, self.value()?));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(entries)
    }

    fn constant_body(&mut self, kind: &'static str) -> Parse<Value> {
        let start = self.position;
        let value = match kind {
            "list" | "tuple" | "dict" => {
                let value = self.value()?;
                let fits = matches!(
                    (kind, &value),
                    ("list", Value::List(_)) | ("tuple", Value::Tuple(_)) | ("dict", Value::Dict(_))
                );
                fits.then_some(value)
            }
            "set" => Some(Value::Set(self.values_until(")")?)),
            "frozenset" => Some(Value::FrozenSet(self.values_until(")")?)),
            "float" => self.float_body(),
            "delta" => self.delta_body()?,
            "date" => moment::date(&self.text_literal()?).map(Value::Date),
            "time" => self.moment_body(false)?,
            "datetime" => self.moment_body(true)?,
            "decimal" => decimal(&self.text_literal()?).map(Value::Decimal),
            "uuid" => uuid(&self.text_literal()?),
            "object" => Some(self.object_body()?),
            _ => Some(Value::Exception(Box::new(self.exception_body()?))),
        };
        match value {
            Some(value) => Ok(value),
            None => {
                let span = self.span_from(start);
                Err(self.bad_constant(span, &format!("this is not a {kind}")))
            }
        }
    }

    fn float_body(&mut self) -> Option<Value> {
        let negative = self.eat("-");
        let value = match self.text_at(self.position) {
            "inf" => f64::INFINITY,
            "nan" => f64::NAN,
            _ => return None,
        };
        self.advance();
        Some(Value::Float(if negative { -value } else { value }))
    }

    fn delta_body(&mut self) -> Parse<Option<Value>> {
        let microseconds = match self.value()? {
            Value::Int(number) => Some(number.into()),
            Value::BigInt(number) => number.to_i128(),
            _ => None,
        };
        Ok(microseconds.map(|microseconds| Value::Delta(Delta { microseconds })))
    }

    /// `"text"`, then `zone="…"`, `name="…"`, `fold=True` in any order.
    fn moment_body(&mut self, with_date: bool) -> Parse<Option<Value>> {
        let text = self.text_literal()?;
        let Some(mut value) = moment::time_or_datetime(&text, with_date) else { return Ok(None) };
        while self.eat(",") && !self.at(")") {
            let (key, option) = self.option()?;
            let time = match &mut value {
                Value::DateTime(moment) => &mut moment.time,
                Value::Time(time) => time,
                _ => return Ok(None),
            };
            match (key.as_str(), option, &mut time.zone) {
                ("fold", Value::Bool(fold), _) => time.fold = fold,
                ("zone", Value::Str(zone), None) => time.zone = Some(Zone::Named(zone)),
                ("name", Value::Str(text), Some(Zone::Fixed { name, .. })) => *name = Some(text),
                _ => return Ok(None),
            }
        }
        Ok(Some(value))
    }

    fn option(&mut self) -> Parse<(String, Value)> {
        let key = self.identifier("an option's name")?;
        self.expect("=")?;
        Ok((key, self.value()?))
    }

    fn object_body(&mut self) -> Parse<Value> {
        let type_name = self.text_literal()?;
        let mut fields = Vec::new();
        if self.eat(",") && !self.at(")") {
            fields = self.named_values()?;
        }
        Ok(Value::Object { type_name, fields })
    }

    /// `{"name": value, …}`
    fn named_values(&mut self) -> Parse<Vec<(String, Value)>> {
        let start = self.position;
        let mut fields = Vec::new();
        for (key, value) in self.value_entries()? {
            let Value::Str(key) = key else {
                let span = self.span_from(start);
                return Err(self.bad_constant(span, "the keys here are strings"));
            };
            fields.push((key, value));
        }
        Ok(fields)
    }

    fn exception_body(&mut self) -> Parse<ExceptionValue> {
        let mut exception = ExceptionValue { type_name: self.text_literal()?, ..ExceptionValue::default() };
        while self.eat(",") && !self.at(")") {
            let start = self.position;
            if self.at_word("fields") {
                self.position += 1;
                self.expect("=")?;
                exception.fields = self.named_values()?;
                continue;
            }
            let (key, value) = self.option()?;
            let texts = |values: Vec<Value>| -> Option<Vec<String>> {
                values.into_iter().map(|value| if let Value::Str(text) = value { Some(text) } else { None }).collect()
            };
            let stored = match (key.as_str(), value) {
                ("args", Value::List(args)) => {
                    exception.args = args;
                    Some(())
                }
                ("bases", Value::List(bases)) => texts(bases).map(|bases| exception.bases = bases),
                ("notes", Value::List(notes)) => texts(notes).map(|notes| exception.notes = notes),
                ("traceback", Value::List(lines)) => texts(lines).map(|lines| exception.traceback = lines),
                ("message", Value::Str(message)) => {
                    exception.message = Some(message);
                    Some(())
                }
                ("cause", Value::Exception(cause)) => {
                    exception.cause = Some(cause);
                    Some(())
                }
                ("context", Value::Exception(context)) => {
                    exception.context = Some(context);
                    Some(())
                }
                ("suppress_context", Value::Bool(suppress)) => {
                    exception.suppress_context = suppress;
                    Some(())
                }
                _ => None,
            };
            if stored.is_none() {
                let span = self.span_from(start);
                return Err(self.bad_constant(span, &format!("an exception has no such `{key}`")));
            }
        }
        Ok(exception)
    }
}

/// As Python prints one.
fn decimal(text: &str) -> Option<Decimal> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    match digits {
        "NaN" if !negative => return Some(Decimal::NaN),
        "Infinity" => return Some(Decimal::Infinity { negative }),
        _ => {}
    }
    let (mantissa, exponent) = match digits.split_once('E') {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || digits.len() > crate::text::literal::DECIMAL_DIGITS_MAX {
        return None;
    }
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let coefficient = BigUint::parse_bytes(digits.as_bytes(), 10)?;
    Some(Decimal::Finite { negative, coefficient, exponent })
}

fn uuid(text: &str) -> Option<Value> {
    let digits = text.replace('-', "");
    let whole = digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = BigInt::parse_bytes(digits.as_bytes(), 16).filter(|_| whole)?;
    number.to_u128().map(Value::Uuid)
}
