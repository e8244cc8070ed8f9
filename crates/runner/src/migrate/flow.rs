//! Which variables a function may read, from a position on, before it has given them a value.

use std::collections::BTreeMap;

use crate::graph::{Graph, Op};

/// Those slots, each with the line that reads it first. `is_bound` tells which variables hold something at the position.
pub(super) fn reads_unbound(graph: &Graph, position: u32, is_bound: impl Fn(u32) -> bool) -> BTreeMap<u32, u32> {
    let count = graph.variables as usize;
    let start: Vec<bool> = (0..graph.variables).map(|slot| is_bound(slot) || graph.captured.contains(&slot)).collect();
    // Per instruction: what is bound on every way that leads to it.
    let mut states: Vec<Option<Vec<bool>>> = vec![None; graph.code.len()];
    let mut pending = Vec::new();
    let arrive = |states: &mut Vec<Option<Vec<bool>>>, pending: &mut Vec<u32>, at: u32, state: &[bool]| {
        let Some(known) = states.get_mut(at as usize) else { return };
        let is_new = match known {
            None => {
                *known = Some(state.to_vec());
                true
            }
            Some(known) => {
                let mut changed = false;
                for (known, now) in known.iter_mut().zip(state) {
                    changed |= *known && !*now;
                    *known &= *now;
                }
                changed
            }
        };
        if is_new {
            pending.push(at);
        }
    };
    arrive(&mut states, &mut pending, position, &start);
    // What is waited for may raise.
    if let Some(region) = position.checked_sub(1).and_then(|at| graph.region_at(at)) {
        arrive(&mut states, &mut pending, region.target, &start);
    }
    while let Some(at) = pending.pop() {
        let Some(mut state) = states[at as usize].clone() else { continue };
        if let Some(region) = graph.region_at(at) {
            arrive(&mut states, &mut pending, region.target, &state);
        }
        match graph.code[at as usize] {
            Op::Store(slot) | Op::StoreCell(slot) | Op::Extend(slot) if (slot as usize) < count => {
                state[slot as usize] = true;
            }
            Op::Clear(slot) | Op::Delete(slot) | Op::DeleteCell(slot) if (slot as usize) < count => {
                state[slot as usize] = false;
            }
            _ => {}
        }
        for next in graph.successors(at) {
            arrive(&mut states, &mut pending, next, &state);
        }
    }
    // What an inner function reads, it reads later: it is enough that it is assigned somewhere on the way.
    let is_assigned = |wanted: u32| {
        graph.code.iter().zip(&states).any(|(op, state)| {
            state.is_some() && matches!(op, Op::Store(slot) | Op::StoreCell(slot) if *slot == wanted)
        })
    };
    let mut reads = BTreeMap::new();
    for (at, op) in graph.code.iter().enumerate() {
        let Some(state) = &states[at] else { continue };
        let slot = match op {
            Op::Load(slot) | Op::Peek(slot) | Op::LoadCell(slot) | Op::Extend(slot) => *slot,
            Op::Delete(slot) | Op::DeleteCell(slot) => *slot,
            Op::Capture(slot) if !is_assigned(*slot) => *slot,
            _ => continue,
        };
        if (slot as usize) < count && !state[slot as usize] {
            reads.entry(slot).or_insert_with(|| graph.line_at(at as u32));
        }
    }
    reads
}
