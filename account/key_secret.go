package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"strings"
)

// keyPrefix marks a text as a key of this service, for people and for scanners that
// look for leaked secrets.
const keyPrefix = "apg_"

// keyDigits is how many base62 digits 32 bytes need.
const keyDigits = 43

// maxKeyLength bounds the work that an arbitrary text can cause.
const maxKeyLength = 256

// GenerateKey returns a new random key: 32 bytes of the system's secure random source,
// in base62 after "apg_". The text is the secret itself. Show it to its owner, and store
// only its [HashKey].
func GenerateKey() string {
	var secret [32]byte
	rand.Read(secret[:]) // never fails; the process ends before it would
	digits := new(big.Int).SetBytes(secret[:]).Text(62)
	return keyPrefix + strings.Repeat("0", keyDigits-len(digits)) + digits
}

// HashKey returns the SHA-256 of a key, which is what is stored of it.
func HashKey(key string) [32]byte {
	return sha256.Sum256([]byte(key))
}

// fingerprintBytes is how much of a hash a fingerprint shows.
const fingerprintBytes = 6

// Fingerprint names a key by its hash in logs and lists: the first 12 hexadecimal digits
// of the hash. It grants no access. For a key of [GenerateKey] it reveals nothing about
// the secret; for a key that can be guessed it confirms a guess.
func Fingerprint(hash [32]byte) string {
	return hex.EncodeToString(hash[:fingerprintBytes])
}

const invalidKey = "must be 1 to 256 visible ASCII characters"

// ValidKey reports whether key can be a key: 1 to 256 visible ASCII characters. Keys
// need not come from [GenerateKey], as a host may bring those of an older service.
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
