//! The part of asyncio that is written in Waymark's own text form: task groups, timeouts, `wait`, locks, queues. It is
//! built from futures, tasks and timers, as asyncio's is, and lowered once.
//!
//! Snapshots hold positions inside these functions. A change to them is a new level, beside the old one.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::graph::Lowered;
use crate::lower::{self, PRELUDE};
use crate::types::{TypeId, Types};

const LEVEL_1: &str = include_str!("prelude.ir");
/// What came later. Its functions count on from those of the first.
const LEVEL_2: &str = include_str!("durable.ir");

/// Whose functions it has.
const MODULES: [&str; 2] = ["asyncio.", "waymark."];

struct Prelude {
    lowered: Lowered,
    methods: FxHashMap<TypeId, FxHashMap<&'static str, u32>>,
    names: Vec<&'static str>,
}

static PRELUDE_1: LazyLock<Prelude> = LazyLock::new(|| {
    let programs = [("prelude.ir", LEVEL_1), ("durable.ir", LEVEL_2)].map(|(file, text)| {
        let parsed = waymark_ir::text::parse(file, text);
        assert!(parsed.diagnostics.is_empty(), "the prelude does not parse: {:?}", parsed.diagnostics);
        parsed.program
    });
    let lowered = lower::lower_units(programs.into(), true);
    let mut methods: FxHashMap<TypeId, FxHashMap<&'static str, u32>> = FxHashMap::default();
    let mut names = Vec::new();
    let types = Types::default();
    for (name, at) in &lowered.functions {
        let name: &'static str = Box::leak(name.to_string().into_boxed_str());
        match name.split_once("__of__") {
            // `put__of__Queue` is the method `put` of `asyncio.Queue`.
            Some((method, class)) => {
                let class = ["asyncio.", "contextlib.", "waymark.", ""]
                    .iter()
                    .find_map(|module| types.find(&format!("{module}{class}")));
                methods.entry(class.unwrap_or(TypeId::OBJECT)).or_default().insert(method, at | PRELUDE);
            }
            None => names.push(name),
        }
    }
    Prelude { lowered, methods, names }
});

pub(crate) fn lowered() -> &'static Lowered {
    &PRELUDE_1.lowered
}

/// A function that programs reach by a dotted name: `asyncio.wait` is written `asyncio__wait`.
pub(crate) fn function(path: &str) -> Option<u32> {
    if !MODULES.iter().any(|module| path.starts_with(module)) {
        return None;
    }
    PRELUDE_1.lowered.functions.get(written(path).as_str()).copied()
}

/// How a dotted name is written in the prelude.
pub(crate) fn written(path: &str) -> String {
    path.replace('.', "__")
}

/// A method of a class of the prelude, with the prelude's bit set.
pub(crate) fn method(class: TypeId, name: &str) -> Option<u32> {
    if !class.is_prelude() {
        return None;
    }
    PRELUDE_1.methods.get(&class)?.get(name).copied()
}

/// `split`, `subgroup` and `derive` of exception groups.
pub(crate) fn group_method(name: &str) -> Option<u32> {
    PRELUDE_1.methods.get(&TypeId::BASE_EXCEPTION_GROUP)?.get(name).copied()
}

pub(crate) fn method_names(class: TypeId) -> impl Iterator<Item = &'static str> {
    PRELUDE_1.methods.get(&class).into_iter().flat_map(|methods| methods.keys().copied())
}

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    static DOTTED: LazyLock<Vec<String>> = LazyLock::new(|| {
        let is_public = |name: &&&str| MODULES.iter().any(|module| name.starts_with(&written(module)));
        let public = PRELUDE_1.names.iter().filter(is_public);
        public.map(|name| name.replace("__", ".")).collect()
    });
    DOTTED.iter().map(String::as_str)
}
