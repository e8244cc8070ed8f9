//! `waymark run`: a program registered, started and waited for, on a real database.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::builder::NonEmptyStringValueParser;
use serde_json::{Value as Json, json};
use tonic::Code;
use uuid::Uuid;
use waymark_ir::{Value, hash_hex, json::to_json, payload, wire};
use waymark_proto::bridge::OnConflict as WireOnConflict;
use waymark_proto::bridge::{
    GetInstanceRequest, Instance, InstanceStatus, RegisterWorkflowRequest, Start, StartInstancesRequest,
    WaitForInstancesRequest, start_result,
};
use waymark_runner::Lowered;
use waymark_store::Timestamp;

use crate::boot::ensure::{self, Found};
use crate::client::explain;
use crate::config::{Configuration, Flags, seconds};
use crate::home::Home;
use crate::python;
use crate::serve::block_on;
use crate::source::Source;
use crate::terminal::{self, PROGRAM_FAILED, hinted};
use crate::{input, sim::failure};

/// After this long without an end, say what it waits for.
const TELL_AFTER_MS: u64 = 3_000;
/// Wait before a bridge that went away is looked for again.
pub const RECONNECT_PAUSE: Duration = Duration::from_millis(250);

/// Run a program: register it, start an instance and wait for its result
///
/// Finds the bridge of the database, or starts one. The result goes to stdout as JSON. Exits with 1 when the workflow fails.
#[derive(clap::Args)]
pub struct Options {
    /// A workflow in Python (`app:Welcome`), or a program in the text form
    file: PathBuf,
    /// Inputs by parameter: JSON, or @FILE
    #[arg(long, value_name = "JSON", default_value = "{}")]
    input: String,
    /// A key of your own: a second start with it finds the first, while that is live
    #[arg(long, value_name = "KEY")]
    id: Option<String>,
    /// What becomes of the start when a live instance has its id: by default it is that one, if its inputs are equal
    #[arg(long, value_enum, value_name = "WHAT", requires = "id")]
    on_conflict: Option<OnConflict>,
    /// The id stays taken for so many seconds after its instance has finished
    #[arg(long, value_name = "SECONDS", requires = "id", value_parser = length)]
    unique_for: Option<Duration>,
    #[command(flatten)]
    place: Place,
    /// Print the instance's id and don't wait for its result
    #[arg(long)]
    no_wait: bool,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Where it waits for its turn, and when it begins and ends.
#[derive(clap::Args)]
struct Place {
    /// The queue it waits in; by default `default`
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    queue: Option<String>,
    /// What limits of its queue count by
    #[arg(long, value_name = "KEY", value_parser = NonEmptyStringValueParser::new())]
    key: Option<String>,
    /// From 0 (first) to 3 (last); by default 1
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=3))]
    priority: Option<u8>,
    /// A word to find it by; may be given several times
    #[arg(long = "tag", value_name = "WORD", value_parser = NonEmptyStringValueParser::new())]
    tags: Vec<String>,
    /// Begin so many seconds from now
    #[arg(long, value_name = "SECONDS", value_parser = length)]
    delay: Option<Duration>,
    /// Cancel it if it has not finished so many seconds after its begin
    #[arg(long, value_name = "SECONDS", value_parser = length)]
    timeout: Option<Duration>,
}

impl Place {
    /// For the client in Python.
    fn words(&self) -> Vec<String> {
        let in_seconds = |length: Duration| length.as_secs_f64().to_string();
        let given = [
            ("--queue", self.queue.clone()),
            ("--key", self.key.clone()),
            ("--priority", self.priority.map(|level| level.to_string())),
            ("--delay", self.delay.map(in_seconds)),
            ("--timeout", self.timeout.map(in_seconds)),
        ];
        let tags = self.tags.iter().map(|tag| ("--tag", Some(tag.clone())));
        given.into_iter().chain(tags).filter_map(|(name, value)| Some([name.to_string(), value?])).flatten().collect()
    }

    fn put(&self, start: &mut Start) {
        let begins = Timestamp::now() + self.delay.unwrap_or_default();
        start.queue = self.queue.clone().unwrap_or_default();
        start.key = self.key.clone().unwrap_or_default();
        start.priority = self.priority.map(u32::from);
        start.tags = self.tags.clone();
        start.start_at_us = self.delay.map(|_| begins.0);
        start.deadline_us = self.timeout.map(|timeout| (begins + timeout).0);
    }
}

/// In seconds, of less than a thousand years.
fn length(text: &str) -> Result<Duration, String> {
    seconds(text, 0.0, 3e10)
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum OnConflict {
    /// Refused
    Reject,
    /// The instance that has the id is meant, whatever its inputs are
    Existing,
    /// The instance that has the id is terminated, and this one started
    Replace,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if python::is_target(&options.file) {
        return hand_over(options);
    }
    let Some(lowered) = Source::read(&options.file)?.lower()? else {
        return Ok(ExitCode::from(PROGRAM_FAILED));
    };
    let program = &lowered.program;
    let inputs = match program.function(&program.entry) {
        Some(entry) => input::inputs(&options.input, entry)?,
        None => Vec::new(),
    };
    let configuration = Configuration::load(&options.flags)?;
    block_on(async {
        let home = Home::open()?;
        let mut found = ensure::ensure(&configuration, &home).await?;
        let started = start(&mut found, &lowered, inputs, options).await?;
        if options.no_wait {
            return print_started(&started, options);
        }
        if !started.created {
            terminal::talk(format_args!("an instance with this id runs already: {}", started.instance_id));
        }
        let instance = loop {
            match wait(&mut found, started.instance_id).await {
                Ok(instance) => break instance,
                Err(status) if is_away(&status) => {
                    let told = format!("{} goes on, but its bridge does not answer", started.instance_id);
                    terminal::talk(format_args!("{told}: {}", status.message().lines().next().unwrap_or_default()));
                    tokio::time::sleep(RECONNECT_PAUSE).await;
                    found = ensure::ensure(&configuration, &home).await.context(told)?;
                }
                Err(status) => return Err(explain(&found.address, status)),
            }
        };
        print_outcome(&instance, options.json)
    })
}

struct Started {
    instance_id: Uuid,
    created: bool,
}

/// The client in Python knows which workers its workflow needs, and asks for them.
fn hand_over(options: &Options) -> anyhow::Result<ExitCode> {
    let configuration = Configuration::load(&options.flags)?;
    let mut words = vec!["--input", &options.input];
    words.extend(options.id.iter().flat_map(|id| ["--id", id.as_str()]));
    let unique_for = options.unique_for.map(|length| length.as_secs_f64().to_string());
    words.extend(unique_for.iter().flat_map(|seconds| ["--unique-for", seconds.as_str()]));
    words.extend(options.on_conflict.iter().flat_map(|on_conflict| {
        let word = match on_conflict {
            OnConflict::Reject => "reject",
            OnConflict::Existing => "existing",
            OnConflict::Replace => "replace",
        };
        ["--on-conflict", word]
    }));
    let place = options.place.words();
    words.extend(place.iter().map(String::as_str));
    words.extend(options.no_wait.then_some("--no-wait"));
    words.extend(options.json.then_some("--json"));
    let url = configuration.values.database_url.as_ref().map(|database| database.url());
    let variable = url.as_deref().map(|url| ("WAYMARK_DATABASE_URL", url));
    python::hand_over("waymark.client", &words, std::iter::once(&options.file), variable)
}

async fn start(
    found: &mut Found,
    lowered: &Lowered,
    inputs: Vec<(String, Value)>,
    options: &Options,
) -> anyhow::Result<Started> {
    let program = &lowered.program;
    let calls = &mut found.client.calls;
    let refused = |status| explain(&found.address, status);
    let registration = RegisterWorkflowRequest {
        workflow_name: program.name.clone(),
        workflow_version: String::new(),
        program_proto: wire::encode(program),
        source: program.sources.first().map(|source| source.text.clone()).unwrap_or_default(),
    };
    let registered = calls.register_workflow(registration).await.map_err(refused)?.into_inner();
    anyhow::ensure!(registered.ir_hash == hash_hex(&lowered.ir_hash), "the bridge read another program than was sent");
    let entries = inputs.into_iter().map(|(name, value)| (Value::Str(name), value)).collect();
    let mut start = Start {
        workflow_name: program.name.clone(),
        workflow_version: registered.workflow_version,
        inputs: payload::encode(&Value::Dict(entries)),
        id: options.id.clone().unwrap_or_default(),
        instance_id: Uuid::now_v7().as_bytes().to_vec(),
        on_conflict: match options.on_conflict {
            None => WireOnConflict::SameInputs,
            Some(OnConflict::Reject) => WireOnConflict::Reject,
            Some(OnConflict::Existing) => WireOnConflict::Existing,
            Some(OnConflict::Replace) => WireOnConflict::Replace,
        }
        .into(),
        unique_for_us: options.unique_for.map_or(0, |length| i64::try_from(length.as_micros()).unwrap_or(i64::MAX)),
        ..Start::default()
    };
    options.place.put(&mut start);
    let answer = calls.start_instances(StartInstancesRequest { starts: vec![start], wait_ms: 0 }).await;
    let result = answer.map_err(refused)?.into_inner().results.pop().and_then(|result| result.result);
    match result.context("the bridge did not answer the start")? {
        start_result::Result::Started(started) => Ok(Started {
            instance_id: Uuid::from_slice(&started.instance_id).context("the instance's id")?,
            created: started.created,
        }),
        start_result::Result::Refused(refusal) => Err(hinted(
            format!("the start was refused: {}", refusal.message),
            format!("reason: {}", refusal.reason().as_str_name().to_ascii_lowercase()),
        )),
    }
}

/// The instance is safe in the database: whoever serves it next can be asked.
pub fn is_away(status: &tonic::Status) -> bool {
    // What is left of a connection whose other end was killed has many names.
    matches!(status.code(), Code::Unavailable | Code::Unknown | Code::Cancelled | Code::Internal)
}

/// The instance once it has finished or is stuck; None: not in this time.
pub async fn pushed(found: &mut Found, id: &[u8], timeout_ms: u64) -> Result<Option<Instance>, tonic::Status> {
    let request = WaitForInstancesRequest { instance_ids: vec![id.to_vec()], timeout_ms };
    let mut stream = found.client.calls.wait_for_instances(request).await?.into_inner();
    match stream.message().await {
        // The end of the time that was given is no failure.
        Err(status) if status.code() == Code::DeadlineExceeded => Ok(None),
        answer => Ok(answer?.and_then(|mut ended| ended.instances.pop())),
    }
}

/// Pushed by the bridge; what it waits for is told now and then.
async fn wait(found: &mut Found, instance_id: Uuid) -> Result<Instance, tonic::Status> {
    let id = instance_id.as_bytes().to_vec();
    let mut told = String::new();
    loop {
        if let Some(instance) = pushed(found, &id, TELL_AFTER_MS).await? {
            return Ok(instance);
        }
        let request = GetInstanceRequest { instance_id: id.clone(), ..GetInstanceRequest::default() };
        let instance = found.client.calls.get_instance(request).await?.into_inner();
        if !instance.waits_for.is_empty() && instance.waits_for != told {
            terminal::talk(format_args!("{instance_id} waits for {}", instance.waits_for));
            told = instance.waits_for;
        } else if told.is_empty() && found.client.info.worker_address.is_empty() {
            // The bridge has no engine of its own, and can't tell whether anybody has.
            told = format!("{instance_id} runs, or waits for an engine; hint: `waymark start-workers` has one");
            terminal::talk(&told);
        }
    }
}

fn print_started(started: &Started, options: &Options) -> anyhow::Result<ExitCode> {
    match options.json {
        true => terminal::json(&json!({ "instance_id": started.instance_id.to_string(), "created": started.created }))?,
        false => terminal::data(&format!("{}\n", started.instance_id))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The result on stdout, or why there is none.
pub fn print_outcome(instance: &Instance, is_json: bool) -> anyhow::Result<ExitCode> {
    let status = instance.status().as_str_name().to_ascii_lowercase();
    let result = instance.result.as_deref().map(payload::decode).transpose().context("the result")?;
    let error = instance.error.as_deref().map(payload::decode).transpose().context("the error")?;
    if is_json {
        let id = Uuid::from_slice(&instance.instance_id).unwrap_or_default();
        terminal::json(&json!({
            "instance_id": id.to_string(),
            "workflow": instance.workflow_name,
            "version": instance.workflow_version,
            "status": status,
            "result": result.as_ref().map_or(Json::Null, to_json),
            "error": error.as_ref().map_or(Json::Null, to_json),
            "stuck_reason": Some(&instance.stuck_reason).filter(|reason| !reason.is_empty()),
        }))?;
    }
    if instance.status() == InstanceStatus::Completed {
        if !is_json {
            terminal::json(&to_json(&result.unwrap_or(Value::None)))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    match &error {
        Some(Value::Exception(exception)) => terminal::talk(failure::text(exception)),
        _ if !instance.stuck_reason.is_empty() => {
            terminal::talk(format_args!("it cannot go on: {}", instance.stuck_reason));
        }
        _ => {}
    }
    terminal::talk(format_args!("{}: {status}", instance.workflow_name));
    Ok(ExitCode::from(PROGRAM_FAILED))
}
