package lists

import (
	"encoding/binary"
	"io"
	"iter"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

// readPhishingDetect reads an eth-phishing-detect file. It keeps the entries until the end, as
// an allowlist there wins over all blocklists, and a truncated file lacks it. Like the original, it
// takes an entry of an allowlist for all hosts below it.
func (l *reader) readPhishingDetect(r io.Reader) error {
	var held heldEntries
	allowed := make(hostSet)
	for e, err := range phishlist.Entries(r, phishlist.Options{}) {
		if err != nil {
			return err
		}
		if e.Fuzzy {
			held.leave(e.Line, NotTakenFuzzylist)
			continue
		}
		identity, err := hostOrContent(l.restore(e.Host))
		if err == nil && e.Allowed {
			allowed.add(identity.Canonical)
		}
		switch {
		case e.Allowed && !l.opts.Allowed:
			held.leave(e.Line, NotTakenWhitelist)
		case e.Err != nil:
			held.refuse(e, e.Err)
		case err != nil:
			held.refuse(e, err)
		default:
			held.add(e.Line, identity, e.Allowed)
		}
	}
	for e := range held.all() {
		if e.Status == asset.StatusBlocked && allowed.covers(e.Identity.Canonical) {
			e = Entry{Line: e.Line, Err: &NotTakenError{NotTakenWhitelisted}}
		}
		if err := l.entry(e); err != nil {
			return err
		}
	}
	return nil
}

// heldEntries are entries in little memory: few bytes besides their texts.
type heldEntries struct {
	// chunks have the entries one after the other: the kind, the number of lines since the entry
	// before it, and one text or, if it was refused, two. A kind below allowedKind is an index of
	// types of entries that are BLOCKED, one below refusedKind of those that are ALLOWED, and another
	// one is an index of reasons.
	chunks  [][]byte
	types   []asset.Type
	reasons []error
	line    int
}

const (
	allowedKind   = 64
	refusedKind   = 2 * allowedKind
	heldChunkSize = 64 << 10
)

// add adds an entry that is a host.
func (h *heldEntries) add(line int, identity asset.Identity, allowed bool) {
	kind := 0
	for kind < len(h.types) && h.types[kind] != identity.Type {
		kind++
	}
	if kind == len(h.types) {
		h.types = append(h.types, identity.Type)
	}
	if allowed {
		kind += allowedKind
	}
	h.append(line, kind, identity.Canonical)
}

// refuse adds an entry that is refused.
func (h *heldEntries) refuse(e phishlist.Entry, reason error) {
	h.append(e.Line, h.reason(reason), excerpt(e.Host), e.Position())
}

// leave adds an entry that is not taken.
func (h *heldEntries) leave(line int, kind string) {
	h.append(line, h.reason(&NotTakenError{kind}), "", "")
}

// reason returns the kind of entries with the reason.
func (h *heldEntries) reason(reason error) int {
	kind := 0
	for kind < len(h.reasons) && h.reasons[kind].Error() != reason.Error() {
		kind++
	}
	if kind == len(h.reasons) {
		h.reasons = append(h.reasons, reason)
	}
	return refusedKind + kind
}

func (h *heldEntries) append(line, kind int, texts ...string) {
	size := 2 * binary.MaxVarintLen64
	for _, text := range texts {
		size += binary.MaxVarintLen64 + len(text)
	}
	last := len(h.chunks) - 1
	if last < 0 || len(h.chunks[last])+size > cap(h.chunks[last]) {
		h.chunks = append(h.chunks, make([]byte, 0, max(size, heldChunkSize)))
		last++
	}
	chunk := binary.AppendUvarint(h.chunks[last], uint64(kind)) //nolint:gosec // it is an index
	chunk = binary.AppendUvarint(chunk, uint64(line-h.line))    //nolint:gosec // lines come in order
	for _, text := range texts {
		chunk = append(binary.AppendUvarint(chunk, uint64(len(text))), text...)
	}
	h.chunks[last], h.line = chunk, line
}

// all yields the entries in order.
func (h *heldEntries) all() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		line := 0
		for _, chunk := range h.chunks {
			for held := (heldReader{chunk}); len(held.chunk) > 0; {
				kind := held.number()
				line += held.number()
				e := Entry{Line: line}
				switch {
				case kind < allowedKind:
					e.Status, e.Identity = asset.StatusBlocked, asset.Identity{Type: h.types[kind], Canonical: held.text()}
				case kind < refusedKind:
					e.Status, e.Identity = asset.StatusAllowed, asset.Identity{Type: h.types[kind-allowedKind], Canonical: held.text()}
				default:
					e.Err, e.Text, e.Position = h.reasons[kind-refusedKind], held.text(), held.text()
				}
				if !yield(e) {
					return
				}
			}
		}
	}
}

// heldReader reads the rest of a chunk.
type heldReader struct{ chunk []byte }

func (r *heldReader) number() int {
	number, size := binary.Uvarint(r.chunk)
	r.chunk = r.chunk[size:]
	return int(number) //nolint:gosec // it was an int
}

func (r *heldReader) text() string {
	size := r.number()
	text := string(r.chunk[:size])
	r.chunk = r.chunk[size:]
	return text
}
