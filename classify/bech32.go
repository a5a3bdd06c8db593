package classify

import (
	"strings"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

// bech32Digits are the characters of bech32's data part.
const bech32Digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// segwit is the form of native segregated witness addresses with the given
// human-readable part: bech32 for version 0 (BIP 173), bech32m for versions 1 to
// 16 (BIP 350).
//
// The shortest addresses are as short as a handle. What begins like one is taken
// for a damaged address when it is long enough, or its checksum is right.
func segwit(prefix string) form {
	// The shortest has a version, a program of two bytes and a checksum.
	shortest := len(prefix) + len("1") + 1 + 4 + 6
	return func(t token) (string, Reason) {
		lower := strings.ToLower(t.text)
		digits, ok := strings.CutPrefix(lower, prefix+"1")
		if !ok || strings.Trim(digits, bech32Digits) != "" {
			return "", ReasonUnrecognised
		}
		_, data, version, err := bech32.DecodeGeneric(lower)
		switch {
		case err != nil && len(lower) < shortest:
			return "", ReasonUnrecognised
		case err != nil:
			return "", ReasonChecksum
		case !isWitness(data, version), lower != t.text && strings.ToUpper(lower) != t.text:
			return "", ReasonInvalidAddress
		}
		return lower, ""
	}
}

// isWitness reports whether the data, in groups of five bits, is a witness
// version and a program that belong together, and to that kind of checksum.
func isWitness(data []byte, checksum bech32.Version) bool {
	if len(data) == 0 {
		return false
	}
	program, err := bech32.ConvertBits(data[1:], 5, 8, false)
	if err != nil {
		return false
	}
	if data[0] == 0 {
		return checksum == bech32.Version0 && (len(program) == 20 || len(program) == 32)
	}
	return checksum == bech32.VersionM && data[0] <= 16 && 2 <= len(program) && len(program) <= 40
}
