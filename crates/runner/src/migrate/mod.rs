//! Moving a live instance from one version of its program to another: it stands where it stood, and goes on with the new code.
//!
//! What has run has run. Each frame's position is found again by aligning the statements of the old function with those of the
//! new one ([`align`]): the statement in which a frame waits has to be the same in both, and so have the blocks around it, in
//! as far as they have state (an iterator, a context manager, an exception being handled). Variables go by name. One that the
//! new code may read and that the old code has not set needs a value from whoever migrates ([`flow`]). Whatever does not fit
//! is told, with its line, and nothing is changed: guessing would be silent.

mod align;
mod classes;
mod code;
mod flow;
mod frames;
mod functions;
mod place;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use waymark_ir::Value as Outside;

use crate::graph::{Graph, Lowered};
use crate::instance::{Instance, Stage};
use crate::lower::PRELUDE;
use align::{Alignment, align};
use code::{Code, Reference, Words};
pub use frames::FrameView;

/// Something that keeps an instance from moving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    /// Where in the old program it stands: function, file and line. Line 0: nowhere in particular.
    pub function: String,
    pub file: String,
    pub line: u32,
    pub reason: String,
    /// What to do about it.
    pub hint: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The new code reads this variable, and nobody has given it a value: whoever migrates can.
    Variable(String),
    /// A live frame stands at a place that the new code does not have.
    Position,
    Function,
    Class,
    /// A value was given for something that there is not.
    Mapping,
    /// The instance, or the programs, as a whole.
    Instance,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 if self.function.is_empty() => write!(out, "{}", self.reason)?,
            0 => write!(out, "{}: {}", self.function, self.reason)?,
            line => write!(out, "{}:{line}, in {}: {}", self.file, self.function, self.reason)?,
        }
        if self.hint.is_empty() { Ok(()) } else { write!(out, " (hint: {})", self.hint) }
    }
}

/// What a new version means for one live instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// It runs this program already.
    Same,
    Safe,
    /// Only values of variables are missing.
    NeedsMapping,
    Stays,
}

impl Label {
    pub fn of(problems: &[Problem]) -> Label {
        match problems {
            [] => Label::Safe,
            _ if problems.iter().all(|problem| matches!(problem.kind, ProblemKind::Variable(_))) => Label::NeedsMapping,
            _ => Label::Stays,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Label::Same => "same",
            Label::Safe => "safe to migrate",
            Label::NeedsMapping => "needs a mapping",
            Label::Stays => "stays on its version",
        }
    }
}

/// Values by name of the variable.
pub type Variables = BTreeMap<String, Outside>;

/// Values for variables, from whoever migrates. A frame's own come after those for its function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping {
    /// By function, as the new program names it.
    pub functions: BTreeMap<String, Variables>,
    /// By number in [`Instance::frames`].
    pub frames: BTreeMap<usize, Variables>,
}

/// Two versions of a program, compared once for any number of instances.
pub struct Comparison<'a> {
    old: &'a Arc<Lowered>,
    new: &'a Arc<Lowered>,
    old_codes: Vec<Code<'a>>,
    new_codes: Vec<Code<'a>>,
    /// Old functions to new ones, and how their statements lie.
    functions: FxHashMap<u32, u32>,
    alignments: FxHashMap<u32, Alignment>,
    /// Constants with identity.
    shared: FxHashMap<u32, u32>,
}

impl<'a> Comparison<'a> {
    pub fn new(old: &'a Arc<Lowered>, new: &'a Arc<Lowered>) -> Comparison<'a> {
        let mut words = Words::default();
        let mut codes = |lowered: &'a Arc<Lowered>| -> Vec<Code<'a>> {
            lowered.graphs.iter().map(|graph| Code::new(lowered, graph, &mut words)).collect()
        };
        let (old_codes, new_codes) = (codes(old), codes(new));
        let mut comparison = Comparison {
            old,
            new,
            old_codes,
            new_codes,
            functions: FxHashMap::default(),
            alignments: FxHashMap::default(),
            shared: FxHashMap::default(),
        };
        let mut pending = vec![(old.entry, new.entry)];
        let named = old.functions.iter().filter_map(|(name, at)| Some((*at, *new.functions.get(name)?)));
        pending.extend(named.filter(|(left, right)| *left != old.entry && *right != new.entry));
        comparison.pair_functions(pending);
        // An inner function whose making has changed, but which there is only one of.
        let by_name = comparison.inner_by_name();
        comparison.pair_functions(by_name);
        comparison
    }

    /// Pairs functions, and then those that are made at the same places inside them.
    fn pair_functions(&mut self, mut pending: Vec<(u32, u32)>) {
        while let Some((left, right)) = pending.pop() {
            let is_taken = self.functions.contains_key(&left) || self.functions.values().any(|taken| *taken == right);
            if is_taken {
                continue;
            }
            let alignment = align(&self.old_codes[left as usize], &self.new_codes[right as usize]);
            for pair in &alignment.references {
                match *pair {
                    (Reference::Function(left), Reference::Function(right)) if (left | right) & PRELUDE == 0 => {
                        pending.push((left, right));
                    }
                    (Reference::Shared(left), Reference::Shared(right)) => {
                        self.shared.entry(left).or_insert(right);
                    }
                    _ => {}
                }
            }
            self.functions.insert(left, right);
            self.alignments.insert(left, alignment);
        }
    }

    fn inner_by_name(&self) -> Vec<(u32, u32)> {
        let only = |graphs: &[Graph], name: &str| {
            let mut found = graphs.iter().enumerate().filter(|(_, graph)| &*graph.qualified == name);
            match (found.next(), found.next()) {
                (Some((at, _)), None) => Some(at as u32),
                _ => None,
            }
        };
        let left = (0..self.old.graphs.len() as u32).filter(|at| !self.functions.contains_key(at));
        left.filter_map(|at| {
            let name = &self.old.graphs[at as usize].qualified;
            Some((only(&self.old.graphs, name)?, only(&self.new.graphs, name)?))
        })
        .collect()
    }

    /// Whether two functions are the same to the last instruction, those inside them too.
    fn is_identical(&self, left: u32, right: u32) -> bool {
        let (old, new) = (&self.old_codes[left as usize], &self.new_codes[right as usize]);
        code::identical(old, new, &|left, right| self.is_identical(left, right))
    }

    /// The instance on the new program, or everything that keeps it from moving.
    ///
    /// Between events only, not while [`Instance::has_work`]. The instance is used up: read it again to try with other values.
    pub fn migrate(&self, mut instance: Instance, mapping: &Mapping) -> Result<Instance, Vec<Problem>> {
        if let Some(problem) = self.refusal(&instance) {
            return Err(vec![problem]);
        }
        if instance.ending == Stage::NotStarted {
            instance.cx.types = crate::types::Types::new(self.new.types.clone());
            instance.shared = Vec::new();
            instance.lowered = self.new.clone();
            return Ok(instance);
        }
        let mut problems = Vec::new();
        instance.collect();
        let moved = self.move_frames(&mut instance, mapping, &mut problems);
        self.move_functions(&mut instance, &mut problems);
        self.move_classes(&mut instance, &mut problems);
        if problems.is_empty() {
            instance.lowered = self.new.clone();
            self.give_values(&mut instance, &moved, mapping, &mut problems);
        }
        if problems.is_empty() { Ok(instance) } else { Err(problems) }
    }

    /// What makes it pointless to look any further.
    fn refusal(&self, instance: &Instance) -> Option<Problem> {
        let (old, new) = (&self.old.program, &self.new.program);
        let reason = if matches!(instance.ending, Stage::Finished(_)) {
            "it has finished".to_string()
        } else if instance.has_work() {
            "it is in the midst of its work".to_string()
        } else if instance.lowered.ir_hash != self.old.ir_hash {
            "it runs another program than the one that was compared".to_string()
        } else if old.dialect != new.dialect {
            "the new program is of another dialect".to_string()
        } else if old.semantics != new.semantics {
            format!("the new program has semantics level {}, the old one {}", new.semantics, old.semantics)
        } else {
            return None;
        };
        Some(Problem::of_instance(reason))
    }
}

impl Instance {
    /// That it was migrated counts as an event.
    pub fn count_migration(&mut self) {
        if !self.has_started() {
            // Its first step may be running though nothing is stored of it: that was the other program's.
            self.epoch += 1;
        }
        self.seq += 1;
        self.mix(self.seq);
    }
}

impl Problem {
    fn of_instance(reason: String) -> Problem {
        let (function, file, hint) = (String::new(), String::new(), String::new());
        Problem { kind: ProblemKind::Instance, function, file, line: 0, reason, hint }
    }

    /// At a line of an old function.
    fn at(lowered: &Lowered, graph: &Graph, line: u32, kind: ProblemKind, reason: String, hint: &str) -> Problem {
        let file = lowered.program.sources.get(graph.span.file as usize);
        let file = file.map(|source| source.path.clone()).unwrap_or_default();
        Problem { kind, function: graph.qualified.to_string(), file, line, reason, hint: hint.into() }
    }
}
