//! What was measured, and the same as JSON.

use std::time::Duration;

use serde_json::{Map, Value as Json, json};

use super::workload::{StoreKind, Workload};
use crate::bench::cost::Cost;
use crate::bench::samples::Samples;

pub struct Measured {
    pub workload: Workload,
    pub store: StoreKind,
    pub size: usize,
    /// What sets it apart from others of its workload and size.
    pub variant: Option<String>,
    pub work: Option<Work>,
    /// What it takes, in floors: processor time, or time where one thing waits for the other.
    pub floor_ratio: Option<f64>,
    pub times: Option<Samples>,
    /// By their names in JSON, which end in their units.
    pub further: Vec<(&'static str, f64)>,
}

/// So many of something were done, and it took this.
pub struct Work {
    pub count: usize,
    pub unit: Unit,
    pub cost: Cost,
    pub floor: Option<Cost>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Action,
    Start,
}

impl Unit {
    pub fn plural(self) -> &'static str {
        match self {
            Unit::Action => "actions",
            Unit::Start => "starts",
        }
    }
}

impl Work {
    pub fn per_second(&self) -> f64 {
        self.count as f64 / self.cost.wall.as_secs_f64()
    }

    /// Seconds for a thousand of them, which are milliseconds for one.
    pub fn per_1000(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e3 / self.count as f64
    }

    pub fn each(&self, count: Option<u64>) -> Option<f64> {
        count.map(|count| count as f64 / self.count as f64)
    }

    /// Processor time in floors.
    pub fn ratio(&self) -> Option<f64> {
        self.floor.map(|floor| self.cost.processor().as_secs_f64() / floor.processor().as_secs_f64())
    }
}

/// A kind of process, and what its part of a cost is.
pub type Kind = (&'static str, fn(&Cost) -> Duration);

/// Who used processor time, in the order that they are shown in.
pub const KINDS: [Kind; 4] = [
    ("server", |cost| cost.server),
    ("workers", |cost| cost.workers),
    ("database", |cost| cost.database),
    ("client", |cost| cost.client),
];

pub const PERCENTILES: [usize; 3] = [50, 95, 99];

impl Measured {
    pub fn new(workload: Workload, store: StoreKind, size: usize) -> Measured {
        Measured {
            workload,
            store,
            size,
            variant: None,
            work: None,
            floor_ratio: None,
            times: None,
            further: Vec::new(),
        }
    }

    pub fn as_json(&self) -> Json {
        let mut object = Map::new();
        let mut put = |name: String, value: Json| object.insert(name, value);
        put("workload".into(), self.workload.name().into());
        put("size".into(), self.size.into());
        put("store".into(), self.store.name().into());
        if let Some(variant) = &self.variant {
            put("variant".into(), variant.as_str().into());
        }
        if let Some(work) = &self.work {
            let (cost, units) = (&work.cost, work.unit.plural());
            let unit = &units[..units.len() - 1];
            put(units.into(), work.count.into());
            put("wall_s".into(), rounded(cost.wall.as_secs_f64()));
            put(format!("{units}_per_s"), rounded(work.per_second()));
            put(format!("cpu_s_per_1000_{units}"), rounded(work.per_1000(cost.processor())));
            let by_kind = KINDS.map(|(kind, of)| (kind.to_string(), rounded(work.per_1000(of(cost)))));
            put(format!("cpu_s_per_1000_{units}_by_kind"), Json::Object(by_kind.into_iter().collect()));
            if let Some(floor) = &work.floor {
                put(format!("floor_cpu_s_per_1000_{units}"), rounded(work.per_1000(floor.processor())));
            }
            if let Some(bytes) = work.each(cost.log_bytes) {
                put(format!("wal_bytes_per_{unit}"), rounded(bytes));
            }
            if let Some(transactions) = work.each(cost.transactions) {
                put(format!("transactions_per_{unit}"), rounded(transactions));
            }
        }
        if let Some(ratio) = self.floor_ratio {
            put("floor_ratio".into(), rounded(ratio));
        }
        if let Some(times) = &self.times {
            for percent in PERCENTILES {
                put(format!("p{percent}_ms"), rounded(milliseconds(times.percentile(percent))));
            }
        }
        for (name, value) in &self.further {
            put(name.to_string(), rounded(*value));
        }
        Json::Object(object)
    }
}

pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// To four digits or more: nothing here is known more exactly.
fn rounded(value: f64) -> Json {
    if value.abs() >= 1_000.0 {
        return json!(value.round());
    }
    let digits = 3 - value.abs().max(1e-6).log10().floor() as i32;
    let scale = 10_f64.powi(digits);
    json!((value * scale).round() / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_four_digits() {
        for (value, text) in
            [(0.0, "0.0"), (0.123456, "0.1235"), (12.3456, "12.35"), (123456.7, "123457.0"), (0.000123456, "0.0001235")]
        {
            assert_eq!(rounded(value).to_string(), text);
        }
    }
}
