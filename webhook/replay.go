package webhook

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// ReplayMargin is how much earlier than the given time a replay begins. The feed is not exactly in
// the order of time, as the clocks of servers differ.
const ReplayMargin = 5 * time.Minute

// Replay moves the endpoint to the place in the feed that it had at the given time, less
// [ReplayMargin]. It receives the changes since then again, in messages with new IDs, so that a
// receiver that ignores repeated messages accepts them. The zero time is the beginning of the
// feed. A time after the last change skips what was not received yet. Pruned changes are not sent.
//
// Changes that were imported into an empty store are at the beginning of the feed, whatever their
// time. The state of the endpoint stays the same. Replay returns the endpoint, or [ErrNotFound].
func (s *Service) Replay(ctx context.Context, id int64, from time.Time) (Endpoint, error) {
	place, err := s.placeAt(ctx, from)
	if err != nil {
		return Endpoint{}, err
	}
	e, err := s.update(ctx, id, func(e Endpoint, now time.Time) (Endpoint, error) { return e.replayed(place, now), nil })
	return e.withoutSecrets(), err
}

func (e Endpoint) replayed(place Place, now time.Time) Endpoint {
	e.Place, e.Batch = place, Batch{}
	e.Replays++
	return e.dueNow(now)
}

// placeAt returns the place before the first change that is not older than the time, less the
// margin. It halves the feed, so it reads few changes.
func (s *Service) placeAt(ctx context.Context, from time.Time) (Place, error) {
	if from.IsZero() {
		return Place{}, nil
	}
	feed, err := s.feed.Feed(ctx)
	if err != nil {
		return Place{}, err
	}
	from = from.Add(-ReplayMargin)
	first, last := int64(0), feed.Last // the position is one of these or lies in between
	for first < last {
		middle := first + (last-first)/2
		page, err := s.feed.Since(ctx, cursorAt(feed, middle), 1)
		if err != nil {
			return Place{}, err
		}
		if len(page.Items) == 0 || !page.Items[0].Change.At.Before(from) {
			last = middle
			continue
		}
		position, err := feed.Position(page.Items[0].Cursor)
		if err != nil {
			position = last // a change that is newer than the described feed
		}
		first = min(position, last)
	}
	return Place{Cursor: cursorAt(feed, first), Position: first}, nil
}

// cursorAt returns the cursor of a position, which is 0 at the beginning.
func cursorAt(feed asset.Feed, position int64) asset.FeedCursor {
	if position == 0 {
		return asset.FeedCursor{}
	}
	return feed.Cursor(position)
}
