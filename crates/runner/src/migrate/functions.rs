//! Functions as values, calls in flight, and constants with identity.

use std::sync::Arc;

use super::{Comparison, Problem, ProblemKind};
use crate::exchange;
use crate::graph::{Graph, Shared};
use crate::heap::{Coroutine, Object};
use crate::instance::{Dispatch, Instance};
use crate::lower::PRELUDE;
use crate::value::Value;

impl Comparison<'_> {
    pub(super) fn move_functions(&self, instance: &mut Instance, problems: &mut Vec<Problem>) {
        self.move_shared(instance);
        let ids: Vec<_> = instance.cx.heap.ids().collect();
        for id in ids {
            match instance.cx.heap.get_mut(id) {
                Object::Function(made) if made.function & PRELUDE == 0 => {
                    let (function, defaults, cells) = (made.function, made.defaults.clone(), made.cells.clone());
                    let moved = self.function_value(instance, function, &defaults, &cells);
                    match (moved, instance.cx.heap.get_mut(id)) {
                        (Ok((to, defaults, cells)), Object::Function(made)) => {
                            (made.function, made.defaults, made.cells) = (to, defaults, cells);
                        }
                        (Err(reason), _) => {
                            let graph = &self.old.graphs[function as usize];
                            let hint = "keep the function as it was until nothing holds it any more";
                            let (kind, line) = (ProblemKind::Function, graph.span.line);
                            problems.push(Problem::at(self.old, graph, line, kind, reason, hint));
                        }
                        _ => {}
                    }
                }
                Object::Coroutine(coroutine) => {
                    if let Coroutine::Action(request) = &mut **coroutine {
                        (request.function, request.node) = self.site(request.function, request.node);
                    }
                }
                _ => {}
            }
        }
        for execution in instance.executions.values_mut() {
            let (function, node) = self.site(execution.call.function, execution.call.node);
            execution.call = Arc::new(Dispatch { function, node, ..(*execution.call).clone() });
        }
    }

    /// A function that something holds: its number, defaults and cells in the new program.
    fn function_value(
        &self,
        instance: &mut Instance,
        function: u32,
        defaults: &[Value],
        cells: &[Value],
    ) -> Result<(u32, Vec<Value>, Vec<Value>), String> {
        let old = &self.old.graphs[function as usize];
        let held = format!("the function {} is held by a variable", old.qualified);
        let Some(to) = self.functions.get(&function).copied() else {
            return Err(format!("{held}, and the new code does not have it"));
        };
        let new = &self.new.graphs[to as usize];
        let mut moved = Vec::new();
        for param in &new.params {
            let was =
                old.params.iter().position(|known| known.name == param.name && known.has_default == param.has_default);
            moved.push(match (was, &param.default) {
                (Some(at), _) => defaults.get(at).cloned().unwrap_or_default(),
                (None, Some(default)) => exchange::import(&mut instance.cx, default).unwrap_or_default(),
                (None, None) if !param.has_default => Value::Unbound,
                (None, None) => {
                    return Err(format!(
                        "{held}, and its parameter {} has a default that was not evaluated",
                        param.name
                    ));
                }
            });
        }
        let name = |graph: &Graph, at: usize| graph.slots[graph.captured[at] as usize].clone();
        let mut kept = Vec::new();
        for at in 0..new.captured.len() {
            let wanted = name(new, at);
            match (0..old.captured.len()).find(|at| name(old, *at) == wanted) {
                Some(at) => kept.push(cells[at].clone()),
                None => {
                    return Err(format!("{held}, and in the new code it takes {wanted} from the function around it"));
                }
            }
        }
        Ok((to, moved, kept))
    }

    /// The call of an action, for messages and pictures: as near as can be told.
    fn site(&self, function: u32, node: u32) -> (u32, u32) {
        if function & PRELUDE != 0 {
            return (function, node);
        }
        let Some(to) = self.functions.get(&function).copied() else { return (self.new.entry, 0) };
        let old = &self.old.graphs[function as usize];
        let new = &self.new.graphs[to as usize];
        let Some(was) = old.nodes.get(node as usize) else { return (to, 0) };
        let found = (was.start..was.end).find_map(|at| self.place(function, at + 1, false).ok());
        (to, found.map_or(0, |place| new.node_at(place.position.saturating_sub(1))))
    }

    fn move_shared(&self, instance: &mut Instance) {
        let held = std::mem::take(&mut instance.shared);
        let mut shared = vec![Value::Unbound; self.new.pool.shared.len()];
        for (at, value) in held.into_iter().enumerate().filter(|(_, value)| !value.is_unbound()) {
            let to = match &self.old.pool.shared[at] {
                Shared::Constant(_) => self.shared.get(&(at as u32)).map(|to| *to as usize),
                Shared::Function(function) => {
                    let wanted = match function & PRELUDE {
                        0 => self.functions.get(function).copied(),
                        _ => Some(*function),
                    };
                    let is_it = |known: &Shared| matches!(known, Shared::Function(at) if Some(*at) == wanted);
                    self.new.pool.shared.iter().position(is_it)
                }
            };
            if let Some(to) = to {
                shared[to] = value;
            }
        }
        instance.shared = shared;
    }
}
