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
	db          *sql.DB
	busyTimeout time.Duration
	// committed is told how many rows have been written since the last time. It may
	// be nil.
	committed func(rows int64)
	// rows belongs to run.
	rows int64

	mu      sync.Mutex
	waiting []*job
	running bool
	// idle ends the wait for the database when no job waits any more. It is nil
	// before the first wait.
	idle context.CancelFunc
	runs sync.WaitGroup
}

// job is a step that waits for its transaction.
type job struct {
	step     func(*conn) error
	ended    func() error // the error of its context
	deadline time.Time    // for the beginning of its transaction
	alone    bool         // it must not share its transaction
	err      error
	done     chan struct{}
}

func newWriter(db *sql.DB, busyTimeout time.Duration) *writer {
	return &writer{db: db, busyTimeout: busyTimeout}
}

// wait waits until no transaction is under way.
func (w *writer) wait() { w.runs.Wait() }

// do runs the step in a transaction. When its context ends while the step waits,
// the step is not run at all.
func (w *writer) do(ctx context.Context, step sqlstore.Step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{
		step:     func(on *conn) error { return step(ctx, on) },
		ended:    ctx.Err,
		deadline: time.Now().Add(w.busyTimeout),
		done:     make(chan struct{}),
	}
	w.enqueue(j)
	select {
	case <-j.done:
		return j.err
	case <-ctx.Done():
	}
	if w.withdraw(j) {
		return ctx.Err()
	}
	<-j.done
	return j.err
}

func (w *writer) enqueue(j *job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, j)
	if !w.running {
		w.running = true
		w.runs.Go(w.run)
	}
}

// withdraw takes the job out of the queue and reports whether it was still there.
func (w *writer) withdraw(j *job) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, waiting := range w.waiting {
		if waiting == j {
			w.waiting = append(w.waiting[:i], w.waiting[i+1:]...)
			if len(w.waiting) == 0 && w.idle != nil {
				w.idle()
			}
			return true
		}
	}
	return false
}

// run works until no job waits.
func (w *writer) run() {
	for {
		ctx, deadline, more := w.next()
		if !more {
			return
		}
		tx, err := w.begin(ctx, deadline)
		switch {
		case err == nil:
			w.share(tx, w.take(mayShare))
		case ctx.Err() == nil:
			w.finish(w.take(overdue(err)), err)
		}
		if w.committed != nil && w.rows > 0 {
			w.committed(w.rows)
			w.rows = 0
		}
	}
}

// next returns a context that ends when no job waits any more, and until when the
// first one waits. It reports false when none does.
func (w *writer) next() (ctx context.Context, deadline time.Time, more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) == 0 {
		w.running = false
		return nil, time.Time{}, false
	}
	ctx, w.idle = context.WithCancel(context.Background())
	return ctx, w.waiting[0].deadline, true
}

// take takes the first jobs out of the queue, as long as they are right. right is
// told of the first one and of the one in question.
func (w *writer) take(right func(first, j *job) bool) []*job {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle()
	n := 0
	for n < min(len(w.waiting), maxSharedSteps) && right(w.waiting[0], w.waiting[n]) {
		n++
	}
	taken := w.waiting[:n:n]
	w.waiting = w.waiting[n:]
	return taken
}

// mayShare reports whether a job may share the transaction of the first one.
func mayShare(first, j *job) bool {
	return j == first || !first.alone && !j.alone
}

// overdue returns which jobs fail when no transaction could begin: those that
// have waited for long enough when another store kept the database locked, else
// all.
func overdue(err error) func(first, j *job) bool {
	busy := errors.Is(meaningOf(err), ErrBusy)
	now := time.Now()
	return func(_, j *job) bool { return !busy || now.After(j.deadline) }
}

// putBack puts jobs that were taken to the front of the queue, but for those
// whose context has ended meanwhile: nobody withdraws them any more.
func (w *writer) putBack(jobs []*job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var waiting []*job
	for _, j := range jobs {
		if err := j.ended(); err != nil {
			w.finish([]*job{j}, err)
			continue
		}
		waiting = append(waiting, j)
	}
	w.waiting = append(waiting, w.waiting...)
}

func (w *writer) finish(jobs []*job, err error) {
	for _, j := range jobs {
		if err != nil {
			j.err = err
		}
		close(j.done)
	}
}

// share runs the jobs in one transaction. When that fails, none of them has
// happened, and each gets a transaction of its own: that tells which one it was,
// and costs less than a savepoint for every job.
func (w *writer) share(tx *sql.Conn, jobs []*job) {
	ran, err := w.attempt(tx, jobs)
	if err == nil || ran == 1 {
		w.finish(jobs[:ran], err)
		w.putBack(jobs[ran:])
		return
	}
	for _, j := range jobs[:ran] {
		j.alone = true
	}
	w.putBack(jobs)
}

// attempt runs the jobs in the transaction, which it ends. It returns how many it
// has run, which are fewer when they have written much, and an error when the
// transaction has failed. It gives the connection back.
func (w *writer) attempt(tx *sql.Conn, jobs []*job) (ran int, err error) {
	defer tx.Close() //nolint:errcheck // it is given back, or broken
	on := &conn{on: tx, writes: true}
	for ran < len(jobs) && on.rows < maxSharedRows {
		j, before := jobs[ran], on.rows
		ran++
		j.err = j.step(on)
		if j.err != nil && (on.rows != before || !isHarmless(j.err)) {
			rollBack(tx)
			return ran, j.err
		}
	}
	if _, err := tx.ExecContext(context.Background(), "COMMIT"); err != nil {
		rollBack(tx)
		return ran, err
	}
	w.rows += on.rows
	return ran, nil
}

// isHarmless reports whether an error says nothing about the transaction.
func isHarmless(err error) bool {
	return errors.As(err, new(sqlstore.AnswerError)) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// rollBack ends the transaction. A connection on which that fails is not used
// again.
func rollBack(tx *sql.Conn) {
	if _, err := tx.ExecContext(context.Background(), "ROLLBACK"); err != nil {
		_ = tx.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// begin starts a writing transaction as soon as no other is under way.
func (w *writer) begin(ctx context.Context, deadline time.Time) (*sql.Conn, error) {
	tx, err := w.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	err = whileBusy(ctx, deadline, func() error {
		// An interrupted BEGIN may have begun.
		_, err := tx.ExecContext(context.WithoutCancel(ctx), "BEGIN IMMEDIATE")
		return err
	})
	if err != nil {
		return nil, errors.Join(err, tx.Close())
	}
	return tx, nil
}

// whileBusy repeats try while another store keeps the database locked, until the
// deadline. SQLite would wait by itself, but not heed the context.
func whileBusy(ctx context.Context, deadline time.Time, try func() error) error {
	for wait := firstBusyWait; ; wait = min(2*wait, lastBusyWait) {
		err := try()
		if !errors.Is(meaningOf(err), ErrBusy) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
