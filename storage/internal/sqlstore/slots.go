package sqlstore

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/storage"
)

// Kind tells which connections of a pool a step may use. The zero value is invalid.
type Kind int

// The kinds of steps.
const (
	// List steps read many records.
	List Kind = iota + 1
	// Search steps examine many records that are not part of the result.
	Search
	// Write steps change records.
	Write
	// Short steps authenticate a caller, check the database, or read a single record or the
	// covers of an asset.
	Short
	// Publish steps give changes their positions in the feed.
	Publish
)

// keptConnections is the number of connections that only short steps use.
const keptConnections = 2

// Slots limits how many steps of each kind use the connections of a pool at the same time,
// so that the steps of one kind do not wait for those of another. The zero value has no limit.
type Slots struct {
	lists, searches, writes, publications chan struct{}

	readers, writers *waits
}

// waits counts the steps that wait for a slot.
type waits struct {
	waiting, nanoseconds atomic.Int64
}

// begin counts a step that waits. It returns the function that ends the wait.
func (w *waits) begin() (end func()) {
	begun := time.Now()
	w.waiting.Add(1)
	return func() {
		w.waiting.Add(-1)
		w.nanoseconds.Add(int64(time.Since(begun)))
	}
}

func (w *waits) queue() storage.Queue {
	return storage.Queue{Waiting: int(w.waiting.Load()), Waited: time.Duration(w.nanoseconds.Load())}
}

// NewSlots returns the slots of a pool with that many connections. Besides those for short
// steps and for writers, a quarter of the connections, but at least one, is for searches, and
// the rest is for lists. There is at least one slot of each kind, so a pool with fewer than 4
// connections and writers keeps fewer for short steps. Publications have one slot, and a connection
// for it is not counted. If connections is 0, there is no limit.
func NewSlots(connections, writers int) Slots {
	if connections == 0 {
		return Slots{}
	}
	reading := connections - writers - keptConnections
	searches := max(reading/4, 1)
	return Slots{
		lists:        make(chan struct{}, max(reading-searches, 1)),
		searches:     make(chan struct{}, searches),
		writes:       make(chan struct{}, max(writers, 1)),
		publications: make(chan struct{}, 1),
		readers:      new(waits),
		writers:      new(waits),
	}
}

// Queues returns the steps that wait for a slot to read or to write. Publications write.
func (s Slots) Queues() (reads, writes storage.Queue) {
	if s.readers == nil { // no limit
		return storage.Queue{}, storage.Queue{}
	}
	return s.readers.queue(), s.writers.queue()
}

// Enter waits for a slot of the kind, and returns the function that leaves it. If ctx ends first,
// Enter returns the error of ctx. It panics if the kind is invalid.
func (s Slots) Enter(ctx context.Context, kind Kind) (leave func(), err error) {
	slots := s.of(kind)
	if slots == nil {
		return func() {}, nil
	}
	leave = func() { <-slots }
	select {
	case slots <- struct{}{}:
		return leave, nil
	default:
	}
	defer s.waits(kind).begin()()
	select {
	case slots <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Run runs a step in a slot of its kind. It returns the errors of Enter.
func (s Slots) Run(ctx context.Context, kind Kind, step func() error) error {
	leave, err := s.Enter(ctx, kind)
	if err != nil {
		return err
	}
	defer leave()
	return step()
}

// waits returns the waits for the slots of a kind.
func (s Slots) waits(kind Kind) *waits {
	if kind == Write || kind == Publish {
		return s.writers
	}
	return s.readers
}

// of returns the slots for a kind, or nil if it has no limit.
func (s Slots) of(kind Kind) chan struct{} {
	switch kind {
	case List:
		return s.lists
	case Search:
		return s.searches
	case Write:
		return s.writes
	case Publish:
		return s.publications
	case Short:
		return nil
	default:
		panic(fmt.Sprintf("invalid kind %d", kind))
	}
}
