package classify

import (
	"bytes"
	"hash/crc32"
)

// byron is the format of addresses of Cardano's Byron era: CBOR (RFC 8949) in base58. It
// holds a payload as a byte string and its CRC-32.
func byron(t token) (string, Reason) {
	// An array of two, and the tag of embedded CBOR.
	rest, ok := bytes.CutPrefix(t.raw, []byte("\x82\xd8\x18"))
	if !ok {
		return "", ReasonUnrecognized
	}
	payload, rest, ok := cutCBORBytes(rest)
	if !ok {
		return "", ReasonChecksum
	}
	sum, rest, ok := cutCBOR(rest, cborUint)
	switch {
	case !ok, len(rest) > 0, sum != uint64(crc32.ChecksumIEEE(payload)):
		return "", ReasonChecksum
	case !isByronPayload(payload):
		return "", ReasonInvalidAddress
	}
	return t.text, ""
}

// isByronPayload reports whether the data is the payload of a main net address: an array
// of the root hash, attributes and the type.
func isByronPayload(data []byte) bool {
	const (
		lastAttribute = 1 // the derivation path; the next is the ID of a test network
		lastType      = 2 // a key, a script, or a redemption
	)
	items, data, ok := cutCBOR(data, cborArray)
	if !ok || items != 3 {
		return false
	}
	root, data, ok := cutCBORBytes(data)
	if !ok || len(root) != 28 {
		return false
	}
	attributes, data, ok := cutCBOR(data, cborMap)
	if !ok {
		return false
	}
	for range attributes {
		var key uint64
		if key, data, ok = cutCBOR(data, cborUint); !ok || key > lastAttribute {
			return false
		}
		if _, data, ok = cutCBORBytes(data); !ok {
			return false
		}
	}
	kind, data, ok := cutCBOR(data, cborUint)
	return ok && kind <= lastType && len(data) == 0
}

// The major types of CBOR in an address.
const (
	cborUint  = 0
	cborBytes = 2
	cborArray = 4
	cborMap   = 5
)

// cutCBOR cuts the head of an item off the data. It returns the number in it, which is
// the value of an integer and the size of anything else. It reports false if the item
// has another type or its number is not encoded in the shortest way.
func cutCBOR(data []byte, major byte) (number uint64, rest []byte, ok bool) {
	if len(data) == 0 || data[0]>>5 != major {
		return 0, nil, false
	}
	info, rest := data[0]&0x1f, data[1:]
	if info < 24 {
		return uint64(info), rest, true
	}
	if info > 27 { // reserved, or indefinite length
		return 0, nil, false
	}
	size := 1 << (info - 24)
	if len(rest) < size {
		return 0, nil, false
	}
	for _, b := range rest[:size] {
		number = number<<8 | uint64(b)
	}
	shortest := number >= 24
	if size > 1 {
		shortest = number>>(4*size) != 0
	}
	return number, rest[size:], shortest
}

func cutCBORBytes(data []byte) (content, rest []byte, ok bool) {
	size, rest, ok := cutCBOR(data, cborBytes)
	if !ok || size > uint64(len(rest)) {
		return nil, nil, false
	}
	return rest[:size], rest[size:], true
}
