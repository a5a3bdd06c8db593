package classify

import (
	"bytes"

	"golang.org/x/crypto/blake2b"
)

// ss58 is the format of Substrate networks: a network's prefix, an account, and the
// first two bytes of a BLAKE2b hash, in base58.
func ss58(t token) (string, Reason) {
	const checksumSize = 2
	prefix, size := ss58Prefix(t.raw)
	account := len(t.raw) - size - checksumSize
	if size == 0 || account != 32 && account != 33 {
		return "", ReasonUnrecognized
	}
	body, checksum := t.raw[:size+account], t.raw[size+account:]
	sum := blake2b.Sum512(append([]byte("SS58PRE"), body...))
	switch {
	case !bytes.Equal(checksum, sum[:checksumSize]) && t.hasBase58Checksum():
		return "", ReasonUnrecognized // an undamaged text of another format
	case !bytes.Equal(checksum, sum[:checksumSize]):
		return "", ReasonChecksum
	case prefix == 46, prefix == 47: // reserved
		return "", ReasonInvalidAddress
	}
	return t.text, ""
}

// ss58Prefix returns the network's prefix and its size in bytes, which is 0 for an
// invalid prefix. Prefixes below 64 take one byte. Those from 64 to 16383 take two, with
// their bits shuffled.
func ss58Prefix(data []byte) (prefix, size int) {
	switch {
	case len(data) < 2, data[0] >= 128:
		return 0, 0
	case data[0] < 64:
		return int(data[0]), 1
	}
	first, second := int(data[0]), int(data[1])
	prefix = first&0x3f<<2 | second>>6 | second&0x3f<<8
	if prefix < 64 {
		return 0, 0
	}
	return prefix, 2
}
