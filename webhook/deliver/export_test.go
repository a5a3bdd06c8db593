package deliver

import "net/netip"

// SetPublic replaces the rule for addresses.
func (s *Sender) SetPublic(public func(netip.Addr) bool) { s.public = public }

// Examined returns the number of endpoints for which the sender remembers what it has examined.
func (s *Sender) Examined() int {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()

	return len(s.memory.examined)
}
