package hashwire

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// field is a field of a message. Of a field that is repeated although it should not be, the last one
// counts.
type field struct {
	number protowire.Number
	kind   protowire.Type
	// value is the encoded value.
	value []byte
}

// eachField calls do for each field of a message until that returns an error.
func eachField(data []byte, do func(field) error) error {
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return malformed("invalid field")
		}
		data = data[n:]
		n = protowire.ConsumeFieldValue(number, kind, data)
		if n < 0 {
			return malformed("invalid value")
		}
		if err := do(field{number, kind, data[:n]}); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// message calls do for each field of the message that f has.
func (f field) message(do func(field) error) error {
	data, err := f.bytes()
	if err != nil {
		return err
	}
	return eachField(data, do)
}

func (f field) bytes() ([]byte, error) {
	if f.kind != protowire.BytesType {
		return nil, malformed("unexpected type of a field")
	}
	value, _ := protowire.ConsumeBytes(f.value) // it was consumed before
	return value, nil
}

func (f field) text() (string, error) {
	value, err := f.bytes()
	return string(value), err
}

func (f field) varint() (uint64, error) {
	if f.kind != protowire.VarintType {
		return 0, malformed("unexpected type of a field")
	}
	value, _ := protowire.ConsumeVarint(f.value) // it was consumed before
	return value, nil
}

// int32 returns the value as protocol buffers do: the lowest 32 bits.
func (f field) int32() (int32, error) {
	value, err := f.varint()
	return int32(value), err //nolint:gosec // see above
}
