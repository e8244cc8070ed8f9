//! Another version of a program that means the same: statements, functions and classes that do nothing in between, so that no
//! instruction, variable, function or class has its old number.

use std::sync::Arc;

use waymark_ir::{
    Block, Expr, ExprKind, Field, Function, FunctionKind, Program, Span, Stmt, StmtKind, TypeDescriptor, TypeKind,
    Value, text,
};
use waymark_runner::Lowered;

/// The program, and it with padding.
pub fn padded(source: &str) -> (Arc<Lowered>, Arc<Lowered>) {
    let parse = || text::parse("test.ir", source).program;
    let lower = |program: Program| Lowered::new(program).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut program = parse();
    let mut count = 0;
    program.functions.iter_mut().for_each(|function| pad(&mut function.body, &mut count));
    let body = vec![Stmt { kind: StmtKind::Pass, span: Span::NOWHERE }];
    let (name, kind, params) = ("padding".into(), FunctionKind::Plain, Vec::new());
    program
        .functions
        .insert(0, Function { name, kind, params, outputs: Vec::new(), body, origin: None, span: Span::NOWHERE });
    let record = TypeDescriptor {
        methods: Vec::new(),
        name: "padding:Padding".into(),
        bases: Vec::new(),
        kind: TypeKind::Record { frozen: false, eq: true, order: false },
        fields: vec![Field { name: "padding".into(), default: None }],
        overrides: Vec::new(),
        span: Span::NOWHERE,
    };
    program.types.insert(0, record);
    (lower(parse()), lower(program))
}

fn pad(block: &mut Block, count: &mut i64) {
    for mut stmt in std::mem::take(block) {
        block.push(padding(count));
        match &mut stmt.kind {
            StmtKind::If { body, orelse, .. }
            | StmtKind::While { body, orelse, .. }
            | StmtKind::For { body, orelse, .. } => {
                pad(body, count);
                pad(orelse, count);
            }
            StmtKind::Try { body, handlers, orelse, finally } => {
                pad(body, count);
                handlers.iter_mut().for_each(|handler| pad(&mut handler.body, count));
                pad(orelse, count);
                pad(finally, count);
            }
            StmtKind::With { body, .. } => pad(body, count),
            StmtKind::Match { cases, .. } => cases.iter_mut().for_each(|case| pad(&mut case.body, count)),
            StmtKind::Def(function) => pad(&mut function.body, count),
            _ => {}
        }
        block.push(stmt);
    }
}

fn padding(count: &mut i64) -> Stmt {
    *count += 1;
    let expr = |kind| Expr { kind, span: Span::NOWHERE };
    let target = expr(ExprKind::Name(format!("a_padding_{count}")));
    let value = expr(ExprKind::Const(Value::Int(*count)));
    Stmt { kind: StmtKind::Assign { targets: vec![target], value }, span: Span::NOWHERE }
}
