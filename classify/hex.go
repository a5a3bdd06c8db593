package classify

import "strings"

// hexAddress is the form of addresses that are 0x and a number of hexadecimal
// digits. The checksum that EIP-55 hides in their letter case is not verified:
// the case is free.
func hexAddress(digits int) form {
	return func(t token) (string, Reason) {
		if !t.isPrefixedHex() || len(t.text) != len("0x")+digits {
			return "", ReasonUnrecognised
		}
		return strings.ToLower(t.text), ""
	}
}

func (t token) isPrefixedHex() bool {
	return len(t.text) >= 2 && t.text[0] == '0' && t.text[1]|0x20 == 'x' && isHex(t.text[2:])
}
