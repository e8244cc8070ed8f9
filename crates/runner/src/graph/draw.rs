//! Pictures of a program: Graphviz and Mermaid.

use std::fmt::Write;

use super::{Edge, EdgeKind, Graph, Lowered, NodeKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Dot,
    Mermaid,
}

/// All functions of a program; state-machine edges solid, data-flow edges dotted.
pub fn draw(lowered: &Lowered, format: Format) -> String {
    let mut out = String::new();
    match format {
        Format::Dot => {
            out.push_str("digraph workflow {\n  node [shape=box, fontname=\"monospace\"];\n");
            for (at, graph) in lowered.graphs.iter().enumerate() {
                dot(&mut out, at, graph);
            }
            out.push_str("}\n");
        }
        Format::Mermaid => {
            out.push_str("flowchart TD\n");
            for (at, graph) in lowered.graphs.iter().enumerate() {
                mermaid(&mut out, at, graph);
            }
        }
    }
    out
}

fn dot(out: &mut String, at: usize, graph: &Graph) {
    let _ = writeln!(out, "  subgraph cluster_{at} {{\n    label={};", quoted(&graph.name));
    for (number, node) in graph.nodes.iter().enumerate() {
        let shape = match node.kind {
            NodeKind::Branch => "diamond",
            NodeKind::Fork | NodeKind::Join => "trapezium",
            NodeKind::Return | NodeKind::Raise => "oval",
            kind if kind.is_inline() => "box",
            _ => "box3d",
        };
        let text = format!("{}\n{}", node.kind.as_str(), node.label);
        let _ = writeln!(out, "    f{at}n{number} [shape={shape}, label={}];", quoted(&text));
    }
    for edge in &graph.edges {
        let style = match (edge.kind, edge.loop_back) {
            (EdgeKind::Exception, _) => ", color=red",
            (_, true) => ", style=bold",
            _ => "",
        };
        let label = quoted(edge_label(edge));
        let _ = writeln!(out, "    f{at}n{} -> f{at}n{} [label={label}{style}];", edge.from, edge.to);
    }
    for flow in &graph.data_flow {
        let name = quoted(&graph.slots[flow.variable as usize]);
        let _ = writeln!(
            out,
            "    f{at}n{} -> f{at}n{} [style=dotted, constraint=false, color=gray, label={name}];",
            flow.from, flow.to
        );
    }
    out.push_str("  }\n");
}

fn mermaid(out: &mut String, at: usize, graph: &Graph) {
    let _ = writeln!(out, "  subgraph f{at}[{}]", mermaid_text(&graph.name));
    for (number, node) in graph.nodes.iter().enumerate() {
        let text = mermaid_text(&format!("{}: {}", node.kind.as_str(), node.label));
        let (open, close) = match node.kind {
            NodeKind::Branch => ("{", "}"),
            NodeKind::Return | NodeKind::Raise => ("([", "])"),
            NodeKind::Fork | NodeKind::Join => ("[/", "\\]"),
            kind if kind.is_inline() => ("[", "]"),
            _ => ("[[", "]]"),
        };
        let _ = writeln!(out, "    f{at}n{number}{open}{text}{close}");
    }
    for edge in &graph.edges {
        let arrow = match edge_label(edge) {
            "" => "-->".to_string(),
            label => format!("-->|{label}|"),
        };
        let _ = writeln!(out, "    f{at}n{} {arrow} f{at}n{}", edge.from, edge.to);
    }
    for flow in &graph.data_flow {
        let name = mermaid_text(&graph.slots[flow.variable as usize]);
        let _ = writeln!(out, "    f{at}n{} -.->|{name}| f{at}n{}", flow.from, flow.to);
    }
    out.push_str("  end\n");
}

fn edge_label(edge: &Edge) -> &'static str {
    match edge.kind {
        EdgeKind::Next if edge.loop_back => "loop",
        EdgeKind::Next => "",
        EdgeKind::True => "true",
        EdgeKind::False => "false",
        EdgeKind::Exception => "exception",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l"))
}

fn mermaid_text(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '\n' => out.push_str("<br/>"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
