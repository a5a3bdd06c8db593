package feed

import (
	"fmt"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
)

// copies has a copy of each view at the same position.
type copies struct {
	views []*viewCopy
	// feed describes the feed before the assets were listed.
	feed asset.Feed
	// cursor is the position after the changes that were applied.
	cursor asset.FeedCursor
	// listedAt is when the assets had been listed or restored, or zero if all changes that they may have are in the
	// feed.
	listedAt time.Time
	followed followed
	// restored says that they are of a snapshot and were not published yet, and published that they were.
	restored, published bool
}

// viewCopy is a copy of a view.
type viewCopy struct {
	Copy
	Description

	// changed says that it has changes that were not published.
	changed bool
	// publishedAt is when changes were published last.
	publishedAt time.Time
}

// viewError is an error of a view.
type viewError struct {
	view string
	err  error
}

func (e *viewError) Error() string { return fmt.Sprintf("view %s: %v", e.view, e.err) }

func (e *viewError) Unwrap() error { return e.err }

// newCopies returns empty copies for a list.
func newCopies(views []View, feed asset.Feed, start asset.FeedCursor) *copies {
	c := &copies{feed: feed, cursor: start}
	for _, view := range views {
		c.views = append(c.views, &viewCopy{Copy: view.NewCopy(feed, start), Description: view.Describe()})
	}
	return c
}

// add adds an asset of the list.
func (c *copies) add(a asset.Known) error {
	for _, v := range c.views {
		if err := v.Add(a); err != nil {
			return &viewError{v.Name, err}
		}
	}
	return nil
}

// apply applies changes and moves the cursor after them.
func (c *copies) apply(changes Changes) error {
	for _, v := range c.views {
		if len(changes.Entries) == 0 {
			break
		}
		if err := v.Apply(changes.Entries, changes.Cursor); err != nil {
			return &viewError{v.Name, err}
		}
		v.changed = true
	}
	c.cursor = changes.Cursor
	if isZero(c.feed.Store) {
		c.feed.Store = changes.Cursor.Store()
	}
	return nil
}

// publish publishes the copies. Unless all is true, views with changes wait for their interval.
func (c *copies) publish(asOf AsOf, all bool) {
	now := time.Now()
	for _, v := range c.views {
		if v.changed && !all && now.Before(v.publishedAt.Add(v.Interval)) {
			continue
		}
		v.Publish(asOf)
		if v.changed {
			v.changed, v.publishedAt = false, now
		}
	}
}

// waits reports whether a view has changes that are not published.
func (c *copies) waits() bool {
	return slices.ContainsFunc(c.views, func(v *viewCopy) bool { return v.changed })
}

// due returns the time until the next publication of changes that wait, if that is sooner than the given time.
func (c *copies) due(within time.Duration) time.Duration {
	for _, v := range c.views {
		if v.changed {
			within = min(within, max(time.Until(v.publishedAt.Add(v.Interval)), 0))
		}
	}
	return within
}
