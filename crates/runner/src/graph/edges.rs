//! Edges, read off the instructions: who may run after whom, and whose variables reach whom.

use std::collections::{BTreeMap, BTreeSet};

use super::{Graph, Node, NodeKind, Op};

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub kind: EdgeKind,
    /// Goes back to the head of a loop. Back edges do not count towards readiness.
    pub loop_back: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EdgeKind {
    Next,
    /// Guards: where a test is true, and where it is false or an iterator has come to its end.
    True,
    False,
    /// Where an exception is handled.
    Exception,
}

/// A variable that one node writes and another may read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DataFlow {
    pub from: u32,
    pub to: u32,
    /// A slot.
    pub variable: u32,
}

impl Graph {
    /// Derives the edges from the code.
    pub(crate) fn connect(&mut self) {
        let inside: Vec<BTreeSet<u32>> = self.nodes.iter().map(|node| self.inside(node)).collect();
        let mut edges = BTreeSet::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let from = at as u32;
            for position in &inside[at] {
                for (target, kind) in self.targets(*position) {
                    // Jumps inside a node (an `and`, a comprehension) are its own affair.
                    let leaves = target == node.start || !inside[at].contains(&target);
                    if leaves && let Some(target) = self.landing(target, &inside) {
                        let to = self.node_at(target);
                        edges.insert(Edge { from, to, kind, loop_back: target <= node.start });
                    }
                }
            }
            if may_raise(node.kind)
                && let Some(region) = self.region_at(node.start)
            {
                let to = self.node_at(region.target);
                edges.insert(Edge { from, to, kind: EdgeKind::Exception, loop_back: false });
            }
        }
        self.edges = edges.into_iter().collect();
        // The return at the end of a function that always returns before it.
        let last = self.nodes.len().saturating_sub(1) as u32;
        if last > 0
            && self.nodes[last as usize].kind == NodeKind::Return
            && self.edges.iter().all(|edge| edge.to != last)
        {
            self.nodes.pop();
        }
        self.data_flow = self.flow_of_data();
    }

    /// The instructions of a node that control reaches from its first one. Others that stand there (the end of a loop,
    /// of a handler) are on the way between other nodes.
    fn inside(&self, node: &Node) -> BTreeSet<u32> {
        let mut reached = BTreeSet::new();
        let mut pending = vec![node.start];
        while let Some(position) = pending.pop() {
            if !(node.start..node.end).contains(&position) || !reached.insert(position) {
                continue;
            }
            pending.extend(self.targets(position).into_iter().map(|(target, _)| target));
            if self.falls_through(position) {
                pending.push(position + 1);
            }
        }
        reached
    }

    /// The instruction of a node to which a way leads. None: it leads out of the function.
    fn landing(&self, target: u32, inside: &[BTreeSet<u32>]) -> Option<u32> {
        let mut position = target;
        for _ in 0..self.code.len() {
            if position as usize >= self.code.len() {
                return None;
            }
            if inside[self.node_at(position) as usize].contains(&position) {
                return Some(position);
            }
            position = match self.code[position as usize] {
                Op::Jump(to) => to,
                _ if self.falls_through(position) => position + 1,
                _ => return None,
            };
        }
        None
    }

    /// Every instruction that may follow one, exceptions aside.
    pub(crate) fn successors(&self, position: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.targets(position).into_iter().map(|(target, _)| target).collect();
        if self.falls_through(position) && !all.contains(&(position + 1)) {
            all.push(position + 1);
        }
        all
    }

    fn falls_through(&self, position: u32) -> bool {
        !matches!(
            self.code[position as usize],
            Op::Jump(_) | Op::Return | Op::Rethrow | Op::Raise { .. } | Op::Reraise | Op::AssertFailed { .. }
        )
    }

    /// Where control may go from an instruction, other than to the next one of the same node.
    fn targets(&self, position: u32) -> Vec<(u32, EdgeKind)> {
        let next = position + 1;
        let ends_node = self.node_at(next) != self.node_at(position);
        let fall = |kind| ends_node.then_some((next, kind));
        match self.code[position as usize] {
            Op::Jump(to) => vec![(to, EdgeKind::Next)],
            Op::JumpIfFalse(to)
            | Op::JumpIfFalseOrPop(to)
            | Op::Next { end: to, .. }
            | Op::NextAsync { end: to, .. }
            | Op::Delegate { end: to, .. } => {
                // The way that is not jumped leaves the node where the node ends behind a few stores.
                let mut all = vec![(to, EdgeKind::False)];
                all.extend(fall(EdgeKind::True));
                all
            }
            Op::JumpIfTrue(to) | Op::JumpIfTrueOrPop(to) => {
                let mut all = vec![(to, EdgeKind::True)];
                all.extend(fall(EdgeKind::False));
                all
            }
            Op::EndAsyncFor { end, .. } => vec![(end, EdgeKind::Next)],
            Op::EndFinally { exits, .. } => {
                (0..u32::from(exits)).map(|exit| (next + 1 + exit, EdgeKind::Next)).collect()
            }
            Op::Return | Op::Rethrow | Op::Raise { .. } | Op::Reraise | Op::AssertFailed { .. } => Vec::new(),
            _ => fall(self.guard_before(position)).into_iter().collect(),
        }
    }

    /// A branch node may do a little more (store the loop variable) before control leaves it on its true side.
    fn guard_before(&self, position: u32) -> EdgeKind {
        let node = &self.nodes[self.node_at(position) as usize];
        let is_branch = node.kind == NodeKind::Branch
            && self.code[node.start as usize..=position as usize].iter().any(|op| {
                matches!(
                    op,
                    Op::JumpIfFalse(_)
                        | Op::JumpIfTrue(_)
                        | Op::Next { .. }
                        | Op::NextAsync { .. }
                        | Op::Delegate { .. }
                )
            });
        if is_branch { EdgeKind::True } else { EdgeKind::Next }
    }

    /// Reaching definitions over the nodes: a write flows along edges until another write of the same variable.
    fn flow_of_data(&self) -> Vec<DataFlow> {
        let mut successors: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        self.edges.iter().for_each(|edge| successors.entry(edge.from).or_default().push(edge.to));
        let uses: Vec<(BTreeSet<u32>, BTreeSet<u32>)> =
            self.nodes.iter().map(|node| self.reads_and_writes(node.start, node.end)).collect();
        let mut flows = BTreeSet::new();
        for (from, (_, writes)) in uses.iter().enumerate() {
            for variable in writes.iter().filter(|slot| !self.slots[**slot as usize].starts_with('.')) {
                let mut seen = BTreeSet::new();
                let mut pending = successors.get(&(from as u32)).cloned().unwrap_or_default();
                while let Some(at) = pending.pop() {
                    if !seen.insert(at) {
                        continue;
                    }
                    let (reads, writes) = &uses[at as usize];
                    if reads.contains(variable) {
                        flows.insert(DataFlow { from: from as u32, to: at, variable: *variable });
                    }
                    if !writes.contains(variable) {
                        pending.extend(successors.get(&at).into_iter().flatten());
                    }
                }
            }
        }
        flows.into_iter().collect()
    }

    fn reads_and_writes(&self, start: u32, end: u32) -> (BTreeSet<u32>, BTreeSet<u32>) {
        let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
        for op in &self.code[start as usize..end as usize] {
            match op {
                Op::Load(slot) | Op::Peek(slot) | Op::LoadCell(slot) | Op::Capture(slot) if !writes.contains(slot) => {
                    reads.insert(*slot);
                }
                Op::Store(slot) | Op::StoreCell(slot) => {
                    writes.insert(*slot);
                }
                Op::Extend(slot) => {
                    reads.insert(*slot);
                    writes.insert(*slot);
                }
                _ => {}
            }
        }
        (reads, writes)
    }
}

/// The nodes from which pictures show the way to a handler.
fn may_raise(kind: NodeKind) -> bool {
    !kind.is_inline() || kind == NodeKind::Raise
}
