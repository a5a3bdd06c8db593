package classify

import "strings"

// hexAddress is the format of 0x and a number of hex digits. It does not verify the
// checksum in the letter case (EIP-55).
func hexAddress(digits int) format {
	return func(t token) (string, Reason) {
		if len(t.text) != len("0x")+digits || !isPrefixedHex(t.text) {
			return "", ReasonUnrecognized
		}
		return t.lower, ""
	}
}

// xdcAddress is the format of the XDC Network: xdc in place of 0x before 40 hex digits.
func xdcAddress(t token) (string, Reason) {
	digits, ok := strings.CutPrefix(t.lower, "xdc")
	if !ok || len(digits) != 40 || !isHex(digits) {
		return "", ReasonUnrecognized
	}
	return "0x" + digits, ""
}

// moveDigits is the number of hex digits of an address of Aptos, Sui or Starknet.
const moveDigits = 64

// moveAddress is the format of 0x and 64 hex digits, of which the first four may be missing if
// they are zeros. Starknet's libraries leave out leading zeros. Addresses with fewer digits
// are too likely damaged ones.
func moveAddress(t token) (string, Reason) {
	const missing = 4
	digits := len(t.text) - len("0x")
	if digits < moveDigits-missing || digits > moveDigits || !isPrefixedHex(t.text) {
		return "", ReasonUnrecognized
	}
	return padMove(t.lower), ""
}

// padMove adds the leading zeros that an address of Aptos, Sui or Starknet lacks. It returns
// any other text as it is.
func padMove(text string) string {
	missing := moveDigits - (len(text) - len("0x"))
	if missing <= 0 || missing == moveDigits || !isPrefixedHex(text) {
		return text
	}
	return text[:len("0x")] + strings.Repeat("0", missing) + text[len("0x"):]
}

func isPrefixedHex(text string) bool {
	return len(text) >= 2 && text[0] == '0' && text[1]|0x20 == 'x' && isHex(text[2:])
}
