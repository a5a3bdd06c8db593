package sqlite

import (
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
)

// defaultBusyTimeout is how long a call waits for other writers.
const defaultBusyTimeout = 5 * time.Second

// minReaders is the default number of reading connections on small machines.
const minReaders = 4

// cachedStatements is how many statements each connection keeps prepared. A
// store has fewer but for those that filters vary.
const cachedStatements = 64

// Options are the optional parts of [Open] and [New]. The zero value works.
type Options struct {
	// BusyTimeout is how long a call waits while another store writes to the same
	// file. 0 means 5 seconds. With New, the wait of the driver comes on top.
	BusyTimeout time.Duration
	// Readers is how many connections may read at the same time. 0 means one for
	// each processor, and at least 4. With New it must be 0.
	Readers int
}

// withDefaults returns the options with every field set, or an
// [*asset.InputError].
func (o Options) withDefaults() (Options, error) {
	var issues asset.Issues
	issues.Check(o.BusyTimeout >= 0, "BusyTimeout", "must not be negative")
	issues.Check(o.Readers >= 0, "Readers", "must not be negative")
	if o.BusyTimeout == 0 {
		o.BusyTimeout = defaultBusyTimeout
	}
	if o.Readers == 0 {
		o.Readers = max(minReaders, runtime.GOMAXPROCS(0))
	}
	return o, issues.Err()
}

// Open opens the database file at path, creates it when there is none, and brings
// its schema up to date. A file that is up to date is not written to.
//
// The error is [ErrPath], [ErrNotADatabase], [ErrReadOnly], [ErrBusy],
// [ErrNoDriver], storage.ErrNewerSchema, or an [*asset.InputError] when an option
// is wrong. The context bounds the opening alone.
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
	// The writer waits for its turn in begin, where a context can end the wait.
	writing, err := openPool(dataSource(file, 0, "&_journal_mode=WAL&_txlock=immediate"), writingSettings)
	if err != nil {
		return nil, err
	}
	writing.SetMaxOpenConns(1)
	reading, err := openPool(dataSource(file, opts.BusyTimeout, "&_query_only=1"), readingSettings)
	if err != nil {
		return nil, errors.Join(err, writing.Close())
	}
	reading.SetMaxOpenConns(opts.Readers)
	reading.SetMaxIdleConns(opts.Readers)
	moving, err := openPool(dataSource(file, readersWait, ""), writingSettings)
	if err != nil {
		return nil, errors.Join(err, writing.Close(), reading.Close())
	}
	moving.SetMaxOpenConns(1)

	e := &engine{
		writer:      newWriter(writing, opts.BusyTimeout),
		reader:      reading,
		checkpoints: newCheckpoints(moving),
		// The one that writes goes last: it may tidy the files up.
		pools: []*sql.DB{moving, reading, writing},
	}
	e.writer.committed = e.checkpoints.after
	if err := prepare(ctx, writing, opts.BusyTimeout); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return newStore(e), nil
}

// writingSettings are those of a connection that writes: pages are kept at hand in
// up to 64 MiB, as the indexes of hashes are written all over, and the file that
// is written ahead shrinks again to that size. Checkpoints are made by
// [checkpoints].
const writingSettings = `
	PRAGMA cache_size = -65536;
	PRAGMA journal_size_limit = 67108864;
	PRAGMA wal_autocheckpoint = 0`

// readingSettings are those of a connection that reads. It keeps up to 2 MiB of pages
// at hand, so that many long changelogs at once take little. More was not faster, as
// the system has the pages at hand too.
const readingSettings = `PRAGMA cache_size = -2048`

// prepare makes the database ready for use.
func prepare(ctx context.Context, db *sql.DB, busyTimeout time.Duration) error {
	err := whileBusy(ctx, patientFor(busyTimeout), func() error { return db.PingContext(ctx) })
	if err != nil {
		return err
	}
	if err := migrate(ctx, db, busyTimeout); err != nil {
		return err
	}
	return checkWritable(ctx, db)
}

// writeNothing fails when the database can only be read.
const writeNothing = "DELETE FROM " + schema.VersionTable + " WHERE FALSE"

// checkWritable returns an error when the database can only be read, as SQLite
// opens it all the same. Another store that writes proves that it can be written.
func checkWritable(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, writeNothing)
	if errors.Is(meaningOf(err), ErrBusy) {
		return nil
	}
	return err
}

// databaseFile returns the absolute name of the file, as connections are opened
// later too, when the working directory may be another one.
//
// It must not open the file: on most systems, closing it again would take away
// the locks that SQLite has on it for another store of this process.
func databaseFile(path string) (string, error) {
	switch {
	case path == "":
		return "", fmt.Errorf("%w: it is empty", ErrPath)
	case path == ":memory:":
		return "", fmt.Errorf("%w: use package memory for a store without a file", ErrPath)
	case strings.Contains(path, "\x00"):
		return "", fmt.Errorf("%w: it has a NUL", ErrPath)
	}
	file, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrPath, err)
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%w: it is not a regular file; give the name of a file", ErrPath)
	}
	if _, err := os.Stat(filepath.Dir(file)); errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%w: create its directory first: %w", ErrPath, err)
	}
	return file, nil
}

// dataSource returns the data source name for the file: a URI, in which the path
// is escaped, with the settings that every connection has and the given ones.
func dataSource(file string, busyTimeout time.Duration, settings string) string {
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") { // a drive letter
		path = "/" + path
	}
	uri := url.URL{Scheme: "file", Path: path}
	return fmt.Sprintf("%s?_foreign_keys=1&_synchronous=FULL&_busy_timeout=%d&_stmt_cache_size=%d%s",
		uri.String(), busyTimeout.Milliseconds(), cachedStatements, settings)
}

// advise adds what to do about an error of Open.
func advise(err error) error {
	for _, known := range []struct {
		err    error
		advice string
	}{
		{ErrNotADatabase, "give another path, or restore the file from a backup"},
		{ErrReadOnly, "let this process write both the file and its directory"},
		{ErrBusy, "try again, or set a longer BusyTimeout"},
		{storage.ErrNewerSchema, "use the version of this library that made the file, or a later one"},
		{ErrNoDriver, "build with CGO_ENABLED=1 and a C compiler"},
	} {
		if errors.Is(err, known.err) {
			return fmt.Errorf("%w (%s)", err, known.advice)
		}
	}
	return err
}
