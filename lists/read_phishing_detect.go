package lists

import (
	"encoding/binary"
	"io"
	"iter"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

// readPhishingDetect reads an eth-phishing-detect file. It keeps the entries until the end, as
// an allowlist there wins over all blocklists, and a truncated file lacks it.
func (l *reader) readPhishingDetect(r io.Reader) error {
	var held heldEntries
	allowed := make(hostSet)
	for e, err := range phishlist.Entries(r, phishlist.Options{}) {
		if err != nil {
			return err
		}
		identity, ok := l.hostIdentity(e.Host)
		switch {
		case e.Err != nil:
			held.refuse(e, e.Err)
		case !ok:
			held.refuse(e, ErrNotHost)
		default:
			held.add(e.Line, identity)
			if e.Allowed {
				allowed.add(identity.Canonical)
			}
		}
	}
	for e := range held.all() {
		if e.Err == nil {
			e.Status = asset.StatusBlocked
			if allowed.has(e.Identity.Canonical) {
				e.Status = asset.StatusAllowed
			}
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
	// before it, and one text or, if it was refused, two. A kind below refusedKind is an index of
	// types, and another one of reasons.
	chunks  [][]byte
	types   []asset.Type
	reasons []error
	line    int
}

const (
	refusedKind   = 128
	heldChunkSize = 64 << 10
)

// add adds an entry that is a host.
func (h *heldEntries) add(line int, identity asset.Identity) {
	kind := 0
	for kind < len(h.types) && h.types[kind] != identity.Type {
		kind++
	}
	if kind == len(h.types) {
		h.types = append(h.types, identity.Type)
	}
	h.append(line, kind, identity.Canonical)
}

// refuse adds an entry that is refused.
func (h *heldEntries) refuse(e phishlist.Entry, reason error) {
	kind := 0
	for kind < len(h.reasons) && h.reasons[kind].Error() != reason.Error() {
		kind++
	}
	if kind == len(h.reasons) {
		h.reasons = append(h.reasons, reason)
	}
	h.append(e.Line, refusedKind+kind, excerpt(e.Host), e.Position())
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
				if kind < refusedKind {
					e.Identity = asset.Identity{Type: h.types[kind], Canonical: held.text()}
				} else {
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
