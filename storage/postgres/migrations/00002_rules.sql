-- +goose Up

-- The version of the rules by which the canonical forms of the assets were made. Opening an empty
-- database sets it to that of the program.
CREATE TABLE apguard_rules (
    id      SMALLINT PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
);

INSERT INTO apguard_rules (id, version) VALUES (1, 0);
