package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

// wire is what connections are watched with.
type wire struct {
	mu sync.Mutex
	// sent is called before each piece that goes to the server. The connection is
	// cut before or after it when it says so.
	sent func(piece []byte) cut
}

type cut int

const (
	cutNothing cut = iota
	cutBefore
	cutAfter
)

func (w *wire) watch(sent func(piece []byte) cut) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = sent
}

func (w *wire) cutFor(piece []byte) cut {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sent == nil {
		return cutNothing
	}
	return w.sent(piece)
}

// watched is a connection with a wire.
type watched struct {
	net.Conn
	wire *wire
}

func (c watched) Write(piece []byte) (int, error) {
	if isFarewell(piece) {
		return c.Conn.Write(piece)
	}
	switch c.wire.cutFor(piece) {
	case cutBefore:
		_ = c.Close()
		return len(piece), nil
	case cutAfter:
		n, err := c.Conn.Write(piece)
		_ = c.Close()
		return n, err
	default:
		return c.Conn.Write(piece)
	}
}

// isFarewell reports whether pgx ends a connection with a piece, which it does in the
// background, at any time after the connection was cut: by a request to cancel what is
// under way on it, or by Terminate.
func isFarewell(piece []byte) bool {
	const cancelRequest = "\x04\xd2\x16\x2e" // after the length
	return string(piece) == "X\x00\x00\x00\x04" || len(piece) >= 8 && string(piece[4:8]) == cancelRequest
}

// onWire returns a store whose connections are watched, and the wire.
func onWire(t *testing.T, dsn string) (*postgres.Store, *wire) {
	t.Helper()
	host, w := hostOnWire(t, dsn)
	require.NoError(t, postgres.Migrate(t.Context(), host))
	store, err := postgres.New(t.Context(), host, postgres.Options{})
	require.NoError(t, err)
	return store, w
}

// hostOnWire returns a pool of the host's whose connections are watched, and the
// wire.
func hostOnWire(t *testing.T, dsn string) (*pgxpool.Pool, *wire) {
	t.Helper()
	config, err := pgxpool.ParseConfig(with(t, dsn, "sslmode", "disable"))
	require.NoError(t, err)
	w := &wire{}
	config.MaxConns = 2
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		var dialer net.Dialer
		connection, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return watched{connection, w}, nil
	}
	host, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(host.Close)
	return host, w
}

// The connection is cut once, after each piece that is sent.
func TestMigrate_LostConnection(t *testing.T) {
	t.Parallel()
	for last, cutOff := 0, true; cutOff; last++ {
		host, wire := hostOnWire(t, with(t, database(t), "synchronous_commit", "off"))
		pieces := 0
		wire.watch(func([]byte) cut {
			pieces++
			if pieces == last+1 {
				return cutAfter
			}
			return cutNothing
		})
		err := postgres.Migrate(t.Context(), host)
		if err == nil {
			_, err = postgres.New(t.Context(), host, postgres.Options{})
		}
		if err != nil {
			require.ErrorIs(t, err, postgres.ErrUnreachable)
		}
		wire.watch(nil) // pgx closes a connection in the background
		cutOff = pieces > last
	}
}

// isCommit reports whether a piece tells the server to commit.
func isCommit(piece []byte) bool { return bytes.Contains(piece, []byte("commit\x00")) }

// mix makes half of the assets of a batch of ten known to the store.
func mix(t *testing.T, store *postgres.Store, batch int) {
	t.Helper()
	half := benchtest.AddCommand(batch, 5)
	half.OrganizationID = 2
	_, err := store.AddToAllowlist(t.Context(), half)
	require.NoError(t, err)
}

// requireBatch demands that all or nothing of a batch of ten is on the allowlist.
func requireBatch(t *testing.T, store *postgres.Store, batch int, stored bool) {
	t.Helper()
	want := 0
	if stored {
		want = 10
	}
	entries, err := entriesOf(t.Context(), store, batch)
	require.NoError(t, err)
	require.Equal(t, want, entries)
}

// entriesOf returns how many assets of a batch are on the allowlist.
func entriesOf(ctx context.Context, store *postgres.Store, batch int) (entries int, err error) {
	err = postgres.Pool(store).QueryRow(ctx, `SELECT count(*) FROM apguard_allowlist e
		JOIN apguard_assets a ON a.id = e.asset_id
		WHERE e.organization_id = 1 AND a.canonical LIKE $1 || '%'`,
		fmt.Sprintf("https://batch-%d.example/", batch)).Scan(&entries)
	return entries, err
}

// The context ends in the middle of a batch, once before each piece that is sent.
func TestAddToAllowlist_Canceled(t *testing.T) {
	t.Parallel()
	store, wire := onWire(t, database(t))
	for batch, canceled := 0, true; canceled; batch++ {
		require.Less(t, batch, 100, "the batch was never stored")
		mix(t, store, batch)
		ctx, cancel := context.WithCancel(t.Context())
		pieces, committing := 0, false
		wire.watch(func(piece []byte) cut {
			committing = committing || isCommit(piece)
			if pieces == batch {
				cancel()
			}
			pieces++
			return cutNothing
		})
		_, err := store.AddToAllowlist(ctx, benchtest.AddCommand(batch, 10))
		wire.watch(nil)
		canceled = pieces > batch
		cancel()
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
			require.False(t, committing, "the server was told to commit before the context ended")
		}
		requireBatch(t, store, batch, err == nil)
	}
}

// The connection is lost in the middle of a batch, once at each piece that is
// sent: before the commit the batch is carried out again, and from then on nobody
// knows.
func TestWrite_LostConnection(t *testing.T) {
	t.Parallel()
	for reason, where := range map[string]cut{
		"before the server hears it":   cutBefore,
		"before the server has answer": cutAfter,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			store, wire := onWire(t, database(t))
			unknown := 0
			for batch, lost := 0, true; lost; batch++ {
				require.Less(t, batch, 100, "the batch was never stored")
				mix(t, store, batch)
				ctx, cancel := context.WithCancel(t.Context())
				pieces, committing := 0, false
				wire.watch(func(piece []byte) cut {
					pieces++
					if pieces != batch+1 {
						return cutNothing
					}
					if committing = isCommit(piece); committing {
						cancel() // this says nothing about what is stored
					}
					return where
				})
				_, err := store.AddToAllowlist(ctx, benchtest.AddCommand(batch, 10))
				wire.watch(nil)
				cancel()
				lost = pieces > batch
				if !committing {
					require.NoError(t, err)
					requireBatch(t, store, batch, true)
					continue
				}
				unknown++
				require.ErrorIs(t, err, postgres.ErrOutcomeUnknown)
				require.ErrorContains(t, err, "postgres: add to allowlist: ")
				if where == cutBefore {
					requireBatch(t, store, batch, false)
				} else {
					eventuallyStored(t, store, batch)
				}
			}
			require.Equal(t, 1, unknown)
		})
	}
}

// eventuallyStored waits until the server has carried out what it was told.
func eventuallyStored(t *testing.T, store *postgres.Store, batch int) {
	t.Helper()
	require.Eventually(t, func() bool {
		entries, err := entriesOf(t.Context(), store, batch)
		return err == nil && entries == 10
	}, timeLimit, tick)
}

// backend returns the process of the server that the step runs on.
func backend(ctx context.Context, on sqlstore.Conn) (int, error) {
	found, err := sqlstore.Collect(ctx, on, "SELECT pg_backend_pid()", nil, func(row sqlstore.Row) (int, error) {
		var pid int
		err := row.Scan(&pid)
		return pid, err
	})
	if err != nil {
		return 0, err
	}
	return found[0], nil
}

// terminate ends a process of the server and waits until it has gone.
func terminate(ctx context.Context, t *testing.T, killer *pgx.Conn, pid int) {
	t.Helper()
	var gone bool
	require.NoError(t, killer.QueryRow(ctx, "SELECT pg_terminate_backend($1, 60000)", pid).Scan(&gone))
	require.True(t, gone)
}

func TestRead_LostConnection(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	store := open(t, dsn)
	killer := connect(t, dsn)
	const rows = 300_000
	runs, read := 0, 0
	require.NoError(t, postgres.Read(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		runs++
		read = 0
		pid, err := backend(ctx, on)
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
				terminate(ctx, t, killer, pid)
			}
		}
		return found.Err()
	}))
	require.Equal(t, 2, runs)
	require.Equal(t, rows, read)
}

func TestWrite_LostConnectionIsRetried(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	store := open(t, dsn)
	killer := connect(t, dsn)
	runs := 0
	write := func(ctx context.Context, on sqlstore.Conn, lose bool) error {
		runs++
		if _, err := on.Exec(ctx, "INSERT INTO apguard_groups (organization_id, name) VALUES (1, '')"); err != nil {
			return err
		}
		if lose {
			pid, err := backend(ctx, on)
			if err != nil {
				return err
			}
			terminate(ctx, t, killer, pid)
		}
		_, err := on.Exec(ctx, "INSERT INTO apguard_groups (organization_id, name) VALUES (2, '')")
		return err
	}
	require.NoError(t, postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		return write(ctx, on, runs < 2)
	}))
	require.Equal(t, 3, runs)
	require.Equal(t, 2, single[int](t, dsn, "SELECT count(*) FROM apguard_groups"))

	runs = 0
	host, err := postgres.New(t.Context(), postgres.Pool(store), postgres.Options{MaxRetries: 2})
	require.NoError(t, err)
	err = postgres.Write(t.Context(), host, func(ctx context.Context, on sqlstore.Conn) error {
		return write(ctx, on, true)
	})
	require.ErrorIs(t, err, postgres.ErrUnreachable)
	require.ErrorContains(t, err, "postgres: test: ")
	require.Equal(t, 3, runs)
	require.Equal(t, 2, single[int](t, dsn, "SELECT count(*) FROM apguard_groups"))
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}), "the store can be used again")
}

// Connections are lost again and again while batches are added and read.
func TestWrite_LostConnectionsUnderLoad(t *testing.T) {
	t.Parallel()
	const size, rounds = 200, 40
	dsn := database(t)
	store := open(t, dsn)
	killer := connect(t, with(t, dsn, "application_name", "killer"))
	lostAll := make(chan struct{})
	go func() {
		defer close(lostAll)
		for range rounds {
			_, err := killer.Exec(t.Context(), `SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
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
		case errors.Is(err, postgres.ErrOutcomeUnknown):
			unknown++
		default:
			require.ErrorIs(t, err, postgres.ErrUnreachable)
		}
		changes, err := store.Changes(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 1_000_000)
		if err == nil {
			require.Zero(t, len(changes)%size)
			require.GreaterOrEqual(t, len(changes)/size, acknowledged)
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
	require.GreaterOrEqual(t, stored, acknowledged, "what was acknowledged is gone")
	require.LessOrEqual(t, stored, acknowledged+unknown)
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}), "the store can be used again")
}
