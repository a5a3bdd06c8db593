//go:build cgo

package main

import _ "github.com/mattn/go-sqlite3"

// The driver of SQLite in C, and its settings for each connection.
const (
	sqliteDriver   = "sqlite3"
	sqliteSettings = "_foreign_keys=1&_busy_timeout=5000"
)
