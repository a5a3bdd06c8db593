package feed

// EventKind says what [Replica.Run] observed.
type EventKind string

// The kinds of an [Event].
const (
	// EventFilled means that new copies are complete, and that the views answer from them: the first ones,
	// or others after Run has started again.
	EventFilled EventKind = "filled"
	// EventFailed means that the source could not be read, or that Run has to start again. The
	// copies stay in use, if there are any.
	EventFailed EventKind = "failed"
	// EventRecovered means that a failure is over, and that the same copies have all changes.
	EventRecovered EventKind = "recovered"
	// EventSnapshotIgnored means that the snapshot cannot be used, so that the assets are listed.
	EventSnapshotIgnored EventKind = "snapshot ignored"
	// EventSnapshotFailed means that a snapshot could not be written. It is tried again at the interval.
	EventSnapshotFailed EventKind = "snapshot failed"
)

// Event is an observation of [Replica.Run].
type Event struct {
	// Kind is never empty.
	Kind EventKind
	// Err is the error for EventFailed, EventSnapshotIgnored and EventSnapshotFailed, and nil otherwise. A failure that repeats with the same
	// error text is reported once.
	Err error
}
