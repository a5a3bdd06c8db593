//go:build cgo

package main

import (
	"context"

	_ "github.com/mattn/go-sqlite3"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

// The driver of SQLite in C, and its settings for each connection.
const (
	sqliteDriver   = "sqlite3"
	sqliteSettings = "_foreign_keys=1&_synchronous=FULL&_busy_timeout=5000"
)

// openFile opens a SQLite file. It creates the file and brings the schema up to date.
func openFile(ctx context.Context, path string) (storage.Store, error) {
	return sqlite.Open(ctx, path, sqlite.Options{})
}
