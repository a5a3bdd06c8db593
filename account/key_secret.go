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

// GenerateKey returns the secret text of a new key: "apg_" and 32 random bytes in
// base62. The bytes come from crypto/rand. Show the text to its owner, and store only
// the hash that [HashKey] returns.
func GenerateKey() string {
	var secret [32]byte
	rand.Read(secret[:]) // never fails; the process ends before it would
	digits := new(big.Int).SetBytes(secret[:]).Text(62)
	return keyPrefix + strings.Repeat("0", keyDigits-len(digits)) + digits
}

// HashKey returns the SHA-256 hash of the secret text of a key. Stores keep only this
// hash.
func HashKey(key string) [32]byte {
	return sha256.Sum256([]byte(key))
}

// fingerprintBytes is how much of a hash a fingerprint shows.
const fingerprintBytes = 6

// Fingerprint returns the first 12 hexadecimal digits of a key's hash. It identifies the
// key in logs and lists, but grants no access. It reveals nothing about a key from
// [GenerateKey]. If a key can be guessed, its fingerprint can confirm the guess.
func Fingerprint(hash [32]byte) string {
	return hex.EncodeToString(hash[:fingerprintBytes])
}

const invalidKey = "must be 1 to 256 visible ASCII characters"

// ValidKey reports whether key has the form of a secret text: 1 to 256 visible ASCII
// characters. A key need not come from [GenerateKey]; a host application may keep the
// keys of an older service.
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
