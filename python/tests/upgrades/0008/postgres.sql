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
        INSERT INTO runner_instances (instance_id, workflow_version_id, workflow_name, user_key, tags, created_at, inputs, queue, queue_key, deadline_at)
        VALUES (instance, version, workflow, start_packed.id, nullif(array_to_string(start_packed.tags, E'\n'), ''), clock_timestamp(),
                start_packed.inputs, start_packed.queue, start_packed.key, due + timeout)
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
INSERT INTO public.instance_tags VALUES ('kept', '01a1e5fc-e7da-79da-be0a-47dcee9473eb');
INSERT INTO public.queued_instances VALUES ('004e8596-799f-80c5-af47-61733fede61f', NULL, '2126-10-23 20:11:59.386766+00', NULL, 0, 2, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e5fc-e7da-79da-be0a-47dcee9473eb', NULL, '2126-10-23 20:11:59.347676+00', NULL, 0, 2, 0, 1, false, 'default', NULL, 'tenant', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', NULL, 'infinity', NULL, 0, 401, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e5fc-e7f4-7359-80e6-3769ae8bccf5', NULL, 'infinity', NULL, 0, 1, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e5fc-e808-73ce-858a-745f90bd1821', NULL, '2026-11-16 20:12:29.405556+00', NULL, 0, 2, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e5fc-e822-7e5e-ac69-22d46daf4247', NULL, 'infinity', NULL, 1, 3, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queued_instances VALUES ('01a1e5fc-fb8e-7049-9b77-8718776dbd68', NULL, '2026-11-16 20:12:09.397318+00', NULL, 0, 2, 0, 1, false, 'default', NULL, '', false, NULL);
INSERT INTO public.queues VALUES ('default', false, false, NULL, 50, NULL, NULL, NULL, NULL, '');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e6d2-7530-8935-59018cf052f9', 1, '2026-11-16 20:11:59.301969+00', NULL, 6737255523991292031, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e07');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e6d2-7530-8935-59018cf052f9', 2, '2026-11-16 20:11:59.317361+00', '2026-11-16 20:11:59.305892+00', 4974429544820465150, 1, 'settled', '01a1e5fce6d27530893559018cf052f9-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c4010e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7b8-79b0-a7c9-600b418e4a17', 1, '2026-11-16 20:11:59.333679+00', NULL, -7354802984781414231, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e01');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7b8-79b0-a7c9-600b418e4a17', 2, '2026-11-16 20:11:59.335925+00', '2026-11-16 20:11:59.335068+00', 5066960013737471692, 1, 'settled', '01a1e5fce7b879b0a7c9600b418e4a17-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c40102');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7da-79da-be0a-47dcee9473eb', 1, '2026-11-16 20:11:59.339493+00', NULL, -7354802984781414231, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e05');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7da-79da-be0a-47dcee9473eb', 2, '2026-11-16 20:11:59.347676+00', '2026-11-16 20:11:59.34471+00', 1179397564813270487, 1, 'settled', '01a1e5fce7da79dabe0a47dcee9473eb-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c4010a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 1, '2026-11-16 20:11:59.361823+00', NULL, -8382804798743584431, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40a81a5636f756e74cd0190');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 2, '2026-11-16 20:11:59.36523+00', '2026-11-16 20:11:59.363354+00', -2655950991350396007, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c40100');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 3, '2026-11-16 20:11:59.368841+00', '2026-11-16 20:11:59.36614+00', 4589437712348771791, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-2', 'vm-1', '\x81a7536574746c656493020181a9436f6d706c65746564c40102');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7f4-7359-80e6-3769ae8bccf5', 1, '2026-11-16 20:11:59.367113+00', NULL, -9120787681139798598, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e09');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 4, '2026-11-16 20:11:59.37337+00', '2026-11-16 20:11:59.369647+00', 3965278401562266478, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-3', 'vm-1', '\x81a7536574746c656493030181a9436f6d706c65746564c40104');
INSERT INTO public.runner_actions_done VALUES ('004e8596-799f-80c5-af47-61733fede61f', 1, '2026-11-16 20:11:59.380732+00', NULL, -7354802984781414231, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e09');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 5, '2026-11-16 20:11:59.380104+00', '2026-11-16 20:11:59.378514+00', 2683046547246957027, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-4', 'vm-1', '\x81a7536574746c656493040181a9436f6d706c65746564c40106');
INSERT INTO public.runner_actions_done VALUES ('004e8596-799f-80c5-af47-61733fede61f', 2, '2026-11-16 20:11:59.386767+00', '2026-11-16 20:11:59.385254+00', -7369939029847006760, 1, 'settled', '004e8596799f80c5af4761733fede61f-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c40112');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 6, '2026-11-16 20:11:59.386767+00', '2026-11-16 20:11:59.385254+00', -8369387620502290709, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-5', 'vm-1', '\x81a7536574746c656493050181a9436f6d706c65746564c40108');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 7, '2026-11-16 20:11:59.394976+00', '2026-11-16 20:11:59.393345+00', 8488841305933663472, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-6', 'vm-1', '\x81a7536574746c656493060181a9436f6d706c65746564c4010a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e808-73ce-858a-745f90bd1821', 1, '2026-11-16 20:11:59.401805+00', NULL, 4045911834541784254, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e03');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 8, '2026-11-16 20:11:59.402998+00', '2026-11-16 20:11:59.402091+00', -4518430951790022853, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-7', 'vm-1', '\x81a7536574746c656493070181a9436f6d706c65746564c4010c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e808-73ce-858a-745f90bd1821', 2, '2026-11-16 20:11:59.405556+00', '2026-11-16 20:11:59.403774+00', 5017019304352338597, 1, 'settled', '01a1e5fce80873ce858a745f90bd1821-0-1', 'vm-1', '\x81a7536574746c656493010181a64661696c6564c494c791069aaf436f6e6e656374696f6e4572726f7293a74f534572726f72a9457863657074696f6ead42617365457863657074696f6e91a76e6f742079657480a76e6f7420796574c0c0c29091d94646696c6520226170702e7079222c206c696e652033312c20696e206d656e6465640a20202020726169736520436f6e6e656374696f6e4572726f7228226e6f74207965742229');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 9, '2026-11-16 20:11:59.407387+00', '2026-11-16 20:11:59.405748+00', -521401650612922573, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-8', 'vm-1', '\x81a7536574746c656493080181a9436f6d706c65746564c4010e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 10, '2026-11-16 20:11:59.412253+00', '2026-11-16 20:11:59.411272+00', 3449679652269188600, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-9', 'vm-1', '\x81a7536574746c656493090181a9436f6d706c65746564c40110');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 11, '2026-11-16 20:11:59.418291+00', '2026-11-16 20:11:59.417264+00', 230277240047493524, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-10', 'vm-1', '\x81a7536574746c6564930a0181a9436f6d706c65746564c40112');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e822-7e5e-ac69-22d46daf4247', 1, '2026-11-16 20:11:59.416974+00', NULL, -7354802984781414231, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e02');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 12, '2026-11-16 20:11:59.421128+00', '2026-11-16 20:11:59.420142+00', 4209752335236139955, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-11', 'vm-1', '\x81a7536574746c6564930b0181a9436f6d706c65746564c40114');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e822-7e5e-ac69-22d46daf4247', 2, '2026-11-16 20:11:59.421128+00', '2026-11-16 20:11:59.420142+00', -952548014150980022, 1, 'settled', '01a1e5fce8227e5eac6922d46daf4247-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c40104');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 13, '2026-11-16 20:11:59.425111+00', '2026-11-16 20:11:59.424548+00', 6518193224614107877, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-12', 'vm-1', '\x81a7536574746c6564930c0181a9436f6d706c65746564c40116');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 14, '2026-11-16 20:11:59.426151+00', '2026-11-16 20:11:59.425644+00', 1927988579812610544, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-13', 'vm-1', '\x81a7536574746c6564930d0181a9436f6d706c65746564c40118');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 15, '2026-11-16 20:11:59.427138+00', '2026-11-16 20:11:59.426653+00', -1344562307779076404, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-14', 'vm-1', '\x81a7536574746c6564930e0181a9436f6d706c65746564c4011a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 16, '2026-11-16 20:11:59.428101+00', '2026-11-16 20:11:59.427658+00', -7289225331957079236, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-15', 'vm-1', '\x81a7536574746c6564930f0181a9436f6d706c65746564c4011c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 17, '2026-11-16 20:11:59.429092+00', '2026-11-16 20:11:59.428643+00', -1179187708430610031, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-16', 'vm-1', '\x81a7536574746c656493100181a9436f6d706c65746564c4011e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 18, '2026-11-16 20:11:59.429924+00', '2026-11-16 20:11:59.429493+00', 7315235482618644733, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-17', 'vm-1', '\x81a7536574746c656493110181a9436f6d706c65746564c40120');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 19, '2026-11-16 20:11:59.430848+00', '2026-11-16 20:11:59.430387+00', -7675479460622198545, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-18', 'vm-1', '\x81a7536574746c656493120181a9436f6d706c65746564c40122');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 20, '2026-11-16 20:11:59.431717+00', '2026-11-16 20:11:59.431296+00', 9067062232522291004, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-19', 'vm-1', '\x81a7536574746c656493130181a9436f6d706c65746564c40124');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 21, '2026-11-16 20:11:59.432625+00', '2026-11-16 20:11:59.432142+00', -434478329922658804, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-20', 'vm-1', '\x81a7536574746c656493140181a9436f6d706c65746564c40126');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 22, '2026-11-16 20:11:59.433434+00', '2026-11-16 20:11:59.433011+00', 5356512349286924172, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-21', 'vm-1', '\x81a7536574746c656493150181a9436f6d706c65746564c40128');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 23, '2026-11-16 20:11:59.441654+00', '2026-11-16 20:11:59.440582+00', -3970775510469608213, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-22', 'vm-1', '\x81a7536574746c656493160181a9436f6d706c65746564c4012a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 24, '2026-11-16 20:11:59.446134+00', '2026-11-16 20:11:59.444877+00', 8257195468648672634, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-23', 'vm-1', '\x81a7536574746c656493170181a9436f6d706c65746564c4012c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 25, '2026-11-16 20:11:59.447505+00', '2026-11-16 20:11:59.446743+00', 7687757907406633884, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-24', 'vm-1', '\x81a7536574746c656493180181a9436f6d706c65746564c4012e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 26, '2026-11-16 20:11:59.44874+00', '2026-11-16 20:11:59.448031+00', -6804978270195255057, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-25', 'vm-1', '\x81a7536574746c656493190181a9436f6d706c65746564c40130');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 27, '2026-11-16 20:11:59.449729+00', '2026-11-16 20:11:59.449266+00', 64367308402375507, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-26', 'vm-1', '\x81a7536574746c6564931a0181a9436f6d706c65746564c40132');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 28, '2026-11-16 20:11:59.451607+00', '2026-11-16 20:11:59.450769+00', 924768948986359294, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-27', 'vm-1', '\x81a7536574746c6564931b0181a9436f6d706c65746564c40134');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 29, '2026-11-16 20:11:59.453029+00', '2026-11-16 20:11:59.452455+00', 3916072334811196687, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-28', 'vm-1', '\x81a7536574746c6564931c0181a9436f6d706c65746564c40136');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e822-7e5e-ac69-22d46daf4247', 3, '2026-11-16 20:11:59.451877+00', NULL, -3739652229056130911, NULL, 'pause', NULL, NULL, '\xa55061757365');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 30, '2026-11-16 20:11:59.453933+00', '2026-11-16 20:11:59.453495+00', 3361088109757497683, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-29', 'vm-1', '\x81a7536574746c6564931d0181a9436f6d706c65746564c40138');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 31, '2026-11-16 20:11:59.455596+00', '2026-11-16 20:11:59.455093+00', 5100895180852784079, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-30', 'vm-1', '\x81a7536574746c6564931e0181a9436f6d706c65746564c4013a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 32, '2026-11-16 20:11:59.461327+00', '2026-11-16 20:11:59.456225+00', 3579145595622008697, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-31', 'vm-1', '\x81a7536574746c6564931f0181a9436f6d706c65746564c4013c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 33, '2026-11-16 20:11:59.471623+00', '2026-11-16 20:11:59.468738+00', 7143396755396564996, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-32', 'vm-1', '\x81a7536574746c656493200181a9436f6d706c65746564c4013e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 34, '2026-11-16 20:11:59.474382+00', '2026-11-16 20:11:59.473766+00', -4418853068135804456, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-33', 'vm-1', '\x81a7536574746c656493210181a9436f6d706c65746564c40140');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 35, '2026-11-16 20:11:59.481492+00', '2026-11-16 20:11:59.474997+00', 1879892303654523533, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-34', 'vm-1', '\x81a7536574746c656493220181a9436f6d706c65746564c40142');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 36, '2026-11-16 20:11:59.48498+00', '2026-11-16 20:11:59.482068+00', -8139985083615392906, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-35', 'vm-1', '\x81a7536574746c656493230181a9436f6d706c65746564c40144');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 37, '2026-11-16 20:11:59.490956+00', '2026-11-16 20:11:59.488621+00', -7178266211587959029, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-36', 'vm-1', '\x81a7536574746c656493240181a9436f6d706c65746564c40146');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 38, '2026-11-16 20:11:59.501161+00', '2026-11-16 20:11:59.492021+00', 7545676215981167235, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-37', 'vm-1', '\x81a7536574746c656493250181a9436f6d706c65746564c40148');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 39, '2026-11-16 20:11:59.504856+00', '2026-11-16 20:11:59.501774+00', 4815454949711013046, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-38', 'vm-1', '\x81a7536574746c656493260181a9436f6d706c65746564c4014a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 43, '2026-11-16 20:11:59.525051+00', '2026-11-16 20:11:59.520581+00', 1824474814929886962, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-42', 'vm-1', '\x81a7536574746c6564932a0181a9436f6d706c65746564c40152');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 46, '2026-11-16 20:11:59.546388+00', '2026-11-16 20:11:59.545693+00', 8697883740510582652, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-45', 'vm-1', '\x81a7536574746c6564932d0181a9436f6d706c65746564c40158');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 49, '2026-11-16 20:11:59.554826+00', '2026-11-16 20:11:59.553467+00', 4341091359607073471, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-48', 'vm-1', '\x81a7536574746c656493300181a9436f6d706c65746564c4015e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 55, '2026-11-16 20:11:59.588131+00', '2026-11-16 20:11:59.585319+00', 3763577130850150077, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-54', 'vm-1', '\x81a7536574746c656493360181a9436f6d706c65746564c4016a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 63, '2026-11-16 20:11:59.632839+00', '2026-11-16 20:11:59.629641+00', -6930532453942833408, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-62', 'vm-1', '\x81a7536574746c6564933e0181a9436f6d706c65746564c4017a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 69, '2026-11-16 20:11:59.662029+00', '2026-11-16 20:11:59.661483+00', -8074201504356048628, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-68', 'vm-1', '\x81a7536574746c656493440181a9436f6d706c65746564c402cc86');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 72, '2026-11-16 20:11:59.669976+00', '2026-11-16 20:11:59.669474+00', -5130034279997760986, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-71', 'vm-1', '\x81a7536574746c656493470181a9436f6d706c65746564c402cc8c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 79, '2026-11-16 20:11:59.696801+00', '2026-11-16 20:11:59.694894+00', 3145409118990032227, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-78', 'vm-1', '\x81a7536574746c6564934e0181a9436f6d706c65746564c402cc9a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 83, '2026-11-16 20:11:59.704842+00', '2026-11-16 20:11:59.70081+00', 4886522772507492179, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-82', 'vm-1', '\x81a7536574746c656493520181a9436f6d706c65746564c402cca2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 86, '2026-11-16 20:11:59.713441+00', '2026-11-16 20:11:59.707348+00', -1580854907598802505, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-85', 'vm-1', '\x81a7536574746c656493550181a9436f6d706c65746564c402cca8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 90, '2026-11-16 20:11:59.720655+00', '2026-11-16 20:11:59.719409+00', -994238837417117162, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-89', 'vm-1', '\x81a7536574746c656493590181a9436f6d706c65746564c402ccb0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 94, '2026-11-16 20:11:59.733465+00', '2026-11-16 20:11:59.727346+00', 4277129277429362574, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-93', 'vm-1', '\x81a7536574746c6564935d0181a9436f6d706c65746564c402ccb8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 97, '2026-11-16 20:11:59.74422+00', '2026-11-16 20:11:59.743284+00', -5420520236652748030, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-96', 'vm-1', '\x81a7536574746c656493600181a9436f6d706c65746564c402ccbe');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 101, '2026-11-16 20:11:59.749595+00', '2026-11-16 20:11:59.748949+00', 6533668938755071966, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-100', 'vm-1', '\x81a7536574746c656493640181a9436f6d706c65746564c402ccc6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 104, '2026-11-16 20:11:59.765549+00', '2026-11-16 20:11:59.761399+00', 2200402173203604174, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-103', 'vm-1', '\x81a7536574746c656493670181a9436f6d706c65746564c402cccc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 111, '2026-11-16 20:11:59.813492+00', '2026-11-16 20:11:59.805014+00', -4485903405220709705, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-110', 'vm-1', '\x81a7536574746c6564936e0181a9436f6d706c65746564c402ccda');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 114, '2026-11-16 20:11:59.819749+00', '2026-11-16 20:11:59.817503+00', -3354867256991009126, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-113', 'vm-1', '\x81a7536574746c656493710181a9436f6d706c65746564c402cce0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 118, '2026-11-16 20:11:59.829081+00', '2026-11-16 20:11:59.824212+00', -6618722880816018228, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-117', 'vm-1', '\x81a7536574746c656493750181a9436f6d706c65746564c402cce8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 125, '2026-11-16 20:11:59.868626+00', '2026-11-16 20:11:59.866036+00', 1216791935611286901, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-124', 'vm-1', '\x81a7536574746c6564937c0181a9436f6d706c65746564c402ccf6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 128, '2026-11-16 20:11:59.88307+00', '2026-11-16 20:11:59.877916+00', -323675495368038786, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-127', 'vm-1', '\x81a7536574746c6564937f0181a9436f6d706c65746564c402ccfc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 131, '2026-11-16 20:11:59.898284+00', '2026-11-16 20:11:59.897716+00', 8112711162696515712, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-130', 'vm-1', '\x81a7536574746c656493cc820181a9436f6d706c65746564c403cd0102');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 134, '2026-11-16 20:11:59.924722+00', '2026-11-16 20:11:59.918106+00', -4311799171093870835, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-133', 'vm-1', '\x81a7536574746c656493cc850181a9436f6d706c65746564c403cd0108');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 137, '2026-11-16 20:11:59.947545+00', '2026-11-16 20:11:59.946831+00', 3554163469334972113, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-136', 'vm-1', '\x81a7536574746c656493cc880181a9436f6d706c65746564c403cd010e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 140, '2026-11-16 20:11:59.969042+00', '2026-11-16 20:11:59.965757+00', -907452432617550213, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-139', 'vm-1', '\x81a7536574746c656493cc8b0181a9436f6d706c65746564c403cd0114');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 144, '2026-11-16 20:11:59.986688+00', '2026-11-16 20:11:59.986102+00', -7399671889454483797, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-143', 'vm-1', '\x81a7536574746c656493cc8f0181a9436f6d706c65746564c403cd011c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 147, '2026-11-16 20:12:00.009075+00', '2026-11-16 20:12:00.006054+00', -8525227678694973091, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-146', 'vm-1', '\x81a7536574746c656493cc920181a9436f6d706c65746564c403cd0122');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 150, '2026-11-16 20:12:00.033332+00', '2026-11-16 20:12:00.02973+00', 6243721612289142404, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-149', 'vm-1', '\x81a7536574746c656493cc950181a9436f6d706c65746564c403cd0128');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 153, '2026-11-16 20:12:00.040543+00', '2026-11-16 20:12:00.039788+00', -6229510435985072820, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-152', 'vm-1', '\x81a7536574746c656493cc980181a9436f6d706c65746564c403cd012e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 157, '2026-11-16 20:12:00.057025+00', '2026-11-16 20:12:00.049679+00', -1983275751838122209, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-156', 'vm-1', '\x81a7536574746c656493cc9c0181a9436f6d706c65746564c403cd0136');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 160, '2026-11-16 20:12:00.068979+00', '2026-11-16 20:12:00.065528+00', -1716046697496804511, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-159', 'vm-1', '\x81a7536574746c656493cc9f0181a9436f6d706c65746564c403cd013c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 164, '2026-11-16 20:12:00.080585+00', '2026-11-16 20:12:00.079695+00', -4459820020894048763, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-163', 'vm-1', '\x81a7536574746c656493cca30181a9436f6d706c65746564c403cd0144');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 167, '2026-11-16 20:12:00.093782+00', '2026-11-16 20:12:00.093116+00', -406547211659810287, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-166', 'vm-1', '\x81a7536574746c656493cca60181a9436f6d706c65746564c403cd014a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 171, '2026-11-16 20:12:00.108913+00', '2026-11-16 20:12:00.106498+00', -4859825569529537668, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-170', 'vm-1', '\x81a7536574746c656493ccaa0181a9436f6d706c65746564c403cd0152');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 175, '2026-11-16 20:12:00.116996+00', '2026-11-16 20:12:00.113467+00', -7029382966238464081, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-174', 'vm-1', '\x81a7536574746c656493ccae0181a9436f6d706c65746564c403cd015a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 178, '2026-11-16 20:12:00.122749+00', '2026-11-16 20:12:00.122169+00', 1242945469859504402, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-177', 'vm-1', '\x81a7536574746c656493ccb10181a9436f6d706c65746564c403cd0160');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 182, '2026-11-16 20:12:00.128047+00', '2026-11-16 20:12:00.127517+00', -815131168911213026, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-181', 'vm-1', '\x81a7536574746c656493ccb50181a9436f6d706c65746564c403cd0168');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 186, '2026-11-16 20:12:00.136697+00', '2026-11-16 20:12:00.136052+00', 6024694939213215404, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-185', 'vm-1', '\x81a7536574746c656493ccb90181a9436f6d706c65746564c403cd0170');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 194, '2026-11-16 20:12:00.167256+00', '2026-11-16 20:12:00.16642+00', -2260138662554822835, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-193', 'vm-1', '\x81a7536574746c656493ccc10181a9436f6d706c65746564c403cd0180');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 197, '2026-11-16 20:12:00.180113+00', '2026-11-16 20:12:00.1795+00', -2447392197877610179, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-196', 'vm-1', '\x81a7536574746c656493ccc40181a9436f6d706c65746564c403cd0186');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 201, '2026-11-16 20:12:00.200692+00', '2026-11-16 20:12:00.19368+00', -3570570665322998832, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-200', 'vm-1', '\x81a7536574746c656493ccc80181a9436f6d706c65746564c403cd018e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 205, '2026-11-16 20:12:00.220906+00', '2026-11-16 20:12:00.218028+00', -2525020723202493896, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-204', 'vm-1', '\x81a7536574746c656493cccc0181a9436f6d706c65746564c403cd0196');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 208, '2026-11-16 20:12:00.232222+00', '2026-11-16 20:12:00.224197+00', 3145365141036647715, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-207', 'vm-1', '\x81a7536574746c656493cccf0181a9436f6d706c65746564c403cd019c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 216, '2026-11-16 20:12:00.275881+00', '2026-11-16 20:12:00.274665+00', -7473818071552530364, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-215', 'vm-1', '\x81a7536574746c656493ccd70181a9436f6d706c65746564c403cd01ac');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 219, '2026-11-16 20:12:00.289723+00', '2026-11-16 20:12:00.288418+00', 3314276185990495022, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-218', 'vm-1', '\x81a7536574746c656493ccda0181a9436f6d706c65746564c403cd01b2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 222, '2026-11-16 20:12:00.30932+00', '2026-11-16 20:12:00.30442+00', 1437211271388335811, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-221', 'vm-1', '\x81a7536574746c656493ccdd0181a9436f6d706c65746564c403cd01b8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 225, '2026-11-16 20:12:00.334463+00', '2026-11-16 20:12:00.333424+00', -7223700614305793092, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-224', 'vm-1', '\x81a7536574746c656493cce00181a9436f6d706c65746564c403cd01be');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 229, '2026-11-16 20:12:00.343564+00', '2026-11-16 20:12:00.343067+00', -39210756584639165, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-228', 'vm-1', '\x81a7536574746c656493cce40181a9436f6d706c65746564c403cd01c6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 232, '2026-11-16 20:12:00.35976+00', '2026-11-16 20:12:00.357791+00', 4723198880334349269, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-231', 'vm-1', '\x81a7536574746c656493cce70181a9436f6d706c65746564c403cd01cc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 40, '2026-11-16 20:11:59.507426+00', '2026-11-16 20:11:59.506849+00', 7954935023889854737, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-39', 'vm-1', '\x81a7536574746c656493270181a9436f6d706c65746564c4014c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 47, '2026-11-16 20:11:59.548798+00', '2026-11-16 20:11:59.547015+00', -8137347786501205526, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-46', 'vm-1', '\x81a7536574746c6564932e0181a9436f6d706c65746564c4015a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 50, '2026-11-16 20:11:59.558646+00', '2026-11-16 20:11:59.555499+00', -8680355285659860308, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-49', 'vm-1', '\x81a7536574746c656493310181a9436f6d706c65746564c40160');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 53, '2026-11-16 20:11:59.5818+00', '2026-11-16 20:11:59.580926+00', 2960037887392288543, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-52', 'vm-1', '\x81a7536574746c656493340181a9436f6d706c65746564c40166');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 57, '2026-11-16 20:11:59.596924+00', '2026-11-16 20:11:59.593506+00', -3152688479765005314, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-56', 'vm-1', '\x81a7536574746c656493380181a9436f6d706c65746564c4016e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 60, '2026-11-16 20:11:59.615924+00', '2026-11-16 20:11:59.609052+00', -857954404845372171, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-59', 'vm-1', '\x81a7536574746c6564933b0181a9436f6d706c65746564c40174');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 66, '2026-11-16 20:11:59.657584+00', '2026-11-16 20:11:59.648978+00', -4019551442037668262, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-65', 'vm-1', '\x81a7536574746c656493410181a9436f6d706c65746564c402cc80');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 73, '2026-11-16 20:11:59.672716+00', '2026-11-16 20:11:59.670544+00', -3608974358288081999, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-72', 'vm-1', '\x81a7536574746c656493480181a9436f6d706c65746564c402cc8e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 76, '2026-11-16 20:11:59.689975+00', '2026-11-16 20:11:59.679565+00', 5025330089002232835, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-75', 'vm-1', '\x81a7536574746c6564934b0181a9436f6d706c65746564c402cc94');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 80, '2026-11-16 20:11:59.698219+00', '2026-11-16 20:11:59.697618+00', -8209877207184697328, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-79', 'vm-1', '\x81a7536574746c6564934f0181a9436f6d706c65746564c402cc9c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 84, '2026-11-16 20:11:59.705873+00', '2026-11-16 20:11:59.705416+00', 4674029360110526146, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-83', 'vm-1', '\x81a7536574746c656493530181a9436f6d706c65746564c402cca4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 87, '2026-11-16 20:11:59.71678+00', '2026-11-16 20:11:59.714364+00', -9083107872041695443, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-86', 'vm-1', '\x81a7536574746c656493560181a9436f6d706c65746564c402ccaa');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 91, '2026-11-16 20:11:59.724753+00', '2026-11-16 20:11:59.721173+00', -3743535973907186629, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-90', 'vm-1', '\x81a7536574746c6564935a0181a9436f6d706c65746564c402ccb2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 98, '2026-11-16 20:11:59.746206+00', '2026-11-16 20:11:59.745321+00', -4147583071987862734, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-97', 'vm-1', '\x81a7536574746c656493610181a9436f6d706c65746564c402ccc0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 102, '2026-11-16 20:11:59.752718+00', '2026-11-16 20:11:59.750022+00', 3473934069159412937, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-101', 'vm-1', '\x81a7536574746c656493650181a9436f6d706c65746564c402ccc8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 105, '2026-11-16 20:11:59.776334+00', '2026-11-16 20:11:59.773367+00', -3557972176294438360, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-104', 'vm-1', '\x81a7536574746c656493680181a9436f6d706c65746564c402ccce');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 108, '2026-11-16 20:11:59.79569+00', '2026-11-16 20:11:59.794416+00', -2342121943029017465, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-107', 'vm-1', '\x81a7536574746c6564936b0181a9436f6d706c65746564c402ccd4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 112, '2026-11-16 20:11:59.815423+00', '2026-11-16 20:11:59.814572+00', 6896836505871069811, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-111', 'vm-1', '\x81a7536574746c6564936f0181a9436f6d706c65746564c402ccdc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 115, '2026-11-16 20:11:59.821512+00', '2026-11-16 20:11:59.820637+00', -141718354519635466, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-114', 'vm-1', '\x81a7536574746c656493720181a9436f6d706c65746564c402cce2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 119, '2026-11-16 20:11:59.83733+00', '2026-11-16 20:11:59.833282+00', 6408048107212832650, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-118', 'vm-1', '\x81a7536574746c656493760181a9436f6d706c65746564c402ccea');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 122, '2026-11-16 20:11:59.850866+00', '2026-11-16 20:11:59.844094+00', 7085613703389268633, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-121', 'vm-1', '\x81a7536574746c656493790181a9436f6d706c65746564c402ccf0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 126, '2026-11-16 20:11:59.870052+00', '2026-11-16 20:11:59.869413+00', 2446066569782741638, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-125', 'vm-1', '\x81a7536574746c6564937d0181a9436f6d706c65746564c402ccf8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 129, '2026-11-16 20:11:59.889163+00', '2026-11-16 20:11:59.885013+00', -4099113647624842224, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-128', 'vm-1', '\x81a7536574746c656493cc800181a9436f6d706c65746564c402ccfe');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 132, '2026-11-16 20:11:59.908882+00', '2026-11-16 20:11:59.899118+00', 6433226438450243836, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-131', 'vm-1', '\x81a7536574746c656493cc830181a9436f6d706c65746564c403cd0104');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 135, '2026-11-16 20:11:59.937192+00', '2026-11-16 20:11:59.932682+00', 4535352680281939219, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-134', 'vm-1', '\x81a7536574746c656493cc860181a9436f6d706c65746564c403cd010a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 138, '2026-11-16 20:11:59.957107+00', '2026-11-16 20:11:59.948272+00', -3816536572535581196, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-137', 'vm-1', '\x81a7536574746c656493cc890181a9436f6d706c65746564c403cd0110');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 141, '2026-11-16 20:11:59.970358+00', '2026-11-16 20:11:59.969776+00', 1733395234427449396, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-140', 'vm-1', '\x81a7536574746c656493cc8c0181a9436f6d706c65746564c403cd0116');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 154, '2026-11-16 20:12:00.042499+00', '2026-11-16 20:12:00.041467+00', -8508637596013526508, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-153', 'vm-1', '\x81a7536574746c656493cc990181a9436f6d706c65746564c403cd0130');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 158, '2026-11-16 20:12:00.063225+00', '2026-11-16 20:12:00.062362+00', -4039204750229630586, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-157', 'vm-1', '\x81a7536574746c656493cc9d0181a9436f6d706c65746564c403cd0138');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 161, '2026-11-16 20:12:00.070639+00', '2026-11-16 20:12:00.069845+00', 6714674886106757904, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-160', 'vm-1', '\x81a7536574746c656493cca00181a9436f6d706c65746564c403cd013e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 165, '2026-11-16 20:12:00.088702+00', '2026-11-16 20:12:00.082451+00', 5332009010833804960, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-164', 'vm-1', '\x81a7536574746c656493cca40181a9436f6d706c65746564c403cd0146');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 168, '2026-11-16 20:12:00.100627+00', '2026-11-16 20:12:00.096475+00', 4115935623112619499, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-167', 'vm-1', '\x81a7536574746c656493cca70181a9436f6d706c65746564c403cd014c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 172, '2026-11-16 20:12:00.110624+00', '2026-11-16 20:12:00.109807+00', 8638033747939612820, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-171', 'vm-1', '\x81a7536574746c656493ccab0181a9436f6d706c65746564c403cd0154');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 180, '2026-11-16 20:12:00.125688+00', '2026-11-16 20:12:00.124969+00', 4690815740700907663, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-179', 'vm-1', '\x81a7536574746c656493ccb30181a9436f6d706c65746564c403cd0164');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 184, '2026-11-16 20:12:00.134323+00', '2026-11-16 20:12:00.133781+00', -6666728159468944417, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-183', 'vm-1', '\x81a7536574746c656493ccb70181a9436f6d706c65746564c403cd016c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 188, '2026-11-16 20:12:00.143155+00', '2026-11-16 20:12:00.141209+00', -1726899228631345047, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-187', 'vm-1', '\x81a7536574746c656493ccbb0181a9436f6d706c65746564c403cd0174');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 191, '2026-11-16 20:12:00.153255+00', '2026-11-16 20:12:00.150854+00', 1114569572189219326, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-190', 'vm-1', '\x81a7536574746c656493ccbe0181a9436f6d706c65746564c403cd017a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 195, '2026-11-16 20:12:00.175752+00', '2026-11-16 20:12:00.16799+00', 8086817823357590840, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-194', 'vm-1', '\x81a7536574746c656493ccc20181a9436f6d706c65746564c403cd0182');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 199, '2026-11-16 20:12:00.188907+00', '2026-11-16 20:12:00.185979+00', 5925476667932299468, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-198', 'vm-1', '\x81a7536574746c656493ccc60181a9436f6d706c65746564c403cd018a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 202, '2026-11-16 20:12:00.203352+00', '2026-11-16 20:12:00.202496+00', 4098065372702902767, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-201', 'vm-1', '\x81a7536574746c656493ccc90181a9436f6d706c65746564c403cd0190');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 206, '2026-11-16 20:12:00.222318+00', '2026-11-16 20:12:00.221705+00', -5137228536675607782, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-205', 'vm-1', '\x81a7536574746c656493cccd0181a9436f6d706c65746564c403cd0198');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 209, '2026-11-16 20:12:00.244466+00', '2026-11-16 20:12:00.235118+00', -8420448223148315758, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-208', 'vm-1', '\x81a7536574746c656493ccd00181a9436f6d706c65746564c403cd019e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 212, '2026-11-16 20:12:00.254237+00', '2026-11-16 20:12:00.247878+00', -3522781950930210074, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-211', 'vm-1', '\x81a7536574746c656493ccd30181a9436f6d706c65746564c403cd01a4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 215, '2026-11-16 20:12:00.273301+00', '2026-11-16 20:12:00.269922+00', -8722445805797325879, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-214', 'vm-1', '\x81a7536574746c656493ccd60181a9436f6d706c65746564c403cd01aa');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 218, '2026-11-16 20:12:00.283191+00', '2026-11-16 20:12:00.281939+00', 5863524565967395161, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-217', 'vm-1', '\x81a7536574746c656493ccd90181a9436f6d706c65746564c403cd01b0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 228, '2026-11-16 20:12:00.342452+00', '2026-11-16 20:12:00.341915+00', -8772566384178610826, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-227', 'vm-1', '\x81a7536574746c656493cce30181a9436f6d706c65746564c403cd01c4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 235, '2026-11-16 20:12:00.363884+00', '2026-11-16 20:12:00.363361+00', -591380640109921317, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-234', 'vm-1', '\x81a7536574746c656493ccea0181a9436f6d706c65746564c403cd01d2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 241, '2026-11-16 20:12:00.391887+00', '2026-11-16 20:12:00.391078+00', -9020459933711251119, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-240', 'vm-1', '\x81a7536574746c656493ccf00181a9436f6d706c65746564c403cd01de');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 245, '2026-11-16 20:12:00.408062+00', '2026-11-16 20:12:00.407213+00', -6095644912667444180, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-244', 'vm-1', '\x81a7536574746c656493ccf40181a9436f6d706c65746564c403cd01e6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 41, '2026-11-16 20:11:59.513032+00', '2026-11-16 20:11:59.507997+00', -5388214929447450479, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-40', 'vm-1', '\x81a7536574746c656493280181a9436f6d706c65746564c4014e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 44, '2026-11-16 20:11:59.537116+00', '2026-11-16 20:11:59.528658+00', 364183141007291692, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-43', 'vm-1', '\x81a7536574746c6564932b0181a9436f6d706c65746564c40154');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 48, '2026-11-16 20:11:59.552741+00', '2026-11-16 20:11:59.549375+00', 8451599751102909479, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-47', 'vm-1', '\x81a7536574746c6564932f0181a9436f6d706c65746564c4015c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 51, '2026-11-16 20:11:59.569308+00', '2026-11-16 20:11:59.560813+00', -6476643963829224726, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-50', 'vm-1', '\x81a7536574746c656493320181a9436f6d706c65746564c40162');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 54, '2026-11-16 20:11:59.584797+00', '2026-11-16 20:11:59.582549+00', 7447942466238698694, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-53', 'vm-1', '\x81a7536574746c656493350181a9436f6d706c65746564c40168');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 58, '2026-11-16 20:11:59.6008+00', '2026-11-16 20:11:59.597608+00', -8922989667438482242, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-57', 'vm-1', '\x81a7536574746c656493390181a9436f6d706c65746564c40170');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 61, '2026-11-16 20:11:59.625063+00', '2026-11-16 20:11:59.616921+00', 7040578104414965866, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-60', 'vm-1', '\x81a7536574746c6564933c0181a9436f6d706c65746564c40176');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 64, '2026-11-16 20:11:59.642457+00', '2026-11-16 20:11:59.641137+00', 9133228538213939579, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-63', 'vm-1', '\x81a7536574746c6564933f0181a9436f6d706c65746564c4017c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 67, '2026-11-16 20:11:59.659621+00', '2026-11-16 20:11:59.65893+00', 8779884726283779744, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-66', 'vm-1', '\x81a7536574746c656493420181a9436f6d706c65746564c402cc82');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 70, '2026-11-16 20:11:59.66466+00', '2026-11-16 20:11:59.662671+00', -2753572959734663133, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-69', 'vm-1', '\x81a7536574746c656493450181a9436f6d706c65746564c402cc88');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 74, '2026-11-16 20:11:59.676765+00', '2026-11-16 20:11:59.673432+00', 909786811151348870, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-73', 'vm-1', '\x81a7536574746c656493490181a9436f6d706c65746564c402cc90');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 77, '2026-11-16 20:11:59.69289+00', '2026-11-16 20:11:59.691145+00', 8327413634957836164, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-76', 'vm-1', '\x81a7536574746c6564934c0181a9436f6d706c65746564c402cc96');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 81, '2026-11-16 20:11:59.699336+00', '2026-11-16 20:11:59.698797+00', 6837902791693119170, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-80', 'vm-1', '\x81a7536574746c656493500181a9436f6d706c65746564c402cc9e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 85, '2026-11-16 20:11:59.706907+00', '2026-11-16 20:11:59.706472+00', -6306804825419340181, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-84', 'vm-1', '\x81a7536574746c656493540181a9436f6d706c65746564c402cca6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 88, '2026-11-16 20:11:59.717966+00', '2026-11-16 20:11:59.717456+00', -2746244384272476847, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-87', 'vm-1', '\x81a7536574746c656493570181a9436f6d706c65746564c402ccac');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 92, '2026-11-16 20:11:59.725821+00', '2026-11-16 20:11:59.725354+00', -3488169780525931592, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-91', 'vm-1', '\x81a7536574746c6564935b0181a9436f6d706c65746564c402ccb4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 95, '2026-11-16 20:11:59.740274+00', '2026-11-16 20:11:59.737082+00', -289263206729618142, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-94', 'vm-1', '\x81a7536574746c6564935e0181a9436f6d706c65746564c402ccba');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 99, '2026-11-16 20:11:59.747408+00', '2026-11-16 20:11:59.746864+00', 6379706828602875137, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-98', 'vm-1', '\x81a7536574746c656493620181a9436f6d706c65746564c402ccc2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 103, '2026-11-16 20:11:59.760871+00', '2026-11-16 20:11:59.756777+00', -311692998375503290, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-102', 'vm-1', '\x81a7536574746c656493660181a9436f6d706c65746564c402ccca');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 106, '2026-11-16 20:11:59.780842+00', '2026-11-16 20:11:59.777229+00', -6427271205815519443, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-105', 'vm-1', '\x81a7536574746c656493690181a9436f6d706c65746564c402ccd0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 109, '2026-11-16 20:11:59.797225+00', '2026-11-16 20:11:59.796597+00', -5676352045767355304, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-108', 'vm-1', '\x81a7536574746c6564936c0181a9436f6d706c65746564c402ccd6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 113, '2026-11-16 20:11:59.816857+00', '2026-11-16 20:11:59.816169+00', -6894199399731960316, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-112', 'vm-1', '\x81a7536574746c656493700181a9436f6d706c65746564c402ccde');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 116, '2026-11-16 20:11:59.822612+00', '2026-11-16 20:11:59.822059+00', -5496709649246068509, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-115', 'vm-1', '\x81a7536574746c656493730181a9436f6d706c65746564c402cce4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 120, '2026-11-16 20:11:59.841017+00', '2026-11-16 20:11:59.83822+00', 5861673561921315123, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-119', 'vm-1', '\x81a7536574746c656493770181a9436f6d706c65746564c402ccec');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 123, '2026-11-16 20:11:59.85694+00', '2026-11-16 20:11:59.851806+00', 1534452888740603712, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-122', 'vm-1', '\x81a7536574746c6564937a0181a9436f6d706c65746564c402ccf2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 133, '2026-11-16 20:11:59.917056+00', '2026-11-16 20:11:59.909829+00', -1065452625707858612, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-132', 'vm-1', '\x81a7536574746c656493cc840181a9436f6d706c65746564c403cd0106');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 136, '2026-11-16 20:11:59.94429+00', '2026-11-16 20:11:59.938239+00', 26160060536600936, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-135', 'vm-1', '\x81a7536574746c656493cc870181a9436f6d706c65746564c403cd010c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 143, '2026-11-16 20:11:59.985205+00', '2026-11-16 20:11:59.981769+00', -6852889906671373688, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-142', 'vm-1', '\x81a7536574746c656493cc8e0181a9436f6d706c65746564c403cd011a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 146, '2026-11-16 20:12:00.005138+00', '2026-11-16 20:11:59.9979+00', 747446589396824517, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-145', 'vm-1', '\x81a7536574746c656493cc910181a9436f6d706c65746564c403cd0120');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 149, '2026-11-16 20:12:00.028799+00', '2026-11-16 20:12:00.017792+00', -5577356342174840633, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-148', 'vm-1', '\x81a7536574746c656493cc940181a9436f6d706c65746564c403cd0126');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 152, '2026-11-16 20:12:00.039062+00', '2026-11-16 20:12:00.038138+00', 3176425773147988909, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-151', 'vm-1', '\x81a7536574746c656493cc970181a9436f6d706c65746564c403cd012c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 156, '2026-11-16 20:12:00.048868+00', '2026-11-16 20:12:00.045566+00', 7831302740809770809, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-155', 'vm-1', '\x81a7536574746c656493cc9b0181a9436f6d706c65746564c403cd0134');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 163, '2026-11-16 20:12:00.078916+00', '2026-11-16 20:12:00.078147+00', -2077944320901275019, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-162', 'vm-1', '\x81a7536574746c656493cca20181a9436f6d706c65746564c403cd0142');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 166, '2026-11-16 20:12:00.091851+00', '2026-11-16 20:12:00.089867+00', -7443502199376499683, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-165', 'vm-1', '\x81a7536574746c656493cca50181a9436f6d706c65746564c403cd0148');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 170, '2026-11-16 20:12:00.105945+00', '2026-11-16 20:12:00.105263+00', -8307344402805418287, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-169', 'vm-1', '\x81a7536574746c656493cca90181a9436f6d706c65746564c403cd0150');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 174, '2026-11-16 20:12:00.112951+00', '2026-11-16 20:12:00.112465+00', -5333708269703153751, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-173', 'vm-1', '\x81a7536574746c656493ccad0181a9436f6d706c65746564c403cd0158');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 177, '2026-11-16 20:12:00.121456+00', '2026-11-16 20:12:00.120718+00', 727921894801628684, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-176', 'vm-1', '\x81a7536574746c656493ccb00181a9436f6d706c65746564c403cd015e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 181, '2026-11-16 20:12:00.126892+00', '2026-11-16 20:12:00.126361+00', -2411619924533337524, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-180', 'vm-1', '\x81a7536574746c656493ccb40181a9436f6d706c65746564c403cd0166');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 185, '2026-11-16 20:12:00.135551+00', '2026-11-16 20:12:00.134931+00', 1556282947399269481, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-184', 'vm-1', '\x81a7536574746c656493ccb80181a9436f6d706c65746564c403cd016e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 189, '2026-11-16 20:12:00.144573+00', '2026-11-16 20:12:00.143858+00', 1981301608345246084, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-188', 'vm-1', '\x81a7536574746c656493ccbc0181a9436f6d706c65746564c403cd0176');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 192, '2026-11-16 20:12:00.156844+00', '2026-11-16 20:12:00.15409+00', -2589376526221297547, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-191', 'vm-1', '\x81a7536574746c656493ccbf0181a9436f6d706c65746564c403cd017c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 198, '2026-11-16 20:12:00.185073+00', '2026-11-16 20:12:00.180855+00', -6180480558261239946, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-197', 'vm-1', '\x81a7536574746c656493ccc50181a9436f6d706c65746564c403cd0188');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 204, '2026-11-16 20:12:00.217115+00', '2026-11-16 20:12:00.213879+00', -427907574784023698, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-203', 'vm-1', '\x81a7536574746c656493cccb0181a9436f6d706c65746564c403cd0194');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 211, '2026-11-16 20:12:00.247326+00', '2026-11-16 20:12:00.24679+00', 2019847597740959563, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-210', 'vm-1', '\x81a7536574746c656493ccd20181a9436f6d706c65746564c403cd01a2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 214, '2026-11-16 20:12:00.268893+00', '2026-11-16 20:12:00.257961+00', 5210212022083068497, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-213', 'vm-1', '\x81a7536574746c656493ccd50181a9436f6d706c65746564c403cd01a8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 220, '2026-11-16 20:12:00.29302+00', '2026-11-16 20:12:00.291714+00', 191658542923226260, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-219', 'vm-1', '\x81a7536574746c656493ccdb0181a9436f6d706c65746564c403cd01b4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 223, '2026-11-16 20:12:00.316838+00', '2026-11-16 20:12:00.314843+00', -5644183976733585443, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-222', 'vm-1', '\x81a7536574746c656493ccde0181a9436f6d706c65746564c403cd01ba');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 226, '2026-11-16 20:12:00.337646+00', '2026-11-16 20:12:00.337047+00', 7150750705740539283, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-225', 'vm-1', '\x81a7536574746c656493cce10181a9436f6d706c65746564c403cd01c0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 230, '2026-11-16 20:12:00.348443+00', '2026-11-16 20:12:00.34424+00', 8350698303197784244, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-229', 'vm-1', '\x81a7536574746c656493cce50181a9436f6d706c65746564c403cd01c8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 42, '2026-11-16 20:11:59.514493+00', '2026-11-16 20:11:59.513837+00', -2775541266095131318, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-41', 'vm-1', '\x81a7536574746c656493290181a9436f6d706c65746564c40150');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 45, '2026-11-16 20:11:59.54489+00', '2026-11-16 20:11:59.53793+00', 3281207086192287028, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-44', 'vm-1', '\x81a7536574746c6564932c0181a9436f6d706c65746564c40156');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 52, '2026-11-16 20:11:59.572848+00', '2026-11-16 20:11:59.570236+00', 14272036742389738, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-51', 'vm-1', '\x81a7536574746c656493330181a9436f6d706c65746564c40164');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 56, '2026-11-16 20:11:59.592832+00', '2026-11-16 20:11:59.588943+00', 6623650257238849034, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-55', 'vm-1', '\x81a7536574746c656493370181a9436f6d706c65746564c4016c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 59, '2026-11-16 20:11:59.604653+00', '2026-11-16 20:11:59.601383+00', 108486298737613075, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-58', 'vm-1', '\x81a7536574746c6564933a0181a9436f6d706c65746564c40172');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 62, '2026-11-16 20:11:59.628951+00', '2026-11-16 20:11:59.625807+00', 8664670705556949468, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-61', 'vm-1', '\x81a7536574746c6564933d0181a9436f6d706c65746564c40178');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 65, '2026-11-16 20:11:59.644854+00', '2026-11-16 20:11:59.643187+00', 330247620833761601, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-64', 'vm-1', '\x81a7536574746c656493400181a9436f6d706c65746564c4017e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 68, '2026-11-16 20:11:59.660893+00', '2026-11-16 20:11:59.660237+00', -2914616389323371858, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-67', 'vm-1', '\x81a7536574746c656493430181a9436f6d706c65746564c402cc84');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 71, '2026-11-16 20:11:59.668768+00', '2026-11-16 20:11:59.665286+00', 7179011352568598508, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-70', 'vm-1', '\x81a7536574746c656493460181a9436f6d706c65746564c402cc8a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 75, '2026-11-16 20:11:59.678953+00', '2026-11-16 20:11:59.67731+00', -2409578499945672639, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-74', 'vm-1', '\x81a7536574746c6564934a0181a9436f6d706c65746564c402cc92');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 78, '2026-11-16 20:11:59.694197+00', '2026-11-16 20:11:59.693567+00', -3531120454789971838, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-77', 'vm-1', '\x81a7536574746c6564934d0181a9436f6d706c65746564c402cc98');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 82, '2026-11-16 20:11:59.700208+00', '2026-11-16 20:11:59.699765+00', 8064952206074691715, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-81', 'vm-1', '\x81a7536574746c656493510181a9436f6d706c65746564c402cca0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 89, '2026-11-16 20:11:59.718866+00', '2026-11-16 20:11:59.718464+00', 2292216970186485464, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-88', 'vm-1', '\x81a7536574746c656493580181a9436f6d706c65746564c402ccae');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 93, '2026-11-16 20:11:59.726699+00', '2026-11-16 20:11:59.726253+00', -8822672845390850269, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-92', 'vm-1', '\x81a7536574746c6564935c0181a9436f6d706c65746564c402ccb6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 96, '2026-11-16 20:11:59.742581+00', '2026-11-16 20:11:59.741944+00', -1559673007917819382, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-95', 'vm-1', '\x81a7536574746c6564935f0181a9436f6d706c65746564c402ccbc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 100, '2026-11-16 20:11:59.748375+00', '2026-11-16 20:11:59.747845+00', 5892800937585410335, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-99', 'vm-1', '\x81a7536574746c656493630181a9436f6d706c65746564c402ccc4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 107, '2026-11-16 20:11:59.793075+00', '2026-11-16 20:11:59.785208+00', 6931195681936739888, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-106', 'vm-1', '\x81a7536574746c6564936a0181a9436f6d706c65746564c402ccd2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 110, '2026-11-16 20:11:59.803912+00', '2026-11-16 20:11:59.798154+00', -8066354865768832888, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-109', 'vm-1', '\x81a7536574746c6564936d0181a9436f6d706c65746564c402ccd8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 117, '2026-11-16 20:11:59.823723+00', '2026-11-16 20:11:59.823177+00', -5415476542819588816, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-116', 'vm-1', '\x81a7536574746c656493740181a9436f6d706c65746564c402cce6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 121, '2026-11-16 20:11:59.843048+00', '2026-11-16 20:11:59.842302+00', -3544250286338305443, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-120', 'vm-1', '\x81a7536574746c656493780181a9436f6d706c65746564c402ccee');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 124, '2026-11-16 20:11:59.86508+00', '2026-11-16 20:11:59.857834+00', 6834206136846466085, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-123', 'vm-1', '\x81a7536574746c6564937b0181a9436f6d706c65746564c402ccf4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 127, '2026-11-16 20:11:59.877085+00', '2026-11-16 20:11:59.873418+00', 2041251985551550888, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-126', 'vm-1', '\x81a7536574746c6564937e0181a9436f6d706c65746564c402ccfa');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 130, '2026-11-16 20:11:59.896969+00', '2026-11-16 20:11:59.890214+00', -7716700631391222704, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-129', 'vm-1', '\x81a7536574746c656493cc810181a9436f6d706c65746564c403cd0100');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 139, '2026-11-16 20:11:59.96495+00', '2026-11-16 20:11:59.958028+00', -6597179221161318494, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-138', 'vm-1', '\x81a7536574746c656493cc8a0181a9436f6d706c65746564c403cd0112');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 142, '2026-11-16 20:11:59.980738+00', '2026-11-16 20:11:59.970932+00', -114055042426541226, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-141', 'vm-1', '\x81a7536574746c656493cc8d0181a9436f6d706c65746564c403cd0118');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 145, '2026-11-16 20:11:59.997011+00', '2026-11-16 20:11:59.987578+00', -7080727116757799418, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-144', 'vm-1', '\x81a7536574746c656493cc900181a9436f6d706c65746564c403cd011e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 148, '2026-11-16 20:12:00.016996+00', '2026-11-16 20:12:00.009839+00', -8139888062879348450, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-147', 'vm-1', '\x81a7536574746c656493cc930181a9436f6d706c65746564c403cd0124');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 151, '2026-11-16 20:12:00.037188+00', '2026-11-16 20:12:00.034278+00', 6933023564796968771, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-150', 'vm-1', '\x81a7536574746c656493cc960181a9436f6d706c65746564c403cd012a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 155, '2026-11-16 20:12:00.044881+00', '2026-11-16 20:12:00.04329+00', -1367416904247564755, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-154', 'vm-1', '\x81a7536574746c656493cc9a0181a9436f6d706c65746564c403cd0132');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 159, '2026-11-16 20:12:00.064852+00', '2026-11-16 20:12:00.064157+00', -3319135661228244607, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-158', 'vm-1', '\x81a7536574746c656493cc9e0181a9436f6d706c65746564c403cd013a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 162, '2026-11-16 20:12:00.07708+00', '2026-11-16 20:12:00.071681+00', 4661958686494752208, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-161', 'vm-1', '\x81a7536574746c656493cca10181a9436f6d706c65746564c403cd0140');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 169, '2026-11-16 20:12:00.104593+00', '2026-11-16 20:12:00.101383+00', -7872878846454289451, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-168', 'vm-1', '\x81a7536574746c656493cca80181a9436f6d706c65746564c403cd014e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 173, '2026-11-16 20:12:00.111891+00', '2026-11-16 20:12:00.111331+00', 6188112917376479767, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-172', 'vm-1', '\x81a7536574746c656493ccac0181a9436f6d706c65746564c403cd0156');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 176, '2026-11-16 20:12:00.119899+00', '2026-11-16 20:12:00.118204+00', -3310392073120267366, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-175', 'vm-1', '\x81a7536574746c656493ccaf0181a9436f6d706c65746564c403cd015c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 179, '2026-11-16 20:12:00.12422+00', '2026-11-16 20:12:00.123376+00', 6367251305090279595, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-178', 'vm-1', '\x81a7536574746c656493ccb20181a9436f6d706c65746564c403cd0162');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 183, '2026-11-16 20:12:00.132977+00', '2026-11-16 20:12:00.128707+00', -7898642503545459286, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-182', 'vm-1', '\x81a7536574746c656493ccb60181a9436f6d706c65746564c403cd016a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 187, '2026-11-16 20:12:00.140577+00', '2026-11-16 20:12:00.137407+00', 1223871963205979366, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-186', 'vm-1', '\x81a7536574746c656493ccba0181a9436f6d706c65746564c403cd0172');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 190, '2026-11-16 20:12:00.149914+00', '2026-11-16 20:12:00.145348+00', -8353115131167428278, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-189', 'vm-1', '\x81a7536574746c656493ccbd0181a9436f6d706c65746564c403cd0178');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 193, '2026-11-16 20:12:00.165134+00', '2026-11-16 20:12:00.157642+00', 2716105063291142503, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-192', 'vm-1', '\x81a7536574746c656493ccc00181a9436f6d706c65746564c403cd017e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 196, '2026-11-16 20:12:00.178745+00', '2026-11-16 20:12:00.177881+00', -226306696902150214, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-195', 'vm-1', '\x81a7536574746c656493ccc30181a9436f6d706c65746564c403cd0184');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 200, '2026-11-16 20:12:00.192969+00', '2026-11-16 20:12:00.189647+00', -3095833280580907406, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-199', 'vm-1', '\x81a7536574746c656493ccc70181a9436f6d706c65746564c403cd018c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 203, '2026-11-16 20:12:00.212975+00', '2026-11-16 20:12:00.204351+00', -2364607629420525957, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-202', 'vm-1', '\x81a7536574746c656493ccca0181a9436f6d706c65746564c403cd0192');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 207, '2026-11-16 20:12:00.223633+00', '2026-11-16 20:12:00.222995+00', -4264723697129484705, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-206', 'vm-1', '\x81a7536574746c656493ccce0181a9436f6d706c65746564c403cd019a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 210, '2026-11-16 20:12:00.246085+00', '2026-11-16 20:12:00.24542+00', -4409174757195365349, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-209', 'vm-1', '\x81a7536574746c656493ccd10181a9436f6d706c65746564c403cd01a0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 213, '2026-11-16 20:12:00.257222+00', '2026-11-16 20:12:00.255187+00', 6400041750801258057, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-212', 'vm-1', '\x81a7536574746c656493ccd40181a9436f6d706c65746564c403cd01a6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 217, '2026-11-16 20:12:00.279979+00', '2026-11-16 20:12:00.27723+00', 6069320590102801135, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-216', 'vm-1', '\x81a7536574746c656493ccd80181a9436f6d706c65746564c403cd01ae');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 221, '2026-11-16 20:12:00.294786+00', '2026-11-16 20:12:00.294001+00', 1766598271481069085, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-220', 'vm-1', '\x81a7536574746c656493ccdc0181a9436f6d706c65746564c403cd01b6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 224, '2026-11-16 20:12:00.324831+00', '2026-11-16 20:12:00.320676+00', -7934863268944532061, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-223', 'vm-1', '\x81a7536574746c656493ccdf0181a9436f6d706c65746564c403cd01bc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 227, '2026-11-16 20:12:00.341174+00', '2026-11-16 20:12:00.340541+00', 3213488224270302490, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-226', 'vm-1', '\x81a7536574746c656493cce20181a9436f6d706c65746564c403cd01c2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 231, '2026-11-16 20:12:00.35238+00', '2026-11-16 20:12:00.34929+00', -956957476498828208, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-230', 'vm-1', '\x81a7536574746c656493cce60181a9436f6d706c65746564c403cd01ca');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 234, '2026-11-16 20:12:00.362536+00', '2026-11-16 20:12:00.361985+00', 8619985922111734463, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-233', 'vm-1', '\x81a7536574746c656493cce90181a9436f6d706c65746564c403cd01d0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 238, '2026-11-16 20:12:00.380872+00', '2026-11-16 20:12:00.376439+00', -4710917351284557203, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-237', 'vm-1', '\x81a7536574746c656493cced0181a9436f6d706c65746564c403cd01d8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 242, '2026-11-16 20:12:00.393423+00', '2026-11-16 20:12:00.392805+00', 1914615175825250594, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-241', 'vm-1', '\x81a7536574746c656493ccf10181a9436f6d706c65746564c403cd01e0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 248, '2026-11-16 20:12:00.416373+00', '2026-11-16 20:12:00.412417+00', 9132664224441174101, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-247', 'vm-1', '\x81a7536574746c656493ccf70181a9436f6d706c65746564c403cd01ec');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 252, '2026-11-16 20:12:00.425946+00', '2026-11-16 20:12:00.425348+00', -8450367204789760824, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-251', 'vm-1', '\x81a7536574746c656493ccfb0181a9436f6d706c65746564c403cd01f4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 255, '2026-11-16 20:12:00.437906+00', '2026-11-16 20:12:00.43721+00', 1993190247746413555, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-254', 'vm-1', '\x81a7536574746c656493ccfe0181a9436f6d706c65746564c403cd01fa');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 259, '2026-11-16 20:12:00.447887+00', '2026-11-16 20:12:00.447208+00', 1203994060310567903, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-258', 'vm-1', '\x81a7536574746c656493cd01020181a9436f6d706c65746564c403cd0202');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 262, '2026-11-16 20:12:00.468456+00', '2026-11-16 20:12:00.461007+00', 4614347142987899852, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-261', 'vm-1', '\x81a7536574746c656493cd01050181a9436f6d706c65746564c403cd0208');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 268, '2026-11-16 20:12:00.489184+00', '2026-11-16 20:12:00.488507+00', -7548074098028107212, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-267', 'vm-1', '\x81a7536574746c656493cd010b0181a9436f6d706c65746564c403cd0214');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 272, '2026-11-16 20:12:00.498103+00', '2026-11-16 20:12:00.497424+00', -2011016363191063387, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-271', 'vm-1', '\x81a7536574746c656493cd010f0181a9436f6d706c65746564c403cd021c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 279, '2026-11-16 20:12:00.509618+00', '2026-11-16 20:12:00.508993+00', -5186085477885000259, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-278', 'vm-1', '\x81a7536574746c656493cd01160181a9436f6d706c65746564c403cd022a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 283, '2026-11-16 20:12:00.517599+00', '2026-11-16 20:12:00.517025+00', -6987436620527180451, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-282', 'vm-1', '\x81a7536574746c656493cd011a0181a9436f6d706c65746564c403cd0232');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 287, '2026-11-16 20:12:00.523018+00', '2026-11-16 20:12:00.52244+00', 1239021816425101110, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-286', 'vm-1', '\x81a7536574746c656493cd011e0181a9436f6d706c65746564c403cd023a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 290, '2026-11-16 20:12:00.542179+00', '2026-11-16 20:12:00.541206+00', -1479025985326504332, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-289', 'vm-1', '\x81a7536574746c656493cd01210181a9436f6d706c65746564c403cd0240');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 293, '2026-11-16 20:12:00.55932+00', '2026-11-16 20:12:00.558453+00', -8858272873184577863, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-292', 'vm-1', '\x81a7536574746c656493cd01240181a9436f6d706c65746564c403cd0246');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 296, '2026-11-16 20:12:00.588405+00', '2026-11-16 20:12:00.584576+00', 1754953506263931705, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-295', 'vm-1', '\x81a7536574746c656493cd01270181a9436f6d706c65746564c403cd024c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 303, '2026-11-16 20:12:00.63689+00', '2026-11-16 20:12:00.635969+00', 2948170949119873585, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-302', 'vm-1', '\x81a7536574746c656493cd012e0181a9436f6d706c65746564c403cd025a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 306, '2026-11-16 20:12:00.648807+00', '2026-11-16 20:12:00.648058+00', 3031500832493696820, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-305', 'vm-1', '\x81a7536574746c656493cd01310181a9436f6d706c65746564c403cd0260');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 310, '2026-11-16 20:12:00.659556+00', '2026-11-16 20:12:00.658927+00', -7409404163625057636, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-309', 'vm-1', '\x81a7536574746c656493cd01350181a9436f6d706c65746564c403cd0268');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 313, '2026-11-16 20:12:00.667762+00', '2026-11-16 20:12:00.665855+00', 7569894095377480006, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-312', 'vm-1', '\x81a7536574746c656493cd01380181a9436f6d706c65746564c403cd026e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 316, '2026-11-16 20:12:00.697555+00', '2026-11-16 20:12:00.684127+00', 2907505035212838511, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-315', 'vm-1', '\x81a7536574746c656493cd013b0181a9436f6d706c65746564c403cd0274');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 320, '2026-11-16 20:12:00.708219+00', '2026-11-16 20:12:00.707505+00', 5449847790336238858, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-319', 'vm-1', '\x81a7536574746c656493cd013f0181a9436f6d706c65746564c403cd027c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 324, '2026-11-16 20:12:00.714235+00', '2026-11-16 20:12:00.713657+00', 7818308133066695420, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-323', 'vm-1', '\x81a7536574746c656493cd01430181a9436f6d706c65746564c403cd0284');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 334, '2026-11-16 20:12:00.77098+00', '2026-11-16 20:12:00.770261+00', -3476678318252606894, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-333', 'vm-1', '\x81a7536574746c656493cd014d0181a9436f6d706c65746564c403cd0298');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 337, '2026-11-16 20:12:00.801021+00', '2026-11-16 20:12:00.798417+00', 8805667465578801062, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-336', 'vm-1', '\x81a7536574746c656493cd01500181a9436f6d706c65746564c403cd029e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 340, '2026-11-16 20:12:00.808474+00', '2026-11-16 20:12:00.80696+00', -1042772579950417439, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-339', 'vm-1', '\x81a7536574746c656493cd01530181a9436f6d706c65746564c403cd02a4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 344, '2026-11-16 20:12:00.818778+00', '2026-11-16 20:12:00.818111+00', -7725582008914723221, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-343', 'vm-1', '\x81a7536574746c656493cd01570181a9436f6d706c65746564c403cd02ac');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 347, '2026-11-16 20:12:00.836987+00', '2026-11-16 20:12:00.836397+00', 4304058120073432599, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-346', 'vm-1', '\x81a7536574746c656493cd015a0181a9436f6d706c65746564c403cd02b2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 351, '2026-11-16 20:12:00.853318+00', '2026-11-16 20:12:00.852347+00', -5908392565333512051, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-350', 'vm-1', '\x81a7536574746c656493cd015e0181a9436f6d706c65746564c403cd02ba');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 354, '2026-11-16 20:12:00.873135+00', '2026-11-16 20:12:00.868615+00', -8691850427457376923, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-353', 'vm-1', '\x81a7536574746c656493cd01610181a9436f6d706c65746564c403cd02c0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 357, '2026-11-16 20:12:00.902661+00', '2026-11-16 20:12:00.901646+00', -6898510963046682000, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-356', 'vm-1', '\x81a7536574746c656493cd01640181a9436f6d706c65746564c403cd02c6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 360, '2026-11-16 20:12:00.92438+00', '2026-11-16 20:12:00.917018+00', 8182653216667215817, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-359', 'vm-1', '\x81a7536574746c656493cd01670181a9436f6d706c65746564c403cd02cc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 367, '2026-11-16 20:12:00.962096+00', '2026-11-16 20:12:00.961205+00', -2429193490164782597, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-366', 'vm-1', '\x81a7536574746c656493cd016e0181a9436f6d706c65746564c403cd02da');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 370, '2026-11-16 20:12:00.972856+00', '2026-11-16 20:12:00.971897+00', 8571347840453422986, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-369', 'vm-1', '\x81a7536574746c656493cd01710181a9436f6d706c65746564c403cd02e0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 374, '2026-11-16 20:12:00.978898+00', '2026-11-16 20:12:00.978358+00', 2690814039356924359, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-373', 'vm-1', '\x81a7536574746c656493cd01750181a9436f6d706c65746564c403cd02e8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 378, '2026-11-16 20:12:00.990483+00', '2026-11-16 20:12:00.989961+00', 729353062522131064, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-377', 'vm-1', '\x81a7536574746c656493cd01790181a9436f6d706c65746564c403cd02f0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 381, '2026-11-16 20:12:01.016028+00', '2026-11-16 20:12:01.010615+00', -2647817942838937219, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-380', 'vm-1', '\x81a7536574746c656493cd017c0181a9436f6d706c65746564c403cd02f6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 384, '2026-11-16 20:12:01.027523+00', '2026-11-16 20:12:01.026945+00', 7395159441166066394, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-383', 'vm-1', '\x81a7536574746c656493cd017f0181a9436f6d706c65746564c403cd02fc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 387, '2026-11-16 20:12:01.042913+00', '2026-11-16 20:12:01.041047+00', -7796074038290762005, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-386', 'vm-1', '\x81a7536574746c656493cd01820181a9436f6d706c65746564c403cd0302');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 391, '2026-11-16 20:12:01.070815+00', '2026-11-16 20:12:01.070223+00', -3974241790851093180, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-390', 'vm-1', '\x81a7536574746c656493cd01860181a9436f6d706c65746564c403cd030a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 394, '2026-11-16 20:12:01.093037+00', '2026-11-16 20:12:01.084383+00', 4499871347997286958, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-393', 'vm-1', '\x81a7536574746c656493cd01890181a9436f6d706c65746564c403cd0310');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 397, '2026-11-16 20:12:01.123721+00', '2026-11-16 20:12:01.121412+00', 6645102273483742727, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-396', 'vm-1', '\x81a7536574746c656493cd018c0181a9436f6d706c65746564c403cd0316');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 400, '2026-11-16 20:12:01.148893+00', '2026-11-16 20:12:01.145226+00', -496164378843994224, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-399', 'vm-1', '\x81a7536574746c656493cd018f0181a9436f6d706c65746564c403cd031c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e6d2-7530-8935-59018cf052f9', 3, '2026-11-16 20:12:04.326481+00', NULL, -133537840392562551, NULL, 'deadline', NULL, NULL, '\xaf446561646c696e6552656163686564');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-fb8e-7049-9b77-8718776dbd68', 1, '2026-11-16 20:12:04.388816+00', NULL, 6737255523991292031, NULL, 'started', NULL, NULL, '\x81a75374617274656491c40481a16e06');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 233, '2026-11-16 20:12:00.361232+00', '2026-11-16 20:12:00.360605+00', -8457670604675838961, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-232', 'vm-1', '\x81a7536574746c656493cce80181a9436f6d706c65746564c403cd01ce');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 237, '2026-11-16 20:12:00.36655+00', '2026-11-16 20:12:00.365844+00', -7617665180508251825, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-236', 'vm-1', '\x81a7536574746c656493ccec0181a9436f6d706c65746564c403cd01d6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 240, '2026-11-16 20:12:00.389404+00', '2026-11-16 20:12:00.388246+00', 5738237340935503743, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-239', 'vm-1', '\x81a7536574746c656493ccef0181a9436f6d706c65746564c403cd01dc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 244, '2026-11-16 20:12:00.402667+00', '2026-11-16 20:12:00.401637+00', -1872967939912764790, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-243', 'vm-1', '\x81a7536574746c656493ccf30181a9436f6d706c65746564c403cd01e4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 247, '2026-11-16 20:12:00.411483+00', '2026-11-16 20:12:00.410931+00', 7075871165154487458, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-246', 'vm-1', '\x81a7536574746c656493ccf60181a9436f6d706c65746564c403cd01ea');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 251, '2026-11-16 20:12:00.424542+00', '2026-11-16 20:12:00.423529+00', 7207638325076174957, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-250', 'vm-1', '\x81a7536574746c656493ccfa0181a9436f6d706c65746564c403cd01f2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 254, '2026-11-16 20:12:00.436375+00', '2026-11-16 20:12:00.434386+00', -5490345650852263554, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-253', 'vm-1', '\x81a7536574746c656493ccfd0181a9436f6d706c65746564c403cd01f8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 258, '2026-11-16 20:12:00.446379+00', '2026-11-16 20:12:00.445348+00', 1379399217296159801, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-257', 'vm-1', '\x81a7536574746c656493cd01010181a9436f6d706c65746564c403cd0200');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 261, '2026-11-16 20:12:00.457421+00', '2026-11-16 20:12:00.454866+00', -6284059422636137901, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-260', 'vm-1', '\x81a7536574746c656493cd01040181a9436f6d706c65746564c403cd0206');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 267, '2026-11-16 20:12:00.485001+00', '2026-11-16 20:12:00.48427+00', -7596284274544266611, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-266', 'vm-1', '\x81a7536574746c656493cd010a0181a9436f6d706c65746564c403cd0212');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 271, '2026-11-16 20:12:00.495063+00', '2026-11-16 20:12:00.494568+00', -7560209352661455498, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-270', 'vm-1', '\x81a7536574746c656493cd010e0181a9436f6d706c65746564c403cd021a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 275, '2026-11-16 20:12:00.502414+00', '2026-11-16 20:12:00.501794+00', 681868355252418380, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-274', 'vm-1', '\x81a7536574746c656493cd01120181a9436f6d706c65746564c403cd0222');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 278, '2026-11-16 20:12:00.508132+00', '2026-11-16 20:12:00.507585+00', 1751730898825590122, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-277', 'vm-1', '\x81a7536574746c656493cd01150181a9436f6d706c65746564c403cd0228');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 282, '2026-11-16 20:12:00.513474+00', '2026-11-16 20:12:00.512881+00', 4752736173520404639, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-281', 'vm-1', '\x81a7536574746c656493cd01190181a9436f6d706c65746564c403cd0230');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 286, '2026-11-16 20:12:00.521579+00', '2026-11-16 20:12:00.520969+00', -2702934723515983266, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-285', 'vm-1', '\x81a7536574746c656493cd011d0181a9436f6d706c65746564c403cd0238');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 289, '2026-11-16 20:12:00.536413+00', '2026-11-16 20:12:00.532492+00', 3587060590085727970, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-288', 'vm-1', '\x81a7536574746c656493cd01200181a9436f6d706c65746564c403cd023e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 292, '2026-11-16 20:12:00.557074+00', '2026-11-16 20:12:00.555911+00', 7087524403782882484, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-291', 'vm-1', '\x81a7536574746c656493cd01230181a9436f6d706c65746564c403cd0244');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 299, '2026-11-16 20:12:00.604376+00', '2026-11-16 20:12:00.602511+00', -6331256526685283452, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-298', 'vm-1', '\x81a7536574746c656493cd012a0181a9436f6d706c65746564c403cd0252');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 302, '2026-11-16 20:12:00.633847+00', '2026-11-16 20:12:00.632656+00', -8268756195886993652, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-301', 'vm-1', '\x81a7536574746c656493cd012d0181a9436f6d706c65746564c403cd0258');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 305, '2026-11-16 20:12:00.64705+00', '2026-11-16 20:12:00.644172+00', 4648086435100691777, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-304', 'vm-1', '\x81a7536574746c656493cd01300181a9436f6d706c65746564c403cd025e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 309, '2026-11-16 20:12:00.657901+00', '2026-11-16 20:12:00.657078+00', -6470756293809359466, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-308', 'vm-1', '\x81a7536574746c656493cd01340181a9436f6d706c65746564c403cd0266');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 319, '2026-11-16 20:12:00.706614+00', '2026-11-16 20:12:00.705696+00', -8021474462684198854, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-318', 'vm-1', '\x81a7536574746c656493cd013e0181a9436f6d706c65746564c403cd027a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 323, '2026-11-16 20:12:00.713002+00', '2026-11-16 20:12:00.712186+00', -691911428832547414, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-322', 'vm-1', '\x81a7536574746c656493cd01420181a9436f6d706c65746564c403cd0282');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 327, '2026-11-16 20:12:00.722472+00', '2026-11-16 20:12:00.721882+00', -6248127680819283585, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-326', 'vm-1', '\x81a7536574746c656493cd01460181a9436f6d706c65746564c403cd028a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 330, '2026-11-16 20:12:00.743535+00', '2026-11-16 20:12:00.742851+00', -2086751305818037143, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-329', 'vm-1', '\x81a7536574746c656493cd01490181a9436f6d706c65746564c403cd0290');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 333, '2026-11-16 20:12:00.769095+00', '2026-11-16 20:12:00.767867+00', -7177407352209136191, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-332', 'vm-1', '\x81a7536574746c656493cd014c0181a9436f6d706c65746564c403cd0296');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 336, '2026-11-16 20:12:00.793069+00', '2026-11-16 20:12:00.788426+00', -4988328771594421055, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-335', 'vm-1', '\x81a7536574746c656493cd014f0181a9436f6d706c65746564c403cd029c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 343, '2026-11-16 20:12:00.817096+00', '2026-11-16 20:12:00.816372+00', -484250470200820454, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-342', 'vm-1', '\x81a7536574746c656493cd01560181a9436f6d706c65746564c403cd02aa');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 346, '2026-11-16 20:12:00.83471+00', '2026-11-16 20:12:00.834048+00', -2097152358808386875, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-345', 'vm-1', '\x81a7536574746c656493cd01590181a9436f6d706c65746564c403cd02b0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 350, '2026-11-16 20:12:00.841143+00', '2026-11-16 20:12:00.840649+00', -4303327891230314406, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-349', 'vm-1', '\x81a7536574746c656493cd015d0181a9436f6d706c65746564c403cd02b8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 353, '2026-11-16 20:12:00.8588+00', '2026-11-16 20:12:00.855713+00', 5584329755032002669, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-352', 'vm-1', '\x81a7536574746c656493cd01600181a9436f6d706c65746564c403cd02be');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 356, '2026-11-16 20:12:00.900455+00', '2026-11-16 20:12:00.893092+00', -9152760870774492417, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-355', 'vm-1', '\x81a7536574746c656493cd01630181a9436f6d706c65746564c403cd02c4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 363, '2026-11-16 20:12:00.943214+00', '2026-11-16 20:12:00.941729+00', -5638092156619980556, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-362', 'vm-1', '\x81a7536574746c656493cd016a0181a9436f6d706c65746564c403cd02d2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 366, '2026-11-16 20:12:00.957419+00', '2026-11-16 20:12:00.952087+00', -7737153225853278187, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-365', 'vm-1', '\x81a7536574746c656493cd016d0181a9436f6d706c65746564c403cd02d8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 373, '2026-11-16 20:12:00.977488+00', '2026-11-16 20:12:00.976934+00', -8628688700177944062, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-372', 'vm-1', '\x81a7536574746c656493cd01740181a9436f6d706c65746564c403cd02e6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 377, '2026-11-16 20:12:00.989101+00', '2026-11-16 20:12:00.988269+00', -6677360340409155347, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-376', 'vm-1', '\x81a7536574746c656493cd01780181a9436f6d706c65746564c403cd02ee');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 380, '2026-11-16 20:12:00.995866+00', '2026-11-16 20:12:00.995253+00', -3355258815592075452, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-379', 'vm-1', '\x81a7536574746c656493cd017b0181a9436f6d706c65746564c403cd02f4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 383, '2026-11-16 20:12:01.026113+00', '2026-11-16 20:12:01.025494+00', -8341007182855036163, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-382', 'vm-1', '\x81a7536574746c656493cd017e0181a9436f6d706c65746564c403cd02fa');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 390, '2026-11-16 20:12:01.069151+00', '2026-11-16 20:12:01.068154+00', -3955658219371241759, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-389', 'vm-1', '\x81a7536574746c656493cd01850181a9436f6d706c65746564c403cd0308');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 393, '2026-11-16 20:12:01.075791+00', '2026-11-16 20:12:01.075281+00', -6480649452977719764, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-392', 'vm-1', '\x81a7536574746c656493cd01880181a9436f6d706c65746564c403cd030e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 396, '2026-11-16 20:12:01.114726+00', '2026-11-16 20:12:01.113644+00', -3880747511129205156, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-395', 'vm-1', '\x81a7536574746c656493cd018b0181a9436f6d706c65746564c403cd0314');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 236, '2026-11-16 20:12:00.36516+00', '2026-11-16 20:12:00.364683+00', 8487625957956186420, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-235', 'vm-1', '\x81a7536574746c656493cceb0181a9436f6d706c65746564c403cd01d4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 239, '2026-11-16 20:12:00.387032+00', '2026-11-16 20:12:00.385366+00', 8261270460156735728, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-238', 'vm-1', '\x81a7536574746c656493ccee0181a9436f6d706c65746564c403cd01da');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 243, '2026-11-16 20:12:00.397342+00', '2026-11-16 20:12:00.396518+00', 7064503638179785530, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-242', 'vm-1', '\x81a7536574746c656493ccf20181a9436f6d706c65746564c403cd01e2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 246, '2026-11-16 20:12:00.410132+00', '2026-11-16 20:12:00.409379+00', 992594866380880082, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-245', 'vm-1', '\x81a7536574746c656493ccf50181a9436f6d706c65746564c403cd01e8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 250, '2026-11-16 20:12:00.422395+00', '2026-11-16 20:12:00.421288+00', 8845770785035776476, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-249', 'vm-1', '\x81a7536574746c656493ccf90181a9436f6d706c65746564c403cd01f0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 253, '2026-11-16 20:12:00.433085+00', '2026-11-16 20:12:00.431602+00', 4084338787272710888, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-252', 'vm-1', '\x81a7536574746c656493ccfc0181a9436f6d706c65746564c403cd01f6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 257, '2026-11-16 20:12:00.444378+00', '2026-11-16 20:12:00.440452+00', -2046619456305920954, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-256', 'vm-1', '\x81a7536574746c656493cd01000181a9436f6d706c65746564c403cd01fe');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 264, '2026-11-16 20:12:00.478796+00', '2026-11-16 20:12:00.477159+00', 5389772170109148911, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-263', 'vm-1', '\x81a7536574746c656493cd01070181a9436f6d706c65746564c403cd020c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 266, '2026-11-16 20:12:00.48347+00', '2026-11-16 20:12:00.482724+00', -6316999745456223464, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-265', 'vm-1', '\x81a7536574746c656493cd01090181a9436f6d706c65746564c403cd0210');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 270, '2026-11-16 20:12:00.493747+00', '2026-11-16 20:12:00.493206+00', 884778087889121945, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-269', 'vm-1', '\x81a7536574746c656493cd010d0181a9436f6d706c65746564c403cd0218');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 274, '2026-11-16 20:12:00.500954+00', '2026-11-16 20:12:00.500344+00', 7491329316213600957, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-273', 'vm-1', '\x81a7536574746c656493cd01110181a9436f6d706c65746564c403cd0220');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 277, '2026-11-16 20:12:00.506936+00', '2026-11-16 20:12:00.50631+00', 2178937217618352150, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-276', 'vm-1', '\x81a7536574746c656493cd01140181a9436f6d706c65746564c403cd0226');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 281, '2026-11-16 20:12:00.512118+00', '2026-11-16 20:12:00.511548+00', -3767907558697489264, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-280', 'vm-1', '\x81a7536574746c656493cd01180181a9436f6d706c65746564c403cd022e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 285, '2026-11-16 20:12:00.520232+00', '2026-11-16 20:12:00.519618+00', -3059235039534562501, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-284', 'vm-1', '\x81a7536574746c656493cd011c0181a9436f6d706c65746564c403cd0236');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 288, '2026-11-16 20:12:00.528028+00', '2026-11-16 20:12:00.526592+00', -4473557641257616227, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-287', 'vm-1', '\x81a7536574746c656493cd011f0181a9436f6d706c65746564c403cd023c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 295, '2026-11-16 20:12:00.58025+00', '2026-11-16 20:12:00.576673+00', -2447701695699641243, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-294', 'vm-1', '\x81a7536574746c656493cd01260181a9436f6d706c65746564c403cd024a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 298, '2026-11-16 20:12:00.60127+00', '2026-11-16 20:12:00.596705+00', 7421782213463133186, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-297', 'vm-1', '\x81a7536574746c656493cd01290181a9436f6d706c65746564c403cd0250');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 301, '2026-11-16 20:12:00.628391+00', '2026-11-16 20:12:00.622129+00', -7425503105697936638, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-300', 'vm-1', '\x81a7536574746c656493cd012c0181a9436f6d706c65746564c403cd0256');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 304, '2026-11-16 20:12:00.643034+00', '2026-11-16 20:12:00.641149+00', 970708860399100090, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-303', 'vm-1', '\x81a7536574746c656493cd012f0181a9436f6d706c65746564c403cd025c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 307, '2026-11-16 20:12:00.652086+00', '2026-11-16 20:12:00.651309+00', 5007671118858264628, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-306', 'vm-1', '\x81a7536574746c656493cd01320181a9436f6d706c65746564c403cd0262');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 311, '2026-11-16 20:12:00.661059+00', '2026-11-16 20:12:00.660433+00', -2358895216501824107, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-310', 'vm-1', '\x81a7536574746c656493cd01360181a9436f6d706c65746564c403cd026a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 314, '2026-11-16 20:12:00.670345+00', '2026-11-16 20:12:00.669648+00', 8914763550086481470, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-313', 'vm-1', '\x81a7536574746c656493cd01390181a9436f6d706c65746564c403cd0270');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 317, '2026-11-16 20:12:00.702761+00', '2026-11-16 20:12:00.701197+00', -9060596684039289251, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-316', 'vm-1', '\x81a7536574746c656493cd013c0181a9436f6d706c65746564c403cd0276');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 321, '2026-11-16 20:12:00.709788+00', '2026-11-16 20:12:00.709107+00', -3383078325811130967, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-320', 'vm-1', '\x81a7536574746c656493cd01400181a9436f6d706c65746564c403cd027e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 325, '2026-11-16 20:12:00.715362+00', '2026-11-16 20:12:00.714878+00', -1120286424669243874, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-324', 'vm-1', '\x81a7536574746c656493cd01440181a9436f6d706c65746564c403cd0286');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 328, '2026-11-16 20:12:00.733282+00', '2026-11-16 20:12:00.728417+00', 4875648406587273063, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-327', 'vm-1', '\x81a7536574746c656493cd01470181a9436f6d706c65746564c403cd028c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 331, '2026-11-16 20:12:00.757544+00', '2026-11-16 20:12:00.752431+00', 508937989354885625, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-330', 'vm-1', '\x81a7536574746c656493cd014a0181a9436f6d706c65746564c403cd0292');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 338, '2026-11-16 20:12:00.802853+00', '2026-11-16 20:12:00.802119+00', 448062949069404806, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-337', 'vm-1', '\x81a7536574746c656493cd01510181a9436f6d706c65746564c403cd02a0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 341, '2026-11-16 20:12:00.810793+00', '2026-11-16 20:12:00.810137+00', 6069595221800166857, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-340', 'vm-1', '\x81a7536574746c656493cd01540181a9436f6d706c65746564c403cd02a6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 348, '2026-11-16 20:12:00.838513+00', '2026-11-16 20:12:00.837914+00', -1445192269664304008, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-347', 'vm-1', '\x81a7536574746c656493cd015b0181a9436f6d706c65746564c403cd02b4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 352, '2026-11-16 20:12:00.854973+00', '2026-11-16 20:12:00.854319+00', -7308928191055579832, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-351', 'vm-1', '\x81a7536574746c656493cd015f0181a9436f6d706c65746564c403cd02bc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 358, '2026-11-16 20:12:00.904102+00', '2026-11-16 20:12:00.903502+00', -6197427587470356932, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-357', 'vm-1', '\x81a7536574746c656493cd01650181a9436f6d706c65746564c403cd02c8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 361, '2026-11-16 20:12:00.929485+00', '2026-11-16 20:12:00.92858+00', 3267555025750642310, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-360', 'vm-1', '\x81a7536574746c656493cd01680181a9436f6d706c65746564c403cd02ce');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 364, '2026-11-16 20:12:00.948459+00', '2026-11-16 20:12:00.945134+00', 1158153228788972338, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-363', 'vm-1', '\x81a7536574746c656493cd016b0181a9436f6d706c65746564c403cd02d4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 368, '2026-11-16 20:12:00.96352+00', '2026-11-16 20:12:00.962946+00', -3955701988507321062, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-367', 'vm-1', '\x81a7536574746c656493cd016f0181a9436f6d706c65746564c403cd02dc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 371, '2026-11-16 20:12:00.974497+00', '2026-11-16 20:12:00.973811+00', 2141942209212301558, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-370', 'vm-1', '\x81a7536574746c656493cd01720181a9436f6d706c65746564c403cd02e2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 375, '2026-11-16 20:12:00.980218+00', '2026-11-16 20:12:00.979709+00', 5402027049358642918, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-374', 'vm-1', '\x81a7536574746c656493cd01760181a9436f6d706c65746564c403cd02ea');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 379, '2026-11-16 20:12:00.993034+00', '2026-11-16 20:12:00.992459+00', -1227330603719551027, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-378', 'vm-1', '\x81a7536574746c656493cd017a0181a9436f6d706c65746564c403cd02f2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 385, '2026-11-16 20:12:01.037031+00', '2026-11-16 20:12:01.032373+00', -3972608951977963738, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-384', 'vm-1', '\x81a7536574746c656493cd01800181a9436f6d706c65746564c403cd02fe');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 388, '2026-11-16 20:12:01.051135+00', '2026-11-16 20:12:01.050094+00', 9120235121615926086, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-387', 'vm-1', '\x81a7536574746c656493cd01830181a9436f6d706c65746564c403cd0304');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 399, '2026-11-16 20:12:01.14378+00', '2026-11-16 20:12:01.136687+00', 6201626337312963752, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-398', 'vm-1', '\x81a7536574746c656493cd018e0181a9436f6d706c65746564c403cd031a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-fb8e-7049-9b77-8718776dbd68', 2, '2026-11-16 20:12:04.397318+00', '2026-11-16 20:12:04.392777+00', -3642461501327586040, 1, 'settled', '01a1e5fcfb8e70499b778718776dbd68-0-1', 'vm-1', '\x81a7536574746c656493010181a9436f6d706c65746564c4010c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 249, '2026-11-16 20:12:00.418589+00', '2026-11-16 20:12:00.417484+00', 342811354524145904, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-248', 'vm-1', '\x81a7536574746c656493ccf80181a9436f6d706c65746564c403cd01ee');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 256, '2026-11-16 20:12:00.439634+00', '2026-11-16 20:12:00.438774+00', -2244981153363092612, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-255', 'vm-1', '\x81a7536574746c656493ccff0181a9436f6d706c65746564c403cd01fc');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 260, '2026-11-16 20:12:00.452367+00', '2026-11-16 20:12:00.448703+00', 4244839048785714867, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-259', 'vm-1', '\x81a7536574746c656493cd01030181a9436f6d706c65746564c403cd0204');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 263, '2026-11-16 20:12:00.473946+00', '2026-11-16 20:12:00.472456+00', -6282296010053936344, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-262', 'vm-1', '\x81a7536574746c656493cd01060181a9436f6d706c65746564c403cd020a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 265, '2026-11-16 20:12:00.481546+00', '2026-11-16 20:12:00.479879+00', 1688984638133766349, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-264', 'vm-1', '\x81a7536574746c656493cd01080181a9436f6d706c65746564c403cd020e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 269, '2026-11-16 20:12:00.492472+00', '2026-11-16 20:12:00.491809+00', -4324407679936096604, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-268', 'vm-1', '\x81a7536574746c656493cd010c0181a9436f6d706c65746564c403cd0216');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 273, '2026-11-16 20:12:00.499501+00', '2026-11-16 20:12:00.498971+00', -5142305426076188597, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-272', 'vm-1', '\x81a7536574746c656493cd01100181a9436f6d706c65746564c403cd021e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 276, '2026-11-16 20:12:00.505615+00', '2026-11-16 20:12:00.504558+00', 4093707304638941367, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-275', 'vm-1', '\x81a7536574746c656493cd01130181a9436f6d706c65746564c403cd0224');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 280, '2026-11-16 20:12:00.510824+00', '2026-11-16 20:12:00.510281+00', -6368382808737246853, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-279', 'vm-1', '\x81a7536574746c656493cd01170181a9436f6d706c65746564c403cd022c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 284, '2026-11-16 20:12:00.518993+00', '2026-11-16 20:12:00.518401+00', -3017248729786591091, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-283', 'vm-1', '\x81a7536574746c656493cd011b0181a9436f6d706c65746564c403cd0234');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 291, '2026-11-16 20:12:00.553311+00', '2026-11-16 20:12:00.552029+00', 371869574084375872, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-290', 'vm-1', '\x81a7536574746c656493cd01220181a9436f6d706c65746564c403cd0242');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 294, '2026-11-16 20:12:00.565613+00', '2026-11-16 20:12:00.56458+00', 6854817196809387729, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-293', 'vm-1', '\x81a7536574746c656493cd01250181a9436f6d706c65746564c403cd0248');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 297, '2026-11-16 20:12:00.590577+00', '2026-11-16 20:12:00.589641+00', -2454453365655201269, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-296', 'vm-1', '\x81a7536574746c656493cd01280181a9436f6d706c65746564c403cd024e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 300, '2026-11-16 20:12:00.617282+00', '2026-11-16 20:12:00.612991+00', -1563428955198827257, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-299', 'vm-1', '\x81a7536574746c656493cd012b0181a9436f6d706c65746564c403cd0254');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 308, '2026-11-16 20:12:00.65367+00', '2026-11-16 20:12:00.653066+00', 5636442674165440574, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-307', 'vm-1', '\x81a7536574746c656493cd01330181a9436f6d706c65746564c403cd0264');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 312, '2026-11-16 20:12:00.664738+00', '2026-11-16 20:12:00.661886+00', -2197000319975005015, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-311', 'vm-1', '\x81a7536574746c656493cd01370181a9436f6d706c65746564c403cd026c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 315, '2026-11-16 20:12:00.677081+00', '2026-11-16 20:12:00.671146+00', 311748771275121023, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-314', 'vm-1', '\x81a7536574746c656493cd013a0181a9436f6d706c65746564c403cd0272');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 318, '2026-11-16 20:12:00.704724+00', '2026-11-16 20:12:00.703806+00', 8910241150471001157, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-317', 'vm-1', '\x81a7536574746c656493cd013d0181a9436f6d706c65746564c403cd0278');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 322, '2026-11-16 20:12:00.711336+00', '2026-11-16 20:12:00.71066+00', -3647413944014021462, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-321', 'vm-1', '\x81a7536574746c656493cd01410181a9436f6d706c65746564c403cd0280');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 326, '2026-11-16 20:12:00.720879+00', '2026-11-16 20:12:00.716122+00', 1682709714182109286, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-325', 'vm-1', '\x81a7536574746c656493cd01450181a9436f6d706c65746564c403cd0288');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 329, '2026-11-16 20:12:00.741449+00', '2026-11-16 20:12:00.74039+00', 8181683663316251894, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-328', 'vm-1', '\x81a7536574746c656493cd01480181a9436f6d706c65746564c403cd028e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 332, '2026-11-16 20:12:00.761048+00', '2026-11-16 20:12:00.760075+00', 8836579168891856643, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-331', 'vm-1', '\x81a7536574746c656493cd014b0181a9436f6d706c65746564c403cd0294');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 335, '2026-11-16 20:12:00.783777+00', '2026-11-16 20:12:00.780499+00', 3555438089050034212, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-334', 'vm-1', '\x81a7536574746c656493cd014e0181a9436f6d706c65746564c403cd029a');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 339, '2026-11-16 20:12:00.804436+00', '2026-11-16 20:12:00.803674+00', -302355831858153157, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-338', 'vm-1', '\x81a7536574746c656493cd01520181a9436f6d706c65746564c403cd02a2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 342, '2026-11-16 20:12:00.812263+00', '2026-11-16 20:12:00.811706+00', 5228602360181510702, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-341', 'vm-1', '\x81a7536574746c656493cd01550181a9436f6d706c65746564c403cd02a8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 345, '2026-11-16 20:12:00.831826+00', '2026-11-16 20:12:00.830574+00', 311984664125776420, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-344', 'vm-1', '\x81a7536574746c656493cd01580181a9436f6d706c65746564c403cd02ae');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 349, '2026-11-16 20:12:00.83976+00', '2026-11-16 20:12:00.839258+00', 4266471150300595123, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-348', 'vm-1', '\x81a7536574746c656493cd015c0181a9436f6d706c65746564c403cd02b6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 355, '2026-11-16 20:12:00.889348+00', '2026-11-16 20:12:00.876535+00', -7835633733653967445, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-354', 'vm-1', '\x81a7536574746c656493cd01620181a9436f6d706c65746564c403cd02c2');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 359, '2026-11-16 20:12:00.90842+00', '2026-11-16 20:12:00.905049+00', -3451204518780452373, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-358', 'vm-1', '\x81a7536574746c656493cd01660181a9436f6d706c65746564c403cd02ca');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 362, '2026-11-16 20:12:00.940079+00', '2026-11-16 20:12:00.932504+00', 771304475111460489, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-361', 'vm-1', '\x81a7536574746c656493cd01690181a9436f6d706c65746564c403cd02d0');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 365, '2026-11-16 20:12:00.951295+00', '2026-11-16 20:12:00.94991+00', -5631447857512433622, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-364', 'vm-1', '\x81a7536574746c656493cd016c0181a9436f6d706c65746564c403cd02d6');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 369, '2026-11-16 20:12:00.965042+00', '2026-11-16 20:12:00.964438+00', 2891643273266643337, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-368', 'vm-1', '\x81a7536574746c656493cd01700181a9436f6d706c65746564c403cd02de');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 372, '2026-11-16 20:12:00.97599+00', '2026-11-16 20:12:00.975369+00', -4631869802996818844, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-371', 'vm-1', '\x81a7536574746c656493cd01730181a9436f6d706c65746564c403cd02e4');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 376, '2026-11-16 20:12:00.982905+00', '2026-11-16 20:12:00.981043+00', -6517594031160880205, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-375', 'vm-1', '\x81a7536574746c656493cd01770181a9436f6d706c65746564c403cd02ec');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 382, '2026-11-16 20:12:01.023042+00', '2026-11-16 20:12:01.021466+00', 4031586942323669112, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-381', 'vm-1', '\x81a7536574746c656493cd017d0181a9436f6d706c65746564c403cd02f8');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 386, '2026-11-16 20:12:01.038707+00', '2026-11-16 20:12:01.03801+00', 4035298374048290893, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-385', 'vm-1', '\x81a7536574746c656493cd01810181a9436f6d706c65746564c403cd0300');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 389, '2026-11-16 20:12:01.0609+00', '2026-11-16 20:12:01.05637+00', 2290150400290101382, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-388', 'vm-1', '\x81a7536574746c656493cd01840181a9436f6d706c65746564c403cd0306');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 392, '2026-11-16 20:12:01.074149+00', '2026-11-16 20:12:01.073548+00', -3462210429809084173, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-391', 'vm-1', '\x81a7536574746c656493cd01870181a9436f6d706c65746564c403cd030c');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 395, '2026-11-16 20:12:01.104973+00', '2026-11-16 20:12:01.099271+00', -4373834375814162583, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-394', 'vm-1', '\x81a7536574746c656493cd018a0181a9436f6d706c65746564c403cd0312');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 398, '2026-11-16 20:12:01.125629+00', '2026-11-16 20:12:01.124856+00', 4933944039287836399, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-397', 'vm-1', '\x81a7536574746c656493cd018d0181a9436f6d706c65746564c403cd0318');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', 401, '2026-11-16 20:12:01.152467+00', '2026-11-16 20:12:01.150833+00', 7603760621080865770, 1, 'settled', '01a1e5fce7e07829bc4d330d1e60cfce-0-400', 'vm-1', '\x81a7536574746c656493cd01900181a9436f6d706c65746564c403cd031e');
INSERT INTO public.runner_actions_done VALUES ('01a1e5fc-e6d2-7530-8935-59018cf052f9', 4, '2026-11-16 20:12:04.330514+00', '2026-11-16 20:12:04.328743+00', 178165581431120241, 1, 'settled', '01a1e5fce6d27530893559018cf052f9-0-2', 'vm-1', '\x81a7536574746c656493020181a9436f6d706c65746564c40102');
INSERT INTO public.runner_instances VALUES ('01a1e5fc-e7da-79da-be0a-47dcee9473eb', '01a1e5fc-e7c9-73cc-b46a-6fd5bd5d79be', NULL, NULL, '2026-11-16 20:11:59.325335+00', NULL, 0, 'Waiting', 'running', 'waiting', NULL, 'kept', 'signal go, timeout at 2126-10-23T20:11:59Z', NULL, '\x81a16e05', NULL, NULL, NULL, 'default', 'tenant', NULL, NULL, NULL);
INSERT INTO public.runner_instances VALUES ('01a1e5fc-e7f4-7359-80e6-3769ae8bccf5', '01a1e5fc-e7fa-7550-9320-299dd4cd31e6', NULL, NULL, '2026-11-16 20:11:59.364117+00', NULL, 0, 'Family', 'running', 'family', NULL, NULL, 'child workflow Waiting', NULL, '\x81a16e09', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL);
INSERT INTO public.runner_instances VALUES ('004e8596-799f-80c5-af47-61733fede61f', '01a1e5fc-e7c9-73cc-b46a-6fd5bd5d79be', '01a1e5fc-e7f4-7359-80e6-3769ae8bccf5', NULL, '2026-11-16 20:11:59.374691+00', NULL, 0, 'Waiting', 'running', 'child 9', '1/1', NULL, 'signal go, timeout at 2126-10-23T20:11:59Z', NULL, '\x81a16e09', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL);
INSERT INTO public.runner_instances VALUES ('01a1e5fc-e808-73ce-858a-745f90bd1821', '01a1e5fc-e80f-7287-8958-5dda11153e4e', NULL, NULL, '2026-11-16 20:11:59.388124+00', NULL, 0, 'Retrying', 'running', 'retrying', NULL, NULL, 'retry of app:mended at 2026-11-16T20:12:29Z', NULL, '\x81a16e03', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL);
INSERT INTO public.runner_instances VALUES ('01a1e5fc-e822-7e5e-ac69-22d46daf4247', '01a1e5fc-e7c9-73cc-b46a-6fd5bd5d79be', NULL, NULL, '2026-11-16 20:11:59.405841+00', NULL, 0, 'Waiting', 'paused', 'paused', NULL, NULL, 'paused, signal go, timeout at 2126-10-23T20:11:59Z', NULL, '\x81a16e02', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL);
INSERT INTO public.runner_instances VALUES ('01a1e5fc-e7b8-79b0-a7c9-600b418e4a17', '01a1e5fc-e7c9-73cc-b46a-6fd5bd5d79be', NULL, NULL, '2026-11-16 20:11:59.320962+00', '2026-11-16 20:11:59.476436+00', 0, 'Waiting', 'terminated', 'terminated', NULL, NULL, NULL, NULL, '\x81a16e01', NULL, '\xc73c069ab27761796d61726b2e5465726d696e6174656492a9457863657074696f6ead42617365457863657074696f6e91a6656e6f75676880c0c0c0c29090', NULL, 'default', NULL, NULL, NULL, 'waymark.Terminated');
INSERT INTO public.runner_instances VALUES ('01a1e5fc-e7e0-7829-bc4d-330d1e60cfce', '01a1e5fc-e7e6-771c-a608-51aafefe95e8', NULL, NULL, '2026-11-16 20:11:59.346426+00', NULL, 355, 'Looping', 'running', 'looping', NULL, NULL, 'signal go', NULL, '\x81a5636f756e74cd0190', NULL, NULL, '\x960101dc00200ecccd094c0d3819ccd37c3bcca4ccc42fccda5205cca4cc914611283fccd9cca802116bccc0527242ccfd98ccec1462ccf3cc93ccc1cc92cc8e00c5015adc001bc41001a1e5fce7e07829bc4d330d1e60cfce9c9381a646757475726594a750656e64696e679099019181a54672616d6596000c94cd0190ce0001e822cd0162910292c0ce0001e82290c0c081a9457865637574696f6ecd0163c200c0a65461736b2d31c2c081a552616e67659300cd01900181a84974657261746f7281a853657175656e6365929101cd01639190cf0006606a6401960491cf5bad4b241fc12a329095ce0bebc200ce04000000cd03e8ce20000000ce000f424008ce0bebc20000cd0163008090008081010000a752756e6e696e678090c091909081cd0163970001a752756e6e696e67c29b93c41001a1e5fce7e07829bc4d330d1e60cfce00cd016301aa6170703a646f75626c65c40491cd0162c40180c0c00003c0c29b0190c200cb4000000000000000c0cb0000000000000000c0c0c0c2c0c0c200cd0164010200cd0163cf93423ca25b7ccdabc09190c4018000', 'default', NULL, NULL, NULL, NULL);
INSERT INTO public.runner_instances VALUES ('01a1e5fc-e6d2-7530-8935-59018cf052f9', '01a1e5fc-e792-7613-abe3-cd9bb2a9d2d4', NULL, '3793074e-d6a7-4932-b303-24d8b58c5a0b', '2026-11-16 20:11:59.278917+00', '2026-11-16 20:12:04.335271+00', 0, 'Sleeping', 'completed', 'finished', NULL, NULL, NULL, NULL, '\x81a16e07', '\x10', NULL, NULL, 'default', NULL, NULL, NULL, NULL);
INSERT INTO public.runner_instances VALUES ('01a1e5fc-fb8e-7049-9b77-8718776dbd68', '01a1e5fc-e792-7613-abe3-cd9bb2a9d2d4', NULL, NULL, '2026-11-16 20:12:04.370103+00', NULL, 0, 'Sleeping', 'running', 'sleeping', NULL, NULL, 'sleep until 2026-11-16T20:12:09Z', NULL, '\x81a16e06', NULL, NULL, NULL, 'default', NULL, NULL, NULL, NULL);
INSERT INTO public.waymark_meta VALUES ('fingerprint', 'ca577e3fb95c4c66894367be84be4752');
INSERT INTO public.waymark_migrations VALUES (1, 'tables', '3261cc5ddc4c9a9914ef2bf691b2041644877426873e6c9fcff0eadcffde20f3');
INSERT INTO public.waymark_migrations VALUES (2, 'actions_by_name', '9a79605e25ebae932dcac136b4056b6e9500b0fb87bf76bc7525787469eac543');
INSERT INTO public.waymark_migrations VALUES (3, 'control', 'd4408d289e75222b896cbbc417b156b516478e679f6ad534228c4b5c3738c1f4');
INSERT INTO public.waymark_migrations VALUES (4, 'schedules', 'd0230b4b0e4f5ab52c959b22feb644b3514e630b1e83f882b135f7d168de4f56');
INSERT INTO public.waymark_migrations VALUES (5, 'queues', '9bbd9aef1aab115208d524e816badc676a0cc6862adbb889924f1efd1f767243');
INSERT INTO public.waymark_migrations VALUES (6, 'replies', '7a2c908e71d3b75d9b64a8ec33d3c6d3ecf7b44e16f853e4ff3096561772e0c9');
INSERT INTO public.waymark_migrations VALUES (7, 'retention', 'f2e8249ab4204f9ae439871de72d788a3cd2f74ffe96909fcaaa022bf2cc0dbf');
INSERT INTO public.waymark_migrations VALUES (8, 'transactions', '3e2a6abac345d00a60a4a076919e7d9cc1439f25b0fed390bd9bbe5144599840');
INSERT INTO public.workflow_schedules VALUES ('01a1e5fc-fb87-7503-b2f1-3a2ab660ede6', 'Sleeping', 'yearly', 'active', '\x8ca47768656e81a443726f6e82a77061747465726ea930203320312031202aa47a6f6e65a3555443ab73746172745f61745f7573c0a9656e645f61745f7573c0a96a69747465725f757300a76f7665726c6170a4536b6970ab63617463685f75705f7573cf000000141dd76000a6696e70757473c40481a16e04a57175657565a764656661756c74a87072696f7269747901a47461677390a36b6579c0aa74696d656f75745f7573c0', '2027-01-01 03:00:00+00', NULL, NULL, '2026-11-16 20:12:04.361602+00', '2026-11-16 20:12:04.361602+00', 1, '2026-11-16 20:12:04.359156+00', NULL, 0, 0, 0);
INSERT INTO public.workflow_versions VALUES ('01a1e5fc-e792-7613-abe3-cd9bb2a9d2d4', 'Sleeping', '86cd5d6a49a673d142d858a0f04a058ddcca3a3c4bb2e2205560610e69468136', '86cd5d6a49a673d142d858a0f04a058ddcca3a3c4bb2e2205560610e69468136', '\x0a08536c656570696e671001180122046d61696e32fe290a066170702e707912f3292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a0112420c0a05381f002000120312016e421b0a05381800210012126a100a0a6170703a646f75626c651a020801420b0a0538120021001202400242110a053809000f00120812066265666f726542100a0538090021001a0712050a0104100342120a05390f001c00120912076173796e63696f42140a05390f001c00120b1a0908061205736c656570420d0a05391d001e0012040a02180a42110a05390f001f0012082206080712020808420b0a053909001f0012024009420b0a053909001f001a02080a42110a053a10001600120812066265666f7265420d0a053a2600270012040a021802421b0a053a1f00280012126a100a0a6170703a646f75626c651a02080d420b0a053a190028001202400e42110a053a1000280012082a060801100c180f420d0a053a090028001a045a02081042360a0537050328002a2d0a046d61696e10011a0c0a016e100222053719001f002a03050b1132100a0c536c656570696e672e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
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
', '2026-11-16 20:11:59.256842+00', '2026-11-16 20:11:59.256842+00');
INSERT INTO public.workflow_versions VALUES ('01a1e5fc-e7c9-73cc-b46a-6fd5bd5d79be', 'Waiting', '003af7af9762fd2547f319f1bf9309b68839735b37aca25dd62682ee9fdf8f37', '003af7af9762fd2547f319f1bf9309b68839735b37aca25dd62682ee9fdf8f37', '\x0a0757616974696e671001180122046d61696e32fe290a066170702e707912f3292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a02402442120a052809001500120912077761796d61726b42160a052809001500120d1a0b080112077075626c69736842110a052816001c0012080a062a0468616c66420c0a05282b002c00120312016e421b0a052824002d0012126a100a0a6170703a646f75626c651a020804420b0a05281e002d001202400542150a052809002e00120c220a08021202080312020806420b0a052809002e001a020807420c0a052911001200120312016e420d0a05291400150012040a021804420c0a052918001900120312016e42110a05291400190012082a060803100a180b420f0a052910001a0012065a040a02090c420f0a052909000d00120612047365656e42100a052909001a001a0712050a010e100d42160a053013001e00120d120b4c6f6f6b75704572726f7242130a05301f002700120a0a082a066265666f726542110a05301300280012082206081012020811420d0a05300d0028001a046202081242160a053110001b00120d120b4c6f6f6b75704572726f72420e0a0532150018001205120373747242100a053219001e00120712056572726f7242110a053215001f001208220608151202081642120a053227003600120912077761796d61726b421a0a05322700360012111a0f0818120b6e6578745f7369676e616c420f0a053237003b0012060a042a02676f42130a053245004e00120a12086461746574696d6542180a053245004e00120f1a0d081b120974696d6564656c7461420f0a053254005a0012060a0418a8ba0442190a053245005b001210220e081c120a12080a0464617973101d42200a053227005c001217221508191202081a120d120b0a0774696d656f7574101e420b0a053221005c001202401f420f0a053214005d0012064a040a021720420d0a05320d005d001a045a02082142230a052f09035d001a1a42180a01131213081412056572726f721a012222053109015d0042240a052e05045d002a1b0a0361736b10012a0123320f0a0b57616974696e672e61736b1001420e0a052a180022001205120361736b420d0a052a18002200120422020825420b0a052a120022001202402642110a052a09000f0012081206616e7377657242100a052a090022001a0712050a0128102742120a052b17002500120912076173796e63696f42150a052b17002500120c1a0a082a120667617468657242100a052b3f0044001207120572616e6765420d0a052b4500460012040a02180642110a052b3f00470012082206082c1202082d420c0a052b3a003b00120312016b420c0a052b2f003000120312016e420c0a052b33003400120312016b42110a052b2f00340012082a06080110301831421b0a052b2800350012126a100a0a6170703a646f75626c651a02083242140a052b27004800120bb2010808332a04082f102e42110a052b1700490012082206082b12021834420b0a052b110049001202403542100a052b09000e0012071205706172747342100a052b090049001a0712050a0137103642110a052c1100170012081206736f72746564420f0a052c18001c00120612047365656e42110a052c11001d001208220608391202083a42110a052c1f00250012081206616e7377657242100a052c27002c0012071205706172747342100a052c10002d0012074a050a033b3c3d420d0a052c09002d001a045a02083e42370a052705052d002a2e0a046d61696e10011a0c0a016e100222052719001f002a05080f29383f320f0a0b57616974696e672e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
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
', '2026-11-16 20:11:59.31594+00', '2026-11-16 20:11:59.31594+00');
INSERT INTO public.workflow_versions VALUES ('01a1e5fc-e7e6-771c-a608-51aafefe95e8', 'Looping', '0ecd094c0d3819d37c3ba4c42fda5205a4914611283fd9a802116bc0527242fd', '0ecd094c0d3819d37c3ba4c42fda5205a4914611283fd9a802116bc0527242fd', '\x0a074c6f6f70696e671001180122046d61696e32fe290a066170702e707912f3292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a0116420d0a05421100120012040a02180042100a054209000e0012071205746f74616c42100a0542090012001a0712050a0102100142100a0543120017001207120572616e676542100a054318001d0012071205636f756e7442110a054312001e0012082206080412020805420c0a05430d000e00120312016e42100a05440d00120012071205746f74616c420c0a054423002400120312016e421b0a05441c00250012126a100a0a6170703a646f75626c651a020809420b0a0544160025001202400a42110a05440d0025001a081a0608081001180b42120a0543090125001a093a07080710061a010c42100a05451100160012071205746f74616c42120a05451e002d00120912077761796d61726b421a0a05451e002d0012111a0f080f120b6e6578745f7369676e616c420f0a05452e00320012060a042a02676f42110a05451e00330012082206081012020811420b0a05451800330012024012420f0a05451000340012064a040a020e13420d0a0545090034001a045a02081442390a0541050434002a300a046d61696e10011a100a05636f756e741002220541190023002a03030d15320f0a0b4c6f6f70696e672e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
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
', '2026-11-16 20:11:59.339178+00', '2026-11-16 20:11:59.339178+00');
INSERT INTO public.workflow_versions VALUES ('01a1e5fc-e7fa-7550-9320-299dd4cd31e6', 'Family', 'cc1593f6f5e0173930bdfa70bd5683f2283e451d947c3501108037da98bf74d4', 'cc1593f6f5e0173930bdfa70bd5683f2283e451d947c3501108037da98bf74d4', '\x0a0646616d696c791001180122046d61696e32fe290a066170702e707912f3292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a0116420c0a054b27002800120312016e420c0a054b36003700120312016e421b0a054b2d003900121272100a080a066368696c64200a041202080242140a054b17003a00120b0a092a0757616974696e67420f0a054b17003a00120612046469637442160a054b17003a00120d220b0805120712050a016e1001420f0a054b17003a00120612046469637442170a054b17003a00120e220c0807120812060a026964100342120a054b17003a00120912077761796d61726b421d0a054b17003a0012141a120809120e73746172745f776f726b666c6f7742190a054b17003a001210220e080a120208041202080612020808420b0a054b11003a001202400b42100a054b09000e00120712056368696c6442100a054b09003a001a0712050a010d100c420c0a054c11001200120312016e42100a054c1a001f00120712056368696c6442150a054c1a002600120c1a0a08101206726573756c74420d0a054c1a002800120422020811420b0a054c1400280012024012420f0a054c1000290012064a040a020f13420d0a054c090029001a045a02081442330a054a050229002a2a0a046d61696e10011a0c0a016e100222054a19001f002a020e15320e0a0a46616d696c792e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
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
', '2026-11-16 20:11:59.354926+00', '2026-11-16 20:11:59.354926+00');
INSERT INTO public.workflow_versions VALUES ('01a1e5fc-e80f-7287-8958-5dda11153e4e', 'Retrying', '8d924714e0873eb12aae297c3226cc100ecca4323f697cf96c708d2920cd440b', '8d924714e0873eb12aae297c3226cc100ecca4323f697cf96c708d2920cd440b', '\x0a085265747279696e671001180122046d61696e32fe290a066170702e707912f3292222225768617420697320696e20666c6967687420696e20746865207265636f72646564206461746162617365732e2060707974686f6e206170702e707920626567696e60207374617274732069743b2060707974686f6e206170702e70792066696e697368602c206c617465722c206272696e677320697420746f2069747320656e642e0a0a546865207265636f726465642070726f6772616d732063616c6c20746865736520616374696f6e73206279207468656972206e616d65733a20776861742069732068657265206d617920626520616464656420746f2c206e6f74206368616e6765642e0a2222220a0a66726f6d205f5f6675747572655f5f20696d706f727420616e6e6f746174696f6e730a0a696d706f7274206173796e63696f0a696d706f7274206f730a696d706f7274207379730a66726f6d206461746574696d6520696d706f72742074696d6564656c74610a66726f6d20747970696e6720696d706f727420416e790a0a696d706f7274207761796d61726b0a66726f6d207761796d61726b20696d706f7274204261636b6f6666506f6c6963792c205265747279506f6c6963792c20576f726b666c6f772c20616374696f6e2c20776169745f666f725f7369676e616c2c20776f726b666c6f770a66726f6d207761796d61726b2e636c69656e742e696e7374616e636520696d706f7274205374617475730a0a0a50415449454e54203d205265747279506f6c69637928617474656d7074733d3130302c206261636b6f66663d4261636b6f6666506f6c69637928626173655f64656c61793d33302c20666163746f723d3129290a0a0a40616374696f6e0a6173796e632064656620646f75626c65286e3a20696e7429202d3e20696e743a0a2020202072657475726e2032202a206e0a0a0a40616374696f6e0a6173796e6320646566206d656e646564286e3a20696e7429202d3e20696e743a0a202020202222224661696c7320756e74696c20736f6d65626f64792069732074686572652077686f206861732061206e65776572205761796d61726b2e2222220a2020202069662022555047524144454422206e6f7420696e206f732e656e7669726f6e3a0a2020202020202020726169736520436f6e6e656374696f6e4572726f7228226e6f742079657422290a2020202072657475726e206e0a0a0a40776f726b666c6f770a636c6173732057616974696e6728576f726b666c6f77293a0a202020202222225374616e647320696e20746865206d6964646c65206f6620612066756e6374696f6e207468617420616e6f74686572206f6e65206861732063616c6c65642c20776974682061206675747572652c20612073657420616e6420616e20657863657074696f6e20696e20697473207661726961626c65732e2222220a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a202020202020202073656c662e7075626c697368282268616c66222c20617761697420646f75626c65286e29290a20202020202020207365656e203d207b6e2c2032202a206e7d0a2020202020202020616e73776572203d2061776169742073656c662e61736b28290a20202020202020207061727473203d206177616974206173796e63696f2e676174686572282a5b646f75626c65286e202b206b2920666f72206b20696e2072616e67652833295d290a202020202020202072657475726e205b736f72746564287365656e292c20616e737765722c2070617274735d0a0a202020206173796e63206465662061736b2873656c6629202d3e20416e793a0a20202020202020207472793a0a2020202020202020202020207261697365204c6f6f6b75704572726f7228226265666f726522290a2020202020202020657863657074204c6f6f6b75704572726f72206173206572726f723a0a20202020202020202020202072657475726e205b737472286572726f72292c20617761697420776169745f666f725f7369676e616c2822676f222c2074696d656f75743d74696d6564656c746128646179733d33365f35303029295d0a0a0a40776f726b666c6f770a636c61737320536c656570696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a20202020202020206265666f7265203d20617761697420646f75626c65286e290a20202020202020206177616974206173796e63696f2e736c6565702835290a202020202020202072657475726e206265666f7265202b20617761697420646f75626c652831290a0a0a40776f726b666c6f770a636c617373204c6f6f70696e6728576f726b666c6f77293a0a2020202022222248617320612073746174652074686174207761732073617665642077686f6c652c20616e642061206c6f6720626568696e642069742e2222220a0a202020206173796e63206465662072756e2873656c662c20636f756e743a20696e7429202d3e206c6973745b416e795d3a0a2020202020202020746f74616c203d20300a2020202020202020666f72206e20696e2072616e676528636f756e74293a0a202020202020202020202020746f74616c202b3d20617761697420646f75626c65286e290a202020202020202072657475726e205b746f74616c2c20617761697420776169745f666f725f7369676e616c2822676f22295d0a0a0a40776f726b666c6f770a636c6173732046616d696c7928576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e206c6973745b416e795d3a0a20202020202020206368696c64203d2061776169742057616974696e6728292e7374617274286e2c2069643d66226368696c64207b6e7d22290a202020202020202072657475726e205b6e2c206177616974206368696c642e726573756c7428295d0a0a0a40776f726b666c6f770a636c617373205265747279696e6728576f726b666c6f77293a0a202020206173796e63206465662072756e2873656c662c206e3a20696e7429202d3e20696e743a0a202020202020202072657475726e2061776169742073656c662e72756e5f616374696f6e286d656e646564286e292c2072657472793d50415449454e54290a0a0a6173796e632064656620626567696e2829202d3e204e6f6e653a0a2020202066696e6973686564203d20617761697420536c656570696e6728292e737461727428372c2069643d2266696e697368656422290a202020206661696c6564203d2061776169742057616974696e6728292e737461727428312c2069643d227465726d696e6174656422290a2020202061776169742057616974696e6728292e737461727428352c2069643d2277616974696e67222c20746167733d5b226b657074225d2c2071756575653d2264656661756c74222c206b65793d2274656e616e7422290a202020206177616974204c6f6f70696e6728292e7374617274283430302c2069643d226c6f6f70696e6722290a2020202061776169742046616d696c7928292e737461727428392c2069643d2266616d696c7922290a202020206177616974205265747279696e6728292e737461727428332c2069643d227265747279696e6722290a20202020706175736564203d2061776169742057616974696e6728292e737461727428322c2069643d2270617573656422290a20202020617761697420756e74696c287061757365642c20227369676e616c20676f22290a202020206177616974207061757365642e706175736528290a20202020617761697420756e74696c286661696c65642c20227369676e616c20676f22290a202020206177616974206661696c65642e7465726d696e6174652822656e6f75676822290a20202020666f722068616e646c6520696e202857616974696e672e6765745f68616e646c65282277616974696e6722292c204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722292c2057616974696e672e6765745f68616e646c6528226368696c6420392229293a0a2020202020202020617761697420756e74696c2868616e646c652c20227369676e616c20676f22290a202020206173736572742061776169742066696e69736865642e726573756c742874696d656f75743d363029203d3d2031360a202020206177616974207761796d61726b2e7365745f7175657565282264656661756c74222c206b65795f636f6e63757272656e63793d3530290a202020206177616974207761796d61726b2e7363686564756c655f776f726b666c6f7728536c656570696e672c207363686564756c653d2230203320312031202a222c207363686564756c655f6e616d653d22796561726c79222c20696e707574733d7b226e223a20347d290a20202020617761697420536c656570696e6728292e737461727428362c2069643d22736c656570696e6722290a20202020617761697420756e74696c28536c656570696e672e6765745f68616e646c652822736c656570696e6722292c2022736c65657022290a20202020617761697420756e74696c285265747279696e672e6765745f68616e646c6528227265747279696e6722292c2022726574727922290a0a0a6173796e63206465662066696e6973682829202d3e204e6f6e653a0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c65282266696e697368656422292e726573756c742829203d3d2031360a202020206173736572742061776169742057616974696e672e6765745f68616e646c6528227465726d696e6174656422292e7374617475732829206973205374617475732e5445524d494e415445440a20202020286b6570742c29203d206177616974207761796d61726b2e6c6973745f696e7374616e63657328746167733d226b65707422290a2020202061737365727420286b6570742e69642c206b6570742e6b65792c206b6570742e73746174757329203d3d20282277616974696e67222c202274656e616e74222c205374617475732e52554e4e494e47290a2020202061737365727420286177616974207761796d61726b2e6c6973745f7175657565732829295b305d2e6b65795f636f6e63757272656e6379203d3d2035300a20202020287363686564756c652c29203d206177616974207761796d61726b2e6c6973745f7363686564756c657328536c656570696e67290a20202020617373657274207363686564756c652e7363686564756c655f6e616d65203d3d2022796561726c79220a2020202077616974696e67203d2057616974696e672e6765745f68616e646c65282277616974696e6722290a202020206173736572742061776169742077616974696e672e7175657279282268616c662229203d3d2031300a2020202061776169742077616974696e672e7369676e616c2822676f222c207b226279223a202268616e64227d290a202020206173736572742061776169742077616974696e672e726573756c742874696d656f75743d363029203d3d205b5b352c2031305d2c205b226265666f7265222c207b226279223a202268616e64227d5d2c205b31302c2031322c2031345d5d0a202020206c6f6f70696e67203d204c6f6f70696e672e6765745f68616e646c6528226c6f6f70696e6722290a202020206177616974206c6f6f70696e672e7369676e616c2822676f222c2031290a20202020617373657274206177616974206c6f6f70696e672e726573756c742874696d656f75743d363029203d3d205b343030202a203339392c20315d0a2020202061776169742057616974696e672e6765745f68616e646c6528226368696c64203922292e7369676e616c2822676f222c204e6f6e65290a202020206173736572742061776169742046616d696c792e6765745f68616e646c65282266616d696c7922292e726573756c742874696d656f75743d363029203d3d205b392c205b5b392c2031385d2c205b226265666f7265222c204e6f6e655d2c205b31382c2032302c2032325d5d5d0a20202020706175736564203d2057616974696e672e6765745f68616e646c65282270617573656422290a20202020617373657274206177616974207061757365642e7374617475732829206973205374617475732e5041555345440a202020206177616974207061757365642e726573756d6528290a202020206177616974207061757365642e7369676e616c2822676f222c20226f6e22290a20202020617373657274206177616974207061757365642e726573756c742874696d656f75743d363029203d3d205b5b322c20345d2c205b226265666f7265222c20226f6e225d2c205b342c20362c20385d5d0a2020202061737365727420617761697420536c656570696e672e6765745f68616e646c652822736c656570696e6722292e726573756c742874696d656f75743d363029203d3d2031340a20202020617373657274206177616974205265747279696e672e6765745f68616e646c6528227265747279696e6722292e726573756c742874696d656f75743d363029203d3d20330a20202020617373657274206177616974205265747279696e6728292e72756e283829203d3d20380a202020207072696e742822616c6c2069732077656c6c22290a0a0a6173796e632064656620756e74696c2868616e646c653a207761796d61726b2e48616e646c655b416e795d2c2077616974735f666f723a2073747229202d3e204e6f6e653a0a20202020666f72205f20696e2072616e676528335f303030293a0a20202020202020207472793a0a20202020202020202020202069662077616974735f666f7220696e20282861776169742068616e646c652e64657363726962652829292e77616974735f666f72206f72202222293a0a2020202020202020202020202020202072657475726e0a2020202020202020657863657074207761796d61726b2e496e7374616e63654e6f74466f756e643a0a202020202020202020202020706173730a20202020202020206177616974206173796e63696f2e736c65657028302e3032290a20202020726169736520417373657274696f6e4572726f722866227b68616e646c657d206e6576657220776169747320666f72207b77616974735f666f727d3a207b61776169742068616e646c652e646573637269626528297d22290a0a0a6966205f5f6e616d655f5f203d3d20225f5f6d61696e5f5f223a0a202020206173796e63696f2e72756e287b22626567696e223a20626567696e2c202266696e697368223a2066696e6973687d5b7379732e617267765b315d5d2829290a3a010a420c0a05522d002e00120312016e420e0a055237003e0012050a0318c801420d0a055237003e0012040a021001420d0a055237003e0012040a02183c420d0a055237003e0012040a02180242140a055237003e00120b0a0921000000000000000042270a055226002f00121e6a1c0a0a6170703a6d656e6465641a020801220a08021803200428053806420b0a055210003f0012024007420d0a055209003f001a045a02080842340a055105013f002a2b0a046d61696e10011a0c0a016e100222055119001f002a010932100a0c5265747279696e672e72756e1001', '"""What is in flight in the recorded databases. `python app.py begin` starts it; `python app.py finish`, later, brings it to its end.
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
', '2026-11-16 20:11:59.37588+00', '2026-11-16 20:11:59.37588+00');
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
