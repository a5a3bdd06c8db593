package hotlist

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
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
	changes, complete := p.history.All()
	complete = complete || len(changes) > 0 && changes[0].at < since
	for _, c := range changes {
		if c.at >= since {
			return c.position - 1, complete
		}
	}
	return p.position, complete
}

// allHosts returns the hashes of all blocked hosts.
func allHosts() filler {
	return &walk[string]{
		list:    func(p *published) []string { return p.list.Blocked },
		compare: strings.Compare,
		add:     func(part []byte, p *published, i int, _ string) []byte { return appendHash(part, p.hashes()[i]) },
	}
}

// changedHosts returns the hashes of hosts that were changed after a position, and are on the list or not.
func changedHosts(begun state, after int64, removed bool) *walk[entry] {
	return walkEntries(begun, after, func(part []byte, _ *published, _ int, one entry) []byte {
		if one.target != blocklist || one.removed != removed {
			return part
		}
		return appendHash(part, sha256.Sum256([]byte(one.text)))
	})
}

func appendHash(part []byte, hash [sha256.Size]byte) []byte {
	return append(hex.AppendEncode(append(part, '"'), hash[:]), '"')
}
