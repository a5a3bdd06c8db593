package asset

import "context"

// Store is the storage that a [Service] needs. Its methods must be safe for concurrent
// use. Each is one atomic step and returns the error of ctx if ctx ends first.
//
// The newest change of an asset, as Change.Compare orders them, has the status of the asset as
// its To. Therefore, if the time of a command is before the asset's last change, its change gets
// the time of that one instead. The step looks for it when no other step can change the asset
// any more. This is true for the store interfaces of all packages.
type Store interface {
	// AssetsByIdentity returns the assets that have one of the identities, in any order.
	// Identities without an asset are left out. There is at least one identity. If one is
	// repeated, its asset may be.
	AssetsByIdentity(ctx context.Context, identities []Identity) ([]Asset, error)

	// Assets returns the page of ReadPage, with req.Limit, of the assets that req.Filter
	// matches and whose ID is above req.Cursor, ordered by ID. The limit is at least 1 and
	// may be larger than MaxListLimit.
	Assets(ctx context.Context, req ListRequest) (Page[Listed], error)

	// SiteAssets returns the assets whose site, as classify.Site returns it, is that of the
	// identity, but at most limit of them. They are in any order, and assets of other sites may
	// be among them.
	SiteAssets(ctx context.Context, identity Identity, limit int) ([]Asset, error)

	// SetAssetStatuses sets the status of the asset of each item, in their order and in one
	// step. If an asset does not exist, it is first registered as UNKNOWN. It records a
	// Change, with the time and origin of cmd, only if the status differs from the previous
	// one. It returns the assets of the items as they were before, in their order. Those that
	// it has registered have the status UNKNOWN.
	//
	// It first calls cmd.Check for each asset, and returns its error unchanged. If cmd.Claim is
	// not zero, the record of SetStatusesCommand.Record is stored in the same step; package
	// storage has the rules.
	//
	// An item that leaves an asset ALLOWED confirms it, until the status changes. Approved
	// reviews and accepted disputes that set ALLOWED do so too, additions to an allowlist do
	// not. A removal from an allowlist depends on it; see package allowlist.
	SetAssetStatuses(ctx context.Context, cmd SetStatusesCommand) ([]Asset, error)

	// Changes returns the page of ReadPage, with req.Limit, of the changes that req.Filter
	// matches and that req.Cursor precedes, newest first as Change.Compare orders them. The
	// limit is at least 1 and may be larger than MaxLimit.
	Changes(ctx context.Context, req ListChangesRequest) (Page[Change], error)
}

// HistoryStore is the storage that a [HistoryService] needs.
type HistoryStore interface {
	Store

	// PruneChanges examines at most cmd.Limit of the changes that cmd.Match selects,
	// oldest first. It removes those that cmd.Removes selects. IDs of removed changes are
	// not used again.
	PruneChanges(ctx context.Context, cmd PruneCommand) (Pruned[ChangeCursor], error)
}

// FeedStore is the storage that a [FeedService] needs.
type FeedStore interface {
	// Since returns the page of ReadPage, with the limit, of the changes after the cursor,
	// in the order of the feed. [Feed.Position] translates the cursor; Since returns its
	// error unchanged.
	//
	// The feed has every published change exactly once, at a position that never changes.
	// No change is ever inserted before one that was read. If change A was committed
	// before the recording of change B began, A comes before B. The changes of one asset
	// are in order: the From of each is the To of the previous one, unless the previous
	// one was pruned. Positions of removed changes are not used again.
	Since(ctx context.Context, after FeedCursor, limit int) (Page[FeedEntry], error)

	// Feed describes the feed. Every change that is committed after the call has a
	// position above the returned Last. A step of PruneChanges that removes published changes also
	// raises Pruned and Prunings. Since reads the feed and the changes in one snapshot.
	Feed(ctx context.Context) (Feed, error)

	// PublishChanges gives positions to committed changes that have none: those of at most limit
	// batches or single changes. Only this method does so; Since and Feed write nothing. It reports
	// whether more may be waiting. If not, every change that was committed before the call is
	// published.
	//
	// If the store commits changes in the order of their IDs, the ID of a change can be its
	// position. Then each change is published with its commit, and PublishChanges does nothing.
	//
	// PublishChanges does the same for the events of dispute.EventStore.
	PublishChanges(ctx context.Context, limit int) (more bool, err error)
}

type changeCounterKey struct{}

// WithChangeCounter returns a context with which a store reports the changes that a step has
// recorded. Once the step is done, and before its method returns, the store calls count with each
// new status and the number of changes to it, from the goroutine that called the method.
func WithChangeCounter(ctx context.Context, count func(to Status, n int)) context.Context {
	return context.WithValue(ctx, changeCounterKey{}, count)
}

// ChangeCounter returns the function of [WithChangeCounter], or nil. Stores call it.
func ChangeCounter(ctx context.Context) func(to Status, n int) {
	count, _ := ctx.Value(changeCounterKey{}).(func(to Status, n int))
	return count
}
