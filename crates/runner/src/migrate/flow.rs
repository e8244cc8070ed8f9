//! Which variables a function may read, from a position on, before it has given them a value.

use std::collections::BTreeMap;

use crate::graph::{Graph, Op};

/// Those slots, each with the first line that may read it. `is_bound` tells which variables hold something at the position.
pub(super) fn reads_unbound(graph: &Graph, position: u32, is_bound: impl Fn(u32) -> bool) -> BTreeMap<u32, u32> {
    let bound = (0..graph.variables).map(|slot| is_bound(slot) || graph.captured.contains(&slot)).collect();
    let mut flow = Flow { graph, states: BTreeMap::new(), pending: Vec::new() };
    flow.run(position, bound);
    flow.reads()
}

/// An instruction, and the `finally` blocks (by their numbers) that are running because of an exception: such a block does not
/// go on behind itself.
type Point = (u32, u64);

struct Flow<'a> {
    graph: &'a Graph,
    /// What is bound on every way that leads to a point.
    states: BTreeMap<Point, Vec<bool>>,
    pending: Vec<Point>,
}

impl Flow<'_> {
    fn run(&mut self, position: u32, bound: Vec<bool>) {
        // What is waited for may raise.
        if let Some(region) = position.checked_sub(1).and_then(|at| self.graph.region_at(at)) {
            self.arrive((region.target, 0), &bound);
        }
        self.arrive((position, 0), &bound);
        while let Some(point) = self.pending.pop() {
            let (at, raised) = point;
            let mut state = self.states[&point].clone();
            if let Some(region) = self.graph.region_at(at) {
                self.arrive((region.target, raised), &state);
            }
            let op = self.graph.code[at as usize];
            match op {
                Op::Store(slot) | Op::StoreCell(slot) | Op::Extend(slot) => set(&mut state, slot, true),
                Op::Clear(slot) | Op::Delete(slot) | Op::DeleteCell(slot) => set(&mut state, slot, false),
                _ => {}
            }
            let with = match op {
                Op::FinallyRaised(payload) => raised | self.bit(payload),
                Op::EndFinally { payload, .. } if raised & self.bit(payload) != 0 => continue,
                _ => raised,
            };
            for next in self.graph.successors(at) {
                self.arrive((next, with), &state);
                if let Op::FinallySuppress(payload) = op {
                    self.arrive((next, with & !self.bit(payload)), &state);
                }
            }
        }
    }

    /// Those beyond the 64th are not told apart.
    fn bit(&self, payload: u32) -> u64 {
        let at = self.graph.finallys.iter().position(|known| known.payload == payload);
        at.filter(|at| *at < 64).map_or(0, |at| 1 << at)
    }

    fn arrive(&mut self, point: Point, state: &[bool]) {
        if point.0 as usize >= self.graph.code.len() {
            return;
        }
        let mut is_new = !self.states.contains_key(&point);
        let known = self.states.entry(point).or_insert_with(|| state.to_vec());
        for (known, now) in known.iter_mut().zip(state) {
            is_new |= *known && !*now;
            *known &= *now;
        }
        if is_new {
            self.pending.push(point);
        }
    }

    fn reads(&self) -> BTreeMap<u32, u32> {
        let mut reads = BTreeMap::new();
        for ((at, _), state) in &self.states {
            let slot = match self.graph.code[*at as usize] {
                Op::Load(slot) | Op::Peek(slot) | Op::LoadCell(slot) | Op::Extend(slot) => slot,
                Op::Delete(slot) | Op::DeleteCell(slot) => slot,
                // An inner function reads it later: it is enough that it is set somewhere on the way.
                Op::Capture(slot) if !self.is_set_later(slot) => slot,
                _ => continue,
            };
            if state.get(slot as usize) == Some(&false) {
                reads.entry(slot).or_insert_with(|| self.graph.line_at(*at));
            }
        }
        reads
    }

    fn is_set_later(&self, wanted: u32) -> bool {
        let is_store =
            |at: u32| matches!(self.graph.code[at as usize], Op::Store(slot) | Op::StoreCell(slot) if slot == wanted);
        self.states.keys().any(|(at, _)| is_store(*at))
    }
}

/// Hidden variables are behind those that are looked at.
fn set(state: &mut [bool], slot: u32, is_bound: bool) {
    if let Some(known) = state.get_mut(slot as usize) {
        *known = is_bound;
    }
}
