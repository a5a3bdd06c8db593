package hashwire

import (
	"crypto/sha256"
	"encoding/binary"
)

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
