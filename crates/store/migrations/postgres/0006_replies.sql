-- What instances have answered to updates, for those who wait; it goes with the instance.
CREATE TABLE instance_replies (
    instance_id uuid NOT NULL,
    update_id   text NOT NULL,
    is_error    boolean NOT NULL,
    content     bytea NOT NULL,
    PRIMARY KEY (instance_id, update_id)
);
