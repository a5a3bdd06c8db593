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
// example because the source is away, Run does not run, or nothing publishes the changes.
func (m *Mirror) Sync(ctx context.Context) error {
	called := time.Now()
	m.Wake()
	ticker := time.NewTicker(catchUpInterval)
	defer ticker.Stop()
	for {
		m.mu.Lock()
		done, changed := m.copied.Load() != nil && !m.progress.readAt.Before(called), m.progress.changed
		m.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-ticker.C:
			m.Wake() // the changes may be published by now
		}
	}
}

// progress tells how far Run is.
type progress struct {
	// changed is closed when readAt changes.
	changed chan struct{}
	readAt  time.Time
	err     error
}

// fail records the error of a read.
func (m *Mirror) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.progress.err = err
}

// finish records that the copy has every change that was committed before readAt. From now on, it
// answers. finish reports whether that is another copy than before.
func (m *Mirror) finish(readAt time.Time, copied *statuses) (filled bool) {
	m.mu.Lock()
	defer m.mu.Unlock()

	close(m.progress.changed)
	m.progress.changed, m.progress.err = make(chan struct{}), nil
	filled = m.copied.Swap(copied) != copied
	if filled || readAt.After(m.progress.readAt) {
		m.progress.readAt = readAt
	}
	return filled
}
