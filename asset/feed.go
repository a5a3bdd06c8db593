package asset

import (
	"cmp"
	"context"
	"iter"

	"github.com/apguard/apguard/internal/watch"
	"github.com/apguard/apguard/step"
)

// PublishLimit is the largest number of batches or single changes that one step of
// [FeedService.Publish] publishes. Larger steps publish more changes a second, but each of them
// later.
const PublishLimit = 1000

// FeedService delivers every change to followers. A follower copies changes to another
// place, such as a cache or a search index. FeedService is for operators, because the Origin
// of a change says who made it. It is safe for concurrent use.
//
// A follower starts with the zero cursor, stores the cursor of the last change that it
// copied, and can continue from there at any time. No unpruned change is skipped, even
// with concurrent writers. Any number of followers may read at the same time.
//
// The feed also has changes of the [Basis] alone, which the changelog does not have; see
// [Change.OfStatus].
//
// A follower receives every change at least once. If it stops after it has copied a change
// and before it has stored the cursor, it receives that change again. To copy each change
// exactly once, store the copy and the cursor in one transaction.
//
// The position of a change in the feed never changes. Positions have this order:
//
//   - If change A was committed before the recording of change B began, A comes before B.
//   - Changes to one asset arrive in order. The From of each is the To of the previous
//     one, unless the previous one was pruned.
//   - Changes of concurrent transactions may come in either order. The order is the same
//     for all followers.
//
// Unlike the changelog, the feed is not ordered by time; see docs/internals.md,
// section "Clocks".
//
// On PostgreSQL, a committed change gets its position by [FeedService.Publish], which
// Guard.Run of package apguard calls many times a second on a server that writes. Until then no
// follower receives it. On the other stores, each change has its position when it is committed.
// Reading the feed writes nothing, so a follower can read a standby server.
//
// [HistoryService.Prune] removes changes from the feed too. Of each asset, it keeps the last
// one. A follower that starts later therefore still ends with the right status of each asset. A
// follower that has not received the removed changes yet learns that it has missed them
// ([ErrPrunedCursor]). The feed does not mention assets that have been UNKNOWN since their
// registration, unless the operators have decided that.
//
// In a transaction of the host application, the feed includes the published changes of that
// transaction. After a rollback, do not use a cursor from such a feed. Later changes may
// take the positions of the rolled-back changes, and a follower that continues from the
// cursor would miss these later changes.
type FeedService struct {
	store FeedStore
	watch *watch.Watch[Feed]
}

// NewFeedService returns a FeedService on the store.
func NewFeedService(store FeedStore) *FeedService {
	return &FeedService{store: store, watch: watchFeed(store)}
}

// FeedEntry is a change with its position in the feed.
type FeedEntry struct {
	Change Change `json:"change"`
	// Cursor is the position right after the change.
	Cursor FeedCursor `json:"cursor"`
}

// PageBytes implements [PageItem].
func (e FeedEntry) PageBytes() int {
	return e.Change.PageBytes()
}

// Since returns at most limit changes that come after the cursor in the feed. The limit
// is at most [MaxLimit], and 0 means [DefaultLimit]. The result has at most [MaxPageBytes],
// so only an empty result means that there is nothing new.
//
// The error is an [*InputError] if the limit is invalid, or if the store cannot continue
// from the cursor. In the second case it matches [ErrForeignCursor], [ErrPrunedCursor] or
// [ErrFutureCursor]. After the first two, the follower must start again with the zero cursor, or
// copy all statuses again; see [FeedService.End]. After ErrFutureCursor, what it must do depends
// on the cause; see that error.
//
// A follower must also start again after the store was restored from a backup, or after a
// failover that lost commits, as one to an asynchronous standby can. Since does not always
// detect this: new changes may already have taken the positions of the lost ones.
func (s *FeedService) Since(ctx context.Context, after FeedCursor, limit int) ([]FeedEntry, error) {
	if err := validateLimit(limit); err != nil {
		return nil, err
	}
	page, err := s.store.Since(ctx, after, cmp.Or(limit, DefaultLimit))
	return page.Items, err
}

// Follow yields the changes after the cursor in the feed until there are no more. It
// reads page by page: it keeps one page in memory and holds no resource of the store
// while the loop body runs.
//
// An error ends the sequence. It comes with an entry that has a zero Change and a cursor
// to continue from. This is the cursor of the last change that was yielded, or the given
// cursor if there was none. [FeedService.Since] describes the errors.
func (s *FeedService) Follow(ctx context.Context, after FeedCursor) iter.Seq2[FeedEntry, error] {
	return func(yield func(FeedEntry, error) bool) {
		last := FeedEntry{Cursor: after}
		entries := step.Pages(after, func(e FeedEntry) FeedCursor { return e.Cursor }, func(after FeedCursor, limit int) (step.Page[FeedEntry], error) {
			return s.store.Since(ctx, after, limit)
		})
		for entry, err := range entries {
			if err != nil {
				yield(FeedEntry{Cursor: last.Cursor}, err)
				return
			}
			if last = entry; !yield(entry, nil) {
				return
			}
		}
	}
}

// End returns the cursor for a follower that starts now. A follower that copies all
// statuses in another way must call End before the copy. Otherwise it misses the changes
// between the copy and the call.
//
// Every change that is committed after the call comes after the cursor. Changes that were
// committed before, and not yet published, also come after it.
func (s *FeedService) End(ctx context.Context) (FeedCursor, error) {
	feed, err := s.State(ctx)
	return feed.End(), err
}

// State describes the feed. Its Last is the same if nothing was published between two calls.
// Assets that are read after a call have all changes up to its Last.
func (s *FeedService) State(ctx context.Context) (Feed, error) {
	return s.store.Feed(ctx)
}

// Publish gives positions in the feed to all changes that were committed before the call. It does
// nothing on a store that gives them with the commit. Any number of servers may call it at the same
// time. A transaction of the host application that calls it blocks the other calls until it ends.
func (s *FeedService) Publish(ctx context.Context) error {
	for {
		more, err := s.store.PublishChanges(ctx, PublishLimit)
		if err != nil || !more {
			return err
		}
	}
}
