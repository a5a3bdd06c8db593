package feed

import (
	"context"

	"github.com/apguard/apguard/asset"
)

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
func (s services) List(ctx context.Context, history int) (List, error) {
	feed, err := s.feed.State(ctx)
	if err != nil {
		return List{}, err
	}
	if feed.Last == 0 && feed.Unpublished {
		return List{}, errUnpublished
	}
	list := List{Feed: feed, Assets: func(yield func(asset.Known, error) bool) {
		for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusBlocked} {
			for listed, err := range s.assets.All(ctx, asset.Filter{Status: status}, 0) {
				if !yield(listed.Known, err) || err != nil {
					return
				}
			}
		}
	}}
	if start := feed.Last - int64(history); start > 0 {
		list.Start = feed.Cursor(start)
	}
	return list, nil
}

// Changes implements [Source].
func (s services) Changes(ctx context.Context, cursor asset.FeedCursor) (Changes, error) {
	feed, err := s.feed.State(ctx)
	if err != nil {
		return Changes{}, err
	}
	changes := Changes{Age: feed.Behind, Cursor: cursor}
	for entry, err := range s.feed.Follow(ctx, cursor) {
		if err != nil {
			return Changes{}, err
		}
		changes.Entries = append(changes.Entries, entry)
		changes.Cursor = entry.Cursor
		if changes.More = len(changes.Entries) == maxPage; changes.More {
			break
		}
	}
	return changes, nil
}
