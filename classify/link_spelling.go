package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

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
