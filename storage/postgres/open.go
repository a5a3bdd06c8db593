package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

// defaultMaxRetries is how often a call is repeated.
const defaultMaxRetries = 10

// cancelTimeout is how long the server may take to cancel a statement before the
// connection is cut.
const cancelTimeout = 2 * time.Second

// Options are the optional parts of [Open] and [New]. The zero value works.
type Options struct {
	// MaxRetries is how often a call is repeated that other transactions were in
	// the way of, or that has lost its connection. 0 means 10.
	MaxRetries int
}

// withDefaults returns the options with every field set, or an
// [*asset.InputError].
func (o Options) withDefaults() (Options, error) {
	var issues asset.Issues
	issues.Check(o.MaxRetries >= 0, "MaxRetries", "must not be negative")
	if o.MaxRetries == 0 {
		o.MaxRetries = defaultMaxRetries
	}
	return o, issues.Err()
}

// Open opens the database that dsn names, and brings its schema up to date. A
// database that is up to date is not written to.
//
// The dsn is a URL, such as postgres://user@host:5432/database, or a list such as
// "host=localhost user=apguard", with the parameters of package pgxpool, such as
// pool_max_conns. What it leaves out comes from the environment, as with libpq.
//
// The error is [ErrDSN], [ErrUnreachable], storage.ErrNewerSchema, or an
// [*asset.InputError] when an option is wrong. What the server refuses is a
// *pgconn.PgError, as with [Migrate]. The context bounds the opening alone.
func Open(ctx context.Context, dsn string, opts Options) (*Store, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil || strings.Contains(config.ConnConfig.Database, "@") {
		return nil, advise(failure(ctx, "open", ErrDSN))
	}
	store, err := open(ctx, config, opts)
	if err != nil {
		place := fmt.Sprintf("open %q on %s", config.ConnConfig.Database, config.ConnConfig.Host)
		return nil, advise(failure(ctx, place, err))
	}
	return store, nil
}

func open(ctx context.Context, config *pgxpool.Config, opts Options) (*Store, error) {
	config.ConnConfig.BuildContextWatcherHandler = cancelStatements
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, unreachable(err)
	}
	if err := prepare(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return newStore(&engine{pool: pool, maxRetries: opts.MaxRetries, commitTimeout: defaultCommitTimeout, owned: true}), nil
}

// cancelStatements makes the end of a context cancel the statement. Otherwise it
// would cut the connection, which can leave the server with half a message and the
// locks of the transaction until it notices.
func cancelStatements(on *pgconn.PgConn) ctxwatch.Handler {
	return &pgconn.CancelRequestContextWatcherHandler{Conn: on, DeadlineDelay: cancelTimeout}
}

// prepare makes the database ready for use.
func prepare(ctx context.Context, pool *pgxpool.Pool) error {
	if err := pool.Ping(ctx); err != nil {
		return unreachable(err)
	}
	return migrate(ctx, pool)
}

// advise adds what to do about an error of Open or Migrate.
func advise(err error) error {
	for _, known := range []struct {
		err    error
		advice string
	}{
		{ErrDSN, "give a URL such as postgres://user@host:5432/database"},
		{ErrUnreachable, "look whether the server runs, and at host, port, user, password and database"},
		{storage.ErrNewerSchema, "use the version of this library that made the schema, or a later one"},
	} {
		if errors.Is(err, known.err) {
			return fmt.Errorf("%w (%s)", err, known.advice)
		}
	}
	switch codeOf(err) {
	case codeInsufficientPrivilege:
		return fmt.Errorf("%w (give the user the right to create tables in the current schema)", err)
	case codeInvalidSchemaName:
		return fmt.Errorf("%w (create a schema that the search path names)", err)
	}
	return err
}
