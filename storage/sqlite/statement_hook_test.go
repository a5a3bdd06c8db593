package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"testing"

	"github.com/stretchr/testify/require"
)

// statementHook is called before each statement. If it returns an error, the statement does
// not run and fails with it.
type statementHook func(statement string) error

// openHooked is like open, with the test settings and a hook. The driver returns soon if the
// database is busy, so that no test waits for it.
func (d hostDriver) openHooked(tb testing.TB, path string, hook statementHook) *sql.DB {
	tb.Helper()
	db := sql.OpenDB(hookedConnector{d.connector(tb, path, quickSettings), hook})
	tb.Cleanup(func() { require.NoError(tb, db.Close()) })
	return db
}

// driverError is an error of a driver with a result code of SQLite.
type driverError int

// Error implements error.
func (e driverError) Error() string { return "injected failure" }

// Code returns the result code.
func (e driverError) Code() int { return int(e) }

// Result codes of SQLite, https://www.sqlite.org/rescode.html.
const (
	codeError  = 1
	codeBusy   = 5
	codeIOErr  = 10
	codeFull   = 13
	codeNotADB = 26
)

type hookedConnector struct {
	driver.Connector
	hook statementHook
}

// Connect implements driver.Connector.
func (c hookedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return hookedConn{opened, c.hook}, nil
}

type hookedConn struct {
	driver.Conn
	hook statementHook
}

// BeginTx implements driver.ConnBeginTx.
func (c hookedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	return c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
}

// ExecContext implements driver.ExecerContext.
func (c hookedConn) ExecContext(ctx context.Context, statement string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.hook(statement); err != nil {
		return nil, err
	}
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, statement, args)
}

// QueryContext implements driver.QueryerContext.
func (c hookedConn) QueryContext(ctx context.Context, statement string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.hook(statement); err != nil {
		return nil, err
	}
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, statement, args)
}

// PrepareContext implements driver.ConnPrepareContext.
func (c hookedConn) PrepareContext(ctx context.Context, statement string) (driver.Stmt, error) {
	prepared, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	return hookedStmt{prepared, func() error { return c.hook(statement) }}, nil
}

type hookedStmt struct {
	driver.Stmt
	hook func() error
}

// ExecContext implements driver.StmtExecContext.
func (s hookedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := s.hook(); err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

// QueryContext implements driver.StmtQueryContext.
func (s hookedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := s.hook(); err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}
