//! What can be assigned to, deleted or looped over. Targets are read as expressions and checked afterwards.

use super::expressions::{BIT_OR, expr};
use super::{Parse, Parser};
use crate::{Diagnostic, Expr, ExprKind};

impl Parser<'_> {
    /// The targets of a loop, up to `in` (or `->`).
    pub(super) fn target_list(&mut self) -> Parse<Expr> {
        let start = self.position;
        let first = self.target_item()?;
        if !self.at(",") {
            self.check_target(&first, "assign to")?;
            return Ok(first);
        }
        let mut items = vec![first];
        while self.eat(",") {
            if !self.begins_expression() {
                break;
            }
            items.push(self.target_item()?);
        }
        let target = expr(ExprKind::Tuple(items), self.span_from(start));
        self.check_target(&target, "assign to")?;
        Ok(target)
    }

    fn target_item(&mut self) -> Parse<Expr> {
        let start = self.position;
        if self.eat("*") {
            let inner = Box::new(self.operators(BIT_OR)?);
            return Ok(expr(ExprKind::Starred(inner), self.span_from(start)));
        }
        self.operators(BIT_OR)
    }

    /// `verb`: `assign to` or `delete`.
    pub(super) fn check_target(&mut self, target: &Expr, verb: &str) -> Parse<()> {
        let found = match &target.kind {
            ExprKind::Name(_) | ExprKind::Attribute { .. } | ExprKind::Index { .. } => return Ok(()),
            ExprKind::Tuple(items) | ExprKind::List(items) => return self.check_items(items, verb),
            ExprKind::Starred(_) => "a starred target by itself",
            ExprKind::Const(_) | ExprKind::Format(_) => "a constant",
            ExprKind::Call { .. } | ExprKind::Action(_) => "a call",
            ExprKind::Compare { .. } => "a comparison",
            ExprKind::Await(_) => "what is awaited",
            ExprKind::Lambda(_) => "a lambda",
            ExprKind::Conditional { .. } => "a conditional expression",
            _ => "an expression",
        };
        let help = match target.kind {
            ExprKind::Compare { .. } => "`==` compares; a single `=` assigns",
            _ => "the target has to be a name, an attribute, an index, or a tuple or list of these",
        };
        let diagnostic = Diagnostic::error("W0111", target.span, format!("cannot {verb} {found}"));
        Err(self.report(diagnostic.label(format!("cannot {verb} this")).help(help)))
    }

    fn check_items(&mut self, items: &[Expr], verb: &str) -> Parse<()> {
        let mut starred = 0;
        for item in items {
            match &item.kind {
                ExprKind::Starred(inner) if verb == "assign to" => {
                    starred += 1;
                    if starred == 2 {
                        let message = "two starred targets in one assignment";
                        return Err(self.report(Diagnostic::error("W0111", item.span, message)));
                    }
                    self.check_target(inner, verb)?;
                }
                _ => self.check_target(item, verb)?,
            }
        }
        Ok(())
    }
}
