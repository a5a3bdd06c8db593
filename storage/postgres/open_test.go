package postgres_test

import (
	"context"
	"fmt"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
)

func TestOpen_MalformedDSN(t *testing.T) {
	t.Parallel()
	for reason, dsn := range map[string]string{
		"a port that is not a number":   "postgres://ada:secret@host:port/test",
		"a password with a slash":       "postgres://ada:sec/ret:secret@host/test",
		"a password after a port":       "postgres://ada:12/secret@host/test",
		"an invalid escape":             "postgres://ada:%zzsecret@host/test",
		"a list with an invalid port":   "user=ada password=secret port=none",
		"a list with an unclosed quote": "user=ada password='secret",
		"an unknown mode":               "postgres://ada:secret@host/test?sslmode=secret",
		"an invalid pool size":          "postgres://ada:secret@host/test?pool_max_conns=secret",
		"a word":                        "secret",
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
	require.ErrorIs(t, err, asset.ErrUnavailable)
	require.ErrorContains(t, err, `postgres: open "test" on 127.0.0.1: `)
	require.NotContains(t, err.Error(), "secret")
}

// listen listens on a free port.
func listen(tb testing.TB) net.Listener {
	tb.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	return listener
}

func TestOpen_NoDatabase(t *testing.T) {
	t.Parallel()
	dsn := withParameter(t, newDatabase(t), "dbname", "apguard_test_none")
	_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	require.ErrorIs(t, err, postgres.ErrNoDatabase)
	require.ErrorContains(t, err, "apguard_test_none")
}

func TestOpen_LoginRejected(t *testing.T) {
	t.Parallel()
	for reason, dsn := range map[string]string{
		"unknown user":   withParameter(t, withParameter(t, newDatabase(t), "user", "apguard_test_none"), "password", "secret"),
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

			host := newPool(t, dsn)
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
	_, err := postgres.Open(ctx, newDatabase(t), postgres.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestOpen_NewerSchema(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	execute(t, dsn, "INSERT INTO apguard_schema_version (version_id, is_applied) VALUES (999, TRUE)")

	_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	require.ErrorIs(t, err, storage.ErrNewerSchema)
	require.ErrorContains(t, err, "999")
	host := newPool(t, dsn)
	_, err = postgres.New(t.Context(), host, postgres.Options{})
	require.ErrorIs(t, err, storage.ErrNewerSchema)
	require.ErrorIs(t, postgres.Migrate(t.Context(), host), storage.ErrNewerSchema)
}

// One connection is enough.
func TestOpen_SmallPool(t *testing.T) {
	t.Parallel()
	store := open(t, withParameter(t, newDatabase(t), "pool_max_conns", "1"))
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
}

func TestOpen_CurrentSchemaWritesNothing(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	store := open(t, withParameter(t, dsn, "default_transaction_read_only", "on"))
	_, err := store.Groups(t.Context(), 1)
	require.NoError(t, err)
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}), "calls that write do not use the default of the server")
}

func TestOpen_OtherTables(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	execute(t, dsn, "CREATE TABLE tickets (id BIGINT); INSERT INTO tickets VALUES (7)")
	store := open(t, dsn)
	require.NoError(t, store.Import(t.Context(), storage.Seed{}), "other tables are ignored")
	require.Equal(t, 7, queryValue[int](t, dsn, "SELECT id FROM tickets"))
}
