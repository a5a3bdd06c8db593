package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync"
	"time"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// The shortest and the longest wait between two attempts to begin a transaction while
// another store writes.
const (
	firstBusyWait = time.Millisecond
	lastBusyWait  = 20 * time.Millisecond
)

// Limits of a shared transaction. They bound how long its first step waits for the last. The
// bytes are those of rows. In the write-ahead log, which has whole pages, they can take several
// times as much. The last step may exceed the limits.
const (
	maxSharedSteps = 128
	maxSharedBytes = 4 << 20
)

// maxUnreported is about how many bytes are written without a call of committed.
const maxUnreported = 16 << 10

// writer runs the steps that write, one after the other. Steps that wait at the same
// time share one transaction and so one commit, because most of the time of a commit
// goes into the sync of the disk.
type writer struct {
	db    *sql.DB
	queue queue
	// committed, unless nil, gets about how many bytes were written since its last call.
	committed func(bytes int64)
	written   int64 // since then; only the goroutine that writes uses it
	runs      sync.WaitGroup
	// sharedBytes is maxSharedBytes. Tests make it smaller.
	sharedBytes int64
}

func newWriter(db *sql.DB, busyTimeout time.Duration) *writer {
	return &writer{db: db, queue: queue{busyTimeout: busyTimeout}, sharedBytes: maxSharedBytes}
}

// wait waits until no transaction is running.
func (w *writer) wait() { w.runs.Wait() }

// do runs the step in a transaction. If the context ends while the step waits, the
// step does not run.
func (w *writer) do(ctx context.Context, step sqlstore.Step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := newJob(ctx, step)
	if w.queue.add(j) {
		w.lead(ctx)
	}
	select {
	case <-j.done:
		return j.result()
	case <-ctx.Done():
	}
	if w.queue.withdraw(j) {
		return ctx.Err()
	}
	<-j.done
	return j.result()
}

// lead runs the first transaction in the goroutine of its first step, as waking another one
// takes as long as a short step. That step does not wait for the work that is left then.
func (w *writer) lead(ctx context.Context) {
	w.transact(ctx)
	if w.written > maxUnreported || !w.queue.stop() {
		w.runs.Go(w.run)
	}
}

// run works until the queue is empty.
func (w *writer) run() {
	for {
		if w.committed != nil && w.written > 0 {
			w.committed(w.written)
			w.written = 0
		}
		if w.queue.stop() {
			return
		}
		w.transact(context.Background())
	}
}

// transact runs a transaction, unless the context ends or the queue becomes empty before it
// has begun.
func (w *writer) transact(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w.queue.cancelWhenEmpty(cancel)
	tx, err := w.begin(ctx)
	switch {
	case err == nil:
		w.queue.clearDeadlines()
		w.share(tx) //nolint:contextcheck // must end even after the context has ended
	case ctx.Err() == nil:
		w.queue.fail(err)
	}
}

// share runs jobs in one transaction. If the transaction fails, all its jobs are
// rolled back and return to the queue. The job that failed then gets a transaction
// of its own; if the commit failed, every job does. This costs less than a savepoint
// for every job.
func (w *writer) share(tx *sql.Conn) {
	jobs, failed, err := w.attempt(tx)
	if err == nil || len(jobs) == 1 {
		finish(jobs, err)
		return
	}
	for _, j := range failed {
		j.exclusive = true
	}
	w.queue.putBack(jobs)
}

// attempt runs waiting jobs in the transaction and commits. It returns the jobs that
// ran and, if the transaction failed, those that may have caused it. It returns the
// connection to the pool.
func (w *writer) attempt(tx *sql.Conn) (jobs, failed []*job, err error) {
	defer tx.Close() //nolint:errcheck // returns it to the pool
	on := &conn{on: tx, short: true}
	var broken *job // cannot share the transaction
	var steps sync.WaitGroup
	steps.Go(func() { // runtime.Goexit in a step ends this goroutine, not the writer
		for broken == nil && len(jobs) < maxSharedSteps && on.written < w.sharedBytes {
			j, before := w.queue.take(jobs), on.written
			if j == nil {
				return
			}
			jobs, broken = append(jobs, j), j
			j.run(on)
			if j.err == nil || on.written == before && keepsTransaction(j.err) {
				broken = nil
			}
		}
	})
	steps.Wait()
	if broken != nil {
		rollBack(tx)
		return jobs, []*job{broken}, broken.err
	}
	if _, err := tx.ExecContext(context.Background(), "COMMIT"); err != nil {
		rollBack(tx)
		return jobs, jobs, err
	}
	w.written += on.written
	return jobs, nil, nil
}

// keepsTransaction reports whether the transaction is still usable after an error of
// a step that wrote nothing.
func keepsTransaction(err error) bool {
	return errors.As(err, new(sqlstore.ContractError)) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// begin begins a transaction as soon as no other store writes.
func (w *writer) begin(ctx context.Context) (tx *sql.Conn, err error) {
	err = retryWhileBusy(ctx, w.queue.mayRetry, func() error {
		tx, err = beginOn(ctx, w.db, "BEGIN IMMEDIATE")
		return err
	})
	return tx, err
}

// beginOn begins a transaction on a connection of the pool. It runs a statement, as the
// data source name of the host application may ask for another kind of transaction.
func beginOn(ctx context.Context, db *sql.DB, begin string) (*sql.Conn, error) {
	tx, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	// An interrupted BEGIN may still have begun a transaction.
	if _, err := tx.ExecContext(context.WithoutCancel(ctx), begin); err != nil {
		return nil, errors.Join(err, tx.Close())
	}
	return tx, nil
}

// rollBack rolls the transaction back. If that fails, the pool drops the connection.
func rollBack(tx *sql.Conn) {
	if _, err := tx.ExecContext(context.Background(), "ROLLBACK"); err != nil {
		_ = tx.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// retryWhileBusy repeats try while another store holds the lock of the database and
// mayRetry returns true. SQLite can wait itself, but ignores the context meanwhile.
func retryWhileBusy(ctx context.Context, mayRetry func() bool, try func() error) error {
	for wait := firstBusyWait; ; wait = min(2*wait, lastBusyWait) {
		err := try()
		if !errors.Is(meaningOf(err), ErrBusy) || !mayRetry() {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// retryFor returns a function that returns true until the limit has passed.
func retryFor(limit time.Duration) func() bool {
	deadline := time.Now().Add(limit)
	return func() bool { return time.Now().Before(deadline) }
}
