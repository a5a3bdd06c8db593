// Package origin makes the hash lists that a server gives to clients, which hold them in a
// [hashlist.List].
//
// An [Origin] copies the hashes of all assets that are ALLOWED or BLOCKED and then follows the feed of
// changes. It answers a request without a version with whole lists, and one with a version with what has
// changed since:
//
//	o := origin.New(guard.Assets, guard.Feed, origin.Options{})
//	go o.Run(ctx)
//
// A version is a position in the feed of the store. So it is valid on every server with the same store,
// and after a restart. For 1,000,000 assets, an Origin takes 35 MB, and twice as much while changes
// are added. A response needs no look at the store, and is made once for all clients with the same version.
// Up to 16 MB of these are kept. Slow clients can hold 128 MB of older ones, and whole lists for each 1,000
// changes.
package origin

import (
	"cmp"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/asset"
)

// The defaults of [Options].
const (
	DefaultInterval    = 2 * time.Second
	DefaultMinimumWait = time.Minute
	DefaultHistory     = 100_000
)

// ErrNotFilled reports that the Origin has not copied all statuses yet. It matches
// [asset.ErrUnavailable].
var ErrNotFilled = fmt.Errorf("hash lists are not filled yet: %w", asset.ErrUnavailable)

// Options are the optional settings of an [Origin]. The zero value is valid.
type Options struct {
	// Interval is the time between two reads of the feed. If it is not positive, it is
	// [DefaultInterval].
	Interval time.Duration
	// MinimumWait is how long clients are asked to wait between two requests. If it is not positive, it
	// is [DefaultMinimumWait].
	MinimumWait time.Duration
	// History is the number of changes, as far as the feed has them, to which a client can be behind
	// before it needs whole lists. Each takes 32 bytes. Zero means [DefaultHistory], and a negative
	// number none.
	History int
	// OnError is called by [Origin.Run] for an error of the store. An error that repeats is reported
	// once. Nil ignores them.
	OnError func(error)
}

// Origin makes hash lists of the statuses in a store. [New] returns one, and [Origin.Run] or
// [Origin.Refresh] fills it. It is safe for concurrent use.
type Origin struct {
	assets  *asset.Service
	feed    *asset.FeedService
	options Options

	// published is what responses are made of, or nil.
	published atomic.Pointer[published]
	// made has the whole lists that were made last, or nil.
	made    atomic.Pointer[wholeLists]
	reading reading

	// refreshing is held while the fields below are used.
	refreshing sync.Mutex
	// copied has the changes up to its cursor. It is nil to start again.
	copied *copied
}

// published is the state of an Origin for responses.
type published struct {
	*lists
	// feed is the state of the feed when it was read last.
	feed asset.Feed
	// readAt is the time before which every committed change is in the lists.
	readAt time.Time
}

// New returns an Origin of the store of the services. It answers no request until it is filled.
func New(assets *asset.Service, feed *asset.FeedService, opts Options) *Origin {
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	opts.MinimumWait = cmp.Or(max(opts.MinimumWait, 0), DefaultMinimumWait)
	opts.History = max(cmp.Or(opts.History, DefaultHistory), 0)
	if opts.OnError == nil {
		opts.OnError = func(error) {}
	}
	return &Origin{assets: assets, feed: feed, options: opts}
}
