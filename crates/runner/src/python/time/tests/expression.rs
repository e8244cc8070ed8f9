//! Just enough of Python's expressions to write test cases in: literals, calls, attributes, operators.

use std::sync::Arc;

use waymark_ir::BinaryOp;

use super::super::{self as time, CONSTANTS, CONSTRUCTORS, FUNCTIONS};
use crate::context::{Context, Eval, Fault, Limits};
use crate::heap::Object;
use crate::python::Args;
use crate::types::TypeId;
use crate::value::Value;

/// What the expression gives, or the exception, as the oracle prints it.
pub fn evaluate(source: &str) -> String {
    let mut cx = Context::new(Limits::default(), 0);
    let mut reader = Reader { rest: source, cx: &mut cx };
    let result = reader.comparison();
    let rest = reader.rest.trim().to_string();
    let text = match result {
        Ok(value) => {
            assert!(rest.is_empty(), "left over in {source}: {rest}");
            show(&mut cx, &value)
        }
        Err(Fault::Worker) => "worker".to_string(),
        Err(Fault::Raise(id)) => {
            let Object::Exception(exception) = cx.heap.get(id) else { panic!("no exception") };
            let (class, args) = (exception.class, exception.args.clone());
            let message = match &args[..] {
                [Value::Str(text)] => text.to_string(),
                [Value::Int(number), Value::Str(text)] => format!("[Errno {number}] {text}"),
                _ => String::new(),
            };
            format!("{}: {message}", cx.types.get(class).short_name())
        }
    };
    let mut text = text.replace('\n', "\\n");
    for cut in ["Invalid isoformat string", "time data"] {
        if let Some(at) = text.find(cut) {
            text.truncate(at + cut.len());
        }
    }
    text
}

fn show(cx: &mut Context, value: &Value) -> String {
    match value {
        Value::None => "None".to_string(),
        Value::Bool(flag) => if *flag { "True" } else { "False" }.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Big(number) => number.to_string(),
        Value::Float(number) => format!("float {}", number.to_bits()),
        Value::Str(text) => text.to_string(),
        Value::Zone(zone) => format!("zone {}", time::zone::display(zone)),
        Value::Time(at) if at.zone.is_some() => {
            let mut naive = (**at).clone();
            let zone = naive.zone.take().map(|zone| time::zone::display(&zone)).unwrap_or_default();
            format!("{} zone {zone}", time::timeofday::repr(&naive))
        }
        Value::DateTime(at) if at.time.zone.is_some() => {
            let mut naive = (**at).clone();
            let zone = naive.time.zone.take().map(|zone| time::zone::display(&zone)).unwrap_or_default();
            format!("{} zone {zone}", time::datetime::repr(&naive))
        }
        Value::Ref(id) => {
            let Object::Tuple(items) = cx.heap.get(*id) else { panic!("no tuple") };
            let items = items.clone();
            let items: Vec<String> = items.iter().map(|item| show(cx, item)).collect();
            format!("({})", items.join(", "))
        }
        other => time::repr(cx, other).expect("a repr"),
    }
}

/// Arguments by position and by name.
type Given = (Vec<Value>, Vec<(Arc<str>, Value)>);

struct Reader<'a> {
    rest: &'a str,
    cx: &'a mut Context,
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest.trim_start().strip_prefix(token);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn word(&mut self) -> String {
        let rest = self.rest.trim_start();
        let end = rest.find(|found: char| !found.is_alphanumeric() && found != '_').unwrap_or(rest.len());
        self.rest = &rest[end..];
        rest[..end].to_string()
    }

    fn comparison(&mut self) -> Eval {
        let left = self.sum()?;
        for op in ["==", "!=", "<=", ">=", "<", ">"] {
            if self.eat(op) {
                let right = self.sum()?;
                return Ok(Value::Bool(match op {
                    "==" => time::equal(self.cx, &left, &right)?,
                    "!=" => !time::equal(self.cx, &left, &right)?,
                    "<" => time::order(self.cx, op, &left, &right)?.is_lt(),
                    "<=" => time::order(self.cx, op, &left, &right)?.is_le(),
                    ">" => time::order(self.cx, op, &left, &right)?.is_gt(),
                    _ => time::order(self.cx, op, &left, &right)?.is_ge(),
                }));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Eval {
        self.operators(&[("+", BinaryOp::Add), ("-", BinaryOp::Subtract)], Reader::product)
    }

    fn product(&mut self) -> Eval {
        let table = [
            ("*", BinaryOp::Multiply),
            ("//", BinaryOp::FloorDivide),
            ("/", BinaryOp::Divide),
            ("%", BinaryOp::Modulo),
        ];
        self.operators(&table, Reader::unary)
    }

    fn operators(&mut self, table: &[(&str, BinaryOp)], operand: fn(&mut Self) -> Eval) -> Eval {
        let mut left = operand(self)?;
        while let Some((sign, op)) = table.iter().find(|(sign, _)| self.eat(sign)) {
            let right = operand(self)?;
            left = match time::binary(self.cx, *op, &left, &right)? {
                Some(value) => value,
                None => {
                    let (left, right) = (self.cx.type_name(&left), self.cx.type_name(&right));
                    let text = format!("unsupported operand type(s) for {sign}: '{left}' and '{right}'");
                    return Err(self.cx.type_error(text));
                }
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Eval {
        if !self.eat("-") {
            return self.postfix();
        }
        Ok(match self.unary()? {
            Value::Int(number) => Value::Int(-number),
            Value::Float(number) => Value::Float(-number),
            value => time::negate(self.cx, &value)?.expect("a delta"),
        })
    }

    fn postfix(&mut self) -> Eval {
        let mut value = self.atom()?;
        while self.eat(".") {
            let name = self.word();
            value = if self.eat("(") {
                let (positional, keyword) = self.arguments()?;
                let class = self.cx.type_of(&value);
                let found = time::methods(class).iter().find(|(known, _)| *known == name);
                let method = found.unwrap_or_else(|| panic!("no method {name}")).1;
                method(self.cx, &value, Args { positional: &positional, keyword: &keyword })?
            } else {
                time::attribute(&value, &name).unwrap_or_else(|| panic!("no attribute {name}"))
            };
        }
        Ok(value)
    }

    fn arguments(&mut self) -> Eval<Given> {
        let (mut positional, mut keyword) = (Vec::new(), Vec::new());
        while !self.eat(")") {
            let before = self.rest;
            let name = self.word();
            let named = !name.is_empty() && self.rest.starts_with('=') && !self.rest.starts_with("==");
            if named {
                self.eat("=");
                let value = self.comparison()?;
                keyword.push((name.into(), value));
            } else {
                self.rest = before;
                positional.push(self.comparison()?);
            }
            self.eat(",");
        }
        Ok((positional, keyword))
    }

    fn atom(&mut self) -> Eval {
        let rest = self.rest.trim_start();
        if self.eat("(") {
            let value = self.comparison()?;
            assert!(self.eat(")"), "a parenthesis before {}", self.rest);
            return Ok(value);
        }
        if self.eat("'") {
            let (text, rest) = self.rest.split_once('\'').expect("a quote");
            self.rest = rest;
            return Ok(Value::from(text));
        }
        if rest.starts_with(|found: char| found.is_ascii_digit()) {
            let part = |(at, found): (usize, char)| {
                let exponent = matches!(found, '+' | '-') && rest[..at].ends_with('e');
                !(found.is_ascii_digit() || found == '.' || found == 'e' || exponent)
            };
            let end = rest.char_indices().find(|place| part(*place)).map_or(rest.len(), |(at, _)| at);
            self.rest = &rest[end..];
            let digits = &rest[..end];
            return Ok(match digits.contains(['.', 'e']) {
                true => Value::Float(digits.parse().expect("a float")),
                false => Value::integer(digits.parse().expect("an integer")),
            });
        }
        let name = self.word();
        match name.as_str() {
            "None" => return Ok(Value::None),
            "True" => return Ok(Value::Bool(true)),
            "UTC" => return Ok(Value::Zone(waymark_ir::Zone::UTC.into())),
            _ => {}
        }
        if self.eat(".") {
            let full = format!("datetime.{name}.{}", self.word());
            if let Some((_, constant)) = CONSTANTS.iter().find(|(known, _)| *known == full) {
                return Ok(constant());
            }
            let found = FUNCTIONS.iter().find(|(known, _)| *known == full);
            let function = found.unwrap_or_else(|| panic!("no function {full}")).1;
            assert!(self.eat("("));
            let (positional, keyword) = self.arguments()?;
            return function(self.cx, Args { positional: &positional, keyword: &keyword });
        }
        assert!(self.eat("("), "a call of {name}");
        let (positional, keyword) = self.arguments()?;
        self.call(&name, &positional, &keyword)
    }

    fn call(&mut self, name: &str, positional: &[Value], keyword: &[(Arc<str>, Value)]) -> Eval {
        let cx = &mut *self.cx;
        let class = match name {
            "date" => TypeId::DATE,
            "datetime" => TypeId::DATETIME,
            "time" => TypeId::TIME,
            "timedelta" => TypeId::TIMEDELTA,
            "timezone" => TypeId::TIMEZONE,
            "ZoneInfo" => TypeId::ZONEINFO,
            _ => {
                return Ok(match (name, positional) {
                    ("float", [Value::Str(text)]) => Value::Float(text.parse().expect("a float")),
                    ("number", [Value::Float(number)]) => Value::from(format!("{number:?}")),
                    ("repr", [value]) => Value::from(time::repr(cx, value)?),
                    ("str", [Value::None]) => Value::from("None"),
                    ("str", [value]) => Value::from(time::display(cx, value)?),
                    ("bool", [value]) => Value::Bool(time::truth(value)),
                    ("abs", [value]) => time::absolute(cx, value)?.expect("a delta"),
                    ("format", [value, Value::Str(spec)]) => Value::from(time::format(cx, value, spec)?),
                    ("same_key", [left, right]) => Value::Bool(time::key(cx, left)? == time::key(cx, right)?),
                    ("divmod", [left, right]) => {
                        let (quotient, rest) = time::divmod(cx, left, right)?.expect("deltas");
                        cx.tuple(vec![quotient, rest])
                    }
                    _ => panic!("no function {name}"),
                });
            }
        };
        let constructor = CONSTRUCTORS.iter().find(|(known, _)| *known == class).expect("known").1;
        constructor(cx, Args { positional, keyword })
    }
}
