package hotlist

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/apguard/apguard/lists"
)

// margin is how far the clock of a client, and the publication of a change, may be behind.
const margin = 10 * time.Minute

// RequestBlocklist returns the SHA-256 of blocked hosts in hexadecimal: of all, or of those that were
// blocked or removed since a time in seconds, by the clock of the client. It can have others too, such as
// those of ten minutes before. If the history does not go back so far, it has all blocked hosts. The error is
// [ErrNotFilled].
func (h *Hotlist) RequestBlocklist(since int64) (Response, error) {
	p := h.published.Load()
	if p == nil {
		return Response{}, ErrNotFilled
	}
	since -= int64(margin / time.Second)
	begun := p.state
	after, complete := p.changesFrom(since)
	return h.newResponse(begun, func() []section {
		var added, removed filler
		switch {
		case since <= 0:
			added = allHosts()
		case complete:
			added, removed = changedHosts(begun, after, false), changedHosts(begun, after, true)
		default:
			known := changedHosts(begun, 0, true)
			known.valid = nil // those that the history has
			added, removed = allHosts(), known
		}
		return []section{{`{"recentlyAdded":[`, added}, {`],"recentlyRemoved":[`, removed}, {`]}`, nil}}
	}), nil
}

// changesFrom returns a position before all changes of the history that were recorded since a time in
// seconds. It reports whether the history has all of these.
func (p *published) changesFrom(since int64) (after int64, complete bool) {
	complete = p.start == 0 || len(p.all) > 0 && p.all[0].at < since
	for _, c := range p.all {
		if c.at >= since {
			after := c.position - 1
			return after, complete && p.hasAfter(after) // changes with one position can be in the history in part
		}
	}
	return p.position, complete
}

// allHosts returns the hashes of all blocked hosts.
func allHosts() filler { return walkList(lists.WalletBlocked, appendHash) }

// changedHosts returns the hashes of hosts that were changed after a position, and are on the list or not.
func changedHosts(begun state, after int64, removed bool) *walk[entry] {
	return walkEntries(begun, after, func(part []byte, one entry) []byte {
		if one.List != lists.WalletBlocked || one.removed != removed {
			return part
		}
		return appendHash(part, one.Text)
	})
}

func appendHash(part []byte, host string) []byte {
	hash := sha256.Sum256([]byte(host))
	return append(hex.AppendEncode(append(part, '"'), hash[:]), '"')
}
