CREATE TABLE waymark_meta (
    key   text PRIMARY KEY,
    value text NOT NULL
);

CREATE TABLE workflow_versions (
    id               uuid PRIMARY KEY,
    workflow_name    text NOT NULL,
    workflow_version text NOT NULL,
    ir_hash          text NOT NULL,
    program_proto    bytea NOT NULL,
    source           text,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    activated_at     timestamptz NOT NULL,
    UNIQUE (workflow_name, workflow_version)
);
CREATE INDEX workflow_versions_active ON workflow_versions (workflow_name, activated_at);

-- The claim table: a row for each instance that has not finished. Narrow, updated all the time: room for HOT updates in
-- each page, and vacuumed early.
CREATE TABLE queued_instances (
    instance_id     uuid PRIMARY KEY,
    lock_uuid       uuid,
    scheduled_at    timestamptz NOT NULL,
    lock_expires_at timestamptz,
    wake_seq        bigint NOT NULL DEFAULT 0,
    seq             bigint NOT NULL DEFAULT 0,
    claims          integer NOT NULL DEFAULT 0,
    priority        smallint NOT NULL,
    stuck           boolean NOT NULL DEFAULT false,
    queue           text NOT NULL,
    lock_owner      text
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX queued_instances_due ON queued_instances (queue, priority, scheduled_at) WHERE lock_uuid IS NULL;
CREATE INDEX queued_instances_leased ON queued_instances (lock_uuid) WHERE lock_uuid IS NOT NULL;

-- What is wide comes last, and out of line once it is large.
CREATE TABLE runner_instances (
    instance_id         uuid PRIMARY KEY,
    workflow_version_id uuid NOT NULL,
    parent_instance_id  uuid,
    -- The lease under which it finished: settles a commit whose outcome is unknown.
    finished_lock       uuid,
    created_at          timestamptz NOT NULL,
    finished_at         timestamptz,
    state_seq           bigint NOT NULL DEFAULT 0,
    workflow_name       text NOT NULL,
    status              text NOT NULL DEFAULT 'running'
        CHECK (status IN ('running', 'stuck', 'completed', 'failed', 'cancelled')),
    user_key            text,
    parent_execution_id text,
    tags                text,
    waits_for           text,
    stuck_reason        text,
    inputs              bytea NOT NULL,
    result              bytea,
    error               bytea,
    state               bytea
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE UNIQUE INDEX runner_instances_key ON runner_instances (workflow_name, user_key)
    WHERE user_key IS NOT NULL AND finished_at IS NULL;
CREATE INDEX runner_instances_workflow ON runner_instances (workflow_name, instance_id);
CREATE INDEX runner_instances_live ON runner_instances (instance_id) WHERE finished_at IS NULL;
CREATE INDEX runner_instances_stuck ON runner_instances (instance_id) WHERE status = 'stuck';
CREATE INDEX runner_instances_failed ON runner_instances (instance_id) WHERE status = 'failed';
CREATE INDEX runner_instances_cancelled ON runner_instances (instance_id) WHERE status = 'cancelled';
CREATE INDEX runner_instances_parent ON runner_instances (parent_instance_id) WHERE parent_instance_id IS NOT NULL;
CREATE INDEX runner_instances_finished ON runner_instances (finished_at) WHERE finished_at IS NOT NULL;
-- The runner compresses what is worth it.
ALTER TABLE runner_instances ALTER COLUMN state SET STORAGE EXTERNAL;

-- The log: what happened to an instance, in order, without gaps. Only ever appended to, and deleted from.
CREATE TABLE runner_actions_done (
    instance_id  uuid NOT NULL,
    seq          bigint NOT NULL,
    happened_at  timestamptz NOT NULL,
    started_at   timestamptz,
    digest       bigint NOT NULL,
    attempt      integer,
    kind         text NOT NULL,
    execution_id text,
    worker       text,
    outcome      bytea NOT NULL,
    PRIMARY KEY (instance_id, seq)
) WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_insert_scale_factor = 0.2);

CREATE TABLE instance_inbox (
    id          bigint GENERATED ALWAYS AS IDENTITY,
    instance_id uuid NOT NULL,
    message_id  uuid NOT NULL,
    arrived_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind        text NOT NULL,
    name        text NOT NULL,
    payload     bytea NOT NULL,
    PRIMARY KEY (instance_id, message_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE queued_actions (
    id              bigint GENERATED ALWAYS AS IDENTITY,
    instance_id     uuid NOT NULL,
    execution_id    text NOT NULL,
    attempt         integer NOT NULL,
    lock_uuid       uuid,
    lock_expires_at timestamptz,
    queued_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    queue           text NOT NULL,
    language        text NOT NULL,
    action          text NOT NULL,
    lock_owner      text,
    payload         bytea NOT NULL,
    PRIMARY KEY (instance_id, execution_id, attempt)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX queued_actions_due ON queued_actions (queue, language, id) WHERE lock_uuid IS NULL;
CREATE INDEX queued_actions_leased ON queued_actions (lock_uuid) WHERE lock_uuid IS NOT NULL;

CREATE TABLE workflow_schedules (
    id               uuid PRIMARY KEY,
    workflow_name    text NOT NULL,
    schedule_name    text NOT NULL,
    status           text NOT NULL DEFAULT 'active',
    definition       bytea NOT NULL,
    allow_duplicate  boolean NOT NULL DEFAULT false,
    next_run_at      timestamptz,
    last_run_at      timestamptz,
    last_instance_id uuid,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (workflow_name, schedule_name)
);
CREATE INDEX workflow_schedules_due ON workflow_schedules (next_run_at) WHERE status = 'active';

CREATE TABLE worker_status (
    pool_id            text NOT NULL,
    worker_id          text NOT NULL,
    language           text NOT NULL,
    in_flight          bigint NOT NULL,
    completed          bigint NOT NULL,
    failed             bigint NOT NULL,
    actions_per_second double precision NOT NULL,
    latency_p50_us     bigint NOT NULL,
    latency_p99_us     bigint NOT NULL,
    started_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    PRIMARY KEY (pool_id, worker_id)
) WITH (fillfactor = 70);
