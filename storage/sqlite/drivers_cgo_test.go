//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql/driver"

	"github.com/mattn/go-sqlite3"

	"github.com/apguard/apguard/storage/storagetest"
)

// drivers returns all drivers, the fastest first.
func drivers() []hostDriver {
	return []hostDriver{{
		name:    "github.com/mattn/go-sqlite3",
		connect: connectMattn,
		optOuts: []storagetest.OptOut{{Name: "StateMachine", Reason: "TestStore runs it with this driver"}},
	}, pureGo()}
}

// mattn implements driver.Connector, which the driver lacks.
type mattn struct {
	driver sqlite3.SQLiteDriver
	dsn    string
}

func connectMattn(dsn string) (driver.Connector, error) {
	return &mattn{dsn: dsn}, nil
}

// Connect implements driver.Connector.
func (m *mattn) Connect(context.Context) (driver.Conn, error) { return m.driver.Open(m.dsn) }

// Driver implements driver.Connector.
func (m *mattn) Driver() driver.Driver { return &m.driver }
