package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/postgres"
)

// storeWithAsset returns a store that has the asset of disputeBy.
func storeWithAsset(t *testing.T) (store *postgres.Store, dsn string) {
	t.Helper()
	dsn = newDatabase(t)
	store = open(t, dsn)
	require.NoError(t, setStatus(t.Context(), store, "https://a.example", asset.StatusBlocked))
	return store, dsn
}

// The dispute that was created with one message is stored as it was returned.
func TestCreateDispute_Stored(t *testing.T) {
	t.Parallel()
	store, dsn := storeWithAsset(t)
	for n, notes := range [][]dispute.Note{
		nil,
		{{Kind: dispute.NoteKindAPI, Text: "note"}},
		{{Kind: dispute.NoteKindAPI, Text: "first"}, {Kind: dispute.NoteKindTransition, Text: "second", Author: 7, State: dispute.StateOpen}},
		{{Kind: dispute.NoteKindExternalList, Text: "omitted, as the asset is BLOCKED"}},
	} {
		cmd := disputeBy(n)
		cmd.Notes, cmd.Description, cmd.At = notes, "description", time.UnixMilli(7)
		created, err := store.CreateDispute(t.Context(), cmd)
		require.NoError(t, err)
		require.Equal(t, cmd.Apply(created.ID, asset.Asset{ID: created.AssetID, Status: asset.StatusBlocked}), created)
		stored, err := store.DisputeByID(t.Context(), created.ID)
		require.NoError(t, err)
		if len(created.Notes) == 0 {
			created.Notes, stored.Notes = nil, nil
		}
		require.Equal(t, created, stored)
		_, err = store.UpdateDispute(t.Context(), created.ID, dispute.Transition{To: dispute.StateUnderReview}.Apply)
		require.NoError(t, err, "the note of a transition follows the others")
		positions := queryValue[[]int](t, dsn, "SELECT array_agg(position ORDER BY position) FROM apguard_dispute_notes WHERE dispute_id = $1", created.ID)
		for i, position := range positions {
			require.Equal(t, i, position)
		}
	}
	unknown := disputeBy(9)
	unknown.Identity.Canonical = "https://unknown.example"
	_, err := store.CreateDispute(t.Context(), unknown)
	require.ErrorIs(t, err, asset.ErrNotFound)
}

// A dispute waits for another transaction that creates the same one, first for a moment in a
// transaction of one message, then in the general way.
func TestCreateDispute_Waits(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		end  func(pgx.Tx, context.Context) error
		want error
	}{
		"for its commit":   {pgx.Tx.Commit, dispute.ErrExists},
		"for its rollback": {pgx.Tx.Rollback, nil},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			store, dsn := storeWithAsset(t)
			postgres.SetCommitTimeout(store, time.Hour) // the wait has a limit of its own
			tx := begin(t, dsn, pgx.ReadCommitted)
			_, err := postgres.InTx(tx).CreateDispute(t.Context(), disputeBy(1))
			require.NoError(t, err)
			done := make(chan error, 1)
			go func() {
				_, err := store.CreateDispute(t.Context(), disputeBy(1))
				done <- err
			}()
			awaitGeneralWay(t, dsn)
			require.Empty(t, done)
			require.NoError(t, test.end(tx, t.Context()))
			require.ErrorIs(t, <-done, test.want)
			require.Equal(t, 1, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_disputes"))
		})
	}
}

// awaitGeneralWay waits until a dispute waits for a lock in the general way, which has no
// limit.
func awaitGeneralWay(t *testing.T, dsn string) {
	t.Helper()
	watch := connect(t, dsn)
	require.Eventually(t, func() bool {
		var found bool
		err := watch.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
			AND application_name = current_setting('application_name') AND query LIKE 'INSERT INTO apguard_disputes%')`).Scan(&found)
		return err == nil && found
	}, waitTimeout, pollInterval, "no lock wait in the general way")
}

// The context ends while the message with COMMIT waits for another transaction. The outcome is
// known, and nothing was stored.
func TestCreateDispute_CanceledWhileWaiting(t *testing.T) {
	t.Parallel()
	store, dsn := storeWithAsset(t)
	postgres.SetCommitTimeout(store, time.Hour) // the wait has a limit of its own
	tx := begin(t, dsn, pgx.ReadCommitted)
	_, err := postgres.InTx(tx).CreateDispute(t.Context(), disputeBy(1))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := store.CreateDispute(ctx, disputeBy(1))
		done <- err
	}()
	awaitLockWaits(t, dsn, 1)
	cancel()
	select { // the other transaction has not ended
	case err = <-done:
	case <-time.After(waitTimeout):
		require.NoError(t, tx.Rollback(t.Context()))
		require.Fail(t, "the call waits for the other transaction")
	}
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, postgres.ErrOutcomeUnknown)
	require.NoError(t, tx.Rollback(t.Context()))
	require.Zero(t, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_disputes"))
}

// The same dispute is created by several calls at the same time. One of them succeeds.
func TestCreateDispute_SameAtOnce(t *testing.T) {
	t.Parallel()
	store, dsn := storeWithAsset(t)
	const calls, rounds = 8, 20
	for n := range rounds {
		done := make(chan error)
		for range calls {
			go func() {
				_, err := store.CreateDispute(t.Context(), disputeBy(n))
				done <- err
			}()
		}
		succeeded := 0
		for range calls {
			if err := <-done; err == nil {
				succeeded++
			} else {
				require.ErrorIs(t, err, dispute.ErrExists)
			}
		}
		require.Equal(t, 1, succeeded)
	}
	require.Equal(t, []int{rounds, rounds}, queryValue[[]int](t, dsn,
		"SELECT ARRAY[count(DISTINCT d.id), count(n.dispute_id)] FROM apguard_disputes d JOIN apguard_dispute_notes n ON n.dispute_id = d.id"))
}

// The server has ended the connections of the pool. The outcome of a call that uses one of them
// is known, so it is retried.
func TestCreateDispute_EndedConnection(t *testing.T) {
	t.Parallel()
	store, dsn := storeWithAsset(t)
	admin := connect(t, withParameter(t, dsn, "application_name", "admin"))
	for n := range 5 {
		_, err := store.CreateDispute(t.Context(), disputeBy(n))
		require.NoError(t, err)
		_, err = admin.Exec(t.Context(), `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = $1`,
			postgres.Pool(store).Config().ConnConfig.RuntimeParams["application_name"])
		require.NoError(t, err)
	}
	require.Equal(t, 5, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_disputes"))
}
