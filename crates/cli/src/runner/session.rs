//! All that one pipe has loaded and started.

use std::collections::HashMap;

use uuid::Uuid;
use waymark_ir::{Value, payload};
use waymark_proto::runner::answer::Answer as Kind;
use waymark_proto::runner::event::Event as WireEvent;
use waymark_proto::runner::request::Request as Wanted;
use waymark_proto::runner::{Done, Event as Happened, Request, Start};
use waymark_runner::Event;

use super::held::{Held, Problem};
use super::programs::Programs;
use super::refused;

#[derive(Default)]
pub struct Session {
    programs: Programs,
    instances: HashMap<Uuid, Held>,
    last_call: u64,
}

impl Session {
    pub fn answer(&mut self, request: Request) -> Kind {
        let answer = match request.request {
            Some(Wanted::Load(load)) => self.programs.load(&load.program).map(Kind::Loaded).map_err(Problem::Misuse),
            Some(Wanted::Start(start)) => self.start(start),
            Some(Wanted::Event(event)) => self.event(event),
            Some(Wanted::Look(look)) => self.held(&look.instance_id).map(|held| Kind::Seen(held.look(look.frames))),
            Some(Wanted::Restore(restore)) => {
                self.held(&restore.instance_id).and_then(Held::restore).map(|()| Kind::Done(Done {}))
            }
            Some(Wanted::Forget(forget)) => {
                if let Ok(id) = Uuid::from_slice(&forget.instance_id) {
                    self.instances.remove(&id);
                }
                self.programs.forget(forget.program_id);
                Ok(Kind::Done(Done {}))
            }
            None => Err(misuse("the request asks for nothing that is known here")),
        };
        match answer {
            Ok(answer) => answer,
            Err(Problem::Misuse(message)) => refused(message, false),
            Err(Problem::Bug(message)) => refused(message, true),
        }
    }

    fn held(&mut self, id: &[u8]) -> Result<&mut Held, Problem> {
        let id = Uuid::from_slice(id).map_err(|_| misuse("an instance_id has 16 bytes"))?;
        self.instances.get_mut(&id).ok_or_else(|| misuse(&format!("there is no instance {id}")))
    }

    fn start(&mut self, start: Start) -> Result<Kind, Problem> {
        let id = Uuid::from_slice(&start.instance_id).map_err(|_| misuse("an instance_id has 16 bytes"))?;
        if self.instances.contains_key(&id) {
            return Err(misuse(&format!("instance {id} is there already")));
        }
        let program = self.programs.get(start.program_id);
        let lowered = program.ok_or_else(|| misuse(&format!("there is no program {}", start.program_id)))?;
        let held = Held::new(id, lowered.clone(), start.resume_between_events);
        let event = Event::Started { inputs: inputs(&start.inputs)? };
        self.apply(id, held, start.now_us, event)
    }

    fn event(&mut self, happened: Happened) -> Result<Kind, Problem> {
        let held = self.held(&happened.instance_id)?;
        let event = match happened.event {
            Some(WireEvent::Settled(settled)) => held.settled(&settled)?,
            Some(WireEvent::Deadline(_)) => Event::DeadlineReached,
            Some(WireEvent::Signal(signal)) => {
                let payload = payload::decode(&signal.payload);
                let payload = payload.map_err(|error| misuse(&format!("the signal can't be read: {error}")))?;
                Event::Signal { name: signal.name, payload, id: (!signal.id.is_empty()).then_some(signal.id) }
            }
            Some(WireEvent::Update(update)) => {
                let payload = payload::decode(&update.payload);
                let payload = payload.map_err(|error| misuse(&format!("the update can't be read: {error}")))?;
                Event::Update { name: update.name, payload, id: update.id }
            }
            Some(WireEvent::Cancel(cancel)) => {
                Event::Cancel { reason: (!cancel.reason.is_empty()).then_some(cancel.reason) }
            }
            Some(WireEvent::Pause(_)) => Event::Pause,
            Some(WireEvent::Resume(_)) => Event::Resume,
            None => return Err(misuse("the event is of no kind that is known here")),
        };
        let id = Uuid::from_slice(&happened.instance_id).map_err(|_| misuse("an instance_id has 16 bytes"))?;
        match self.instances.remove(&id) {
            Some(held) => self.apply(id, held, happened.now_us, event),
            None => Err(misuse(&format!("there is no instance {id}"))),
        }
    }

    /// The instance is out of the table meanwhile: one that meets a bug is not met again.
    fn apply(&mut self, id: Uuid, mut held: Held, now_us: i64, event: Event) -> Result<Kind, Problem> {
        let moved = held.apply(now_us, event, &mut self.last_call);
        if !held.has_ended() {
            self.instances.insert(id, held);
        }
        moved.map(Kind::Moved)
    }
}

fn inputs(bytes: &[u8]) -> Result<Vec<(String, Value)>, Problem> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let decoded = payload::decode(bytes).map_err(|error| misuse(&format!("the inputs can't be read: {error}")))?;
    let Value::Dict(entries) = decoded else { return Err(misuse("inputs are a map of arguments by name")) };
    let named = entries.into_iter().map(|(name, value)| match name {
        Value::Str(name) => Ok((name, value)),
        _ => Err(misuse("an argument has a name that is no string")),
    });
    named.collect()
}

fn misuse(message: &str) -> Problem {
    Problem::Misuse(message.into())
}
