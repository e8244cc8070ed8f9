//! Assignment targets: names, attributes, items, and patterns of them.

use waymark_ir::{BinaryOp, Expr, ExprKind};

use super::{FunctionLowering, Variable};
use crate::graph::Op;

impl FunctionLowering<'_> {
    /// Stores the top of the stack.
    pub(super) fn store(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => match self.variable(name) {
                Some(variable) => self.store_variable(variable),
                None => self.emit(Op::Pop),
            },
            ExprKind::Attribute { base, name } => {
                self.expression(base);
                let name = self.name(name);
                self.emit(Op::SetAttribute(name));
            }
            ExprKind::Index { base, index } => {
                self.expression(base);
                self.expression(index);
                self.emit(Op::SetItem);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                let star = items.iter().position(|item| matches!(item.kind, ExprKind::Starred(_)));
                self.emit(match star {
                    Some(at) => Op::UnpackStar { before: at as u16, after: (items.len() - at - 1) as u16 },
                    None => Op::Unpack(items.len() as u32),
                });
                items.iter().for_each(|item| self.store(item));
            }
            ExprKind::Starred(inner) => self.store(inner),
            _ => self.emit(Op::Pop),
        }
    }

    pub(super) fn delete(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => match self.variable(name) {
                Some(Variable { slot, is_cell: true }) => self.emit(Op::DeleteCell(slot)),
                Some(Variable { slot, is_cell: false }) => self.emit(Op::Delete(slot)),
                None => {}
            },
            ExprKind::Attribute { base, name } => {
                self.expression(base);
                let name = self.name(name);
                self.emit(Op::DeleteAttribute(name));
            }
            ExprKind::Index { base, index } => {
                self.expression(base);
                self.expression(index);
                self.emit(Op::DeleteItem);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| self.delete(item)),
            _ => {}
        }
    }

    /// `target op= value`: the parts of the target are evaluated once.
    pub(super) fn augment(&mut self, target: &Expr, op: BinaryOp, value: &Expr) {
        match &target.kind {
            ExprKind::Attribute { base, name } => {
                let name = self.name(name);
                self.expression(base);
                self.emit(Op::Dup(1));
                self.emit(Op::GetAttribute(name));
                self.expression(value);
                self.emit(Op::InPlace(op));
                self.emit(Op::Rotate(2));
                self.emit(Op::SetAttribute(name));
            }
            ExprKind::Index { base, index } => {
                self.expression(base);
                self.expression(index);
                self.emit(Op::Dup(2));
                self.emit(Op::GetItem);
                self.expression(value);
                self.emit(Op::InPlace(op));
                self.emit(Op::Rotate(3));
                self.emit(Op::SetItem);
            }
            _ => {
                self.operand(target);
                self.expression(value);
                self.emit(Op::InPlace(op));
                self.store(target);
            }
        }
    }
}
