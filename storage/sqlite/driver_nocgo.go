//go:build !cgo

package sqlite

import "database/sql"

// openPool fails, as the driver needs cgo.
func openPool(string, string) (*sql.DB, error) { return nil, ErrNoDriver }

func mattnCode(error) (int, bool) { return 0, false }

func cannotOpen(error) error { return nil }
