package mirror

import (
	"io"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/internal/saved"
)

// Save implements [feed.Copy]. It writes the key of the hash, the reasons whose numbers the entries have, the parts of
// bases, if there are any, and the entries with their hashes.
func (s *statuses) Save(w io.Writer) error {
	out := saved.NewWriter(w)
	out.Bytes(s.key[:])
	out.Number(uint64(len(reasons)))
	for _, reason := range reasons {
		out.Text(string(reason))
	}
	out.Number(s.hasBases())
	out.Number(uint64(s.table.used)) //nolint:gosec // it is not negative
	if b := s.table.bases; b != nil {
		out.Number(uint64(len(b.pool.all)))
		for _, part := range b.pool.all {
			out.Text(string(part.by))
			out.Number(uint64(part.listID)) //nolint:gosec // it is converted back
			out.Text(part.list)
			out.Text(part.note)
		}
	}
	for slot, hash := range s.table.hashes {
		if hash == 0 {
			continue
		}
		out.Number(hash)
		out.Number(uint64(s.table.entries[slot]))
		if b := s.table.bases; b != nil {
			out.Number(uint64(b.since[slot])) //nolint:gosec // it is converted back
			out.Number(uint64(b.parts[slot]))
		}
	}
	return out.Flush()
}

// hasBases returns 1 if the copy has bases, and 0 otherwise.
func (s *statuses) hasBases() uint64 {
	if s.table.bases != nil {
		return 1
	}
	return 0
}

// Load implements [feed.Copy].
func (s *statuses) Load(r io.Reader) error {
	in := saved.NewReader(r)
	in.Bytes(s.key[:])
	s.hash = s.key.function()
	if in.Number() != uint64(len(reasons)) {
		in.Fail()
	}
	for _, reason := range reasons {
		if asset.Reason(in.Text()) != reason {
			in.Fail()
		}
	}
	if in.Number() != s.hasBases() {
		in.Fail()
	}
	n := in.Number()
	var parts []basisPart
	if s.table.bases != nil {
		parts = readParts(in)
	}
	for ; n > 0 && in.Err() == nil; n-- {
		hash, e := in.Number(), entry(in.Number())
		var basis asset.Basis
		if s.table.bases != nil {
			basis = readBasis(in, parts)
		}
		if in.Err() == nil && !s.load(hash, e, basis) {
			in.Fail()
		}
	}
	return in.End()
}

// load adds an entry with the basis beside its reason. It reports false if there cannot be such an entry.
func (s *statuses) load(hash uint64, e entry, basis asset.Basis) bool {
	if _, present := s.table.find(hash); present || hash == 0 || !e.valid() {
		return false
	}
	if s.table.full() {
		s.table = s.table.grown()
	}
	a := asset.Known{Asset: asset.Asset{ID: e.id(), Status: e.status()}, Basis: basis}
	a.Reason = e.reason()
	s.table.put(hash, a)
	return true
}

// valid reports whether an entry is one of an asset.
func (e entry) valid() bool {
	return asset.ValidID(e.id()) && int(e>>1&(1<<reasonBits-1)) < len(reasons)
}

// readParts reads the parts of bases.
func readParts(in *saved.Reader) (parts []basisPart) {
	for n := in.Number(); n > 0 && in.Err() == nil; n-- {
		parts = append(parts, basisPart{asset.Source(in.Text()), int64(in.Number()), in.Text(), in.Text()}) //nolint:gosec // converted back
	}
	return parts
}

// readBasis reads the basis of an asset without its reason.
func readBasis(in *saved.Reader, parts []basisPart) asset.Basis {
	since, index := int64(in.Number()), in.Number() //nolint:gosec // converted back
	if in.Err() != nil || index >= uint64(len(parts)) {
		in.Fail()
		return asset.Basis{}
	}
	part := parts[index]
	return asset.Basis{By: part.by, ListID: part.listID, List: part.list, Note: part.note, Since: timeOf(since)}
}
