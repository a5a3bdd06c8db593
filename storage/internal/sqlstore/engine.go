package sqlstore

import (
	"context"

	"github.com/apguard/apguard/allowlist"
)

// Engine runs steps on a connection.
//
// If a step returns an error, the engine rolls back what it wrote. It returns the
// error inside a [ContractError] unchanged, and any other with the operation and its
// meaning.
type Engine interface {
	// Read runs a step that only reads. Each statement may see another snapshot.
	Read(ctx context.Context, operation Operation, step Step) error
	// ReadOnce is like Read, but all statements see the same snapshot.
	ReadOnce(ctx context.Context, operation Operation, step Step) error
	// Write runs a step in a transaction. It may run the step again if the
	// transaction was not committed.
	Write(ctx context.Context, operation Operation, step Step) error
	// Close implements storage.Store.
	Close() error
}

// Operation describes a step.
type Operation struct {
	// Name names the step in errors.
	Name string
	Kind Kind
}

// Step is one call of a method of the store.
type Step func(ctx context.Context, on Conn) error

// ContractError wraps an error of the store contract, such as dispute.ErrExists. A
// step returns it only before it has written anything.
type ContractError struct{ error }

// Unwrap returns the error for the caller.
func (e ContractError) Unwrap() error { return e.error }

// Conn runs statements, with the placeholders of the [Dialect].
type Conn interface {
	// Exec runs a statement and returns the number of rows written.
	Exec(ctx context.Context, statement string, args ...any) (int64, error)
	// Queue runs a statement whose result the step does not need, at the latest with
	// the commit. An error may come from a later call or end the commit. The end of the
	// context may not interrupt the statement, so it must not wait for other
	// transactions: it writes only rows that this one has locked or inserted.
	Queue(ctx context.Context, statement string, args ...any) error
	// Insert runs an INSERT of one row into a table with an id and returns the id,
	// or 0 after ON CONFLICT DO NOTHING.
	Insert(ctx context.Context, statement string, args ...any) (int64, error)
	// Query runs a query. The caller closes the rows.
	Query(ctx context.Context, query string, args ...any) (Rows, error)

	// Serialize lets only one transaction at a time pass with the given name. It
	// waits for the end of the one before.
	Serialize(ctx context.Context, name string) error
	// ReserveIDs makes the next identifier of the table larger than all it has.
	ReserveIDs(ctx context.Context, table string) error
	// AssignFeedPositions implements asset.FeedStore.PublishChanges for changes. It is not called where
	// identifiers are positions.
	AssignFeedPositions(ctx context.Context, limit int) (more bool, err error)
	// PruneFeed removes the changes with the IDs, which were deleted, from the feed, and raises
	// Feed.Pruned and Feed.Prunings.
	PruneFeed(ctx context.Context, ids []int64) error

	// RegisterAssets registers the assets that do not exist, each as its Fresh. It sets New and, of a new
	// asset, the ID. It locks all as LockAssets does.
	RegisterAssets(ctx context.Context, assets []Locked) error
	// LockAssets locks the assets with the IDs, in the order of the IDs, so that no other transaction
	// changes them until the end of this one. It does so at the latest with the next query.
	LockAssets(ctx context.Context, ids []int64) error
	// PutDecisions stores decisions, each in the place of the one with its asset and source.
	PutDecisions(ctx context.Context, decisions []Decision) error
	// RecordChanges gives the assets the status and the basis of their changes, and records the changes in
	// their order. There is at least one. All have the same origin, and those of new assets the same time.
	RecordChanges(ctx context.Context, changes []RecordedChange) error
	// InsertEntries inserts entries of an organization, whose assets are registered.
	InsertEntries(ctx context.Context, organizationID int64, entries []allowlist.Entry) error
}

// Row is a row of a result.
type Row interface {
	Scan(dest ...any) error
}

// Rows iterates over the rows of a result. Next moves to the next row, at first to the
// first one.
type Rows interface {
	Row
	Next() bool
	Err() error
	Close() error
}
