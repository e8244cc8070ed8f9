-- Queues that have settings, and what is paused. A queue without a row here has no limits.
CREATE TABLE queues (
    name               text PRIMARY KEY,
    paused             boolean NOT NULL DEFAULT false,
    fair               boolean NOT NULL DEFAULT false,
    concurrency        integer,
    key_concurrency    integer,
    rate               integer,
    rate_period_us     bigint,
    key_rate           integer,
    key_rate_period_us bigint,
    -- The key that was served last: keys take turns.
    cursor             text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);

-- Tokens that are left of a rate. A bucket without a row is full.
CREATE TABLE queue_buckets (
    queue     text NOT NULL,
    -- 0: the whole queue's, with the key ''. 1: a key's.
    scope     smallint NOT NULL,
    queue_key text NOT NULL,
    tokens    double precision NOT NULL,
    filled_at timestamptz NOT NULL,
    full_at   timestamptz NOT NULL,
    PRIMARY KEY (queue, scope, queue_key)
) WITH (fillfactor = 60);
CREATE INDEX queue_buckets_full ON queue_buckets (full_at);

CREATE TABLE paused_workflows (
    workflow_name text PRIMARY KEY,
    paused_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);

ALTER TABLE queued_instances
    -- No claim of a queue with settings has taken it yet: its start is still to be paid for.
    ADD COLUMN is_new        boolean NOT NULL DEFAULT true,
    -- When it was due, of one that its workflow's pause keeps from being claimed.
    ADD COLUMN parked_due_at timestamptz;

-- Only instances with a key are in these, and all of a queue with settings have one: others don't pay for them.
CREATE INDEX queued_instances_keyed_due ON queued_instances (queue, queue_key, priority, is_new, scheduled_at)
    WHERE lock_uuid IS NULL AND queue_key IS NOT NULL AND scheduled_at < 'infinity';
CREATE INDEX queued_instances_keyed_leased ON queued_instances (queue, queue_key)
    WHERE lock_uuid IS NOT NULL AND queue_key IS NOT NULL;
CREATE INDEX queued_instances_parked ON queued_instances (instance_id) WHERE parked_due_at IS NOT NULL;
-- For `unique_for`.
CREATE INDEX runner_instances_key_finished ON runner_instances (workflow_name, user_key, finished_at)
    WHERE user_key IS NOT NULL AND finished_at IS NOT NULL;
