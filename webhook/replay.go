package webhook

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
)

// ReplayMargin is how much earlier than the given time a replay begins. The feed is not exactly in
// the order of time, as the clocks of servers differ.
const ReplayMargin = 5 * time.Minute

// Replay moves the endpoint to the place that it had at the given time, less [ReplayMargin]. It
// receives the events since then again, in messages with new IDs, so that a receiver that ignores
// repeated messages accepts them. The zero time is the beginning. A time after the last event skips
// what was not received yet. Pruned changes, and removed disputes, are not sent.
//
// Changes that were imported into an empty store are at the beginning of the feed, whatever their
// time. The state of the endpoint stays the same. Replay returns the endpoint, or [ErrNotFound].
func (s *Service) Replay(ctx context.Context, id int64, from time.Time) (Endpoint, error) {
	place, err := s.placeAt(ctx, from)
	if err != nil {
		return Endpoint{}, err
	}
	e, err := s.administer(ctx, id, audit.ActionReplayed, func(e Endpoint, now time.Time) Endpoint { return e.replayed(place, now) })
	return e.withoutSecrets(), err
}

func (e Endpoint) replayed(place Place, now time.Time) Endpoint {
	e.Place, e.Batch = place, Batch{}
	e.Replays++
	return e.dueNow(now)
}

// placeAt returns the place before the first events that are not older than the time, less the
// margin.
func (s *Service) placeAt(ctx context.Context, from time.Time) (Place, error) {
	if from.IsZero() {
		return Place{}, nil
	}
	end, err := s.End(ctx)
	if err != nil {
		return Place{}, err
	}
	from = from.Add(-ReplayMargin)
	change, err := before(from, end.Feed.Last, func(after int64) (int64, time.Time, error) {
		entries, err := s.Changes(ctx, Place{Cursor: cursorAt(end.Feed, after)}, end, 1)
		if err != nil || len(entries) == 0 {
			return 0, time.Time{}, err
		}
		return entries[0].Position, entries[0].Change.At, nil
	})
	if err != nil {
		return Place{}, err
	}
	event, err := before(from, end.Dispute, func(after int64) (int64, time.Time, error) {
		events, err := s.Disputes(ctx, Place{Dispute: after}, end, 1)
		if err != nil || len(events) == 0 {
			return 0, time.Time{}, err
		}
		return events[0].Position, events[0].At, nil
	})
	if err != nil {
		return Place{}, err
	}
	act, err := before(from, end.Act, func(after int64) (int64, time.Time, error) {
		acts, err := s.Acts(ctx, Place{Act: after}, end, 1)
		if err != nil || len(acts) == 0 {
			return 0, time.Time{}, err
		}
		return acts[0].ID, acts[0].CreatedAt, nil
	})
	return Place{Cursor: cursorAt(end.Feed, change), Position: change, Dispute: event, Act: act}, err
}

// before returns a position before the first event that is not older than the time, and after all
// that are. next returns the position and the time of the first event after a position, or 0. It
// halves the events, so it reads few of them.
func before(from time.Time, end int64, next func(after int64) (int64, time.Time, error)) (int64, error) {
	first, last := int64(0), end // the position is one of these or lies in between
	for first < last {
		middle := first + (last-first)/2
		position, at, err := next(middle)
		switch {
		case err != nil:
			return 0, err
		case position == 0, !at.Before(from):
			last = middle
		default:
			first = position
		}
	}
	return first, nil
}

// cursorAt returns the cursor of a position, which is 0 at the beginning.
func cursorAt(feed asset.Feed, position int64) asset.FeedCursor {
	if position == 0 {
		return asset.FeedCursor{}
	}
	return feed.Cursor(position)
}
