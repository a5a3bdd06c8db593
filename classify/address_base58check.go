package classify

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

const (
	checksumSize = 4
	// hashSize is the size of the hash of a key or script.
	hashSize = 20
)

// base58Check is the format of a version, a hash and a checksum in base58.
func base58Check(version string) format {
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

// hasBase58Checksum reports whether the token has a valid base58check checksum, in
// Bitcoin's alphabet or the XRP Ledger's.
func (t token) hasBase58Checksum() bool {
	return t.payload != nil || cutChecksum(decodeBase58(xrpAlphabet, t.text)) != nil
}

// cutChecksum cuts off the checksum of base58check, which is the first four bytes of the
// double SHA-256. It returns nil if the checksum is wrong.
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
