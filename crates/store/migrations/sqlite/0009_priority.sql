-- The queue row has the priority while an instance lives; one that is retried after its end has it from here.
ALTER TABLE runner_instances ADD COLUMN priority INTEGER NOT NULL DEFAULT 1;
UPDATE runner_instances SET priority = q.priority FROM queued_instances q
    WHERE q.instance_id = runner_instances.instance_id AND q.priority <> 1;
