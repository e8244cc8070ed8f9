-- In charge of running instances: more states, deadlines, and what people search by.
ALTER TABLE runner_instances DROP CONSTRAINT runner_instances_status_check;
ALTER TABLE runner_instances ADD CONSTRAINT runner_instances_status_check
    CHECK (status IN ('running', 'paused', 'stuck', 'completed', 'failed', 'cancelled', 'terminated'));
ALTER TABLE runner_instances
    ADD COLUMN queue       text NOT NULL DEFAULT 'default',
    -- What limits of a queue count by, and what it is fair among.
    ADD COLUMN queue_key   text,
    ADD COLUMN schedule_id uuid,
    ADD COLUMN deadline_at timestamptz,
    -- The class of the exception that it ended with.
    ADD COLUMN error_type  text;
ALTER TABLE queued_instances ADD COLUMN queue_key text;

-- Live instances are listed through the queue.
DROP INDEX runner_instances_live;
CREATE INDEX runner_instances_paused ON runner_instances (instance_id) WHERE status = 'paused';
CREATE INDEX runner_instances_terminated ON runner_instances (instance_id) WHERE status = 'terminated';
CREATE INDEX runner_instances_error ON runner_instances (error_type, instance_id) WHERE error_type IS NOT NULL;
CREATE INDEX runner_instances_schedule ON runner_instances (schedule_id, instance_id) WHERE schedule_id IS NOT NULL;

CREATE TABLE instance_tags (
    tag         text NOT NULL,
    instance_id uuid NOT NULL,
    PRIMARY KEY (tag, instance_id)
);
CREATE INDEX instance_tags_instance ON instance_tags (instance_id);
