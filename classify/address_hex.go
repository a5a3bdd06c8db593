package classify

// hexAddress is the form of addresses that are 0x and a number of hexadecimal
// digits. The checksum that EIP-55 hides in their letter case is not verified:
// the case is free.
func hexAddress(digits int) form {
	return func(t token) (string, Reason) {
		if len(t.text) != len("0x")+digits || !isPrefixedHex(t.text) {
			return "", ReasonUnrecognized
		}
		return t.lower, ""
	}
}

func isPrefixedHex(text string) bool {
	return len(text) >= 2 && text[0] == '0' && text[1]|0x20 == 'x' && isHex(text[2:])
}
