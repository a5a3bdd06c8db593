package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// openExisting opens a database that another program has created. It creates nothing and leaves
// the schema as it is: a mirror of a new database would answer UNKNOWN to everything.
func openExisting(ctx context.Context, db string) (storage.Store, error) {
	open := openExistingFile
	if strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://") {
		open = openPostgres
	}
	store, err := open(ctx, db)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, storage.ErrOlderSchema) {
		err = fmt.Errorf("%w (start a server on the database once, which creates and updates it)", err)
	}
	return store, err
}

// openPostgres opens a store that only reads, preferably from a standby.
func openPostgres(ctx context.Context, dsn string) (storage.Store, error) {
	return postgres.Open(ctx, dsn, postgres.Options{ReadOnly: true})
}

func openExistingFile(ctx context.Context, path string) (storage.Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	file := url.URL{Scheme: "file", Path: path, RawQuery: "mode=rw&" + sqliteSettings}
	pool, err := sql.Open(sqliteDriver, file.String())
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
