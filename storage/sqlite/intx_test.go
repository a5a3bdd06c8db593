package sqlite_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestInTx_Store(t *testing.T) {
	t.Parallel()
	const (
		undone = "what an error that no contract names leaves behind is undone by the host's rollback"
		above  = "no identifier above 2^53-1 is given"
	)
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			h.suite(t, func(t *testing.T, db *sql.DB) storage.Store {
				t.Helper()
				tx := begin(t, db)
				t.Cleanup(func() { require.NoError(t, tx.Rollback()) })
				return sqlite.InTx(tx)
			},
				storagetest.OptOut{Name: "Concurrency", Reason: "a transaction is for one goroutine at a time"},
				storagetest.OptOut{Name: "Closed", Reason: "the transaction ends when the host ends it"},
				storagetest.OptOut{Name: "Interruption", Reason: undone},
				storagetest.OptOut{Name: "Groups/" + above, Reason: undone},
				storagetest.OptOut{Name: "Import/" + above, Reason: undone},
			)
		})
	}
}

// begin begins a transaction of the host's.
func begin(t *testing.T, db *sql.DB) *sql.Tx {
	t.Helper()
	tx, err := db.BeginTx(context.WithoutCancel(t.Context()), nil)
	require.NoError(t, err)
	return tx
}

func TestInTx_HostTablesAtomic(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				end  func(*sql.Tx) error
				want []string
			}{
				"both are there after a commit": {(*sql.Tx).Commit, []string{"7"}},
				"neither is after a rollback":   {(*sql.Tx).Rollback, nil},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := h.database(t)
					_, err := db.ExecContext(t.Context(), "CREATE TABLE hosts (asset_id INTEGER PRIMARY KEY)")
					require.NoError(t, err)
					before := everything(t, db)

					tx := begin(t, db)
					blocked, err := sqlite.InTx(tx).SetAssetStatus(t.Context(), blocking("a"))
					require.NoError(t, err)
					_, err = tx.ExecContext(t.Context(), "INSERT INTO hosts VALUES (?)", blocked.ID+6)
					require.NoError(t, err)
					require.Equal(t, before, everything(t, db), "others must not see it yet")
					require.NoError(t, test.end(tx))

					require.Equal(t, test.want, column(t, db, "SELECT asset_id FROM hosts"))
					require.Len(t, rowsOf(t, db, "apguard_assets"), len(test.want))
					require.Len(t, rowsOf(t, db, "apguard_changes"), len(test.want))
				})
			}
		})
	}
}

func TestInTx_Close(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			db := h.database(t)
			tx := begin(t, db)
			require.NoError(t, sqlite.InTx(tx).Close())
			require.NoError(t, sqlite.InTx(tx).PutUser(t.Context(), account.User{ID: 1}))
			require.NoError(t, tx.Commit())
			require.Len(t, rowsOf(t, db, "apguard_users"), 1)
		})
	}
}

// refusals are the errors that the contract names, each with a call that is
// refused with it after furnish.
func refusals() map[string]struct {
	want error
	call func(ctx context.Context, store storage.Store) error
} {
	return map[string]struct {
		want error
		call func(ctx context.Context, store storage.Store) error
	}{
		"a slug that another organization has": {account.ErrSlugTaken, func(ctx context.Context, store storage.Store) error {
			return store.PutOrganization(ctx, account.Organization{ID: 2, Slug: "acme"})
		}},
		"a group of another organization": {account.ErrGroupTaken, func(ctx context.Context, store storage.Store) error {
			_, err := store.PutGroup(ctx, account.Group{ID: 1, OrganizationID: 2})
			return err
		}},
		"a key of an unknown organization": {account.ErrOrganizationNotFound, func(ctx context.Context, store storage.Store) error {
			return store.PutKey(ctx, account.Key{OrganizationID: 9})
		}},
		"a key of an unknown user": {account.ErrUserNotFound, func(ctx context.Context, store storage.Store) error {
			return store.PutKey(ctx, account.Key{OrganizationID: 1, UserID: 9})
		}},
		"an unknown organization": {account.ErrOrganizationNotFound, func(ctx context.Context, store storage.Store) error {
			_, err := store.OrganizationByID(ctx, 9)
			return err
		}},
		"an unknown key": {account.ErrUnknownKey, func(ctx context.Context, store storage.Store) error {
			_, err := store.KeyByHash(ctx, [32]byte{9})
			return err
		}},
		"an update of an unknown key": {account.ErrUnknownKey, func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateKey(ctx, [32]byte{9}, refusedUpdate)
			return err
		}},
		"a revoked key that is put again": {account.ErrRevokedKey, func(ctx context.Context, store storage.Store) error {
			return store.PutKey(ctx, account.Key{Hash: [32]byte{7}})
		}},
		"a refused update of a key": {account.ErrExpiredKey, func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateKey(ctx, [32]byte{8}, refusedUpdate)
			return err
		}},
		"an unknown slug": {account.ErrOrganizationNotFound, func(ctx context.Context, store storage.Store) error {
			_, err := store.OrganizationBySlug(ctx, "nobody")
			return err
		}},
		"an unknown asset": {asset.ErrNotFound, func(ctx context.Context, store storage.Store) error {
			_, err := store.AssetByIdentity(ctx, site("unknown"))
			return err
		}},
		"an addition to an unknown group": {&allowlist.GroupNotFoundError{GroupID: 9}, func(ctx context.Context, store storage.Store) error {
			_, err := store.AddToAllowlist(ctx, adding("c", 1, 9))
			return err
		}},
		"a dispute that exists": {dispute.ErrExists, func(ctx context.Context, store storage.Store) error {
			_, err := store.CreateDispute(ctx, disputing("a", "again"))
			return err
		}},
		"a dispute of an unknown asset": {asset.ErrNotFound, func(ctx context.Context, store storage.Store) error {
			command := disputing("unknown", "note")
			command.Register = false
			_, err := store.CreateDispute(ctx, command)
			return err
		}},
		"an invalid transition of a dispute": {&dispute.TransitionError{From: dispute.StateOpen, To: dispute.StateOpen}, func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateDispute(ctx, 1, dispute.Transition{To: dispute.StateOpen, At: day()}.Apply)
			return err
		}},
		"an update of an unknown dispute": {dispute.ErrNotFound, func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateDispute(ctx, 9, dispute.Transition{To: dispute.StateRejected, At: day()}.Apply)
			return err
		}},
		"an unknown dispute": {dispute.ErrNotFound, func(ctx context.Context, store storage.Store) error {
			_, err := store.DisputeByID(ctx, 9)
			return err
		}},
		"an unknown proposal": {report.ErrProposalNotFound, func(ctx context.Context, store storage.Store) error {
			_, err := reviews(store).Review(ctx, report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: 9, Status: report.ReviewApprove})
			return err
		}},
		"an unknown report": {report.ErrNotFound, func(ctx context.Context, store storage.Store) error {
			_, err := store.ReportByID(ctx, report.InOrganization(1), 9)
			return err
		}},
		"an unknown review": {report.ErrReviewNotFound, func(ctx context.Context, store storage.Store) error {
			_, err := reviews(store).Withdraw(ctx, report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: 9})
			return err
		}},
		"a review that was withdrawn": {report.ErrWithdrawn, func(ctx context.Context, store storage.Store) error {
			_, err := reviews(store).Withdraw(ctx, report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: 1})
			return err
		}},
		"a report that is decided": {report.ErrDecided, func(ctx context.Context, store storage.Store) error {
			_, err := reviews(store).Escalate(ctx, report.EscalateRequest{Scope: report.AnyOrganization(), ReportID: 2})
			return err
		}},
		"an import into a store that is not empty": {storage.ErrNotEmpty, func(ctx context.Context, store storage.Store) error {
			return store.Import(ctx, storage.Seed{Users: []storage.SeedUser{{ID: 9}}})
		}},
	}
}

func TestInTx_ContractErrorChangesNothing(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			for reason, refusal := range refusals() {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := h.database(t)
					tx := begin(t, db)
					store := sqlite.InTx(tx)
					furnish(t, store)
					before := everything(t, tx)

					require.Equal(t, refusal.want, refusal.call(t.Context(), store), "the error as the contract has it")
					require.Equal(t, before, everything(t, tx))
					require.NoError(t, store.PutUser(t.Context(), account.User{ID: 2}))
					require.NoError(t, tx.Commit())
					before["apguard_users"] = rowsOf(t, db, "apguard_users")
					require.Len(t, before["apguard_users"], 2)
					require.Equal(t, before, everything(t, db))
				})
			}
		})
	}
}

// A context that has ended before the call does not spoil the transaction.
func TestInTx_EndedContextChangesNothing(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			db := h.database(t)
			tx := begin(t, db)
			store := sqlite.InTx(tx)
			furnish(t, store)
			before := everything(t, tx)

			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			for name, call := range writes() {
				require.ErrorIs(t, call(ctx, store), context.Canceled, name)
			}
			_, err := store.Groups(ctx, 1)
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, before, everything(t, tx))
			require.NoError(t, tx.Commit())
			require.Equal(t, before, everything(t, db))
		})
	}
}

// A transaction that has read sees the database as it was then, so it cannot
// write once another has. Waiting would not help, and is not done.
func TestInTx_DeferredAfterRead(t *testing.T) {
	t.Parallel()
	const anHour = "_foreign_keys=1&_busy_timeout=3600000&_journal_mode=WAL&_synchronous=OFF"
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			for reason, another := range map[string]func(t *testing.T, other *sql.Tx){
				"another has written": func(t *testing.T, other *sql.Tx) {
					t.Helper()
					require.NoError(t, other.Commit())
				},
				"another is writing": func(t *testing.T, other *sql.Tx) {
					t.Helper()
					t.Cleanup(func() { require.NoError(t, other.Rollback()) })
				},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					path := newFile(t)
					db, immediate := h.open(t, path, anHour), h.open(t, path, usual)
					require.NoError(t, sqlite.Migrate(t.Context(), db))
					tx := begin(t, db)
					_, err := sqlite.InTx(tx).Groups(t.Context(), 1)
					require.NoError(t, err)
					other := begin(t, immediate)
					require.NoError(t, sqlite.InTx(other).PutUser(t.Context(), account.User{ID: 1}))
					another(t, other)

					_, err = sqlite.InTx(tx).SetAssetStatus(t.Context(), blocking("a"))
					require.ErrorIs(t, err, sqlite.ErrDeferred)
					require.ErrorContains(t, err, "sqlite: set asset status: ")
					require.NoError(t, tx.Rollback())
					require.Empty(t, rowsOf(t, db, "apguard_assets"))
				})
			}
		})
	}
}

func TestInTx_ImmediateWaits(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			db := h.database(t)
			store := newStore(t, db, sqlite.Options{})
			tx := begin(t, db)
			_, err := sqlite.InTx(tx).Groups(t.Context(), 1)
			require.NoError(t, err)
			written := make(chan error, 1)
			go func() { written <- store.PutUser(t.Context(), account.User{ID: 1}) }()

			_, err = sqlite.InTx(tx).SetAssetStatus(t.Context(), blocking("a"))
			require.NoError(t, err)
			require.NoError(t, tx.Commit())
			require.NoError(t, <-written, "the store waits for the host")
			require.Len(t, rowsOf(t, db, "apguard_assets"), 1)
		})
	}
}
