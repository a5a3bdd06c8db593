package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// New returns a store on a pool that the host application has opened. [Migrate]
// creates the tables. Closing the store leaves the pool open; close the store before
// the pool. Each call uses one connection of the pool, which should have at least 10; see
// the documentation of the package.
//
// The error matches [ErrUnreachable], [ErrLoginRejected], [ErrNoDatabase],
// storage.ErrOlderSchema or storage.ErrNewerSchema, is a *pgconn.PgError of the
// server, or is an [*asset.InputError] for an invalid option.
func New(ctx context.Context, pool *pgxpool.Pool, opts Options) (*Store, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, pool, checkSchema); err != nil {
		return nil, advise(failure(ctx, "new", err))
	}
	if err := checkRules(ctx, pool, opts); err != nil {
		return nil, failure(ctx, "new", err)
	}
	return newStore(newEngine(ctx, pool, opts, false)), nil
}

// Migrate creates or upgrades the tables of the service in a database of the host
// application. It uses the first existing schema of the search path and touches no
// other tables. Several processes may call it at the same time.
//
// The error matches [ErrUnreachable], [ErrLoginRejected] or [ErrNoDatabase], or
// storage.ErrNewerSchema if a newer version of this library created the tables.
// Otherwise it is a *pgconn.PgError of the server: code 42501 if the user may not
// create tables, 3F000 if no schema of the search path exists.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	return advise(failure(ctx, "migrate", prepare(ctx, pool, migrate)))
}
