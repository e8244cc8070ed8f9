//! The printer: one canonical text for every program, which the parser reads back as the same tree. An expression that
//! does not wait comes out as valid Python, because that is what a worker is given.

mod constants;
mod expressions;
mod patterns;
mod statements;
mod strings;

use super::lexer::is_name;
use crate::{Expr, Function, FunctionKind, Param, ParamKind, Pattern, Program, Stmt, TypeDescriptor, TypeKind};

pub(super) fn program(program: &Program) -> String {
    let mut printer = Printer::default();
    printer.line(&format!("workflow {}", path(&program.name)));
    if program.dialect == crate::Dialect::Flow {
        printer.line("dialect flow");
    }
    printer.line(&format!("semantics {}", program.semantics));
    if program.entry != "main" {
        printer.line(&format!("entry {}", program.entry));
    }
    for descriptor in &program.types {
        printer.out.push('\n');
        printer.type_declaration(descriptor);
    }
    for function in &program.functions {
        printer.out.push('\n');
        let word = if function.kind == FunctionKind::Durable { "fn" } else { "def" };
        printer.function(function, word);
    }
    printer.out
}

pub(super) fn expression(expression: &Expr) -> String {
    let mut printer = Printer::default();
    printer.right_hand_side(expression);
    printer.out
}

pub(super) fn statements(statements: &[Stmt], indent: usize) -> String {
    let mut printer = Printer { indent, ..Printer::default() };
    printer.block(statements);
    printer.out
}

pub(super) fn pattern(pattern: &Pattern) -> String {
    let mut printer = Printer::default();
    printer.pattern(pattern, 0);
    printer.out
}

#[derive(Default)]
struct Printer {
    out: String,
    /// In levels of four spaces.
    indent: usize,
    /// Inside a field of an f-string, where quotes are scarce.
    in_format: bool,
}

impl Printer {
    fn write(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn start_line(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    fn line(&mut self, text: &str) {
        self.start_line();
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// What `write_one` writes, separated by commas.
    fn commas<T>(&mut self, items: &[T], mut write_one: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.write(", ");
            }
            write_one(self, item);
        }
    }

    fn function(&mut self, function: &Function, word: &str) {
        self.start_line();
        self.write(&format!("{word} {}(", function.name));
        if word == "fn" || !function.outputs.is_empty() {
            if !function.params.is_empty() {
                self.write("input: [");
                self.params(&function.params);
                self.write("]");
            }
            if !function.outputs.is_empty() {
                self.write(if function.params.is_empty() { "output: [" } else { ", output: [" });
                self.write(&function.outputs.join(", "));
                self.write("]");
            }
        } else {
            self.params(&function.params);
        }
        self.write(")");
        if let Some(origin) = &function.origin {
            let word = if origin.is_method { "method" } else { "static" };
            self.write(&format!(" {word} {}", strings::quoted(&origin.qualified, '"')));
        }
        self.write(":\n");
        self.nested_block(&function.body);
    }

    fn params(&mut self, params: &[Param]) {
        let mut before: Option<ParamKind> = None;
        for param in params {
            if before.is_some() {
                self.write(", ");
            }
            if before == Some(ParamKind::PositionalOnly) && param.kind != ParamKind::PositionalOnly {
                self.write("/, ");
            }
            let keyword_only = |kind| kind == ParamKind::KeywordOnly || kind == ParamKind::Rest;
            match param.kind {
                ParamKind::Rest => self.write("*"),
                ParamKind::Options => self.write("**"),
                ParamKind::KeywordOnly if !before.is_some_and(keyword_only) => self.write("*, "),
                _ => {}
            }
            self.write(&param.name);
            if let Some(default) = &param.default {
                self.write("=");
                self.expression(default, expressions::TERNARY);
            }
            before = Some(param.kind);
        }
        if before == Some(ParamKind::PositionalOnly) {
            self.write(", /");
        }
    }

    fn type_declaration(&mut self, descriptor: &TypeDescriptor) {
        let mut head = format!("type {}", path(&descriptor.name));
        if !descriptor.bases.is_empty() {
            let bases: Vec<String> = descriptor.bases.iter().map(|base| path(base)).collect();
            head.push_str(&format!("({})", bases.join(", ")));
        }
        self.line(&format!("{head}:"));
        self.indent += 1;
        match &descriptor.kind {
            TypeKind::Opaque => self.line("opaque"),
            TypeKind::Exception => self.line("exception"),
            TypeKind::Record { frozen, eq, order } => {
                let flags = [(*frozen, " frozen"), (*eq, " eq"), (*order, " order")];
                let flags: String = flags.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect();
                self.line(&format!("record{flags}"));
            }
            TypeKind::Enum(members) => {
                self.line("enum");
                for (name, value) in members {
                    self.line(&format!("member {} = {}", path(name), constants::value(value)));
                }
            }
        }
        for field in &descriptor.fields {
            let default = field.default.as_ref().map(|value| format!(" = {}", constants::value(value)));
            self.line(&format!("field {}{}", path(&field.name), default.unwrap_or_default()));
        }
        if !descriptor.overrides.is_empty() {
            let names: Vec<String> = descriptor.overrides.iter().map(|name| path(name)).collect();
            self.line(&format!("override {}", names.join(", ")));
        }
        for (name, function) in &descriptor.methods {
            self.line(&format!("method {} = {}", path(name), path(function)));
        }
        self.indent -= 1;
    }
}

/// As it is where the parser can read that, else in quotes.
fn path(name: &str) -> String {
    if name.split(['.', ':']).all(is_name) { name.to_string() } else { strings::quoted(name, '"') }
}
