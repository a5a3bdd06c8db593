package mirror

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
)

// maxRetry is the longest time until Run tries again after an error, unless the interval is
// longer.
const maxRetry = 30 * time.Second

// catchUpInterval is the time until Run reads the feed again to complete a new copy, unless the
// interval is shorter.
const catchUpInterval = 50 * time.Millisecond

// publicationTime is how long a new copy waits for the publication of changes until that is an
// error.
const publicationTime = 10 * time.Second

// errUnpublished reports that a new copy cannot be completed.
var errUnpublished = errors.New("changes are not published yet; a server that writes to the store must run")

// ErrRunning reports that another call of Run has not returned.
var ErrRunning = errors.New("mirror is already running")

// Run fills the mirror and then reads the feed at the interval, until ctx ends. It returns the
// error of ctx, or [ErrRunning] if another call has not returned.
//
// After an error of the store, Run continues where it was. It waits for the interval and
// doubles that time, up to 30 seconds, for each further error. It starts again if the cursor
// is refused ([asset.ErrForeignCursor], [asset.ErrFutureCursor], [asset.ErrPrunedCursor]), as after the store was
// replaced. It cannot notice a replacement that is undone while it lists the assets. Until the
// new copy is complete, checks are answered from the previous one, so both are in memory.
//
// A store that was restored from a backup may accept the cursor. Then cancel Run and call it
// again: each call fills a new copy.
func (m *Mirror) Run(ctx context.Context) error {
	if !m.running.CompareAndSwap(false, true) {
		return ErrRunning
	}
	defer m.running.Store(false)

	var (
		next    *statuses // what the changes are applied to, or nil to start again
		failure string    // the error text of the last event, until the failure is over
		retry   = m.options.Interval
	)
	for {
		readAt, err := m.read(ctx, &next)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			m.fail(err)
			if err.Error() != failure {
				failure = err.Error()
				m.options.Report(Event{Kind: EventFailed, Err: err})
			}
			if err := wait(ctx, retry, nil); err != nil {
				return err
			}
			retry = min(2*retry, max(maxRetry, m.options.Interval))
			continue
		}
		if readAt.Before(next.listedAt) {
			if err := wait(ctx, min(catchUpInterval, m.options.Interval), nil); err != nil {
				return err
			}
			continue
		}
		switch filled := m.finish(readAt, next); {
		case filled:
			m.options.Report(Event{Kind: EventFilled})
		case failure != "":
			m.options.Report(Event{Kind: EventRecovered})
		}
		failure, retry = "", m.options.Interval
		if err := wait(ctx, m.options.Interval, m.wake); err != nil {
			return err
		}
	}
}

// read copies all assets unless next has them, and then the changes up to the end of the feed. It
// returns the time before which every committed change is in the copy.
func (m *Mirror) read(ctx context.Context, next **statuses) (readAt time.Time, err error) {
	if *next == nil {
		copied, err := m.list(ctx)
		if err != nil {
			return time.Time{}, err
		}
		*next = copied
	}
	began := time.Now()
	feed, err := m.feed.State(ctx)
	if err == nil {
		err = m.follow(ctx, *next)
	}
	if errors.Is(err, errCollision) || errors.Is(err, asset.ErrForeignCursor) ||
		errors.Is(err, asset.ErrFutureCursor) || errors.Is(err, asset.ErrPrunedCursor) {
		*next = nil
	}
	readAt = began.Add(-feed.Behind)
	if err == nil && readAt.Before((*next).listedAt) && time.Since((*next).listedAt) > publicationTime {
		err = errUnpublished
	}
	return readAt, err
}

// list copies all assets. Changes that were committed meanwhile, or were not published yet, come
// after the cursor of the copy. Until all of them are read again, an asset could go back to a
// status that it had before.
func (m *Mirror) list(ctx context.Context) (*statuses, error) {
	feed, err := m.feed.State(ctx)
	if err != nil {
		return nil, err
	}
	for {
		if feed.Last == 0 && feed.Unpublished {
			return nil, errUnpublished
		}
		copied := newStatuses(m.newHash(), feed.End())
		for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusBlocked} {
			for listed, err := range m.assets.All(ctx, asset.Filter{Status: status}, 0) {
				if err != nil {
					return nil, err
				}
				if err := copied.set(listed.Asset, feed.End()); err != nil {
					return nil, err
				}
			}
		}
		copied.listedAt = time.Now()
		if feed.Last > 0 || copied.table.used == 0 {
			return copied, nil
		}
		// No store refuses the cursor of an empty feed. The assets could be of a store that is
		// replaced before its feed is read, so they need a cursor of their own.
		again, err := m.feed.State(ctx)
		if err != nil || again.Store == feed.Store && again.Last == feed.Last {
			return copied, err
		}
		feed = again
	}
}

// follow applies the changes up to the end of the feed.
func (m *Mirror) follow(ctx context.Context, copied *statuses) error {
	_, cursor := copied.size()
	for followed, err := range m.feed.Follow(ctx, cursor) {
		if err != nil {
			return err
		}
		if err := copied.apply(followed); err != nil {
			return err
		}
	}
	return nil
}

// wait waits for a time, or until wake receives. It returns the error of ctx.
func wait(ctx context.Context, interval time.Duration, wake <-chan struct{}) error {
	timer := time.NewTimer(interval)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
	case <-wake:
	}
	return nil
}
