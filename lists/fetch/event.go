package fetch

import "github.com/apguard/apguard/lists"

// EventKind is a kind of [Event].
type EventKind int

// The kinds of events.
const (
	// EventSynced means that a list was synced with its file.
	EventSynced EventKind = iota + 1
	// EventUnchanged means that the file of a list has not changed.
	EventUnchanged
	// EventFailed means that a fetch or its sync has failed, or that the store has. It will be repeated.
	EventFailed
)

// Event is something that a [Fetcher] reports.
type Event struct {
	Kind EventKind
	// List is the name of the list. It is empty if the event concerns no single list.
	List string
	// Result is that of the sync. After EventFailed, it is what the sync would have done.
	Result lists.SyncResult
	// Err is the error of EventFailed. Its text has nothing of the URL.
	Err error
}
