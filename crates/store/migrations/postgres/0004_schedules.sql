-- Schedules: what a firing is gated by, and where in its calendar a schedule stands.
ALTER TABLE workflow_schedules
    -- Whether runs may overlap is a part of the definition, which has more policies.
    DROP COLUMN allow_duplicate,
    -- Every write raises it.
    ADD COLUMN revision      bigint NOT NULL DEFAULT 1,
    -- Due times up to this one are done with.
    ADD COLUMN handled_until timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The due time of the run that waits for the one before it to end.
    ADD COLUMN buffered_at   timestamptz,
    ADD COLUMN runs          bigint NOT NULL DEFAULT 0,
    ADD COLUMN overlapped    bigint NOT NULL DEFAULT 0,
    ADD COLUMN missed        bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT workflow_schedules_status_check CHECK (status IN ('active', 'paused'));

-- Whether a run is still going is asked at every firing, however many there were.
CREATE INDEX runner_instances_schedule_live ON runner_instances (schedule_id)
    WHERE schedule_id IS NOT NULL AND finished_at IS NULL;
