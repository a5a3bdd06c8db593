package classify

import (
	"slices"
	"strings"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

// cosmos is the format of networks of the Cosmos SDK: a network's prefix and an account
// or contract in bech32.
func cosmos(t token) (string, Reason) {
	prefix, digits, ok := strings.Cut(t.lower, "1")
	if !ok {
		return "", ReasonUnrecognized
	}
	if _, known := slices.BinarySearch(cosmosPrefixes[:], prefix); !known {
		return "", ReasonUnrecognized
	}
	return checkBech32(t, digits, bech32Damaged, isCosmosAccount)
}

// isCosmosAccount reports whether the data is an account of 20 bytes, or a module or
// contract of 32.
func isCosmosAccount(data []byte, checksum bech32.Version) bool {
	account := fromBase32(data)
	return checksum == bech32.Version0 && (len(account) == 20 || len(account) == 32)
}
