package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Following is what a database has of its own for the feed of changes.
type Following struct {
	// Position is the column of apguard_changes, as c, that has the place in the feed,
	// and Behind the condition that it is behind another one.
	Position string
	Behind   string
	// State is the query for the identity of the store, the largest position that it
	// has given, and whether there are changes without a position.
	State string
}

// Since implements asset.Store.
func (s *Store) Since(ctx context.Context, after asset.FeedCursor, limit int) ([]asset.Followed, error) {
	found, err := s.look(ctx, "since", max(limit, asset.MaxChangePage), func(ctx context.Context, on session) (feedLook, error) {
		return on.feedPage(ctx, after, limit)
	})
	return found.page, err
}

// Feed implements asset.Store. A follower from its end on is not to be told of changes
// that had no position when it was looked for.
func (s *Store) Feed(ctx context.Context) (asset.Feed, error) {
	found, err := s.look(ctx, "feed", asset.MaxChangePage, func(ctx context.Context, on session) (feedLook, error) {
		return on.feed(ctx)
	})
	return found.feed, err
}

// feedLook is what a look at the feed finds.
type feedLook struct {
	feed asset.Feed
	page []asset.Followed
	// waiting says that there are changes without a position which belong to what is
	// looked for.
	waiting bool
}

// look looks at the feed. If changes that belong there have no position yet, they get
// theirs first, at most so many in one step. They were committed then, so none can
// come in before them. If some of those are pruned meanwhile, there is room for others
// that wait.
func (s *Store) look(ctx context.Context, operation string, most int, look func(context.Context, session) (feedLook, error)) (feedLook, error) {
	found, err := read(ctx, s, operation, look)
	for err == nil && found.waiting {
		found, err = write(ctx, s, operation, func(ctx context.Context, on session) (feedLook, error) {
			more, err := on.AssignFeedPositions(ctx, most)
			if err != nil {
				return feedLook{}, err
			}
			found, err := look(ctx, on)
			// What was committed since then is for the next call.
			found.waiting = found.waiting && more
			return found, err
		})
	}
	return found, err
}

func (s session) feedPage(ctx context.Context, after asset.FeedCursor, limit int) (feedLook, error) {
	found, err := s.feed(ctx)
	if err != nil {
		return feedLook{}, err
	}
	position, err := found.feed.Position(after)
	if err != nil {
		return feedLook{}, ContractError{err}
	}
	found.page, err = collectBuilt(ctx, s, s.dialect.Feed(position, limit), followedScanner(found.feed))
	found.waiting = found.waiting && len(found.page) < limit
	return found, err
}

// feed returns what the store knows of its feed, without a page.
func (s session) feed(ctx context.Context) (feedLook, error) {
	var (
		found feedLook
		id    []byte
	)
	err := s.get(ctx, s.dialect.Following.State, nil, &id, &found.feed.Last, &found.waiting)
	copy(found.feed.Store[:], id)
	return found, err
}

// Feed returns the query for the changes behind the position, in the order of the
// feed. followedScanner reads its rows.
func (d Dialect) Feed(position int64, limit int) squirrel.SelectBuilder {
	return d.selectFrom(changesAndAssets, changeList, d.Following.Position).
		Where("a.id = c.asset_id").
		Where(d.Following.Behind, position).
		OrderBy(d.Following.Position).
		Limit(uint64(max(limit, 0)))
}

// followedScanner returns what reads the rows of a page of the feed.
func followedScanner(feed asset.Feed) func(Row) (asset.Followed, error) {
	var (
		one      scannedChange
		position int64
	)
	places := append(one.places(), &position)
	return func(row Row) (asset.Followed, error) {
		err := row.Scan(places...)
		return asset.Followed{Change: one.value(), Cursor: feed.Cursor(position)}, err
	}
}
