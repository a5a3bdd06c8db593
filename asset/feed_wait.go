package asset

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/internal/watch"
)

// lookInterval is the time between two looks at the feed while calls of Wait wait.
const lookInterval = 100 * time.Millisecond

// Wait returns nil as soon as the feed has changes after the cursor. It returns the error of ctx if
// ctx ends first, an error of the store, [ErrForeignCursor] or [ErrPrunedCursor]. With a cursor beyond
// the end of the feed, it waits until the feed has changes after that.
//
// Any number of calls may wait at the same time: together they read the store ten times a second.
// Do not call Wait in a transaction of the host application.
func (s *FeedService) Wait(ctx context.Context, after FeedCursor) error {
	return s.watch.Wait(ctx, func(feed Feed) (bool, error) {
		position, err := feed.Position(after)
		if errors.Is(err, ErrFutureCursor) { // the look can be older than the cursor
			return false, nil
		}
		return position < feed.Last, err
	})
}

// watchFeed returns what looks at the feed for all calls of Wait.
func watchFeed(store FeedStore) *watch.Watch[Feed] {
	return watch.New(lookInterval,
		func(ctx context.Context) (Feed, error) { return store.Feed(ctx) },
		func(a, b Feed) bool { return a.End() == b.End() })
}
