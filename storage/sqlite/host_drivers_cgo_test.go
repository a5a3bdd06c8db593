//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql/driver"

	"github.com/mattn/go-sqlite3"

	"github.com/apguard/apguard/storage/storagetest"
)

// hosts are those with every driver that the tests can have, the quickest first.
func hosts() []host {
	return []host{{
		driver:  "github.com/mattn/go-sqlite3",
		connect: connectMattn,
		optOuts: []storagetest.OptOut{{Name: "StateMachine", Reason: "Open has it with this driver"}},
	}, purely()}
}

// mattn is a connector of a driver that has none.
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
