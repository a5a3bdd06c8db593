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
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/test/feedtest"
	"github.com/apguard/apguard/storage/postgres"
)

// nthStatus returns a status that differs from the one for n-1.
func nthStatus(n int) asset.Status {
	return asset.Statuses()[(n+1)%3]
}

// Eight writers record changes with different calls while a follower reads.
func TestSince_EightWriters(t *testing.T) {
	t.Parallel()
	dsn := withParameter(t, newDatabase(t), "synchronous_commit", "off")
	store := accounttest.Organizations(t, open(t, dsn), 1)
	total := feedtest.Changes()
	writers := []func(ctx context.Context, name string, changes int) error{
		setStatuses(store), setStatuses(store), setStatuses(store),
		addBatches(store), addBatches(store),
		approveProposals(store),
		holdTransactions(t, dsn), holdTransactions(t, dsn),
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
	t.Logf("%d changes by %d writers in %v, %d reads", len(got), len(writers), time.Since(begin), polls)
	require.GreaterOrEqual(t, len(got), total/len(writers)*len(writers))
	feedtest.RequireAll(t, store, got)

	ids := make([]int64, len(got))
	late := 0
	for i, followed := range got {
		if ids[i] = followed.Change.ID; i > 0 && ids[i] < ids[i-1] {
			late++
		}
	}
	t.Logf("%d changes came after one with a higher ID", late)
	require.Positive(t, late, "no change was committed late")
	const positions = " FROM apguard_feed f JOIN apguard_changes c ON c.id >= f.first_change AND c.id < f.first_change + f.changes"
	require.Equal(t, queryValue[[]int64](t, dsn, "SELECT array_agg(id ORDER BY f.position + c.id - f.first_change)"+positions), ids)
	require.Equal(t, len(got), queryValue[int](t, dsn, "SELECT count(DISTINCT f.position + c.id - f.first_change)"+positions+" WHERE f.position > 0"))
	require.Equal(t, len(got), queryValue[int](t, dsn, "SELECT last_position FROM apguard_store"), "no position is wasted")
}

// setStatuses sets the status of assets one by one. Some are shared with other writers.
func setStatuses(store *postgres.Store) func(context.Context, string, int) error {
	return func(ctx context.Context, name string, changes int) error {
		for n := range changes {
			if err := setStatus(ctx, store, name, nthStatus(n)); err != nil {
				return err
			}
			if err := setStatus(ctx, store, fmt.Sprintf("shared-%d", n%10), nthStatus(n/10)); err != nil {
				return err
			}
		}
		return nil
	}
}

// addBatches adds batches of new assets.
func addBatches(store *postgres.Store) func(context.Context, string, int) error {
	return func(ctx context.Context, name string, changes int) error {
		for n := 0; n < changes; n += 50 {
			a := benchtest.AddCommand(n, 50)
			for i := range a.Entries {
				a.Entries[i].Asset.Canonical += name
			}
			if _, err := store.AddToAllowlist(ctx, a); err != nil {
				return err
			}
		}
		return nil
	}
}

// approveProposals files reports and approves their proposals.
func approveProposals(store *postgres.Store) func(context.Context, string, int) error {
	reviews := report.NewReviewService(store, report.Options{})
	return func(ctx context.Context, name string, changes int) error {
		for n := range changes {
			filed, err := store.FileReport(ctx, report.FileCommand{OrganizationID: 1, Proposals: []report.ProposedAsset{{
				Identity: asset.Identity{Type: asset.TypeURL, Canonical: name}, Content: name, ProposedStatus: nthStatus(n),
			}}})
			if err != nil {
				return err
			}
			if _, err := reviews.Review(ctx, report.ReviewRequest{
				Scope: report.AnyOrganization(), ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove,
			}); err != nil {
				return err
			}
		}
		return nil
	}
}

// holdTransactions keeps five host transactions open. It ends the oldest one before it begins
// another one. One in four is rolled back.
func holdTransactions(t *testing.T, dsn string) func(context.Context, string, int) error {
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
				if err := setStatus(ctx, postgres.InTx(tx), fmt.Sprintf("%s-%d", name, slot), nthStatus(steps[slot]+i)); err != nil {
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
