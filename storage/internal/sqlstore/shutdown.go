package sqlstore

import (
	"sync"

	"github.com/apguard/apguard/storage"
)

// Gate lets steps in until it is closed. The zero value is open.
type Gate struct {
	mu       sync.Mutex
	closed   bool
	underWay sync.WaitGroup // none is added once closed is set
}

// Pass runs a step, or returns storage.ErrClosed.
func (g *Gate) Pass(step func() error) error {
	if err := g.enter(); err != nil {
		return err
	}
	defer g.underWay.Done()
	return step()
}

func (g *Gate) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return storage.ErrClosed
	}
	g.underWay.Add(1)
	return nil
}

// Close lets no more steps in and waits for those under way. It may be called
// again.
func (g *Gate) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.underWay.Wait()
}
