//! One function as something to compare: each instruction as a word in which names stand for numbers, and each statement with
//! the instructions that are its own.

use rustc_hash::FxHashMap;

use crate::asyncio::prelude;
use crate::graph::{Graph, Lowered, Names, Op, Shared, Statement};
use crate::lower::PRELUDE;
use crate::types::DeclaredTypes;
use crate::value::Value;

/// Words of both programs, so that two instructions are compared as numbers.
#[derive(Default)]
pub(super) struct Words(FxHashMap<String, u32>);

impl Words {
    fn number(&mut self, word: String) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(word).or_insert(next)
    }
}

/// What an instruction refers to that has another number in another version, and is mapped by being at the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// A hidden variable, or one of a comprehension.
    Slot(u32),
    /// The two variables of a `finally` block.
    Payload(u32),
    Function(u32),
    Shared(u32),
}

pub(super) struct Code<'a> {
    pub graph: &'a Graph,
    words: Vec<u32>,
    /// The innermost statement of each instruction; none for the return at the end.
    pub owner: Vec<Option<u32>>,
    /// By statement: its instructions that belong to no statement inside it. The ways out of a `finally` block are left out:
    /// nothing waits there, and what they are is told by [`Graph::finallys`].
    pub own: Vec<Vec<u32>>,
    /// By statement: the statements right inside it.
    pub children: Vec<Vec<u32>>,
    /// Those of the function itself.
    pub outermost: Vec<u32>,
}

impl<'a> Code<'a> {
    pub fn new(lowered: &'a Lowered, graph: &'a Graph, words: &mut Words) -> Code<'a> {
        let mut owner = vec![None; graph.code.len()];
        let mut children = vec![Vec::new(); graph.statements.len()];
        let mut outermost = Vec::new();
        for (at, statement) in graph.statements.iter().enumerate() {
            owner[statement.start as usize..statement.end as usize].fill(Some(at as u32));
            match statement.parent {
                Some(parent) => children[parent as usize].push(at as u32),
                None => outermost.push(at as u32),
            }
        }
        let mut own = vec![Vec::new(); graph.statements.len()];
        let mut skip_to = 0;
        for (position, op) in graph.code.iter().enumerate() {
            if position < skip_to {
                continue;
            }
            if let Some(at) = owner[position] {
                own[at as usize].push(position as u32);
            }
            if let (Op::EndFinally { .. }, Some(Op::Jump(over))) = (op, graph.code.get(position + 1)) {
                skip_to = *over as usize;
            }
        }
        let words = (0..graph.code.len()).map(|position| words.number(word(lowered, graph, position))).collect();
        Code { graph, words, owner, own, children, outermost }
    }

    pub fn statement(&self, at: u32) -> &Statement {
        &self.graph.statements[at as usize]
    }

    /// The part of a statement's own instructions that is before its first block.
    pub fn header(&self, at: u32) -> &[u32] {
        let own = &self.own[at as usize];
        let end = self.statement(at).header_end;
        &own[..own.partition_point(|position| *position < end)]
    }

    /// Where a jump leads, as a place among a statement's own instructions; all places outside of it count as one.
    fn landing(&self, at: u32, position: u32) -> Option<usize> {
        let target = target_of(self.graph.code[position as usize])?;
        let statement = self.statement(at);
        let own = &self.own[at as usize];
        let is_inside = statement.start <= target && target <= statement.end;
        Some(if is_inside { own.partition_point(|own| *own < target) } else { usize::MAX })
    }
}

/// Whether two stretches of own instructions of two statements do the same; what they refer to, in pairs.
pub(super) fn same(old: (&Code, u32, &[u32]), new: (&Code, u32, &[u32])) -> Option<Vec<(Reference, Reference)>> {
    let ((old, old_at, old_own), (new, new_at, new_own)) = (old, new);
    // Where only headers are compared, jumps over what follows need not agree in where that is.
    let is_whole = old_own.len() == old.own[old_at as usize].len() && new_own.len() == new.own[new_at as usize].len();
    let landing = |code: &Code, at: u32, position: u32| {
        let found = code.landing(at, position);
        let header = code.header(at).len();
        if is_whole { found } else { found.map(|place| place.min(header)) }
    };
    if old_own.len() != new_own.len() {
        return None;
    }
    let mut pairs: Vec<(Reference, Reference)> = Vec::new();
    for (left, right) in old_own.iter().copied().zip(new_own.iter().copied()) {
        if old.words[left as usize] != new.words[right as usize]
            || landing(old, old_at, left) != landing(new, new_at, right)
        {
            return None;
        }
        let pair = match (reference(old.graph, left), reference(new.graph, right)) {
            (None, None) => continue,
            (Some(left), Some(right)) => (left, right),
            _ => return None,
        };
        let clashes = |known: &(Reference, Reference)| (known.0 == pair.0) != (known.1 == pair.1);
        let is_variable = matches!(pair.0, Reference::Slot(_) | Reference::Payload(_));
        if is_variable && pairs.iter().any(clashes) {
            return None;
        }
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    Some(pairs)
}

/// Whether two functions are the same, instruction by instruction; `inner` tells it of those that they make.
pub(super) fn identical(old: &Code, new: &Code, inner: &dyn Fn(u32, u32) -> bool) -> bool {
    let shape = |graph: &Graph| {
        let params = graph.params.iter().map(|param| format!("{} {:?} {:?}", param.name, param.kind, param.default));
        (params.collect::<Vec<_>>(), graph.kind, graph.slots.clone(), graph.cells.clone(), graph.captured.clone())
    };
    let all: Vec<u32> = (0..old.graph.code.len() as u32).collect();
    let made = |code: &Code| functions_made(code.graph, &all);
    old.words == new.words
        && made(old).into_iter().zip(made(new)).all(|(left, right)| (left | right) & PRELUDE != 0 || inner(left, right))
        && shape(old.graph) == shape(new.graph)
        && old.graph.regions == new.graph.regions
        && old.graph.code.iter().zip(&new.graph.code).all(|(left, right)| target_of(*left) == target_of(*right))
}

/// The functions that these instructions make.
pub(super) fn functions_made(graph: &Graph, positions: &[u32]) -> Vec<u32> {
    let made = positions.iter().filter_map(|at| match graph.code[*at as usize] {
        Op::Function { graph } => Some(graph),
        _ => None,
    });
    made.collect()
}

fn target_of(op: Op) -> Option<u32> {
    match op {
        Op::Jump(to)
        | Op::JumpIfFalse(to)
        | Op::JumpIfTrue(to)
        | Op::JumpIfFalseOrPop(to)
        | Op::JumpIfTrueOrPop(to)
        | Op::Next { end: to, .. }
        | Op::NextAsync { end: to, .. }
        | Op::Delegate { end: to, .. }
        | Op::EndAsyncFor { end: to, .. } => Some(to),
        _ => None,
    }
}

fn slot_of(op: Op) -> Option<u32> {
    match op {
        Op::Load(slot)
        | Op::Peek(slot)
        | Op::Store(slot)
        | Op::Clear(slot)
        | Op::Delete(slot)
        | Op::LoadCell(slot)
        | Op::StoreCell(slot)
        | Op::DeleteCell(slot)
        | Op::NewCell(slot)
        | Op::Capture(slot)
        | Op::Extend(slot)
        | Op::Append(slot)
        | Op::Add(slot)
        | Op::Insert(slot)
        | Op::Next { slot, .. }
        | Op::NextAsync { slot, .. }
        | Op::Delegate { slot, .. }
        | Op::EndAsyncFor { slot, .. } => Some(slot),
        _ => None,
    }
}

fn reference(graph: &Graph, position: u32) -> Option<Reference> {
    let op = graph.code[position as usize];
    match op {
        Op::EnterFinally(payload)
        | Op::FinallyRaised(payload)
        | Op::EndFinally { payload, .. }
        | Op::FinallyException(payload)
        | Op::FinallySuppress(payload) => Some(Reference::Payload(payload)),
        Op::Function { graph } => Some(Reference::Function(graph)),
        Op::Shared(at) => Some(Reference::Shared(at)),
        _ => slot_of(op).filter(|slot| *slot >= graph.variables).map(Reference::Slot),
    }
}

/// An instruction with names instead of numbers. Whether a variable is shared with an inner function makes no difference.
fn word(lowered: &Lowered, graph: &Graph, position: usize) -> String {
    let pool = &lowered.pool;
    let op = graph.code[position];
    let name = |at: u32| &pool.names[at as usize];
    let keywords = |names: Names| (names != Names::NONE).then(|| &pool.keywords[names.0 as usize]);
    if let Some(slot) = slot_of(op) {
        let verb = match op {
            Op::Load(_) | Op::Peek(_) | Op::LoadCell(_) => "load".to_string(),
            Op::Store(_) | Op::StoreCell(_) => "store".to_string(),
            Op::Delete(_) | Op::DeleteCell(_) => "delete".to_string(),
            other => format!("{other:?}").split([' ', '(']).next().unwrap_or_default().to_string(),
        };
        return format!("{verb} {}", graph.slots[slot as usize]);
    }
    let gives_reason = || match graph.code.get(position + 1) {
        Some(Op::Store(slot)) => &*graph.slots[*slot as usize] == ".reason",
        _ => false,
    };
    match op {
        // Which way out it is depends on how many there are.
        Op::Const(_) if gives_reason() => "reason".into(),
        Op::Const(at) => format!("const {}", constant(&lowered.types, &pool.constants[at as usize])),
        Op::Shared(at) => match &pool.shared[at as usize] {
            Shared::Constant(constant) => format!("shared {constant:?}"),
            Shared::Function(at) => format!("function {}", function_name(lowered, *at)),
        },
        Op::Function { graph } => format!("make {}", function_name(lowered, graph)),
        Op::GetAttribute(at) => format!("get .{}", name(at)),
        Op::SetAttribute(at) => format!("set .{}", name(at)),
        Op::DeleteAttribute(at) => format!("delete .{}", name(at)),
        Op::CheckMethod(at) => format!("check .{}", name(at)),
        Op::MatchAttribute(at) => format!("match .{}", name(at)),
        Op::Call { positional, names } => format!("call {positional} {:?}", keywords(names)),
        Op::CallMethod { name: at, positional, names } => {
            format!("call .{} {positional} {:?}", name(at), keywords(names))
        }
        Op::Action(at) => format!("action {:?}", pool.actions[at as usize]),
        Op::RunAction(at) => format!("run action {:?}", pool.actions[at as usize]),
        Op::Fragment(at) => format!("fragment {:?}", pool.fragments[at as usize]),
        Op::EnterFinally(_) => "enter finally".into(),
        Op::FinallyRaised(_) => "finally raised".into(),
        Op::FinallyException(_) => "finally exception".into(),
        Op::FinallySuppress(_) => "finally suppress".into(),
        Op::EndFinally { .. } => "end finally".into(),
        Op::Jump(_) => "jump".into(),
        Op::JumpIfFalse(_) => "jump if false".into(),
        Op::JumpIfTrue(_) => "jump if true".into(),
        Op::JumpIfFalseOrPop(_) => "jump if false or pop".into(),
        Op::JumpIfTrueOrPop(_) => "jump if true or pop".into(),
        other => format!("{other:?}"),
    }
}

fn constant(types: &DeclaredTypes, value: &Value) -> String {
    match value {
        Value::Type(class) if !class.is_builtin() => format!("class {}", types.name_of(*class)),
        other => format!("{other:?}"),
    }
}

fn function_name(lowered: &Lowered, function: u32) -> &str {
    let unit = if function & PRELUDE != 0 { prelude::lowered() } else { lowered };
    &unit.graphs[(function & !PRELUDE) as usize].qualified
}
