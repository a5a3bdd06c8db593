//go:build !cgo

package main

import _ "modernc.org/sqlite"

// The driver of SQLite in pure Go, and its settings for each connection.
const (
	sqliteDriver   = "sqlite"
	sqliteSettings = "_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)"
)
