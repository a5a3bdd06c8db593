package classify

import (
	"bytes"
	"strings"

	"github.com/mr-tron/base58"
)

// xrpAlphabet holds the digits of base58 in the order of the XRP Ledger.
var xrpAlphabet = base58.NewAlphabet("rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz")

// xrpClassic is the form of a bare account.
func xrpClassic(t token) (string, Reason) {
	if !strings.HasPrefix(t.text, "r") {
		return "", ReasonUnrecognized
	}
	return xrpCheck(t.text, "\x00", hashSize, nil)
}

// xrpTagged is the form of X-addresses: an account and, perhaps, the tag of a
// destination inside it (XLS-5).
func xrpTagged(t token) (string, Reason) {
	if !strings.HasPrefix(t.text, "X") {
		return "", ReasonUnrecognized
	}
	return xrpCheck(t.text, "\x05\x44", hashSize+1+8, func(payload []byte) bool {
		flag, tag := payload[hashSize], payload[hashSize+1:]
		const tagSize = 4 // the rest is for tags that nobody has yet
		return flag == 0 && isZero(tag) || flag == 1 && isZero(tag[tagSize:])
	})
}

// xrpCheck judges a text in the ledger's own base58, with the same checksum as
// base58Check. What isSound says of the content decides, if it is there.
func xrpCheck(text, version string, size int, isSound func([]byte) bool) (string, Reason) {
	raw := decodeBase58(xrpAlphabet, text)
	if len(raw) != len(version)+size+checksumSize || !strings.HasPrefix(string(raw), version) {
		return "", ReasonUnrecognized
	}
	payload := cutChecksum(raw)
	switch {
	case payload == nil:
		return "", ReasonChecksum
	case isSound != nil && !isSound(payload[len(version):]):
		return "", ReasonInvalidAddress
	}
	return text, ""
}

func isZero(data []byte) bool { return len(bytes.Trim(data, "\x00")) == 0 }
