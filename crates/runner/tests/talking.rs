//! What a running program and others say to each other: signals that are never lost, updates and their replies, published values,
//! children that are started without waiting for them.

mod trace;

use trace::{check_all, value, words};
use waymark_ir::Value;
use waymark_runner::simulate::lower;
use waymark_runner::{Effect, Ending, Event, Instance, Limits, Outcome};

const GO: &str = r#"{"events": [{"at": 1, "signal": "go", "payload": 1}, {"at": 2, "signal": "go", "payload": 2}]}"#;

#[test]
fn signals_are_taken_in_turn_and_never_lost() {
    check_all(&[
        ("in time", GO, "fn main():\n    return await waymark.next_signal('go', 5)\n", "1 completed 1"),
        (
            "too late",
            GO,
            "fn main():\n    try:\n        await waymark.next_signal('go', datetime.timedelta(seconds=0.5))\n    except TimeoutError as error:\n        print(error)\n    return await waymark.next_signal('go')\n",
            r#"
            0.5 "no signal 'go' within 0.5 seconds"
            1 completed 1"#,
        ),
        (
            "none at once",
            GO,
            "fn main():\n    try:\n        await waymark.next_signal('go', 0)\n    except TimeoutError:\n        print('none')\n    await asyncio.sleep(3)\n    return [await waymark.next_signal('go', 0), await waymark.next_signal('go', 0)]\n",
            r#"
            0 "none"
            3 completed [1,2]"#,
        ),
        (
            "as tasks, in a race",
            GO,
            "fn main():\n    a = asyncio.create_task(waymark.next_signal('go'))\n    b = asyncio.create_task(waymark.next_signal('stop'))\n    done, pending = await asyncio.wait([a, b], return_when=asyncio.FIRST_COMPLETED)\n    for task in pending:\n        task.cancel()\n    return [a in done, b in pending, await a, await waymark.next_signal('go')]\n",
            "2 completed [true,true,1,2]",
        ),
        // It was given the signal, and is cancelled before it goes on.
        (
            "the waiter is cancelled with the signal in its hands",
            r#"{"events": [{"at": 1, "pause": true}, {"at": 2, "signal": "stop"}, {"at": 3, "signal": "go", "payload": 1}, {"at": 4, "resume": true}, {"at": 5, "signal": "go", "payload": 2}]}"#,
            "fn main():\n    first = asyncio.create_task(waymark.next_signal('go'))\n    second = asyncio.create_task(cancel_with(first))\n    await asyncio.wait([first])\n    print(first.cancelled())\n    return [await waymark.next_signal('go'), await waymark.next_signal('go')]\nfn cancel_with(input: [task]):\n    await waymark.next_signal('stop')\n    task.cancel()\n",
            r#"
            4 "True"
            5 completed [1,2]"#,
        ),
        (
            "many waiters, one given up: the others keep their order",
            GO,
            "fn one(input: [name]):\n    print(name, await waymark.next_signal('go'))\nfn main():\n    tasks = [asyncio.create_task(one(name)) for name in 'abc']\n    await asyncio.sleep(0.5)\n    tasks[0].cancel()\n    await asyncio.wait(tasks[1:])\n",
            r#"
            1 "b 1"
            2 "c 2"
            2 completed null"#,
        ),
    ]);
}

struct Talk(Instance, Vec<String>);

impl Talk {
    fn with(program: &str) -> Talk {
        let lowered = lower(program).unwrap_or_else(|problems| panic!("{problems}"));
        let mut talk = Talk(Instance::new(7, lowered, Limits::default()), Vec::new());
        talk.tell(Event::Started { inputs: Vec::new() });
        talk
    }

    /// Saved and restored before each event.
    fn tell(&mut self, event: Event) -> &mut Talk {
        let event = Event::decode(&event.encode()).expect("an event");
        if self.0.seq() > 0 {
            let lowered = self.0.lowered().clone();
            self.0 = Instance::restore(&self.0.snapshot(), lowered).expect("a snapshot");
        }
        let effects: Vec<Effect> = self.0.apply(1_000_000, event).expect("an event that fits");
        self.1.extend(effects.iter().map(words));
        self
    }

    fn signal(&mut self, payload: i64, id: Option<&str>) -> &mut Talk {
        self.tell(Event::Signal { name: "go".into(), payload: Value::Int(payload), id: id.map(Into::into) })
    }

    fn update(&mut self, payload: &str, id: &str) -> &mut Talk {
        self.tell(Event::Update { name: "price".into(), payload: Value::str(payload), id: id.into() })
    }

    fn settle(&mut self, ordinal: u64, outcome: Outcome) -> &mut Talk {
        self.tell(Event::Settled { ordinal, attempt: 1, outcome })
    }

    fn said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.1)
    }
}

#[test]
fn a_signal_with_an_id_is_taken_once() {
    let mut talk = Talk::with("fn main():\n    return [await waymark.next_signal('go') for _ in range(4)]\n");
    talk.signal(1, Some("a")).signal(9, Some("a")).signal(2, None).signal(3, Some("b")).signal(9, Some("a"));
    assert_eq!(talk.said(), Vec::<String>::new());
    assert_eq!(talk.signal(4, None).said(), ["completed [1,2,3,4]"]);
}

#[test]
fn the_last_ten_thousand_ids_are_remembered() {
    let mut instance = Talk::with("fn main():\n    await waymark.next_signal('never')\n").0;
    let mut tell = |id: usize| {
        let before = instance.snapshot().len();
        let event = Event::Signal { name: "go".into(), payload: Value::str("x".repeat(500)), id: Some(id.to_string()) };
        instance.apply(0, event).expect("an event");
        // More than a few numbers.
        instance.snapshot().len() > before + 400
    };
    assert!(tell(0) && !tell(0) && tell(1));
    let mut instance = Talk::with("fn main():\n    await waymark.next_signal('never')\n").0;
    for id in 0..10_001 {
        let event = Event::Signal { name: "go".into(), payload: Value::None, id: Some(id.to_string()) };
        instance.apply(0, event).expect("an event");
    }
    let lowered = instance.lowered().clone();
    let instance = Instance::restore(&instance.snapshot(), lowered).expect("a snapshot");
    assert_eq!((instance.has_heard("0"), instance.has_heard("1"), instance.has_heard("10000")), (false, true, true));
}

#[test]
fn an_update_is_replied_to_once() {
    let program = "fn main():\n    for n in range(2):\n        update = await waymark.next_update('price')\n        if update.payload == 'bad':\n            update.reject(ValueError('no'))\n        else:\n            update.reply([update.name, update.payload])\n        try:\n            update.reply(1)\n        except RuntimeError as error:\n            print(error)\n    return await waymark.next_signal('go')\n";
    let mut talk = Talk::with(program);
    assert_eq!(
        talk.update("low", "u1").said(),
        [r#"reply u1 ["price","low"]"#, r#""update 'price' has its reply already""#]
    );
    assert_eq!(talk.update("low", "u1").said(), Vec::<String>::new());
    assert_eq!(
        talk.update("bad", "u2").said(),
        [r#"reject u2 ValueError("no")"#, r#""update 'price' has its reply already""#]
    );
    assert_eq!(talk.0.awaits().map(|awaited| awaited.to_string()).collect::<Vec<_>>(), ["signal go"]);
    assert_eq!(talk.signal(1, None).said(), ["completed 1"]);
}

#[test]
fn what_is_published_outlives_the_end() {
    let program = "fn main():\n    done = [0]\n    waymark.publish('progress', done)\n    waymark.publish('name', 'x')\n    done.append(await waymark.next_signal('go'))\n    try:\n        waymark.publish('odd', main)\n    except TypeError as error:\n        print(error)\n    waymark.publish('progress', done)\n";
    let mut talk = Talk::with(program);
    let shown =
        |talk: &Talk| talk.0.published().map(|(name, value)| (name.to_string(), value.clone())).collect::<Vec<_>>();
    assert_eq!(shown(&talk), [("name".into(), Value::str("x")), ("progress".into(), value("[0]"))]);
    let said = talk.signal(1, None).said();
    assert!(said[0].contains(r#"the published value \"odd\": "#), "{said:?}");
    assert_eq!(said[1], "completed null");
    assert_eq!(shown(&talk), [("name".into(), Value::str("x")), ("progress".into(), value("[0, 1]"))]);
}

#[test]
fn the_frames_of_all_tasks_are_shown() {
    let program = "fn helper(input: [order]):\n    total = order['n'] * 2\n    await waymark.next_signal('go')\n    return total\nfn main():\n    lock = asyncio.Lock()\n    task = asyncio.create_task(helper({'n': 4}))\n    x = 1\n    await asyncio.sleep(9)\n";
    let mut talk = Talk::with(program);
    let frames = talk.0.frames();
    let shown: Vec<String> = frames
        .iter()
        .map(|frame| {
            let variables = frame.variables.iter().map(|(name, value)| match value {
                Ok(value) => format!("{name}={}", waymark_ir::json::to_json(value)),
                Err(text) => format!("{name}={text}"),
            });
            format!("{} {} {}: {}", frame.task, frame.function, frame.line, variables.collect::<Vec<_>>().join(" "))
        })
        .collect();
    assert_eq!(shown, ["Task-1 main 9: lock=<Lock> task=<Task> x=1", r#"Task-2 helper 3: order={"n":4} total=8"#,]);
}

const STARTS: &str =
    "    handle = await waymark.start_workflow('Child', {'n': 1}, {'id': 'k', 'parent_close': CLOSE})\n";

fn parent(close: &str, rest: &str) -> Talk {
    Talk::with(&format!("fn main():\n{}{rest}", STARTS.replace("CLOSE", &format!("'{close}'"))))
}

#[test]
fn children_are_started_signalled_cancelled_and_waited_for() {
    let mut talk = parent(
        "cancel",
        "    await handle.signal('go', [1])\n    await handle.signal('go', 2, id='mine')\n    try:\n        await handle.result(timeout=0)\n    except TimeoutError:\n        print('not yet', handle.done())\n    result = await handle.result()\n    try:\n        await handle.signal('go')\n    except waymark.InstanceFinished as error:\n        print(str(error)[36:])\n    return [result, handle.instance_id]\n",
    );
    let started = ["child Child#1.1(n=1)", "signal child #1 go [1]", "signal child #1 go 2", r#""not yet False""#];
    assert_eq!(talk.said(), started);
    let said = talk.settle(1, Outcome::Completed(Value::Int(5))).said();
    assert_eq!(said[0], r#"" has finished: nobody reads the signal 'go'""#);
    let id = waymark_runner::child_instance_id(talk.0.execution_id(1), 1);
    assert_eq!(said[1].replace('-', ""), format!(r#"completed [5,"{id:032x}"]"#));

    let mut talk = parent("cancel", "    await handle.cancel('enough')\n    return await handle.result()\n");
    assert_eq!(talk.said(), ["child Child#1.1(n=1)", "stop child #1"]);
    let said = talk.settle(1, Outcome::Cancelled).said();
    assert!(said.len() == 1 && said[0].starts_with("cancelled asyncio.CancelledError("), "{said:?}");
}

#[test]
fn what_becomes_of_a_child_when_its_parent_ends() {
    let mut talk = parent("cancel", "    return 1\n");
    assert_eq!(talk.said(), ["child Child#1.1(n=1)", "stop child #1"]);
    assert_eq!(talk.settle(1, Outcome::Cancelled).said(), ["completed 1"]);

    assert_eq!(parent("abandon", "    return 1\n").said(), ["child Child#1.1(n=1)", "completed 1"]);

    let mut talk = parent("wait", "    return 1\n");
    assert_eq!(talk.said(), ["child Child#1.1(n=1)"]);
    assert_eq!(talk.settle(1, Outcome::Completed(Value::None)).said(), ["completed 1"]);

    let mut talk = parent("wait", "    return 1\n");
    talk.said();
    assert_eq!(talk.tell(Event::Cancel { reason: None }).said(), ["stop child #1"]);
    assert_eq!(talk.settle(1, Outcome::Cancelled).said(), ["completed 1"]);
    assert_eq!(talk.0.ending(), Some(&Ending::Completed(Value::Int(1))));
}

#[test]
fn a_child_is_started_with_good_options_only() {
    for (options, problem) in [
        ("{'parent_close': 'leave'}", "parent_close is 'cancel', 'abandon' or 'wait', not 'leave'"),
        ("{'priority': 4}", "priority is 0 (first) to 3 (last), not 4"),
        ("{'id': ''}", "id is a text of 1 to 500 bytes, not of 0, without NUL"),
        ("{'queue': 5}", "queue is a text, not 5"),
        ("{'delay': -1}", "delay must not be negative, got -1"),
        ("{'color': 1}", "a child workflow is started without an option \\\"color\\\""),
    ] {
        let program = format!(
            "fn main():\n    try:\n        await waymark.start_workflow('Child', {{}}, {options})\n    except (TypeError, ValueError) as error:\n        print(error)\n"
        );
        assert_eq!(Talk::with(&program).said(), [format!("\"{problem}\""), "completed null".into()]);
    }
    let mut talk = Talk::with(
        "fn main():\n    try:\n        await waymark.start_workflow('Child', {'f': main}, {})\n    except TypeError as error:\n        return 'refused'\n",
    );
    assert_eq!(talk.said(), [r#"completed "refused""#]);
}
