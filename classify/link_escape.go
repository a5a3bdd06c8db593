package classify

import "strings"

// percentDecode decodes the percent-encoded bytes that the function wants
// decoded. A percent sign that is not followed by two hexadecimal digits stays.
func percentDecode(text string, wanted func(byte) bool) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) && isHex(text[i+1:i+3]) {
			if c := hexValue(text[i+1])<<4 | hexValue(text[i+2]); wanted(c) {
				b.WriteByte(c)
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// percentEncode encodes every byte outside ASCII.
func percentEncode(text string) string {
	if isASCII(text) {
		return text
	}
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(3 * len(text))
	for i := range len(text) {
		if c := text[i]; c < 0x80 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
