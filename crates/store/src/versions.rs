//! Registered programs.

use uuid::Uuid;

use crate::Timestamp;

/// A program to register. Registering activates: new runs of the workflow use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewVersion {
    pub workflow_name: String,
    pub workflow_version: String,
    /// The hash of the program's canonical form. The same version with another hash is refused.
    pub ir_hash: String,
    pub program_proto: Vec<u8>,
    /// What the author wrote, for people to read.
    pub source: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    pub workflow_version_id: Uuid,
    /// False: this very program was there already.
    pub created: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionRef {
    Id(Uuid),
    Named {
        workflow_name: String,
        workflow_version: String,
    },
    /// The one last activated.
    Active {
        workflow_name: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkflowVersion {
    pub workflow_version_id: Uuid,
    pub workflow_name: String,
    pub workflow_version: String,
    pub ir_hash: String,
    /// Empty in listings.
    pub program_proto: Vec<u8>,
    /// Absent in listings.
    pub source: Option<String>,
    pub created_at: Timestamp,
    pub activated_at: Timestamp,
}
