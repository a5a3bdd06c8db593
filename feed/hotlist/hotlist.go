// Package hotlist makes the lists that the clients of MetaMask's phishing detection read
// (@metamask/phishing-controller): all hosts and paths, what has changed since, and hashes of hosts.
//
//	h := hotlist.New(hotlist.Options{})
//	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{h}})
//	go r.Run(ctx)
//
// A [Hotlist] is a view of a [feed.Replica]. A change costs what it concerns, whatever the
// length of the lists. Everything that a request needs is in memory: about 80 bytes for each BLOCKED asset and
// each ALLOWED host, 250 for each change of the history, and twice as much while the Replica begins again. A
// response takes about 40 KB, however long it is and however slowly its client reads.
//
// # Time stamps
//
// A client sends back the newest time stamp that it has seen, as an integer of JavaScript, and applies only
// differences with a larger one. It does nothing else with it, and does not compare it with a clock. So a time
// stamp is not a time here. It has no unit. Of its 53 bits, the upper 35 are one more than a position in the
// feed, and the lower 18 are derived from the ID of the store. So:
//
//   - Later positions have larger time stamps. They are the same on all servers with the same store and
//     after a restart, and need no clock.
//   - A time stamp of another store, such as a backup that was restored and given a new identity, is
//     recognized. One of 262,144 pairs of stores has the same bits by chance; then it is not.
//   - 0 and 1 are the time stamps of clients without lists, and no others.
//   - There is room for 34,359,738,366 changes, which are 94 years of a million changes a day. After that, the lists
//     stay as they are.
//   - A server of the HTTP API tells the positions of pages of changes, but not those of single changes. A Hotlist that
//     follows one has whole pages, so some of its differences are longer. It begins without a history.
//
// MetaMask's client (version 17.3.1) ignores every response that is not 200. After 410, as for a time stamp of
// another store or one that is too old, it keeps its lists and sends the same time stamp again, until it requests
// all lists, 30 days after the last time. From these it takes the new time stamp, even if that is smaller.
// Clients that must not wait for so long have to drop their lists once.
package hotlist

import (
	"cmp"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/asset"
)

// The defaults of [Options].
const (
	DefaultInterval = 10 * time.Second
	DefaultHistory  = 30_000
)

// ErrNotFilled reports that no [feed.Replica] has filled the Hotlist yet. It matches [asset.ErrUnavailable].
var ErrNotFilled = fmt.Errorf("hotlist is not filled yet: %w", asset.ErrUnavailable)

// ErrTooOld reports that the changes since a time stamp are not known, because it is too old or one of another
// store. The client must request all lists again.
var ErrTooOld = errors.New("changes since the time stamp are not known")

// Options are the optional settings of a [Hotlist]. The zero value is valid.
type Options struct {
	// Interval is the shortest time between two publications of changes. If it is not positive, it is
	// [DefaultInterval].
	Interval time.Duration
	// History is the number of changes, as far as the feed has them, to which a client can be behind. A
	// response ends early if as many changes are published before its client has read them. Zero means
	// [DefaultHistory], and a negative number none.
	History int
}

// Hotlist makes lists for clients. It implements [feed.View]. [New] returns one, and a [feed.Replica] fills it. It is
// safe for concurrent use.
type Hotlist struct {
	options   Options
	published atomic.Pointer[published]
}

// New returns a Hotlist. It answers no request until a [feed.Replica] has filled it.
func New(opts Options) *Hotlist {
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	opts.History = max(cmp.Or(opts.History, DefaultHistory), 0)
	return &Hotlist{options: opts}
}
