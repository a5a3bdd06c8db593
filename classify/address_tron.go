package classify

import (
	"encoding/hex"
	"strings"
)

// tronVersion is the first byte of a TRON address.
const tronVersion = "\x41"

// tronHex is the format of TRON's nodes: the version and the account in hex digits. The
// canonical form is in base58.
func tronHex(t token) (string, Reason) {
	if len(t.text) != 2*(len(tronVersion)+hashSize) || !strings.HasPrefix(t.text, "41") || !isHex(t.text) {
		return "", ReasonUnrecognized
	}
	account, err := hex.DecodeString(t.text)
	if err != nil {
		return "", ReasonUnrecognized
	}
	return encodeBase58Check(string(account)), ""
}
