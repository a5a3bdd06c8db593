// Package hashwire reads and writes hash lists in the shape of Safe Browsing v5: messages of the type
// BatchGetHashListsResponse of the protocol buffers package google.security.safebrowsing.v5. It has the
// fields that apguard uses, and skips others.
package hashwire

import (
	"errors"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrMalformed reports that data is not a message, or not one with valid lists.
var ErrMalformed = errors.New("malformed hash lists")

// maxLists is the maximum number of lists in a message. A list takes more memory than its encoding.
const maxLists = 16

// HashList is a list of hashes, or the difference between two of them.
type HashList struct {
	Name    string
	Version []byte
	// Partial reports whether the Removals and Additions change a list. Otherwise, the additions are
	// the list.
	Partial bool
	// Additions has hashes that are added, after the removals.
	Additions *Rice
	// Removals has the indices of hashes that are removed.
	Removals *Rice
	// MinimumWait is how long a client must wait before it asks again. It is not negative.
	MinimumWait time.Duration
	// Checksum is that of all hashes after the update.
	Checksum []byte
}

// The numbers of the fields. A Rice-delta coding has the same ones for all sizes that are used.
const (
	fieldHashLists protowire.Number = 1

	fieldName        protowire.Number = 1
	fieldVersion     protowire.Number = 2
	fieldPartial     protowire.Number = 3
	fieldRemovals    protowire.Number = 5
	fieldMinimumWait protowire.Number = 6
	fieldChecksum    protowire.Number = 7
	fieldAdditions   protowire.Number = 9

	fieldFirst     protowire.Number = 1
	fieldParameter protowire.Number = 2
	fieldDeltas    protowire.Number = 3
	fieldData      protowire.Number = 4

	fieldSeconds protowire.Number = 1
	fieldNanos   protowire.Number = 2
)

// Encode returns the message with the lists.
func Encode(lists ...HashList) []byte {
	size := 0
	for _, list := range lists {
		size += list.sizeHint()
	}
	b := make([]byte, 0, size)
	for _, list := range lists {
		b = appendMessage(b, fieldHashLists, list.append)
	}
	return b
}

// sizeHint returns a bit more than the size of a list.
func (l HashList) sizeHint() int {
	size := 256 + len(l.Name) + len(l.Version)
	for _, r := range []*Rice{l.Additions, l.Removals} {
		if r != nil {
			size += len(r.data)
		}
	}
	return size
}

// append appends the fields of a list. Those with the default value of their type are left out.
func (l HashList) append(b []byte) []byte {
	b = appendBytes(b, fieldName, []byte(l.Name))
	b = appendBytes(b, fieldVersion, l.Version)
	if l.Partial {
		b = appendVarint(b, fieldPartial, 1)
	}
	if l.Removals != nil {
		b = appendMessage(b, fieldRemovals, l.Removals.append)
	}
	if l.MinimumWait != 0 {
		b = appendMessage(b, fieldMinimumWait, func(b []byte) []byte {
			b = appendVarint(b, fieldSeconds, uint64(l.MinimumWait/time.Second))  //nolint:gosec // it is not negative
			return appendVarint(b, fieldNanos, uint64(l.MinimumWait%time.Second)) //nolint:gosec // it is not negative
		})
	}
	b = appendBytes(b, fieldChecksum, l.Checksum)
	if l.Additions != nil {
		b = appendMessage(b, fieldAdditions, l.Additions.append)
	}
	return b
}

func (r *Rice) append(b []byte) []byte {
	b = appendVarint(b, fieldFirst, r.first)
	b = appendVarint(b, fieldParameter, uint64(r.parameter))
	b = appendVarint(b, fieldDeltas, uint64(r.deltas)) //nolint:gosec // it is not negative
	return appendBytes(b, fieldData, r.data)
}

// appendMessage appends a field with the message that fields appends.
func appendMessage(b []byte, number protowire.Number, fields func([]byte) []byte) []byte {
	b = protowire.AppendTag(b, number, protowire.BytesType)
	start := len(b)
	b = fields(b)
	return slices.Insert(b, start, protowire.AppendVarint(nil, uint64(len(b)-start))...) //nolint:gosec // it is not negative
}

func appendBytes(b []byte, number protowire.Number, value []byte) []byte {
	if len(value) == 0 {
		return b
	}
	return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), value)
}

func appendVarint(b []byte, number protowire.Number, value uint64) []byte {
	if value == 0 {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), value)
}

// Decode returns the lists of a message. They keep parts of the data. Their numbers are not read yet, so
// that a Reader can still fail. The error matches [ErrMalformed].
func Decode(data []byte) ([]HashList, error) {
	var lists []HashList
	err := eachField(data, func(f field) error {
		if f.number != fieldHashLists {
			return nil
		}
		if len(lists) == maxLists {
			return malformed("too many lists")
		}
		list, err := decodeList(f)
		lists = append(lists, list)
		return err
	})
	if err != nil {
		return nil, err
	}
	return lists, nil
}

func decodeList(of field) (HashList, error) {
	var l HashList
	err := of.message(func(f field) (err error) {
		switch f.number {
		case fieldName:
			l.Name, err = f.text()
		case fieldVersion:
			l.Version, err = f.bytes()
		case fieldPartial:
			var value uint64
			value, err = f.varint()
			l.Partial = value != 0
		case fieldRemovals:
			l.Removals, err = decodeRice(f, removalsCoding)
		case fieldMinimumWait:
			l.MinimumWait, err = decodeDuration(f)
		case fieldChecksum:
			l.Checksum, err = f.bytes()
		case fieldAdditions:
			l.Additions, err = decodeRice(f, additionsCoding)
		default: // skipped
		}
		return err
	})
	return l, err
}

func decodeRice(of field, coding coding) (*Rice, error) {
	var r Rice
	err := of.message(func(f field) (err error) {
		switch f.number {
		case fieldFirst:
			r.first, err = f.varint()
		case fieldParameter:
			var value int32
			value, err = f.int32()
			r.parameter = uint(max(value, 0))
		case fieldDeltas:
			var value int32
			value, err = f.int32()
			r.deltas = int(value)
		case fieldData:
			r.data, err = f.bytes()
		default: // skipped
		}
		return err
	})
	if err == nil {
		err = r.validate(coding)
	}
	return &r, err
}

// decodeDuration decodes a google.protobuf.Duration. One that is negative, or longer than Go knows, is
// malformed.
func decodeDuration(of field) (time.Duration, error) {
	var seconds, nanos uint64
	err := of.message(func(f field) (err error) {
		switch f.number {
		case fieldSeconds:
			seconds, err = f.varint()
		case fieldNanos:
			nanos, err = f.varint()
		default: // skipped
		}
		return err
	})
	const most = uint64(1<<63-1) / uint64(time.Second)
	if err == nil && (seconds >= most || nanos >= uint64(time.Second)) {
		err = malformed("duration out of range")
	}
	return time.Duration(seconds)*time.Second + time.Duration(nanos), err
}
