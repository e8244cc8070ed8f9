//! Which statement of the old function is which of the new one: the alignment of the two trees of statements that keeps most
//! instructions. A statement that could be two of the new one is nobody's: going on at the wrong one of them would be silent.

use rustc_hash::FxHashMap;

use super::code::{Code, Reference, same};
use crate::graph::StatementKind;

/// What became of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Kept(u32),
    /// Any of these, or none.
    Unclear(Vec<u32>),
    Gone,
}

pub(super) struct Alignment {
    /// By old statement.
    pub fates: Vec<Fate>,
    /// Functions and constants at the same places.
    pub references: Vec<(Reference, Reference)>,
}

/// Blocks of more statements than this, multiplied, are compared only where their beginnings and ends differ.
const PAIRS_MAX: usize = 4 << 20;

pub(super) fn align(old: &Code, new: &Code) -> Alignment {
    let mut aligner = Aligner { old, new, weights: FxHashMap::default() };
    let fates = vec![Fate::Gone; old.graph.statements.len()];
    let mut alignment = Alignment { fates, references: Vec::new() };
    aligner.pair(&old.outermost, &new.outermost, &mut alignment);
    alignment
}

struct Aligner<'a, 'b> {
    old: &'a Code<'b>,
    new: &'a Code<'b>,
    weights: FxHashMap<(u32, u32), u32>,
}

impl Aligner<'_, '_> {
    /// How many instructions are kept if the two are the same statement. 0: they are not.
    fn weight(&mut self, left: u32, right: u32) -> u32 {
        if let Some(known) = self.weights.get(&(left, right)) {
            return *known;
        }
        let (old, new) = (self.old, self.new);
        let mut weight = 0;
        if old.statement(left).kind == new.statement(right).kind {
            let header = same((old, left, old.header(left)), (new, right, new.header(right))).is_some();
            if header {
                weight = old.header(left).len() as u32;
            }
            if old.statement(left).kind == StatementKind::Simple {
                weight = weight.max(u32::from(header));
            } else {
                for block in 0..self.blocks(left, right) {
                    let (lefts, rights) = self.block(left, right, block);
                    weight += self.best(&lefts, &rights);
                }
                // Two loops that have nothing in common but that they are loops are two.
            }
        }
        self.weights.insert((left, right), weight);
        weight
    }

    fn blocks(&self, left: u32, right: u32) -> u32 {
        let count = |code: &Code, at: u32| {
            code.children[at as usize].iter().map(|child| code.statement(*child).block + 1).max().unwrap_or(0)
        };
        count(self.old, left).min(count(self.new, right))
    }

    fn block(&self, left: u32, right: u32, block: u32) -> (Vec<u32>, Vec<u32>) {
        let of = |code: &Code, at: u32| {
            let children = code.children[at as usize].iter().copied();
            children.filter(|child| code.statement(*child).block == block).collect()
        };
        (of(self.old, left), of(self.new, right))
    }

    /// Backwards: the best that can be had of the statements from these two on.
    fn table(&mut self, lefts: &[u32], rights: &[u32]) -> Vec<Vec<u32>> {
        let mut best = vec![vec![0; rights.len() + 1]; lefts.len() + 1];
        for i in (0..lefts.len()).rev() {
            for j in (0..rights.len()).rev() {
                let skipped = best[i + 1][j].max(best[i][j + 1]);
                let weight = self.weight(lefts[i], rights[j]);
                best[i][j] = if weight > 0 { skipped.max(weight + best[i + 1][j + 1]) } else { skipped };
            }
        }
        best
    }

    fn best(&mut self, lefts: &[u32], rights: &[u32]) -> u32 {
        let (ends, lefts, rights) = self.differing(lefts, rights);
        ends.iter().map(|(left, right)| self.weight(*left, *right)).sum::<u32>() + self.table(lefts, rights)[0][0]
    }

    /// What is the same at both ends of very long blocks, and what is between.
    fn differing<'s>(&mut self, lefts: &'s [u32], rights: &'s [u32]) -> (Vec<(u32, u32)>, &'s [u32], &'s [u32]) {
        let mut ends = Vec::new();
        let (mut lefts, mut rights) = (lefts, rights);
        if lefts.len() * rights.len() <= PAIRS_MAX {
            return (ends, lefts, rights);
        }
        while let (Some((left, more)), Some((right, rest))) = (lefts.split_first(), rights.split_first())
            && self.weight(*left, *right) > 0
        {
            ends.push((*left, *right));
            (lefts, rights) = (more, rest);
        }
        while let (Some((left, more)), Some((right, rest))) = (lefts.split_last(), rights.split_last())
            && self.weight(*left, *right) > 0
        {
            ends.push((*left, *right));
            (lefts, rights) = (more, rest);
        }
        // Still too much: these have been rewritten, and nothing of them is found again.
        if lefts.len() * rights.len() > PAIRS_MAX { (ends, &[], &[]) } else { (ends, lefts, rights) }
    }

    /// Notes what becomes of the statements of a block, and of those inside them.
    fn pair(&mut self, lefts: &[u32], rights: &[u32], alignment: &mut Alignment) {
        let (ends, lefts, rights) = self.differing(lefts, rights);
        let mut kept = ends;
        let after = self.table(lefts, rights);
        let best = after[0][0];
        // Forwards: the best of the statements before these two.
        let mut before = vec![vec![0u32; rights.len() + 1]; lefts.len() + 1];
        for i in 0..lefts.len() {
            for j in 0..rights.len() {
                let weight = self.weight(lefts[i], rights[j]);
                let skipped = before[i][j + 1].max(before[i + 1][j]);
                before[i + 1][j + 1] = if weight > 0 { skipped.max(weight + before[i][j]) } else { skipped };
            }
        }
        for (i, left) in lefts.iter().enumerate() {
            let mut places = Vec::new();
            for (j, right) in rights.iter().enumerate() {
                let weight = self.weight(*left, *right);
                if weight > 0 && before[i][j] + weight + after[i + 1][j + 1] == best {
                    places.push(*right);
                }
            }
            let can_go = (0..=rights.len()).any(|j| before[i][j] + after[i + 1][j] == best);
            match places[..] {
                [] => {}
                [right] if !can_go => kept.push((*left, right)),
                _ => alignment.fates[*left as usize] = Fate::Unclear(places),
            }
        }
        for (left, right) in kept {
            alignment.fates[left as usize] = Fate::Kept(right);
            self.note_references(left, right, alignment);
            for block in 0..self.blocks(left, right) {
                let (lefts, rights) = self.block(left, right, block);
                self.pair(&lefts, &rights, alignment);
            }
        }
    }

    fn note_references(&self, left: u32, right: u32, alignment: &mut Alignment) {
        let (old, new) = (self.old, self.new);
        let whole = same((old, left, &old.own[left as usize]), (new, right, &new.own[right as usize]));
        let found = whole.or_else(|| same((old, left, old.header(left)), (new, right, new.header(right))));
        let is_shared = |pair: &(Reference, Reference)| matches!(pair.0, Reference::Function(_) | Reference::Shared(_));
        alignment.references.extend(found.unwrap_or_default().into_iter().filter(is_shared));
    }
}
