-- Times are microseconds since the Unix epoch; 9223372036854775807 is never. Ids are 16 bytes.

CREATE TABLE waymark_meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE workflow_versions (
    id               BLOB NOT NULL PRIMARY KEY,
    workflow_name    TEXT NOT NULL,
    workflow_version TEXT NOT NULL,
    ir_hash          TEXT NOT NULL,
    program_proto    BLOB NOT NULL,
    source           TEXT,
    created_at       INTEGER NOT NULL,
    activated_at     INTEGER NOT NULL,
    UNIQUE (workflow_name, workflow_version)
);
CREATE INDEX workflow_versions_active ON workflow_versions (workflow_name, activated_at);

-- The claim table: a row for each instance that has not finished.
CREATE TABLE queued_instances (
    instance_id     BLOB NOT NULL PRIMARY KEY,
    queue           TEXT NOT NULL,
    priority        INTEGER NOT NULL,
    scheduled_at    INTEGER NOT NULL,
    lock_uuid       BLOB,
    lock_owner      TEXT,
    lock_expires_at INTEGER,
    wake_seq        INTEGER NOT NULL DEFAULT 0,
    seq             INTEGER NOT NULL DEFAULT 0,
    claims          INTEGER NOT NULL DEFAULT 0,
    stuck           INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX queued_instances_due ON queued_instances (queue, priority, scheduled_at) WHERE lock_uuid IS NULL;
CREATE INDEX queued_instances_leased ON queued_instances (lock_uuid) WHERE lock_uuid IS NOT NULL;

CREATE TABLE runner_instances (
    instance_id         BLOB NOT NULL PRIMARY KEY,
    workflow_version_id BLOB NOT NULL,
    workflow_name       TEXT NOT NULL,
    status              TEXT NOT NULL DEFAULT 'running',
    user_key            TEXT,
    parent_instance_id  BLOB,
    parent_execution_id TEXT,
    tags                TEXT,
    waits_for           TEXT,
    stuck_reason        TEXT,
    created_at          INTEGER NOT NULL,
    finished_at         INTEGER,
    -- The lease under which it finished: settles a commit whose outcome is unknown.
    finished_lock       BLOB,
    state_seq           INTEGER NOT NULL DEFAULT 0,
    inputs              BLOB NOT NULL,
    result              BLOB,
    error               BLOB,
    state               BLOB
);
CREATE UNIQUE INDEX runner_instances_key ON runner_instances (workflow_name, user_key)
    WHERE user_key IS NOT NULL AND finished_at IS NULL;
CREATE INDEX runner_instances_workflow ON runner_instances (workflow_name, instance_id);
CREATE INDEX runner_instances_status ON runner_instances (status, instance_id);
CREATE INDEX runner_instances_parent ON runner_instances (parent_instance_id) WHERE parent_instance_id IS NOT NULL;
CREATE INDEX runner_instances_finished ON runner_instances (finished_at) WHERE finished_at IS NOT NULL;

-- The log: what happened to an instance, in order, without gaps.
CREATE TABLE runner_actions_done (
    instance_id  BLOB NOT NULL,
    seq          INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    execution_id TEXT,
    attempt      INTEGER,
    outcome      BLOB NOT NULL,
    happened_at  INTEGER NOT NULL,
    started_at   INTEGER,
    worker       TEXT,
    digest       INTEGER NOT NULL,
    PRIMARY KEY (instance_id, seq)
) WITHOUT ROWID;

CREATE TABLE instance_inbox (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    instance_id BLOB NOT NULL,
    message_id  BLOB NOT NULL,
    kind        TEXT NOT NULL,
    name        TEXT NOT NULL,
    payload     BLOB NOT NULL,
    arrived_at  INTEGER NOT NULL,
    UNIQUE (instance_id, message_id)
);

CREATE TABLE queued_actions (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    instance_id     BLOB NOT NULL,
    execution_id    TEXT NOT NULL,
    attempt         INTEGER NOT NULL,
    queue           TEXT NOT NULL,
    language        TEXT NOT NULL,
    action          TEXT NOT NULL,
    payload         BLOB NOT NULL,
    lock_uuid       BLOB,
    lock_owner      TEXT,
    lock_expires_at INTEGER,
    queued_at       INTEGER NOT NULL,
    UNIQUE (instance_id, execution_id, attempt)
);
CREATE INDEX queued_actions_due ON queued_actions (queue, language, id) WHERE lock_uuid IS NULL;
CREATE INDEX queued_actions_leased ON queued_actions (lock_uuid) WHERE lock_uuid IS NOT NULL;

CREATE TABLE workflow_schedules (
    id               BLOB NOT NULL PRIMARY KEY,
    workflow_name    TEXT NOT NULL,
    schedule_name    TEXT NOT NULL,
    status           TEXT NOT NULL DEFAULT 'active',
    definition       BLOB NOT NULL,
    allow_duplicate  INTEGER NOT NULL DEFAULT 0,
    next_run_at      INTEGER,
    last_run_at      INTEGER,
    last_instance_id BLOB,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    UNIQUE (workflow_name, schedule_name)
);
CREATE INDEX workflow_schedules_due ON workflow_schedules (next_run_at) WHERE status = 'active';

CREATE TABLE worker_status (
    pool_id            TEXT NOT NULL,
    worker_id          TEXT NOT NULL,
    language           TEXT NOT NULL,
    in_flight          INTEGER NOT NULL,
    completed          INTEGER NOT NULL,
    failed             INTEGER NOT NULL,
    actions_per_second REAL NOT NULL,
    latency_p50_us     INTEGER NOT NULL,
    latency_p99_us     INTEGER NOT NULL,
    started_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    PRIMARY KEY (pool_id, worker_id)
) WITHOUT ROWID;
