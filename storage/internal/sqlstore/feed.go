package sqlstore

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// FeedDialect has the parts of the feed of changes that differ between databases.
type FeedDialect struct {
	// InsertChange inserts a change with ChangeColumns and ChangeValues.
	InsertChange string
	// InsertDisputeEvent inserts an event of a dispute with its dispute_id, state and happened_at. Until
	// it is published, it is not in apguard_dispute_events.
	InsertDisputeEvent string
	// PublishDisputeEvents moves at most as many events as its argument says from where
	// InsertDisputeEvent puts them to apguard_dispute_events. No other transaction does so at the same
	// time. It is not used if Due is empty.
	PublishDisputeEvents string
	// LastDisputeEvent is the query for the largest position of an event of a dispute that was used.
	LastDisputeEvent string
	// Imported, unless empty, is run after changes were imported.
	Imported string
	// Since returns the query for the changes after the position, in the order of the feed: the
	// FeedList and the position.
	Since func(position int64, limit uint64) squirrel.SelectBuilder
	// State is the query for the fields of an asset.Feed: the identity of the store, the largest
	// position that was used, the largest that was pruned, the number of prunings, whether there are
	// changes without a position, and how many milliseconds the feed is behind.
	State string
	// Due is the query whether publication has something to do. It is empty if the positions are
	// identifiers.
	Due string
}

// Since implements asset.FeedStore.
func (s *Store) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	return readOnce(ctx, s, listing("since"), func(ctx context.Context, on session) (step.Page[asset.FeedEntry], error) {
		feed, err := on.feed(ctx)
		if err != nil {
			return step.Page[asset.FeedEntry]{}, err
		}
		position, err := feed.Position(after)
		if err != nil {
			return step.Page[asset.FeedEntry]{}, ContractError{err}
		}
		return readPage(ctx, on, limit, s.dialect.Feed.Since(position, rowLimit(limit)), feedEntryScanner(feed))
	})
}

// Feed implements asset.FeedStore.
func (s *Store) Feed(ctx context.Context) (asset.Feed, error) {
	return read(ctx, s, short("feed"), func(ctx context.Context, on session) (asset.Feed, error) {
		return on.feed(ctx)
	})
}

func (s session) feed(ctx context.Context) (asset.Feed, error) {
	var (
		feed   asset.Feed
		id     []byte
		behind int64
	)
	err := s.get(ctx, s.dialect.Feed.State, nil, &id, &feed.Last, &feed.Pruned, &feed.Prunings, &feed.Unpublished, &behind)
	copy(feed.Store[:], id)
	feed.Behind = time.Duration(behind) * time.Millisecond
	return feed, err
}

// PublishChanges implements asset.FeedStore. It writes only if it has something to do, as it is
// called often.
func (s *Store) PublishChanges(ctx context.Context, limit int) (more bool, err error) {
	publishing := Operation{Name: "publish changes", Kind: Publish}
	if s.dialect.Feed.Due == "" {
		return false, s.engine.Read(ctx, publishing, func(ctx context.Context, _ Conn) error { return ctx.Err() })
	}
	due, err := read(ctx, s, publishing, func(ctx context.Context, on session) (due bool, err error) {
		err = on.get(ctx, s.dialect.Feed.Due, nil, &due)
		return due, err
	})
	if err != nil || !due {
		return false, err
	}
	return result(ctx, s, s.engine.Write, publishing, func(ctx context.Context, on session) (bool, error) {
		more, err := on.AssignFeedPositions(ctx, limit)
		if err != nil {
			return false, err
		}
		events, err := on.change(ctx, s.dialect.Feed.PublishDisputeEvents, limit)
		return more || events == int64(limit), err
	})
}

// FeedList returns the columns of a change with its basis, as c, and its asset, as a.
func FeedList() string { return ChangeList + ", " + basisOf("c") + ", " + listOf("c") }

// feedEntryScanner returns the function that scans the rows of FeedDialect.Since.
func feedEntryScanner(feed asset.Feed) func(Row) (asset.FeedEntry, error) {
	var (
		one      scannedChange
		basis    namedBasis
		position int64
	)
	dest := append(append(one.dest(), basis.dest()...), &position)
	return func(row Row) (asset.FeedEntry, error) {
		if err := row.Scan(dest...); err != nil {
			return asset.FeedEntry{}, err
		}
		change, err := one.value()
		if err == nil {
			change.Basis, err = basis.value()
		}
		return asset.FeedEntry{Change: change, Cursor: feed.Cursor(position)}, err
	}
}
