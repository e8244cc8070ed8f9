//! `match`: patterns as tests over hidden variables. Names are bound only once the whole pattern has matched.

use waymark_ir::{Case, CompareOp, Expr, Pattern, PatternKind, text};

use super::{FunctionLowering, Label, Variable};
use crate::graph::{NodeKind, Op};
use crate::value::Value;

/// A name of a pattern, and the hidden variable that holds its value until the pattern has matched.
type Bindings = Vec<(String, u32)>;

impl FunctionLowering<'_> {
    pub(super) fn match_cases(&mut self, subject: &Expr, cases: &[Case]) {
        self.open(NodeKind::Assign, subject.span, || format!("match {}", text::print_expression(subject)));
        let slot = self.hidden("subject");
        self.expression(subject);
        self.emit(Op::Store(slot));
        let end = self.label();
        for case in cases {
            let next = self.label();
            self.open(NodeKind::Branch, case.span, || format!("case {}", text::print_pattern(&case.pattern)));
            let mut bindings = Bindings::new();
            self.pattern(&case.pattern, slot, next, &mut bindings);
            for (name, value) in bindings {
                if let Some(variable) = self.variable(&name) {
                    self.emit(Op::Load(value));
                    self.emit(Op::Clear(value));
                    self.store_variable(variable);
                }
            }
            if let Some(guard) = &case.guard {
                self.condition(guard, next, false);
            }
            self.block(&case.body);
            self.emit(Op::Jump(end.0));
            self.place(next);
        }
        self.place(end);
        self.emit(Op::Clear(slot));
    }

    /// Goes to `fail` where the value in `subject` does not match.
    fn pattern(&mut self, pattern: &Pattern, subject: u32, fail: Label, bindings: &mut Bindings) {
        match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Star(None) => {}
            PatternKind::Capture(name) | PatternKind::Star(Some(name)) => self.bind(name, subject, bindings),
            PatternKind::Value(value) => {
                self.emit(Op::Peek(subject));
                self.expression(value);
                self.emit(Op::Compare(CompareOp::Equal));
                self.emit(Op::JumpIfFalse(fail.0));
            }
            PatternKind::Singleton(value) => {
                self.emit(Op::Peek(subject));
                self.constant(value.clone());
                self.emit(Op::Compare(CompareOp::Is));
                self.emit(Op::JumpIfFalse(fail.0));
            }
            PatternKind::Sequence(items) => self.sequence_pattern(items, subject, fail, bindings),
            PatternKind::Mapping { entries, rest } => {
                self.emit(Op::Peek(subject));
                self.emit(Op::MatchMapping);
                self.emit(Op::JumpIfFalse(fail.0));
                for (key, value) in entries {
                    self.emit(Op::Peek(subject));
                    self.expression(key);
                    self.emit(Op::MatchKey);
                    self.part(value, fail, bindings);
                }
                if let Some(name) = rest {
                    self.emit(Op::Peek(subject));
                    entries.iter().for_each(|(key, _)| self.expression(key));
                    self.emit(Op::MatchRest(entries.len() as u16));
                    let slot = self.hidden("rest");
                    self.emit(Op::Store(slot));
                    self.bind(name, slot, bindings);
                }
            }
            PatternKind::Class { class, positional, keyword } => {
                let class_slot = self.hidden("class");
                self.expression(class);
                self.emit(Op::Store(class_slot));
                self.emit(Op::Peek(subject));
                self.emit(Op::Peek(class_slot));
                self.emit(Op::MatchClass);
                self.emit(Op::JumpIfFalse(fail.0));
                for (at, item) in positional.iter().enumerate() {
                    self.emit(Op::Peek(subject));
                    self.emit(Op::Peek(class_slot));
                    self.emit(Op::MatchPositional(at as u16));
                    self.part(item, fail, bindings);
                }
                for (name, item) in keyword {
                    self.emit(Op::Peek(subject));
                    let name = self.name(name);
                    self.emit(Op::MatchAttribute(name));
                    self.part(item, fail, bindings);
                }
            }
            PatternKind::Or(alternatives) => {
                let matched = self.label();
                let first = bindings.len();
                let mut slots: Bindings = Vec::new();
                for alternative in alternatives {
                    let next = self.label();
                    let mut own = Bindings::new();
                    self.pattern(alternative, subject, next, &mut own);
                    // Every alternative leaves its names in the same places.
                    for (name, value) in own {
                        let known = slots.iter().find(|(known, _)| *known == name).map(|(_, slot)| *slot);
                        let slot = known.unwrap_or_else(|| {
                            let slot = self.hidden("binding");
                            slots.push((name, slot));
                            slot
                        });
                        self.emit(Op::Load(value));
                        self.emit(Op::Store(slot));
                    }
                    self.emit(Op::Jump(matched.0));
                    self.place(next);
                }
                self.emit(Op::Jump(fail.0));
                self.place(matched);
                bindings.truncate(first);
                bindings.extend(slots);
            }
            PatternKind::As { pattern, name } => {
                self.pattern(pattern, subject, fail, bindings);
                self.bind(name, subject, bindings);
            }
        }
    }

    /// A value and whether it was there are on the stack.
    fn part(&mut self, pattern: &Pattern, fail: Label, bindings: &mut Bindings) {
        let (found, slot) = (self.label(), self.hidden("part"));
        self.emit(Op::JumpIfTrue(found.0));
        self.emit(Op::Pop);
        self.emit(Op::Jump(fail.0));
        self.place(found);
        self.emit(Op::Store(slot));
        self.pattern(pattern, slot, fail, bindings);
    }

    fn sequence_pattern(&mut self, items: &[Pattern], subject: u32, fail: Label, bindings: &mut Bindings) {
        let star = items.iter().position(|item| matches!(item.kind, PatternKind::Star(_)));
        let fixed = items.len() - usize::from(star.is_some());
        self.emit(Op::Peek(subject));
        self.emit(Op::MatchSequence { length: fixed as u16, star: star.is_some() });
        self.emit(Op::JumpIfFalse(fail.0));
        for (at, item) in items.iter().enumerate() {
            if matches!(item.kind, PatternKind::Wildcard | PatternKind::Star(None)) {
                continue;
            }
            let slot = self.hidden("item");
            self.emit(Op::Peek(subject));
            match star {
                Some(star) if at == star => self.middle(star, items.len() - star - 1),
                Some(star) if at > star => {
                    self.value(Value::Int(at as i64 - items.len() as i64));
                    self.emit(Op::GetItem);
                }
                _ => {
                    self.value(Value::Int(at as i64));
                    self.emit(Op::GetItem);
                }
            }
            self.emit(Op::Store(slot));
            self.pattern(item, slot, fail, bindings);
        }
    }

    /// What a `*name` takes: always a list.
    fn middle(&mut self, before: usize, after: usize) {
        self.emit(Op::UnpackStar { before: before as u16, after: after as u16 });
        let slot = self.hidden("star");
        (0..before).for_each(|_| self.emit(Op::Pop));
        self.emit(Op::Store(slot));
        (0..after).for_each(|_| self.emit(Op::Pop));
        self.emit(Op::Peek(slot));
        self.emit(Op::Clear(slot));
    }

    fn bind(&mut self, name: &str, from: u32, bindings: &mut Bindings) {
        let slot = self.hidden("binding");
        self.emit(Op::Load(from));
        self.store_variable(Variable { slot, is_cell: false });
        bindings.push((name.to_string(), slot));
    }
}
