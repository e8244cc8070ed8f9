SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA waymark;
CREATE FUNCTION waymark.deliver() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
DECLARE
    mail outgoing_mail%ROWTYPE;
BEGIN
    FOR mail IN SELECT * FROM outgoing_mail m WHERE m.transaction_id = pg_current_xact_id() ORDER BY m.instance_id, m.id LOOP
        PERFORM 1 FROM queued_instances q WHERE q.instance_id = mail.instance_id FOR UPDATE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'instance % has ended', mail.instance_id USING ERRCODE = 'WM003';
        END IF;
        INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload)
        VALUES (mail.instance_id, mail.message_id, mail.kind, mail.name, mail.payload)
        ON CONFLICT DO NOTHING;
        IF FOUND THEN
            UPDATE queued_instances q
            SET wake_seq = q.wake_seq + 1,
                scheduled_at = CASE WHEN q.stuck THEN q.scheduled_at ELSE least(q.scheduled_at, clock_timestamp()) END
            WHERE q.instance_id = mail.instance_id;
        END IF;
    END LOOP;
    DELETE FROM outgoing_mail m WHERE m.transaction_id = pg_current_xact_id();
    RETURN NULL;
END $$;
CREATE FUNCTION waymark.derived_id(what text, about bytea) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
    SELECT encode(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex')::uuid
    FROM substr(sha256(convert_to(what, 'UTF8') || '\x00' || about), 1, 16) AS digest
$$;
CREATE FUNCTION waymark.instance_of(workflow text, id text) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
DECLARE
    found_id uuid;
BEGIN
    SELECT r.instance_id INTO found_id FROM runner_instances r
    WHERE r.workflow_name = workflow AND r.user_key = instance_of.id AND r.user_key IS NOT NULL AND r.finished_at IS NULL;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no instance of % that has not ended has the id ''%''', workflow, instance_of.id USING ERRCODE = 'WM003';
    END IF;
    RETURN found_id;
END $$;
CREATE FUNCTION waymark.pack(value jsonb) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
DECLARE
    number numeric;
BEGIN
    CASE jsonb_typeof(value)
        WHEN 'null' THEN RETURN '\xc0';
        WHEN 'boolean' THEN RETURN CASE WHEN value::boolean THEN '\xc3'::bytea ELSE '\xc2'::bytea END;
        WHEN 'string' THEN RETURN pack_text(value #>> '{}');
        WHEN 'number' THEN
            number := value::numeric;
            -- As Python reads it: 1 is an int, 1.0 a float.
            RETURN CASE WHEN scale(number) = 0 THEN pack_integer(number) ELSE '\xcb' || float8send(number::double precision) END;
        WHEN 'array' THEN
            RETURN pack_length(jsonb_array_length(value), 144, 15, '\x00dcdd')
                || coalesce((SELECT string_agg(pack(item), '' ORDER BY place) FROM jsonb_array_elements(value) WITH ORDINALITY AS i(item, place)), '');
        ELSE
            RETURN pack_length((SELECT count(*) FROM jsonb_object_keys(value)), 128, 15, '\x00dedf')
                || coalesce((SELECT string_agg(pack_text(e.key) || pack(e.value), '' ORDER BY place)
                             FROM jsonb_each(value) WITH ORDINALITY AS e(key, value, place)), '');
    END CASE;
END $$;
CREATE FUNCTION waymark.pack_bytes(value bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
    SELECT pack_length(length(value), 0, -1, '\xc4c5c6') || value
$$;
CREATE FUNCTION waymark.pack_integer(value numeric) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
DECLARE
    body bytea := '';
    rest numeric := value;
    low  integer;
BEGIN
    IF value BETWEEN 0 AND 127 THEN RETURN set_byte('\x00', 0, value::integer);
    ELSIF value BETWEEN -32 AND -1 THEN RETURN set_byte('\x00', 0, 256 + value::integer);
    ELSIF value BETWEEN 128 AND 255 THEN RETURN '\xcc' || set_byte('\x00', 0, value::integer);
    ELSIF value BETWEEN 256 AND 65535 THEN RETURN '\xcd' || substr(int4send(value::integer), 3);
    ELSIF value BETWEEN 65536 AND 4294967295 THEN RETURN '\xce' || substr(int8send(value::bigint), 5);
    ELSIF value BETWEEN 4294967296 AND 9223372036854775807 THEN RETURN '\xcf' || int8send(value::bigint);
    ELSIF value BETWEEN -128 AND -33 THEN RETURN '\xd0' || set_byte('\x00', 0, 256 + value::integer);
    ELSIF value BETWEEN -32768 AND -129 THEN RETURN '\xd1' || int2send(value::smallint);
    ELSIF value BETWEEN -2147483648 AND -32769 THEN RETURN '\xd2' || int4send(value::integer);
    ELSIF value BETWEEN -9223372036854775808 AND -2147483649 THEN RETURN '\xd3' || int8send(value::bigint);
    END IF;
    -- Beyond 64 bits: extension 1, two's complement.
    LOOP
        low := mod(mod(rest, 256) + 256, 256)::integer;
        body := set_byte('\x00', 0, low) || body;
        rest := div(rest - low, 256);
        EXIT WHEN (rest = 0 AND low < 128) OR (rest = -1 AND low >= 128);
    END LOOP;
    body := pack_bytes(body);
    RETURN CASE length(body)
        WHEN 16 THEN '\xd8'::bytea
        ELSE CASE WHEN length(body) < 256 THEN '\xc7'::bytea || set_byte('\x00', 0, length(body))
                  ELSE '\xc8'::bytea || substr(int4send(length(body)), 3) END
    END || '\x01' || body;
END $$;
CREATE FUNCTION waymark.pack_length(length bigint, short integer, short_max integer, wide bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
    -- `wide` has the markers of lengths of one, two and four bytes; arrays and maps have none of one byte.
    SELECT CASE
        WHEN length <= short_max THEN set_byte('\x00', 0, short + length::integer)
        WHEN length < 256 AND get_byte(wide, 0) > 0 THEN substr(wide, 1, 1) || set_byte('\x00', 0, length::integer)
        WHEN length < 65536 THEN substr(wide, 2, 1) || substr(int4send(length::integer), 3)
        ELSE substr(wide, 3, 1) || substr(int8send(length), 5)
    END
$$;
CREATE FUNCTION waymark.pack_text(value text) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
    SELECT pack_length(length(convert_to(value, 'UTF8')), 160, 31, '\xd9dadb') || convert_to(value, 'UTF8')
$$;
CREATE FUNCTION waymark.settle(instance uuid, execution text, attempt integer, completed boolean, content bytea) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
DECLARE
    about    text := settle.execution || '/' || settle.attempt;
    event    bytea := '\x81' || pack_text('Settled') || '\x93'
        || pack_integer(split_part(settle.execution, '-', 3)::numeric) || pack_integer(settle.attempt)
        || '\x81' || pack_text(CASE WHEN completed THEN 'Completed' ELSE 'Failed' END) || pack_bytes(content);
    is_first boolean;
BEGIN
    -- Set at the beginning, for this transaction alone.
    IF completed AND current_setting('waymark.attempt', true) IS DISTINCT FROM about THEN
        RAISE EXCEPTION 'the action has ended its transaction by itself' USING ERRCODE = 'WM005',
            HINT = 'leave COMMIT and ROLLBACK to Waymark; a savepoint can be rolled back';
    END IF;
    INSERT INTO transaction_attempts (instance_id, execution_id, attempt, payload)
    VALUES (settle.instance, settle.execution, settle.attempt, event)
    ON CONFLICT DO NOTHING;
    is_first := FOUND;
    IF NOT is_first THEN
        SELECT a.payload INTO STRICT event FROM transaction_attempts a
        WHERE a.instance_id = settle.instance AND a.execution_id = settle.execution AND a.attempt = settle.attempt;
    END IF;
    INSERT INTO outgoing_mail (instance_id, message_id, kind, name, payload)
    VALUES (settle.instance, derived_id('transaction', convert_to(about, 'UTF8')), 'transaction', about, event);
    RETURN is_first;
END $$;
CREATE FUNCTION waymark.signal(instance uuid, name text, payload jsonb DEFAULT 'null'::jsonb, id text DEFAULT NULL::text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
    SELECT signal_packed(instance, name, pack(coalesce(payload, 'null')), id)
$$;
CREATE FUNCTION waymark.signal_packed(instance uuid, name text, payload bytea, id text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
DECLARE
    ended boolean;
    event bytea;
BEGIN
    IF instance IS NULL OR payload IS NULL THEN
        RAISE EXCEPTION 'instance and payload must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF coalesce(octet_length(name), 0) NOT BETWEEN 1 AND 256 OR octet_length(id) NOT BETWEEN 1 AND 500 THEN
        RAISE EXCEPTION 'the name of a signal has 1 to 256 bytes, its id 1 to 500' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT r.finished_at IS NOT NULL INTO ended FROM runner_instances r WHERE r.instance_id = instance;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no instance %', instance USING ERRCODE = 'WM003';
    ELSIF ended THEN
        RAISE EXCEPTION 'instance % has ended', instance USING ERRCODE = 'WM003';
    END IF;
    event := '\x81' || pack_text('Signal') || '\x93' || pack_text(signal_packed.name) || pack_bytes(signal_packed.payload)
        || coalesce(pack_text(signal_packed.id), '\xc0');
    INSERT INTO outgoing_mail (instance_id, message_id, kind, name, payload)
    VALUES (instance,
            coalesce(derived_id('signal', uuid_send(instance) || convert_to(signal_packed.id, 'UTF8')), gen_random_uuid()),
            'signal', signal_packed.name, event);
END $$;
CREATE FUNCTION waymark.start(workflow text, inputs jsonb DEFAULT '{}'::jsonb, id text DEFAULT NULL::text, queue text DEFAULT 'default'::text, key text DEFAULT NULL::text, priority integer DEFAULT 1, delay interval DEFAULT NULL::interval, timeout interval DEFAULT NULL::interval, tags text[] DEFAULT '{}'::text[], on_conflict text DEFAULT NULL::text) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
BEGIN
    IF jsonb_typeof(inputs) <> 'object' THEN
        RAISE EXCEPTION 'the inputs are no object of arguments by name' USING ERRCODE = 'invalid_parameter_value',
            HINT = 'write ''{"name": value}''';
    END IF;
    RETURN start_packed(workflow, pack(inputs), id, queue, key, priority, delay, timeout, tags, on_conflict);
END $$;
CREATE FUNCTION waymark.start_packed(workflow text, inputs bytea, id text DEFAULT NULL::text, queue text DEFAULT 'default'::text, key text DEFAULT NULL::text, priority integer DEFAULT 1, delay interval DEFAULT NULL::interval, timeout interval DEFAULT NULL::interval, tags text[] DEFAULT '{}'::text[], on_conflict text DEFAULT NULL::text) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'waymark', 'public', 'pg_temp'
    AS $$
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
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.instance_inbox (
    id bigint NOT NULL,
    instance_id uuid NOT NULL,
    message_id uuid NOT NULL,
    arrived_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    payload bytea NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');
ALTER TABLE public.instance_inbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.instance_inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.instance_replies (
    instance_id uuid NOT NULL,
    update_id text NOT NULL,
    is_error boolean NOT NULL,
    content bytea NOT NULL
);
CREATE TABLE public.instance_tags (
    tag text NOT NULL,
    instance_id uuid NOT NULL
);
CREATE TABLE public.outgoing_mail (
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    id bigint NOT NULL,
    instance_id uuid NOT NULL,
    message_id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    payload bytea NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');
ALTER TABLE public.outgoing_mail ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outgoing_mail_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.paused_workflows (
    workflow_name text NOT NULL,
    paused_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.queue_buckets (
    queue text NOT NULL,
    scope smallint NOT NULL,
    queue_key text NOT NULL,
    tokens double precision NOT NULL,
    filled_at timestamp with time zone NOT NULL,
    full_at timestamp with time zone NOT NULL
)
WITH (fillfactor='60');
CREATE TABLE public.queued_actions (
    id bigint NOT NULL,
    instance_id uuid NOT NULL,
    execution_id text NOT NULL,
    attempt integer NOT NULL,
    lock_uuid uuid,
    lock_expires_at timestamp with time zone,
    queued_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    queue text NOT NULL,
    action text NOT NULL,
    lock_owner text,
    payload bytea NOT NULL,
    claims integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');
ALTER TABLE public.queued_actions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.queued_actions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.queued_instances (
    instance_id uuid NOT NULL,
    lock_uuid uuid,
    scheduled_at timestamp with time zone NOT NULL,
    lock_expires_at timestamp with time zone,
    wake_seq bigint DEFAULT 0 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    claims integer DEFAULT 0 NOT NULL,
    priority smallint NOT NULL,
    stuck boolean DEFAULT false NOT NULL,
    queue text NOT NULL,
    lock_owner text,
    queue_key text,
    is_new boolean DEFAULT true NOT NULL,
    parked_due_at timestamp with time zone
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_analyze_scale_factor='0.05', autovacuum_vacuum_cost_delay='0');
CREATE TABLE public.queues (
    name text NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    fair boolean DEFAULT false NOT NULL,
    concurrency integer,
    key_concurrency integer,
    rate integer,
    rate_period_us bigint,
    key_rate integer,
    key_rate_period_us bigint,
    cursor text DEFAULT ''::text NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.runner_actions_done (
    instance_id uuid NOT NULL,
    seq bigint NOT NULL,
    happened_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    digest bigint NOT NULL,
    attempt integer,
    kind text NOT NULL,
    execution_id text,
    worker text,
    outcome bytea NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_insert_scale_factor='0.2');
CREATE TABLE public.runner_instances (
    instance_id uuid NOT NULL,
    workflow_version_id uuid NOT NULL,
    parent_instance_id uuid,
    finished_lock uuid,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    state_seq bigint DEFAULT 0 NOT NULL,
    workflow_name text NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    user_key text,
    parent_execution_id text,
    tags text,
    waits_for text,
    stuck_reason text,
    inputs bytea NOT NULL,
    result bytea,
    error bytea,
    state bytea,
    queue text DEFAULT 'default'::text NOT NULL,
    queue_key text,
    schedule_id uuid,
    deadline_at timestamp with time zone,
    error_type text,
    priority smallint DEFAULT 1 NOT NULL,
    CONSTRAINT runner_instances_status_check CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'stuck'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'terminated'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY public.runner_instances ALTER COLUMN state SET STORAGE EXTERNAL;
CREATE TABLE public.transaction_attempts (
    instance_id uuid NOT NULL,
    execution_id text NOT NULL,
    attempt integer NOT NULL,
    payload bytea NOT NULL
);
CREATE TABLE public.waymark_meta (
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.waymark_migrations (
    number bigint NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL
);
CREATE TABLE public.worker_status (
    pool_id text NOT NULL,
    worker_id text NOT NULL,
    language text NOT NULL,
    in_flight bigint NOT NULL,
    completed bigint NOT NULL,
    failed bigint NOT NULL,
    actions_per_second double precision NOT NULL,
    latency_p50_us bigint NOT NULL,
    latency_p99_us bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE public.workflow_retention (
    workflow_name text NOT NULL,
    keep_us bigint
);
CREATE TABLE public.workflow_schedules (
    id uuid NOT NULL,
    workflow_name text NOT NULL,
    schedule_name text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    definition bytea NOT NULL,
    next_run_at timestamp with time zone,
    last_run_at timestamp with time zone,
    last_instance_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    handled_until timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    buffered_at timestamp with time zone,
    runs bigint DEFAULT 0 NOT NULL,
    overlapped bigint DEFAULT 0 NOT NULL,
    missed bigint DEFAULT 0 NOT NULL,
    CONSTRAINT workflow_schedules_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
);
CREATE TABLE public.workflow_versions (
    id uuid NOT NULL,
    workflow_name text NOT NULL,
    workflow_version text NOT NULL,
    ir_hash text NOT NULL,
    program_proto bytea NOT NULL,
    source text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    activated_at timestamp with time zone NOT NULL
);
INSERT INTO public.instance_tags VALUES ('kept', '01a1e7cf-c94a-7f5f-a7dd-639de65e4955');
INSERT INTO public.queued_instances VALUES ('01a1e7cf-c94a-7f5f-a7dd-639de65e4955', NULL, '2126-10-24 04:41:56.820953+00', NULL, 0, 2, 0, 1, false, 'default', NULL, 'tenant', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', NULL, 'infinity', NULL, 0, 401, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e7cf-c959-77b0-aaf2-f3d6ae1ed986', NULL, 'infinity', NULL, 0, 1, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e7cf-c963-7a4a-9017-bcd7a98df691', NULL, '2026-11-17 04:42:26.859915+00', NULL, 0, 2, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e7cf-c973-76d8-914d-fae68089dfbe', NULL, 'infinity', NULL, 1, 3, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('f258884e-e635-874a-8661-c8aba1d55b03', NULL, '2126-10-24 04:41:56.849624+00', NULL, 0, 2, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e7cf-dce2-712f-aa31-9abbc3e8f534', NULL, '2026-11-17 04:42:06.855238+00', NULL, 0, 2, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queues VALUES ('default', false, false, NULL, 50, NULL, NULL, NULL, NULL, '');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c8b3-702a-b76b-dc40f97a7e9f', 1, '2026-11-17 04:41:56.805396+00', NULL, 6737255523991292031, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e07');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c8b3-702a-b76b-dc40f97a7e9f', 2, '2026-11-17 04:41:56.807052+00', '2026-11-17 04:41:56.805605+00', 1288110467948447260, 1, 'settled', '01a1e7cfc8b3702ab76bdc40f97a7e9f-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c4010e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c93b-7355-835b-d8e4389b527b', 1, '2026-11-17 04:41:56.81992+00', NULL, -7354802984781414231, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e01');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c93b-7355-835b-d8e4389b527b', 2, '2026-11-17 04:41:56.82073+00', '2026-11-17 04:41:56.820113+00', 2000529841182824326, 1, 'settled', '01a1e7cfc93b7355835bd8e4389b527b-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c40102');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94a-7f5f-a7dd-639de65e4955', 1, '2026-11-17 04:41:56.81992+00', NULL, -7354802984781414231, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e05');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94a-7f5f-a7dd-639de65e4955', 2, '2026-11-17 04:41:56.820953+00', '2026-11-17 04:41:56.820113+00', -7381804688263942110, 1, 'settled', '01a1e7cfc94a7f5fa7dd639de65e4955-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c4010a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 1, '2026-11-17 04:41:56.829786+00', NULL, -8382804798743584431, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40a81a5636f756e74cd0190');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 2, '2026-11-17 04:41:56.83088+00', '2026-11-17 04:41:56.829857+00', -2655950991350396007, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c40100');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 3, '2026-11-17 04:41:56.83342+00', '2026-11-17 04:41:56.832729+00', 4589437712348771791, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-2', 'vm-1', '\x81a7536574746c656493020181a9436f6d706c65746564c40102');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 4, '2026-11-17 04:41:56.835337+00', '2026-11-17 04:41:56.834652+00', 3965278401562266478, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-3', 'vm-1', '\x81a7536574746c656493030181a9436f6d706c65746564c40104');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 5, '2026-11-17 04:41:56.839402+00', '2026-11-17 04:41:56.838486+00', 2683046547246957027, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-4', 'vm-1', '\x81a7536574746c656493040181a9436f6d706c65746564c40106');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 6, '2026-11-17 04:41:56.840343+00', '2026-11-17 04:41:56.839901+00', -8369387620502290709, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-5', 'vm-1', '\x81a7536574746c656493050181a9436f6d706c65746564c40108');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 7, '2026-11-17 04:41:56.841267+00', '2026-11-17 04:41:56.84086+00', 8488841305933663472, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-6', 'vm-1', '\x81a7536574746c656493060181a9436f6d706c65746564c4010a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 8, '2026-11-17 04:41:56.843109+00', '2026-11-17 04:41:56.842202+00', -4518430951790022853, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-7', 'vm-1', '\x81a7536574746c656493070181a9436f6d706c65746564c4010c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 9, '2026-11-17 04:41:56.844619+00', '2026-11-17 04:41:56.843855+00', -521401650612922573, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-8', 'vm-1', '\x81a7536574746c656493080181a9436f6d706c65746564c4010e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 10, '2026-11-17 04:41:56.845576+00', '2026-11-17 04:41:56.84498+00', 3449679652269188600, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-9', 'vm-1', '\x81a7536574746c656493090181a9436f6d706c65746564c40110');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c959-77b0-aaf2-f3d6ae1ed986', 1, '2026-11-17 04:41:56.843109+00', NULL, -9120787681139798598, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e09');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 11, '2026-11-17 04:41:56.846569+00', '2026-11-17 04:41:56.846131+00', 230277240047493524, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-10', 'vm-1', '\x81a7536574746c6564930a0181a9436f6d706c65746564c40112');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 12, '2026-11-17 04:41:56.848622+00', '2026-11-17 04:41:56.84803+00', 4209752335236139955, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-11', 'vm-1', '\x81a7536574746c6564930b0181a9436f6d706c65746564c40114');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 13, '2026-11-17 04:41:56.849624+00', '2026-11-17 04:41:56.849103+00', 6518193224614107877, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-12', 'vm-1', '\x81a7536574746c6564930c0181a9436f6d706c65746564c40116');
INSERT INTO public.runner_actions_done VALUES ('f258884e-e635-874a-8661-c8aba1d55b03', 1, '2026-11-17 04:41:56.849043+00', NULL, -7354802984781414231, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e09');
INSERT INTO public.runner_actions_done VALUES ('f258884e-e635-874a-8661-c8aba1d55b03', 2, '2026-11-17 04:41:56.849624+00', '2026-11-17 04:41:56.849103+00', 434715244517040181, 1, 'settled', 'f258884ee635874a8661c8aba1d55b03-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c40112');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 14, '2026-11-17 04:41:56.851727+00', '2026-11-17 04:41:56.85134+00', 1927988579812610544, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-13', 'vm-1', '\x81a7536574746c6564930d0181a9436f6d706c65746564c40118');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 15, '2026-11-17 04:41:56.852708+00', '2026-11-17 04:41:56.852269+00', -1344562307779076404, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-14', 'vm-1', '\x81a7536574746c6564930e0181a9436f6d706c65746564c4011a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 16, '2026-11-17 04:41:56.853903+00', '2026-11-17 04:41:56.853411+00', -7289225331957079236, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-15', 'vm-1', '\x81a7536574746c6564930f0181a9436f6d706c65746564c4011c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 17, '2026-11-17 04:41:56.854823+00', '2026-11-17 04:41:56.854273+00', -1179187708430610031, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-16', 'vm-1', '\x81a7536574746c656493100181a9436f6d706c65746564c4011e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 18, '2026-11-17 04:41:56.856044+00', '2026-11-17 04:41:56.855511+00', 7315235482618644733, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-17', 'vm-1', '\x81a7536574746c656493110181a9436f6d706c65746564c40120');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c973-76d8-914d-fae68089dfbe', 1, '2026-11-17 04:41:56.85741+00', NULL, -7354802984781414231, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e02');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c973-76d8-914d-fae68089dfbe', 2, '2026-11-17 04:41:56.858502+00', '2026-11-17 04:41:56.85757+00', -1745386400830403968, 1, 'settled', '01a1e7cfc97376d8914dfae68089dfbe-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c40104');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c963-7a4a-9017-bcd7a98df691', 1, '2026-11-17 04:41:56.858502+00', NULL, 4045911834541784254, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e03');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c963-7a4a-9017-bcd7a98df691', 2, '2026-11-17 04:41:56.859915+00', '2026-11-17 04:41:56.858794+00', 318241201269950534, 1, 'settled', '01a1e7cfc9637a4a9017bcd7a98df691-0-1', 'vm-1', '\x81a7536574746c656493010181a64661696c6564c494c791069aaf436f6e6e656374696f6e4572726f7293a74f534572726f72a9457863657074696f6ead42617365457863657074696f6e91a76e6f742079657480a76e6f7420796574c0c0c29091d94646696c6520226170702e7079222c206c696e652033302c20696e206d656e6465640a20202020726169736520436f6e6e656374696f6e4572726f7228226e6f74207965742229');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 19, '2026-11-17 04:41:56.85741+00', '2026-11-17 04:41:56.856781+00', -7675479460622198545, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-18', 'vm-1', '\x81a7536574746c656493120181a9436f6d706c65746564c40122');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 20, '2026-11-17 04:41:56.86087+00', '2026-11-17 04:41:56.860498+00', 9067062232522291004, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-19', 'vm-1', '\x81a7536574746c656493130181a9436f6d706c65746564c40124');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 21, '2026-11-17 04:41:56.861869+00', '2026-11-17 04:41:56.861477+00', -434478329922658804, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-20', 'vm-1', '\x81a7536574746c656493140181a9436f6d706c65746564c40126');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 22, '2026-11-17 04:41:56.862742+00', '2026-11-17 04:41:56.862324+00', 5356512349286924172, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-21', 'vm-1', '\x81a7536574746c656493150181a9436f6d706c65746564c40128');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 23, '2026-11-17 04:41:56.863596+00', '2026-11-17 04:41:56.863168+00', -3970775510469608213, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-22', 'vm-1', '\x81a7536574746c656493160181a9436f6d706c65746564c4012a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 24, '2026-11-17 04:41:56.864506+00', '2026-11-17 04:41:56.864079+00', 8257195468648672634, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-23', 'vm-1', '\x81a7536574746c656493170181a9436f6d706c65746564c4012c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 25, '2026-11-17 04:41:56.865312+00', '2026-11-17 04:41:56.864916+00', 7687757907406633884, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-24', 'vm-1', '\x81a7536574746c656493180181a9436f6d706c65746564c4012e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 26, '2026-11-17 04:41:56.866125+00', '2026-11-17 04:41:56.865729+00', -6804978270195255057, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-25', 'vm-1', '\x81a7536574746c656493190181a9436f6d706c65746564c40130');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 27, '2026-11-17 04:41:56.867072+00', '2026-11-17 04:41:56.866638+00', 64367308402375507, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-26', 'vm-1', '\x81a7536574746c6564931a0181a9436f6d706c65746564c40132');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 28, '2026-11-17 04:41:56.86803+00', '2026-11-17 04:41:56.867511+00', 924768948986359294, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-27', 'vm-1', '\x81a7536574746c6564931b0181a9436f6d706c65746564c40134');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 29, '2026-11-17 04:41:56.868857+00', '2026-11-17 04:41:56.868438+00', 3916072334811196687, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-28', 'vm-1', '\x81a7536574746c6564931c0181a9436f6d706c65746564c40136');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 30, '2026-11-17 04:41:56.86987+00', '2026-11-17 04:41:56.869442+00', 3361088109757497683, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-29', 'vm-1', '\x81a7536574746c6564931d0181a9436f6d706c65746564c40138');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 31, '2026-11-17 04:41:56.870723+00', '2026-11-17 04:41:56.870309+00', 5100895180852784079, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-30', 'vm-1', '\x81a7536574746c6564931e0181a9436f6d706c65746564c4013a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 32, '2026-11-17 04:41:56.871631+00', '2026-11-17 04:41:56.871156+00', 3579145595622008697, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-31', 'vm-1', '\x81a7536574746c6564931f0181a9436f6d706c65746564c4013c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 33, '2026-11-17 04:41:56.872532+00', '2026-11-17 04:41:56.872078+00', 7143396755396564996, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-32', 'vm-1', '\x81a7536574746c656493200181a9436f6d706c65746564c4013e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 34, '2026-11-17 04:41:56.873356+00', '2026-11-17 04:41:56.87294+00', -4418853068135804456, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-33', 'vm-1', '\x81a7536574746c656493210181a9436f6d706c65746564c40140');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 35, '2026-11-17 04:41:56.874236+00', '2026-11-17 04:41:56.87385+00', 1879892303654523533, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-34', 'vm-1', '\x81a7536574746c656493220181a9436f6d706c65746564c40142');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 36, '2026-11-17 04:41:56.875093+00', '2026-11-17 04:41:56.874718+00', -8139985083615392906, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-35', 'vm-1', '\x81a7536574746c656493230181a9436f6d706c65746564c40144');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 37, '2026-11-17 04:41:56.876202+00', '2026-11-17 04:41:56.875519+00', -7178266211587959029, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-36', 'vm-1', '\x81a7536574746c656493240181a9436f6d706c65746564c40146');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 38, '2026-11-17 04:41:56.877321+00', '2026-11-17 04:41:56.876746+00', 7545676215981167235, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-37', 'vm-1', '\x81a7536574746c656493250181a9436f6d706c65746564c40148');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 39, '2026-11-17 04:41:56.878534+00', '2026-11-17 04:41:56.878075+00', 4815454949711013046, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-38', 'vm-1', '\x81a7536574746c656493260181a9436f6d706c65746564c4014a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 42, '2026-11-17 04:41:56.88347+00', '2026-11-17 04:41:56.883014+00', -2775541266095131318, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-41', 'vm-1', '\x81a7536574746c656493290181a9436f6d706c65746564c40150');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 43, '2026-11-17 04:41:56.884875+00', '2026-11-17 04:41:56.884504+00', 1824474814929886962, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-42', 'vm-1', '\x81a7536574746c6564932a0181a9436f6d706c65746564c40152');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 45, '2026-11-17 04:41:56.887683+00', '2026-11-17 04:41:56.887102+00', 3281207086192287028, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-44', 'vm-1', '\x81a7536574746c6564932c0181a9436f6d706c65746564c40156');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 50, '2026-11-17 04:41:56.895554+00', '2026-11-17 04:41:56.895054+00', -8680355285659860308, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-49', 'vm-1', '\x81a7536574746c656493310181a9436f6d706c65746564c40160');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c973-76d8-914d-fae68089dfbe', 3, '2026-11-17 04:41:56.897815+00', NULL, -4793672018772322677, NULL, 'pause', NULL, NULL, '\xa55061757365');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 57, '2026-11-17 04:41:56.902919+00', '2026-11-17 04:41:56.902536+00', -3152688479765005314, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-56', 'vm-1', '\x81a7536574746c656493380181a9436f6d706c65746564c4016e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 61, '2026-11-17 04:41:56.906407+00', '2026-11-17 04:41:56.90599+00', 7040578104414965866, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-60', 'vm-1', '\x81a7536574746c6564933c0181a9436f6d706c65746564c40176');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 65, '2026-11-17 04:41:56.909827+00', '2026-11-17 04:41:56.90945+00', 330247620833761601, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-64', 'vm-1', '\x81a7536574746c656493400181a9436f6d706c65746564c4017e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 69, '2026-11-17 04:41:56.913312+00', '2026-11-17 04:41:56.912928+00', -8074201504356048628, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-68', 'vm-1', '\x81a7536574746c656493440181a9436f6d706c65746564c402cc86');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 72, '2026-11-17 04:41:56.916251+00', '2026-11-17 04:41:56.915738+00', -5130034279997760986, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-71', 'vm-1', '\x81a7536574746c656493470181a9436f6d706c65746564c402cc8c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 76, '2026-11-17 04:41:56.920255+00', '2026-11-17 04:41:56.919733+00', 5025330089002232835, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-75', 'vm-1', '\x81a7536574746c6564934b0181a9436f6d706c65746564c402cc94');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 80, '2026-11-17 04:41:56.923626+00', '2026-11-17 04:41:56.92318+00', -8209877207184697328, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-79', 'vm-1', '\x81a7536574746c6564934f0181a9436f6d706c65746564c402cc9c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 84, '2026-11-17 04:41:56.926997+00', '2026-11-17 04:41:56.926616+00', 4674029360110526146, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-83', 'vm-1', '\x81a7536574746c656493530181a9436f6d706c65746564c402cca4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 88, '2026-11-17 04:41:56.930448+00', '2026-11-17 04:41:56.930011+00', -2746244384272476847, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-87', 'vm-1', '\x81a7536574746c656493570181a9436f6d706c65746564c402ccac');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 92, '2026-11-17 04:41:56.933907+00', '2026-11-17 04:41:56.933552+00', -3488169780525931592, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-91', 'vm-1', '\x81a7536574746c6564935b0181a9436f6d706c65746564c402ccb4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 95, '2026-11-17 04:41:56.938191+00', '2026-11-17 04:41:56.937662+00', -289263206729618142, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-94', 'vm-1', '\x81a7536574746c6564935e0181a9436f6d706c65746564c402ccba');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 99, '2026-11-17 04:41:56.941695+00', '2026-11-17 04:41:56.941276+00', 6379706828602875137, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-98', 'vm-1', '\x81a7536574746c656493620181a9436f6d706c65746564c402ccc2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 103, '2026-11-17 04:41:56.945066+00', '2026-11-17 04:41:56.944684+00', -311692998375503290, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-102', 'vm-1', '\x81a7536574746c656493660181a9436f6d706c65746564c402ccca');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 107, '2026-11-17 04:41:56.948462+00', '2026-11-17 04:41:56.948033+00', 6931195681936739888, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-106', 'vm-1', '\x81a7536574746c6564936a0181a9436f6d706c65746564c402ccd2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 111, '2026-11-17 04:41:56.951691+00', '2026-11-17 04:41:56.951273+00', -4485903405220709705, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-110', 'vm-1', '\x81a7536574746c6564936e0181a9436f6d706c65746564c402ccda');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 115, '2026-11-17 04:41:56.955029+00', '2026-11-17 04:41:56.95465+00', -141718354519635466, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-114', 'vm-1', '\x81a7536574746c656493720181a9436f6d706c65746564c402cce2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 119, '2026-11-17 04:41:56.958354+00', '2026-11-17 04:41:56.957978+00', 6408048107212832650, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-118', 'vm-1', '\x81a7536574746c656493760181a9436f6d706c65746564c402ccea');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 122, '2026-11-17 04:41:56.961165+00', '2026-11-17 04:41:56.96078+00', 7085613703389268633, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-121', 'vm-1', '\x81a7536574746c656493790181a9436f6d706c65746564c402ccf0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 126, '2026-11-17 04:41:56.964561+00', '2026-11-17 04:41:56.964134+00', 2446066569782741638, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-125', 'vm-1', '\x81a7536574746c6564937d0181a9436f6d706c65746564c402ccf8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 130, '2026-11-17 04:41:56.967953+00', '2026-11-17 04:41:56.967483+00', -7716700631391222704, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-129', 'vm-1', '\x81a7536574746c656493cc810181a9436f6d706c65746564c403cd0100');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 134, '2026-11-17 04:41:56.971168+00', '2026-11-17 04:41:56.970789+00', -4311799171093870835, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-133', 'vm-1', '\x81a7536574746c656493cc850181a9436f6d706c65746564c403cd0108');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 138, '2026-11-17 04:41:56.97454+00', '2026-11-17 04:41:56.974121+00', -3816536572535581196, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-137', 'vm-1', '\x81a7536574746c656493cc890181a9436f6d706c65746564c403cd0110');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 142, '2026-11-17 04:41:56.977915+00', '2026-11-17 04:41:56.977541+00', -114055042426541226, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-141', 'vm-1', '\x81a7536574746c656493cc8d0181a9436f6d706c65746564c403cd0118');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 149, '2026-11-17 04:41:56.983731+00', '2026-11-17 04:41:56.983262+00', -5577356342174840633, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-148', 'vm-1', '\x81a7536574746c656493cc940181a9436f6d706c65746564c403cd0126');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 153, '2026-11-17 04:41:56.987237+00', '2026-11-17 04:41:56.986837+00', -6229510435985072820, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-152', 'vm-1', '\x81a7536574746c656493cc980181a9436f6d706c65746564c403cd012e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 157, '2026-11-17 04:41:56.990602+00', '2026-11-17 04:41:56.990165+00', -1983275751838122209, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-156', 'vm-1', '\x81a7536574746c656493cc9c0181a9436f6d706c65746564c403cd0136');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 161, '2026-11-17 04:41:56.993905+00', '2026-11-17 04:41:56.99351+00', 6714674886106757904, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-160', 'vm-1', '\x81a7536574746c656493cca00181a9436f6d706c65746564c403cd013e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 165, '2026-11-17 04:41:56.997198+00', '2026-11-17 04:41:56.996827+00', 5332009010833804960, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-164', 'vm-1', '\x81a7536574746c656493cca40181a9436f6d706c65746564c403cd0146');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 169, '2026-11-17 04:41:57.000513+00', '2026-11-17 04:41:57.000101+00', -7872878846454289451, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-168', 'vm-1', '\x81a7536574746c656493cca80181a9436f6d706c65746564c403cd014e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 172, '2026-11-17 04:41:57.003514+00', '2026-11-17 04:41:57.003079+00', 8638033747939612820, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-171', 'vm-1', '\x81a7536574746c656493ccab0181a9436f6d706c65746564c403cd0154');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 176, '2026-11-17 04:41:57.006917+00', '2026-11-17 04:41:57.006509+00', -3310392073120267366, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-175', 'vm-1', '\x81a7536574746c656493ccaf0181a9436f6d706c65746564c403cd015c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 180, '2026-11-17 04:41:57.010197+00', '2026-11-17 04:41:57.009794+00', 4690815740700907663, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-179', 'vm-1', '\x81a7536574746c656493ccb30181a9436f6d706c65746564c403cd0164');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 184, '2026-11-17 04:41:57.013611+00', '2026-11-17 04:41:57.013137+00', -6666728159468944417, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-183', 'vm-1', '\x81a7536574746c656493ccb70181a9436f6d706c65746564c403cd016c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 188, '2026-11-17 04:41:57.017233+00', '2026-11-17 04:41:57.016839+00', -1726899228631345047, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-187', 'vm-1', '\x81a7536574746c656493ccbb0181a9436f6d706c65746564c403cd0174');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 192, '2026-11-17 04:41:57.021418+00', '2026-11-17 04:41:57.020973+00', -2589376526221297547, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-191', 'vm-1', '\x81a7536574746c656493ccbf0181a9436f6d706c65746564c403cd017c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 195, '2026-11-17 04:41:57.024476+00', '2026-11-17 04:41:57.02397+00', 8086817823357590840, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-194', 'vm-1', '\x81a7536574746c656493ccc20181a9436f6d706c65746564c403cd0182');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 199, '2026-11-17 04:41:57.03214+00', '2026-11-17 04:41:57.028422+00', 5925476667932299468, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-198', 'vm-1', '\x81a7536574746c656493ccc60181a9436f6d706c65746564c403cd018a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 203, '2026-11-17 04:41:57.040767+00', '2026-11-17 04:41:57.040301+00', -2364607629420525957, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-202', 'vm-1', '\x81a7536574746c656493ccca0181a9436f6d706c65746564c403cd0192');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 207, '2026-11-17 04:41:57.044511+00', '2026-11-17 04:41:57.044006+00', -4264723697129484705, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-206', 'vm-1', '\x81a7536574746c656493ccce0181a9436f6d706c65746564c403cd019a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 210, '2026-11-17 04:41:57.047807+00', '2026-11-17 04:41:57.047313+00', -4409174757195365349, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-209', 'vm-1', '\x81a7536574746c656493ccd10181a9436f6d706c65746564c403cd01a0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 214, '2026-11-17 04:41:57.051654+00', '2026-11-17 04:41:57.051159+00', 5210212022083068497, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-213', 'vm-1', '\x81a7536574746c656493ccd50181a9436f6d706c65746564c403cd01a8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 218, '2026-11-17 04:41:57.055364+00', '2026-11-17 04:41:57.054908+00', 5863524565967395161, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-217', 'vm-1', '\x81a7536574746c656493ccd90181a9436f6d706c65746564c403cd01b0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 222, '2026-11-17 04:41:57.05909+00', '2026-11-17 04:41:57.058633+00', 1437211271388335811, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-221', 'vm-1', '\x81a7536574746c656493ccdd0181a9436f6d706c65746564c403cd01b8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 226, '2026-11-17 04:41:57.06282+00', '2026-11-17 04:41:57.062333+00', 7150750705740539283, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-225', 'vm-1', '\x81a7536574746c656493cce10181a9436f6d706c65746564c403cd01c0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 40, '2026-11-17 04:41:56.880868+00', '2026-11-17 04:41:56.880177+00', 7954935023889854737, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-39', 'vm-1', '\x81a7536574746c656493270181a9436f6d706c65746564c4014c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 53, '2026-11-17 04:41:56.899365+00', '2026-11-17 04:41:56.89898+00', 2960037887392288543, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-52', 'vm-1', '\x81a7536574746c656493340181a9436f6d706c65746564c40166');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 56, '2026-11-17 04:41:56.902064+00', '2026-11-17 04:41:56.901674+00', 6623650257238849034, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-55', 'vm-1', '\x81a7536574746c656493370181a9436f6d706c65746564c4016c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 60, '2026-11-17 04:41:56.905543+00', '2026-11-17 04:41:56.905102+00', -857954404845372171, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-59', 'vm-1', '\x81a7536574746c6564933b0181a9436f6d706c65746564c40174');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 64, '2026-11-17 04:41:56.908986+00', '2026-11-17 04:41:56.908581+00', 9133228538213939579, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-63', 'vm-1', '\x81a7536574746c6564933f0181a9436f6d706c65746564c4017c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 68, '2026-11-17 04:41:56.91249+00', '2026-11-17 04:41:56.912039+00', -2914616389323371858, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-67', 'vm-1', '\x81a7536574746c656493430181a9436f6d706c65746564c402cc84');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 75, '2026-11-17 04:41:56.919282+00', '2026-11-17 04:41:56.918814+00', -2409578499945672639, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-74', 'vm-1', '\x81a7536574746c6564934a0181a9436f6d706c65746564c402cc92');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 79, '2026-11-17 04:41:56.922754+00', '2026-11-17 04:41:56.922326+00', 3145409118990032227, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-78', 'vm-1', '\x81a7536574746c6564934e0181a9436f6d706c65746564c402cc9a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 83, '2026-11-17 04:41:56.926162+00', '2026-11-17 04:41:56.925746+00', 4886522772507492179, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-82', 'vm-1', '\x81a7536574746c656493520181a9436f6d706c65746564c402cca2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 87, '2026-11-17 04:41:56.929617+00', '2026-11-17 04:41:56.929158+00', -9083107872041695443, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-86', 'vm-1', '\x81a7536574746c656493560181a9436f6d706c65746564c402ccaa');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 91, '2026-11-17 04:41:56.933057+00', '2026-11-17 04:41:56.932656+00', -3743535973907186629, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-90', 'vm-1', '\x81a7536574746c6564935a0181a9436f6d706c65746564c402ccb2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 98, '2026-11-17 04:41:56.940878+00', '2026-11-17 04:41:56.940477+00', -4147583071987862734, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-97', 'vm-1', '\x81a7536574746c656493610181a9436f6d706c65746564c402ccc0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 102, '2026-11-17 04:41:56.944193+00', '2026-11-17 04:41:56.94379+00', 3473934069159412937, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-101', 'vm-1', '\x81a7536574746c656493650181a9436f6d706c65746564c402ccc8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 106, '2026-11-17 04:41:56.947526+00', '2026-11-17 04:41:56.947102+00', -6427271205815519443, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-105', 'vm-1', '\x81a7536574746c656493690181a9436f6d706c65746564c402ccd0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 110, '2026-11-17 04:41:56.950891+00', '2026-11-17 04:41:56.950494+00', -8066354865768832888, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-109', 'vm-1', '\x81a7536574746c6564936d0181a9436f6d706c65746564c402ccd8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 114, '2026-11-17 04:41:56.954187+00', '2026-11-17 04:41:56.95381+00', -3354867256991009126, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-113', 'vm-1', '\x81a7536574746c656493710181a9436f6d706c65746564c402cce0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 118, '2026-11-17 04:41:56.957544+00', '2026-11-17 04:41:56.95714+00', -6618722880816018228, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-117', 'vm-1', '\x81a7536574746c656493750181a9436f6d706c65746564c402cce8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 121, '2026-11-17 04:41:56.960454+00', '2026-11-17 04:41:56.959963+00', -3544250286338305443, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-120', 'vm-1', '\x81a7536574746c656493780181a9436f6d706c65746564c402ccee');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 125, '2026-11-17 04:41:56.963653+00', '2026-11-17 04:41:56.963206+00', 1216791935611286901, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-124', 'vm-1', '\x81a7536574746c6564937c0181a9436f6d706c65746564c402ccf6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 129, '2026-11-17 04:41:56.967066+00', '2026-11-17 04:41:56.966698+00', -4099113647624842224, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-128', 'vm-1', '\x81a7536574746c656493cc800181a9436f6d706c65746564c402ccfe');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 133, '2026-11-17 04:41:56.970361+00', '2026-11-17 04:41:56.969956+00', -1065452625707858612, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-132', 'vm-1', '\x81a7536574746c656493cc840181a9436f6d706c65746564c403cd0106');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 137, '2026-11-17 04:41:56.973695+00', '2026-11-17 04:41:56.973273+00', 3554163469334972113, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-136', 'vm-1', '\x81a7536574746c656493cc880181a9436f6d706c65746564c403cd010e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 141, '2026-11-17 04:41:56.977093+00', '2026-11-17 04:41:56.976688+00', 1733395234427449396, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-140', 'vm-1', '\x81a7536574746c656493cc8c0181a9436f6d706c65746564c403cd0116');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 145, '2026-11-17 04:41:56.980277+00', '2026-11-17 04:41:56.979919+00', -7080727116757799418, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-144', 'vm-1', '\x81a7536574746c656493cc900181a9436f6d706c65746564c403cd011e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 148, '2026-11-17 04:41:56.98291+00', '2026-11-17 04:41:56.982539+00', -8139888062879348450, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-147', 'vm-1', '\x81a7536574746c656493cc930181a9436f6d706c65746564c403cd0124');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 152, '2026-11-17 04:41:56.986464+00', '2026-11-17 04:41:56.986057+00', 3176425773147988909, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-151', 'vm-1', '\x81a7536574746c656493cc970181a9436f6d706c65746564c403cd012c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 156, '2026-11-17 04:41:56.989721+00', '2026-11-17 04:41:56.989285+00', 7831302740809770809, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-155', 'vm-1', '\x81a7536574746c656493cc9b0181a9436f6d706c65746564c403cd0134');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 160, '2026-11-17 04:41:56.993021+00', '2026-11-17 04:41:56.992631+00', -1716046697496804511, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-159', 'vm-1', '\x81a7536574746c656493cc9f0181a9436f6d706c65746564c403cd013c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 164, '2026-11-17 04:41:56.996343+00', '2026-11-17 04:41:56.995957+00', -4459820020894048763, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-163', 'vm-1', '\x81a7536574746c656493cca30181a9436f6d706c65746564c403cd0144');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 168, '2026-11-17 04:41:56.999618+00', '2026-11-17 04:41:56.999181+00', 4115935623112619499, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-167', 'vm-1', '\x81a7536574746c656493cca70181a9436f6d706c65746564c403cd014c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 174, '2026-11-17 04:41:57.005169+00', '2026-11-17 04:41:57.004787+00', -5333708269703153751, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-173', 'vm-1', '\x81a7536574746c656493ccad0181a9436f6d706c65746564c403cd0158');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 178, '2026-11-17 04:41:57.008542+00', '2026-11-17 04:41:57.008101+00', 1242945469859504402, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-177', 'vm-1', '\x81a7536574746c656493ccb10181a9436f6d706c65746564c403cd0160');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 182, '2026-11-17 04:41:57.011786+00', '2026-11-17 04:41:57.011399+00', -815131168911213026, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-181', 'vm-1', '\x81a7536574746c656493ccb50181a9436f6d706c65746564c403cd0168');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 186, '2026-11-17 04:41:57.015414+00', '2026-11-17 04:41:57.014998+00', 6024694939213215404, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-185', 'vm-1', '\x81a7536574746c656493ccb90181a9436f6d706c65746564c403cd0170');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 190, '2026-11-17 04:41:57.019606+00', '2026-11-17 04:41:57.019008+00', -8353115131167428278, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-189', 'vm-1', '\x81a7536574746c656493ccbd0181a9436f6d706c65746564c403cd0178');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 194, '2026-11-17 04:41:57.023501+00', '2026-11-17 04:41:57.022785+00', -2260138662554822835, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-193', 'vm-1', '\x81a7536574746c656493ccc10181a9436f6d706c65746564c403cd0180');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 197, '2026-11-17 04:41:57.027093+00', '2026-11-17 04:41:57.026642+00', -2447392197877610179, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-196', 'vm-1', '\x81a7536574746c656493ccc40181a9436f6d706c65746564c403cd0186');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 201, '2026-11-17 04:41:57.038962+00', '2026-11-17 04:41:57.03849+00', -3570570665322998832, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-200', 'vm-1', '\x81a7536574746c656493ccc80181a9436f6d706c65746564c403cd018e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 205, '2026-11-17 04:41:57.042639+00', '2026-11-17 04:41:57.042158+00', -2525020723202493896, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-204', 'vm-1', '\x81a7536574746c656493cccc0181a9436f6d706c65746564c403cd0196');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 212, '2026-11-17 04:41:57.049722+00', '2026-11-17 04:41:57.049227+00', -3522781950930210074, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-211', 'vm-1', '\x81a7536574746c656493ccd30181a9436f6d706c65746564c403cd01a4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 216, '2026-11-17 04:41:57.053584+00', '2026-11-17 04:41:57.053088+00', -7473818071552530364, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-215', 'vm-1', '\x81a7536574746c656493ccd70181a9436f6d706c65746564c403cd01ac');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 220, '2026-11-17 04:41:57.057274+00', '2026-11-17 04:41:57.056816+00', 191658542923226260, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-219', 'vm-1', '\x81a7536574746c656493ccdb0181a9436f6d706c65746564c403cd01b4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 224, '2026-11-17 04:41:57.061043+00', '2026-11-17 04:41:57.060576+00', -7934863268944532061, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-223', 'vm-1', '\x81a7536574746c656493ccdf0181a9436f6d706c65746564c403cd01bc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 228, '2026-11-17 04:41:57.064775+00', '2026-11-17 04:41:57.064282+00', -8772566384178610826, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-227', 'vm-1', '\x81a7536574746c656493cce30181a9436f6d706c65746564c403cd01c4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 231, '2026-11-17 04:41:57.068878+00', '2026-11-17 04:41:57.068418+00', -956957476498828208, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-230', 'vm-1', '\x81a7536574746c656493cce60181a9436f6d706c65746564c403cd01ca');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 235, '2026-11-17 04:41:57.072888+00', '2026-11-17 04:41:57.072367+00', -591380640109921317, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-234', 'vm-1', '\x81a7536574746c656493ccea0181a9436f6d706c65746564c403cd01d2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 239, '2026-11-17 04:41:57.076624+00', '2026-11-17 04:41:57.076122+00', 8261270460156735728, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-238', 'vm-1', '\x81a7536574746c656493ccee0181a9436f6d706c65746564c403cd01da');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 243, '2026-11-17 04:41:57.080329+00', '2026-11-17 04:41:57.079803+00', 7064503638179785530, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-242', 'vm-1', '\x81a7536574746c656493ccf20181a9436f6d706c65746564c403cd01e2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 247, '2026-11-17 04:41:57.084077+00', '2026-11-17 04:41:57.083579+00', 7075871165154487458, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-246', 'vm-1', '\x81a7536574746c656493ccf60181a9436f6d706c65746564c403cd01ea');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 41, '2026-11-17 04:41:56.882547+00', '2026-11-17 04:41:56.881801+00', -5388214929447450479, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-40', 'vm-1', '\x81a7536574746c656493280181a9436f6d706c65746564c4014e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 44, '2026-11-17 04:41:56.88668+00', '2026-11-17 04:41:56.88622+00', 364183141007291692, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-43', 'vm-1', '\x81a7536574746c6564932b0181a9436f6d706c65746564c40154');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 46, '2026-11-17 04:41:56.888904+00', '2026-11-17 04:41:56.888511+00', 8697883740510582652, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-45', 'vm-1', '\x81a7536574746c6564932d0181a9436f6d706c65746564c40158');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 51, '2026-11-17 04:41:56.896623+00', '2026-11-17 04:41:56.896152+00', -6476643963829224726, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-50', 'vm-1', '\x81a7536574746c656493320181a9436f6d706c65746564c40162');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 52, '2026-11-17 04:41:56.89859+00', '2026-11-17 04:41:56.898108+00', 14272036742389738, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-51', 'vm-1', '\x81a7536574746c656493330181a9436f6d706c65746564c40164');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 55, '2026-11-17 04:41:56.901261+00', '2026-11-17 04:41:56.900743+00', 3763577130850150077, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-54', 'vm-1', '\x81a7536574746c656493360181a9436f6d706c65746564c4016a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 59, '2026-11-17 04:41:56.904669+00', '2026-11-17 04:41:56.904242+00', 108486298737613075, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-58', 'vm-1', '\x81a7536574746c6564933a0181a9436f6d706c65746564c40172');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 63, '2026-11-17 04:41:56.908157+00', '2026-11-17 04:41:56.907652+00', -6930532453942833408, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-62', 'vm-1', '\x81a7536574746c6564933e0181a9436f6d706c65746564c4017a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 67, '2026-11-17 04:41:56.911573+00', '2026-11-17 04:41:56.911111+00', 8779884726283779744, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-66', 'vm-1', '\x81a7536574746c656493420181a9436f6d706c65746564c402cc82');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 71, '2026-11-17 04:41:56.91502+00', '2026-11-17 04:41:56.91461+00', 7179011352568598508, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-70', 'vm-1', '\x81a7536574746c656493460181a9436f6d706c65746564c402cc8a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 74, '2026-11-17 04:41:56.918419+00', '2026-11-17 04:41:56.917999+00', 909786811151348870, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-73', 'vm-1', '\x81a7536574746c656493490181a9436f6d706c65746564c402cc90');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 78, '2026-11-17 04:41:56.921931+00', '2026-11-17 04:41:56.92156+00', -3531120454789971838, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-77', 'vm-1', '\x81a7536574746c6564934d0181a9436f6d706c65746564c402cc98');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 82, '2026-11-17 04:41:56.925294+00', '2026-11-17 04:41:56.924915+00', 8064952206074691715, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-81', 'vm-1', '\x81a7536574746c656493510181a9436f6d706c65746564c402cca0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 86, '2026-11-17 04:41:56.928725+00', '2026-11-17 04:41:56.92828+00', -1580854907598802505, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-85', 'vm-1', '\x81a7536574746c656493550181a9436f6d706c65746564c402cca8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 90, '2026-11-17 04:41:56.932233+00', '2026-11-17 04:41:56.931745+00', -994238837417117162, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-89', 'vm-1', '\x81a7536574746c656493590181a9436f6d706c65746564c402ccb0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 94, '2026-11-17 04:41:56.937202+00', '2026-11-17 04:41:56.936818+00', 4277129277429362574, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-93', 'vm-1', '\x81a7536574746c6564935d0181a9436f6d706c65746564c402ccb8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 97, '2026-11-17 04:41:56.94007+00', '2026-11-17 04:41:56.939595+00', -5420520236652748030, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-96', 'vm-1', '\x81a7536574746c656493600181a9436f6d706c65746564c402ccbe');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 101, '2026-11-17 04:41:56.943422+00', '2026-11-17 04:41:56.942958+00', 6533668938755071966, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-100', 'vm-1', '\x81a7536574746c656493640181a9436f6d706c65746564c402ccc6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 105, '2026-11-17 04:41:56.946728+00', '2026-11-17 04:41:56.946298+00', -3557972176294438360, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-104', 'vm-1', '\x81a7536574746c656493680181a9436f6d706c65746564c402ccce');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 109, '2026-11-17 04:41:56.950072+00', '2026-11-17 04:41:56.949696+00', -5676352045767355304, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-108', 'vm-1', '\x81a7536574746c6564936c0181a9436f6d706c65746564c402ccd6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 113, '2026-11-17 04:41:56.953353+00', '2026-11-17 04:41:56.952964+00', -6894199399731960316, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-112', 'vm-1', '\x81a7536574746c656493700181a9436f6d706c65746564c402ccde');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 117, '2026-11-17 04:41:56.956729+00', '2026-11-17 04:41:56.956308+00', -5415476542819588816, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-116', 'vm-1', '\x81a7536574746c656493740181a9436f6d706c65746564c402cce6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 123, '2026-11-17 04:41:56.961989+00', '2026-11-17 04:41:56.961604+00', 1534452888740603712, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-122', 'vm-1', '\x81a7536574746c6564937a0181a9436f6d706c65746564c402ccf2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 127, '2026-11-17 04:41:56.965463+00', '2026-11-17 04:41:56.964936+00', 2041251985551550888, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-126', 'vm-1', '\x81a7536574746c6564937e0181a9436f6d706c65746564c402ccfa');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 131, '2026-11-17 04:41:56.968755+00', '2026-11-17 04:41:56.968326+00', 8112711162696515712, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-130', 'vm-1', '\x81a7536574746c656493cc820181a9436f6d706c65746564c403cd0102');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 135, '2026-11-17 04:41:56.972081+00', '2026-11-17 04:41:56.971574+00', 4535352680281939219, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-134', 'vm-1', '\x81a7536574746c656493cc860181a9436f6d706c65746564c403cd010a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 139, '2026-11-17 04:41:56.975333+00', '2026-11-17 04:41:56.974953+00', -6597179221161318494, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-138', 'vm-1', '\x81a7536574746c656493cc8a0181a9436f6d706c65746564c403cd0112');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 143, '2026-11-17 04:41:56.978702+00', '2026-11-17 04:41:56.978294+00', -6852889906671373688, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-142', 'vm-1', '\x81a7536574746c656493cc8e0181a9436f6d706c65746564c403cd011a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 146, '2026-11-17 04:41:56.981275+00', '2026-11-17 04:41:56.980876+00', 747446589396824517, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-145', 'vm-1', '\x81a7536574746c656493cc910181a9436f6d706c65746564c403cd0120');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 150, '2026-11-17 04:41:56.984786+00', '2026-11-17 04:41:56.984352+00', 6243721612289142404, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-149', 'vm-1', '\x81a7536574746c656493cc950181a9436f6d706c65746564c403cd0128');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 154, '2026-11-17 04:41:56.98807+00', '2026-11-17 04:41:56.987642+00', -8508637596013526508, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-153', 'vm-1', '\x81a7536574746c656493cc990181a9436f6d706c65746564c403cd0130');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 158, '2026-11-17 04:41:56.991344+00', '2026-11-17 04:41:56.990963+00', -4039204750229630586, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-157', 'vm-1', '\x81a7536574746c656493cc9d0181a9436f6d706c65746564c403cd0138');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 162, '2026-11-17 04:41:56.994695+00', '2026-11-17 04:41:56.994251+00', 4661958686494752208, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-161', 'vm-1', '\x81a7536574746c656493cca10181a9436f6d706c65746564c403cd0140');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 166, '2026-11-17 04:41:56.997976+00', '2026-11-17 04:41:56.997604+00', -7443502199376499683, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-165', 'vm-1', '\x81a7536574746c656493cca50181a9436f6d706c65746564c403cd0148');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 170, '2026-11-17 04:41:57.00127+00', '2026-11-17 04:41:57.000865+00', -8307344402805418287, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-169', 'vm-1', '\x81a7536574746c656493cca90181a9436f6d706c65746564c403cd0150');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 173, '2026-11-17 04:41:57.004352+00', '2026-11-17 04:41:57.00393+00', 6188112917376479767, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-172', 'vm-1', '\x81a7536574746c656493ccac0181a9436f6d706c65746564c403cd0156');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 177, '2026-11-17 04:41:57.007678+00', '2026-11-17 04:41:57.007262+00', 727921894801628684, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-176', 'vm-1', '\x81a7536574746c656493ccb00181a9436f6d706c65746564c403cd015e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 181, '2026-11-17 04:41:57.010936+00', '2026-11-17 04:41:57.01056+00', -2411619924533337524, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-180', 'vm-1', '\x81a7536574746c656493ccb40181a9436f6d706c65746564c403cd0166');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 185, '2026-11-17 04:41:57.01464+00', '2026-11-17 04:41:57.014161+00', 1556282947399269481, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-184', 'vm-1', '\x81a7536574746c656493ccb80181a9436f6d706c65746564c403cd016e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 189, '2026-11-17 04:41:57.018513+00', '2026-11-17 04:41:57.017788+00', 1981301608345246084, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-188', 'vm-1', '\x81a7536574746c656493ccbc0181a9436f6d706c65746564c403cd0176');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 193, '2026-11-17 04:41:57.022321+00', '2026-11-17 04:41:57.021847+00', 2716105063291142503, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-192', 'vm-1', '\x81a7536574746c656493ccc00181a9436f6d706c65746564c403cd017e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 196, '2026-11-17 04:41:57.026172+00', '2026-11-17 04:41:57.025715+00', -226306696902150214, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-195', 'vm-1', '\x81a7536574746c656493ccc30181a9436f6d706c65746564c403cd0184');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 200, '2026-11-17 04:41:57.038014+00', '2026-11-17 04:41:57.037486+00', -3095833280580907406, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-199', 'vm-1', '\x81a7536574746c656493ccc70181a9436f6d706c65746564c403cd018c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 204, '2026-11-17 04:41:57.041714+00', '2026-11-17 04:41:57.041238+00', -427907574784023698, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-203', 'vm-1', '\x81a7536574746c656493cccb0181a9436f6d706c65746564c403cd0194');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 208, '2026-11-17 04:41:57.045471+00', '2026-11-17 04:41:57.044984+00', 3145365141036647715, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-207', 'vm-1', '\x81a7536574746c656493cccf0181a9436f6d706c65746564c403cd019c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 211, '2026-11-17 04:41:57.048771+00', '2026-11-17 04:41:57.048288+00', 2019847597740959563, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-210', 'vm-1', '\x81a7536574746c656493ccd20181a9436f6d706c65746564c403cd01a2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 215, '2026-11-17 04:41:57.052619+00', '2026-11-17 04:41:57.052136+00', -8722445805797325879, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-214', 'vm-1', '\x81a7536574746c656493ccd60181a9436f6d706c65746564c403cd01aa');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 219, '2026-11-17 04:41:57.056338+00', '2026-11-17 04:41:57.055887+00', 3314276185990495022, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-218', 'vm-1', '\x81a7536574746c656493ccda0181a9436f6d706c65746564c403cd01b2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 223, '2026-11-17 04:41:57.060117+00', '2026-11-17 04:41:57.059584+00', -5644183976733585443, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-222', 'vm-1', '\x81a7536574746c656493ccde0181a9436f6d706c65746564c403cd01ba');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 47, '2026-11-17 04:41:56.891878+00', '2026-11-17 04:41:56.891065+00', -8137347786501205526, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-46', 'vm-1', '\x81a7536574746c6564932e0181a9436f6d706c65746564c4015a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 48, '2026-11-17 04:41:56.893397+00', '2026-11-17 04:41:56.892598+00', 8451599751102909479, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-47', 'vm-1', '\x81a7536574746c6564932f0181a9436f6d706c65746564c4015c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 49, '2026-11-17 04:41:56.894555+00', '2026-11-17 04:41:56.893749+00', 4341091359607073471, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-48', 'vm-1', '\x81a7536574746c656493300181a9436f6d706c65746564c4015e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 54, '2026-11-17 04:41:56.900409+00', '2026-11-17 04:41:56.899924+00', 7447942466238698694, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-53', 'vm-1', '\x81a7536574746c656493350181a9436f6d706c65746564c40168');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 58, '2026-11-17 04:41:56.903793+00', '2026-11-17 04:41:56.903355+00', -8922989667438482242, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-57', 'vm-1', '\x81a7536574746c656493390181a9436f6d706c65746564c40170');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 62, '2026-11-17 04:41:56.907221+00', '2026-11-17 04:41:56.906815+00', 8664670705556949468, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-61', 'vm-1', '\x81a7536574746c6564933d0181a9436f6d706c65746564c40178');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 66, '2026-11-17 04:41:56.910675+00', '2026-11-17 04:41:56.910251+00', -4019551442037668262, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-65', 'vm-1', '\x81a7536574746c656493410181a9436f6d706c65746564c402cc80');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 70, '2026-11-17 04:41:56.914141+00', '2026-11-17 04:41:56.91376+00', -2753572959734663133, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-69', 'vm-1', '\x81a7536574746c656493450181a9436f6d706c65746564c402cc88');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 73, '2026-11-17 04:41:56.917595+00', '2026-11-17 04:41:56.917153+00', -3608974358288081999, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-72', 'vm-1', '\x81a7536574746c656493480181a9436f6d706c65746564c402cc8e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 77, '2026-11-17 04:41:56.921076+00', '2026-11-17 04:41:56.9207+00', 8327413634957836164, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-76', 'vm-1', '\x81a7536574746c6564934c0181a9436f6d706c65746564c402cc96');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 81, '2026-11-17 04:41:56.924484+00', '2026-11-17 04:41:56.924047+00', 6837902791693119170, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-80', 'vm-1', '\x81a7536574746c656493500181a9436f6d706c65746564c402cc9e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 85, '2026-11-17 04:41:56.927933+00', '2026-11-17 04:41:56.92742+00', -6306804825419340181, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-84', 'vm-1', '\x81a7536574746c656493540181a9436f6d706c65746564c402cca6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 89, '2026-11-17 04:41:56.931285+00', '2026-11-17 04:41:56.930897+00', 2292216970186485464, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-88', 'vm-1', '\x81a7536574746c656493580181a9436f6d706c65746564c402ccae');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 93, '2026-11-17 04:41:56.936328+00', '2026-11-17 04:41:56.935954+00', -8822672845390850269, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-92', 'vm-1', '\x81a7536574746c6564935c0181a9436f6d706c65746564c402ccb6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 96, '2026-11-17 04:41:56.939133+00', '2026-11-17 04:41:56.938767+00', -1559673007917819382, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-95', 'vm-1', '\x81a7536574746c6564935f0181a9436f6d706c65746564c402ccbc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 100, '2026-11-17 04:41:56.942531+00', '2026-11-17 04:41:56.942118+00', 5892800937585410335, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-99', 'vm-1', '\x81a7536574746c656493630181a9436f6d706c65746564c402ccc4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 104, '2026-11-17 04:41:56.945874+00', '2026-11-17 04:41:56.94548+00', 2200402173203604174, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-103', 'vm-1', '\x81a7536574746c656493670181a9436f6d706c65746564c402cccc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 108, '2026-11-17 04:41:56.949316+00', '2026-11-17 04:41:56.948868+00', -2342121943029017465, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-107', 'vm-1', '\x81a7536574746c6564936b0181a9436f6d706c65746564c402ccd4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 112, '2026-11-17 04:41:56.952526+00', '2026-11-17 04:41:56.952114+00', 6896836505871069811, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-111', 'vm-1', '\x81a7536574746c6564936f0181a9436f6d706c65746564c402ccdc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 116, '2026-11-17 04:41:56.955888+00', '2026-11-17 04:41:56.955489+00', -5496709649246068509, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-115', 'vm-1', '\x81a7536574746c656493730181a9436f6d706c65746564c402cce4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 120, '2026-11-17 04:41:56.959159+00', '2026-11-17 04:41:56.958771+00', 5861673561921315123, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-119', 'vm-1', '\x81a7536574746c656493770181a9436f6d706c65746564c402ccec');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 124, '2026-11-17 04:41:56.96279+00', '2026-11-17 04:41:56.962406+00', 6834206136846466085, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-123', 'vm-1', '\x81a7536574746c6564937b0181a9436f6d706c65746564c402ccf4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 128, '2026-11-17 04:41:56.966216+00', '2026-11-17 04:41:56.965834+00', -323675495368038786, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-127', 'vm-1', '\x81a7536574746c6564937f0181a9436f6d706c65746564c402ccfc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 132, '2026-11-17 04:41:56.969538+00', '2026-11-17 04:41:56.969116+00', 6433226438450243836, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-131', 'vm-1', '\x81a7536574746c656493cc830181a9436f6d706c65746564c403cd0104');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 136, '2026-11-17 04:41:56.972884+00', '2026-11-17 04:41:56.972485+00', 26160060536600936, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-135', 'vm-1', '\x81a7536574746c656493cc870181a9436f6d706c65746564c403cd010c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 140, '2026-11-17 04:41:56.976213+00', '2026-11-17 04:41:56.975779+00', -907452432617550213, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-139', 'vm-1', '\x81a7536574746c656493cc8b0181a9436f6d706c65746564c403cd0114');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 144, '2026-11-17 04:41:56.979442+00', '2026-11-17 04:41:56.979061+00', -7399671889454483797, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-143', 'vm-1', '\x81a7536574746c656493cc8f0181a9436f6d706c65746564c403cd011c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 147, '2026-11-17 04:41:56.982163+00', '2026-11-17 04:41:56.981746+00', -8525227678694973091, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-146', 'vm-1', '\x81a7536574746c656493cc920181a9436f6d706c65746564c403cd0122');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 151, '2026-11-17 04:41:56.985594+00', '2026-11-17 04:41:56.985164+00', 6933023564796968771, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-150', 'vm-1', '\x81a7536574746c656493cc960181a9436f6d706c65746564c403cd012a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 155, '2026-11-17 04:41:56.988854+00', '2026-11-17 04:41:56.988483+00', -1367416904247564755, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-154', 'vm-1', '\x81a7536574746c656493cc9a0181a9436f6d706c65746564c403cd0132');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 159, '2026-11-17 04:41:56.992149+00', '2026-11-17 04:41:56.991731+00', -3319135661228244607, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-158', 'vm-1', '\x81a7536574746c656493cc9e0181a9436f6d706c65746564c403cd013a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 163, '2026-11-17 04:41:56.995484+00', '2026-11-17 04:41:56.995079+00', -2077944320901275019, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-162', 'vm-1', '\x81a7536574746c656493cca20181a9436f6d706c65746564c403cd0142');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 167, '2026-11-17 04:41:56.998793+00', '2026-11-17 04:41:56.998354+00', -406547211659810287, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-166', 'vm-1', '\x81a7536574746c656493cca60181a9436f6d706c65746564c403cd014a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 171, '2026-11-17 04:41:57.002101+00', '2026-11-17 04:41:57.001705+00', -4859825569529537668, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-170', 'vm-1', '\x81a7536574746c656493ccaa0181a9436f6d706c65746564c403cd0152');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 175, '2026-11-17 04:41:57.006033+00', '2026-11-17 04:41:57.005663+00', -7029382966238464081, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-174', 'vm-1', '\x81a7536574746c656493ccae0181a9436f6d706c65746564c403cd015a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 179, '2026-11-17 04:41:57.00932+00', '2026-11-17 04:41:57.008943+00', 6367251305090279595, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-178', 'vm-1', '\x81a7536574746c656493ccb20181a9436f6d706c65746564c403cd0162');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 183, '2026-11-17 04:41:57.012749+00', '2026-11-17 04:41:57.012269+00', -7898642503545459286, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-182', 'vm-1', '\x81a7536574746c656493ccb60181a9436f6d706c65746564c403cd016a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 187, '2026-11-17 04:41:57.016357+00', '2026-11-17 04:41:57.015923+00', 1223871963205979366, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-186', 'vm-1', '\x81a7536574746c656493ccba0181a9436f6d706c65746564c403cd0172');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 191, '2026-11-17 04:41:57.020555+00', '2026-11-17 04:41:57.02007+00', 1114569572189219326, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-190', 'vm-1', '\x81a7536574746c656493ccbe0181a9436f6d706c65746564c403cd017a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 198, '2026-11-17 04:41:57.027999+00', '2026-11-17 04:41:57.027527+00', -6180480558261239946, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-197', 'vm-1', '\x81a7536574746c656493ccc50181a9436f6d706c65746564c403cd0188');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 202, '2026-11-17 04:41:57.039895+00', '2026-11-17 04:41:57.039397+00', 4098065372702902767, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-201', 'vm-1', '\x81a7536574746c656493ccc90181a9436f6d706c65746564c403cd0190');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 206, '2026-11-17 04:41:57.043559+00', '2026-11-17 04:41:57.043076+00', -5137228536675607782, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-205', 'vm-1', '\x81a7536574746c656493cccd0181a9436f6d706c65746564c403cd0198');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 209, '2026-11-17 04:41:57.046876+00', '2026-11-17 04:41:57.04625+00', -8420448223148315758, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-208', 'vm-1', '\x81a7536574746c656493ccd00181a9436f6d706c65746564c403cd019e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 213, '2026-11-17 04:41:57.050645+00', '2026-11-17 04:41:57.050149+00', 6400041750801258057, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-212', 'vm-1', '\x81a7536574746c656493ccd40181a9436f6d706c65746564c403cd01a6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 217, '2026-11-17 04:41:57.054481+00', '2026-11-17 04:41:57.054002+00', 6069320590102801135, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-216', 'vm-1', '\x81a7536574746c656493ccd80181a9436f6d706c65746564c403cd01ae');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 221, '2026-11-17 04:41:57.05815+00', '2026-11-17 04:41:57.057708+00', 1766598271481069085, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-220', 'vm-1', '\x81a7536574746c656493ccdc0181a9436f6d706c65746564c403cd01b6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 225, '2026-11-17 04:41:57.061929+00', '2026-11-17 04:41:57.061466+00', -7223700614305793092, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-224', 'vm-1', '\x81a7536574746c656493cce00181a9436f6d706c65746564c403cd01be');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 229, '2026-11-17 04:41:57.065973+00', '2026-11-17 04:41:57.065184+00', -39210756584639165, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-228', 'vm-1', '\x81a7536574746c656493cce40181a9436f6d706c65746564c403cd01c6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 232, '2026-11-17 04:41:57.069928+00', '2026-11-17 04:41:57.069461+00', 4723198880334349269, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-231', 'vm-1', '\x81a7536574746c656493cce70181a9436f6d706c65746564c403cd01cc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 227, '2026-11-17 04:41:57.063764+00', '2026-11-17 04:41:57.063257+00', 3213488224270302490, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-226', 'vm-1', '\x81a7536574746c656493cce20181a9436f6d706c65746564c403cd01c2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 230, '2026-11-17 04:41:57.067583+00', '2026-11-17 04:41:57.066808+00', 8350698303197784244, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-229', 'vm-1', '\x81a7536574746c656493cce50181a9436f6d706c65746564c403cd01c8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 233, '2026-11-17 04:41:57.070852+00', '2026-11-17 04:41:57.070335+00', -8457670604675838961, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-232', 'vm-1', '\x81a7536574746c656493cce80181a9436f6d706c65746564c403cd01ce');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 237, '2026-11-17 04:41:57.074723+00', '2026-11-17 04:41:57.074241+00', -7617665180508251825, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-236', 'vm-1', '\x81a7536574746c656493ccec0181a9436f6d706c65746564c403cd01d6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 241, '2026-11-17 04:41:57.078432+00', '2026-11-17 04:41:57.07795+00', -9020459933711251119, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-240', 'vm-1', '\x81a7536574746c656493ccf00181a9436f6d706c65746564c403cd01de');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 245, '2026-11-17 04:41:57.082178+00', '2026-11-17 04:41:57.081716+00', -6095644912667444180, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-244', 'vm-1', '\x81a7536574746c656493ccf40181a9436f6d706c65746564c403cd01e6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 249, '2026-11-17 04:41:57.085871+00', '2026-11-17 04:41:57.08541+00', 342811354524145904, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-248', 'vm-1', '\x81a7536574746c656493ccf80181a9436f6d706c65746564c403cd01ee');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 253, '2026-11-17 04:41:57.089583+00', '2026-11-17 04:41:57.089099+00', 4084338787272710888, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-252', 'vm-1', '\x81a7536574746c656493ccfc0181a9436f6d706c65746564c403cd01f6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 256, '2026-11-17 04:41:57.092632+00', '2026-11-17 04:41:57.09215+00', -2244981153363092612, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-255', 'vm-1', '\x81a7536574746c656493ccff0181a9436f6d706c65746564c403cd01fc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 260, '2026-11-17 04:41:57.096341+00', '2026-11-17 04:41:57.095845+00', 4244839048785714867, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-259', 'vm-1', '\x81a7536574746c656493cd01030181a9436f6d706c65746564c403cd0204');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 264, '2026-11-17 04:41:57.099995+00', '2026-11-17 04:41:57.099499+00', 5389772170109148911, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-263', 'vm-1', '\x81a7536574746c656493cd01070181a9436f6d706c65746564c403cd020c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 268, '2026-11-17 04:41:57.103719+00', '2026-11-17 04:41:57.10322+00', -7548074098028107212, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-267', 'vm-1', '\x81a7536574746c656493cd010b0181a9436f6d706c65746564c403cd0214');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 272, '2026-11-17 04:41:57.107407+00', '2026-11-17 04:41:57.106928+00', -2011016363191063387, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-271', 'vm-1', '\x81a7536574746c656493cd010f0181a9436f6d706c65746564c403cd021c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 276, '2026-11-17 04:41:57.111107+00', '2026-11-17 04:41:57.110654+00', 4093707304638941367, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-275', 'vm-1', '\x81a7536574746c656493cd01130181a9436f6d706c65746564c403cd0224');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 279, '2026-11-17 04:41:57.11419+00', '2026-11-17 04:41:57.113737+00', -5186085477885000259, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-278', 'vm-1', '\x81a7536574746c656493cd01160181a9436f6d706c65746564c403cd022a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 283, '2026-11-17 04:41:57.117912+00', '2026-11-17 04:41:57.117441+00', -6987436620527180451, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-282', 'vm-1', '\x81a7536574746c656493cd011a0181a9436f6d706c65746564c403cd0232');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 287, '2026-11-17 04:41:57.121589+00', '2026-11-17 04:41:57.121087+00', 1239021816425101110, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-286', 'vm-1', '\x81a7536574746c656493cd011e0181a9436f6d706c65746564c403cd023a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 291, '2026-11-17 04:41:57.125213+00', '2026-11-17 04:41:57.124786+00', 371869574084375872, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-290', 'vm-1', '\x81a7536574746c656493cd01220181a9436f6d706c65746564c403cd0242');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 295, '2026-11-17 04:41:57.12875+00', '2026-11-17 04:41:57.128295+00', -2447701695699641243, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-294', 'vm-1', '\x81a7536574746c656493cd01260181a9436f6d706c65746564c403cd024a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 299, '2026-11-17 04:41:57.132313+00', '2026-11-17 04:41:57.131874+00', -6331256526685283452, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-298', 'vm-1', '\x81a7536574746c656493cd012a0181a9436f6d706c65746564c403cd0252');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 302, '2026-11-17 04:41:57.135258+00', '2026-11-17 04:41:57.134823+00', -8268756195886993652, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-301', 'vm-1', '\x81a7536574746c656493cd012d0181a9436f6d706c65746564c403cd0258');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 306, '2026-11-17 04:41:57.13884+00', '2026-11-17 04:41:57.138392+00', 3031500832493696820, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-305', 'vm-1', '\x81a7536574746c656493cd01310181a9436f6d706c65746564c403cd0260');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 310, '2026-11-17 04:41:57.142338+00', '2026-11-17 04:41:57.141883+00', -7409404163625057636, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-309', 'vm-1', '\x81a7536574746c656493cd01350181a9436f6d706c65746564c403cd0268');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 314, '2026-11-17 04:41:57.145903+00', '2026-11-17 04:41:57.145471+00', 8914763550086481470, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-313', 'vm-1', '\x81a7536574746c656493cd01390181a9436f6d706c65746564c403cd0270');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 318, '2026-11-17 04:41:57.149512+00', '2026-11-17 04:41:57.149069+00', 8910241150471001157, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-317', 'vm-1', '\x81a7536574746c656493cd013d0181a9436f6d706c65746564c403cd0278');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 322, '2026-11-17 04:41:57.153059+00', '2026-11-17 04:41:57.152625+00', -3647413944014021462, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-321', 'vm-1', '\x81a7536574746c656493cd01410181a9436f6d706c65746564c403cd0280');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 325, '2026-11-17 04:41:57.156265+00', '2026-11-17 04:41:57.155808+00', -1120286424669243874, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-324', 'vm-1', '\x81a7536574746c656493cd01440181a9436f6d706c65746564c403cd0286');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 329, '2026-11-17 04:41:57.15979+00', '2026-11-17 04:41:57.159335+00', 8181683663316251894, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-328', 'vm-1', '\x81a7536574746c656493cd01480181a9436f6d706c65746564c403cd028e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 333, '2026-11-17 04:41:57.163254+00', '2026-11-17 04:41:57.162805+00', -7177407352209136191, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-332', 'vm-1', '\x81a7536574746c656493cd014c0181a9436f6d706c65746564c403cd0296');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 337, '2026-11-17 04:41:57.166805+00', '2026-11-17 04:41:57.166335+00', 8805667465578801062, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-336', 'vm-1', '\x81a7536574746c656493cd01500181a9436f6d706c65746564c403cd029e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 341, '2026-11-17 04:41:57.170425+00', '2026-11-17 04:41:57.169973+00', 6069595221800166857, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-340', 'vm-1', '\x81a7536574746c656493cd01540181a9436f6d706c65746564c403cd02a6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 345, '2026-11-17 04:41:57.173951+00', '2026-11-17 04:41:57.173508+00', 311984664125776420, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-344', 'vm-1', '\x81a7536574746c656493cd01580181a9436f6d706c65746564c403cd02ae');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 348, '2026-11-17 04:41:57.177366+00', '2026-11-17 04:41:57.176915+00', -1445192269664304008, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-347', 'vm-1', '\x81a7536574746c656493cd015b0181a9436f6d706c65746564c403cd02b4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 352, '2026-11-17 04:41:57.180985+00', '2026-11-17 04:41:57.180551+00', -7308928191055579832, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-351', 'vm-1', '\x81a7536574746c656493cd015f0181a9436f6d706c65746564c403cd02bc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 356, '2026-11-17 04:41:57.184859+00', '2026-11-17 04:41:57.184417+00', -9152760870774492417, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-355', 'vm-1', '\x81a7536574746c656493cd01630181a9436f6d706c65746564c403cd02c4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 360, '2026-11-17 04:41:57.18853+00', '2026-11-17 04:41:57.188076+00', 8182653216667215817, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-359', 'vm-1', '\x81a7536574746c656493cd01670181a9436f6d706c65746564c403cd02cc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 364, '2026-11-17 04:41:57.192292+00', '2026-11-17 04:41:57.191843+00', 1158153228788972338, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-363', 'vm-1', '\x81a7536574746c656493cd016b0181a9436f6d706c65746564c403cd02d4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 368, '2026-11-17 04:41:57.195983+00', '2026-11-17 04:41:57.195488+00', -3955701988507321062, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-367', 'vm-1', '\x81a7536574746c656493cd016f0181a9436f6d706c65746564c403cd02dc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 371, '2026-11-17 04:41:57.19905+00', '2026-11-17 04:41:57.198586+00', 2141942209212301558, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-370', 'vm-1', '\x81a7536574746c656493cd01720181a9436f6d706c65746564c403cd02e2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 375, '2026-11-17 04:41:57.202667+00', '2026-11-17 04:41:57.202186+00', 5402027049358642918, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-374', 'vm-1', '\x81a7536574746c656493cd01760181a9436f6d706c65746564c403cd02ea');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 379, '2026-11-17 04:41:57.20643+00', '2026-11-17 04:41:57.205942+00', -1227330603719551027, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-378', 'vm-1', '\x81a7536574746c656493cd017a0181a9436f6d706c65746564c403cd02f2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 383, '2026-11-17 04:41:57.210149+00', '2026-11-17 04:41:57.209696+00', -8341007182855036163, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-382', 'vm-1', '\x81a7536574746c656493cd017e0181a9436f6d706c65746564c403cd02fa');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 387, '2026-11-17 04:41:57.21391+00', '2026-11-17 04:41:57.213416+00', -7796074038290762005, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-386', 'vm-1', '\x81a7536574746c656493cd01820181a9436f6d706c65746564c403cd0302');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 391, '2026-11-17 04:41:57.217714+00', '2026-11-17 04:41:57.217224+00', -3974241790851093180, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-390', 'vm-1', '\x81a7536574746c656493cd01860181a9436f6d706c65746564c403cd030a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 394, '2026-11-17 04:41:57.220991+00', '2026-11-17 04:41:57.220556+00', 4499871347997286958, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-393', 'vm-1', '\x81a7536574746c656493cd01890181a9436f6d706c65746564c403cd0310');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 398, '2026-11-17 04:41:57.224544+00', '2026-11-17 04:41:57.224088+00', 4933944039287836399, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-397', 'vm-1', '\x81a7536574746c656493cd018d0181a9436f6d706c65746564c403cd0318');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 234, '2026-11-17 04:41:57.071882+00', '2026-11-17 04:41:57.071293+00', 8619985922111734463, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-233', 'vm-1', '\x81a7536574746c656493cce90181a9436f6d706c65746564c403cd01d0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 238, '2026-11-17 04:41:57.075658+00', '2026-11-17 04:41:57.075167+00', -4710917351284557203, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-237', 'vm-1', '\x81a7536574746c656493cced0181a9436f6d706c65746564c403cd01d8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 242, '2026-11-17 04:41:57.07935+00', '2026-11-17 04:41:57.078888+00', 1914615175825250594, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-241', 'vm-1', '\x81a7536574746c656493ccf10181a9436f6d706c65746564c403cd01e0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 246, '2026-11-17 04:41:57.083118+00', '2026-11-17 04:41:57.082651+00', 992594866380880082, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-245', 'vm-1', '\x81a7536574746c656493ccf50181a9436f6d706c65746564c403cd01e8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 250, '2026-11-17 04:41:57.086786+00', '2026-11-17 04:41:57.086302+00', 8845770785035776476, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-249', 'vm-1', '\x81a7536574746c656493ccf90181a9436f6d706c65746564c403cd01f0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 257, '2026-11-17 04:41:57.093577+00', '2026-11-17 04:41:57.093079+00', -2046619456305920954, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-256', 'vm-1', '\x81a7536574746c656493cd01000181a9436f6d706c65746564c403cd01fe');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 261, '2026-11-17 04:41:57.09726+00', '2026-11-17 04:41:57.096807+00', -6284059422636137901, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-260', 'vm-1', '\x81a7536574746c656493cd01040181a9436f6d706c65746564c403cd0206');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 265, '2026-11-17 04:41:57.100929+00', '2026-11-17 04:41:57.100467+00', 1688984638133766349, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-264', 'vm-1', '\x81a7536574746c656493cd01080181a9436f6d706c65746564c403cd020e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 269, '2026-11-17 04:41:57.104684+00', '2026-11-17 04:41:57.10419+00', -4324407679936096604, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-268', 'vm-1', '\x81a7536574746c656493cd010c0181a9436f6d706c65746564c403cd0216');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 273, '2026-11-17 04:41:57.108323+00', '2026-11-17 04:41:57.107871+00', -5142305426076188597, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-272', 'vm-1', '\x81a7536574746c656493cd01100181a9436f6d706c65746564c403cd021e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 280, '2026-11-17 04:41:57.11514+00', '2026-11-17 04:41:57.114675+00', -6368382808737246853, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-279', 'vm-1', '\x81a7536574746c656493cd01170181a9436f6d706c65746564c403cd022c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 284, '2026-11-17 04:41:57.118864+00', '2026-11-17 04:41:57.11835+00', -3017248729786591091, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-283', 'vm-1', '\x81a7536574746c656493cd011b0181a9436f6d706c65746564c403cd0234');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 288, '2026-11-17 04:41:57.122506+00', '2026-11-17 04:41:57.122021+00', -4473557641257616227, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-287', 'vm-1', '\x81a7536574746c656493cd011f0181a9436f6d706c65746564c403cd023c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 292, '2026-11-17 04:41:57.126102+00', '2026-11-17 04:41:57.125687+00', 7087524403782882484, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-291', 'vm-1', '\x81a7536574746c656493cd01230181a9436f6d706c65746564c403cd0244');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 296, '2026-11-17 04:41:57.129652+00', '2026-11-17 04:41:57.129181+00', 1754953506263931705, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-295', 'vm-1', '\x81a7536574746c656493cd01270181a9436f6d706c65746564c403cd024c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 303, '2026-11-17 04:41:57.136209+00', '2026-11-17 04:41:57.135711+00', 2948170949119873585, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-302', 'vm-1', '\x81a7536574746c656493cd012e0181a9436f6d706c65746564c403cd025a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 307, '2026-11-17 04:41:57.13973+00', '2026-11-17 04:41:57.139284+00', 5007671118858264628, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-306', 'vm-1', '\x81a7536574746c656493cd01320181a9436f6d706c65746564c403cd0262');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 311, '2026-11-17 04:41:57.143242+00', '2026-11-17 04:41:57.142798+00', -2358895216501824107, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-310', 'vm-1', '\x81a7536574746c656493cd01360181a9436f6d706c65746564c403cd026a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 315, '2026-11-17 04:41:57.146845+00', '2026-11-17 04:41:57.146363+00', 311748771275121023, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-314', 'vm-1', '\x81a7536574746c656493cd013a0181a9436f6d706c65746564c403cd0272');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 319, '2026-11-17 04:41:57.150392+00', '2026-11-17 04:41:57.149951+00', -8021474462684198854, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-318', 'vm-1', '\x81a7536574746c656493cd013e0181a9436f6d706c65746564c403cd027a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 323, '2026-11-17 04:41:57.153946+00', '2026-11-17 04:41:57.153521+00', -691911428832547414, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-322', 'vm-1', '\x81a7536574746c656493cd01420181a9436f6d706c65746564c403cd0282');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 327, '2026-11-17 04:41:57.15805+00', '2026-11-17 04:41:57.15761+00', -6248127680819283585, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-326', 'vm-1', '\x81a7536574746c656493cd01460181a9436f6d706c65746564c403cd028a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 331, '2026-11-17 04:41:57.161504+00', '2026-11-17 04:41:57.161083+00', 508937989354885625, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-330', 'vm-1', '\x81a7536574746c656493cd014a0181a9436f6d706c65746564c403cd0292');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 335, '2026-11-17 04:41:57.165039+00', '2026-11-17 04:41:57.164608+00', 3555438089050034212, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-334', 'vm-1', '\x81a7536574746c656493cd014e0181a9436f6d706c65746564c403cd029a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 339, '2026-11-17 04:41:57.168622+00', '2026-11-17 04:41:57.168136+00', -302355831858153157, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-338', 'vm-1', '\x81a7536574746c656493cd01520181a9436f6d706c65746564c403cd02a2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 343, '2026-11-17 04:41:57.172185+00', '2026-11-17 04:41:57.171696+00', -484250470200820454, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-342', 'vm-1', '\x81a7536574746c656493cd01560181a9436f6d706c65746564c403cd02aa');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 350, '2026-11-17 04:41:57.179146+00', '2026-11-17 04:41:57.178679+00', -4303327891230314406, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-349', 'vm-1', '\x81a7536574746c656493cd015d0181a9436f6d706c65746564c403cd02b8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 354, '2026-11-17 04:41:57.182765+00', '2026-11-17 04:41:57.182293+00', -8691850427457376923, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-353', 'vm-1', '\x81a7536574746c656493cd01610181a9436f6d706c65746564c403cd02c0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 358, '2026-11-17 04:41:57.186682+00', '2026-11-17 04:41:57.186214+00', -6197427587470356932, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-357', 'vm-1', '\x81a7536574746c656493cd01650181a9436f6d706c65746564c403cd02c8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 362, '2026-11-17 04:41:57.190411+00', '2026-11-17 04:41:57.189903+00', 771304475111460489, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-361', 'vm-1', '\x81a7536574746c656493cd01690181a9436f6d706c65746564c403cd02d0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 366, '2026-11-17 04:41:57.194143+00', '2026-11-17 04:41:57.193672+00', -7737153225853278187, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-365', 'vm-1', '\x81a7536574746c656493cd016d0181a9436f6d706c65746564c403cd02d8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 369, '2026-11-17 04:41:57.197204+00', '2026-11-17 04:41:57.196457+00', 2891643273266643337, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-368', 'vm-1', '\x81a7536574746c656493cd01700181a9436f6d706c65746564c403cd02de');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 373, '2026-11-17 04:41:57.200882+00', '2026-11-17 04:41:57.200435+00', -8628688700177944062, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-372', 'vm-1', '\x81a7536574746c656493cd01740181a9436f6d706c65746564c403cd02e6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 377, '2026-11-17 04:41:57.20456+00', '2026-11-17 04:41:57.204077+00', -6677360340409155347, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-376', 'vm-1', '\x81a7536574746c656493cd01780181a9436f6d706c65746564c403cd02ee');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 381, '2026-11-17 04:41:57.2083+00', '2026-11-17 04:41:57.207843+00', -2647817942838937219, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-380', 'vm-1', '\x81a7536574746c656493cd017c0181a9436f6d706c65746564c403cd02f6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 385, '2026-11-17 04:41:57.211983+00', '2026-11-17 04:41:57.211515+00', -3972608951977963738, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-384', 'vm-1', '\x81a7536574746c656493cd01800181a9436f6d706c65746564c403cd02fe');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 389, '2026-11-17 04:41:57.215837+00', '2026-11-17 04:41:57.215326+00', 2290150400290101382, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-388', 'vm-1', '\x81a7536574746c656493cd01840181a9436f6d706c65746564c403cd0306');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 392, '2026-11-17 04:41:57.219029+00', '2026-11-17 04:41:57.218491+00', -3462210429809084173, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-391', 'vm-1', '\x81a7536574746c656493cd01870181a9436f6d706c65746564c403cd030c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 396, '2026-11-17 04:41:57.222748+00', '2026-11-17 04:41:57.222282+00', -3880747511129205156, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-395', 'vm-1', '\x81a7536574746c656493cd018b0181a9436f6d706c65746564c403cd0314');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 400, '2026-11-17 04:41:57.226363+00', '2026-11-17 04:41:57.225878+00', -496164378843994224, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-399', 'vm-1', '\x81a7536574746c656493cd018f0181a9436f6d706c65746564c403cd031c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c8b3-702a-b76b-dc40f97a7e9f', 4, '2026-11-17 04:42:01.81487+00', '2026-11-17 04:42:01.813965+00', 4212551212869172423, 1, 'settled', '01a1e7cfc8b3702ab76bdc40f97a7e9f-0-2', 'vm-1', '\x81a7536574746c656493020181a9436f6d706c65746564c40102');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 236, '2026-11-17 04:41:57.073779+00', '2026-11-17 04:41:57.073302+00', 8487625957956186420, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-235', 'vm-1', '\x81a7536574746c656493cceb0181a9436f6d706c65746564c403cd01d4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 240, '2026-11-17 04:41:57.077529+00', '2026-11-17 04:41:57.077041+00', 5738237340935503743, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-239', 'vm-1', '\x81a7536574746c656493ccef0181a9436f6d706c65746564c403cd01dc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 244, '2026-11-17 04:41:57.081297+00', '2026-11-17 04:41:57.08083+00', -1872967939912764790, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-243', 'vm-1', '\x81a7536574746c656493ccf30181a9436f6d706c65746564c403cd01e4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 248, '2026-11-17 04:41:57.084985+00', '2026-11-17 04:41:57.084513+00', 9132664224441174101, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-247', 'vm-1', '\x81a7536574746c656493ccf70181a9436f6d706c65746564c403cd01ec');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 252, '2026-11-17 04:41:57.088688+00', '2026-11-17 04:41:57.088182+00', -8450367204789760824, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-251', 'vm-1', '\x81a7536574746c656493ccfb0181a9436f6d706c65746564c403cd01f4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 255, '2026-11-17 04:41:57.091709+00', '2026-11-17 04:41:57.091232+00', 1993190247746413555, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-254', 'vm-1', '\x81a7536574746c656493ccfe0181a9436f6d706c65746564c403cd01fa');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 259, '2026-11-17 04:41:57.095403+00', '2026-11-17 04:41:57.094919+00', 1203994060310567903, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-258', 'vm-1', '\x81a7536574746c656493cd01020181a9436f6d706c65746564c403cd0202');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 263, '2026-11-17 04:41:57.099077+00', '2026-11-17 04:41:57.098612+00', -6282296010053936344, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-262', 'vm-1', '\x81a7536574746c656493cd01060181a9436f6d706c65746564c403cd020a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 267, '2026-11-17 04:41:57.102771+00', '2026-11-17 04:41:57.102295+00', -7596284274544266611, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-266', 'vm-1', '\x81a7536574746c656493cd010a0181a9436f6d706c65746564c403cd0212');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 271, '2026-11-17 04:41:57.106518+00', '2026-11-17 04:41:57.106038+00', -7560209352661455498, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-270', 'vm-1', '\x81a7536574746c656493cd010e0181a9436f6d706c65746564c403cd021a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 275, '2026-11-17 04:41:57.110219+00', '2026-11-17 04:41:57.109704+00', 681868355252418380, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-274', 'vm-1', '\x81a7536574746c656493cd01120181a9436f6d706c65746564c403cd0222');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 278, '2026-11-17 04:41:57.113319+00', '2026-11-17 04:41:57.112861+00', 1751730898825590122, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-277', 'vm-1', '\x81a7536574746c656493cd01150181a9436f6d706c65746564c403cd0228');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 282, '2026-11-17 04:41:57.117012+00', '2026-11-17 04:41:57.116544+00', 4752736173520404639, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-281', 'vm-1', '\x81a7536574746c656493cd01190181a9436f6d706c65746564c403cd0230');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 286, '2026-11-17 04:41:57.120683+00', '2026-11-17 04:41:57.120199+00', -2702934723515983266, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-285', 'vm-1', '\x81a7536574746c656493cd011d0181a9436f6d706c65746564c403cd0238');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 290, '2026-11-17 04:41:57.124356+00', '2026-11-17 04:41:57.123918+00', -1479025985326504332, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-289', 'vm-1', '\x81a7536574746c656493cd01210181a9436f6d706c65746564c403cd0240');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 294, '2026-11-17 04:41:57.127897+00', '2026-11-17 04:41:57.127401+00', 6854817196809387729, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-293', 'vm-1', '\x81a7536574746c656493cd01250181a9436f6d706c65746564c403cd0248');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 298, '2026-11-17 04:41:57.131448+00', '2026-11-17 04:41:57.130997+00', 7421782213463133186, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-297', 'vm-1', '\x81a7536574746c656493cd01290181a9436f6d706c65746564c403cd0250');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 301, '2026-11-17 04:41:57.134417+00', '2026-11-17 04:41:57.133931+00', -7425503105697936638, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-300', 'vm-1', '\x81a7536574746c656493cd012c0181a9436f6d706c65746564c403cd0256');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 305, '2026-11-17 04:41:57.137975+00', '2026-11-17 04:41:57.137544+00', 4648086435100691777, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-304', 'vm-1', '\x81a7536574746c656493cd01300181a9436f6d706c65746564c403cd025e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 309, '2026-11-17 04:41:57.141484+00', '2026-11-17 04:41:57.141041+00', -6470756293809359466, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-308', 'vm-1', '\x81a7536574746c656493cd01340181a9436f6d706c65746564c403cd0266');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 313, '2026-11-17 04:41:57.145023+00', '2026-11-17 04:41:57.144587+00', 7569894095377480006, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-312', 'vm-1', '\x81a7536574746c656493cd01380181a9436f6d706c65746564c403cd026e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 317, '2026-11-17 04:41:57.148671+00', '2026-11-17 04:41:57.14822+00', -9060596684039289251, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-316', 'vm-1', '\x81a7536574746c656493cd013c0181a9436f6d706c65746564c403cd0276');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 321, '2026-11-17 04:41:57.152189+00', '2026-11-17 04:41:57.151697+00', -3383078325811130967, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-320', 'vm-1', '\x81a7536574746c656493cd01400181a9436f6d706c65746564c403cd027e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 324, '2026-11-17 04:41:57.155363+00', '2026-11-17 04:41:57.154814+00', 7818308133066695420, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-323', 'vm-1', '\x81a7536574746c656493cd01430181a9436f6d706c65746564c403cd0284');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 328, '2026-11-17 04:41:57.158925+00', '2026-11-17 04:41:57.158503+00', 4875648406587273063, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-327', 'vm-1', '\x81a7536574746c656493cd01470181a9436f6d706c65746564c403cd028c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 332, '2026-11-17 04:41:57.162391+00', '2026-11-17 04:41:57.161934+00', 8836579168891856643, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-331', 'vm-1', '\x81a7536574746c656493cd014b0181a9436f6d706c65746564c403cd0294');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 336, '2026-11-17 04:41:57.165934+00', '2026-11-17 04:41:57.165502+00', -4988328771594421055, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-335', 'vm-1', '\x81a7536574746c656493cd014f0181a9436f6d706c65746564c403cd029c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 340, '2026-11-17 04:41:57.169539+00', '2026-11-17 04:41:57.169057+00', -1042772579950417439, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-339', 'vm-1', '\x81a7536574746c656493cd01530181a9436f6d706c65746564c403cd02a4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 344, '2026-11-17 04:41:57.173074+00', '2026-11-17 04:41:57.172643+00', -7725582008914723221, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-343', 'vm-1', '\x81a7536574746c656493cd01570181a9436f6d706c65746564c403cd02ac');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 347, '2026-11-17 04:41:57.176501+00', '2026-11-17 04:41:57.175246+00', 4304058120073432599, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-346', 'vm-1', '\x81a7536574746c656493cd015a0181a9436f6d706c65746564c403cd02b2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 351, '2026-11-17 04:41:57.18011+00', '2026-11-17 04:41:57.179639+00', -5908392565333512051, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-350', 'vm-1', '\x81a7536574746c656493cd015e0181a9436f6d706c65746564c403cd02ba');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 355, '2026-11-17 04:41:57.183675+00', '2026-11-17 04:41:57.183207+00', -7835633733653967445, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-354', 'vm-1', '\x81a7536574746c656493cd01620181a9436f6d706c65746564c403cd02c2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 359, '2026-11-17 04:41:57.187619+00', '2026-11-17 04:41:57.187139+00', -3451204518780452373, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-358', 'vm-1', '\x81a7536574746c656493cd01660181a9436f6d706c65746564c403cd02ca');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 363, '2026-11-17 04:41:57.191395+00', '2026-11-17 04:41:57.19087+00', -5638092156619980556, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-362', 'vm-1', '\x81a7536574746c656493cd016a0181a9436f6d706c65746564c403cd02d2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 367, '2026-11-17 04:41:57.195059+00', '2026-11-17 04:41:57.194621+00', -2429193490164782597, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-366', 'vm-1', '\x81a7536574746c656493cd016e0181a9436f6d706c65746564c403cd02da');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 370, '2026-11-17 04:41:57.198137+00', '2026-11-17 04:41:57.197695+00', 8571347840453422986, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-369', 'vm-1', '\x81a7536574746c656493cd01710181a9436f6d706c65746564c403cd02e0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 374, '2026-11-17 04:41:57.201778+00', '2026-11-17 04:41:57.201319+00', 2690814039356924359, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-373', 'vm-1', '\x81a7536574746c656493cd01750181a9436f6d706c65746564c403cd02e8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 378, '2026-11-17 04:41:57.205515+00', '2026-11-17 04:41:57.205018+00', 729353062522131064, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-377', 'vm-1', '\x81a7536574746c656493cd01790181a9436f6d706c65746564c403cd02f0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 382, '2026-11-17 04:41:57.209254+00', '2026-11-17 04:41:57.208788+00', 4031586942323669112, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-381', 'vm-1', '\x81a7536574746c656493cd017d0181a9436f6d706c65746564c403cd02f8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 386, '2026-11-17 04:41:57.212988+00', '2026-11-17 04:41:57.212522+00', 4035298374048290893, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-385', 'vm-1', '\x81a7536574746c656493cd01810181a9436f6d706c65746564c403cd0300');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 390, '2026-11-17 04:41:57.216791+00', '2026-11-17 04:41:57.216296+00', -3955658219371241759, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-389', 'vm-1', '\x81a7536574746c656493cd01850181a9436f6d706c65746564c403cd0308');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 393, '2026-11-17 04:41:57.220112+00', '2026-11-17 04:41:57.219626+00', -6480649452977719764, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-392', 'vm-1', '\x81a7536574746c656493cd01880181a9436f6d706c65746564c403cd030e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 397, '2026-11-17 04:41:57.223644+00', '2026-11-17 04:41:57.223194+00', 6645102273483742727, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-396', 'vm-1', '\x81a7536574746c656493cd018c0181a9436f6d706c65746564c403cd0316');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 401, '2026-11-17 04:41:57.22733+00', '2026-11-17 04:41:57.226857+00', 7603760621080865770, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-400', 'vm-1', '\x81a7536574746c656493cd01900181a9436f6d706c65746564c403cd031e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-dce2-712f-aa31-9abbc3e8f534', 1, '2026-11-17 04:42:01.854358+00', NULL, 6737255523991292031, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e06');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-dce2-712f-aa31-9abbc3e8f534', 2, '2026-11-17 04:42:01.855238+00', '2026-11-17 04:42:01.854568+00', -5351797761929320331, 1, 'settled', '01a1e7cfdce2712faa319abbc3e8f534-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c4010c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 251, '2026-11-17 04:41:57.087701+00', '2026-11-17 04:41:57.08722+00', 7207638325076174957, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-250', 'vm-1', '\x81a7536574746c656493ccfa0181a9436f6d706c65746564c403cd01f2');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 254, '2026-11-17 04:41:57.090816+00', '2026-11-17 04:41:57.090238+00', -5490345650852263554, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-253', 'vm-1', '\x81a7536574746c656493ccfd0181a9436f6d706c65746564c403cd01f8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 258, '2026-11-17 04:41:57.094506+00', '2026-11-17 04:41:57.094013+00', 1379399217296159801, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-257', 'vm-1', '\x81a7536574746c656493cd01010181a9436f6d706c65746564c403cd0200');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 262, '2026-11-17 04:41:57.098172+00', '2026-11-17 04:41:57.097707+00', 4614347142987899852, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-261', 'vm-1', '\x81a7536574746c656493cd01050181a9436f6d706c65746564c403cd0208');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 266, '2026-11-17 04:41:57.101844+00', '2026-11-17 04:41:57.101361+00', -6316999745456223464, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-265', 'vm-1', '\x81a7536574746c656493cd01090181a9436f6d706c65746564c403cd0210');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 270, '2026-11-17 04:41:57.105599+00', '2026-11-17 04:41:57.105115+00', 884778087889121945, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-269', 'vm-1', '\x81a7536574746c656493cd010d0181a9436f6d706c65746564c403cd0218');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 274, '2026-11-17 04:41:57.109262+00', '2026-11-17 04:41:57.108802+00', 7491329316213600957, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-273', 'vm-1', '\x81a7536574746c656493cd01110181a9436f6d706c65746564c403cd0220');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 277, '2026-11-17 04:41:57.112418+00', '2026-11-17 04:41:57.111796+00', 2178937217618352150, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-276', 'vm-1', '\x81a7536574746c656493cd01140181a9436f6d706c65746564c403cd0226');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 281, '2026-11-17 04:41:57.116118+00', '2026-11-17 04:41:57.115615+00', -3767907558697489264, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-280', 'vm-1', '\x81a7536574746c656493cd01180181a9436f6d706c65746564c403cd022e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 285, '2026-11-17 04:41:57.119772+00', '2026-11-17 04:41:57.119299+00', -3059235039534562501, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-284', 'vm-1', '\x81a7536574746c656493cd011c0181a9436f6d706c65746564c403cd0236');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 289, '2026-11-17 04:41:57.123435+00', '2026-11-17 04:41:57.12296+00', 3587060590085727970, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-288', 'vm-1', '\x81a7536574746c656493cd01200181a9436f6d706c65746564c403cd023e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 293, '2026-11-17 04:41:57.126986+00', '2026-11-17 04:41:57.126556+00', -8858272873184577863, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-292', 'vm-1', '\x81a7536574746c656493cd01240181a9436f6d706c65746564c403cd0246');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 297, '2026-11-17 04:41:57.130578+00', '2026-11-17 04:41:57.130082+00', -2454453365655201269, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-296', 'vm-1', '\x81a7536574746c656493cd01280181a9436f6d706c65746564c403cd024e');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 300, '2026-11-17 04:41:57.133441+00', '2026-11-17 04:41:57.132778+00', -1563428955198827257, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-299', 'vm-1', '\x81a7536574746c656493cd012b0181a9436f6d706c65746564c403cd0254');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 304, '2026-11-17 04:41:57.137113+00', '2026-11-17 04:41:57.136669+00', 970708860399100090, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-303', 'vm-1', '\x81a7536574746c656493cd012f0181a9436f6d706c65746564c403cd025c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 308, '2026-11-17 04:41:57.140639+00', '2026-11-17 04:41:57.140185+00', 5636442674165440574, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-307', 'vm-1', '\x81a7536574746c656493cd01330181a9436f6d706c65746564c403cd0264');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 312, '2026-11-17 04:41:57.144154+00', '2026-11-17 04:41:57.143687+00', -2197000319975005015, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-311', 'vm-1', '\x81a7536574746c656493cd01370181a9436f6d706c65746564c403cd026c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 316, '2026-11-17 04:41:57.147758+00', '2026-11-17 04:41:57.147292+00', 2907505035212838511, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-315', 'vm-1', '\x81a7536574746c656493cd013b0181a9436f6d706c65746564c403cd0274');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 320, '2026-11-17 04:41:57.151272+00', '2026-11-17 04:41:57.150823+00', 5449847790336238858, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-319', 'vm-1', '\x81a7536574746c656493cd013f0181a9436f6d706c65746564c403cd027c');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 326, '2026-11-17 04:41:57.157162+00', '2026-11-17 04:41:57.156727+00', 1682709714182109286, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-325', 'vm-1', '\x81a7536574746c656493cd01450181a9436f6d706c65746564c403cd0288');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 330, '2026-11-17 04:41:57.160686+00', '2026-11-17 04:41:57.160251+00', -2086751305818037143, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-329', 'vm-1', '\x81a7536574746c656493cd01490181a9436f6d706c65746564c403cd0290');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 334, '2026-11-17 04:41:57.164172+00', '2026-11-17 04:41:57.163708+00', -3476678318252606894, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-333', 'vm-1', '\x81a7536574746c656493cd014d0181a9436f6d706c65746564c403cd0298');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 338, '2026-11-17 04:41:57.167698+00', '2026-11-17 04:41:57.16724+00', 448062949069404806, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-337', 'vm-1', '\x81a7536574746c656493cd01510181a9436f6d706c65746564c403cd02a0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 342, '2026-11-17 04:41:57.171281+00', '2026-11-17 04:41:57.170856+00', 5228602360181510702, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-341', 'vm-1', '\x81a7536574746c656493cd01550181a9436f6d706c65746564c403cd02a8');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 346, '2026-11-17 04:41:57.174837+00', '2026-11-17 04:41:57.174416+00', -2097152358808386875, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-345', 'vm-1', '\x81a7536574746c656493cd01590181a9436f6d706c65746564c403cd02b0');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 349, '2026-11-17 04:41:57.178247+00', '2026-11-17 04:41:57.177829+00', 4266471150300595123, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-348', 'vm-1', '\x81a7536574746c656493cd015c0181a9436f6d706c65746564c403cd02b6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 353, '2026-11-17 04:41:57.181884+00', '2026-11-17 04:41:57.181448+00', 5584329755032002669, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-352', 'vm-1', '\x81a7536574746c656493cd01600181a9436f6d706c65746564c403cd02be');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 357, '2026-11-17 04:41:57.185784+00', '2026-11-17 04:41:57.185306+00', -6898510963046682000, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-356', 'vm-1', '\x81a7536574746c656493cd01640181a9436f6d706c65746564c403cd02c6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 361, '2026-11-17 04:41:57.189469+00', '2026-11-17 04:41:57.189002+00', 3267555025750642310, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-360', 'vm-1', '\x81a7536574746c656493cd01680181a9436f6d706c65746564c403cd02ce');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 365, '2026-11-17 04:41:57.19323+00', '2026-11-17 04:41:57.192766+00', -5631447857512433622, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-364', 'vm-1', '\x81a7536574746c656493cd016c0181a9436f6d706c65746564c403cd02d6');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 372, '2026-11-17 04:41:57.199994+00', '2026-11-17 04:41:57.199521+00', -4631869802996818844, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-371', 'vm-1', '\x81a7536574746c656493cd01730181a9436f6d706c65746564c403cd02e4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 376, '2026-11-17 04:41:57.203608+00', '2026-11-17 04:41:57.203112+00', -6517594031160880205, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-375', 'vm-1', '\x81a7536574746c656493cd01770181a9436f6d706c65746564c403cd02ec');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 380, '2026-11-17 04:41:57.207364+00', '2026-11-17 04:41:57.206899+00', -3355258815592075452, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-379', 'vm-1', '\x81a7536574746c656493cd017b0181a9436f6d706c65746564c403cd02f4');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 384, '2026-11-17 04:41:57.21108+00', '2026-11-17 04:41:57.210635+00', 7395159441166066394, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-383', 'vm-1', '\x81a7536574746c656493cd017f0181a9436f6d706c65746564c403cd02fc');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 388, '2026-11-17 04:41:57.214883+00', '2026-11-17 04:41:57.214405+00', 9120235121615926086, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-387', 'vm-1', '\x81a7536574746c656493cd01830181a9436f6d706c65746564c403cd0304');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 395, '2026-11-17 04:41:57.221874+00', '2026-11-17 04:41:57.221459+00', -4373834375814162583, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-394', 'vm-1', '\x81a7536574746c656493cd018a0181a9436f6d706c65746564c403cd0312');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', 399, '2026-11-17 04:41:57.225459+00', '2026-11-17 04:41:57.225004+00', 6201626337312963752, 1, 'settled', '01a1e7cfc94e7b5aa81a1a959cd22212-0-398', 'vm-1', '\x81a7536574746c656493cd018e0181a9436f6d706c65746564c403cd031a');
INSERT INTO public.runner_actions_done VALUES ('01a1e7cf-c8b3-702a-b76b-dc40f97a7e9f', 3, '2026-11-17 04:42:01.811739+00', NULL, -7371435628046407067, NULL, 'deadline', NULL, NULL, '\xaf446561646c696e6552656163686564');
INSERT INTO public.runner_instances VALUES ('01a1e7cf-c94a-7f5f-a7dd-639de65e4955', '01a1e7cf-c941-7545-9d44-573f2903937f', NULL, NULL, '2026-11-17 04:41:56.81245+00', NULL, 0, 'Waiting', 'running', 'waiting', NULL, 'kept', 'signal go, timeout at 2126-10-24T04:41:56Z', NULL, '\x81a16e05', NULL, NULL, NULL, 'default', 'tenant', NULL, NULL, NULL, 1);
INSERT INTO public.runner_instances VALUES ('01a1e7cf-c959-77b0-aaf2-f3d6ae1ed986', '01a1e7cf-c95e-71e8-a0f8-e5ee59d1fd57', NULL, NULL, '2026-11-17 04:41:56.834844+00', NULL, 0, 'Family', 'running', 'family', NULL, NULL, 'child workflow Waiting', NULL, '\x81a16e09', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL, 1);
INSERT INTO public.runner_instances VALUES ('f258884e-e635-874a-8661-c8aba1d55b03', '01a1e7cf-c941-7545-9d44-573f2903937f', '01a1e7cf-c959-77b0-aaf2-f3d6ae1ed986', NULL, '2026-11-17 04:41:56.846817+00', NULL, 0, 'Waiting', 'running', 'child 9', '1/1', NULL, 'signal go, timeout at 2126-10-24T04:41:56Z', NULL, '\x81a16e09', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL, 1);
INSERT INTO public.runner_instances VALUES ('01a1e7cf-c963-7a4a-9017-bcd7a98df691', '01a1e7cf-c965-71ca-a732-ca6bda2e0bc8', NULL, NULL, '2026-11-17 04:41:56.850812+00', NULL, 0, 'Retrying', 'running', 'retrying', NULL, NULL, 'retry of app:mended at 2026-11-17T04:42:26Z', NULL, '\x81a16e03', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL, 1);
INSERT INTO public.runner_instances VALUES ('01a1e7cf-c93b-7355-835b-d8e4389b527b', '01a1e7cf-c941-7545-9d44-573f2903937f', NULL, NULL, '2026-11-17 04:41:56.808507+00', '2026-11-17 04:41:56.890477+00', 0, 'Waiting', 'terminated', 'terminated', NULL, NULL, NULL, NULL, '\x81a16e01', NULL, '\xc73c069ab27761796d61726b2e5465726d696e6174656492a9457863657074696f6ead42617365457863657074696f6e91a6656e6f75676880c0c0c0c29090', NULL, 'default', NULL, NULL, NULL, 'waymark.Terminated', 1);
INSERT INTO public.runner_instances VALUES ('01a1e7cf-c973-76d8-914d-fae68089dfbe', '01a1e7cf-c941-7545-9d44-573f2903937f', NULL, NULL, '2026-11-17 04:41:56.852967+00', NULL, 0, 'Waiting', 'paused', 'paused', NULL, NULL, 'paused, signal go, timeout at 2126-10-24T04:41:56Z', NULL, '\x81a16e02', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL, 1);
INSERT INTO public.runner_instances VALUES ('01a1e7cf-c94e-7b5a-a81a-1a959cd22212', '01a1e7cf-c954-7546-b1d0-3fa578099069', NULL, NULL, '2026-11-17 04:41:56.824752+00', NULL, 355, 'Looping', 'running', 'looping', NULL, NULL, 'signal go', NULL, '\x81a5636f756e74cd0190', NULL, NULL, '\x960101dc00200ecccd094c0d3819ccd37c3bcca4ccc42fccda5205cca4cc914611283fccd9cca802116bccc0527242ccfd98ccc874cc9545cceaccadccf8ccbc00c5015adc001bc41001a1e7cfc94e7b5aa81a1a959cd222129c9381a646757475726594a750656e64696e679099019181a54672616d6596000c94cd0190ce0001e822cd0162910292c0ce0001e82290c0c081a9457865637574696f6ecd0163c200c0a65461736b2d31c2c081a552616e67659300cd01900181a84974657261746f7281a853657175656e6365929101cd01639190cf0006607183affcbb91cf615461cf9d73c5dd9095ce0bebc200ce04000000cd03e8ce20000000ce000f424008ce0bebc20000cd0163008090008081010000a752756e6e696e678090c091909081cd0163970001a752756e6e696e67c29b93c41001a1e7cfc94e7b5aa81a1a959cd2221200cd016301aa6170703a646f75626c65c40491cd0162c40180c0c00003c0c29b0190c200cb4000000000000000c0cb0000000000000000c0c0c0c2c0c0c200cd0164010200cd0163cf93423ca25b7ccdabc09190c4018000', 'default', NULL, NULL, NULL, NULL, 1);
INSERT INTO public.runner_instances VALUES ('01a1e7cf-c8b3-702a-b76b-dc40f97a7e9f', '01a1e7cf-c934-7482-a83a-f8e329216331', NULL, '75e644cb-75f2-40bb-98e9-18dbf9a2dbe5', '2026-11-17 04:41:56.794319+00', '2026-11-17 04:42:01.817049+00', 0, 'Sleeping', 'completed', 'finished', NULL, NULL, NULL, NULL, '\x81a16e07', '\x10', NULL, NULL, 'default', NULL, NULL, NULL, NULL, 1);
INSERT INTO public.runner_instances VALUES ('01a1e7cf-dce2-712f-aa31-9abbc3e8f534', '01a1e7cf-c934-7482-a83a-f8e329216331', NULL, NULL, '2026-11-17 04:42:01.827057+00', NULL, 0, 'Sleeping', 'running', 'sleeping', NULL, NULL, 'sleep until 2026-11-17T04:42:06Z', NULL, '\x81a16e06', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL, 1);
INSERT INTO public.waymark_meta VALUES ('fingerprint', 'd2c4f73ec3de4edd86d84e09772a946d');
INSERT INTO public.waymark_migrations VALUES (1, 'tables', '3261cc5ddc4c9a9914ef2bf691b2041644877426873e6c9fcff0eadcffde20f3');
INSERT INTO public.waymark_migrations VALUES (2, 'actions_by_name', '9a79605e25ebae932dcac136b4056b6e9500b0fb87bf76bc7525787469eac543');
INSERT INTO public.waymark_migrations VALUES (3, 'control', 'd4408d289e75222b896cbbc417b156b516478e679f6ad534228c4b5c3738c1f4');
INSERT INTO public.waymark_migrations VALUES (4, 'schedules', 'd0230b4b0e4f5ab52c959b22feb644b3514e630b1e83f882b135f7d168de4f56');
INSERT INTO public.waymark_migrations VALUES (5, 'queues', '9bbd9aef1aab115208d524e816badc676a0cc6862adbb889924f1efd1f767243');
INSERT INTO public.waymark_migrations VALUES (6, 'replies', '7a2c908e71d3b75d9b64a8ec33d3c6d3ecf7b44e16f853e4ff3096561772e0c9');
INSERT INTO public.waymark_migrations VALUES (7, 'retention', 'f2e8249ab4204f9ae439871de72d788a3cd2f74ffe96909fcaaa022bf2cc0dbf');
INSERT INTO public.waymark_migrations VALUES (8, 'transactions', '3e2a6abac345d00a60a4a076919e7d9cc1439f25b0fed390bd9bbe5144599840');
INSERT INTO public.waymark_migrations VALUES (9, 'priority', 'f0d9cc5228a2239de0a6c0d816304f70360942f74e0562ff91510dcbe46ee974');
INSERT INTO public.workflow_schedules VALUES ('01a1e7cf-dce1-762a-b706-7b7e5cc36b5b', 'Sleeping', 'yearly', 'active', '\x8ca47768656e81a443726f6e82a77061747465726ea930203320312031202aa47a6f6e65a3555443ab73746172745f61745f7573c0a9656e645f61745f7573c0a96a69747465725f757300a76f7665726c6170a4536b6970ab63617463685f75705f7573cf000000141dd76000a6696e70757473c40481a16e04a57175657565a764656661756c74a87072696f7269747901a47461677390a36b6579c0aa74696d656f75745f7573c0', '2027-01-01 03:00:00+00', NULL, NULL, '2026-11-17 04:42:01.825311+00', '2026-11-17 04:42:01.825311+00', 1, '2026-11-17 04:42:01.824944+00', NULL, 0, 0, 0);
INSERT INTO public.workflow_versions VALUES ('01a1e7cf-c934-7482-a83a-f8e329216331', 'Sleeping', '86cd5d6a49a673d142d858a0f04a058ddcca3a3c4bb2e2205560610e69468136', '86cd5d6a49a673d142d858a0f04a058ddcca3a3c4bb2e2205560610e69468136', '\x0a08536c656570696e671001180122046d61696e32fd290a066170702e707912f2292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a0112420c0a05371f002000120312016e421b0a05371800210012126a100a0a6170703a646f75626c651a020801420b0a0537120021001202400242110a053709000f00120812066265666f726542100a0537090021001a0712050a0104100342120a05380f001c00120912076173796e63696f42140a05380f001c00120b1a0908061205736c656570420d0a05381d001e0012040a02180a42110a05380f001f0012082206080712020808420b0a053809001f0012024009420b0a053809001f001a02080a42110a053910001600120812066265666f7265420d0a05392600270012040a021802421b0a05391f00280012126a100a0a6170703a646f75626c651a02080d420b0a0539190028001202400e42110a05391000280012082a060801100c180f420d0a0539090028001a045a02081042360a0536050328002a2d0a046d61696e10011a0c0a016e100222053619001f002a03050b1132100a0c536c656570696e672e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
The recorded programs call these actions by their names: what is here may be added to, not changed.
"""
from __future__ import annotations
import asyncio
import os
import sys
from datetime import timedelta
from typing import Any
import waymark
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, wait_for_signal, workflow
from waymark.client.instance import Status
PATIENT = RetryPolicy(attempts=100, backoff=BackoffPolicy(base_delay=30, factor=1))
@action
async def double(n: int) -> int:
    return 2 * n
@action
async def mended(n: int) -> int:
    """Fails until somebody is there who has a newer Waymark."""
    if "UPGRADED" not in os.environ:
        raise ConnectionError("not yet")
    return n
@workflow
class Waiting(Workflow):
    """Stands in the middle of a function that another one has called, with a future, a set and an exception in its variables."""
    async def run(self, n: int) -> list[Any]:
        self.publish("half", await double(n))
        seen = {n, 2 * n}
        answer = await self.ask()
        parts = await asyncio.gather(*[double(n + k) for k in range(3)])
        return [sorted(seen), answer, parts]
    async def ask(self) -> Any:
        try:
            raise LookupError("before")
        except LookupError as error:
            return [str(error), await wait_for_signal("go", timeout=timedelta(days=36_500))]
@workflow
class Sleeping(Workflow):
    async def run(self, n: int) -> int:
        before = await double(n)
        await asyncio.sleep(5)
        return before + await double(1)
@workflow
class Looping(Workflow):
    """Has a state that was saved whole, and a log behind it."""
    async def run(self, count: int) -> list[Any]:
        total = 0
        for n in range(count):
            total += await double(n)
        return [total, await wait_for_signal("go")]
@workflow
class Family(Workflow):
    async def run(self, n: int) -> list[Any]:
        child = await Waiting().start(n, id=f"child {n}")
        return [n, await child.result()]
@workflow
class Retrying(Workflow):
    async def run(self, n: int) -> int:
        return await self.run_action(mended(n), retry=PATIENT)
async def begin() -> None:
    finished = await Sleeping().start(7, id="finished")
    failed = await Waiting().start(1, id="terminated")
    await Waiting().start(5, id="waiting", tags=["kept"], queue="default", key="tenant")
    await Looping().start(400, id="looping")
    await Family().start(9, id="family")
    await Retrying().start(3, id="retrying")
    paused = await Waiting().start(2, id="paused")
    await until(paused, "signal go")
    await paused.pause()
    await until(failed, "signal go")
    await failed.terminate("enough")
    for handle in (Waiting.get_handle("waiting"), Looping.get_handle("looping"), Waiting.get_handle("child 9")):
        await until(handle, "signal go")
    assert await finished.result(timeout=60) == 16
    await waymark.set_queue("default", key_concurrency=50)
    await waymark.schedule_workflow(Sleeping, schedule="0 3 1 1 *", schedule_name="yearly", inputs={"n": 4})
    await Sleeping().start(6, id="sleeping")
    await until(Sleeping.get_handle("sleeping"), "sleep")
    await until(Retrying.get_handle("retrying"), "retry")
async def finish() -> None:
    assert await Sleeping.get_handle("finished").result() == 16
    assert await Waiting.get_handle("terminated").status() is Status.TERMINATED
    (kept,) = await waymark.list_instances(tags="kept")
    assert (kept.id, kept.key, kept.status) == ("waiting", "tenant", Status.RUNNING)
    assert (await waymark.list_queues())[0].key_concurrency == 50
    (schedule,) = await waymark.list_schedules(Sleeping)
    assert schedule.schedule_name == "yearly"
    waiting = Waiting.get_handle("waiting")
    assert await waiting.query("half") == 10
    await waiting.signal("go", {"by": "hand"})
    assert await waiting.result(timeout=60) == [[5, 10], ["before", {"by": "hand"}], [10, 12, 14]]
    looping = Looping.get_handle("looping")
    await looping.signal("go", 1)
    assert await looping.result(timeout=60) == [400 * 399, 1]
    await Waiting.get_handle("child 9").signal("go", None)
    assert await Family.get_handle("family").result(timeout=60) == [9, [[9, 18], ["before", None], [18, 20, 22]]]
    paused = Waiting.get_handle("paused")
    assert await paused.status() is Status.PAUSED
    await paused.resume()
    await paused.signal("go", "on")
    assert await paused.result(timeout=60) == [[2, 4], ["before", "on"], [4, 6, 8]]
    assert await Sleeping.get_handle("sleeping").result(timeout=60) == 14
    assert await Retrying.get_handle("retrying").result(timeout=60) == 3
    assert await Retrying().run(8) == 8
    print("all is well")
async def until(handle: waymark.Handle[Any], waits_for: str) -> None:
    for _ in range(3_000):
        try:
            if waits_for in ((await handle.describe()).waits_for or ""):
                return
        except waymark.InstanceNotFound:
            pass
        await asyncio.sleep(0.02)
    raise AssertionError(f"{handle} never waits for {waits_for}: {await handle.describe()}")
if __name__ == "__main__":
    asyncio.run({"begin": begin, "finish": finish}[sys.argv[1]]())
', '2026-11-17 04:41:56.789361+00', '2026-11-17 04:41:56.789362+00');
INSERT INTO public.workflow_versions VALUES ('01a1e7cf-c954-7546-b1d0-3fa578099069', 'Looping', '0ecd094c0d3819d37c3ba4c42fda5205a4914611283fd9a802116bc0527242fd', '0ecd094c0d3819d37c3ba4c42fda5205a4914611283fd9a802116bc0527242fd', '\x0a074c6f6f70696e671001180122046d61696e32fd290a066170702e707912f2292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a0116420d0a05411100120012040a02180042100a054109000e0012071205746f74616c42100a0541090012001a0712050a0102100142100a0542120017001207120572616e676542100a054218001d0012071205636f756e7442110a054212001e0012082206080412020805420c0a05420d000e00120312016e42100a05430d00120012071205746f74616c420c0a054323002400120312016e421b0a05431c00250012126a100a0a6170703a646f75626c651a020809420b0a0543160025001202400a42110a05430d0025001a081a0608081001180b42120a0542090125001a093a07080710061a010c42100a05441100160012071205746f74616c42120a05441e002d00120912077761796d61726b421a0a05441e002d0012111a0f080f120b6e6578745f7369676e616c420f0a05442e00320012060a042a02676f42110a05441e00330012082206081012020811420b0a05441800330012024012420f0a05441000340012064a040a020e13420d0a0544090034001a045a02081442390a0540050434002a300a046d61696e10011a100a05636f756e741002220540190023002a03030d15320f0a0b4c6f6f70696e672e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
The recorded programs call these actions by their names: what is here may be added to, not changed.
"""
from __future__ import annotations
import asyncio
import os
import sys
from datetime import timedelta
from typing import Any
import waymark
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, wait_for_signal, workflow
from waymark.client.instance import Status
PATIENT = RetryPolicy(attempts=100, backoff=BackoffPolicy(base_delay=30, factor=1))
@action
async def double(n: int) -> int:
    return 2 * n
@action
async def mended(n: int) -> int:
    """Fails until somebody is there who has a newer Waymark."""
    if "UPGRADED" not in os.environ:
        raise ConnectionError("not yet")
    return n
@workflow
class Waiting(Workflow):
    """Stands in the middle of a function that another one has called, with a future, a set and an exception in its variables."""
    async def run(self, n: int) -> list[Any]:
        self.publish("half", await double(n))
        seen = {n, 2 * n}
        answer = await self.ask()
        parts = await asyncio.gather(*[double(n + k) for k in range(3)])
        return [sorted(seen), answer, parts]
    async def ask(self) -> Any:
        try:
            raise LookupError("before")
        except LookupError as error:
            return [str(error), await wait_for_signal("go", timeout=timedelta(days=36_500))]
@workflow
class Sleeping(Workflow):
    async def run(self, n: int) -> int:
        before = await double(n)
        await asyncio.sleep(5)
        return before + await double(1)
@workflow
class Looping(Workflow):
    """Has a state that was saved whole, and a log behind it."""
    async def run(self, count: int) -> list[Any]:
        total = 0
        for n in range(count):
            total += await double(n)
        return [total, await wait_for_signal("go")]
@workflow
class Family(Workflow):
    async def run(self, n: int) -> list[Any]:
        child = await Waiting().start(n, id=f"child {n}")
        return [n, await child.result()]
@workflow
class Retrying(Workflow):
    async def run(self, n: int) -> int:
        return await self.run_action(mended(n), retry=PATIENT)
async def begin() -> None:
    finished = await Sleeping().start(7, id="finished")
    failed = await Waiting().start(1, id="terminated")
    await Waiting().start(5, id="waiting", tags=["kept"], queue="default", key="tenant")
    await Looping().start(400, id="looping")
    await Family().start(9, id="family")
    await Retrying().start(3, id="retrying")
    paused = await Waiting().start(2, id="paused")
    await until(paused, "signal go")
    await paused.pause()
    await until(failed, "signal go")
    await failed.terminate("enough")
    for handle in (Waiting.get_handle("waiting"), Looping.get_handle("looping"), Waiting.get_handle("child 9")):
        await until(handle, "signal go")
    assert await finished.result(timeout=60) == 16
    await waymark.set_queue("default", key_concurrency=50)
    await waymark.schedule_workflow(Sleeping, schedule="0 3 1 1 *", schedule_name="yearly", inputs={"n": 4})
    await Sleeping().start(6, id="sleeping")
    await until(Sleeping.get_handle("sleeping"), "sleep")
    await until(Retrying.get_handle("retrying"), "retry")
async def finish() -> None:
    assert await Sleeping.get_handle("finished").result() == 16
    assert await Waiting.get_handle("terminated").status() is Status.TERMINATED
    (kept,) = await waymark.list_instances(tags="kept")
    assert (kept.id, kept.key, kept.status) == ("waiting", "tenant", Status.RUNNING)
    assert (await waymark.list_queues())[0].key_concurrency == 50
    (schedule,) = await waymark.list_schedules(Sleeping)
    assert schedule.schedule_name == "yearly"
    waiting = Waiting.get_handle("waiting")
    assert await waiting.query("half") == 10
    await waiting.signal("go", {"by": "hand"})
    assert await waiting.result(timeout=60) == [[5, 10], ["before", {"by": "hand"}], [10, 12, 14]]
    looping = Looping.get_handle("looping")
    await looping.signal("go", 1)
    assert await looping.result(timeout=60) == [400 * 399, 1]
    await Waiting.get_handle("child 9").signal("go", None)
    assert await Family.get_handle("family").result(timeout=60) == [9, [[9, 18], ["before", None], [18, 20, 22]]]
    paused = Waiting.get_handle("paused")
    assert await paused.status() is Status.PAUSED
    await paused.resume()
    await paused.signal("go", "on")
    assert await paused.result(timeout=60) == [[2, 4], ["before", "on"], [4, 6, 8]]
    assert await Sleeping.get_handle("sleeping").result(timeout=60) == 14
    assert await Retrying.get_handle("retrying").result(timeout=60) == 3
    assert await Retrying().run(8) == 8
    print("all is well")
async def until(handle: waymark.Handle[Any], waits_for: str) -> None:
    for _ in range(3_000):
        try:
            if waits_for in ((await handle.describe()).waits_for or ""):
                return
        except waymark.InstanceNotFound:
            pass
        await asyncio.sleep(0.02)
    raise AssertionError(f"{handle} never waits for {waits_for}: {await handle.describe()}")
if __name__ == "__main__":
    asyncio.run({"begin": begin, "finish": finish}[sys.argv[1]]())
', '2026-11-17 04:41:56.821834+00', '2026-11-17 04:41:56.821834+00');
INSERT INTO public.workflow_versions VALUES ('01a1e7cf-c941-7545-9d44-573f2903937f', 'Waiting', '003af7af9762fd2547f319f1bf9309b68839735b37aca25dd62682ee9fdf8f37', '003af7af9762fd2547f319f1bf9309b68839735b37aca25dd62682ee9fdf8f37', '\x0a0757616974696e671001180122046d61696e32fd290a066170702e707912f2292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a02402442120a052709001500120912077761796d61726b42160a052709001500120d1a0b080112077075626c69736842110a052716001c0012080a062a0468616c66420c0a05272b002c00120312016e421b0a052724002d0012126a100a0a6170703a646f75626c651a020804420b0a05271e002d001202400542150a052709002e00120c220a08021202080312020806420b0a052709002e001a020807420c0a052811001200120312016e420d0a05281400150012040a021804420c0a052818001900120312016e42110a05281400190012082a060803100a180b420f0a052810001a0012065a040a02090c420f0a052809000d00120612047365656e42100a052809001a001a0712050a010e100d42160a052f13001e00120d120b4c6f6f6b75704572726f7242130a052f1f002700120a0a082a066265666f726542110a052f1300280012082206081012020811420d0a052f0d0028001a046202081242160a053010001b00120d120b4c6f6f6b75704572726f72420e0a0531150018001205120373747242100a053119001e00120712056572726f7242110a053115001f001208220608151202081642120a053127003600120912077761796d61726b421a0a05312700360012111a0f0818120b6e6578745f7369676e616c420f0a053137003b0012060a042a02676f42130a053145004e00120a12086461746574696d6542180a053145004e00120f1a0d081b120974696d6564656c7461420f0a053154005a0012060a0418a8ba0442190a053145005b001210220e081c120a12080a0464617973101d42200a053127005c001217221508191202081a120d120b0a0774696d656f7574101e420b0a053121005c001202401f420f0a053114005d0012064a040a021720420d0a05310d005d001a045a02082142230a052e09035d001a1a42180a01131213081412056572726f721a012222053009015d0042240a052d05045d002a1b0a0361736b10012a0123320f0a0b57616974696e672e61736b1001420e0a0529180022001205120361736b420d0a052918002200120422020825420b0a0529120022001202402642110a052909000f0012081206616e7377657242100a0529090022001a0712050a0128102742120a052a17002500120912076173796e63696f42150a052a17002500120c1a0a082a120667617468657242100a052a3f0044001207120572616e6765420d0a052a4500460012040a02180642110a052a3f00470012082206082c1202082d420c0a052a3a003b00120312016b420c0a052a2f003000120312016e420c0a052a33003400120312016b42110a052a2f00340012082a06080110301831421b0a052a2800350012126a100a0a6170703a646f75626c651a02083242140a052a27004800120bb2010808332a04082f102e42110a052a1700490012082206082b12021834420b0a052a110049001202403542100a052a09000e0012071205706172747342100a052a090049001a0712050a0137103642110a052b1100170012081206736f72746564420f0a052b18001c00120612047365656e42110a052b11001d001208220608391202083a42110a052b1f00250012081206616e7377657242100a052b27002c0012071205706172747342100a052b10002d0012074a050a033b3c3d420d0a052b09002d001a045a02083e42370a052605052d002a2e0a046d61696e10011a0c0a016e100222052619001f002a05080f29383f320f0a0b57616974696e672e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
The recorded programs call these actions by their names: what is here may be added to, not changed.
"""
from __future__ import annotations
import asyncio
import os
import sys
from datetime import timedelta
from typing import Any
import waymark
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, wait_for_signal, workflow
from waymark.client.instance import Status
PATIENT = RetryPolicy(attempts=100, backoff=BackoffPolicy(base_delay=30, factor=1))
@action
async def double(n: int) -> int:
    return 2 * n
@action
async def mended(n: int) -> int:
    """Fails until somebody is there who has a newer Waymark."""
    if "UPGRADED" not in os.environ:
        raise ConnectionError("not yet")
    return n
@workflow
class Waiting(Workflow):
    """Stands in the middle of a function that another one has called, with a future, a set and an exception in its variables."""
    async def run(self, n: int) -> list[Any]:
        self.publish("half", await double(n))
        seen = {n, 2 * n}
        answer = await self.ask()
        parts = await asyncio.gather(*[double(n + k) for k in range(3)])
        return [sorted(seen), answer, parts]
    async def ask(self) -> Any:
        try:
            raise LookupError("before")
        except LookupError as error:
            return [str(error), await wait_for_signal("go", timeout=timedelta(days=36_500))]
@workflow
class Sleeping(Workflow):
    async def run(self, n: int) -> int:
        before = await double(n)
        await asyncio.sleep(5)
        return before + await double(1)
@workflow
class Looping(Workflow):
    """Has a state that was saved whole, and a log behind it."""
    async def run(self, count: int) -> list[Any]:
        total = 0
        for n in range(count):
            total += await double(n)
        return [total, await wait_for_signal("go")]
@workflow
class Family(Workflow):
    async def run(self, n: int) -> list[Any]:
        child = await Waiting().start(n, id=f"child {n}")
        return [n, await child.result()]
@workflow
class Retrying(Workflow):
    async def run(self, n: int) -> int:
        return await self.run_action(mended(n), retry=PATIENT)
async def begin() -> None:
    finished = await Sleeping().start(7, id="finished")
    failed = await Waiting().start(1, id="terminated")
    await Waiting().start(5, id="waiting", tags=["kept"], queue="default", key="tenant")
    await Looping().start(400, id="looping")
    await Family().start(9, id="family")
    await Retrying().start(3, id="retrying")
    paused = await Waiting().start(2, id="paused")
    await until(paused, "signal go")
    await paused.pause()
    await until(failed, "signal go")
    await failed.terminate("enough")
    for handle in (Waiting.get_handle("waiting"), Looping.get_handle("looping"), Waiting.get_handle("child 9")):
        await until(handle, "signal go")
    assert await finished.result(timeout=60) == 16
    await waymark.set_queue("default", key_concurrency=50)
    await waymark.schedule_workflow(Sleeping, schedule="0 3 1 1 *", schedule_name="yearly", inputs={"n": 4})
    await Sleeping().start(6, id="sleeping")
    await until(Sleeping.get_handle("sleeping"), "sleep")
    await until(Retrying.get_handle("retrying"), "retry")
async def finish() -> None:
    assert await Sleeping.get_handle("finished").result() == 16
    assert await Waiting.get_handle("terminated").status() is Status.TERMINATED
    (kept,) = await waymark.list_instances(tags="kept")
    assert (kept.id, kept.key, kept.status) == ("waiting", "tenant", Status.RUNNING)
    assert (await waymark.list_queues())[0].key_concurrency == 50
    (schedule,) = await waymark.list_schedules(Sleeping)
    assert schedule.schedule_name == "yearly"
    waiting = Waiting.get_handle("waiting")
    assert await waiting.query("half") == 10
    await waiting.signal("go", {"by": "hand"})
    assert await waiting.result(timeout=60) == [[5, 10], ["before", {"by": "hand"}], [10, 12, 14]]
    looping = Looping.get_handle("looping")
    await looping.signal("go", 1)
    assert await looping.result(timeout=60) == [400 * 399, 1]
    await Waiting.get_handle("child 9").signal("go", None)
    assert await Family.get_handle("family").result(timeout=60) == [9, [[9, 18], ["before", None], [18, 20, 22]]]
    paused = Waiting.get_handle("paused")
    assert await paused.status() is Status.PAUSED
    await paused.resume()
    await paused.signal("go", "on")
    assert await paused.result(timeout=60) == [[2, 4], ["before", "on"], [4, 6, 8]]
    assert await Sleeping.get_handle("sleeping").result(timeout=60) == 14
    assert await Retrying.get_handle("retrying").result(timeout=60) == 3
    assert await Retrying().run(8) == 8
    print("all is well")
async def until(handle: waymark.Handle[Any], waits_for: str) -> None:
    for _ in range(3_000):
        try:
            if waits_for in ((await handle.describe()).waits_for or ""):
                return
        except waymark.InstanceNotFound:
            pass
        await asyncio.sleep(0.02)
    raise AssertionError(f"{handle} never waits for {waits_for}: {await handle.describe()}")
if __name__ == "__main__":
    asyncio.run({"begin": begin, "finish": finish}[sys.argv[1]]())
', '2026-11-17 04:41:56.80225+00', '2026-11-17 04:41:56.828665+00');
INSERT INTO public.workflow_versions VALUES ('01a1e7cf-c95e-71e8-a0f8-e5ee59d1fd57', 'Family', 'cc1593f6f5e0173930bdfa70bd5683f2283e451d947c3501108037da98bf74d4', 'cc1593f6f5e0173930bdfa70bd5683f2283e451d947c3501108037da98bf74d4', '\x0a0646616d696c791001180122046d61696e32fd290a066170702e707912f2292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a0116420c0a054a27002800120312016e420c0a054a36003700120312016e421b0a054a2d003900121272100a080a066368696c64200a041202080242140a054a17003a00120b0a092a0757616974696e67420f0a054a17003a00120612046469637442160a054a17003a00120d220b0805120712050a016e1001420f0a054a17003a00120612046469637442170a054a17003a00120e220c0807120812060a026964100342120a054a17003a00120912077761796d61726b421d0a054a17003a0012141a120809120e73746172745f776f726b666c6f7742190a054a17003a001210220e080a120208041202080612020808420b0a054a11003a001202400b42100a054a09000e00120712056368696c6442100a054a09003a001a0712050a010d100c420c0a054b11001200120312016e42100a054b1a001f00120712056368696c6442150a054b1a002600120c1a0a08101206726573756c74420d0a054b1a002800120422020811420b0a054b1400280012024012420f0a054b1000290012064a040a020f13420d0a054b090029001a045a02081442330a0549050229002a2a0a046d61696e10011a0c0a016e100222054919001f002a020e15320e0a0a46616d696c792e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
The recorded programs call these actions by their names: what is here may be added to, not changed.
"""
from __future__ import annotations
import asyncio
import os
import sys
from datetime import timedelta
from typing import Any
import waymark
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, wait_for_signal, workflow
from waymark.client.instance import Status
PATIENT = RetryPolicy(attempts=100, backoff=BackoffPolicy(base_delay=30, factor=1))
@action
async def double(n: int) -> int:
    return 2 * n
@action
async def mended(n: int) -> int:
    """Fails until somebody is there who has a newer Waymark."""
    if "UPGRADED" not in os.environ:
        raise ConnectionError("not yet")
    return n
@workflow
class Waiting(Workflow):
    """Stands in the middle of a function that another one has called, with a future, a set and an exception in its variables."""
    async def run(self, n: int) -> list[Any]:
        self.publish("half", await double(n))
        seen = {n, 2 * n}
        answer = await self.ask()
        parts = await asyncio.gather(*[double(n + k) for k in range(3)])
        return [sorted(seen), answer, parts]
    async def ask(self) -> Any:
        try:
            raise LookupError("before")
        except LookupError as error:
            return [str(error), await wait_for_signal("go", timeout=timedelta(days=36_500))]
@workflow
class Sleeping(Workflow):
    async def run(self, n: int) -> int:
        before = await double(n)
        await asyncio.sleep(5)
        return before + await double(1)
@workflow
class Looping(Workflow):
    """Has a state that was saved whole, and a log behind it."""
    async def run(self, count: int) -> list[Any]:
        total = 0
        for n in range(count):
            total += await double(n)
        return [total, await wait_for_signal("go")]
@workflow
class Family(Workflow):
    async def run(self, n: int) -> list[Any]:
        child = await Waiting().start(n, id=f"child {n}")
        return [n, await child.result()]
@workflow
class Retrying(Workflow):
    async def run(self, n: int) -> int:
        return await self.run_action(mended(n), retry=PATIENT)
async def begin() -> None:
    finished = await Sleeping().start(7, id="finished")
    failed = await Waiting().start(1, id="terminated")
    await Waiting().start(5, id="waiting", tags=["kept"], queue="default", key="tenant")
    await Looping().start(400, id="looping")
    await Family().start(9, id="family")
    await Retrying().start(3, id="retrying")
    paused = await Waiting().start(2, id="paused")
    await until(paused, "signal go")
    await paused.pause()
    await until(failed, "signal go")
    await failed.terminate("enough")
    for handle in (Waiting.get_handle("waiting"), Looping.get_handle("looping"), Waiting.get_handle("child 9")):
        await until(handle, "signal go")
    assert await finished.result(timeout=60) == 16
    await waymark.set_queue("default", key_concurrency=50)
    await waymark.schedule_workflow(Sleeping, schedule="0 3 1 1 *", schedule_name="yearly", inputs={"n": 4})
    await Sleeping().start(6, id="sleeping")
    await until(Sleeping.get_handle("sleeping"), "sleep")
    await until(Retrying.get_handle("retrying"), "retry")
async def finish() -> None:
    assert await Sleeping.get_handle("finished").result() == 16
    assert await Waiting.get_handle("terminated").status() is Status.TERMINATED
    (kept,) = await waymark.list_instances(tags="kept")
    assert (kept.id, kept.key, kept.status) == ("waiting", "tenant", Status.RUNNING)
    assert (await waymark.list_queues())[0].key_concurrency == 50
    (schedule,) = await waymark.list_schedules(Sleeping)
    assert schedule.schedule_name == "yearly"
    waiting = Waiting.get_handle("waiting")
    assert await waiting.query("half") == 10
    await waiting.signal("go", {"by": "hand"})
    assert await waiting.result(timeout=60) == [[5, 10], ["before", {"by": "hand"}], [10, 12, 14]]
    looping = Looping.get_handle("looping")
    await looping.signal("go", 1)
    assert await looping.result(timeout=60) == [400 * 399, 1]
    await Waiting.get_handle("child 9").signal("go", None)
    assert await Family.get_handle("family").result(timeout=60) == [9, [[9, 18], ["before", None], [18, 20, 22]]]
    paused = Waiting.get_handle("paused")
    assert await paused.status() is Status.PAUSED
    await paused.resume()
    await paused.signal("go", "on")
    assert await paused.result(timeout=60) == [[2, 4], ["before", "on"], [4, 6, 8]]
    assert await Sleeping.get_handle("sleeping").result(timeout=60) == 14
    assert await Retrying.get_handle("retrying").result(timeout=60) == 3
    assert await Retrying().run(8) == 8
    print("all is well")
async def until(handle: waymark.Handle[Any], waits_for: str) -> None:
    for _ in range(3_000):
        try:
            if waits_for in ((await handle.describe()).waits_for or ""):
                return
        except waymark.InstanceNotFound:
            pass
        await asyncio.sleep(0.02)
    raise AssertionError(f"{handle} never waits for {waits_for}: {await handle.describe()}")
if __name__ == "__main__":
    asyncio.run({"begin": begin, "finish": finish}[sys.argv[1]]())
', '2026-11-17 04:41:56.831079+00', '2026-11-17 04:41:56.831079+00');
INSERT INTO public.workflow_versions VALUES ('01a1e7cf-c965-71ca-a732-ca6bda2e0bc8', 'Retrying', '8d924714e0873eb12aae297c3226cc100ecca4323f697cf96c708d2920cd440b', '8d924714e0873eb12aae297c3226cc100ecca4323f697cf96c708d2920cd440b', '\x0a085265747279696e671001180122046d61696e32fd290a066170702e707912f2292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a010a420c0a05512d002e00120312016e420e0a055137003e0012050a0318c801420d0a055137003e0012040a021001420d0a055137003e0012040a02183c420d0a055137003e0012040a02180242140a055137003e00120b0a0921000000000000000042270a055126002f00121e6a1c0a0a6170703a6d656e6465641a020801220a08021803200428053806420b0a055110003f0012024007420d0a055109003f001a045a02080842340a055005013f002a2b0a046d61696e10011a0c0a016e100222055019001f002a010932100a0c5265747279696e672e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
The recorded programs call these actions by their names: what is here may be added to, not changed.
"""
from __future__ import annotations
import asyncio
import os
import sys
from datetime import timedelta
from typing import Any
import waymark
from waymark import BackoffPolicy, RetryPolicy, Workflow, action, wait_for_signal, workflow
from waymark.client.instance import Status
PATIENT = RetryPolicy(attempts=100, backoff=BackoffPolicy(base_delay=30, factor=1))
@action
async def double(n: int) -> int:
    return 2 * n
@action
async def mended(n: int) -> int:
    """Fails until somebody is there who has a newer Waymark."""
    if "UPGRADED" not in os.environ:
        raise ConnectionError("not yet")
    return n
@workflow
class Waiting(Workflow):
    """Stands in the middle of a function that another one has called, with a future, a set and an exception in its variables."""
    async def run(self, n: int) -> list[Any]:
        self.publish("half", await double(n))
        seen = {n, 2 * n}
        answer = await self.ask()
        parts = await asyncio.gather(*[double(n + k) for k in range(3)])
        return [sorted(seen), answer, parts]
    async def ask(self) -> Any:
        try:
            raise LookupError("before")
        except LookupError as error:
            return [str(error), await wait_for_signal("go", timeout=timedelta(days=36_500))]
@workflow
class Sleeping(Workflow):
    async def run(self, n: int) -> int:
        before = await double(n)
        await asyncio.sleep(5)
        return before + await double(1)
@workflow
class Looping(Workflow):
    """Has a state that was saved whole, and a log behind it."""
    async def run(self, count: int) -> list[Any]:
        total = 0
        for n in range(count):
            total += await double(n)
        return [total, await wait_for_signal("go")]
@workflow
class Family(Workflow):
    async def run(self, n: int) -> list[Any]:
        child = await Waiting().start(n, id=f"child {n}")
        return [n, await child.result()]
@workflow
class Retrying(Workflow):
    async def run(self, n: int) -> int:
        return await self.run_action(mended(n), retry=PATIENT)
async def begin() -> None:
    finished = await Sleeping().start(7, id="finished")
    failed = await Waiting().start(1, id="terminated")
    await Waiting().start(5, id="waiting", tags=["kept"], queue="default", key="tenant")
    await Looping().start(400, id="looping")
    await Family().start(9, id="family")
    await Retrying().start(3, id="retrying")
    paused = await Waiting().start(2, id="paused")
    await until(paused, "signal go")
    await paused.pause()
    await until(failed, "signal go")
    await failed.terminate("enough")
    for handle in (Waiting.get_handle("waiting"), Looping.get_handle("looping"), Waiting.get_handle("child 9")):
        await until(handle, "signal go")
    assert await finished.result(timeout=60) == 16
    await waymark.set_queue("default", key_concurrency=50)
    await waymark.schedule_workflow(Sleeping, schedule="0 3 1 1 *", schedule_name="yearly", inputs={"n": 4})
    await Sleeping().start(6, id="sleeping")
    await until(Sleeping.get_handle("sleeping"), "sleep")
    await until(Retrying.get_handle("retrying"), "retry")
async def finish() -> None:
    assert await Sleeping.get_handle("finished").result() == 16
    assert await Waiting.get_handle("terminated").status() is Status.TERMINATED
    (kept,) = await waymark.list_instances(tags="kept")
    assert (kept.id, kept.key, kept.status) == ("waiting", "tenant", Status.RUNNING)
    assert (await waymark.list_queues())[0].key_concurrency == 50
    (schedule,) = await waymark.list_schedules(Sleeping)
    assert schedule.schedule_name == "yearly"
    waiting = Waiting.get_handle("waiting")
    assert await waiting.query("half") == 10
    await waiting.signal("go", {"by": "hand"})
    assert await waiting.result(timeout=60) == [[5, 10], ["before", {"by": "hand"}], [10, 12, 14]]
    looping = Looping.get_handle("looping")
    await looping.signal("go", 1)
    assert await looping.result(timeout=60) == [400 * 399, 1]
    await Waiting.get_handle("child 9").signal("go", None)
    assert await Family.get_handle("family").result(timeout=60) == [9, [[9, 18], ["before", None], [18, 20, 22]]]
    paused = Waiting.get_handle("paused")
    assert await paused.status() is Status.PAUSED
    await paused.resume()
    await paused.signal("go", "on")
    assert await paused.result(timeout=60) == [[2, 4], ["before", "on"], [4, 6, 8]]
    assert await Sleeping.get_handle("sleeping").result(timeout=60) == 14
    assert await Retrying.get_handle("retrying").result(timeout=60) == 3
    assert await Retrying().run(8) == 8
    print("all is well")
async def until(handle: waymark.Handle[Any], waits_for: str) -> None:
    for _ in range(3_000):
        try:
            if waits_for in ((await handle.describe()).waits_for or ""):
                return
        except waymark.InstanceNotFound:
            pass
        await asyncio.sleep(0.02)
    raise AssertionError(f"{handle} never waits for {waits_for}: {await handle.describe()}")
if __name__ == "__main__":
    asyncio.run({"begin": begin, "finish": finish}[sys.argv[1]]())
', '2026-11-17 04:41:56.83792+00', '2026-11-17 04:41:56.83792+00');
SELECT pg_catalog.setval('public.instance_inbox_id_seq', 1, true);
SELECT pg_catalog.setval('public.outgoing_mail_id_seq', 1, false);
SELECT pg_catalog.setval('public.queued_actions_id_seq', 1, false);
ALTER TABLE ONLY public.instance_inbox
    ADD CONSTRAINT instance_inbox_pkey PRIMARY KEY (instance_id, message_id);
ALTER TABLE ONLY public.instance_replies
    ADD CONSTRAINT instance_replies_pkey PRIMARY KEY (instance_id, update_id);
ALTER TABLE ONLY public.instance_tags
    ADD CONSTRAINT instance_tags_pkey PRIMARY KEY (tag, instance_id);
ALTER TABLE ONLY public.outgoing_mail
    ADD CONSTRAINT outgoing_mail_pkey PRIMARY KEY (transaction_id, id);
ALTER TABLE ONLY public.paused_workflows
    ADD CONSTRAINT paused_workflows_pkey PRIMARY KEY (workflow_name);
ALTER TABLE ONLY public.queue_buckets
    ADD CONSTRAINT queue_buckets_pkey PRIMARY KEY (queue, scope, queue_key);
ALTER TABLE ONLY public.queued_actions
    ADD CONSTRAINT queued_actions_pkey PRIMARY KEY (instance_id, execution_id, attempt);
ALTER TABLE ONLY public.queued_instances
    ADD CONSTRAINT queued_instances_pkey PRIMARY KEY (instance_id);
ALTER TABLE ONLY public.queues
    ADD CONSTRAINT queues_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.runner_actions_done
    ADD CONSTRAINT runner_actions_done_pkey PRIMARY KEY (instance_id, seq);
ALTER TABLE ONLY public.runner_instances
    ADD CONSTRAINT runner_instances_pkey PRIMARY KEY (instance_id);
ALTER TABLE ONLY public.transaction_attempts
    ADD CONSTRAINT transaction_attempts_pkey PRIMARY KEY (instance_id, execution_id, attempt);
ALTER TABLE ONLY public.waymark_meta
    ADD CONSTRAINT waymark_meta_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.waymark_migrations
    ADD CONSTRAINT waymark_migrations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.worker_status
    ADD CONSTRAINT worker_status_pkey PRIMARY KEY (pool_id, worker_id);
ALTER TABLE ONLY public.workflow_retention
    ADD CONSTRAINT workflow_retention_pkey PRIMARY KEY (workflow_name);
ALTER TABLE ONLY public.workflow_schedules
    ADD CONSTRAINT workflow_schedules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.workflow_schedules
    ADD CONSTRAINT workflow_schedules_workflow_name_schedule_name_key UNIQUE (workflow_name, schedule_name);
ALTER TABLE ONLY public.workflow_versions
    ADD CONSTRAINT workflow_versions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.workflow_versions
    ADD CONSTRAINT workflow_versions_workflow_name_workflow_version_key UNIQUE (workflow_name, workflow_version);
CREATE INDEX instance_tags_instance ON public.instance_tags USING btree (instance_id);
CREATE INDEX queue_buckets_full ON public.queue_buckets USING btree (full_at);
CREATE INDEX queued_actions_due ON public.queued_actions USING btree (action, queue, id) WHERE (lock_uuid IS NULL);
CREATE INDEX queued_actions_leased ON public.queued_actions USING btree (lock_uuid) WHERE (lock_uuid IS NOT NULL);
CREATE INDEX queued_instances_due ON public.queued_instances USING btree (queue, priority, scheduled_at) WHERE (lock_uuid IS NULL);
CREATE INDEX queued_instances_keyed_due ON public.queued_instances USING btree (queue, queue_key, priority, is_new, scheduled_at) WHERE ((lock_uuid IS NULL) AND (queue_key IS NOT NULL) AND (scheduled_at < 'infinity'::timestamp with time zone));
CREATE INDEX queued_instances_keyed_leased ON public.queued_instances USING btree (queue, queue_key) WHERE ((lock_uuid IS NOT NULL) AND (queue_key IS NOT NULL));
CREATE INDEX queued_instances_leased ON public.queued_instances USING btree (lock_uuid) WHERE (lock_uuid IS NOT NULL);
CREATE INDEX queued_instances_parked ON public.queued_instances USING btree (instance_id) WHERE (parked_due_at IS NOT NULL);
CREATE INDEX runner_instances_cancelled ON public.runner_instances USING btree (instance_id) WHERE (status = 'cancelled'::text);
CREATE INDEX runner_instances_error ON public.runner_instances USING btree (error_type, instance_id) WHERE (error_type IS NOT NULL);
CREATE INDEX runner_instances_failed ON public.runner_instances USING btree (instance_id) WHERE (status = 'failed'::text);
CREATE INDEX runner_instances_finished ON public.runner_instances USING btree (workflow_name, finished_at) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX runner_instances_key ON public.runner_instances USING btree (workflow_name, user_key) WHERE ((user_key IS NOT NULL) AND (finished_at IS NULL));
CREATE INDEX runner_instances_key_finished ON public.runner_instances USING btree (workflow_name, user_key, finished_at) WHERE ((user_key IS NOT NULL) AND (finished_at IS NOT NULL));
CREATE INDEX runner_instances_parent ON public.runner_instances USING btree (parent_instance_id) WHERE (parent_instance_id IS NOT NULL);
CREATE INDEX runner_instances_paused ON public.runner_instances USING btree (instance_id) WHERE (status = 'paused'::text);
CREATE INDEX runner_instances_schedule ON public.runner_instances USING btree (schedule_id, instance_id) WHERE (schedule_id IS NOT NULL);
CREATE INDEX runner_instances_schedule_live ON public.runner_instances USING btree (schedule_id) WHERE ((schedule_id IS NOT NULL) AND (finished_at IS NULL));
CREATE INDEX runner_instances_stuck ON public.runner_instances USING btree (instance_id) WHERE (status = 'stuck'::text);
CREATE INDEX runner_instances_terminated ON public.runner_instances USING btree (instance_id) WHERE (status = 'terminated'::text);
CREATE INDEX runner_instances_workflow ON public.runner_instances USING btree (workflow_name, instance_id);
CREATE INDEX workflow_schedules_due ON public.workflow_schedules USING btree (next_run_at) WHERE (status = 'active'::text);
CREATE INDEX workflow_versions_active ON public.workflow_versions USING btree (workflow_name, activated_at);
CREATE CONSTRAINT TRIGGER outgoing_mail_is_delivered AFTER INSERT ON public.outgoing_mail DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION waymark.deliver();
