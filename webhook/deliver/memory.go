package deliver

import (
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
)

const (
	// maxExamined and examinedTime are how many events, and how long, the stored place of an
	// endpoint may be behind what was examined for it.
	maxExamined  = asset.MaxLimit
	examinedTime = time.Hour
)

// memory is what a sender remembers of the endpoints. Nothing but time is lost with it.
type memory struct {
	mu sync.Mutex
	// busy has the endpoints that the sender works on. The value says whether a round has left out
	// the endpoint because of that.
	busy map[int64]bool
	// missed says that the next round must look at all endpoints.
	missed bool
	// examined has how far the events were examined for endpoints for which there was nothing. Storing
	// that for each of many endpoints would take more time than the examination.
	examined map[int64]examined
	// resets is the number of times that examined was cleared.
	resets int
	// failed has the last error of each endpoint that fails, as it was reported.
	failed map[int64]string
}

// examined says that for an endpoint that is stored at a place, there is nothing to send up to
// another one.
type examined struct {
	stored, through webhook.Place
	since           time.Time // when stored was examined first
}

func newMemory() *memory {
	return &memory{busy: make(map[int64]bool), examined: make(map[int64]examined), failed: make(map[int64]string)}
}

// isBusy reports whether the sender works on the endpoint, which the round then leaves out.
func (m *memory) isBusy(id int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()

	_, busy := m.busy[id]
	if busy {
		m.busy[id] = true
	}
	return busy
}

// begin remembers that work on the endpoint begins.
func (m *memory) begin(id int64) {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.busy[id] = false
}

// end remembers that work on the endpoint has ended. It reports whether a round has left out the
// endpoint in the meantime.
func (m *memory) end(id int64) (leftOut bool) {
	m.mu.Lock()
	defer m.mu.Unlock()

	leftOut = m.busy[id]
	delete(m.busy, id)
	return leftOut
}

// miss makes the next round look at all endpoints.
func (m *memory) miss() {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.missed = true
}

// takeMissed reports whether this round must look at all endpoints.
func (m *memory) takeMissed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()

	missed := m.missed
	m.missed = false
	return missed
}

// fail remembers an error of the endpoint, or nil. It reports whether the error is new.
func (m *memory) fail(id int64, err error) bool {
	m.mu.Lock()
	defer m.mu.Unlock()

	if err == nil {
		delete(m.failed, id)
		return false
	}
	before, failed := m.failed[id]
	m.failed[id] = err.Error()
	return !failed || before != err.Error()
}

// progress is how far the events were examined for an endpoint.
type progress struct {
	endpoint webhook.Endpoint
	through  webhook.Place
	resets   int
}

// progress returns how far the events were examined for the endpoint.
func (m *memory) progress(e webhook.Endpoint) progress {
	m.mu.Lock()
	defer m.mu.Unlock()

	if x, ok := m.examined[e.ID]; ok && x.stored == e.Place {
		return progress{e, x.through, m.resets}
	}
	return progress{e, e.Place, m.resets}
}

// examine remembers how far the events were examined, unless that is not valid any more.
func (m *memory) examine(p progress) {
	m.mu.Lock()
	defer m.mu.Unlock()

	if p.resets != m.resets {
		return
	}
	x, ok := m.examined[p.endpoint.ID]
	if !ok || x.stored != p.endpoint.Place {
		x = examined{stored: p.endpoint.Place, since: time.Now()}
	}
	x.through = p.through
	m.examined[p.endpoint.ID] = x
}

// reset forgets how far the events were examined, because changes were pruned or the store went back.
func (m *memory) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.resets++
	clear(m.examined)
}

// overdue reports whether it is time to store how far the events were examined for the endpoint.
func (m *memory) overdue(e webhook.Endpoint, through webhook.Place) bool {
	m.mu.Lock()
	defer m.mu.Unlock()

	if through.Position-e.Place.Position+through.Dispute-e.Place.Dispute+through.Act-e.Place.Act >= maxExamined {
		return true
	}
	x, ok := m.examined[e.ID]
	return ok && x.stored == e.Place && time.Since(x.since) > examinedTime
}

// tidy forgets endpoints that do not exist any more, if they are more than the given number of those
// that do.
func (m *memory) tidy(endpoints int) {
	m.mu.Lock()
	defer m.mu.Unlock()

	if len(m.examined) > 2*endpoints+dueLimit {
		clear(m.examined)
	}
	if len(m.failed) > 2*endpoints+dueLimit {
		clear(m.failed)
	}
}
