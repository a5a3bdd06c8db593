// Package presence knows who has which record open at the moment.
package presence

import (
	"context"
	"slices"
	"sync"
	"time"
)

// linger is how long a user still counts after a visit, so that visits in a row are one stay.
const linger = 5 * time.Second

// Board knows who has which record open in this process. It is safe for concurrent use.
type Board[Record comparable] struct {
	mu    sync.Mutex
	stays map[stay[Record]]*visits
	// changed is closed when somebody comes or is gone, and another one takes its place.
	changed chan struct{}
}

// stay is one user at one record.
type stay[Record comparable] struct {
	record Record
	user   int64
}

// visits counts the visits of a stay that last. A stay without one ends soon.
type visits struct {
	open int
	end  *time.Timer
}

// NewBoard returns a Board that knows nobody.
func NewBoard[Record comparable]() *Board[Record] {
	return &Board[Record]{stays: make(map[stay[Record]]*visits), changed: make(chan struct{})}
}

// Enter begins a visit, which lasts until leave is called. A stay of the same user elsewhere that has no visit ends at
// once.
func (b *Board[Record]) Enter(record Record, user int64) (leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()

	here := stay[Record]{record, user}
	for other, v := range b.stays {
		if other.user == user && other != here && v.open == 0 {
			b.end(other, v)
		}
	}
	v := b.stays[here]
	if v == nil {
		v = &visits{}
		b.stays[here] = v
		b.tell()
	}
	v.open++
	return func() { b.leave(here, v) }
}

func (b *Board[Record]) leave(here stay[Record], v *visits) {
	b.mu.Lock()
	defer b.mu.Unlock()

	if v.open--; v.open > 0 {
		return
	}
	if v.end != nil {
		v.end.Stop()
	}
	v.end = time.AfterFunc(linger, func() {
		b.mu.Lock()
		defer b.mu.Unlock()

		b.end(here, v)
	})
}

// end ends a stay, unless a visit of it lasts.
func (b *Board[Record]) end(here stay[Record], v *visits) {
	if v.open == 0 && b.stays[here] == v {
		delete(b.stays, here)
		b.tell()
	}
}

func (b *Board[Record]) tell() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// Others returns who else has a record open, in the order of their IDs.
func (b *Board[Record]) Others(record Record, user int64) []int64 {
	others, _ := b.look(record, user)
	return others
}

// Wait returns when others than the known ones have a record open, or when ctx ends.
func (b *Board[Record]) Wait(ctx context.Context, record Record, user int64, known []int64) {
	for {
		others, changed := b.look(record, user)
		if !slices.Equal(others, known) {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

func (b *Board[Record]) look(record Record, user int64) (others []int64, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()

	for there := range b.stays {
		if there.record == record && there.user != user {
			others = append(others, there.user)
		}
	}
	slices.Sort(others)
	return others, b.changed
}
