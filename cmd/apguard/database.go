package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// database is the path of a SQLite file, "memory", or the URL of a PostgreSQL database.
type database struct{ secret }

const (
	// flagDB is the flag for the database, and variableDB the environment variable.
	flagDB     = "db"
	variableDB = "APGUARD_DB"
	// defaultDB is the SQLite file that is used if neither is given, and demoDB that of the demo.
	defaultDB = "apguard.db"
	demoDB    = "demo.db"
	// sourceDefault is the source of either.
	sourceDefault = "default database"
	// memoryDB is the database that is lost when the process ends.
	memoryDB = "memory"
)

// chooseDatabase returns the database of the flag, of the environment, or the one otherwise. It rejects a connection
// string in place of a path: it may contain a password, which must not become the name of a file or a part of an
// error.
func chooseDatabase(c *cli.Command, env environment, otherwise string) (database, error) {
	chosen, err := env.secret(variableDB)
	switch {
	case c.IsSet(flagDB):
		chosen, err = secret{value: c.String(flagDB), source: "-" + flagDB}, nil
	case err == nil && chosen == (secret{}):
		chosen = secret{value: otherwise, source: sourceDefault}
	}
	if err != nil {
		return database{}, err
	}
	db := database{chosen}
	if !db.isMemory() && !db.isPostgres() && connectionString.MatchString(db.value) {
		return database{}, fmt.Errorf("%s must be a file path, memory, or a URL that begins with postgres://", db.source)
	}
	return db, nil
}

// connectionString matches connection strings, even malformed ones, as opposed to paths.
var connectionString = regexp.MustCompile(`://|:.*@|(^|[\s?&;])\w+\s*=`)

func (d database) isMemory() bool { return d.value == memoryDB }

func (d database) isPostgres() bool {
	return strings.HasPrefix(d.value, "postgres://") || strings.HasPrefix(d.value, "postgresql://")
}

// String names the database in error messages. It does not include any part of a URL,
// because a password can be in several places of one. The store's errors name the host
// and the database.
func (d database) String() string {
	if d.isPostgres() {
		return d.source + " postgres://..."
	}
	return d.source + " " + d.value
}

// argument returns the flag that makes another command of the program use the database,
// with a space before it. It is empty if none is needed. It does not contain a URL.
func (d database) argument() string {
	switch {
	case d.source != "-"+flagDB || d.value == defaultDB:
		return ""
	case d.isPostgres():
		return " -db URL"
	default:
		return " -db " + quoteForShell(d.value)
	}
}

// plainWord matches texts that a shell leaves as they are.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:-]+$`)

func quoteForShell(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// open opens the database. It creates a SQLite file and brings the schema up to date.
func (d database) open(ctx context.Context) (storage.Store, error) {
	store, err := d.openStore(ctx)
	return store, d.failure(err)
}

// openReadOnly opens a PostgreSQL database that another server writes.
func (d database) openReadOnly(ctx context.Context) (storage.Store, error) {
	store, err := postgres.Open(ctx, d.value, postgres.Options{ReadOnly: true})
	return store, d.failure(err)
}

func (d database) openStore(ctx context.Context) (storage.Store, error) {
	switch {
	case d.isMemory():
		return memory.New(), nil
	case d.isPostgres():
		return postgres.Open(ctx, d.value, postgres.Options{})
	default:
		return openFile(ctx, d.value)
	}
}

// failure adds the name of the database to an error, and what to do.
func (d database) failure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, storage.ErrOlderSchema):
		err = fmt.Errorf("%w (start this server on the database once, which updates the schema)", err)
	}
	return fmt.Errorf("%s: %w", d, err)
}

// checkExisting returns an error unless a server can have created the database.
func (d database) checkExisting() error {
	switch {
	case d.isMemory():
		return fmt.Errorf("%s keeps nothing; use a file or a postgres:// URL", d)
	case d.isPostgres():
		return nil
	}
	if _, err := os.Stat(d.value); err != nil {
		return fmt.Errorf("%s: %w; start a server on it once to create it", d.source, err)
	}
	return nil
}

// openExisting opens a database that a server has created. It creates nothing and leaves
// the schema as it is, because the database may belong to an older server or to another
// program.
func (d database) openExisting(ctx context.Context) (storage.Store, error) {
	open := openExistingFile
	if d.isPostgres() {
		open = openExistingPostgres
	}
	store, err := open(ctx, d.value)
	return store, d.failure(err)
}

func openExistingPostgres(ctx context.Context, dsn string) (storage.Store, error) {
	config, err := postgres.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("%w (use a URL such as postgres://user@host:5432/database)", err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	store, err := postgres.New(ctx, pool, postgres.Options{})
	if err != nil {
		pool.Close()
		return nil, err
	}
	return storeWithDatabase{store, func() error { pool.Close(); return nil }}, nil
}

func openExistingFile(ctx context.Context, path string) (storage.Store, error) {
	pool, err := openPool(path, sqliteSettings)
	if err != nil {
		return nil, err
	}
	return newFileStore(ctx, pool)
}

// openPool returns a pool of connections with settings to a SQLite file that exists.
func openPool(path, settings string) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	file := url.URL{Scheme: "file", Path: path, RawQuery: "mode=rw&" + settings}
	return sql.Open(sqliteDriver, file.String())
}

// newFileStore returns a store on a pool, which it closes.
func newFileStore(ctx context.Context, pool *sql.DB) (storage.Store, error) {
	store, err := sqlite.New(ctx, pool, sqlite.Options{})
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return storeWithDatabase{store, pool.Close}, nil
}

// busyStore is a store that says how busy it is, for the metrics.
type busyStore interface {
	storage.Store
	Stats() storage.Stats
}

// storeWithDatabase is a store that closes its database.
type storeWithDatabase struct {
	busyStore
	closeDatabase func() error
}

// Close closes the store and the database.
func (s storeWithDatabase) Close() error {
	return errors.Join(s.busyStore.Close(), s.closeDatabase())
}
