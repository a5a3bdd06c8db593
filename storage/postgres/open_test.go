package postgres_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

func TestOpen_MalformedDSN(t *testing.T) {
	t.Parallel()
	for reason, dsn := range map[string]string{
		"a port that is none":        "postgres://ada:secret@host:port/test",
		"a password with a slash":    "postgres://ada:sec/ret:secret@host/test",
		"a password after a port":    "postgres://ada:12/secret@host/test",
		"an escape that is none":     "postgres://ada:%zzsecret@host/test",
		"a list with a wrong port":   "user=ada password=secret port=none",
		"a list without its end":     "user=ada password='secret",
		"a mode that is none":        "postgres://ada:secret@host/test?sslmode=secret",
		"a pool of a size of no one": "postgres://ada:secret@host/test?pool_max_conns=secret",
		"a text":                     "secret",
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
			require.ErrorIs(t, err, postgres.ErrDSN)
			require.ErrorContains(t, err, "postgres: open: ")
			require.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestOpen_Unreachable(t *testing.T) {
	t.Parallel()
	listener := listen(t)
	require.NoError(t, listener.Close())
	dsn := fmt.Sprintf("postgres://ada:secret@%s/test?sslmode=disable", listener.Addr())
	_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	require.ErrorIs(t, err, postgres.ErrUnreachable)
	require.ErrorContains(t, err, `postgres: open "test" on 127.0.0.1: `)
	require.NotContains(t, err.Error(), "secret")
}

// listen listens on a free port.
func listen(t *testing.T) net.Listener {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return listener
}

func TestOpen_NoDatabase(t *testing.T) {
	t.Parallel()
	dsn := with(t, database(t), "dbname", "apguard_test_none")
	_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	require.ErrorIs(t, err, postgres.ErrNoDatabase)
	require.ErrorContains(t, err, "apguard_test_none")
}

func TestOpen_LoginRejected(t *testing.T) {
	t.Parallel()
	for reason, dsn := range map[string]string{
		"unknown user":   with(t, with(t, database(t), "user", "apguard_test_none"), "password", "secret"),
		"wrong password": rejectPasswords(t, "apguard_test_none", "secret"),
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
			require.ErrorIs(t, err, postgres.ErrLoginRejected)
			require.NotErrorIs(t, err, postgres.ErrUnreachable)
			require.ErrorContains(t, err, "apguard_test_none")
			require.ErrorContains(t, err, "(check user and password")
			require.NotContains(t, err.Error(), "secret")

			host := pool(t, dsn)
			require.ErrorIs(t, postgres.Migrate(t.Context(), host), postgres.ErrLoginRejected)
			_, err = postgres.New(t.Context(), host, postgres.Options{})
			require.ErrorIs(t, err, postgres.ErrLoginRejected)
		})
	}
}

// rejectPasswords starts a server that rejects every password, and returns the
// connection string of the user. The server of the tests may accept every password.
func rejectPasswords(t *testing.T, user, password string) (dsn string) {
	t.Helper()
	listener := listen(t)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			rejectPassword(connection, password)
			_ = connection.Close()
		}
	}()
	return fmt.Sprintf("postgres://%s:%s@%s/test?sslmode=disable", user, password, listener.Addr())
}

// rejectPassword asks for a password and rejects it if it is the given one.
func rejectPassword(connection net.Conn, password string) {
	backend := pgproto3.NewBackend(connection, connection)
	if _, err := backend.ReceiveStartupMessage(); err != nil {
		return
	}
	backend.Send(&pgproto3.AuthenticationCleartextPassword{})
	if backend.Flush() != nil || backend.SetAuthType(pgproto3.AuthTypeCleartextPassword) != nil {
		return
	}
	message, err := backend.Receive()
	if sent, ok := message.(*pgproto3.PasswordMessage); err != nil || !ok || sent.Password != password {
		return
	}
	backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "28P01", Message: "password authentication failed"})
	_ = backend.Flush()
}

func TestOpen_InvalidOptions(t *testing.T) {
	t.Parallel()
	_, err := postgres.Open(t.Context(), "", postgres.Options{MaxRetries: -1})
	require.ErrorIs(t, err, asset.ErrInvalid)
	_, err = postgres.New(t.Context(), nil, postgres.Options{MaxRetries: -1})
	require.ErrorIs(t, err, asset.ErrInvalid)
}

func TestOpen_Context(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := postgres.Open(ctx, database(t), postgres.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestOpen_NewerSchema(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	migrated(t, dsn)
	execute(t, dsn, "INSERT INTO apguard_schema_version (version_id, is_applied) VALUES (999, TRUE)")

	_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	require.ErrorIs(t, err, storage.ErrNewerSchema)
	require.ErrorContains(t, err, "999")
	host := pool(t, dsn)
	_, err = postgres.New(t.Context(), host, postgres.Options{})
	require.ErrorIs(t, err, storage.ErrNewerSchema)
	require.ErrorIs(t, postgres.Migrate(t.Context(), host), storage.ErrNewerSchema)
}

// A migration inserts its version, which fails when another process has applied it
// meanwhile, so that none is applied twice.
func TestMigrate_AppliesVersionOnce(t *testing.T) {
	t.Parallel()
	host := pool(t, database(t))
	require.NoError(t, postgres.Migrate(t.Context(), host))
	_, err := host.Exec(t.Context(), "INSERT INTO apguard_schema_version (version_id, is_applied) VALUES (1, TRUE)")
	require.ErrorContains(t, err, "23505")
}

func TestNew_OlderSchema(t *testing.T) {
	t.Parallel()
	migrated(t, database(t)) // beside it
	host := pool(t, database(t))
	_, err := postgres.New(t.Context(), host, postgres.Options{})
	require.ErrorIs(t, err, storage.ErrOlderSchema)

	require.NoError(t, postgres.Migrate(t.Context(), host))
	require.NoError(t, postgres.Migrate(t.Context(), host), "the second time there is nothing to do")
	store, err := postgres.New(t.Context(), host, postgres.Options{})
	require.NoError(t, err)
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}))
}

// One connection is enough for everything.
func TestOpen_SmallPool(t *testing.T) {
	t.Parallel()
	store := open(t, with(t, database(t), "pool_max_conns", "1"))
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}))
}

func TestClose_HostPoolStaysOpen(t *testing.T) {
	t.Parallel()
	host := pool(t, database(t))
	require.NoError(t, postgres.Migrate(t.Context(), host))
	store, err := postgres.New(t.Context(), host, postgres.Options{})
	require.NoError(t, err)
	other, err := postgres.New(t.Context(), host, postgres.Options{})
	require.NoError(t, err)

	begun, release, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- postgres.Write(context.WithoutCancel(t.Context()), store, func(ctx context.Context, on sqlstore.Conn) error {
			close(begun)
			<-release
			return on.Serialize(ctx, "groups")
		})
	}()
	<-begun
	closed := make(chan error, 1)
	go func() { closed <- store.Close() }()
	require.Eventually(t, func() bool {
		_, err := store.Groups(t.Context(), 1)
		return err != nil
	}, timeLimit, tick, "a call after Close")
	require.Empty(t, closed, "Close did not wait for the call under way")
	close(release)
	require.NoError(t, <-done)
	require.NoError(t, <-closed)

	require.ErrorIs(t, store.PutUser(t.Context(), account.User{ID: 1}), storage.ErrClosed)
	require.NoError(t, store.Close())
	require.NoError(t, host.Ping(t.Context()))
	require.NoError(t, other.PutUser(t.Context(), account.User{ID: 1}))
}

func TestOpen_CurrentSchemaWritesNothing(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	migrated(t, dsn)
	store := open(t, with(t, dsn, "default_transaction_read_only", "on"))
	_, err := store.Groups(t.Context(), 1)
	require.NoError(t, err)
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}), "a default of the server does not matter")
}

// A default of the server does not matter for what a transaction sees.
func TestWrite_ReadCommitted(t *testing.T) {
	t.Parallel()
	store := open(t, with(t, database(t), "default_transaction_isolation", "serializable"))
	require.NoError(t, postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		levels, err := sqlstore.Collect(ctx, on, "SHOW transaction_isolation", nil, func(row sqlstore.Row) (string, error) {
			var level string
			err := row.Scan(&level)
			return level, err
		})
		require.Equal(t, []string{"read committed"}, levels)
		return err
	}))
}

func TestOpen_OtherTables(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	execute(t, dsn, "CREATE TABLE hosts (id BIGINT); INSERT INTO hosts VALUES (7)")
	store := open(t, dsn)
	require.NoError(t, store.Import(t.Context(), storage.Seed{}), "rows of the host do not count")
	require.Equal(t, 7, single[int](t, dsn, "SELECT id FROM hosts"))
}

func TestMigrations_Names(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	migrated(t, dsn)
	tables := single[[]string](t, dsn, `SELECT array_agg(c.relname::TEXT ORDER BY c.oid) FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`)
	require.Equal(t, append(append([]string{"apguard_schema_version"}, sqlstore.Tables()...), "apguard_locks", "apguard_store"), tables)
	others := single[[]string](t, dsn, `SELECT array_agg(c.relname::TEXT) FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace`)
	for _, name := range others {
		require.True(t, strings.HasPrefix(name, "apguard_"), name)
	}
}

// pool opens a pool of the host's that is closed at the end of the test.
func pool(tb testing.TB, dsn string) *pgxpool.Pool {
	tb.Helper()
	host, err := pgxpool.New(tb.Context(), dsn)
	require.NoError(tb, err)
	tb.Cleanup(host.Close)
	return host
}
