package asset

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// lookInterval is the time between two looks at the feed while calls of Wait wait.
	lookInterval = 100 * time.Millisecond
	// lookTimeout bounds how long a look waits for a store that hangs.
	lookTimeout = 10 * time.Second
)

// Wait returns nil as soon as the feed has changes after the cursor. It returns the error of ctx if
// ctx ends first, an error of the store, [ErrForeignCursor] or [ErrPrunedCursor]. With a cursor beyond
// the end of the feed, it waits until the feed has changes after that.
//
// Any number of calls may wait at the same time: together they read the store ten times a second.
// Do not call Wait in a transaction of the host application.
func (s *FeedService) Wait(ctx context.Context, after FeedCursor) error {
	s.watch.begin(ctx)
	defer s.watch.end()
	for {
		latest, next := s.watch.look()
		if latest != nil {
			if latest.err != nil {
				return latest.err
			}
			position, err := latest.feed.Position(after)
			// The look can be older than the cursor.
			if !errors.Is(err, ErrFutureCursor) && (err != nil || position < latest.feed.Last) {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-next:
		}
	}
}

// feedWatch looks at the feed for all calls of Wait.
type feedWatch struct {
	store FeedStore

	mu      sync.Mutex
	waiting int
	// stop ends the looks when no call waits.
	stop context.CancelFunc
	// latest is the latest look, or nil before the first one. next is closed after a look that
	// found something else.
	latest *feedLook
	next   chan struct{}
}

// feedLook is what a look at the feed found.
type feedLook struct {
	feed Feed
	err  error
}

// begin counts a call that waits. The first one begins the looks.
func (w *feedWatch) begin(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()

	if w.waiting++; w.waiting > 1 {
		return
	}
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	w.latest, w.next = nil, make(chan struct{})
	go w.run(ctx)
}

// end ends a call that waits. The last one ends the looks.
func (w *feedWatch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()

	if w.waiting--; w.waiting == 0 {
		w.stop()
	}
}

// look returns the latest look, and a channel that is closed when there is another one.
func (w *feedWatch) look() (latest *feedLook, next <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.latest, w.next
}

// run looks at the feed until ctx ends.
func (w *feedWatch) run(ctx context.Context) {
	for {
		w.read(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookInterval):
		}
	}
}

// read looks at the feed, and wakes the calls that wait if that changes something for them.
func (w *feedWatch) read(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	feed, err := w.store.Feed(bounded)

	w.mu.Lock()
	defer w.mu.Unlock()

	if ctx.Err() != nil {
		return // a later call may have begun looks of its own
	}
	before := w.latest
	w.latest = &feedLook{feed: feed, err: err}
	if before == nil || err != nil || before.err != nil || feed.End() != before.feed.End() {
		close(w.next)
		w.next = make(chan struct{})
	}
}
