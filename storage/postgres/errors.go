package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// What can be wrong with the database, for errors.Is; the errors of package
// storage are the others. The server's own error, a *pgconn.PgError, can be found
// with errors.As where there is one.
var (
	// ErrDSN: the connection string is none, or has an @ in the name of the
	// database, which then is likely to be a part of a password. The text repeats
	// nothing of it.
	ErrDSN = errors.New("connection string is wrong")
	// ErrUnreachable: the server is not there, does not let this program in, or was
	// lost on the way more often than a call is repeated. Nothing was stored.
	ErrUnreachable = errors.New("server cannot be reached")
	// ErrSerialization: other transactions were in the way more often than a call
	// is repeated, and nothing was stored. The call may be made again; with [InTx],
	// begin the whole transaction again.
	ErrSerialization = errors.New("transaction is in conflict with another one")
	// ErrReadOnly: a call had to write in a transaction that only reads. A feed is
	// read in a transaction that may write.
	ErrReadOnly = errors.New("transaction is read-only")
	// ErrOutcomeUnknown: the connection was lost after the server was told to
	// commit and before it answered, or the answer took longer than 30 seconds, such
	// as while a synchronous standby is away. All of the call is stored or nothing,
	// and nobody can say which; whoever must know has to look.
	ErrOutcomeUnknown = errors.New("outcome of the commit is unknown")
)

// errLost: the connection was lost before the server was told to commit, so that
// it rolls back.
var errLost = fmt.Errorf("%w: the connection was lost", ErrUnreachable)

// SQLSTATE codes.
const (
	codeUniqueViolation       = "23505"
	codeInvalidSchemaName     = "3F000"
	codeReadOnlyTransaction   = "25006"
	codeSerializationFailure  = "40001"
	codeCompletionUnknown     = "40003"
	codeDeadlockDetected      = "40P01"
	codeInsufficientPrivilege = "42501"
)

// failure returns err as the caller gets it: with the operation's name, the
// meaning of the server's error, and the context's error if that is why.
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

// isConflict reports whether a transaction has failed because of others, so that
// it may succeed when it is begun again.
//
// A unique violation is one of these, as no step runs into a row that was there
// before: it has got an identifier from the database that another transaction was
// just giving by itself, and gets a larger one the next time. In a host's
// transaction with REPEATABLE READ, it can also be an entry of an allowlist that
// another transaction has added and that this one cannot see.
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

// codeOf returns the SQLSTATE code of the server's error, or "".
func codeOf(err error) string {
	var failed *pgconn.PgError
	if errors.As(err, &failed) {
		return failed.Code
	}
	return ""
}
