// Package mirror answers checks from a copy in memory, without a database.
//
// A [Mirror] copies all assets that are ALLOWED or BLOCKED from a [Source] and then follows the
// feed of changes. [Mirror.Check] applies the rule of package check to the copy. When the
// mirror has read the feed to its end, it answers as the source does:
//
//	source := mirror.FromServices(guard.Assets, guard.Feed)
//	m := mirror.New(source, mirror.Options{ExternalLists: guard.ExternalLists})
//	go m.Run(ctx)
//
//	verdict, err := m.Check(ctx, "https://login.bad.example.com/x")
//
// The source can also be a server, anywhere; see package client/source. The answers then do not have
// the external lists of the server, only those of the mirror. Of the basis of a status, a Match has the
// reason alone.
//
// The copy keeps a 64-bit hash of each asset's identity instead of its text, so that 1,000,000
// assets take less than 48 MiB. If the hash of a cover is that of another asset in the copy,
// the verdict is wrong. With 1,000,000 assets, this happens in about one of 10^12 checks. The
// seed of the hash is random and differs in each copy, so nobody can prepare such contents.
// Two assets in the copy never share a hash: the mirror then starts again with another seed.
package mirror

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

// DefaultInterval is the interval at which a [Mirror] reads the feed if none is given.
const DefaultInterval = time.Second

// Options are the optional settings of a [Mirror]. The zero value is valid.
type Options struct {
	// ExternalLists and FailClosed are those of [check.Options].
	ExternalLists check.ExternalLists
	FailClosed    bool
	// Interval is the time between two reads of the feed. A [Notifier] makes it shorter if there
	// are changes. If it is not positive, it is [DefaultInterval].
	Interval time.Duration
	// OnEvent is called by [Mirror.Run] for each event, one call at a time. Run does not read the
	// feed meanwhile. Nil ignores the events.
	OnEvent func(Event)
}

// Mirror is a copy of the statuses in a source. [New] returns one, and [Mirror.Run] fills it.
// It is safe for concurrent use. The zero Mirror is never filled.
type Mirror struct {
	source  Source
	options Options
	newHash func() func(asset.Identity) uint64

	// copied is the copy that answers, or nil.
	copied  atomic.Pointer[statuses]
	running atomic.Bool
	wake    chan struct{}

	mu       sync.Mutex
	progress progress
}

// New returns a Mirror of the source. It answers no check until Run has filled it.
func New(source Source, opts Options) *Mirror {
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	if opts.OnEvent == nil {
		opts.OnEvent = func(Event) {}
	}
	return &Mirror{
		source:   source,
		options:  opts,
		newHash:  newHash,
		wake:     make(chan struct{}, 1),
		progress: progress{changed: make(chan struct{})},
	}
}
