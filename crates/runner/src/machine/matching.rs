//! The instructions of `match`.

use waymark_ir::TypeKind;

use super::Step;
use crate::context::{Eval, Fault};
use crate::graph::{Lowered, Op};
use crate::heap::{Activation, Dict, Object};
use crate::instance::Instance;
use crate::python::compare;
use crate::types::TypeId;
use crate::value::Value;

impl Instance {
    pub(super) fn execute_pattern(&mut self, unit: &Lowered, op: Op) -> Eval<Step> {
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(Step::Switch) };
        let operands = &frame.operands;
        let foreign = |value: Option<&Value>, names: &[&str]| {
            value.is_some_and(|value| compare::customises(&self.cx, value, names))
        };
        match op {
            Op::MatchSequence { .. } if foreign(operands.last(), &["__len__", "__getitem__"]) => {
                return Err(Fault::Worker);
            }
            Op::MatchMapping if foreign(operands.last(), &["__getitem__", "keys"]) => return Err(Fault::Worker),
            Op::MatchSequence { length, star } => {
                let length = length as usize;
                let found = match operands.last() {
                    Some(Value::Ref(id)) => match self.cx.heap.get(*id) {
                        Object::List(list) => Some(list.items.len()),
                        Object::Tuple(items) => Some(items.len()),
                        Object::Range(range) => Some(range.len()),
                        _ => None,
                    },
                    _ => None,
                };
                let matches = found.is_some_and(|found| if star { found >= length } else { found == length });
                self.replace_top(1, Value::Bool(matches));
            }
            Op::MatchMapping => {
                let matches =
                    matches!(operands.last(), Some(Value::Ref(id)) if matches!(self.cx.heap.get(*id), Object::Dict(_)));
                self.replace_top(1, Value::Bool(matches));
            }
            Op::MatchKey => {
                let [.., subject, key] = &operands[..] else { return Ok(Step::Next) };
                let (subject, key) = (subject.clone(), key.clone());
                if compare::customises(&self.cx, &subject, &["get", "__getitem__"]) {
                    return Err(Fault::Worker);
                }
                let key = compare::lookup_key(&mut self.cx, &subject, &key)?;
                let found = match &subject {
                    Value::Ref(id) => match self.cx.heap.get(*id) {
                        Object::Dict(dict) => dict.get(&key).cloned(),
                        _ => None,
                    },
                    _ => None,
                };
                self.found(2, found);
            }
            Op::MatchClass => {
                let [.., subject, class] = &operands[..] else { return Ok(Step::Next) };
                let Value::Type(class) = class else {
                    return Err(self.cx.type_error("called match pattern must be a class"));
                };
                let found = self.cx.type_of(subject);
                if !self.cx.types.is_described(found) && !self.cx.types.is_exception(found) {
                    return Err(Fault::Worker);
                }
                let matches = self.cx.types.is_subtype(found, *class);
                self.replace_top(2, Value::Bool(matches));
            }
            Op::MatchPositional(at) => {
                let [.., subject, class] = &operands[..] else { return Ok(Step::Next) };
                let (subject, class) = (subject.clone(), class.clone());
                let found = self.positional_part(&subject, &class, at as usize)?;
                self.found(2, found);
            }
            Op::MatchAttribute(name) => {
                let Some(subject) = operands.last().cloned() else { return Ok(Step::Next) };
                let found = self.find_attribute(&subject, &unit.pool.names[name as usize])?;
                self.found(1, found);
            }
            Op::MatchRest(count) => {
                let from = operands.len() - count as usize;
                let (subject, keys) = (operands[from - 1].clone(), operands[from..].to_vec());
                if compare::customises(&self.cx, &subject, &["keys", "__getitem__"])
                    || compare::has_custom_keys(&self.cx, &subject)
                {
                    return Err(Fault::Worker);
                }
                let mut rest = Dict::default();
                if let Value::Ref(id) = &subject
                    && let Object::Dict(dict) = self.cx.heap.get(*id)
                {
                    rest = dict.clone();
                }
                for key in &keys {
                    let key = compare::key_of(&mut self.cx, key)?;
                    rest.remove(&key);
                }
                let rest = Value::Ref(self.cx.heap.add(Object::Dict(rest)));
                self.replace_top(count as usize + 1, rest);
            }
            _ => {}
        }
        Ok(Step::Next)
    }

    fn found(&mut self, operands: usize, value: Option<Value>) {
        let is_found = value.is_some();
        self.replace_top(operands, value.unwrap_or(Value::None));
        self.push(Value::Bool(is_found));
    }

    /// `Point(x, y)`: the part that a positional sub-pattern looks at.
    fn positional_part(&mut self, subject: &Value, class: &Value, at: usize) -> Eval<Option<Value>> {
        let Value::Type(class) = class else { return Ok(None) };
        let whole = matches!(
            *class,
            TypeId::BOOL
                | TypeId::BYTES
                | TypeId::DICT
                | TypeId::FLOAT
                | TypeId::FROZENSET
                | TypeId::INT
                | TypeId::LIST
                | TypeId::SET
                | TypeId::STR
                | TypeId::TUPLE
        );
        if whole && at == 0 {
            return Ok(Some(subject.clone()));
        }
        let info = self.cx.types.get(*class).clone();
        let takes = match &info.descriptor {
            Some(descriptor) if matches!(descriptor.kind, TypeKind::Record { .. }) => {
                if let Some(field) = descriptor.fields.get(at) {
                    return self.find_attribute(subject, &field.name);
                }
                descriptor.fields.len()
            }
            Some(_) => return Err(Fault::Worker),
            None => usize::from(whole),
        };
        let plural = if takes == 1 { "" } else { "s" };
        Err(self.cx.type_error(format!(
            "{}() accepts {takes} positional sub-pattern{plural} ({} given)",
            info.shown,
            at + 1
        )))
    }
}
