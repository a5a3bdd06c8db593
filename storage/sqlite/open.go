package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/schema"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	defaultBusyTimeout = 5 * time.Second
	minReaders         = 8
	// preparedStatements is the number of prepared statements that each connection
	// keeps. A store has fewer statements, apart from those that vary with a filter.
	preparedStatements = 64
)

// Options are the optional parts of [Open] and [New]. The zero value works.
type Options struct {
	// BusyTimeout is how long a call waits while another store writes to the same
	// file. 0 means 5 seconds. With New, the busy timeout of the driver is added.
	BusyTimeout time.Duration
	// Readers is the number of connections for reading, each of which caches up to 2 MiB. 0
	// means one for each processor, but at least 8. With New it must be 0.
	//
	// Two of them are kept for Ping and for calls that read a single record, such as an API
	// key. About a quarter of the others, but at least one, is for searches in reports, and the
	// rest is for lists. With fewer than 4 connections, fewer are kept.
	Readers int
	// Reclassify also opens a database of older rules, for apguard.Reclassify. Nothing else may use
	// the store, as it compares canonical forms of different rules.
	Reclassify bool
}

// withDefaults returns the options with all fields set. The error is an
// [*asset.InputError].
func (o Options) withDefaults() (Options, error) {
	var issues asset.Issues
	issues.Check(o.BusyTimeout >= 0, "BusyTimeout", "must not be negative")
	issues.Check(o.Readers >= 0, "Readers", "must not be negative")
	o.BusyTimeout = cmp.Or(o.BusyTimeout, defaultBusyTimeout)
	o.Readers = cmp.Or(o.Readers, max(minReaders, runtime.GOMAXPROCS(0)))
	return o, issues.Err()
}

// Open opens the database file at path. It creates the file if there is none, with mode
// 0600, and upgrades its schema. It writes nothing if the schema is current. The context is
// used only until Open returns.
//
// The error matches [ErrPath], [ErrNotADatabase], [ErrReadOnly], [ErrBusy],
// [ErrNoDriver] or storage.ErrNewerSchema, or is a [*storage.RulesError], or an
// [*asset.InputError] for an invalid option.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	store, err := open(ctx, path, opts)
	if err != nil {
		return nil, advise(failure(ctx, fmt.Sprintf("open %q", path), err))
	}
	return store, nil
}

func open(ctx context.Context, path string, opts Options) (*Store, error) {
	file, err := databaseFile(path)
	if err != nil {
		return nil, err
	}
	if err := create(ctx, file, opts.BusyTimeout); err != nil {
		return nil, err
	}
	// The writer waits for its turn in begin, where a context can end the wait,
	// so this pool has no busy timeout.
	writing := openPool(dataSource(file, 0, "&_journal_mode=WAL&_txlock=immediate"), writingSettings)
	writing.SetMaxOpenConns(1)
	reading := openPool(dataSource(file, opts.BusyTimeout, "&_query_only=1"), readingSettings)
	reading.SetMaxOpenConns(opts.Readers)
	reading.SetMaxIdleConns(opts.Readers)
	checkpointing := openPool(dataSource(file, readersWait, ""), writingSettings)
	checkpointing.SetMaxOpenConns(1)

	e := &engine{
		writer:      newWriter(writing, opts.BusyTimeout),
		reader:      reading,
		slots:       sqlstore.NewSlots(opts.Readers, 0),
		checkpoints: newCheckpoints(checkpointing, writing),
		// The writing pool is closed last, as it may remove the other files.
		pools: []*sql.DB{checkpointing, reading, writing},
	}
	e.writer.committed = e.checkpoints.after
	if err := prepare(ctx, writing, opts); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if err := e.checkpoints.prepare(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	e.file = openFile{path: file, info: info}
	return newStore(e), nil
}

// writingSettings configure a connection that writes. The page cache has 32 MiB, as
// writes to an index of hashes hit random pages. The write-ahead log is truncated
// to 64 MiB. Automatic checkpoints are off; [checkpoints] makes them.
const writingSettings = `
	PRAGMA cache_size = -32768;
	PRAGMA journal_size_limit = 67108864;
	PRAGMA wal_autocheckpoint = 0`

// readingSettings configure a connection that reads. A page cache of 2 MiB bounds the
// memory of many changelogs at once. A larger one was not faster, as the operating
// system caches the file too.
const readingSettings = `PRAGMA cache_size = -2048`

// prepare connects, upgrades the schema and checks that the database is writable.
func prepare(ctx context.Context, db *sql.DB, opts Options) error {
	err := retryWhileBusy(ctx, retryFor(opts.BusyTimeout), func() error { return db.PingContext(ctx) })
	if err != nil {
		return err
	}
	if err := migrate(ctx, db, opts.BusyTimeout); err != nil {
		return err
	}
	if err := checkSchema(ctx, db, opts); err != nil {
		return err
	}
	return checkWritable(ctx, db)
}

// writeNothing changes no row, but fails on a read-only database.
const writeNothing = "DELETE FROM " + schema.VersionTable + " WHERE FALSE"

// checkWritable returns an error if the database is read-only. SQLite opens such a
// database without an error. A database that is busy is writable.
func checkWritable(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, writeNothing)
	if errors.Is(meaningOf(err), ErrBusy) {
		return nil
	}
	return err
}

// databaseFile returns the absolute name of the file. Connections are also opened
// later, when the working directory may have changed.
//
// It must not open the file. On most systems, closing it would release the locks
// that SQLite holds on it for another store of this process.
func databaseFile(path string) (string, error) {
	switch {
	case path == "":
		return "", fmt.Errorf("%w: empty path", ErrPath)
	case path == ":memory:":
		return "", fmt.Errorf("%w: use package memory for a store without a file", ErrPath)
	case strings.Contains(path, "\x00"):
		return "", fmt.Errorf("%w: NUL in the path", ErrPath)
	}
	file, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrPath, err)
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%w: not a regular file", ErrPath)
	}
	if _, err := os.Stat(filepath.Dir(file)); errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%w: create its directory first: %w", ErrPath, err)
	}
	return file, nil
}

// dataSource returns the data source name of the file: a URI with an escaped path,
// the settings of every connection and the given ones.
func dataSource(file string, busyTimeout time.Duration, settings string) string {
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") { // a drive letter
		path = "/" + path
	}
	uri := url.URL{Scheme: "file", Path: path}
	return fmt.Sprintf("%s?_foreign_keys=1&_synchronous=FULL&_busy_timeout=%d&_stmt_cache_size=%d%s",
		uri.String(), busyTimeout.Milliseconds(), preparedStatements, settings)
}

// advise adds the remedy to an error of Open.
func advise(err error) error {
	for _, known := range []struct {
		err    error
		advice string
	}{
		{ErrNotADatabase, "use another path, or restore the file from a backup"},
		{ErrReadOnly, "make the file and its directory writable"},
		{ErrBusy, "try again, or set a longer BusyTimeout"},
		{storage.ErrNewerSchema, "use the version of this library that created the file, or a later one"},
		{ErrNoDriver, "build with CGO_ENABLED=1 and a C compiler, or pass a database of modernc.org/sqlite to New"},
	} {
		if errors.Is(err, known.err) {
			return fmt.Errorf("%w (%s)", err, known.advice)
		}
	}
	return err
}
