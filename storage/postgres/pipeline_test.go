package postgres_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

// Each message to the server costs a round trip.
func TestSend_RoundTrips(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		call     func(ctx context.Context, store storage.Store, n int) error
		messages int
	}{
		"a new user": {func(ctx context.Context, store storage.Store, n int) error {
			return store.PutUser(ctx, account.User{ID: int64(n + 1)}, audit.Entry{})
		}, 2},
		"a status of a known asset": {func(ctx context.Context, store storage.Store, n int) error {
			return setStatus(ctx, store, "https://a.example", asset.Statuses()[n%2])
		}, 3},
		"a dispute": {func(ctx context.Context, store storage.Store, n int) error {
			_, err := store.CreateDispute(ctx, disputeBy(n))
			return err
		}, 3},
		"a dispute whose asset may be new": {func(ctx context.Context, store storage.Store, n int) error {
			cmd := disputeBy(n)
			cmd.Register = true
			_, err := store.CreateDispute(ctx, cmd)
			return err
		}, 3},
		"a dispute by its ID": {func(ctx context.Context, store storage.Store, _ int) error {
			_, err := store.DisputeByID(ctx, 1)
			return err
		}, 3},
		"new assets": {func(ctx context.Context, store storage.Store, n int) error {
			_, err := store.AddToAllowlist(ctx, benchtest.AddCommand(n, 10))
			return err
		}, 4},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			store, faults := openWithFaults(t, newDatabase(t))
			accounttest.Organizations(t, store, 1)
			_, err := store.CreateDispute(t.Context(), disputeCommand("https://a.example"))
			require.NoError(t, err)
			for n := range 2 { // the first call prepares the statements
				require.NoError(t, test.call(t.Context(), store, n))
			}
			var messages []string
			faults.set(func(data []byte) fault {
				// A connection that was idle is pinged, and a slow call discards its plans.
				if !bytes.Contains(data, []byte("-- ping")) && !bytes.Contains(data, []byte("discard plans")) {
					messages = append(messages, string(data))
				}
				return noFault
			})
			require.NoError(t, test.call(t.Context(), store, 2))
			faults.set(nil)
			require.Len(t, messages, test.messages)
		})
	}
}

// disputeBy returns a dispute of an existing asset by the n-th address, with a note.
func disputeBy(n int) dispute.CreateCommand {
	cmd := disputeCommand("https://a.example")
	cmd.Register = false
	cmd.EmailKey = fmt.Sprint("user-", n)
	cmd.Notes = []dispute.Note{{Kind: dispute.NoteKindAPI, Text: "note"}}
	return cmd
}

// The connection is lost once at each write of a call whose last statements are sent with
// COMMIT.
func TestSend_LostConnection(t *testing.T) {
	t.Parallel()
	for reason, where := range map[string]fault{"before the write": closeBefore, "after the write": closeAfter} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			// In this mode, each message has the texts of its statements.
			store, faults := openWithFaults(t, withParameter(t, dsn, "default_query_exec_mode", "exec"))
			_, err := store.CreateDispute(t.Context(), disputeCommand("https://a.example"))
			require.NoError(t, err)
			stored := func(n int) (rows []int) { // disputes and notes
				return queryValue[[]int](t, dsn, `SELECT ARRAY[count(DISTINCT d.id), count(n.dispute_id)] FROM apguard_disputes d
					LEFT JOIN apguard_dispute_notes n ON n.dispute_id = d.id WHERE d.email_key = $1`, fmt.Sprint("user-", n))
			}
			unknown := 0
			for n, lost := 0, true; lost; n++ {
				require.Less(t, n, 100, "the dispute was not stored")
				require.NoError(t, store.Ping(t.Context()), "a new connection")
				writes, committing := 0, false
				faults.set(func(data []byte) fault {
					writes++
					if writes != n+1 {
						return noFault
					}
					committing = isCommit(data)
					return where
				})
				_, err := store.CreateDispute(t.Context(), disputeBy(n))
				faults.set(nil)
				lost = writes > n
				if !committing {
					require.NoError(t, err)
					require.Equal(t, []int{1, 1}, stored(n))
					continue
				}
				unknown++
				require.ErrorIs(t, err, asset.ErrOutcomeUnknown)
				require.NotErrorIs(t, err, asset.ErrUnavailable, "the call may have stored something")
				// The server may have read none of the message, a part of it, or all of it.
				if rows := stored(n); where == closeBefore || rows[0] == 0 {
					require.Equal(t, []int{0, 0}, rows)
				} else {
					require.Equal(t, []int{1, 1}, rows)
				}
			}
			require.Equal(t, 1, unknown)
		})
	}
}

const insertGroup1 = "INSERT INTO apguard_groups (id, organization_id, name) VALUES (1, 1, '')"

// A queued statement fails the call, wherever it is sent, and the call stores nothing.
func TestQueue_Failure(t *testing.T) {
	t.Parallel()
	for reason, then := range map[string]func(ctx context.Context, on sqlstore.Conn) error{
		"sent with COMMIT": func(context.Context, sqlstore.Conn) error { return nil },
		"sent with a statement": func(ctx context.Context, on sqlstore.Conn) error {
			_, err := on.Exec(ctx, "DELETE FROM apguard_users")
			return err
		},
		"sent with a query": func(ctx context.Context, on sqlstore.Conn) error {
			_, err := queryOn[int](ctx, on, selectPID)
			return err
		},
	} {
		for statement, test := range map[string]struct {
			code string
			runs int
		}{
			insertGroup1:   {"23505", 3}, // a conflict, which is retried
			"SELECT 1 / 0": {"22012", 1},
		} {
			t.Run(reason+", "+test.code, func(t *testing.T) {
				t.Parallel()
				dsn := newDatabase(t)
				migrate(t, dsn)
				store, err := postgres.New(t.Context(), newPool(t, dsn), postgres.Options{MaxRetries: 2})
				require.NoError(t, err)
				execute(t, dsn, insertGroup1)
				runs := 0
				err = postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
					runs++
					if _, err := on.Exec(ctx, "INSERT INTO apguard_groups (id, organization_id, name) VALUES (2, 1, '')"); err != nil {
						return err
					}
					if err := on.Queue(ctx, statement); err != nil {
						return err
					}
					return then(ctx, on)
				})
				var failed *pgconn.PgError
				require.ErrorAs(t, err, &failed)
				require.Equal(t, test.code, failed.Code)
				require.NotErrorIs(t, err, asset.ErrOutcomeUnknown)
				require.Equal(t, test.runs, runs)
				require.Equal(t, 1, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_groups"))
				require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}), "the store is usable afterwards")
			})
		}
	}
}

// A host transaction sees what a call has queued.
func TestQueue_InTx(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	tx := begin(t, dsn, pgx.ReadCommitted)
	cmd := disputeBy(1)
	cmd.Register = true
	_, err := postgres.InTx(tx).CreateDispute(t.Context(), cmd)
	require.NoError(t, err)
	var notes int
	require.NoError(t, tx.QueryRow(t.Context(), "SELECT count(*) FROM apguard_dispute_notes").Scan(&notes))
	require.Equal(t, 1, notes)
}
