//! `waymark migrate`: live instances move to another version of their workflow. And `waymark check --against-db`: whether they could.

use std::process::ExitCode;

use anyhow::Context;
use serde_json::{Map, Value as Json, json};
use waymark_ir::{Program, Value, payload, wire};
use waymark_proto::bridge::{
    CheckInstancesRequest, InstanceFilter, MigrateInstancesRequest, MigrationAnswer, MigrationLabel,
};

use crate::boot::call::with_bridge;
use crate::boot::ensure::Found;
use crate::client::explain;
use crate::config::Flags;
use crate::control::ask;
use crate::instances::Name;
use crate::terminal::{self, PROGRAM_FAILED, hinted};
use crate::versions::short;
use crate::{table, workflows};

/// Move live instances to another version of their workflow
///
/// Each is moved whole or not at all: it stands where it stood, and goes on with the new code. Exits with 1 when one was not moved.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["instances", "workflow"]))]
pub struct Options {
    /// Ids of instances, or WORKFLOW/KEY
    #[arg(value_name = "INSTANCE")]
    instances: Vec<Name>,
    /// All live instances of this workflow instead
    #[arg(long, value_name = "NAME")]
    workflow: Option<String>,
    /// Of those, the ones on this version
    #[arg(long, value_name = "VERSION", requires = "workflow")]
    from: Option<String>,
    /// To which version; left out: the active one
    #[arg(long, value_name = "VERSION")]
    to: Option<String>,
    /// A value for a variable that the new code needs: JSON; the function is `main` unless it is named
    #[arg(long, value_name = "[FUNCTION.]NAME=JSON")]
    set: Vec<String>,
    /// Don't ask
    #[arg(long, short)]
    yes: bool,
    /// Only say what would be
    #[arg(long)]
    dry_run: bool,
    /// A list of objects
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let filter = options.workflow.clone().map(|workflow_name| InstanceFilter {
        workflow_name,
        workflow_version: options.from.clone().unwrap_or_default(),
        ..InstanceFilter::default()
    });
    let mut request = MigrateInstancesRequest {
        filter,
        workflow_version: options.to.clone().unwrap_or_default(),
        variables: variables(&options.set)?,
        dry_run: options.dry_run,
        ..MigrateInstancesRequest::default()
    };
    let answers = with_bridge(&options.flags, async |found| {
        for name in &options.instances {
            request.instance_ids.push(name.id(found).await?);
        }
        if let Some(workflow) = &options.workflow {
            workflows::versions(found, workflow).await?;
            if !options.dry_run && !options.yes {
                let preview = migrate(found, MigrateInstancesRequest { dry_run: true, ..request.clone() }).await?;
                let could = safe(&preview);
                if could == 0 {
                    return Ok(Some(preview));
                }
                if !ask::agreed("migrate", could)? {
                    return Ok(None);
                }
            }
        }
        migrate(found, request).await.map(Some)
    })?;
    // Nobody wanted it after all.
    let Some(answers) = answers else { return Ok(ExitCode::SUCCESS) };
    print(&answers, options.json)?;
    let moved = answers.iter().filter(|answer| answer.done).count();
    let could = safe(&answers);
    let left = answers.iter().filter(|answer| is_held(answer)).count();
    match options.dry_run {
        true => terminal::talk(format_args!("{could} would be migrated, {left} would not")),
        false => terminal::talk(format_args!("{moved} migrated, {left} not")),
    }
    Ok(if left == 0 { ExitCode::SUCCESS } else { ExitCode::from(PROGRAM_FAILED) })
}

/// A filter's work is done in parts.
async fn migrate(found: &mut Found, mut request: MigrateInstancesRequest) -> anyhow::Result<Vec<MigrationAnswer>> {
    let mut answers = Vec::new();
    loop {
        let answer = found.client.calls.migrate_instances(request.clone()).await;
        let answer = answer.map_err(|status| explain(&found.address, status))?.into_inner();
        answers.extend(answer.answers);
        if answer.next_cursor.is_empty() {
            return Ok(answers);
        }
        request.cursor = answer.next_cursor;
    }
}

fn safe(answers: &[MigrationAnswer]) -> usize {
    answers.iter().filter(|answer| answer.label() == MigrationLabel::SafeToMigrate).count()
}

/// What the live instances of a workflow would meet if this program were deployed.
pub fn check(program: &Program, json: bool, flags: &Flags) -> anyhow::Result<ExitCode> {
    let mut request = CheckInstancesRequest {
        workflow_name: program.name.clone(),
        program_proto: wire::encode(program),
        cursor: Vec::new(),
    };
    let answers = with_bridge(flags, async |found| {
        let mut answers = Vec::new();
        loop {
            let answer = found.client.calls.check_instances(request.clone()).await;
            let answer = answer.map_err(|status| explain(&found.address, status))?.into_inner();
            answers.extend(answer.answers);
            if answer.next_cursor.is_empty() {
                return anyhow::Ok(answers);
            }
            request.cursor = answer.next_cursor;
        }
    })?;
    print(&answers, json)?;
    let labels = [
        MigrationLabel::Same,
        MigrationLabel::SafeToMigrate,
        MigrationLabel::NeedsAMapping,
        MigrationLabel::StaysOnItsVersion,
    ];
    let counts = labels.map(|label| answers.iter().filter(|answer| answer.label() == label).count());
    let told: Vec<String> =
        labels.iter().zip(counts).map(|(label, count)| format!("{count} {}", word(*label))).collect();
    let live = terminal::count(answers.len(), "live instance");
    terminal::talk(format_args!("{}: {live}: {}", program.name, told.join(", ")));
    Ok(if counts[2] == 0 { ExitCode::SUCCESS } else { ExitCode::from(PROGRAM_FAILED) })
}

fn print(answers: &[MigrationAnswer], json: bool) -> anyhow::Result<()> {
    if json {
        let listed: Vec<Json> = answers.iter().map(object).collect();
        return terminal::json(&listed.into());
    }
    let mut listed = table::with(["instance", "id", "version", "label", "why"]);
    for answer in answers {
        let why: Vec<String> = answer.problems.iter().map(reason).collect();
        listed.add_row([
            table::id(&answer.instance_id),
            table::or_dash(answer.id.clone()),
            short(&answer.workflow_version).to_string(),
            if answer.done { "migrated" } else { word(answer.label()) }.to_string(),
            table::or_dash(why.join("; ")),
        ]);
    }
    table::print(&listed)
}

fn object(answer: &MigrationAnswer) -> Json {
    let problems = answer.problems.iter().map(|problem| {
        json!({
            "function": problem.function,
            "file": problem.file,
            "line": problem.line,
            "reason": problem.reason,
            "hint": problem.hint,
            "variable": Some(&problem.variable).filter(|name| !name.is_empty()),
        })
    });
    json!({
        "instance_id": table::id(&answer.instance_id),
        "id": Some(&answer.id).filter(|id| !id.is_empty()),
        "version": answer.workflow_version,
        "label": word(answer.label()),
        "migrated": answer.done,
        "problems": problems.collect::<Vec<Json>>(),
    })
}

fn reason(problem: &waymark_proto::bridge::MigrationProblem) -> String {
    match problem.line {
        0 => problem.reason.clone(),
        line => format!("{}:{line}: {}", problem.file, problem.reason),
    }
}

/// It was, or would be, left where it is.
fn is_held(answer: &MigrationAnswer) -> bool {
    matches!(answer.label(), MigrationLabel::NeedsAMapping | MigrationLabel::StaysOnItsVersion)
}

fn word(label: MigrationLabel) -> &'static str {
    match label {
        MigrationLabel::Same => "same",
        MigrationLabel::SafeToMigrate => "safe to migrate",
        MigrationLabel::NeedsAMapping => "needs a mapping",
        MigrationLabel::StaysOnItsVersion | MigrationLabel::Unspecified => "stays on its version",
    }
}

/// `rate=3`, `helper.rate="high"`.
fn variables(given: &[String]) -> anyhow::Result<Vec<u8>> {
    let mut functions: Map<String, Json> = Map::new();
    for one in given {
        let wrong =
            || hinted(format!("`{one}` is no value for a variable"), "write --set rate=3, or --set helper.rate=3");
        let (name, value) = one.split_once('=').ok_or_else(wrong)?;
        let (function, name) = name.rsplit_once('.').unwrap_or(("main", name));
        let value: Json = serde_json::from_str(value).map_err(|_| wrong())?;
        let named = functions.entry(function).or_insert_with(|| json!({}));
        if let Json::Object(named) = named {
            named.insert(name.into(), value);
        }
    }
    if functions.is_empty() {
        return Ok(Vec::new());
    }
    let value: Value = waymark_ir::json::from_json(&Json::Object(functions)).context("the values for variables")?;
    Ok(payload::encode(&value))
}
