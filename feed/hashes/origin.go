// Package hashes makes the hash lists that a server gives to clients, which hold them in a hashlist.List.
//
// An [Origin] is a view of a [feed.Replica]. It answers a request without a version with whole lists, and one with a
// version with what has changed since:
//
//	o := hashes.New(hashes.Options{})
//	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{o}})
//	go r.Run(ctx)
//
// A version is a position in the feed of the store. So it is valid on every server with the same store,
// and after a restart. If the Replica reads a server over HTTP (package client/source), the versions of this Origin
// and of that server are the same, but this Origin knows only some of the versions of that server. It answers the
// others with whole lists.
//
// For 1,000,000 assets, an Origin takes 35 MB, and twice as much while changes
// are added. A response needs no look at the store, and is made once for all clients with the same version.
// Up to 16 MB of these are kept. Slow clients can hold 128 MB of older ones, and whole lists for each 1,000
// changes.
package hashes

import (
	"cmp"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
)

// The defaults of [Options].
const (
	DefaultInterval    = 2 * time.Second
	DefaultMinimumWait = time.Minute
	DefaultHistory     = 100_000
)

// ErrNotFilled reports that the Origin does not have all statuses yet. It matches
// [asset.ErrUnavailable].
var ErrNotFilled = fmt.Errorf("hash lists are not filled yet: %w", asset.ErrUnavailable)

// Options are the optional settings of an [Origin]. The zero value is valid.
type Options struct {
	// Interval is the shortest time between two versions of the lists. To make one copies 16 bytes for each
	// asset. If it is not positive, it is [DefaultInterval].
	Interval time.Duration
	// MinimumWait is how long clients are asked to wait between two requests. If it is not positive, it
	// is [DefaultMinimumWait].
	MinimumWait time.Duration
	// History is the number of changes, as far as the feed has them, to which a client can be behind
	// before it needs whole lists. Each takes 40 bytes. Zero means [DefaultHistory], and a negative
	// number none.
	History int
}

// Origin makes hash lists of the statuses in a store. It implements [feed.View]. [New] returns one, and a
// [feed.Replica] fills it. It is safe for concurrent use.
type Origin struct {
	options Options

	// published is what responses are made of, or nil.
	published atomic.Pointer[published]
	// made has the whole lists that were made last, or nil.
	made    atomic.Pointer[wholeLists]
	reading reading
}

// published is the state of an Origin for responses.
type published struct {
	*lists
	// readAt is the time before which every committed change is in the lists.
	readAt time.Time
}

// New returns an Origin. It answers no request until it is filled.
func New(opts Options) *Origin {
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	opts.MinimumWait = cmp.Or(max(opts.MinimumWait, 0), DefaultMinimumWait)
	opts.History = max(cmp.Or(opts.History, DefaultHistory), 0)
	return &Origin{options: opts}
}

// Describe implements [feed.View].
func (o *Origin) Describe() feed.Description {
	return feed.Description{Name: "hashes", History: o.options.History, Interval: o.options.Interval}
}

// NewCopy implements [feed.View].
func (o *Origin) NewCopy(listed asset.Feed, start asset.FeedCursor) feed.Copy {
	return &copied{origin: o, listed: listed, cursor: start, history: log{start: start.Position()}}
}
