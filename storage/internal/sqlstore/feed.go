package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// FeedDialect has the parts of the feed of changes that differ between databases.
type FeedDialect struct {
	// Position is the column of apguard_changes, as c, with the position in the feed, and
	// After is the condition that it is larger than another position.
	Position string
	After    string
	// State is the query for the identity of the store, the largest position that was
	// used, and whether there are changes without a position.
	State string
}

// Since implements asset.FeedStore.
func (s *Store) Since(ctx context.Context, after asset.FeedCursor, limit int) (asset.Page[asset.FeedEntry], error) {
	found, err := s.readFeed(ctx, "since", max(limit, asset.MaxLimit), func(ctx context.Context, on session) (feedState, error) {
		return on.feedPage(ctx, after, limit)
	})
	return found.page, err
}

// Feed implements asset.FeedStore. It gives positions to all committed changes first, so
// that a follower that starts at the end does not receive them.
func (s *Store) Feed(ctx context.Context) (asset.Feed, error) {
	found, err := s.readFeed(ctx, "feed", asset.MaxLimit, func(ctx context.Context, on session) (feedState, error) {
		return on.feed(ctx)
	})
	return found.feed, err
}

// feedState is what a step reads of the feed.
type feedState struct {
	feed asset.Feed
	page asset.Page[asset.FeedEntry]
	// waiting is true if changes without a position belong to the result.
	waiting bool
}

// readFeed runs a step that reads the feed. If changes without a position belong to its
// result, readFeed gives positions to at most most of them and runs the step again. These
// changes are committed, so no other change can come before them. The loop goes on if
// some of them are pruned meanwhile.
func (s *Store) readFeed(ctx context.Context, operation string, most int, step func(context.Context, session) (feedState, error)) (feedState, error) {
	found, err := read(ctx, s, listing(operation), step)
	for err == nil && found.waiting {
		found, err = write(ctx, s, operation, func(ctx context.Context, on session) (feedState, error) {
			more, err := on.AssignFeedPositions(ctx, most)
			if err != nil {
				return feedState{}, err
			}
			found, err := step(ctx, on)
			// Changes that were committed since then are for the next call.
			found.waiting = found.waiting && more
			return found, err
		})
	}
	return found, err
}

func (s session) feedPage(ctx context.Context, after asset.FeedCursor, limit int) (feedState, error) {
	found, err := s.feed(ctx)
	if err != nil {
		return feedState{}, err
	}
	position, err := found.feed.Position(after)
	if err != nil {
		return feedState{}, ContractError{err}
	}
	found.page, err = readPage(ctx, s, limit, s.dialect.Since(position, limit), feedEntryScanner(found.feed))
	if len(found.page.Items) >= limit {
		found.page.More = found.page.More || found.waiting // a full page is not the last one
	}
	found.waiting = found.waiting && !found.page.More
	return found, err
}

// feed returns the state of the feed, without a page.
func (s session) feed(ctx context.Context) (feedState, error) {
	var (
		found feedState
		id    []byte
	)
	err := s.get(ctx, s.dialect.Feed.State, nil, &id, &found.feed.Last, &found.waiting)
	copy(found.feed.Store[:], id)
	return found, err
}

// Since returns the query for the changes after the position, in the order of the feed.
// feedEntryScanner reads its rows.
func (d Dialect) Since(position int64, limit int) squirrel.SelectBuilder {
	return d.selectFrom(changesAndAssets, changeList, d.Feed.Position).
		Where("a.id = c.asset_id").
		Where(d.Feed.After, position).
		OrderBy(d.Feed.Position).
		Limit(rowLimit(limit))
}

// feedEntryScanner returns the function that scans the rows of a page of the feed.
func feedEntryScanner(feed asset.Feed) func(Row) (asset.FeedEntry, error) {
	var (
		one      scannedChange
		position int64
	)
	dest := append(one.dest(), &position)
	return func(row Row) (asset.FeedEntry, error) {
		if err := row.Scan(dest...); err != nil {
			return asset.FeedEntry{}, err
		}
		change, err := one.value()
		return asset.FeedEntry{Change: change, Cursor: feed.Cursor(position)}, err
	}
}
