package origin

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/follow"
)

const (
	// publicationTime is how long a new copy waits for the publication of changes, and
	// publicationInterval is the time between two looks.
	publicationTime     = 10 * time.Second
	publicationInterval = 10 * time.Millisecond
)

// errUnpublished reports that a new copy cannot be completed.
var errUnpublished = errors.New("changes are not published yet; a server that writes to the store must run")

// Run calls [Origin.Refresh] at the interval of [Options] until ctx ends. It returns the error of ctx.
// After an error it waits twice as long as before, up to 30 seconds. Meanwhile, responses have what the
// Origin had before, and their Age tells how old that is.
func (o *Origin) Run(ctx context.Context) error {
	return follow.Run(ctx, o.options.Interval, o.Refresh, o.options.OnError)
}

// Refresh reads the feed to its end. If it returns nil, responses have every change that was published
// before the call. Calls wait for each other.
//
// The first call copies all statuses. So does one that cannot continue, such as after the store was
// replaced. A store that was restored from a backup is not always noticed: make a new Origin then.
func (o *Origin) Refresh(ctx context.Context) error {
	o.refreshing.Lock()
	defer o.refreshing.Unlock()

	if o.copied != nil {
		err := o.follow(ctx)
		if !o.copied.place.Lost(err) {
			return err
		}
		o.copied = nil
	}
	copied, err := o.list(ctx)
	if err != nil {
		return err
	}
	o.copied = copied
	return o.follow(ctx)
}

// list copies all statuses. It continues with changes that are already in the copy, to know what clients
// have that are behind.
func (o *Origin) list(ctx context.Context) (*copied, error) {
	feed, err := o.feed.State(ctx)
	if err != nil {
		return nil, err
	}
	copied := &copied{store: feed.Store}
	if start := feed.Last - int64(o.options.History); start > 0 {
		copied.cursor, copied.history = feed.Cursor(start), follow.NewLog[change](start)
	}
	for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusBlocked} {
		for listed, err := range o.assets.All(ctx, asset.Filter{Status: status}, 0) {
			if err != nil {
				return nil, err
			}
			copied.records = append(copied.records, newRecord(listed.Asset))
		}
	}
	copied.records = sortRecords(copied.records)
	copied.listedAt = time.Now()
	return copied, nil
}

// follow applies the changes up to the end of the feed, and publishes the result. A copy that was listed
// can have changes that the feed does not have yet. It is not published before the feed has them.
func (o *Origin) follow(ctx context.Context) error {
	for began := time.Now(); ; {
		readAt := time.Now()
		feed, err := o.feed.State(ctx)
		if err != nil {
			return err
		}
		if err := o.apply(ctx, feed); err != nil {
			return err
		}
		if readAt = readAt.Add(-feed.Behind); !readAt.Before(o.copied.listedAt) {
			o.publish(feed, readAt)
			return nil
		}
		if time.Since(began) > publicationTime {
			return errUnpublished
		}
		if err := follow.Wait(ctx, publicationInterval); err != nil {
			return err
		}
	}
}

// maxStep is the maximum number of changes that are applied together.
const maxStep = 100_000

// apply applies the changes up to the end of the feed.
func (o *Origin) apply(ctx context.Context, feed asset.Feed) error {
	if feed.Store != o.copied.store {
		return asset.ErrForeignCursor
	}
	c := o.copied
	var changes []change
	cursor, history := c.cursor, c.history
	for entry, err := range follow.Feed(ctx, o.feed, feed, cursor) {
		if err != nil {
			return err
		}
		cursor = entry.Cursor
		if !entry.Change.OfStatus() {
			continue
		}
		changes = append(changes, newChange(entry.Change))
		history = history.Append(entry.Position, changes[len(changes)-1], o.options.History)
		if len(changes) == maxStep {
			c.history = history
			c.apply(changes, cursor)
			changes = nil
		}
	}
	c.history = history
	c.apply(changes, cursor)
	return nil
}

// publish makes responses from the copy. The lists with the same version are the same.
func (o *Origin) publish(feed asset.Feed, readAt time.Time) {
	present := o.published.Load()
	if present != nil && present.version == o.copied.cursor {
		o.published.Store(&published{present.lists, feed, readAt})
		return
	}
	o.published.Store(&published{newLists(o.copied, o.options.MinimumWait, &o.reading), feed, readAt})
}
