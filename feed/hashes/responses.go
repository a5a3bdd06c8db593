package hashes

import (
	"sync"
	"sync/atomic"
)

const (
	// maxKept is the maximum size of the responses that are kept, in bytes.
	maxKept = 16 << 20
	// manyChanges is the number of changes in a response that is made quickly.
	manyChanges = 1000
	// maxTurns is how many requests make a response with many changes, or wait for their turn, at most.
	// Nobody waits for longer than a few seconds then, and most places of a server stay free.
	maxTurns = 16
)

// responses keeps responses that clients with the same request share, for lists that do not change. The
// zero value is ready to use. It is safe for concurrent use.
type responses struct {
	// making is held while a response with many changes is made, so that requests for different ones
	// do not take all processors.
	making sync.Mutex
	turns  atomic.Int64

	mu   sync.Mutex
	kept map[int64][]byte
	size int
}

// get returns the response for a key, with the given number of changes. It calls create unless the
// response is kept. Responses with many changes are made one after the other, and others do not wait for
// them. It reports false if too many wait for their turn.
func (r *responses) get(key int64, changes int, create func() []byte) ([]byte, bool) {
	if response, ok := r.find(key); ok {
		return response, true
	}
	if changes > manyChanges {
		defer r.turns.Add(-1)
		if r.turns.Add(1) > maxTurns {
			return nil, false
		}
		r.making.Lock()
		defer r.making.Unlock()
		if response, ok := r.find(key); ok {
			return response, true
		}
	}
	response := create()
	r.keep(key, response)
	return response, true
}

func (r *responses) find(key int64) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()

	response, ok := r.kept[key]
	return response, ok
}

// keep keeps a response if there is room.
func (r *responses) keep(key int64, response []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if _, ok := r.kept[key]; ok || r.size+len(response) > maxKept {
		return
	}
	if r.kept == nil {
		r.kept = make(map[int64][]byte)
	}
	r.kept[key] = response
	r.size += len(response)
}
