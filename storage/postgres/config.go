package postgres

import (
	"cmp"
	"context"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"
)

// defaultMaxConns is the size of a pool whose connection string has none. The default of pgx,
// 4, has no connections to keep for short calls. With 20, 9 calls write at the same time and
// share the syncs of the disk: 64 clients created disputes 1.5 times as fast as with 10.
const defaultMaxConns = 20

// defaultConnectTimeout is the time to connect to each server of a connection string that has none.
// A server that hangs would otherwise keep all connections from the next one.
const defaultConnectTimeout = 2 * time.Second

// ParseConfig returns the configuration of the pool that [Open] opens for a connection
// string. Use it to open a pool for [New] in the same way.
//
// Without pool_max_conns, the pool has 20 connections, or one for each processor if there
// are more. Without target_session_attrs, connections lead to the primary server. Without
// connect_timeout, connecting to each server takes at most two seconds.
//
// The error is [ErrDSN]. Unlike the errors of pgxpool.ParseConfig, it contains no part of
// the string. ParseConfig also refuses strings in which a part of the password has
// probably become something else, because a character of it is not escaped. The errors
// of the connection would contain that part. It cannot recognize a password that adds a
// setting, such as in "password=a host=b"; quote passwords with spaces.
func ParseConfig(dsn string) (*pgxpool.Config, error) {
	return parseConfig(dsn, pgconn.ValidateConnectTargetSessionAttrsPrimary)
}

// parseConfig is ParseConfig with another function in place of target_session_attrs.
func parseConfig(dsn string, validate pgconn.ValidateConnectFunc) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil || hasStrayAt(dsn) || strings.Contains(config.ConnConfig.User, ":") {
		return nil, ErrDSN
	}
	places := []string{config.ConnConfig.Database, config.ConnConfig.Host}
	for _, fallback := range config.ConnConfig.Fallbacks {
		places = append(places, fallback.Host)
	}
	for _, place := range places {
		if strings.LastIndex(place, "@") > 0 { // the name of an abstract socket begins with one
			return nil, ErrDSN
		}
	}
	config.ConnConfig.BuildContextWatcherHandler = cancelStatements
	config.ConnConfig.DialFunc = skipping(config.ConnConfig.DialFunc)
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, defaultConnectTimeout)
	config.PingTimeout = cmp.Or(config.PingTimeout, config.ConnConfig.ConnectTimeout)
	if config.ConnConfig.ValidateConnect == nil && !strings.Contains(dsn, "target_session_attrs") && os.Getenv("PGTARGETSESSIONATTRS") == "" {
		config.ConnConfig.ValidateConnect = validate
	}
	if plain, err := pgx.ParseConfig(dsn); err == nil && plain.RuntimeParams["pool_max_conns"] == "" {
		config.MaxConns = max(config.MaxConns, defaultMaxConns)
	}
	return config, nil
}

// wantsPrimary reports whether connections with the configuration lead to a server that can be
// written. Only then is it of use to connect again when a server answers that it cannot be.
func wantsPrimary(config *pgx.ConnConfig) bool {
	validate := reflect.ValueOf(config.ValidateConnect).Pointer()
	return validate == reflect.ValueOf(pgconn.ValidateConnectTargetSessionAttrsPrimary).Pointer() ||
		validate == reflect.ValueOf(pgconn.ValidateConnectTargetSessionAttrsReadWrite).Pointer()
}

// hasStrayAt reports whether a URL has an @ other than that before the host.
func hasStrayAt(dsn string) bool {
	for _, scheme := range []string{"postgres://", "postgresql://"} {
		if rest, isURL := strings.CutPrefix(dsn, scheme); isURL {
			if end := strings.IndexAny(rest, "@/"); end >= 0 && rest[end] == '@' {
				rest = rest[end+1:]
			}
			return strings.Contains(rest, "@")
		}
	}
	return false
}

// cancelStatements makes pgx cancel the statement when a context ends. By default, pgx
// closes the connection, and the server holds the locks of the transaction until it
// notices.
func cancelStatements(on *pgconn.PgConn) ctxwatch.Handler {
	return canceler{&pgconn.CancelRequestContextWatcherHandler{Conn: on, DeadlineDelay: cancelTimeout}}
}

// canceler cancels the statement, or if the server was replaced, closes the connection.
type canceler struct {
	*pgconn.CancelRequestContextWatcherHandler
}

// HandleCancel implements ctxwatch.Handler.
func (c canceler) HandleCancel(ctx context.Context) {
	if isReplaced(ctx) {
		c.DeadlineDelay = 0
	}
	c.CancelRequestContextWatcherHandler.HandleCancel(ctx)
}
