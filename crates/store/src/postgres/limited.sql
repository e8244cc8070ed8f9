-- A claim of a queue with settings, made while its lock is held. $1 queue, $2 limit, $3 lock, $4 engine, $5 lease in µs, $6 claims at most,
-- $7 groups to look at.
WITH RECURSIVE fast AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true) AS setting
),
-- What the queue may have beyond what is leased. NULL tokens: no rate.
settings AS MATERIALIZED (
    SELECT s.*, clock.now,
           CASE WHEN s.concurrency IS NULL THEN $2::bigint ELSE s.concurrency - (
               SELECT count(*) FROM (
                   SELECT 1 FROM queued_instances l
                   WHERE l.lock_uuid IS NOT NULL AND l.queue_key IS NOT NULL AND l.queue = $1::text LIMIT s.concurrency
               ) AS held
           ) END AS free,
           least(s.rate, coalesce(b.tokens + greatest(extract(epoch FROM clock.now - b.filled_at)::double precision, 0) * 1e6
                                  * s.rate / s.rate_period_us, s.rate)) AS tokens
    FROM fast CROSS JOIN (SELECT clock_timestamp() AS now) AS clock CROSS JOIN queues s
    LEFT JOIN queue_buckets b ON b.queue = s.name AND b.scope = 0 AND b.queue_key = ''
    WHERE s.name = $1::text AND NOT s.paused
),
-- Groups of a key, a priority, begun or not, each found by one look into the index: from the key after the one that was served last,
-- once around.
walk AS (
    SELECT 0 AS place, 0 AS lap, s.cursor AS queue_key, 32767::smallint AS priority, true AS is_new, 'infinity'::timestamptz AS scheduled_at
    FROM settings s
    UNION ALL
    SELECT w.place + 1, next.lap, next.queue_key, next.priority, next.is_new, next.scheduled_at
    FROM walk w CROSS JOIN settings s CROSS JOIN LATERAL (
        SELECT * FROM (
            (SELECT 0 AS lap, q.queue_key, q.priority, q.is_new, q.scheduled_at FROM queued_instances q
             WHERE q.lock_uuid IS NULL AND q.queue_key IS NOT NULL AND q.scheduled_at < 'infinity' AND q.queue = $1::text
               AND w.lap = 0 AND (q.queue_key, q.priority, q.is_new) > (w.queue_key, w.priority, w.is_new)
             ORDER BY q.queue_key, q.priority, q.is_new, q.scheduled_at LIMIT 1)
            UNION ALL
            (SELECT 1 AS lap, q.queue_key, q.priority, q.is_new, q.scheduled_at FROM queued_instances q
             WHERE q.lock_uuid IS NULL AND q.queue_key IS NOT NULL AND q.scheduled_at < 'infinity' AND q.queue = $1::text
               AND w.lap = 0 AND q.queue_key <= s.cursor
             ORDER BY q.queue_key, q.priority, q.is_new, q.scheduled_at LIMIT 1)
            UNION ALL
            (SELECT 1 AS lap, q.queue_key, q.priority, q.is_new, q.scheduled_at FROM queued_instances q
             WHERE q.lock_uuid IS NULL AND q.queue_key IS NOT NULL AND q.scheduled_at < 'infinity' AND q.queue = $1::text
               AND w.lap = 1 AND q.queue_key <= s.cursor
               AND (q.queue_key, q.priority, q.is_new) > (w.queue_key, w.priority, w.is_new)
             ORDER BY q.queue_key, q.priority, q.is_new, q.scheduled_at LIMIT 1)
        ) AS either LIMIT 1
    ) AS next
    WHERE w.place < $7::integer
),
due AS MATERIALIZED (
    SELECT w.* FROM walk w CROSS JOIN settings s WHERE w.place > 0 AND w.scheduled_at <= s.now
),
-- What each key may have.
keys AS MATERIALIZED (
    SELECT d.queue_key, d.place, d.has_new, s.now,
           CASE WHEN s.key_concurrency IS NULL THEN $2::bigint ELSE s.key_concurrency - (
               SELECT count(*) FROM (
                   SELECT 1 FROM queued_instances l
                   WHERE l.lock_uuid IS NOT NULL AND l.queue_key IS NOT NULL AND l.queue = $1::text AND l.queue_key = d.queue_key
                   LIMIT s.key_concurrency
               ) AS held
           ) END AS free,
           least(s.key_rate, coalesce(b.tokens + greatest(extract(epoch FROM s.now - b.filled_at)::double precision, 0) * 1e6
                                      * s.key_rate / s.key_rate_period_us, s.key_rate)) AS tokens
    FROM settings s
    CROSS JOIN (SELECT queue_key, min(place) AS place, bool_or(is_new) AS has_new FROM due GROUP BY queue_key) AS d
    LEFT JOIN LATERAL (
        SELECT b.tokens, b.filled_at FROM queue_buckets b
        WHERE s.key_rate IS NOT NULL AND b.queue = $1::text AND b.scope = 1 AND b.queue_key = d.queue_key LIMIT 1
    ) AS b ON true
),
share AS MATERIALIZED (
    SELECT greatest(2 * $2::bigint / greatest(count(*), 1), 1) AS share FROM keys WHERE free > 0
),
candidates AS MATERIALIZED (
    SELECT k.queue_key, k.place, k.free, k.tokens, d.priority, d.is_new, c.instance_id, c.scheduled_at
    FROM share CROSS JOIN due d JOIN keys k USING (queue_key) CROSS JOIN LATERAL (
        SELECT q.instance_id, q.scheduled_at FROM queued_instances q
        WHERE q.lock_uuid IS NULL AND q.queue_key IS NOT NULL AND q.scheduled_at < 'infinity' AND q.queue = $1::text
          AND q.queue_key = d.queue_key AND q.priority = d.priority AND q.is_new = d.is_new AND q.scheduled_at <= k.now
        ORDER BY q.scheduled_at LIMIT least(k.free, share.share)
    ) AS c
    WHERE k.free > 0 AND (NOT d.is_new OR k.tokens IS NULL OR k.tokens >= 1)
),
-- A key's turns, of those it has tokens for.
turns AS (
    SELECT p.*, row_number() OVER (PARTITION BY p.queue_key ORDER BY p.priority, p.is_new, p.scheduled_at, p.instance_id) AS turn
    FROM (
        SELECT c.*, count(*) FILTER (WHERE c.is_new)
                        OVER (PARTITION BY c.queue_key ORDER BY c.priority, c.is_new, c.scheduled_at, c.instance_id) AS paid
        FROM candidates c
    ) AS p
    WHERE NOT p.is_new OR p.tokens IS NULL OR p.paid <= p.tokens
),
-- Keys take turns, as far as the queue has tokens and leases.
chosen AS MATERIALIZED (
    SELECT p.instance_id, p.queue_key, p.is_new, p.turn, p.place
    FROM settings s CROSS JOIN (
        SELECT t.*, count(*) FILTER (WHERE t.is_new) OVER (ORDER BY t.turn, t.place, t.instance_id) AS paid_by_all
        FROM turns t WHERE t.turn <= t.free
    ) AS p
    WHERE NOT p.is_new OR s.tokens IS NULL OR p.paid_by_all <= s.tokens
    ORDER BY p.turn, p.place LIMIT (SELECT greatest(least($2::bigint, s.free), 0) FROM settings s)
),
-- Mail or a termination may be writing one of them: it has its turn next time.
picked AS MATERIALIZED (
    SELECT q.instance_id, q.claims, q.queue_key, q.is_new FROM queued_instances q
    WHERE q.instance_id = ANY (ARRAY(SELECT instance_id FROM chosen)) AND q.lock_uuid IS NULL
    ORDER BY q.instance_id FOR UPDATE SKIP LOCKED
),
{TAKE},
paid AS MATERIALIZED (
    SELECT c.queue_key, count(*) AS tokens FROM claimed c WHERE c.fate = 'leased' AND c.was_new GROUP BY c.queue_key
),
key_buckets AS (
    INSERT INTO queue_buckets (queue, scope, queue_key, tokens, filled_at, full_at)
    SELECT s.name, 1, k.queue_key, k.tokens - p.tokens, s.now,
           s.now + (s.key_rate - k.tokens + p.tokens) / s.key_rate * s.key_rate_period_us * interval '1 microsecond'
    FROM settings s CROSS JOIN paid p JOIN keys k USING (queue_key) WHERE k.tokens IS NOT NULL
    ON CONFLICT (queue, scope, queue_key) DO UPDATE
    SET tokens = excluded.tokens, filled_at = excluded.filled_at, full_at = excluded.full_at
),
bucket AS (
    INSERT INTO queue_buckets (queue, scope, queue_key, tokens, filled_at, full_at)
    SELECT s.name, 0, '', s.tokens - p.tokens, s.now,
           s.now + (s.rate - s.tokens + p.tokens) / s.rate * s.rate_period_us * interval '1 microsecond'
    FROM settings s CROSS JOIN (SELECT sum(tokens)::double precision AS tokens FROM paid) AS p
    WHERE s.tokens IS NOT NULL AND p.tokens IS NOT NULL
    ON CONFLICT (queue, scope, queue_key) DO UPDATE
    SET tokens = excluded.tokens, filled_at = excluded.filled_at, full_at = excluded.full_at
),
walked AS MATERIALIZED (
    SELECT coalesce(max(place), 0) >= $7::integer AS is_cut, coalesce(max(lap), 0) > 0 AS is_around,
           (array_agg(queue_key ORDER BY place DESC))[1] AS last_key
    FROM walk
),
moved AS (
    UPDATE queues q
    SET cursor = CASE WHEN (SELECT count(*) FROM chosen) < $2::bigint THEN w.last_key
                      ELSE (SELECT c.queue_key FROM chosen c ORDER BY c.turn DESC, c.place DESC LIMIT 1) END
    FROM walked w
    WHERE q.name = $1::text AND (w.is_cut OR EXISTS (SELECT 1 FROM claimed))
),
waits AS (
    SELECT min(left_us) AS left_us FROM (
        SELECT (1 - k.tokens) * s.key_rate_period_us / s.key_rate AS left_us
        FROM settings s CROSS JOIN keys k WHERE k.has_new AND k.free > 0 AND k.tokens < 1
        UNION ALL
        SELECT (1 - s.tokens) * s.rate_period_us / s.rate FROM settings s
        WHERE s.tokens < 1 AND EXISTS (SELECT 1 FROM keys k WHERE k.has_new AND k.free > 0)
    ) AS each
)
SELECT claimed.instance_id, claimed.fate, waits.left_us AS wait_us,
       EXISTS (SELECT 1 FROM claimed) OR (walked.is_cut AND NOT walked.is_around) AS more
FROM waits CROSS JOIN walked LEFT JOIN claimed ON true
