package postgres_test

import (
	"context"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

// Only an answer that leaves the connection open means that nothing was committed.
func TestIsRefusal(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		err  error
		want bool
	}{
		"a conflict":                         {&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "40001"}, true},
		"a broken transaction":               {pgx.ErrTxCommitRollback, true},
		"an ambiguous result":                {&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "40003"}, false},
		"the end of the server":              {&pgconn.PgError{SeverityUnlocalized: "FATAL", Code: "57P01"}, false},
		"a lost connection":                  {io.ErrUnexpectedEOF, false},
		"a connection that pgx found closed": {pgconn.ErrConnClosed, false},
	} {
		require.Equal(t, test.want, postgres.IsRefusal(test.err), reason)
	}
}

// Calls do not use the default isolation level of the server.
func TestWrite_ReadCommitted(t *testing.T) {
	t.Parallel()
	store := open(t, withParameter(t, newDatabase(t), "default_transaction_isolation", "serializable"))
	require.NoError(t, postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		levels, err := sqlstore.Collect(ctx, on, "SHOW transaction_isolation", nil, func(row sqlstore.Row) (string, error) {
			var level string
			err := row.Scan(&level)
			return level, err
		})
		require.Equal(t, []string{"read committed"}, levels)
		return err
	}))
}
