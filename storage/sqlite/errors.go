package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/apguard/apguard/asset"
)

// What can be wrong with the database, for errors.Is; storage.ErrNewerSchema and
// storage.ErrClosed are the other two. The text of an error from [Open] names the
// path and says what to do.
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
	// ErrNoDriver: the program was built without cgo.
	ErrNoDriver = errors.New("program was built without cgo, which the SQLite driver needs")
)

// errNoID: an identifier that the caller gave leaves no larger one.
var errNoID = errors.New("the largest identifier is taken")

// answer is an error that the contract names: it is no failure of the database,
// so it reaches the caller as it is.
type answer struct{ error }

// failure returns err as the caller gets it: with the operation's name, the
// meaning of the driver's error, and the context's error if that is why.
func failure(ctx context.Context, operation string, err error) error {
	var answered answer
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answered):
		return answered.error
	case ctx.Err() != nil:
		return fmt.Errorf("sqlite: %s: %w", operation, ctx.Err())
	}
	if meaning := meaningOf(err); meaning != nil && !errors.Is(err, meaning) {
		return fmt.Errorf("sqlite: %s: %w: %w", operation, meaning, err)
	}
	return fmt.Errorf("sqlite: %s: %w", operation, err)
}

// checkID returns an error when an identifier that the database gave cannot be
// one of the service.
func checkID(id int64) error {
	if !asset.ValidID(id) {
		return errNoID
	}
	return nil
}
