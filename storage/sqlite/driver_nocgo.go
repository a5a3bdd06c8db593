//go:build !cgo

package sqlite

import "database/sql"

// openPool reports that there is no driver, as it needs cgo.
func openPool(string) (*sql.DB, error) { return nil, ErrNoDriver }

// meaningOf knows no driver's errors.
func meaningOf(error) error { return nil }
