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
	end, err := s.Begin()
	if err != nil {
		return err
	}
	defer end()
	return step()
}

// Begin begins a step, and returns the function that ends it. After Close it returns
// storage.ErrClosed instead.
func (s *Shutdown) Begin() (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, storage.ErrClosed
	}
	s.steps.Add(1)
	return s.steps.Done, nil
}

// Close refuses further steps and waits for those that are running. It may be called
// more than once.
func (s *Shutdown) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.steps.Wait()
}
