package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestNew_DriverWithoutContexts(t *testing.T) {
	t.Parallel()
	for reason, wrap := range map[string]func(driver.Conn) driver.Conn{
		"connections": func(c driver.Conn) driver.Conn { return struct{ driver.Conn }{c} },
		"statements":  func(c driver.Conn) driver.Conn { return plainStatements{c} },
	} {
		for _, d := range drivers() {
			t.Run(reason+" of "+d.name, func(t *testing.T) {
				t.Parallel()
				db := sql.OpenDB(wrappingConnector{d.connector(t, newFile(t), testSettings), wrap})
				t.Cleanup(func() { require.NoError(t, db.Close()) })
				require.NoError(t, sqlite.Migrate(t.Context(), db))
				store := accounttest.Organizations(t, newStore(t, db, sqlite.Options{}), 1)
				cmd := benchtest.AddCommand(0, 2)
				for _, want := range []error{nil, allowlist.ErrExists} {
					outcomes, err := store.AddToAllowlist(t.Context(), cmd)
					require.NoError(t, err)
					require.Len(t, outcomes, 2)
					require.Equal(t, want, outcomes[1].Err)
				}
			})
		}
	}
}

// wrappingConnector wraps the connections of a driver.
type wrappingConnector struct {
	driver.Connector
	wrap func(driver.Conn) driver.Conn
}

// Connect implements driver.Connector.
func (c wrappingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return c.wrap(opened), nil
}

// plainStatements is a connection whose statements take no context.
type plainStatements struct{ driver.Conn }

// PrepareContext implements driver.ConnPrepareContext.
func (c plainStatements) PrepareContext(ctx context.Context, statement string) (driver.Stmt, error) {
	prepared, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	return struct{ driver.Stmt }{prepared}, nil
}
