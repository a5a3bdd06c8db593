package classify

import (
	"bytes"
	"strings"

	"github.com/mr-tron/base58"
)

// xrpAlphabet is the base58 alphabet of the XRP Ledger.
var xrpAlphabet = base58.NewAlphabet("rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz")

// xrpClassic is the format of a classic address.
func xrpClassic(t token) (string, Reason) {
	if !strings.HasPrefix(t.text, "r") {
		return "", ReasonUnrecognized
	}
	return xrpCheck(t.text, "\x00", hashSize, nil)
}

// xrpTagged is the format of an X-address: an account with an optional destination tag
// (XLS-5).
func xrpTagged(t token) (string, Reason) {
	if !strings.HasPrefix(t.text, "X") {
		return "", ReasonUnrecognized
	}
	return xrpCheck(t.text, "\x05\x44", hashSize+1+8, func(payload []byte) bool {
		flag, tag := payload[hashSize], payload[hashSize+1:]
		const tagSize = 4 // the rest is reserved
		return flag == 0 && isZero(tag) || flag == 1 && isZero(tag[tagSize:])
	})
}

// xrpCheck checks a text in the ledger's base58, with the checksum of base58Check. If
// isValid is not nil, it must accept the payload.
func xrpCheck(text, version string, size int, isValid func([]byte) bool) (string, Reason) {
	raw := decodeBase58(xrpAlphabet, text)
	if len(raw) != len(version)+size+checksumSize || !strings.HasPrefix(string(raw), version) {
		return "", ReasonUnrecognized
	}
	payload := cutChecksum(raw)
	switch {
	case payload == nil:
		return "", ReasonChecksum
	case isValid != nil && !isValid(payload[len(version):]):
		return "", ReasonInvalidAddress
	}
	return text, ""
}

func isZero(data []byte) bool { return len(bytes.Trim(data, "\x00")) == 0 }
