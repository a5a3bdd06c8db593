//go:build cgo

package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// openPool returns a pool of connections, each of which is opened with the data
// source name. It opens none yet.
func openPool(dsn string) (*sql.DB, error) {
	return sql.OpenDB(connector{dsn: dsn}), nil
}

// connector opens connections without asking the process-wide list of drivers,
// where a host may have another one under the same name.
type connector struct {
	driver sqlite3.SQLiteDriver
	dsn    string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }

func (c connector) Driver() driver.Driver { return &c.driver }

// meaningOf returns the package's error that says what a driver's error means, or
// nil.
func meaningOf(err error) error {
	var failed sqlite3.Error
	if !errors.As(err, &failed) {
		return nil
	}
	switch failed.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return ErrBusy
	case sqlite3.ErrReadonly, sqlite3.ErrPerm:
		return ErrReadOnly
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		return ErrNotADatabase
	case sqlite3.ErrCantOpen:
		if isForbidden(failed.SystemErrno) {
			return ErrReadOnly
		}
		return ErrPath
	default:
		return nil
	}
}

// isForbidden reports whether a file could not be opened for lack of permission.
// SQLite tries to read a file that it may not create, and finds none.
func isForbidden(err syscall.Errno) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || err == syscall.EROFS
}
