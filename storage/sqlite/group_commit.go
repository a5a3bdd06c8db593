package sqlite

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// queue holds the jobs that wait to write.
type queue struct {
	busyTimeout time.Duration

	mu      sync.Mutex
	waiting []*job
	// waited is how long jobs have waited, in all.
	waited  time.Duration
	running bool
	// empty cancels the wait for the database once the queue is empty. It is nil
	// before the first wait.
	empty context.CancelFunc
}

// job is a step that waits for a transaction.
type job struct {
	step   func(*conn) error
	ctxErr func() error
	// exclusive jobs do not share their transaction.
	exclusive bool
	// since is when the job began to wait.
	since time.Time
	// deadline ends the wait for another store. It is zero while no other store
	// writes.
	deadline time.Time
	err      error
	done     chan struct{}
}

func newJob(ctx context.Context, step sqlstore.Step) *job {
	return &job{
		step:   func(on *conn) error { return step(ctx, on) },
		ctxErr: ctx.Err,
		done:   make(chan struct{}),
	}
}

// run runs the step. It sets the error of the job, even if the step panics or calls
// runtime.Goexit.
func (j *job) run(on *conn) {
	unreturned := &unreturnedError{}
	j.err = unreturned
	defer func() { unreturned.panicked = recover() }()
	j.err = j.step(on)
}

// result returns the error of the job. If the step did not return, neither does result.
func (j *job) result() error {
	var unreturned *unreturnedError
	switch {
	case !errors.As(j.err, &unreturned):
		return j.err
	case unreturned.panicked != nil:
		panic(unreturned.panicked)
	}
	runtime.Goexit()
	return nil
}

// unreturnedError is the error of a step that panicked or called runtime.Goexit.
type unreturnedError struct {
	panicked any // nil after runtime.Goexit
}

// Error implements error.
func (*unreturnedError) Error() string { return "step did not return" }

// finish ends the jobs, with err unless it is nil.
func finish(jobs []*job, err error) {
	for _, j := range jobs {
		if err != nil {
			j.err = err
		}
		close(j.done)
	}
}

// add appends a job. It reports whether the caller must start the writer.
func (q *queue) add(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.since = time.Now()
	q.waiting = append(q.waiting, j)
	start := !q.running
	q.running = true
	return start
}

// withdraw removes a job and reports whether it was still waiting.
func (q *queue) withdraw(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, j)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	q.waited += time.Since(j.since)
	if len(q.waiting) == 0 && q.empty != nil {
		q.empty()
	}
	return true
}

// stats returns how many jobs wait, and how long others have waited.
func (q *queue) stats() storage.Queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	return storage.Queue{Waiting: len(q.waiting), Waited: q.waited}
}

// stop reports whether the queue is empty. Then the writer must stop.
func (q *queue) stop() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = len(q.waiting) > 0
	return !q.running
}

// cancelWhenEmpty sets the function that ends the wait for the database.
func (q *queue) cancelWhenEmpty(cancel context.CancelFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.empty = cancel; len(q.waiting) == 0 {
		cancel()
	}
}

// take removes and returns the next job for a transaction that the other jobs share,
// or nil if none may join it.
func (q *queue) take(others []*job) *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 || len(others) > 0 && (others[0].exclusive || q.waiting[0].exclusive) {
		return nil
	}
	j := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.waited += time.Since(j.since)
	return j
}

// putBack returns jobs to the front of the queue. It ends jobs whose context has
// ended, as their callers no longer withdraw them.
func (q *queue) putBack(jobs []*job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var waiting []*job
	now := time.Now()
	for _, j := range jobs {
		if err := j.ctxErr(); err != nil {
			finish([]*job{j}, err)
			continue
		}
		j.since = now
		waiting = append(waiting, j)
	}
	q.waiting = append(waiting, q.waiting...)
}

// mayRetry sets the deadlines of jobs that wait for another store. It reports whether
// the first job may wait longer.
func (q *queue) mayRetry() bool {
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

// clearDeadlines is called when no other store writes any more.
func (q *queue) clearDeadlines() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.waiting {
		j.deadline = time.Time{}
	}
}

// fail ends jobs after a transaction could not begin: those past their deadline if
// another store writes, otherwise all.
func (q *queue) fail(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	busy, now := errors.Is(meaningOf(err), ErrBusy), time.Now()
	n := 0
	for n < len(q.waiting) && (!busy || !now.Before(q.waiting[n].deadline)) {
		q.waited += now.Sub(q.waiting[n].since)
		n++
	}
	finish(q.waiting[:n], err)
	q.waiting = q.waiting[n:]
}
