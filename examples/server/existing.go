package main

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/mattn/go-sqlite3" // the driver sqlite3

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// openExisting opens the store in a database that a server has made. It makes
// nothing and changes no tables, as the database may be that of an older server, or
// of something else.
func openExisting(ctx context.Context, db string) (storage.Store, error) {
	if isPostgres(db) {
		pool, err := pgxpool.New(ctx, db)
		if err != nil {
			return nil, errors.New("no URL of a PostgreSQL database") // its own text may tell the password
		}
		store, err := postgres.New(ctx, pool, postgres.Options{})
		if err != nil {
			pool.Close()
			return nil, err
		}
		return hosted{store, func() error { pool.Close(); return nil }}, nil
	}
	path, err := filepath.Abs(db)
	if err != nil {
		return nil, err
	}
	file := url.URL{Scheme: "file", Path: path, RawQuery: "mode=rw&_foreign_keys=1&_synchronous=FULL&_busy_timeout=5000"}
	pool, err := sql.Open("sqlite3", file.String())
	if err != nil {
		return nil, err
	}
	store, err := sqlite.New(ctx, pool, sqlite.Options{})
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return hosted{store, pool.Close}, nil
}

// hosted is a store whose database is closed with it.
type hosted struct {
	storage.Store
	closeDatabase func() error
}

// Close closes the store and the database.
func (h hosted) Close() error {
	return errors.Join(h.Store.Close(), h.closeDatabase())
}
