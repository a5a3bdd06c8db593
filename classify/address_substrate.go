package classify

import (
	"bytes"

	"github.com/mr-tron/base58"
	"golang.org/x/crypto/blake2b"
)

// The prefixes of the SS58 registry with a meaning of their own.
const (
	// ss58Generic is for accounts on any network, and that of canonical forms.
	ss58Generic = 42
	// ss58Reserved and the next prefix are not used.
	ss58Reserved = 46
)

const ss58ChecksumSize = 2

// ss58 is the format of Substrate networks: a network's prefix, an account, and the
// first two bytes of a BLAKE2b hash, in base58. The same account is used on all networks, so the
// canonical form has the generic prefix.
func ss58(t token) (string, Reason) {
	prefix, size := ss58Prefix(t.raw)
	account := len(t.raw) - size - ss58ChecksumSize
	if size == 0 || account != 32 && account != 33 {
		return "", ReasonUnrecognized
	}
	body, checksum := t.raw[:size+account], t.raw[size+account:]
	sum := ss58Checksum(body)
	switch {
	case !bytes.Equal(checksum, sum[:]) && t.hasBase58Checksum():
		return "", ReasonUnrecognized // an undamaged text of another format
	case !bytes.Equal(checksum, sum[:]):
		return "", ReasonChecksum
	case prefix == ss58Reserved, prefix == ss58Reserved+1:
		return "", ReasonInvalidAddress
	case prefix == ss58Generic:
		return t.text, ""
	}
	body = append([]byte{ss58Generic}, body[size:]...)
	sum = ss58Checksum(body)
	return base58.Encode(append(body, sum[:]...)), ""
}

func ss58Checksum(body []byte) [ss58ChecksumSize]byte {
	sum := blake2b.Sum512(append([]byte("SS58PRE"), body...))
	return [ss58ChecksumSize]byte(sum[:ss58ChecksumSize])
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
