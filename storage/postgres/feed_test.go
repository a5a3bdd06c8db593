package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/feedtest"
	"github.com/apguard/apguard/storage/postgres"
)

// since returns the contents of the changes after the cursor, and the cursor after them.
func since(t *testing.T, store storage.Store, after asset.FeedCursor) ([]string, asset.FeedCursor) {
	t.Helper()
	page, err := store.Since(t.Context(), after, 100)
	require.NoError(t, err)
	if len(page.Items) > 0 {
		after = page.Last().Cursor
	}
	return contentsOf(page), after
}

// contentsOf returns the contents of the changes.
func contentsOf(page asset.Page[asset.FeedEntry]) []string {
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

// In a host transaction, a follower reads the changes of that transaction. Other followers
// that would assign positions wait until the transaction ends.
func TestSince_InHostTransaction(t *testing.T) {
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
			var (
				page asset.Page[asset.FeedEntry]
				done = make(chan error, 1)
			)
			go func() {
				var err error
				page, err = store.Since(t.Context(), asset.FeedCursor{}, 100)
				done <- err
			}()
			awaitLockWaits(t, dsn, 1)
			require.NoError(t, end(tx, t.Context()))
			want := []string{"before", "outside"}
			if reason == "committed" {
				want = []string{"before", "within", "outside"}
			}
			require.NoError(t, <-done)
			require.Equal(t, want, contentsOf(page))
		})
	}
}

// A read-only transaction reads only changes that already have positions.
func TestSince_InReadOnlyTransaction(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	require.NoError(t, block(t.Context(), store, "a"))
	contents, cursor := since(t, store, asset.FeedCursor{})
	require.Equal(t, []string{"a"}, contents)
	reading := func() pgx.Tx {
		tx, err := connect(t, dsn).BeginTx(t.Context(), pgx.TxOptions{AccessMode: pgx.ReadOnly})
		require.NoError(t, err)
		return tx
	}
	contents, _ = since(t, postgres.InTx(reading()), asset.FeedCursor{})
	require.Equal(t, []string{"a"}, contents)

	require.NoError(t, block(t.Context(), store, "b"))
	page, err := postgres.InTx(reading()).Since(t.Context(), asset.FeedCursor{}, 1)
	require.NoError(t, err, "the page is full without the new change")
	require.Len(t, page.Items, 1)
	require.True(t, page.More, "the new change follows")
	_, err = postgres.InTx(reading()).Since(t.Context(), cursor, 1)
	require.ErrorIs(t, err, postgres.ErrReadOnly)
	require.ErrorContains(t, err, "postgres: since: ")
	contents, _ = since(t, store, cursor)
	require.Equal(t, []string{"b"}, contents)
}

// With REPEATABLE READ or higher, a follower fails if its snapshot is older than the
// positions that another follower has assigned.
func TestSince_OldSnapshot(t *testing.T) {
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
			_, err = postgres.InTx(tx).Since(t.Context(), asset.FeedCursor{}, 1)
			require.ErrorIs(t, err, postgres.ErrSerialization)

			alone := begin(t, dsn, level)
			require.NoError(t, block(t.Context(), postgres.InTx(alone), "b"))
			contents, _ = since(t, postgres.InTx(alone), asset.FeedCursor{})
			require.Equal(t, []string{"a", "b"}, contents)
		})
	}
}

func TestSince_CursorOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	feedtest.TestCursors(t, open(t, dsn), open(t, newDatabase(t)),
		func() storage.Store { return open(t, dsn) },
		func() {
			execute(t, dsn, "DELETE FROM apguard_changes; UPDATE apguard_locks SET taken = 0 WHERE name = 'feed'")
		})
}

// openBacklog returns a store with the given number of changes of one asset, in turn to
// BLOCKED and ALLOWED. None has a position.
func openBacklog(t *testing.T, changes int) (dsn string, store *postgres.Store) {
	t.Helper()
	dsn = newDatabase(t)
	store = open(t, dsn)
	require.NoError(t, block(t.Context(), store, "a"))
	execute(t, dsn, fmt.Sprintf(`INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT 1, 0, CASE n %% 2 WHEN 0 THEN 1 ELSE 2 END, CASE n %% 2 WHEN 0 THEN 2 ELSE 1 END, n, 4, 0, ''
		FROM generate_series(1, %d) n`, changes-1))
	return dsn, store
}

// A follower reads a backlog of several pages from the oldest change on.
func TestSince_LongBacklog(t *testing.T) {
	t.Parallel()
	const changes = 2*asset.MaxLimit + 10
	for _, limit := range []int{7, asset.MaxLimit - 1, asset.MaxLimit} {
		_, store := openBacklog(t, changes)
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

// Only the last page is short, even if the changes that were getting positions are pruned.
func TestSince_ConcurrentPruning(t *testing.T) {
	t.Parallel()
	dsn, store := openBacklog(t, 2*asset.MaxLimit+10)
	pruning := begin(t, dsn, pgx.ReadCommitted)
	pruned, err := postgres.InTx(pruning).PruneChanges(t.Context(), asset.PruneCommand{
		Before: time.UnixMilli(1 << 50), Limit: asset.MaxLimit,
	})
	require.NoError(t, err)
	require.Equal(t, asset.MaxLimit, pruned.Removed)

	var page asset.Page[asset.FeedEntry]
	done := make(chan error, 1)
	go func() {
		var err error
		page, err = store.Since(t.Context(), asset.FeedCursor{}, asset.MaxLimit)
		done <- err
	}()
	awaitLockWaits(t, dsn, 1)
	require.NoError(t, pruning.Commit(t.Context()))
	require.NoError(t, <-done)
	require.Len(t, page.Items, asset.MaxLimit)
}

// A follower with small pages assigns positions to more changes than it reads.
func TestSince_SmallPages(t *testing.T) {
	t.Parallel()
	dsn, store := openBacklog(t, 10)
	page, err := store.Since(t.Context(), asset.FeedCursor{}, 1)
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	tx, err := connect(t, dsn).BeginTx(t.Context(), pgx.TxOptions{AccessMode: pgx.ReadOnly})
	require.NoError(t, err)
	page, err = postgres.InTx(tx).Since(t.Context(), page.Items[0].Cursor, 100)
	require.NoError(t, err)
	require.Len(t, page.Items, 9)
}

// A follower that starts at the end does not read older changes that have no position yet.
func TestFeed_EndWithoutFollowers(t *testing.T) {
	t.Parallel()
	_, store := openBacklog(t, 2*asset.MaxLimit+10)
	feed, err := store.Feed(t.Context())
	require.NoError(t, err)
	contents, cursor := since(t, store, feed.End())
	require.Empty(t, contents)
	require.NoError(t, block(t.Context(), store, "new"))
	contents, _ = since(t, store, cursor)
	require.Equal(t, []string{"new"}, contents)
}
