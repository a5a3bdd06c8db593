package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Errors of the database, for errors.Is. Package storage has more. An error that the
// server returns for a statement is also a *pgconn.PgError, for errors.As. ErrUnreachable,
// ErrSerialization and ErrReadOnly also match asset.ErrUnavailable, as does an error of
// the server that has no memory, disk space or connection left or is shutting down.
var (
	// ErrDSN reports that the connection string is malformed, or the server does not
	// know a parameter of it. It is also returned if a part of the password seems to
	// have become something else, as an @ or a colon is in the wrong place. The text of
	// the error contains nothing of the string.
	ErrDSN = errors.New("malformed connection string")
	// ErrNoDatabase reports that the server has no database of that name.
	ErrNoDatabase = errors.New("database does not exist")
	// ErrLoginRejected reports that the server rejects the user or the password
	// (SQLSTATE class 28).
	ErrLoginRejected = errors.New("login rejected")
	// ErrUnreachable reports that the server is not running, refuses the connection, or
	// the connection was lost more often than a call is retried. Nothing was stored.
	ErrUnreachable = errors.New("server cannot be reached")
	// ErrSerialization reports that the call conflicted with other transactions more
	// often than it is retried. Nothing was stored. Retry the call; with [InTx] and
	// [InSQLTx], retry the whole transaction.
	ErrSerialization = errors.New("conflict with another transaction")
	// ErrPooler reports that a prepared statement is not that of this connection, because a pooler
	// such as PgBouncer assigns connections by transaction. Set default_query_exec_mode=exec in the
	// connection string. Nothing was stored.
	ErrPooler = errors.New("connection of a pooler by transaction: set default_query_exec_mode=exec in the connection string")
	// ErrReadOnly reports that a call that writes was made on a standby server or in
	// a read-only transaction, or that no server that can be written answers.
	ErrReadOnly = errors.New("transaction or server is read-only")
	// ErrDriver reports that the transaction given to [InSQLTx] belongs to another driver.
	ErrDriver = errors.New("driver of the transaction is not github.com/jackc/pgx/v5/stdlib")
)

// errLost reports that the connection was lost before COMMIT was sent. The server rolls
// back.
var errLost = fmt.Errorf("%w: connection lost", ErrUnreachable)

// Classes of SQLSTATE codes.
const (
	classConnection = "08"
	// classLogin is for a login that the server rejects, such as 28P01 for a wrong
	// password and 28000 for an unknown user.
	classLogin     = "28"
	classCatalog   = "3D"
	classResources = "53"
	classOperator  = "57"
	// classShutdown is for a server that is starting or shutting down.
	classShutdown = "57P0"
)

// SQLSTATE codes.
const (
	codeNotSupported          = "0A000"
	codeInvalidParameter      = "22023"
	codeUnknownParameter      = "42704"
	codeLockNotAvailable      = "55P03"
	codeUniqueViolation       = "23505"
	codeNoPreparedStatement   = "26000"
	codeUnknownDatabase       = "3D000"
	codeInvalidSchemaName     = "3F000"
	codeReadOnlyTransaction   = "25006"
	codeSerializationFailure  = "40001"
	codeCompletionUnknown     = "40003"
	codeDeadlockDetected      = "40P01"
	codeInsufficientPrivilege = "42501"
	codeAdminShutdown         = "57P01"

	codeDuplicatePreparedStatement = "42P05"
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
	case ctx.Err() != nil && !errors.Is(err, asset.ErrOutcomeUnknown):
		return fmt.Errorf("postgres: %s: %w", operation, ctx.Err())
	}
	failed := fmt.Errorf("postgres: %s: %w", operation, withMeaning(err))
	if isUnavailable(failed) {
		return sqlstore.Unavailable(failed)
	}
	return failed
}

// withMeaning adds the matching error of this package to an error of the server.
func withMeaning(err error) error {
	switch {
	case isConflict(err) && !errors.Is(err, ErrSerialization):
		return fmt.Errorf("%w: %w", ErrSerialization, err)
	case codeOf(err) == codeReadOnlyTransaction && !errors.Is(err, ErrReadOnly):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case codeOf(err) == codeNoPreparedStatement, codeOf(err) == codeDuplicatePreparedStatement:
		return fmt.Errorf("%w: %w", ErrPooler, err)
	}
	return err
}

// isUnavailable reports whether the call stored nothing and may succeed later.
func isUnavailable(err error) bool {
	for _, reason := range []error{ErrUnreachable, ErrSerialization, ErrReadOnly} {
		if errors.Is(err, reason) {
			return true
		}
	}
	code := codeOf(err)
	return code == codeLockNotAvailable || hasClass(code, classConnection, classResources, classShutdown)
}

func hasClass(code string, classes ...string) bool {
	return slices.ContainsFunc(classes, func(class string) bool { return strings.HasPrefix(code, class) })
}

// connectionError returns the error for a connection that could not be established. It
// keeps only the text of err, which may match the error of a context other than the
// caller's.
//
// Not even that for most errors of the server, which may name a parameter of the
// connection string. With a malformed string, that could be a part of the password.
func connectionError(err error) error {
	reason, code := ErrUnreachable, codeOf(err)
	switch {
	case code == codeUnknownDatabase:
		reason = ErrNoDatabase
	case hasClass(code, classLogin):
		reason = ErrLoginRejected
	case code == codeUnknownParameter, code == codeInvalidParameter:
		reason = ErrDSN
	case errors.Is(err, pgconn.ErrStandbyConnection), errors.Is(err, pgconn.ErrReadOnlyConnection):
		reason = ErrReadOnly
	}
	if code == "" || hasClass(code, classLogin, classCatalog, classResources, classOperator) {
		return fmt.Errorf("%w: %s", reason, err.Error())
	}
	return fmt.Errorf("%w: refused by the server (SQLSTATE %s)", reason, code)
}

// isConflict reports whether a transaction failed because of another one and may
// succeed when it is retried.
//
// A unique violation is a conflict, because no step inserts a row that it can see. The
// sequence gave an identifier that another transaction has inserted explicitly, and
// gives a larger one the next time. In a transaction of the host application with
// REPEATABLE READ, another transaction may also have added the same allowlist entry.
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
