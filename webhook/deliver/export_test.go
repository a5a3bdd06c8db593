package deliver

import (
	"context"
	"net/netip"
	"time"

	"github.com/apguard/apguard/webhook"
)

// SetPublic replaces the rule for addresses.
func (s *Sender) SetPublic(public func(netip.Addr) bool) { s.public = public }

// SetTurnTime replaces the time after which others that wait for a slot come first.
func (s *Sender) SetTurnTime(d time.Duration) { s.turnTime = d }

// Examined returns the number of endpoints for which the sender remembers what it has examined.
func (s *Sender) Examined() int {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()

	return len(s.memory.examined)
}

// Look looks for events, and at the endpoints that only wait for them if all is true. It returns the
// number of endpoints for which there is something to do, and does nothing.
func (s *Sender) Look(ctx context.Context, all bool) (ready int, err error) {
	if _, err := s.reader.refresh(ctx); err != nil {
		return 0, err
	}
	err = s.round(ctx, all, func(_ webhook.Endpoint, slot *slot) {
		ready++
		slot.leave()
	})
	return ready, err
}
