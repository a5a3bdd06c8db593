package postgres_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/postgres"
)

// A server that answers a new connection may still answer the old ones.
func TestIsGone(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		err  error
		want bool
	}{
		"a connection":                 {nil, false},
		"a standby":                    {pgconn.ErrStandbyConnection, true},
		"a server that only reads":     {pgconn.ErrReadOnlyConnection, true},
		"no route to the server":       {syscall.EHOSTUNREACH, true},
		"a pooler that is shut down":   {syscall.ECONNREFUSED, false},
		"too many connections":         {&pgconn.PgError{Code: "53300"}, false},
		"an error that is not network": {errors.New("malformed certificate"), false},
	} {
		if test.err != nil {
			test.err = fmt.Errorf("connect: %w", test.err)
		}
		require.Equal(t, test.want, postgres.IsGone(test.err), reason)
	}
}
