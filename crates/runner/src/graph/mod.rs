//! A program lowered: one [`Graph`] a function, of nodes and edges, over a flat list of instructions.
//!
//! A node is a stretch of instructions that runs without waiting, or up to and including one wait. Edges are read off the
//! instructions, so the picture and what runs cannot disagree. The position of a frame is an instruction; operands live
//! in the frame, so an expression may wait in its middle.

mod draw;
mod edges;
mod op;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use waymark_ir::{FunctionKind, ParamKind, Program, Span};

use crate::types::DeclaredTypes;
use crate::value::Value;

pub use draw::{Format, draw};
pub use edges::{DataFlow, Edge, EdgeKind};
pub use op::{Names, Op};

/// Raised when the same program lowers to other instructions than before: positions in snapshots refer to them.
pub const LOWERING_VERSION: u32 = 1;

/// A program, ready to run. Immutable and shared by all its instances.
#[derive(Debug)]
pub struct Lowered {
    pub program: Arc<Program>,
    pub ir_hash: [u8; 32],
    pub graphs: Vec<Graph>,
    /// The function that an instance runs.
    pub entry: u32,
    pub pool: Pool,
    pub types: Arc<DeclaredTypes>,
    /// Program functions by name.
    pub functions: FxHashMap<Arc<str>, u32>,
}

/// What instructions refer to by number.
#[derive(Debug, Default)]
pub struct Pool {
    /// Immutable constants.
    pub constants: Vec<Value>,
    /// Constants with identity: made once an instance, when first used.
    pub shared: Vec<Shared>,
    pub names: Vec<Arc<str>>,
    /// Keyword names of calls.
    pub keywords: Vec<Arc<[Arc<str>]>>,
    pub actions: Vec<ActionSite>,
    pub fragments: Vec<FragmentSite>,
}

#[derive(Clone, Debug)]
pub enum Shared {
    /// A list, dict, object, … captured by value.
    Constant(waymark_ir::Value),
    /// A function of the program (or prelude), as a value.
    Function(u32),
}

/// A call of an action or child workflow as written.
#[derive(Debug)]
pub struct ActionSite {
    pub name: Arc<str>,
    pub is_workflow: bool,
    pub positional: u16,
    pub names: Arc<[Arc<str>]>,
    /// Arguments come as a list and a dict instead: there were `*` or `**` among them.
    pub spread: bool,
    /// Which policy values are on the operand stack, in this order.
    pub policy: Vec<PolicyField>,
}

impl Pool {
    /// Whether an action is called whose database work and completion are one transaction.
    pub fn has_transactions(&self) -> bool {
        self.actions.iter().any(|site| site.policy.contains(&PolicyField::Transaction))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyField {
    Attempts,
    RetryOn,
    RetryTimeouts,
    Backoff,
    Factor,
    DelayMax,
    Jitter,
    Timeout,
    Grace,
    Queue,
    Transaction,
}

#[derive(Debug)]
pub struct FragmentSite {
    pub source: Arc<str>,
    pub captures: Vec<Arc<str>>,
    pub writes: Vec<Arc<str>>,
}

/// One function.
#[derive(Debug)]
pub struct Graph {
    pub name: Arc<str>,
    /// With the functions around it: `main.<locals>.helper`.
    pub qualified: Arc<str>,
    /// In messages, as Python has it: `Base.step`.
    pub known_as: Arc<str>,
    /// It took an object first in Python, which counts there among its arguments.
    pub is_method: bool,
    pub kind: FunctionKind,
    pub is_generator: bool,
    pub params: Vec<Parameter>,
    /// Variables by slot; hidden ones have a name that starts with a dot.
    pub slots: Vec<Arc<str>>,
    /// How many of the slots, from the first, are variables of the function: those behind are hidden, or a comprehension's own.
    pub variables: u32,
    /// Slots that hold cells, each with the parameter or variable that it shares.
    pub cells: Vec<u32>,
    /// Where the cells that a function object captured go.
    pub captured: Vec<u32>,
    /// The enclosing function's slots from which the captured cells are taken.
    pub captures_from: Vec<u32>,
    pub code: Vec<Op>,
    /// Innermost first.
    pub regions: Vec<Region>,
    /// In the order of their text, each before what is inside it.
    pub statements: Vec<Statement>,
    pub finallys: Vec<Finally>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub data_flow: Vec<DataFlow>,
    /// Source line by instruction: `(first instruction, line)`, ascending.
    pub lines: Vec<(u32, u32)>,
    /// Each of them as a traceback shows it.
    pub places: Vec<Arc<str>>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: Arc<str>,
    pub kind: ParamKind,
    /// A constant default of a program function; made when the function is first used. Nested functions have their
    /// defaults on the operand stack when they are made.
    pub default: Option<waymark_ir::Value>,
    pub has_default: bool,
}

/// Instructions whose exceptions are handled at `target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    /// How many exceptions are being handled outside the region.
    pub handling: u32,
}

/// The instructions of one statement, those of the statements inside it included. Between statements the operand stack is
/// empty; so a position can be told as a statement and an offset in it, which is how it is found again in another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    pub start: u32,
    pub end: u32,
    /// Where the first block inside begins: its test, iterable or context manager is before that.
    pub header_end: u32,
    /// The statement around it, and in which of its blocks, counted as they are lowered.
    pub parent: Option<u32>,
    pub block: u32,
    pub kind: StatementKind,
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// Without blocks.
    Simple,
    If,
    While,
    For,
    AsyncFor,
    /// Its blocks: body, `else`, each handler, `finally`.
    Try,
    With,
    Match,
}

/// A `finally` block: its payload's slot, and what the numbers of its ways out mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finally {
    pub payload: u32,
    pub exits: Vec<WayOut>,
}

/// Out of a `finally` block: of the function, or of the loop that is this statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    Return,
    Break(u32),
    Continue(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub kind: NodeKind,
    /// First instruction, and the one behind the last.
    pub start: u32,
    pub end: u32,
    pub span: Span,
    pub label: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    Assign,
    Branch,
    Action,
    Sleep,
    /// For a signal, a child workflow or a future.
    Wait,
    Fork,
    Join,
    Call,
    /// An implicit action.
    Fragment,
    Return,
    Raise,
    /// Entry of an exception handler or a `finally` block.
    Handler,
}

impl NodeKind {
    pub fn as_str(self) -> &'static str {
        match self {
            NodeKind::Assign => "assign",
            NodeKind::Branch => "branch",
            NodeKind::Action => "action",
            NodeKind::Sleep => "sleep",
            NodeKind::Wait => "wait",
            NodeKind::Fork => "fork",
            NodeKind::Join => "join",
            NodeKind::Call => "call",
            NodeKind::Fragment => "fragment",
            NodeKind::Return => "return",
            NodeKind::Raise => "raise",
            NodeKind::Handler => "handler",
        }
    }

    /// Inline nodes run in the runner; the others wait for somebody.
    pub fn is_inline(self) -> bool {
        !matches!(
            self,
            NodeKind::Action | NodeKind::Sleep | NodeKind::Wait | NodeKind::Join | NodeKind::Call | NodeKind::Fragment
        )
    }
}

impl Graph {
    /// The node that an instruction belongs to.
    pub fn node_at(&self, position: u32) -> u32 {
        let behind = self.nodes.partition_point(|node| node.start <= position);
        behind.saturating_sub(1) as u32
    }

    pub fn line_at(&self, position: u32) -> u32 {
        self.line_number(position).map_or(0, |at| self.lines[at].1)
    }

    /// None: nobody wrote it.
    pub fn place_at(&self, position: u32) -> Option<&Arc<str>> {
        self.line_number(position).map(|at| &self.places[at])
    }

    fn line_number(&self, position: u32) -> Option<usize> {
        self.lines.partition_point(|(start, _)| *start <= position).checked_sub(1)
    }

    pub fn region_at(&self, position: u32) -> Option<&Region> {
        self.regions.iter().find(|region| region.start <= position && position < region.end)
    }
}
