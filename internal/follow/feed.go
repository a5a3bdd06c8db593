package follow

import (
	"context"
	"errors"
	"iter"

	"github.com/apguard/apguard/asset"
)

// Entry is a change in the feed with its position.
type Entry struct {
	asset.FeedEntry
	Position int64
}

// Feed yields the changes after a cursor up to the end of a feed that was read before. Those that were
// published since are left for the next time. An error ends the sequence.
func Feed(ctx context.Context, service *asset.FeedService, feed asset.Feed, after asset.FeedCursor) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for entry, err := range service.Follow(ctx, after) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			position, err := feed.Position(entry.Cursor)
			if errors.Is(err, asset.ErrFutureCursor) {
				return
			}
			if !yield(Entry{entry, position}, err) || err != nil {
				return
			}
		}
	}
}
