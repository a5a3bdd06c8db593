package classify

import (
	"strings"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

const (
	// bech32Digits are the characters of bech32's data part.
	bech32Digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	// bech32Damaged is the number of digits from which on a text of a known prefix
	// is taken for a damaged address. With fewer it may be a handle.
	bech32Damaged = 20
)

// bech32Address is the form of addresses in bech32 (BIP 173) or bech32m (BIP 350)
// with the given human-readable part. The data that isAddress is given is in
// groups of five bits.
func bech32Address(prefix string, isAddress func(data []byte, checksum bech32.Version) bool) form {
	return bech32Form(prefix, bech32Damaged, isAddress)
}

// segwit is the form of native segregated witness addresses with the given
// human-readable part: bech32 for version 0, bech32m for versions 1 to 16.
//
// The shortest addresses are as short as a handle: a version, a program of two
// bytes and a checksum.
func segwit(prefix string) form { return bech32Form(prefix, 1+4+6, isWitness) }

func bech32Form(prefix string, damaged int, isAddress func([]byte, bech32.Version) bool) form {
	return func(t token) (string, Reason) {
		digits, ok := strings.CutPrefix(t.lower, prefix+"1")
		if !ok {
			return "", ReasonUnrecognized
		}
		return checkBech32(t, digits, damaged, isAddress)
	}
}

// checkBech32 judges a token that begins with a known human-readable part and
// goes on with the given digits. One with a wrong checksum is a damaged address
// if it has as many digits as damaged says.
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

// fromBase32 joins groups of five bits to bytes. It returns nil when there are
// too many bits at the end, or any of those is set.
func fromBase32(groups []byte) []byte {
	data, err := bech32.ConvertBits(groups, 5, 8, false)
	if err != nil {
		return nil
	}
	return data
}

// isWitness reports whether the data is a witness version and a program that
// belong together, and to that kind of checksum.
func isWitness(data []byte, checksum bech32.Version) bool {
	if len(data) == 0 {
		return false
	}
	program := fromBase32(data[1:])
	if data[0] == 0 {
		return checksum == bech32.Version0 && (len(program) == 20 || len(program) == 32)
	}
	return checksum == bech32.VersionM && data[0] <= 16 && 2 <= len(program) && len(program) <= 40
}

// isTEX reports whether the data is a transparent-source-only address of Zcash
// (ZIP 320).
func isTEX(data []byte, checksum bech32.Version) bool {
	return checksum == bech32.VersionM && len(fromBase32(data)) == 20
}
