package asset

import (
	"cmp"
	"context"
	"iter"
)

// FeedService delivers every change exactly once to followers. A follower copies
// changes to another place, such as a cache or a search index. It is for operators: the
// Origin of a change says who made it. It is safe for concurrent use.
//
// A follower starts with the zero cursor, stores the cursor of the last change that it
// copied, and continues from there at any time. No unpruned change is skipped, however
// many writers there are. Any number of followers may read at the same time.
//
// A change gets its position in the feed when it is committed, and keeps it:
//
//   - If one change was committed before the recording of another began, it comes first.
//   - Changes to one asset arrive in order: From of each is To of the one before, unless
//     that was pruned.
//   - Changes of concurrent transactions may come in either order, which is the same for
//     all followers.
//
// The feed is not ordered by the time of the changes, as the changelog is; see
// ARCHITECTURE.md, section "Clocks".
//
// [HistoryService.Prune] removes changes from the feed too. A follower that starts later
// still ends with the right statuses, because the latest change of each asset stays. An
// asset that has been UNKNOWN since its registration has no change.
//
// In the store of a host's transaction, the feed includes the changes of that
// transaction. Its cursors become invalid on rollback, and other followers may have to
// wait until the transaction ends.
type FeedService struct {
	store FeedStore
}

// NewFeedService returns a FeedService on the store.
func NewFeedService(store FeedStore) *FeedService {
	return &FeedService{store: store}
}

// FeedEntry is a change with its position in the feed.
type FeedEntry struct {
	Change Change `json:"change"`
	// Cursor is the position right after the change.
	Cursor FeedCursor `json:"cursor"`
}

// Since returns the changes after the cursor in the feed, at most limit. The limit is up
// to [MaxLimit], and 0 means [DefaultLimit]. An empty result means that there is nothing
// new.
//
// The error is an [*InputError] if the limit is invalid, or if the store cannot continue
// from the cursor. It then matches [ErrForeignCursor] or [ErrFutureCursor], and the
// follower must start again with the zero cursor. A follower must also start again after
// the store was restored from a backup; the store does not notice if it has recorded
// more changes since.
func (s *FeedService) Since(ctx context.Context, after FeedCursor, limit int) ([]FeedEntry, error) {
	if err := validateLimit(limit); err != nil {
		return nil, err
	}
	return s.store.Since(ctx, after, cmp.Or(limit, DefaultLimit))
}

// Follow yields the changes after the cursor in the feed until there are no more. It
// reads page by page: it keeps one page in memory and holds no resource of the store
// while the loop body runs.
//
// An error ends the sequence. It comes with an entry that has no change, and whose cursor
// is that of the last change. [FeedService.Since] describes the errors.
func (s *FeedService) Follow(ctx context.Context, after FeedCursor) iter.Seq2[FeedEntry, error] {
	return func(yield func(FeedEntry, error) bool) {
		cursor := after
		for {
			page, err := s.Since(ctx, cursor, MaxLimit)
			if err != nil {
				yield(FeedEntry{Cursor: cursor}, err)
				return
			}
			for _, entry := range page {
				if !yield(entry, nil) {
					return
				}
			}
			if len(page) < MaxLimit {
				return
			}
			cursor = page[len(page)-1].Cursor
		}
	}
}

// End returns the cursor for a follower that starts now, such as one that has copied all
// statuses in another way. Every change that is committed after the call comes after the
// cursor. Some that were committed shortly before may come too.
//
// Each change gets its position first. If the feed was not read for a long time, End may
// take as long as reading it.
func (s *FeedService) End(ctx context.Context) (FeedCursor, error) {
	feed, err := s.store.Feed(ctx)
	return feed.End(), err
}
