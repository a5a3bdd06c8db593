package feed

import (
	"context"
	"time"
)

// Wake makes [Replica.Run] read the feed now instead of at the end of the interval. It does not
// wait for that. Call it when the process knows of a change. While Run waits after an error,
// Wake does not shorten that time.
func (r *Replica) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Sync wakes [Replica.Run] and waits until all views have every change that was committed before
// the call. They are then filled. It returns the error of ctx if ctx ends first, for
// example because the source is away, Run does not run, or nothing publishes the changes.
func (r *Replica) Sync(ctx context.Context) error {
	r.syncing(1)
	defer r.syncing(-1)

	called := time.Now()
	r.Wake()
	ticker := time.NewTicker(catchUpInterval)
	defer ticker.Stop()
	for {
		r.mu.Lock()
		done, changed := r.progress.filled && !r.progress.publishedAt.Before(called), r.progress.changed
		r.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-ticker.C:
			r.Wake() // the changes may be published by now
		}
	}
}

// syncing adds to the number of calls of Sync.
func (r *Replica) syncing(calls int) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.progress.syncing += calls
}

// progress tells how far Run is.
type progress struct {
	// filled reports whether copies were published, and current are those that were published last.
	filled  bool
	current *copies
	// changed is closed when asOf changes.
	changed chan struct{}
	asOf    AsOf
	// publishedAt is the ReadAt of asOf when no view waited for its interval.
	publishedAt time.Time
	err         error
	// syncing is the number of calls of Sync that have not returned.
	syncing int
}

// fail records the error of a read.
func (r *Replica) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.progress.err = err
}

// finish publishes the copies, which have every change that was committed before readAt. It reports whether
// these are others than before. During a call of Sync, no view waits for its interval.
func (r *Replica) finish(readAt time.Time) (filled bool) {
	c := r.next
	r.mu.Lock()
	filled = r.progress.current != c
	all := filled || r.progress.syncing > 0
	if !filled && readAt.Before(r.progress.asOf.ReadAt) {
		readAt = r.progress.asOf.ReadAt
	}
	r.mu.Unlock()

	asOf := AsOf{Store: c.feed.Store, Cursor: c.cursor, ReadAt: readAt}
	c.publish(asOf, all)
	c.restored, c.published = false, true

	r.mu.Lock()
	defer r.mu.Unlock()

	close(r.progress.changed)
	r.progress.changed, r.progress.err = make(chan struct{}), nil
	r.progress.filled, r.progress.current, r.progress.asOf = true, c, asOf
	if !c.waits() {
		r.progress.publishedAt = readAt
	}
	return filled
}
