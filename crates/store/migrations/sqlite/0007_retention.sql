-- How long finished instances of a workflow are kept; NULL: for ever. Of one without a row: as long as the engine was told to.
CREATE TABLE workflow_retention (
    workflow_name TEXT NOT NULL PRIMARY KEY,
    keep_us       INTEGER
) WITHOUT ROWID;

-- Those that have been kept long enough are found by workflow, each with a time of its own.
DROP INDEX runner_instances_finished;
CREATE INDEX runner_instances_finished ON runner_instances (workflow_name, finished_at) WHERE finished_at IS NOT NULL;
