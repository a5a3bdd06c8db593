package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	_ "github.com/mattn/go-sqlite3" // the driver sqlite3

	"github.com/apguard/apguard/storage/sqlite"
)

// settings apply to every connection. The service requires the first two. The third is for
// the desk's transactions that also write through the service. The last two make commits
// survive a power failure.
const settings = "_foreign_keys=1&_busy_timeout=5000&_txlock=immediate&_journal_mode=WAL&_synchronous=FULL"

// openDatabase opens the file and migrates the tables of the desk and of the service. The
// names of the service's tables begin with "apguard_".
func openDatabase(ctx context.Context, path string) (*sql.DB, error) {
	// Escape the path, so that a "?" in it does not begin the settings.
	name := url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: settings}
	db, err := sql.Open("sqlite3", name.String())
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := sqlite.Migrate(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// migrations returns the steps of the desk's schema. Add new steps at the end.
func migrations() []string {
	return []string{
		`CREATE TABLE teams (
			id   INTEGER PRIMARY KEY,
			slug TEXT NOT NULL UNIQUE,
			name TEXT NOT NULL
		) STRICT;
		CREATE TABLE users (
			id         INTEGER PRIMARY KEY,
			team_id    INTEGER NOT NULL REFERENCES teams (id),
			name       TEXT NOT NULL,
			email      TEXT NOT NULL,
			role       TEXT NOT NULL,
			token_hash BLOB NOT NULL UNIQUE -- SHA-256; the token itself is not stored
		) STRICT`,
		`CREATE TABLE tickets (
			id          INTEGER PRIMARY KEY,
			team_id     INTEGER NOT NULL REFERENCES teams (id),
			content     TEXT NOT NULL,
			proposal_id INTEGER NOT NULL, -- of the report that is filed with the ticket
			open        INTEGER NOT NULL
		) STRICT`,
	}
}

// migrate runs the new steps. It stores their number in PRAGMA user_version, which the
// service does not use.
func migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after the commit
	var done int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&done); err != nil {
		return err
	}
	steps := migrations()
	if done > len(steps) {
		return errors.New("database schema is newer than this program")
	}
	for _, step := range steps[done:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	// A PRAGMA takes no parameters.
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(steps))); err != nil {
		return err
	}
	return tx.Commit()
}
