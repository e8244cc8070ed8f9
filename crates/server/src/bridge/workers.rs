//! Workers that a client asks for.

use std::path::PathBuf;

use tonic::Status;
use waymark_proto::bridge as wire;
use waymark_store::Timestamp;

use super::Bridge;
use super::error::invalid;
use crate::pool::crews::Wanted;

const MODULES_MAX: usize = 1_000;

impl Bridge {
    pub(super) fn keep(&self, request: wire::KeepWorkersRequest) -> Result<wire::KeepWorkersResponse, Status> {
        let Some(crews) = &self.inner.identity.crews else {
            return Err(Status::failed_precondition(
                "this bridge keeps no workers for its clients\nhint: run `waymark start-workers`, or `waymark dev` for all in one",
            ));
        };
        if !request.command.first().is_some_and(|program| program.starts_with('/')) {
            return Err(invalid("the command of the workers has no program with an absolute path"));
        }
        if !request.directory.starts_with('/') {
            return Err(invalid("the directory of the workers is no absolute path"));
        }
        if request.modules.len() > MODULES_MAX || request.modules.iter().any(|module| module.contains([',', '\0'])) {
            return Err(invalid(format!("at most {MODULES_MAX} modules, by their names")));
        }
        let texts = request.environment.iter().flat_map(|(name, value)| [name, value]);
        let mut texts = texts.chain(&request.command).chain([&request.directory]);
        if texts.any(|text| text.contains('\0')) || request.environment.keys().any(|name| name.contains('=')) {
            return Err(invalid("what no process can be given: a NUL character, or `=` in the name of a variable"));
        }
        let started = crews.keep(Wanted {
            group: request.group,
            command: request.command,
            directory: PathBuf::from(request.directory),
            environment: request.environment.into_iter().collect(),
            modules: request.modules.into_iter().collect(),
            changed_at: Timestamp(request.changed_at_us),
        });
        Ok(wire::KeepWorkersResponse { started })
    }
}
