//! The codes, stable for ever; each has an entry in `docs/diagnostics.md`.

macro_rules! codes {
    ($($name:ident = $code:literal),+ $(,)?) => {
        $(pub const $name: &str = $code;)+
        /// Every code of the verifier.
        pub const ALL: &[&str] = &[$($code),+];
    };
}

codes! {
    TOO_DEEP = "W0201",
    NO_ENTRY = "W0202",
    DUPLICATE_FUNCTION = "W0203",
    DUPLICATE_TYPE = "W0204",
    NEWER_SEMANTICS = "W0205",
    UNKNOWN_BASE = "W0206",
    BASE_CYCLE = "W0207",
    DUPLICATE_PARAM = "W0208",
    PARAM_ORDER = "W0209",
    DEFAULT_NOT_CONSTANT = "W0210",
    UNKNOWN_NAME = "W0211",
    UNKNOWN_ATTRIBUTE = "W0212",
    NONLOCAL_NOT_FOUND = "W0213",
    READ_BEFORE_ASSIGNMENT = "W0214",
    UNKNOWN_METHOD = "W0215",
    WRONG_ARGUMENTS = "W0220",
    UNKNOWN_KEYWORD = "W0221",
    DUPLICATE_KEYWORD = "W0222",
    WAIT_IN_PLAIN = "W0230",
    OUTSIDE_LOOP = "W0231",
    YIELD_IN_DURABLE = "W0232",
    BAD_TARGET = "W0233",
    BAD_STAR = "W0234",
    SLICE_OUTSIDE_INDEX = "W0235",
    BARE_RAISE = "W0236",
    MISSING_RETURN = "W0240",
    UNREACHABLE = "W0241",
    HANDLER_AFTER_CATCH_ALL = "W0242",
    DUPLICATE_CAPTURE = "W0243",
    IRREFUTABLE_CASE = "W0244",
    ALTERNATIVES_DIFFER = "W0245",
    BAD_POLICY = "W0250",
    EMPTY_ACTION_NAME = "W0251",
    BAD_FRAGMENT = "W0252",
}
