package postgres_test

import (
	"context"
	"errors"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

func TestFailure_Unavailable(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	store, err := postgres.New(t.Context(), newPool(t, dsn), postgres.Options{MaxRetries: 1})
	require.NoError(t, err)
	for reason, test := range map[string]struct {
		code string
		want bool
	}{
		"a connection that failed":      {"08006", true},
		"a full disk":                   {"53100", true},
		"no memory":                     {"53200", true},
		"too many connections":          {"53300", true},
		"a limit of the configuration":  {"53400", true},
		"the end of the server":         {"57P01", true},
		"a crash of the server":         {"57P02", true},
		"the start of the server":       {"57P03", true},
		"a session that was idle":       {"57P05", true},
		"a lock that is not free":       {"55P03", true},
		"a conflict":                    {"40001", true},
		"a deadlock":                    {"40P01", true},
		"a read-only transaction":       {"25006", true},
		"a canceled statement":          {"57014", false},
		"an ambiguous result":           {"40003", false},
		"a table that is missing":       {"42P01", false},
		"a permission that is missing":  {"42501", false},
		"a database that is missing":    {"3D000", false},
		"a login that was rejected":     {"28P01", false},
		"a division by zero":            {"22012", false},
		"an object in another use":      {"55006", false},
		"a damaged database":            {"XX001", false},
		"a failed foreign key":          {"23503", false},
		"an error without a code":       {"", false},
		"a code of another length":      {"5", false},
		"a class that ends differently": {"00053", false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			err := postgres.Write(t.Context(), store, func(context.Context, sqlstore.Conn) error {
				return &pgconn.PgError{Severity: "ERROR", Code: test.code}
			})
			require.Error(t, err)
			require.Equal(t, test.want, errors.Is(err, asset.ErrUnavailable), "%v", err)
			require.NotContains(t, err.Error(), asset.ErrUnavailable.Error(), "the text has the reason alone")
		})
	}
}

// A user may open a single connection, and has it open.
func TestOpen_TooManyConnections(t *testing.T) {
	t.Parallel()
	dsn, err := url.Parse(newDatabase(t))
	require.NoError(t, err)
	user := dsn.Query().Get("application_name") // unique
	execute(t, dsn.String(), "CREATE ROLE "+user+" LOGIN CONNECTION LIMIT 1 PASSWORD 'secret'")
	t.Cleanup(func() { execute(t, dsn.String(), "DROP ROLE "+user) })
	limited := *dsn
	limited.User = url.UserPassword(user, "secret")
	connect(t, limited.String())

	_, err = postgres.Open(t.Context(), limited.String(), postgres.Options{})
	require.ErrorIs(t, err, postgres.ErrUnreachable)
	require.ErrorIs(t, err, asset.ErrUnavailable)
	require.ErrorContains(t, err, "too many connections")
}

func TestClose_Unavailable(t *testing.T) {
	t.Parallel()
	store := open(t, newDatabase(t))
	require.NoError(t, store.Ping(t.Context()))
	require.NoError(t, store.Close())
	require.ErrorIs(t, store.Ping(t.Context()), asset.ErrUnavailable)
}
