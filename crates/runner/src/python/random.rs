//! The module `random`. Every draw comes from the generator in the instance's state, so a resumed instance goes on
//! with the numbers that it would have drawn.

use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, ToPrimitive, Zero};
use waymark_ir::{BinaryOp, CompareOp};

use crate::context::{Context, Eval, Fault};
use crate::heap::Object;
use crate::python::number::{self, to_f64};
use crate::python::{Args, Constants, Functions, compare, iterate, operators, subscript};
use crate::types::TypeId;
use crate::value::Value;

pub const FUNCTIONS: Functions = &[
    ("random.random", random),
    ("random.randint", randint),
    ("random.randrange", randrange),
    ("random.uniform", uniform),
    ("random.choice", choice),
    ("random.choices", choices),
    ("random.sample", sample),
    ("random.shuffle", shuffle),
    ("random.gauss", |cx, args| normal(cx, args, "gauss")),
    ("random.normalvariate", |cx, args| normal(cx, args, "normalvariate")),
    ("random.lognormvariate", |cx, args| match normal(cx, args, "lognormvariate")? {
        Value::Float(float) => Ok(Value::Float(float.exp())),
        other => Ok(other),
    }),
    ("random.expovariate", expovariate),
    ("random.triangular", triangular),
    ("random.getrandbits", getrandbits),
    ("random.randbytes", randbytes),
    ("random.seed", |cx, _| {
        let text = "random.seed() is not supported: the numbers belong to the workflow's instance and are kept with it";
        Err(cx.raise(TypeId::UNSUPPORTED, text))
    }),
];
pub const CONSTANTS: Constants = &[];

/// Binds arguments as Python does for a function written in Python, whose messages differ from those of native ones
/// ([`Args::bind`]). `own` counts `self`, which such messages count too. A leading `*` makes a name keyword only.
pub fn bind<const N: usize>(
    cx: &mut Context,
    args: Args<'_>,
    function: &str,
    own: usize,
    names: [&str; N],
    required: usize,
) -> Eval<[Option<Value>; N]> {
    let mut bound: [Option<Value>; N] = std::array::from_fn(|_| None);
    let most = names.iter().filter(|name| !name.starts_with('*')).count();
    let given = args.positional.len();
    for (slot, value) in bound[..most].iter_mut().zip(args.positional) {
        *slot = Some(value.clone());
    }
    for (name, value) in args.keyword {
        let Some(at) = names.iter().position(|known| known.trim_start_matches('*') == &**name) else {
            return Err(cx.type_error(format!("{function}() got an unexpected keyword argument '{name}'")));
        };
        if bound[at].is_some() {
            return Err(cx.type_error(format!("{function}() got multiple values for argument '{name}'")));
        }
        bound[at] = Some(value.clone());
    }
    if given > most {
        let range = match required.min(most) == most {
            true => format!("{}", most + own),
            false => format!("from {} to {}", required + own, most + own),
        };
        let plural = if most + own == 1 { "" } else { "s" };
        let verb = if given + own == 1 { "was" } else { "were" };
        let text = format!("{function}() takes {range} positional argument{plural} but {} {verb} given", given + own);
        return Err(cx.type_error(text));
    }
    let missing: Vec<String> = (0..required.min(N))
        .filter(|at| bound[*at].is_none())
        .map(|at| format!("'{}'", names[at].trim_start_matches('*')))
        .collect();
    if missing.is_empty() {
        return Ok(bound);
    }
    let plural = if missing.len() == 1 { "" } else { "s" };
    let count = missing.len();
    let text = format!("{function}() missing {count} required positional argument{plural}: {}", missing.join(" and "));
    Err(cx.type_error(text))
}

fn unit(cx: &mut Context) -> f64 {
    cx.mutations += 1;
    cx.random.unit()
}

/// Uniform in `[0, bound)`; the bound is at least one.
fn below(cx: &mut Context, bound: u64) -> u64 {
    cx.mutations += 1;
    cx.random.below(bound.max(1))
}

fn bits(cx: &mut Context, count: u64) -> BigUint {
    cx.mutations += 1;
    let words = count.div_ceil(64);
    let mut bytes = Vec::with_capacity(words as usize * 8);
    for _ in 0..words {
        bytes.extend_from_slice(&cx.random.bits().to_le_bytes());
    }
    BigUint::from_bytes_le(&bytes) >> (words * 64 - count)
}

fn below_big(cx: &mut Context, bound: &BigInt) -> BigInt {
    if let Some(small) = bound.to_u64() {
        return BigInt::from(below(cx, small));
    }
    loop {
        let drawn = BigInt::from(bits(cx, bound.bits()));
        if drawn < *bound {
            return drawn;
        }
    }
}

fn random(cx: &mut Context, args: Args<'_>) -> Eval {
    args.bind(cx, "Random.random", [], 0)?;
    Ok(Value::Float(unit(cx)))
}

/// An argument of `randrange`: an integer, or a float or text that Python (still) takes for one.
fn whole(cx: &mut Context, value: &Value, place: &str) -> Eval<BigInt> {
    if let Some(integer) = number::as_integer(value) {
        return Ok(integer);
    }
    let integer = number::to_int(cx, value)?;
    let integer = number::as_integer(&integer).unwrap_or_default();
    let same = match value {
        Value::Float(float) => float.trunc() == *float,
        _ => false,
    };
    match same {
        true => Ok(integer),
        false => Err(cx.value_error(format!("non-integer {place} for randrange()"))),
    }
}

fn randrange(cx: &mut Context, args: Args<'_>) -> Eval {
    let [start, stop, step] = bind(cx, args, "Random.randrange", 1, ["start", "stop", "step"], 1)?;
    let start = whole(cx, &start.unwrap_or_default(), "arg 1")?;
    let stop = stop.filter(|stop| !stop.is_none());
    let Some(stop) = stop else {
        if step.as_ref().is_some_and(|step| number::as_integer(step) != Some(BigInt::from(1))) {
            return Err(cx.type_error("Missing a non-None stop argument"));
        }
        if !start.is_positive() {
            return Err(cx.value_error("empty range for randrange()"));
        }
        return Ok(Value::integer(below_big(cx, &start)));
    };
    let stop = whole(cx, &stop, "stop")?;
    let step = match step {
        Some(step) => whole(cx, &step, "step")?,
        None => BigInt::from(1),
    };
    in_range(cx, &start, &stop, &step)
}

fn in_range(cx: &mut Context, start: &BigInt, stop: &BigInt, step: &BigInt) -> Eval {
    let width = stop - start;
    if *step == BigInt::from(1) {
        if !width.is_positive() {
            let text = format!("empty range for randrange() ({start}, {stop}, {width})");
            return Err(cx.value_error(text));
        }
        return Ok(Value::integer(start + below_big(cx, &width)));
    }
    if step.is_zero() {
        return Err(cx.value_error("zero step for randrange()"));
    }
    let towards = if step.is_positive() { step - 1 } else { step + 1 };
    let count = num_integer::Integer::div_floor(&(width + towards), step);
    if !count.is_positive() {
        return Err(cx.value_error("empty range for randrange()"));
    }
    Ok(Value::integer(start + step * below_big(cx, &count)))
}

fn randint(cx: &mut Context, args: Args<'_>) -> Eval {
    let [a, b] = bind(cx, args, "Random.randint", 1, ["a", "b"], 2)?;
    let b = operators::binary(cx, BinaryOp::Add, &b.unwrap_or_default(), &Value::Int(1))?;
    let start = whole(cx, &a.unwrap_or_default(), "arg 1")?;
    let stop = whole(cx, &b, "stop")?;
    in_range(cx, &start, &stop, &BigInt::from(1))
}

fn uniform(cx: &mut Context, args: Args<'_>) -> Eval {
    let [a, b] = bind(cx, args, "Random.uniform", 1, ["a", "b"], 2)?;
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    let width = operators::binary(cx, BinaryOp::Subtract, &b, &a)?;
    let Ok(drawn) = to_f64(cx, &width) else {
        return Err(Fault::Worker);
    };
    if matches!(width, Value::Decimal(_)) {
        return Err(cx.type_error("unsupported operand type(s) for *: 'decimal.Decimal' and 'float'"));
    }
    let start = to_f64(cx, &a)?;
    Ok(Value::Float(start + drawn * unit(cx)))
}

/// How many items a sequence has, as `len()` tells.
fn length(cx: &mut Context, value: &Value) -> Eval<usize> {
    match value {
        Value::Str(text) => return Ok(text.chars().count()),
        Value::Bytes(bytes) => return Ok(bytes.len()),
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => return Ok(list.items.len()),
            Object::Tuple(items) => return Ok(items.len()),
            Object::Range(range) => return Ok(range.len()),
            Object::Dict(dict) => return Ok(dict.len()),
            Object::Set(set) => return Ok(set.len()),
            Object::Instance(_) => return Err(Fault::Worker),
            _ => {}
        },
        _ => {}
    }
    let text = format!("object of type '{}' has no len()", cx.type_name(value));
    Err(cx.type_error(text))
}

fn choice(cx: &mut Context, args: Args<'_>) -> Eval {
    let [items] = bind(cx, args, "Random.choice", 1, ["seq"], 1)?;
    let items = items.unwrap_or_default();
    let count = length(cx, &items)?;
    if count == 0 {
        return Err(cx.raise(TypeId::INDEX_ERROR, "Cannot choose from an empty sequence"));
    }
    cx.charge(if matches!(items, Value::Str(_)) { count / 16 } else { 0 })?;
    let at = below(cx, count as u64);
    subscript::get_item(cx, &items, &Value::Int(at as i64))
}

fn choices(cx: &mut Context, args: Args<'_>) -> Eval {
    let [population, weights, cumulative, k] =
        bind(cx, args, "Random.choices", 1, ["population", "weights", "*cum_weights", "*k"], 1)?;
    let population = population.unwrap_or_default();
    let count = length(cx, &population)?;
    let weights = weights.filter(|weights| !weights.is_none());
    let cumulative = cumulative.filter(|weights| !weights.is_none());
    if let Some(number) = weights.as_ref().and_then(number::as_integer) {
        let text = format!("The number of choices must be a keyword argument: k={number}");
        return Err(cx.type_error(text));
    }
    if weights.is_some() && cumulative.is_some() {
        return Err(cx.type_error("Cannot specify both weights and cumulative weights"));
    }
    let k = match k {
        Some(k) => number::to_index_i64(cx, &k)?.max(0) as usize,
        None => 1,
    };
    cx.check_size(k.saturating_mul(16))?;
    let sums = match (&weights, &cumulative) {
        (None, None) => None,
        (Some(weights), _) => {
            let mut sums: Vec<f64> = Vec::new();
            for weight in iterate::collect(cx, weights)? {
                let weight = to_f64(cx, &weight)?;
                sums.push(sums.last().copied().unwrap_or(0.0) + weight);
            }
            Some(sums)
        }
        (None, Some(cumulative)) => {
            let sums = iterate::collect(cx, cumulative)?;
            Some(sums.iter().map(|sum| to_f64(cx, sum)).collect::<Eval<Vec<f64>>>()?)
        }
    };
    if let Some(sums) = &sums {
        if sums.len() != count {
            return Err(cx.value_error("The number of weights does not match the population"));
        }
        let total = sums.last().copied().unwrap_or(0.0);
        if sums.is_empty() {
            return Err(cx.raise(TypeId::INDEX_ERROR, "list index out of range"));
        }
        if total <= 0.0 {
            return Err(cx.value_error("Total of weights must be greater than zero"));
        }
        if !total.is_finite() {
            return Err(cx.value_error("Total of weights must be finite"));
        }
    }
    if count == 0 && k > 0 {
        let name = cx.type_name(&population);
        let name = if &*name == "str" { "string" } else { &name };
        return Err(cx.raise(TypeId::INDEX_ERROR, format!("{name} index out of range")));
    }
    let mut drawn = Vec::with_capacity(k);
    for _ in 0..k {
        cx.charge(1)?;
        let at = match &sums {
            None => (unit(cx) * count as f64) as usize,
            Some(sums) => {
                let target = unit(cx) * sums.last().copied().unwrap_or(0.0);
                sums.partition_point(|sum| *sum <= target).min(count - 1)
            }
        };
        drawn.push(subscript::get_item(cx, &population, &Value::Int(at as i64))?);
    }
    Ok(cx.list(drawn))
}

fn sample(cx: &mut Context, args: Args<'_>) -> Eval {
    let [population, k, counts] = bind(cx, args, "Random.sample", 1, ["population", "k", "*counts"], 2)?;
    let population = population.unwrap_or_default();
    let class = cx.type_of(&population);
    if number::is_opaque(cx, &population) {
        return Err(Fault::Worker);
    }
    if !matches!(class, TypeId::STR | TypeId::BYTES | TypeId::LIST | TypeId::TUPLE | TypeId::RANGE) {
        let text = "Population must be a sequence.  For dicts or sets, use sorted(d).";
        return Err(cx.type_error(text));
    }
    let mut items = match &population {
        // A range may be far too long to write out.
        Value::Ref(id) if matches!(cx.heap.get(*id), Object::Range(_)) => Vec::new(),
        _ => iterate::collect(cx, &population)?,
    };
    let mut count = length(cx, &population)?;
    if let Some(counts) = counts.filter(|counts| !counts.is_none()) {
        let counts = iterate::collect(cx, &counts)?;
        if counts.len() != count {
            return Err(cx.value_error("The number of counts does not match the population"));
        }
        items = iterate::collect(cx, &population)?;
        let mut repeated = Vec::new();
        for (item, times) in items.iter().zip(&counts) {
            if number::as_integer(times).is_none() {
                return Err(cx.type_error("Counts must be integers"));
            }
            let times = number::to_index_i64(cx, times)?;
            let Ok(times) = usize::try_from(times) else {
                return Err(cx.value_error("Counts must be non-negative"));
            };
            cx.check_size((repeated.len().saturating_add(times)).saturating_mul(16))?;
            repeated.extend(std::iter::repeat_n(item.clone(), times));
        }
        items = repeated;
        count = items.len();
        if count == 0 {
            return Err(cx.value_error("Total of counts must be greater than zero"));
        }
    }
    let k = k.unwrap_or_default();
    let fits = compare::compare(cx, CompareOp::LessEqual, &Value::Int(0), &k)?
        && compare::compare(cx, CompareOp::LessEqual, &k, &Value::Int(count as i64))?;
    if !fits {
        return Err(cx.value_error("Sample larger than population or is negative"));
    }
    let k = number::to_index_i64(cx, &k)? as usize;
    cx.check_size(k.saturating_mul(16))?;
    // A shuffle that stops after k draws; only the places that moved are written down.
    let mut moved = rustc_hash::FxHashMap::default();
    let mut drawn = Vec::with_capacity(k);
    for at in 0..k {
        cx.charge(1)?;
        let other = at + below(cx, (count - at) as u64) as usize;
        let here = moved.get(&at).copied().unwrap_or(at);
        let chosen = moved.insert(other, here).unwrap_or(other);
        drawn.push(match items.get(chosen) {
            Some(item) => item.clone(),
            None => subscript::get_item(cx, &population, &Value::Int(chosen as i64))?,
        });
    }
    Ok(cx.list(drawn))
}

fn shuffle(cx: &mut Context, args: Args<'_>) -> Eval {
    let [items] = bind(cx, args, "Random.shuffle", 1, ["x"], 1)?;
    let items = items.unwrap_or_default();
    let count = length(cx, &items)?;
    cx.charge(count)?;
    if let Value::Ref(id) = items {
        if matches!(cx.heap.get(id), Object::Dict(_)) {
            return Err(Fault::Worker);
        }
        if matches!(cx.heap.get(id), Object::List(_)) {
            for at in (1..count).rev() {
                let other = below(cx, at as u64 + 1) as usize;
                if let Object::List(list) = cx.heap.get_mut(id) {
                    list.items.swap(at, other);
                }
            }
            return Ok(Value::None);
        }
    }
    if count < 2 {
        return Ok(Value::None);
    }
    let name = cx.type_name(&items);
    let text = match &*name {
        "set" | "frozenset" => format!("'{name}' object is not subscriptable"),
        _ => format!("'{name}' object does not support item assignment"),
    };
    Err(cx.type_error(text))
}

/// By Box and Muller, one value a call: no second one has to be kept in the state.
fn normal(cx: &mut Context, args: Args<'_>, name: &str) -> Eval {
    let required = if name == "lognormvariate" { 2 } else { 0 };
    let [mean, deviation] = bind(cx, args, &format!("Random.{name}"), 1, ["mu", "sigma"], required)?;
    let mean = mean.map_or(Ok(0.0), |value| to_f64(cx, &value))?;
    let deviation = deviation.map_or(Ok(1.0), |value| to_f64(cx, &value))?;
    let radius = (-2.0 * (1.0 - unit(cx)).ln()).sqrt();
    let angle = std::f64::consts::TAU * unit(cx);
    Ok(Value::Float(mean + deviation * radius * angle.cos()))
}

fn expovariate(cx: &mut Context, args: Args<'_>) -> Eval {
    let [rate] = bind(cx, args, "Random.expovariate", 1, ["lambd"], 1)?;
    let rate = to_f64(cx, &rate.unwrap_or_default())?;
    if rate == 0.0 {
        return Err(cx.raise(TypeId::ZERO_DIVISION_ERROR, "float division by zero"));
    }
    Ok(Value::Float(-(1.0 - unit(cx)).ln() / rate))
}

fn triangular(cx: &mut Context, args: Args<'_>) -> Eval {
    let [low, high, mode] = bind(cx, args, "Random.triangular", 1, ["low", "high", "mode"], 0)?;
    let low = low.map_or(Ok(0.0), |value| to_f64(cx, &value))?;
    let high = high.map_or(Ok(1.0), |value| to_f64(cx, &value))?;
    let mode = mode.filter(|mode| !mode.is_none()).map(|value| to_f64(cx, &value)).transpose()?;
    let drawn = unit(cx);
    if high == low {
        return Ok(Value::Float(low));
    }
    let peak = mode.map_or(0.5, |mode| (mode - low) / (high - low));
    Ok(Value::Float(match drawn > peak {
        true => high + (low - high) * ((1.0 - drawn) * (1.0 - peak)).sqrt(),
        false => low + (high - low) * (drawn * peak).sqrt(),
    }))
}

fn bit_count(cx: &mut Context, value: &Value) -> Eval<u64> {
    let count = number::to_index_i64(cx, value)?;
    match u64::try_from(count) {
        Ok(count) => Ok(count),
        Err(_) => Err(cx.value_error("number of bits must be non-negative")),
    }
}

fn getrandbits(cx: &mut Context, args: Args<'_>) -> Eval {
    let [count] = args.bind(cx, "Random.getrandbits", ["/k"], 1)?;
    let count = bit_count(cx, &count.unwrap_or_default())?;
    cx.check_size((count / 8) as usize)?;
    Ok(Value::integer(BigInt::from(bits(cx, count))))
}

fn randbytes(cx: &mut Context, args: Args<'_>) -> Eval {
    let [count] = bind(cx, args, "Random.randbytes", 1, ["n"], 1)?;
    let count = bit_count(cx, &count.unwrap_or_default())?;
    cx.check_size(usize::try_from(count).unwrap_or(usize::MAX))?;
    let mut bytes = bits(cx, count * 8).to_bytes_le();
    bytes.resize(count as usize, 0);
    Ok(Value::bytes(bytes))
}
