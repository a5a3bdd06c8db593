package classify

import (
	"bytes"
	"crypto/sha512"
)

// algorand is the format of Algorand: a public key and the last four bytes of its
// SHA-512/256, in base32.
func algorand(t token) (string, Reason) {
	const keySize = 32
	data := decodeBase32(t.text, keySize+checksumSize)
	if data == nil {
		return "", ReasonUnrecognized
	}
	sum := sha512.Sum512_256(data[:keySize])
	if !bytes.Equal(data[keySize:], sum[len(sum)-checksumSize:]) {
		return "", ReasonChecksum
	}
	return t.text, ""
}
