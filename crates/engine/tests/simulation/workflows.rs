//! What the simulated instances run, and how each must end.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use waymark_ir::Value;
use waymark_runner::Lowered;
use waymark_store::NewVersion;

pub struct Workflow {
    pub name: &'static str,
    pub text: &'static str,
    pub ends: fn(n: i64) -> End,
    /// What others do to its instances.
    pub mail: Mailings,
}

#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Completed(Value),
    Cancelled,
    /// Claimed too often without progress.
    Stuck,
    /// By its deadline.
    Late,
    Terminated,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Mailings {
    Nothing,
    /// Two signals `go`, with their numbers.
    Signals,
    Cancel,
    /// …and terminated, for it does not listen.
    CancelHard,
    /// It must have finished by some time.
    Deadline,
    PauseAndResume,
    /// An update `ask`, with the id `1`.
    Update,
}

pub const WORKFLOWS: &[Workflow] = &[
    Workflow {
        name: "chain",
        text: "fn main(input: [n]):\n    a = @work(n=n)\n    b = @other(n=a + 1)\n    c = @work(n=b + 1)\n    return c\n",
        ends: |n| End::Completed(Value::Int(n * 8 + 6)),
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "spread",
        text: "fn main(input: [n]):\n    got = spread range(n + 3):i -> @other(n=i)\n    return sum(got)\n",
        ends: |n| End::Completed(Value::Int((0..n + 3).map(|i| i * 2).sum())),
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "sleeper",
        text: "fn main(input: [n]):\n    total = 0\n    for i in range(3):\n        await asyncio.sleep(1 + n * 7)\n        \
               total += @work(n=i)\n    return total\n",
        ends: |_| End::Completed(Value::Int(6)),
        mail: Mailings::PauseAndResume,
    },
    Workflow {
        name: "signalled",
        text: "fn main(input: [n]):\n    first = await waymark.wait_for_signal('go')\n    x = @work(n=n)\n    \
               second = await waymark.wait_for_signal('go')\n    return [first, x, second]\n",
        ends: |n| End::Completed(Value::List(vec![Value::Int(1), Value::Int(n * 2), Value::Int(2)])),
        mail: Mailings::Signals,
    },
    // An action that is started without a workflow is one like this.
    Workflow {
        name: "flaky",
        text: "fn main(input: [n]):\n    return @flaky(n=n) [retry: 4, backoff: 3s]\n",
        ends: |n| End::Completed(Value::Int(n * 2)),
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "parent",
        text: "fn main(input: [n]):\n    got = spread range(2):i -> @workflow chain(n=n + i)\n    return got\n",
        ends: |n| End::Completed(Value::List(vec![Value::Int(n * 8 + 6), Value::Int((n + 1) * 8 + 6)])),
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "timed",
        text: "fn main(input: [n]):\n    try:\n        return @endless(n=n) [timeout: 3s]\n    except TimeoutError:\n        \
               return @other(n=n)\n",
        ends: |n| End::Completed(Value::Int(n * 2)),
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "cancelled",
        text: "fn main(input: [n]):\n    try:\n        @endless(n=n)\n    finally:\n        @work(n=n)\n",
        ends: |_| End::Cancelled,
        mail: Mailings::Cancel,
    },
    Workflow {
        name: "stubborn",
        text: "fn main(input: [n]):\n    while True:\n        try:\n            @endless(n=n)\n        \
               except asyncio.CancelledError:\n            pass\n",
        ends: |_| End::Terminated,
        mail: Mailings::CancelHard,
    },
    Workflow {
        name: "hurried",
        text: "fn main(input: [n]):\n    try:\n        while True:\n            @endless(n=n)\n    finally:\n        @work(n=n)\n",
        ends: |_| End::Late,
        mail: Mailings::Deadline,
    },
    Workflow {
        name: "listener",
        text: "fn main(input: [n]):\n    first = await waymark.next_signal('go')\n    x = @work(n=n)\n    \
               try:\n        await waymark.next_signal('never', 1)\n    except TimeoutError:\n        pass\n    \
               return [first, x, await waymark.next_signal('go')]\n",
        ends: |n| End::Completed(Value::List(vec![Value::Int(1), Value::Int(n * 2), Value::Int(2)])),
        mail: Mailings::Signals,
    },
    // Whom it signals may not have been claimed yet, or sleep.
    Workflow {
        name: "starter",
        text: "fn main(input: [n]):\n    a = await waymark.start_workflow('listener', {'n': n}, {'id': str(uuid.uuid4())})\n    \
               await a.signal('go', 1)\n    x = @work(n=n)\n    await a.signal('go', 2)\n    return [await a.result(), x]\n",
        ends: |n| {
            let heard = Value::List(vec![Value::Int(1), Value::Int(n * 2), Value::Int(2)]);
            End::Completed(Value::List(vec![heard, Value::Int(n * 2)]))
        },
        mail: Mailings::Nothing,
    },
    // One child is stopped, one goes on by itself, one is waited for.
    Workflow {
        name: "leaver",
        text: "fn main(input: [n]):\n    await waymark.start_workflow('cancelled', {'n': n}, {})\n    \
               await waymark.start_workflow('chain', {'n': n}, {'parent_close': 'abandon'})\n    \
               await waymark.start_workflow('spread', {'n': n}, {'parent_close': 'wait'})\n    return n\n",
        ends: |n| End::Completed(Value::Int(n)),
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "asked",
        text: "fn main(input: [n]):\n    update = await waymark.next_update('ask')\n    x = @work(n=update.payload + n)\n    \
               update.reply(x)\n    waymark.publish('x', x)\n    return x\n",
        ends: |n| End::Completed(Value::Int(n * 2 + 10)),
        mail: Mailings::Update,
    },
    Workflow {
        name: "payer",
        text: "fn main(input: [n]):\n    a = @pay(n=n) [transaction: True]\n    \
               got = spread range(2):i -> @pay(n=a + i) [transaction: True]\n    return sum(got)\n",
        ends: |n| End::Completed(Value::Int(n * 8 + 2)),
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "payer_again",
        text: "fn main(input: [n]):\n    return @pay_flaky(n=n) [retry: 4, backoff: 2s] [transaction: True]\n",
        ends: |n| End::Completed(Value::Int(n * 2)),
        mail: Mailings::PauseAndResume,
    },
    // Whether it is paid in time is chance; that its program knows is not.
    Workflow {
        name: "payer_in_time",
        text: "fn main(input: [n]):\n    for i in range(3):\n        try:\n            \
               @pay(n=n) [transaction: True] [timeout: 2s] [retry: 2, timeouts: True]\n        \
               except TimeoutError:\n            @work(n=i)\n    return n\n",
        ends: |n| End::Completed(Value::Int(n)),
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "payer_cancelled",
        text: "fn main(input: [n]):\n    try:\n        while True:\n            @pay(n=n) [transaction: True]\n            \
               await asyncio.sleep(5)\n    finally:\n        @work(n=n)\n",
        ends: |_| End::Cancelled,
        mail: Mailings::Cancel,
    },
    Workflow {
        name: "dated",
        text: "fn main(input: [n]):\n    a = @work(n=n, at=time.time())\n    return @other(n=a, at=time.time())\n",
        ends: |n| End::Completed(Value::Int(n * 4)),
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "killer_at_once",
        text: "fn main(input: [n]):\n    return @kill(n=n)\n",
        ends: |_| End::Stuck,
        mail: Mailings::Nothing,
    },
    Workflow {
        name: "killer",
        text: "fn main(input: [n]):\n    a = @work(n=n)\n    return @kill(n=a)\n",
        ends: |_| End::Stuck,
        mail: Mailings::Nothing,
    },
];

/// The programs, lowered once for all worlds.
pub static PROGRAMS: LazyLock<BTreeMap<&'static str, (NewVersion, Arc<Lowered>)>> =
    LazyLock::new(|| programs("1", |text| text.into()));

/// Another version of each, which means the same: instances are migrated between the two.
pub static OTHER_PROGRAMS: LazyLock<BTreeMap<&'static str, (NewVersion, Arc<Lowered>)>> = LazyLock::new(|| {
    programs("2", |text| {
        let first = "fn main(input: [n]):\n    padding = 1\n";
        format!("fn unused():\n    return 1\n\n{}", text.replacen("fn main(input: [n]):\n", first, 1))
    })
});

fn programs(number: &str, change: impl Fn(&str) -> String) -> BTreeMap<&'static str, (NewVersion, Arc<Lowered>)> {
    let program = |workflow: &Workflow| {
        let mut program = waymark_ir::text::parse(workflow.name, &change(workflow.text)).program;
        program.name = workflow.name.to_string();
        let version = NewVersion {
            workflow_name: workflow.name.into(),
            workflow_version: number.into(),
            ir_hash: waymark_ir::hash_hex(&waymark_ir::ir_hash(&program)),
            program_proto: waymark_ir::wire::encode(&program),
            source: None,
        };
        (workflow.name, (version, Lowered::new(program).expect("a good program")))
    };
    WORKFLOWS.iter().map(program).collect()
}

/// Actions that not every host's workers know. `kill` is known everywhere.
pub const SCARCE_ACTIONS: &[&str] = &["work", "other", "flaky", "endless", "pay", "pay_flaky"];
