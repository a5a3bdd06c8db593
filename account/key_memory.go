package account

import (
	"context"
	"sync"
	"time"
)

// KeyMemory is the maximum age of the record of a key that [KeyService.Authenticate] uses.
// It is measured in elapsed time, so setting a clock does not extend it. Time in which the
// machine is suspended may not count.
const KeyMemory = time.Second

// maxRemembered bounds how many records are remembered. Those of other keys are read for
// each call.
const maxRemembered = 4096

// keyMemory remembers records of keys that were read in the last [KeyMemory]. Unknown keys
// are not remembered. The zero value is ready to use.
type keyMemory struct {
	mu sync.Mutex
	// window is the current window, or nil after a write of a key.
	window *keyWindow
	// excluded has the first bytes of the hashes of keys that are not remembered, which
	// bounds its size.
	excluded map[[2]byte]bool
}

// keyWindow has records that were read after it was opened. It is replaced and never
// emptied: a call that began to read before a write adds its record to the old window.
type keyWindow struct {
	opened  time.Time
	records map[[32]byte]KeyRecord
}

// recall returns the record of a key, and whether it is remembered. Otherwise, the caller
// passes the window to remember after it has read the record.
func (m *keyMemory) recall(hash [32]byte) (KeyRecord, bool, *keyWindow) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.window == nil || time.Since(m.window.opened) >= KeyMemory {
		m.window = &keyWindow{opened: time.Now(), records: make(map[[32]byte]KeyRecord)}
	}
	record, found := m.window.records[hash]
	return record, found, m.window
}

// remember adds a record to the window that recall returned before it was read.
func (m *keyMemory) remember(window *keyWindow, hash [32]byte, record KeyRecord) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(window.records) < maxRemembered && !m.excluded[[2]byte(hash[:])] {
		window.records[hash] = record
	}
}

// used sets LastUsedAt of a remembered record, so that the use is not recorded again.
func (m *keyMemory) used(hash [32]byte, at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.window == nil {
		return
	}
	if record, found := m.window.records[hash]; found {
		record.Key.LastUsedAt = at
		m.window.records[hash] = record
	}
}

// forget must be called after a write of a key. It forgets all records that calls have
// read or are reading. If the write is not committed, later calls read the old record too,
// and nothing reports the end of the transaction. So the key is not remembered again.
func (m *keyMemory) forget(hash [32]byte, committed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.window = nil
	if committed {
		return
	}
	if m.excluded == nil {
		m.excluded = make(map[[2]byte]bool)
	}
	m.excluded[[2]byte(hash[:])] = true
}

// record returns the record of a key from the memory or else from the store. A service of a
// transaction reads the store only, because others must not see what it reads.
func (s *KeyService) record(ctx context.Context, hash [32]byte) (KeyRecord, error) {
	if s.transaction {
		return s.store.KeyByHash(ctx, hash)
	}
	record, found, window := s.memory.recall(hash)
	if found {
		return record, nil
	}
	record, err := s.store.KeyByHash(ctx, hash)
	if err == nil {
		s.memory.remember(window, hash, record)
	}
	return record, err
}
