package lists

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ErrDamagedWalletLists reports that the data for [LoadWalletLists] are not what [WalletLists.Save] has written.
var ErrDamagedWalletLists = errors.New("damaged wallet lists")

// WalletForm is the version of the data of [WalletLists.Save], and of the items that [WalletLists.Set] derives from
// assets. It grows with each change of either, so that data of another version can be recognized.
const WalletForm = 1

// sets returns the sets in the order in which they are saved.
func (l *WalletLists) sets() []walletSet { return []walletSet{l.allowed, l.blocked, l.paths, l.others} }

// Save writes the lists for [LoadWalletLists] of the same [WalletForm]. The error is that of w.
func (l *WalletLists) Save(w io.Writer) error {
	out := bufio.NewWriterSize(w, bufferSize)
	for _, set := range l.sets() {
		_, _ = out.Write(binary.AppendUvarint(out.AvailableBuffer(), uint64(set.len()))) //nolint:gosec // Flush returns the error
		for item := range set.after(walletItem{}) {
			_, _ = out.Write(item.append(out.AvailableBuffer()))
		}
	}
	return out.Flush()
}

// append appends the lengths of the whole text and of the host, the text, the forms, and 1 if the item is withheld.
func (i walletItem) append(data []byte) []byte {
	data = binary.AppendUvarint(data, uint64(len(i.text)))
	data = binary.AppendUvarint(data, uint64(i.host))
	data = append(data, i.text...)
	if i.withheld {
		return append(data, byte(i.forms), 1)
	}
	return append(data, byte(i.forms), 0)
}

// LoadWalletLists reads lists up to the end of r. The error is that of r, or matches [ErrDamagedWalletLists]. Not all
// damages are found.
func LoadWalletLists(r io.Reader) (*WalletLists, error) {
	in := &walletReader{from: bufio.NewReaderSize(r, bufferSize)}
	l := NewWalletLists()
	for _, set := range l.sets() {
		var last walletItem
		for n := in.number(); n > 0 && in.err == nil; n-- {
			item := in.item()
			if last.compare(item) >= 0 {
				in.fail()
				break
			}
			set.items.Load(item) // it is after all others
			last = item
		}
	}
	if _, err := in.from.Peek(1); !errors.Is(err, io.EOF) {
		in.fail()
	}
	return l, in.err
}

// maxWalletText is a length that no text of an item has.
const maxWalletText = 1 << 16

// walletReader reads items. After an error, it returns zero values.
type walletReader struct {
	from *bufio.Reader
	data [maxWalletText]byte
	err  error
}

func (r *walletReader) fail() {
	if r.err == nil {
		r.err = ErrDamagedWalletLists
	}
}

// keep keeps an error of a read.
func (r *walletReader) keep(err error) {
	switch {
	case r.err != nil || err == nil:
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		r.err = fmt.Errorf("%w: %w", ErrDamagedWalletLists, io.ErrUnexpectedEOF)
	default:
		r.err = err
	}
}

func (r *walletReader) number() uint64 {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.from)
	r.keep(err)
	return n
}

func (r *walletReader) item() walletItem {
	length, host := r.number(), r.number()
	if length >= maxWalletText-1 || host > length {
		r.fail()
	}
	if r.err != nil {
		return walletItem{}
	}
	data := r.data[:length+2] // and what comes after the text
	if _, err := io.ReadFull(r.from, data); err != nil {
		r.keep(err)
		return walletItem{}
	}
	forms, withheld := data[length], data[length+1]
	if forms == 0 || withheld > 1 {
		r.fail()
	}
	item := newWalletItem(string(data[:length]), "")
	item.host, item.forms, item.withheld = uint32(host), walletForms(forms), withheld == 1 //nolint:gosec // host is at most length
	return item
}
