-- Queues that have settings, and what is paused. A queue without a row here has no limits.
CREATE TABLE queues (
    name               TEXT NOT NULL PRIMARY KEY,
    paused             INTEGER NOT NULL DEFAULT 0,
    fair               INTEGER NOT NULL DEFAULT 0,
    concurrency        INTEGER,
    key_concurrency    INTEGER,
    rate               INTEGER,
    rate_period_us     INTEGER,
    key_rate           INTEGER,
    key_rate_period_us INTEGER,
    -- The key that was served last: keys take turns.
    cursor             TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;

-- Tokens that are left of a rate. A bucket without a row is full.
CREATE TABLE queue_buckets (
    queue     TEXT NOT NULL,
    -- 0: the whole queue's, with the key ''. 1: a key's.
    scope     INTEGER NOT NULL,
    queue_key TEXT NOT NULL,
    tokens    REAL NOT NULL,
    filled_at INTEGER NOT NULL,
    full_at   INTEGER NOT NULL,
    PRIMARY KEY (queue, scope, queue_key)
) WITHOUT ROWID;
CREATE INDEX queue_buckets_full ON queue_buckets (full_at);

CREATE TABLE paused_workflows (
    workflow_name TEXT NOT NULL PRIMARY KEY,
    paused_at     INTEGER NOT NULL
) WITHOUT ROWID;

-- No claim of a queue with settings has taken it yet: its start is still to be paid for.
ALTER TABLE queued_instances ADD COLUMN is_new INTEGER NOT NULL DEFAULT 1;
-- When it was due, of one that its workflow's pause keeps from being claimed.
ALTER TABLE queued_instances ADD COLUMN parked_due_at INTEGER;

-- Only instances with a key are in these, and all of a queue with settings have one: others don't pay for them.
CREATE INDEX queued_instances_keyed_due ON queued_instances (queue, queue_key, priority, is_new, scheduled_at)
    WHERE lock_uuid IS NULL AND queue_key IS NOT NULL AND scheduled_at < 9223372036854775807;
CREATE INDEX queued_instances_keyed_leased ON queued_instances (queue, queue_key)
    WHERE lock_uuid IS NOT NULL AND queue_key IS NOT NULL;
CREATE INDEX queued_instances_parked ON queued_instances (instance_id) WHERE parked_due_at IS NOT NULL;
-- For `unique_for`.
CREATE INDEX runner_instances_key_finished ON runner_instances (workflow_name, user_key, finished_at)
    WHERE user_key IS NOT NULL AND finished_at IS NOT NULL;
