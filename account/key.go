package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"strings"
)

// keyPrefix marks a text as a key of this service, for people and for scanners
// that look for leaked secrets.
const keyPrefix = "apg_"

// keyDigits is how many base62 digits the largest 32 random bytes need.
const keyDigits = 43

// maxKeyLength bounds the work that a made-up key can cause.
const maxKeyLength = 256

// NewKey makes a key from 32 bytes of the system's secure random source,
// written in base62 behind "apg_". The key is the secret itself: show it to its
// owner, and store only what [HashKey] makes of it.
func NewKey() string {
	var secret [32]byte
	rand.Read(secret[:]) // never fails; the process ends before it would
	digits := new(big.Int).SetBytes(secret[:]).Text(62)
	return keyPrefix + strings.Repeat("0", keyDigits-len(digits)) + digits
}

// HashKey returns what is stored of a key.
func HashKey(key string) [32]byte {
	return sha256.Sum256([]byte(key))
}

// fingerprintBytes is how much of a hash a fingerprint shows.
const fingerprintBytes = 6

// Fingerprint names a key by its hash for logs and lists: 12 hexadecimal digits,
// the first of the hash. It opens nothing. Of a key that [NewKey] made it tells
// nothing either; of a key that can be guessed it confirms a guess.
func Fingerprint(hash [32]byte) string {
	return hex.EncodeToString(hash[:fingerprintBytes])
}

// ValidKey reports whether key can be a key at all: 1 to 256 visible ASCII
// characters. Keys that [NewKey] did not make are welcome, as a host may bring
// the keys of an older service.
func ValidKey(key string) bool {
	if len(key) == 0 || len(key) > maxKeyLength {
		return false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}
