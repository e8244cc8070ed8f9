-- The queue row has the priority while an instance lives; one that is retried after its end has it from here.
ALTER TABLE runner_instances ADD COLUMN priority smallint NOT NULL DEFAULT 1;
UPDATE runner_instances r SET priority = q.priority FROM queued_instances q WHERE q.instance_id = r.instance_id AND q.priority <> 1;

-- The function below is where 0008 put it, and gives the row its priority too.
DO $$
DECLARE
    tables    text := current_schema();
    functions text := CASE WHEN tables = 'public' THEN 'waymark' ELSE tables END;
BEGIN
    PERFORM set_config('waymark.search_path', current_setting('search_path'), true);
    PERFORM set_config('search_path', format('%I, %I, pg_temp', functions, tables), true);
END $$;

-- As `start`, with inputs that are packed already: a MessagePack map of arguments by name.
CREATE OR REPLACE FUNCTION start_packed(
    workflow    text,
    inputs      bytea,
    id          text DEFAULT NULL,
    queue       text DEFAULT 'default',
    key         text DEFAULT NULL,
    priority    integer DEFAULT 1,
    delay       interval DEFAULT NULL,
    timeout     interval DEFAULT NULL,
    tags        text[] DEFAULT '{}',
    on_conflict text DEFAULT NULL
) RETURNS uuid
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    version  uuid;
    instance uuid;
    holder   record;
    due      timestamptz := clock_timestamp() + coalesce(delay, interval '0');
BEGIN
    IF workflow IS NULL OR inputs IS NULL OR queue IS NULL OR priority IS NULL OR tags IS NULL THEN
        RAISE EXCEPTION 'workflow, inputs, queue, priority and tags must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF priority NOT BETWEEN 0 AND 3 THEN
        RAISE EXCEPTION 'priority % is not one of 0 (first) to 3 (last)', priority USING ERRCODE = 'invalid_parameter_value';
    ELSIF delay < interval '0' OR timeout <= interval '0' THEN
        RAISE EXCEPTION 'delay and timeout must not be negative' USING ERRCODE = 'invalid_parameter_value';
    ELSIF octet_length(id) NOT BETWEEN 1 AND 512 OR octet_length(key) NOT BETWEEN 1 AND 512 OR octet_length(queue) NOT BETWEEN 1 AND 256 THEN
        RAISE EXCEPTION 'id and key have 1 to 512 bytes, queue 1 to 256' USING ERRCODE = 'invalid_parameter_value';
    ELSIF cardinality(tags) > 64 OR EXISTS (SELECT FROM unnest(tags) AS t(tag)
        WHERE tag IS NULL OR octet_length(tag) NOT BETWEEN 1 AND 512 OR strpos(tag, E'\n') > 0) THEN
        RAISE EXCEPTION 'there are at most 64 tags, each one line of 1 to 512 bytes' USING ERRCODE = 'invalid_parameter_value';
    ELSIF on_conflict NOT IN ('reject', 'existing') THEN
        RAISE EXCEPTION 'on_conflict is ''reject'' or ''existing'', not ''%''', on_conflict USING ERRCODE = 'invalid_parameter_value',
            HINT = 'leave it out: then the same inputs find the instance that has the id, and others are refused';
    ELSIF on_conflict IS NOT NULL AND id IS NULL THEN
        RAISE EXCEPTION 'what to do about a taken id is said without an id' USING ERRCODE = 'invalid_parameter_value',
            HINT = 'give the start an id';
    END IF;
    SELECT v.id INTO version FROM workflow_versions v WHERE v.workflow_name = workflow ORDER BY v.activated_at DESC LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no workflow %', workflow USING ERRCODE = 'WM001',
            HINT = 'register it first: `waymark dev`, `waymark start-workers` or any start by a client does';
    END IF;
    -- A UUIDv7: the time in milliseconds, then chance.
    instance := encode(
        set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
            PLACING substr(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 3) FROM 1 FOR 6), 52, 1), 53, 1),
        'hex')::uuid;
    -- Whoever has the id may end between two looks; then it is free.
    FOR round IN 1..5 LOOP
        INSERT INTO runner_instances (instance_id, workflow_version_id, workflow_name, user_key, tags, created_at, inputs, queue, queue_key, priority, deadline_at)
        VALUES (instance, version, workflow, start_packed.id, nullif(array_to_string(start_packed.tags, E'\n'), ''), clock_timestamp(),
                start_packed.inputs, start_packed.queue, start_packed.key, start_packed.priority, due + timeout)
        ON CONFLICT DO NOTHING;
        IF FOUND THEN
            INSERT INTO queued_instances (instance_id, queue, queue_key, priority, scheduled_at)
            VALUES (instance, start_packed.queue,
                    coalesce(start_packed.key, (SELECT '' FROM queues s WHERE s.name = start_packed.queue)),
                    start_packed.priority, due);
            INSERT INTO instance_tags (tag, instance_id) SELECT DISTINCT t.tag, instance FROM unnest(start_packed.tags) AS t(tag) ORDER BY 1;
            RETURN instance;
        END IF;
        SELECT r.instance_id, r.inputs = start_packed.inputs AS is_same INTO holder FROM runner_instances r
        WHERE r.workflow_name = workflow AND r.user_key = start_packed.id AND r.user_key IS NOT NULL AND r.finished_at IS NULL;
        CONTINUE WHEN NOT FOUND;
        IF start_packed.on_conflict = 'existing' OR start_packed.on_conflict IS NULL AND holder.is_same THEN
            RETURN holder.instance_id;
        END IF;
        RAISE EXCEPTION 'instance % has the id ''%''%', holder.instance_id, start_packed.id,
            CASE WHEN start_packed.on_conflict IS NULL THEN ', with other inputs' ELSE '' END
            USING ERRCODE = 'WM002', HINT = 'use another id, or on_conflict => ''existing''';
    END LOOP;
    RAISE EXCEPTION 'the id ''%'' changes hands too fast', start_packed.id USING ERRCODE = 'WM002', HINT = 'try again';
END $$;

SELECT set_config('search_path', current_setting('waymark.search_path'), true);
