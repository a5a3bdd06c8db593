package idempotency

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
)

// Fingerprint identifies a request. Requests with the same key are the same if their
// fingerprints are equal. The zero value is no fingerprint.
type Fingerprint [sha256.Size]byte

// FingerprintOf returns the fingerprint of a request with the given fields. Different lists
// of fields have different fingerprints.
func FingerprintOf(fields ...string) Fingerprint {
	return digest(fields)
}

// digest returns the SHA-256 of the texts, each after its length.
func digest(texts []string) (sum [sha256.Size]byte) {
	hash := sha256.New()
	var length [8]byte
	for _, text := range texts {
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		hash.Write(length[:])
		_, _ = io.WriteString(hash, text) // never fails
	}
	hash.Sum(sum[:0])
	return sum
}
