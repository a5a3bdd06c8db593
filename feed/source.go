package feed

import (
	"context"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
)

// Source is where a [Replica] reads. [FromServices] returns that of the services in this process, and package
// client/source that of a server of the HTTP API. The Replica calls one method at a time.
type Source interface {
	// List begins to list all assets that are ALLOWED or BLOCKED. history is the number of changes before
	// the list that the Replica wants to follow again, so that its views know what they were. A source may
	// ignore it.
	List(ctx context.Context, history int) (List, error)
	// Changes returns the changes that come after the cursor in the feed, or the first ones. It does
	// not wait for any.
	//
	// If the source cannot continue from the cursor, the error matches [asset.ErrMalformedCursor],
	// [asset.ErrForeignCursor], [asset.ErrFutureCursor] or [asset.ErrPrunedCursor].
	Changes(ctx context.Context, cursor asset.FeedCursor) (Changes, error)
}

// List is a list of assets.
type List struct {
	// Feed describes the feed before the list began. The list may lack, or have, any changes that come
	// later. The Store is zero if the source does not know it, and the numbers about pruned changes are
	// zero unless Start is before the end of the feed.
	Feed asset.Feed
	// Start is the cursor after which the changes are followed: the end of Feed, or an earlier position.
	Start asset.FeedCursor
	// Settled reports that the source has all changes already that the list may have. Otherwise, the Replica
	// waits for every change that was committed before the end of the list.
	Settled bool
	// Assets yields the assets. An error ends it, also if the list is incomplete. The Replica ranges
	// over it exactly once.
	Assets iter.Seq2[asset.Known, error]
}

// Changes is a part of the feed.
type Changes struct {
	// Entries are the changes in the order of the feed. The cursor of an entry is zero if the source does
	// not know it.
	Entries []asset.FeedEntry
	// Cursor is the position after the changes.
	Cursor asset.FeedCursor
	// More reports whether other changes may follow.
	More bool
	// Age says how old the feed was when Changes was called: every change that was committed longer
	// before the call was in the feed.
	Age time.Duration
	// Settled reports what [List.Settled] does, of copies that are restored from a snapshot: the changes complete
	// them, whatever the age of the feed. Otherwise, the Replica waits for every change that was committed before it
	// had read the snapshot.
	Settled bool
}

// Notifier is a [Source] that learns of changes by itself. The Replica reads the feed as soon as it
// does, and not only at the interval.
type Notifier interface {
	Source
	// Await waits until there are changes after the cursor, and reports true then. It reports false
	// if it cannot wait, if the time is over, and if ctx ends.
	Await(ctx context.Context, cursor asset.FeedCursor, longest time.Duration) bool
}
