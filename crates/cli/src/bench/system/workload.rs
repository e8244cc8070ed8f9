//! What the whole system is made to run, and how much of it.

/// How long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Whether it works.
    Quick,
    /// Some minutes in all.
    Usual,
    Long,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Workload {
    /// Many instances of three actions, one after the other
    Chain,
    /// One instance with all its actions at once
    Fanout,
    /// One action at a time, from the client's call to its result
    Latency,
    /// One instance, one action after the other; killed and gone on with
    Loop,
    /// Starts from one client
    Start,
    /// Instances that sleep
    Sleepers,
    /// Results of actions, small to large
    Payload,
    /// Nothing to do
    Idle,
    /// Several engines on one Postgres
    Hosts,
}

/// Bytes of a result, and instances of one action that bring one.
pub type Payload = (usize, usize);

impl Workload {
    pub fn name(self) -> &'static str {
        match self {
            Workload::Chain => "chain",
            Workload::Fanout => "fanout",
            Workload::Latency => "latency",
            Workload::Loop => "loop",
            Workload::Start => "start",
            Workload::Sleepers => "sleepers",
            Workload::Payload => "payload",
            Workload::Idle => "idle",
            Workload::Hosts => "hosts",
        }
    }

    /// For people who see the figures alone.
    pub fn about(self) -> &'static str {
        match self {
            Workload::Chain => "Many instances of three actions, one after the other. The size is the instances.",
            Workload::Fanout => "One instance that gathers all its actions at once. The size is the actions.",
            Workload::Latency => "One action at a time, from the client's call to its result. The size is the calls.",
            Workload::Loop => {
                "One instance, one action after the other; then a second one whose server is killed at 95 %. The size is the actions."
            }
            Workload::Start => {
                "Starts from one client: single calls with 50 in flight, and batches of 1,000. The size is the starts."
            }
            Workload::Sleepers => {
                "Instances asleep, and how late those wake up that are due. The size is the instances."
            }
            Workload::Payload => "Instances of one action with a result. The size is the result's bytes.",
            Workload::Idle => "A server with workers and nothing to do. The size is the seconds.",
            Workload::Hosts => {
                "Chains on several engines that share one Postgres and this machine. The size is the instances."
            }
        }
    }

    /// Instances, actions, calls, starts or seconds, as [`Workload::about`] says.
    pub fn size(self, scale: Scale) -> usize {
        let [quick, usual, long] = match self {
            Workload::Chain => [20, 1_000, 20_000],
            Workload::Fanout => [20, 1_000, 50_000],
            Workload::Latency => [5, 200, 200],
            Workload::Loop => [40, 2_000, 50_000],
            Workload::Start => [100, 10_000, 50_000],
            Workload::Sleepers => [50, 10_000, 100_000],
            Workload::Payload => [0; 3],
            Workload::Idle => [1, 10, 10],
            Workload::Hosts => [20, 1_000, 20_000],
        };
        match scale {
            Scale::Quick => quick,
            Scale::Usual => usual,
            Scale::Long => long,
        }
    }

    pub fn payloads(scale: Scale) -> [Payload; 3] {
        match scale {
            Scale::Quick => [(1_000, 10), (64_000, 4), (1_000_000, 2)],
            Scale::Usual => [(1_000, 1_000), (64_000, 200), (1_000_000, 20)],
            Scale::Long => [(1_000, 20_000), (64_000, 2_000), (1_000_000, 200)],
        }
    }

    pub fn engines(scale: Scale) -> &'static [usize] {
        match scale {
            Scale::Quick => &[1, 2],
            Scale::Usual | Scale::Long => &[1, 2, 4],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum StoreKind {
    Sqlite,
    Postgres,
}

impl StoreKind {
    pub fn name(self) -> &'static str {
        match self {
            StoreKind::Sqlite => "sqlite",
            StoreKind::Postgres => "postgres",
        }
    }

    pub fn runs(self, workload: Workload) -> bool {
        // A SQLite file has one engine.
        self == StoreKind::Postgres || workload != Workload::Hosts
    }
}
