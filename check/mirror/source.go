package mirror

import (
	"context"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
)

// Source is where a [Mirror] reads statuses. [FromServices] returns that of the services in this
// process, and package client/source that of a server of the HTTP API. The Mirror calls one method at
// a time.
//
// A cursor is a position in the feed of the source. Only the source understands it. The empty text is
// the start of the feed.
type Source interface {
	// List begins to list all assets that are ALLOWED or BLOCKED.
	List(ctx context.Context) (List, error)
	// Changes returns the changes that come after the cursor in the feed, or the first ones. It does
	// not wait for any.
	//
	// If the source cannot continue from the cursor, the error matches [asset.ErrMalformedCursor],
	// [asset.ErrForeignCursor], [asset.ErrFutureCursor] or [asset.ErrPrunedCursor].
	Changes(ctx context.Context, cursor string) (Changes, error)
}

// List is a list of assets.
type List struct {
	// Cursor is the end of the feed before the list began. The list may lack, or have, any changes
	// that come later.
	Cursor string
	// Assets yields the assets. An error ends it, also if the list is incomplete. The Mirror ranges
	// over it exactly once.
	Assets iter.Seq2[asset.Known, error]
}

// Changes is a part of the feed.
type Changes struct {
	// Assets are the changed assets with their new statuses and reasons, in the order of the feed.
	Assets []asset.Known
	// Cursor is the position after the changes.
	Cursor string
	// More reports whether other changes may follow.
	More bool
	// Age says how old the feed was when Changes was called: every change that was committed longer
	// before the call was in the feed.
	Age time.Duration
}

// Notifier is a [Source] that learns of changes by itself. The Mirror reads the feed as soon as it
// does, and not only at the interval.
type Notifier interface {
	Source
	// Await waits until there are changes after the cursor, and reports true then. It reports false
	// if it cannot wait, if the time is over, and if ctx ends.
	Await(ctx context.Context, cursor string, longest time.Duration) bool
}

// maxPage is how many changes the services return at once.
const maxPage = asset.MaxLimit

// services is the Source of a store.
type services struct {
	assets *asset.Service
	feed   *asset.FeedService
}

// FromServices returns the Source of the store of the services.
func FromServices(assets *asset.Service, feed *asset.FeedService) Source {
	return services{assets, feed}
}

// List implements [Source].
func (s services) List(ctx context.Context) (List, error) {
	feed, err := s.feed.State(ctx)
	if err != nil {
		return List{}, err
	}
	if feed.Last == 0 && feed.Unpublished {
		return List{}, errUnpublished
	}
	return List{Cursor: feed.End().String(), Assets: func(yield func(asset.Known, error) bool) {
		for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusBlocked} {
			for listed, err := range s.assets.All(ctx, asset.Filter{Status: status}, 0) {
				if !yield(listed.Known, err) || err != nil {
					return
				}
			}
		}
	}}, nil
}

// Changes implements [Source].
func (s services) Changes(ctx context.Context, cursor string) (Changes, error) {
	after, err := asset.ParseFeedCursor(cursor)
	if err != nil {
		return Changes{}, err
	}
	feed, err := s.feed.State(ctx)
	if err != nil {
		return Changes{}, err
	}
	changes := Changes{Age: feed.Behind}
	for entry, err := range s.feed.Follow(ctx, after) {
		if err != nil {
			return Changes{}, err
		}
		change := entry.Change
		changes.Assets = append(changes.Assets, change.Known())
		after = entry.Cursor
		if changes.More = len(changes.Assets) == maxPage; changes.More {
			break
		}
	}
	changes.Cursor = after.String()
	return changes, nil
}
