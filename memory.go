package apguard

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/observe"
)

const (
	// maxMemoryAge is how old the copy in memory can be to answer checks. If it is older, because the store is
	// away, checks read the store, and so fail.
	maxMemoryAge = 10 * time.Second
	// replicaInterval is the time between two reads of the feed by the Replica of a Guard. It bounds how late
	// checks from memory know what other processes have changed.
	replicaInterval = 100 * time.Millisecond
)

// memory answers checks from a copy in memory, or from the store while the copy may lack a change that this process
// has committed.
type memory struct {
	mirror  *mirror.Mirror
	replica *feed.Replica
	store   check.Checker
	// started is a time from which changedAt counts.
	started time.Time
	// changedAt is when the last step ended that can have changed a status.
	changedAt atomic.Int64
	// unpublished receives after changes, which [Guard.Run] publishes.
	unpublished chan struct{}
}

// newMemory returns a memory for checks with the options. Its Replica and its store are set by [New].
func newMemory(opts Options) *memory {
	return &memory{
		mirror:      mirror.New(mirror.Options{ExternalLists: opts.ExternalLists, FailClosed: opts.FailClosed, Bases: true}),
		started:     time.Now(),
		unpublished: make(chan struct{}, 1),
	}
}

// changed makes checks read the store until the copy has every change that was committed before the call.
func (m *memory) changed() {
	now := int64(time.Since(m.started))
	for last := m.changedAt.Load(); last < now && !m.changedAt.CompareAndSwap(last, now); {
		last = m.changedAt.Load()
	}
	m.replica.Wake()
	select {
	case m.unpublished <- struct{}{}:
	default:
	}
}

// current reports whether the copy has every change that this process has committed, and is not old.
func (m *memory) current() bool {
	readAt := m.replica.State().ReadAt
	return !readAt.IsZero() && time.Since(readAt) <= maxMemoryAge && int64(readAt.Sub(m.started)) >= m.changedAt.Load()
}

// news returns a channel that receives after changes. It returns nil if m is nil.
func (m *memory) news() <-chan struct{} {
	if m == nil {
		return nil
	}
	return m.unpublished
}

// published makes the Replica read changes that were published, if checks wait for them. m can be nil.
func (m *memory) published() {
	if m != nil && !m.current() {
		m.replica.Wake()
	}
}

// checker returns what answers a check that begins now.
func (m *memory) checker() check.Checker {
	if m.current() {
		return m.mirror
	}
	return m.store
}

// Check implements [check.Checker].
func (m *memory) Check(ctx context.Context, content string) (check.Verdict, error) {
	return m.checker().Check(ctx, content)
}

// CheckBatch implements [check.Checker].
func (m *memory) CheckBatch(ctx context.Context, contents []string) ([]check.Result, error) {
	return m.checker().CheckBatch(ctx, contents)
}

// replicate gives the Guard a Replica with the views of its options and the memory, which can be nil.
func (g *Guard) replicate(m *memory) {
	opts := g.options.Replica
	opts.Views = slices.Clone(opts.Views)
	if m != nil {
		opts.Views = append(opts.Views, m.mirror)
	}
	if len(opts.Views) == 0 {
		return
	}
	opts.Interval = cmp.Or(max(opts.Interval, 0), replicaInterval)
	if opts.OnEvent == nil {
		opts.OnEvent = func(event feed.Event) {
			if event.Err != nil {
				g.options.OnError(event.Err)
			}
		}
	}
	g.Replica = feed.NewReplica(feed.FromServices(g.Assets, g.Feed), opts)
	if m != nil {
		m.replica, m.store = g.Replica, newChecks(g.store, g.options)
		g.Checks, g.memory = observe.Checks(m, g.options.Observers...), m
	}
}

// Changed makes checks from memory wait for changes that were committed before the call and that the Guard cannot
// know: those by a Guard that [Guard.With] has returned, and those by other processes. Without the call, checks have
// them about 100 milliseconds later. It does nothing without the option Memory.
func (g *Guard) Changed() {
	if g.memory != nil {
		g.memory.changed()
	}
}
