-- What instances have answered to updates, for those who wait; it goes with the instance.
CREATE TABLE instance_replies (
    instance_id BLOB NOT NULL,
    update_id   TEXT NOT NULL,
    is_error    INTEGER NOT NULL,
    content     BLOB NOT NULL,
    PRIMARY KEY (instance_id, update_id)
);
