package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/feedtest"
	"github.com/apguard/apguard/storage/postgres"
)

// publish gives all committed changes their positions.
func publish(t *testing.T, store storage.Store) {
	t.Helper()
	require.NoError(t, asset.NewFeedService(store).Publish(t.Context()))
}

// since publishes all changes, and returns the contents of those after the cursor and the cursor
// after them.
func since(t *testing.T, store storage.Store, after asset.FeedCursor) ([]string, asset.FeedCursor) {
	t.Helper()
	publish(t, store)
	page, err := store.Since(t.Context(), after, 100)
	require.NoError(t, err)
	if len(page.Items) > 0 {
		after = page.Last().Cursor
	}
	return contentsOf(page), after
}

// contentsOf returns the contents of the changes.
func contentsOf(page step.Page[asset.FeedEntry]) []string {
	contents := make([]string, len(page.Items))
	for i, followed := range page.Items {
		contents[i] = followed.Change.Content
	}
	return contents
}

// A change with a lower ID that is committed after a higher ID was read comes later.
func TestSince_LateCommit(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	late := begin(t, dsn, pgx.ReadCommitted)
	require.NoError(t, block(t.Context(), postgres.InTx(late), "late"))
	undone := begin(t, dsn, pgx.ReadCommitted)
	require.NoError(t, block(t.Context(), postgres.InTx(undone), "undone"))
	require.NoError(t, block(t.Context(), store, "early"))

	contents, cursor := since(t, store, asset.FeedCursor{})
	require.Equal(t, []string{"early"}, contents)
	require.NoError(t, undone.Rollback(t.Context()))
	contents, same := since(t, store, cursor)
	require.Empty(t, contents)
	require.Equal(t, cursor, same)

	require.NoError(t, late.Commit(t.Context()))
	contents, cursor = since(t, store, cursor)
	require.Equal(t, []string{"late"}, contents)
	require.Less(t,
		queryValue[int64](t, dsn, "SELECT c.id FROM apguard_changes c JOIN apguard_assets a ON a.id = c.asset_id WHERE a.canonical = 'late'"),
		queryValue[int64](t, dsn, "SELECT c.id FROM apguard_changes c JOIN apguard_assets a ON a.id = c.asset_id WHERE a.canonical = 'early'"),
		"the late change must have the lower ID")
	contents, _ = since(t, store, cursor)
	require.Empty(t, contents)
	contents, _ = since(t, store, asset.FeedCursor{})
	require.Equal(t, []string{"early", "late"}, contents, "other followers read the same order")
}

// In a host transaction, the changes of that transaction can be published. Other publications wait
// until it ends.
func TestPublishChanges_InHostTransaction(t *testing.T) {
	t.Parallel()
	for reason, end := range map[string]func(pgx.Tx, context.Context) error{
		"committed":   pgx.Tx.Commit,
		"rolled back": pgx.Tx.Rollback,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			store := open(t, dsn)
			require.NoError(t, block(t.Context(), store, "before"))
			tx := begin(t, dsn, pgx.ReadCommitted)
			require.NoError(t, block(t.Context(), postgres.InTx(tx), "within"))
			contents, _ := since(t, postgres.InTx(tx), asset.FeedCursor{})
			require.Equal(t, []string{"before", "within"}, contents)

			require.NoError(t, block(t.Context(), store, "outside"), "recording a change does not wait")
			page, err := store.Since(t.Context(), asset.FeedCursor{}, 100)
			require.NoError(t, err, "reading the feed does not wait")
			require.Empty(t, page.Items)
			done := make(chan error, 1)
			go func() {
				_, err := store.PublishChanges(t.Context(), 100)
				done <- err
			}()
			awaitLockWaits(t, dsn, 1)
			require.NoError(t, end(tx, t.Context()))
			want := []string{"before", "outside"}
			if reason == "committed" {
				want = []string{"before", "within", "outside"}
			}
			require.NoError(t, <-done)
			page, err = store.Since(t.Context(), asset.FeedCursor{}, 100)
			require.NoError(t, err)
			require.Equal(t, want, contentsOf(page))
		})
	}
}

// Reading the feed writes nothing.
func TestSince_InReadOnlyTransaction(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	require.NoError(t, block(t.Context(), store, "a"))
	_, cursor := since(t, store, asset.FeedCursor{})
	require.NoError(t, block(t.Context(), store, "b"))
	tx, err := connect(t, dsn).BeginTx(t.Context(), pgx.TxOptions{AccessMode: pgx.ReadOnly})
	require.NoError(t, err)
	reading := postgres.InTx(tx)
	page, err := reading.Since(t.Context(), asset.FeedCursor{}, 100)
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, contentsOf(page))
	feed, err := reading.Feed(t.Context())
	require.NoError(t, err)
	require.Equal(t, cursor, feed.End())
	require.True(t, feed.Unpublished)
	require.Positive(t, feed.Behind)

	_, err = reading.PublishChanges(t.Context(), 100)
	require.ErrorIs(t, err, postgres.ErrReadOnly)
	require.ErrorContains(t, err, "postgres: publish changes: ")
	contents, _ := since(t, store, cursor)
	require.Equal(t, []string{"b"}, contents)
}

// With REPEATABLE READ or higher, a publication fails if its snapshot is older than another one.
func TestPublishChanges_OldSnapshot(t *testing.T) {
	t.Parallel()
	for _, level := range []pgx.TxIsoLevel{pgx.RepeatableRead, pgx.Serializable} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			store := open(t, dsn)
			require.NoError(t, block(t.Context(), store, "a"))
			tx := begin(t, dsn, level)
			_, err := tx.Exec(t.Context(), "SELECT 1 FROM apguard_changes")
			require.NoError(t, err)
			contents, _ := since(t, store, asset.FeedCursor{})
			require.Equal(t, []string{"a"}, contents)
			_, err = postgres.InTx(tx).PublishChanges(t.Context(), 1)
			require.ErrorIs(t, err, postgres.ErrSerialization)

			alone := begin(t, dsn, level)
			require.NoError(t, block(t.Context(), postgres.InTx(alone), "b"))
			contents, _ = since(t, postgres.InTx(alone), asset.FeedCursor{})
			require.Equal(t, []string{"a", "b"}, contents)
		})
	}
}

// A change that is committed after a publication has chosen its changes is not taken for published.
// Of publications that wait for each other, only the first one writes.
func TestPublishChanges_Waiting(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	require.NoError(t, block(t.Context(), store, "a"))
	locking := begin(t, dsn, pgx.ReadCommitted)
	_, err := locking.Exec(t.Context(), "SELECT 1 FROM apguard_store FOR UPDATE")
	require.NoError(t, err)
	const publications = 3
	done := make(chan error, publications)
	for range publications {
		another := open(t, dsn)
		go func() { done <- asset.NewFeedService(another).Publish(t.Context()) }()
	}
	awaitLockWaits(t, dsn, publications)
	now := func() int64 {
		return queryValue[int64](t, dsn, "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT")
	}
	before := now()
	require.NoError(t, locking.Commit(t.Context()))
	for range publications {
		require.NoError(t, <-done)
	}
	publishedAt := queryValue[int64](t, dsn, "SELECT published_at FROM apguard_store")
	require.LessOrEqual(t, publishedAt, before)
	stored := queryValue[string](t, dsn, "SELECT xmin::TEXT FROM apguard_store")
	changed := queryValue[string](t, dsn, "SELECT xmin::TEXT FROM apguard_feed")
	if now()-publishedAt < 1000 { // later, the others must renew the time
		require.Equal(t, changed, stored, "the last write of the store is that of the change's position")
	}
}

// Feed tells how far it is behind, and a publication writes only if it has something to do.
func TestFeed_Behind(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	state := func() asset.Feed {
		feed, err := store.Feed(t.Context())
		require.NoError(t, err)
		return feed
	}
	const later = "UPDATE apguard_store SET published_at = published_at - 60000"
	publishedAt := func() int64 { return queryValue[int64](t, dsn, "SELECT published_at FROM apguard_store") }
	execute(t, dsn, later)
	require.Equal(t, asset.Feed{Store: state().Store}, state(), "without changes it has all of them")
	require.NoError(t, block(t.Context(), store, "a"))
	require.True(t, state().Unpublished)
	require.GreaterOrEqual(t, state().Behind, time.Minute)

	before := publishedAt()
	more, err := store.PublishChanges(t.Context(), 1)
	require.NoError(t, err)
	require.True(t, more)
	require.Equal(t, before, publishedAt(), "there may be more")
	require.Equal(t, asset.Feed{Store: state().Store, Last: 1}, state())
	publish(t, store)
	require.Greater(t, publishedAt(), before+50_000)
	require.Equal(t, int64(1), state().Last, "no position is wasted")

	written := publishedAt()
	publish(t, store)
	require.Equal(t, written, publishedAt(), "it has nothing to do")
	execute(t, dsn, "UPDATE apguard_store SET published_at = published_at + 60000")
	require.NoError(t, block(t.Context(), store, "b"))
	require.Greater(t, state().Behind, 50*time.Second, "the clock was set back")
	publish(t, store)
	require.Less(t, publishedAt(), written+60_000)
}

func TestSince_CursorOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	feedtest.TestCursors(t, open(t, dsn), open(t, newDatabase(t)),
		func() storage.Store { return open(t, dsn) },
		func() {
			execute(t, dsn, "DELETE FROM apguard_changes; DELETE FROM apguard_feed; UPDATE apguard_store SET last_position = 0")
		})
}

// openBacklog returns a store with the given number of changes of one asset, in turn to
// BLOCKED and ALLOWED. None is published. Two at a time were recorded together.
func openBacklog(t *testing.T, changes int) (dsn string, store *postgres.Store) {
	t.Helper()
	dsn = newDatabase(t)
	store = open(t, dsn)
	require.NoError(t, block(t.Context(), store, "a"))
	execute(t, dsn, fmt.Sprintf(`INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT 1000 + n, 1, 0, CASE n %% 2 WHEN 0 THEN 1 ELSE 2 END, CASE n %% 2 WHEN 0 THEN 2 ELSE 1 END, n, 4, 0, ''
		FROM generate_series(1, %d) n;
		INSERT INTO apguard_feed (first_change, changes) SELECT min(id), count(*) FROM apguard_changes WHERE id > 1000 GROUP BY id / 2`, changes-1))
	return dsn, store
}

// A backlog of several steps is published from the oldest change on.
func TestPublishChanges_LongBacklog(t *testing.T) {
	t.Parallel()
	const changes = 2*asset.PublishLimit + 10
	_, store := openBacklog(t, changes)
	more, err := store.PublishChanges(t.Context(), asset.PublishLimit)
	require.NoError(t, err)
	require.True(t, more)
	publish(t, store)
	for _, limit := range []int{7, asset.MaxLimit - 1, asset.MaxLimit} {
		var (
			cursor asset.FeedCursor
			got    int
			last   = asset.StatusUnknown
		)
		for {
			page, err := store.Since(t.Context(), cursor, limit)
			require.NoError(t, err)
			for _, followed := range page.Items {
				require.Equal(t, last, followed.Change.From, "limit %d: change %d", limit, got)
				last, cursor = followed.Change.To, followed.Cursor
				got++
			}
			if !page.More {
				break
			}
		}
		require.Equal(t, changes, got, "limit %d", limit)
	}
}

// The feed goes on after more positions than an integer of 32 bits can count.
func TestSince_LargePositions(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	require.NoError(t, block(t.Context(), store, "a"))
	publish(t, store)
	execute(t, dsn, "UPDATE apguard_feed SET position = position + 5000000000; UPDATE apguard_store SET last_position = last_position + 5000000000")
	contents, cursor := since(t, store, asset.FeedCursor{})
	require.Equal(t, []string{"a"}, contents)
	require.NoError(t, block(t.Context(), store, "b"))
	contents, _ = since(t, store, cursor)
	require.Equal(t, []string{"b"}, contents)
}

// A call may record more changes than a row of the feed can have.
func TestPublishChanges_LargeCall(t *testing.T) {
	t.Parallel()
	store := accounttest.Organizations(t, open(t, newDatabase(t)), 1)
	const changes = 2*asset.MaxLimit + 1
	_, err := store.AddToAllowlist(t.Context(), benchtest.AddCommand(0, changes))
	require.NoError(t, err)
	done := make(chan struct{})
	close(done)
	got, _, err := feedtest.Until(t.Context(), store, done)
	require.NoError(t, err)
	require.Len(t, got, changes)
	feedtest.RequireAll(t, store, got)
}

// Pruning does not block a publication, and a follower reads what is left. The feed keeps no rows
// for removed changes.
func TestPublishChanges_ConcurrentPruning(t *testing.T) {
	t.Parallel()
	const left = asset.MaxLimit + 11
	dsn, store := openBacklog(t, asset.MaxLimit+left)
	prune := func(store storage.Store) {
		pruned, err := store.PruneChanges(t.Context(), asset.PruneCommand{Before: time.UnixMilli(1 << 50), Limit: asset.MaxLimit})
		require.NoError(t, err)
		require.Equal(t, asset.MaxLimit, pruned.Removed)
	}
	inFeed := func() (changes int) {
		for _, err := range asset.NewFeedService(store).Follow(t.Context(), asset.FeedCursor{}) {
			require.NoError(t, err)
			changes++
		}
		return changes
	}
	pruning := begin(t, dsn, pgx.ReadCommitted)
	prune(postgres.InTx(pruning))
	publish(t, store)
	require.NoError(t, pruning.Commit(t.Context()))
	require.Equal(t, left, inFeed())
	rows := func() int { return queryValue[int](t, dsn, "SELECT count(*) FROM apguard_feed") }
	before := rows()
	prune(store)
	require.Equal(t, left-asset.MaxLimit, inFeed())
	require.Equal(t, before-asset.MaxLimit/2, rows())
}

// A follower that starts at the end receives what is published later.
func TestFeed_EndBeforePublication(t *testing.T) {
	t.Parallel()
	_, store := openBacklog(t, 1)
	feed, err := store.Feed(t.Context())
	require.NoError(t, err)
	contents, cursor := since(t, store, feed.End())
	require.Equal(t, []string{"a"}, contents)
	require.NoError(t, block(t.Context(), store, "new"))
	contents, _ = since(t, store, cursor)
	require.Equal(t, []string{"new"}, contents)
}
