package feed

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"
)

// The defaults of [Options].
const (
	DefaultInterval         = time.Second
	DefaultSnapshotInterval = 5 * time.Minute
)

// Options are the optional settings of a [Replica]. The zero value is valid.
type Options struct {
	// Views are the views that the Replica keeps. No other Replica may have them.
	Views []View
	// Interval is the time between two reads of the feed. A [Notifier] makes it shorter if there
	// are changes. If it is not positive, it is [DefaultInterval].
	Interval time.Duration
	// Snapshot is the path of a file, with which [Replica.Run] begins instead of a list of all assets. Run
	// writes it when the views are filled, at the SnapshotInterval if there were changes, and at its end. It
	// reads no changes meanwhile, which is a fraction of a second for 1,000,000 assets. The file replaces the
	// one before at once, and only its owner can read it. Two Replicas must not have the same one. If it is
	// empty, there are no snapshots.
	//
	// A snapshot is ignored, with an event, if it is damaged, of other rules of classification, of another
	// store, of other views or of other forms of them, or if the source cannot continue from its cursor. The
	// views answer from it only after all changes since were read. Remove it if the store was restored from a
	// backup.
	Snapshot string
	// SnapshotInterval is the shortest time between two snapshots. If it is not positive, it is
	// [DefaultSnapshotInterval].
	SnapshotInterval time.Duration
	// OnEvent is called by [Replica.Run] for each event, one call at a time. Run does not read the
	// feed meanwhile. Nil ignores the events.
	OnEvent func(Event)
}

// Replica keeps copies of the assets of a source for its views. [NewReplica] returns one, and [Replica.Run] fills
// it. It is safe for concurrent use. The zero Replica is never filled.
type Replica struct {
	source  Source
	options Options
	// history is the largest number of changes that a view wants to know when it begins.
	history int

	// next are the copies to which changes are applied, or nil to start again. Only the call that has set running
	// uses them.
	next    *copies
	running atomic.Bool
	wake    chan struct{}

	mu       sync.Mutex
	progress progress
}

// NewReplica returns a Replica of the source. Its views do not answer until Run has filled them.
func NewReplica(source Source, opts Options) *Replica {
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	opts.SnapshotInterval = cmp.Or(max(opts.SnapshotInterval, 0), DefaultSnapshotInterval)
	if opts.OnEvent == nil {
		opts.OnEvent = func(Event) {}
	}
	r := &Replica{
		source:   source,
		options:  opts,
		wake:     make(chan struct{}, 1),
		progress: progress{changed: make(chan struct{})},
	}
	for _, view := range opts.Views {
		r.history = max(r.history, view.Describe().History)
	}
	return r
}

// State describes a [Replica].
type State struct {
	// Filled reports whether the views answer.
	Filled bool
	// AsOf says up to where the feed was read. It is zero until the views are filled. A view that waits for
	// its interval answers from less; see [Description].
	AsOf
	// Err is the error of the last read, or nil if it was successful.
	Err error
}

// State returns the state of the Replica. It does not read the source.
func (r *Replica) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()

	return State{Filled: r.progress.filled, AsOf: r.progress.asOf, Err: r.progress.err}
}
