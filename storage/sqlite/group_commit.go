package sqlite

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// queue holds the steps that wait for their turn to write.
type queue struct {
	busyTimeout time.Duration

	mu      sync.Mutex
	waiting []*job
	running bool
	// idle ends the wait for the database when no job waits any more. It is nil
	// before the first wait.
	idle context.CancelFunc
}

// job is a step that waits for its transaction.
type job struct {
	step  func(*conn) error
	ended func() error // the error of its context
	// alone says that it must not share its transaction.
	alone bool
	// deadline is until when it waits for another store; it is zero while none is
	// in the way.
	deadline time.Time
	err      error
	done     chan struct{}
}

func newJob(ctx context.Context, step sqlstore.Step) *job {
	return &job{
		step:  func(on *conn) error { return step(ctx, on) },
		ended: ctx.Err,
		done:  make(chan struct{}),
	}
}

// finish gives the jobs their result, which is err unless it is nil.
func finish(jobs []*job, err error) {
	for _, j := range jobs {
		if err != nil {
			j.err = err
		}
		close(j.done)
	}
}

// add puts a job to the end and reports whether somebody must begin to work.
func (q *queue) add(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, j)
	begin := !q.running
	q.running = true
	return begin
}

// withdraw takes the job out and reports whether it was still there.
func (q *queue) withdraw(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, waiting := range q.waiting {
		if waiting == j {
			q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
			if len(q.waiting) == 0 && q.idle != nil {
				q.idle()
			}
			return true
		}
	}
	return false
}

// next returns a context that ends when no job waits any more. It reports false,
// and that nobody works now, when none does already.
func (q *queue) next() (context.Context, context.CancelFunc, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.running = false
		return nil, nil, false
	}
	ctx, cancel := context.WithCancel(context.Background())
	q.idle = cancel
	return ctx, cancel, true
}

// take returns the next job for a transaction that others have joined already, or
// nil when none may join.
func (q *queue) take(others []*job) *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 || len(others) > 0 && (others[0].alone || q.waiting[0].alone) {
		return nil
	}
	j := q.waiting[0]
	q.waiting = q.waiting[1:]
	return j
}

// putBack puts jobs that were taken to the front, but for those whose context has
// ended meanwhile: nobody withdraws them any more.
func (q *queue) putBack(jobs []*job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var waiting []*job
	for _, j := range jobs {
		if err := j.ended(); err != nil {
			finish([]*job{j}, err)
			continue
		}
		waiting = append(waiting, j)
	}
	q.waiting = append(waiting, q.waiting...)
}

// patient notes that another store is in the way, and reports whether the first
// job goes on waiting.
func (q *queue) patient() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for _, j := range q.waiting {
		if j.deadline.IsZero() {
			j.deadline = now.Add(q.busyTimeout)
		}
	}
	return len(q.waiting) == 0 || now.Before(q.waiting[0].deadline)
}

// unhindered notes that no other store is in the way any more.
func (q *queue) unhindered() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.waiting {
		j.deadline = time.Time{}
	}
}

// fail ends the jobs that an error at the beginning of a transaction is the end of:
// those that have waited for long enough when another store was in the way, else
// all.
func (q *queue) fail(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	busy, now := errors.Is(meaningOf(err), ErrBusy), time.Now()
	n := 0
	for n < len(q.waiting) && (!busy || !now.Before(q.waiting[n].deadline)) {
		n++
	}
	finish(q.waiting[:n], err)
	q.waiting = q.waiting[n:]
}
