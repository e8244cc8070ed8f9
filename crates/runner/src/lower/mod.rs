//! Lowering: from the program tree to graphs. One [`FunctionLowering`] a function; nested functions come right behind.
//!
//! Two rules keep the rest simple. Between statements the operand stack is empty: iterators, the reason why a `finally`
//! block runs and the like live in hidden variables, so unwinding just drops the operands. And code is emitted once:
//! a `finally` block that is left by `return`, `break` or an exception is one stretch of code with several exits.

mod call;
mod comprehension;
mod expression;
mod pattern;
mod places;
mod scope;
mod statement;
mod target;

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use waymark_ir::{Diagnostic, Function, Program, Span, Value as Constant};

use crate::asyncio::prelude;
use crate::graph::{Finally, Graph, Lowered, Names, Node, NodeKind, Op, Parameter, Pool, Region, Shared, Statement};
use crate::registry::{self, Global};
use crate::types::DeclaredTypes;
use crate::value::Value;

/// Function numbers with this bit are the prelude's.
pub const PRELUDE: u32 = 1 << 31;

impl Lowered {
    /// Verifies and lowers a program. All that is wrong with it comes back; warnings are dropped.
    pub fn new(program: Program) -> Result<Arc<Lowered>, Vec<Diagnostic>> {
        let mut problems = waymark_ir::verify::verify(&program, &registry::names());
        problems.retain(Diagnostic::is_error);
        if problems.is_empty() { Ok(Arc::new(lower(program, false))) } else { Err(problems) }
    }
}

/// Lowers a program that the verifier has accepted. `is_prelude`: its functions may use the runner's own primitives.
pub(crate) fn lower(program: Program, is_prelude: bool) -> Lowered {
    lower_units(vec![program], is_prelude)
}

/// The first program is what is lowered; the functions of the others count on from its own, nested ones too, so that what was numbered
/// keeps its number.
pub(crate) fn lower_units(mut programs: Vec<Program>, is_prelude: bool) -> Lowered {
    let more = programs.split_off(1);
    let program = programs.remove(0);
    let types = Arc::new(DeclaredTypes::new(&program.types));
    let ir_hash = waymark_ir::hash::ir_hash(&program);
    let functions = FxHashMap::default();
    let sources = places::Sources::of(&program);
    let mut lowering = Lowering { pool: Pool::default(), graphs: Vec::new(), functions, types, is_prelude, sources };
    for unit in std::iter::once(&program).chain(&more) {
        let first = lowering.graphs.len();
        let names = unit.functions.iter().enumerate();
        lowering.functions.extend(names.map(|(at, function)| (function.name.as_str().into(), (first + at) as u32)));
        lowering.graphs.resize_with(first + unit.functions.len(), || None);
        for (at, function) in unit.functions.iter().enumerate() {
            let graph = FunctionLowering::run(&mut lowering, function, None, Vec::new());
            lowering.graphs[first + at] = Some(graph);
        }
    }
    let program = Arc::new(program);
    let entry = lowering.functions.get(program.entry.as_str()).copied().unwrap_or(0);
    Lowered {
        program,
        ir_hash,
        graphs: lowering.graphs.into_iter().flatten().collect(),
        entry,
        pool: lowering.pool,
        types: lowering.types,
        functions: lowering.functions,
    }
}

struct Lowering {
    pool: Pool,
    /// `None` while a function that was given its number is still being lowered.
    graphs: Vec<Option<Graph>>,
    functions: FxHashMap<Arc<str>, u32>,
    types: Arc<DeclaredTypes>,
    is_prelude: bool,
    sources: places::Sources,
}

/// Where a jump goes: known once [`FunctionLowering::place`] was called.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Label(u32);

/// A variable in reach.
#[derive(Clone, Copy)]
struct Variable {
    slot: u32,
    is_cell: bool,
}

/// What `return`, `break` and `continue` have to pass on their way out.
enum Exit {
    Loop {
        statement: u32,
        on_break: Label,
        on_continue: Label,
    },
    /// An exception handler, with the variable that it unbinds.
    Handler {
        name: Option<Variable>,
    },
    /// A `finally` block: its variables, its start, and the ways out that were asked for.
    Finally {
        payload: u32,
        start: Label,
        exits: Vec<Way>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Return,
    Jump(Label),
}

/// Reasons for which a `finally` block runs, in the variable behind its payload. Ways out count from [`REASON_EXIT`].
pub(crate) const REASON_NORMAL: i64 = 0;
pub(crate) const REASON_RAISE: i64 = 1;
pub(crate) const REASON_EXIT: i64 = 2;

struct FunctionLowering<'a> {
    program: &'a mut Lowering,
    path: Path,
    /// The variables of the functions around this one, innermost last: what they can be captured from.
    outer: Vec<FxHashMap<String, Variable>>,
    variables: FxHashMap<String, Variable>,
    /// Variables of comprehensions, innermost last.
    inner: Vec<FxHashMap<String, Variable>>,
    slots: Vec<Arc<str>>,
    cells: Vec<u32>,
    code: Vec<Op>,
    labels: Vec<u32>,
    regions: Vec<Region>,
    nodes: Vec<Node>,
    lines: Vec<(u32, u32)>,
    exits: Vec<Exit>,
    handling: u32,
    statements: Vec<Statement>,
    finallys: Vec<Finally>,
    /// The statements around, each with the number of its next block.
    inside: Vec<(u32, u32)>,
    /// How many slots are variables.
    declared: u32,
}

const UNPLACED: u32 = u32::MAX;

/// Where a function is.
struct Path {
    /// In the program.
    qualified: String,
    /// In the source that it was made from, as messages have it.
    known_as: String,
}

impl Path {
    fn of(function: &Function) -> Path {
        let qualified = function.name.clone();
        let known_as = function.origin.as_ref().map_or_else(|| qualified.clone(), |origin| origin.qualified.clone());
        Path { qualified, known_as }
    }

    fn inner(&self, name: &str) -> Path {
        let inner = |outer: &str, name: &str| format!("{outer}.<locals>.{name}");
        let known_as = inner(&self.known_as, if name.is_empty() { "<lambda>" } else { name });
        Path { qualified: inner(&self.qualified, name), known_as }
    }
}

impl<'a> FunctionLowering<'a> {
    /// `around`: the variables of the enclosing function; `outer` those further out.
    fn run(
        program: &'a mut Lowering,
        function: &Function,
        around: Option<(&Path, &FxHashMap<String, Variable>)>,
        mut outer: Vec<FxHashMap<String, Variable>>,
    ) -> Graph {
        let path = match around {
            Some((around, _)) => around.inner(&function.name),
            None => Path::of(function),
        };
        outer.extend(around.map(|(_, variables)| variables.clone()));
        let mut this = FunctionLowering {
            program,
            path,
            outer,
            variables: FxHashMap::default(),
            inner: Vec::new(),
            slots: Vec::new(),
            cells: Vec::new(),
            code: Vec::new(),
            labels: Vec::new(),
            regions: Vec::new(),
            nodes: Vec::new(),
            lines: Vec::new(),
            exits: Vec::new(),
            handling: 0,
            statements: Vec::new(),
            finallys: Vec::new(),
            inside: Vec::new(),
            declared: 0,
        };
        let (captured, captures_from) = this.declare(function);
        this.declared = this.slots.len() as u32;
        this.block(&function.body);
        this.open(NodeKind::Return, function.span, || "return".into());
        this.constant(Constant::None);
        this.emit(Op::Return);
        this.finish(function, captured, captures_from)
    }

    /// Gives every variable a slot: parameters first, then the others, then what is captured from outside.
    fn declare(&mut self, function: &Function) -> (Vec<u32>, Vec<u32>) {
        let mut captured_inside = BTreeSet::new();
        scope::captured_in_block(&function.body, &mut captured_inside);
        for name in scope::bound_names(function) {
            let slot = self.slot(name);
            let is_cell = captured_inside.contains(name);
            self.variables.insert(name.to_string(), Variable { slot, is_cell });
            if is_cell {
                self.cells.push(slot);
            }
        }
        let (mut captured, mut captures_from) = (Vec::new(), Vec::new());
        let Some(around) = self.outer.last().cloned() else { return (captured, captures_from) };
        for name in scope::free_names(function) {
            if let Some(variable) = around.get(name) {
                let slot = self.slot(name);
                self.variables.insert(name.to_string(), Variable { slot, is_cell: true });
                captured.push(slot);
                captures_from.push(variable.slot);
            }
        }
        (captured, captures_from)
    }

    fn finish(mut self, function: &Function, captured: Vec<u32>, captures_from: Vec<u32>) -> Graph {
        self.resolve_labels();
        let end = self.code.len() as u32;
        for at in 0..self.nodes.len() {
            self.nodes[at].end = self.nodes.get(at + 1).map_or(end, |next| next.start);
        }
        self.nodes.retain(|node| node.start < node.end);
        let params = function.params.iter().map(|param| Parameter {
            name: param.name.as_str().into(),
            kind: param.kind,
            default: param.default.as_ref().and_then(call::constant_default),
            has_default: param.default.is_some(),
        });
        let mut graph = Graph {
            name: function.name.as_str().into(),
            qualified: self.path.qualified.into(),
            known_as: self.path.known_as.into(),
            is_method: function.origin.as_ref().is_some_and(|origin| origin.is_method),
            kind: function.kind,
            is_generator: scope::is_generator(function),
            params: params.collect(),
            slots: self.slots,
            variables: self.declared,
            cells: self.cells,
            captured,
            captures_from,
            code: self.code,
            regions: self.regions,
            statements: self.statements,
            finallys: self.finallys,
            nodes: self.nodes,
            edges: Vec::new(),
            data_flow: Vec::new(),
            places: self.program.sources.places(function, self.lines.iter().map(|(_, line)| *line)),
            lines: self.lines,
            span: function.span,
        };
        graph.connect();
        graph
    }

    // ---- emitting

    fn emit(&mut self, op: Op) {
        self.code.push(op);
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Starts a node: the instructions from here on, up to the next one.
    fn open(&mut self, kind: NodeKind, span: Span, label: impl FnOnce() -> String) {
        let start = self.here();
        if let Some(last) = self.nodes.last_mut().filter(|last| last.start == start) {
            // The one before has no instructions.
            *last = Node { kind, start, end: start, span, label: label() };
        } else {
            self.nodes.push(Node { kind, start, end: start, span, label: label() });
        }
        self.line(span);
    }

    fn line(&mut self, span: Span) {
        let start = self.here();
        if span.line != 0 && self.lines.last().is_none_or(|(_, line)| *line != span.line) {
            self.lines.push((start, span.line));
        }
    }

    fn label(&mut self) -> Label {
        self.labels.push(UNPLACED);
        Label(self.labels.len() as u32 - 1)
    }

    fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.here();
    }

    /// Jumps are emitted with the number of a label; at the end that becomes a position.
    fn resolve_labels(&mut self) {
        let labels = &self.labels;
        for op in &mut self.code {
            match op {
                Op::Jump(to)
                | Op::JumpIfFalse(to)
                | Op::JumpIfTrue(to)
                | Op::JumpIfFalseOrPop(to)
                | Op::JumpIfTrueOrPop(to)
                | Op::Next { end: to, .. }
                | Op::NextAsync { end: to, .. }
                | Op::Delegate { end: to, .. }
                | Op::EndAsyncFor { end: to, .. } => *to = labels[*to as usize],
                _ => {}
            }
        }
        for region in &mut self.regions {
            region.target = labels[region.target as usize];
        }
        self.regions.retain(|region| region.start < region.end);
    }

    /// Protects the instructions that `body` emits.
    fn protect(&mut self, target: Label, body: impl FnOnce(&mut Self)) {
        let start = self.here();
        let handling = self.handling;
        body(self);
        let end = self.here();
        self.regions.push(Region { start, end, target: target.0, handling });
    }

    // ---- numbering

    fn slot(&mut self, name: &str) -> u32 {
        self.slots.push(name.into());
        self.slots.len() as u32 - 1
    }

    fn hidden(&mut self, what: &str) -> u32 {
        let name = format!(".{what}");
        self.slot(&name)
    }

    fn name(&mut self, name: &str) -> u32 {
        let names = &mut self.program.pool.names;
        let found = names.iter().position(|known| &**known == name);
        let at = found.unwrap_or_else(|| {
            names.push(name.into());
            names.len() - 1
        });
        at as u32
    }

    fn keywords(&mut self, names: Vec<Arc<str>>) -> Names {
        if names.is_empty() {
            return Names::NONE;
        }
        let pool = &mut self.program.pool.keywords;
        let found = pool.iter().position(|known| **known == *names);
        let at = found.unwrap_or_else(|| {
            pool.push(names.into());
            pool.len() - 1
        });
        Names(at as u32)
    }

    fn constant(&mut self, constant: Constant) {
        match crate::exchange::scalar(&constant) {
            Some(value) => self.value(value),
            None => self.shared(Shared::Constant(constant)),
        }
    }

    fn value(&mut self, value: Value) {
        let constants = &mut self.program.pool.constants;
        constants.push(value);
        let at = constants.len() as u32 - 1;
        self.emit(Op::Const(at));
    }

    fn shared(&mut self, shared: Shared) {
        let pool = &mut self.program.pool.shared;
        let found = match &shared {
            Shared::Function(wanted) => {
                pool.iter().position(|known| matches!(known, Shared::Function(id) if id == wanted))
            }
            Shared::Constant(_) => None,
        };
        let at = found.unwrap_or_else(|| {
            pool.push(shared);
            pool.len() - 1
        });
        self.emit(Op::Shared(at as u32));
    }

    // ---- names

    fn variable(&self, name: &str) -> Option<Variable> {
        let inner = self.inner.iter().rev().find_map(|scope| scope.get(name));
        inner.or_else(|| self.variables.get(name)).copied()
    }

    /// All variables that a function inside this one could capture.
    fn visible(&self) -> FxHashMap<String, Variable> {
        let mut all = self.variables.clone();
        for scope in &self.inner {
            all.extend(scope.iter().map(|(name, variable)| (name.clone(), *variable)));
        }
        all
    }

    fn store_variable(&mut self, variable: Variable) {
        self.emit(if variable.is_cell { Op::StoreCell(variable.slot) } else { Op::Store(variable.slot) });
    }

    /// Unbinds without complaint.
    fn clear_variable(&mut self, variable: Variable) {
        if variable.is_cell {
            self.value(Value::Unbound);
            self.emit(Op::StoreCell(variable.slot));
        } else {
            self.emit(Op::Clear(variable.slot));
        }
    }

    /// Something that is no variable: a function, class, built-in or constant, by its dotted name.
    fn global(&mut self, path: &str) -> bool {
        let own = match self.program.is_prelude {
            true => prelude::written(path),
            false => path.to_string(),
        };
        if let Some(at) = self.program.functions.get(own.as_str()).copied() {
            let bit = if self.program.is_prelude { PRELUDE } else { 0 };
            self.shared(Shared::Function(at | bit));
            return true;
        }
        if let Some(class) = self.program.types.resolve(path) {
            self.value(Value::Type(class));
            return true;
        }
        let found = if self.program.is_prelude { registry::lookup_native(path) } else { registry::lookup(path) };
        match found {
            Some(Global::Value(value)) => self.value(value),
            Some(Global::Prelude(at)) => self.shared(Shared::Function(at | PRELUDE)),
            None => return false,
        }
        true
    }
}
