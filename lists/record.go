package lists

import (
	"hash/maphash"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// record is an entry of a list whose entries may have a type, a status and an end.
type record struct {
	Content   string `json:"content"`
	Canonical string `json:"canonical"`
	Type      string `json:"type"`
	Status    string `json:"status"`
	ExpiresAt string `json:"expiresAt"`
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
	item := asset.StatusItem{Identity: identity, Status: status}
	var valid bool
	item.ExpiresAt, valid = parseEnd(r.ExpiresAt)
	switch {
	case err != nil:
	case r.Type != "" && asset.Type(r.Type) != identity.Type:
		err = ErrType
	case !status.Valid():
		err = ErrStatus
	case !valid:
		err = ErrExpiry
	case !item.ExpiresAt.IsZero() && !item.ExpiresAt.After(l.opts.At):
		err = &NotTakenError{Kind: NotTakenEnded}
	case !l.seen.add(item):
		err = ErrContradiction
	}
	if err != nil {
		return l.refuse(line, content, err)
	}
	return l.entry(Entry{Line: line, StatusItem: item})
}

// parseEnd parses the end of an entry. An empty one is none.
func parseEnd(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, true
	}
	end, valid := asset.ParseTime(text)
	end = step.TruncateTime(end)
	return end, valid && !end.IsZero()
}

// seenStatuses has the statuses of the assets that a list has named so far, by hash. A
// collision of two assets among a million has a probability below one in ten million. It
// refuses one of them, if their statuses differ.
type seenStatuses struct {
	seed     maphash.Seed
	statuses map[uint64]packedStatus
}

// add remembers the status of an asset. It reports false if the asset has another one, or another end.
func (s *seenStatuses) add(item asset.StatusItem) bool {
	if s.statuses == nil {
		s.seed, s.statuses = maphash.MakeSeed(), make(map[uint64]packedStatus)
	}
	hash, packed := maphash.Comparable(s.seed, item.Identity), packStatus(item.Status, item.ExpiresAt)
	if before, known := s.statuses[hash]; known {
		return before == packed
	}
	s.statuses[hash] = packed
	return true
}

// packedStatus is the initial of a status, in the lowest seven bits, and the time when it ends in milliseconds, above the
// lowest eight. In a map with keys of eight bytes, it takes no more room than a byte.
type packedStatus int64

func packStatus(status asset.Status, end time.Time) packedStatus {
	packed := packedStatus(status[0]) // their initials differ
	if !end.IsZero() {
		packed |= packedStatus(end.UnixMilli() << 8)
	}
	return packed
}
