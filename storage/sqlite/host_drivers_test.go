package sqlite_test

import (
	"database/sql"
	"database/sql/driver"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	modernc "modernc.org/sqlite"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/storage/storagetest"
)

// host is a program that opens the database itself, with the driver of its choice.
type host struct {
	driver  string
	connect func(dsn string) (driver.Connector, error)
	// optOuts are what the suite does with this driver elsewhere.
	optOuts []storagetest.OptOut
}

// purely is a host whose driver needs no cgo.
func purely() host {
	return host{driver: "modernc.org/sqlite", connect: modernc.NewConnector}
}

// The settings of a host, as both drivers have them in the data source name.
const (
	needed = "_foreign_keys=1&_busy_timeout=5000"
	// usual ones do not wait for the disk, as no test takes the power away.
	usual = needed + "&_journal_mode=WAL&_synchronous=OFF&_txlock=immediate"
	// deferred transactions are what a host has that does not say otherwise.
	deferred = needed + "&_journal_mode=WAL&_synchronous=OFF"
)

// connector opens connections to the file with these settings.
func (h host) connector(tb testing.TB, path, settings string) driver.Connector {
	tb.Helper()
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: settings}
	connector, err := h.connect(dsn.String())
	require.NoError(tb, err)
	return connector
}

// open opens a pool of connections to the file, which the test closes.
func (h host) open(tb testing.TB, path, settings string) *sql.DB {
	tb.Helper()
	db := sql.OpenDB(h.connector(tb, path, settings))
	tb.Cleanup(func() { require.NoError(tb, db.Close()) })
	return db
}

// database opens a pool with the usual settings to a new file that has the tables
// of the service.
func (h host) database(tb testing.TB) *sql.DB {
	tb.Helper()
	db := h.open(tb, newFile(tb), usual)
	require.NoError(tb, sqlite.Migrate(tb.Context(), db))
	return db
}

// suite holds stores in databases of the host to the contract. Each gets a
// database of its own, which has the tables.
func (h host) suite(t *testing.T, open func(t *testing.T, db *sql.DB) storage.Store, optOuts ...storagetest.OptOut) {
	t.Helper()
	made := newFile(t)
	db := h.open(t, made, needed)
	require.NoError(t, sqlite.Migrate(t.Context(), db))
	tables := copier(t, made)
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		return open(t, h.open(t, tables(t), usual))
	}, append(optOuts, h.optOuts...)...)
}

// copier returns what copies the database to a new file. To make the tables of each
// store takes much longer.
func copier(tb testing.TB, made string) func(tb testing.TB) (path string) {
	tb.Helper()
	tables, err := os.ReadFile(made)
	require.NoError(tb, err)
	return func(tb testing.TB) string {
		tb.Helper()
		path := newFile(tb)
		require.NoError(tb, os.WriteFile(path, tables, 0o600))
		return path
	}
}

// newStore returns a store in the database, which the test closes.
func newStore(tb testing.TB, db *sql.DB, opts sqlite.Options) *sqlite.Store {
	tb.Helper()
	store, err := sqlite.New(tb.Context(), db, opts)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, store.Close()) })
	return store
}

// patient stores wait for others that write without rest, however slow the disk is.
func patient() sqlite.Options { return sqlite.Options{BusyTimeout: time.Minute} }

// newFile returns the name of a file that does not exist yet.
func newFile(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(tb.TempDir(), "a.db")
}
