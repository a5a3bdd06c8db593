package hashlist

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

// saved begins each saved list. It names the format.
const saved = "apguard hash list 2\n"

// MaxSaved is the maximum size of a saved list in bytes. It has room for 170,000,000 assets.
const MaxSaved = 1 << 30

// Save writes the list, its version and its age for [List.Load]. It returns [ErrNoList] if there is no
// list, or the error of w. A file that replaces another one should be written under another name and
// renamed, so that one of them is always complete.
//
// The form is not for other programs. It has the lists in the form of a response, the time, the version of
// the rules, and a checksum of everything.
func (l *List) Save(w io.Writer) error {
	h := l.held.Load()
	if h == nil {
		return ErrNoList
	}
	data := binary.BigEndian.AppendUint64([]byte(saved), classify.Version)
	data = binary.BigEndian.AppendUint64(data, uint64(h.asOf.UnixMilli()))
	data = append(data, h.encode()...)
	sum := sha256.Sum256(data)
	_, err := w.Write(append(data, sum[:]...))
	return err
}

// encode returns the whole lists in the form of a response.
func (h *held) encode() []byte {
	version, _ := base64.RawURLEncoding.DecodeString(h.version.String()) // the text of a cursor is valid
	var lists [len(names)]hashwire.HashList
	for i, name := range names {
		hashes := h.statuses[i].hashes
		lists[i] = hashwire.HashList{
			Name:        name,
			Version:     version,
			Additions:   hashwire.NewAdditions(hashes),
			MinimumWait: h.wait,
			Checksum:    hashwire.Checksum(hashes),
		}
	}
	return hashwire.Encode(lists[:]...)
}

// Load reads a list that [List.Save] has written. Its age continues as if it had been held since.
//
// The error is that of r, a [*RulesError], or matches [ErrDamaged] or [ErrDowngraded].
func (l *List) Load(r io.Reader) error { return l.load(r, MaxSaved) }

// load is Load with the maximum size.
func (l *List) load(r io.Reader, limit int) error {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return err
	}
	sums := len(data) - sha256.Size
	if len(data) > limit || sums < len(saved)+16 || !bytes.HasPrefix(data, []byte(saved)) {
		return fmt.Errorf("%w: it is not a saved list", ErrDamaged)
	}
	if sum := sha256.Sum256(data[:sums]); !bytes.Equal(sum[:], data[sums:]) {
		return fmt.Errorf("%w: %w", ErrDamaged, errChecksum)
	}
	rules, millis := binary.BigEndian.Uint64(data[len(saved):]), binary.BigEndian.Uint64(data[len(saved)+8:])
	return l.Update(Response{
		Data:  data[len(saved)+16 : sums],
		AsOf:  time.UnixMilli(int64(millis)), //nolint:gosec // Save has converted it
		Rules: int(rules),                    //nolint:gosec // as above
	})
}
