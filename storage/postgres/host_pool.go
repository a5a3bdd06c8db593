package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// New returns a store on a pool of connections that the host has opened. [Migrate]
// makes the tables. Closing the store leaves the pool open, and should come before
// the host closes it.
//
// Each call takes one connection of the pool, for its time. The error is
// [ErrUnreachable], storage.ErrOlderSchema or storage.ErrNewerSchema when the
// tables are not those of this version, or an [*asset.InputError] when an option is
// wrong. What the server refuses is a *pgconn.PgError, for errors.As.
func New(ctx context.Context, pool *pgxpool.Pool, opts Options) (*Store, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		return nil, failure(ctx, "new", unreachable(err))
	}
	if err := checkSchema(ctx, pool, opts.MaxRetries); err != nil {
		return nil, failure(ctx, "new", err)
	}
	return newStore(&engine{pool: pool, maxRetries: opts.MaxRetries, commitTimeout: defaultCommitTimeout}), nil
}

// Migrate brings the tables of the service in a database that the host has opened
// up to date. It creates them when there are none, in the first schema of the
// search path that exists, and touches no others. Several processes may do so at
// the same moment.
//
// The error is [ErrUnreachable], or storage.ErrNewerSchema when a newer version of
// this library has made the tables. What the server refuses is a *pgconn.PgError,
// for errors.As: its code is 42501 without the right to create tables, and 3F000
// when no schema of the search path exists.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	return advise(failure(ctx, "migrate", prepare(ctx, pool)))
}
