//go:build cgo

package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/mattn/go-sqlite3"
)

// openPool returns a pool whose connections use the data source name and run the
// settings first. It opens no connection yet.
func openPool(dsn, settings string) *sql.DB {
	return sql.OpenDB(connector{dsn: dsn, settings: settings})
}

// connector avoids the global list of drivers, in which the host application may have
// registered another one under the same name.
type connector struct {
	driver   sqlite3.SQLiteDriver
	dsn      string
	settings string
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.driver.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	if _, err := opened.(driver.ExecerContext).ExecContext(ctx, c.settings, nil); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return opened, nil
}

func (c connector) Driver() driver.Driver { return &c.driver }

// mattnCode returns the result code of an error of the mattn driver.
func mattnCode(err error) (int, bool) {
	var failed sqlite3.Error
	if !errors.As(err, &failed) {
		return 0, false
	}
	return int(failed.Code), true
}

// cannotOpen returns the error of this package for a file that SQLite could not open,
// or nil. If SQLite may not create a file, it reports that the file does not exist.
func cannotOpen(err error) error {
	var failed sqlite3.Error
	if !errors.As(err, &failed) {
		return nil
	}
	return meaningOfCause(failed.SystemErrno)
}
