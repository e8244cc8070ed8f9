-- In charge of running instances: deadlines, and what people search by.
ALTER TABLE runner_instances ADD COLUMN queue TEXT NOT NULL DEFAULT 'default';
-- What limits of a queue count by, and what it is fair among.
ALTER TABLE runner_instances ADD COLUMN queue_key TEXT;
ALTER TABLE runner_instances ADD COLUMN schedule_id BLOB;
ALTER TABLE runner_instances ADD COLUMN deadline_at INTEGER;
-- The class of the exception that it ended with.
ALTER TABLE runner_instances ADD COLUMN error_type TEXT;
ALTER TABLE queued_instances ADD COLUMN queue_key TEXT;

CREATE INDEX runner_instances_error ON runner_instances (error_type, instance_id) WHERE error_type IS NOT NULL;
CREATE INDEX runner_instances_schedule ON runner_instances (schedule_id, instance_id) WHERE schedule_id IS NOT NULL;

CREATE TABLE instance_tags (
    tag         TEXT NOT NULL,
    instance_id BLOB NOT NULL,
    PRIMARY KEY (tag, instance_id)
) WITHOUT ROWID;
CREATE INDEX instance_tags_instance ON instance_tags (instance_id);
