package postgres_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/postgres"
)

// An update waits for another transaction that updates the dispute. The function is called
// once, with the dispute that the other transaction has committed.
func TestUpdateDispute_Waits(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	d, err := store.CreateDispute(t.Context(), disputeCommand("https://a.example"))
	require.NoError(t, err)
	other := begin(t, dsn, pgx.ReadCommitted)
	_, err = postgres.InTx(other).UpdateDispute(t.Context(), dispute.UpdateCommand{DisputeID: d.ID, Apply: dispute.Transition{To: dispute.StateUnderReview}.Apply})
	require.NoError(t, err)

	var states []dispute.State
	done := make(chan error, 1)
	go func() {
		_, err := store.UpdateDispute(t.Context(), dispute.UpdateCommand{DisputeID: d.ID, Apply: func(d dispute.Dispute) (dispute.Update, error) {
			states = append(states, d.State)
			return dispute.Transition{To: dispute.StateAccepted}.Apply(d)
		}})
		done <- err
	}()
	awaitLockWaits(t, dsn, 1)
	require.NoError(t, other.Commit(t.Context()))
	require.NoError(t, <-done)
	require.Equal(t, []dispute.State{dispute.StateUnderReview}, states)
}

// An update that ends in a deadlock with another transaction is retried. The function is
// called again with the dispute that the other transaction has committed.
func TestUpdateDispute_Retry(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	d, err := store.CreateDispute(t.Context(), disputeCommand("https://a.example"))
	require.NoError(t, err)

	// The other transaction holds the asset and then waits for the dispute. It lets the
	// store detect the deadlock.
	other := connect(t, dsn)
	_, err = other.Exec(t.Context(), "SET deadlock_timeout = '10min'")
	require.NoError(t, err)
	tx, err := other.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "SELECT id FROM apguard_assets WHERE id = $1 FOR UPDATE", d.AssetID)
	require.NoError(t, err)
	done := make(chan error, 1)
	startReview := func() {
		_, err := tx.Exec(context.WithoutCancel(t.Context()), "UPDATE apguard_disputes SET state = 'UNDER_REVIEW' WHERE id = $1", d.ID)
		if err == nil {
			err = tx.Commit(context.WithoutCancel(t.Context()))
		}
		done <- err
	}

	var states []dispute.State
	acceptance := dispute.Transition{To: dispute.StateAccepted, AssetStatus: asset.StatusAllowed}
	got, err := store.UpdateDispute(t.Context(), dispute.UpdateCommand{DisputeID: d.ID, Apply: func(d dispute.Dispute) (dispute.Update, error) {
		if states = append(states, d.State); len(states) == 1 {
			go startReview()
			awaitLockWaits(t, dsn, 1) // a wait that begins later would not find the deadlock
		}
		return acceptance.Apply(d)
	}})
	require.NoError(t, err)
	require.NoError(t, <-done)
	// A repetition may lock the dispute before the other transaction does, and meet the deadlock again.
	require.Equal(t, []dispute.State{dispute.StateOpen, dispute.StateUnderReview}, slices.Compact(states))
	require.Len(t, got.Notes, 1)
	stored, err := store.DisputeByID(t.Context(), d.ID)
	require.NoError(t, err)
	require.Equal(t, got, stored)
	require.Equal(t, 1, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_changes"))
}
