package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"testing"

	"github.com/stretchr/testify/require"
)

// watch is told of every statement before it runs. With an error, the statement
// fails instead of running.
type watch func(statement string) error

// openWatched opens a pool with the usual settings, whose statements are watched.
func (h host) openWatched(tb testing.TB, path string, see watch) *sql.DB {
	tb.Helper()
	db := sql.OpenDB(watchedConnector{h.connector(tb, path, usual), see})
	tb.Cleanup(func() { require.NoError(tb, db.Close()) })
	return db
}

// failed is an error of a driver with one of SQLite's result codes.
type failed int

// Error implements error.
func (f failed) Error() string { return "a failure for the test" }

// Code returns the result code.
func (f failed) Code() int { return int(f) }

// Some of SQLite's result codes.
const (
	codeError  = 1
	codeBusy   = 5
	codeIOErr  = 10
	codeFull   = 13
	codeNotADB = 26
)

type watchedConnector struct {
	driver.Connector
	see watch
}

// Connect implements driver.Connector.
func (c watchedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return watchedConn{opened, c.see}, nil
}

type watchedConn struct {
	driver.Conn
	see watch
}

// BeginTx implements driver.ConnBeginTx.
func (c watchedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	return c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
}

// ExecContext implements driver.ExecerContext.
func (c watchedConn) ExecContext(ctx context.Context, statement string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.see(statement); err != nil {
		return nil, err
	}
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, statement, args)
}

// QueryContext implements driver.QueryerContext.
func (c watchedConn) QueryContext(ctx context.Context, statement string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.see(statement); err != nil {
		return nil, err
	}
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, statement, args)
}

// PrepareContext implements driver.ConnPrepareContext.
func (c watchedConn) PrepareContext(ctx context.Context, statement string) (driver.Stmt, error) {
	prepared, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	return watchedStmt{prepared, func() error { return c.see(statement) }}, nil
}

type watchedStmt struct {
	driver.Stmt
	see func() error
}

// ExecContext implements driver.StmtExecContext.
func (s watchedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := s.see(); err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

// QueryContext implements driver.StmtQueryContext.
func (s watchedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := s.see(); err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}
