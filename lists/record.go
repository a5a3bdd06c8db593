package lists

import (
	"hash/maphash"
	"strings"

	"github.com/apguard/apguard/asset"
)

// record is an entry of a list whose entries may have a type and a status.
type record struct {
	Content   string `json:"content"`
	Canonical string `json:"canonical"`
	Type      string `json:"type"`
	Status    string `json:"status"`
}

// record yields the entry for a record.
func (l *reader) record(line int, r record) error {
	content := r.Content
	if content == "" {
		content = r.Canonical
	}
	status := asset.Status(strings.ToUpper(r.Status))
	if status == "" {
		status = l.opts.Status
	}
	identity, err := l.identify(l.restore(content), r.Type != "")
	switch {
	case err != nil:
	case r.Type != "" && asset.Type(r.Type) != identity.Type:
		err = ErrType
	case !status.Valid():
		err = ErrStatus
	case !l.seen.add(identity, status):
		err = ErrContradiction
	}
	if err != nil {
		return l.refuse(line, content, err)
	}
	return l.found(line, identity, status)
}

// seenStatuses has the statuses of the assets that a list has named so far, by hash. A
// collision of two assets among a million has a probability below one in ten million. It
// refuses one of them, if their statuses differ.
type seenStatuses struct {
	seed     maphash.Seed
	statuses map[uint64]byte
}

// add remembers the status of an asset. It reports false if the asset has another one.
func (s *seenStatuses) add(identity asset.Identity, status asset.Status) bool {
	if s.statuses == nil {
		s.seed, s.statuses = maphash.MakeSeed(), make(map[uint64]byte)
	}
	hash := maphash.Comparable(s.seed, identity)
	if before, known := s.statuses[hash]; known {
		return before == status[0]
	}
	s.statuses[hash] = status[0] // their initials differ
	return true
}
