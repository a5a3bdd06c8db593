package asset

import (
	"context"
	"time"

	"github.com/apguard/apguard/step"
)

// Store is the storage that a [Service] needs. Its methods must be safe for concurrent
// use. Each is one atomic step and returns the error of ctx if ctx ends first.
//
// The status of an asset is that of the decisions on it, and its newest change, as Change.Compare
// orders them, has it as its To; see [Held]. A step finds what is held on an asset when no other
// step can change it any more. This is true for the store interfaces of all packages.
type Store interface {
	// AssetsByIdentity returns the assets that have one of the identities, in any order.
	// Identities without an asset are left out. There is at least one identity. If one is
	// repeated, its asset may be.
	AssetsByIdentity(ctx context.Context, identities []Identity) ([]Known, error)

	// Assets returns the page of step.ReadPage, with req.Limit, of the assets that req.Filter
	// matches and whose ID is above req.Cursor, ordered by ID. The limit is at least 1 and
	// may be larger than MaxListLimit.
	Assets(ctx context.Context, req ListRequest) (step.Page[Listed], error)

	// SiteAssets returns the assets whose site, as classify.Site returns it, is that of the
	// identity, but at most limit of them. They are in any order, and assets of other sites may
	// be among them.
	SiteAssets(ctx context.Context, identity Identity, limit int) ([]Asset, error)

	// SetAssetStatuses passes what is held on the asset of each item to cmd.Apply, stores the result,
	// and makes the changes of Held.Settle with the time and origin of cmd, all in the order of the
	// items and in one step. If an asset does not exist, it is first registered as UNKNOWN. It returns what was held on the
	// assets of the items before, in their order. Those that it has registered have the status UNKNOWN.
	//
	// If cmd.Checks returns true, it first calls cmd.Check for each asset, and returns its error
	// unchanged. If cmd.Claim is not zero, the record of SetStatusesCommand.Record is stored in the
	// same step; package storage has the rules.
	SetAssetStatuses(ctx context.Context, cmd SetStatusesCommand) ([]Held, error)

	// Held returns what is held on the asset with the identity at the time, or ErrNotFound.
	Held(ctx context.Context, identity Identity, at time.Time) (Held, error)

	// ExpireDecisions looks for the first cmd.Limit decisions, of operators and of lists, that have ended at
	// cmd.At, ordered by ExpiresAt and then by the ID of the asset. Ended ones that were replaced are not among
	// them. For each of their assets, ordered by ID, it passes what is held to Held.Expire, stores the result,
	// and makes the change of Held.Settle with cmd.At and cmd.Origin, all in one step. It returns the number
	// of decisions that Held.Expire has removed, which may be larger than the limit.
	ExpireDecisions(ctx context.Context, cmd ExpireCommand) (removed int, err error)

	// DueDecisions returns the page of step.ReadPage, with req.Limit, of the decisions of operators that have
	// a ReviewAt not after req.Before and that come after req.Cursor, ordered as DueCursor.Compare says. The
	// limit is at least 1 and may be larger than MaxLimit.
	DueDecisions(ctx context.Context, req DueRequest) (step.Page[Due], error)

	// CountDue passes the ReviewAt of all decisions of operators that stand to DueCount.Add, with the time.
	CountDue(ctx context.Context, at time.Time) (DueCount, error)

	// Changes returns the page of step.ReadPage, with req.Limit, of the changes that req.Selects
	// and that req.Cursor precedes, newest first as Change.Compare orders them, without their
	// Basis. The limit is at least 1 and may be larger than MaxLimit.
	Changes(ctx context.Context, req ListChangesRequest) (step.Page[Change], error)
}

// HistoryStore is the storage that a [HistoryService] needs.
type HistoryStore interface {
	Store

	// PruneChanges examines at most cmd.Limit of the changes that cmd.Match selects,
	// oldest first. It removes those that cmd.Removes selects. IDs of removed changes are
	// not used again.
	PruneChanges(ctx context.Context, cmd PruneCommand) (step.Pruned[ChangeCursor], error)

	// CountBlocks counts the changes of the period for which Change.IsBlock is true, by their Reason, and those for
	// which Change.Lifts is, by the Reason of the previous change of the asset, which may be before the period. If it
	// was pruned, the change does not count. The counts are in any order, and none is of nothing.
	CountBlocks(ctx context.Context, period Period) ([]BlockCount, error)
}

// FeedStore is the storage that a [FeedService] needs.
type FeedStore interface {
	// Since returns the page of step.ReadPage, with the limit, of the changes after the cursor,
	// in the order of the feed. [Feed.Position] translates the cursor; Since returns its
	// error unchanged.
	//
	// The feed has every published change exactly once, at a position that never changes.
	// No change is ever inserted before one that was read. If change A was committed
	// before the recording of change B began, A comes before B. The changes of one asset
	// are in order: the From of each is the To of the previous one, unless the previous
	// one was pruned. Positions of removed changes are not used again.
	Since(ctx context.Context, after FeedCursor, limit int) (step.Page[FeedEntry], error)

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
