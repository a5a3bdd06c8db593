package classify

import "strings"

const (
	cashPrefix = "bitcoincash"
	// The number of digits of a version, a hash of 20 or 32 bytes, and a checksum.
	cashDigits20 = 42
	cashDigits32 = 61
	// cashChecksumDigits is the number of digits of the checksum alone.
	cashChecksumDigits = 8
)

// cashAddress is the cashaddr format of Bitcoin Cash: bech32's digits with a longer
// checksum. The prefix is optional, but the checksum covers it.
func cashAddress(t token) (string, Reason) {
	digits, prefixed := strings.CutPrefix(t.lower, cashPrefix+":")
	if len(digits) != cashDigits20 && len(digits) != cashDigits32 || strings.Trim(digits, bech32Digits) != "" {
		if prefixed {
			return "", ReasonInvalidAddress
		}
		return "", ReasonUnrecognized
	}
	groups := make([]byte, len(digits))
	for i := range groups {
		groups[i] = byte(strings.IndexByte(bech32Digits, digits[i])) //nolint:gosec // below 32
	}
	switch {
	case !t.isOneCase():
		return "", ReasonInvalidAddress
	case cashChecksum(groups) != 0:
		return "", ReasonChecksum
	case !isCashHash(fromBase32(groups[:len(groups)-cashChecksumDigits])):
		return "", ReasonInvalidAddress
	}
	return cashPrefix + ":" + withoutTokens(digits, groups), ""
}

// The first digit of an address has the first four bits of its type. With tokens (CashTokens), the
// type is two more, and so is the digit.
const tokenDigit = 2

// withoutTokens returns the digits of the address of the same key or script whose type does not
// announce that its wallet accepts tokens. It changes the groups.
func withoutTokens(digits string, groups []byte) string {
	if groups[0] < tokenDigit {
		return digits
	}
	groups[0] -= tokenDigit
	checksum := groups[len(groups)-cashChecksumDigits:]
	clear(checksum)
	sum := cashChecksum(groups)
	for i := range checksum {
		checksum[i] = byte(sum >> (5 * (cashChecksumDigits - 1 - i)) & 0x1f)
	}
	text := make([]byte, len(groups))
	for i, group := range groups {
		text[i] = bech32Digits[group]
	}
	return string(text)
}

// isCashHash reports whether the data is a version byte and a hash of its size. The
// lower three bits of the version are a code for the size, the others are the type.
func isCashHash(data []byte) bool {
	const size20, size32 = 0, 3
	if len(data) == 0 {
		return false
	}
	switch version := data[0]; version >> 3 {
	case 0, 2: // q and z, P2PKH without and with tokens
		return version&7 == size20 && len(data) == 1+20
	case 1, 3: // p and r, P2SH without and with tokens
		return version&7 == size20 && len(data) == 1+20 || version&7 == size32 && len(data) == 1+32
	}
	return false
}

// cashChecksum returns 0 if the groups of five bits end with their checksum, a BCH code
// of 40 bits over GF(32).
func cashChecksum(groups []byte) uint64 {
	sum := uint64(1)
	for i := range len(cashPrefix) {
		sum = cashStep(sum, cashPrefix[i]&0x1f)
	}
	sum = cashStep(sum, 0)
	for _, group := range groups {
		sum = cashStep(sum, group)
	}
	return sum ^ 1
}

func cashStep(sum uint64, group byte) uint64 {
	generator := [...]uint64{0x98f2bc8e61, 0x79b76d99e2, 0xf33e5fb3c4, 0xae2eabe2a8, 0x1e4f43e470}
	top := sum >> 35
	sum = sum&(1<<35-1)<<5 ^ uint64(group)
	for i, g := range generator {
		if top>>i&1 == 1 {
			sum ^= g
		}
	}
	return sum
}
