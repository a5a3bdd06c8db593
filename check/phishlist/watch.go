package phishlist

import (
	"context"
	"time"
)

// DefaultInterval is the interval of [File.Watch] if none is given.
const DefaultInterval = 10 * time.Second

// EventKind says what [File.Watch] observed.
type EventKind string

// The kinds of an [Event].
const (
	// EventReloaded means that a new list was loaded and is in use.
	EventReloaded EventKind = "reloaded"
	// EventFailed means that the file could not be loaded. The previous list stays in
	// use.
	EventFailed EventKind = "failed"
	// EventRecovered means that a failure is over and that the file has the content
	// of the list in use, so there was nothing to reload.
	EventRecovered EventKind = "recovered"
)

// Event is an observation of [File.Watch].
type Event struct {
	// Kind is never empty.
	Kind EventKind
	// Err is the error of [File.Reload] for EventFailed, and nil otherwise.
	Err error
}

// Watch reloads the file when it changes, until ctx is canceled. It checks the file
// once per interval. An interval that is not positive means [DefaultInterval].
//
// Watch calls report for each event, one call at a time, and does not check the file
// meanwhile. A nil report ignores the events. A failure that repeats with the same
// error text is reported once. Lists that the caller loads with [File.Reload] are not
// reported.
func (f *File) Watch(ctx context.Context, interval time.Duration, report func(Event)) {
	if interval <= 0 {
		interval = DefaultInterval
	}
	if report == nil {
		report = func(Event) {}
	}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	failure := "" // the error text of the last report, until the failure is over
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		changed, err := f.Reload(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if err.Error() != failure {
				failure = err.Error()
				report(Event{Kind: EventFailed, Err: err})
			}
			continue
		case changed:
			report(Event{Kind: EventReloaded})
		case failure != "":
			report(Event{Kind: EventRecovered})
		}
		failure = ""
	}
}
