package mirror

import (
	"time"

	"github.com/apguard/apguard/feed"
)

// State describes a [Mirror].
type State struct {
	// Filled reports whether the mirror has copied all statuses. [Mirror.Check] then answers unless Stale is true.
	Filled bool
	// Stale reports whether the copy has reached [Options.MaxAge].
	Stale bool
	// Assets is the number of assets in the copy, which are ALLOWED or BLOCKED.
	Assets int
	// AsOf says what the copy has. It is zero until the mirror is filled.
	feed.AsOf
}

// State returns the state of the mirror. [feed.Replica.State] has the error of the last read.
func (m *Mirror) State() State {
	copied := m.copied.Load()
	if copied == nil {
		return State{}
	}
	copied.mu.RLock()
	defer copied.mu.RUnlock()

	return State{Filled: true, Stale: m.stale(copied.asOf.ReadAt), Assets: copied.table.used, AsOf: copied.asOf}
}

// stale reports whether a copy of the time is too old to answer.
func (m *Mirror) stale(readAt time.Time) bool {
	return m.options.Clock().Sub(readAt) >= m.options.MaxAge
}
