package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Errors of the database, for errors.Is. Package storage has more. An error of [Open]
// names the path and a remedy. ErrReadOnly, ErrBusy, ErrFull, ErrIO and ErrRemoved also
// match asset.ErrUnavailable.
//
// With a driver other than github.com/mattn/go-sqlite3, these errors need driver
// errors with a method Code() int that returns SQLite's result code. Those of
// modernc.org/sqlite have one.
var (
	// ErrPath reports that the path cannot name a database file. It is empty or a
	// directory, for example.
	ErrPath = errors.New("invalid path for a database file")
	// ErrNotADatabase reports that the file is not a SQLite database, or it is damaged.
	ErrNotADatabase = errors.New("not a SQLite database, or a damaged one")
	// ErrReadOnly reports that the process cannot write the file or its directory.
	ErrReadOnly = errors.New("database file or directory is read-only")
	// ErrBusy reports that another store wrote for longer than [Options].BusyTimeout.
	ErrBusy = errors.New("database is locked by another writer")
	// ErrFull reports that the disk is full, or the database has reached its maximum
	// size. The store works again once there is space.
	ErrFull = errors.New("disk is full")
	// ErrIO reports that the disk failed to read or write.
	ErrIO = errors.New("disk I/O error")
	// ErrRemoved reports that the database file was removed or replaced while it was
	// open. SQLite goes on using the removed file, which is lost with its last
	// connection. Only [Store.Ping] returns it. Open the store again.
	ErrRemoved = errors.New("database file was removed or replaced")
	// ErrDeferred reports that a deferred transaction of the host application cannot
	// write, because another one has written since it began; see [InTx]. Roll it back
	// and begin an immediate one. The error also matches ErrBusy.
	ErrDeferred = errors.New("deferred transaction can no longer write")
	// ErrSettings reports that the database of the host application lacks a setting.
	// The text names it; see [New].
	ErrSettings = errors.New("missing database setting")
	// ErrNoDriver reports that the program was built without cgo.
	ErrNoDriver = errors.New("built without cgo, which the SQLite driver needs")
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
	case ctx.Err() != nil:
		return fmt.Errorf("sqlite: %s: %w", operation, ctx.Err())
	}
	failed := fmt.Errorf("sqlite: %s: %w", operation, err)
	if meaning := meaningOf(err); meaning != nil && !errors.Is(err, meaning) {
		failed = fmt.Errorf("sqlite: %s: %w: %w", operation, meaning, err)
	}
	if isUnavailable(failed) {
		return sqlstore.Unavailable(failed)
	}
	return failed
}

// isUnavailable reports whether the call may succeed later.
func isUnavailable(err error) bool {
	for _, reason := range []error{ErrReadOnly, ErrBusy, ErrFull, ErrIO, ErrRemoved} {
		if errors.Is(err, reason) {
			return true
		}
	}
	code, ok := resultCode(err)
	return ok && code&0xff == codeCantOpen // too many files are open, for example
}

// SQLite's primary result codes, https://www.sqlite.org/rescode.html.
const (
	codeError    = 1
	codePerm     = 3
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeIOErr    = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26
)

// meaningOf returns the error of this package for an error of the driver, or nil.
func meaningOf(err error) error {
	code, ok := resultCode(err)
	if !ok {
		return nil
	}
	switch code & 0xff {
	case codeBusy, codeLocked:
		return ErrBusy
	case codeReadOnly, codePerm:
		return ErrReadOnly
	case codeCorrupt, codeNotADB:
		return ErrNotADatabase
	case codeFull:
		return ErrFull
	case codeIOErr:
		return ErrIO
	case codeCantOpen:
		return cannotOpen(err)
	default:
		return nil
	}
}

// meaningOfCause returns the error of this package for an error of the operating system
// that kept a file from being opened or created, or nil.
func meaningOfCause(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	case errors.Is(err, syscall.ENOSPC):
		return ErrFull
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE): // too many files are open
		return nil
	default:
		return ErrPath
	}
}

// resultCode returns SQLite's result code of an error of the driver.
func resultCode(err error) (int, bool) {
	if code, ok := mattnCode(err); ok {
		return code, true
	}
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		return coded.Code(), true
	}
	return 0, false
}
