//! Programs in memory, one copy for all shards, and the instances that wait for theirs to be loaded.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use uuid::Uuid;
use waymark_ir::wire;
use waymark_runner::Lowered;
use waymark_store::{Error, WorkflowVersion};

use super::{Front, FrontCommand};
use crate::shard::{Admission, Stuck};

enum Program {
    /// Who waits for it.
    Loading(Vec<Admission<()>>),
    Ready {
        lowered: Arc<Lowered>,
        used: u64,
    },
}

pub(super) struct Programs {
    limit: usize,
    known: FxHashMap<Uuid, Program>,
    /// Those that are being loaded.
    loading: usize,
    /// Counts uses: who was used last.
    uses: u64,
}

#[expect(clippy::large_enum_variant, reason = "made one at a time and taken apart at once: a box would cost more")]
pub(super) enum Found {
    Ready(Arc<Lowered>, Admission<()>),
    /// It waits. True: it is the first, and somebody has to load it.
    Waits(bool),
}

impl Programs {
    pub fn new(limit: usize) -> Programs {
        Programs { limit: limit.max(1), known: FxHashMap::default(), loading: 0, uses: 0 }
    }

    pub fn find(&mut self, admission: Admission<()>) -> Found {
        self.uses += 1;
        let version = admission.instance.workflow_version_id;
        match self.known.get_mut(&version) {
            Some(Program::Ready { lowered, used }) => {
                *used = self.uses;
                Found::Ready(lowered.clone(), admission)
            }
            Some(Program::Loading(waiting)) => {
                waiting.push(admission);
                Found::Waits(false)
            }
            None => {
                self.known.insert(version, Program::Loading(vec![admission]));
                self.loading += 1;
                Found::Waits(true)
            }
        }
    }

    /// The answer has come, for those that wait.
    fn take(&mut self, version: Uuid) -> Vec<Admission<()>> {
        match self.known.remove(&version) {
            Some(Program::Loading(waiting)) => {
                self.loading -= 1;
                waiting
            }
            Some(ready) => {
                self.known.insert(version, ready);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        let waiting = |program: &Program| match program {
            Program::Loading(waiting) => waiting.len(),
            Program::Ready { .. } => 0,
        };
        if self.loading == 0 { 0 } else { self.known.values().map(waiting).sum() }
    }

    /// All that wait.
    pub fn take_waiting(&mut self) -> Vec<Admission<()>> {
        self.loading = 0;
        let waits = |_: &Uuid, program: &mut Program| matches!(program, Program::Loading(_));
        let loading = self.known.extract_if(waits);
        loading
            .flat_map(|(_, program)| match program {
                Program::Loading(waiting) => waiting,
                Program::Ready { .. } => Vec::new(),
            })
            .collect()
    }

    /// Keeps it, and forgets the one that nobody has asked for longest. Instances that run it have it still.
    fn keep(&mut self, version: Uuid, lowered: Arc<Lowered>) {
        self.known.insert(version, Program::Ready { lowered, used: self.uses });
        while self.known.len() > self.limit {
            let uses = self.known.iter().filter_map(|(version, program)| match program {
                Program::Ready { used, .. } => Some((*used, *version)),
                Program::Loading(_) => None,
            });
            let Some((_, oldest)) = uses.min() else { return };
            self.known.remove(&oldest);
        }
    }
}

impl Front {
    pub(super) fn program(&mut self, now_us: i64, id: Uuid, program: Result<Result<Arc<Lowered>, Stuck>, Error>) {
        let waiting = self.programs.take(id);
        match program {
            // Their leases run out, and they are claimed again when the store is back.
            Err(_) => {
                waiting.iter().for_each(|admission| self.left(admission.instance.lease));
                self.store_away(now_us);
            }
            Ok(Ok(lowered)) => {
                self.programs.keep(id, lowered.clone());
                self.admit(waiting.into_iter().map(|admission| admission.with(lowered.clone())));
            }
            // Not remembered: somebody may mend it.
            Ok(Err(reason)) => {
                let leases: Vec<_> = waiting.iter().map(|admission| admission.instance.lease).collect();
                leases.iter().for_each(|lease| self.left(*lease));
                let stuck = leases.into_iter().map(|lease| (lease, reason.clone())).collect();
                self.commands.push(FrontCommand::MarkStuck(stuck));
            }
        }
    }
}

/// Makes a stored program one that can run: the answer to [`FrontCommand::LoadProgram`]. It takes its time, so it is not the front that does
/// it.
pub fn lower(id: Uuid, version: Option<WorkflowVersion>) -> Result<Arc<Lowered>, Stuck> {
    let Some(version) = version else { return Err(format!("workflow version {id} is not there")) };
    let name = format!("{} {}", version.workflow_name, version.workflow_version);
    let program = wire::decode(&version.program_proto)
        .map_err(|error| format!("the program of {name} can't be read: {error}"))?;
    Lowered::new(program).map_err(|problems| match problems.first() {
        Some(problem) => format!("the program of {name} is not valid: {problem}"),
        None => format!("the program of {name} is not valid"),
    })
}
