//! Containers, comparison and built-ins against CPython: each line is run here, by a reader of just enough syntax, and
//! by `python3`, and both must give the same result or raise the same exception with the same words.

use std::process::Command;
use std::sync::Arc;

use num_bigint::BigInt;
use waymark_ir::CompareOp;

use crate::context::{Context, Eval, Fault, Limits};
use crate::heap::{Dict, Object, Set};
use crate::python::{Args, builtins, compare, copy, dict, iterate, list, set, subscript, tuple};
use crate::types::TypeId;
use crate::value::Value;

const PYTHON: &str = r#"
import copy, sys
for line in sys.stdin.read().splitlines():
    *before, last = line.split(";")
    scope = {"copy": copy}
    try:
        for one in before: exec(one.strip(), scope)
        last = last.strip()
        if last.startswith("del "): exec(last, scope); print("None")
        else: print(repr(eval(last, scope)))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
"#;

#[test]
fn same_as_cpython() {
    let lines: Vec<&str> =
        include_str!("container_cases.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let mut python = Command::new("python3")
        .args(["-W", "ignore", "-c", PYTHON])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("python3 runs");
    std::io::Write::write_all(&mut python.stdin.take().expect("piped"), lines.join("\n").as_bytes()).expect("written");
    let output = python.wait_with_output().expect("python3 ends");
    let expected: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect();
    assert_eq!(expected.len(), lines.len(), "one answer a line");
    let wrong: Vec<String> = lines
        .iter()
        .zip(expected)
        .filter_map(|(line, expected)| {
            let given = run(line);
            (given != expected).then(|| format!("{line}\n  python: {expected}\n  here:   {given}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

fn run(line: &str) -> String {
    let mut cx = Context::new(Limits::default(), 1);
    let mut names = Vec::new();
    let mut last = Ok(Value::None);
    for statement in line.split(';') {
        let mut reader = Reader { cx: &mut cx, text: statement.trim(), names: &mut names, deleting: false };
        last = reader.statement();
        if last.is_err() {
            break;
        }
        assert!(reader.text.is_empty(), "not read to the end: {line}: {}", reader.text);
    }
    match last {
        Ok(value) => show(&cx, &value, 0),
        Err(Fault::Worker) => "Worker".into(),
        Err(Fault::Raise(id)) => {
            let Object::Exception(exception) = cx.heap.get(id) else { return "not an exception".into() };
            let words = match &exception.args[..] {
                [Value::Str(text)] if exception.class != TypeId::KEY_ERROR => text.to_string(),
                [one] => show(&cx, one, 0),
                _ => String::new(),
            };
            format!("{}: {words}", cx.types.get(exception.class).short_name())
        }
    }
}

fn show(cx: &Context, value: &Value, depth: usize) -> String {
    if depth > 8 {
        return "...".into();
    }
    let all = |items: &mut dyn Iterator<Item = &Value>| -> String {
        items.map(|item| show(cx, item, depth + 1)).collect::<Vec<_>>().join(", ")
    };
    match value {
        Value::None => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Int(value) => value.to_string(),
        Value::Big(value) => value.to_string(),
        Value::Float(value) if value.is_nan() => "nan".into(),
        Value::Float(value) => format!("{value:?}").replace('e', "e+").replace("+-", "-"),
        Value::Str(text) => format!("'{text}'"),
        Value::Bytes(bytes) => {
            format!("b{:?}", String::from_utf8_lossy(bytes)).replace('"', "'").replace("\\0", "\\x00")
        }
        Value::Type(class) => format!("<class '{}'>", cx.types.get(*class).name),
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => format!("[{}]", all(&mut list.items.iter())),
            Object::Tuple(items) if items.len() == 1 => format!("({},)", all(&mut items.iter())),
            Object::Tuple(items) => format!("({})", all(&mut items.iter())),
            Object::Dict(dict) => {
                let pair = |(name, value)| format!("{}: {}", show(cx, name, depth + 1), show(cx, value, depth + 1));
                format!("{{{}}}", dict.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
            Object::Set(set) if set.is_empty() => format!("{}()", cx.type_name(value)),
            Object::Set(set) if set.frozen => format!("frozenset({{{}}})", all(&mut set.iter())),
            Object::Set(set) => format!("{{{}}}", all(&mut set.iter())),
            Object::Range(range) if range.step == 1 => format!("range({}, {})", range.start, range.stop),
            Object::Range(range) => format!("range({}, {}, {})", range.start, range.stop, range.step),
            other => format!("{other:?}"),
        },
        other => format!("{other:?}"),
    }
}

/// Evaluates while it reads. Panics on syntax that it does not know: the cases are ours.
struct Reader<'a> {
    cx: &'a mut Context,
    text: &'a str,
    names: &'a mut Vec<(String, Value)>,
    deleting: bool,
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        self.text = self.text.trim_start();
        match self.text.strip_prefix(token) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    fn eat_assign(&mut self) -> bool {
        self.text = self.text.trim_start();
        !self.text.starts_with("==") && self.eat("=")
    }

    fn word(&mut self) -> String {
        self.text = self.text.trim_start();
        let end = self.text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        word.to_string()
    }

    fn statement(&mut self) -> Eval {
        self.deleting = self.eat("del ");
        let before = self.text;
        let name = self.word();
        if !name.is_empty() && self.eat_assign() {
            let value = self.expression()?;
            self.names.push((name, value));
            return Ok(Value::None);
        }
        self.text = before;
        self.expression()
    }

    fn expression(&mut self) -> Eval {
        let left = self.operand()?;
        const OPERATORS: &[(&str, CompareOp)] = &[
            ("==", CompareOp::Equal),
            ("!=", CompareOp::NotEqual),
            ("<=", CompareOp::LessEqual),
            (">=", CompareOp::GreaterEqual),
            ("<", CompareOp::Less),
            (">", CompareOp::Greater),
            ("not in ", CompareOp::NotIn),
            ("in ", CompareOp::In),
            ("is ", CompareOp::Is),
        ];
        for (token, op) in OPERATORS {
            if self.eat(token) {
                let right = self.operand()?;
                return Ok(Value::Bool(compare::compare(self.cx, *op, &left, &right)?));
            }
        }
        Ok(left)
    }

    fn operand(&mut self) -> Eval {
        let mut value = self.atom()?;
        loop {
            if self.eat("[") {
                let index = self.subscript()?;
                if self.eat_assign() {
                    let new = self.expression()?;
                    subscript::set_item(self.cx, &value, &index, new)?;
                    return Ok(Value::None);
                }
                if self.deleting && self.text.is_empty() {
                    subscript::delete_item(self.cx, &value, &index)?;
                    return Ok(Value::None);
                }
                value = subscript::get_item(self.cx, &value, &index)?;
            } else if self.eat(".") {
                let name = self.word();
                assert!(self.eat("("));
                let (positional, keyword) = self.arguments()?;
                let methods = match self.cx.type_of(&value) {
                    TypeId::LIST => list::METHODS,
                    TypeId::TUPLE => tuple::METHODS,
                    TypeId::RANGE => tuple::RANGE_METHODS,
                    TypeId::DICT => dict::METHODS,
                    TypeId::SET => set::METHODS,
                    TypeId::FROZENSET => set::FROZEN_METHODS,
                    _ => dict::VIEW_METHODS,
                };
                let (_, method) = methods.iter().find(|(known, _)| *known == name).expect("a method");
                value = method(self.cx, &value, Args { positional: &positional, keyword: &keyword })?;
            } else {
                return Ok(value);
            }
        }
    }

    fn subscript(&mut self) -> Eval {
        let mut parts = vec![Value::None];
        let mut slice = false;
        loop {
            if self.eat("]") {
                break;
            } else if self.eat(":") {
                slice = true;
                parts.push(Value::None);
            } else {
                *parts.last_mut().expect("one at least") = self.expression()?;
            }
        }
        if !slice {
            return Ok(parts.remove(0));
        }
        parts.resize(3, Value::None);
        let parts: [Value; 3] = parts.try_into().expect("three");
        Ok(Value::Ref(self.cx.heap.add(Object::Slice(Box::new(parts)))))
    }

    #[allow(clippy::type_complexity)]
    fn arguments(&mut self) -> Eval<(Vec<Value>, Vec<(Arc<str>, Value)>)> {
        let (mut positional, mut keyword) = (Vec::new(), Vec::new());
        while !self.eat(")") {
            let before = self.text;
            let name = self.word();
            if !name.is_empty() && self.eat_assign() {
                keyword.push((name.into(), self.expression()?));
            } else {
                self.text = before;
                positional.push(self.expression()?);
            }
            self.eat(",");
        }
        Ok((positional, keyword))
    }

    fn items(&mut self, end: &str) -> Eval<Vec<Value>> {
        let mut items = Vec::new();
        while !self.eat(end) {
            items.push(self.expression()?);
            self.eat(",");
        }
        Ok(items)
    }

    fn atom(&mut self) -> Eval {
        if self.eat("(") {
            let inner = self.text;
            let items = self.items(")")?;
            let read = &inner[..inner.len() - self.text.len()];
            let one = items.len() == 1 && !read.trim_end_matches([')', ' ']).ends_with(',');
            return Ok(if one { items[0].clone() } else { self.cx.tuple(items) });
        }
        if self.eat("[") {
            let items = self.items("]")?;
            return Ok(self.cx.list(items));
        }
        if self.eat("{") {
            return self.braces();
        }
        for (token, is_bytes) in [("b'", true), ("'", false)] {
            if self.eat(token) {
                let end = self.text.find('\'').expect("a closing quote");
                let text = &self.text[..end];
                let value = if is_bytes { Value::bytes(text.as_bytes().to_vec()) } else { Value::from(text) };
                self.text = &self.text[end + 1..];
                return Ok(value);
            }
        }
        self.text = self.text.trim_start();
        if self.text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return Ok(self.number());
        }
        self.named()
    }

    fn braces(&mut self) -> Eval {
        let (mut entries, mut members) = (Dict::default(), Set::new(false));
        while !self.eat("}") {
            let item = self.expression()?;
            let key = compare::key_of(self.cx, &item)?;
            if self.eat(":") {
                let value = self.expression()?;
                entries.insert(key, item, value);
            } else {
                members.insert(key, item);
            }
            self.eat(",");
        }
        let object = if members.is_empty() { Object::Dict(entries) } else { Object::Set(members) };
        Ok(Value::Ref(self.cx.heap.add(object)))
    }

    fn number(&mut self) -> Value {
        let end = self.text.find(|c: char| !c.is_ascii_digit() && !"-.e+".contains(c)).unwrap_or(self.text.len());
        let (digits, rest) = self.text.split_at(end);
        self.text = rest;
        if let Ok(value) = digits.parse::<BigInt>() {
            if self.eat("**") {
                let exponent = self.word().parse().expect("an exponent");
                let power = BigInt::from(value.magnitude().pow(exponent));
                return Value::integer(if digits.starts_with('-') { -power } else { power });
            }
            return Value::integer(value);
        }
        Value::Float(digits.parse().expect("a float"))
    }

    fn named(&mut self) -> Eval {
        let mut name = self.word();
        while self.text.starts_with('.') && matches!(&*name, "copy" | "dict") {
            self.text = &self.text[1..];
            name = format!("{name}.{}", self.word());
        }
        match &*name {
            "None" => return Ok(Value::None),
            "True" => return Ok(Value::Bool(true)),
            "False" => return Ok(Value::Bool(false)),
            _ => {}
        }
        if let Some((_, value)) = self.names.iter().rev().find(|(known, _)| *known == name) {
            return Ok(value.clone());
        }
        let class = self.cx.types.find(&name);
        if !self.text.starts_with('(') {
            return Ok(Value::Type(class.unwrap_or_else(|| panic!("a name: {name}"))));
        }
        self.eat("(");
        let (positional, keyword) = self.arguments()?;
        if name == "float" {
            let Some(Value::Str(text)) = positional.first() else { panic!("float of a text") };
            return Ok(Value::Float(text.parse().expect("a float")));
        }
        let tables = [builtins::FUNCTIONS, copy::FUNCTIONS, dict::FUNCTIONS];
        let known = tables.iter().flat_map(|table| table.iter()).find(|(known, _)| *known == name).map(|(_, f)| *f);
        let made = builtins::CONSTRUCTORS.iter().find(|(id, _)| Some(*id) == class).map(|(_, f)| *f);
        let function = known.or(made).unwrap_or_else(|| panic!("a function: {name}"));
        function(self.cx, Args { positional: &positional, keyword: &keyword })
    }
}

#[test]
fn nothing_recurses_without_bound() {
    let mut cx = Context::new(Limits::default(), 1);
    let (mut left, mut right) = (cx.list(vec![]), cx.list(vec![]));
    let (mut nested, mut pairs) = (cx.tuple(vec![]), iterate::iter(&mut cx, &left).expect("an iterator"));
    for _ in 0..10_000 {
        (left, right) = (cx.list(vec![left]), cx.list(vec![right]));
        nested = cx.tuple(vec![nested]);
        pairs = iterate::made(&mut cx, crate::heap::Iterator::Enumerate { inner: pairs, next: 0 });
    }
    for (what, check) in [
        ("equal", &(|cx: &mut Context| compare::equal(cx, &left, &right)) as &dyn Fn(&mut Context) -> Eval<bool>),
        ("less", &|cx: &mut Context| compare::less(cx, &left, &right)),
        ("key", &|cx: &mut Context| compare::key_of(cx, &nested).map(|_| true)),
        ("next", &|cx: &mut Context| iterate::next(cx, &pairs).map(|_| true)),
        ("copy", &|cx: &mut Context| copy::deeply(cx, &left).map(|_| true)),
    ] {
        let outcome = check(&mut cx);
        match outcome {
            Err(Fault::Raise(id)) => {
                assert!(matches!(cx.heap.get(id), Object::Exception(e) if e.class == TypeId::RECURSION_ERROR), "{what}")
            }
            other => panic!("{what}: {other:?}"),
        }
    }
    // Keys of frozensets are kept, so these grow from the inside; the second doubles with each step.
    let mut nested = Value::None;
    let mut doubled = Value::None;
    let mut kinds = Vec::new();
    for wide in [false, true] {
        for step in 0.. {
            assert!(step < 1_000, "no limit");
            let items = match wide {
                false => vec![nested.clone()],
                true => {
                    vec![cx.tuple(vec![doubled.clone(), Value::Int(1)]), cx.tuple(vec![doubled.clone(), Value::Int(2)])]
                }
            };
            match set::of_items(&mut cx, &items, true) {
                Ok(made) if wide => doubled = set::made(&mut cx, made),
                Ok(made) => nested = set::made(&mut cx, made),
                Err(Fault::Raise(id)) => {
                    kinds.push(cx.heap.get(id).type_id());
                    break;
                }
                Err(Fault::Worker) => panic!("nothing here is the program's"),
            }
        }
    }
    assert_eq!(kinds, [TypeId::RECURSION_ERROR, TypeId::MEMORY_ERROR]);
}
