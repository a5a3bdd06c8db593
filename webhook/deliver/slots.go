package deliver

import (
	"context"
	"sync"
	"time"
)

const (
	// slowAfter is how long a receiver may take to answer before its endpoint moves to the room for
	// slow ones. Receivers that begin to hang delay others no longer than that.
	slowAfter = 200 * time.Millisecond
	// slowFactor is how many times more room there is for slow endpoints than for others. Each of them
	// costs little more than a message, a connection and three goroutines.
	slowFactor = 4
)

// slots bounds the endpoints that a sender works on at the same time. It is safe for concurrent use.
type slots struct {
	// concurrency is the largest number of endpoints that are not slow.
	concurrency int
	// freed has an item if there may be room again.
	freed chan struct{}

	mu sync.Mutex
	// all counts the slots that are taken, and slow and failing those among them.
	all, slow, failing int
}

// slot is the right to work on an endpoint.
type slot struct {
	slots *slots
	// failing says that the endpoint has failed before.
	failing bool
	// slow and left are guarded by the mutex of slots.
	slow, left bool
}

func newSlots(concurrency int) *slots {
	return &slots{concurrency: concurrency, freed: make(chan struct{}, 1)}
}

// take waits for room and returns a slot. Endpoints that have failed before take at most half of
// the concurrency, as each of their receivers may hang for the whole time limit. If that half is
// occupied, take does not wait, and ok is false.
func (s *slots) take(ctx context.Context, failing bool) (taken *slot, ok bool, err error) {
	for {
		taken, full := s.try(failing)
		if taken != nil || full {
			return taken, !full, nil
		}
		select {
		case <-s.freed:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// try returns a slot, or nil if there is no room now. full says that it is not there for endpoints
// that have failed before.
func (s *slots) try(failing bool) (taken *slot, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()

	switch {
	case failing && s.failing >= max(s.concurrency/2, 1):
		return nil, true
	case !s.hasRoom():
		return nil, false
	case failing:
		s.failing++
	}
	s.all++
	s.announce() // another call may wait, and two slots that are freed at once leave one item
	return &slot{slots: s, failing: failing}, false
}

// hasRoom reports whether an endpoint that is not slow has room. Slow endpoints for which there is no room
// of their own occupy that of the others.
func (s *slots) hasRoom() bool {
	return s.all-min(s.slow, slowFactor*s.concurrency) < s.concurrency
}

// announce lets a caller of take look again if there is room.
func (s *slots) announce() {
	if !s.hasRoom() {
		return
	}
	select {
	case s.freed <- struct{}{}:
	default:
	}
}

// slowDown makes the slot one of a slow endpoint. It may be called at any time.
func (t *slot) slowDown() {
	t.slots.mu.Lock()
	defer t.slots.mu.Unlock()

	if t.slow || t.left {
		return
	}
	t.slow = true
	t.slots.slow++
	t.slots.announce()
}

// leave frees the slot. It must be called once.
func (t *slot) leave() {
	t.slots.mu.Lock()
	defer t.slots.mu.Unlock()

	t.left = true
	t.slots.all--
	if t.slow {
		t.slots.slow--
	}
	if t.failing {
		t.slots.failing--
	}
	t.slots.announce()
}
