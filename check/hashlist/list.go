// Package hashlist checks contents without telling anybody. A client holds hashes of all assets that are
// ALLOWED or BLOCKED, and refreshes them from a server. No server learns which contents it checks:
//
//	list := hashlist.New(time.Hour)
//	fetch := source.Hashes(c) // of package client/source; c is a client.Client
//	if err := list.Refresh(ctx, fetch); err != nil {
//		...
//	}
//	verdict, err := list.Check(ctx, "https://login.bad.example.com/x")
//
// [List.Check] applies the rule of package check. Its verdicts are those of the server without external
// lists, at the time of the last refresh. The first refresh takes about 5.7 bytes for each asset, later
// ones about 6 bytes for each change. 1,000,000 assets take 9 MB of memory, and twice as much while they
// are refreshed.
//
// A hash has 64 bits. With 1,000,000 assets, less than one of 10^10 checks finds the hash of another
// asset. But somebody who may choose an asset can look for another content with the same hash, which
// takes minutes. So a verdict ALLOWED is not proof of what the server would say. If that matters, ask the
// server before something is trusted because of it.
package hashlist

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/asset"
)

// List is a list of hashes. [New] returns one, and [List.Refresh], [List.Update] or [List.Load] fill it.
// It is safe for concurrent use. Checks do not wait for updates. The zero List answers no check.
type List struct {
	maxAge time.Duration
	// refreshing is held by refreshes, and then also updating.
	refreshing sync.Mutex
	// updating is held by updates.
	updating sync.Mutex
	held     atomic.Pointer[held]
}

// held is what a List holds. Only an update replaces it.
type held struct {
	version  asset.FeedCursor
	asOf     time.Time
	wait     time.Duration
	statuses [len(names)]set
}

// names has the names of the lists in a response. The one of BLOCKED hashes comes first.
var names = [...]string{"blocked", "allowed"}

// The indices of the names.
const (
	blocked = iota
	allowed
)

// New returns a List that answers checks while it is younger than the given age. It is empty, so it
// answers none yet.
func New(maxAge time.Duration) *List { return &List{maxAge: maxAge} }

// State describes a [List].
type State struct {
	// Version is the version of the list, for the next request to the server. It is empty if there is
	// no list.
	Version string
	// AsOf is when the list was what the server had. It is zero if there is no list.
	AsOf time.Time
	// Blocked and Allowed are the numbers of hashes with these statuses.
	Blocked, Allowed int
	// MinimumWait is how long the server asks clients to wait until the next request.
	MinimumWait time.Duration
}

// State returns the state of the list.
func (l *List) State() State {
	h := l.held.Load()
	if h == nil {
		return State{}
	}
	return State{
		Version:     h.version.String(),
		AsOf:        h.asOf,
		Blocked:     len(h.statuses[blocked].hashes),
		Allowed:     len(h.statuses[allowed].hashes),
		MinimumWait: h.wait,
	}
}
