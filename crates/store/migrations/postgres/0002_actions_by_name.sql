-- Queued actions are claimed by who knows them, not by language; and one that takes its hosts down is noticed.
DROP INDEX queued_actions_due;
ALTER TABLE queued_actions DROP COLUMN language;
ALTER TABLE queued_actions ADD COLUMN claims integer NOT NULL DEFAULT 0;
CREATE INDEX queued_actions_due ON queued_actions (action, queue, id) WHERE lock_uuid IS NULL;
