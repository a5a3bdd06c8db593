package asset

import (
	"context"
	"time"
)

// Store is the storage that a [Service] needs. All methods may be called
// concurrently, each is one atomic step, and each returns the context's error
// when the context ends first.
type Store interface {
	// AssetByIdentity returns the asset with that identity, or ErrNotFound.
	AssetByIdentity(ctx context.Context, identity Identity) (Asset, error)

	// SetAssetStatus gives the asset the status and, only if it had another one,
	// records the change. An asset that does not exist yet is registered as
	// UNKNOWN first. It returns the asset as it is afterwards.
	SetAssetStatus(ctx context.Context, write StatusWrite) (Asset, error)

	// Changes returns the newest changes that the filter matches, newest first
	// (time, then ID), beginning after the given cursor, at most limit of them.
	Changes(ctx context.Context, filter ChangeFilter, after ChangeCursor, limit int) ([]Change, error)

	// Since returns the changes behind the place of the cursor in the store's feed,
	// in the order of the feed, at most limit of them. [Feed.Position] says where the
	// cursor is, and its error is returned as it is.
	//
	// The feed has each change that is committed once, at a place that stays the
	// same, and no change ever comes to it before another one that was read. A change
	// that was committed before the recording of another one began stands before it,
	// and the changes of an asset stand in the order in which its status went. All
	// changes that were committed before the call began are in the feed. The store
	// may write to bring them there. Its largest position is never lowered, also
	// when changes are removed.
	Since(ctx context.Context, after FeedCursor, limit int) ([]Followed, error)

	// Feed returns what the store knows of its feed. Every change that is committed
	// after the call has a larger position than its Last.
	Feed(ctx context.Context) (Feed, error)

	// StatusesAt returns the status that each of the assets with those identifiers
	// had at a moment, by identifier: the To of its last change (time, then ID) that
	// is not later, else the From of its first change, else the status that it has
	// now. Identifiers of no asset are left out.
	StatusesAt(ctx context.Context, assetIDs []int64, at time.Time) (map[int64]Status, error)

	// PruneChanges looks at the oldest changes that the step matches, from the
	// oldest to the newest (time, then ID), at most as many as the step's limit,
	// and removes those that are not the latest change of their asset. The latest
	// is the last one by time, then ID, of all changes of the asset, those that
	// the step does not match among them. Identifiers of removed changes are not
	// given again.
	PruneChanges(ctx context.Context, step PruneStep) (Pruned, error)
}

// StatusWrite is what [Store.SetAssetStatus] writes.
type StatusWrite struct {
	Identity Identity
	Status   Status
	At       time.Time
	Origin   Origin
}

// ChangeCursor is a place in the changelog: right after the change with that
// time and ID, in the direction in which one reads. The zero value is the start.
type ChangeCursor struct {
	At time.Time
	ID int64
}

// Precedes reports whether c is still to come for a reader at the cursor who
// reads from the newest change to the oldest.
func (after ChangeCursor) Precedes(c Change) bool {
	if after == (ChangeCursor{}) || c.At.Before(after.At) {
		return true
	}
	return c.At.Equal(after.At) && c.ID < after.ID
}
