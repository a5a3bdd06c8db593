package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	_ "github.com/mattn/go-sqlite3" // the host's driver

	"github.com/apguard/apguard/storage/sqlite"
)

// settings are those of every connection. The service needs the first two, and
// the host's transactions, which also write through the service, the third. The
// last two keep what was answered after a loss of power.
const settings = "_foreign_keys=1&_busy_timeout=5000&_txlock=immediate&_journal_mode=WAL&_synchronous=FULL"

// openDatabase opens the file and brings the tables of both up to date: the
// desk's, and those of the service, which all begin with "apguard_".
func openDatabase(ctx context.Context, path string) (*sql.DB, error) {
	// Escaped, so that a "?" in the path is no beginning of settings.
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

// migrations are the steps of the desk's own schema. New ones are added at the end.
func migrations() []string {
	return []string{
		`CREATE TABLE teams (
			id   INTEGER PRIMARY KEY,
			slug TEXT NOT NULL UNIQUE,
			name TEXT NOT NULL
		) STRICT;
		CREATE TABLE people (
			id         INTEGER PRIMARY KEY,
			team_id    INTEGER NOT NULL REFERENCES teams (id),
			name       TEXT NOT NULL,
			email      TEXT NOT NULL,
			role       TEXT NOT NULL,
			token_hash BLOB NOT NULL UNIQUE -- SHA-256; the token itself is nowhere
		) STRICT`,
		`CREATE TABLE tickets (
			id          INTEGER PRIMARY KEY,
			team_id     INTEGER NOT NULL REFERENCES teams (id),
			content     TEXT NOT NULL,
			proposal_id INTEGER NOT NULL, -- of the report that was filed with it
			open        INTEGER NOT NULL
		) STRICT`,
	}
}

// migrate does the steps that the file has not seen. SQLite keeps their number in
// the file, where the service leaves it alone: it counts its own in a table.
func migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	var done int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&done); err != nil {
		return err
	}
	steps := migrations()
	if done > len(steps) {
		return errors.New("a newer version of this program made the tables")
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
