//go:build !cgo

package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
)

// openPool returns a pool that cannot connect, as the driver needs cgo.
func openPool(string, string) *sql.DB { return sql.OpenDB(noDriver{}) }

type noDriver struct{}

func (noDriver) Connect(context.Context) (driver.Conn, error) { return nil, ErrNoDriver }

func (noDriver) Driver() driver.Driver { return nil }

func mattnCode(error) (int, bool) { return 0, false }

func cannotOpen(error) error { return nil }
