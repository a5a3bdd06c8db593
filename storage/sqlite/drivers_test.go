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

	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/storage/storagetest"
)

// hostDriver is a driver with which a host application opens the database.
type hostDriver struct {
	name    string
	connect func(dsn string) (driver.Connector, error)
	// optOuts are the parts of the suite that run elsewhere with this driver.
	optOuts []storagetest.OptOut
}

// pureGo returns the driver that needs no cgo.
func pureGo() hostDriver {
	return hostDriver{name: "modernc.org/sqlite", connect: modernc.NewConnector}
}

// Settings in the data source name. Both drivers understand them.
const (
	requiredSettings = "_foreign_keys=1&_busy_timeout=5000"
	// testSettings do not sync the disk, as no test cuts the power.
	testSettings = requiredSettings + "&_journal_mode=WAL&_synchronous=OFF&_txlock=immediate"
	// quickSettings make the driver wait for 20 ms only.
	quickSettings = "_foreign_keys=1&_busy_timeout=20&_journal_mode=WAL&_synchronous=OFF&_txlock=immediate"
	// deferredSettings have deferred transactions, the default of drivers.
	deferredSettings = requiredSettings + "&_journal_mode=WAL&_synchronous=OFF"
)

// connector returns a connector to the file with the settings.
func (d hostDriver) connector(tb testing.TB, path, settings string) driver.Connector {
	tb.Helper()
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: settings}
	connector, err := d.connect(dsn.String())
	require.NoError(tb, err)
	return connector
}

// open returns a pool of connections to the file. The test closes it.
func (d hostDriver) open(tb testing.TB, path, settings string) *sql.DB {
	tb.Helper()
	db := sql.OpenDB(d.connector(tb, path, settings))
	tb.Cleanup(func() { require.NoError(tb, db.Close()) })
	return db
}

// database returns a pool with the test settings. Its new file has the tables of the service.
func (d hostDriver) database(tb testing.TB) *sql.DB {
	tb.Helper()
	db := d.open(tb, newFile(tb), testSettings)
	require.NoError(tb, sqlite.Migrate(tb.Context(), db))
	return db
}

// suite runs the conformance suite, of which TestStore has run all with another way to open a
// store. Each store gets a new database with the tables of the service.
func (d hostDriver) suite(t *testing.T, open func(t *testing.T, db *sql.DB) storage.Store, optOuts ...storagetest.OptOut) {
	t.Helper()
	testsize.NotShort(t)
	template := newFile(t)
	db := d.open(t, template, requiredSettings)
	require.NoError(t, sqlite.Migrate(t.Context(), db))
	newCopy := copier(t, template)
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		return open(t, d.open(t, newCopy(t), testSettings))
	}, append(optOuts, d.optOuts...)...)
}

// briefSuite returns what the brief suite leaves out.
func briefSuite() []storagetest.OptOut {
	return append(storagetest.Brief(), storagetest.OptOut{Name: "StateMachine", Reason: "not in the brief suite"})
}

// copier returns a function that copies the file to a new one. This is much faster than
// creating the tables again.
func copier(tb testing.TB, template string) func(tb testing.TB) (path string) {
	tb.Helper()
	content, err := os.ReadFile(template)
	require.NoError(tb, err)
	return func(tb testing.TB) string {
		tb.Helper()
		path := newFile(tb)
		require.NoError(tb, os.WriteFile(path, content, 0o600))
		return path
	}
}

// newStore returns a store on the database. The test closes it.
func newStore(tb testing.TB, db *sql.DB, opts sqlite.Options) *sqlite.Store {
	tb.Helper()
	store, err := sqlite.New(tb.Context(), db, opts)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, store.Close()) })
	return store
}

// longTimeout returns options for stores that wait for continuous writes on a slow disk.
func longTimeout() sqlite.Options { return sqlite.Options{BusyTimeout: time.Minute} }

// newFile returns the path of a file that does not exist.
func newFile(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(tb.TempDir(), "a.db")
}
