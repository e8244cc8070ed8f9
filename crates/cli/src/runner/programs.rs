//! The programs that instances can be started of.

use std::collections::HashMap;
use std::sync::Arc;

use waymark_ir::{Program, verify, wire};
use waymark_proto::runner::{Diagnostic, Loaded};
use waymark_runner::{Lowered, registry};

#[derive(Default)]
pub struct Programs {
    loaded: HashMap<u64, Arc<Lowered>>,
    last_id: u64,
}

impl Programs {
    pub fn get(&self, id: u64) -> Option<&Arc<Lowered>> {
        self.loaded.get(&id)
    }

    pub fn forget(&mut self, id: u64) {
        self.loaded.remove(&id);
    }

    pub fn load(&mut self, bytes: &[u8]) -> Result<Loaded, String> {
        let program = wire::decode(bytes).map_err(|error| format!("the program can't be read: {error}"))?;
        let problems = verify(&program, &registry::names());
        let mut loaded = Loaded {
            program_id: 0,
            workflow_name: program.name.clone(),
            diagnostics: problems.iter().map(|problem| diagnostic(&program, problem)).collect(),
        };
        if problems.iter().any(waymark_ir::Diagnostic::is_error) {
            return Ok(loaded);
        }
        let lowered = Lowered::new(program).map_err(|_| "a sound program did not lower (a bug)")?;
        self.last_id += 1;
        loaded.program_id = self.last_id;
        self.loaded.insert(self.last_id, lowered);
        Ok(loaded)
    }
}

fn diagnostic(program: &Program, problem: &waymark_ir::Diagnostic) -> Diagnostic {
    Diagnostic {
        is_error: problem.is_error(),
        code: problem.code.into(),
        message: problem.message.clone(),
        help: problem.help.clone().unwrap_or_default(),
        file: program.sources.get(problem.span.file as usize).map(|source| source.path.clone()).unwrap_or_default(),
        line: problem.span.line,
        column: problem.span.column,
    }
}
