//! The same expressions, evaluated by `python3` and by this module.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::context::{Context, Limits};
use crate::python::Args;
use crate::value::Value;

mod expression;

/// Prints one line for each expression; strings raw, and zones by their name, for `repr` of a string is not this
/// module's work.
const ORACLE: &str = r#"
import struct, sys, warnings
from datetime import *
from zoneinfo import ZoneInfo
warnings.simplefilter('ignore')
def same_key(a, b): return len({a, b}) == 1
def show(v):
    if isinstance(v, float): return 'float %d' % struct.unpack('>Q', struct.pack('>d', v))
    if isinstance(v, tuple): return '(' + ', '.join(map(show, v)) + ')'
    if isinstance(v, tzinfo): return 'zone ' + str(v)
    if isinstance(v, (datetime, time)) and v.tzinfo: return repr(v.replace(tzinfo=None)) + ' zone ' + str(v.tzinfo)
    return v if isinstance(v, str) else repr(v)
for line in sys.stdin:
    try: text = show(eval(line))
    except Exception as e:
        kind = type(e).__name__
        text = '%s: %s' % (kind, e.args[0] if len(e.args) == 1 else e)
    for cut in ('Invalid isoformat string', 'time data'):
        if cut in text: text = text[:text.index(cut) + len(cut)]
    print(text.replace('\n', '\\n'))
"#;

#[test]
fn agrees_with_python() {
    let cases: Vec<&str> =
        include_str!("cases.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let mut python = Command::new("python3")
        .args(["-c", ORACLE])
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut input = python.stdin.take().expect("a pipe");
    let sent = cases.join("\n");
    let writer = std::thread::spawn(move || input.write_all(sent.as_bytes()));
    let output = python.wait_with_output().expect("python3 ends");
    writer.join().expect("no panic").expect("python3 reads");
    let output = String::from_utf8(output.stdout).expect("UTF-8");
    let expected: Vec<&str> = output.split_terminator('\n').collect();
    assert_eq!(expected.len(), cases.len(), "python3 answers every line");
    let mut wrong = Vec::new();
    for (case, expected) in cases.iter().zip(expected) {
        let actual = expression::evaluate(case);
        if actual != expected {
            wrong.push(format!("{case}\n    python3: {expected}\n    here:    {actual}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Every change of clocks of three years, hour by hour around it, both readings of every hour, there and back.
#[test]
fn changes_of_clocks_agree_with_python() {
    const SCRIPT: &str = r#"
from datetime import *
from zoneinfo import ZoneInfo
for key in ('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'):
    zone = ZoneInfo(key)
    for first in CHANGES:
        start = datetime.fromisoformat(first)
        for minute in range(0, 300, 30):
            for fold in (0, 1):
                at = (start + timedelta(minutes=minute)).replace(fold=fold, tzinfo=zone)
                back = at.astimezone(timezone.utc).astimezone(zone)
                print(key, at, at.tzname(), at.dst(), at.timestamp(), back, back.fold, sep='|')
"#;
    let changes = [
        "2024-03-10",
        "2024-03-31",
        "2024-04-07",
        "2024-10-06",
        "2024-10-27",
        "2024-11-03",
        "2025-03-09",
        "2025-03-30",
        "2025-10-26",
        "2025-11-02",
        "2026-03-08",
        "2026-03-29",
        "2026-10-25",
        "2026-11-01",
    ];
    let script = SCRIPT.replace("CHANGES", &format!("{changes:?}"));
    let output = Command::new("python3").args(["-c", &script]).output().expect("python3 runs");
    let expected = String::from_utf8(output.stdout).expect("UTF-8");
    let mut lines = expected.lines();
    let mut compared = 0;
    for key in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"] {
        for first in changes {
            for minute in (0..300).step_by(30) {
                for fold in [0, 1] {
                    let at = format!(
                        "(datetime.fromisoformat('{first}') + timedelta(minutes={minute}))\
                         .replace(fold={fold}, tzinfo=ZoneInfo('{key}'))"
                    );
                    let back = format!("{at}.astimezone(timezone.utc).astimezone(ZoneInfo('{key}'))");
                    let parts = [
                        format!("str({at})"),
                        format!("{at}.tzname()"),
                        format!("str({at}.dst())"),
                        format!("number({at}.timestamp())"),
                        format!("str({back})"),
                        format!("{back}.fold"),
                    ];
                    let shown: Vec<String> = parts.iter().map(|part| expression::evaluate(part)).collect();
                    let line = format!("{key}|{}", shown.join("|"));
                    assert_eq!(Some(line.as_str()), lines.next());
                    compared += 1;
                }
            }
        }
    }
    assert_eq!((compared, lines.next()), (3 * 14 * 20, None));
}

#[test]
fn now_is_the_time_of_the_event() {
    let mut cx = Context::new(Limits::default(), 0);
    cx.now_us = 1_711_846_800_000_001; // 2024-03-31 01:00:00.000001 UTC, when Berlin's clocks go forward
    let call = |cx: &mut Context, name: &str, positional: &[Value]| {
        let function = super::FUNCTIONS.iter().find(|(known, _)| *known == name).expect("known").1;
        function(cx, Args { positional, keyword: &[] }).expect("a value")
    };
    let berlin = Value::Zone(waymark_ir::Zone::Named("Europe/Berlin".to_string()).into());
    let shown = [
        call(&mut cx, "datetime.datetime.now", &[]),
        call(&mut cx, "datetime.datetime.now", &[berlin]),
        call(&mut cx, "datetime.datetime.utcnow", &[]),
        call(&mut cx, "datetime.date.today", &[]),
    ];
    let shown = shown.map(|value| super::display(&mut cx, &value).expect("text"));
    let expected =
        ["2024-03-31 01:00:00.000001", "2024-03-31 03:00:00.000001+02:00", "2024-03-31 01:00:00.000001", "2024-03-31"];
    assert_eq!(shown, expected);
    assert!(matches!(call(&mut cx, "time.time", &[]), Value::Float(1_711_846_800.000_001)));
    assert!(matches!(call(&mut cx, "time.time_ns", &[]), Value::Int(1_711_846_800_000_001_000)));
}
