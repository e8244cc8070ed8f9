//! Drives one instance to its end without a clock, a database or workers: actions answer as a [`Script`] says, time is
//! virtual and jumps. Tests, `waymark sim` and the SDK's test mode all use it.
//!
//! What is earliest happens next; at the same time injections come first, then answers in the order of their dispatch,
//! then deadlines. So actions that take no time answer one by one, oldest first, before any timer moves.
//!
//! With [`Simulator::every_event_resumed`] the instance is saved, dropped and restored after **every** event; whatever
//! a run does must not depend on it, and [`check`] makes sure of that.

mod check;
mod script;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use waymark_ir::exceptions::exception;
use waymark_ir::{ExceptionValue, Value};

pub use check::{check, check_with, lower};
pub use script::{Answer, Injection, Plan, Reply, Script, ScriptError};

use crate::context::Limits;
use crate::graph::Lowered;
use crate::instance::{
    ApplyError, Dispatch, Effect, Ending, Event, FragmentDispatch, FragmentOutcome, Instance, Outcome, Position,
};
use crate::migrate::{Comparison, Mapping};

/// When a run begins, unless told otherwise: 2023-11-14T22:13:20Z, in microseconds.
pub const START_US: i64 = 1_700_000_000_000_000;

/// One run of one program. Set it up, then [`Simulator::run`].
pub struct Simulator {
    lowered: Arc<Lowered>,
    limits: Limits,
    script: Script,
    resumed: bool,
    other_version: Option<Arc<Lowered>>,
    events_max: usize,
    slice: Option<u64>,
    start_us: i64,
    seed: u64,
    fragments: Box<dyn FnMut(&FragmentDispatch) -> FragmentOutcome>,
    observe: Box<dyn FnMut(i64, Step<'_>)>,
}

/// One thing that went in or came out, as [`Simulator::observe`] sees it.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    Event(&'a Event),
    Effect(&'a Effect),
}

/// What happened, in order.
#[derive(Clone, Debug)]
pub struct Report {
    /// Every effect, with the virtual time of its event.
    pub effects: Vec<(i64, Effect)>,
    pub stop: Stop,
    pub events: usize,
    pub ended_us: i64,
    pub digest: u64,
    /// Where its tasks stand, if it has not finished.
    pub positions: Vec<Position>,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one a run")]
pub enum Stop {
    Finished(Ending),
    /// It waits for something that the script never brings: an action that never answers, a signal.
    Waiting,
    /// It took more events than allowed.
    TooManyEvents,
}

/// A fault of the runner, never of the program.
#[derive(Debug, thiserror::Error)]
pub enum SimulateError {
    #[error("event {event}: {error}")]
    Apply { event: usize, error: ApplyError },
    #[error("after event {event} the snapshot can't be read: {reason}")]
    Restore { event: usize, reason: String },
    #[error("after event {event} the restored instance differs: {what} was {before}, is {after}")]
    Resume { event: usize, what: &'static str, before: String, after: String },
    #[error("after event {event} it can't be migrated: {reason}")]
    Migrate { event: usize, reason: String },
}

/// Something that has been handed out and has not come back.
struct Outstanding {
    /// When, and its turn among those at the same time. None: never.
    due: Option<(i64, usize)>,
    event: Event,
    ignores_cancel: bool,
    /// The instance need not remember it any longer than its grace period.
    asked_to_stop: bool,
}

/// Ordinal and attempt.
type Attempt = (u64, u32);

impl Simulator {
    pub fn new(lowered: Arc<Lowered>, limits: Limits) -> Simulator {
        Simulator {
            lowered,
            limits,
            script: Script::default(),
            resumed: false,
            other_version: None,
            events_max: 1_000_000,
            slice: None,
            start_us: START_US,
            seed: 1,
            fragments: Box::new(|_| FragmentOutcome::Failed(no_worker())),
            observe: Box::new(|_, _| {}),
        }
    }

    pub fn script(mut self, script: Script) -> Simulator {
        self.script = script;
        self
    }

    /// Goes on with a restored instance after every event, and compares it with the one that was saved.
    pub fn every_event_resumed(mut self, resumed: bool) -> Simulator {
        self.resumed = resumed;
        self
    }

    /// Moves the instance to this version of its program after the first event, back after the second, and so on.
    pub fn every_event_migrated(mut self, other: Arc<Lowered>) -> Simulator {
        self.other_version = Some(other);
        self
    }

    pub fn events_max(mut self, events: usize) -> Simulator {
        self.events_max = events;
        self
    }

    /// Lets the instance go on in slices of so many steps.
    pub fn slice(mut self, steps: u64) -> Simulator {
        self.slice = Some(steps);
        self
    }

    pub fn starting_at(mut self, at_us: i64) -> Simulator {
        self.start_us = at_us;
        self
    }

    /// What the instance draws its random numbers from: its id.
    pub fn seed(mut self, seed: u64) -> Simulator {
        self.seed = seed;
        self
    }

    /// Is told of every event before it is applied and of every effect, with the virtual time.
    pub fn observe(mut self, observe: impl FnMut(i64, Step<'_>) + 'static) -> Simulator {
        self.observe = Box::new(observe);
        self
    }

    /// Who evaluates fragments. Without it they fail.
    pub fn fragments(mut self, evaluate: impl FnMut(&FragmentDispatch) -> FragmentOutcome + 'static) -> Simulator {
        self.fragments = Box::new(evaluate);
        self
    }

    pub fn run(mut self, inputs: Vec<(String, Value)>) -> Result<Report, SimulateError> {
        let mut instance = Instance::new(u128::from(self.seed), self.lowered.clone(), self.limits.clone());
        if let Some(steps) = self.slice {
            instance.set_slice(steps);
        }
        let mut run = Run::new(&self);
        let mut next = Some((self.start_us, Event::Started { inputs }));
        let stop = loop {
            let Some((at_us, event)) = next else { break Stop::Waiting };
            if run.events == self.events_max {
                break Stop::TooManyEvents;
            }
            run.now_us = run.now_us.max(at_us);
            (self.observe)(run.now_us, Step::Event(&event));
            let event = if self.resumed { run.log(event)? } else { event };
            let effects = run.apply(&mut instance, event)?;
            for effect in effects {
                (self.observe)(run.now_us, Step::Effect(&effect));
                run.take(&mut self, effect);
            }
            if self.resumed {
                instance = run.resume(&self.lowered, instance)?;
                if let Some(steps) = self.slice {
                    instance.set_slice(steps);
                }
            }
            if let Some(ending) = instance.ending() {
                break Stop::Finished(ending.clone());
            }
            if let Some(other) = &self.other_version {
                instance = run.migrate(&self.lowered, other, instance)?;
            }
            next = run.next(instance.next_deadline());
        };
        let digest = instance.digest();
        if self.resumed {
            run.fold_log(&self, &instance)?;
        }
        let positions = instance.positions();
        Ok(Report { effects: run.effects, stop, events: run.events, ended_us: run.now_us, digest, positions })
    }
}

/// What changes while a simulation goes on.
struct Run {
    now_us: i64,
    events: usize,
    effects: Vec<(i64, Effect)>,
    outstanding: BTreeMap<Attempt, Outstanding>,
    /// Those of them that will come back, in order.
    answers: BTreeSet<((i64, usize), Attempt)>,
    /// Attempts that were asked to stop and have: told before anything else happens.
    acknowledgements: VecDeque<Attempt>,
    /// In order of time.
    injections: VecDeque<(i64, Injection)>,
    /// How often each action was called.
    calls: BTreeMap<Arc<str>, usize>,
    /// Times and events, as a store would keep them.
    log: Vec<(i64, Vec<u8>)>,
}

impl Run {
    fn new(simulator: &Simulator) -> Run {
        let mut injections: Vec<(i64, Injection)> = simulator.script.injections.clone();
        injections.sort_by_key(|(after_us, _)| *after_us);
        let start = simulator.start_us;
        Run {
            now_us: start,
            events: 0,
            effects: Vec::new(),
            outstanding: BTreeMap::new(),
            answers: BTreeSet::new(),
            acknowledgements: VecDeque::new(),
            injections: injections.into_iter().map(|(after, what)| (start.saturating_add(after), what)).collect(),
            calls: BTreeMap::new(),
            log: Vec::new(),
        }
    }

    /// The event as it comes back from the log.
    fn log(&mut self, event: Event) -> Result<Event, SimulateError> {
        let bytes = event.encode();
        let read = Event::decode(&bytes);
        let read =
            read.map_err(|error| SimulateError::Restore { event: self.events + 1, reason: error.to_string() })?;
        self.log.push((self.now_us, bytes));
        Ok(read)
    }

    /// On the other version than before, by way of a snapshot.
    fn migrate(&self, one: &Arc<Lowered>, other: &Arc<Lowered>, instance: Instance) -> Result<Instance, SimulateError> {
        let (from, to) = if self.events % 2 == 1 { (one, other) } else { (other, one) };
        let moved = Comparison::new(from, to).migrate(instance, &Mapping::default());
        let fail = |reason: String| SimulateError::Migrate { event: self.events, reason };
        let mut moved =
            moved.map_err(|problems| fail(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")))?;
        Instance::restore(&moved.snapshot(), to.clone()).map_err(|error| fail(error.to_string()))
    }

    /// State is the fold of the log: folding it from the start must lead to the instance that went through all the snapshots.
    fn fold_log(&self, simulator: &Simulator, reached: &Instance) -> Result<(), SimulateError> {
        let mut folded = Instance::new(u128::from(simulator.seed), simulator.lowered.clone(), simulator.limits.clone());
        for (at, (now_us, bytes)) in self.log.iter().enumerate() {
            let fail = |reason: String| SimulateError::Restore { event: at + 1, reason };
            let event = Event::decode(bytes).map_err(|error| fail(error.to_string()))?;
            folded.apply(*now_us, event).map_err(|error| SimulateError::Apply { event: at + 1, error })?;
        }
        let state = |instance: &Instance| format!("{:?}", (instance.seq(), instance.digest(), instance.ending()));
        if state(&folded) != state(reached) {
            let (before, after) = (state(reached), state(&folded));
            return Err(SimulateError::Resume { event: self.log.len(), what: "the fold of the log", before, after });
        }
        Ok(())
    }

    fn apply(&mut self, instance: &mut Instance, event: Event) -> Result<Vec<Effect>, SimulateError> {
        self.events += 1;
        let applied = instance.apply(self.now_us, event);
        let mut effects = applied.map_err(|error| SimulateError::Apply { event: self.events, error })?;
        while instance.has_work() {
            effects.extend(instance.proceed());
        }
        Ok(effects)
    }

    fn take(&mut self, simulator: &mut Simulator, effect: Effect) {
        match &effect {
            Effect::Dispatch(dispatch) | Effect::StartChild(dispatch) => {
                let reply = self.reply(&simulator.script, dispatch);
                let (ordinal, attempt) = (dispatch.execution.ordinal, dispatch.attempt);
                let after_us = (reply.answer != Answer::Never).then_some(reply.after_us);
                let event = Event::Settled { ordinal, attempt, outcome: reply.answer.outcome(dispatch) };
                self.hand_out((ordinal, attempt), after_us, event, reply.ignores_cancel);
            }
            Effect::DispatchFragment(fragment) => {
                let (ordinal, attempt) = (fragment.execution.ordinal, fragment.attempt);
                let outcome = (simulator.fragments)(fragment);
                let event = Event::FragmentSettled { ordinal, attempt, outcome };
                self.hand_out((ordinal, attempt), Some(0), event, true);
            }
            Effect::CancelAttempt { ordinal, attempt } | Effect::CancelChild { ordinal, attempt, .. } => {
                self.stop((*ordinal, *attempt))
            }
            Effect::Log(_) | Effect::Finish(_) | Effect::SignalChild { .. } | Effect::Reply { .. } => {}
        }
        self.effects.push((self.now_us, effect));
    }

    fn reply(&mut self, script: &Script, dispatch: &Dispatch) -> Reply {
        let calls = self.calls.entry(dispatch.name.clone()).or_default();
        let reply = script.reply(&dispatch.name, *calls);
        *calls += 1;
        reply
    }

    fn hand_out(&mut self, attempt: Attempt, after_us: Option<i64>, event: Event, ignores_cancel: bool) {
        let due = after_us.map(|after| (self.now_us.saturating_add(after), self.effects.len()));
        self.answers.extend(due.map(|due| (due, attempt)));
        self.outstanding.insert(attempt, Outstanding { due, event, ignores_cancel, asked_to_stop: false });
    }

    fn stop(&mut self, attempt: Attempt) {
        let Some(out) = self.outstanding.get_mut(&attempt) else { return };
        out.asked_to_stop = true;
        if !out.ignores_cancel {
            self.acknowledgements.push_back(attempt);
        }
    }

    fn take_back(&mut self, attempt: Attempt) -> Option<Outstanding> {
        let out = self.outstanding.remove(&attempt)?;
        if let Some(due) = out.due {
            self.answers.remove(&(due, attempt));
        }
        Some(out)
    }

    /// What happens next, and when. None: nothing ever will.
    fn next(&mut self, deadline_us: Option<i64>) -> Option<(i64, Event)> {
        while let Some(attempt) = self.acknowledgements.pop_front() {
            if self.take_back(attempt).is_some() {
                let (ordinal, attempt) = attempt;
                return Some((self.now_us, Event::Settled { ordinal, attempt, outcome: Outcome::Cancelled }));
            }
        }
        let injection = self.injections.front().map(|(at_us, _)| *at_us);
        let answer = self.answers.first().copied();
        let candidates =
            [injection.map(|at| (at, 0)), answer.map(|((at, _), _)| (at, 1)), deadline_us.map(|at| (at, 2))];
        let (at_us, which) = candidates.into_iter().flatten().min()?;
        let event = match which {
            0 => self.injections.pop_front()?.1.event(),
            1 => self.take_back(answer?.1)?.event,
            _ => Event::DeadlineReached,
        };
        Some((at_us, event))
    }

    fn resume(&self, lowered: &Arc<Lowered>, instance: Instance) -> Result<Instance, SimulateError> {
        let restored = saved_and_restored(self.events, lowered, instance)?;
        if restored.ending().is_none() {
            differs(self.events, "outstanding", self.handed_out(), handed_out_again(&restored.in_flight()))?;
        }
        Ok(restored)
    }

    fn handed_out(&self) -> String {
        let wanted = self.outstanding.iter().filter(|(_, out)| !out.asked_to_stop);
        format!("{:?}", wanted.map(|(attempt, _)| attempt).collect::<Vec<_>>())
    }
}

/// Saves the instance after an event and reads it back; whatever can be compared must be equal.
pub fn saved_and_restored(
    event: usize,
    lowered: &Arc<Lowered>,
    mut instance: Instance,
) -> Result<Instance, SimulateError> {
    let bytes = instance.snapshot();
    let restored = Instance::restore(&bytes, lowered.clone());
    let mut restored = restored.map_err(|error| SimulateError::Restore { event, reason: error.to_string() })?;
    let same = |what, before: String, after: String| differs(event, what, before, after);
    same("seq", instance.seq().to_string(), restored.seq().to_string())?;
    same("digest", instance.digest().to_string(), restored.digest().to_string())?;
    same("ending", format!("{:?}", instance.ending()), format!("{:?}", restored.ending()))?;
    same("deadline", format!("{:?}", instance.next_deadline()), format!("{:?}", restored.next_deadline()))?;
    same("in_flight", format!("{:?}", instance.in_flight()), format!("{:?}", restored.in_flight()))?;
    let again = restored.snapshot();
    if again != bytes {
        let at = again.iter().zip(&bytes).position(|(left, right)| left != right);
        let before = format!("{} bytes, of which {at:?} is the first to differ", bytes.len());
        same("snapshot", before, format!("{} bytes", again.len()))?;
    }
    Ok(restored)
}

fn differs(event: usize, what: &'static str, before: String, after: String) -> Result<(), SimulateError> {
    match before == after {
        true => Ok(()),
        false => Err(SimulateError::Resume { event, what, before, after }),
    }
}

fn handed_out_again(effects: &[Effect]) -> String {
    let ids = effects.iter().filter_map(|effect| match effect {
        Effect::Dispatch(out) | Effect::StartChild(out) => Some((out.execution.ordinal, out.attempt)),
        Effect::DispatchFragment(out) => Some((out.execution.ordinal, out.attempt)),
        _ => None,
    });
    let mut ids: Vec<Attempt> = ids.collect();
    ids.sort_unstable();
    format!("{ids:?}")
}

fn no_worker() -> ExceptionValue {
    let message = "this simulation has no worker for fragments";
    exception("waymark.Unsupported", vec![Value::str(message)])
}

impl Report {
    /// What the program printed and logged, line by line.
    pub fn lines(&self) -> Vec<&str> {
        let logs = self.effects.iter().filter_map(|(_, effect)| match effect {
            Effect::Log(line) => Some(line.text.as_str()),
            _ => None,
        });
        logs.collect()
    }

    /// The names of the actions and children that were started, in order.
    pub fn dispatched(&self) -> Vec<&str> {
        let names = self.effects.iter().filter_map(|(_, effect)| match effect {
            Effect::Dispatch(dispatch) | Effect::StartChild(dispatch) => Some(&*dispatch.name),
            _ => None,
        });
        names.collect()
    }

    pub fn ending(&self) -> Option<&Ending> {
        match &self.stop {
            Stop::Finished(ending) => Some(ending),
            _ => None,
        }
    }

    /// The value of a run that completed.
    pub fn value(&self) -> Option<&Value> {
        match self.ending()? {
            Ending::Completed(value) => Some(value),
            _ => None,
        }
    }
}
