//! Registering a program: read, verified and lowered before it is stored, so that whatever is stored can run.

use tonic::Status;
use waymark_ir::{Diagnostic, Program, hash_hex, wire as program_wire};
use waymark_proto::bridge as wire;
use waymark_runner::Lowered;
use waymark_store::NewVersion;

use super::Bridge;
use super::error::{self, invalid, patiently};
use super::start::name_problem;

/// Programs that are checked at the same time: it takes a thread and a multiple of the program's size each.
pub(super) const AT_ONCE_MAX: usize = 4;

impl Bridge {
    pub(super) async fn register(
        &self,
        request: wire::RegisterWorkflowRequest,
    ) -> Result<wire::RegisterWorkflowResponse, Status> {
        let limit = self.inner.options.payload_bytes_max;
        for (what, bytes) in [("program", request.program_proto.len()), ("source", request.source.len())] {
            if bytes > limit {
                return Err(invalid(format!("the {what} has {bytes} bytes, more than the {limit} allowed")));
            }
        }
        let stopped = |_| error::stopping();
        let _permit = self.inner.registrations.acquire().await.map_err(stopped)?;
        let is_alone = self.inner.store.kind() == "sqlite";
        let version = tokio::task::spawn_blocking(move || check(request, is_alone)).await.map_err(|failure| {
            tracing::error!(%failure, "checking a program has panicked");
            Status::internal("checking the program has failed, which is a bug\nhint: the log of the server says where")
        })??;
        let store = &self.inner.store;
        let registered = patiently(self.deadline(), || store.register_version(version.clone())).await;
        // Whatever came of it, it may have been activated.
        self.inner.versions.forget_active();
        let registered = registered.map_err(error::from_store)?;
        Ok(wire::RegisterWorkflowResponse {
            workflow_version_id: registered.workflow_version_id.as_bytes().to_vec(),
            workflow_version: version.workflow_version,
            ir_hash: version.ir_hash,
            created: registered.created,
        })
    }
}

/// The row to store, or all that is wrong with it.
fn check(request: wire::RegisterWorkflowRequest, is_alone: bool) -> Result<NewVersion, Status> {
    let mut program = program_wire::decode(&request.program_proto).map_err(|error| {
        invalid(format!("the program can't be read: {error}\nhint: program_proto is a waymark.v1.Program"))
    })?;
    let workflow_name = name(&request.workflow_name, &program)?;
    let program_proto = if program.name.is_empty() {
        program.name.clone_from(&workflow_name);
        program_wire::encode(&program)
    } else {
        request.program_proto
    };
    if let Some(problem) = name_problem("workflow_version", &request.workflow_version) {
        return Err(invalid(problem));
    }
    if request.source.contains('\0') {
        return Err(invalid("the source contains a NUL character"));
    }
    let paths: Vec<String> = program.sources.iter().map(|source| source.path.clone()).collect();
    let lowered = Lowered::new(program).map_err(|problems| refused(&workflow_name, &paths, &problems))?;
    if is_alone && lowered.pool.has_transactions() {
        return Err(Status::failed_precondition(format!(
            "workflow {workflow_name} calls an action with `transaction`, and this server is on SQLite\n\
             hint: such actions need Postgres, for their work and Waymark's are one transaction: set WAYMARK_DATABASE_URL"
        )));
    }
    let ir_hash = hash_hex(&lowered.ir_hash);
    Ok(NewVersion {
        workflow_version: match request.workflow_version.is_empty() {
            true => ir_hash.clone(),
            false => request.workflow_version,
        },
        workflow_name,
        ir_hash,
        program_proto,
        source: (!request.source.is_empty()).then_some(request.source),
    })
}

fn name(given: &str, program: &Program) -> Result<String, Status> {
    let name = match (given, program.name.as_str()) {
        ("", "") => return Err(invalid("the workflow has no name\nhint: set workflow_name")),
        ("", name) | (name, "") => name,
        (given, name) if given == name => given,
        (given, name) => {
            let (given, name) = (super::signature::shown(given), super::signature::shown(name));
            return Err(invalid(format!(
                "the program is of workflow {name}, but it is registered as {given}\nhint: use one name for both"
            )));
        }
    };
    match name_problem("workflow_name", name) {
        Some(problem) => Err(invalid(problem)),
        None => Ok(name.into()),
    }
}

fn refused(workflow_name: &str, paths: &[String], problems: &[Diagnostic]) -> Status {
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| match paths.get(problem.span.file as usize) {
            Some(path) if !path.is_empty() => format!("{path}:{problem}"),
            _ => problem.to_string(),
        })
        .collect();
    let count = match lines.len() {
        1 => "1 problem".into(),
        count => format!("{count} problems"),
    };
    invalid(error::lines(&format!("the program of workflow {workflow_name} has {count}:"), &lines))
}
