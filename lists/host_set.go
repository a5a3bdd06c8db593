package lists

import (
	"crypto/sha256"
	"strings"
)

// hostKey stands for a host in a [hostSet]. Finding two hosts with the same key is infeasible.
type hostKey [16]byte

func keyOf(host string) hostKey {
	sum := sha256.Sum256([]byte(host))
	return hostKey(sum[:len(hostKey{})])
}

// hostSet is a set of hosts that takes at most 40 bytes for each, whatever its length.
type hostSet map[hostKey]struct{}

func (s hostSet) add(host string) { s[keyOf(host)] = struct{}{} }

func (s hostSet) has(host string) bool {
	_, found := s[keyOf(host)]
	return found
}

// covers reports whether the set has a host or a domain above it.
func (s hostSet) covers(host string) bool {
	for more := len(s) > 0; more; _, host, more = strings.Cut(host, ".") {
		if s.has(host) {
			return true
		}
	}
	return false
}

// remove removes a host. It reports whether the set had it.
func (s hostSet) remove(host string) bool {
	before := len(s)
	delete(s, keyOf(host))
	return len(s) < before
}
