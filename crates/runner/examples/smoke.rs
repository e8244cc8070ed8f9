use waymark_runner::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let parsed = waymark_ir::text::parse(&path, &text);
    for d in &parsed.diagnostics { println!("{d}"); }
    let lowered = match Lowered::new(parsed.program) { Ok(l) => l, Err(ds) => { for d in ds { println!("{d}"); } return; } };
    if std::env::args().nth(2).is_some() { for g in &lowered.graphs { println!("== {}", g.name); for (i, op) in g.code.iter().enumerate() { println!("{i:4} {op:?}"); } println!("{:?}", g.regions); } }
    let mut instance = Instance::new(1, lowered, Limits::default());
    let mut queue = std::collections::VecDeque::from(vec![Event::Started { inputs: vec![] }]);
    let mut now = 0;
    loop {
        let event = match queue.pop_front() { Some(e) => e, None => match instance.next_deadline() { Some(d) => { now = d; Event::DeadlineReached } None => { println!("idle: {:?}", instance.positions()); break } } };
        for effect in instance.apply(now, event).unwrap() {
            match effect {
                Effect::Dispatch(d) => { println!("[{now}] dispatch {} {:?} {:?}", d.name, d.positional, d.keyword);
                    let value = d.keyword.first().map(|(_, v)| v.clone()).or(d.positional.first().cloned()).unwrap_or(waymark_ir::Value::None);
                    queue.push_back(Event::Settled { ordinal: d.execution.ordinal, attempt: d.attempt, outcome: Outcome::Completed(value) }); }
                Effect::CancelAttempt { ordinal, attempt } => queue.push_back(Event::Settled { ordinal, attempt, outcome: Outcome::Cancelled }),
                Effect::Log(l) => println!("[{now}] {}: {}", l.level, l.text),
                Effect::Finish(e) => { println!("[{now}] finish {e:?}"); return; }
                other => println!("{other:?}"),
            }
        }
    }
}
