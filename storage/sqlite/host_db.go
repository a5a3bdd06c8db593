package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// New returns a store on a database that the host application has opened with a
// driver of its choice. New changes no settings of the database. [Migrate] creates
// the tables. Closing the store leaves the database open.
//
// Every connection of the pool needs
//
//   - foreign keys: PRAGMA foreign_keys = 1;
//   - a busy timeout: PRAGMA busy_timeout = 5000. It should not exceed
//     [Options].BusyTimeout, as the driver ignores the context while it waits;
//   - write access: PRAGMA query_only = 0;
//   - SQLite 3.37 or later, with its JSON functions.
//
// Set these in the data source name, where they apply to every connection:
//
//	mattn:   file:app.db?_foreign_keys=1&_busy_timeout=5000&_journal_mode=WAL&_synchronous=FULL&_txlock=immediate
//	modernc: file:app.db?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate
//
// All other settings are up to the host application. With journal_mode=WAL, readers
// and the writer do not wait for each other. With synchronous=FULL, a call that
// returned nil survives a power failure. SQLite makes its own checkpoints.
//
// The store writes on one connection at a time and reads on the others. A call waits for
// a connection until its context ends. If the pool has a single connection and a
// transaction of the host application holds it, only calls through [InTx] proceed. New
// reads the size of the pool. Besides one connection for writing, it divides them as
// [Options].Readers describes, so it keeps fewer if there are fewer than 5. Without
// SetMaxOpenConns, no call waits and none are kept.
//
// The error matches [ErrSettings] if a setting is missing, and
// storage.ErrOlderSchema or storage.ErrNewerSchema if the tables have another
// version. It is a [*storage.RulesError] if the assets are of other rules, or an
// [*asset.InputError] for an invalid option; Options.Readers must be 0.
func New(ctx context.Context, db *sql.DB, opts Options) (*Store, error) {
	opts, err := opts.forHost()
	if err != nil {
		return nil, err
	}
	if err := checkHost(ctx, db, opts); err != nil {
		return nil, failure(ctx, "new", err)
	}
	return newStore(&engine{
		writer: newWriter(db, opts.BusyTimeout),
		reader: db,
		slots:  sqlstore.NewSlots(db.Stats().MaxOpenConnections, 1), // the writer takes one
	}), nil
}

// checkHost returns an error unless the database is as New needs it.
func checkHost(ctx context.Context, db *sql.DB, opts Options) error {
	if err := checkSettings(ctx, db); err != nil {
		return err
	}
	return checkSchema(ctx, db, opts)
}

// secondConnWait is how long checkSettings waits for a second connection.
const secondConnWait = time.Second

// checkSettings checks two connections at the same time, as a setting that was made
// by a statement applies to one connection only.
func checkSettings(ctx context.Context, db *sql.DB) error {
	first, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer first.Close() //nolint:errcheck // returns it to the pool
	if err := checkConnection(ctx, first); err != nil || db.Stats().MaxOpenConnections == 1 {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, secondConnWait)
	defer cancel()
	second, err := db.Conn(waiting)
	if waiting.Err() != nil && ctx.Err() == nil {
		return nil // the host application is using all others
	}
	if err != nil {
		return err
	}
	defer second.Close() //nolint:errcheck // returns it to the pool
	return checkConnection(ctx, second)
}

func checkConnection(ctx context.Context, connection *sql.Conn) error {
	var missing []string
	for _, need := range []struct{ query, otherwise string }{
		{"SELECT foreign_keys = 1 FROM pragma_foreign_keys", "PRAGMA foreign_keys must be 1 on every connection"},
		{"SELECT timeout > 0 FROM pragma_busy_timeout", "PRAGMA busy_timeout must be above 0 on every connection"},
		{"SELECT query_only = 0 FROM pragma_query_only", "PRAGMA query_only must be 0 on every connection"},
		{"SELECT count(*) >= 0 FROM pragma_table_list", "SQLite must be 3.37 or later"},
		{"SELECT count(*) = 1 FROM json_each('[1]')", "SQLite must have its JSON functions"},
	} {
		var met bool
		if err := connection.QueryRowContext(ctx, need.query).Scan(&met); err != nil {
			if code, _ := resultCode(err); code != codeError {
				return err
			}
			met = false // such as an unknown function
		}
		if !met {
			missing = append(missing, need.otherwise)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%w: %s", ErrSettings, strings.Join(missing, "; "))
	}
	return nil
}

// Migrate creates or upgrades the tables of the service in a database that the host
// application has opened. It touches no other tables. Several processes may call it
// at the same time.
//
// The error matches storage.ErrNewerSchema if a newer version of this library
// created the tables, [ErrReadOnly] or [ErrBusy].
func Migrate(ctx context.Context, db *sql.DB) error {
	return failure(ctx, "migrate", migrate(ctx, db, defaultBusyTimeout))
}

// forHost is withDefaults for New.
func (o Options) forHost() (Options, error) {
	var issues asset.Issues
	issues.Check(o.Readers == 0, "Readers", "must be 0 with New")
	o, err := o.withDefaults()
	return o, asset.JoinInput(issues.Err(), err)
}
