//! What native code works with: the heap, the classes, event time, chance, the log and the fuel.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::heap::{Exception, Heap, Id, Object};
use crate::types::{TypeId, Types};
use crate::value::Value;

/// Why an operation did not give a value.
#[derive(Debug)]
pub enum Fault {
    /// An exception of the program: catchable there.
    Raise(Id),
    /// Native code can't do this faithfully (a user's `__eq__`, say): the operation, whole, goes to a worker.
    /// Nothing may have been changed before this is returned.
    Worker,
}

pub type Eval<T = Value> = Result<T, Fault>;

/// Deterministic limits of an instance; part of its state, so that a resumed instance meets the same ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Units of work between two waits of the whole instance.
    pub steps_max: u64,
    /// Bytes of one string, bytes or integer, and 16-byte units of one container.
    pub value_bytes_max: usize,
    /// Nested calls.
    pub depth_max: usize,
    /// Bytes that all values of the instance may take, roughly.
    pub heap_bytes_max: usize,
    /// Items that one spread or gather starts.
    pub spread_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps_max: 200_000_000,
            value_bytes_max: 64 << 20,
            depth_max: 1_000,
            heap_bytes_max: 512 << 20,
            spread_max: 1_000_000,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Context {
    pub heap: Heap,
    pub types: Types,
    /// Event time: microseconds since 1970, UTC. Stands still between events.
    pub now_us: i64,
    /// The program was told the time since the last event: see [`Context::tell_time`].
    #[serde(skip)]
    pub is_time_told: bool,
    pub random: Random,
    /// What the program printed or logged since the last event.
    pub log: Vec<LogLine>,
    pub limits: Limits,
    /// Units of work since the instance last waited.
    pub steps: u64,
    /// `steps` may not pass this; raised a little once it was, so that handlers can run.
    pub steps_allowed: u64,
    /// Bytes of values made since the heap was last weighed. Decides when to weigh it, so it is part of the state.
    pub allocated: usize,
    /// Counts changes that a program could observe; tells whether an operation had done something before it failed.
    pub mutations: u64,
    pub weighed_mutations: u64,
    /// The program took no notice of the limit: nothing of it runs any more.
    #[serde(skip)]
    pub exhausted: bool,
    /// Members of enumerations, made when first used.
    pub members: BTreeMap<(TypeId, Arc<str>), Id>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// `print`, or a level of `logging`.
    pub level: Arc<str>,
    pub text: String,
}

impl Context {
    pub fn new(limits: Limits, seed: u64) -> Context {
        Context {
            heap: Heap::default(),
            types: Types::default(),
            now_us: 0,
            is_time_told: false,
            random: Random::new(seed),
            log: Vec::new(),
            steps: 0,
            steps_allowed: limits.steps_max,
            limits,
            allocated: 0,
            mutations: 0,
            weighed_mutations: 0,
            exhausted: false,
            members: BTreeMap::new(),
        }
    }

    /// The time, for the program to see: what it does from here on may depend on when it is folded.
    pub fn tell_time(&mut self) -> i64 {
        self.is_time_told = true;
        self.now_us
    }

    /// Accounts for work that is not a step of the program, e.g. comparing two long lists.
    #[inline]
    pub fn charge(&mut self, units: usize) -> Eval<()> {
        self.steps += units as u64;
        if self.steps > self.steps_allowed { Err(self.out_of_steps()) } else { Ok(()) }
    }

    #[cold]
    fn out_of_steps(&mut self) -> Fault {
        // The little that handlers were given is used up as well: whoever goes on now would go on for ever.
        self.exhausted = self.steps_allowed > self.limits.steps_max;
        self.steps_allowed = self.steps + self.limits.steps_max / 100 + 1_000;
        let text = format!("the workflow took more than {} steps without waiting", self.limits.steps_max);
        self.raise(TypeId::LIMIT_EXCEEDED, text)
    }

    /// Refuses to make a value of more than the allowed size, before it is made.
    pub fn check_size(&mut self, bytes: usize) -> Eval<()> {
        if bytes <= self.limits.value_bytes_max {
            self.allocated += bytes;
            return self.charge(bytes / 64);
        }
        let text = format!("a value of {bytes} bytes is over the limit of {} bytes", self.limits.value_bytes_max);
        Err(self.raise(TypeId::MEMORY_ERROR, text))
    }

    /// Whether so much may have been added that the heap should be weighed.
    pub fn wants_weighing(&self) -> bool {
        let grown = self
            .allocated
            .saturating_add((self.mutations.saturating_sub(self.weighed_mutations) as usize).saturating_mul(32));
        grown > self.limits.heap_bytes_max / 4
    }

    // ---- raising

    pub fn raise(&mut self, kind: TypeId, message: impl Into<String>) -> Fault {
        self.raise_with(kind, vec![Value::str(message.into())])
    }

    pub fn raise_with(&mut self, kind: TypeId, args: Vec<Value>) -> Fault {
        Fault::Raise(self.exception(kind, args))
    }

    pub fn exception(&mut self, kind: TypeId, args: Vec<Value>) -> Id {
        self.heap.add(Object::Exception(Box::new(Exception::new(kind, args))))
    }

    pub fn type_error(&mut self, message: impl Into<String>) -> Fault {
        self.raise(TypeId::TYPE_ERROR, message)
    }

    pub fn value_error(&mut self, message: impl Into<String>) -> Fault {
        self.raise(TypeId::VALUE_ERROR, message)
    }

    // ---- making values

    pub fn list(&mut self, items: Vec<Value>) -> Value {
        Value::Ref(self.heap.add(Object::list(items)))
    }

    pub fn tuple(&mut self, items: Vec<Value>) -> Value {
        Value::Ref(self.heap.add(Object::Tuple(items.into())))
    }

    // ---- asking about values

    pub fn type_of(&self, value: &Value) -> TypeId {
        match value {
            Value::Unbound | Value::None => TypeId::NONE,
            Value::Bool(_) => TypeId::BOOL,
            Value::Int(_) | Value::Big(_) => TypeId::INT,
            Value::Float(_) => TypeId::FLOAT,
            Value::Str(_) => TypeId::STR,
            Value::Bytes(_) => TypeId::BYTES,
            Value::Date(_) => TypeId::DATE,
            Value::Time(_) => TypeId::TIME,
            Value::DateTime(_) => TypeId::DATETIME,
            Value::Delta(_) => TypeId::TIMEDELTA,
            Value::Zone(zone) => match **zone {
                waymark_ir::Zone::Fixed { .. } => TypeId::TIMEZONE,
                waymark_ir::Zone::Named(_) => TypeId::ZONEINFO,
            },
            Value::Decimal(_) => TypeId::DECIMAL,
            Value::Uuid(_) => TypeId::UUID,
            Value::Ellipsis => TypeId::ELLIPSIS,
            Value::NotImplemented => TypeId::NOT_IMPLEMENTED,
            Value::Type(_) => TypeId::TYPE,
            Value::Builtin(_) => TypeId::BUILTIN_FUNCTION,
            Value::Ref(id) => self.heap.get(*id).type_id(),
        }
    }

    pub fn is_iterator(&self, value: &Value) -> bool {
        matches!(value, Value::Ref(id) if matches!(self.heap.get(*id), Object::Iterator(_)))
    }

    /// As error messages name the value's class: `'list' object …`.
    pub fn type_name(&self, value: &Value) -> Arc<str> {
        self.types.get(self.type_of(value)).shown.clone()
    }

    /// Whether a user's class of this value defines `name` itself, or might: then only a worker can run it.
    pub fn overrides(&self, value: &Value, name: &str) -> bool {
        self.declares(value, name) || crate::python::compare::is_elsewhere(self, value)
    }

    /// Whether the program says that a class of this value defines `name` itself.
    pub fn declares(&self, value: &Value, name: &str) -> bool {
        let info = self.types.get(self.type_of(value));
        info.mro.iter().any(|id| {
            let descriptor = &self.types.get(*id).descriptor;
            descriptor.as_ref().is_some_and(|known| known.overrides.iter().any(|own| own == name))
        })
    }
}

/// SplitMix64: small, seeded, part of the state. Not for secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Random {
    pub state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [0, bound), without bias.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0);
        let zone = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.bits();
            if bits < zone {
                return bits % bound;
            }
        }
    }
}
