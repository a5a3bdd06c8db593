package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

const (
	defaultMaxRetries = 10
	// cancelTimeout bounds the cancellation of a statement. Then the connection is
	// closed.
	cancelTimeout = 2 * time.Second
)

// Options are the optional parts of [Open] and [New]. The zero value works.
type Options struct {
	// MaxRetries bounds how often a call is retried after a conflict with another
	// transaction or a lost connection. 0 means 10.
	MaxRetries int
	// ReadOnly makes all calls that write return asset.ErrReadOnly, without asking the server.
	// [Open] then connects to a standby server if one answers, unless the dsn has
	// target_session_attrs, and returns storage.ErrOlderSchema instead of upgrading the schema.
	// Reads lag behind the primary; asset.Feed.Behind tells how far. Guard.Run of package apguard
	// writes, so do not call it on such a store.
	ReadOnly bool
	// Reclassify also opens a database of older rules, for apguard.Reclassify. Nothing else may use
	// the store, as it compares canonical forms of different rules.
	Reclassify bool
}

// withDefaults returns the options with all fields set. The error is an
// [*asset.InputError].
func (o Options) withDefaults() (Options, error) {
	var issues asset.Issues
	issues.Check(o.MaxRetries >= 0, "MaxRetries", "must not be negative")
	o.MaxRetries = cmp.Or(o.MaxRetries, defaultMaxRetries)
	return o, issues.Err()
}

// Open connects to the database that dsn names and upgrades its schema. It writes
// nothing if the schema is current. The context bounds only the opening.
//
// The dsn is a URL such as postgres://user@host:5432/database, or a list such as
// "host=localhost user=apguard". It may have parameters of package pgxpool, such as
// pool_max_conns. Missing settings come from the environment, as with libpq. In a URL,
// write an @ as %40 unless it ends the password, and escape all other characters that
// have a meaning in a URL. No error contains the password.
//
// The error matches [ErrDSN], [ErrUnreachable], [ErrLoginRejected], [ErrNoDatabase],
// [ErrReadOnly] if only standby servers answer, or storage.ErrNewerSchema, or with ReadOnly
// storage.ErrOlderSchema. It is a [*storage.RulesError] if the assets are of other rules. Otherwise it is a *pgconn.PgError of the server as with [Migrate],
// or an [*asset.InputError] for an invalid option.
func Open(ctx context.Context, dsn string, opts Options) (*Store, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	preferred := pgconn.ValidateConnectTargetSessionAttrsPrimary
	if opts.ReadOnly {
		preferred = pgconn.ValidateConnectTargetSessionAttrsPreferStandby
	}
	config, err := parseConfig(dsn, preferred)
	if err != nil {
		return nil, advise(failure(ctx, "open", err))
	}
	store, err := open(ctx, config, opts)
	if err != nil {
		place := fmt.Sprintf("open %q on %s", config.ConnConfig.Database, config.ConnConfig.Host)
		return nil, advise(failure(ctx, place, err))
	}
	return store, nil
}

func open(ctx context.Context, config *pgxpool.Config, opts Options) (*Store, error) {
	schema, server := migrate, (*oneServer)(nil)
	if opts.ReadOnly {
		schema, server = checkSchema, keepOneServer(config)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, connectionError(err)
	}
	if err := prepare(ctx, pool, schema); err != nil {
		pool.Close()
		return nil, err
	}
	if err := checkRules(ctx, pool, opts); err != nil {
		pool.Close()
		return nil, err
	}
	e := newEngine(ctx, pool, opts, true)
	if server != nil {
		e.keep(ctx, server)
	}
	return newStore(e), nil
}

// prepare connects, and then upgrades or checks the schema.
func prepare(ctx context.Context, pool *pgxpool.Pool, schema func(context.Context, *pgxpool.Pool) error) error {
	if err := pool.Ping(ctx); err != nil {
		return connectionError(err)
	}
	return schema(ctx, pool)
}

// advise adds the remedy to an error of Open, New or Migrate.
func advise(err error) error {
	for _, known := range []struct {
		err    error
		advice string
	}{
		{ErrDSN, "use a URL such as postgres://user@host:5432/database, with special characters escaped"},
		{ErrNoDatabase, "create it first, with createdb for example"},
		{ErrLoginRejected, "check user and password, and that pg_hba.conf of the server allows the connection"},
		{ErrReadOnly, "name the primary server too, wait until it answers, or open the store with ReadOnly"},
		{ErrUnreachable, "check that the server is running, and check host and port"},
		{storage.ErrNewerSchema, "use the version of this library that created the schema, or a later one"},
	} {
		if errors.Is(err, known.err) {
			return fmt.Errorf("%w (%s)", err, known.advice)
		}
	}
	switch codeOf(err) {
	case codeInsufficientPrivilege:
		return fmt.Errorf("%w (grant the user the right to create tables in the current schema)", err)
	case codeInvalidSchemaName:
		return fmt.Errorf("%w (create a schema of the search path)", err)
	}
	return err
}
