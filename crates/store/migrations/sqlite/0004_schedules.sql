-- Schedules: what a firing is gated by, and where in its calendar a schedule stands.
-- Whether runs may overlap is a part of the definition, which has more policies.
ALTER TABLE workflow_schedules DROP COLUMN allow_duplicate;
-- Every write raises it.
ALTER TABLE workflow_schedules ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
-- Due times up to this one are done with.
ALTER TABLE workflow_schedules ADD COLUMN handled_until INTEGER NOT NULL DEFAULT 0;
-- The due time of the run that waits for the one before it to end.
ALTER TABLE workflow_schedules ADD COLUMN buffered_at INTEGER;
ALTER TABLE workflow_schedules ADD COLUMN runs INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workflow_schedules ADD COLUMN overlapped INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workflow_schedules ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;

-- Whether a run is still going is asked at every firing, however many there were.
CREATE INDEX runner_instances_schedule_live ON runner_instances (schedule_id)
    WHERE schedule_id IS NOT NULL AND finished_at IS NULL;
