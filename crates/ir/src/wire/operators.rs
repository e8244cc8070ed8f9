//! The enumerations, one to one between the tree and the schema.

use crate::*;
use waymark_proto::v1;

/// `to_wire` is total; `from_wire` is none for "unspecified" and for numbers of a newer schema.
pub(super) trait Enumeration: Sized {
    fn to_wire(self) -> i32;
    fn from_wire(number: i32) -> Option<Self>;
}

macro_rules! enumeration {
    ($tree:ty, $wire:ty: $($variant:ident),+) => {
        impl Enumeration for $tree {
            fn to_wire(self) -> i32 {
                match self { $(<$tree>::$variant => <$wire>::$variant as i32),+ }
            }
            fn from_wire(number: i32) -> Option<Self> {
                match <$wire>::try_from(number).ok()? {
                    <$wire>::Unspecified => None,
                    $(<$wire>::$variant => Some(<$tree>::$variant)),+
                }
            }
        }
    };
}

enumeration!(Dialect, v1::Dialect: Python, Flow);
enumeration!(FunctionKind, v1::FunctionKind: Durable, Plain);
enumeration!(ParamKind, v1::ParamKind: PositionalOnly, Positional, Rest, KeywordOnly, Options);
enumeration!(UnaryOp, v1::UnaryOperator: Not, Negative, Positive, Invert);
enumeration!(
    BinaryOp,
    v1::BinaryOperator: Add,
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
    BitXor
);
enumeration!(BoolOp, v1::BoolOperator: And, Or);
enumeration!(
    CompareOp,
    v1::CompareOperator: Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    Is,
    IsNot
);
enumeration!(Conversion, v1::Conversion: Str, Repr, Ascii);
