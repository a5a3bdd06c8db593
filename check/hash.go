package check

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Hash returns the hash of an identity in hash lists: the first 8 bytes of the SHA-256 of the type, a zero
// byte and the canonical form, as a big-endian number. So the order of numbers is that of the bytes.
func Hash(identity asset.Identity) uint64 {
	var room [256]byte // most identities need no more, and then nothing is allocated
	text := append(room[:0], identity.Type...)
	text = append(text, 0)
	text = append(text, identity.Canonical...)
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint64(sum[:])
}

// DecideHashed is [Decide] with the status of each hash instead of the assets, and without lists. statusOf
// returns UNKNOWN for a hash that is not listed, and BLOCKED for one of several assets of which any is
// BLOCKED. The Match of the verdict has no ID and no basis.
func DecideHashed(covers []classify.Cover, statusOf func(hash uint64) asset.Status) Verdict {
	return Decide(covers, func(identity asset.Identity) (asset.Known, bool) {
		status := statusOf(Hash(identity))
		return asset.Known{Asset: asset.Asset{Identity: identity, Status: status}}, status != asset.StatusUnknown
	}, nil)
}
