package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/feedtest"
	"github.com/apguard/apguard/storage/postgres"
)

// turn returns what a name's n-th status is, which never is the one before.
func turn(n int) asset.Status {
	return asset.Statuses()[(n+1)%3]
}

// Eight writers record changes in all ways, while a follower reads from the
// beginning. With APGUARD_TEST_CHANGES=100000 there are that many.
func TestSince_EightWriters(t *testing.T) {
	t.Parallel()
	// What a crash leaves is not looked at here.
	dsn := with(t, database(t), "synchronous_commit", "off")
	store := open(t, dsn)
	total := feedtest.Changes()
	writers := []func(ctx context.Context, name string, changes int) error{
		setting(store), setting(store), setting(store),
		adding(store), adding(store),
		reviewing(store),
		holding(t, dsn), holding(t, dsn),
	}
	var (
		group   sync.WaitGroup
		done    = make(chan struct{})
		written = make(chan error, len(writers))
	)
	for i, write := range writers {
		group.Go(func() { written <- write(t.Context(), fmt.Sprintf("writer-%d", i), total/len(writers)) })
	}
	go func() {
		group.Wait()
		close(done)
	}()
	begin := time.Now()
	got, polls, err := feedtest.Until(t.Context(), store, done)
	require.NoError(t, err)
	for range writers {
		require.NoError(t, <-written)
	}
	t.Logf("%d changes by %d writers in %v, of which the follower asked %d times", len(got), len(writers), time.Since(begin), polls)
	require.GreaterOrEqual(t, len(got), total/len(writers)*len(writers))
	feedtest.RequireAll(t, store, got)
	feedtest.RequireHistory(t, store, got)

	ids := make([]int64, len(got))
	late := 0
	for i, followed := range got {
		if ids[i] = followed.Change.ID; i > 0 && ids[i] < ids[i-1] {
			late++
		}
	}
	t.Logf("%d times a change came after one with a higher identifier", late)
	require.Positive(t, late, "no change was committed late")
	require.Equal(t, single[[]int64](t, dsn, "SELECT array_agg(id ORDER BY feed_position) FROM apguard_changes"), ids)
	require.Equal(t, len(got), single[int](t, dsn, "SELECT count(DISTINCT feed_position) FROM apguard_changes WHERE feed_position > 0"))
}

// setting sets statuses one by one, of assets that all writers share.
func setting(store *postgres.Store) func(context.Context, string, int) error {
	return func(ctx context.Context, name string, changes int) error {
		for n := range changes {
			if err := setStatus(ctx, store, name, turn(n)); err != nil {
				return err
			}
			if err := setStatus(ctx, store, fmt.Sprintf("shared-%d", n%10), turn(n/10)); err != nil {
				return err
			}
		}
		return nil
	}
}

// adding adds batches of new assets.
func adding(store *postgres.Store) func(context.Context, string, int) error {
	return func(ctx context.Context, name string, changes int) error {
		for n := 0; n < changes; n += 50 {
			a := benchtest.AddCommand(n, 50)
			for i := range a.Candidates {
				a.Candidates[i].Identity.Canonical += name
			}
			if _, err := store.AddToAllowlist(ctx, a); err != nil {
				return err
			}
		}
		return nil
	}
}

// reviewing files reports and approves what they propose.
func reviewing(store *postgres.Store) func(context.Context, string, int) error {
	return func(ctx context.Context, name string, changes int) error {
		for n := range changes {
			filed, err := store.FileReport(ctx, report.FileCommand{OrganizationID: 1, Proposals: []report.NewProposal{{
				Identity: asset.Identity{Type: asset.TypeURL, Canonical: name}, Content: name, ProposedStatus: turn(n),
			}}})
			if err != nil {
				return err
			}
			if _, err := reviews(store).Review(ctx, report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove}); err != nil {
				return err
			}
		}
		return nil
	}
}

// holding keeps five transactions of the host's open, and ends the oldest when it
// begins another one. One in four is rolled back.
func holding(t *testing.T, dsn string) func(context.Context, string, int) error {
	t.Helper()
	const opened = 5
	connections := make([]*pgx.Conn, opened)
	for i := range connections {
		connections[i] = connect(t, dsn)
	}
	return func(ctx context.Context, name string, changes int) error {
		var (
			open   [opened]pgx.Tx
			steps  [opened]int
			stored int
		)
		for n := 0; stored < changes; n++ {
			slot := n % opened
			if tx := open[slot]; tx != nil {
				open[slot] = nil
				if n%4 == 0 {
					if err := tx.Rollback(ctx); err != nil {
						return err
					}
				} else {
					if err := tx.Commit(ctx); err != nil {
						return err
					}
					steps[slot] += 3
					stored += 3
				}
			}
			tx, err := connections[slot].Begin(ctx)
			if err != nil {
				return err
			}
			open[slot] = tx
			for i := range 3 {
				if err := setStatus(ctx, postgres.InTx(tx), fmt.Sprintf("%s-%d", name, slot), turn(steps[slot]+i)); err != nil {
					return err
				}
			}
		}
		var failed error
		for _, tx := range open {
			failed = errors.Join(failed, tx.Commit(ctx))
		}
		return failed
	}
}
