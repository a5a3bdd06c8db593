package classify

import (
	"strings"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

const (
	// bech32Digits are the characters of bech32's data part.
	bech32Digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	// bech32Damaged is the least number of digits of a damaged address with a known
	// prefix. A shorter text may be a handle.
	bech32Damaged = 20
)

// bech32Address is the format of bech32 (BIP 173) or bech32m (BIP 350) with the given
// human-readable part. The data for isAddress is in groups of five bits.
func bech32Address(prefix string, isAddress func(data []byte, checksum bech32.Version) bool) format {
	return bech32Format(prefix, bech32Damaged, isAddress)
}

func bech32Format(prefix string, damaged int, isAddress func([]byte, bech32.Version) bool) format {
	return func(t token) (string, Reason) {
		digits, ok := strings.CutPrefix(t.lower, prefix+"1")
		if !ok {
			return "", ReasonUnrecognized
		}
		return checkBech32(t, digits, damaged, isAddress)
	}
}

// checkBech32 checks a token with a known human-readable part and the given digits after
// it. With a wrong checksum and at least the given number of digits, it is a damaged
// address.
func checkBech32(t token, digits string, damaged int, isAddress func([]byte, bech32.Version) bool) (string, Reason) {
	if strings.Trim(digits, bech32Digits) != "" {
		return "", ReasonUnrecognized
	}
	_, data, checksum, err := bech32.DecodeNoLimitWithVersion(t.lower)
	switch {
	case err != nil && len(digits) < damaged:
		return "", ReasonUnrecognized
	case !t.isOneCase():
		return "", ReasonInvalidAddress
	case err != nil:
		return "", ReasonChecksum
	case !isAddress(data, checksum):
		return "", ReasonInvalidAddress
	}
	return t.lower, ""
}

// fromBase32 joins groups of five bits to bytes. It returns nil for five or more excess
// bits, and if any of them is set.
func fromBase32(groups []byte) []byte {
	data, err := bech32.ConvertBits(groups, 5, 8, false)
	if err != nil {
		return nil
	}
	return data
}
