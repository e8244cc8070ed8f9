//! Python's built-in exception classes and who derives from whom.

use crate::{ExceptionValue, Value};

/// `(name, base)`; every base stands before its children. Positions are stored in snapshots: add at the end only. The root, `BaseException`, has an empty base.
pub const HIERARCHY: &[(&str, &str)] = &[
    ("BaseException", ""),
    ("Exception", "BaseException"),
    ("GeneratorExit", "BaseException"),
    ("KeyboardInterrupt", "BaseException"),
    ("SystemExit", "BaseException"),
    ("asyncio.CancelledError", "BaseException"),
    ("BaseExceptionGroup", "BaseException"),
    ("waymark.LimitExceeded", "BaseException"),
    ("ArithmeticError", "Exception"),
    ("FloatingPointError", "ArithmeticError"),
    ("OverflowError", "ArithmeticError"),
    ("ZeroDivisionError", "ArithmeticError"),
    ("decimal.DecimalException", "ArithmeticError"),
    ("decimal.InvalidOperation", "decimal.DecimalException"),
    ("decimal.DivisionByZero", "decimal.DecimalException"),
    ("decimal.Overflow", "decimal.DecimalException"),
    ("AssertionError", "Exception"),
    ("AttributeError", "Exception"),
    ("BufferError", "Exception"),
    ("EOFError", "Exception"),
    ("ExceptionGroup", "Exception"),
    ("ImportError", "Exception"),
    ("ModuleNotFoundError", "ImportError"),
    ("LookupError", "Exception"),
    ("IndexError", "LookupError"),
    ("KeyError", "LookupError"),
    ("MemoryError", "Exception"),
    ("NameError", "Exception"),
    ("UnboundLocalError", "NameError"),
    ("OSError", "Exception"),
    ("BlockingIOError", "OSError"),
    ("ChildProcessError", "OSError"),
    ("ConnectionError", "OSError"),
    ("BrokenPipeError", "ConnectionError"),
    ("ConnectionAbortedError", "ConnectionError"),
    ("ConnectionRefusedError", "ConnectionError"),
    ("ConnectionResetError", "ConnectionError"),
    ("FileExistsError", "OSError"),
    ("FileNotFoundError", "OSError"),
    ("InterruptedError", "OSError"),
    ("IsADirectoryError", "OSError"),
    ("NotADirectoryError", "OSError"),
    ("PermissionError", "OSError"),
    ("ProcessLookupError", "OSError"),
    ("TimeoutError", "OSError"),
    ("ReferenceError", "Exception"),
    ("RuntimeError", "Exception"),
    ("NotImplementedError", "RuntimeError"),
    ("RecursionError", "RuntimeError"),
    ("waymark.WorkerCrashed", "RuntimeError"),
    ("waymark.Unsupported", "RuntimeError"),
    ("waymark.NonRetryable", "Exception"),
    ("StopIteration", "Exception"),
    ("StopAsyncIteration", "Exception"),
    ("SyntaxError", "Exception"),
    ("SystemError", "Exception"),
    ("TypeError", "Exception"),
    ("ValueError", "Exception"),
    ("UnicodeError", "ValueError"),
    ("UnicodeDecodeError", "UnicodeError"),
    ("UnicodeEncodeError", "UnicodeError"),
    ("json.JSONDecodeError", "ValueError"),
    ("asyncio.InvalidStateError", "Exception"),
    ("asyncio.QueueEmpty", "Exception"),
    ("asyncio.QueueFull", "Exception"),
    ("Warning", "Exception"),
    ("DeprecationWarning", "Warning"),
    ("RuntimeWarning", "Warning"),
    ("UserWarning", "Warning"),
    ("zoneinfo.ZoneInfoNotFoundError", "KeyError"),
    ("waymark.Terminated", "Exception"),
    ("dataclasses.FrozenInstanceError", "AttributeError"),
    ("waymark.PayloadError", "waymark.NonRetryable"),
    ("waymark.PayloadTooLarge", "waymark.PayloadError"),
    ("waymark.CannotTravel", "TypeError"),
    ("waymark.InstanceFinished", "Exception"),
];

/// The direct base of a built-in exception class.
pub fn base_of(name: &str) -> Option<&'static str> {
    HIERARCHY.iter().find(|(known, _)| *known == name).map(|(_, base)| *base).filter(|base| !base.is_empty())
}

/// One of a built-in class; of another, with `Exception` as its base.
pub fn exception(type_name: &str, args: Vec<Value>) -> ExceptionValue {
    let bases = std::iter::successors(base_of(type_name), |base| base_of(base));
    let mut bases: Vec<String> = bases.map(str::to_string).collect();
    if bases.is_empty() && type_name != "BaseException" {
        bases = vec!["Exception".into(), "BaseException".into()];
    }
    ExceptionValue { type_name: type_name.into(), bases, args, ..ExceptionValue::default() }
}
