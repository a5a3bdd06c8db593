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

// The waits between two attempts to write, while another store writes.
const (
	firstBusyWait = time.Millisecond
	lastBusyWait  = 20 * time.Millisecond
)

// How much may share one commit. It bounds how long the first step waits for the
// last one.
const (
	maxSharedSteps = 128
	maxSharedRows  = 5000
)

// writer runs the steps that write, one after the other. Those that wait at the
// same moment share one transaction, and so one commit, whose wait for the disk
// is what takes the time.
type writer struct {
	db    *sql.DB
	queue queue
	// committed is told how many rows have been written since the last time. It may
	// be nil.
	committed func(rows int64)
	rows      int64 // those; run's own
	runs      sync.WaitGroup
}

func newWriter(db *sql.DB, busyTimeout time.Duration) *writer {
	return &writer{db: db, queue: queue{busyTimeout: busyTimeout}}
}

// wait waits until no transaction is under way.
func (w *writer) wait() { w.runs.Wait() }

// do runs the step in a transaction. When its context ends while the step waits,
// the step is not run at all.
func (w *writer) do(ctx context.Context, step sqlstore.Step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := newJob(ctx, step)
	if w.queue.add(j) {
		w.runs.Go(w.run)
	}
	select {
	case <-j.done:
		return j.err
	case <-ctx.Done():
	}
	if w.queue.withdraw(j) {
		return ctx.Err()
	}
	<-j.done
	return j.err
}

// run works until no job waits.
func (w *writer) run() {
	for {
		ctx, cancel, more := w.queue.next()
		if !more {
			return
		}
		tx, err := w.begin(ctx)
		switch {
		case err == nil:
			w.queue.unhindered()
			w.share(tx)
		case ctx.Err() == nil:
			w.queue.fail(err)
		}
		cancel()
		if w.committed != nil && w.rows > 0 {
			w.committed(w.rows)
			w.rows = 0
		}
	}
}

// share runs jobs in one transaction. When that fails, none of them has happened:
// they go back to the queue, from which the one that was to blame gets a
// transaction of its own, or each of them when it was the commit that failed. That
// costs less than a savepoint for every job.
func (w *writer) share(tx *sql.Conn) {
	jobs, toBlame, err := w.attempt(tx)
	if err == nil || len(jobs) == 1 {
		finish(jobs, err)
		return
	}
	for _, j := range toBlame {
		j.alone = true
	}
	w.queue.putBack(jobs)
}

// attempt runs jobs in the transaction, which it ends, as long as there are any. It
// returns those that it has run, and an error when the transaction has failed, with
// the jobs that may be to blame. It gives the connection back.
func (w *writer) attempt(tx *sql.Conn) (jobs, toBlame []*job, err error) {
	defer tx.Close() //nolint:errcheck // it is given back, or broken
	on := &conn{on: tx, writes: true}
	for len(jobs) < maxSharedSteps && on.rows < maxSharedRows {
		j, before := w.queue.take(jobs), on.rows
		if j == nil {
			break
		}
		jobs = append(jobs, j)
		j.err = j.step(on)
		if j.err != nil && (on.rows != before || !isHarmless(j.err)) {
			rollBack(tx)
			return jobs, []*job{j}, j.err
		}
	}
	if _, err := tx.ExecContext(context.Background(), "COMMIT"); err != nil {
		rollBack(tx)
		return jobs, jobs, err
	}
	w.rows += on.rows
	return jobs, nil, nil
}

// isHarmless reports whether an error says nothing about the transaction.
func isHarmless(err error) bool {
	return errors.As(err, new(sqlstore.ContractError)) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// begin starts a writing transaction as soon as no other is under way.
func (w *writer) begin(ctx context.Context) (tx *sql.Conn, err error) {
	err = whileBusy(ctx, w.queue.patient, func() error {
		tx, err = beginOn(ctx, w.db, "BEGIN IMMEDIATE")
		return err
	})
	return tx, err
}

// beginOn begins a transaction on a connection of the pool. What the host says of
// transactions in its data source name does not matter then.
func beginOn(ctx context.Context, db *sql.DB, begin string) (*sql.Conn, error) {
	tx, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	// An interrupted BEGIN may have begun.
	if _, err := tx.ExecContext(context.WithoutCancel(ctx), begin); err != nil {
		return nil, errors.Join(err, tx.Close())
	}
	return tx, nil
}

// rollBack ends the transaction. A connection on which that fails is not used
// again.
func rollBack(tx *sql.Conn) {
	if _, err := tx.ExecContext(context.Background(), "ROLLBACK"); err != nil {
		_ = tx.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// whileBusy repeats try while another store keeps the database locked, as long as
// patient says so. SQLite would wait by itself, but not heed the context.
func whileBusy(ctx context.Context, patient func() bool, try func() error) error {
	for wait := firstBusyWait; ; wait = min(2*wait, lastBusyWait) {
		err := try()
		if !errors.Is(meaningOf(err), ErrBusy) || !patient() {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// patientFor returns what is patient for that long.
func patientFor(limit time.Duration) func() bool {
	deadline := time.Now().Add(limit)
	return func() bool { return time.Now().Before(deadline) }
}
