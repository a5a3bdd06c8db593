package postgres

import (
	"context"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/apguard/apguard/storage/internal/schema"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/internal/test/plantest"
)

// Dialect returns the dialect of the statements.
func Dialect() sqlstore.Dialect { return dialect() }

// Pool returns the connections of a store.
func Pool(s *Store) *pgxpool.Pool { return s.engine.pool.Load() }

// Read runs a step that reads.
func Read(ctx context.Context, s *Store, step sqlstore.Step) error {
	return s.engine.Read(ctx, sqlstore.Operation{Name: "test", Kind: sqlstore.List}, step)
}

// Write runs a step that writes.
func Write(ctx context.Context, s *Store, step sqlstore.Step) error {
	return s.engine.Write(ctx, sqlstore.Operation{Name: "test", Kind: sqlstore.Write}, step)
}

// Attempts returns the number of attempts whose servers are probed when they take long.
func Attempts(s *Store) int {
	s.engine.watch.mu.Lock()
	defer s.engine.watch.mu.Unlock()
	return len(s.engine.watch.attempts)
}

// SetCommitTimeout sets how long the server may take to answer a COMMIT.
func SetCommitTimeout(s *Store, timeout time.Duration) { s.engine.commitTimeout = timeout }

// SetSlowStep sets how long a step may take before the plans of its connection are discarded.
func SetSlowStep(s *Store, duration time.Duration) { s.engine.slowStep = duration }

// IsRefusal reports whether an error means that the server did not commit.
func IsRefusal(err error) bool { return isRefusal(err) }

// IsGone reports whether the error of a connection means that the server was replaced, if another one
// is the primary.
func IsGone(err error) bool { return isGone(err) }

// AssignPositionsStatement returns the statement that assigns positions in the feed.
func AssignPositionsStatement(limit int) plantest.Statement {
	return plantest.Statement{SQL: assignPositions, Args: []any{limit}}
}

// WithSchema calls a function with the schema of the database.
func WithSchema(pool *pgxpool.Pool, do func(*schema.Schema) error) error { return withSchema(pool, do) }

// LeaveServer lets a pool with a server leave it that many times, and returns how often the pool was renewed.
func LeaveServer(times int) (renewed int) {
	s := &oneServer{renew: func() { renewed++ }}
	server := net.Addr(&net.TCPAddr{})
	s.current.Store(&server)
	for range times {
		s.leave()
	}
	return renewed
}
