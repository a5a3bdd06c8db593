package classify

import "strings"

// mapEscapes replaces the percent-encoding in a text. The function gets each escape
// as it is written, and a lone % where no escape follows.
func mapEscapes(text string, replace func(escape string) string) string {
	first := strings.IndexByte(text, '%')
	if first < 0 {
		return text
	}
	var b strings.Builder
	done := 0 // the part of the text that is in b
	for i := first; i < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		escape := text[i : i+1]
		if i+2 < len(text) && isHex(text[i+1:i+3]) {
			escape = text[i : i+3]
		}
		if to := replace(escape); to != escape {
			b.WriteString(text[done:i])
			b.WriteString(to)
			done = i + len(escape)
		}
		i += len(escape) - 1
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// escapedByte returns the byte that an escape stands for. It returns '%' for a lone
// percent sign.
func escapedByte(escape string) byte {
	if len(escape) == 1 {
		return '%'
	}
	return hexValue(escape[1])<<4 | hexValue(escape[2])
}

// percentDecode decodes the escapes of the wanted bytes. A % that begins no escape
// stays.
func percentDecode(text string, wanted func(byte) bool) string {
	return mapEscapes(text, func(escape string) string {
		if c := escapedByte(escape); len(escape) > 1 && wanted(c) {
			return string([]byte{c})
		}
		return escape
	})
}

// normalizeEscapes puts percent-encoding in its normal form (RFC 3986, section
// 6.2.2). The result is stable, and the text itself if it is in that form already.
func normalizeEscapes(text string) string { return mapEscapes(text, normalEscape) }

// normalEscape decodes the escape of an unreserved character and puts any other in
// upper case. It encodes a lone %, which may otherwise begin an escape once others
// are decoded.
func normalEscape(escape string) string {
	switch c := escapedByte(escape); {
	case len(escape) == 1:
		return "%25"
	case isUnreserved(c):
		return string([]byte{c})
	}
	return strings.ToUpper(escape)
}

// isUnreserved reports whether c is an unreserved character (RFC 3986, section 2.3).
func isUnreserved(c byte) bool {
	return isLetter(c) || isDigit(c) || strings.IndexByte("-._~", c) >= 0
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
