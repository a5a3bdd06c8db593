// Package postgrestest gives tests a schema of their own on a PostgreSQL server.
package postgrestest

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// ServerVariable is the environment variable with the connection string of the server.
const ServerVariable = "APGUARD_TEST_POSTGRES"

// Skipped is why tests that need a server are skipped.
const Skipped = "PostgreSQL tests are skipped: set " + ServerVariable +
	" to the URL of a server, such as postgres://postgres@127.0.0.1:5432/test"

// NewDatabase creates a schema for the test, which is skipped without a server. It returns a
// connection string whose search path and application name are the name of the schema.
func NewDatabase(tb testing.TB) string {
	tb.Helper()
	server := os.Getenv(ServerVariable)
	if server == "" {
		tb.Skip(Skipped)
	}
	name := "apguard_test_" + strings.ToLower(rand.Text())
	Execute(tb, server, "CREATE SCHEMA "+name)
	tb.Cleanup(func() { Execute(tb, server, "DROP SCHEMA "+name+" CASCADE") })
	return WithParameter(tb, WithParameter(tb, server, "search_path", name), "application_name", name)
}

// WithParameter returns the connection string with one more parameter.
func WithParameter(tb testing.TB, dsn, parameter, value string) string {
	tb.Helper()
	parsed, err := url.Parse(dsn)
	require.NoError(tb, err)
	parameters := parsed.Query()
	parameters.Set(parameter, value)
	parsed.RawQuery = parameters.Encode()
	return parsed.String()
}

// Execute runs statements on a new connection, also after the end of the test.
func Execute(tb testing.TB, dsn, statements string) {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	connection, err := pgx.Connect(ctx, dsn)
	require.NoError(tb, err)
	_, err = connection.Exec(ctx, statements)
	require.NoError(tb, err)
	require.NoError(tb, connection.Close(ctx))
}
