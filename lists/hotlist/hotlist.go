// Package hotlist makes the lists that the clients of MetaMask's phishing detection read
// (@metamask/phishing-controller): all hosts and paths, what has changed since, and hashes of hosts.
//
//	h := hotlist.New(guard.Assets, guard.Feed, hotlist.Options{})
//	go h.Run(ctx)
//
// A [Hotlist] follows the feed. When that has changes, it reads all assets again, at most once in the
// interval, because an asset can change what the lists say about others. If 1,000,000 assets change all
// the time, that takes a good part of a processor: choose a longer interval then. Everything that a
// request needs is in memory: about 100 bytes for each BLOCKED or ALLOWED host or path, 250 for each change of
// the history, and twice as much while it reads. A response takes about 40 KB, however long it is and however
// slowly its client reads.
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
//   - There is room for 34,359,738,366 changes, which are 94 years of a million changes a day. After that, Refresh
//     returns an error, and the lists stay as they are.
//
// MetaMask's client (version 17.3.1) ignores every response that is not 200. After 410, as for a time stamp of
// another store or one that is too old, it keeps its lists and sends the same time stamp again, until it requests
// all lists, 30 days after the last time. From these it takes the new time stamp, even if that is smaller.
// Clients that must not wait for so long have to drop their lists once.
package hotlist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/follow"
	"github.com/apguard/apguard/lists"
)

// The defaults of [Options].
const (
	DefaultInterval = 10 * time.Second
	DefaultHistory  = 30_000
)

// ErrNotFilled reports that the Hotlist has not read all assets yet. It matches [asset.ErrUnavailable].
var ErrNotFilled = fmt.Errorf("hotlist is not filled yet: %w", asset.ErrUnavailable)

// ErrTooOld reports that the changes since a time stamp are not known, because it is too old or one of another
// store. The client must request all lists again.
var ErrTooOld = errors.New("changes since the time stamp are not known")

// Options are the optional settings of a [Hotlist]. The zero value is valid.
type Options struct {
	// Interval is the time between two reads of the feed. If it is not positive, it is
	// [DefaultInterval].
	Interval time.Duration
	// History is the number of changes, as far as the feed has them, to which a client can be behind. A
	// response ends early if as many changes are published before its client has read them. Zero means
	// [DefaultHistory], and a negative number none.
	History int
	// OnError is called by [Hotlist.Run] for an error of the store. An error that repeats is reported
	// once. Nil ignores them.
	OnError func(error)
}

// Hotlist makes lists for clients. [New] returns one, and [Hotlist.Run] or [Hotlist.Refresh] fills it. It
// is safe for concurrent use.
type Hotlist struct {
	assets  *asset.Service
	feed    *asset.FeedService
	options Options

	published atomic.Pointer[published]

	// refreshing is held while the fields below are used.
	refreshing sync.Mutex
	// cursor is the position after the history. began says whether it is that of a feed.
	cursor  asset.FeedCursor
	began   bool
	history follow.Log[change]
}

// New returns a Hotlist of the store of the services. It answers no request until it is filled.
func New(assets *asset.Service, feed *asset.FeedService, opts Options) *Hotlist {
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	opts.History = max(cmp.Or(opts.History, DefaultHistory), 0)
	if opts.OnError == nil {
		opts.OnError = func(error) {}
	}
	return &Hotlist{assets: assets, feed: feed, options: opts}
}

// Run calls [Hotlist.Refresh] at the interval of [Options] until ctx ends. It returns the error of ctx.
// After an error it waits twice as long as before, up to 30 seconds.
func (h *Hotlist) Run(ctx context.Context) error {
	return follow.Run(ctx, h.options.Interval, h.Refresh, h.options.OnError)
}

// Refresh reads the feed to its end and, if it has changes, all assets. If it returns nil, the lists have
// every change that was published before the call. Calls wait for each other.
func (h *Hotlist) Refresh(ctx context.Context) error {
	h.refreshing.Lock()
	defer h.refreshing.Unlock()

	feed, err := h.feed.State(ctx)
	if err != nil {
		return err
	}
	if _, err := feed.Position(h.cursor); err != nil || !h.began {
		h.begin(feed)
	}
	if err := h.read(ctx, feed); err != nil {
		return err
	}
	next := state{feed.Store, feed.Last}
	if next.position > maxPosition {
		return errFull
	}
	if present := h.published.Load(); present != nil && present.state == next {
		return nil
	}
	list, err := lists.ReadWalletList(func(filter asset.Filter) iter.Seq2[asset.Listed, error] { return h.assets.All(ctx, filter, 0) })
	if err != nil {
		return err
	}
	h.published.Store(newPublished(next, list, h.history))
	return nil
}

// begin starts the history with the last changes of a feed.
func (h *Hotlist) begin(feed asset.Feed) {
	h.cursor, h.history, h.began = asset.FeedCursor{}, follow.Log[change]{}, true
	if start := feed.Last - int64(h.options.History); start > 0 {
		h.cursor, h.history = feed.Cursor(start), follow.NewLog[change](start)
	}
}

// read adds the changes up to the end of the feed to the history.
func (h *Hotlist) read(ctx context.Context, feed asset.Feed) error {
	for entry, err := range follow.Feed(ctx, h.feed, feed, h.cursor) {
		if err != nil {
			return err
		}
		h.cursor = entry.Cursor
		if !entry.Change.OfStatus() {
			continue
		}
		h.history = h.history.Append(entry.Position, newChange(entry.Position, entry.Change), h.options.History)
	}
	return nil
}
