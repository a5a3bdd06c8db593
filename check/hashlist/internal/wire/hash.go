package wire

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/apguard/apguard/asset"
)

// Hash returns the hash of an identity: the first 8 bytes of the SHA-256 of the type, a zero byte and
// the canonical form, as a big-endian number. So the order of numbers is that of the bytes.
func Hash(identity asset.Identity) uint64 {
	var room [256]byte // most identities need no more, and then nothing is allocated
	text := append(room[:0], identity.Type...)
	text = append(text, 0)
	text = append(text, identity.Canonical...)
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint64(sum[:])
}

// Checksum returns the SHA-256 of hashes, each as 8 bytes. They are sorted.
func Checksum(hashes []uint64) []byte {
	sum := sha256.New()
	var room [512 * 8]byte
	part := room[:0]
	for _, hash := range hashes {
		if len(part) == len(room) {
			sum.Write(part)
			part = part[:0]
		}
		part = binary.BigEndian.AppendUint64(part, hash)
	}
	sum.Write(part)
	return sum.Sum(nil)
}
