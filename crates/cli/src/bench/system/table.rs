//! The figures for a terminal: a row each, and below what only some workloads have.

use comfy_table::CellAlignment;

use super::measured::{KINDS, Measured, PERCENTILES, milliseconds};
use crate::table::{self, grouped};

const HEADER: [&str; 17] = [
    "store",
    "workload",
    "size",
    "",
    "wall s",
    "per s",
    "CPU",
    "server",
    "workers",
    "database",
    "client",
    "log bytes",
    "transactions",
    "floor",
    "p50 ms",
    "p95 ms",
    "p99 ms",
];

pub fn text(measured: &[Measured]) -> String {
    let mut table = table::with(HEADER);
    for row in measured {
        table.add_row(cells(row));
    }
    table.column_iter_mut().skip(4).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    if let Some(size) = table.column_mut(2) {
        size.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = table::text(&table);
    text.push_str("\nCPU is processor time in ms per action (s per 1,000), then by kind of process; log and transactions are per action.\n");
    text.push_str(
        "The floor column says how many floors a workload takes: docs/performance.md says what each one's floor is.\n",
    );
    for row in measured.iter().filter(|row| !row.further.is_empty()) {
        let figures: Vec<String> = row.further.iter().map(|(name, value)| figure(name, *value)).collect();
        text.push_str(&format!("{} {}: {}\n", row.store.name(), row.workload.name(), figures.join(", ")));
    }
    text
}

fn cells(row: &Measured) -> Vec<String> {
    let mut cells = vec![
        row.store.name().to_string(),
        row.workload.name().to_string(),
        grouped(row.size as f64),
        row.variant.clone().unwrap_or_default(),
    ];
    match &row.work {
        Some(work) => {
            let cost = &work.cost;
            cells.push(format!("{:.2}", cost.wall.as_secs_f64()));
            cells.push(grouped(work.per_second()));
            cells.push(format!("{:.3}", work.per_1000(cost.processor())));
            cells.extend(KINDS.map(|(_, of)| format!("{:.3}", work.per_1000(of(cost)))));
            cells.push(work.each(cost.log_bytes).map_or("-".into(), grouped));
            cells.push(work.each(cost.transactions).map_or("-".into(), |each| format!("{each:.3}")));
        }
        None => cells.extend(vec!["-".to_string(); 9]),
    }
    cells.push(row.floor_ratio.map_or("-".into(), |ratio| format!("{ratio:.1}×")));
    cells.extend(PERCENTILES.map(|percent| match &row.times {
        Some(times) => format!("{:.2}", milliseconds(times.percentile(percent))),
        None => "-".into(),
    }));
    cells
}

/// `next_step_ms` and 12.3 as `next step 12.3 ms`.
pub fn figure(name: &str, value: f64) -> String {
    let (words, unit) = name.rsplit_once('_').unwrap_or((name, ""));
    let words = words.trim_end_matches("_per").replace('_', " ");
    match (unit, name.ends_with("_per_s")) {
        ("s", true) => format!("{words} {value:.2}/s"),
        ("bytes", _) => format!("{words} {:.1} MB", value / 1e6),
        ("percent", _) => format!("{words} {value:.2} %"),
        _ => format!("{words} {value:.2} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_as_people_read_them() {
        assert_eq!(figure("next_step_ms", 12.3), "next step 12.30 ms");
        assert_eq!(figure("transactions_per_s", 1.0), "transactions 1.00/s");
        assert_eq!(figure("asleep_after_s", 1.5), "asleep after 1.50 s");
        assert_eq!(figure("memory_bytes", 84_000_000.0), "memory 84.0 MB");
        assert_eq!(figure("cpu_percent", 0.5), "cpu 0.50 %");
        assert_eq!(["1", "1,234", "1,234,567"], [1.0, 1_234.0, 1_234_567.0].map(grouped));
    }
}
