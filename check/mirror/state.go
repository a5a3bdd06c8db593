package mirror

import "time"

// State describes a [Mirror].
type State struct {
	// Filled reports whether [Mirror.Check] answers.
	Filled bool
	// Assets is the number of assets in the copy, which are ALLOWED or BLOCKED.
	Assets int
	// Cursor is the position in the feed of the source right after the last change in the copy. With
	// [FromServices], it is the text of an [asset.FeedCursor].
	Cursor string
	// ReadAt is the time before which every committed change is in the copy. This is when the last
	// successful read of the feed began, less the Age of its [Changes]. It is zero until the mirror is
	// filled.
	ReadAt time.Time
	// Err is the error of the last read, or nil if it was successful.
	Err error
}

// State returns the state of the mirror. It does not read the source.
func (m *Mirror) State() State {
	m.mu.Lock()
	defer m.mu.Unlock()

	state := State{ReadAt: m.progress.readAt, Err: m.progress.err}
	if copied := m.copied.Load(); copied != nil {
		state.Filled = true
		state.Assets, state.Cursor = copied.size()
	}
	return state
}

// EventKind says what [Mirror.Run] observed.
type EventKind string

// The kinds of an [Event].
const (
	// EventFilled means that a copy is complete, and answers from now on: the first one, or
	// another one after Run has started again.
	EventFilled EventKind = "filled"
	// EventFailed means that the source could not be read, or that Run has to start again. The
	// copy stays in use, if there is one.
	EventFailed EventKind = "failed"
	// EventRecovered means that a failure is over, and that the same copy has all changes.
	EventRecovered EventKind = "recovered"
)

// Event is an observation of [Mirror.Run].
type Event struct {
	// Kind is never empty.
	Kind EventKind
	// Err is the error for EventFailed, and nil otherwise. A failure that repeats with the same
	// error text is reported once.
	Err error
}
