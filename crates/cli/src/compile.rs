//! `waymark compile`: a program in its canonical text form, as a picture, as JSON, or as bytes.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use serde_json::{Value as Json, json};
use waymark_ir::{FunctionKind, Span, hash_hex, text, wire};
use waymark_runner::Lowered;
use waymark_runner::graph::{self, Graph};

use crate::python;
use crate::source::Source;
use crate::terminal::{self, PROGRAM_FAILED, count};

/// How much of a hash people look at.
const SHORT_HASH: usize = 12;

/// Compile a workflow or program and print it: what became of each line, canonical text, graph or JSON
#[derive(clap::Args)]
pub struct Options {
    /// A workflow in Python (`app:Welcome`, `app.py`), or a program in the text form or as protobuf
    file: PathBuf,
    /// Print the graph instead of the text
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    graph: Option<Format>,
    /// Print name, hash, functions, nodes and edges as JSON
    #[arg(long)]
    json: bool,
    /// Also write the program as protobuf
    #[arg(long, value_name = "OUT")]
    wire: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Dot,
    Mermaid,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    // What became of each line is Python's to say; pictures and JSON are made from the program, whoever wrote it.
    if python::is_target(&options.file) && options.graph.is_none() && !options.json && options.wire.is_none() {
        return python::hand_over(python::COMPILER, &["compile"], std::iter::once(&options.file), None);
    }
    let Some(lowered) = Source::read(&options.file)?.lower()? else {
        return Ok(ExitCode::from(PROGRAM_FAILED));
    };
    if let Some(out) = &options.wire {
        fs::write(out, wire::encode(&lowered.program)).with_context(|| format!("cannot write `{}`", out.display()))?;
    }
    match options.graph {
        Some(Format::Dot) => terminal::data(&graph::draw(&lowered, graph::Format::Dot))?,
        Some(Format::Mermaid) => terminal::data(&graph::draw(&lowered, graph::Format::Mermaid))?,
        None if options.json => terminal::json(&as_json(&lowered))?,
        None => terminal::data(&text::print(&lowered.program))?,
    }
    let nodes = own_graphs(&lowered).map(|graph| graph.nodes.len()).sum();
    let edges = own_graphs(&lowered).map(|graph| graph.edges.len()).sum();
    terminal::talk(format_args!(
        "{} version {}: {}, {}, {}",
        lowered.program.name,
        &hash_hex(&lowered.ir_hash)[..SHORT_HASH],
        count(own_graphs(&lowered).count(), "function"),
        count(nodes, "node"),
        count(edges, "edge"),
    ));
    Ok(ExitCode::SUCCESS)
}

fn own_graphs(lowered: &Lowered) -> impl Iterator<Item = &Graph> {
    lowered.graphs.iter()
}

fn as_json(lowered: &Lowered) -> Json {
    json!({
        "name": lowered.program.name,
        "ir_hash": hash_hex(&lowered.ir_hash),
        "semantics": lowered.program.semantics,
        "entry": lowered.program.entry,
        "functions": own_graphs(lowered).map(function_json).collect::<Vec<Json>>(),
    })
}

fn function_json(graph: &Graph) -> Json {
    let node = |(id, node): (usize, &graph::Node)| json!({ "id": id, "kind": node.kind.as_str(), "label": node.label, "span": span_json(node.span) });
    let edge = |edge: &graph::Edge| {
        let kind = match edge.kind {
            graph::EdgeKind::Next => "next",
            graph::EdgeKind::True => "true",
            graph::EdgeKind::False => "false",
            graph::EdgeKind::Exception => "exception",
        };
        json!({ "from": edge.from, "to": edge.to, "kind": kind, "loop_back": edge.loop_back })
    };
    let flow = |flow: &graph::DataFlow| json!({ "from": flow.from, "to": flow.to, "variable": &*graph.slots[flow.variable as usize] });
    json!({
        "name": &*graph.name,
        "kind": match graph.kind {
            FunctionKind::Durable => "durable",
            FunctionKind::Plain => "plain",
        },
        "parameters": graph.params.iter().map(|param| param.name.to_string()).collect::<Vec<String>>(),
        "span": span_json(graph.span),
        "nodes": graph.nodes.iter().enumerate().map(node).collect::<Vec<Json>>(),
        "edges": graph.edges.iter().map(edge).collect::<Vec<Json>>(),
        "data_flow": graph.data_flow.iter().map(flow).collect::<Vec<Json>>(),
    })
}

fn span_json(span: Span) -> Json {
    match span.is_nowhere() {
        true => Json::Null,
        false => json!({
            "line": span.line, "column": span.column, "end_line": span.end_line, "end_column": span.end_column,
        }),
    }
}
