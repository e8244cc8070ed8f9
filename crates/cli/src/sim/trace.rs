//! What happened in a simulation, step by step, as it happens.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use owo_colors::OwoColorize;
use serde_json::{Value as Json, json};
use waymark_ir::{Value, json::to_json};
use waymark_runner::instance::{Position, Waits};
use waymark_runner::simulate::Step;
use waymark_runner::{Dispatch, Effect, Ending, Event, Outcome, Reply};

use super::failure;
use crate::terminal;

/// A value longer than this is cut in the trace.
const VALUE_MAX: usize = 100;

#[derive(Clone)]
pub struct Trace {
    seen: Rc<RefCell<Seen>>,
}

struct Seen {
    is_shown: bool,
    start_us: Option<i64>,
    now_us: i64,
    steps: Vec<Json>,
    /// Names of what is out, by ordinal.
    out: BTreeMap<u64, String>,
}

impl Trace {
    pub fn new(is_shown: bool) -> Trace {
        let seen = Seen { is_shown, start_us: None, now_us: 0, steps: Vec::new(), out: BTreeMap::new() };
        Trace { seen: Rc::new(RefCell::new(seen)) }
    }

    pub fn observer(&self) -> impl FnMut(i64, Step<'_>) + 'static {
        let seen = self.seen.clone();
        move |at_us, step| seen.borrow_mut().take(at_us, step)
    }

    pub fn elapsed_us(&self) -> i64 {
        self.seen.borrow().elapsed_us()
    }

    pub fn json(&self) -> Json {
        self.seen.borrow().steps.clone().into()
    }

    /// The actions that have not answered, and signals: all else ends by itself.
    pub fn waits_for(&self, positions: &[Position]) -> String {
        let mut names: Vec<String> = self.seen.borrow().out.values().map(|name| format!("`{name}`")).collect();
        for position in positions {
            if let Waits::Signal { name } = &position.waits {
                names.push(format!("the signal `{name}` ({}, line {})", position.function, position.line));
            }
        }
        names.dedup();
        if names.is_empty() { "something that nothing sets".to_string() } else { names.join(", ") }
    }
}

impl Seen {
    fn elapsed_us(&self) -> i64 {
        self.now_us - self.start_us.unwrap_or(self.now_us)
    }

    fn take(&mut self, at_us: i64, step: Step<'_>) {
        self.start_us.get_or_insert(at_us);
        self.now_us = at_us;
        let told = match step {
            Step::Event(event) => self.event(event),
            Step::Effect(effect) => self.effect(effect),
        };
        let Some(told) = told else { return };
        if self.is_shown {
            let time = duration(self.elapsed_us());
            let what = if told.text.is_empty() { told.what } else { format!("{:9}", told.what) };
            let what = if told.is_bad { what.red().to_string() } else { what.cyan().to_string() };
            let text = if told.text.is_empty() { String::new() } else { format!(" {}", told.text) };
            terminal::talk(format_args!("{} {what}{text}", format!("{time:>15}").dimmed()));
        } else {
            let at_s = self.elapsed_us() as f64 / 1e6;
            self.steps.push(json!({ "at_s": at_s, "step": told.what, "text": told.text }));
        }
    }

    fn event(&mut self, event: &Event) -> Option<Told> {
        Some(match event {
            Event::Started { inputs } => {
                let inputs: Vec<String> =
                    inputs.iter().map(|(name, value)| format!("{name}={}", shown(value))).collect();
                Told::good("start", inputs.join(", "))
            }
            Event::Settled { ordinal, outcome, .. } => {
                let name = self.settled(*ordinal);
                match outcome {
                    Outcome::Completed(value) => Told::good("completed", format!("{name} = {}", shown(value))),
                    Outcome::Failed(exception) => {
                        let text = format!("{name}: {}: {}", exception.type_name, failure::message(exception));
                        Told::bad("failed", text)
                    }
                    Outcome::Cancelled => Told::good("stopped", name),
                    Outcome::WorkerCrashed(text) => Told::bad("crashed", format!("{name}: {text}")),
                }
            }
            Event::FragmentSettled { ordinal, outcome, .. } => {
                let name = self.settled(*ordinal);
                match outcome.error() {
                    None => Told::good("completed", name),
                    Some(error) => Told::bad("failed", format!("{name}: {}", error.type_name)),
                }
            }
            Event::DeadlineReached => Told::good("timer", String::new()),
            Event::Update { name, payload, .. } => Told::good("update", format!("{name} {}", shown(payload))),
            Event::Signal { name, payload, .. } => Told::good("signal", format!("{name} {}", shown(payload))),
            Event::Cancel { reason } => Told::bad("cancel", reason.clone().unwrap_or_default()),
            Event::Pause => Told::good("pause", String::new()),
            Event::Resume => Told::good("resume", String::new()),
            Event::Deadline { .. } => Told::good("limit", String::new()),
            Event::TerminateAfter { .. } => Told::bad("terminate", String::new()),
        })
    }

    fn effect(&mut self, effect: &Effect) -> Option<Told> {
        Some(match effect {
            Effect::Dispatch(dispatch) => self.dispatched("action", dispatch),
            Effect::StartChild(dispatch) => self.dispatched("child", dispatch),
            Effect::DispatchFragment(fragment) => {
                let name = format!("#{} fragment", fragment.execution.ordinal);
                self.out.insert(fragment.execution.ordinal, name.clone());
                Told::good("fragment", format!("{name} {}", cut(&fragment.source.replace('\n', "; "))))
            }
            Effect::CancelAttempt { ordinal, .. } | Effect::CancelChild { ordinal, .. } => {
                Told::good("stop", self.out.get(ordinal).cloned().unwrap_or_else(|| format!("#{ordinal}")))
            }
            Effect::SignalChild { ordinal, name, payload, .. } => {
                let child = self.out.get(ordinal).cloned().unwrap_or_else(|| format!("#{ordinal}"));
                Told::good("signal", format!("{child} {name} {}", shown(payload)))
            }
            Effect::Reply { update_id, outcome: Reply::Value(value) } => {
                Told::good("reply", format!("{update_id} {}", shown(value)))
            }
            Effect::Reply { update_id, outcome: Reply::Error(error) } => {
                Told::bad("reply", format!("{update_id} {}", error.type_name))
            }
            Effect::Log(line) => Told { what: line.level.to_string(), text: line.text.clone(), is_bad: false },
            Effect::Finish(Ending::Completed(_)) => Told::good("finish", String::new()),
            Effect::Finish(Ending::Failed(exception)) => Told::bad("finish", exception.type_name.clone()),
            Effect::Finish(Ending::Cancelled(exception) | Ending::Terminated(exception)) => {
                Told::bad("finish", exception.type_name.clone())
            }
        })
    }

    fn dispatched(&mut self, what: &str, dispatch: &Dispatch) -> Told {
        let name = format!("#{} {}", dispatch.execution.ordinal, dispatch.name);
        let positional = dispatch.positional.iter().map(shown);
        let keyword = dispatch.keyword.iter().map(|(name, value)| format!("{name}={}", shown(value)));
        let arguments: Vec<String> = positional.chain(keyword).collect();
        let again = if dispatch.attempt > 1 { format!(", attempt {}", dispatch.attempt) } else { String::new() };
        let text = format!("{name}({}){again}", arguments.join(", "));
        self.out.insert(dispatch.execution.ordinal, name);
        Told::good(what, text)
    }

    fn settled(&mut self, ordinal: u64) -> String {
        self.out.remove(&ordinal).unwrap_or_else(|| format!("#{ordinal}"))
    }
}

struct Told {
    what: String,
    text: String,
    is_bad: bool,
}

impl Told {
    fn good(what: &str, text: String) -> Told {
        Told { what: what.to_string(), text, is_bad: false }
    }

    fn bad(what: &str, text: String) -> Told {
        Told { what: what.to_string(), text, is_bad: true }
    }
}

fn shown(value: &Value) -> String {
    cut(&to_json(value).to_string())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(VALUE_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// `1.500s`, `02:00:00.000`, `3d 02:00:00.000`
pub fn duration(microseconds: i64) -> String {
    let milliseconds = microseconds / 1_000;
    let (seconds, rest) = (milliseconds / 1_000, milliseconds % 1_000);
    let clock = format!("{:02}:{:02}:{:02}.{rest:03}", seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    match seconds {
        0..60 => format!("{seconds}.{rest:03}s"),
        60..86_400 => clock,
        _ => format!("{}d {clock}", seconds / 86_400),
    }
}
