//! The table of everything that can be set: a line here gives a key its field, its variable, its flag, its default and its help.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value as Json;

use super::value::{self, Database, Days, LogLevel, Milliseconds, Setting};

/// One thing that can be set.
pub struct Key {
    /// In `waymark.toml`. The variable is `WAYMARK_` and this in capitals; the flag has dashes.
    pub name: &'static str,
    pub help: &'static str,
    /// As it would be written; empty: not set.
    pub default: &'static str,
    /// Parses a text into its field; the error says what is allowed.
    pub(super) set: fn(&mut Values, &str) -> Result<(), String>,
    /// As people see it, without secrets.
    pub show: fn(&Values) -> Json,
}

impl Key {
    pub fn variable(&self) -> String {
        format!("WAYMARK_{}", self.name.to_ascii_uppercase())
    }

    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }
}

macro_rules! keys {
    ($($(#[doc = $help:literal])+ $name:ident: $type:ty = $default:literal, $parse:expr;)+) => {
        /// Every value, parsed.
        #[derive(Clone, Debug, Default)]
        pub struct Values {
            $($(#[doc = $help])+ pub $name: $type,)+
        }

        pub static KEYS: &[Key] = &[$(Key {
            name: stringify!($name),
            help: concat!($($help,)+).trim_ascii_start(),
            default: $default,
            set: |values, text| {
                let parse: fn(&str) -> Result<$type, String> = $parse;
                values.$name = parse(text)?;
                Ok(())
            },
            show: |values| values.$name.shown(),
        },)+];
    };
}

keys! {
    /// Where instances are kept: `postgres://…`, `sqlite:PATH` or a path. Not set: `.waymark/waymark.db`, beside `waymark.toml` if there is one
    database_url: Option<Database> = "", |text| value::optional(text, value::database);
    /// Worker processes to keep running (`cores`: as many as the machine has cores)
    workers: usize = "cores", |text| match text {
        "cores" => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
        _ => value::number(text, 0, 1_024).map_err(|allowed| format!("{allowed}, or `cores`")),
    };
    /// Calls that one worker takes at the same time
    slots: u32 = "100", |text| value::number(text, 1, 100_000);
    /// Threads that an engine computes on (`auto`: half the cores, from 1 to 8)
    shards: usize = "auto", |text| match text {
        "auto" => Ok((std::thread::available_parallelism().map_or(1, usize::from) / 2).clamp(1, 8)),
        _ => value::number(text, 1, 256).map_err(|allowed| format!("{allowed}, or `auto`")),
    };
    /// Instances that an engine holds in memory
    instances_max: usize = "10000", |text| value::number(text, 1, 10_000_000);
    /// How long an engine that has gone silent keeps its instances
    lease_seconds: Duration = "15", |text| value::seconds(text, 0.5, 3_600.0);
    /// How often leases are extended; under half of `lease_seconds`
    heartbeat_seconds: Duration = "4", |text| value::seconds(text, 0.1, 1_800.0);
    /// How often to look for work that nobody announced
    poll_interval_ms: Milliseconds = "1000", |text| value::number(text, 50, 3_600_000).map(Milliseconds);
    /// Instances that one claim takes
    claim_batch: u32 = "500", |text| value::number(text, 1, 10_000);
    /// Instances in one commit
    commit_batch: usize = "500", |text| value::number(text, 1, 10_000);
    /// Starts of many callers that one commit takes
    start_batch: usize = "500", |text| value::number(text, 1, 10_000);
    /// The largest input, argument or result (`512KiB`, `4MiB`)
    payload_bytes_max: usize = "4MiB", |text| value::bytes(text, 1 << 10, waymark_server::pool::PAYLOAD_BYTES_CEILING);
    /// Where clients connect. Not set: the next free port is taken where this one is not free
    bridge_address: String = "127.0.0.1:24117", value::address;
    /// Where workers connect. Not set: the next free port is taken where this one is not free
    worker_address: String = "127.0.0.1:24118", value::address;
    /// What clients and workers must know. Not set: the one in the token file, which is for loopback only
    token: Option<value::Token> = "", |text| value::optional(text, value::token);
    /// Modules with actions that workers import, separated by commas
    user_modules: Vec<String> = "", value::list;
    /// How a worker is started. Not set: `python3 -m waymark.worker`, with the Python beside this program if there is one
    worker_command: Vec<String> = "", value::command;
    /// A worker that was given this many calls is replaced. Not set: never
    recycle_after: Option<u64> = "", |text| value::optional(text, |text| value::number(text, 1, u64::MAX));
    /// Days that finished instances are kept. Not set: for ever
    retention_days: Option<Days> = "", |text| value::optional(text, |text| value::days(text, 36_500.0));
    /// A bridge that a client started ends after this long without use
    idle_seconds: Duration = "300", |text| value::seconds(text, 1.0, 31_536_000.0);
    /// `error`, `warn`, `info`, `debug` or `trace`
    log_level: LogLevel = "info", value::log_level;
    /// Who this engine is: leases that a process of this name left are freed at start. Not set: made from the host's name
    engine_name: Option<String> = "", |text| value::optional(text, value::name);
    /// Queues that the engine takes instances from, separated by commas
    queues: Vec<String> = "default", |text| match value::list(text)? {
        queues if queues.is_empty() => Err("at least one name".into()),
        queues => Ok(queues),
    };
    /// A PEM file with the certificate to show; needs `tls_key`
    tls_certificate: Option<PathBuf> = "", |text| value::optional(text, value::path);
    /// A PEM file with the certificate's private key
    tls_key: Option<PathBuf> = "", |text| value::optional(text, value::path);
    /// A PEM file with the authorities whose certificates clients and workers trust. Not set: the system's
    tls_ca: Option<PathBuf> = "", |text| value::optional(text, value::path);
    /// The name that a server's certificate must have. Not set: the host of its address
    tls_name: Option<String> = "", |text| value::optional(text, value::host_name);
}
