package hotlist

import "sync"

// maxMade is the maximum size of the responses that are kept, in bytes.
const maxMade = 16 << 20

// made keeps responses for clients with the same request. They are made one after the other, so that
// requests which everybody can send do not take all processors.
type made struct {
	mu        sync.Mutex
	responses map[int64][]byte
	size      int
}

// get returns the response for a key. It calls create unless the response is kept.
func (m *made) get(key int64, create func() []byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()

	if kept, ok := m.responses[key]; ok {
		return kept
	}
	response := create()
	if m.size+len(response) <= maxMade {
		if m.responses == nil {
			m.responses = make(map[int64][]byte)
		}
		m.responses[key] = response
		m.size += len(response)
	}
	return response
}
