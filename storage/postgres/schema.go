package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/schema"
)

//go:embed migrations/*.sql
var migrations embed.FS

// hasVersions queries whether the current schema has the table of schema versions.
const hasVersions = `SELECT EXISTS (SELECT 1 FROM pg_tables
	WHERE schemaname = current_schema() AND tablename = '` + schema.VersionTable + `')`

// migrate upgrades the schema. It writes nothing if the schema is current.
func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	return retry(ctx, defaultMaxRetries, func() error {
		return withSchema(pool, func(s *schema.Schema) error { return s.Migrate(ctx) })
	})
}

// checkSchema returns an error if the schema has another version.
func checkSchema(ctx context.Context, pool *pgxpool.Pool) error {
	return retry(ctx, defaultMaxRetries, func() error {
		return withSchema(pool, func(s *schema.Schema) error { return s.Check(ctx) })
	})
}

// checkRules returns an error if the assets are of other rules.
func checkRules(ctx context.Context, pool *pgxpool.Pool, opts Options) error {
	return retry(ctx, defaultMaxRetries, func() error {
		return withSchema(pool, func(s *schema.Schema) error { return s.CheckRules(ctx, opts.Reclassify) })
	})
}

// withSchema calls a function with the schema of the database.
func withSchema(pool *pgxpool.Pool, do func(*schema.Schema) error) error {
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close() //nolint:errcheck // the pool stays open
	s, err := schema.New(db, goose.DialectPostgres, hasVersions, migrations)
	if err != nil {
		return err
	}
	return schemaFailure(do(s))
}

// schemaFailure returns err, marked as a lost connection unless the server or package
// storage has returned it.
func schemaFailure(err error) error {
	var (
		unconnected *pgconn.ConnectError
		failed      *pgconn.PgError
		rules       *storage.RulesError
	)
	switch {
	case err == nil, errors.Is(err, storage.ErrOlderSchema), errors.Is(err, storage.ErrNewerSchema), errors.As(err, &rules):
		return err
	case errors.As(err, &unconnected):
		return connectionError(err)
	case errors.As(err, &failed) && failed.SeverityUnlocalized == "ERROR":
		return err
	}
	return fmt.Errorf("%w: %w", errLost, err)
}
