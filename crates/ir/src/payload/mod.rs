//! Values as MessagePack: inputs, results and everything else that travels between engine and workers.
//!
//! None, bool, int (64 bit), float, str, bytes (bin), list (array) and dict (map, any keys) are plain MessagePack. The
//! rest are extension types; the body of each is itself one MessagePack value:
//!
//! | ext | value | body |
//! |---|---|---|
//! | 1 | int beyond 64 bit | bin: two's complement, big-endian |
//! | 2 | tuple | array of values |
//! | 3 | set | array of values |
//! | 4 | frozenset | array of values |
//! | 5 | object | `[type name, {field name: value}]` |
//! | 6 | exception | `[type name, [base], [arg], {field name: value}, message or nil, cause or nil, context or nil, suppress context, [note], [traceback entry]]`; cause and context are ext 6 |
//! | 7 | date | `[year, month, day]` |
//! | 8 | time | `[hour, minute, second, microsecond, fold, zone]` |
//! | 9 | datetime | `[year, month, day, hour, minute, second, microsecond, fold, zone]` |
//! | 10 | timedelta | `[days, seconds, microseconds]`, normalised as Python's |
//! | 11 | decimal | str: Python's `str(Decimal)` |
//! | 12 | UUID | bin of 16 bytes |
//! | 13 | ellipsis | nil |
//!
//! A zone is nil (naive), a str (`ZoneInfo` key) or `[offset in microseconds, name or nil]`. A reader takes any width
//! of integer and 32-bit floats; it refuses bytes after the value, equal keys in a dict or set (as Python compares
//! numbers: `1`, `1.0` and `True` are one key), and nesting beyond [`MAX_DEPTH`].

mod decode;
mod encode;
mod keys;

pub use decode::decode;
pub use encode::{encode, encode_list, encode_named};
pub(crate) use keys::all_distinct;

/// How deep values may be nested; every array, map and extension is a level (so a tuple is two).
pub const MAX_DEPTH: usize = 512;

mod ext {
    pub const INT: i8 = 1;
    pub const TUPLE: i8 = 2;
    pub const SET: i8 = 3;
    pub const FROZENSET: i8 = 4;
    pub const OBJECT: i8 = 5;
    pub const EXCEPTION: i8 = 6;
    pub const DATE: i8 = 7;
    pub const TIME: i8 = 8;
    pub const DATETIME: i8 = 9;
    pub const TIMEDELTA: i8 = 10;
    pub const DECIMAL: i8 = 11;
    pub const UUID: i8 = 12;
    pub const ELLIPSIS: i8 = 13;
}

/// Why bytes are not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    #[error("the payload ends in the middle of a value")]
    Truncated,
    #[error("{count} bytes follow the value")]
    TrailingBytes { count: usize },
    #[error("nested more than {MAX_DEPTH} levels deep")]
    TooDeep,
    #[error("a string is not UTF-8")]
    NotUtf8,
    #[error("extension type {0} is not known")]
    UnknownExtension(i8),
    #[error("marker 0x{0:02x} is not used")]
    UnknownMarker(u8),
    #[error("a dict has the same key twice")]
    DuplicateKey,
    #[error("a set has the same item twice")]
    DuplicateItem,
    #[error("not a valid {0}")]
    Invalid(&'static str),
}
