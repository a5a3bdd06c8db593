//go:build !cgo

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	_ "modernc.org/sqlite"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

// The driver of SQLite in pure Go, and its settings for each connection. newFileSettings are also kept in the file.
const (
	sqliteDriver   = "sqlite"
	sqliteSettings = "_txlock=immediate&_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)&" +
		"_pragma=synchronous(FULL)"
	newFileSettings = sqliteSettings + "&_pragma=journal_mode(WAL)"
)

// minConnections is the number of connections on a machine with few processors: one that writes, and
// others that read.
const minConnections = 9

// openFile opens a SQLite file. It creates the file and brings the schema up to date. Without cgo, it
// writes half as fast as [sqlite.Open].
func openFile(ctx context.Context, path string) (storage.Store, error) {
	if err := createFile(path); err != nil {
		return nil, err
	}
	pool, err := openPool(path, newFileSettings)
	if err != nil {
		return nil, err
	}
	connections := max(minConnections, runtime.GOMAXPROCS(0)+1)
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	if err := sqlite.Migrate(ctx, pool); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return newFileStore(ctx, pool)
}

// createFile creates a file unless it exists. SQLite takes an empty file for an empty database, and gives
// its mode to the other files.
func createFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names the file
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: create its directory first: %w", sqlite.ErrPath, err)
	case err != nil:
		return err
	}
	return file.Close()
}
