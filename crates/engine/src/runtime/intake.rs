//! The way from a bridge to the engine of its own process: what is started here while workers here have nothing to do is claimed in the
//! commit that queues it, and begins as soon as that is done. Nobody has to be told, and nobody has to look. And back: how it ended.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use uuid::Uuid;
use waymark_store::{ClaimedInstance, Committed, Ending, Next, Progress, StartClaim};

use super::desk::Desk;
use crate::FrontInput;

/// Cheap to clone; closed until an engine [runs](super::run) with it, and once that has ended.
#[derive(Clone, Default)]
pub struct Intake {
    desk: Arc<Mutex<Weak<Desk>>>,
    on_end: Arc<OnceLock<OnEnd>>,
}

type OnEnd = Box<dyn Fn(Uuid, &Ending) + Send + Sync>;

impl std::fmt::Debug for Intake {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Intake").finish_non_exhaustive()
    }
}

/// What an engine would take now.
pub struct Offer {
    pub claim: StartClaim,
    since_us: i64,
    desk: Arc<Desk>,
}

impl Intake {
    /// How starts are to be queued now. None: for whoever comes first.
    pub fn offer(&self) -> Option<Offer> {
        let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner).upgrade()?;
        let (since_us, claim) = desk.offer()?;
        Some(Offer { claim, since_us, desk })
    }

    /// Has this called with each instance that the engine has brought to its end, once that is committed. It must not block. What is missed
    /// is in the store.
    pub fn on_end(&self, call: impl Fn(Uuid, &Ending) + Send + Sync + 'static) {
        let _ = self.on_end.set(Box::new(call));
    }

    pub(super) fn committed(&self, batch: &[Arc<Progress>], answers: &[Committed]) {
        let Some(call) = self.on_end.get() else { return };
        for (progress, answer) in batch.iter().zip(answers) {
            if let (Next::Finish(ending), Committed::Accepted { .. }) = (&progress.next, answer) {
                call(progress.lease.instance_id, ending);
            }
        }
    }

    pub(super) fn open(&self, desk: &Arc<Desk>) {
        *self.desk.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(desk);
    }
}

impl Offer {
    /// These were claimed with it.
    pub fn took(&self, instances: Vec<ClaimedInstance>) {
        if !instances.is_empty() {
            self.desk.tell(FrontInput::Started { instances, since_us: self.since_us });
        }
    }
}
