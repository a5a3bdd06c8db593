package postgres_test

import (
	"context"
	"net"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/postgres"
)

// hostilePasswords returns passwords with the characters that have a meaning in connection
// strings. Each contains a marker on both sides of them.
func hostilePasswords() map[string]string {
	passwords := make(map[string]string)
	for name, characters := range map[string]string{
		"a plain one": "", "an at sign": "@", "a colon": ":", "a slash": "/", "a question mark": "?", "a hash": "#", "a percent sign": "%",
		"an escape": "%41", "an escaped NUL": "%00", "an ampersand": "&", "an equals sign": "=", "a space": " ", "a quote": "'", "double quotes": `"`,
		"a backslash": `\`, "a comma": ",", "a semicolon": ";", "a plus sign": "+", "brackets": "[]", "a tab": "\t", "a line break": "\n", "a NUL": "\x00",
		"a dollar": "$", "a backquote": "`", "another script": "\u00e9\u5b88", "invalid UTF-8": "\xff", "a URL": "postgres://x:y@z/", "a setting": " host=x ",
		"a slash and an at sign": "/@", "an at sign and a slash": "@/", "a path and a query": "/a?b=c@d/", "a port and a query": ":1?a=", "a host list": ",x:1,",
		"a database and a query": "/" + tail + "?a=", "a host": "@" + tail + ":1,",
	} {
		passwords[name] = head + characters + tail
		passwords["digits and "+name] = "12" + characters + tail
	}
	return passwords
}

// The parts of a hostile password.
const head, tail = "sesame", "mellon"

// dsnsWith returns connection strings to an address with the password in every way that
// comes to mind.
func dsnsWith(address, password string) map[string]string {
	host, port, _ := net.SplitHostPort(address)
	quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(password)
	return map[string]string{
		"URL":                         "postgres://ada:" + password + "@" + address + "/test?sslmode=disable",
		"escaped URL":                 "postgres://" + url.UserPassword("ada", password).String() + "@" + address + "/test?sslmode=disable",
		"URL with everything escaped": "postgres://" + url.QueryEscape("ada:"+password+"@"+address) + "/test?sslmode=disable",
		"URL with escaped user":       "postgres://" + url.QueryEscape("ada:"+password) + "@" + address + "/test?sslmode=disable",
		"URL without a user":          "postgres://:" + password + "@" + address + "/test?sslmode=disable",
		"URL with a parameter":        "postgres://" + address + "/test?sslmode=disable&user=ada&password=" + password,
		"URL with another scheme":     "postgresql://ada:" + password + "@" + address,
		"URL with two slashes":        "postgres:/ada:" + password + "@" + address + "/test",
		"URL of another system":       "mysql://ada:" + password + "@" + address + "/test",
		"URL without a scheme":        "ada:" + password + "@" + address + "/test",
		"list":                        "sslmode=disable user=ada dbname=test host=" + host + " port=" + port + " password=" + password,
		"list in another order":       "password=" + password + " sslmode=disable user=ada dbname=test host=" + host + " port=" + port,
		"quoted list":                 "password='" + password + "' sslmode=disable user=ada dbname=test host=" + host + " port=" + port,
		"escaped list":                "password='" + quoted + "' sslmode=disable user=ada dbname=test host=" + host + " port=" + port,
		"list without quote":          "password='" + password + " sslmode=disable user=ada dbname=test host=" + host + " port=" + port,
	}
}

// No error contains a part of a password, whatever it looks like and however it is written.
// One server rejects all passwords. The other rejects parameters that it does not know, and
// names them, as PostgreSQL does.
func TestOpen_HostilePasswords(t *testing.T) {
	t.Parallel()
	for server, address := range map[string]string{
		"rejects passwords":  serveLogins(t, rejectLogin),
		"rejects parameters": serveLogins(t, rejectParameters),
	} {
		for name, password := range hostilePasswords() {
			for form, dsn := range dsnsWith(address, password) {
				t.Run(server+"/"+form+" with "+name, func(t *testing.T) {
					t.Parallel()
					requireNoLeak(t, dsn)
				})
			}
		}
	}
}

// requireNoLeak opens a store, which must fail without the markers in its error.
func requireNoLeak(t *testing.T, dsn string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // a part of a password may be a host
	defer cancel()
	store, err := postgres.Open(ctx, dsn, postgres.Options{})
	if err == nil {
		require.NoError(t, store.Close())
	}
	requireNoMarkers(t, err, dsn)
}

// requireNoMarkers requires an error without the markers of a password.
func requireNoMarkers(t *testing.T, err error, dsn string) {
	t.Helper()
	require.Error(t, err, "%q", dsn)
	for _, marker := range []string{head, tail} {
		require.NotContains(t, err.Error(), marker, "%q", dsn)
	}
}

// serveLogins starts a server that answers every connection, and returns its address.
func serveLogins(tb testing.TB, answer func(backend *pgproto3.Backend, startup *pgproto3.StartupMessage)) (address string) {
	tb.Helper()
	listener := listen(tb)
	tb.Cleanup(func() { require.NoError(tb, listener.Close()) })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close() //nolint:errcheck // the client may have closed it
				backend := pgproto3.NewBackend(connection, connection)
				message, err := backend.ReceiveStartupMessage()
				if startup, ok := message.(*pgproto3.StartupMessage); err == nil && ok {
					answer(backend, startup)
				}
			}()
		}
	}()
	return listener.Addr().String()
}

func rejectLogin(backend *pgproto3.Backend, startup *pgproto3.StartupMessage) {
	refuse(backend, "28P01", `password authentication failed for user "`+startup.Parameters["user"]+`"`)
}

func rejectParameters(backend *pgproto3.Backend, startup *pgproto3.StartupMessage) {
	for name, value := range startup.Parameters {
		switch name {
		case "user", "client_encoding", "datestyle", "database":
		case "application_name", "extra_float_digits":
			refuse(backend, "22023", `invalid value for parameter "`+name+`": "`+value+`"`)
			return
		default:
			refuse(backend, "42704", `unrecognized configuration parameter "`+name+`"`)
			return
		}
	}
	refuse(backend, "08P01", "unsupported startup parameter: "+startup.Parameters["database"])
}

func refuse(backend *pgproto3.Backend, code, text string) {
	backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: code, Message: text})
	_ = backend.Flush()
}

// FuzzParseConfig_Password connects with generated passwords. All hosts are the same server.
func FuzzParseConfig_Password(f *testing.F) {
	address := serveLogins(f, rejectParameters)
	for _, password := range hostilePasswords() {
		f.Add(password)
	}
	f.Fuzz(func(t *testing.T, characters string) {
		for form, dsn := range dsnsWith(address, head+characters+tail) {
			if strings.Contains(characters, "=") && mayAddSettings(form) {
				continue // "password=sesame host=mellon" is valid and has a host
			}
			config, err := postgres.ParseConfig(dsn)
			if err == nil {
				config.ConnConfig.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
				config.ConnConfig.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
					return new(net.Dialer).DialContext(ctx, "tcp", address)
				}
				err = connectionFailure(t, config)
			}
			requireNoMarkers(t, err, dsn)
		}
	})
}

// connectionFailure returns the error of a connection with the configuration.
func connectionFailure(t *testing.T, config *pgxpool.Config) error {
	t.Helper()
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	defer pool.Close()
	_, err = postgres.New(t.Context(), pool, postgres.Options{})
	require.Error(t, err)
	return err
}

// mayAddSettings reports whether a password without escapes can end in another setting.
func mayAddSettings(form string) bool {
	return form == "URL with a parameter" || strings.Contains(form, "list") && form != "escaped list"
}

func TestParseConfig_MaxConns(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string]int32{
		"postgres://host/test":                  max(20, int32(runtime.NumCPU())),
		"postgres://host/test?pool_max_conns=4": 4,
		"host=host dbname=test":                 max(20, int32(runtime.NumCPU())),
		"host=host pool_max_conns=4":            4,
	} {
		config, err := postgres.ParseConfig(dsn)
		require.NoError(t, err)
		require.Equal(t, want, config.MaxConns, dsn)
	}
}
