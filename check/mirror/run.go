package mirror

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/internal/follow"
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
// After an error of the source, Run continues where it was. It waits for the interval and
// doubles that time, up to 30 seconds, for each further error. It starts again if the cursor
// is refused ([asset.ErrForeignCursor], [asset.ErrPrunedCursor], [asset.ErrMalformedCursor]), as after
// the store was replaced. After [asset.ErrFutureCursor], it tries a few times before. It cannot
// notice a replacement that is undone while it lists the assets. Until the new copy is complete,
// checks are answered from the previous one, so both are in memory.
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
		pause   = pause{source: m.source, interval: m.options.Interval, wake: m.wake}
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
				m.options.OnEvent(Event{Kind: EventFailed, Err: err})
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
			m.options.OnEvent(Event{Kind: EventFilled})
		case failure != "":
			m.options.OnEvent(Event{Kind: EventRecovered})
		}
		failure, retry = "", m.options.Interval
		_, cursor := next.size()
		if err := pause.until(ctx, cursor); err != nil {
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
	copied := *next
	readAt, err = m.follow(ctx, copied)
	if copied.place.Lost(err) || errors.Is(err, errCollision) {
		*next = nil
	}
	if err == nil && readAt.Before(copied.listedAt) && time.Since(copied.listedAt) > publicationTime {
		err = errUnpublished
	}
	return readAt, err
}

// list copies all assets. Changes that were committed meanwhile, or were not published yet, come
// after the cursor of the copy. Until all of them are read again, an asset could go back to a
// status that it had before.
func (m *Mirror) list(ctx context.Context) (*statuses, error) {
	for began := time.Now(); ; {
		list, err := m.source.List(ctx)
		if err != nil {
			return nil, err
		}
		copied := newStatuses(m.newHash(), list.Cursor)
		for listed, err := range list.Assets {
			if err == nil {
				err = validateListed(listed.Asset)
			}
			if err == nil {
				err = copied.set(listed)
			}
			if err != nil {
				return nil, err
			}
		}
		copied.listedAt = time.Now()
		if list.Cursor != "" || copied.table.used == 0 {
			return copied, nil
		}
		// No source refuses the cursor of an empty feed. The assets could be of a store that is
		// replaced before its feed is read, so they need a cursor of their own, unless there is none
		// because no asset has a change.
		first, err := m.source.Changes(ctx, "")
		if err != nil || len(first.Assets) == 0 && first.Age == 0 {
			return copied, err
		}
		if time.Since(began) > publicationTime {
			return nil, errUnpublished
		}
		if err := wait(ctx, min(catchUpInterval, m.options.Interval), nil); err != nil {
			return nil, err
		}
	}
}

// follow applies the changes up to the end of the feed. It returns the time before which every
// committed change is in the copy.
func (m *Mirror) follow(ctx context.Context, copied *statuses) (readAt time.Time, err error) {
	for {
		_, cursor := copied.size()
		began := time.Now()
		changes, err := m.source.Changes(ctx, cursor)
		if err == nil {
			copied.place = follow.Cursor{} // a part of the feed was read
			err = validateChanges(changes, cursor)
		}
		if err == nil {
			err = copied.apply(changes)
		}
		if err != nil || !changes.More {
			return began.Add(-changes.Age), err
		}
	}
}
