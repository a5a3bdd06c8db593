package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/schema"
)

//go:embed migrations/*.sql
var migrations embed.FS

// hasVersions is the query whether the table of versions is where a table without
// the name of a schema is made.
const hasVersions = `SELECT EXISTS (SELECT 1 FROM pg_tables
	WHERE schemaname = current_schema() AND tablename = '` + schema.VersionTable + `')`

// migrate brings the schema up to date. It writes nothing when it is so already.
func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	return repeat(ctx, defaultMaxRetries, func() error {
		return withSchema(pool, func(s *schema.Schema) error { return s.Migrate(ctx) })
	})
}

// checkSchema returns an error when the schema is not that of this program.
func checkSchema(ctx context.Context, pool *pgxpool.Pool, maxRetries int) error {
	return repeat(ctx, maxRetries, func() error {
		return withSchema(pool, func(s *schema.Schema) error { return s.Check(ctx) })
	})
}

// withSchema does something with the schema of the database.
func withSchema(pool *pgxpool.Pool, do func(*schema.Schema) error) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close() //nolint:errcheck // the pool stays open
	s, err := schema.New(db, goose.DialectPostgres, hasVersions, files)
	if err != nil {
		return err
	}
	return schemaFailure(do(s))
}

// schemaFailure says of an error that is neither the server's nor one of package
// storage that the connection was not there.
func schemaFailure(err error) error {
	var (
		unconnected *pgconn.ConnectError
		failed      *pgconn.PgError
	)
	switch {
	case err == nil, errors.Is(err, storage.ErrOlderSchema), errors.Is(err, storage.ErrNewerSchema):
		return err
	case errors.As(err, &unconnected):
		return unreachable(err)
	case errors.As(err, &failed) && failed.SeverityUnlocalized == "ERROR":
		return err
	}
	return fmt.Errorf("%w: %w", errLost, err)
}
