package asset

import (
	"context"
	"iter"
)

// Followed is a change as a follower gets it.
type Followed struct {
	Change Change
	// Cursor is the place in the feed right after the change.
	Cursor FeedCursor
}

// Since returns the changes that come after the cursor in the feed, at most limit
// of them. The feed is for a follower that copies every change to another place: it
// begins with the zero cursor, keeps the Cursor of the last change that it has
// copied, and goes on from there as often as it likes. So it gets each change once,
// and misses none, however many write at the same time. An empty list says that
// nothing is new.
//
// A change gets its place in the feed once it is committed, and keeps it:
//
//   - When one change was committed before the recording of another one began, it
//     comes first.
//   - The changes of one asset come in the order in which its status went, each
//     From being the To of the one before, unless that was pruned.
//   - Changes whose transactions were open at the same time may come in either
//     order. Whoever reads them gets them in the same one.
//
// The order is not that of the changelog, which goes by the time of the changes;
// the clock may have been set back. A change in a transaction of the host's comes
// when that is committed, behind all that was read by then.
//
// Changes that [Service.Prune] removed are gone for followers too. As the latest
// change of each asset stays, one that begins late still ends with the right
// statuses, as long as the clock was not set back. An asset that is UNKNOWN since
// it was registered has no change.
//
// The feed is for whoever runs the service: a change's Origin tells who made it.
//
// Any number of followers may read at the same time. In the store of a host's
// transaction the feed also has what that transaction has changed, and its cursors
// are good for nothing when it is rolled back; other followers may have to wait
// until it ends.
//
// The error is an [*InputError] when the limit is not from 1 to [MaxChangePage], or
// when the store cannot go on from the cursor, and then matches [ErrForeignCursor]
// or [ErrFutureCursor]. A follower that meets these has to begin again, unless the
// store sees the past alone. It also has to when it comes back to a store that was set
// back and has recorded more changes since, which nothing tells it.
func (s *Service) Since(ctx context.Context, after FeedCursor, limit int) ([]Followed, error) {
	if err := checkPageLimit(limit); err != nil {
		return nil, err
	}
	return s.store.Since(ctx, after, limit)
}

// Follow yields the changes that come after the cursor in the feed, as
// [Service.Since] has them, until there are no more. It reads page by page as the
// caller goes on, so it needs the memory of one page and holds nothing of the store
// while the caller is busy.
//
// An error, of the kinds that [Service.Since] has, is yielded once and last, without a
// change, and with the cursor of the last one before it.
func (s *Service) Follow(ctx context.Context, after FeedCursor) iter.Seq2[Followed, error] {
	return func(yield func(Followed, error) bool) {
		place := after
		for {
			page, err := s.Since(ctx, place, MaxChangePage)
			if err != nil {
				yield(Followed{Cursor: place}, err)
				return
			}
			for _, followed := range page {
				if !yield(followed, nil) {
					return
				}
			}
			if len(page) < MaxChangePage {
				return
			}
			place = page[len(page)-1].Cursor
		}
	}
}

// FeedEnd returns the cursor of a follower that begins now, such as one that has
// the statuses already: no change that is committed after the call is missing behind
// it. Some that were committed shortly before may come too.
//
// Where nobody has followed for long, it may take as long as to follow all of that, as
// each change has to get its place first.
//
// The error is one of the storage or of the context.
func (s *Service) FeedEnd(ctx context.Context) (FeedCursor, error) {
	feed, err := s.store.Feed(ctx)
	return feed.End(), err
}
