package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/mattn/go-sqlite3" // the driver sqlite3

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// defaultDB is the SQLite file that is used without -db.
const defaultDB = "apguard.db"

func isPostgres(db string) bool {
	return strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://")
}

// connectionString matches connection strings, as opposed to file paths.
var connectionString = regexp.MustCompile(`^\s*\w+\s*=|://`)

// checkPath rejects a connection string in place of a file path. It may contain a
// password, which must not become the name of a file.
func checkPath(db string) error {
	if connectionString.MatchString(db) {
		return errors.New("-db must be a file path, memory, or a URL that begins with postgres://")
	}
	return nil
}

// databaseName returns the name of the database for error messages. It does not include
// any part of a URL, because a password can be in several places of one. The store's
// errors name the host and the database.
func databaseName(db string) string {
	if isPostgres(db) {
		return "postgres://..."
	}
	return db
}

// openStore opens a database. It creates a SQLite file and brings the schema up to date.
func openStore(ctx context.Context, db string) (storage.Store, error) {
	switch {
	case db == "memory":
		return memory.New(), nil
	case isPostgres(db):
		return postgres.Open(ctx, db, postgres.Options{})
	default:
		return sqlite.Open(ctx, db, sqlite.Options{})
	}
}

// openExisting opens a database that a server has created. It creates nothing and leaves
// the schema as it is, because the database may belong to an older server or to another
// program.
func openExisting(ctx context.Context, db string) (storage.Store, error) {
	open := openExistingFile
	if isPostgres(db) {
		open = openExistingPostgres
	}
	store, err := open(ctx, db)
	if errors.Is(err, storage.ErrOlderSchema) {
		return nil, fmt.Errorf("%w (start this server on the database once, which updates the schema)", err)
	}
	return store, err
}

func openExistingPostgres(ctx context.Context, dsn string) (storage.Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		// err may contain the password.
		return nil, fmt.Errorf("%w (use a URL such as postgres://user@host:5432/database)", postgres.ErrDSN)
	}
	store, err := postgres.New(ctx, pool, postgres.Options{})
	if err != nil {
		pool.Close()
		return nil, err
	}
	return storeWithDatabase{store, func() error { pool.Close(); return nil }}, nil
}

func openExistingFile(ctx context.Context, path string) (storage.Store, error) {
	path, err := filepath.Abs(path)
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
	return storeWithDatabase{store, pool.Close}, nil
}

// storeWithDatabase is a store that closes its database.
type storeWithDatabase struct {
	storage.Store
	closeDatabase func() error
}

// Close closes the store and the database.
func (s storeWithDatabase) Close() error {
	return errors.Join(s.Store.Close(), s.closeDatabase())
}
