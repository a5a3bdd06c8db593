package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
)

// New returns a store in a database that the host has opened, with the driver of
// its choice. It changes no setting of it. [Migrate] makes the tables. Closing the
// store leaves the database open.
//
// Writing takes one connection of the pool at a time, and reading any number. A
// call waits for one as long as its context lets it, so a call inside a
// transaction of the host's that does not go through [InTx] waits for ever when
// that transaction has the only one. Each must have
//
//   - foreign keys on: PRAGMA foreign_keys = 1;
//   - a busy timeout: PRAGMA busy_timeout = 5000, and at most as long as
//     [Options].BusyTimeout, as the wait inside the driver heeds no context;
//   - the right to write: PRAGMA query_only = 0;
//   - SQLite 3.37 or later, with its JSON functions.
//
// Drivers set these for every connection by the data source name; a statement
// sets it for one connection alone. The error is [ErrSettings] when something is
// missing, storage.ErrOlderSchema or storage.ErrNewerSchema when the tables are
// not those of this version, or an [*asset.InputError] when an option is wrong;
// Options.Readers must be 0, as the pool is the host's.
//
// What else the host sets is its choice, as are its consequences: with
// journal_mode = WAL readers and the writer do not wait for each other, and with
// synchronous = FULL what was answered survives a power failure. SQLite's own
// checkpoints apply.
func New(ctx context.Context, db *sql.DB, opts Options) (*Store, error) {
	opts, err := opts.forHost()
	if err != nil {
		return nil, err
	}
	if err := checkHost(ctx, db); err != nil {
		return nil, failure(ctx, "new", err)
	}
	return newStore(&engine{writer: newWriter(db, opts.BusyTimeout), reader: db}), nil
}

// checkHost returns an error when the host's database is not as New needs it.
func checkHost(ctx context.Context, db *sql.DB) error {
	if err := checkSettings(ctx, db); err != nil {
		return err
	}
	return checkSchema(ctx, db)
}

// secondWait is how long checkSettings waits for a second connection.
const secondWait = time.Second

// checkSettings looks at two connections at the same moment if the pool has them,
// as settings that were made by a statement are those of one alone.
func checkSettings(ctx context.Context, db *sql.DB) error {
	first, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer first.Close() //nolint:errcheck // it is given back
	if err := checkConnection(ctx, first); err != nil || db.Stats().MaxOpenConnections == 1 {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, secondWait)
	defer cancel()
	second, err := db.Conn(waiting)
	if waiting.Err() != nil && ctx.Err() == nil {
		return nil // the host uses all others
	}
	if err != nil {
		return err
	}
	defer second.Close() //nolint:errcheck // it is given back
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

// Migrate brings the tables of the service in a database that the host has opened
// up to date. It creates them when there are none, and touches no others. Several
// processes may do so at the same moment.
//
// The error is storage.ErrNewerSchema when a newer version of this library has
// made the tables, [ErrReadOnly] or [ErrBusy].
func Migrate(ctx context.Context, db *sql.DB) error {
	return failure(ctx, "migrate", migrate(ctx, db, defaultBusyTimeout))
}

// forHost returns the options with every field set, or an [*asset.InputError].
func (o Options) forHost() (Options, error) {
	var issues asset.Issues
	issues.Check(o.Readers == 0, "Readers", "must be 0, as the pool is the host's")
	o, err := o.withDefaults()
	return o, asset.JoinInput(issues.Err(), err)
}
