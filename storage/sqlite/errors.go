package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// What can be wrong with the database, for errors.Is; the errors of package
// storage are the others. The text of an error from [Open] names the path and says
// what to do.
//
// With a driver other than github.com/mattn/go-sqlite3, they are recognized when
// its errors have a method Code() int that returns SQLite's result code, as those
// of modernc.org/sqlite have.
var (
	// ErrPath: the path cannot be a database file, such as an empty one or a
	// directory.
	ErrPath = errors.New("path cannot be a database file")
	// ErrNotADatabase: the file is no SQLite database, or a damaged one.
	ErrNotADatabase = errors.New("file is not an intact SQLite database")
	// ErrReadOnly: this process may not write the file or its directory.
	ErrReadOnly = errors.New("database file or its directory cannot be written")
	// ErrBusy: another store wrote for longer than [Options].BusyTimeout.
	ErrBusy = errors.New("database is locked by another writer")
	// ErrFull: there is no room on the disk, or the database has reached its
	// largest size. Once there is room again, the store can be used again.
	ErrFull = errors.New("disk is full")
	// ErrIO: the disk has failed to read or write.
	ErrIO = errors.New("disk has failed")
	// ErrDeferred: somebody else has written, or is writing, since a transaction of
	// the host began, so that it cannot write; see [InTx]. Roll it back and begin
	// again with an immediate one. It comes with ErrBusy.
	ErrDeferred = errors.New("deferred transaction can no longer write")
	// ErrSettings: the host's database lacks what the store needs. The text says
	// what; see [New].
	ErrSettings = errors.New("database is not set up for the store")
	// ErrNoDriver: the program was built without cgo.
	ErrNoDriver = errors.New("program was built without cgo, which the SQLite driver needs")
)

// failure returns err as the caller gets it: with the operation's name, the
// meaning of the driver's error, and the context's error if that is why.
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
	if meaning := meaningOf(err); meaning != nil && !errors.Is(err, meaning) {
		return fmt.Errorf("sqlite: %s: %w: %w", operation, meaning, err)
	}
	return fmt.Errorf("sqlite: %s: %w", operation, err)
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

// meaningOf returns the package's error that says what a driver's error means, or
// nil.
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

// resultCode returns SQLite's result code that a driver's error has.
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
