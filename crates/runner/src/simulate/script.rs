//! What the world does to a simulated instance: how actions answer, and what arrives when.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};
use waymark_ir::exceptions::exception;
use waymark_ir::json::from_json;
use waymark_ir::{ExceptionValue, Value};

use crate::instance::{Dispatch, Event, Outcome};

/// How actions answer and what else happens.
///
/// As JSON, the file that `waymark sim --actions` reads (all parts may be left out; times are seconds since the start):
///
/// ```json
/// {
///   "actions": {
///     "app.billing:charge": {"return": {"ok": true}, "after": 1.5},
///     "app.users:load": [{"fail": "ConnectionError", "args": ["away"]}, {"echo": "user_id"}],
///     "app.slow:wait": {"never": true},
///     "*": {"return": null}
///   },
///   "events": [
///     {"at": 3, "signal": "approved", "payload": {"by": "ann"}},
///     {"at": 4, "pause": true},
///     {"at": 5, "resume": true},
///     {"at": 9, "cancel": "no longer needed"}
///   ]
/// }
/// ```
///
/// An action (or child workflow) answers its calls, attempts counted one by one, with the replies of its list; the last
/// one answers all further calls. A single reply needs no list. `*` answers for those that are not named; without it
/// they return their arguments as a dict, positional ones under their number. A reply is one of
///
/// - `{"return": value}`: values in the JSON form of [`waymark_ir::json`], e.g. `{"$datetime": "…"}`;
/// - `{"echo": "name"}`: the argument of that name (or of that number) comes back; None if there is none;
/// - `{"fail": "ValueError", "args": […], "message": "…", "bases": […]}`: raises; bases only for classes of your own;
/// - `{"crash": "text"}`: its worker died;
/// - `{"never": true}`: no answer ever comes;
///
/// and may say `"after": seconds` (default 0) and `"ignores_cancel": true` (default false: an attempt that is asked to
/// stop has stopped at once).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    pub actions: BTreeMap<String, Plan>,
    /// Microseconds after the start.
    pub injections: Vec<(i64, Injection)>,
}

/// How one action answers: in this order, the last for ever.
pub type Plan = Vec<Reply>;

#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    pub answer: Answer,
    /// How long it takes.
    pub after_us: i64,
    /// Asked to stop, it answers all the same, in its own time.
    pub ignores_cancel: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Return(Value),
    /// The argument of this name.
    Echo(String),
    /// All arguments, as a dict.
    Arguments,
    Fail(ExceptionValue),
    Crash(String),
    Never,
}

/// What arrives from outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Injection {
    Signal { name: String, payload: Value },
    Cancel { reason: Option<String> },
    Pause,
    Resume,
}

/// What is wrong with a script, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ScriptError {
    /// `actions."app.users:load"[1]`
    pub place: String,
    pub reason: String,
}

impl Script {
    /// Reads the JSON form. All problems, not only the first.
    pub fn from_json(text: &str) -> Result<Script, Vec<ScriptError>> {
        let json: Json = match serde_json::from_str(text) {
            Ok(json) => json,
            Err(error) => return Err(vec![problem("script", error)]),
        };
        let mut reader = Reader::default();
        let script = reader.script(&json);
        if reader.problems.is_empty() { Ok(script) } else { Err(reader.problems) }
    }

    pub fn action(mut self, name: &str, replies: impl IntoIterator<Item = Reply>) -> Script {
        self.actions.insert(name.into(), replies.into_iter().collect());
        self
    }

    pub fn inject(mut self, after_seconds: f64, what: Injection) -> Script {
        self.injections.push((microseconds(after_seconds), what));
        self
    }

    /// The answer to a call of an action after `calls` others.
    pub fn reply(&self, name: &str, calls: usize) -> Reply {
        let plan = self.actions.get(name).or_else(|| self.actions.get("*"));
        let reply = plan.and_then(|plan| plan.get(calls).or(plan.last()));
        reply.cloned().unwrap_or(Reply::new(Answer::Arguments))
    }
}

impl Reply {
    pub fn new(answer: Answer) -> Reply {
        Reply { answer, after_us: 0, ignores_cancel: false }
    }

    pub fn value(value: Value) -> Reply {
        Reply::new(Answer::Return(value))
    }

    pub fn failure(type_name: &str, message: &str) -> Reply {
        Reply::new(Answer::Fail(exception(type_name, vec![Value::str(message)])))
    }

    pub fn never() -> Reply {
        Reply::new(Answer::Never)
    }

    pub fn after(mut self, seconds: f64) -> Reply {
        self.after_us = microseconds(seconds);
        self
    }

    pub fn ignoring_cancel(mut self) -> Reply {
        self.ignores_cancel = true;
        self
    }
}

impl Answer {
    pub(super) fn outcome(self, dispatch: &Dispatch) -> Outcome {
        match self {
            Answer::Return(value) => Outcome::Completed(value),
            Answer::Echo(name) => Outcome::Completed(argument(dispatch, &name).unwrap_or(Value::None)),
            Answer::Arguments => Outcome::Completed(arguments(dispatch)),
            Answer::Fail(exception) => Outcome::Failed(exception),
            Answer::Crash(text) => Outcome::WorkerCrashed(text),
            Answer::Never => Outcome::Cancelled,
        }
    }
}

fn argument(dispatch: &Dispatch, name: &str) -> Option<Value> {
    let keyword = dispatch.keyword.iter().find(|(known, _)| &**known == name).map(|(_, value)| value);
    let positional = || dispatch.positional.get(name.parse::<usize>().ok()?);
    keyword.or_else(positional).cloned()
}

fn arguments(dispatch: &Dispatch) -> Value {
    let positional = dispatch.positional.iter().enumerate().map(|(at, value)| (Value::Int(at as i64), value.clone()));
    let keyword = dispatch.keyword.iter().map(|(name, value)| (Value::str(&**name), value.clone()));
    Value::Dict(positional.chain(keyword).collect())
}

impl Injection {
    pub(super) fn event(self) -> Event {
        match self {
            Injection::Signal { name, payload } => Event::Signal { name, payload, id: None },
            Injection::Cancel { reason } => Event::Cancel { reason },
            Injection::Pause => Event::Pause,
            Injection::Resume => Event::Resume,
        }
    }
}

fn microseconds(seconds: f64) -> i64 {
    (seconds * 1e6).round() as i64
}

fn problem(place: &str, reason: impl ToString) -> ScriptError {
    ScriptError { place: place.into(), reason: reason.to_string() }
}

#[derive(Default)]
struct Reader {
    problems: Vec<ScriptError>,
}

impl Reader {
    fn wrong(&mut self, place: &str, reason: impl ToString) {
        self.problems.push(problem(place, reason));
    }

    fn script(&mut self, json: &Json) -> Script {
        let mut script = Script::default();
        let Some(parts) = self.object("script", json) else { return script };
        for (part, content) in parts {
            match (part.as_str(), content) {
                ("actions", Json::Object(actions)) => {
                    for (name, plan) in actions {
                        let plan = self.plan(&format!("actions.{name:?}"), plan);
                        script.actions.insert(name.clone(), plan);
                    }
                }
                ("events", Json::Array(events)) => {
                    let read = |(at, event)| self.injection(&format!("events[{at}]"), event);
                    script.injections = events.iter().enumerate().filter_map(read).collect();
                }
                ("actions", _) => self.wrong("actions", "must be an object: replies by the name of the action"),
                ("events", _) => self.wrong("events", "must be a list"),
                _ => self.wrong("script", format!("unknown part {part:?}; there are \"actions\" and \"events\"")),
            }
        }
        script
    }

    fn plan(&mut self, place: &str, json: &Json) -> Plan {
        match json {
            Json::Array(replies) if replies.is_empty() => {
                self.wrong(place, "needs at least one reply");
                Vec::new()
            }
            Json::Array(replies) => {
                let read = |(at, reply)| self.reply(&format!("{place}[{at}]"), reply);
                replies.iter().enumerate().filter_map(read).collect()
            }
            single => self.reply(place, single).into_iter().collect(),
        }
    }

    fn reply(&mut self, place: &str, json: &Json) -> Option<Reply> {
        let fields = self.object(place, json)?;
        let kinds = ["return", "echo", "fail", "crash", "never"];
        let others = ["after", "ignores_cancel", "args", "message", "bases"];
        for name in fields.keys().filter(|name| !kinds.contains(&name.as_str()) && !others.contains(&name.as_str())) {
            self.wrong(place, format!("unknown field {name:?}"));
        }
        let given: Vec<&str> = kinds.into_iter().filter(|kind| fields.contains_key(*kind)).collect();
        let [kind] = given[..] else {
            self.wrong(place, "must have exactly one of \"return\", \"echo\", \"fail\", \"crash\", \"never\"");
            return None;
        };
        let content = &fields[kind];
        let answer = match (kind, content) {
            ("return", value) => Answer::Return(self.value(place, value)?),
            ("echo", Json::String(name)) => Answer::Echo(name.clone()),
            ("echo", Json::Number(number)) => Answer::Echo(number.to_string()),
            ("fail", Json::String(class)) => Answer::Fail(self.failure(place, class, fields)?),
            ("crash", Json::String(text)) => Answer::Crash(text.clone()),
            ("never", Json::Bool(true)) => Answer::Never,
            ("never", _) => {
                self.wrong(place, "\"never\" must be true");
                return None;
            }
            _ => {
                self.wrong(place, format!("{kind:?} must be text"));
                return None;
            }
        };
        let after_us = self.seconds(place, "after", fields.get("after"));
        let ignores_cancel = fields.get("ignores_cancel") == Some(&Json::Bool(true));
        Some(Reply { answer, after_us, ignores_cancel })
    }

    fn failure(&mut self, place: &str, class: &str, fields: &Map<String, Json>) -> Option<ExceptionValue> {
        let mut failure = exception(class, Vec::new());
        match fields.get("args") {
            Some(Json::Array(args)) => {
                for arg in args {
                    failure.args.push(self.value(place, arg)?);
                }
            }
            Some(_) => self.wrong(place, "\"args\" must be a list"),
            None => {}
        }
        match fields.get("message") {
            // Most classes show their only argument.
            Some(Json::String(text)) if failure.args.is_empty() => failure.args.push(Value::str(text.as_str())),
            Some(Json::String(text)) => failure.message = Some(text.clone()),
            Some(_) => self.wrong(place, "\"message\" must be text"),
            None => {}
        }
        match fields.get("bases") {
            Some(Json::Array(bases)) if bases.iter().all(Json::is_string) => {
                failure.bases = bases.iter().filter_map(Json::as_str).map(str::to_string).collect();
            }
            Some(_) => self.wrong(place, "\"bases\" must be a list of class names, nearest first"),
            None => {}
        }
        Some(failure)
    }

    fn injection(&mut self, place: &str, json: &Json) -> Option<(i64, Injection)> {
        let fields = self.object(place, json)?;
        let at_us = self.seconds(place, "at", fields.get("at"));
        for name in fields.keys() {
            if !["at", "signal", "payload", "cancel", "pause", "resume"].contains(&name.as_str()) {
                self.wrong(place, format!("unknown field {name:?}"));
            }
        }
        let given = ["signal", "cancel", "pause", "resume"].map(|kind| fields.get(kind));
        let injection = match given {
            [Some(Json::String(name)), None, None, None] => {
                let payload = fields.get("payload").map_or(Some(Value::None), |payload| self.value(place, payload))?;
                Injection::Signal { name: name.clone(), payload }
            }
            [None, Some(Json::String(reason)), None, None] => Injection::Cancel { reason: Some(reason.clone()) },
            [None, Some(Json::Bool(true) | Json::Null), None, None] => Injection::Cancel { reason: None },
            [None, None, Some(Json::Bool(true)), None] => Injection::Pause,
            [None, None, None, Some(Json::Bool(true))] => Injection::Resume,
            _ => {
                let reason = "must have one of \"signal\": name, \"cancel\": reason, \"pause\": true, \"resume\": true";
                self.wrong(place, reason);
                return None;
            }
        };
        Some((at_us, injection))
    }

    fn object<'a>(&mut self, place: &str, json: &'a Json) -> Option<&'a Map<String, Json>> {
        if !json.is_object() {
            self.wrong(place, "must be an object");
        }
        json.as_object()
    }

    fn value(&mut self, place: &str, json: &Json) -> Option<Value> {
        from_json(json).map_err(|error| self.wrong(place, error)).ok()
    }

    /// A time of at least 0, in microseconds.
    fn seconds(&mut self, place: &str, field: &str, json: Option<&Json>) -> i64 {
        match json.map(Json::as_f64) {
            None => 0,
            Some(Some(seconds)) if (0.0..=1e12).contains(&seconds) => microseconds(seconds),
            Some(_) => {
                self.wrong(place, format!("{field:?} must be a number of seconds, 0 or more"));
                0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_form_is_read() {
        let text = r#"{
            "actions": {
                "pay": {"return": {"$decimal": "1.10"}, "after": 1.5},
                "load": [{"fail": "ConnectionError", "message": "away"}, {"echo": "user_id", "ignores_cancel": true}],
                "wait": {"never": true},
                "*": {"crash": "gone"}
            },
            "events": [{"at": 3, "signal": "go", "payload": [1]}, {"at": 9, "cancel": "why"}, {"pause": true}]
        }"#;
        let script = Script::from_json(text).expect("a good script");
        assert_eq!(script.reply("pay", 7).after_us, 1_500_000);
        let Answer::Fail(failure) = script.reply("load", 0).answer else { panic!("fails first") };
        assert_eq!(failure.bases, ["OSError", "Exception", "BaseException"]);
        assert_eq!(failure.args, [Value::str("away")]);
        let again = script.reply("load", 9);
        assert_eq!((again.answer, again.ignores_cancel), (Answer::Echo("user_id".into()), true));
        assert_eq!(script.reply("other", 0).answer, Answer::Crash("gone".into()));
        assert_eq!(script.injections.len(), 3);
        assert_eq!(
            script.injections[0].1,
            Injection::Signal { name: "go".into(), payload: Value::List(vec![Value::Int(1)]) }
        );
        assert_eq!(Script::default().reply("any", 0).answer, Answer::Arguments);
    }

    #[test]
    fn all_problems_are_told_with_their_places() {
        let text = r#"{"action": {}, "actions": {"a": [{"return": 1, "echo": "x"}], "b": {"never": 1}, "c": [], "d": 3,
            "e": {"echo": "x", "after": -1, "afer": 1}}, "events": [{"at": 1}, {"signal": 3}]}"#;
        let problems = Script::from_json(text).expect_err("a bad script");
        let places: Vec<&str> = problems.iter().map(|problem| problem.place.as_str()).collect();
        let expected = [
            "script",
            "actions.\"a\"[0]",
            "actions.\"b\"",
            "actions.\"c\"",
            "actions.\"d\"",
            "actions.\"e\"",
            "actions.\"e\"",
            "events[0]",
            "events[1]",
        ];
        assert_eq!(places, expected);
        assert!(Script::from_json("{").is_err() && Script::from_json("[]").is_err());
    }
}
