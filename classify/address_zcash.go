package classify

import (
	"strings"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

// zcashKey is the version of the transparent address of a key.
const zcashKey = "\x1c\xb8"

// zcashTEX is the format of a transparent-source-only address (ZIP 320). The canonical form is
// the transparent address of its key. The two differ only in what may pay them.
func zcashTEX(t token) (string, Reason) {
	digits, ok := strings.CutPrefix(t.lower, "tex1")
	if !ok {
		return "", ReasonUnrecognized
	}
	var key []byte
	_, reason := checkBech32(t, digits, bech32Damaged, func(data []byte, checksum bech32.Version) bool {
		key = fromBase32(data)
		return checksum == bech32.VersionM && len(key) == hashSize
	})
	if reason != "" {
		return "", reason
	}
	return encodeBase58Check(zcashKey + string(key)), ""
}
