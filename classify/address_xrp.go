package classify

import (
	"bytes"
	"strings"

	"github.com/mr-tron/base58"
)

// xrpAlphabet is the base58 alphabet of the XRP Ledger.
var xrpAlphabet = base58.NewAlphabet("rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz")

// The versions of addresses of the XRP Ledger.
const (
	xrpClassicVersion = "\x00"
	xrpTaggedVersion  = "\x05\x44" // of the main network
)

// xrpClassic is the format of a classic address.
func xrpClassic(t token) (string, Reason) {
	if !strings.HasPrefix(t.text, "r") {
		return "", ReasonUnrecognized
	}
	if _, reason := xrpPayload(t.text, xrpClassicVersion, hashSize); reason != "" {
		return "", reason
	}
	return t.text, ""
}

// xrpTagged is the format of an X-address: an account with an optional destination tag
// (XLS-5). Without a tag, the canonical form is the classic address of the account.
func xrpTagged(t token) (string, Reason) {
	account, tagged, reason := cutXRPTag(t.text)
	switch {
	case reason != "":
		return "", reason
	case tagged:
		return t.text, ""
	}
	return account, ""
}

// cutXRPTag returns the classic address of an X-address, and whether that has a tag.
func cutXRPTag(text string) (account string, tagged bool, reason Reason) {
	const tagSize = 4 // the other four bytes are reserved
	if !strings.HasPrefix(text, "X") {
		return "", false, ReasonUnrecognized
	}
	payload, reason := xrpPayload(text, xrpTaggedVersion, hashSize+1+2*tagSize)
	if reason != "" {
		return "", false, reason
	}
	flag, tag := payload[hashSize], payload[hashSize+1:]
	if flag > 1 || !isZero(tag[tagSize:]) || flag == 0 && !isZero(tag) {
		return "", false, ReasonInvalidAddress
	}
	classic := appendChecksum(xrpClassicVersion + string(payload[:hashSize]))
	return base58.EncodeAlphabet(classic, xrpAlphabet), flag == 1, ""
}

// xrpPayload decodes a text in the ledger's base58, with the checksum of base58Check. It returns
// what follows the version.
func xrpPayload(text, version string, size int) ([]byte, Reason) {
	raw := decodeBase58(xrpAlphabet, text)
	if len(raw) != len(version)+size+checksumSize || !strings.HasPrefix(string(raw), version) {
		return nil, ReasonUnrecognized
	}
	payload := cutChecksum(raw)
	if payload == nil {
		return nil, ReasonChecksum
	}
	return payload[len(version):], ""
}

func isZero(data []byte) bool { return len(bytes.Trim(data, "\x00")) == 0 }

// isXRPClassic reports whether the result is a classic address.
func isXRPClassic(of Result) bool { return of.Network == NetworkXRP && of.Canonical[0] == 'r' }
