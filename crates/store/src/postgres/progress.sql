-- One batch of progress. Parameters: $1-$13 an instance each, $14 the queue rows to lock, $15-$24 log rows,
-- $25-$26 consumed messages, $27-$32 mail, $33-$43 children.
WITH want AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::smallint[], $6::timestamptz[], $7::bigint[],
                         $8::text[], $9::text[], $10::bytea[], $11::bytea[], $12::bytea[], $13::bigint[])
        AS w(instance_id, lock_uuid, expected_seq, seq, next, scheduled_at, seen, waits_for, status, result, error, state,
             trim_through)
),
-- In order, so that two batches never wait for each other.
locked AS MATERIALIZED (
    SELECT instance_id, lock_uuid, lock_expires_at, seq, wake_seq FROM queued_instances
    WHERE instance_id = ANY($14::uuid[]) ORDER BY instance_id FOR UPDATE
),
owned AS MATERIALIZED (
    SELECT w.*, l.wake_seq FROM want w JOIN locked l USING (instance_id)
    WHERE l.lock_uuid = w.lock_uuid AND l.lock_expires_at > clock_timestamp() AND l.seq = w.expected_seq
),
logged AS (
    INSERT INTO runner_actions_done
        (instance_id, seq, kind, execution_id, attempt, outcome, happened_at, started_at, worker, digest)
    SELECT l.instance_id, l.seq, l.kind, l.execution_id, l.attempt, l.outcome, l.happened_at, l.started_at, l.worker, l.digest
    FROM unnest($15::uuid[], $16::bigint[], $17::text[], $18::text[], $19::integer[], $20::bytea[], $21::timestamptz[],
                $22::timestamptz[], $23::text[], $24::bigint[])
        AS l(instance_id, seq, kind, execution_id, attempt, outcome, happened_at, started_at, worker, digest)
    JOIN owned o ON o.instance_id = l.instance_id
),
-- Only where there is something to write: most commits leave this table alone.
instances AS (
    UPDATE runner_instances r
    SET state = coalesce(o.state, r.state),
        state_seq = CASE WHEN o.state IS NULL THEN r.state_seq ELSE o.seq END,
        waits_for = CASE WHEN o.next = 2 THEN NULL WHEN o.waits_for IS NULL THEN r.waits_for ELSE nullif(o.waits_for, '') END,
        status = coalesce(o.status, r.status),
        result = coalesce(o.result, r.result),
        error = coalesce(o.error, r.error),
        finished_at = CASE WHEN o.next = 2 THEN clock_timestamp() ELSE r.finished_at END,
        finished_lock = CASE WHEN o.next = 2 THEN o.lock_uuid ELSE r.finished_lock END
    FROM owned o
    WHERE r.instance_id = o.instance_id AND (o.next = 2 OR o.state IS NOT NULL OR o.waits_for IS NOT NULL)
),
trimmed AS (
    DELETE FROM runner_actions_done d
    USING owned o JOIN runner_instances r USING (instance_id)
    WHERE o.trim_through IS NOT NULL AND d.instance_id = o.instance_id
      AND d.seq <= least(o.trim_through, CASE WHEN o.state IS NULL THEN r.state_seq ELSE o.expected_seq END)
),
consumed AS (
    DELETE FROM instance_inbox i
    USING unnest($25::uuid[], $26::uuid[]) AS c(instance_id, message_id) JOIN owned o USING (instance_id)
    WHERE i.instance_id = c.instance_id AND i.message_id = c.message_id
),
arrived AS (
    INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload)
    SELECT m.instance_id, m.message_id, m.kind, m.name, m.payload
    FROM unnest($27::uuid[], $28::uuid[], $29::uuid[], $30::text[], $31::text[], $32::bytea[]) WITH ORDINALITY
        AS m(sender_id, instance_id, message_id, kind, name, payload, position)
    JOIN owned sender ON sender.instance_id = m.sender_id
    JOIN locked target ON target.instance_id = m.instance_id
    LEFT JOIN owned leaving ON leaving.instance_id = m.instance_id AND leaving.next = 2
    WHERE leaving.instance_id IS NULL
    ORDER BY m.position
    ON CONFLICT DO NOTHING RETURNING instance_id
),
-- A message of this very commit counts as one that the owner has not seen.
fate AS MATERIALIZED (
    SELECT l.instance_id, o.instance_id IS NOT NULL AS ours, o.seq, o.expected_seq, o.next, o.scheduled_at,
           coalesce(a.messages, 0) AS messages,
           coalesce(o.next = 1 AND o.seen = l.wake_seq + coalesce(a.messages, 0), false) AS sleeps
    FROM locked l LEFT JOIN owned o USING (instance_id)
    LEFT JOIN (SELECT instance_id, count(*) AS messages FROM arrived GROUP BY instance_id) a USING (instance_id)
    WHERE o.instance_id IS NOT NULL OR a.messages IS NOT NULL
),
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
gone AS (
    DELETE FROM queued_instances q USING owned o WHERE q.instance_id = o.instance_id AND o.next = 2
),
unread AS (
    DELETE FROM instance_inbox i USING owned o WHERE i.instance_id = o.instance_id AND o.next = 2
),
abandoned AS (
    DELETE FROM queued_actions a USING owned o WHERE a.instance_id = o.instance_id AND o.next = 2
),
children AS MATERIALIZED (
    SELECT c.* FROM unnest($33::uuid[], $34::uuid[], $35::uuid[], $36::text[], $37::smallint[], $38::timestamptz[], $39::text[],
                           $40::uuid[], $41::text[], $42::text[], $43::bytea[]) WITH ORDINALITY
        AS c(owner_id, instance_id, workflow_version_id, queue, priority, scheduled_at, user_key, parent_instance_id,
             parent_execution_id, tags, inputs, position)
    JOIN owned o ON o.instance_id = c.owner_id
),
born AS (
    INSERT INTO runner_instances (instance_id, workflow_version_id, workflow_name, user_key, parent_instance_id,
                                  parent_execution_id, tags, created_at, inputs)
    SELECT c.instance_id, v.id, v.workflow_name, c.user_key, c.parent_instance_id, c.parent_execution_id, c.tags,
           clock_timestamp(), c.inputs
    FROM children c JOIN workflow_versions v ON v.id = c.workflow_version_id
    ORDER BY v.workflow_name, c.user_key, c.position
    ON CONFLICT DO NOTHING RETURNING instance_id
),
born_queue AS (
    INSERT INTO queued_instances (instance_id, queue, priority, scheduled_at)
    SELECT c.instance_id, c.queue, c.priority, coalesce(c.scheduled_at, clock_timestamp())
    FROM children c JOIN born USING (instance_id)
)
SELECT o.instance_id, coalesce(q.wake_seq, o.wake_seq) AS wake_seq, q.lock_uuid IS NULL AS released, false AS born
FROM owned o LEFT JOIN queue q USING (instance_id)
UNION ALL
SELECT instance_id, 0, false, true FROM born
