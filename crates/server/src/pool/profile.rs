//! What a worker says of itself, checked.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use tonic::Status;
use uuid::Uuid;
use waymark_engine::FRAGMENT_ACTION;
use waymark_proto::PROTOCOL_VERSION;
use waymark_proto::worker::Hello;

use super::lane::Need;

/// A worker that offers more slots gets this many.
pub const SLOTS_MAX: u32 = 10_000;

const ACTIONS_MAX: usize = 100_000;
const QUEUES_MAX: usize = 1_000;
/// Of queues with actions: the relay asks the store for each pair.
const PAIRS_MAX: usize = 200_000;
const NAME_BYTES_MAX: usize = 512;

pub(super) struct Profile {
    pub worker_id: Arc<str>,
    pub language: String,
    pub description: String,
    pub queues: Vec<String>,
    pub actions: FxHashSet<String>,
    pub fragments: bool,
    pub slots: usize,
    pub process_id: u32,
    /// It looks for actions that it did not list.
    imports_on_demand: bool,
    /// What it looked for in vain.
    not_found: FxHashSet<String>,
}

impl Profile {
    #[allow(clippy::result_large_err)]
    pub fn read(hello: Hello) -> Result<Profile, Status> {
        if hello.protocol_version != PROTOCOL_VERSION {
            return Err(Status::failed_precondition(format!(
                "this engine speaks protocol version {PROTOCOL_VERSION}, the worker {}: use the same version of Waymark for both",
                hello.protocol_version
            )));
        }
        if hello.slots == 0 {
            return Err(Status::invalid_argument("a worker needs at least one slot"));
        }
        if hello.actions.len() > ACTIONS_MAX || hello.queues.len() > QUEUES_MAX {
            return Err(Status::invalid_argument(format!(
                "a worker may know up to {ACTIONS_MAX} actions and serve up to {QUEUES_MAX} queues"
            )));
        }
        let pairs = hello.queues.len().max(1) * (hello.actions.len() + 1);
        if pairs > PAIRS_MAX {
            return Err(Status::invalid_argument(format!(
                "a worker that serves {} queues with {} actions may be asked for too much: at most {PAIRS_MAX} pairs",
                hello.queues.len(),
                hello.actions.len()
            )));
        }
        named("language", &hello.language)?;
        if hello.description.len() > NAME_BYTES_MAX {
            return Err(Status::invalid_argument(format!("description: more than {NAME_BYTES_MAX} bytes")));
        }
        hello.queues.iter().try_for_each(|name| named("queue", name))?;
        hello.actions.iter().try_for_each(|name| named("action", name))?;
        let worker_id = match hello.worker_id.as_str() {
            "" => format!("worker-{}", Uuid::now_v7()),
            given => {
                named("worker_id", given)?;
                given.to_string()
            }
        };
        Ok(Profile {
            worker_id: worker_id.into(),
            language: hello.language,
            description: hello.description,
            queues: match hello.queues.is_empty() {
                true => vec!["default".into()],
                false => hello.queues,
            },
            actions: hello.actions.into_iter().collect(),
            fragments: hello.fragments,
            slots: hello.slots.min(SLOTS_MAX) as usize,
            process_id: hello.process_id,
            imports_on_demand: hello.imports_on_demand,
            not_found: FxHashSet::default(),
        })
    }

    /// Every queue with every action.
    pub fn known(&self) -> impl Iterator<Item = (String, String)> {
        let fragments = (self.fragments && self.language == "python").then_some(FRAGMENT_ACTION);
        let actions = move || self.actions.iter().map(String::as_str).chain(fragments);
        self.queues.iter().flat_map(move |queue| actions().map(move |action| (queue.clone(), action.to_string())))
    }

    pub fn serves(&self, need: &Need) -> bool {
        match need {
            Need::Action { queue, name } => self.actions.contains(&**name) && self.serves_queue(queue.as_deref()),
            Need::Fragment(language) => self.fragments && self.language == *language,
        }
    }

    /// It did not list it, and can look for it: the name says what to import.
    pub fn may_import(&self, need: &Need) -> bool {
        let Need::Action { queue, name } = need else { return false };
        let is_import_path = name.split_once(':').is_some_and(|(module, item)| !module.is_empty() && !item.is_empty());
        let may = self.imports_on_demand && is_import_path && !self.not_found.contains(&**name);
        may && self.serves_queue(queue.as_deref())
    }

    /// It does not have this action. Says whether it had offered it.
    pub fn lacks(&mut self, name: &str) -> bool {
        if self.not_found.len() >= ACTIONS_MAX {
            self.not_found.clear();
        }
        self.not_found.insert(name.to_string());
        self.actions.remove(name)
    }

    fn serves_queue(&self, queue: Option<&str>) -> bool {
        queue.is_none_or(|queue| self.queues.iter().any(|served| served == queue))
    }
}

#[allow(clippy::result_large_err)]
fn named(what: &str, name: &str) -> Result<(), Status> {
    if name.is_empty() || name.len() > NAME_BYTES_MAX || name.chars().any(char::is_control) {
        return Err(Status::invalid_argument(format!(
            "{what}: a name has 1 to {NAME_BYTES_MAX} bytes and no control characters, not {:?}",
            name.chars().take(80).collect::<String>()
        )));
    }
    Ok(())
}
