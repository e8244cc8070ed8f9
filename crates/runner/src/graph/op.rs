//! The instructions. Each takes its operands from the frame's operand stack and leaves its result there.

use waymark_ir::{BinaryOp, CompareOp, Conversion, UnaryOp};

/// Keyword names of a call: an index into [`super::Pool::keywords`], or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names(pub u32);

impl Names {
    pub const NONE: Names = Names(u32::MAX);
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    // ---- values and variables
    Const(u32),
    Shared(u32),
    /// A variable, about to be kept somewhere else too: marks a list as shared.
    Load(u32),
    /// A variable, only looked at by the next operation.
    Peek(u32),
    Store(u32),
    /// Unbinds, silently.
    Clear(u32),
    /// `del name`: raises where it is unbound.
    Delete(u32),
    LoadCell(u32),
    StoreCell(u32),
    DeleteCell(u32),
    /// Gives a slot a fresh cell that holds what the slot held.
    NewCell(u32),
    /// Pushes the cell itself, for a function that captures it.
    Capture(u32),
    Pop,
    /// Copies the top `n` operands.
    Dup(u8),
    /// Moves the top below the `n - 1` operands under it.
    Rotate(u8),

    // ---- operators
    Unary(UnaryOp),
    Binary(BinaryOp),
    InPlace(BinaryOp),
    Compare(CompareOp),
    /// `name = name + right`, in place where nobody else can see the list.
    Extend(u32),

    // ---- control
    Jump(u32),
    JumpIfFalse(u32),
    JumpIfTrue(u32),
    JumpIfFalseOrPop(u32),
    JumpIfTrueOrPop(u32),
    /// The next item of the iterator in a slot, or clears the slot and jumps.
    Next {
        slot: u32,
        end: u32,
    },
    /// The next item of the asynchronous iterator in a slot, awaited, or clears the slot and jumps.
    NextAsync {
        slot: u32,
        end: u32,
    },
    Return,
    Yield,
    /// `yield from`: what the iterator in a slot gives when it is sent the top of the stack; its result, and a jump, at its end.
    Delegate {
        slot: u32,
        end: u32,
    },

    // ---- making containers
    List(u32),
    Tuple(u32),
    Set(u32),
    /// `n` keys and values.
    Dict(u32),
    /// These add to the container in a slot.
    Append(u32),
    Add(u32),
    Insert(u32),
    /// These add the top of the stack to the container under it.
    ExtendTop,
    /// The same for `*items` in a call.
    ExtendArguments,
    AddTop,
    AppendTop,
    InsertTop,
    UpdateTop,
    /// `**mapping` in a display (later keys win), or in a call (a repeated key is an error).
    MergeTop {
        call: bool,
    },
    ListToTuple,
    Slice,
    Format {
        conversion: Option<Conversion>,
        spec: bool,
    },
    Concat(u32),

    // ---- parts of things
    GetAttribute(u32),
    SetAttribute(u32),
    DeleteAttribute(u32),
    GetItem,
    SetItem,
    DeleteItem,
    Iter,
    /// Exactly this many items, the first on top.
    Unpack(u32),
    UnpackStar {
        before: u16,
        after: u16,
    },

    // ---- calls
    Call {
        positional: u16,
        names: Names,
    },
    CallMethod {
        name: u32,
        positional: u16,
        names: Names,
    },
    /// Before the arguments of a method are evaluated: that there is such a method.
    CheckMethod(u32),
    /// Callee, list of positional arguments, dict of keyword arguments.
    CallSpread,
    /// A nested function: its defaults and then its captured cells are on the stack.
    Function {
        graph: u32,
    },

    // ---- leaving the instance
    /// An awaitable call: its arguments, then its policy values.
    Action(u32),
    /// The same, started and awaited at once.
    RunAction(u32),
    Await,
    /// All awaitables of a list, gathered: gives the future.
    Gather {
        return_exceptions: bool,
    },
    Fragment(u32),

    // ---- exceptions
    /// `raise exception [from cause]`
    Raise {
        cause: bool,
    },
    /// `raise` alone.
    Reraise,
    /// Raises what is on the stack as it is.
    Rethrow,
    /// The exception on the stack becomes the one being handled.
    EnterHandler,
    LeaveHandler,
    /// The exception being handled.
    Handled,
    /// Whether the exception being handled is of the class (or one of the classes) on the stack.
    MatchException,
    /// Start of a `finally` block. `payload`, and `payload + 1` which tells why it is entered.
    EnterFinally(u32),
    /// From the handler of a protected block: the exception on the stack is why.
    FinallyRaised(u32),
    /// Goes on as the reason says: falls through to the jump behind it, raises, or takes one of the `exits` jumps after that.
    EndFinally {
        payload: u32,
        exits: u16,
    },
    /// The exception for which a `finally` block runs, or None.
    FinallyException(u32),
    /// If the top is true and the block runs for an exception, the exception is swallowed.
    FinallySuppress(u32),
    /// `StopAsyncIteration` being handled ends an `async for`: jumps, else raises it on.
    EndAsyncFor {
        slot: u32,
        end: u32,
    },
    /// `assert`: raises AssertionError, with the message on the stack if there is one.
    AssertFailed {
        message: bool,
    },

    // ---- patterns: each leaves what it found and, on top, whether it matched
    MatchSequence {
        length: u16,
        star: bool,
    },
    MatchMapping,
    /// Subject and key: gives the value too.
    MatchKey,
    /// Subject and class.
    MatchClass,
    /// Subject and class: the attribute for a positional sub-pattern.
    MatchPositional(u16),
    MatchAttribute(u32),
    /// Subject and `n` keys: a dict of the others.
    MatchRest(u16),
}
