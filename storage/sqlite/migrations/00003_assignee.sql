-- +goose Up

-- The user to whom the author of a transition has given the dispute, or 0.
ALTER TABLE apguard_dispute_notes ADD COLUMN assignee INTEGER NOT NULL DEFAULT 0;
