-- What became of attempts of transaction actions: whoever writes an attempt's row first has settled it. (Servers refuse such actions on this
-- database, which no user's work is in; the engine's tests have them.)
CREATE TABLE transaction_attempts (
    instance_id  BLOB NOT NULL,
    execution_id TEXT NOT NULL,
    attempt      INTEGER NOT NULL,
    payload      BLOB NOT NULL,
    PRIMARY KEY (instance_id, execution_id, attempt)
) WITHOUT ROWID;
