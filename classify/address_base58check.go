package classify

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

const (
	checksumSize = 4
	// hashSize is the size of a key's or script's hash.
	hashSize = 20
)

// base58Check is the form of addresses that are base58 of a version, a hash and a
// checksum.
func base58Check(version string) form {
	return func(t token) (string, Reason) {
		switch {
		case len(t.raw) != len(version)+hashSize+checksumSize, !strings.HasPrefix(string(t.raw), version):
			return "", ReasonUnrecognized
		case t.payload == nil:
			return "", ReasonChecksum
		}
		return t.text, ""
	}
}

// hasBase58Checksum reports whether the token ends with the checksum of
// base58check, in Bitcoin's order of digits or the XRP Ledger's.
func (t token) hasBase58Checksum() bool {
	return t.payload != nil || cutChecksum(decodeBase58(xrpAlphabet, t.text)) != nil
}

// cutChecksum returns the data without the checksum of Bitcoin's base58check,
// which is the first four bytes of its double SHA-256, or nil when the checksum
// is wrong.
func cutChecksum(data []byte) []byte {
	if len(data) < checksumSize {
		return nil
	}
	payload, checksum := data[:len(data)-checksumSize], data[len(data)-checksumSize:]
	once := sha256.Sum256(payload)
	twice := sha256.Sum256(once[:])
	if !bytes.Equal(checksum, twice[:checksumSize]) {
		return nil
	}
	return payload
}
