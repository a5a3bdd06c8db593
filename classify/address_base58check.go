package classify

import (
	"bytes"
	"crypto/sha256"
	"strings"

	"github.com/mr-tron/base58"
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

// base58CheckAs is base58Check for a version that is another one's synonym. The canonical form
// has the version of that.
func base58CheckAs(version, canonical string) format {
	check := base58Check(version)
	return func(t token) (string, Reason) {
		if text, reason := check(t); text == "" {
			return "", reason
		}
		return encodeBase58Check(canonical + string(t.payload[len(version):])), ""
	}
}

// encodeBase58Check returns the payload and its checksum in base58.
func encodeBase58Check(payload string) string { return base58.Encode(appendChecksum(payload)) }

// appendChecksum returns the payload and its checksum of base58check.
func appendChecksum(payload string) []byte {
	once := sha256.Sum256([]byte(payload))
	twice := sha256.Sum256(once[:])
	return append([]byte(payload), twice[:checksumSize]...)
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

// decodeBase58 decodes base58. It returns nil for an invalid text. The cost is quadratic
// in the length, which maxToken limits.
func decodeBase58(alphabet *base58.Alphabet, text string) []byte {
	// This rejects most texts at less cost than the library.
	if strings.ContainsAny(text, "0OIl") || !isASCIIName(text, "") {
		return nil
	}
	raw, err := base58.DecodeAlphabet(text, alphabet)
	if err != nil {
		return nil
	}
	return raw
}
