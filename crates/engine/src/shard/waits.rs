//! What an instance waits for, in the few words that people see.

use waymark_runner::Awaited;

use super::resident::Resident;

/// So many are named; the others are counted.
const NAMED: usize = 3;
/// Counting stops here.
const COUNTED_MAX: usize = 1_000;

impl Resident {
    /// Cheap whatever it waits for, but not free: for when it leaves memory, or can't go on here.
    pub(crate) fn waits_for(&self) -> String {
        let mut awaited = self.instance.awaits();
        let mut words: Vec<String> = Vec::new();
        let mut others = 0;
        for one in awaited.by_ref().take(COUNTED_MAX) {
            if words.len() < NAMED {
                words.push(self.describe(&one));
            } else {
                others += 1;
            }
        }
        match others {
            _ if awaited.next().is_some() => format!("{} and more than {others} others", words.join(", ")),
            0 if words.is_empty() => "nothing that could still happen by itself".into(),
            0 => words.join(", "),
            1 => format!("{} and 1 other", words.join(", ")),
            _ => format!("{} and {others} others", words.join(", ")),
        }
    }

    fn describe(&self, awaited: &Awaited) -> String {
        let key = match awaited {
            Awaited::Action { ordinal, attempt, .. } => (*ordinal, *attempt),
            Awaited::Fragment { ordinal, attempt } => (*ordinal, *attempt),
            _ => return awaited.to_string(),
        };
        if !self.routed.contains(&key) {
            return awaited.to_string();
        }
        match awaited {
            Awaited::Action { name, queue: Some(queue), .. } => format!("no worker knows {name} (queue {queue})"),
            Awaited::Action { name, .. } => format!("no worker knows {name}"),
            _ => "no worker evaluates fragments of its code".into(),
        }
    }
}
