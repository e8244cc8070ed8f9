//! `waymark runner`: instances behind a pipe.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use prost::Message;
use waymark_ir::{Value, payload, text, wire};
use waymark_proto::runner::answer::Answer as Kind;
use waymark_proto::runner::effect::Effect;
use waymark_proto::runner::event::Event as Happened;
use waymark_proto::runner::finished::Ending;
use waymark_proto::runner::request::Request as Wanted;
use waymark_proto::runner::{Answer, Cancel, Deadline, Event, Load, Look, Moved, Request, Restore, Signal, Start};
use waymark_proto::worker::settled::Outcome;
use waymark_proto::worker::{Call, Settled, Stopped};

use super::{Place, command};

const ID: [u8; 16] = [7; 16];

struct Pipe {
    child: Child,
    requests: Option<ChildStdin>,
    answers: ChildStdout,
}

impl Pipe {
    fn new() -> Pipe {
        let mut command = command(&std::env::temp_dir());
        let mut child = command.arg("runner").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (requests, answers) = (child.stdin.take(), child.stdout.take().expect("its output"));
        Pipe { child, requests, answers }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.requests.as_mut().expect("still open").write_all(bytes).expect("it reads");
    }

    fn answer(&mut self) -> Kind {
        let mut length = [0; 4];
        self.answers.read_exact(&mut length).expect("an answer");
        let mut bytes = vec![0; u32::from_be_bytes(length) as usize];
        self.answers.read_exact(&mut bytes).expect("a whole answer");
        Answer::decode(bytes.as_slice()).expect("an answer").answer.expect("of some kind")
    }

    fn ask(&mut self, wanted: Wanted) -> Kind {
        let bytes = Request { request: Some(wanted) }.encode_to_vec();
        self.send(&(bytes.len() as u32).to_be_bytes());
        self.send(&bytes);
        self.answer()
    }

    fn load(&mut self, source: &str) -> u64 {
        let parsed = text::parse("test.ir", source);
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        match self.ask(Wanted::Load(Load { program: wire::encode(&parsed.program) })) {
            Kind::Loaded(loaded) if loaded.program_id > 0 => loaded.program_id,
            other => panic!("{other:?}"),
        }
    }

    fn start(&mut self, source: &str) -> Moved {
        let program_id = self.load(source);
        let start =
            Start { program_id, instance_id: ID.into(), now_us: 5, inputs: Vec::new(), resume_between_events: true };
        moved(self.ask(Wanted::Start(start)))
    }

    fn happen(&mut self, now_us: i64, event: Happened) -> Kind {
        self.ask(Wanted::Event(Event { instance_id: ID.into(), now_us, event: Some(event) }))
    }

    fn settle(&mut self, call_id: u64, outcome: Outcome) -> Kind {
        self.happen(5, Happened::Settled(Settled { call_id, outcome: Some(outcome) }.encode_to_vec()))
    }

    /// Its exit code, once nobody asks any more.
    fn end(mut self) -> i32 {
        drop(self.requests.take());
        self.child.wait().expect("it ends").code().expect("by itself")
    }
}

fn moved(answer: Kind) -> Moved {
    match answer {
        Kind::Moved(moved) => moved,
        other => panic!("{other:?}"),
    }
}

fn calls(moved: &Moved) -> Vec<Call> {
    let calls = moved.effects.iter().filter_map(|effect| match &effect.effect {
        Some(Effect::Call(call)) => Some(Call::decode(call.as_slice()).expect("a call")),
        _ => None,
    });
    calls.collect()
}

fn completed(moved: &Moved) -> Value {
    match &moved.effects.last().expect("effects").effect {
        Some(Effect::Finished(finished)) => match &finished.ending {
            Some(Ending::Completed(bytes)) => payload::decode(bytes).expect("a value"),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn refusal(answer: Kind) -> String {
    match answer {
        Kind::Refused(refused) if !refused.is_bug => refused.message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_instance_is_moved_to_its_end() {
    let mut pipe = Pipe::new();
    let source = "
fn main(input: [], output: []):
    a = @add(1, b=2)
    await asyncio.sleep(60)
    s = await waymark.wait_for_signal(\"go\")
    return [a, s]
";
    let first = pipe.start(source);
    let call = calls(&first).remove(0);
    assert_eq!(call.attempt, 1);
    let slept = moved(pipe.settle(call.call_id, Outcome::Completed(payload::encode(&Value::Int(3)).into())));
    assert_eq!(slept.deadline_us, Some(60_000_005));
    assert!(matches!(pipe.ask(Wanted::Restore(Restore { instance_id: ID.into() })), Kind::Done(_)));
    let waits = moved(pipe.happen(60_000_005, Happened::Deadline(Deadline {})));
    assert_eq!((waits.effects.len(), waits.deadline_us), (0, None));
    let Kind::Seen(seen) = pipe.ask(Wanted::Look(Look { instance_id: ID.into(), frames: false })) else {
        panic!("it was there")
    };
    assert_eq!(seen.awaits, ["signal go"]);
    assert_eq!((seen.positions[0].waits.as_str(), seen.positions[0].line), ("signal go", 5));
    let signal = Signal { name: "go".into(), payload: payload::encode(&Value::Bool(true)), id: String::new() };
    let ended = moved(pipe.happen(60_000_006, Happened::Signal(signal)));
    assert_eq!(completed(&ended), Value::List(vec![Value::Int(3), Value::Bool(true)]));
    assert!(refusal(pipe.happen(60_000_007, Happened::Deadline(Deadline {}))).contains("there is no instance"));
    assert_eq!(pipe.end(), 0);
}

#[test]
fn children_and_cancellation() {
    let mut pipe = Pipe::new();
    let started = pipe.start("fn main(input: [], output: []):\n    return @workflow other(n=1)\n");
    let Some(Effect::Child(child)) = started.effects[0].effect.clone() else { panic!("{started:?}") };
    assert_eq!((child.workflow_name.as_str(), child.instance_id.len()), ("other", 16));
    assert_eq!(payload::decode(&child.inputs).unwrap(), Value::Dict(vec![(Value::str("n"), Value::Int(1))]));
    let asked = moved(pipe.happen(6, Happened::Cancel(Cancel { reason: String::new() })));
    assert_eq!(asked.effects[0].effect, Some(Effect::Cancel(child.call_id)));
    let ended = moved(pipe.settle(child.call_id, Outcome::Cancelled(Stopped {})));
    let Some(Effect::Finished(finished)) = &ended.effects[0].effect else { panic!("{ended:?}") };
    assert!(matches!(finished.ending, Some(Ending::Cancelled(_))), "{finished:?}");
    assert_eq!(pipe.end(), 0);
}

#[test]
fn what_is_too_large_for_a_worker_has_failed_at_once() {
    let mut pipe = Pipe::new();
    let source = "
fn main(input: [], output: []):
    try:
        @f('x' * 5000000)
    except waymark.NonRetryable:
        return 'refused'
    return 'sent'
";
    assert_eq!(completed(&pipe.start(source)), Value::str("refused"));
}

#[test]
fn what_makes_no_sense_is_refused_and_costs_nobody_anything() {
    let mut pipe = Pipe::new();
    let call = calls(&pipe.start("fn main(input: [], output: []):\n    return @f()\n")).remove(0);
    pipe.send(&[0, 0, 0, 2, 0xff, 0xff]);
    assert!(refusal(pipe.answer()).contains("this is no request"));
    pipe.send(&[0, 0, 0, 0]);
    assert!(refusal(pipe.answer()).contains("asks for nothing"));
    assert!(refusal(pipe.ask(Wanted::Load(Load { program: vec![0xff] }))).contains("the program can't be read"));
    let twice = Start { program_id: 1, instance_id: ID.into(), ..Start::default() };
    assert!(refusal(pipe.ask(Wanted::Start(twice))).contains("is there already"));
    let stray = Start { program_id: 99, instance_id: vec![1; 16], ..Start::default() };
    assert!(refusal(pipe.ask(Wanted::Start(stray))).contains("there is no program 99"));
    let none = payload::encode(&Value::None);
    assert!(refusal(pipe.settle(call.call_id + 9, Outcome::Completed(none.clone().into()))).contains("is not out"));
    assert!(refusal(pipe.happen(5, Happened::Settled(vec![0xff]))).contains("this is no outcome"));
    assert!(refusal(pipe.ask(Wanted::Look(Look { instance_id: vec![1], frames: false }))).contains("16 bytes"));
    assert_eq!(completed(&moved(pipe.settle(call.call_id, Outcome::Completed(none.into())))), Value::None);
    assert_eq!(pipe.end(), 0);
}

#[test]
fn a_program_that_is_wrong_comes_back_with_its_problems() {
    let mut pipe = Pipe::new();
    let parsed = text::parse("test.ir", "fn main(input: [], output: []):\n    return nobody\n");
    match pipe.ask(Wanted::Load(Load { program: wire::encode(&parsed.program) })) {
        Kind::Loaded(loaded) => {
            assert_eq!(loaded.program_id, 0);
            assert_eq!((loaded.diagnostics[0].line, loaded.diagnostics[0].is_error), (2, true));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_frame_that_never_ends_is_an_error() {
    for bytes in [&[0, 0, 0, 9, 1][..], &[0, 0][..], &[0xff, 0xff, 0xff, 0xff][..]] {
        let mut pipe = Pipe::new();
        pipe.send(bytes);
        assert_eq!(pipe.end(), 2, "{bytes:?}");
    }
}

#[test]
fn names_are_listed_with_what_they_stand_for() {
    let told = Place::new([]).run(&["runner", "--names"]).succeeded().json();
    let kinds = [
        ("len", "function"),
        ("asyncio.gather", "function"),
        ("asyncio.sleep", "coroutine"),
        ("asyncio.wait_for", "coroutine"),
        ("asyncio.timeout", "function"),
        ("math.pi", "constant"),
        ("dict", "class"),
        ("datetime.datetime", "class"),
        ("ValueError", "exception"),
        ("IOError", "exception"),
    ];
    for (name, kind) in kinds {
        assert_eq!(told["names"][name], kind, "{name}");
    }
    for (class, method) in [("str", "upper"), ("list", "append"), ("asyncio.Task", "cancel"), ("asyncio.Queue", "put")]
    {
        let methods = told["methods"][class].as_array().unwrap_or_else(|| panic!("{class}"));
        assert!(methods.iter().any(|known| known == method), "{class}.{method}");
    }
}
