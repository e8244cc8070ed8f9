//! The clocks of the module `time`, all of them event time: they stand still between events.

use super::arguments;
use super::delta::seconds_float;
use crate::context::{Context, Eval};
use crate::python::Args;
use crate::value::Value;

pub fn time(cx: &mut Context, args: Args<'_>) -> Eval {
    seconds(cx, args, "time.time")
}

pub fn monotonic(cx: &mut Context, args: Args<'_>) -> Eval {
    seconds(cx, args, "time.monotonic")
}

pub fn perf_counter(cx: &mut Context, args: Args<'_>) -> Eval {
    seconds(cx, args, "time.perf_counter")
}

pub fn time_ns(cx: &mut Context, args: Args<'_>) -> Eval {
    nanoseconds(cx, args, "time.time_ns")
}

pub fn monotonic_ns(cx: &mut Context, args: Args<'_>) -> Eval {
    nanoseconds(cx, args, "time.monotonic_ns")
}

pub fn perf_counter_ns(cx: &mut Context, args: Args<'_>) -> Eval {
    nanoseconds(cx, args, "time.perf_counter_ns")
}

fn seconds(cx: &mut Context, args: Args<'_>, function: &str) -> Eval {
    arguments::none(cx, args, function)?;
    Ok(Value::Float(seconds_float(cx.tell_time().into())))
}

fn nanoseconds(cx: &mut Context, args: Args<'_>, function: &str) -> Eval {
    arguments::none(cx, args, function)?;
    Ok(Value::integer(num_bigint::BigInt::from(cx.tell_time()) * 1_000))
}
