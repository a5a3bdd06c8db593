package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

// The connection is lost once after each write, except that of CREATE statements that follow each other
// only the first two lose it: the code after each of the others is the same.
func TestMigrate_LostConnection(t *testing.T) {
	t.Parallel()
	for last, closed := 0, true; closed; last++ {
		host, faults := poolWithFaults(t, withParameter(t, newDatabase(t), "synchronous_commit", "off"))
		writes, creations := 0, 0
		faults.set(func(data []byte) fault {
			if !isCreate(data) {
				creations = 0
			} else if creations++; creations > 2 {
				return noFault
			}
			writes++
			if writes == last+1 {
				return closeAfter
			}
			return noFault
		})
		err := postgres.Migrate(t.Context(), host)
		if err == nil {
			_, err = postgres.New(t.Context(), host, postgres.Options{})
		}
		if err != nil {
			require.ErrorIs(t, err, postgres.ErrUnreachable)
		}
		faults.set(nil) // pgx closes a connection in the background
		closed = writes > last
	}
}

// isCreate reports whether data is a CREATE statement of a migration.
func isCreate(data []byte) bool {
	const header = 5 // a Q and the length
	return len(data) > header && data[0] == 'Q' && bytes.HasPrefix(data[header:], []byte("CREATE "))
}

// isCommit reports whether data contains a COMMIT.
func isCommit(data []byte) bool { return bytes.Contains(data, []byte("commit\x00")) }

// addHalf adds five of the ten assets of a batch to another allowlist. It does so twice, so that the
// connection has also prepared the statements for assets that exist.
func addHalf(t *testing.T, store *postgres.Store, batch int) {
	t.Helper()
	half := benchtest.AddCommand(batch, 5)
	half.OrganizationID = 2
	for range 2 {
		_, err := store.AddToAllowlist(t.Context(), half)
		require.NoError(t, err)
	}
}

// requireBatch requires that all ten entries of a batch are stored, or none.
func requireBatch(t *testing.T, store *postgres.Store, batch int, stored bool) {
	t.Helper()
	want := 0
	if stored {
		want = 10
	}
	entries, err := countEntries(t.Context(), store, batch)
	require.NoError(t, err)
	require.Equal(t, want, entries)
}

// countEntries returns the number of stored entries of a batch.
func countEntries(ctx context.Context, store *postgres.Store, batch int) (entries int, err error) {
	err = postgres.Pool(store).QueryRow(ctx, `SELECT count(*) FROM apguard_allowlist e
		JOIN apguard_assets a ON a.id = e.asset_id
		WHERE e.organization_id = 1 AND a.canonical LIKE $1 || '%'`,
		fmt.Sprintf("https://batch-%d.example/", batch)).Scan(&entries)
	return entries, err
}

// The context is canceled once before each write.
func TestAddToAllowlist_Canceled(t *testing.T) {
	t.Parallel()
	store, faults := openWithFaults(t, newDatabase(t))
	accounttest.Organizations(t, store, 1, 2)
	for batch, canceled := 0, true; canceled; batch++ {
		require.Less(t, batch, 100, "the batch was not stored")
		addHalf(t, store, batch)
		ctx, cancel := context.WithCancel(t.Context())
		writes, committing := 0, false
		faults.set(func(data []byte) fault {
			committing = committing || isCommit(data)
			if writes == batch {
				cancel()
			}
			writes++
			return noFault
		})
		_, err := store.AddToAllowlist(ctx, benchtest.AddCommand(batch, 10))
		faults.set(nil)
		canceled = writes > batch
		cancel()
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
			require.False(t, committing, "COMMIT was sent before the context was canceled")
		}
		requireBatch(t, store, batch, err == nil)
	}
}

// The connection is lost once at each write. Before COMMIT the call is retried. Afterwards
// the outcome is unknown.
func TestWrite_LostConnection(t *testing.T) {
	t.Parallel()
	for reason, where := range map[string]fault{
		"before the write": closeBefore,
		"after the write":  closeAfter,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			store, faults := openWithFaults(t, newDatabase(t))
			accounttest.Organizations(t, store, 1, 2)
			unknown := 0
			for batch, lost := 0, true; lost; batch++ {
				require.Less(t, batch, 100, "the batch was not stored")
				addHalf(t, store, batch)
				ctx, cancel := context.WithCancel(t.Context())
				writes, committing := 0, false
				faults.set(func(data []byte) fault {
					writes++
					if writes != batch+1 {
						return noFault
					}
					if committing = isCommit(data); committing {
						cancel() // does not change the error
					}
					return where
				})
				_, err := store.AddToAllowlist(ctx, benchtest.AddCommand(batch, 10))
				faults.set(nil)
				cancel()
				lost = writes > batch
				if !committing {
					require.NoError(t, err)
					requireBatch(t, store, batch, true)
					continue
				}
				unknown++
				require.ErrorIs(t, err, asset.ErrOutcomeUnknown)
				require.NotErrorIs(t, err, asset.ErrUnavailable, "the call may have stored something")
				require.ErrorContains(t, err, "postgres: add to allowlist: ")
				if where == closeBefore {
					requireBatch(t, store, batch, false)
				} else {
					awaitBatch(t, store, batch)
				}
			}
			require.Equal(t, 1, unknown)
		})
	}
}

// awaitBatch waits until the server has stored the batch.
func awaitBatch(t *testing.T, store *postgres.Store, batch int) {
	t.Helper()
	require.Eventually(t, func() bool {
		entries, err := countEntries(t.Context(), store, batch)
		return err == nil && entries == 10
	}, waitTimeout, pollInterval)
}

const selectPID = "SELECT pg_backend_pid()"

// terminate ends a server process and waits for its end.
func terminate(ctx context.Context, t *testing.T, admin *pgx.Conn, pid int) {
	t.Helper()
	var gone bool
	require.NoError(t, admin.QueryRow(ctx, "SELECT pg_terminate_backend($1, 60000)", pid).Scan(&gone))
	require.True(t, gone)
}

func TestRead_LostConnection(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	admin := connect(t, dsn)
	const rows = 300_000
	runs, read := 0, 0
	require.NoError(t, postgres.Read(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		runs++
		read = 0
		pid, err := queryOn[int](ctx, on, selectPID)
		if err != nil {
			return err
		}
		found, err := on.Query(ctx, "SELECT n, repeat('x', 200) FROM generate_series(1, $1::INT) n", rows)
		if err != nil {
			return err
		}
		defer func() { require.NoError(t, found.Close()) }()
		for found.Next() {
			read++
			if runs == 1 && read == 1 {
				terminate(ctx, t, admin, pid)
			}
		}
		return found.Err()
	}))
	require.Equal(t, 2, runs)
	require.Equal(t, rows, read)
}

func TestWrite_LostConnectionIsRetried(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	admin := connect(t, dsn)
	runs := 0
	write := func(ctx context.Context, on sqlstore.Conn, lose bool) error {
		runs++
		if _, err := on.Exec(ctx, "INSERT INTO apguard_groups (organization_id, name) VALUES (1, '')"); err != nil {
			return err
		}
		if lose {
			pid, err := queryOn[int](ctx, on, selectPID)
			if err != nil {
				return err
			}
			terminate(ctx, t, admin, pid)
		}
		_, err := on.Exec(ctx, "INSERT INTO apguard_groups (organization_id, name) VALUES (2, '')")
		return err
	}
	require.NoError(t, postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		return write(ctx, on, runs < 2)
	}))
	require.Equal(t, 3, runs)
	require.Equal(t, 2, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_groups"))

	runs = 0
	host, err := postgres.New(t.Context(), postgres.Pool(store), postgres.Options{MaxRetries: 2})
	require.NoError(t, err)
	err = postgres.Write(t.Context(), host, func(ctx context.Context, on sqlstore.Conn) error {
		return write(ctx, on, true)
	})
	require.ErrorIs(t, err, postgres.ErrUnreachable)
	require.ErrorIs(t, err, asset.ErrUnavailable)
	require.ErrorContains(t, err, "postgres: test: ")
	require.Equal(t, 3, runs)
	require.Equal(t, 2, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_groups"))
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}), "the store is usable afterwards")
}

// Connections are lost repeatedly while batches are added and read.
func TestWrite_LostConnectionsUnderLoad(t *testing.T) {
	t.Parallel()
	const size, rounds = 200, 40
	dsn := newDatabase(t)
	store := accounttest.Organizations(t, open(t, dsn), 1)
	admin := connect(t, withParameter(t, dsn, "application_name", "admin"))
	lostAll := make(chan struct{})
	go func() {
		defer close(lostAll)
		for range rounds {
			_, err := admin.Exec(t.Context(), `SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
				WHERE application_name = $1`, postgres.Pool(store).Config().ConnConfig.RuntimeParams["application_name"])
			if err != nil {
				t.Error(err)
			}
		}
	}()
	acknowledged, unknown := 0, 0
	for batch := 0; ; batch++ {
		_, err := store.AddToAllowlist(t.Context(), benchtest.AddCommand(batch, size))
		switch {
		case err == nil:
			acknowledged++
		case errors.Is(err, asset.ErrOutcomeUnknown):
			unknown++
		default:
			require.ErrorIs(t, err, postgres.ErrUnreachable)
		}
		changes, err := countChanges(t, store)
		if err == nil {
			require.Zero(t, changes%size)
			require.GreaterOrEqual(t, changes/size, acknowledged)
		} else {
			require.ErrorIs(t, err, postgres.ErrUnreachable)
		}
		select {
		case <-lostAll:
		default:
			continue
		}
		break
	}
	stored := wholeBatches(t, dsn, size)
	require.GreaterOrEqual(t, stored, acknowledged, "an acknowledged batch is lost")
	require.LessOrEqual(t, stored, acknowledged+unknown)
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}), "the store is usable afterwards")
}

// countChanges returns the number of all changes.
func countChanges(t *testing.T, store *postgres.Store) (changes int, err error) {
	t.Helper()
	for _, err := range asset.NewService(store, asset.Options{}).Changes(t.Context(), asset.ChangeFilter{}) {
		if err != nil {
			return 0, err
		}
		changes++
	}
	return changes, nil
}

// A connection whose caller left at the end of a step is not used again: a late cancel request would end the next call.
func TestRead_CanceledAtTheEnd(t *testing.T) {
	t.Parallel()
	store := open(t, newDatabase(t))
	pid := func(ctx context.Context, then func()) (pid int) {
		require.NoError(t, postgres.Read(ctx, store, func(ctx context.Context, on sqlstore.Conn) (err error) {
			pid, err = queryOn[int](ctx, on, selectPID)
			then()
			return err
		}))
		return pid
	}
	ctx, cancel := context.WithCancel(t.Context())
	first := pid(ctx, func() {})
	require.Equal(t, first, pid(ctx, cancel), "a connection is used again")
	require.NotEqual(t, first, pid(t.Context(), func() {}))
}
