package sqlstore

import (
	"context"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// Engine gives steps a connection to run on. The operation is the name of the
// step, for the texts of errors.
//
// A step that returns an [ContractError] has not failed: the engine returns the error in
// it as it is. What a step has written is gone when it returns any error.
type Engine interface {
	// Read runs a step that only reads. Each statement sees the database at a
	// moment of its own.
	Read(ctx context.Context, operation string, step Step) error
	// ReadOnce is like Read, but all statements see the database at one moment.
	ReadOnce(ctx context.Context, operation string, step Step) error
	// Write runs a step in a transaction. It may run the step again when the
	// transaction could not be committed.
	Write(ctx context.Context, operation string, step Step) error
	// Close is that of storage.Store.
	Close() error
}

// Step is one call of a method of the store.
type Step func(ctx context.Context, on Conn) error

// ContractError has an error that the contract of the store names: it is no failure
// of the database, so it reaches the caller as it is. A step returns it only before
// it has written anything.
type ContractError struct{ error }

// Unwrap returns the error that the caller gets.
func (a ContractError) Unwrap() error { return a.error }

// Conn runs statements, with placeholders as the [Dialect] has them.
type Conn interface {
	// Exec runs a statement and returns how many rows it has written.
	Exec(ctx context.Context, statement string, args ...any) (int64, error)
	// Insert runs an INSERT of one row into a table with an id, and returns the
	// id, or 0 when the statement says to do nothing and did so.
	Insert(ctx context.Context, statement string, args ...any) (int64, error)
	// Query runs a query. The caller closes the rows.
	Query(ctx context.Context, query string, args ...any) (Rows, error)

	// Serialize waits until no other transaction has called it with that name, and
	// keeps others waiting until the end of this one.
	Serialize(ctx context.Context, name string) error
	// ReserveIDs makes the identifiers that the table gives go on after the
	// largest one that it holds.
	ReserveIDs(ctx context.Context, table string) error
	// AssignFeedPositions gives positions in the feed to changes that have none, at most so
	// many, and tells whether more may be waiting for theirs. Where every change has a
	// position by itself, there is nothing to do.
	AssignFeedPositions(ctx context.Context, most int) (more bool, err error)

	// InsertAllowed registers the assets of the candidates as ALLOWED. It returns
	// the identifier of each, or 0 for one that exists.
	InsertAllowed(ctx context.Context, candidates []allowlist.Candidate) ([]int64, error)
	// KnownAssets returns the assets of the candidates, all of which exist, in
	// their order. They cannot change until the end of the transaction.
	KnownAssets(ctx context.Context, organizationID int64, candidates []allowlist.Candidate) ([]KnownAsset, error)
	// RecordAdditions sets the assets to ALLOWED, records those changes that are
	// one, in this order, and puts the assets on the allowlist.
	RecordAdditions(ctx context.Context, addition allowlist.Addition, added []AddedAsset) error
}

// KnownAsset is an asset that existed before a candidate came.
type KnownAsset struct {
	ID     int64
	Status asset.Status
	// Listed says that it is on the organization's allowlist already.
	Listed bool
}

// AddedAsset is an asset that an addition puts on the allowlist.
type AddedAsset struct {
	ID int64
	// From is the status that it had, which is UNKNOWN for a new one.
	From asset.Status
	// New says that the addition has registered it.
	New       bool
	Candidate allowlist.Candidate
}

// Row is one row of a result.
type Row interface {
	Scan(dest ...any) error
}

// Rows are the rows of a result, of which Next goes to the first and to the next.
type Rows interface {
	Row
	Next() bool
	Err() error
	Close() error
}
