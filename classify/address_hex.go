package classify

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

func isPrefixedHex(text string) bool {
	return len(text) >= 2 && text[0] == '0' && text[1]|0x20 == 'x' && isHex(text[2:])
}
