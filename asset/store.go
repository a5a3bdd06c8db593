package asset

import (
	"context"
	"time"
)

// Store is the storage that a [Service] needs. All methods are safe for concurrent use,
// each is one atomic step, and each returns the context's error if the context ends
// first.
type Store interface {
	// AssetByIdentity returns the asset with the identity, or ErrNotFound.
	AssetByIdentity(ctx context.Context, identity Identity) (Asset, error)

	// SetAssetStatus sets the status of the asset and returns the updated asset. It first
	// registers an asset that does not exist, with status UNKNOWN. It records a Change
	// only if the status differs from the previous one.
	SetAssetStatus(ctx context.Context, cmd SetStatusCommand) (Asset, error)

	// Changes returns the changes that filter.Match selects and after.Precedes, newest
	// first as Change.Compare orders them, at most limit.
	Changes(ctx context.Context, filter ChangeFilter, after ChangeCursor, limit int) ([]Change, error)
}

// HistoryStore is the storage that a [HistoryService] needs.
type HistoryStore interface {
	Store

	// StatusesAt returns the status that each of the assets had at the given time, by
	// asset ID; [StatusAt] has the rule. Unknown IDs are left out.
	StatusesAt(ctx context.Context, assetIDs []int64, at time.Time) (map[int64]Status, error)

	// PruneChanges looks at the changes that cmd.Match selects, oldest first, at most
	// cmd.Limit. It removes those that cmd.Removes selects. IDs of removed changes are
	// not used again.
	PruneChanges(ctx context.Context, cmd PruneCommand) (PruneResult, error)
}

// FeedStore is the storage that a [FeedService] needs.
type FeedStore interface {
	// Since returns the changes after the cursor in the order of the feed, at most limit.
	// [Feed.Position] translates the cursor; Since returns its error unchanged.
	//
	// The feed has every committed change exactly once, at a position that never changes.
	// No change is ever inserted before one that was read. If one change was committed
	// before the recording of another began, it comes first. The changes of one asset are
	// in order: From of each is To of the one before. Every change that was committed
	// before the call is in the feed; the store may write to place it there. Positions
	// are not used again after changes are removed.
	Since(ctx context.Context, after FeedCursor, limit int) ([]FeedEntry, error)

	// Feed describes the feed. Every change that is committed after the call has a
	// position above its Last.
	Feed(ctx context.Context) (Feed, error)
}
