//! Where a position of the old function is in the new one.

use super::Comparison;
use super::align::Fate;
use super::code::{self, Code, Reference, same};
use crate::graph::{StatementKind, WayOut};
use crate::lower::PRELUDE;

/// A place in the new function.
pub(super) struct Place {
    pub position: u32,
    /// Hidden variables that are alive there, old and new.
    pub slots: Vec<(u32, u32)>,
    /// `finally` blocks that are running there, old and new, by their payloads.
    pub payloads: Vec<(u32, u32)>,
}

/// Why there is none: the line, the reason, and what to do.
pub(super) struct Misplaced {
    pub line: u32,
    pub reason: String,
    pub hint: &'static str,
}

const LET_IT_RUN: &str = "let it go on on its version until it is past that line, or keep the line as it was";

impl Comparison<'_> {
    /// `is_before`: the frame is about to run the instruction; else it waits for the one before it.
    pub(super) fn place(&self, function: u32, position: u32, is_before: bool) -> Result<Place, Misplaced> {
        let (old, new) = (&self.old_codes[function as usize], &self.new_codes[self.functions[&function] as usize]);
        let mut place = Place { position: 0, slots: Vec::new(), payloads: Vec::new() };
        if position == 0 {
            return Ok(place);
        }
        let at = if is_before { position } else { position - 1 };
        let line = old.graph.line_at(at);
        let fail = |reason: String| Misplaced { line, reason, hint: LET_IT_RUN };
        let owner = old.owner.get(at as usize).copied().flatten();
        let Some(statement) = owner else {
            return Err(fail("it is about to leave the function".into()));
        };
        let kept = self.kept(function, statement, line)?;
        let own = &old.own[statement as usize];
        let Ok(offset) = own.binary_search(&at) else {
            return Err(fail("it is on its way out of a finally block".into()));
        };
        let in_header = at < old.statement(statement).header_end;
        let is_simple = old.statement(statement).kind == StatementKind::Simple;
        let pairs = match in_header {
            true => same((old, statement, old.header(statement)), (new, kept, new.header(kept))),
            false => whole(old, statement, new, kept),
        };
        let what = if is_simple { "this line has changed" } else { "the head of this block has changed" };
        let pairs = pairs.ok_or_else(|| fail(what.into()))?;
        // Those that are still to be made are made by the new code.
        let made = |code: &Code, own: &[u32]| code::functions_made(code.graph, &own[..offset]);
        let made = made(old, own).into_iter().zip(made(new, &new.own[kept as usize]));
        for (left, right) in made {
            if (left | right) & PRELUDE == 0 && !self.is_identical(left, right) {
                return Err(fail("a function that was made on this line has changed".into()));
            }
        }
        place.take(&pairs);
        let found = new.own[kept as usize][offset];
        place.position = if is_before { found } else { found + 1 };
        self.check_around(function, (statement, kept), &mut place)?;
        self.check_order(function, (statement, kept), line)?;
        Ok(place)
    }

    fn kept(&self, function: u32, statement: u32, line: u32) -> Result<u32, Misplaced> {
        let new = &self.new_codes[self.functions[&function] as usize];
        match &self.alignments[&function].fates[statement as usize] {
            Fate::Kept(kept) => Ok(*kept),
            Fate::Unclear(places) => {
                let lines: Vec<String> = places.iter().map(|place| new.statement(*place).line.to_string()).collect();
                let reason = format!("this line could be line {} of the new code, or none", lines.join(" or "));
                Err(Misplaced { line, reason, hint: "tell the lines that are alike apart, e.g. by a variable's name" })
            }
            Fate::Gone => Err(Misplaced {
                line,
                reason: "this line is not in the new code, or has changed".into(),
                hint: LET_IT_RUN,
            }),
        }
    }

    /// That the blocks around have what of them is alive.
    fn check_around(&self, function: u32, inner: (u32, u32), place: &mut Place) -> Result<(), Misplaced> {
        let (old, new) = (&self.old_codes[function as usize], &self.new_codes[self.functions[&function] as usize]);
        let (mut left, mut right) = inner;
        while let (Some(around), Some(kept)) = (old.statement(left).parent, new.statement(right).parent) {
            let block = old.statement(left).block;
            let header = || same((old, around, old.header(around)), (new, kept, new.header(kept)));
            let pairs = match old.statement(around).kind {
                // The test is made anew each time, and nothing is left of it.
                StatementKind::While => Some(Vec::new()),
                // What is caught, and what runs finally, is found out when it comes to it.
                StatementKind::Try if block < 2 => Some(Vec::new()),
                StatementKind::If | StatementKind::For | StatementKind::AsyncFor | StatementKind::With => header(),
                StatementKind::Try | StatementKind::Match | StatementKind::Simple => whole(old, around, new, kept),
            };
            let Some(pairs) = pairs else {
                let line = old.statement(around).line;
                let reason = "it is inside this block, whose head has changed".into();
                return Err(Misplaced { line, reason, hint: LET_IT_RUN });
            };
            place.take(&pairs);
            (left, right) = (around, kept);
        }
        Ok(())
    }

    /// That no statement has moved from one side of the position to the other: it would run twice, or never.
    fn check_order(&self, function: u32, here: (u32, u32), line: u32) -> Result<(), Misplaced> {
        let (old, new) = (&self.old_codes[function as usize], &self.new_codes[self.functions[&function] as usize]);
        let fates = &self.alignments[&function].fates;
        let kept: Vec<u32> =
            fates.iter().filter_map(|fate| if let Fate::Kept(at) = fate { Some(*at) } else { None }).collect();
        let is_simple = |code: &Code, at: u32| {
            code.statement(at).kind == StatementKind::Simple && !code.own[at as usize].is_empty()
        };
        let gone = (0..fates.len() as u32).filter(|at| fates[*at as usize] == Fate::Gone && is_simple(old, *at));
        let come: Vec<u32> =
            (0..new.graph.statements.len() as u32).filter(|at| !kept.contains(at) && is_simple(new, *at)).collect();
        for left in gone {
            let was_before = left < here.0;
            let moved =
                come.iter().find(|right| was_before != (**right < here.1) && whole(old, left, new, **right).is_some());
            if let Some(right) = moved {
                let (from, to) = (old.statement(left).line, new.statement(*right).line);
                let what = if was_before { "it would run twice" } else { "it would never run" };
                let reason = format!("line {from} has moved past it, to line {to} of the new code: {what}");
                return Err(Misplaced { line, reason, hint: LET_IT_RUN });
            }
        }
        Ok(())
    }

    /// The number of a way out of a `finally` block in the new function.
    pub(super) fn way_out(&self, function: u32, payloads: (u32, u32), exit: usize) -> Option<usize> {
        let fates = &self.alignments[&function].fates;
        let find = |code: &Code, payload: u32| {
            code.graph.finallys.iter().find(|known| known.payload == payload).map(|found| found.exits.clone())
        };
        let kept = |at: u32| match fates[at as usize] {
            Fate::Kept(kept) => Some(kept),
            _ => None,
        };
        let old = find(&self.old_codes[function as usize], payloads.0)?;
        let wanted = match *old.get(exit)? {
            WayOut::Return => WayOut::Return,
            WayOut::Break(at) => WayOut::Break(kept(at)?),
            WayOut::Continue(at) => WayOut::Continue(kept(at)?),
        };
        let new = find(&self.new_codes[self.functions[&function] as usize], payloads.1)?;
        new.iter().position(|way| *way == wanted)
    }
}

fn whole(old: &Code, left: u32, new: &Code, right: u32) -> Option<Vec<(Reference, Reference)>> {
    same((old, left, &old.own[left as usize]), (new, right, &new.own[right as usize]))
}

impl Place {
    fn take(&mut self, pairs: &[(Reference, Reference)]) {
        for pair in pairs {
            match *pair {
                (Reference::Slot(left), Reference::Slot(right)) if !self.slots.contains(&(left, right)) => {
                    self.slots.push((left, right));
                }
                (Reference::Payload(left), Reference::Payload(right)) if !self.payloads.contains(&(left, right)) => {
                    self.payloads.push((left, right));
                    self.slots.extend([(left, right), (left + 1, right + 1)]);
                }
                _ => {}
            }
        }
    }
}
