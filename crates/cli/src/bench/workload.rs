//! The programs that are measured, and the loop that answers their actions at once.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::Context;
use waymark_ir::{Value, text};
use waymark_runner::{Effect, Event, Instance, Limits, Lowered, Outcome};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Workload {
    /// One action after the other.
    Loop,
    /// All actions at once.
    Spread,
    /// A spread of helpers that spread actions.
    Nested,
    /// Three actions in a row, in many instances at a time.
    Chain,
}

const LOOP: &str = "
fn main(input: [size]):
    total = 0
    for number in range(size):
        total = total + @bench:work(number)
    return total
";

const SPREAD: &str = "
fn main(input: [size]):
    results = spread range(size):number -> @bench:work(number)
    return sum(results)
";

const NESTED: &str = "
fn main(input: [size]):
    rows = 10 if size < 1000 else 100
    sums = spread range(size // rows):row -> one_row(row, rows)
    return sum(sums)

fn one_row(input: [row, width]):
    results = spread range(width):column -> @bench:work(row * width + column)
    return sum(results)
";

const CHAIN: &str = "
fn main(input: [size]):
    first = @bench:work(size)
    second = @bench:work(first)
    return @bench:work(second)
";

impl Workload {
    pub const ALL: [Workload; 4] = [Workload::Loop, Workload::Spread, Workload::Nested, Workload::Chain];

    pub fn name(self) -> &'static str {
        match self {
            Workload::Loop => "loop",
            Workload::Spread => "spread",
            Workload::Nested => "nested",
            Workload::Chain => "chain",
        }
    }

    /// Actions of one instance; for the chain, instances.
    pub fn sizes(self, quick: bool) -> &'static [usize] {
        match self {
            Workload::Loop if quick => &[1_000],
            Workload::Spread if quick => &[10, 1_000],
            Workload::Nested | Workload::Chain if quick => &[100],
            Workload::Loop => &[1_000, 100_000, 1_000_000],
            Workload::Spread => &[10, 1_000, 100_000],
            Workload::Nested => &[100, 10_000, 100_000],
            Workload::Chain => &[10_000],
        }
    }

    pub fn completions(self, size: usize) -> usize {
        if self == Workload::Chain { size * 3 } else { size }
    }

    pub fn lower(self) -> anyhow::Result<Arc<Lowered>> {
        let source = match self {
            Workload::Loop => LOOP,
            Workload::Spread => SPREAD,
            Workload::Nested => NESTED,
            Workload::Chain => CHAIN,
        };
        let parsed = text::parse("bench.ir", source);
        anyhow::ensure!(parsed.diagnostics.is_empty(), "{}: {:?}", self.name(), parsed.diagnostics);
        Lowered::new(parsed.program).map_err(|problems| anyhow::anyhow!("{}: {problems:?}", self.name()))
    }

    /// Runs all of it to the end.
    pub fn run(self, lowered: &Arc<Lowered>, size: usize) -> anyhow::Result<()> {
        let instances = if self == Workload::Chain { size } else { 1 };
        let mut runs: Vec<Run> = (0..instances).map(|id| Run::start(id, lowered, size)).collect::<Result<_, _>>()?;
        // Many instances take turns, as a busy engine would let them.
        let at_a_time = if instances > 1 { 1 } else { usize::MAX };
        while !runs.is_empty() {
            for run in &mut runs {
                run.complete(at_a_time)?;
            }
            runs.retain(|run| !run.is_finished());
        }
        Ok(())
    }
}

/// An instance and what it has dispatched.
pub struct Run {
    instance: Instance,
    out: VecDeque<(u64, u32)>,
    now_us: i64,
}

impl Run {
    pub fn start(id: usize, lowered: &Arc<Lowered>, size: usize) -> anyhow::Result<Run> {
        let instance = Instance::new(id as u128, lowered.clone(), Limits::default());
        let mut run = Run { instance, out: VecDeque::new(), now_us: 0 };
        run.apply(Event::Started { inputs: vec![("size".to_string(), Value::Int(size as i64))] })?;
        Ok(run)
    }

    /// Answers up to so many actions, oldest first.
    pub fn complete(&mut self, count: usize) -> anyhow::Result<()> {
        for _ in 0..count {
            let Some((ordinal, attempt)) = self.out.pop_front() else { break };
            let outcome = Outcome::Completed(Value::Int(ordinal as i64));
            self.apply(Event::Settled { ordinal, attempt, outcome })?;
        }
        anyhow::ensure!(self.is_finished() || !self.out.is_empty(), "the workload stands still");
        Ok(())
    }

    pub fn is_finished(&self) -> bool {
        self.instance.ending().is_some()
    }

    fn apply(&mut self, event: Event) -> anyhow::Result<()> {
        self.now_us += 1;
        for effect in self.instance.apply(self.now_us, event).context("the workload")? {
            match effect {
                Effect::Dispatch(dispatch) => self.out.push_back((dispatch.execution.ordinal, dispatch.attempt)),
                Effect::Finish(waymark_runner::Ending::Completed(_)) => {}
                other => anyhow::bail!("the workload did not expect {other:?}"),
            }
        }
        Ok(())
    }
}
