package sqlstore

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

const (
	siteHashSize = 4
	// textHashSize is the number of bytes of a SHA-256 that are stored. Finding two identities
	// with the same hash takes about 2^80 attempts.
	textHashSize = 20
	// IdentityHashSize is the length in bytes of the hash of an identity.
	IdentityHashSize = siteHashSize + textHashSize
)

// IdentityHash returns the hash of an identity, by which the index finds its asset. It begins
// with the hash of the site, so that an asset and its covers are next to each other.
func IdentityHash(identity asset.Identity) []byte {
	return appendIdentityHash(make([]byte, 0, IdentityHashSize), identity)
}

func appendIdentityHash(hash []byte, identity asset.Identity) []byte {
	text := make([]byte, 0, 128) // on the stack, unless the canonical form is longer
	text = append(text, identity.Type...)
	text = append(text, 0)
	text = append(text, identity.Canonical...)
	sum := sha256.Sum256(text)
	hash = binary.BigEndian.AppendUint32(hash, uint32(hashOf(classify.Site(identity))))
	return append(hash, sum[:textHashSize]...)
}

// siteHash is the FNV-1a hash of a site. Different sites may have the same.
type siteHash uint32

func hashOf(site string) siteHash {
	hash := siteHash(2166136261)
	for _, b := range []byte(site) {
		hash = (hash ^ siteHash(b)) * 16777619
	}
	return hash
}

// bound returns the first or the last IdentityHash of a site, which ends with bytes of 0x00 or
// 0xff.
func (h siteHash) bound(end byte) []byte {
	hash := make([]byte, IdentityHashSize)
	binary.BigEndian.PutUint32(hash, uint32(h))
	for i := siteHashSize; i < len(hash); i++ {
		hash[i] = end
	}
	return hash
}
