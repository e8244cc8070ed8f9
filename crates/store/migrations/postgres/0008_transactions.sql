-- Work in users' own transactions: actions whose database work and completion are one, and starts and signals that happen if, and when,
-- the user's transaction is committed.

-- What became of attempts of transaction actions: whoever writes an attempt's row first has settled it, and everybody else is told so.
CREATE TABLE transaction_attempts (
    instance_id  uuid NOT NULL,
    execution_id text NOT NULL,
    attempt      integer NOT NULL,
    payload      bytea NOT NULL,
    PRIMARY KEY (instance_id, execution_id, attempt)
);

-- Mail that is written in a user's transaction, which may take as long as it pleases. It is delivered by a deferred trigger when the
-- transaction is committed: nobody waits for the queue row meanwhile. Committed rows there are none.
CREATE TABLE outgoing_mail (
    transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
    id             bigint GENERATED ALWAYS AS IDENTITY,
    instance_id    uuid NOT NULL,
    message_id     uuid NOT NULL,
    kind           text NOT NULL,
    name           text NOT NULL,
    payload        bytea NOT NULL,
    PRIMARY KEY (transaction_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The functions are in the schema `waymark` where the tables are in `public`, else where the tables are; and find them from anywhere.
DO $$
DECLARE
    tables    text := current_schema();
    functions text := CASE WHEN tables = 'public' THEN 'waymark' ELSE tables END;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = functions) THEN
        EXECUTE format('CREATE SCHEMA %I', functions);
    END IF;
    PERFORM set_config('waymark.search_path', current_setting('search_path'), true);
    PERFORM set_config('search_path', format('%I, %I, pg_temp', functions, tables), true);
END $$;

-- ---- MessagePack

CREATE OR REPLACE FUNCTION pack_length(length bigint, short integer, short_max integer, wide bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT SET search_path FROM CURRENT AS $$
    -- `wide` has the markers of lengths of one, two and four bytes; arrays and maps have none of one byte.
    SELECT CASE
        WHEN length <= short_max THEN set_byte('\x00', 0, short + length::integer)
        WHEN length < 256 AND get_byte(wide, 0) > 0 THEN substr(wide, 1, 1) || set_byte('\x00', 0, length::integer)
        WHEN length < 65536 THEN substr(wide, 2, 1) || substr(int4send(length::integer), 3)
        ELSE substr(wide, 3, 1) || substr(int8send(length), 5)
    END
$$;

CREATE OR REPLACE FUNCTION pack_text(value text) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT SET search_path FROM CURRENT AS $$
    SELECT pack_length(length(convert_to(value, 'UTF8')), 160, 31, '\xd9dadb') || convert_to(value, 'UTF8')
$$;

CREATE OR REPLACE FUNCTION pack_bytes(value bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT SET search_path FROM CURRENT AS $$
    SELECT pack_length(length(value), 0, -1, '\xc4c5c6') || value
$$;

CREATE OR REPLACE FUNCTION pack_integer(value numeric) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path FROM CURRENT AS $$
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

CREATE OR REPLACE FUNCTION pack(value jsonb) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path FROM CURRENT AS $$
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

-- ---- Mail

-- The id of a message that is what it is by what it is about: telling twice is telling once.
CREATE OR REPLACE FUNCTION derived_id(what text, about bytea) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT SET search_path FROM CURRENT AS $$
    SELECT encode(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex')::uuid
    FROM substr(sha256(convert_to(what, 'UTF8') || '\x00' || about), 1, 16) AS digest
$$;

-- Delivers all that its transaction has written, in the order in which everybody locks queue rows.
CREATE OR REPLACE FUNCTION deliver() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

CREATE CONSTRAINT TRIGGER outgoing_mail_is_delivered AFTER INSERT ON outgoing_mail
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION deliver();

-- ---- Transaction actions

-- Says in the transaction of an action what came of it. `content` is a payload: the result, or the exception. False: somebody was faster,
-- and whoever waits is told again what they said; the work must not be committed.
CREATE OR REPLACE FUNCTION settle(instance uuid, execution text, attempt integer, completed boolean, content bytea) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

-- ---- Starts and signals

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

-- Starts an instance when this transaction is committed. Its id.
CREATE OR REPLACE FUNCTION start(
    workflow    text,
    inputs      jsonb DEFAULT '{}',
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
BEGIN
    IF jsonb_typeof(inputs) <> 'object' THEN
        RAISE EXCEPTION 'the inputs are no object of arguments by name' USING ERRCODE = 'invalid_parameter_value',
            HINT = 'write ''{"name": value}''';
    END IF;
    RETURN start_packed(workflow, pack(inputs), id, queue, key, priority, delay, timeout, tags, on_conflict);
END $$;

-- The live instance of a workflow that has this id.
CREATE OR REPLACE FUNCTION instance_of(workflow text, id text) RETURNS uuid
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
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

-- As `signal`, with a payload that is packed already.
CREATE OR REPLACE FUNCTION signal_packed(instance uuid, name text, payload bytea, id text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

-- Signals an instance when this transaction is committed. One with an id is taken once.
CREATE OR REPLACE FUNCTION signal(instance uuid, name text, payload jsonb DEFAULT 'null', id text DEFAULT NULL) RETURNS void
LANGUAGE sql SET search_path FROM CURRENT AS $$
    SELECT signal_packed(instance, name, pack(coalesce(payload, 'null')), id)
$$;

SELECT set_config('search_path', current_setting('waymark.search_path'), true);
