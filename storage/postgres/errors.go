package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Errors of the database, for errors.Is. Package storage has more. An error of the
// server is also a *pgconn.PgError, for errors.As.
var (
	// ErrDSN: the connection string is malformed, or has an @ in the name of the
	// database, which is then probably a part of the password. The text of the error
	// repeats nothing of it.
	ErrDSN = errors.New("malformed connection string")
	// ErrNoDatabase: the server has no database of that name.
	ErrNoDatabase = errors.New("database does not exist")
	// ErrUnreachable: the server is not running, refuses the connection, or was lost
	// more often than a call is retried. Nothing was stored.
	ErrUnreachable = errors.New("server cannot be reached")
	// ErrSerialization: the call conflicted with other transactions more often than
	// it is retried. Nothing was stored. Retry the call; with [InTx], retry the whole
	// transaction.
	ErrSerialization = errors.New("conflict with another transaction")
	// ErrReadOnly: a call had to write in a read-only transaction. Reading the feed
	// may write.
	ErrReadOnly = errors.New("transaction is read-only")
	// ErrOutcomeUnknown: the connection was lost between COMMIT and its answer, or
	// the answer took longer than 30 seconds, as it may while a synchronous standby
	// is down. Either all of the call is stored or nothing; read it back to find out.
	ErrOutcomeUnknown = errors.New("outcome of the commit is unknown")
)

// errLost: the connection was lost before COMMIT was sent, so the server rolls back.
var errLost = fmt.Errorf("%w: connection lost", ErrUnreachable)

// SQLSTATE codes.
const (
	codeUniqueViolation       = "23505"
	codeUnknownDatabase       = "3D000"
	codeInvalidSchemaName     = "3F000"
	codeReadOnlyTransaction   = "25006"
	codeSerializationFailure  = "40001"
	codeCompletionUnknown     = "40003"
	codeDeadlockDetected      = "40P01"
	codeInsufficientPrivilege = "42501"
)

// failure returns err as the caller gets it: with the name of the operation and the
// matching error of this package, or with the error of the context if it has ended.
func failure(ctx context.Context, operation string, err error) error {
	var answer sqlstore.ContractError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answer):
		return answer.Unwrap()
	case ctx.Err() != nil && !errors.Is(err, ErrOutcomeUnknown):
		return fmt.Errorf("postgres: %s: %w", operation, ctx.Err())
	case isConflict(err) && !errors.Is(err, ErrSerialization):
		return fmt.Errorf("postgres: %s: %w: %w", operation, ErrSerialization, err)
	case codeOf(err) == codeReadOnlyTransaction:
		return fmt.Errorf("postgres: %s: %w: %w", operation, ErrReadOnly, err)
	}
	return fmt.Errorf("postgres: %s: %w", operation, err)
}

// isConflict reports whether a transaction failed because of another one, so that it
// may succeed when it is retried.
//
// A unique violation is a conflict: no step inserts a row that it could see. It got an
// identifier from a sequence that another transaction was also writing explicitly, and
// gets a larger one the next time. In a transaction of the host application with
// REPEATABLE READ, it can also be an allowlist entry of a transaction that this one
// cannot see.
func isConflict(err error) bool {
	if errors.Is(err, ErrSerialization) {
		return true
	}
	switch codeOf(err) {
	case codeSerializationFailure, codeDeadlockDetected, codeUniqueViolation:
		return true
	default:
		return false
	}
}

// codeOf returns the SQLSTATE code of an error of the server, or "".
func codeOf(err error) string {
	var failed *pgconn.PgError
	if errors.As(err, &failed) {
		return failed.Code
	}
	return ""
}
