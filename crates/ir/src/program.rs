//! The program tree. Shaped after Python's syntax, since what a construct means is what it means there; a `.flow`
//! program uses the same tree with the other [`Dialect`].
//!
//! `await` may stand inside any expression: the lowering, not the compiler, splits an expression where it waits.

mod spans;

pub use spans::{strip_expression_spans, strip_spans};

use crate::{Span, Value};

/// The newest meaning of programs. A fix that changes what a program means raises it; stored programs keep theirs.
pub const SEMANTICS_LEVEL: u32 = 1;

/// How many nodes (statements, expressions, patterns, functions) may be nested in each other. Readers refuse deeper
/// trees, so that code that walks them may recurse: with this limit even `clone` in a debug build, the hungriest walk,
/// fits the 2 MiB stack of a thread.
pub const MAX_DEPTH: usize = 320;

#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The workflow's name.
    pub name: String,
    pub dialect: Dialect,
    pub semantics: u32,
    /// The function that an instance runs: by convention `main`.
    pub entry: String,
    pub types: Vec<TypeDescriptor>,
    pub functions: Vec<Function>,
    /// The texts that spans point into.
    pub sources: Vec<Source>,
}

impl Program {
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}

/// Whose semantics operators, truthiness, attributes and built-ins follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    #[default]
    Python,
    Flow,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub path: String,
    pub text: String,
}

// ---------------------------------------------------------------------------------------------------- functions

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub kind: FunctionKind,
    pub params: Vec<Param>,
    /// Names for what is returned, for people and pictures. A function that has some must return on every path.
    pub outputs: Vec<String>,
    pub body: Block,
    /// What messages call it, where that is not its name.
    pub origin: Option<Origin>,
    pub span: Span,
}

/// What a function was before it became one of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// `Base.step`
    pub qualified: String,
    /// It took an object first, which the program leaves out.
    pub is_method: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// May wait; calling it gives an awaitable (Python's `async def`). `fn` in the text form.
    Durable,
    /// Runs at once when called, may not wait (`def`). One that contains a `yield` is a generator.
    Plain,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: String,
    pub kind: ParamKind,
    /// Evaluated when the function is made, as in Python. Program functions may only have constants here.
    pub default: Option<Expr>,
    pub span: Span,
}

/// In the order in which they may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ParamKind {
    PositionalOnly,
    Positional,
    /// `*args`
    Rest,
    KeywordOnly,
    /// `**kwargs`
    Options,
}

pub type Block = Vec<Stmt>;

// --------------------------------------------------------------------------------------------------- statements

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Expr(Expr),
    /// `a = b = value`; a target is a name, attribute, index, or a tuple/list of targets (one may be starred).
    Assign {
        targets: Vec<Expr>,
        value: Expr,
    },
    AugAssign {
        target: Expr,
        op: BinaryOp,
        value: Expr,
    },
    Delete(Vec<Expr>),
    /// An `elif` is an `If` alone in `orelse`.
    If {
        test: Expr,
        body: Block,
        orelse: Block,
    },
    While {
        test: Expr,
        body: Block,
        orelse: Block,
    },
    For {
        target: Expr,
        iter: Expr,
        body: Block,
        orelse: Block,
        is_async: bool,
    },
    Try {
        body: Block,
        handlers: Vec<Handler>,
        orelse: Block,
        finally: Block,
    },
    With {
        items: Vec<WithItem>,
        body: Block,
        is_async: bool,
    },
    Match {
        subject: Expr,
        cases: Vec<Case>,
    },
    Return(Option<Expr>),
    /// No `exception`: re-raise what is being handled.
    Raise {
        exception: Option<Expr>,
        cause: Option<Expr>,
    },
    Assert {
        test: Expr,
        message: Option<Expr>,
    },
    Break,
    Continue,
    Pass,
    /// A nested function, made when the statement runs; it captures the variables around it.
    Def(Box<Function>),
    /// These names belong to the enclosing function.
    Nonlocal(Vec<String>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    /// The class, or a tuple of classes; none catches everything.
    pub exception: Option<Expr>,
    pub name: Option<String>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WithItem {
    pub context: Expr,
    pub target: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// `_`
    Wildcard,
    /// A name that takes the value.
    Capture(String),
    /// A literal or dotted name, compared with `==`.
    Value(Expr),
    /// `None`, `True`, `False`: compared with `is`.
    Singleton(Value),
    Sequence(Vec<Pattern>),
    /// `*rest` inside a sequence; `*_` has no name.
    Star(Option<String>),
    Mapping {
        entries: Vec<(Expr, Pattern)>,
        rest: Option<String>,
    },
    Class {
        class: Expr,
        positional: Vec<Pattern>,
        keyword: Vec<(String, Pattern)>,
    },
    Or(Vec<Pattern>),
    As {
        pattern: Box<Pattern>,
        name: String,
    },
}

// -------------------------------------------------------------------------------------------------- expressions

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Const(Value),
    /// A variable, else a function of the program, a built-in (`len`), a module (`math`, `asyncio`) or a declared type.
    Name(String),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Set(Vec<Expr>),
    Dict(Vec<DictItem>),
    /// `*items` in a display, call or target.
    Starred(Box<Expr>),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `and`/`or` over two or more operands.
    Bool {
        op: BoolOp,
        operands: Vec<Expr>,
    },
    /// `a < b < c`
    Compare {
        left: Box<Expr>,
        rest: Vec<(CompareOp, Expr)>,
    },
    Conditional {
        test: Box<Expr>,
        then: Box<Expr>,
        orelse: Box<Expr>,
    },
    /// `name := value`
    Walrus {
        name: String,
        value: Box<Expr>,
    },
    Attribute {
        base: Box<Expr>,
        name: String,
    },
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    /// Only as (part of) an index.
    Slice {
        lower: Option<Box<Expr>>,
        upper: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Arg>,
    },
    /// An anonymous plain function whose body is one `return`.
    Lambda(Box<Function>),
    Comprehension(Box<Comprehension>),
    /// An f-string.
    Format(Vec<FormatPart>),
    Await(Box<Expr>),
    Yield(Option<Box<Expr>>),
    /// `yield from items`, in plain functions only.
    YieldFrom(Box<Expr>),
    /// An awaitable call of an action or of a child workflow; it starts when it is awaited or made a task.
    Action(Box<ActionCall>),
    /// `spread items:item -> body`: one awaitable an item, gathered in order. The expression itself waits.
    Spread(Box<Spread>),
    /// Source text that only a worker can evaluate faithfully (an implicit action). The expression itself waits.
    Fragment(Box<Fragment>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum DictItem {
    Entry(Expr, Expr),
    /// `**mapping`
    Merge(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    Positional(Expr),
    Keyword(String, Expr),
    /// `*items`
    Rest(Expr),
    /// `**mapping`
    Options(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Not,
    Negative,
    Positive,
    Invert,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
    MatrixMultiply,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoolOp {
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    Is,
    IsNot,
}

impl CompareOp {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            CompareOp::Equal => "==",
            CompareOp::NotEqual => "!=",
            CompareOp::Less => "<",
            CompareOp::LessEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterEqual => ">=",
            CompareOp::In => "in",
            CompareOp::NotIn => "not in",
            CompareOp::Is => "is",
            CompareOp::IsNot => "is not",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    pub kind: ComprehensionKind,
    pub clauses: Vec<Clause>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ComprehensionKind {
    List(Expr),
    Set(Expr),
    Dict(Expr, Expr),
    Generator(Expr),
}

/// `for target in iter if condition if condition`
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub target: Expr,
    pub iter: Expr,
    pub conditions: Vec<Expr>,
    pub is_async: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FormatPart {
    Text(String),
    Field {
        value: Expr,
        conversion: Option<Conversion>,
        /// May itself contain fields.
        spec: Vec<FormatPart>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// `!s`
    Str,
    /// `!r`
    Repr,
    /// `!a`
    Ascii,
}

// ------------------------------------------------------------------------------------------- leaving the instance

#[derive(Clone, Debug, PartialEq)]
pub struct ActionCall {
    pub target: CallTarget,
    pub args: Vec<Arg>,
    pub policy: Policy,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CallTarget {
    /// An action by its import path, e.g. `app.billing:charge`.
    Action(String),
    /// A child workflow by name.
    Workflow(String),
}

/// How an action is tried. Absent means the engine's default; values are expressions, mostly constants. Times are seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// How often it is tried in all, the first time included. Default 1.
    pub attempts: Option<Expr>,
    /// Exception classes (a class or tuple of classes) worth another try. Default: every `Exception`.
    pub retry_on: Option<Expr>,
    /// Whether an attempt that timed out is tried again. Default false.
    pub retry_timeouts: Option<Expr>,
    /// Wait before the second try.
    pub backoff: Option<Expr>,
    /// Each wait is this many times the one before. Default 2.
    pub factor: Option<Expr>,
    /// No wait is longer.
    pub max_delay: Option<Expr>,
    /// Share of each wait, 0 to 1, that is drawn at random.
    pub jitter: Option<Expr>,
    /// One attempt may take this long.
    pub timeout: Option<Expr>,
    /// How long a cancelled attempt is waited for.
    pub grace: Option<Expr>,
    pub queue: Option<Expr>,
    /// Whether its database work and its completion are one transaction: a constant, for whoever registers the program to see.
    pub transaction: Option<Expr>,
}

impl Policy {
    /// All settings by their keys in the text form, in the order above.
    pub fn entries(&self) -> [(&'static str, Option<&Expr>); 11] {
        [
            ("retry", self.attempts.as_ref()),
            ("on", self.retry_on.as_ref()),
            ("timeouts", self.retry_timeouts.as_ref()),
            ("backoff", self.backoff.as_ref()),
            ("factor", self.factor.as_ref()),
            ("max_delay", self.max_delay.as_ref()),
            ("jitter", self.jitter.as_ref()),
            ("timeout", self.timeout.as_ref()),
            ("grace", self.grace.as_ref()),
            ("queue", self.queue.as_ref()),
            ("transaction", self.transaction.as_ref()),
        ]
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    pub items: Expr,
    /// A target, as in `for`.
    pub variable: Expr,
    /// Evaluates to an awaitable: an action, a child workflow, a call of a durable function.
    pub body: Expr,
    pub return_exceptions: bool,
}

/// Source text of the program's language, to be evaluated in a worker over captured values.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    pub source: String,
    /// Names in `source` and what they stand for: evaluated subexpressions, not whole variables.
    pub captures: Vec<(String, Expr)>,
    /// Empty: `source` is an expression, and its value is the result. Else `source` is statements, and the result is
    /// the tuple of these variables afterwards.
    pub writes: Vec<String>,
}

// -------------------------------------------------------------------------------------------------------- types

/// What the runner has to know of a user's class to work with its instances faithfully.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDescriptor {
    /// Import path, e.g. `app.models:User`. Names in the program refer to it by the part after the last `:` or `.`,
    /// or whole.
    pub name: String,
    /// Direct bases, nearest first: other descriptors, built-in types or exceptions.
    pub bases: Vec<String>,
    pub kind: TypeKind,
    /// All fields in order, inherited ones included.
    pub fields: Vec<Field>,
    /// What the class defines itself and only a worker can run: special methods (`__eq__`), properties, methods.
    pub overrides: Vec<String>,
    /// Methods that the program has itself, with the names of their functions: those with awaits in them.
    pub methods: Vec<(String, String)>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// Instances are made by a worker.
    Opaque,
    /// A plain record (a dataclass): made, compared and printed natively.
    Record {
        frozen: bool,
        eq: bool,
        order: bool,
    },
    Exception,
    /// Members by name.
    Enum(Vec<(String, Value)>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    /// Absent: required.
    pub default: Option<Value>,
}
