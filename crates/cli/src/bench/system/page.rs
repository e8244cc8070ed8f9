//! The figures as one page: charts in SVG, nothing to load, light or dark as the reader's system is.

use std::fmt::Write;

use super::measured::{KINDS, Measured, PERCENTILES, milliseconds};
use super::table::figure;
use super::workload::Workload;
use crate::table::grouped;

const STYLE: &str = include_str!("page.css");

/// Of the drawing: names on the left, figures on the right of the bars.
const WIDTH: f64 = 760.0;
const NAMES: f64 = 190.0;
const FIGURES: f64 = 150.0;
const BAR: f64 = 16.0;
const ROW: f64 = 26.0;

/// A name, stretches of a bar with their classes, a mark on it, and what stands behind it.
struct Bar {
    name: String,
    stretches: Vec<(&'static str, f64)>,
    mark: Option<f64>,
    text: String,
}

pub fn page(measured: &[Measured]) -> String {
    let mut body = String::new();
    for workload in <Workload as clap::ValueEnum>::value_variants() {
        let rows: Vec<&Measured> = measured.iter().filter(|row| row.workload == *workload).collect();
        if !rows.is_empty() {
            section(&mut body, *workload, &rows);
        }
    }
    let legend: String = KINDS.iter().map(|(kind, _)| format!("<span class=\"{kind}\">{kind}</span>")).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Waymark: bench</title>\n<style>\n{STYLE}</style>\n<main>\n<h1>Waymark <small>bench</small></h1>\n<p class=\"about\">{}</p>\n\
         <p class=\"legend\">{legend}<span class=\"floor\">floor</span></p>\n{body}</main>\n</html>\n",
        escaped(&machine())
    )
}

fn section(body: &mut String, workload: Workload, rows: &[&Measured]) {
    let _ = write!(body, "<section>\n<h2>{}</h2>\n<p>{}</p>\n", workload.name(), escaped(workload.about()));
    let worked: Vec<_> = rows.iter().filter_map(|row| Some((row, row.work.as_ref()?))).collect();
    if let Some((_, first)) = worked.first() {
        let unit = first.unit.plural();
        let speeds = worked.iter().map(|(row, work)| Bar {
            name: name(row),
            stretches: vec![("speed", work.per_second())],
            mark: None,
            text: grouped(work.per_second()),
        });
        chart(body, &format!("{unit} per second"), speeds.collect());
        let costs = worked.iter().map(|(row, work)| Bar {
            name: name(row),
            stretches: KINDS.map(|(kind, of)| (kind, work.per_1000(of(&work.cost)))).to_vec(),
            mark: work.floor.map(|floor| work.per_1000(floor.processor())),
            text: match work.ratio() {
                Some(ratio) => format!("{:.3} s, {ratio:.1} floors", work.per_1000(work.cost.processor())),
                None => format!("{:.3} s", work.per_1000(work.cost.processor())),
            },
        });
        chart(body, &format!("processor time per 1,000 {unit}"), costs.collect());
    }
    let timed = rows.iter().filter_map(|row| Some((row, row.times.as_ref()?)));
    let times: Vec<Bar> = timed
        .flat_map(|(row, times)| {
            PERCENTILES.map(|percent| {
                let value = milliseconds(times.percentile(percent));
                let name = format!("{} p{percent}", name(row));
                Bar { name, stretches: vec![("time", value)], mark: None, text: format!("{value:.2} ms") }
            })
        })
        .collect();
    chart(body, if workload == Workload::Sleepers { "late by" } else { "time to the result" }, times);
    for row in rows.iter().filter(|row| !row.further.is_empty()) {
        let figures: Vec<String> = row.further.iter().map(|(name, value)| escaped(&figure(name, *value))).collect();
        let _ = writeln!(body, "<p class=\"further\"><b>{}</b> {}</p>", escaped(&name(row)), figures.join(" · "));
    }
    body.push_str("</section>\n");
}

fn name(row: &Measured) -> String {
    let variant = row.variant.as_ref().map(|variant| format!(", {variant}")).unwrap_or_default();
    match row.workload {
        Workload::Payload => format!("{}, {} bytes", row.store.name(), grouped(row.size as f64)),
        Workload::Idle => row.store.name().to_string(),
        _ => format!("{}, {}{variant}", row.store.name(), grouped(row.size as f64)),
    }
}

/// Bars from the left, all on one scale.
fn chart(body: &mut String, title: &str, bars: Vec<Bar>) {
    let length =
        |bar: &Bar| bar.stretches.iter().map(|(_, value)| value).sum::<f64>().max(bar.mark.unwrap_or_default());
    let longest = bars.iter().map(length).fold(0.0, f64::max);
    if longest <= 0.0 {
        return;
    }
    let scale = (WIDTH - NAMES - FIGURES) / longest;
    let height = ROW * bars.len() as f64;
    let _ =
        write!(body, "<h3>{title}</h3>\n<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\">\n");
    for (at, bar) in bars.iter().enumerate() {
        let (top, middle) = (ROW * at as f64 + (ROW - BAR) / 2.0, ROW * (at as f64 + 0.5));
        let _ =
            writeln!(body, "<text x=\"{}\" y=\"{middle}\" class=\"name\">{}</text>", NAMES - 12.0, escaped(&bar.name));
        let mut left = NAMES;
        for (class, value) in &bar.stretches {
            let width = value * scale;
            let _ = writeln!(
                body,
                "<rect x=\"{left:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"{BAR}\" class=\"{class}\"><title>{class} {value:.3}</title></rect>"
            );
            left += width;
        }
        if let Some(mark) = bar.mark {
            let x = NAMES + mark * scale;
            let (from, to) = (top - 3.0, top + BAR + 3.0);
            let _ = writeln!(
                body,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{from}\" y2=\"{to}\" class=\"floor\"><title>floor {mark:.3}</title></line>"
            );
            left = left.max(x);
        }
        let _ = writeln!(
            body,
            "<text x=\"{:.1}\" y=\"{middle}\" class=\"figure\">{}</text>",
            left + 8.0,
            escaped(&bar.text)
        );
    }
    body.push_str("</svg>\n");
}

/// What it ran on.
fn machine() -> String {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, key: &str| {
        text.lines().find_map(|line| Some(line.strip_prefix(key)?.trim_start_matches([' ', '\t', ':']).to_string()))
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = value(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "unknown processor".into());
    let memory =
        value(&read("/proc/meminfo"), "MemTotal").and_then(|text| text.trim_end_matches(" kB").parse::<f64>().ok());
    let memory = memory.map(|kibibytes| format!(", {:.0} GB", kibibytes * 1_024.0 / 1e9)).unwrap_or_default();
    let kernel = rustix::system::uname().release().to_string_lossy().into_owned();
    let build = if cfg!(debug_assertions) { " (debug build: its figures mean little)" } else { "" };
    let cores = crate::terminal::count(cores, "core");
    format!(
        "waymark {}{build}, {cores} of {processor}{memory}, Linux {kernel}, {:.0}",
        env!("CARGO_PKG_VERSION"),
        jiff::Timestamp::now()
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
