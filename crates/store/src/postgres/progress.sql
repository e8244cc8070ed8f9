-- One batch of progress. A part between `-- [name` and `-- name]` is left out when no row of the batch needs it, so that the plain
-- case is short: every table that a statement mentions costs time, even if nothing is written to it. `:name` is a parameter, and
-- `rows[name]` are rows of them: see `template.rs`.
WITH want AS (
    SELECT * FROM rows[batch](:ids::uuid[], :locks::uuid[], :expected::bigint[], :seqs::bigint[], :next::smallint[],
                         :scheduled::timestamptz[], :seen::bigint[])
        AS w(instance_id, lock_uuid, expected_seq, seq, next, scheduled_at, seen)
),
-- [plain
-- Nobody leaves and nobody else's row is touched, so the update of the row is its own gate. The batch is sorted: whichever way it is joined to
-- the primary key, rows are locked in order.
owned AS (
    UPDATE queued_instances q
    SET seq = w.seq,
        claims = CASE WHEN (w.next = 1 AND w.seen = q.wake_seq) OR w.seq > w.expected_seq THEN 0 ELSE q.claims END,
        lock_uuid = CASE WHEN w.next = 1 AND w.seen = q.wake_seq THEN NULL ELSE q.lock_uuid END,
        lock_owner = CASE WHEN w.next = 1 AND w.seen = q.wake_seq THEN NULL ELSE q.lock_owner END,
        lock_expires_at = CASE WHEN w.next = 1 AND w.seen = q.wake_seq THEN NULL ELSE q.lock_expires_at END,
        scheduled_at = CASE WHEN w.next = 1 AND w.seen = q.wake_seq THEN w.scheduled_at ELSE q.scheduled_at END
    FROM want w
    WHERE q.instance_id = w.instance_id AND q.lock_uuid = w.lock_uuid AND q.lock_expires_at > clock_timestamp()
      AND q.seq = w.expected_seq
    RETURNING w.*, q.wake_seq, q.lock_uuid AS still_locked
),
-- plain]
-- [locked
-- In order, so that two batches never wait for each other.
locked AS MATERIALIZED (
    SELECT instance_id, lock_uuid, lock_expires_at, seq, wake_seq FROM queued_instances
    WHERE instance_id = ANY(:touched::uuid[]) ORDER BY instance_id FOR UPDATE
),
owned AS MATERIALIZED (
    SELECT w.*, l.wake_seq FROM want w JOIN locked l USING (instance_id)
    WHERE l.lock_uuid = w.lock_uuid AND l.lock_expires_at > clock_timestamp() AND l.seq = w.expected_seq
),
-- locked]
logged AS (
    INSERT INTO runner_actions_done
        (instance_id, seq, kind, execution_id, attempt, outcome, happened_at, started_at, worker, digest)
    SELECT l.instance_id, l.seq, l.kind, l.execution_id, l.attempt, l.outcome, l.happened_at, l.started_at, l.worker, l.digest
    FROM rows[log](:log_ids::uuid[], :log_seqs::bigint[], :log_kinds::text[], :log_executions::text[], :log_attempts::integer[],
                :log_outcomes::bytea[], :log_happened::timestamptz[], :log_started::timestamptz[], :log_workers::text[],
                :log_digests::bigint[])
        AS l(instance_id, seq, kind, execution_id, attempt, outcome, happened_at, started_at, worker, digest)
    JOIN owned o ON o.instance_id = l.instance_id
),
-- [instances
shown AS MATERIALIZED (
    SELECT o.*, s.waits_for, s.status, s.result, s.error, s.error_type, s.state, s.trim_through
    FROM rows[batch](:ids::uuid[], :waits::text[], :status::text[], :results::bytea[], :errors::bytea[], :error_types::text[],
                :states::bytea[], :trims::bigint[])
        AS s(instance_id, waits_for, status, result, error, error_type, state, trim_through)
    JOIN owned o USING (instance_id)
    WHERE o.next = 2 OR s.state IS NOT NULL OR s.waits_for IS NOT NULL OR s.status IS NOT NULL
),
instances AS (
    UPDATE runner_instances r
    SET state = coalesce(o.state, r.state),
        state_seq = CASE WHEN o.state IS NULL THEN r.state_seq ELSE o.seq END,
        waits_for = CASE WHEN o.next = 2 THEN NULL WHEN o.waits_for IS NULL THEN r.waits_for ELSE nullif(o.waits_for, '') END,
        status = coalesce(o.status, r.status),
        result = coalesce(o.result, r.result),
        error = coalesce(o.error, r.error),
        error_type = coalesce(o.error_type, r.error_type),
        finished_at = CASE WHEN o.next = 2 THEN clock_timestamp() ELSE r.finished_at END,
        finished_lock = CASE WHEN o.next = 2 THEN o.lock_uuid ELSE r.finished_lock END
    FROM shown o
    WHERE r.instance_id = o.instance_id
),
-- instances]
-- [trim
trimmed AS (
    DELETE FROM runner_actions_done d
    USING owned o JOIN runner_instances r USING (instance_id)
        JOIN rows[batch](:ids::uuid[], :trims::bigint[], :states::bytea[]) AS t(instance_id, trim_through, state) USING (instance_id)
    WHERE t.trim_through IS NOT NULL AND d.instance_id = o.instance_id
      AND d.seq <= least(t.trim_through, CASE WHEN t.state IS NULL THEN r.state_seq ELSE o.expected_seq END)
),
-- trim]
-- [replies
replied AS (
    INSERT INTO instance_replies (instance_id, update_id, is_error, content)
    SELECT r.instance_id, r.update_id, r.is_error, r.content
    FROM unnest(:repliers::uuid[], :reply_ids::text[], :reply_errors::boolean[], :reply_contents::bytea[])
        AS r(instance_id, update_id, is_error, content)
    JOIN owned o ON o.instance_id = r.instance_id
    ON CONFLICT DO NOTHING
),
-- replies]
-- [consumed
consumed AS (
    DELETE FROM instance_inbox i
    USING unnest(:consumers::uuid[], :consumed::uuid[]) AS c(instance_id, message_id) JOIN owned o USING (instance_id)
    WHERE i.instance_id = c.instance_id AND i.message_id = c.message_id
),
-- consumed]
-- [children
children AS MATERIALIZED (
    SELECT c.* FROM unnest(:parents::uuid[], :child_ids::uuid[], :child_versions::uuid[], :child_queues::text[],
                           :child_priorities::smallint[], :child_scheduled::timestamptz[], :child_keys::text[],
                           :child_parents::uuid[], :child_executions::text[], :child_tags::text[], :child_inputs::bytea[],
                           :child_queue_keys::text[], :child_deadlines::timestamptz[], :child_schedules::uuid[])
        WITH ORDINALITY
        AS c(owner_id, instance_id, workflow_version_id, queue, priority, scheduled_at, user_key, parent_instance_id,
             parent_execution_id, tags, inputs, queue_key, deadline_at, schedule_id, position)
    JOIN owned o ON o.instance_id = c.owner_id
),
born AS (
    INSERT INTO runner_instances (instance_id, workflow_version_id, workflow_name, user_key, parent_instance_id,
                                  parent_execution_id, tags, created_at, inputs, queue, queue_key, priority, deadline_at,
                                  schedule_id)
    SELECT c.instance_id, v.id, v.workflow_name, c.user_key, c.parent_instance_id, c.parent_execution_id, c.tags,
           clock_timestamp(), c.inputs, c.queue, c.queue_key, c.priority, c.deadline_at, c.schedule_id
    FROM children c JOIN workflow_versions v ON v.id = c.workflow_version_id
    ORDER BY v.workflow_name, c.user_key, c.position
    ON CONFLICT DO NOTHING RETURNING instance_id
),
born_queue AS (
    INSERT INTO queued_instances (instance_id, queue, queue_key, priority, scheduled_at, wake_seq)
    SELECT c.instance_id, c.queue, coalesce(c.queue_key, (SELECT '' FROM queues s WHERE s.name = c.queue)), c.priority, coalesce(c.scheduled_at, clock_timestamp()), coalesce(m.messages, 0)
    FROM children c JOIN born USING (instance_id)
    LEFT JOIN (SELECT m.instance_id, count(*) AS messages FROM unnest(:mail_ids::uuid[]) AS m(instance_id) GROUP BY 1) m
        USING (instance_id)
),
-- [child_tags
born_tags AS (
    INSERT INTO instance_tags (tag, instance_id)
    SELECT DISTINCT t.tag, c.instance_id FROM children c JOIN born USING (instance_id), string_to_table(c.tags, E'\n') AS t(tag)
    ORDER BY 1, 2
),
-- child_tags]
-- children]
-- [no_children
born AS (SELECT NULL::uuid AS instance_id WHERE false),
-- no_children]
-- [mail
arrived AS (
    INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload)
    SELECT m.instance_id, m.message_id, m.kind, m.name, m.payload
    FROM unnest(:senders::uuid[], :mail_ids::uuid[], :mail_messages::uuid[], :mail_kinds::text[], :mail_names::text[],
                :mail_payloads::bytea[]) WITH ORDINALITY
        AS m(sender_id, instance_id, message_id, kind, name, payload, position)
    JOIN owned sender ON sender.instance_id = m.sender_id
    LEFT JOIN locked target ON target.instance_id = m.instance_id
    -- A child of this very commit.
    LEFT JOIN born ON born.instance_id = m.instance_id
    LEFT JOIN owned leaving ON leaving.instance_id = m.instance_id AND leaving.next = 2
    WHERE leaving.instance_id IS NULL AND (target.instance_id IS NOT NULL OR born.instance_id IS NOT NULL)
    ORDER BY m.position
    ON CONFLICT DO NOTHING RETURNING instance_id
),
-- A message of this very commit counts as one that the owner has not seen.
fate AS MATERIALIZED (
    SELECT l.instance_id, o.seq, o.expected_seq, o.next, o.scheduled_at, coalesce(a.messages, 0) AS messages,
           coalesce(o.next = 1 AND o.seen = l.wake_seq + coalesce(a.messages, 0), false) AS sleeps
    FROM locked l LEFT JOIN owned o USING (instance_id)
    LEFT JOIN (SELECT instance_id, count(*) AS messages FROM arrived GROUP BY instance_id) a USING (instance_id)
    WHERE o.instance_id IS NOT NULL OR a.messages IS NOT NULL
),
-- mail]
-- [locked_without_mail
fate AS MATERIALIZED (
    SELECT o.instance_id, o.seq, o.expected_seq, o.next, o.scheduled_at, 0 AS messages,
           coalesce(o.next = 1 AND o.seen = o.wake_seq, false) AS sleeps
    FROM owned o
),
-- locked_without_mail]
-- [locked
queue AS (
    UPDATE queued_instances q
    SET seq = coalesce(f.seq, q.seq),
        wake_seq = q.wake_seq + f.messages,
        claims = CASE WHEN f.sleeps OR f.seq > f.expected_seq THEN 0 ELSE q.claims END,
        lock_uuid = CASE WHEN f.sleeps THEN NULL ELSE q.lock_uuid END,
        lock_owner = CASE WHEN f.sleeps THEN NULL ELSE q.lock_owner END,
        lock_expires_at = CASE WHEN f.sleeps THEN NULL ELSE q.lock_expires_at END,
        scheduled_at = CASE WHEN f.sleeps THEN f.scheduled_at
                            WHEN f.messages > 0 AND NOT q.stuck THEN least(q.scheduled_at, clock_timestamp())
                            ELSE q.scheduled_at END
    FROM fate f
    WHERE q.instance_id = f.instance_id AND f.next IS DISTINCT FROM 2
    RETURNING q.instance_id, q.wake_seq, q.lock_uuid
),
-- locked]
-- [finish
gone AS (
    DELETE FROM queued_instances q USING owned o WHERE q.instance_id = o.instance_id AND o.next = 2
),
unread AS (
    DELETE FROM instance_inbox i USING owned o WHERE i.instance_id = o.instance_id AND o.next = 2
),
abandoned AS (
    DELETE FROM queued_actions a USING owned o WHERE a.instance_id = o.instance_id AND o.next = 2
),
-- finish]
answer AS (
    -- [locked
    SELECT o.instance_id, coalesce(q.wake_seq, o.wake_seq) AS wake_seq, q.lock_uuid IS NULL AS released, false AS born
    FROM owned o LEFT JOIN queue q USING (instance_id)
    -- locked]
    -- [plain
    SELECT instance_id, wake_seq, still_locked IS NULL AS released, false AS born FROM owned
    -- plain]
)
SELECT * FROM answer
UNION ALL
SELECT instance_id, 0, false, true FROM born
