package feed

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/wait"
)

// maxRetry is the longest time until Run tries again after an error, unless the interval is
// longer.
const maxRetry = 30 * time.Second

// catchUpInterval is the time until Run reads the feed again to complete new copies, unless the
// interval is shorter.
const catchUpInterval = 50 * time.Millisecond

// publicationTime is how long new copies wait for the publication of changes until that is an
// error.
const publicationTime = 10 * time.Second

// errUnpublished reports that new copies cannot be completed.
var errUnpublished = errors.New("changes are not published yet; a server that writes to the store must run")

// ErrRunning reports that another call of Run has not returned.
var ErrRunning = errors.New("replica is already running")

// Run fills the views and then reads the feed at the interval, until ctx ends. It returns the
// error of ctx, or [ErrRunning] if another call has not returned.
//
// After an error of the source, Run continues where it was. It waits for the interval and
// doubles that time, up to 30 seconds, for each further error. It starts again if the cursor
// is refused ([asset.ErrForeignCursor], [asset.ErrPrunedCursor], [asset.ErrMalformedCursor]), as after
// the store was replaced. After [asset.ErrFutureCursor], it tries a few times before. It cannot
// notice a replacement that is undone while it lists the assets. Until the new copies are complete,
// the views answer from the previous ones, so both are in memory.
//
// A store that was restored from a backup may accept the cursor. Then cancel Run, remove the snapshot and call Run
// again: without a snapshot, each call fills new copies.
func (r *Replica) Run(ctx context.Context) error {
	if !r.running.CompareAndSwap(false, true) {
		return ErrRunning
	}
	defer r.running.Store(false)

	saver := snapshots{replica: r}
	r.next = saver.restore()
	defer func() { saver.save(r.next, true) }()
	var (
		failure string // the error text of the last event, until the failure is over
		retry   = r.options.Interval
		pause   = pause{source: r.source, interval: r.options.Interval, wake: r.wake}
	)
	for {
		readAt, err := r.read(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var ignored *snapshotError
		if errors.As(err, &ignored) {
			r.options.OnEvent(Event{Kind: EventSnapshotIgnored, Err: ignored.err})
			continue
		}
		if err != nil {
			r.fail(err)
			if err.Error() != failure {
				failure = err.Error()
				r.options.OnEvent(Event{Kind: EventFailed, Err: err})
			}
			if _, err := wait.For(ctx, retry, nil); err != nil {
				return err
			}
			retry = min(2*retry, max(maxRetry, r.options.Interval))
			continue
		}
		if readAt.Before(r.next.listedAt) {
			if _, err := wait.For(ctx, r.catchUpInterval(), nil); err != nil {
				return err
			}
			continue
		}
		switch filled := r.finish(readAt); {
		case filled:
			r.options.OnEvent(Event{Kind: EventFilled})
		case failure != "":
			r.options.OnEvent(Event{Kind: EventRecovered})
		}
		failure, retry = "", r.options.Interval
		saver.save(r.next, false)
		if err := pause.until(ctx, r.next); err != nil {
			return err
		}
	}
}

// catchUpInterval is the time until new copies are read again that are not complete.
func (r *Replica) catchUpInterval() time.Duration { return min(catchUpInterval, r.options.Interval) }

// read copies all assets unless next has them, and then the changes up to the end of the feed. It
// returns the time before which every committed change is in the copies.
func (r *Replica) read(ctx context.Context) (readAt time.Time, err error) {
	if r.next == nil {
		listed, err := r.list(ctx)
		if err != nil {
			return time.Time{}, err
		}
		r.next = listed
	}
	copies := r.next
	readAt, err = r.follow(ctx, copies)
	var failed *viewError
	switch lost := copies.followed.lost(err) || errors.As(err, &failed); {
	case copies.restored && (lost || errors.Is(err, asset.ErrFutureCursor)):
		r.next, err = nil, &snapshotError{err}
	case lost:
		r.next = nil
	}
	if err == nil && readAt.Before(copies.listedAt) && time.Since(copies.listedAt) > publicationTime {
		err = errUnpublished
	}
	return readAt, err
}

// list copies all assets. While the feed is empty because no change is published yet, it tries again.
func (r *Replica) list(ctx context.Context) (*copies, error) {
	for began := time.Now(); ; {
		listed, err := r.listOnce(ctx)
		if !errors.Is(err, errUnpublished) || time.Since(began) > publicationTime {
			return listed, err
		}
		if _, err := wait.For(ctx, r.catchUpInterval(), nil); err != nil {
			return nil, err
		}
	}
}

// listOnce copies all assets. Changes that were committed meanwhile, or were not published yet, come
// after the cursor of the copies. Until all of them are read again, an asset could go back to a
// status that it had before.
func (r *Replica) listOnce(ctx context.Context) (*copies, error) {
	list, err := r.source.List(ctx, r.history)
	if err == nil {
		err = validateList(list)
	}
	if err != nil {
		return nil, err
	}
	listed, n := newCopies(r.options.Views, list.Feed, list.Start), 0
	for a, err := range list.Assets {
		if err == nil {
			err = validateListed(a.Asset)
		}
		if err == nil {
			err = listed.add(a)
		}
		if err != nil {
			return nil, err
		}
		n++
	}
	if list.Settled {
		return listed, nil
	}
	listed.listedAt = time.Now()
	if list.Feed.Last != 0 || n == 0 {
		return listed, nil
	}
	// No source refuses the cursor of an empty feed. The assets could be of a store that is
	// replaced before its feed is read, so they need a cursor of their own, unless there is none
	// because no asset has a change.
	first, err := r.source.Changes(ctx, asset.FeedCursor{})
	if err == nil && (len(first.Entries) != 0 || first.Age != 0) {
		err = errUnpublished
	}
	return listed, err
}

// follow applies the changes up to the end of the feed. It returns the time before which every
// committed change is in the copies.
func (r *Replica) follow(ctx context.Context, c *copies) (readAt time.Time, err error) {
	for {
		began := time.Now()
		changes, err := r.source.Changes(ctx, c.cursor)
		if err == nil {
			err = c.validate(changes)
		}
		if err == nil {
			c.followed = followed{} // a part of the feed was read
			err = c.apply(changes)
		}
		if err == nil && changes.Settled {
			c.listedAt = time.Time{}
		}
		if err != nil || !changes.More {
			return began.Add(-changes.Age), err
		}
	}
}
