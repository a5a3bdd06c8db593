package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/apguard/apguard/asset"
)

const (
	// defaultCommitTimeout bounds the wait for the answer to a COMMIT.
	defaultCommitTimeout = 30 * time.Second
	// commitGrace bounds that wait after the context has ended. Most answers come within
	// milliseconds.
	commitGrace = time.Second
)

// commit commits a transaction unless ctx has ended. Waiting statements are sent with COMMIT. If
// BEGIN is one of them and the server has only answered that it ended the connection, it has read
// none of them.
//
// Once COMMIT is sent, nothing cancels it. A server that waits for its standbys would then answer
// that it has committed, although no standby has the transaction: a later failover would lose it.
// If the answer takes too long, commit returns a [lateCommitError], and the connection waits on. Not
// even Close ends it: pgx sends a cancel request when it loses a connection that waits.
//
// pgconn.SafeToRetry cannot decide whether the transaction was committed: it also returns
// true for a connection that was lost during that wait.
func (e *engine) commit(ctx context.Context, on *pgx.Conn, c *conn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if on.IsClosed() {
		return pgconn.ErrConnClosed
	}
	var (
		answered = make(chan struct{})
		tag      pgconn.CommandTag
		err      = errNoAnswer
		panicked any
	)
	go func() {
		defer close(answered)
		defer func() { panicked = recover() }() // a tracer of the host application may panic
		tag, err = c.exec(context.WithoutCancel(ctx), "commit")
	}()
	if !isAnswered(ctx, answered, e.commitTimeout) {
		return &lateCommitError{answered, serverOf(on.PgConn())}
	}
	if panicked != nil {
		panic(panicked)
	}
	if err == nil && tag.String() == "ROLLBACK" {
		err = pgx.ErrTxCommitRollback
	}
	if err == nil || isRefusal(err) || !c.begun && codeOf(err) == codeAdminShutdown {
		return err
	}
	return fmt.Errorf("%w: %s", asset.ErrOutcomeUnknown, err.Error())
}

// errNoAnswer is the error of a COMMIT whose goroutine ended without an answer.
var errNoAnswer = errors.New("no answer")

// isAnswered waits until the channel is closed, but not longer than the timeout, or than
// commitGrace after ctx has ended, or until the server was replaced.
func isAnswered(ctx context.Context, answered <-chan struct{}, timeout time.Duration) bool {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	ended := ctx.Done()
	for {
		select {
		case <-answered:
			return true
		case <-timer.C:
			return false
		case <-ended:
			if isReplaced(ctx) {
				return false
			}
			ended = nil
			timer.Reset(min(commitGrace, timeout))
		}
	}
}

// lateCommitError is an [asset.ErrOutcomeUnknown] of a COMMIT that has no answer yet. Until then, the
// connection must not be used.
type lateCommitError struct {
	answered <-chan struct{}
	server   string
}

// Error returns the text of the error.
func (*lateCommitError) Error() string {
	return asset.ErrOutcomeUnknown.Error() + ": the server has not answered yet"
}

// Unwrap returns [asset.ErrOutcomeUnknown].
func (*lateCommitError) Unwrap() error { return asset.ErrOutcomeUnknown }

func isLate(err error) bool {
	var late *lateCommitError
	return errors.As(err, &late)
}

// whenFree calls free at once, or if err is a [lateCommitError], when it has its answer or its server
// was replaced.
func (e *engine) whenFree(ctx context.Context, err error, free func()) {
	var late *lateCommitError
	if !errors.As(err, &late) {
		free()
		return
	}
	ctx, attempt := e.watch.begin(context.WithoutCancel(ctx), late.server)
	go func() {
		defer free()
		defer e.watch.end(ctx, attempt)
		select {
		case <-late.answered:
		case <-ctx.Done():
		}
	}()
}

// isRefusal reports whether the server has answered that it did not commit. It returns false
// for an error that closes the connection, because the server may have committed before.
func isRefusal(err error) bool {
	var failed *pgconn.PgError
	if errors.As(err, &failed) {
		return failed.SeverityUnlocalized == "ERROR" && failed.Code != codeCompletionUnknown
	}
	return errors.Is(err, pgx.ErrTxCommitRollback)
}
