package mirror

import (
	"context"
	"time"
)

// Wake makes [Mirror.Run] read the feed now instead of at the end of the interval. It does not
// wait for that. Call it when the process knows of a change. While Run waits after an error,
// Wake does not shorten that time.
func (m *Mirror) Wake() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// Sync wakes [Mirror.Run] and waits until the copy has every change that was committed before
// the call. The mirror is then filled. It returns the error of ctx if ctx ends first, for
// example because the store is away or Run does not run.
func (m *Mirror) Sync(ctx context.Context) error {
	m.mu.Lock()
	pass := m.progress.begun + 1
	m.mu.Unlock()
	m.Wake()
	for {
		m.mu.Lock()
		done, changed := m.progress.finished >= pass, m.progress.changed
		m.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// progress counts the reads of the feed, which are called passes.
type progress struct {
	// begun is the number of the last pass, and finished that of the last successful one.
	begun, finished int64
	// changed is closed when finished changes.
	changed chan struct{}
	readAt  time.Time
	err     error
}

// begin returns the number of a new pass.
func (m *Mirror) begin() (pass int64) {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.progress.begun++
	return m.progress.begun
}

// fail records the error of a pass.
func (m *Mirror) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.progress.err = err
}

// finish records that a pass was successful. From now on, the copy answers. It reports whether
// that is another one than before.
func (m *Mirror) finish(pass int64, began time.Time, copied *statuses) (filled bool) {
	m.mu.Lock()
	defer m.mu.Unlock()

	close(m.progress.changed)
	m.progress.finished, m.progress.changed = pass, make(chan struct{})
	m.progress.readAt, m.progress.err = began, nil
	return m.copied.Swap(copied) != copied
}
