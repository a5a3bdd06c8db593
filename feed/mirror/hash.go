package mirror

import (
	"crypto/rand"
	"encoding/binary"

	"github.com/dchest/siphash"

	"github.com/apguard/apguard/asset"
)

// hashKey is the secret key of a hash function, SipHash-2-4. Unlike the seed of package maphash, it can be saved.
type hashKey [16]byte

// newHashKey returns a random key.
func newHashKey() (key hashKey) {
	_, _ = rand.Read(key[:]) // it never fails
	return key
}

// function returns the hash function of the key. It never returns 0.
func (k hashKey) function() func(asset.Identity) uint64 {
	first, second := binary.LittleEndian.Uint64(k[:]), binary.LittleEndian.Uint64(k[8:])
	return func(identity asset.Identity) uint64 {
		var buffer [192]byte // most identities fit
		text := append(append(append(buffer[:0], identity.Type...), 0), identity.Canonical...)
		return max(siphash.Hash(first, second, text), 1)
	}
}
