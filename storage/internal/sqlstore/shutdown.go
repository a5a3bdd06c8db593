package sqlstore

import (
	"sync"

	"github.com/apguard/apguard/storage"
)

// Shutdown lets an engine close after its last step. The zero value is open.
type Shutdown struct {
	mu     sync.Mutex
	closed bool
	steps  sync.WaitGroup // not added to once closed is set
}

// Run runs a step. After Close it returns storage.ErrClosed instead.
func (s *Shutdown) Run(step func() error) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.steps.Done()
	return step()
}

func (s *Shutdown) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return storage.ErrClosed
	}
	s.steps.Add(1)
	return nil
}

// Close refuses further steps and waits for those that are running. It may be called
// more than once.
func (s *Shutdown) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.steps.Wait()
}
