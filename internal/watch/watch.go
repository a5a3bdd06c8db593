// Package watch lets any number of callers wait until something changes that is read for all of them together.
package watch

import (
	"context"
	"sync"
	"time"
)

// lookTimeout bounds how long a look waits for a store that hangs.
const lookTimeout = 10 * time.Second

// Watch looks at something at intervals while calls of [Watch.Wait] wait. It is safe for concurrent use.
type Watch[T any] struct {
	interval time.Duration
	read     func(context.Context) (T, error)
	same     func(a, b T) bool

	mu      sync.Mutex
	waiting int
	// stop ends the looks when no call waits.
	stop context.CancelFunc
	// latest is the latest look, or nil before the first one. next is closed after a look that
	// found something else.
	latest *look[T]
	next   chan struct{}
}

// look is what a look found.
type look[T any] struct {
	found T
	err   error
}

// New returns a Watch that reads at intervals. The function same reports whether nothing has changed for those who
// wait.
func New[T any](interval time.Duration, read func(context.Context) (T, error), same func(a, b T) bool) *Watch[T] {
	return &Watch[T]{interval: interval, read: read, same: same}
}

// Wait calls enough with what the latest look has found, and again after each change, and returns once enough returns
// true or an error. The latest look can be older than the call. Wait returns the error of a look, or that of ctx if
// ctx ends first.
func (w *Watch[T]) Wait(ctx context.Context, enough func(T) (bool, error)) error {
	w.begin(ctx)
	defer w.end()
	for {
		latest, next := w.look()
		if latest != nil {
			if latest.err != nil {
				return latest.err
			}
			if done, err := enough(latest.found); done || err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-next:
		}
	}
}

// begin counts a call that waits. The first one begins the looks.
func (w *Watch[T]) begin(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()

	if w.waiting++; w.waiting > 1 {
		return
	}
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx)) //nolint:gosec // end calls it
	w.latest, w.next = nil, make(chan struct{})
	go w.run(ctx)
}

// end ends a call that waits. The last one ends the looks.
func (w *Watch[T]) end() {
	w.mu.Lock()
	defer w.mu.Unlock()

	if w.waiting--; w.waiting == 0 {
		w.stop()
	}
}

// look returns the latest look, and a channel that is closed when there is another one.
func (w *Watch[T]) look() (latest *look[T], next <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.latest, w.next
}

// run looks until ctx ends.
func (w *Watch[T]) run(ctx context.Context) {
	for {
		w.again(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(w.interval):
		}
	}
}

// again looks, and wakes the calls that wait if that changes something for them.
func (w *Watch[T]) again(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	found, err := w.read(bounded)

	w.mu.Lock()
	defer w.mu.Unlock()

	if ctx.Err() != nil {
		return // a later call may have begun looks of its own
	}
	before := w.latest
	w.latest = &look[T]{found: found, err: err}
	if before == nil || err != nil || before.err != nil || !w.same(found, before.found) {
		close(w.next)
		w.next = make(chan struct{})
	}
}
