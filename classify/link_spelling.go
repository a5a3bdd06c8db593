package classify

import (
	"strconv"
	"strings"

	"github.com/apguard/apguard/asset"
)

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

// escapedByte returns the byte that an escape stands for.
func escapedByte(escape string) byte {
	c, _ := strconv.ParseUint(escape[1:], 16, 8)
	return byte(c)
}

// percentDecode decodes the escapes of the wanted bytes. A % that begins no escape
// stays.
func percentDecode(text string, wanted func(byte) bool) string {
	return mapEscapes(text, func(escape string) string {
		if len(escape) == 1 || !wanted(escapedByte(escape)) {
			return escape
		}
		return string([]byte{escapedByte(escape)})
	})
}

// decodePercent decodes all percent-encoding.
func decodePercent(text string) string { return percentDecode(text, func(byte) bool { return true }) }

// normalizeEscapes puts percent-encoding in its normal form (RFC 3986, section
// 6.2.2). The result is stable, and the text itself if it is in that form already.
func normalizeEscapes(text string) string { return mapEscapes(text, normalEscape) }

// normalEscape decodes the escape of an unreserved character and puts any other in
// upper case. It encodes a lone %, which may otherwise begin an escape once others
// are decoded.
func normalEscape(escape string) string {
	if len(escape) == 1 {
		return "%25"
	}
	if c := escapedByte(escape); isUnreserved(c) {
		return string([]byte{c})
	}
	return strings.ToUpper(escape)
}

// isUnreserved reports whether c is an unreserved character (RFC 3986, section 2.3).
func isUnreserved(c byte) bool {
	return isLetter(c) || isDigit(c) || strings.IndexByte("-._~", c) >= 0
}

// The characters that are not encoded in the parts of a link: ASCII without control characters and
// without the percent-encode sets of the WHATWG URL Standard. Chromium and Firefox also encode the
// bar of a path, so a link that is copied from their address bars has %7C.
var (
	inPath     = visibleBut("\"#<>?^`{|}")
	inQuery    = visibleBut("\"#<>'")
	inFragment = visibleBut("\"<>`")
	inASCII    = visibleBut("")
)

// percentEncode encodes every byte that is not kept.
func percentEncode(text string, kept *byteSet) string {
	if kept.span(text) == len(text) {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; kept[c] {
			b.WriteByte(c)
		} else {
			writeEscape(&b, c)
		}
	}
	return b.String()
}

func writeEscape(b *strings.Builder, c byte) {
	const digits = "0123456789ABCDEF"
	b.Write([]byte{'%', digits[c>>4], digits[c&0xf]})
}

// encodeNonASCII encodes every byte outside ASCII.
func encodeNonASCII(text string) string { return percentEncode(text, inASCII) }

// The signs that can stand in a path with and without percent-encoding (RFC 3986, section 3.3,
// and the square brackets that the WHATWG URL Standard adds).
const (
	// markSigns are the signs that encodeURIComponent of JavaScript leaves as they are.
	markSigns = "!'()*"
	// otherSigns are the others.
	otherSigns = "$&+,:;=@[]"
	pathSigns  = markSigns + otherSigns
)

// isPathSign reports whether c is one of pathSigns.
func isPathSign(c byte) bool { return strings.IndexByte(pathSigns, c) >= 0 }

// inOneSpelling is the ASCII of paths that have no other spelling.
var inOneSpelling = bytesThat(func(c byte) bool { return !isPathSign(c) && c != '%' })

// hasSpellings reports whether a path has other spellings.
func hasSpellings(path string) bool {
	if inOneSpelling.span(path) == len(path) && !strings.Contains(path, "//") {
		return false
	}
	plain := plainPath(path)
	return plain != path || strings.ContainsAny(plain, pathSigns)
}

// plainPath returns the spelling of a path without percent-encoded signs and without empty
// segments. Most servers read all spellings of a path as this one. An empty segment at the end
// is the slash there, and stays.
func plainPath(path string) string {
	path = percentDecode(path, isPathSign)
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

// encodeSigns percent-encodes the signs in a path.
func encodeSigns(path, signs string) string {
	if !strings.ContainsAny(path, signs) {
		return path
	}
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; strings.IndexByte(signs, c) >= 0 {
			writeEscape(&b, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// HasPlainPath reports whether the path of a URL or PAGE is in the spelling that covers every
// other one: no sign in it is percent-encoded that can stand in a path as it is, and no segment
// is empty. The status BLOCKED of such a link counts for all spellings of its path.
func HasPlainPath(identity asset.Identity) bool {
	_, _, rest := SplitHost(identity)
	path, _ := cutPath(rest)
	return plainPath(path) == path
}
